//! Compiled classes that a script runs without compiling: older than their sources, absent, or of a newer Java.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::script_files::{Rule, Script, Scripts};
use super::stale_build::is_older;
use super::tree::{File, base, parent, stem, under};

static PACKAGE: Pattern = Pattern::new(r"^package\s+([\w.]+)\s*;");
static RUNS: Pattern = Pattern::new(r#"(?:^|[\s/;&|("'])java["']?\s"#);

/// What compiles, or calls something that does.
const COMPILERS: &[&str] =
    &["javac", "mvn", "mvnw", "gradle", "gradlew", "ant", "make", "sbt", "bazel", "compile", "build"];

/// A folder of classes: the sources that it was compiled from.
#[derive(Debug, Default)]
struct Output<'a> {
    /// Sources with their classes.
    pairs: Vec<(&'a File, &'a File)>,
    /// Sources without.
    lacking: Vec<&'a File>,
}

pub(super) fn probe(ground: &Ground<'_>) {
    jars(ground);
    let outputs = outputs(ground);
    if outputs.is_empty() {
        return;
    }
    let mut runners: BTreeMap<String, String> = BTreeMap::new();
    for script in &ground.scripts().all {
        for (root, place) in runs(ground, script) {
            runners.entry(root).or_insert(place);
        }
    }
    let command = &ground.hint.command;
    for (root, output) in &outputs {
        newer(ground, output);
        let commanded = RUNS.is_in(command)
            && !COMPILERS.iter().any(|it| has_word(command, it))
            && has_word(command, root.trim_end_matches('/'));
        let runner = match runners.get(root) {
            Some(place) => Some(place.as_str()),
            None => commanded.then_some("the command"),
        };
        stale(ground, root, output, runner);
    }
}

/// The folders that hold classes of the project's sources.
fn outputs<'a>(ground: &'a Ground<'_>) -> BTreeMap<String, Output<'a>> {
    let tree = &ground.tree;
    let classes: Vec<&File> = tree.files().iter().filter(|file| file.path.ends_with(".class")).collect();
    let mut outputs: BTreeMap<String, Output<'a>> = BTreeMap::new();
    if classes.is_empty() {
        return outputs;
    }
    // What was compiled together lies below one folder of sources.
    let mut sources: Vec<(&File, String, String)> = Vec::new();
    for source in tree.examined(&[".java"]) {
        let Some(text) = tree.text(&source.path) else { continue };
        let package = PACKAGE.first(&text).map(|hit| hit.group(1).replace('.', "/")).unwrap_or_default();
        let class = under(&package, &format!("{}.class", stem(&source.path)));
        let root = parent(&source.path).strip_suffix(package.as_str()).unwrap_or_default().to_owned();
        if !matches!(stem(&source.path), "package-info" | "module-info") {
            sources.push((source, class, root));
        }
    }
    let mut covers: BTreeSet<(String, String)> = BTreeSet::new();
    for (source, class, root) in &sources {
        for file in classes.iter().filter(|file| file.path.ends_with(class.as_str())) {
            let output = file.path.strip_suffix(class.as_str()).unwrap_or_default();
            if (output.is_empty() || output.ends_with('/')) && output != root {
                outputs.entry(output.to_owned()).or_default().pairs.push((source, file));
                covers.insert((output.to_owned(), root.clone()));
            }
        }
    }
    for (output, root) in covers {
        let Some(entry) = outputs.get_mut(&output) else { continue };
        let compiled: Vec<&str> = entry.pairs.iter().map(|(source, _)| source.path.as_str()).collect();
        let lacking = sources
            .iter()
            .filter(|(source, _, other)| *other == root && !compiled.contains(&source.path.as_str()));
        entry.lacking.extend(lacking.map(|(source, _, _)| *source));
    }
    outputs
}

/// The folders of classes that a script runs without having compiled them, with where.
fn runs(ground: &Ground<'_>, script: &Script) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |line: &str, number: usize| {
        for word in line.split(|c: char| c.is_whitespace() || "\"':=,;()".contains(c)) {
            for place in Scripts::places(&ground.tree, script, word.trim_end_matches('/')) {
                found.push((format!("{place}/"), format!("{}:{number}", script.path)));
            }
        }
    };
    if script.is_make {
        let scripts = ground.scripts();
        for rule in script.rules.iter().filter(|rule| !compiles_first(ground, script, rule, 0)) {
            for (number, line) in &rule.recipe {
                let readings = scripts.recipe(&ground.tree, script, rule, line);
                for reading in readings.iter().filter(|it| RUNS.is_in(it)) {
                    add(reading, *number);
                }
            }
        }
        return found;
    }
    let (mut compiled, mut in_absent) = (false, false);
    for (number, line) in said(ground, script).iter() {
        // `[ -d out ] || ./compile.sh` compiles once, and never again; so does what an absent folder stands before.
        let asks = ["[ -d ", "[ -e ", "[ -f ", "test -", "[ ! -d ", "[ ! -e ", "[ ! -f "]
            .iter()
            .any(|it| line.contains(it));
        let is_once = line.contains("||") && asks;
        in_absent = (in_absent || (line.trim_start().starts_with("if") && line.contains("! -") && asks))
            && line.trim() != "fi";
        compiled |= calls_compiler(line) && !is_once && !in_absent;
        if !compiled && RUNS.is_in(line) {
            add(line, *number);
        }
    }
    found
}

fn calls_compiler(line: &str) -> bool {
    let words = line.split(|c: char| c.is_whitespace() || ";&|()\"'".contains(c)).map(base);
    let plain = |word: &str| word.trim_end_matches(".sh").trim_start_matches("./").to_owned();
    let mut words = words.map(plain);
    words.any(|word| {
        COMPILERS.iter().any(|it| {
            word == *it || word.starts_with(&format!("{it}-")) || word.starts_with(&format!("{it}_"))
        })
    })
}

