//! The last message as such: empty, cut off, only a plan, or nothing done.

use super::reading::{Reading, looks, writes_in};
use super::request::Want;
use super::{Evidence, Findings, Kind, Place, Situation};
use crate::check::{PlainCommand, commands};
use crate::prose::{self, Concept, End, Form};
use crate::session::{Action, AnswerEnd, Call, cut_mark};
use crate::verdict::Severity;

/// Looks at the last message's shape.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let worked = reading.calls > 0;
    if reading.handed_in && reading.wants_action() && reading.edits == 0 && !may_have_written(situation) {
        findings.add(
            Kind::NothingDone,
            Severity::High,
            Place::Session,
            "the work was handed in, and nothing was changed",
        );
        return;
    }
    if speech.is_empty() {
        if reading.request.given && reading.request.want != Want::Halt && !reading.handed_in {
            findings.add(
                Kind::MessageEmpty,
                Severity::Medium,
                Place::LastWords,
                "there is no last message that says what was done",
            );
        }
        return;
    }
    if reading.silent_end && !situation.session.is_working() {
        findings.add(
            Kind::MessageEmpty,
            Severity::Low,
            Place::LastWords,
            "the last thing was a tool call, and no message says what came of it",
        );
    }
    if breaks_off(situation, speech) {
        let last = speech.last(1).first().map(|place| speech.quote(*place)).unwrap_or_default();
        findings.add(
            Kind::MessageCutOff,
            Severity::Medium,
            Place::LastWords,
            format!("your last message breaks off: {last}"),
        );
    }
    let due = !findings.all().iter().any(|evidence| evidence.kind == Kind::NoCodeDue);
    if !due || reading.edits > 0 {
        return;
    }
    // A claim that nobody showed says it as well; one that is only noted says nothing.
    let says_so = |evidence: &Evidence| {
        matches!(evidence.kind, Kind::ClaimUnsupported | Kind::ClaimContradicted)
            && evidence.severity >= Severity::High
    };
    // A plan that ends with a question waits for an answer, and one that was followed by calls was kept.
    let asks = speech.last(3).iter().any(|place| speech.sentence(*place).asks);
    let planned = reading.request.ordered && !asks && !reading.acted && !reading.silent_end && plans(reading);
    let checked = situation.session.calls[situation.task_calls()].iter().any(|call| !call.checks.is_empty());
    if planned && !reading.handed_in && !speech.claims_done() && !checked {
        findings.add(
            Kind::PlanOnly,
            Severity::Medium,
            Place::LastWords,
            "action was asked for, and your last message is only a plan",
        );
    } else if !speech.prose.blocks.is_empty() && !reading.acted && makes(reading) {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::LastWords,
            "what was asked for stands only in your message, and in no file",
        );
    } else if makes(reading)
        && !reading.acted
        && !checked
        && !spared(speech)
        && !was_kept_from_it(situation, speech)
        && !findings.all().iter().any(says_so)
    {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::Session,
            "a change was asked for, and nothing was changed",
        );
    } else if reading.request.ordered
        && !worked
        && !speech.claims_done()
        && speech.claims_passing().is_empty()
        && acts(reading)
    {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::Session,
            "action was asked for, and no tool was used",
        );
    }
}

/// Whether the last words end before they are over, and nobody else cut them: a mark at the end is not the agent's, and
/// the end of a block may be among what was left out.
fn breaks_off(situation: &Situation<'_>, speech: &super::speech::Speech) -> bool {
    let words = situation.last_words();
    let cut = cut_mark(&words);
    let shortened = cut.is_some()
        || situation
            .turn()
            .is_some_and(|turn| turn.last_words.as_ref().is_some_and(|words| !words.tail.is_empty()));
    match speech.prose.end {
        End::OpenBlock => !shortened,
        End::Colon | End::Broken => cut.is_none_or(|place| words[place..].trim_end().contains('\n')),
        _ => false,
    }
}

/// Whether any call of the task may have written something: only what plainly reads or asks did not.
fn may_have_written(situation: &Situation<'_>) -> bool {
    let writes = |part: &PlainCommand| {
        !looks(part)
            && (part.writes.iter().any(|to| !to.starts_with("/dev/"))
                || part.words.iter().chain(&part.fed).any(|text| writes_in(text)))
    };
    situation.session.calls[situation.task_calls()].iter().filter(|call| !call.hands_in()).any(|call| {
        match &call.action {
            Action::Run { command, .. } => commands(command).iter().any(writes),
            Action::Edit { .. } | Action::Delegate { .. } | Action::Other => true,
            _ => false,
        }
    })
}

/// Whether a call of the task failed, and the words tell what could not be done.
fn was_kept_from_it(situation: &Situation<'_>, speech: &super::speech::Speech) -> bool {
    let failed = |call: &Call| call.end.as_ref().is_some_and(|end| end.end != AnswerEnd::Done);
    situation.session.calls[situation.task_calls()].iter().any(failed)
        && speech.places().any(|place| speech.asserts_at(place, Concept::Unable))
}

/// Whether the words say that nothing needs to be changed, or why it cannot be, or ask something.
fn spared(speech: &super::speech::Speech) -> bool {
    let no_need = |words: &[String]| {
        words.windows(3).any(|row| {
            matches!(row[0].as_str(), "no" | "not" | "nothing") && prose::any(&row[1..], "needs-of-change")
        })
    };
    speech.places().any(|place| {
        let sentence = speech.sentence(place);
        sentence.asks || sentence.has("spared") || no_need(&sentence.words)
    })
}

