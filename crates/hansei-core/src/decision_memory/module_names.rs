//! How the code of an ecosystem names a package whose modules are called otherwise: by a reversed address in Java's, by a
//! namespace in PHP and .NET, with a capital in Elixir and Swift, below a customary root in Haskell.

use super::file_kind::{base_name, extension, holds};
use super::import::occurrences;
use super::place::Place;
use super::syntax::ReadLine;

/// The first parts of reversed addresses.
const ADDRESSES: &str = "com org io net dev edu javax jakarta de fr uk nl ch eu app me co cn jp";
/// Roots below which Haskell's packages place their modules.
const HASKELL_ROOTS: &str =
    "Control Data Text Network System Numeric Test Database Codec Language Graphics Crypto";

/// Whether a line names a module of the package `name`, as its language does.
pub(super) fn names_module(place: &Place<'_>, name: &str) -> bool {
    let code = place.read().code();
    let code = code.trim();
    match extension(&base_name(place.path)) {
        "java" | "kt" | "kts" | "scala" | "groovy" => {
            let module = imported(code, &["import static ", "import "]);
            module.is_some_and(|module| !is_own_package(place, module) && holds_artifact(module, name))
        }
        "php" => paths(code, '\\').any(|path| is_namespace(&path, name)),
        "ex" | "exs" => !defines_module(place.reads, name) && calls_module(code, name),
        "clj" | "cljs" | "cljc" => requires_namespace(code, name),
        "cs" | "fs" | "vb" => {
            let module = imported(code, &["global using ", "using ", "open ", "Imports "]);
            module.is_some_and(|module| begins_alike(module, name))
        }
        "swift" => {
            imported(code, &["@testable import ", "import "]).is_some_and(|module| begins_alike(module, name))
        }
        "hs" => imported(code, &["import qualified ", "import "]).is_some_and(|module| {
            let mut parts = module.split('.');
            parts.next().is_some_and(|root| holds(HASKELL_ROOTS, root))
                && parts.next().is_some_and(|part| part.eq_ignore_ascii_case(name))
        }),
        _ => false,
    }
}

/// The module that a line imports.
fn imported<'a>(code: &'a str, keywords: &[&str]) -> Option<&'a str> {
    let behind = keywords.iter().find_map(|keyword| code.strip_prefix(keyword))?.trim_start();
    let end = behind
        .find(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | '{' | ','))
        .unwrap_or(behind.len());
    (end > 0).then(|| &behind[..end])
}

/// Whether the packages of a reversed address (`com.google.gson`, `org.joda.time`) are those of an artifact.
fn holds_artifact(module: &str, name: &str) -> bool {
    let artifact = name.rsplit(':').next().unwrap_or(name).to_lowercase().replace(['_', '.'], "-");
    // Behind a class stand its members.
    let is_package = |part: &&str| part.starts_with(char::is_lowercase);
    let parts: Vec<&str> = module.split('.').take_while(is_package).take(4).collect();
    let is_address = parts.first().is_some_and(|first| holds(ADDRESSES, first));
    is_address
        && (1..parts.len())
            .any(|from| (from + 1..=parts.len()).any(|to| parts[from..to].join("-") == artifact))
}

/// Whether a module is of the same people as the file: their address begins alike, or the file's folders are called so.
fn is_own_package(place: &Place<'_>, module: &str) -> bool {
    let mut parts = module.split('.');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return true };
    let root = format!("{first}.{second}");
    let is_ours = |read: &ReadLine| {
        let code = read.code();
        let package =
            code.trim().strip_prefix("package ").map(|rest| rest.trim().trim_end_matches(';').to_owned());
        package.is_some_and(|package| package == root || package.starts_with(&format!("{root}.")))
    };
    place.path.contains(&format!("{first}/{second}/")) || place.reads.iter().take(60).any(is_ours)
}

/// Paths in code, as words that `separator` joins.
fn paths(code: &str, separator: char) -> impl Iterator<Item = Vec<&str>> {
    code.split(move |c: char| !(c.is_alphanumeric() || c == '_' || c == separator))
        .filter(move |path| path.contains(separator))
        .map(move |path| path.split(separator).filter(|part| !part.is_empty()).collect())
}

/// `Doctrine\ORM` for `doctrine/orm`, `Monolog` for `monolog/monolog`.
fn is_namespace(path: &[&str], name: &str) -> bool {
    let Some((vendor, package)) = name.split_once('/') else { return false };
    let alike = |part: &&str, wanted: &str| part.eq_ignore_ascii_case(&wanted.replace(['-', '_'], ""));
    path.first().is_some_and(|part| alike(part, vendor))
        && (vendor == package || path.iter().skip(1).take(2).any(|part| alike(part, package)))
}

