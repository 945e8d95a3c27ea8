//! Commands that log in or store a secret: what follows a sub-command, a
//! short flag or a pipe.

use super::Finding;
use super::assign::line_start;
use super::command::{line_end, next_word};
use super::judge::{password_in_place, token_in_place};
use super::value::{Shape, is_uuid};
use super::words;

/// What a keyword of such a command says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Login {
    /// `tool login …`, `tool auth …`: a random word behind it.
    Random,
    /// `-t …`: a random value of a flag that has many meanings.
    Flag,
    /// `-p …` behind `-u …`: a password, weak or not.
    Password,
    /// `bw unlock …`, `net user bob …`: the last plain word.
    Last,
    /// `secret set … --body …`, `echo … | tool --password-stdin`.
    Store,
    /// `sqlplus user/password@host`.
    Database,
    /// `snmp-server community …`: the next word.
    Next,
}

/// Most words of a command that are read.
const MOST: usize = 12;

/// Reads the command around the keyword at `at..end`.
pub fn find(which: Login, text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    let from = line_start(text, at);
    let to = line_end(text, end);
    match which {
        Login::Random => random(text, from, at, end, to, out),
        Login::Flag => {
            if let Some((start, stop)) = next_word(text, end, to) {
                let (start, stop) = unquoted(text, start, stop);
                if is_token(&text[start..stop], 20) {
                    push(start, stop, out);
                }
            }
        }
        Login::Password => password_flag(text, from, at, end, to, out),
        Login::Last => last_word(text, end, to, out),
        Login::Store => store(text, from, at, end, to, out),
        Login::Database => database(text, end, to, out),
        Login::Next => {
            if let Some((start, stop)) = next_word(text, end, to)
                && is_password(text, start, stop)
            {
                push(start, stop, out);
            }
        }
    }
}

fn push(start: usize, end: usize, out: &mut Vec<Finding>) {
    out.push(Finding { rule: "command-credential", start, end });
}

/// Without the quotes around it.
fn unquoted(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && matches!(text[start], b'"' | b'\'') {
        start += 1;
    }
    while end > start && matches!(text[end - 1], b'"' | b'\'' | b';' | b')') {
        end -= 1;
    }
    (start, end)
}

/// Whether a word is a token and no image, host, path or assignment.
fn is_token(word: &[u8], least: usize) -> bool {
    (is_uuid(word) || token_in_place(word, least))
        && Shape::of(word).digit >= 2
        && !word.iter().any(|b| matches!(b, b'/' | b':' | b'@' | b'$' | b'=' | b','))
        && !word.starts_with(b"-")
}

/// Whether a word is a password, weak or not, where a command takes one.
fn is_password(text: &[u8], start: usize, end: usize) -> bool {
    let word = &text[start..end];
    let shape = Shape::of(word);
    shape.letters() > 0
        && (shape.digit > 0 || shape.symbol > 0)
        && !word.iter().any(|b| matches!(b, b'/' | b'$' | b'='))
        && !word.starts_with(b"-")
        && password_in_place(text, start, end)
}

/// A random word behind a login sub-command; for a Redis prompt any password.
fn random(text: &[u8], from: usize, at: usize, end: usize, to: usize, out: &mut Vec<Finding>) {
    let lead = &text[from..at];
    let redis = words::contains(lead, b"redis-cli") || lead.ends_with(b"6379>");
    let mut position = end;
    for _ in 0..8 {
        let Some((start, stop)) = next_word(text, position, to) else { return };
        position = stop;
        if matches!(&text[start..stop], b"|" | b"&&" | b"||" | b";") {
            return;
        }
        let (start, stop) = unquoted(text, start, stop);
        if is_token(&text[start..stop], 16) || (redis && is_password(text, start, stop)) {
            return push(start, stop, out);
        }
    }
}

/// The value of `-p` on a line that names a user before.
fn password_flag(text: &[u8], from: usize, at: usize, end: usize, to: usize, out: &mut Vec<Finding>) {
    let Some((start, stop)) = next_word(text, end, to) else { return };
    let (start, stop) = unquoted(text, start, stop);
    let lead = &text[from..at];
    let user = [&b" -u "[..], b" --user ", b" --username ", b" /u:", b"useradd", b" -U "]
        .iter()
        .any(|flag| words::contains(lead, flag));
    let other =
        [&b"mkdir"[..], b"docker run", b"ssh ", b" cp", b"install "].iter().any(|c| words::contains(lead, c));
    if is_token(&text[start..stop], 20) || (user && !other && is_password(text, start, stop)) {
        push(start, stop, out);
    }
}

/// The last word that is no flag.
fn last_word(text: &[u8], end: usize, to: usize, out: &mut Vec<Finding>) {
    let mut position = end;
    let mut last = None;
    for _ in 0..MOST {
        let Some((start, stop)) = next_word(text, position, to) else { break };
        position = stop;
        if matches!(&text[start..stop], b"|" | b"&&" | b"||" | b";" | b">") {
            break;
        }
        if !matches!(text[start], b'-' | b'/') {
            last = Some(unquoted(text, start, stop));
        }
    }
    if let Some((start, stop)) = last
        && is_password(text, start, stop)
    {
        push(start, stop, out);
    }
}

/// What is stored: the body flag, a here-string, or what is piped in.
fn store(text: &[u8], from: usize, at: usize, end: usize, to: usize, out: &mut Vec<Finding>) {
    let mut position = end;
    let mut told = false;
    for _ in 0..MOST {
        let Some((start, stop)) = next_word(text, position, to) else { break };
        position = stop;
        let (inner, inner_end) = unquoted(text, start, stop);
        if told && is_password(text, inner, inner_end) {
            return push(inner, inner_end, out);
        }
        told = matches!(&text[start..stop], b"--body" | b"-b" | b"--value" | b"-v" | b"<<<");
    }
    let lead = &text[from..at];
    let Some(pipe) = memchr::memrchr(b'|', lead) else { return };
    let Some(echo) = [&b"echo "[..], b"printf "]
        .iter()
        .find_map(|c| memchr::memmem::rfind(&lead[..pipe], c).map(|i| i + c.len()))
    else {
        return;
    };
    let mut position = from + echo;
    for _ in 0..MOST {
        let Some((start, stop)) = next_word(text, position, from + pipe) else { return };
        position = stop;
        let (start, stop) = unquoted(text, start, stop);
        if is_password(text, start, stop) {
            return push(start, stop, out);
        }
    }
}

/// `user/password@service` among the next words.
fn database(text: &[u8], end: usize, to: usize, out: &mut Vec<Finding>) {
    let mut position = end;
    for _ in 0..4 {
        let Some((start, stop)) = next_word(text, position, to) else { return };
        position = stop;
        let word = &text[start..stop];
        let Some(slash) = memchr::memchr(b'/', word).filter(|i| *i > 0) else { continue };
        let Some(sign) = memchr::memrchr(b'@', word).filter(|i| *i > slash + 3) else { continue };
        if is_password(text, start + slash + 1, start + sign) {
            return push(start + slash + 1, start + sign, out);
        }
    }
}
