//! Work that the agent says is left, or that it announced and did not do.
//!
//! Only the agent's own open work of this task is some: not what a program does, what is offered, conditional, optional or
//! deliberately left, nor how things stood before.

use super::reading::Reading;
use super::request::Want;
use super::undone_words::{counts_a_part, is_at_it, is_over, left_to_others, still_undone};
use super::{Findings, Kind, Place, Situation};
use crate::prose::words::CODE;
use crate::prose::{self, Concept, Form, Hit, Sentence};
use crate::session::Action;
use crate::verdict::Severity;

/// Finds remaining and announced work.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if reading.wants_action() {
        remaining(situation, reading, findings);
    }
    if matches!(reading.request.want, Want::Action | Want::Answer)
        && !reading.silent_end
        && !reading.handed_in
    {
        announced(reading, findings);
    }
}

fn remaining(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let outlines =
        reading.asked.sentences.iter().any(|sentence| super::placeholders::mentions(&sentence.text));
    let left: Vec<usize> = speech
        .places()
        .filter(|place| is_left(reading, *place, outlines) || was_asked(situation, reading, *place))
        .take(5)
        .collect();
    if let Some(first) = left.first() {
        let about = left.iter().map(|place| speech.sentence(*place).text.clone()).collect();
        findings.add_about(
            Kind::WorkRemaining,
            Severity::Medium,
            Place::LastWords,
            format!("you said that something is left: {}", speech.quote(*first)),
            about,
        );
    }
}

/// Whether a sentence tells of open work. Where the request is about outlines, what stands in for code is the work.
fn is_left(reading: &Reading, place: usize, outlines: bool) -> bool {
    let speech = &reading.speech;
    let sentence = speech.sentence(place);
    if sentence.form == Form::Unticked {
        return !speech.is_under(place, Concept::Optional);
    }
    let optional = speech.holds(place, Concept::Optional) || speech.is_under(place, Concept::Optional);
    if optional
        || sentence.asks
        || sentence.form == Form::Item && speech.last(2).iter().any(|last| speech.sentence(*last).asks)
        || speech.holds(place, Concept::AsAsked)
        || speech.holds(place, Concept::Offer)
        || sentence.has("not-mine")
        || is_over(&sentence.words)
        // "What was missing:" tells of what is mended; what runs at others' is theirs.
        || speech.heading(place).is_some_and(|above| prose::any(&speech.sentence(above).words, "were"))
        || sentence.words.iter().take(3).any(|word| prose::is(word, "remote-checks"))
        || left_to_others(&sentence.words, &reading.asked)
    {
        return false;
    }
    let own = |hit: &Hit| !speech.understood || is_own(reading, sentence, *hit);
    if speech.asserted(place, Concept::NotWired).any(|hit| own(&hit)) {
        return true;
    }
    if outlines {
        return false;
    }
    let supposed = sentence.has("supposing");
    speech.asserted(place, Concept::Remains).any(|hit| own(&hit))
        || !supposed && (counts_a_part(&sentence.words) || still_undone(&sentence.words))
        || !sentence.has("replacing") && speech.asserted(place, Concept::Placeholder).any(|hit| own(&hit))
        || sentence.form == Form::Item
            && speech.heading(place).is_some_and(|heading| lists_open(reading, heading))
            && !speech.holds(place, Concept::Delegates)
            && !sentence.has("none-of")
}

/// Whether an item of the agent's own "next steps" names what the request names and what no call touched.
fn was_asked(situation: &Situation<'_>, reading: &Reading, place: usize) -> bool {
    let speech = &reading.speech;
    let sentence = speech.sentence(place);
    let next = |above: usize| {
        speech.holds(above, Concept::NextSteps)
            && !speech.holds(above, Concept::Optional)
            && !speech.sentence(above).has("no-work")
    };
    if sentence.form != Form::Item || sentence.asks || !speech.heading(place).is_some_and(next) {
        return false;
    }
    let request = situation.request();
    let touched = |name: &str| {
        situation.session.calls[situation.task_calls()].iter().any(|call| match &call.action {
            Action::Edit { paths } => paths.iter().any(|path| path.contains(name)),
            Action::Run { command, .. } | Action::Delegate { request: command } => command.contains(name),
            Action::Other => true,
            _ => false,
        })
    };
    let named = |name: &&String| name.chars().count() > 3 && request.contains(name.as_str());
    let first = sentence.words.first().map(String::as_str).unwrap_or_default();
    (first == CODE || prose::is(first, "acts"))
        && !speech.holds(place, Concept::Optional)
        && sentence.code.iter().filter(named).any(|name| !touched(name))
}

/// Whether a phrase of open work is about the agent's own: the agent is its subject, or nothing is, or a part of what was
/// asked for; and it is neither conditional nor an attribute of something.
fn is_own(reading: &Reading, sentence: &Sentence, hit: Hit) -> bool {
    let (start, clause) = sentence.clause_at(hit.start);
    let before = &clause[..hit.start - start];
    let inside = &sentence.words[hit.start..hit.end];
    let conditional = prose::any(&sentence.words[..hit.start], "supposing")
        || prose::any(before, "relative")
        || start.checked_sub(1).is_some_and(|turn| prose::is(&sentence.words[turn], "relative"))
        || sentence.words.first().is_some_and(|word| prose::is(word, "supposing"))
        || prose::any(inside, "relative")
        // "Weak tags are not handled" tells what the program does.
        || prose::any(inside, "describing") && !prose::any(inside, "lasting") && !prose::any(inside, "own-state");
    let counted = |words: &[String]| {
        prose::any(words, "units") || words.iter().any(|word| word.chars().all(|c| c.is_ascii_digit()))
    };
    !conditional
        && (before.iter().all(|word| prose::is(word, "lead-ins"))
            || prose::any(before, "own")
            || counted(before)
            || counted(inside)
            || reading.is_about_request(sentence))
}

