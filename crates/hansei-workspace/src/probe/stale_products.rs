//! Programs and generated files that scripts use as they lie there, older than what they were made from.

use hansei_core::check::commands;
use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::script_files::{Script, Scripts};
use super::stale_build::is_older;
use super::tree::{File, base, is_test, parent, stem};

/// Builds something.
static BUILDS: Pattern = Pattern::new(
    r"(?:^|[\s;&|(@/])(?:make|cargo\s+(?:build|run|test)|go\s+(?:build|install|generate)|gcc|cc|clang|g\+\+|\$\(CC\)|cmake|ninja|npm\s+run\s+build|build(?:\.sh)?)(?:\s|$)",
);
static OUTPUT: Pattern =
    Pattern::new(r#"(?:\s--?(?:o|out|output|outfile|dest)[ =]|>\s*)["']?([\w./-]+\.[A-Za-z]\w*)"#);

/// Code and data that is loaded as it lies there.
const LOADED: &[&str] =
    &[".py", ".go", ".c", ".h", ".js", ".mjs", ".ts", ".rs", ".java", ".json", ".hpp", ".cpp", ".sql"];

pub(super) fn probe(ground: &Ground<'_>) {
    for script in &ground.scripts().all {
        if ground.tree.is_over() {
            return;
        }
        binaries(ground, script);
        generated(ground, script);
    }
}

/// Programs that a script runs and does not build.
fn binaries(ground: &Ground<'_>, script: &Script) {
    if script.is_make {
        return;
    }
    let lines = said(ground, script);
    if lines.iter().any(|(_, line)| BUILDS.is_in(line)) {
        return;
    }
    for (number, line) in lines.iter() {
        for command in commands(line.trim()) {
            let program = command.word(0);
            if !program.contains('/') || program.ends_with(".sh") || program.ends_with(".py") {
                continue;
            }
            for path in Scripts::places(&ground.tree, script, program) {
                if let Some((modified, source)) = old_binary(ground, &path) {
                    ground.suspect(
                        Suspicion::new(
                            Probe::StaleBuild,
                            format!(
                                "{path} is older than {}, and {} runs it without building it",
                                source.path, script.path
                            ),
                            format!(
                                "{}:{number}; it was written {} seconds before",
                                script.path,
                                source.modified - modified
                            ),
                            format!("build {path} again"),
                        )
                        .naming([
                            path.clone(),
                            base(&path).to_owned(),
                            script.path.clone(),
                            base(&script.path).to_owned(),
                        ]),
                    );
                }
            }
        }
    }
}

/// When a compiled program was written, and a source of it that is newer.
fn old_binary<'a>(ground: &'a Ground<'_>, path: &str) -> Option<(i64, &'a File)> {
    use std::io::Read as _;
    let tree = &ground.tree;
    let file = tree.root().join(path).canonicalize().ok().filter(|it| it.starts_with(tree.root()))?;
    let meta = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut head = [0_u8; 4];
    std::fs::File::open(&file).ok()?.read_exact(&mut head).ok()?;
    (head == *b"\x7fELF").then_some(())?;
    let since = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let modified = i64::try_from(since.as_secs()).ok()?;
    let (endings, below): (&[&str], &str) = match path.split_once("target/") {
        Some((folder, _)) => (&[".rs"], folder),
        None => (&[".go", ".c", ".cc", ".cpp", ".h", ".rs"], ""),
    };
    if ground.is_tracked(path) {
        return None;
    }
    let own = tree.examined(endings).filter(|it| it.path.starts_with(below) && !is_test(&it.path));
    let newer = own.filter(|it| it.modified > modified + 2);
    let name = base(path);
    let all: Vec<&File> = newer.collect();
    // Sources of another program of the same project do not count.
    let others = tree.examined(endings).any(|it| base(parent(&it.path)) == name || stem(&it.path) == name);
    let fits = |it: &&&File| {
        !others || !it.path.contains("/bin/") && !it.path.contains("cmd/") || it.path.contains(name)
    };
    all.iter().find(fits).copied().map(|it| (modified, it))
}

/// What a line makes from a file of the project, where that has changed since.
fn generated(ground: &Ground<'_>, script: &Script) {
    let tree = &ground.tree;
    for (number, line) in said(ground, script).iter() {
        let Some(hit) = OUTPUT.first(line) else { continue };
        let places = Scripts::places(tree, script, hit.group(1));
        let Some(made) = places.iter().find_map(|it| tree.file(it)) else { continue };
        let is_loaded = LOADED.iter().any(|it| made.path.ends_with(it)) && is_used(ground, made);
        if !is_loaded || ["test ", "diff ", "cmp ", "tee "].iter().any(|it| line.contains(it)) {
            continue;
        }
        let before = &line[..hit.start()];
        let words = before.split_whitespace().chain(line[hit.end()..].split_whitespace()).skip(1);
        let inputs =
            words.flat_map(|word| Scripts::places(tree, script, word.trim_matches(['"', '\'', '<'])));
        let inputs = inputs.filter_map(|it| tree.file(&it));
        // The tool itself is no source.
        let is_tool = |it: &&File| {
            it.mode & 0o111 == 0
                && ![".py", ".sh", ".js", ".mjs", ".rb", ".pl"].iter().any(|end| it.path.ends_with(end))
        };
        let newer = inputs.filter(is_tool).find(|it| it.path != made.path && is_older(ground, made, it));
        if let Some(source) = newer {
            ground.suspect(
                Suspicion::new(
                    Probe::StaleBuild,
                    format!(
                        "the generated {} is older than {}, which it is made from",
                        made.path, source.path
                    ),
                    format!(
                        "{}:{number} makes it; it was written {} seconds before",
                        script.path,
                        source.modified - made.modified
                    ),
                    format!("run {}:{number} again", script.path),
                )
                .naming([
                    made.path.clone(),
                    base(&made.path).to_owned(),
                    stem(&made.path).to_owned(),
                ]),
            );
        }
    }
}

/// Whether something of the project names the file or its module.
fn is_used(ground: &Ground<'_>, made: &File) -> bool {
    let tree = &ground.tree;
    let name = stem(&made.path);
    tree.files().iter().filter(|it| it.path != made.path && tree.is_examined(&it.path)).any(|it| {
        LOADED.iter().any(|ending| it.path.ends_with(ending))
            && tree.text(&it.path).is_some_and(|text| has_word(&text, name))
    })
}
