//! A text without what changes from run to run.

use super::number::{Near, is_noise, is_of_a_date};
use super::temporary::{is_made_up, is_temporary};

/// Folders that begin the part of a path that is the project's own, the outer ones first.
const PACKAGES: &[&str] = &["crates", "packages", "apps", "services", "modules"];
const SOURCES: &[&str] = &[
    "src", "tests", "test", "lib", "app", "pkg", "cmd", "internal", "include", "spec", "__tests__",
    "examples", "benches", "node_modules", "site-packages", "scripts",
];
const LONGEST: usize = 240;

/// `text` without addresses, times, durations, places, hashes, process and thread ids, and roots of paths.
pub(super) fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(120).collect();
    let plain: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let near = |at: usize| plain.get(at).map_or("", String::as_str);
    let mut told: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = if at > 0 { near(at - 1) } else { "" };
        // What a mark closes is not counted by the word behind it: `(7) failed`.
        let is_closed = word.ends_with([')', ']', '}', ',', ';', ':', '\'', '"']);
        let behind = if is_closed { "" } else { near(at + 1) };
        let word = normal_word(word, Near { before, behind });
        let is_time = told.last().is_some_and(|last| last == "#") && word == "#";
        if !is_time && !word.is_empty() && !is_of_a_date(near(at)) {
            told.push(word);
        }
    }
    let mut told = told.join(" ");
    told.truncate(told.floor_char_boundary(LONGEST));
    told
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase()
}

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
    let is_temporary = absolute && is_temporary(path, &parts);
    // A checkout may lie in a temporary folder, but not above a name that a program made up.
    let made_up = if is_temporary { folders.iter().rposition(|part| is_made_up(part)) } else { None };
    let from = made_up.map_or(0, |at| at + 1);
    let is = |names: &[&str], part: &&str| names.contains(part);
    let start = folders[from..]
        .iter()
        .position(|part| is(PACKAGES, part))
        .or_else(|| folders[from..].iter().rposition(|part| is(SOURCES, part)));
    let kept = match start {
        Some(start) => &parts[from + start..],
        None if is_temporary => match parts.last() {
            Some(name) if (has_extension(&parts) || is_plain_word(name)) && !is_made_up(name) => {
                &parts[folders.len()..]
            }
            _ => return "<tmp>".to_owned(),
        },
        None if absolute => &parts[folders.len()..],
        None => &parts[..],
    };
    kept.iter().map(|part| normal_token(part, Near::default())).collect::<Vec<_>>().join("/")
}

/// Too short for a name that a program makes up.
fn is_plain_word(name: &str) -> bool {
    (3..=5).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn has_extension(parts: &[&str]) -> bool {
    parts.last().is_some_and(|name| {
        name.rsplit_once('.').is_some_and(|(stem, kind)| {
            !stem.is_empty() && kind.len() <= 5 && kind.chars().all(|c| c.is_ascii_alphabetic())
        })
    })
}

fn normal_word(word: &str, near: Near<'_>) -> String {
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
    // `dir=/tmp/x`: the path is behind its name.
    let (name, value) =
        inner.split_once('=').filter(|(_, value)| looks_like_path(value)).unwrap_or(("", inner));
    let value = if looks_like_path(value) { path_with_place(value) } else { normal_token(value, near) };
    let joint = if name.is_empty() { "" } else { "=" };
    format!("{}{name}{joint}{value}{}", quotes(before), quotes(behind))
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
        return normal_token(word, Near::default());
    }
    // `tests/a.py::test_x[1]` names a test behind its file.
    let rest = match rest.strip_prefix("::") {
        Some(name) => format!("::{}", normal_token(name, Near::default())),
        None => rest.chars().filter(|c| c.is_alphabetic()).collect(),
    };
    format!("{}{rest}", normal_path(path))
}

