//! Time zones: names that do not exist, in variables, settings and code; and a zone of the machine that tests do not expect.

use std::path::Path;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::{Hit, Pattern};
use super::tree::{File, base, is_test};

pub(super) const ZONES: &str = "/usr/share/zoneinfo";

/// What loads a zone by its name.
static LOADS: Pattern = Pattern::new(
    r"\bZoneInfo\s*\(|\btimezone\s*\(\s*[\w'\x22]|\bgettz\s*\(|\bLoadLocation\s*\(|\bZoneId\.of\s*\(|\bgetTimeZone\s*\(|\btimeZone\s*:|\btzset\s*\(|\btz\s*\(|\bsetZone\s*\(|\bfind_tz\b|\bchrono_tz\b|\bTzInfo\b|\bDateTimeZone\b|\bTZ=",
);
/// A whole value or a whole literal that is made like a zone's name.
static NAME: Pattern = Pattern::new(
    r#"(?:["'=:(,\s]|^)((?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US|Canada|Brazil)/[A-Z][A-Za-z]*(?:[_+-][A-Za-z0-9]+)*(?:/[A-Z][A-Za-z_]+)?)(?:["'),;\s]|$)"#,
);
/// Words that stand where a zone is wrong on purpose.
static ON_PURPOSE: Pattern = Pattern::new(
    r"raises|throw|invalid|unknown|\bbad|wrong|nonexist|not_?found|unsupported|rejects|fails|== nil",
);
static LOCAL_TIME: Pattern = Pattern::new(
    r"fromtimestamp\(\s*[^,()]*(?:\([^()]*\))?[^,()]*\)|\btime\.localtime\(|\btime\.strftime\(|\.astimezone\(\)|\bmktime\(|\.get(?:Hours|Date|Day|Month|FullYear|Minutes)\(\)|\btoLocale(?:Time|Date)?String\(|\btime\.Local\b|\.Local\(\)|\btime\.Unix\([^)]*\)\.(?:Format|Hour|Day|Weekday|Date|Year)\(|ZoneId\.systemDefault|new SimpleDateFormat|Calendar\.getInstance\(\)|\blocaltime(?:_r)?\s*\(|\bLocal::now|\bLocal\.timestamp|\bdate\s+(?:-d|--date)",
);
static SETS_ZONE: Pattern = Pattern::new(
    r#"\bTZ\s*[=:]|['"]TZ['"]|\.TZ\s*=|\btzset\b|setDefault\s*\(\s*TimeZone|TimeZone\.setDefault|user\.timezone|timezone_mock|freezegun|setSystemTime"#,
);
static CLOCK_TEXT: Pattern = Pattern::new(
    r#"["'][^"'\n]*(?:\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})[^"'\n]*["']"#,
);
static CI_ZONE: Pattern =
    Pattern::new(r#"^\s*(?:-\s*)?(?:ENV\s+)?TZ\s*[:=]\s*["']?([A-Za-z]+(?:/[A-Za-z_]+)*)"#);

const CODE: &[&str] =
    &[".py", ".go", ".java", ".js", ".ts", ".mjs", ".cjs", ".kt", ".c", ".cpp", ".rs", ".rb", ".php", ".sh"];
const SETTINGS: &[&str] =
    &[".ini", ".toml", ".yaml", ".yml", ".json", ".properties", ".conf", ".cfg", ".env", ".xml"];

pub(super) fn is_known(name: &str) -> bool {
    Path::new(ZONES).join(name).is_file()
}

pub(super) fn probe(ground: &Ground<'_>) {
    let has_zones = Path::new(ZONES).join("Europe").is_dir();
    if has_zones {
        variable(ground);
        names(ground);
    }
    search_path(ground, has_zones);
    expected(ground);
}

fn variable(ground: &Ground<'_>) {
    let Some(zone) = ground.variable("TZ") else { return };
    let name = zone.trim_start_matches(':');
    // `EST5EDT`, `<+03>-3`, `UTC0`: a rule, not a name.
    let is_rule =
        name.starts_with('<') || (name.contains(|c: char| c.is_ascii_digit()) && !name.contains('/'));
    let odd = name.contains("..") || name.starts_with('/');
    if !is_rule && !odd && !is_known(name) && !matches!(name, "UTC" | "GMT") {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the variable TZ names a time zone that does not exist: {name:?}"),
                format!("TZ in the environment, no {ZONES}/{name}"),
                "export TZ=UTC".to_owned(),
            )
            .naming(["TZ", name]),
        );
    }
}

/// The old names of zones, which newer systems keep in a package of its own.
fn may_be_old(name: &str) -> bool {
    !is_known("US/Pacific")
        && (["US/", "Canada/", "Brazil/"].iter().any(|it| name.starts_with(it)) || is_link_of_old(name))
}

fn is_link_of_old(name: &str) -> bool {
    [
        "Asia/Calcutta", "Asia/Saigon", "Asia/Katmandu", "Europe/Kiev", "America/Buenos_Aires",
        "Atlantic/Faeroe", "Asia/Rangoon", "Pacific/Ponape",
    ]
    .contains(&name)
}

