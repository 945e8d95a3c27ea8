//! Configuration files that cannot be read: JSON, TOML, YAML, INI and Makefiles with broken syntax.

use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::node_packages::plain_json;
use super::tree::base;

/// The largest file whose syntax is looked at.
const LARGEST: u64 = 256 << 10;

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[
        ".json", ".toml", ".yaml", ".yml", ".ini", ".cfg", "Makefile", "Pipfile", "Cargo.lock", ".babelrc",
        ".eslintrc", ".prettierrc",
    ]) {
        if file.size > LARGEST
            || file.size == 0 && !is_manifest(base(&file.path))
            || base(&file.path).starts_with("pnpm-lock")
        {
            continue;
        }
        // What tests hold may be broken on purpose; what they open is looked at where it is opened.
        if super::tree::is_test(&file.path) || file.path.contains("bench") {
            continue;
        }
        let Some(text) = ground.tree.text(&file.path) else { continue };
        if let Some((line, problem)) = problem(&file.path, &text) {
            ground.suspect(
                Suspicion::new(
                    Probe::Config,
                    format!("{} cannot be read: {problem}", file.path),
                    format!("{}:{line}", file.path),
                    format!("correct line {line} of {}", file.path),
                )
                .strength(Strength::Certain)
                .naming([
                    file.path.clone(),
                    base(&file.path).to_owned(),
                    "JSON".to_owned(),
                    "parse".to_owned(),
                ]),
            );
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(
        name,
        "package.json"
            | "composer.json"
            | "Cargo.toml"
            | "pyproject.toml"
            | "tsconfig.json"
            | "package-lock.json"
    )
}

/// The line and the problem of a text that cannot be read; nothing where it can, or where something fills it in first.
pub(super) fn problem(path: &str, text: &str) -> Option<(usize, String)> {
    let name = base(path);
    // Templates become a configuration only later.
    if ["{{", "{%", "<%", "${{", "<<<<<<<"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    if name.ends_with(".json") || matches!(name, ".babelrc" | ".eslintrc" | ".prettierrc") {
        let strict = matches!(name, "package.json" | "composer.json" | "package-lock.json");
        return json(text, strict, name.ends_with(".json"));
    }
    if name.ends_with(".toml") || matches!(name, "Pipfile" | "Cargo.lock") {
        let error = text.parse::<toml::Table>().err()?;
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        return Some((line, error.message().lines().next().unwrap_or("no TOML").to_owned()));
    }
    if name.ends_with(".yaml") || name.ends_with(".yml") {
        return yaml_problem(text);
    }
    if matches!(name, "setup.cfg" | "tox.ini" | "pytest.ini") || name.ends_with(".ini") {
        return ini(text);
    }
    if name == "Makefile" {
        return makefile(text);
    }
    None
}

/// What is wrong with JSON; comments and trailing commas are let pass where tools do.
pub(super) fn json(text: &str, strict: bool, named_json: bool) -> Option<(usize, String)> {
    let trimmed = text.trim_start_matches('\u{feff}');
    let read = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text);
    let error = if strict { read(trimmed).err()? } else { read(&plain_json(text)).err()? };
    // A value a line, or several values: another format of the same ending.
    if !strict {
        let mut values = serde_json::Deserializer::from_str(trimmed).into_iter::<serde::de::IgnoredAny>();
        if values.next().is_some_and(|first| first.is_ok())
            && values.next().is_some_and(|second| second.is_ok())
        {
            return None;
        }
        let begins = trimmed.trim_start().starts_with(['{', '[']);
        // JSON5 has names without quotes and strings in single ones.
        let relaxed = text.contains('\'') && !text.contains('"');
        if !named_json && !begins || relaxed {
            return None;
        }
    }
    Some((error.line().max(1), error.to_string()))
}

/// A YAML text as a value.
pub(super) fn yaml(text: &str) -> Result<Value, String> {
    serde_saphyr::from_str::<Value>(text).map_err(|error| error.to_string())
}

/// Indentation with tabs, and brackets or quotes that do not end: the faults that every reader of YAML refuses.
fn yaml_problem(text: &str) -> Option<(usize, String)> {
    let mut in_block = None;
    for (at, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if in_block.is_some_and(|block| indent > block) {
            continue;
        }
        in_block = None;
        if line[indent..].starts_with('\t') {
            return Some((at + 1, "a tab indents the line, which YAML does not allow".to_owned()));
        }
        let plain = content.split(" #").next().unwrap_or(content).trim_end();
        if [": |", ": >", ": |-", ": >-", ": |+", ": >+", "- |", "- >", "- |-", "- >-"]
            .iter()
            .any(|end| plain.ends_with(end))
        {
            in_block = Some(indent);
        }
    }
    if text.contains("\n---") || text.contains("\n...") || text.contains('!') {
        return None;
    }
    let error = serde_saphyr::from_str::<serde::de::IgnoredAny>(text).err()?;
    let told = error.to_string();
    // Our reader is stricter than others about names that come twice.
    if told.contains("duplicate") || told.contains("budget") {
        return None;
    }
    let line = error.location().map_or(1, |location| usize::try_from(location.line()).unwrap_or(1));
    Some((line, told.lines().next().unwrap_or("no YAML").to_owned()))
}

fn ini(text: &str) -> Option<(usize, String)> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let first =
        lines.find(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['#', ';']))?;
    if !first.1.trim_start().starts_with('[') && first.1.contains('=') {
        return Some((first.0, "a value stands before the first [section]".to_owned()));
    }
    let broken = text.lines().enumerate().find(|(_, line)| line.starts_with('[') && !line.contains(']'));
    broken.map(|(at, _)| (at + 1, "a section's bracket does not end".to_owned()))
}