/// `[hiccup.core :as h]` for `hiccup/hiccup`: a group with one thing in it, which is called like the group.
fn requires_namespace(code: &str, name: &str) -> bool {
    let only = name.split_once('/').filter(|(group, artifact)| group == artifact).map(|(group, _)| group);
    only.is_some_and(|only| {
        occurrences(code, only, true).any(|at| {
            let opened = code[..at].ends_with(['[', '(', '\'']);
            opened && code[at + only.len()..].starts_with(['.', ']', ' ', ')'])
        })
    })
}

/// Whether a module is called like the package, in any case, or stands below it.
fn begins_alike(module: &str, name: &str) -> bool {
    let (module, name) = (module.to_lowercase(), name.to_lowercase());
    module.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether code calls, aliases or uses the module that carries the name of a package, with a capital.
fn calls_module(code: &str, name: &str) -> bool {
    let wanted = name.replace(['_', '-'], "");
    let brings_in = ["alias ", "import ", "use ", "require "].iter().any(|word| code.starts_with(word));
    let is_outside = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | ':'));
    code.split(is_outside).any(|path| {
        let (root, behind) = path.split_once('.').unwrap_or((path, ""));
        root.starts_with(char::is_uppercase)
            && root.eq_ignore_ascii_case(&wanted)
            && (brings_in || !behind.is_empty() || code.contains(&format!("%{root}{{")))
    })
}

/// Whether a file has a module of its own of that name, or calls another one so.
fn defines_module(reads: &[ReadLine], name: &str) -> bool {
    let wanted = name.replace(['_', '-'], "");
    reads.iter().any(|read| {
        let code = read.code();
        let own =
            ["defmodule ", "alias ", "defprotocol "].iter().find_map(|word| code.trim().strip_prefix(word));
        own.is_some_and(|own| {
            let mut said =
                own.split([' ', ',']).filter(|word| *word != "as:" && *word != "do" && !word.is_empty());
            let last = said.next_back().unwrap_or_default();
            let own_last = last.rsplit('.').next().unwrap_or(last);
            let is_whole = own_last == last && code.trim().starts_with("alias ") && !own.contains("as:");
            own_last.eq_ignore_ascii_case(&wanted) && !is_whole
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::file_kind::FileKind;
    use crate::decision_memory::syntax::read_lines;

    #[test]
    fn packages_are_known_by_their_modules() {
        for (path, text, name, named) in [
            ("A.kt", "import com.google.gson.Gson", "gson", true),
            ("A.kt", "import com.google.gson.Gson", "com.google.code.gson:gson", true),
            ("A.java", "import org.joda.time.DateTime;", "joda-time", true),
            ("A.java", "import static org.mockito.Mockito.mock;", "mockito", true),
            ("A.java", "import static org.mockito.Mockito.mock;", "mock", false),
            ("A.java", "package com.acme.web;\nimport com.acme.gson.Codec;", "gson", false),
            ("src/com/acme/A.java", "import com.acme.gson.Codec;", "gson", false),
            ("A.java", "import gson.Local;", "gson", false),
            ("A.php", "use Doctrine\\ORM\\EntityManager;", "doctrine/orm", true),
            ("A.php", "$log = new \\Monolog\\Logger('a');", "monolog/monolog", true),
            ("A.php", "use Doctrine\\DBAL\\Connection;", "doctrine/orm", false),
            ("A.php", "use App\\Doctrine\\ORM\\X;", "doctrine/orm", false),
            ("a.ex", "HTTPoison.get(url)", "httpoison", true),
            ("a.ex", "alias HTTPoison.Response", "httpoison", true),
            ("a.ex", "use ExMachina", "ex_machina", true),
            ("a.ex", "Shop.Timex.now()", "timex", false),
            ("a.ex", "alias Shop.Money\nMoney.new(1)", "money", false),
            ("a.ex", "defmodule Money do\nMoney.new(1)", "money", false),
            ("a.clj", "(:require [hiccup.core :as h])", "hiccup/hiccup", true),
            ("a.clj", "(:require [shop.hiccup :as h])", "hiccup/hiccup", false),
            ("a.cs", "using AutoMapper;", "automapper", true),
            ("a.cs", "using AutoMapperish;", "automapper", false),
            ("a.swift", "import Alamofire", "alamofire", true),
            ("a.hs", "import qualified Data.Aeson as A", "aeson", true),
            ("a.hs", "import Control.Lens ((^.))", "lens", true),
            ("a.hs", "import Data.Generics.Lens", "lens", false),
            ("a.hs", "import Shop.Lens", "lens", false),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let reads = read_lines(path, lines.iter().copied());
            let at = lines.len() - 1;
            let place = Place { path, kind: FileKind::Program, lines: &lines, reads: &reads, at };
            assert_eq!(names_module(&place, name), named, "{path}: {text} ({name})");
        }
    }
}
