//! Files that the code opens: absent, empty, or broken. In tests they are fixtures, elsewhere configuration.

use hansei_core::escalation::Probe;

use super::config_syntax;
use super::file_reads::{How, Read, Reads};
use super::ground::{Ground, Strength, Suspicion};
use super::made_files::{Made, is_written};
use super::path_text::Base;
use super::resource_roots::resources;
use super::tokens::Dialect;
use super::tree::{Presence, base, is_test, join, parent, under, upwards};

/// Endings of files that are data or configuration.
pub(super) const DATA: &[&str] = &[
    ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".csv", ".tsv", ".txt", ".xml", ".sql",
    ".pem", ".crt", ".key", ".html", ".tmpl", ".j2", ".properties", ".golden", ".jsonl", ".dat", ".bin",
    ".md", ".env", ".png", ".jpg", ".pdf", ".proto", ".graphql",
];

/// Endings of what programs make for themselves.
const MADE: &[&str] = &[
    ".so", ".exe", ".sock", ".pid", ".lock", ".db", ".sqlite", ".sqlite3", ".tmp", ".a", ".o", ".dll",
    ".dylib", ".class", ".jar", ".pyc",
];
/// Words in the name of a file that is absent, or broken, on purpose.
const ABSENT: &[&str] = &[
    "missing", "nonexist", "non-exist", "non_exist", "not_exist", "notexist", "does_not", "doesnt",
    "does-not", "nope", "absent", "no_such", "no-such", "nosuch", "nowhere", "not_there", "notfound",
    "not_found", "not-found",
];

/// A file that is opened.
pub(super) struct Opened<'a> {
    /// As written.
    pub(super) named: String,
    /// Where it may lie, the likeliest first.
    pub(super) candidates: Vec<String>,
    /// Who opens it, and the line.
    pub(super) file: &'a str,
    pub(super) line: usize,
    /// The helper that opens it for them: its file and line.
    pub(super) helper: Option<(&'a str, usize)>,
}

pub(super) fn probe(ground: &Ground<'_>) {
    super::opened_literals::probe(ground);
    let reads = Reads::of(ground);
    let made = Made::of(&reads);
    for read in reads.all.iter().filter(|read| read.how != How::Write) {
        let Some(opened) = opened(ground, &reads, read) else { continue };
        if ground.tree.is_examined(opened.file) {
            judge(ground, &opened, &made, &|| reads.is_optional(ground, read));
        }
    }
    super::data_endings::judge(ground, &reads);
    super::data_encodings::judge(ground, &reads);
    super::started_in::judge(ground, &reads);
    super::dynamic_imports::judge(ground, &reads);
    super::named_in_folder::judge(ground, &reads);
}

/// The file that a read means, where all of it is known.
pub(super) fn opened<'r>(ground: &Ground<'_>, reads: &'r Reads<'_>, read: &Read) -> Option<Opened<'r>> {
    let source = &reads.paths.sources[read.file];
    let text = read.value.known()?;
    let text = text.strip_prefix("./").unwrap_or(&text).to_owned();
    let here = parent(&source.path);
    let candidates = match (&read.value.base, read.how) {
        (_, How::Resource) => resources(ground, &source.path, &text)?,
        (Base::Folder(folder), _) => vec![join(folder, text.trim_start_matches('/'))?],
        _ if !is_plain(&text) => return None,
        _ => working_folders(ground, source.dialect, &source.path, here)
            .iter()
            .filter_map(|root| join(root, &text))
            .collect(),
    };
    let named = if text.is_empty() { candidates.first()?.clone() } else { text };
    let helper = read.within.map(|(file, line)| (reads.paths.sources[file].path.as_str(), line));
    is_plain(named.trim_start_matches('/')).then_some(())?;
    Some(Opened { named, candidates, file: &source.path, line: read.line, helper })
}

/// Where a program may stand when it opens a relative path.
fn working_folders(ground: &Ground<'_>, dialect: Dialect, file: &str, here: &str) -> Vec<String> {
    // Tests in Go run in the folder of their package, in Rust in that of their manifest.
    if dialect == Dialect::Go && file.ends_with("_test.go") {
        return vec![here.to_owned()];
    }
    if dialect == Dialect::Rust
        && is_test(file)
        && let Some(folder) = upwards(here).find(|folder| ground.tree.has(&under(folder, "Cargo.toml")))
    {
        return vec![folder.to_owned()];
    }
    let scope = ground.tree.scope().trim_end_matches('/');
    [scope].into_iter().chain(upwards(here)).map(str::to_owned).collect()
}

