//! Programs that open paths seen from the working folder, and are started where these are not.

use std::collections::BTreeSet;

use hansei_core::check::{PlainCommand, commands};
use hansei_core::escalation::Probe;

use super::definitions::Source;
use super::file_reads::{How, Read, Reads};
use super::ground::{Ground, Suspicion};
use super::path_text::Base;
use super::python_source;
use super::tokens::{Dialect, Kind, Part};
use super::tree::{base, is_test, join, parent, under, upwards};

/// A start of a program: the folder, the files that are run, and where that is said.
struct Start {
    folder: String,
    files: Vec<usize>,
    place: String,
}

pub(super) fn judge(ground: &Ground<'_>, reads: &Reads<'_>) {
    let relative: Vec<&Read> = reads
        .all
        .iter()
        .filter(|read| read.how != How::Write && read.how != How::Resource)
        .filter(|read| !matches!(read.value.base, Base::Folder(_)))
        .collect();
    if relative.is_empty() {
        return;
    }
    for start in starts(ground, reads) {
        let reached = reached(ground, &reads.paths.sources, &start.files);
        for read in relative.iter().filter(|read| reached.contains(&read.file)) {
            told(ground, reads, read, &start);
        }
    }
}

fn told(ground: &Ground<'_>, reads: &Reads<'_>, read: &Read, start: &Start) {
    let source = &reads.paths.sources[read.file];
    // These tests choose their folder themselves.
    if matches!(source.dialect, Dialect::Go | Dialect::Rust) && is_test(&source.path) {
        return;
    }
    let Some(text) = read.value.known() else { return };
    let text = text.strip_prefix("./").unwrap_or(&text);
    let is_plain = !text.is_empty()
        && base(text).contains('.')
        && !text.contains(['{', '%', '$', '*', '<', '\\', ':', '\n'])
        && !text.starts_with(['/', '~']);
    let Some(wanted) = join(&start.folder, text).filter(|_| is_plain) else { return };
    if ground.tree.presence(&wanted).may_be() {
        return;
    }
    let above = upwards(parent(&start.folder)).chain(upwards(parent(&source.path)));
    let roots: Vec<&str> = above.filter(|root| *root != start.folder).collect();
    let found = roots.iter().find(|root| join(root, text).is_some_and(|path| ground.tree.has(&path)));
    let Some(root) = found.filter(|_| !reads.is_optional(ground, read)) else { return };
    let shown =
        |folder: &str| if folder.is_empty() { "the top folder".to_owned() } else { folder.to_owned() };
    let up = if start.folder.starts_with(root) {
        let depth = |path: &str| path.split('/').filter(|part| !part.is_empty()).count();
        "../".repeat(depth(&start.folder) - depth(root)).trim_end_matches('/').to_owned()
    } else {
        (*root).to_owned()
    };
    let lies = join(root, text).unwrap_or_default();
    ground.suspect(
        Suspicion::new(
            Probe::WrongFolder,
            format!(
                "{} opens {text:?} from the working folder; started in {} it is not there, it lies in {}",
                source.path,
                shown(&start.folder),
                shown(root)
            ),
            format!("{}:{} opens it, {lies} is where it lies, {}", source.path, read.line, start.place),
            format!("start it in {}: cd {up}, or open it relative to the source file", shown(root)),
        )
        .naming([text.to_owned(), base(text).to_owned()]),
    );
}

/// The starts that are known: in the examined folder where that is not the top, and in the project's own command lines.
fn starts(ground: &Ground<'_>, reads: &Reads<'_>) -> Vec<Start> {
    let sources = &reads.paths.sources;
    let scope = ground.tree.scope().trim_end_matches('/');
    let mut all = Vec::new();
    if !scope.is_empty() {
        let files =
            (0..sources.len()).filter(|file| sources[*file].path.starts_with(ground.tree.scope())).collect();
        all.push(Start {
            folder: scope.to_owned(),
            files,
            place: "this folder is where it is started".to_owned(),
        });
    }
    for line in ground.shell_lines() {
        // A script is started anywhere, unless it says where.
        let from_script = [".sh:", ".bash:"].iter().any(|mark| line.place.contains(mark));
        if from_script || line.text.contains("chdir") || line.before.contains("cd ") {
            continue;
        }
        for command in commands(&line.text) {
            let folder = match &command.folder {
                Some(changed) => join(&line.folder, changed),
                None => Some(line.folder.clone()),
            };
            let Some(folder) = folder.filter(|folder| ground.tree.has_folder(folder)) else { continue };
            let files = run_by(sources, &command, &folder);
            if !files.is_empty() && (folder != scope || scope.is_empty()) {
                all.push(Start { folder, files, place: format!("{} starts it", line.place) });
            }
        }
    }
    all
}

