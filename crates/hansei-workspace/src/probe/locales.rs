//! Locales that a program sets and this machine does not have, and locales whose numbers and dates tests do not expect.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{base, is_test};

/// A call that sets the locale, with what it is given.
static SET: Pattern = Pattern::new(r"\b(?:setlocale|newlocale)\s*\(\s*[\w.|: ]+,\s*([^\n]*)");
/// A locale with its encoding, or one under a key that says so.
static NAME: Pattern =
    Pattern::new(r#"(?:["'=:(,\s]|^)([a-z]{2,3}_[A-Z]{2}(?:\.[A-Za-z0-9-]+)?(?:@[a-z]+)?)(?:["'),;\s]|$)"#);
static TRIES: Pattern = Pattern::new(r"\b(?:try|with\s+suppress|with\s+contextlib|if)\b");
static CHECKED: Pattern = Pattern::new(r"(?:=|\(|!|return|assert)\s*(?:\(\s*)?setlocale\s*\(");
static FORMATS_JAVA: Pattern = Pattern::new(
    r#"String\.format\(\s*"[^"\n]*%[^"\n]*[fdteE]|\.formatted\(|new DecimalFormat\(\s*"[^"\n]*"\s*\)|NumberFormat\.get\w*Instance\(\s*\)|new SimpleDateFormat\(\s*"[^"\n]*"\s*\)|ofPattern\(\s*"[^"\n]*"\s*\)|\.to(?:Upper|Lower)Case\(\s*\)|\bprintf\(\s*"[^"\n]*%[^"\n]*f"#,
);
static FORMATS_NODE: Pattern = Pattern::new(
    r"\.toLocale(?:Date|Time)?String\(\s*(?:\)|undefined|\[\s*\])|\bIntl\.\w+\(\s*(?:\)|undefined)|\.localeCompare\(\s*[\w.]+\s*\)",
);

const CODE: &[&str] = &[".py", ".c", ".cpp", ".cc", ".h", ".hpp", ".php", ".rb", ".pl"];
const SETTINGS: &[&str] =
    &[".ini", ".toml", ".yaml", ".yml", ".json", ".properties", ".conf", ".cfg", ".env"];

pub(super) fn probe(ground: &Ground<'_>) {
    installed(ground);
    formats(ground);
}

fn plain(locale: &str) -> String {
    locale.to_lowercase().replace(['-', '_'], "")
}

/// A locale that is needed, where it is named, and whether the name may be told.
struct Needed {
    name: String,
    place: String,
    variable: Option<String>,
    strength: Strength,
}

fn installed(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let mut needed: Vec<Needed> = Vec::new();
    let (mut takes_any, mut takes_environment) = (false, None);
    let mut texts = Vec::new();
    for file in tree.examined(CODE) {
        let Some(text) = tree.text(&file.path).filter(|text| text.contains("locale")) else { continue };
        let language = match file.path.rsplit('.').next() {
            Some("py" | "rb" | "pl") => Language::Python,
            _ => Language::C,
        };
        let plain = code(&text, language);
        let lines: Vec<&str> = plain.lines().collect();
        for hit in SET.all(&plain) {
            let at = hit.line() - 1;
            // A program in C that does not look at the answer goes on with what there is.
            let is_checked = language == Language::Python
                || CHECKED.is_in(lines[at])
                || lines.get(at + 1).is_some_and(|it| it.contains("NULL") || it.contains("if (!"));
            let before = lines[at.saturating_sub(2)..at].join("\n");
            let is_tried = (language == Language::Python && TRIES.is_in(&before))
                || before.contains("raises")
                || before.contains("Raises");
            if !is_checked || is_tried {
                continue;
            }
            let place = format!("{}:{}", file.path, hit.line());
            let given = hit.group(1).trim();
            if let Some(quoted) = given.strip_prefix(['"', '\'']) {
                let name = quoted.split(['"', '\'']).next().unwrap_or_default();
                if name.is_empty() {
                    takes_environment.get_or_insert(place);
                } else {
                    needed.push(Needed {
                        name: name.to_owned(),
                        place: format!("{place} sets it"),
                        variable: None,
                        strength: Strength::Certain,
                    });
                }
            } else if !given.starts_with("None") && !given.starts_with("NULL") && !given.starts_with('0') {
                takes_any = true;
            }
        }
        texts.push((file.path.clone(), text));
    }
    if let Some(place) = &takes_environment {
        let variables = [
            "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_MONETARY", "LC_COLLATE", "LC_MESSAGES", "LANG",
        ];
        let all = ground.variable("LC_ALL").is_some();
        for name in variables.iter().filter(|name| !all || **name == "LC_ALL") {
            if let Some(value) = ground.variable(name) {
                needed.push(Needed {
                    name: value.to_owned(),
                    place: format!("{place} takes the locale of the variable {name}"),
                    variable: Some((*name).to_owned()),
                    strength: Strength::Certain,
                });
            }
        }
    }
    if takes_any {
        needed.extend(named(ground, &texts));
    }
    needed.extend(scripted(ground, takes_environment.is_some()));
    if needed.is_empty() {
        return;
    }
    absent(ground, needed);
}

/// Tells those that this machine does not have.
fn absent(ground: &Ground<'_>, needed: Vec<Needed>) {
    let Some(there) = ground.programs.locales() else { return };
    for it in needed {
        let name = &it.name;
        let is_made = name.contains(['{', '%', '$', ' ']);
        if is_made
            || matches!(name.as_str(), "C" | "POSIX")
            || there.iter().any(|other| plain(other) == plain(name))
        {
            continue;
        }
        // The variables of the system are no secrets, others may be.
        let told = it.variable.as_ref().is_none_or(|it| it.starts_with("LC_") || it == "LANG");
        let what = match (&it.variable, told) {
            (Some(variable), true) => {
                format!("the locale {name:?} is not installed, and the variable {variable} asks for it")
            }
            (Some(variable), false) => {
                format!("the variable {variable} asks for a locale that is not installed")
            }
            (None, _) => format!("the locale {name:?} is not installed"),
        };
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                what,
                format!("{}, `locale -a` does not list it", it.place),
                if told {
                    format!("locale-gen {name} (Debian: apt-get install locales), or use C.UTF-8")
                } else {
                    "use C.UTF-8, or install the locale".to_owned()
                },
            )
            .strength(it.strength)
            .naming([
                name.clone(),
                "unsupported locale setting".to_owned(),
                "locale".to_owned(),
                "setlocale".to_owned(),
            ]),
        );
    }
}