/// A path that means one file: relative, with no place to fill in.
pub(super) fn is_plain(named: &str) -> bool {
    !named.is_empty()
        && !named.starts_with(['/', '~', '-'])
        && !named.contains(['{', '}', '%', '$', '*', '<', '?', '\\', ':', '#', '|', '\n', '\0'])
}

/// Says what is wrong with a file that the code cannot do without.
pub(super) fn judge(ground: &Ground<'_>, opened: &Opened<'_>, made: &Made, is_optional: &dyn Fn() -> bool) {
    let name = base(&opened.named);
    let in_test = is_test(opened.file) || in_test_module(ground, opened);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=10).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_made = MADE.iter().any(|ending| name.ends_with(ending)) || (name.ends_with(".log") && !in_test);
    let lower = opened.named.to_lowercase();
    if !has_ending && name != ".env"
        || is_made
        || opened.candidates.is_empty()
        || ABSENT.iter().any(|word| lower.contains(word))
    {
        return;
    }
    if ground.is_published && opened.file.ends_with(".rs") || opened.file.to_lowercase().contains("bench") {
        return;
    }
    let probe = if in_test { Probe::Fixtures } else { Probe::Config };
    let place = format!("{}:{}", opened.file, opened.line);
    if let Some(path) = opened.candidates.iter().find(|path| ground.tree.has(path)) {
        content(ground, probe, path, &place, &near(ground, opened), is_optional);
        return;
    }
    let may_be = |path: &String| matches!(ground.tree.presence(path), Presence::Folder | Presence::Unknown);
    if opened.candidates.iter().any(may_be) || is_optional() || is_written(ground, opened, made) {
        return;
    }
    let other_case = opened.candidates.iter().find_map(|path| match ground.tree.presence(path) {
        Presence::OtherCase(real) => Some(real),
        _ => None,
    });
    if let Some(real) = other_case {
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{} opens {:?}, which differs from {real} only in case", opened.file, opened.named),
                place,
                format!("write {real} as it is called"),
            )
            .strength(Strength::Certain)
            .naming([opened.named.clone(), name.to_owned()]),
        );
        return;
    }
    if !in_test || !is_result(ground, opened) {
        tell_absent(ground, opened, probe, &place);
    }
}

/// Whether a test reads what the code has made before: its folder is not there, or is one for results.
fn is_result(ground: &Ground<'_>, opened: &Opened<'_>) -> bool {
    let path = &opened.candidates[0];
    let folder = parent(path);
    let results = ["tmp", "temp", "out", "output", "build", "dist", "target", ".cache", "cache"];
    let data = [
        "fixture", "testdata", "test-data", "test_data", "data", "sample", "golden", "snapshot", "expected",
        "resource",
    ];
    let is_absent = !opened.candidates.iter().any(|path| ground.tree.has_folder(parent(path)));
    let is_data = folder.split('/').any(|part| data.iter().any(|word| part.to_lowercase().contains(word)));
    // A bare name in the working folder is where a test puts what it makes.
    let is_bare = opened.candidates.len() > 1 && !opened.named.contains('/');
    is_bare
        || folder.split('/').any(|part| results.contains(&part))
        || is_absent && (!is_data || ground.is_ignored(folder))
}

/// Whether the line stands among the tests of a Rust file.
fn in_test_module(ground: &Ground<'_>, opened: &Opened<'_>) -> bool {
    opened.file.ends_with(".rs")
        && ground
            .tree
            .text(opened.file)
            .is_some_and(|text| text.lines().take(opened.line).any(|line| line.contains("#[cfg(test)]")))
}