/// Whether the request begins with a verb that asks for a change, and not for a text to look at.
fn makes(reading: &Reading) -> bool {
    let sentences = reading.asked.sentences.iter();
    let words: Vec<&String> = sentences.flat_map(|sentence| &sentence.words).collect();
    let verb = words.iter().find(|word| !prose::is(word, "before-orders"));
    verb.is_some_and(|verb| prose::is(verb, "makes")) && !prose::any(&words[..words.len().min(8)], "texts")
}

/// Whether what is said lists what will be done.
fn plans(reading: &Reading) -> bool {
    let speech = &reading.speech;
    let items = speech.places().filter(|place| speech.sentence(*place).form == Form::Item).count();
    let headed = (0..speech.prose.sentences.len()).any(|place| speech.holds(place, Concept::Plans));
    let future = speech.places().filter(|place| speech.holds(*place, Concept::Announces)).count();
    headed && items >= 2 || future >= 2 || items >= 6 && headed
}

/// Whether the request can be met with tools only, as far as can be told.
fn acts(reading: &Reading) -> bool {
    reading.request.about_behaviour || reading.request.wants_checks || reading.request.wants_tests
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::evidence::Kind::{MessageCutOff, MessageEmpty, NothingDone};
    use crate::evidence::shorthand::{Tale, assert_finds};
    use crate::session::{Action, AnswerEnd};

    fn tale() -> Tale {
        Tale::of("Fix the parser")
    }

    fn submit(tale: Tale, input: serde_json::Value) -> Tale {
        tale.call("submit", input, Action::HandIn, AnswerEnd::Done, None, "")
    }

    #[test]
    fn the_last_words() {
        assert_finds(
            MessageEmpty,
            true,
            [
                ("nothing said", tale().edits("src/parser.rs")),
                ("worked on without a word", tale().said("I look at it.").edits("src/parser.rs")),
                (
                    "a mark that is not all of it",
                    tale().said("Running.").run("cargo test; echo ALL_DONE_HERE", 1, "").edits("a.rs"),
                ),
            ],
        );
        assert_finds(
            MessageEmpty,
            false,
            [
                ("said at the end", tale().edits("src/parser.rs").said("The parser is fixed.")),
                ("handed in", submit(tale().said("I fixed it.").edits("src/parser.rs"), json!({}))),
                ("handed in without a word", submit(tale().edits("src/parser.rs"), json!({}))),
                (
                    "handed in with words",
                    submit(tale().edits("a.rs"), json!({ "result": "The parser is fixed." })),
                ),
                (
                    "handed in by a mark",
                    tale().said("Done.").run("echo TASK_COMPLETE_SUBMIT && git diff", 0, ""),
                ),
                ("what ran on ended", tale().background("npm test").said("It runs.").ended(0, "3 passing")),
            ],
        );
        let words = submit(tale().said("Now I submit."), json!({ "result": "The parser is fixed." }));
        words.ask(|situation| assert_eq!(situation.last_words(), "The parser is fixed."));
    }

    #[test]
    fn broken_off() {
        let long = "The parser is fixed. ".repeat(300);
        assert_finds(
            MessageCutOff,
            true,
            [
                ("in a block", tale().edits("a.rs").said("Fixed:\n```rust\nfn a() {")),
                ("before what was to follow", tale().edits("a.rs").said("I fixed these files:")),
                (
                    "cut before, and broken off",
                    tale().edits("a.rs").said("a\n[... 9 characters cut ...]\nI fixed these:"),
                ),
            ],
        );
        assert_finds(
            MessageCutOff,
            false,
            [
                ("whole", tale().edits("a.rs").said("I fixed it.")),
                (
                    "a block cut by somebody",
                    tale()
                        .edits("a.rs")
                        .said("Fixed:\n```rust\nfn a() {\n[... 812 characters cut ...]\nIt works now."),
                ),
                (
                    "cut at the end by somebody",
                    tale().edits("a.rs").said("I fixed these files: [... 812 characters cut ...]"),
                ),
                ("too long to keep", tale().edits("a.rs").said(&format!("```\n{long}\n```\n{long}"))),
            ],
        );
    }

    /// A claim that is only noted does not say that nothing was done; one that is held against the agent does.
    #[test]
    fn a_claim_does_not_hide_that_nothing_was_done() {
        let by_itself = tale().said("Done.");
        let behind_a_claim = tale().said("Done. All tests pass.");
        assert_finds(
            NothingDone,
            true,
            [("nothing done", by_itself), ("nothing done, behind a claim", behind_a_claim)],
        );
        assert_finds(
            NothingDone,
            false,
            [
                ("said with the claim", tale().said("I fixed the parser in src/parser.rs.")),
                ("done", tale().edits("src/parser.rs").said("Done. All tests pass.")),
                ("checked", tale().run("cargo test", 0, "test result: ok. 4 passed").said("All tests pass.")),
                ("asked for no change", Tale::of("Do the tests pass?").said("Yes, all tests pass.")),
            ],
        );
    }

    #[test]
    fn handed_in_with_nothing_changed() {
        let hand_in = |tale: Tale| tale.call("submit", json!({}), Action::HandIn, AnswerEnd::Done, None, "");
        let t = || Tale::of("Please change the repository so that the issue is resolved.");
        assert_finds(
            NothingDone,
            true,
            [("found and left", hand_in(t().run("python -c \"print(1)\" && grep -n 'def a' x.py", 0, "1")))],
        );
        assert_finds(
            NothingDone,
            false,
            [
                ("edited", hand_in(t().edits("a.py"))),
                (
                    "written by a command",
                    hand_in(t().run("python - <<'E'\nopen('a.py','w').write('')\nE", 0, "")),
                ),
            ],
        );
    }
}
