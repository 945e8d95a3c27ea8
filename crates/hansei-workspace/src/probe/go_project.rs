//! Go: imports against the module's path and its requirements, `go.sum`, `vendor/`, local replacements, embedded files.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, join, parent, under, upwards};
use super::version::Version;

static MODULE: Pattern = Pattern::new(r#"^module\s+"?([^\s"]+)"?"#);
static REQUIRE: Pattern =
    Pattern::new(r"^\s*(?:require\s+)?([\w.~-]+\.[\w.~-]+/[\w./~-]+|[\w.~-]+\.[\w~-]+)\s+(v[\w.+-]+)");
static REPLACE: Pattern = Pattern::new(r"^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?");
static IMPORT_BLOCK: Pattern = Pattern::new(r"(?:^|\n)import\s*\(([^)]*)\)");
static IMPORT_ONE: Pattern = Pattern::new(r#"(?:^|\n)import\s+(?:[\w.]+\s+)?"([^"\n]+)""#);
static QUOTED: Pattern = Pattern::new(r#""([^"\n]+)""#);
static PACKAGE: Pattern = Pattern::new(r"^package\s+(\w+)");

/// The first names of Go's own packages.
const OWN: &[&str] = &[
    "archive", "arena", "bufio", "builtin", "bytes", "cmp", "compress", "container", "context", "crypto",
    "database", "debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html",
    "image", "index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin",
    "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync", "syscall",
    "testing", "text", "time", "unicode", "unique", "unsafe", "weak", "vendor", "cmd",
];
/// Packages that came with a later minor version of Go 1.
const CAME: &[(&str, u64)] = &[
    ("slices", 21),
    ("maps", 21),
    ("cmp", 21),
    ("log/slog", 21),
    ("testing/slogtest", 21),
    ("math/rand/v2", 22),
    ("go/version", 22),
    ("iter", 23),
    ("unique", 23),
    ("structs", 23),
    ("weak", 24),
    ("testing/synctest", 25),
    ("embed", 16),
    ("io/fs", 16),
    ("net/netip", 18),
    ("debug/buildinfo", 18),
    ("runtime/coverage", 20),
    ("crypto/ecdh", 20),
];

struct Module {
    path: String,
    folder: String,
    name: String,
    required: BTreeMap<String, (String, usize)>,
    replaced: BTreeSet<String>,
}

pub(super) fn probe(ground: &Ground<'_>) {
    let modules: Vec<Module> =
        ground.tree.named("go.mod").filter_map(|file| read(ground, &file.path)).collect();
    for module in &modules {
        sums(ground, module);
        vendored(ground, module);
    }
    workspace(ground);
    let mut packages: BTreeMap<&str, (String, String)> = BTreeMap::new();
    for file in ground.tree.examined(&[".go"]).filter(|file| !super::go_embeds::is_left_out(&file.path)) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let left_out = ["//go:build ignore", "// +build ignore", "//go:build tools", "//go:build"]
            .iter()
            .any(|it| text.contains(it));
        if left_out {
            continue;
        }
        if !file.path.ends_with("_test.go")
            && let Some(hit) = PACKAGE.first(&text)
        {
            let (known, first) = packages
                .entry(parent(&file.path))
                .or_insert_with(|| (hit.group(1).to_owned(), file.path.clone()))
                .clone();
            if known != hit.group(1) {
                ground.suspect(
                    Suspicion::new(
                        Probe::Imports,
                        format!("one folder holds two packages: {known} and {}", hit.group(1)),
                        format!("{first}, {}:{}", file.path, hit.line()),
                        format!("move {} into a folder of its own, or name its package {known}", file.path),
                    )
                    .strength(Strength::Certain)
                    .naming(["found packages"]),
                );
            }
        }
        let owner = modules
            .iter()
            .filter(|it| it.folder.is_empty() || file.path.starts_with(&format!("{}/", it.folder)))
            .max_by_key(|it| it.folder.len());
        if let Some(owner) = owner {
            imports(ground, owner, &modules, &file.path, &text);
        }
    }
}

fn read(ground: &Ground<'_>, path: &str) -> Option<Module> {
    let text = code(&ground.tree.text(path)?, Language::C);
    let name = MODULE.first(&text)?.group(1).to_owned();
    let folder = parent(path).to_owned();
    let mut required = BTreeMap::new();
    for hit in REQUIRE
        .all(&text)
        .iter()
        .filter(|hit| !text.lines().nth(hit.line() - 1).unwrap_or_default().contains("=>"))
    {
        let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
        if !line.trim_start().starts_with("exclude") && !line.trim_start().starts_with("retract") {
            required.insert(hit.group(1).to_owned(), (hit.group(2).to_owned(), hit.line()));
        }
    }
    let mut replaced = BTreeSet::new();
    for hit in REPLACE.all(&text) {
        replaced.insert(hit.group(1).to_owned());
        let target = hit.group(2);
        if !target.starts_with('.') {
            continue;
        }
        let there = join(&folder, target).map(|it| under(&it, "go.mod"));
        let is_absent = match &there {
            Some(there) => !ground.tree.presence(there).may_be(),
            None => ground.tree.leads_nowhere(&folder, target),
        };
        if is_absent {
            let there = there.unwrap_or_else(|| format!("{target}/go.mod"));
            let fix = match ground.tree.named("go.mod").find(|file| {
                ground.tree.text(&file.path).is_some_and(|text| {
                    MODULE.first(&text).is_some_and(|module| module.group(1) == hit.group(1))
                })
            }) {
                Some(file) => format!("go mod edit -replace {}=./{}", hit.group(1), parent(&file.path)),
                None => format!("correct the folder in {path}, or go mod edit -dropreplace {}", hit.group(1)),
            };
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("{path} replaces {} by {target}, and there is no {there}", hit.group(1)),
                    format!("{path}:{}", hit.line()),
                    fix,
                )
                .strength(Strength::Certain)
                .naming([hit.group(1).to_owned(), target.to_owned()]),
            );
        }
    }
    Some(Module { path: path.to_owned(), folder, name, required, replaced })
}