fn tell_absent(ground: &Ground<'_>, opened: &Opened<'_>, probe: Probe, place: &str) {
    let in_test = probe == Probe::Fixtures;
    let path = &opened.candidates[0];
    let name = base(&opened.named);
    let example = example_of(ground, path);
    let ignored = ground.is_ignored(path);
    let mut same = ground
        .tree
        .files()
        .iter()
        .filter(|file| base(&file.path) == name && !file.path.contains("node_modules/"));
    let lies = same.next().map(|file| file.path.clone());
    // Seen from the folder of another project, the path may be right.
    if let Some(lies) = &lies
        && lies.ends_with(&format!("/{}", opened.named))
        && opened.named.contains('/')
        && !in_test
    {
        let folder = lies.strip_suffix(&format!("/{}", opened.named)).unwrap_or_default();
        if ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "requirements.txt"]
            .iter()
            .any(|manifest| ground.tree.has(&under(folder, manifest)))
        {
            return;
        }
    }
    let fix = ground.restored(path).unwrap_or_else(|| match (&example, &lies) {
        (Some(example), _) => format!("cp {example} {path}"),
        (None, Some(lies)) => format!("open it where it lies ({lies}), or move it to {path}"),
        (None, None) => format!("create {path}, or correct the path in {place}"),
    });
    let mut evidence = format!("{place} opens it");
    if let Some((helper, line)) =
        opened.helper.filter(|(helper, line)| (*helper, *line) != (opened.file, opened.line))
    {
        evidence = format!("{place} asks for it, {helper}:{line} opens it");
    }
    if ignored {
        evidence.push_str(", and .gitignore keeps it out of the repository");
    }
    if let Some(lies) = &lies {
        evidence.push_str("; a file of that name lies at ");
        evidence.push_str(lies);
    }
    let kind = if in_test { "the fixture" } else { "the file" };
    ground.suspect(
        Suspicion::new(
            probe,
            format!("{kind} {path} does not exist, and {} opens it", opened.file),
            evidence,
            fix,
        )
        .strength(Strength::Likely)
        .naming([opened.named.clone(), name.to_owned(), path.clone()]),
    );
}

/// A file that is there: empty or broken, where what reads it cannot take that.
fn content(
    ground: &Ground<'_>,
    probe: Probe,
    path: &str,
    place: &str,
    around: &str,
    is_optional: &dyn Fn() -> bool,
) {
    let Some(file) = ground.tree.file(path) else { return };
    let meant = ["empty", "blank", "invalid", "broken", "malformed", "bad", "corrupt", "zero", "none"]
        .iter()
        .any(|word| path.to_lowercase().contains(word));
    if meant {
        return;
    }
    let is_data = DATA.iter().any(|ending| path.ends_with(ending));
    if file.size == 0 && is_data && !path.ends_with(".txt") && !path.ends_with(".env") && !is_optional() {
        ground.suspect(
            Suspicion::new(
                probe,
                format!("{path} is empty"),
                format!("{place} reads it"),
                ground.restored(path).unwrap_or_else(|| {
                    format!("fill {path} with what {} expects", place.split(':').next().unwrap_or(place))
                }),
            )
            .strength(Strength::Certain)
            .naming([path.to_owned(), base(path).to_owned()]),
        );
        return;
    }
    let Some(text) = ground.tree.text(path) else { return };
    // Only who reads JSON as JSON cannot take comments in it.
    let parses = [
        "json.load", "JSON.parse", "serde_json", "json.Unmarshal", "json.NewDecoder", "readJson",
        "json_decode", "require(", ".json'", ".json\"",
    ];
    let is_strict = parses.iter().any(|call| around.contains(call));
    let problem = if path.ends_with(".json") && is_strict {
        config_syntax::json(&text, true, true)
    } else {
        config_syntax::problem(path, &text)
    };
    if let Some((line, problem)) = problem.filter(|_| !text.contains("<<<<<<<") && !is_optional()) {
        ground.suspect(
            Suspicion::new(
                probe,
                format!("{path} cannot be read: {problem}"),
                format!("{path}:{line}, {place} reads it"),
                format!("correct line {line} of {path}"),
            )
            .strength(Strength::Certain)
            .naming([path.to_owned(), base(path).to_owned()]),
        );
    }
}

/// The lines around the call, and around the helper that opens the file.
pub(super) fn near(ground: &Ground<'_>, opened: &Opened<'_>) -> String {
    let around = |file: &str, line: usize| {
        let text = ground.tree.text(file).unwrap_or_default();
        text.lines().skip(line.saturating_sub(4)).take(8).collect::<Vec<_>>().join("\n")
    };
    let mut all = around(opened.file, opened.line);
    if let Some((file, line)) = opened.helper {
        all.push('\n');
        all.push_str(&around(file, line));
    }
    all
}

/// `config.example.yaml`, `config.yaml.example`, `config.sample.yaml`, `config.yaml.dist` for `config.yaml`.
fn example_of(ground: &Ground<'_>, path: &str) -> Option<String> {
    let (bare, ending) = path.rsplit_once('.')?;
    let words = ["example", "sample", "template", "dist", "default", "tmpl"];
    let mut candidates = words.iter().flat_map(|word| {
        [
            format!("{path}.{word}"),
            format!("{bare}.{word}.{ending}"),
            format!("{bare}-{word}.{ending}"),
            format!("{bare}_{word}.{ending}"),
        ]
    });
    candidates.find(|candidate| ground.tree.has(candidate))
}
