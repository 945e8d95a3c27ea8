//! Whether a sentence tells to take a decision away: by its tags, by its name, or by what it says and where that stands.

use super::contradiction::{TURNING, clauses, words};
use super::decision::{Decision, DecisionKind};
use super::file_kind::holds;

/// Words that take something away.
const TAKING: &str = "remove delete drop strip erase discard comment revert clean ignore bypass disregard override lift relax waive \
    suspend withdraw revoke removing deleting dropping stripping lifting ignoring bypassing overriding relaxing";
/// Words that make it say less, when they stand right before it.
const WEAKENING: &str =
    "rewrite reword weaken soften loosen change edit rewriting weakening softening loosening";
/// Behind what is taken away.
const TAKEN: &str = "removed deleted dropped stripped erased discarded ignored bypassed disregarded overridden lifted relaxed waived \
    suspended withdrawn revoked reverted gone go";
/// What a decision is called by somebody who does not say its tag.
const MEMORY: &str = "comment comments note notes tag tags line lines rule decision ban rejection restriction prohibition marker annotation";
/// Of these there is one about a name; of the others, it must be said that they forbid it.
const FORBIDDING_BY_ITSELF: &str = "rule decision ban rejection restriction prohibition";
const FORBIDDING: &[&str] = &["forbid", "reject", "ban", "prohibit", "disallow", "exclud", "against"];

/// Whether a sentence tells to take a decision away. Who names tags and no place means every tag.
pub(super) fn takes_memory_away(text: &str, decision: &Decision) -> bool {
    clauses(text).any(|clause| {
        let lower = clause.to_lowercase();
        let id = decision.id.to_lowercase();
        let file = file_of(decision);
        let here = lower.contains(&file)
            || !lower.split_whitespace().any(|word| word.trim_matches(['.', ',', '`']).contains('.'));
        let is_tagged = decision.kind != DecisionKind::AdrFile && here;
        (id.len() >= 4 && is_taken(&lower, &id))
            || (is_tagged && (is_taken(&lower, "@rejected") || is_taken(&lower, "@rationale")))
            || takes_words_away(&lower, decision)
    })
}

fn file_of(decision: &Decision) -> String {
    decision.file.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// Whether a clause takes `target` away: `remove the @REJECTED tag`, `the @REJECTED tag must be removed`.
fn is_taken(clause: &str, target: &str) -> bool {
    let Some(at) = clause.find(target) else { return false };
    let (said, behind) = (words(&clause[..at]), words(&clause[at + target.len()..]));
    is_taken_between(&said, &behind)
}

/// Whether the words before something and behind it take it away.
fn is_taken_between(said: &[&str], behind: &[&str]) -> bool {
    let denies = |words: &[&str]| words.iter().any(|word| holds(TURNING, word));
    let verb = said
        .iter()
        .rposition(|word| holds(TAKING, word) || holds(WEAKENING, word) || holds("keep keeping leave", word));
    let is_done = verb.is_some_and(|at| {
        let reach = if holds(TAKING, said[at]) { 6 } else { 2 };
        let is_kept = holds("keep keeping leave", said[at]);
        !is_kept && said.len() - at <= reach && !denies(&said[at.saturating_sub(3)..at])
    });
    let near = &behind[..behind.len().min(8)];
    let participle = near.iter().position(|word| holds(TAKEN, word));
    // What begins anew between the two has a subject of its own.
    let begins_anew = |words: &[&str]| {
        words.iter().any(|word| {
            holds("before after when until while and or anything something nothing it they which", word)
        })
    };
    let is_passive =
        participle.is_some_and(|at| !denies(&near[..at]) && !begins_anew(&near[..at]) && !denies(said));
    // `removing the tag is no way`
    (is_done && !denies(&behind[..behind.len().min(5)])) || is_passive
}

/// Whether a clause tells to take away the words of a decision: what forbids a name, or what stands on its line.
fn takes_words_away(clause: &str, decision: &Decision) -> bool {
    let said = words(clause);
    let mut names = decision.rejected.iter().flat_map(|rejection| &rejection.names);
    let is_about_name = names.any(|name| clause.contains(&name.text.to_lowercase()));
    let file = file_of(decision);
    let is_on_its_line = !file.is_empty() && clause.contains(&file) && names_line(&said, decision);
    if !is_about_name && !is_on_its_line {
        return false;
    }
    said.iter().enumerate().any(|(at, object)| {
        let forbids = |word: &&str| FORBIDDING.iter().any(|stem| word.starts_with(stem));
        let is_of_name =
            is_about_name && (holds(FORBIDDING_BY_ITSELF, object) || said[at + 1..].iter().any(forbids));
        holds(MEMORY, object)
            && (is_of_name || is_on_its_line)
            && is_taken_between(&said[..at], if is_of_name { &[] } else { &said[at + 1..] })
            || (holds(FORBIDDING_BY_ITSELF, object)
                && is_about_name
                && is_taken_between(&[], &said[at + 1..]))
    })
}

/// Whether the words name a line on which the decision stands.
fn names_line(said: &[&str], decision: &Decision) -> bool {
    let rejected = decision.rejected.iter().map(|rejection| rejection.line);
    let lines: Vec<u32> =
        rejected.chain(decision.rationale.iter().map(|reason| reason.line)).chain([decision.line]).collect();
    said.windows(2).any(|pair| {
        holds("line lines", pair[0]) && pair[1].parse().is_ok_and(|line: u32| lines.contains(&line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::{Memory, SourceFile};

    #[test]
    fn a_sentence_takes_a_decision_away_or_keeps_it() {
        let text = "# @RATIONALE: exact types\n# @REJECTED: `pandas`, because it guesses types\nx = 1\n";
        let memory = Memory::of([SourceFile { path: "src/load.py", text }]);
        for (said, takes) in [
            ("Remove the @REJECTED tag from load.py", true),
            ("The @REJECTED tag in load.py should be removed", true),
            ("the @REJECTED line of load.py must go", true),
            ("Weaken the @REJECTED tag", true),
            ("Comment out line 2 of load.py", true),
            ("Delete the comment in line 2 of load.py that forbids pandas", true),
            ("Remove the note that rejects pandas", true),
            ("Lift the ban on pandas", true),
            ("The ban on pandas can be lifted", true),
            ("unblock it by deleting the @REJECTED tag", true),
            ("Do not remove the @REJECTED tag", false),
            ("Removing the @REJECTED tag is no way out", false),
            ("The @REJECTED tag must not be removed", false),
            ("Make it pass without removing the @REJECTED tag", false),
            ("Edit load.py, keep the @REJECTED tag", false),
            ("Keep the @REJECTED tag and remove the cache", false),
            ("Remove the @REJECTED tag from other.py", false),
            ("Delete the comment in line 9 of load.py", false),
            ("Delete line 2 of other.py", false),
            ("Remove pandas from the requirements", false),
            ("The ban on pandas stays", false),
            ("Read the @REJECTED tag before anything is removed", false),
        ] {
            let came = memory.decisions.iter().any(|decision| takes_memory_away(said, decision));
            assert_eq!(came, takes, "{said}");
        }
    }
}