/// Whether a rule compiles before it runs, by itself or by what it needs.
fn compiles_first(ground: &Ground<'_>, script: &Script, rule: &Rule, depth: usize) -> bool {
    let scripts = ground.scripts();
    let compiles = |line: &str| {
        let readings = scripts.recipe(&ground.tree, script, rule, line);
        readings
            .iter()
            .any(|it| calls_compiler(it) || it.contains("$(MAKE)") || it.contains('\u{1}') && !RUNS.is_in(it))
    };
    if depth > 5 || rule.recipe.iter().any(|(_, line)| compiles(line)) {
        return true;
    }
    let needs = scripts.readings(&ground.tree, script, &rule.needs).join(" ");
    needs.split_whitespace().any(|need| {
        let family = scripts.all.iter().filter(|it| it.is_make);
        let mut rules = family.flat_map(|it| it.rules.iter().map(move |rule| (it, rule)));
        rules.any(|(owner, other)| {
            let targets = scripts.readings(&ground.tree, owner, &other.targets).join(" ");
            targets.split_whitespace().any(|it| it == need || it.contains('%') || it.contains('\u{1}'))
                && !std::ptr::eq(other, rule)
                && compiles_first(ground, owner, other, depth + 1)
        })
    })
}

fn stale(ground: &Ground<'_>, root: &str, output: &Output<'_>, runner: Option<&str>) {
    let root = root.trim_end_matches('/');
    let old = output.pairs.iter().filter(|(source, class)| is_older(ground, class, source));
    let old: Vec<_> = old.collect();
    let dotted = |class: &File| {
        let below = class.path.strip_prefix(root).unwrap_or(&class.path).trim_start_matches('/');
        below.trim_end_matches(".class").replace('/', ".")
    };
    let (what, names) = if let Some((source, class)) = old.first() {
        let names = old.iter().take(20).map(|(_, class)| dotted(class)).collect::<Vec<_>>();
        (format!("{} is older than {}", class.path, source.path), names)
    } else if let Some(source) = output.lacking.first().filter(|_| output.pairs.len() > 1 || runner.is_some())
    {
        (format!("{root} has no class of {}", source.path), vec![stem(&source.path).to_owned()])
    } else {
        return;
    };
    let place = runner.map_or_else(
        || "nothing compiles it first".to_owned(),
        |place| format!("{place} runs what lies there"),
    );
    let compiles = if ground.hint.command.is_empty() { false } else { calls_compiler(&ground.hint.command) };
    if runner.is_none() && compiles {
        return;
    }
    ground.suspect(
        Suspicion::new(
            Probe::StaleBuild,
            format!("the classes in {root} are not those of the sources: {what}"),
            place,
            format!("compile into {root} again"),
        )
        .strength(if runner.is_some() { Strength::Likely } else { Strength::Hinted })
        .naming(names),
    );
}

/// Jars of the project's own classes that are older than their sources.
fn jars(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let mut sources: BTreeMap<String, &File> = BTreeMap::new();
    for source in tree.examined(&[".java"]) {
        let Some(text) = tree.text(&source.path) else { continue };
        let package = PACKAGE.first(&text).map(|hit| hit.group(1).replace('.', "/")).unwrap_or_default();
        sources.insert(under(&package, &format!("{}.class", stem(&source.path))), source);
    }
    for jar in tree.files().iter().filter(|file| file.path.ends_with(".jar")) {
        let Some(names) = tree.bytes(&jar.path, 24 << 20).and_then(|it| super::class_path::names_in(&it))
        else {
            continue;
        };
        let own: Vec<&File> = names.iter().filter_map(|name| sources.get(name).copied()).collect();
        let Some(source) = own.iter().find(|source| is_older(ground, jar, source)) else { continue };
        let user = ground.scripts().all.iter().find_map(|script| {
            let lines = said(ground, script);
            let builds = lines.iter().any(|(_, line)| {
                calls_compiler(line) || has_word(line, "jar cf") || line.contains("jar --create")
            });
            let use_of = lines.iter().find(|(_, line)| {
                let words = line.split(|c: char| c.is_whitespace() || "\"':=,;()".contains(c));
                words
                    .filter(|it| it.ends_with(".jar"))
                    .any(|it| Scripts::places(tree, script, it).contains(&jar.path))
            });
            use_of.filter(|_| !builds).map(|(number, _)| format!("{}:{number}", script.path))
        });
        let commanded = ground.hint.commands(base(&jar.path)) && !calls_compiler(&ground.hint.command);
        let Some(user) = user.or_else(|| commanded.then(|| "the command".to_owned())) else { continue };
        ground.suspect(
            Suspicion::new(
                Probe::StaleBuild,
                format!("{} is older than {}, which it was made from", jar.path, source.path),
                format!("{user} uses it as it is"),
                format!("build {} again", jar.path),
            )
            .naming([
                jar.path.clone(),
                base(&jar.path).to_owned(),
                stem(&source.path).to_owned(),
            ]),
        );
    }
}

/// Classes that a newer Java compiled.
fn newer(ground: &Ground<'_>, output: &Output<'_>) {
    let Some((_, class)) = output.pairs.first() else { return };
    let Some(bytes) = ground.tree.bytes(&class.path, 1 << 20) else { return };
    let Some([0xCA, 0xFE, 0xBA, 0xBE, _, _, high, low]) = bytes.get(..8) else { return };
    let release = (u64::from(*high) << 8 | u64::from(*low)).saturating_sub(44);
    super::java_toolchain::jdk(ground, release, &class.path, "was compiled for Java");
}
