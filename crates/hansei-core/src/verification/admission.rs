//! Which commands of a Spec may be run at all.
//!
//! A Spec is written by a model. The sandbox is what holds; this refuses what shows its intent in plain words, so that a
//! plan which leaves the workspace is never mistaken for one that was carried out.

use crate::check::{PlainCommand, commands};

/// Folders that programs may be called from by their full path.
const PROGRAMS: &[&str] = &["/bin/", "/usr/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"];
/// Devices that hold nothing of anybody's.
const DEVICES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"];

/// Why a command is not run; none if it may be. `root` is the workspace's own folder.
pub fn refusal(line: &str, root: &str) -> Option<String> {
    if line.trim().is_empty() {
        return Some("it is empty".to_owned());
    }
    if line.contains('\0') {
        return Some("it holds a NUL".to_owned());
    }
    let raw = line.split(|c: char| c.is_whitespace() || "'\"`<>|;&(){}=:,".contains(c));
    if let Some(word) = raw.clone().find(|word| goes_up(word)) {
        return Some(format!("{word:?} leads out of the workspace"));
    }
    // Redirections stand in no list of words, so the raw text is asked too.
    let redirected = line.split(['<', '>']).skip(1).filter_map(|rest| rest.split_whitespace().next());
    if let Some(word) =
        redirected.map(|word| word.trim_matches(['\'', '"', '&'])).find(|word| is_outside(word, root))
    {
        return Some(format!("{word:?} lies outside the workspace"));
    }
    commands(line).iter().find_map(|command| of_command(command, root))
}

fn of_command(command: &PlainCommand, root: &str) -> Option<String> {
    let program = command.words.first().map_or("", String::as_str);
    let program_is_fine = PROGRAMS.iter().any(|folder| program.starts_with(folder)) && !goes_up(program);
    let words = command.words.iter().skip(usize::from(program_is_fine));
    let values = command.assignments.iter().filter_map(|text| text.split_once('=')).map(|(_, value)| value);
    let texts = words.chain(&command.writes).map(String::as_str).chain(values);
    for text in texts {
        // `--output=/etc/x`, `-I/usr`, `a:/etc`
        let text = &without_addresses(text);
        for part in text.split(['=', ':', ',']).chain([text.as_str()]) {
            if goes_up(part) {
                return Some(format!("{text:?} leads out of the workspace"));
            }
            if is_outside(part, root) {
                return Some(format!("{text:?} lies outside the workspace"));
            }
        }
    }
    let changes_folder = matches!(program, "cd" | "pushd");
    let target = command.words.get(1).map(String::as_str);
    if changes_folder && matches!(target, None | Some("-")) {
        return Some("`cd` without a folder leaves the workspace".to_owned());
    }
    if changes_folder && target.is_some_and(|target| target.contains('$') || target.contains('`')) {
        return Some("`cd` to a folder that is not written out may leave the workspace".to_owned());
    }
    None
}

/// `text` without the host and the path of an address on a network: they lie on no disk. One without a host names a file.
fn without_addresses(text: &str) -> String {
    let mut rest = text;
    let mut left = String::new();
    while let Some((before, after)) = rest.split_once("://") {
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let scheme = before.trim_end_matches(is_scheme).len();
        let is_file = after.starts_with('/') || before[scheme..].eq_ignore_ascii_case("file");
        let is_network = scheme < before.len() && !is_file;
        left += before;
        rest = after;
        if is_network {
            rest = rest.trim_start_matches(|c: char| !c.is_whitespace() && !",'\"".contains(c));
        } else {
            left += "://";
        }
    }
    left + rest
}

fn goes_up(text: &str) -> bool {
    text.split(['/', '\\']).any(|part| part == "..")
}

fn is_outside(text: &str, root: &str) -> bool {
    if text.starts_with('~')
        || ["$HOME", "${HOME", "$OLDPWD", "${OLDPWD"].iter().any(|name| text.contains(name))
    {
        return true;
    }
    if !text.starts_with('/') || DEVICES.contains(&text) {
        return false;
    }
    // `awk '/error/ { print }'` is a pattern, not a path.
    let is_pattern = text.contains(|c: char| c.is_whitespace() || "{}()|^$*[]\\".contains(c));
    let rest = text.strip_prefix(root.trim_end_matches('/'));
    let is_inside = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    !is_inside && (!is_pattern || is_known_folder(text))
}

/// Whether a path begins with a folder that every system has.
fn is_known_folder(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let known = [
        "bin", "boot", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "root", "run", "sbin", "srv",
        "sys", "tmp", "usr", "var",
    ];
    known.contains(&first)
}
