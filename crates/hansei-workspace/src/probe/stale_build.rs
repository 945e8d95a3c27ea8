//! Built and generated files that are older than what they come from, or were made somewhere else.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{File, base, join, parent, stem, under};

/// Times closer than this are of one checkout or one build.
const APART: i64 = 2;
/// The same where git wrote both files.
const APART_IN_GIT: i64 = 120;

static HOME: Pattern = Pattern::new(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$");
static GENERATED_FROM: Pattern = Pattern::new(
    r"(?:[Gg]enerated|GENERATED)[^\n]{0,80}?(?:from|source:|by|with)[^\n]{0,80}?\b([\w./-]+\.(?:proto|graphql|json|yaml|yml|thrift|fbs|avsc|idl|xsd|g4|sql|toml|xml|csv|txt|tmpl|in|jinja|y|l))\b",
);
static SOURCE_COMMENT: Pattern = Pattern::new(r"^(?://|#|/\*|--)?\s*source: ([\w./-]+\.proto)");
static MESSAGE: Pattern = Pattern::new(r"^\s*(?:message|enum|service)\s+(\w+)");
static VENV: Pattern = Pattern::new(r#"^\s*(?:export )?VIRTUAL_ENV=['"]?([^'"\n]+?)['"]?\s*$"#);

pub(super) fn probe(ground: &Ground<'_>) {
    super::node_stale::probe(ground);
    generated(ground);
    protocol(ground);
    cmake(ground);
    environment(ground);
    bytecode(ground);
    obsolete_snapshots(ground);
}

/// Whether a built file was written before its source.
pub(super) fn is_older(ground: &Ground<'_>, built: &File, source: &File) -> bool {
    let apart =
        if ground.is_tracked(&built.path) && ground.is_tracked(&source.path) { APART_IN_GIT } else { APART };
    source.modified > built.modified + apart
}

/// Files whose head names the file that they were made from.
fn generated(ground: &Ground<'_>) {
    for file in ground.tree.files() {
        let code =
            [".py", ".go", ".js", ".ts", ".rs", ".c", ".h", ".java", ".rb", ".php", ".cpp", ".hpp", ".json"]
                .iter()
                .any(|ending| file.path.ends_with(ending));
        if !code || !file.path.starts_with(ground.tree.scope()) {
            continue;
        }
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let head = text.lines().take(8).collect::<Vec<_>>().join(
            "
",
        );
        let hit = GENERATED_FROM.first(&head).or_else(|| SOURCE_COMMENT.first(&head));
        // What stands in a string is what a generator writes: the generator is not generated itself.
        let Some(hit) = hit.filter(|hit| is_comment(&file.path, &text, hit.line())) else { continue };
        let named = hit.group(1);
        let candidates = [join(parent(&file.path), named), join("", named), join(ground.tree.scope(), named)];
        let source =
            candidates.into_iter().flatten().find_map(|path| ground.tree.file(&path)).or_else(|| {
                let mut same = ground.tree.files().iter().filter(|other| base(&other.path) == base(named));
                same.next().filter(|_| same.next().is_none())
            });
        if let Some(source) =
            source.filter(|source| source.path != file.path && is_older(ground, file, source))
        {
            stale(ground, file, source);
        }
    }
}

/// Whether nothing but a comment, or a text at the top, stands in the line.
fn is_comment(path: &str, text: &str, line: usize) -> bool {
    let code = match path.rsplit('.').next() {
        Some("json") => return true,
        Some("py") => code(text, Language::Python),
        Some("rb" | "sh") => code(text, Language::Hash),
        Some("php") => code(&code(text, Language::JavaScript), Language::Hash),
        Some("rs") => code(text, Language::Rust),
        _ => code(text, Language::JavaScript),
    };
    code.lines()
        .nth(line - 1)
        .is_some_and(|line| line.trim().is_empty() || line.trim_start().starts_with("<?"))
}

fn stale(ground: &Ground<'_>, file: &File, source: &File) {
    let fix = match source.path.rsplit('.').next() {
        Some("proto") => format!("run protoc on {} again", source.path),
        _ => format!("generate {} again from {}", file.path, source.path),
    };
    ground.suspect(
        Suspicion::new(
            Probe::StaleBuild,
            format!("the generated {} is older than {}, which it is made from", file.path, source.path),
            format!(
                "{} was written {} seconds before {}",
                file.path,
                source.modified - file.modified,
                source.path
            ),
            fix,
        )
        .naming([file.path.clone(), base(&file.path).to_owned(), stem(&file.path).to_owned()]),
    );
}

/// What `protoc` made, by name and by content.
fn protocol(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for source in tree.examined(&[".proto"]) {
        let Some(text) = tree.text(&source.path) else { continue };
        let name = stem(&source.path);
        let outputs = [
            format!("{name}_pb2.py"),
            format!("{name}.pb.go"),
            format!("{name}_pb.js"),
            format!("{name}_pb.ts"),
            format!("{name}.pb.cc"),
            format!("{name}.pb.h"),
        ];
        for file in tree.files().iter().filter(|file| outputs.iter().any(|output| output == base(&file.path)))
        {
            let made = tree.text(&file.path).unwrap_or_default();
            let lost =
                MESSAGE.all(&text).into_iter().find(|hit| !made.is_empty() && !made.contains(hit.group(1)));
            if let Some(lost) = lost {
                ground.suspect(
                    Suspicion::new(
                        Probe::StaleBuild,
                        format!(
                            "the generated {} knows nothing of {:?}, which {} defines",
                            file.path,
                            lost.group(1),
                            source.path
                        ),
                        format!("{}:{}", source.path, lost.line()),
                        format!("run protoc on {} again", source.path),
                    )
                    .strength(Strength::Certain)
                    .naming([lost.group(1).to_owned(), file.path.clone()]),
                );
            } else if is_older(ground, file, source) {
                stale(ground, file, source);
            }
        }
    }
}

/// A cache of `CMake` that was made for another folder.
fn cmake(ground: &Ground<'_>) {
    for file in ground.tree.files().iter().filter(|file| base(&file.path) == "CMakeCache.txt") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Some(hit) = HOME.first(&text) else { continue };
        let made_for = std::path::Path::new(hit.group(1).trim());
        let is_ours = made_for.canonicalize().is_ok_and(|folder| {
            folder.starts_with(ground.tree.root())
                || ground.tree.root().starts_with(&folder)
                || folder.join("CMakeLists.txt").is_file()
                    && !ground.tree.has(&under(parent(parent(&file.path)), "CMakeLists.txt"))
        });
        if !is_ours {
            let folder = parent(&file.path);
            ground.suspect(
                Suspicion::new(
                    Probe::StaleBuild,
                    format!("{} was made for another source folder: {}", file.path, hit.group(1).trim()),
                    format!("{}:{}", file.path, hit.line()),
                    format!("rm -rf {folder} && cmake -S . -B {}", base(folder)),
                )
                .strength(Strength::Certain)
                .naming(["CMakeCache.txt", "CMake"]),
            );
        }
    }
}

/// A virtual environment that was moved, or whose Python is gone.
fn environment(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let here = tree.scope().trim_end_matches('/');
    for name in [".venv", "venv", "env"] {
        let path = under(here, name);
        let folder = tree.root().join(&path);
        if !folder.join("pyvenv.cfg").is_file() {
            continue;
        }
        let python = folder.join("bin/python");
        let gone = python.symlink_metadata().is_ok() && !python.exists();
        let activate = std::fs::read_to_string(folder.join("bin/activate")).unwrap_or_default();
        let made_at =
            VENV.first(&activate).map(|hit| hit.group(1).to_owned()).filter(|place| place.starts_with('/'));
        let moved = made_at
            .filter(|place| std::path::Path::new(place).canonicalize().ok() != folder.canonicalize().ok());
        let cause = match (gone, moved) {
            (true, _) => format!("the Python of {path} is gone: {path}/bin/python leads nowhere"),
            (false, Some(place)) => format!("{path} was made at {place} and moved: its scripts point there"),
            _ => match strange_script(&folder) {
                Some((script, interpreter)) => {
                    format!(
                        "{path}/bin/{script} names the interpreter {interpreter}, which does not exist: {path} was made elsewhere"
                    )
                }
                None => match other_python(&folder) {
                    Some((has, python)) => {
                        format!(
                            "{path} has its packages in {has}, and its Python is {python}: it finds none of them"
                        )
                    }
                    None => continue,
                },
            },
        };
        ground.suspect(
            Suspicion::new(
                Probe::StaleBuild,
                cause,
                format!("{path}/pyvenv.cfg"),
                format!(
                    "rm -rf {path} && python3 -m venv {path} && {path}/bin/pip install -r requirements.txt"
                ),
            )
            .strength(Strength::Certain)
            .naming(["bad interpreter", "python", "No such file or directory"]),
        );
    }
}

/// A script of the environment whose interpreter is not there.
fn strange_script(folder: &std::path::Path) -> Option<(String, String)> {
    let entries = std::fs::read_dir(folder.join("bin")).ok()?.flatten().take(300);
    let mut scripts: Vec<_> = entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_file())).collect();
    scripts.sort_by_key(std::fs::DirEntry::file_name);
    scripts.into_iter().find_map(|entry| {
        (entry.metadata().ok()?.len() < 64 << 10).then_some(())?;
        let bytes = std::fs::read(entry.path()).ok()?;
        let first = String::from_utf8_lossy(bytes.split(|byte| *byte == b'\n').next()?).into_owned();
        let interpreter = first.strip_prefix("#!")?.split_whitespace().next()?.to_owned();
        let is_gone = interpreter.starts_with('/')
            && interpreter.contains("python")
            && !std::path::Path::new(&interpreter).exists();
        is_gone.then(|| (entry.file_name().to_string_lossy().into_owned(), interpreter))
    })
}

