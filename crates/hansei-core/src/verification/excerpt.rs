//! What helps of a long output: the parts about failures first, then its end.

/// Lines kept around one that tells of a failure.
const BEFORE: usize = 2;
const AFTER: usize = 6;

/// Words that lines about failures have.
const SIGNS: &[&str] = &[
    "FAIL", "Failed", "failed", "Error", "error", "ERROR", "panicked", "assert", "expected", "Expected",
    "not ok", "✖", "✗", "×", "Traceback", "undefined", "No such file", "cannot find", "Exception", "denied",
];

/// At most `most` characters of `output`: whole where it fits, else the lines around failures (and around the names in
/// `failing`) and as much of its end as there is room for.
pub fn excerpt(output: &str, failing: &[String], most: usize) -> String {
    let output = output.trim_end();
    if output.chars().count() <= most {
        return output.to_owned();
    }
    let lines: Vec<&str> = output.lines().collect();
    let mut keep = vec![false; lines.len()];
    let mut room = most.saturating_sub(most / 8);
    // Names first, then other signs, then the end; each as far as there is room.
    let named = |line: &str| failing.iter().any(|name| line.contains(last_part(name)));
    let signed = |line: &str| SIGNS.iter().any(|sign| line.contains(sign));
    let reserved = most / 3;
    for pass in [&named as &dyn Fn(&str) -> bool, &signed] {
        for at in 0..lines.len() {
            if pass(lines[at]) {
                for near in at.saturating_sub(BEFORE)..(at + AFTER).min(lines.len()) {
                    take(&lines, &mut keep, near, &mut room, reserved);
                }
            }
        }
    }
    for at in (0..lines.len()).rev() {
        if !keep[at] && !take(&lines, &mut keep, at, &mut room, 0) {
            break;
        }
    }
    let mut text = String::new();
    let mut gap = false;
    for (line, kept) in lines.iter().zip(keep) {
        if kept {
            text.push_str(line);
            text.push('\n');
        } else if !gap {
            text.push_str("[…]\n");
        }
        gap = !kept;
    }
    let text = text.trim_end();
    if text == "[…]" || text.chars().count() > most {
        return output.chars().skip(output.chars().count() - most).collect();
    }
    text.to_owned()
}

/// Marks a line if there is room for it, and says whether there was.
fn take(lines: &[&str], keep: &mut [bool], at: usize, room: &mut usize, reserved: usize) -> bool {
    let length = lines[at].chars().count() + 1;
    if keep[at] {
        return true;
    }
    // A gap costs a line too.
    if length + 5 > room.saturating_sub(reserved) {
        return false;
    }
    *room -= length + 5;
    keep[at] = true;
    true
}

fn last_part(name: &str) -> &str {
    let part = name.rsplit(["::", " > "][usize::from(!name.contains("::"))]).next().unwrap_or(name);
    if part.is_empty() { name } else { part }
}
