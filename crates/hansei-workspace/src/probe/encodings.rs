//! Encodings: sources that are not what they say, and variables that make programs read and write another one than the project's.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::base;

/// The largest file that is looked at.
const LARGEST: u64 = 256 << 10;

static CODING: Pattern = Pattern::new(r"^[ \t\f]*#.*?coding[:=][ \t]*([\w.-]+)");
static JAVA_ENCODING: Pattern = Pattern::new(r"-Dfile\.encoding=([\w-]+)");
static TOLD: Pattern =
    Pattern::new(r"-encoding\s|sourceEncoding|options\.encoding|encoding\s*=\s*.UTF|-Dfile\.encoding=");
static DEFAULT_CHARSET: Pattern = Pattern::new(
    r"new FileReader\(\s*[^,()]+(?:\([^()]*\))?\s*\)|new FileWriter\(|\.getBytes\(\s*\)|new Scanner\(\s*[^,\n]+\)|new InputStreamReader\(\s*[^,\n]+\)|new PrintWriter\(|new PrintStream\(",
);
static WIDE: Pattern = Pattern::new(
    r"\b(?:mbstowcs|mbrtowc|mbtowc|wcstombs|wprintf|fwprintf|fgetws|fgetwc|fputws|getwline|mbsrtowcs)\s*\(",
);

pub(super) fn probe(ground: &Ground<'_>) {
    python(ground);
    java(ground);
    wide(ground);
}

/// The name of the variable that decides about characters, and what it says.
fn characters<'a>(ground: &Ground<'a>) -> (&'static str, &'a str) {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    names.iter().find_map(|name| Some((*name, ground.variable(name)?))).unwrap_or(("LANG", "C"))
}

fn is_narrow(locale: &str) -> bool {
    matches!(locale, "C" | "POSIX")
        || locale.to_lowercase().replace('-', "").contains("8859")
        || locale.ends_with(".ascii")
}

