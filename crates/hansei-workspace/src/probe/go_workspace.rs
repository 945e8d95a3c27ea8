//! Go: `go.work` against the modules of the project, what `go generate` wrote against its source, and what came with a later Go.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::stale_build::is_older;
use super::tree::{File, base, join, parent, stem, under, upwards};
use super::version::Version;

static MODULE: Pattern = Pattern::new(r#"^module\s+"?([^\s"]+)"?"#);
static GO: Pattern = Pattern::new(r"^go\s+(\d+\.\d+(?:\.\d+)?)");
static USE: Pattern = Pattern::new(r"^\s*(?:use\s+)?(\.\.?(?:/[\w./-]*)?)\s*$");
static GENERATE: Pattern = Pattern::new(r"^//go:generate\s+(.+)$");
static CONSTANTS: Pattern = Pattern::new(r"const\s*\(([^)]*)\)");
/// Names that came with a later minor version of Go 1.
static CAME: [(u64, Pattern); 4] = [
    (
        20,
        Pattern::new(
            r"\b(?:errors\.Join|strings\.Cut(?:Prefix|Suffix)|bytes\.(?:Clone|CutPrefix|CutSuffix)|context\.WithCancelCause|time\.Date(?:Time|Only)|time\.TimeOnly|http\.NewResponseController|unsafe\.StringData)\b",
        ),
    ),
    (
        21,
        Pattern::new(
            r"\b(?:sync\.Once(?:Func|Value|Values)|context\.(?:WithoutCancel|AfterFunc|WithTimeoutCause)|errors\.ErrUnsupported|strings\.ContainsFunc|flag\.BoolFunc)\b|^\s*clear\(\w+\)$",
        ),
    ),
    (
        22,
        Pattern::new(
            r"\bfor\s+(?:\w+\s*:?=\s*)?range\s+\d+\s*\{|\b(?:cmp\.Or|slices\.Concat|reflect\.TypeFor)\b",
        ),
    ),
    (
        23,
        Pattern::new(
            r"\b(?:slices\.(?:Collect|Sorted|Values|Chunk)|maps\.(?:Keys|Values|Collect)\([^)]*\)\s*\{|os\.CopyFS|iter\.Seq2?)\b",
        ),
    ),
];

pub(super) fn probe(ground: &Ground<'_>) {
    if ground.tree.examined(&[".go"]).next().is_none() {
        return;
    }
    workspace(ground);
    generated(ground);
    later(ground);
}

/// The modules of the project: their folders and names.
fn modules(ground: &Ground<'_>) -> Vec<(String, String)> {
    let files = ground.tree.named("go.mod");
    let read = |file: &File| {
        let text = ground.tree.text(&file.path)?;
        Some((parent(&file.path).to_owned(), MODULE.first(&text)?.group(1).to_owned()))
    };
    files.filter_map(read).collect()
}

fn workspace(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let all = modules(ground);
    let is_off = ground.variable("GOWORK") == Some("off");
    let Some((folder, text)) =
        upwards(tree.scope()).find_map(|it| Some((it, tree.text(&under(it, "go.work"))?)))
    else {
        return;
    };
    let path = under(folder, "go.work");
    let text = code(&text, Language::C);
    let used: Vec<String> = USE.all(&text).iter().filter_map(|hit| join(folder, hit.group(1))).collect();
    let needs = |module: &str, other: &str| {
        let manifest = tree.text(&under(module, "go.mod")).unwrap_or_default();
        let is_settled = manifest.lines().any(|line| line.contains("=>") && has_word(line, other));
        let begins = if module.is_empty() { String::new() } else { format!("{module}/") };
        let importer = tree.examined(&[".go"]).filter(|it| it.path.starts_with(&begins)).find(|it| {
            tree.text(&it.path).is_some_and(|text| {
                text.contains(&format!("\"{other}\"")) || text.contains(&format!("\"{other}/"))
            })
        });
        importer.filter(|_| !is_settled).map(|it| it.path.clone())
    };
    for (module, name) in &all {
        if module != folder && !module.starts_with(folder) {
            continue;
        }
        if is_off {
            let other = all.iter().find_map(|(other, wanted)| {
                (other != module).then(|| Some((wanted, needs(module, wanted)?)))?
            });
            if let Some((wanted, importer)) = other {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!(
                            "the variable GOWORK switches {path} off, and {name} finds {wanted} only by it"
                        ),
                        format!("{importer} imports it"),
                        "unset GOWORK".to_owned(),
                    )
                    .naming(["GOWORK", wanted.as_str()]),
                );
            }
            continue;
        }
        if used.contains(module) {
            continue;
        }
        let importer = used.iter().find_map(|it| needs(it, name));
        let is_here = tree.scope().trim_end_matches('/') == module && !module.is_empty();
        if importer.is_none() && !is_here {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!("{path} does not use {module}, the folder of the module {name}"),
                importer.map_or_else(|| under(module, "go.mod"), |it| format!("{it} imports it")),
                format!(
                    "go work use ./{}",
                    module.strip_prefix(folder).unwrap_or(module).trim_start_matches('/')
                ),
            )
            .strength(Strength::Certain)
            .naming([name.clone(), "go.work".to_owned(), "workspace".to_owned()]),
        );
    }
    let of = |text: &str| Version::find(GO.first(text)?.group(1));
    let Some(own) = of(&text) else { return };
    for module in &used {
        let manifest = under(module, "go.mod");
        let wanted = tree.text(&manifest).and_then(|text| of(&text));
        if let Some(wanted) = wanted.filter(|wanted| !own.reaches(wanted)) {
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("{path} says go {own}, and {manifest} asks for go {wanted}"),
                    format!("{path}, {manifest}"),
                    format!("go work edit -go={wanted}"),
                )
                .strength(if ground.programs.version("go").is_some_and(|it| it.numbers.get(1) >= Some(&21)) {
                    Strength::Likely
                } else {
                    Strength::Hinted
                })
                .naming(["go.work", "go work"]),
            );
        }
    }
}

