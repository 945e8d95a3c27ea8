//! Carriage returns where they break something: shell scripts, shebangs, Makefiles, variables that a shell reads.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{File, base, parent};

static SOURCED: Pattern = Pattern::new(
    r"(?:^|[\s;&|])(?:source|\.)\s+\S*\.env\b|cat\s+\S*\.env\b|-?include\s+\S*\.env\b|xargs[^\n]*\.env\b|<\s*\S*\.env\b",
);
static ATTRIBUTE: Pattern = Pattern::new(r"^(\S+)[^\n]*\beol=(lf|crlf)\b");

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.files() {
        if !file.path.starts_with(ground.tree.scope()) || file.size == 0 || file.size > 256 << 10 {
            continue;
        }
        if !matters(ground, file) {
            continue;
        }
        let Some(bytes) = ground.tree.bytes(&file.path, 256 << 10) else { continue };
        let Some(line) = first_return(&bytes) else { continue };
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let name = base(&file.path);
        let has_shebang = first.starts_with(b"#!");
        let is_shell = is_shell_name(name) || (has_shebang && first.windows(2).any(|two| two == b"sh"));
        let breaks = if has_shebang && first.ends_with(b"\r") && (is_shell || file.mode & 0o111 != 0) {
            format!(
                "{} has a carriage return behind its shebang, so the kernel looks for an interpreter that does not exist",
                file.path
            )
        } else if is_shell {
            format!("the shell script {} has Windows line endings (CRLF)", file.path)
        } else if is_makefile(name) {
            format!(
                "{} has Windows line endings (CRLF), which some makes take as part of every command",
                file.path
            )
        } else if name.starts_with(".env") && is_sourced(ground) {
            format!(
                "{} has Windows line endings (CRLF), and a shell reads it: every value ends in a carriage return",
                file.path
            )
        } else {
            continue;
        };
        // GNU make reads them as plain ends of lines.
        let strength = if is_makefile(name) { Strength::Possible } else { Strength::Certain };
        ground.suspect(
            Suspicion::new(
                Probe::LineEndings,
                breaks,
                format!("{}:{line}", file.path),
                format!(
                    "sed -i 's/\\r$//' {0}, and keep it so: echo '{1} text eol=lf' >> .gitattributes",
                    file.path, name
                ),
            )
            .strength(strength)
            .naming([
                file.path.clone(),
                name.to_owned(),
                "\\r".to_owned(),
                "bad interpreter".to_owned(),
            ]),
        );
    }
    attributes(ground);
}

fn is_shell_name(name: &str) -> bool {
    [".sh", ".bash", ".zsh", ".ksh"].iter().any(|ending| name.ends_with(ending))
        || matches!(name, "gradlew" | "mvnw" | "configure")
}

fn is_makefile(name: &str) -> bool {
    matches!(name, "Makefile" | "makefile" | "GNUmakefile") || name.ends_with(".mk")
}

/// Whether a file may be broken by carriage returns: what it is called, or that it can be run.
fn matters(ground: &Ground<'_>, file: &File) -> bool {
    let name = base(&file.path);
    let windows = [".bat", ".cmd", ".ps1"].iter().any(|ending| name.ends_with(ending));
    let named = is_shell_name(name) || is_makefile(name) || name.starts_with(".env");
    let can_run = file.mode & 0o111 != 0 && !name.contains(".so");
    let in_hooks = file.path.contains(".husky/") || file.path.contains("hooks/");
    !windows && (named || can_run || in_hooks || !name.contains('.')) && ground.tree.is_examined(&file.path)
}

/// The first line that ends in a carriage return; nothing in a file that is no text.
fn first_return(bytes: &[u8]) -> Option<usize> {
    if bytes.contains(&0) {
        return None;
    }
    bytes.split(|byte| *byte == b'\n').position(|line| line.ends_with(b"\r")).map(|at| at + 1)
}

fn is_sourced(ground: &Ground<'_>) -> bool {
    let files = ground.tree.files().iter().filter(|file| {
        let name = base(&file.path);
        is_shell_name(name) || is_makefile(name) || matches!(name, "package.json" | "justfile" | ".envrc")
    });
    files.filter_map(|file| ground.tree.text(&file.path)).any(|text| SOURCED.is_in(&text))
}

