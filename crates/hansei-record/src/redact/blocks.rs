//! Secrets of several lines: key blocks, Kubernetes secrets, key objects,
//! seed phrases.

use super::Finding;
use super::parse::blanks;
use super::value::placeholder;
use memchr::memmem::find;

/// Longest key block.
const BLOCK: usize = 65_536;

fn base64_bytes(v: &[u8]) -> usize {
    v.iter().filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')).count()
}

/// A PEM or PGP block that starts at `at`.
pub fn pem(text: &[u8], at: usize, out: &mut Vec<Finding>) {
    let head = &text[at..text.len().min(at + 100)];
    let four = !head.starts_with(b"-----");
    let label_from = if four { 11 } else { 11.min(head.len()) };
    let dashes: &[u8] = if four { b" ----" } else { b"-----" };
    let Some(label_len) = find(&head[label_from.min(head.len())..], dashes) else { return };
    let label = head[label_from..label_from + label_len].to_ascii_uppercase();
    let private = find(&label, b"PRIVATE KEY").is_some() || find(&label, b"STATIC KEY").is_some();
    if !private || label.contains(&b'\n') {
        return;
    }
    let body = at + label_from + label_len + dashes.len();
    let limit = text.len().min(body + BLOCK);
    let rest = &text[body..limit];
    let end_mark: &[u8] = if four { b"---- END" } else { b"-----END" };
    let mut next = find(rest, if four { b"----" } else { b"-----" }).unwrap_or(rest.len());
    // In a diff the end line has a dash of its own.
    while rest[next..].starts_with(b"------") {
        next += 1;
    }
    super::work::visit(next);
    let mut end = body + next;
    if text[end..].starts_with(end_mark) {
        if base64_bytes(&rest[..next]) < 24 || looks_elided(&rest[..next]) {
            return;
        }
        let line = &text[end..text.len().min(end + 100)];
        let after = if four { 8 } else { 9.min(line.len()) };
        end += find(&line[after..], dashes).map_or(line.len(), |i| after + i + dashes.len());
    } else {
        let n = truncated(&rest[..next], at - super::assign::line_start(text, at));
        if base64_bytes(&rest[..n]) < 24 {
            return;
        }
        end = body + n;
    }
    out.push(Finding { rule: "private-key", start: at, end });
}

