//! Commands that take a password as a short flag or by its place.

use super::Finding;
use super::value::{is_path, placeholder};
use super::words;

/// How a command takes its password.
pub struct Command {
    /// Words of which one must stand in the line, or none.
    pub line: &'static [&'static str],
    /// The flags.
    pub flags: &'static [&'static str],
    /// Whether the password may be glued to the flag.
    pub glued: bool,
    /// Whether it may follow after a blank.
    pub spaced: bool,
    /// What must stand between the user and the password within the value.
    pub after: Option<u8>,
}

const fn cmd(flags: &'static [&'static str], glued: bool, spaced: bool, after: Option<u8>) -> Command {
    Command { line: &[], flags, glued, spaced, after }
}

/// The commands, by the number of their keyword.
pub const COMMANDS: &[Command] = &[
    cmd(&["-u", "--user", "--proxy-user", "-U"], true, true, Some(b':')),
    cmd(&["-p"], true, false, None),
    cmd(&["-p"], true, true, None),
    cmd(&["-a", "--pass"], false, true, None),
    Command {
        line: &["docker", "podman", "az ", "helm", "oc ", "nerdctl", "skopeo", "buildah", "registry", "cf "],
        flags: &["-p"],
        glued: true,
        spaced: true,
        after: None,
    },
    cmd(&["-p"], false, true, None),
    cmd(&["-w"], false, true, None),
    cmd(&["-P"], true, true, None),
    cmd(&["-U"], false, true, Some(b'%')),
    cmd(&["-p"], true, false, None),
    cmd(&["-P", "-rP", "-eP"], false, true, None),
    cmd(&[], false, true, None),
    cmd(&[], false, true, None),
    cmd(&[], false, true, None),
    cmd(&["-a", "--auth"], false, true, Some(b':')),
    cmd(&[], false, true, None),
    cmd(&["-u"], false, true, Some(b',')),
];

/// Longest command line read.
const LONGEST: usize = 1000;
/// Keywords read by hand: `htpasswd`, `net use`, `pass:`, `chpasswd`.
const HTPASSWD: u8 = 11;
const NET_USE: u8 = 12;
const OPENSSL: u8 = 13;
const CHPASSWD: u8 = 15;

/// Reads the command whose name stands at `at..end`.
pub fn find(which: u8, text: &[u8], at: usize, end: usize, done: &mut usize, out: &mut Vec<Finding>) {
    let Some(command) = COMMANDS.get(usize::from(which)) else { return };
    if at > 0 && text[at - 1].is_ascii_alphanumeric() && text[at] != b' ' && which != 10 {
        return;
    }
    let from = super::assign::line_start(text, at);
    if !command.line.is_empty()
        && !command.line.iter().any(|w| words::contains(&text[from..=at], w.as_bytes()))
    {
        return;
    }
    match which {
        HTPASSWD | NET_USE => return by_place(which, text, end, out),
        OPENSSL => return openssl(text, from, at, end, out),
        CHPASSWD => return chpasswd(text, from, at, out),
        _ => {}
    }
    if end < *done {
        return;
    }
    let line_end = line_end(text, end);
    *done = line_end;
    let mut p = end
        + text[end..line_end]
            .iter()
            .take_while(|b| text[end - 1] != b' ' && !b.is_ascii_whitespace() && **b != b'`')
            .count();
    if which == 10 {
        p = end - 1;
    }
    while let Some((s, e)) = next_word(text, p, line_end) {
        p = e;
        if matches!(&text[s..e], b"|" | b"&&" | b"||" | b";") {
            return;
        }
        for flag in command.flags {
            if !text[s..e].starts_with(flag.as_bytes()) {
                continue;
            }
            let glued = s + flag.len();
            if glued == e && command.spaced {
                if let Some((vs, ve)) = next_word(text, e, line_end) {
                    take(command, text, vs, ve, out);
                }
            } else if glued < e
                && (command.glued || text[glued] == b'=')
                && (!flag.starts_with("--") || text[glued] == b'=')
            {
                take(command, text, glued + usize::from(text[glued] == b'='), e, out);
            }
        }
    }
}

/// The end of a command line, over lines continued with a backslash.
pub fn line_end(text: &[u8], from: usize) -> usize {
    let limit = text.len().min(from + LONGEST);
    super::work::visit(limit - from);
    let mut p = from;
    while let Some(i) = memchr::memchr(b'\n', &text[p..limit]) {
        let at = p + i;
        if at == 0 || text[..at].trim_ascii_end().last() != Some(&b'\\') {
            return at;
        }
        p = at + 1;
    }
    limit
}

/// The next word of a command line; quotes keep blanks in.
pub fn next_word(text: &[u8], from: usize, limit: usize) -> Option<(usize, usize)> {
    let mut s = from;
    while s < limit && (text[s].is_ascii_whitespace() || text[s] == b'\\') {
        s += 1;
    }
    if s >= limit {
        return None;
    }
    let mut e = s;
    let mut quote = 0u8;
    while e < limit {
        super::work::visit(1);
        let b = text[e];
        if quote != 0 {
            if b == quote {
                quote = 0;
            }
        } else if matches!(b, b'"' | b'\'') {
            quote = b;
        } else if b.is_ascii_whitespace() || b == b'`' {
            break;
        }
        e += 1;
    }
    Some((s, e.max(s + 1)))
}

