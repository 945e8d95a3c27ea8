//! Releases of Java that a build asks for, against the JDK at hand.

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{base, under, upwards};

static JAVA_RELEASE: Pattern = Pattern::new(
    r"<(?:maven\.compiler\.(?:release|source|target)|release|source|target|java\.version)>\s*(?:1\.)?(\d+)\s*</",
);
static GRADLE_JAVA: Pattern = Pattern::new(
    r"(?:JavaLanguageVersion\.of\(|JavaVersion\.VERSION_(?:1_)?|(?:source|target)Compatibility\s*=\s*['\x22]?|options\.release\s*=\s*|jvmToolchain\()(\d+)",
);
static COMPILED_FOR: Pattern =
    Pattern::new(r#"(?:^|\s)(?:--release|--?source|--?target)[ =]["']?(?:1\.)?(\d+)(?:["'\s]|$)"#);
static SDKMAN: Pattern = Pattern::new(r"^java=(\d+)");
static ASDF: Pattern = Pattern::new(r"^java\s+\D*?(\d+)");
static PLAIN: Pattern = Pattern::new(r"^\s*(?:1\.)?(\d+)(?:[.\s]|$)");
/// What came with a later release, as it stands in the code.
static CAME: [(&str, u64, Pattern); 8] = [
    (
        "virtual threads",
        21,
        Pattern::new(
            r"\bThread\s*\.\s*(?:ofVirtual|startVirtualThread)\b|\bnewVirtualThreadPerTaskExecutor\b",
        ),
    ),
    ("sequenced collections", 21, Pattern::new(r"\bjava\.util\.Sequenced(?:Collection|Map|Set)\b")),
    ("Math.clamp", 21, Pattern::new(r"\bMath\.clamp\s*\(")),
    (
        "patterns in a switch",
        21,
        Pattern::new(
            r"^\s*case\s+[A-Z]\w*(?:<[^>\n]*>)?\s+[a-z]\w*\s*(?:->|when\b)|^\s*case\s+[A-Z]\w*\s*\([^)\n]*\b[A-Za-z]\w*\s+[a-z]\w*[^)\n]*\)\s*(?:->|when\b)",
        ),
    ),
    ("stream gatherers", 24, Pattern::new(r"\bjava\.util\.stream\.Gatherers?\b")),
    ("sealed types", 17, Pattern::new(r"^\s*(?:public\s+)?(?:abstract\s+)?sealed\s+(?:class|interface)\b")),
    ("records", 16, Pattern::new(r"^\s*(?:public\s+|private\s+|static\s+)*record\s+[A-Z]\w*\s*[(<]")),
    ("text blocks", 15, Pattern::new(r#"=\s*"""\s*$"#)),
];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let nearest = |name: &str| {
        upwards(tree.scope()).find_map(|folder| {
            let path = under(folder, name);
            Some((tree.text(&path)?, path))
        })
    };
    for (name, pattern) in [(".sdkmanrc", &SDKMAN), (".tool-versions", &ASDF), (".java-version", &PLAIN)] {
        if let Some((text, path)) = nearest(name)
            && let Some(hit) = pattern.first(&text)
        {
            asked(ground, hit.group(1), &format!("{path}:{}", hit.line()));
        }
    }
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let pattern = match name {
            "pom.xml" => &JAVA_RELEASE,
            "build.gradle" | "build.gradle.kts" => &GRADLE_JAVA,
            _ if name.ends_with(".argfile") || name.starts_with("javac.") || name.ends_with(".javac") => {
                &COMPILED_FOR
            }
            _ => continue,
        };
        let Some(text) = tree.text(&file.path) else { continue };
        for hit in pattern.all(&text) {
            asked(ground, hit.group(1), &format!("{}:{}", file.path, hit.line()));
        }
    }
    if tree.examined(&[".java"]).next().is_none() {
        return;
    }
    for script in &ground.scripts().all {
        for (number, line) in said(ground, script).iter() {
            // Also where a tool of the project's own hands the options on.
            let compiles = has_word(line, "javac") || has_word(line, "java") || line.contains("--release");
            for hit in COMPILED_FOR.all(line).iter().filter(|_| compiles) {
                asked(ground, hit.group(1), &format!("{}:{number}", script.path));
            }
        }
    }
    features(ground);
}

/// What the code uses and the JDK at hand does not know.
fn features(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[".java"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for (what, release, pattern) in &CAME {
            if let Some(hit) = pattern.first(&text) {
                let place = format!("{}:{}", file.path, hit.line());
                jdk(ground, *release, &place, &format!("uses {what}, which came with Java"));
            }
        }
    }
}

/// The release that a line of options asks for.
pub(super) fn compiled_for(ground: &Ground<'_>, line: &str, place: &str) {
    for hit in COMPILED_FOR.all(line) {
        asked(ground, hit.group(1), place);
    }
}

fn asked(ground: &Ground<'_>, wanted: &str, place: &str) {
    let Ok(wanted) = wanted.parse::<u64>() else { return };
    jdk(ground, wanted, place, "asks for");
}

/// A release of Java that something asks for, against the compiler at hand.
pub(super) fn jdk(ground: &Ground<'_>, wanted: u64, place: &str, asks: &str) {
    let found = ground.programs.version("javac").or_else(|| ground.programs.version("java"));
    let Some(found) = found else { return };
    let has =
        if found.numbers[0] == 1 { found.numbers.get(1).copied().unwrap_or(0) } else { found.numbers[0] };
    // Gradle finds other JDKs by itself, and whoever has one for Maven will have set it.
    let other = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().contains(&format!("-{wanted}-")));
    if wanted <= has || other || wanted > 99 {
        return;
    }
    let path = place.split(':').next().unwrap_or(place);
    ground.suspect(
        Suspicion::new(
            Probe::Toolchain,
            format!("java {found} is on PATH, and {path} {asks} {wanted}"),
            place.to_owned(),
            format!("install a JDK {wanted}: apt-get install openjdk-{wanted}-jdk-headless"),
        )
        .strength(Strength::Certain)
        .naming(["java".to_owned(), wanted.to_string(), "UnsupportedClassVersionError".to_owned()]),
    );
}
