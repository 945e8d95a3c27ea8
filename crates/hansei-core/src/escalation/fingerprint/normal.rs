//! A text without what changes from run to run.

/// Folders that begin the part of a path that is the project's own, the outer ones first.
const PACKAGES: &[&str] = &["crates", "packages", "apps", "services", "modules"];
const SOURCES: &[&str] = &[
    "src",
    "tests",
    "test",
    "lib",
    "app",
    "pkg",
    "cmd",
    "internal",
    "include",
    "spec",
    "__tests__",
    "examples",
    "benches",
    "node_modules",
    "site-packages",
    "scripts",
];
const TEMPORARY: &[&str] = &["/tmp/", "/var/tmp/", "/var/folders/", "/private/", "/dev/shm/", "/run/user/"];
const LONGEST: usize = 240;

/// `text` without addresses, times, durations, places, hashes, ports, process and thread ids, and roots of paths.
pub(super) fn normal(text: &str) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut keeps_number = false;
    for word in text.split_whitespace().take(120) {
        let word = normal_word(word, keeps_number);
        // `errno 13` and `status 404` say what happened; other numbers say where or how long.
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
        keeps_number = matches!(bare.as_str(), "errno" | "status" | "code" | "signal" | "http" | "sqlstate");
        let is_time = told.last().is_some_and(|last| last == "#") && word == "#";
        if !is_time && !word.is_empty() && !DATES.contains(&bare.as_str()) {
            told.push(word);
        }
    }
    let mut told = told.join(" ");
    told.truncate(told.floor_char_boundary(LONGEST));
    told
}

const DATES: &[&str] = &[
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "oct", "nov", "dec", "ms", "am", "pm", "utc", "gmt",
];

/// The name of a test without its time, its place and its numbers of a run.
pub(super) fn normal_name(name: &str) -> String {
    let name = name.trim();
    let name = match name.rfind(" (") {
        Some(at) if name[at + 2..].starts_with(|c: char| c.is_ascii_digit()) => &name[..at],
        _ => name,
    };
    normal(name)
}

/// A path from where the project's own part begins, without its place.
pub(super) fn normal_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches("file://");
    let path = path.strip_prefix("./").unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let folders = &parts[..parts.len().saturating_sub(1)];
    let absolute = path.starts_with('/') || path.get(1..3) == Some(":/") || path.starts_with('~');
    let is = |names: &[&str], part: &&str| names.contains(part);
    let start = folders
        .iter()
        .position(|part| is(PACKAGES, part))
        .or_else(|| folders.iter().rposition(|part| is(SOURCES, part)));
    let kept = match start {
        Some(start) => &parts[start..],
        None if absolute => {
            if TEMPORARY.iter().any(|folder| path.starts_with(folder)) && !has_extension(&parts) {
                return "<tmp>".to_owned();
            }
            &parts[folders.len()..]
        }
        None => &parts[..],
    };
    kept.iter().map(|part| normal_token(part)).collect::<Vec<_>>().join("/")
}

fn has_extension(parts: &[&str]) -> bool {
    parts.last().is_some_and(|name| {
        name.rsplit_once('.').is_some_and(|(stem, kind)| {
            !stem.is_empty() && kind.len() <= 5 && kind.chars().all(|c| c.is_ascii_alphabetic())
        })
    })
}

fn normal_word(word: &str, keeps_number: bool) -> String {
    let is_edge = |c: char| {
        matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '<' | '>' | '‘' | '’')
    };
    let start = word.find(|c| !is_edge(c)).unwrap_or(word.len());
    let end = word
        .rfind(|c| !is_edge(c))
        .map_or(start, |at| at + word[at..].chars().next().map_or(1, char::len_utf8));
    let (before, inner, behind) = (&word[..start], &word[start..end], &word[end..]);
    let quotes = |text: &str| {
        text.chars().map(|c| if matches!(c, '`' | '‘' | '’' | '"') { '\'' } else { c }).collect::<String>()
    };
    let inner =
        if keeps_number && inner.trim_end_matches(['.', ':']).bytes().all(|byte| byte.is_ascii_digit()) {
            inner.trim_end_matches(['.', ':']).to_owned()
        } else if looks_like_path(inner) {
            path_with_place(inner)
        } else {
            inner.split('/').map(normal_token).collect::<Vec<_>>().join("/")
        };
    format!("{}{inner}{}", quotes(before), quotes(behind))
}

