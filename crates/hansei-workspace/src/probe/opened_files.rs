//! Files that the code opens by name: absent, empty, or broken. In tests they are fixtures, elsewhere configuration.

use std::collections::BTreeMap;

use hansei_core::escalation::Probe;

use super::config_syntax;
use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::python_source;
use super::source_text::{Language, code};
use super::tree::{Presence, base, is_test, join, parent, under, upwards};

/// Endings of files that are data or configuration.
const DATA: &[&str] = &[
    ".json",
    ".yaml",
    ".yml",
    ".toml",
    ".ini",
    ".cfg",
    ".conf",
    ".csv",
    ".tsv",
    ".txt",
    ".xml",
    ".sql",
    ".pem",
    ".crt",
    ".key",
    ".html",
    ".tmpl",
    ".j2",
    ".properties",
    ".golden",
    ".jsonl",
    ".dat",
    ".bin",
    ".md",
    ".env",
    ".png",
    ".jpg",
    ".pdf",
    ".proto",
    ".graphql",
];

/// Calls that read the file of a literal path; the path is the first group that took part.
static READS: [Pattern; 11] = [
    Pattern::new(
        r#"\b(?:config|cfg|parser|cp|conf)\w*\.read\s*\(\s*\[?['"]([^'"\n]+\.(?:ini|cfg|conf))['"]"#,
    ),
    Pattern::new(
        r#"(?:^|[^\w.])open\s*\(\s*['"]([^'"\n]+)['"]\s*(?:,\s*(?:mode\s*=\s*)?['"]r[bt]?['"])?\s*(?:,\s*encoding\s*=\s*[^)\n]*)?\)"#,
    ),
    Pattern::new(r#"\bPath\s*\(\s*['"]([^'"\n]+)['"]\s*\)\s*\.(?:read_text|read_bytes|open)\s*\("#),
    Pattern::new(
        r#"\b(?:readFileSync|readFile|createReadStream|readJsonSync|readJson|loadFile)\s*\(\s*['"]([^'"\n]+)['"]"#,
    ),
    Pattern::new(
        r#"\b(?:os\.Open|os\.ReadFile|ioutil\.ReadFile|template\.ParseFiles|godotenv\.Load)\s*\(\s*"([^"\n]+)""#,
    ),
    Pattern::new(r#"\b(?:File::open|read_to_string|fs::read|fs::read_to_string)\s*\(\s*"([^"\n]+)""#),
    Pattern::new(
        r#"\b(?:new\s+FileReader|new\s+FileInputStream|Paths\.get|Path\.of|new\s+File)\s*\(\s*"([^"\n]+)"\s*\)"#,
    ),
    Pattern::new(
        r#"\b(?:File\.read|File\.open|YAML\.load_file|YAML\.safe_load_file|JSON\.load_file|IO\.read|CSV\.read|file_get_contents|parse_ini_file|simplexml_load_file)\s*\(?\s*['"]([^'"\n]+)['"]\s*\)?"#,
    ),
    Pattern::new(r#"\b(?:fopen|ifstream\s+\w+)\s*\(\s*"([^"\n]+)"\s*(?:,\s*"r[bt]?"\s*)?\)"#),
    Pattern::new(
        r#"\b(?:read_csv|read_json|read_excel|read_parquet|np\.load|loadtxt|safe_load_file)\s*\(\s*['"]([^'"\n]+)['"]"#,
    ),
    Pattern::new(r#"\bfilepath\.Join\s*\(\s*("[^)\n$]+")\s*\)"#),
];
/// Which languages have them.
const READ_BY: [&[Language]; 11] = [
    &[Language::Python],
    &[Language::Python],
    &[Language::Python],
    &[Language::JavaScript],
    &[Language::C],
    &[Language::Rust],
    &[Language::C],
    &[Language::Hash, Language::C],
    &[Language::C],
    &[Language::Python],
    &[Language::C],
];
/// A path seen from the file itself: `Path(__file__).parent / "a" / "b"`, `os.path.join(os.path.dirname(__file__), "a")`,
/// `path.join(__dirname, 'a', 'b')`, `new URL('./a', import.meta.url)`.
static FROM_FILE: [Pattern; 5] = [
    Pattern::new(
        r#"Path\s*\(\s*__file__\s*\)(?:\.resolve\(\)|\.absolute\(\))?((?:\.parents?(?:\[\d\])?)+)((?:\s*/\s*['"][^'"\n]+['"])+)"#,
    ),
    Pattern::new(
        r#"os\.path\.join\s*\(\s*os\.path\.dirname\s*\(\s*(?:os\.path\.(?:abspath|realpath)\s*\(\s*)?(__file__)\s*\)?\s*\)\s*,\s*((?:['"][^'"\n]+['"]\s*,?\s*)+)\)"#,
    ),
    Pattern::new(
        r#"path\.(?:join|resolve)\s*\(\s*(__dirname|import\.meta\.dirname)\s*,\s*((?:['"][^'"\n]+['"]\s*,?\s*)+)\)"#,
    ),
    Pattern::new(r#"new\s+URL\s*\(\s*()(['"]\.{1,2}/[^'"\n]+['"])\s*,\s*import\.meta\.url\s*\)"#),
    Pattern::new(r#"(__DIR__|__dir__)\s*[.,]\s*(['"][^'"\n]+['"])"#),
];
/// A name for such a path, and its use with a further part.
static NAMED: Pattern = Pattern::new(r"\b(?:const|let|var)?\s*([A-Za-z_]\w*)\s*(?::\s*\w+\s*)?=\s*$");
static JOINED: Pattern = Pattern::new(
    r#"(?:\b(?:os\.path\.join|path\.join|path\.resolve)\s*\(\s*([A-Za-z_]\w*)\s*,\s*((?:['"][^'"\n]+['"]\s*,?\s*)+)\)|\b([A-Za-z_]\w*)((?:\s*/\s*['"][^'"\n]+['"])+))"#,
);
static QUOTED: Pattern = Pattern::new(r#"['"]([^'"\n]+)['"]"#);
static RUST_MANIFEST: Pattern = Pattern::new(
    r#"(?:concat!\s*\(\s*env!\s*\(\s*"CARGO_MANIFEST_DIR"\s*\)\s*,\s*"/([^"\n]+)"|env!\s*\(\s*"CARGO_MANIFEST_DIR"\s*\)\s*\)\s*\.join\s*\(\s*"([^"\n]+)")"#,
);
static RESOURCE: Pattern = Pattern::new(r#"getResource(?:AsStream)?\s*\(\s*"([^"\n]+)"\s*\)"#);

/// A file that is opened.
struct Opened<'a> {
    /// As written.
    named: String,
    /// Where it may lie, the likeliest first.
    candidates: Vec<String>,
    /// Who opens it, and the line.
    file: &'a str,
    line: usize,
}

pub(super) fn probe(ground: &Ground<'_>) {
    let endings = [
        ".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".go", ".rs", ".java", ".rb", ".php", ".c", ".cpp",
        ".cc", ".kt",
    ];
    for file in ground.tree.examined(&endings) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let language = match file.path.rsplit('.').next() {
            Some("py") => Language::Python,
            Some("rs") => Language::Rust,
            Some("js" | "ts" | "mjs" | "cjs" | "tsx") => Language::JavaScript,
            Some("rb") => Language::Hash,
            _ => Language::C,
        };
        let code = code(&text, language);
        for opened in opened(ground, &file.path, &code, language) {
            judge(ground, &opened, &code, language);
        }
    }
}

fn opened<'a>(ground: &Ground<'_>, file: &'a str, code: &str, language: Language) -> Vec<Opened<'a>> {
    let mut all = Vec::new();
    let here = parent(file);
    for pattern in
        READS.iter().zip(READ_BY).filter(|(_, who)| who.contains(&language)).map(|(pattern, _)| pattern)
    {
        for hit in pattern.all(code) {
            let written = hit.first_from(1);
            // Several parts of a path, as Go joins them.
            let named = if written.starts_with('"') { parts(written) } else { written.to_owned() };
            if !is_plain(&named) {
                continue;
            }
            let go = file.ends_with(".go");
            let mut candidates: Vec<String> = Vec::new();
            let roots: Vec<&str> = if go && is_test(file) {
                vec![here]
            } else {
                [ground.tree.scope().trim_end_matches('/')].into_iter().chain(upwards(here)).collect()
            };
            candidates.extend(roots.iter().filter_map(|root| join(root, &named)));
            all.push(Opened { named, candidates, file, line: hit.line() });
        }
    }
    let mut folders: BTreeMap<String, String> = BTreeMap::new();
    let sees_itself =
        ["__file__", "__dirname", "import.meta", "__DIR__", "__dir__"].iter().any(|it| code.contains(it));
    for (at, pattern) in FROM_FILE.iter().enumerate().filter(|_| sees_itself) {
        for hit in pattern.all(code) {
            let up = if at == 0 { climbed(hit.group(1)) } else { 0 };
            let Some(folder) = upwards(here).nth(up) else { continue };
            let named = parts(hit.group(2));
            let Some(target) = join(folder, named.trim_start_matches('/')) else { continue };
            let before = code[..hit.start()].lines().last().unwrap_or_default();
            if let Some(name) = NAMED.first(before) {
                folders.insert(name.group(1).to_owned(), target.clone());
            }
            // A folder by itself is no file that is read; whether a file is read or written shows in the line.
            all.push(Opened { named, candidates: vec![target], file, line: hit.line() });
        }
    }
    let joined = if folders.is_empty() { Vec::new() } else { JOINED.all(code) };
    for hit in joined {
        let (name, more) =
            if hit.group(1).is_empty() { (hit.group(3), hit.group(4)) } else { (hit.group(1), hit.group(2)) };
        if let Some(folder) = folders.get(name)
            && let Some(target) = join(folder, &parts(more))
        {
            all.push(Opened { named: target.clone(), candidates: vec![target], file, line: hit.line() });
        }
    }
    if language == Language::Rust {
        let manifest =
            upwards(here).find(|folder| ground.tree.has(&under(folder, "Cargo.toml"))).unwrap_or_default();
        for hit in RUST_MANIFEST.all(code) {
            let named = hit.first_from(1).to_owned();
            all.push(Opened {
                candidates: join(manifest, &named).into_iter().collect(),
                named,
                file,
                line: hit.line(),
            });
        }
    }
    if file.ends_with(".java") {
        for hit in RESOURCE.all(code) {
            let named = hit.group(1).to_owned();
            let project = upwards(here).find(|folder| {
                ["pom.xml", "build.gradle", "build.gradle.kts"]
                    .iter()
                    .any(|name| ground.tree.has(&under(folder, name)))
            });
            let relative = named.trim_start_matches('/');
            let package = here.split_once("/java/").map_or("", |(_, package)| package);
            let candidates = project.into_iter().flat_map(|project| {
                ["src/main/resources", "src/test/resources"].iter().flat_map(move |root| {
                    let root = under(project, root);
                    [join(&root, relative), join(&root, &under(package, relative))].into_iter().flatten()
                })
            });
            all.push(Opened { candidates: candidates.collect(), named, file, line: hit.line() });
        }
    }
    all
}

/// How far a chain of `.parent` and `.parents[n]` climbs beyond the file's own folder.
fn climbed(chain: &str) -> usize {
    let parents = chain.matches(".parent").count() - chain.matches(".parents[").count();
    let numbered: usize = chain
        .split(".parents[")
        .skip(1)
        .filter_map(|rest| rest.split(']').next()?.parse::<usize>().ok())
        .map(|at| at + 1)
        .sum();
    (parents + numbered).saturating_sub(1)
}

fn parts(written: &str) -> String {
    QUOTED.all(written).iter().map(|hit| hit.group(1).trim_matches('/')).collect::<Vec<_>>().join("/")
}

/// A path that means one file: relative, with no place to fill in.
fn is_plain(named: &str) -> bool {
    !named.is_empty()
        && !named.starts_with(['/', '~', '-'])
        && !named.contains(['{', '}', '%', '$', '*', '<', '?', '\\', ':', '#', '|'])
}

fn judge(ground: &Ground<'_>, opened: &Opened<'_>, code: &str, language: Language) {
    let name = base(&opened.named);
    let is_data = DATA.iter().any(|ending| name.ends_with(ending));
    if !is_data || opened.candidates.is_empty() || is_guarded(opened, code, language) {
        return;
    }
    let in_test = is_test(opened.file)
        || (language == Language::Rust
            && code.lines().take(opened.line).any(|line| line.contains("#[cfg(test)]")));
    if ground.is_published && opened.file.ends_with(".rs") {
        return;
    }
    let probe = if in_test { Probe::Fixtures } else { Probe::Config };
    let place = format!("{}:{}", opened.file, opened.line);
    if let Some(path) = opened.candidates.iter().find(|path| ground.tree.has(path)) {
        content(ground, probe, path, &place, &near(code, opened.line));
        return;
    }
    if opened
        .candidates
        .iter()
        .any(|path| matches!(ground.tree.presence(path), Presence::Folder | Presence::Unknown))
        || is_written(ground, name)
    {
        return;
    }
    let other_case = opened.candidates.iter().find_map(|path| match ground.tree.presence(path) {
        Presence::OtherCase(real) => Some(real),
        _ => None,
    });
    let path = &opened.candidates[0];
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
fn content(ground: &Ground<'_>, probe: Probe, path: &str, place: &str, around: &str) {
    let Some(file) = ground.tree.file(path) else { return };
    let meant = ["empty", "blank", "invalid", "broken", "malformed", "bad", "corrupt", "zero", "none"]
        .iter()
        .any(|word| path.to_lowercase().contains(word));
    if meant {
        return;
    }
    if file.size == 0 && !path.ends_with(".txt") && !path.ends_with(".env") {
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
        "json.load",
        "JSON.parse",
        "serde_json",
        "json.Unmarshal",
        "json.NewDecoder",
        "readJson",
        "json_decode",
    ];
    let is_strict = parses.iter().any(|call| around.contains(call));
    let problem = if path.ends_with(".json") && is_strict {
        config_syntax::json(&text, true, true)
    } else {
        config_syntax::problem(path, &text)
    };
    if let Some((line, problem)) = problem.filter(|_| !text.contains("<<<<<<<")) {
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

/// The line and what stands next to it.
fn near(code: &str, line: usize) -> String {
    code.lines().skip(line.saturating_sub(4)).take(8).collect::<Vec<_>>().join("\n")
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

/// Whether the absence does no harm: it is asked about first, caught, or the line writes.
fn is_guarded(opened: &Opened<'_>, code: &str, language: Language) -> bool {
    let lines: Vec<&str> = code.lines().collect();
    let at = opened.line - 1;
    let line = lines.get(at).copied().unwrap_or_default();
    let around = lines[at.saturating_sub(6)..(at + 3).min(lines.len())].join("\n");
    let asks = [
        "exists",
        "isfile",
        "is_file",
        "existsSync",
        "os.Stat",
        "IsNotExist",
        "ErrNotExist",
        "file_exists",
        "File.exist",
        "Files.exists",
        "isFile",
        "ENOENT",
        "FileNotFound",
        "NotFound",
        "raises",
        "toThrow",
        "assertRaises",
        "missing_ok",
        "unwrap_or",
        "rescue",
        "is_err",
        "access(",
    ];
    let writes = [
        "write",
        "'w'",
        "\"w\"",
        "'a'",
        "\"a\"",
        "'wb'",
        "\"wb\"",
        "os.Create",
        "File::create",
        "mkdir",
        "unlink",
        "remove",
        "tmp_path",
        "tmpdir",
        "TempDir",
        "touch",
        "save",
        "dump(",
        "to_csv",
        "Output",
        "output",
        "copy",
    ];
    if asks.iter().any(|it| around.contains(it))
        || writes.iter().any(|it| line.contains(it))
        || around.contains("chdir")
    {
        return true;
    }
    if language == Language::Python {
        let lines = python_source::lines(code);
        return lines.iter().find(|it| it.number == opened.line).is_some_and(|it| {
            it.around.catches(&["FileNotFoundError", "OSError", "IOError", "EnvironmentError"])
                || it.around.conditions.iter().any(|one| one.contains("exists") || one.contains("is_file"))
        });
    }
    // Go hands an error on; where the next lines do not end the program, it may be meant to be absent.
    if language == Language::JavaScript {
        return lines[at.saturating_sub(4)..at.min(lines.len())].iter().any(|line| line.contains("try {"))
            || line.contains("try {")
            || line.contains(".catch");
    }
    false
}

/// Whether some code or script of the project makes a file of this name.
fn is_written(ground: &Ground<'_>, name: &str) -> bool {
    let tree = &ground.tree;
    let marks = [
        "write",
        "'w'",
        "\"w\"",
        "'wb'",
        "\"wb\"",
        "os.Create",
        "File::create",
        "dump",
        ">",
        "cp ",
        "to_csv",
        "save",
        "touch",
        "curl",
        "wget",
        "-o ",
        "outFile",
        "copy",
    ];
    let scripts = [
        ".py",
        ".js",
        ".ts",
        ".mjs",
        ".cjs",
        ".go",
        ".rs",
        ".java",
        ".rb",
        ".php",
        ".c",
        ".cpp",
        ".sh",
        "Makefile",
        "package.json",
        "CMakeLists.txt",
        ".yml",
        "Dockerfile",
    ];
    tree.examined(&scripts).filter_map(|file| tree.text(&file.path)).any(|text| {
        text.contains(name)
            && text.lines().any(|line| line.contains(name) && marks.iter().any(|mark| line.contains(mark)))
    })
}