/// Locales that settings, constants and variables name, for a program that sets what it is told.
fn named(ground: &Ground<'_>, texts: &[(String, std::rc::Rc<str>)]) -> Vec<Needed> {
    let tree = &ground.tree;
    let mut found = Vec::new();
    let settings = tree.files().iter().filter(|file| tree.is_examined(&file.path)).filter(|file| {
        SETTINGS.iter().any(|it| file.path.ends_with(it)) || base(&file.path).starts_with(".env")
    });
    let settings = settings.filter(|file| !file.path.contains("example") && !file.path.contains("lock"));
    let settings = settings.filter_map(|file| Some((file.path.clone(), tree.text(&file.path)?, true)));
    let code = texts
        .iter()
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| (path.clone(), text.clone(), false));
    for (path, text, is_settings) in settings.chain(code) {
        for (at, line) in text.lines().enumerate() {
            let Some(hit) = NAME.first(line) else { continue };
            let name = hit.group(1);
            let lower = line.to_lowercase();
            let says_so = name.contains('.') || lower.contains("locale") || lower.contains("lc_");
            let is_comment = ["# ", "//", ";", "*"].iter().any(|it| line.trim_start().starts_with(it));
            // A list of several is one to choose from.
            let is_one = NAME.all(line).len() == 1 && !(lower.contains('[') && lower.contains(','));
            if says_so && is_one && !is_comment && (is_settings || name.contains('.')) {
                found.push(Needed {
                    name: name.to_owned(),
                    place: format!("{path}:{} names it", at + 1),
                    variable: None,
                    strength: Strength::Likely,
                });
            }
        }
    }
    for (name, value) in &ground.environment {
        let is_locale = NAME.first(value).is_some_and(|hit| hit.group(1) == *value);
        let is_read = || {
            texts.iter().any(|(_, text)| has_word(text, name))
                || tree.examined(CODE).filter_map(|it| tree.text(&it.path)).any(|text| has_word(&text, name))
        };
        if is_locale && !name.starts_with("LC_") && *name != "LANG" && is_read() {
            found.push(Needed {
                name: (*value).to_owned(),
                place: format!("the variable {name} in the environment"),
                variable: Some((*name).to_owned()),
                strength: Strength::Likely,
            });
        }
    }
    found
}

/// Locales that scripts and Makefiles choose for what they run.
fn scripted(ground: &Ground<'_>, is_taken: bool) -> Vec<Needed> {
    static CHOSEN: Pattern = Pattern::new(r#"\b(?:LC_\w+|LANG)=["']?([a-z]{2,3}_[A-Z]{2}[\w.@-]*)"#);
    let mut found = Vec::new();
    for script in &ground.scripts().all {
        for (number, line) in &script.lines {
            for hit in CHOSEN.all(line) {
                let called =
                    ground.hint.commands(base(&script.path)) || ground.hint.speaks_of(base(&script.path));
                found.push(Needed {
                    name: hit.group(1).to_owned(),
                    place: format!("{}:{number} chooses it", script.path),
                    variable: None,
                    strength: if is_taken || called { Strength::Likely } else { Strength::Hinted },
                });
            }
        }
    }
    found
}

/// Numbers and dates that are written as the machine's language has them, where tests know one way only.
fn formats(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let speaks = |value: &str| {
        let language: String = value.chars().take_while(char::is_ascii_alphabetic).collect();
        (!matches!(language.to_lowercase().as_str(), "c" | "en" | "posix" | "")).then_some(language)
    };
    let of_java =
        ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS"].iter().find_map(|name| {
            let value = ground.variable(name)?.split("-Duser.language=").nth(1)?;
            Some((*name, speaks(value)?))
        });
    let of_node =
        ["LC_ALL", "LC_MESSAGES"].iter().find_map(|name| Some((*name, speaks(ground.variable(name)?)?)));
    let rules = [
        (of_java, [".java", ".kt"].as_slice(), &FORMATS_JAVA, "Locale.ROOT"),
        (of_node, [".js", ".mjs", ".ts", ".cjs"].as_slice(), &FORMATS_NODE, "a locale of its own"),
    ];
    for (variable, endings, pattern, given) in rules {
        let Some((variable, _)) = variable else { continue };
        let use_of = tree.examined(endings).filter(|file| !is_test(&file.path)).find_map(|file| {
            let text = tree.text(&file.path)?;
            let hit = pattern.first(&text)?;
            Some(format!("{}:{}", file.path, hit.line()))
        });
        if let Some(place) = use_of {
            ground.suspect(
                Suspicion::new(
                    Probe::ClockLocale,
                    format!("the variable {variable} sets another language, and {} writes numbers, dates or letters as the machine's language has them", place.split(':').next().unwrap_or("the code")),
                    format!("{place}, {variable} in the environment"),
                    format!("unset {variable}, or give {given} in {place}"),
                )
                .strength(Strength::Possible)
                .naming([variable.to_owned(), base(place.split(':').next().unwrap_or_default()).to_owned()]),
            );
        }
    }
}
