//! What an agent is told when it is sent back: the evidence, what to do about it, and on later attempts what was already
//! tried. Under 300 tokens, and never the same twice.

use std::fmt::Write as _;

use super::Stop;
use super::failures::Failures;
use crate::evidence::Evidence;
use crate::ledger::Ledger;
use crate::verdict::{OR_CORRECT, Verdict};

/// What all our feedback begins with, so that it is known again in any transcript: some agents take a hook's words for
/// the human's.
pub const MARK: &str = "[Hansei]";
/// Bytes that are fewer than 300 tokens in any of the usual vocabularies of English and code.
const LONGEST: usize = 840;
const LONGEST_FACT: usize = 220;
/// A model's words fit in with what came before.
const LONGEST_SAID: usize = 340;
const LONGEST_HISTORY: usize = 330;
/// Room for saying how many facts are left out.
const MORE: usize = 16;

/// Whether a text that reached an agent in the human's place is ours.
pub fn is_ours(text: &str) -> bool {
    let text = ["Stop hook feedback:", "Stop hook additional context:"]
        .into_iter()
        .find_map(|lead| text.trim_start().strip_prefix(lead))
        .unwrap_or(text);
    text.trim_start().starts_with(MARK)
}

/// The feedback for one attempt.
pub(super) fn feedback(
    stop: &Stop,
    verdict: &Verdict,
    grounds: &[&Evidence],
    failures: &Failures,
    ledger: &Ledger,
) -> String {
    let earlier: Vec<&Failures> = ledger.send_backs(&stop.task).map(|sent| &sent.failures).collect();
    let mut text = format!("{MARK} Not done yet.");
    let facts: Vec<String> = if grounds.is_empty() {
        verdict.missing.clone()
    } else {
        // What another fact says as well is said once.
        let texts: Vec<&str> = grounds.iter().map(|ground| ground.text.as_str()).collect();
        let said_elsewhere =
            |text: &str| texts.iter().any(|other| other.len() > text.len() && other.contains(text));
        texts.iter().filter(|text| !said_elsewhere(text)).map(|text| (*text).to_owned()).collect()
    };
    let longest = if grounds.is_empty() { LONGEST_SAID } else { LONGEST_FACT };
    let actions: Vec<(bool, String)> = verdict
        .next_actions
        .iter()
        .filter(|action| !facts.contains(action))
        .map(|action| (action.ends_with(OR_CORRECT), format!("\nNext: {}", way(action))))
        .collect();
    // Facts and history leave room for one fact and for the way out of it.
    let way_out = actions.iter().find(|(both, _)| *both).or(actions.first()).map_or("", |(_, line)| line);
    let closing = "\nFix this, run the check itself and report what it printed. If it cannot be fixed, say so plainly and why.";
    let fixed = text.len() + closing.len() + way_out.len();
    let fact = facts.first().map_or(0, |fact| fact.len().min(longest) + "\n- ".len()) + MORE;
    let longest_history = LONGEST_HISTORY.min((LONGEST - fixed).saturating_sub(fact + "\n".len()));
    let history = earlier
        .last()
        .map(|last| format!("\n{}", cut(&history(earlier.len(), last, failures, stop), longest_history)));
    let room = LONGEST - closing.len() - history.as_ref().map_or(0, String::len);
    push_facts(&mut text, &facts, longest, room - way_out.len());
    let mut left = room.saturating_sub(text.len() + way_out.len());
    for (_, line) in &actions {
        let is_way_out = line == way_out;
        if is_way_out || line.len() <= left {
            text += line;
            left -= if is_way_out { 0 } else { line.len() };
        }
    }
    text += &history.unwrap_or_default();
    text += closing;
    text
}

/// What is to be done, shortened so that both ways stay: the command is cut, and not the sentence to correct.
fn way(action: &str) -> String {
    match action.strip_suffix(OR_CORRECT) {
        Some(run) => cut(run, LONGEST_FACT - OR_CORRECT.len()) + OR_CORRECT,
        None => cut(action, LONGEST_FACT),
    }
}

fn push_facts(text: &mut String, facts: &[String], longest: usize, room: usize) {
    let mut left = facts.len();
    for fact in facts {
        let line = format!("\n- {}", cut(fact, longest));
        if text.len() + line.len() + MORE > room {
            break;
        }
        *text += &line;
        left -= 1;
    }
    if left > 0 {
        let _ = write!(text, "\n- and {left} more");
    }
}

/// What came before: how often, what changed since, and what was tried.
fn history(attempts: usize, last: &Failures, now: &Failures, stop: &Stop) -> String {
    let mut text = format!("This is attempt {}.", attempts + 1);
    let some = |set: Vec<&String>| {
        let named: Vec<String> = set.iter().take(3).map(|name| cut(name, 48)).collect();
        let more = if set.len() > 3 { format!(" and {} more", set.len() - 3) } else { String::new() };
        format!("{}{more}", named.join(", "))
    };
    let fixed: Vec<&String> = last.failing.difference(&now.failing).collect();
    let still: Vec<&String> = last.failing.intersection(&now.failing).collect();
    let new: Vec<&String> = now.failing.difference(&last.failing).collect();
    for (what, set) in [("Fixed since", fixed), ("Still failing", still), ("Newly failing", new)] {
        if !set.is_empty() {
            let _ = write!(text, " {what}: {}.", some(set));
        }
    }
    if !stop.tried.is_empty() {
        let tried: Vec<String> = stop.tried.iter().take(3).map(|tried| cut(tried, 48)).collect();
        let _ = write!(text, " You {}; that was not enough.", tried.join(", "));
    }
    if attempts > 1 {
        text += " Read the first failure in full before the next edit.";
    }
    text
}

/// `text` on one line, shortened to `longest` bytes.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= longest {
        return line;
    }
    format!("{}…", &line[..line.floor_char_boundary(longest - 3)])
}