/// Every requirement has its sum.
fn sums(ground: &Ground<'_>, module: &Module) {
    let path = under(&module.folder, "go.sum");
    let text = ground.tree.text(&path).unwrap_or_default();
    let vendored = ground.tree.has(&under(&module.folder, "vendor/modules.txt"));
    let in_workspace = upwards(&module.folder).any(|folder| ground.tree.has(&under(folder, "go.work")));
    if vendored || in_workspace {
        return;
    }
    for (name, (version, line)) in module.required.iter().filter(|(name, _)| !module.replaced.contains(*name))
    {
        let there = text.lines().any(|line| {
            line.starts_with(&format!("{name} {version} "))
                || line.starts_with(&format!("{name} {version}/go.mod "))
        });
        if there {
            continue;
        }
        let other =
            text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))?.split(['/', ' ']).next());
        let what = match other {
            Some(other) => {
                format!("{path} has the sum of {name} {other}, and {} requires {version}", module.path)
            }
            None if text.is_empty() => {
                format!("{} requires {name} {version}, and there is no {path}", module.path)
            }
            None => format!("{path} has no sum of {name} {version}, which {} requires", module.path),
        };
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                what,
                format!("{}:{line}", module.path),
                "go mod tidy (or go mod download)".to_owned(),
            )
            .naming([name.clone(), "go.sum".to_owned()]),
        );
    }
}

/// `vendor/` says what it was made from.
fn vendored(ground: &Ground<'_>, module: &Module) {
    let path = under(&module.folder, "vendor/modules.txt");
    let Some(text) = ground.tree.text(&path) else {
        if ground.tree.has_folder(&under(&module.folder, "vendor"))
            && !module.required.is_empty()
            && ground.tree.names_in(&under(&module.folder, "vendor"), 5).iter().any(|it| it.contains('.'))
        {
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("there is a vendor folder, and no {path} that says what is in it"),
                    module.path.clone(),
                    "go mod vendor".to_owned(),
                )
                .naming(["vendor"]),
            );
        }
        return;
    };
    vendored_packages(ground, module, &path, &text);
    let listed: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(' ')).collect();
    for (name, (version, line)) in module.required.iter().filter(|(name, _)| !module.replaced.contains(*name))
    {
        let has = listed.get(name.as_str()).map(|it| it.split_whitespace().next().unwrap_or_default());
        if has != Some(version.as_str()) {
            let shown = has.map_or_else(|| "lacks it".to_owned(), |has| format!("has {has}"));
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("{} requires {name} {version}, and {path} {shown}", module.path),
                    format!("{}:{line}", module.path),
                    "go mod vendor".to_owned(),
                )
                .strength(Strength::Certain)
                .naming([
                    name.clone(),
                    "vendor".to_owned(),
                    "inconsistent vendoring".to_owned(),
                ]),
            );
        }
    }
}