/// A word without numbers that change, addresses, hashes and ids. `E0308`, `utf8` and `test_v2` are names.
fn normal_token(token: &str, near: Near<'_>) -> String {
    if is_code(token.trim_matches(|c: char| !c.is_ascii_alphanumeric())) {
        return token.to_owned();
    }
    let mut told = String::with_capacity(token.len());
    let mut rest = token;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() { run_length(rest) } else { first.len_utf8() };
        let (run, behind) = rest.split_at(length);
        if first.is_alphanumeric() && is_volatile(run, &told, behind, near) {
            // `3-4` of two that change is one that does.
            let is_joined = ["#.", "#:", "#-", "#+", "#,"].iter().any(|end| told.ends_with(end));
            if is_joined {
                told.pop();
            } else {
                told.push('#');
            }
        } else {
            told.push_str(run);
        }
        rest = behind;
    }
    told
}

/// How long the next piece is that is one thing: letters and digits, a number with its marks, a date, a UUID.
fn run_length(text: &str) -> usize {
    let runs = |text: &str| text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    if let Some(length) = shaped(text, &["xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "9999-99-99", "9999/99/99"])
    {
        let goes_on = text[length..].starts_with(char::is_alphanumeric);
        return if goes_on { length + run_length(&text[length..]) } else { length };
    }
    let mut length = runs(text);
    // `10.5`, `12:30:01` and `3.11.4` are one number each.
    while text[..length].ends_with(|c: char| c.is_ascii_digit())
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text[length..].starts_with(['.', ':'])
        && text[length + 1..].starts_with(|c: char| c.is_ascii_digit())
    {
        length += 1 + runs(&text[length + 1..]);
    }
    length
}

/// The length of the shape that a text begins with: `x` is a hexadecimal digit, `9` a decimal one.
fn shaped(text: &str, shapes: &[&str]) -> Option<usize> {
    let fits = |shape: &&&str| {
        let head = text.as_bytes().get(..shape.len());
        head.is_some_and(|head| {
            head.iter().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
                b'x' => byte.is_ascii_hexdigit(),
                b'9' => byte.is_ascii_digit(),
                mark => *byte == mark,
            })
        })
    };
    shapes.iter().find(fits).map(|shape| shape.len())
}

/// `E0308`, `TS2322`, `ERR404`, `ORA-00942`
fn is_code(token: &str) -> bool {
    let letters = token.bytes().take_while(u8::is_ascii_uppercase).count();
    let number = token[letters..].strip_prefix('-').unwrap_or(&token[letters..]);
    (1..=6).contains(&letters)
        && (2..=6).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a piece of a word changes from run to run. `told` is what stands before it in the word, `behind` what comes.
fn is_volatile(run: &str, told: &str, behind: &str, near: Near<'_>) -> bool {
    if !run.is_ascii() {
        return false;
    }
    if shaped(run, &["xxxxxxxx-xxxx-", "9999-99-99", "9999/99/99"]).is_some() {
        return true;
    }
    let is_number = run.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':'));
    if is_number {
        // `host:8080` and `a.rs:3` say where, `#12` says which of many.
        let is_place = told.ends_with(':') && told.len() > 1;
        let own = told.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        let own = own.map(str::to_ascii_lowercase);
        let near = Near { before: own.as_deref().unwrap_or(near.before), ..near };
        return is_place || told.ends_with('#') || behind.starts_with('%') || is_noise(run, near);
    }
    let leading = run.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':')).count();
    let unit = &run[leading..];
    if leading > 0 && (UNITS.contains(&unit) || unit.starts_with('T') || unit.starts_with('Z')) {
        return true;
    }
    is_random(run)
}

/// Addresses, hashes and random names: letters and digits through each other.
fn is_random(run: &str) -> bool {
    let hex = run.strip_prefix("0x").unwrap_or(run);
    let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_digit = run.bytes().any(|byte| byte.is_ascii_digit());
    // A word of so many letters, all of them hexadecimal, is hardly one.
    let longest_word = if has_digit { 5 } else { 6 };
    if is_hex && (hex.len() < run.len() || run.len() > longest_word) {
        return true;
    }
    let changes =
        run.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    run.len() >= 8 && changes >= 3
}

const UNITS: &[&str] = &[
    "s", "ms", "us", "ns", "m", "h", "d", "min", "sec", "secs", "k", "K", "kB", "KB", "MB", "GB", "B", "px",
    "x", "th", "st", "nd", "rd",
];