/// The sources that a command runs.
fn run_by(sources: &[Source], command: &PlainCommand, folder: &str) -> Vec<usize> {
    let words = command.arguments();
    let first = words.iter().find(|word| !word.starts_with('-')).map(String::as_str).unwrap_or_default();
    let at = |path: &str| {
        join(folder, path)
            .and_then(|path| sources.iter().position(|source| source.path == path))
            .into_iter()
            .collect()
    };
    match command.program() {
        "node" | "jest" | "mocha" | "vitest" | "tsx"
            if command.program() != "node" && command.program() != "tsx" || command.has(&["--test"]) =>
        {
            tests_in(sources, Dialect::JavaScript, folder)
        }
        "pytest" => tests_in(sources, Dialect::Python, folder),
        "python" | "python3" if command.has(&["-m"]) && command.has(&["unittest", "pytest"]) => {
            tests_in(sources, Dialect::Python, folder)
        }
        "node" | "tsx" | "ts-node" | "nodemon" => {
            let found: Vec<usize> = at(first);
            if found.is_empty() { at(&format!("{first}.js")) } else { found }
        }
        "python" | "python3" if command.has(&["-m"]) => {
            let module =
                words.iter().skip_while(|word| *word != "-m").nth(1).map(String::as_str).unwrap_or_default();
            let path = module.replace('.', "/");
            let found: Vec<usize> = at(&format!("{path}.py"));
            if found.is_empty() { at(&format!("{path}/__main__.py")) } else { found }
        }
        "python" | "python3" => at(first),
        "go" if command.word(1) == "run" => {
            let target = words.get(1).map_or(".", String::as_str);
            let Some(package) = join(folder, target) else { return Vec::new() };
            let package = if package.ends_with(".go") { parent(&package).to_owned() } else { package };
            (0..sources.len())
                .filter(|file| {
                    let source = &sources[*file];
                    source.dialect == Dialect::Go && parent(&source.path) == package && !is_test(&source.path)
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The tests below a folder: they run in the folder that their runner is started in.
fn tests_in(sources: &[Source], dialect: Dialect, folder: &str) -> Vec<usize> {
    let inside = |path: &str| folder.is_empty() || path.starts_with(&format!("{folder}/"));
    // In Python a runner takes only files that are called so; what they import comes along.
    let named = |path: &str| {
        dialect != Dialect::Python || base(path).starts_with("test_") || base(path).ends_with("_test.py")
    };
    let fits = |source: &Source| {
        source.dialect == dialect && is_test(&source.path) && named(&source.path) && inside(&source.path)
    };
    (0..sources.len()).filter(|file| fits(&sources[*file])).collect()
}

/// Every source that these bring along.
fn reached(ground: &Ground<'_>, sources: &[Source], files: &[usize]) -> BTreeSet<usize> {
    let mut reached: BTreeSet<usize> = files.iter().copied().collect();
    let mut open: Vec<usize> = files.to_vec();
    while let Some(file) = open.pop() {
        for other in brought(ground, sources, file) {
            if reached.insert(other) {
                open.push(other);
            }
        }
    }
    reached
}

/// The sources that one source imports.
fn brought(ground: &Ground<'_>, sources: &[Source], file: usize) -> Vec<usize> {
    let source = &sources[file];
    let here = parent(&source.path);
    let find = |path: &str| sources.iter().position(|other| other.path == path);
    let strings = || {
        source.tokens.iter().filter_map(|token| match &token.kind {
            Kind::String(parts) => match parts.as_slice() {
                [Part::Text(text)] => Some(text.as_str()),
                _ => None,
            },
            _ => None,
        })
    };
    match source.dialect {
        Dialect::JavaScript => strings()
            .filter(|text| text.starts_with('.'))
            .filter_map(|text| join(here, text))
            .filter_map(|path| {
                ["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts"]
                    .iter()
                    .find_map(|ending| find(&format!("{path}{ending}")))
            })
            .collect(),
        Dialect::Go => {
            let imported: BTreeSet<&str> = strings().filter(|text| text.contains('/')).collect();
            let in_package = |other: &Source| {
                let folder = parent(&other.path);
                folder == here
                    || imported.iter().any(|one| !folder.is_empty() && one.ends_with(&format!("/{folder}")))
            };
            let fits =
                |other: &Source| other.dialect == Dialect::Go && !is_test(&other.path) && in_package(other);
            (0..sources.len()).filter(|other| fits(&sources[*other])).collect()
        }
        Dialect::Python => {
            let text = ground.tree.text(&source.path).unwrap_or_default();
            let mut all = Vec::new();
            for import in python_source::imports(&python_source::lines(&text)) {
                let path = import.module.replace('.', "/");
                let roots: Vec<String> = if import.level > 0 {
                    upwards(here).nth(import.level - 1).map(str::to_owned).into_iter().collect()
                } else {
                    upwards(here).flat_map(|root| [root.to_owned(), under(root, "src")]).collect()
                };
                for root in roots {
                    let module = if path.is_empty() { root.clone() } else { under(&root, &path) };
                    let names = import.names.iter().map(|name| format!("{module}/{name}.py"));
                    let candidates =
                        [format!("{module}.py"), format!("{module}/__init__.py")].into_iter().chain(names);
                    all.extend(candidates.filter_map(|path| find(path.trim_start_matches('/'))));
                }
            }
            all
        }
        Dialect::Rust => {
            let crate_of = |path: &str| {
                upwards(parent(path))
                    .find(|folder| ground.tree.has(&under(folder, "Cargo.toml")))
                    .map(str::to_owned)
            };
            let own = crate_of(&source.path);
            (0..sources.len()).filter(|other| crate_of(&sources[*other].path) == own).collect()
        }
        Dialect::Java | Dialect::C => Vec::new(),
    }
}