fn looks_like_path(word: &str) -> bool {
    let body = word.trim_start_matches("file://");
    let slashes = body.matches(['/', '\\']).count();
    !body.contains("://")
        && (body.starts_with('/')
            || body.starts_with("./")
            || body.starts_with("~/")
            || body.get(1..3) == Some(":\\")
            || slashes >= 2
            || (slashes == 1 && body.contains('.')))
}

/// `src/a.rs:3:5:` is the file and a mark.
fn path_with_place(word: &str) -> String {
    let from = if word.get(1..3) == Some(":\\") || word.get(1..3) == Some(":/") { 2 } else { 0 };
    let cut = word[from..].find([':', '(', '=', '?']).map_or(word.len(), |at| at + from);
    let (path, rest) = word.split_at(cut);
    if path.starts_with("--") || path.is_empty() {
        return word.split('/').map(normal_token).collect::<Vec<_>>().join("/");
    }
    // `tests/a.py::test_x[1]` names a test behind its file.
    let rest = match rest.strip_prefix("::") {
        Some(name) => format!("::{}", normal_token(name)),
        None => rest.chars().filter(|c| c.is_alphabetic()).collect(),
    };
    format!("{}{rest}", normal_path(path))
}

/// A word without numbers that stand by themselves, addresses, hashes and ids. `E0308`, `utf8` and `test_v2` are names.
fn normal_token(token: &str) -> String {
    if is_code(token.trim_matches(|c: char| !c.is_ascii_alphanumeric())) {
        return token.to_owned();
    }
    let parts = token.split_inclusive(|c: char| !c.is_alphanumeric());
    let mut told = String::with_capacity(token.len());
    for part in parts {
        let body_end = part
            .rfind(char::is_alphanumeric)
            .map_or(0, |at| at + part[at..].chars().next().map_or(1, char::len_utf8));
        let (body, mark) = part.split_at(body_end);
        let body = if is_volatile(body) { "#" } else { body };
        // `10.5`, `12:30:01` and `3-4` are one number each.
        if body == "#" && told.ends_with('#') {
            told.push_str(mark);
        } else if body == "#"
            && (told.ends_with("#.") || told.ends_with("#:") || told.ends_with("#-") || told.ends_with("#+"))
        {
            told.pop();
            told.push_str(mark);
        } else {
            told.push_str(body);
            told.push_str(mark);
        }
    }
    told
}

/// `E0308`, `TS2322`, `ERR404`
fn is_code(token: &str) -> bool {
    let letters = token.bytes().take_while(u8::is_ascii_uppercase).count();
    (1..=6).contains(&letters)
        && (2..=6).contains(&(token.len() - letters))
        && token[letters..].bytes().all(|b| b.is_ascii_digit())
}

fn is_volatile(body: &str) -> bool {
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || !body.is_ascii() {
        // A hash of letters alone is rarer than a word of them.
        return false;
    }
    let leading = body.bytes().take_while(u8::is_ascii_digit).count();
    let unit = &body[leading..];
    if leading > 0
        && (unit.is_empty() || UNITS.contains(&unit) || unit.starts_with('T') || unit.starts_with('Z'))
    {
        return true;
    }
    let hex = body.strip_prefix("0x").unwrap_or(body);
    let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex && (hex.len() < body.len() || body.len() >= 6) {
        return true;
    }
    // Random names: letters and digits through each other.
    let changes = body
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    body.len() >= 8 && changes >= 3
}

const UNITS: &[&str] = &[
    "s", "ms", "us", "ns", "m", "h", "d", "min", "sec", "secs", "k", "K", "kB", "KB", "MB", "GB", "B", "px",
    "x", "th", "st", "nd", "rd",
];