/// Files that `.gitattributes` wants with one ending and that have the other.
fn attributes(ground: &Ground<'_>) {
    let files = ground.tree.files().iter().filter(|file| base(&file.path) == ".gitattributes");
    for file in files {
        if let Some(text) = ground.tree.text(&file.path) {
            attributes_of(ground, &file.path, &text);
        }
    }
}

fn attributes_of(ground: &Ground<'_>, attributes: &str, text: &str) {
    let folder = parent(attributes);
    let below = |path: &str| -> Option<String> {
        let rest = path.strip_prefix(folder)?;
        (folder.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    };
    let fits = |pattern: &str, path: &str| below(path).is_some_and(|below| fits(pattern, &below));
    for hit in ATTRIBUTE.all(text) {
        let (pattern, wanted) = (hit.group(1), hit.group(2));
        if hit.group(0).trim_start().starts_with('#') {
            continue;
        }
        let place = format!("{attributes}:{}", hit.line());
        if wanted == "crlf" {
            let script = ground
                .tree
                .files()
                .iter()
                .find(|file| is_shell_name(base(&file.path)) && fits(pattern, &file.path));
            let overridden = text.lines().any(|line| line.starts_with("*.sh") && line.contains("eol=lf"));
            if let Some(script) = script.filter(|_| !overridden) {
                ground.suspect(
                    Suspicion::new(
                        Probe::LineEndings,
                        format!(
                            ".gitattributes gives {pattern} Windows line endings, {} among them",
                            script.path
                        ),
                        place,
                        "add a line *.sh text eol=lf to .gitattributes, then git add --renormalize ."
                            .to_owned(),
                    )
                    .naming([script.path.clone()]),
                );
            }
            continue;
        }
        for file in ground
            .tree
            .files()
            .iter()
            .filter(|file| fits(pattern, &file.path) && file.size < 256 << 10)
            .take(2_000)
        {
            let windows = [".bat", ".cmd", ".ps1"].iter().any(|ending| file.path.ends_with(ending));
            // The last line that fits counts.
            let overruled = text.lines().skip(hit.line()).any(|line| {
                let mut words = line.split_whitespace();
                words.next().is_some_and(|pattern| fits(pattern, &file.path))
                    && words.any(|word| matches!(word, "-text" | "binary" | "eol=crlf" | "!eol" | "-eol"))
            });
            if windows || overruled || ground.tree.text(&file.path).is_none() {
                continue;
            }
            let bytes = ground.tree.bytes(&file.path, 256 << 10).unwrap_or_default();
            if let Some(line) = first_return(&bytes) {
                ground.suspect(
                    Suspicion::new(
                        Probe::LineEndings,
                        format!(
                            "{} has Windows line endings (CRLF), and .gitattributes wants eol=lf",
                            file.path
                        ),
                        format!("{}:{line}, {place}", file.path),
                        format!("sed -i 's/\\r$//' {}", file.path),
                    )
                    .naming([file.path.clone(), base(&file.path).to_owned()]),
                );
            }
        }
    }
}

/// Whether a pattern of `.gitattributes` means the path, both seen from its folder.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    let anchored = pattern.trim_end_matches('/').contains('/');
    let pattern = pattern.trim_start_matches('/');
    let given = if anchored { path } else { base(path) };
    glob(pattern.as_bytes(), given.as_bytes())
}

/// Stars stay within one name, two of them do not.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    if let Some(rest) = pattern.strip_prefix(b"**/") {
        return glob(rest, text)
            || text.iter().enumerate().any(|(at, byte)| *byte == b'/' && glob(rest, &text[at + 1..]));
    }
    if pattern == b"**" {
        return true;
    }
    match (pattern.first(), text.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            let end = text.iter().position(|byte| *byte == b'/').unwrap_or(text.len());
            (0..=end).any(|at| glob(&pattern[1..], &text[at..]))
        }
        (Some(b'?'), Some(_)) => glob(&pattern[1..], &text[1..]),
        (Some(one), Some(other)) if one == other => glob(&pattern[1..], &text[1..]),
        _ => false,
    }
}