/// A recipe that begins with spaces.
fn makefile(text: &str) -> Option<(usize, String)> {
    if text.contains(".RECIPEPREFIX") {
        return None;
    }
    let mut after_rule = false;
    let mut continued = false;
    for (at, line) in text.lines().enumerate() {
        let is_continuation = continued;
        continued = line.ends_with('\\');
        if is_continuation || line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        if after_rule && line.starts_with("  ") && !line.trim_start().starts_with('\t') {
            let word = line.split_whitespace().next().unwrap_or_default();
            let directive =
                ["ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "define", "include"].contains(&word);
            let assigns = line.contains(":=") || line.contains("?=") || line.contains(" = ");
            if !directive && !assigns {
                return Some((
                    at + 1,
                    "the recipe begins with spaces instead of a tab (missing separator)".to_owned(),
                ));
            }
        }
        if line.starts_with('\t') {
            continue;
        }
        let head = line.split('#').next().unwrap_or_default();
        after_rule = !head.starts_with(' ')
            && head.contains(':')
            && !head.contains(":=")
            && !head.contains('=')
            && !head.starts_with('.');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_files_are_told_from_healthy_ones() {
        for (path, text, line) in [
            ("a.json", "{\"a\": 1,}", None),
            ("package.json", "{\"a\": 1,}", Some(1)),
            ("a.json", "{\n \"a\": 1\n \"b\": 2}", Some(3)),
            ("tsconfig.json", "{ // c\n }", None),
            ("rows.json", "{\"a\":1}\n{\"a\":2}\n", None),
            ("c.toml", "[a]\nb = 1\nc = \n", Some(3)),
            ("c.toml", "[a]\nb = 1\n", None),
            ("c.yaml", "a:\n\tb: 1\n", Some(2)),
            ("c.yaml", "a:\n  b: [1, 2\nc: 3\n", Some(3)),
            ("c.yaml", "a: 1\nb: |\n  \ttext\nc: {{ x }}\n", None),
            ("c.yaml", "a: 1\nb: |\n  \ttext\n", None),
            ("c.ini", "a = 1\n[b]\n", Some(1)),
            ("c.ini", "; x\n[b]\na = 1\n", None),
            ("Makefile", "all: x\n    echo hi\n", Some(2)),
            ("Makefile", "X = 1\nall: x\n\techo hi\n", None),
            ("Makefile", "ifdef X\n  Y = 1\nendif\n", None),
        ] {
            assert_eq!(problem(path, text).map(|it| it.0), line, "{path} {text:?}");
        }
    }
}