/// What `go generate` writes, against what it is made from.
fn generated(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.examined(&[".go"]) {
        let Some(text) = tree.text(&file.path) else { continue };
        for hit in GENERATE.all(&text) {
            let words: Vec<&str> = hit.group(1).split_whitespace().collect();
            let folder = parent(&file.path);
            let after = |options: &[&str]| {
                words.iter().enumerate().find_map(|(at, word)| {
                    let plain = word.trim_start_matches('-');
                    let (key, value) = plain
                        .split_once('=')
                        .unwrap_or((plain, words.get(at + 1).copied().unwrap_or_default()));
                    (word.starts_with('-') && options.contains(&key)).then_some(value)
                })
            };
            let kind = after(&["type"]).unwrap_or_default();
            let is_stringer = words.iter().any(|it| base(it).split('@').next() == Some("stringer"));
            let first = kind.split(',').next().unwrap_or_default().to_lowercase();
            let output = after(&["o", "output", "out", "destination", "outfile"]).map(str::to_owned);
            let redirected =
                words.iter().position(|it| *it == ">").and_then(|at| Some((*words.get(at + 1)?).to_owned()));
            let output = output.or(redirected).or_else(|| is_stringer.then(|| format!("{first}_string.go")));
            let Some(made) = output.and_then(|it| tree.file(&join(folder, it.trim_matches(['"', '\'']))?))
            else {
                continue;
            };
            let mut sources: Vec<&File> = words
                .iter()
                .skip(1)
                .filter_map(|it| tree.file(&join(folder, it.split('=').next_back()?)?))
                .collect();
            if is_stringer || sources.is_empty() {
                sources = vec![file];
            }
            let written = tree.text(&made.path).unwrap_or_default();
            let lost = if is_stringer { lost_constant(&text, kind, &written) } else { None };
            let older = sources.iter().find(|it| {
                it.path != made.path && !it.path.ends_with("_gen.go") && is_older(ground, made, it)
            });
            let what = match (&lost, older) {
                (Some(lost), _) => format!(
                    "the generated {} knows nothing of {lost}, which {} defines",
                    made.path, file.path
                ),
                (None, Some(source)) => format!(
                    "the generated {} is older than {}, which it is made from",
                    made.path, source.path
                ),
                _ => continue,
            };
            ground.suspect(
                Suspicion::new(
                    Probe::StaleBuild,
                    what,
                    format!("{}:{}: {}", file.path, hit.line(), hit.group(1).trim()),
                    format!("go generate ./{folder}"),
                )
                .naming([
                    made.path.clone(),
                    base(&made.path).to_owned(),
                    stem(&file.path).to_owned(),
                ]),
            );
        }
    }
}

/// A constant of the type that the written file does not hold.
fn lost_constant(text: &str, kind: &str, written: &str) -> Option<String> {
    let first = kind.split(',').next()?;
    for block in CONSTANTS.all(text) {
        let body = block.group(1);
        let begins = |line: &str| {
            let mut words = line.split_whitespace();
            words.next().is_some_and(|it| !it.starts_with("//")) && words.next() == Some(first)
        };
        // Older files hold no names to compare.
        if !body.lines().any(begins) || !written.contains("_ = x[") {
            continue;
        }
        let names = body.lines().filter_map(|line| {
            let name = line.split("//").next()?.split_whitespace().next()?;
            (name != "_" && name.starts_with(|c: char| c.is_alphabetic()))
                .then(|| name.trim_end_matches(',').to_owned())
        });
        if let Some(lost) = names.into_iter().find(|name| !has_word(written, name)) {
            return Some(lost);
        }
    }
    None
}

/// What the code uses and this Go does not have yet.
fn later(ground: &Ground<'_>) {
    let Some(found) = ground.programs.version("go") else { return };
    let has = found.numbers.get(1).copied().unwrap_or(0);
    for file in ground.tree.examined(&[".go"]) {
        if CAME.iter().all(|(minor, _)| *minor <= has) {
            return;
        }
        let Some(text) = ground.tree.text(&file.path).filter(|text| !text.contains("//go:build")) else {
            continue;
        };
        let code = code(&text, Language::C);
        for (minor, pattern) in CAME.iter().filter(|(minor, _)| *minor > has) {
            let Some(hit) = pattern.first(&code) else { continue };
            let name = hit.group(0).trim();
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("{name:?} came with Go 1.{minor}, and this is Go {found}"),
                    format!("{}:{} uses it", file.path, hit.line()),
                    format!("install Go 1.{minor} or newer"),
                )
                .strength(Strength::Certain)
                .naming([name.to_owned(), name.rsplit('.').next().unwrap_or(name).to_owned()]),
            );
        }
    }
}