/// The first file with one of these endings that is not ASCII.
fn beyond_ascii<'a>(ground: &'a Ground<'_>, endings: &'a [&'a str]) -> Option<&'a str> {
    let mut files = ground.tree.examined(endings);
    let file =
        files.find(|file| ground.tree.bytes(&file.path, LARGEST).is_some_and(|bytes| !bytes.is_ascii()))?;
    Some(&file.path)
}

fn python(ground: &Ground<'_>) {
    let other = |name: &str| {
        ground.variable(name).filter(|it| {
            let it = it.to_lowercase().replace(['-', '_'], "");
            !it.starts_with("utf") && !it.starts_with(':')
        })
    };
    let output = other("PYTHONIOENCODING").is_some();
    let (name, locale) = characters(ground);
    let narrow = (ground.variable("PYTHONUTF8") == Some("0") && is_narrow(locale))
        || (!matches!(locale, "C" | "POSIX")
            && is_narrow(locale)
            && ground.variable("PYTHONUTF8") != Some("1"));
    for file in ground.tree.examined(&[".py"]) {
        let Some(bytes) = ground.tree.bytes(&file.path, LARGEST) else { continue };
        if bytes.is_ascii() {
            continue;
        }
        if let Err(error) = std::str::from_utf8(&bytes) {
            let head: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(2).collect();
            let head = head.join(&b'\n');
            let head = String::from_utf8_lossy(&head);
            let declared = CODING.first(&head).map(|hit| hit.group(1).to_lowercase());
            if declared.is_none_or(|it| it.starts_with("utf")) && !bytes.contains(&0) {
                let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
                ground.suspect(
                    Suspicion::new(
                        Probe::ClockLocale,
                        format!("{} is not UTF-8, and declares no other encoding", file.path),
                        format!("{}:{line}", file.path),
                        format!("iconv -f latin1 -t utf-8 {0} -o {0}", file.path),
                    )
                    .strength(Strength::Certain)
                    .naming([
                        file.path.clone(),
                        base(&file.path).to_owned(),
                        "codec".to_owned(),
                    ]),
                );
            }
        }
    }
    if !output && !narrow || ground.tree.examined(&[".py"]).next().is_none() {
        return;
    }
    let data =
        [".py", ".txt", ".csv", ".json", ".md", ".html", ".yaml", ".yml", ".toml", ".ini", ".tsv", ".xml"];
    let Some(path) = beyond_ascii(ground, &data) else { return };
    let variable = match (output, ground.variable("PYTHONUTF8")) {
        (true, _) => "PYTHONIOENCODING",
        (false, Some("0")) => "PYTHONUTF8",
        _ => name,
    };
    ground.suspect(
        Suspicion::new(
            Probe::ClockLocale,
            format!("the variable {variable} makes Python read and write another encoding than UTF-8, and the project is not ASCII"),
            format!("{variable} in the environment, {path}"),
            format!("unset {variable}; export LANG=C.UTF-8"),
        )
        .naming(["codec", "ascii", "UnicodeEncodeError", "UnicodeDecodeError"]),
    );
}

/// Java before 18 reads sources and texts in the encoding of the machine, unless it is told another.
fn java(ground: &Ground<'_>) {
    let tree = &ground.tree;
    if tree.examined(&[".java"]).next().is_none() {
        return;
    }
    let by_option = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVAC_OPTS", "MAVEN_OPTS"]
        .iter()
        .find_map(|name| {
            let hit = JAVA_ENCODING.first(ground.variable(name)?)?;
            Some((*name, hit.group(1).to_lowercase()))
        });
    let variable = match by_option {
        Some((_, encoding)) if encoding.starts_with("utf") => return,
        Some((name, _)) => name,
        None => {
            let (name, locale) = characters(ground);
            let found = ground.programs.version("javac").and_then(|it| it.numbers.first().copied());
            if !is_narrow(locale) || found.is_none_or(|it| it >= 18) {
                return;
            }
            name
        }
    };
    let builds = tree.files().iter().filter(|file| {
        let name = base(&file.path);
        matches!(
            name,
            "pom.xml"
                | "build.gradle"
                | "build.gradle.kts"
                | "build.xml"
                | "gradle.properties"
                | "jvm.config"
        ) || name.ends_with(".argfile")
    });
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let is_told = builds
        .map(|it| it.path.as_str())
        .chain(scripts)
        .any(|path| tree.text(path).is_some_and(|text| TOLD.is_in(&text)));
    let reader = || {
        tree.examined(&[".java"]).find_map(|file| {
            let text = tree.text(&file.path)?;
            let hit = DEFAULT_CHARSET.first(&text)?;
            Some(format!("{}:{}", file.path, hit.line()))
        })
    };
    let data = [".txt", ".csv", ".json", ".properties", ".html", ".yaml", ".md", ".tsv", ".xml"];
    let seen = match beyond_ascii(ground, &[".java"]) {
        Some(path) if !is_told => format!("{path} is not ASCII, and nothing gives javac its -encoding"),
        _ => match (reader(), beyond_ascii(ground, &data)) {
            (Some(place), Some(path)) => {
                format!("{place} reads or writes with the machine's encoding, {path} is not ASCII")
            }
            _ => return,
        },
    };
    ground.suspect(
        Suspicion::new(
            Probe::ClockLocale,
            format!("the variable {variable} makes Java read and write another encoding than UTF-8 (file.encoding), and the project is not ASCII"),
            format!("{variable} in the environment; {seen}"),
            format!("set {variable} to UTF-8 (LC_ALL=C.UTF-8, -Dfile.encoding=UTF-8), or javac -encoding UTF-8"),
        )
        .naming(["unmappable", "encoding", "MalformedInputException", "UnmappableCharacterException", "AssertionError"]),
    );
}

/// Characters beyond ASCII in a program in C that asks the locale.
fn wide(ground: &Ground<'_>) {
    let (name, locale) = characters(ground);
    if !is_narrow(locale) {
        return;
    }
    let tree = &ground.tree;
    let user = tree.examined(&[".c", ".cpp", ".cc"]).find_map(|file| {
        let text = tree.text(&file.path).filter(|text| WIDE.is_in(text))?;
        Some(format!("{}:{}", file.path, WIDE.first(&text)?.line()))
    });
    let sets = tree
        .examined(&[".c", ".cpp", ".cc"])
        .any(|file| tree.text(&file.path).is_some_and(|text| text.contains("setlocale")));
    let data = [".c", ".cpp", ".txt", ".csv", ".json", ".ini", ".conf", ".sh", ".tsv"];
    if let (Some(place), true, Some(path)) = (user, sets, beyond_ascii(ground, &data)) {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the variable {name} sets a locale without characters beyond ASCII, and the program converts them"),
                format!("{place} converts, {path} is not ASCII"),
                format!("export {name}=C.UTF-8"),
            )
            .naming(["multibyte", "Invalid or incomplete", "locale"]),
        );
    }
}
