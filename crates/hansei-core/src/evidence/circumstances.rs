//! What explains a stop without accusing anybody: no code was due. And two ways of missing the point: warnings where
//! none were wanted, and the old request done after a new one.

use super::reading::Reading;
use super::request::Want;
use super::{Findings, Kind, Place, Situation};
use crate::prose::{self, Concept};
use crate::session::Excerpt;
use crate::verdict::Severity;

/// Finds them.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let range = situation.task_calls();
    let presented = situation.session.calls[range]
        .iter()
        .rev()
        .take(3)
        .any(|call| matches!(call.action, crate::session::Action::Plan));
    // Whoever edited for it took it for a task, whatever its words.
    if reading.edits == 0
        && (presented || matches!(reading.request.want, Want::Answer | Want::Plan | Want::Talk | Want::Halt))
        || situation.session.planning
    {
        findings.add(Kind::NoCodeDue, Severity::None, Place::Request, "no change was asked for");
    }
    if reading.request.want == Want::Halt {
        findings.add(
            Kind::QuestionAsked,
            Severity::None,
            Place::Request,
            "the human said to stop or to wait",
        );
    }
    goal(situation, reading, findings);
    running(situation, reading, findings);
    warnings(situation, reading, findings);
    pivot(situation, reading, findings);
}

/// The agent says that something still runs. Where a detector of calls has seen it, once is enough.
fn running(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let known = findings.all().iter().any(|evidence| evidence.kind == Kind::BackgroundRunning);
    let place = speech.last(3).into_iter().find(|place| speech.asserts_at(*place, Concept::Running));
    if let Some(place) = place
        && !known
        && reading.calls > 0
        && reading.wants_action()
        && reading.edits == 0
        && !starts_something(&situation.request())
    {
        findings.add(
            Kind::BackgroundRunning,
            Severity::Low,
            Place::LastWords,
            format!("something still runs: {}", speech.quote(place)),
        );
    }
}

/// A share that the request sets as a goal, and that the agent's own figures miss: "at least 85 %".
fn goal(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let Some(wanted) = wanted_share(&situation.request()) else { return };
    let words = situation.last_words();
    let shares: Vec<f64> = words.split_whitespace().filter_map(share).collect();
    let best = shares.iter().copied().fold(f64::MIN, f64::max);
    let all = shares.iter().copied().find(|share| words.contains(&format!("**{share}%**")));
    let reached = all.unwrap_or(best);
    if reading.wants_action() && !shares.is_empty() && reached < wanted && reached > wanted / 2.0 {
        findings.add(
            Kind::WorkRemaining,
            Severity::Medium,
            Place::LastWords,
            format!("{wanted}% was asked for, and your own figure is {reached}%"),
        );
    }
}

fn wanted_share(request: &str) -> Option<f64> {
    let words: Vec<&str> = request.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        matches!(pair[0].to_lowercase().as_str(), "least" | "to" | "over" | "above" | ">=" | "≥")
            .then(|| share(pair[1]))?
    })
}

/// "85%", "**81.3%**": a share in a word.
fn share(word: &str) -> Option<f64> {
    let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '%');
    word.strip_suffix('%')?.parse().ok()
}

/// Whether the request is that something runs, so that its running is the result.
fn starts_something(request: &str) -> bool {
    let words: Vec<String> = request.split_whitespace().take(6).map(str::to_lowercase).collect();
    words.iter().any(|word| {
        matches!(word.as_str(), "start" | "serve" | "launch" | "open" | "boot" | "spin" | "restart")
    })
}

fn warnings(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.request.wants_clean {
        return;
    }
    let range = situation.task_calls();
    let last = situation.session.calls[range.clone()]
        .iter()
        .zip(range)
        .rev()
        .find(|(call, _)| !call.checks.is_empty());
    let Some((call, place)) = last else { return };
    let output = call.end.as_ref().map(|end| end.output.text().to_lowercase()).unwrap_or_default();
    if let Some(count) = counted_warnings(&output) {
        findings.add(
            Kind::WarningsLeft,
            Severity::Medium,
            Place::Call(place),
            format!("clean output was asked for, and the last check still tells of {count}"),
        );
    }
}

/// "3 warnings", "warning: …": what a tool says about warnings, unless it says that there are none.
fn counted_warnings(output: &str) -> Option<String> {
    output.lines().find_map(|line| {
        let line = line.trim();
        if line.starts_with("warning:") || line.starts_with("warning[") || line.contains(": warning:") {
            return Some("a warning".to_owned());
        }
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        words.windows(2).find_map(|pair| match pair {
            [count, "warning" | "warnings"] => {
                count.parse::<u64>().ok().filter(|count| *count > 0).map(|count| format!("{count} warnings"))
            }
            _ => None,
        })
    })
}

/// The latest request turns from an earlier one, and what was said or done is about the earlier one only.
fn pivot(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.request.turns || !reading.wants_action() {
        return;
    }
    let tasks = &situation.session.tasks;
    let Some(earlier) =
        tasks.len().checked_sub(2).and_then(|place| tasks[place].request.as_ref()).map(Excerpt::text)
    else {
        return;
    };
    let telling = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 3)
            .map(str::to_lowercase)
            .filter(|word| !prose::is(word, "pivot-empty"))
            .collect()
    };
    let request = situation.request();
    let (new, mut old) = (telling(&request), telling(&earlier));
    // "not Google", "instead of Google": what the new request names in order to drop it.
    let words: Vec<String> = request
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let dropped: Vec<String> = words
        .windows(2)
        .filter(|pair| matches!(pair[0].as_str(), "no" | "not" | "of" | "than" | "without"))
        .map(|pair| pair[1].clone())
        .collect();
    let said = telling(&situation.last_words());
    let only_new: Vec<&String> =
        new.iter().filter(|word| !old.contains(word) && !dropped.contains(word)).collect();
    let new_only: Vec<String> = new.iter().filter(|word| !dropped.contains(word)).cloned().collect();
    old.extend(dropped.iter().cloned());
    let only_old: Vec<&String> = old.iter().filter(|word| !new_only.contains(word)).collect();
    let knows = |words: &[&String]| words.iter().filter(|word| said.contains(word)).count();
    if !only_new.is_empty() && knows(&only_new) == 0 && knows(&only_old) > 0 {
        findings.add(
            Kind::PivotIgnored,
            Severity::High,
            Place::Request,
            "the human changed the request, and your last message speaks only of the old one",
        );
    }
}
