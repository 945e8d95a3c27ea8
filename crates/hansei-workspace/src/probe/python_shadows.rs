//! Modules of the project that take the place of one of Python's own, which others of Python's own import.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::python_source::{imports, lines};
use super::tree::{base, parent, stem, under};

/// A module of Python's, and who of Python's imports it as soon as it is imported.
const USED_BY: &[(&str, &[&str])] = &[
    ("bisect", &["random", "statistics", "tempfile"]),
    ("calendar", &["email", "smtplib", "http", "urllib", "ssl"]),
    ("code", &["pdb", "doctest"]),
    ("contextlib", &["subprocess", "asyncio", "tempfile", "unittest", "urllib", "typing"]),
    ("copy", &["argparse", "dataclasses", "http", "pickle"]),
    ("datetime", &["email", "smtplib", "http", "calendar", "zoneinfo", "sqlite3", "xmlrpc"]),
    ("decimal", &["fractions", "statistics"]),
    ("email", &["smtplib", "http", "urllib", "wsgiref", "xmlrpc", "imaplib"]),
    ("enum", &["re", "json", "socket", "ssl", "http", "inspect", "argparse", "logging"]),
    ("fractions", &["statistics"]),
    ("glob", &["pdb"]),
    ("hashlib", &["random", "hmac", "secrets", "uuid", "tempfile", "urllib"]),
    ("html", &["http"]),
    ("http", &["urllib", "xmlrpc", "wsgiref"]),
    ("inspect", &["dataclasses", "pdb", "doctest", "asyncio", "unittest"]),
    ("json", &["logging.config", "urllib3"]),
    ("locale", &["calendar", "gettext", "argparse"]),
    ("logging", &["asyncio", "concurrent", "unittest", "multiprocessing"]),
    ("numbers", &["decimal", "fractions", "statistics"]),
    ("operator", &["collections", "random", "statistics", "email"]),
    ("platform", &["uuid", "asyncio"]),
    ("queue", &["concurrent", "multiprocessing", "logging.handlers", "urllib3"]),
    ("random", &["tempfile", "statistics", "secrets", "email", "smtplib", "uuid", "shutil"]),
    ("secrets", &["tornado"]),
    ("select", &["subprocess", "asyncio", "socketserver"]),
    ("selectors", &["subprocess", "asyncio", "socketserver"]),
    ("signal", &["subprocess", "asyncio", "unittest"]),
    ("socket", &["http", "urllib", "smtplib", "ssl", "asyncio", "socketserver", "ftplib"]),
    ("ssl", &["asyncio", "smtplib"]),
    ("statistics", &["random"]),
    ("string", &["logging", "email", "smtplib", "http", "urllib"]),
    ("struct", &["gzip", "zipfile", "pickle", "base64", "tarfile"]),
    ("tempfile", &["urllib", "multiprocessing"]),
    ("threading", &["logging", "subprocess", "concurrent", "asyncio", "queue", "socketserver"]),
    ("token", &["inspect", "tokenize", "dataclasses", "pdb"]),
    ("tokenize", &["inspect", "linecache", "dataclasses", "traceback"]),
    ("traceback", &["logging", "unittest", "asyncio", "concurrent"]),
    ("types", &["enum", "functools", "dataclasses", "typing", "argparse", "re", "json"]),
    ("typing", &["importlib.metadata", "importlib.resources", "functools"]),
    ("uuid", &["sqlalchemy"]),
    ("warnings", &["argparse", "subprocess", "unittest", "asyncio"]),
    ("weakref", &["tempfile", "logging", "copy", "asyncio"]),
    ("zipfile", &["shutil", "importlib.metadata"]),
];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.examined(&[".py"]) {
        let folder = parent(&file.path);
        let Some((name, users)) = USED_BY.iter().find(|(name, _)| *name == stem(&file.path)) else {
            continue;
        };
        // Only a folder that is no package comes before Python's own modules.
        let is_first = folder == tree.scope().trim_end_matches('/') || is_started_in(ground, folder);
        if tree.has(&under(folder, "__init__.py")) {
            continue;
        }
        let beside = tree.examined(&[".py"]).filter(|other| {
            other.path != file.path
                && (parent(&other.path) == folder || folder == tree.scope().trim_end_matches('/'))
        });
        for other in beside {
            let Some(text) = tree.text(&other.path).filter(|text| is_first || is_run(text)) else { continue };
            let asked = imports(&lines(&text)).into_iter().find(|import| {
                import.level == 0
                    && !import.around.lets_imports_fail()
                    && users.iter().chain([name]).any(|user| {
                        import.module.starts_with(&format!("{user}."))
                            || import.module == *user && user != name
                    })
            });
            let Some(asked) = asked else { continue };
            // A module of the project's own with the user's name is not Python's.
            let top = asked.module.split('.').next().unwrap_or_default();
            let is_ours =
                tree.has(&under(folder, &format!("{top}.py"))) || tree.has_folder(&under(folder, top));
            if is_ours && top != *name {
                continue;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!(
                        "{} shadows Python's standard module {name:?}, which Python's {:?} imports",
                        file.path, asked.module
                    ),
                    format!("{}:{} imports {}", other.path, asked.line, asked.module),
                    format!("rename {}", file.path),
                )
                .strength(Strength::Certain)
                .naming([(*name).to_owned(), base(&file.path).to_owned()]),
            );
            break;
        }
    }
}

/// Whether a file is a program, whose folder comes first when it is run.
fn is_run(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("if __name__ ==") && line.contains("__main__"))
}

/// Whether a command line of the project runs a script of this folder.
fn is_started_in(ground: &Ground<'_>, folder: &str) -> bool {
    !folder.is_empty()
        && ground.shell_lines().iter().any(|line| {
            line.text
                .split_whitespace()
                .any(|word| word.ends_with(".py") && parent(word.trim_start_matches("./")) == folder)
        })
}