fn workspace(ground: &Ground<'_>) {
    static USE: Pattern = Pattern::new(r"^\s*(?:use\s+)?(\./[\w./-]+|\.\.?/?[\w./-]*)\s*$");
    for file in ground.tree.named("go.work") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for hit in USE.all(&text) {
            if let Some(target) = join(parent(&file.path), hit.group(1)).map(|it| under(&it, "go.mod"))
                && !ground.tree.presence(&target).may_be()
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Imports,
                        format!("{} uses {}, and there is no {target}", file.path, hit.group(1)),
                        format!("{}:{}", file.path, hit.line()),
                        format!("correct the folder in {}", file.path),
                    )
                    .strength(Strength::Certain)
                    .naming([hit.group(1).to_owned()]),
                );
            }
        }
    }
}

fn imports(ground: &Ground<'_>, module: &Module, modules: &[Module], path: &str, text: &str) {
    let code = code(text, Language::C);
    let mut all: Vec<(String, usize)> = IMPORT_ONE
        .all(&code)
        .iter()
        .map(|hit| (hit.group(1).to_owned(), hit.line() + usize::from(hit.group(0).starts_with('\n'))))
        .collect();
    for block in IMPORT_BLOCK.all(&code) {
        let begin = block.line() + usize::from(block.group(0).starts_with('\n'));
        all.extend(
            QUOTED.all(block.group(1)).iter().map(|hit| (hit.group(1).to_owned(), begin + hit.line() - 1)),
        );
    }
    for (import, line) in all {
        let place = format!("{path}:{line} imports it");
        let first = import.split('/').next().unwrap_or_default();
        if let Some(rest) = inside(&import, &module.name) {
            local(ground, module, &import, rest, &place);
            continue;
        }
        if modules.iter().any(|other| inside(&import, &other.name).is_some()) && !first.contains('.') {
            continue;
        }
        if import == "C" || import.starts_with('.') {
            continue;
        }
        if !first.contains('.') {
            own(ground, module, &import, first, &place);
            continue;
        }
        let provided = module.required.keys().chain(&module.replaced).any(|it| inside(&import, it).is_some());
        let beside = upwards(&module.folder).any(|folder| ground.tree.has(&under(folder, "go.work")))
            && modules.iter().any(|other| inside(&import, &other.name).is_some());
        if !provided && !beside {
            // A module of the project under a name that it does not have.
            let tail = import.rsplit('/').next().unwrap_or_default();
            let similar = ground.tree.folders().iter().find(|folder| {
                base(folder) == tail && ground.tree.names_in(folder, 200).iter().any(|it| it.ends_with(".go"))
            });
            let same_end =
                module.name.rsplit('/').next().is_some_and(|name| import.contains(&format!("/{name}/")));
            let (probe, what, fix) = match similar.filter(|_| same_end) {
                Some(folder) => (
                    Probe::Imports,
                    format!("the import {import:?} does not begin with the module's path {:?}", module.name),
                    format!(
                        "import {:?}",
                        format!(
                            "{}/{}",
                            module.name,
                            folder.strip_prefix(&module.folder).unwrap_or(folder).trim_start_matches('/')
                        )
                    ),
                ),
                None => (
                    Probe::Dependencies,
                    format!("the import {import:?} is of no module that {} requires", module.path),
                    format!("go get {import}"),
                ),
            };
            ground.suspect(
                Suspicion::new(probe, what, place, fix).strength(Strength::Certain).naming([import.clone()]),
            );
        }
    }
}