/// Whether a heading, or a line that leads to a list, says that what follows is still to be done.
fn lists_open(reading: &Reading, heading: usize) -> bool {
    let speech = &reading.speech;
    let title = speech.sentence(heading);
    // "The remaining usages are right:" says of them how they are.
    let describes =
        |pair: &[String]| matches!(pair[0].as_str(), "is" | "are") && !prose::is(&pair[1], "open-words");
    let next = title.has("next") && (speech.claims_done() || !speech.claims_passing().is_empty());
    speech.holds(heading, Concept::NextSteps)
        && !speech.holds(heading, Concept::Optional)
        && !title.asks
        && !title.has("supposing")
        && !title.has("not-mine")
        && !title.has("no-work")
        && title.words.len() <= 8
        && !title.words.windows(2).any(describes)
        && !next
}

fn announced(reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let announces = |place: &usize| {
        let sentence = speech.sentence(*place);
        let others = [Concept::Offer, Concept::Done, Concept::Optional, Concept::Permission];
        let announced =
            speech.holds(*place, Concept::Announces) || speech.understood && is_at_it(&sentence.words);
        announced
            && !sentence.asks
            && !sentence.has("no-announcement")
            && !others.into_iter().any(|concept| speech.holds(*place, concept))
    };
    let Some(place) = speech.last(2).into_iter().find(announces) else { return };
    findings.add(
        Kind::WorkAnnounced,
        Severity::Medium,
        Place::LastWords,
        format!("you announced {} and stopped", speech.quote(place)),
    );
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{WorkAnnounced, WorkRemaining};
    use crate::evidence::shorthand::{Tale, assert_finds};

    fn told(words: &'static str) -> (&'static str, Tale) {
        (words, Tale::of("Migrate the three cron jobs to the queue").edits("src/jobs.rs").said(words))
    }

    #[test]
    fn own_open_work() {
        assert_finds(
            WorkRemaining,
            true,
            [
                told("The cleanup job is migrated. I have not migrated the digest job."),
                told("Two of the three jobs are migrated."),
                told("The digest job is not migrated yet."),
                told("Done with the first. Still to do: the billing job."),
                told("The other two are still plain scripts."),
                told("Cleanup is migrated.\n\n**Remaining:**\n- digest\n- billing"),
                told("Cleanup is migrated. Digest and billing to follow."),
                told("Phases 2 and 3 can be tackled in follow-up sessions."),
                told("I did not get to the billing job."),
                told("Cleanup is migrated.\n\nNext steps:\n1. `cron jobs` follow the same pattern"),
                told("- [x] cleanup\n- [ ] billing"),
                told("The queue's handler is a stub for now."),
            ],
        );
    }

    #[test]
    fn what_a_program_does_and_what_was_left_on_purpose() {
        assert_finds(
            WorkRemaining,
            false,
            [
                told("All three are migrated. `--force` still triggers the full setup."),
                told("All three are migrated; the old names are not supported as aliases (documented)."),
                told("All three are migrated. The remaining unstaged files are local state."),
                told("All three are migrated. It skips workers that were not started."),
                told("If a job is not migrated, the queue ignores it."),
                told("Done. Say the word and I'll add the fourth."),
                told("Done. The state file does not exist yet when the queue starts."),
                told("Done. The shadow branch is still named after the old commit."),
                told("Done. I left the legacy job untouched, as you said."),
                told("Done. Optional next steps:\n- share the queue\n- warm it at the start"),
                told("Done. The next steps would include:\n- running the suite"),
                told("Done. Comments that were not addressed upstream are unrelated."),
                told("Done. Weak tags in the jobs are not handled."),
                told("Done. Next steps:\n- `jobs.rs` could be split\n- `dash.rs` may show them"),
                told("Done. Issue #12 is still open."),
                told(
                    "Done. The remaining usages are right:\n- the prefix may be a part\n- the other may be a hash",
                ),
            ],
        );
    }

    #[test]
    fn announcements() {
        assert_finds(
            WorkAnnounced,
            true,
            [
                told("Cleanup is migrated. Next, I will migrate the digest job."),
                told("Let me now run the tests."),
                told("I'm now adapting the billing job."),
            ],
        );
        let kept = |words: &'static str| {
            let tale = Tale::of("Migrate the jobs").edits("src/jobs.rs").said(words);
            (words, tale.run("make submit", 0, ""))
        };
        assert_finds(
            WorkAnnounced,
            false,
            [
                kept("I will proceed to submit the changes."),
                kept("Let me run the tests."),
                told("All done. Say the word and I'll commit them too."),
                told("All done. I'd suggest to start with the digest job."),
                told("All done. Let me know when I should deploy."),
                told("All done. If it fails, I will look into it."),
            ],
        );
    }
}
