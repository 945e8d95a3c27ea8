//! Java without a build tool: jars that scripts and Makefiles put on the class path, and imports that no jar has.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::script_files::{Lines, Script, Scripts, UNKNOWN};
use super::source_text::{Language, code};
use super::tree::{base, join, parent, stem};

/// The largest jar whose list of names is read.
const LARGEST_JAR: u64 = 24 << 20;
/// Folders that a build fills.
pub(super) const OUTPUTS: &[&str] = &["target", "build", "out", "dist", "classes", "bin", "tmp", "release"];
/// Packages that come with Java.
const OWN: &[&str] =
    &["java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.", "org.xml.", "org.ietf.", "netscape."];

/// What makes or fetches a file that is not there yet.
static MAKES: Pattern =
    Pattern::new(r"(?:^|[\s;&|(@])(?:jar|curl|wget|cp|mv|ln|mvnw?|gradlew?|install|fetch|touch)\s");
static NAMED_JAR: Pattern =
    Pattern::new(r#"["'>:\s=(]((?:\$\{[\w.]+\}/|\./)?[\w][\w./-]*/[\w.-]+\.jar)["'<:\s,)]"#);
static IMPORT: Pattern = Pattern::new(r"^import\s+(?:static\s+)?((?:[a-z_]\w*\.)+)([A-Z]\w*)");
static PACKAGE: Pattern = Pattern::new(r"^package\s+([\w.]+)\s*;");

pub(super) fn probe(ground: &Ground<'_>) {
    if ground.tree.examined(&[".java", ".kt", ".scala"]).next().is_none() {
        return;
    }
    let mut is_known = true;
    for script in &ground.scripts().all {
        is_known &= scripted(ground, script);
    }
    manifests(ground);
    if is_known {
        imports(ground);
    }
}

/// Everything that a script says, line by line, in every reading.
pub(super) fn said(ground: &Ground<'_>, script: &Script) -> Lines {
    ground.scripts().said(&ground.tree, script)
}

/// Whether a line asks first whether something is there.
fn is_asked(line: &str) -> bool {
    ["[ -", "[[ -", "test -", "if ", "|| ", "exists"].iter().any(|it| line.contains(it))
}

/// The jars that a script names; whether all that it puts on the class path is known.
fn scripted(ground: &Ground<'_>, script: &Script) -> bool {
    let lines = said(ground, script);
    let made: BTreeSet<&str> = lines
        .iter()
        .filter(|(_, line)| MAKES.is_in(line) || is_asked(line))
        .flat_map(|(_, line)| line.split([' ', '"', '\'', '=', ':', '\t']))
        .map(base)
        .chain(script.rules.iter().flat_map(|rule| rule.targets.split_whitespace()).map(base))
        .collect();
    let mut is_known = true;
    for (number, line) in lines.iter() {
        let runs = super::hint::has_word(line, "javac") || super::hint::has_word(line, "java");
        is_known &= !(runs
            && (line.contains("$HOME")
                || line.contains("/usr/share")
                || line.contains(".m2")
                || line.contains('*')
                || line.split_whitespace().any(|it| it.contains(UNKNOWN) && it.contains(".jar"))));
        for word in line.split(|c: char| c.is_whitespace() || "\"':=,;()".contains(c)) {
            if !word.ends_with(".jar") || made.contains(base(word)) {
                continue;
            }
            let places = Scripts::places(&ground.tree, script, word);
            let is_output = word.split('/').any(|part| OUTPUTS.contains(&part));
            let is_made = |it: &String| ground.tree.presence(it).may_be() || ground.is_ignored(it);
            // A name by itself gets its folder elsewhere.
            let is_bare =
                !word.contains('/') && ground.tree.files().iter().any(|file| base(&file.path) == word);
            if places.is_empty() || is_output || is_bare || places.iter().any(is_made) {
                continue;
            }
            let shown = places.iter().find(|it| ground.tree.has_folder(parent(it))).unwrap_or(&places[0]);
            absent(ground, shown, &script.path, *number);
        }
    }
    is_known
}

fn absent(ground: &Ground<'_>, jar: &str, path: &str, number: usize) {
    // The same library of another version, or in another folder.
    let name = |it: &str| stem(it).split(['-', '_']).next().unwrap_or_default().to_lowercase();
    let jars = ground.tree.files().iter().filter(|file| file.path.ends_with(".jar"));
    let other = jars.map(|file| &file.path).find(|it| name(it) == name(jar));
    let (there, fix) = match other {
        Some(other) => (
            format!(", only {other} is there"),
            format!("name {other} in {path}, or put {} into {}/", base(jar), parent(jar)),
        ),
        None => (
            String::new(),
            ground.restored(jar).unwrap_or_else(|| format!("put {} into {}/", base(jar), parent(jar))),
        ),
    };
    ground.suspect(
        Suspicion::new(
            Probe::Dependencies,
            format!("{path} puts {jar} on the class path, which does not exist{there}"),
            format!("{path}:{number}"),
            fix,
        )
        .strength(Strength::Certain)
        .naming([jar.to_owned(), base(jar).to_owned(), name(jar)]),
    );
}

/// Jars that the files of other tools name by their path.
fn manifests(ground: &Ground<'_>) {
    for file in ground.tree.files().iter().filter(|file| ground.tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let is_one = matches!(
            name,
            ".classpath" | "build.xml" | "MANIFEST.MF" | "build.gradle" | "build.gradle.kts" | "pom.xml"
        ) || name.ends_with(".classpath")
            || name.ends_with(".argfile");
        let Some(text) = ground.tree.text(&file.path).filter(|_| is_one) else { continue };
        for hit in NAMED_JAR.all(&text) {
            let named = hit.group(1);
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
            if name == "pom.xml" && !line.contains("systemPath")
                || line.contains("destfile")
                || line.contains("jarfile")
            {
                continue;
            }
            let (variable, rest) = named.split_once("}/").unwrap_or(("", named));
            let is_own =
                variable.is_empty() || variable.contains("basedir") || variable.contains("projectDir");
            let Some(target) = join(parent(&file.path), rest).filter(|_| is_own) else { continue };
            let is_output = rest.split('/').any(|part| OUTPUTS.contains(&part));
            if !is_output && !ground.tree.presence(&target).may_be() && !ground.is_ignored(&target) {
                absent(ground, &target, &file.path, hit.line());
            }
        }
    }
}

/// Imports of packages that neither the project nor Java nor one of its jars has.
fn imports(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let tools = [
        "pom.xml", "build.gradle", "build.gradle.kts", "build.xml", "ivy.xml", "BUILD", "BUILD.bazel",
        "build.sbt",
    ];
    let compiles =
        ground.scripts().all.iter().any(|it| it.lines.iter().any(|(_, line)| line.contains("javac")));
    if !compiles
        || tools.iter().any(|name| tree.named(name).next().is_some())
        || ground.variable("CLASSPATH").is_some()
    {
        return;
    }
    let mut known: BTreeSet<String> = BTreeSet::new();
    for jar in tree.files().iter().filter(|file| file.path.ends_with(".jar")) {
        // A jar that cannot be read may have anything.
        let Some(names) = tree.bytes(&jar.path, LARGEST_JAR).and_then(|bytes| names_in(&bytes)) else {
            return;
        };
        known.extend(names.iter().filter(|it| it.ends_with(".class")).map(|it| parent(it).replace('/', ".")));
    }
    let classes = tree.files().iter().filter(|file| file.path.ends_with(".class"));
    let classes: Vec<&str> = classes.map(|file| parent(&file.path)).collect();
    let sources: Vec<_> = tree.files().iter().filter(|file| file.path.ends_with(".java")).collect();
    for source in &sources {
        let Some(text) = tree.text(&source.path) else { continue };
        known.extend(PACKAGE.first(&text).map(|hit| hit.group(1).to_owned()));
    }
    for source in sources.iter().filter(|file| tree.is_examined(&file.path)) {
        let Some(text) = tree.text(&source.path) else { continue };
        for hit in IMPORT.all(&code(&text, Language::C)) {
            let package = hit.group(1).trim_end_matches('.');
            let folder = package.replace('.', "/");
            let is_compiled = classes.iter().any(|it| *it == folder || it.ends_with(&format!("/{folder}")));
            if known.contains(package) || is_compiled || OWN.iter().any(|own| hit.group(1).starts_with(own)) {
                continue;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("the package {package} is imported, and neither the sources nor a jar of the project has it"),
                    format!("{}:{} imports {package}.{}", source.path, hit.line(), hit.group(2)),
                    format!("put the jar that has {package} beside the others, and on the class path"),
                )
                .naming([package.to_owned()]),
            );
        }
    }
}

/// The names in a zip archive, by its list at the end.
pub(super) fn names_in(bytes: &[u8]) -> Option<Vec<String>> {
    let number = |at: usize, count: usize| {
        let part = bytes.get(at..at + count)?;
        Some(part.iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let end = bytes.windows(4).rposition(|it| it == b"PK\x05\x06")?;
    let (count, mut at) = (number(end + 10, 2)?, number(end + 16, 4)?);
    let mut names = Vec::new();
    for _ in 0..count {
        (bytes.get(at..at + 4)? == b"PK\x01\x02").then_some(())?;
        let (name, extra, comment) = (number(at + 28, 2)?, number(at + 30, 2)?, number(at + 32, 2)?);
        names.push(String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name)?).into_owned());
        at += 46 + name + extra + comment;
    }
    Some(names)
}