/// Names of zones in settings, code and variables, where the project loads zones by their names.
fn names(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let loads: Vec<_> = tree
        .examined(CODE)
        .filter_map(|file| tree.text(&file.path))
        .filter(|text| LOADS.is_in(text))
        .collect();
    if loads.is_empty() {
        return;
    }
    let all: Vec<_> = tree
        .files()
        .iter()
        .filter(|file| tree.is_examined(&file.path))
        .filter(|file| {
            let is_env = base(&file.path).starts_with(".env");
            CODE.iter().chain(SETTINGS).any(|it| file.path.ends_with(it))
                || is_env
                || base(&file.path) == "Makefile"
        })
        .collect();
    let mut texts = Vec::new();
    for file in all {
        let Some(text) = tree.text(&file.path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for hit in NAME.all(&text) {
            let name = hit.group(1);
            if is_known(name) || may_be_old(name) {
                continue;
            }
            let at = text[..hit.end()].matches('\n').count().min(lines.len().saturating_sub(1));
            let at = if lines[at].contains(name) { at } else { hit.line().saturating_sub(1) };
            let line = lines[at].trim_start();
            let around = lines[at.saturating_sub(3)..(at + 3).min(lines.len())].join("\n");
            let is_comment = ["#", "//", "*", ";", "--"].iter().any(|it| line.starts_with(it));
            if is_comment
                || (ON_PURPOSE.is_in(&line.to_lowercase())
                    || is_test(&file.path) && ON_PURPOSE.is_in(&around.to_lowercase()))
            {
                continue;
            }
            let place = format!("{}:{}", file.path, at + 1);
            ground.suspect(
                Suspicion::new(
                    Probe::ClockLocale,
                    format!("there is no time zone {name:?}"),
                    format!("{place}, no {ZONES}/{name}"),
                    format!("correct the name in {place} (timedatectl list-timezones)"),
                )
                .naming([name.to_owned()]),
            );
        }
        texts.push(text);
    }
    for (name, value) in &ground.environment {
        let is_name = NAME.first(value).is_some_and(|hit| hit.group(1) == *value);
        if *name == "TZ" || !is_name || is_known(value) || may_be_old(value) {
            continue;
        }
        if texts.iter().any(|text| has_word(text, name)) {
            ground.suspect(
                Suspicion::new(
                    Probe::ClockLocale,
                    format!("the variable {name} names a time zone that does not exist"),
                    format!("{name} in the environment, {ZONES} has no such zone"),
                    format!("set {name} to a zone of timedatectl list-timezones"),
                )
                .naming([(*name).to_owned(), (*value).to_owned(), "time zone".to_owned()]),
            );
        }
    }
}

/// Where Python looks for zones.
fn search_path(ground: &Ground<'_>, has_zones: bool) {
    let told = ground.environment.get("PYTHONTZPATH");
    let leads = told.is_none_or(|path| path.split(':').any(|it| Path::new(it).join("Europe").is_dir()));
    if leads && (has_zones || told.is_some()) {
        return;
    }
    let mut files = ground.tree.examined(&[".py"]);
    let loader = files.find_map(|file| {
        let text = ground.tree.text(&file.path)?;
        let at = text.lines().position(|line| line.contains("ZoneInfo("))?;
        Some(format!("{}:{}", file.path, at + 1))
    });
    let has_package = ground.python().has_installed("tzdata") == Some(true);
    let Some(place) = loader.filter(|_| !has_package) else { return };
    let (what, fix) = if told.is_some() {
        ("the variable PYTHONTZPATH leads to no time zones", "unset PYTHONTZPATH")
    } else {
        (
            "this machine has no time zones, and Python's tzdata is not installed",
            "apt-get install tzdata, or pip install tzdata",
        )
    };
    ground.suspect(
        Suspicion::new(Probe::ClockLocale, what, format!("{place} loads one"), fix)
            .naming(["ZoneInfoNotFoundError", "No time zone found"]),
    );
}

/// The zone of this machine: its name, and the variable that says so.
fn machine_zone(ground: &Ground<'_>) -> (String, Option<&'static str>) {
    for name in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"] {
        let option = ground.variable(name).and_then(|it| it.split("-Duser.timezone=").nth(1));
        if let Some(zone) = option.and_then(|it| it.split_whitespace().next())
            && ground.tree.examined(&[".java", ".kt"]).next().is_some()
        {
            return (zone.to_owned(), Some(name));
        }
    }
    if let Some(zone) = ground.variable("TZ") {
        return (zone.trim_start_matches(':').to_owned(), Some("TZ"));
    }
    let linked = std::fs::canonicalize("/etc/localtime").ok();
    let linked = linked.and_then(|it| Some(it.strip_prefix(ZONES).ok()?.to_str()?.to_owned()));
    (linked.unwrap_or_else(|| "UTC".to_owned()), None)
}

