//! Whether what stands around a name keeps it out rather than uses it: a list of what is banned, an assertion, a search, a
//! command that removes, a message.

use super::file_kind::{FileKind, holds};
use super::place::Place;
use super::syntax::{ReadLine, Stretch, last_word};

/// Words of keys and names that ban what they hold.
const BANNING: &str = "ban bans banned deny denied denies denylist forbid forbids forbidden disallow disallowed disallows \
    blocked blocklist blacklist blacklisted poison poisoned ignore ignored ignores exclude excluded excludes exclusion \
    exclusions omit omitted uninstall uninstalls uninstalled remove removed removes removing purge purged prohibit \
    prohibited prohibits restrict restricted reject rejected rejects unwanted refute refutes conflict conflicts unsupported \
    disabled undef drop dropped obsolete evict unload";
/// Words that deny, where a statement is one of a program.
const DENYING: &str = "no not never none without absent missing undefined isnt doesnt dont cannot nil null";
/// What a statement that looks, and does nothing, is made of.
const ASSERTING: &str = "assert asserts expect expects should shouldnt verify refute ensure assertion fail raises throws \
    rejects";
/// Calls whose argument people read, or that only look whether something is there.
const LOOKING: &str = "print println printf puts log info warn warning error debug trace panic raise throw fail message includes \
    contains indexof startswith starts_with endswith has match matches search find find_spec test which exists equals \
    eq equal tobe toequal describe it title label tooltip placeholder caption gettext translate";
/// Commands whose arguments are looked for or taken away.
const LOOKING_COMMANDS: &str = "grep egrep fgrep rg ag ack sed awk find rm unset unalias echo printf which type command hash test [ kill pkill \
    killall rmdir trash";
const REMOVING_ARGUMENTS: &str = "uninstall remove rm purge unlink autoremove grep rmi delete un ls list show info why view explain audit outdated";

/// The words of identifiers and prose: `noClasses`, `not_in`, `no-restricted-imports`. Options of commands are left out.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for token in text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '=' | ',')) {
        if token.starts_with("--") {
            continue;
        }
        let mut word = String::new();
        let mut lower_before = false;
        for c in token.chars() {
            let breaks = !c.is_alphanumeric() && c != '\'' && c != '’';
            if (breaks || (c.is_uppercase() && lower_before)) && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            }
            lower_before = c.is_lowercase() || c.is_numeric();
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words
}

/// Whether a text bans what it speaks of.
pub(super) fn bans(text: &str) -> bool {
    words_of(text).iter().any(|word| holds(BANNING, word))
}

/// Whether what a line opens is expected to be refused.
fn is_refused(text: &str) -> bool {
    words_of(text).iter().any(|word| holds("raises throws rejects refuses", word))
}

/// Whether the place of a line is one where names are kept out, for an element of data or a text between quotes.
pub(super) fn keeps_out(place: &Place<'_>) -> bool {
    let told = told(place.read());
    let is_program = place.kind == FileKind::Program;
    if is_program && !place.is_element() {
        let statement = place.statement();
        let words = words_of(&statement);
        return words
            .iter()
            .any(|word| holds(BANNING, word) || holds(DENYING, word) || holds(ASSERTING, word))
            || stands_in(place, &|above| bans(above) || is_refused(above));
    }
    bans(&told) || stands_in(place, &bans) || is_switched_off(place)
}

fn told(read: &ReadLine) -> String {
    read.stretches
        .iter()
        .filter(|(kind, _)| *kind != Stretch::Comment)
        .map(|(_, text)| text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether something that was opened above a line, and still holds, is what `is_it` looks for: a key or an element that is
/// less indented, a table, the list of an element.
pub(super) fn stands_in(place: &Place<'_>, is_it: &dyn Fn(&str) -> bool) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let line = place.line();
    let mut outer = indent(line);
    // An element may stand as far to the left as its key.
    let mut in_list = line.trim_start().starts_with("- ");
    for before in place.above().iter().rev() {
        let trimmed = before.trim();
        if trimmed.is_empty() {
            continue;
        }
        let is_table = trimmed.starts_with('[') && trimmed.ends_with(']');
        let opens = is_table || trimmed.ends_with(['[', '{', '(', ':', '>', '=']);
        let is_element = trimmed.starts_with("- ");
        let holds_it = indent(before) < outer || (in_list && indent(before) == outer && !is_element);
        if holds_it || is_table {
            outer = indent(before);
            in_list = is_element;
            if opens && is_it(trimmed) {
                return true;
            }
        }
        if is_table || (outer == 0 && opens && !in_list) {
            return false;
        }
    }
    false
}

/// An element of a list of rules that its own element switches off.
fn is_switched_off(place: &Place<'_>) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(place.line());
    let off = |line: &&str| {
        let plain: String = line.chars().filter(|c| !matches!(c, '"' | '\'' | ' ' | ',')).collect();
        matches!(plain.trim_start_matches('-'), "enabled:false" | "enabled=false")
    };
    let around = place.below().iter().take_while(|line| indent(line) + 2 >= own);
    around.take(6).any(off)
}

/// Whether the text that ends the code `before` it is only looked at: compared, searched for, shown to somebody.
pub(super) fn is_looked_at(before: &str, behind: &str) -> bool {
    let before = before.trim_end();
    let behind = behind.trim_start();
    let compared = ["==", "!=", "=~", " in", "case", " is", "<>"].iter().any(|sign| before.ends_with(sign))
        || ["==", "!=", "in ", "not in ", "=~"].iter().any(|sign| behind.starts_with(sign));
    let called = last_word(before.trim_end_matches(['(', ' ', '[', '!'])).to_lowercase();
    compared || (before.ends_with(['(', '[']) && holds(LOOKING, &called))
}

/// Whether the command of a shell line that holds `name` looks for it or takes it away.
pub(super) fn is_taken_away(line: &str, name: &str) -> bool {
    let segments = line.split(['|', ';']).flat_map(|part| part.split("&&"));
    let mut holding = segments.filter(|segment| segment.contains(name)).peekable();
    holding.peek().is_some()
        && holding.all(|segment| {
            let started = segment.trim_start().trim_start_matches(['-', '@', '!', ' ', '\t', '(', '{']);
            let words = started.split_whitespace().map(|word| word.trim_matches(['"', '\'', '`']));
            let mut words = words.skip_while(|word| {
                matches!(
                    *word,
                    "sudo"
                        | "run:"
                        | "RUN"
                        | "if"
                        | "then"
                        | "while"
                        | "!"
                        | "do"
                        | "else"
                        | "git"
                        | "docker"
                        | "npx"
                        | "exec"
                        | "-"
                        | "not"
                ) || (word.contains('=') && !word.starts_with('-'))
                    || word.ends_with(':')
            });
            let first = words.next().unwrap_or_default();
            let second = words.next().unwrap_or_default();
            holds(LOOKING_COMMANDS, first)
                || holds(REMOVING_ARGUMENTS, first)
                || holds(REMOVING_ARGUMENTS, second)
        })
}

/// A line of code that forbids what it names: `#pragma GCC poison`, `#error`, `del x`.
pub(super) fn code_forbids(code: &str) -> bool {
    let code = code.trim_start();
    let directive = code.starts_with('#') && bans(code);
    directive
        || ["#undef", "#error", "del ", "delete ", "undef ", "typeof ", "unset("]
            .iter()
            .any(|start| code.starts_with(start))
}
