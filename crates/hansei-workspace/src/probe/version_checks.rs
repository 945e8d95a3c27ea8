//! Programs and scripts that look at the version of their own tool, or for another program, and end where it does not fit.

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::version::Version;

static PYTHON: Pattern = Pattern::new(
    r"(?:if\s+(?:not\s+)?|assert\s+)(?:sys\.)?version_info(?:\[:2\])?\s*(<|>=)\s*\(\s*3\s*,\s*(\d+)",
);
static NODE: Pattern = Pattern::new(
    r"process\.(?:versions\.node|version)[^\n]*?<\s*(\d{2})\b|(?:major|nodeMajor|MAJOR)\s*<\s*(\d{2})\b",
);
static JAVA: Pattern = Pattern::new(r"Runtime\.version\(\)\.feature\(\)\s*<\s*(\d{2})");
static GNUC: Pattern = Pattern::new(r"^[ \t]*#[ \t]*if\s[^\n]*__GNUC__\s*<\s*(\d+)");
static ENDS: Pattern =
    Pattern::new(r"\braise\b|\bthrow\b|\bexit\b|\bexit\(|\bassert\b|#\s*error|\bdie\b|\bfail|\babort");
/// `command -v x >/dev/null || …`, `hash x`, `which x`, `type x`.
static LOOKS: Pattern = Pattern::new(
    r#"\b(?:command\s+-v|which|hash|type(?:\s+-[pP])?)\s+["']?([A-Za-z][\w.+-]*)["']?[^\n|]*\|\|\s*(.*)$"#,
);
static LOOKS_IF: Pattern =
    Pattern::new(r#"if\s+!\s+(?:command\s+-v|which|hash|type)\s+["']?([A-Za-z][\w.+-]*)["']?"#);
static GIVES_UP: Pattern =
    Pattern::new(r"\bexit\s+[1-9]|\bexit\b\s*$|\bdie\b|\bfail\b|\bfatal\b|\babort\b|\berror\b");

pub(super) fn probe(ground: &Ground<'_>) {
    code(ground);
    scripts(ground);
}

fn code(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let python = || super::toolchain::project_python(ground, ground.python());
    for file in tree.examined(&[".py", ".js", ".mjs", ".cjs", ".java", ".c", ".h", ".cpp", ".hpp"]) {
        let Some(text) = tree.text(&file.path).filter(|_| !tree.is_over()) else { continue };
        let ending = file.path.rsplit('.').next().unwrap_or_default();
        let (pattern, tool) = match ending {
            "py" => (&PYTHON, "Python"),
            "js" | "mjs" | "cjs" => (&NODE, "node"),
            "java" => (&JAVA, "java"),
            _ => (&GNUC, "gcc"),
        };
        let Some(hit) = pattern.first(&text) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        let more = if tool == "Python" { 2 } else { 3 };
        let near = lines[hit.line() - 1..(hit.line() + more).min(lines.len())].join("\n");
        if !ENDS.is_in(&near)
            || (tool == "Python"
                && hit.group(1) == ">="
                && !near.contains("assert")
                && !near.contains("not "))
        {
            continue;
        }
        let minor = hit.first_from(if tool == "Python" { 2 } else { 1 }).parse::<u64>().unwrap_or(0);
        let (wanted, found) = match tool {
            "Python" => (vec![3, minor], python()),
            "java" => (vec![minor], ground.programs.version("javac")),
            "gcc" => (vec![minor], ground.programs.version("gcc")),
            _ => (vec![minor], ground.programs.version("node")),
        };
        let wanted = Version { numbers: wanted, is_early: false };
        if let Some(found) = found.filter(|found| !found.reaches(&wanted)) {
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("{} ends before {tool} {wanted}, and this is {tool} {found}", file.path),
                    format!("{}:{}", file.path, hit.line()),
                    format!("use {tool} {wanted} or newer"),
                )
                .strength(Strength::Certain)
                .naming([tool.to_owned(), wanted.to_string()]),
            );
        }
    }
}

/// Programs that a script looks for, and without which it ends.
fn scripts(ground: &Ground<'_>) {
    for script in &ground.scripts().all {
        let lines = said(ground, script);
        for (at, (number, line)) in lines.iter().enumerate() {
            let next = || {
                lines[at..(at + 5).min(lines.len())]
                    .iter()
                    .map(|(_, it)| it.as_str())
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            let found = match LOOKS.first(line) {
                Some(hit) => {
                    let rest = hit.group(2);
                    let ends = if rest.trim_end().ends_with(['{', '(']) {
                        GIVES_UP.is_in(&next())
                    } else {
                        GIVES_UP.is_in(rest)
                    };
                    ends.then(|| hit.group(1).to_owned())
                }
                None => LOOKS_IF
                    .first(line)
                    .filter(|_| GIVES_UP.is_in(&next()))
                    .map(|hit| hit.group(1).to_owned()),
            };
            let Some(program) = found.filter(|it| !ground.programs.is_there(it)) else { continue };
            if tree_has(ground, &program) {
                continue;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("{} cannot do without {program}, and there is no {program} on PATH", script.path),
                    format!("{}:{number}", script.path),
                    format!("install {program}"),
                )
                .naming([program.clone()]),
            );
        }
    }
}

/// Whether the project brings the program, or a function of that name.
fn tree_has(ground: &Ground<'_>, program: &str) -> bool {
    ground.tree.files().iter().any(|file| super::tree::base(&file.path) == program)
        || ground.scripts().all.iter().any(|it| it.functions.contains_key(program))
}