fn is_utc(zone: &str) -> bool {
    matches!(zone, "UTC" | "Etc/UTC" | "GMT" | "Etc/GMT" | "Zulu" | "UTC0" | "Universal" | "Etc/UCT")
}

/// Tests that know one zone only, and a machine in another.
fn expected(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let (zone, variable) = machine_zone(ground);
    if variable.is_some()
        && !is_utc(&zone)
        && !is_known(&zone)
        && variable != Some("TZ")
        && Path::new(ZONES).is_dir()
    {
        let variable = variable.unwrap_or_default();
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the variable {variable} names a time zone that does not exist"),
                format!("-Duser.timezone in {variable}"),
                format!("correct -Duser.timezone in {variable}"),
            )
            .naming([zone.as_str()]),
        );
        return;
    }
    let code: Vec<_> = tree.examined(CODE).collect();
    let local = code.iter().filter(|file| !is_test(&file.path)).find_map(|file| {
        let text = tree.text(&file.path)?;
        let hit = LOCAL_TIME.first(&text)?;
        Some(format!("{}:{}", file.path, hit.line()))
    });
    let Some(local) = local else { return };
    let tests: Vec<_> = code.iter().filter(|file| is_test(&file.path)).collect();
    let test = tests.iter().find(|file| tree.text(&file.path).is_some_and(|text| CLOCK_TEXT.is_in(&text)));
    let Some(test) = test else { return };
    let fixed = |path: &str| tree.text(path).is_some_and(|text| SETS_ZONE.is_in(&text));
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let manifests = tree.named("package.json").map(|it| it.path.as_str());
    if tests.iter().map(|it| it.path.as_str()).chain(scripts).chain(manifests).any(fixed)
        || code
            .iter()
            .any(|file| tree.text(&file.path).is_some_and(|text| text.contains("TimeZone.setDefault")))
    {
        return;
    }
    // What the workflows say that the tests run in; and, where somebody chose another zone here, what the services run in.
    let workflows = tree.files().iter().filter(|file| {
        let name = base(&file.path);
        let is_service = name.starts_with("Dockerfile") || name.contains("compose.y");
        file.path.starts_with(".github/workflows/")
            || matches!(name, ".gitlab-ci.yml" | "Dockerfile.test")
            || variable.is_some() && is_service
    });
    let asked = workflows.filter_map(|file| {
        let page = tree.text(&file.path)?;
        let hit = CI_ZONE.first(&page)?;
        Some((hit.group(1).to_owned(), format!("{}:{}", file.path, hit.line())))
    });
    let asked = asked.into_iter().next();
    let asked = asked.or_else(|| told_in_words(ground, &tests, variable.is_some()));
    let city = zone.rsplit('/').next().unwrap_or_default().replace('_', " ");
    let knows = |text: &str| has_word(text, &city) || has_word(text, &zone);
    if tests.iter().any(|file| tree.text(&file.path).is_some_and(|text| knows(&text))) {
        return;
    }
    let (what, evidence, strength) = match (&asked, variable) {
        (Some((wanted, _)), _) if *wanted == zone || is_utc(wanted) && is_utc(&zone) => return,
        (Some((wanted, place)), _) => (
            format!("the tests expect the time zone {wanted} ({place}), and TZ gives another here"),
            local,
            Strength::Possible,
        ),
        (None, Some(variable)) if !is_utc(&zone) => (
            format!("the variable {variable} sets a time zone, and {} holds times of another", test.path),
            format!("{local} takes the machine's zone"),
            Strength::Hinted,
        ),
        _ => return,
    };
    let fix = asked.map_or_else(|| "TZ=UTC".to_owned(), |(wanted, _)| format!("TZ={wanted}"));
    ground.suspect(
        Suspicion::new(Probe::ClockLocale, what, evidence, format!("run it with {fix}"))
            .strength(strength)
            .naming([test.path.clone(), base(&test.path).to_owned()]),
    );
}

/// The zone that the tests or the first page of the documentation name.
fn told_in_words(ground: &Ground<'_>, tests: &[&&File], is_set: bool) -> Option<(String, String)> {
    static SET_TO: Pattern = Pattern::new(r"\bTZ=([A-Z][A-Za-z]+(?:/[A-Za-z_]+)*)");
    let tree = &ground.tree;
    let pages = tree.files().iter().filter(|file| base(&file.path).to_uppercase().starts_with("README"));
    let pages =
        pages.filter(|file| file.path.starts_with(tree.scope())).map(|file| (file.path.as_str(), true));
    let tests = tests.iter().map(|file| (file.path.as_str(), false));
    pages.chain(tests).find_map(|(path, is_page)| {
        let text = tree.text(path)?;
        let of_tests = |hit: &Hit<'_>| {
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
            !is_page || is_set || has_word(line, "test") || has_word(line, "tests") || has_word(line, "check")
        };
        let by_name = || if is_page || !is_set { None } else { NAME.first(&text) };
        let hit = SET_TO.first(&text).filter(of_tests).or_else(by_name)?;
        Some((hit.group(1).to_owned(), path.to_owned()))
    })
}