/// Whether a block's body is cut out (`...`), with no line of key left.
fn looks_elided(body: &[u8]) -> bool {
    let dots =
        find(body, b"...").is_some() || find(body, b"<").is_some() || find(body, "…".as_bytes()).is_some();
    let longest = body
        .split(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')))
        .map(<[u8]>::len)
        .max();
    (dots && longest.unwrap_or(0) < 24) || longest.unwrap_or(0) < 12
}

/// How far the lines of a block without an end look like key material.
/// `prefix` is how much a quote, a comment or a log puts before each line.
fn truncated(body: &[u8], prefix: usize) -> usize {
    let mut end = 0;
    let mut next = 0;
    while next < body.len() {
        let p = next;
        let n = memchr::memchr(b'\n', &body[p..]).map_or(body.len() - p, |i| i + 1);
        let cut = if p > 0 && n > prefix { prefix } else { 0 };
        let (p, n) = (p + cut, n - cut);
        let line = &body[p..p + n];
        let t = line.trim_ascii();
        let key = t.iter().filter(|b| b.is_ascii_alphanumeric() || b"+/=\\,\"'".contains(b)).count();
        let header = find(t, b": ").is_some() && t.len() < 100 && p < 300;
        if !t.is_empty() && !header && (key < t.len() || t.contains(&b' ')) {
            // A last line may carry on with text after a quote.
            let stop = t.iter().take_while(|b| b.is_ascii_alphanumeric() || b"+/=\\".contains(b)).count();
            if stop >= 24 || (end == 0 && stop > 0) {
                let lead = line.len() - line.trim_ascii_start().len();
                end = p + lead + stop;
            }
            break;
        }
        if !t.is_empty() {
            end = p + line.trim_ascii_end().len();
        }
        next = p + n;
    }
    end
}

/// The private lines of a `PuTTY` key file.
pub fn putty(text: &[u8], at: usize, out: &mut Vec<Finding>) {
    let limit = text.len().min(at + 20_000);
    let rest = &text[at..limit];
    let Some(mark) = find(rest, b"Private-Lines:") else { return };
    let Some(line) = memchr::memchr(b'\n', &rest[mark..]) else { return };
    let from = mark + line + 1;
    let to =
        find(&rest[from..], b"Private-").map_or_else(|| from + truncated(&rest[from..], 0), |i| from + i);
    let body = rest[from..to].trim_ascii_end();
    if base64_bytes(body) >= 24 {
        out.push(Finding { rule: "putty-private-key", start: at + from, end: at + from + body.len() });
    }
}

/// The values of a Kubernetes `Secret` in YAML or JSON.
#[allow(clippy::many_single_char_names)]
pub fn kubernetes(text: &[u8], at: usize, done: &mut usize, out: &mut Vec<Finding>) {
    if at < *done {
        return;
    }
    let low = at.saturating_sub(4096).max(*done);
    let from = memchr::memmem::rfind(&text[low..at], b"\n---").map_or(low, |i| low + i);
    let high = text.len().min(at + 16_384);
    let to = find(&text[at..high], b"\n---").map_or(high, |i| at + i);
    *done = to;
    let mut inside: Option<usize> = None;
    let mut p = from;
    while p < to {
        let n = memchr::memchr(b'\n', &text[p..to]).map_or(to - p, |i| i + 1);
        let line = &text[p..p + n];
        let trimmed = line.trim_ascii();
        let indent = line.len() - line.trim_ascii_start().len();
        if !trimmed.is_empty() && !trimmed.starts_with(b"#") {
            if matches!(inside, Some(base) if indent <= base) {
                inside = None;
            }
            if inside.is_some()
                && let Some(colon) = find(line, b": ")
            {
                let s = blanks(text, p + colon + 1);
                let v = text[s..p + n].trim_ascii_end();
                let v = v.strip_suffix(b",").unwrap_or(v);
                let quoted = v.len() >= 2 && matches!(v[0], b'"' | b'\'');
                let (s, e) = if quoted { (s + 1, s + v.len() - 1) } else { (s, s + v.len()) };
                if e > s && e - s >= 4 && !placeholder(&text[s..e]) && !matches!(text[s], b'|' | b'>') {
                    out.push(Finding { rule: "kubernetes-secret", start: s, end: e });
                }
            }
            let key = trimmed.strip_suffix(b"{").unwrap_or(trimmed).trim_ascii_end();
            if matches!(key, b"data:" | b"stringData:" | b"\"data\":" | b"\"stringData\":") {
                inside = Some(indent);
            }
        }
        p += n;
    }
}

/// The private members of a JSON web key.
pub fn jwk(text: &[u8], at: usize, done: &mut usize, out: &mut Vec<Finding>) {
    if at < *done {
        return;
    }
    let low = at.saturating_sub(4096);
    let from = memchr::memrchr(b'{', &text[low..at]).map_or(at, |i| low + i);
    let high = text.len().min(at + 8192);
    let to = memchr::memchr(b'}', &text[at..high]).map_or(high, |i| at + i);
    *done = to;
    let object = &text[from..to];
    for name in [&b"\"d\""[..], b"\"k\"", b"\"p\"", b"\"q\"", b"\"dp\"", b"\"dq\"", b"\"qi\""] {
        let Some(i) = find(object, name) else { continue };
        let mut p = blanks(text, from + i + name.len());
        if text.get(p) != Some(&b':') {
            continue;
        }
        p = blanks(text, p + 1);
        if text.get(p) != Some(&b'"') {
            continue;
        }
        let n = text[p + 1..to]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            .count();
        if n >= 20 {
            out.push(Finding { rule: "jwk-private", start: p + 1, end: p + 1 + n });
        }
    }
}

/// The private members of an XML RSA key.
pub fn rsa_xml(text: &[u8], at: usize, done: &mut usize, out: &mut Vec<Finding>) {
    if at < *done {
        return;
    }
    let high = text.len().min(at + 16_384);
    let to = find(&text[at..high], b"</RSAKeyValue>").map_or(high, |i| at + i);
    *done = to;
    for name in [&b"<D>"[..], b"<P>", b"<Q>", b"<DP>", b"<DQ>", b"<InverseQ>"] {
        let Some(i) = find(&text[at..to], name) else { continue };
        let s = at + i + name.len();
        let n = memchr::memchr(b'<', &text[s..to]).unwrap_or(to - s);
        if n >= 20 {
            out.push(Finding { rule: "rsa-xml-private", start: s, end: s + n });
        }
    }
}

/// Twelve or more plain words after the name of a seed phrase.
pub fn phrase(text: &[u8], end: usize, out: &mut Vec<Finding>) {
    let mut p = end;
    while p - end < 12
        && text.get(p).is_some_and(|b| {
            b"\"'`:=> \t_\\".contains(b) || (b.is_ascii_alphabetic() && !b"\"' :=".contains(&text[p - 1]))
        })
    {
        p += 1;
    }
    let (mut words, mut q) = (0, p);
    while words < 24 {
        let n = text[q..].iter().take(9).take_while(|b| b.is_ascii_lowercase()).count();
        if !(3..=8).contains(&n) {
            break;
        }
        q += n;
        words += 1;
        if text.get(q) != Some(&b' ') {
            break;
        }
        q += 1;
    }
    if words >= 12 {
        let v = text[p..q].trim_ascii_end();
        out.push(Finding { rule: "seed-phrase", start: p, end: p + v.len() });
    }
}