/// What follows a module's path in an import.
fn inside<'a>(import: &'a str, module: &str) -> Option<&'a str> {
    let rest = import.strip_prefix(module)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

fn local(ground: &Ground<'_>, module: &Module, import: &str, rest: &str, place: &str) {
    let folder = under(&module.folder, rest);
    let folder = folder.trim_end_matches('/');
    let has_sources = ground.tree.names_in(folder, 2_000).iter().any(|it| it.ends_with(".go"));
    if has_sources && (folder.is_empty() || ground.tree.has_folder(folder)) {
        return;
    }
    if let Presence::OtherCase(real) = ground.tree.presence(folder) {
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("the import {import:?} differs from the folder {real} only in case"),
                place.to_owned(),
                format!("write the import as the folder is called, or git mv {real}"),
            )
            .strength(Strength::Certain)
            .naming([import.to_owned()]),
        );
        return;
    }
    // Generated packages come with a build.
    let is_made = ["/pb", "/gen", "/generated", "/mocks", "/ent"].iter().any(|it| import.ends_with(it))
        || ground.is_ignored(folder);
    let tail = import.rsplit('/').next().unwrap_or_default();
    let lies = ground.tree.folders().iter().find(|it| base(it) == tail && it.as_str() != folder).cloned();
    let fix = lies.as_ref().map_or_else(
        || format!("create {folder}/, or correct the import"),
        |lies| {
            format!(
                "import {:?}",
                format!(
                    "{}/{}",
                    module.name,
                    lies.strip_prefix(&module.folder).unwrap_or(lies).trim_start_matches('/')
                )
            )
        },
    );
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("the import {import:?} leads to no package: {folder}/ has no Go files"),
            place.to_owned(),
            fix,
        )
        .strength(if is_made { Strength::Hinted } else { Strength::Certain })
        .naming([import.to_owned()]),
    );
}

fn own(ground: &Ground<'_>, module: &Module, import: &str, first: &str, place: &str) {
    if let Some((_, minor)) =
        CAME.iter().find(|(name, _)| *name == import || import.starts_with(&format!("{name}/")))
    {
        let wanted = Version { numbers: vec![1, *minor], is_early: false };
        if let Some(found) = ground.programs.version("go").filter(|found| !found.reaches(&wanted)) {
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("the package {import:?} came with Go {wanted}, and this is Go {found}"),
                    place.to_owned(),
                    format!("install Go {wanted} or newer"),
                )
                .strength(Strength::Certain)
                .naming([import.to_owned()]),
            );
        }
        return;
    }
    if OWN.contains(&first) {
        return;
    }
    // Not one of Go's, and no address: meant is a package of this module.
    let tail = import.split_once('/').map_or(import, |(_, tail)| tail);
    let candidates = [under(&module.folder, import), under(&module.folder, tail)];
    let lies = candidates.iter().find(|it| ground.tree.has_folder(it));
    let fix = match lies {
        Some(lies) => format!(
            "import {:?}",
            format!(
                "{}/{}",
                module.name,
                lies.strip_prefix(&module.folder).unwrap_or(lies).trim_start_matches('/')
            )
        ),
        None => format!("write the import with the module's path: {}/…", module.name),
    };
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!(
                "the import {import:?} is none of Go's own, and does not begin with the module's path {:?}",
                module.name
            ),
            place.to_owned(),
            fix,
        )
        .strength(Strength::Certain)
        .naming([import.to_owned()]),
    );
}

/// Packages that `vendor/modules.txt` lists and that are not there.
fn vendored_packages(ground: &Ground<'_>, module: &Module, path: &str, text: &str) {
    for (at, line) in
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && line.contains('.'))
    {
        let folder = under(&under(&module.folder, "vendor"), line.trim());
        if !ground.tree.has_folder(&folder) {
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("{path} lists {:?}, and there is no {folder}", line.trim()),
                    format!("{path}:{}", at + 1),
                    "go mod vendor".to_owned(),
                )
                .naming([line.trim().to_owned(), "vendor".to_owned()]),
            );
        }
    }
}