/// The folder of packages of an environment and its Python, where these are of two versions.
fn other_python(folder: &std::path::Path) -> Option<(String, String)> {
    let python = folder.join("bin/python").canonicalize().ok()?;
    let python = python.file_name()?.to_str()?.to_owned();
    let minor = python.strip_prefix("python3.")?;
    let entries = std::fs::read_dir(folder.join("lib")).ok()?.flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let wanted = format!("python3.{minor}");
    let other = names.iter().find(|it| it.starts_with("python3."))?;
    (!names.contains(&wanted)).then(|| (format!("lib/{other}"), wanted))
}

/// Byte code beside no source, which Python still imports.
fn bytecode(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[".pyc"]).filter(|file| !file.path.contains("__pycache__")) {
        let source = file.path.trim_end_matches('c');
        if !ground.tree.has(source) {
            ground.suspect(
                Suspicion::new(
                    Probe::StaleBuild,
                    format!("{} has no source any more, and Python imports it all the same", file.path),
                    file.path.clone(),
                    ground.restored(source).unwrap_or_else(|| format!("rm {}", file.path)),
                )
                .naming([stem(&file.path).to_owned()]),
            );
        }
    }
}

/// Snapshots of tests that are gone.
fn obsolete_snapshots(ground: &Ground<'_>) {
    for file in ground.tree.files().iter().filter(|file| {
        parent(&file.path).ends_with("__snapshots__") && file.path.starts_with(ground.tree.scope())
    }) {
        let Some(test) = base(&file.path).strip_suffix(".snap") else { continue };
        let beside = under(parent(parent(&file.path)), test);
        if !ground.tree.has(&beside) {
            ground.suspect(
                Suspicion::new(
                    Probe::Fixtures,
                    format!("the snapshot {} belongs to no test: there is no {beside}", file.path),
                    file.path.clone(),
                    format!("rm {}, or run the tests with --ci=false -u", file.path),
                )
                .strength(Strength::Possible)
                .naming(["obsolete", test]),
            );
        }
    }
}
