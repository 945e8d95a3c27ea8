//! The clock, time zones, locales and encodings, where they decide.

use std::path::Path;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::base;

/// Files from the future by more than this are not from a clock that is a little off.
const AHEAD: i64 = 3600;
/// The first second of 2020 and of 2100.
const SANE: std::ops::Range<i64> = 1_577_836_800..4_102_444_800;
const ZONES: &str = "/usr/share/zoneinfo";

static SET_LOCALE: Pattern = Pattern::new(
    r#"(?:setlocale|Locale\.setlocale)\s*\(\s*[\w.]+\s*,\s*['"]([A-Za-z]{2,3}_[A-Za-z]{2}[\w.@-]*|)['"]\s*\)"#,
);
static ZONE: Pattern = Pattern::new(
    r#"(?:ZoneInfo|pytz\.timezone|tz\.gettz|time\.LoadLocation|ZoneId\.of|timeZone:)\s*\(?\s*['"]([A-Za-z_]+/[A-Za-z_/+-]+)['"]"#,
);
static CODING: Pattern = Pattern::new(r"^[ \t\f]*#.*?coding[:=][ \t]*([\w.-]+)");

pub(super) fn probe(ground: &Ground<'_>) {
    if !SANE.contains(&ground.now) {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the system's clock is wrong: it is {} seconds after 1970", ground.now),
                "the system's clock".to_owned(),
                "timedatectl set-ntp true, or date --set".to_owned(),
            )
            .strength(Strength::Certain)
            .naming(["certificate", "not yet valid", "expired"]),
        );
        return;
    }
    future_files(ground);
    time_zone(ground);
    locales(ground);
    encodings(ground);
}

fn future_files(ground: &Ground<'_>) {
    let ahead = ground.tree.files().iter().filter(|file| {
        file.modified > ground.now + AHEAD
            && file.path.starts_with(ground.tree.scope())
            && ground.tree.is_examined(&file.path)
    });
    let ahead: Vec<_> = ahead.collect();
    let Some(first) = ahead.first() else { return };
    let hours = (first.modified - ground.now) / 3600;
    let more = if ahead.len() > 1 { format!(" and {} more", ahead.len() - 1) } else { String::new() };
    ground.suspect(
        Suspicion::new(
            Probe::ClockLocale,
            format!("{}{more} was written in the future ({hours} hours ahead): tools that compare times build wrongly", first.path),
            ahead.iter().take(3).map(|file| file.path.as_str()).collect::<Vec<_>>().join(", "),
            format!("touch {}", ahead.iter().take(5).map(|file| file.path.as_str()).collect::<Vec<_>>().join(" ")),
        )
        .naming(["clock skew", "Clock skew", "modification time", "future"]),
    );
}

fn zone_is_known(name: &str) -> bool {
    Path::new(ZONES).join(name).is_file()
}

fn time_zone(ground: &Ground<'_>) {
    let has_zones = Path::new(ZONES).is_dir();
    if let Some(zone) = ground.variable("TZ") {
        let name = zone.trim_start_matches(':');
        // `EST5EDT`, `<+03>-3`, `UTC0`: a rule, not a name.
        let is_rule =
            name.starts_with('<') || (name.contains(|c: char| c.is_ascii_digit()) && !name.contains('/'));
        let odd = name.contains("..") || name.starts_with('/');
        if has_zones && !is_rule && !odd && !zone_is_known(name) && !matches!(name, "UTC" | "GMT") {
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
    for file in ground.tree.examined(&[".py", ".go", ".java", ".js", ".ts", ".kt"]) {
        let Some(text) = ground.tree.text(&file.path).filter(|text| text.contains('/')) else { continue };
        for hit in ZONE.all(&text) {
            let name = hit.group(1);
            let place = format!("{}:{}", file.path, hit.line());
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
            if line.contains("raises") || line.contains("toThrow") {
                continue;
            }
            if has_zones && !zone_is_known(name) {
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
        }
    }
}

fn plain(locale: &str) -> String {
    locale.to_lowercase().replace(['-', '_'], "")
}

fn locales(ground: &Ground<'_>) {
    let mut needed: Vec<(String, String)> = Vec::new();
    for file in ground.tree.examined(&[".py", ".c", ".cpp", ".cc", ".php", ".rb", ".pl", ".go"]) {
        let Some(text) = ground.tree.text(&file.path).filter(|text| text.contains("setlocale")) else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        for hit in SET_LOCALE.all(&text) {
            let before = lines[hit.line().saturating_sub(3)..hit.line() - 1].join("\n");
            if before.contains("try") || hit.group(0).contains("raises") {
                continue;
            }
            let place = format!("{}:{}", file.path, hit.line());
            if hit.group(1).is_empty() {
                let named = ["LC_ALL", "LANG"].iter().find_map(|name| Some((*name, ground.variable(name)?)));
                if let Some((name, value)) = named {
                    needed
                        .push((value.to_owned(), format!("{place} takes the locale of the variable {name}")));
                }
            } else {
                needed.push((hit.group(1).to_owned(), format!("{place} sets it")));
            }
        }
    }
    if needed.is_empty() {
        return;
    }
    let Some(there) = ground.programs.locales() else { return };
    for (name, place) in needed {
        if matches!(name.as_str(), "C" | "POSIX") || there.iter().any(|other| plain(other) == plain(&name)) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the locale {name:?} is not installed"),
                format!("{place}, `locale -a` does not list it"),
                format!("locale-gen {name} (Debian: apt-get install locales), or use C.UTF-8"),
            )
            .strength(Strength::Certain)
            .naming([name, "unsupported locale setting".to_owned(), "locale".to_owned()]),
        );
    }
}

fn encodings(ground: &Ground<'_>) {
    let ascii = ground.variable("PYTHONIOENCODING").is_some_and(|it| it.to_lowercase().starts_with("ascii"));
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| ground.variable(name)).unwrap_or("C");
    let narrow = ground.variable("PYTHONUTF8") == Some("0")
        && (matches!(locale, "C" | "POSIX") || locale.to_lowercase().contains("8859"));
    for file in ground.tree.examined(&[".py"]) {
        let Some(bytes) = ground.tree.bytes(&file.path, 256 << 10) else { continue };
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
        } else if ascii || narrow {
            let variable = if ascii { "PYTHONIOENCODING" } else { "PYTHONUTF8" };
            ground.suspect(
                Suspicion::new(
                    Probe::ClockLocale,
                    format!("the variable {variable} makes Python read and write ASCII, and the project is not ASCII"),
                    format!("{variable} in the environment, {}", file.path),
                    format!("unset {variable}; export LANG=C.UTF-8"),
                )
                .naming(["codec", "ascii", "UnicodeEncodeError", "UnicodeDecodeError"]),
            );
            return;
        }
    }
}