/// Takes the password out of a flag's value.
fn take(command: &Command, text: &[u8], mut s: usize, mut e: usize, out: &mut Vec<Finding>) {
    while s < e && matches!(text[s], b'"' | b'\'') {
        s += 1;
    }
    while e > s && matches!(text[e - 1], b'"' | b'\'' | b')' | b';' | b',' | b']') {
        e -= 1;
    }
    if let Some(sep) = command.after {
        let Some(i) = memchr::memchr(sep, &text[s..e]) else { return };
        if i == 0 && sep == b'%' || text[s..e].starts_with(b"http") {
            return;
        }
        s += i + 1;
    } else if text[s..e].starts_with(b"-") {
        return;
    }
    let v = &text[s..e];
    let port = v.iter().all(u8::is_ascii_digit) && (v.len() < 6 || command.after.is_some() && v.len() < 6);
    if v.len() >= 3
        && !port
        && !placeholder(v)
        && !is_path(v)
        && !v.starts_with(b"$")
        && !v.contains(&b'(')
        && std::str::from_utf8(v).is_ok()
    {
        out.push(Finding { rule: "command-password", start: s, end: e });
    }
}

/// `htpasswd -b file user password`, `net use x: \\host password /user:x`.
fn by_place(which: u8, text: &[u8], end: usize, out: &mut Vec<Finding>) {
    let limit = line_end(text, end);
    let mut words = Vec::new();
    let mut p = end;
    while let Some((s, e)) = next_word(text, p, limit) {
        words.push((s, e));
        p = e;
        if words.len() > 12 {
            return;
        }
    }
    let plain: Vec<_> = words.iter().filter(|(s, _)| !matches!(text[*s], b'-' | b'/')).collect();
    let flags = words.iter().any(|(s, e)| text[*s] == b'-' && text[*s..*e].contains(&b'b'));
    let users = words.iter().any(|(s, e)| text[*s..*e].to_ascii_lowercase().starts_with(b"/user"));
    let found = match which {
        HTPASSWD if flags && plain.len() >= 2 => plain.last(),
        NET_USE if users && plain.len() >= 2 => plain.last(),
        _ => None,
    };
    if let Some((s, e)) = found {
        take(&COMMANDS[usize::from(which)], text, *s, *e, out);
    }
}

/// `-passin pass:word`, `-k pass:word`.
fn openssl(text: &[u8], from: usize, at: usize, end: usize, out: &mut Vec<Finding>) {
    let line = &text[from..at];
    if !(line.ends_with(b" ") || line.ends_with(b"'") || line.ends_with(b"\""))
        || !words::contains(line, b"openssl")
    {
        return;
    }
    if let Some((s, e)) = next_word(text, end, line_end(text, end)).filter(|(s, _)| *s == end) {
        take(&COMMANDS[usize::from(OPENSSL)], text, s, e, out);
    }
}

/// `echo "user:word" | chpasswd`.
fn chpasswd(text: &[u8], from: usize, at: usize, out: &mut Vec<Finding>) {
    let line = &text[from..at];
    let Some(i) = memchr::memmem::rfind(line, b"echo ") else { return };
    if let Some((s, e)) = next_word(text, from + i + 5, at) {
        take(&COMMANDS[0], text, s, e, out);
    }
}

/// A `.pgpass` line: `host:port:database:user:password`, around `:port:`.
pub fn pgpass(text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    let from = super::assign::line_start(text, at);
    let before = &text[from..at];
    if before.iter().any(|b| matches!(b, b' ' | b'/' | b'"')) || memchr::memchr_iter(b':', before).count() > 1
    {
        return;
    }
    let first = if text[at + 1] == b'*' { at + 3 } else { end };
    let to = line_end(text, end);
    let mut rest = &text[first..to];
    let mut p = first;
    for _ in 0..2 {
        let Some(i) = memchr::memchr(b':', rest) else { return };
        p += i + 1;
        rest = &text[p..to];
    }
    let v = rest.trim_ascii_end();
    if v.len() >= 4 && !v.contains(&b' ') && !v.contains(&b'/') && !placeholder(v) {
        out.push(Finding { rule: "pgpass-password", start: p, end: p + v.len() });
    }
}

/// A quoted password after `IDENTIFIED BY`.
pub fn sql(text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    let line = text[super::assign::line_start(text, at)..at].to_ascii_lowercase();
    if !text[at..].starts_with(b"IDENTIFIED")
        && !["user ", "grant ", "role "].iter().any(|w| words::contains(&line, w.as_bytes()))
    {
        return;
    }
    let mut p = end;
    let limit = text.len().min(end + 80);
    while p < limit && text[p] != b'\'' && text[p] != b'"' {
        if !(text[p].is_ascii_alphanumeric() || matches!(text[p], b' ' | b'_' | b'\\')) {
            return;
        }
        p += 1;
    }
    let Some(&mark) = text.get(p) else { return };
    let rest = &text[p + 1..text.len().min(p + 200)];
    let Some(n) = memchr::memchr2(mark, b'\n', rest) else { return };
    let v = &rest[..n];
    if v.len() >= 3 && !v.contains(&b' ') && !placeholder(v) && rest[n] == mark {
        let n = v.iter().rev().take_while(|b| **b == b'\\').count();
        out.push(Finding { rule: "sql-password", start: p + 1, end: p + 1 + v.len() - n });
    }
}
