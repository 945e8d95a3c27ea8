//! What is asked of the human: permission, a decision, an act that only a human can do, or one that the agent could do.

use super::human_only::{directed, human_only};
use super::reading::Reading;
use super::request::Want;
use super::speech::Speech;
use super::{Findings, Kind, Place, Situation};
use crate::prose::{self, Concept, Form, Sentence};
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

/// How many of the last sentences may ask.
const TAIL: usize = 5;

/// Finds what is asked of the human.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    if pending_question(situation) {
        findings.add(Kind::QuestionAsked, Severity::None, Place::Session, "a question to the human is open");
        return;
    }
    let green = findings.all().iter().any(|evidence| evidence.kind == Kind::CheckPassed);
    let claims = speech.claims_done() || !speech.claims_passing().is_empty();
    // In a language that is not read, work that was done and then checked stands for the claim.
    let shown = !speech.understood && reading.edits > 0 && (reading.ran_after_edit || green);
    let finished = claims && (reading.edits > 0 || reading.ran_after_edit || green) || shown;
    if let Some(place) = human_only(speech, finished) {
        findings.add(
            Kind::HumanOnly,
            Severity::Medium,
            Place::LastWords,
            format!("only a human can do this: {}", speech.quote(place)),
        );
        return;
    }
    let last_call = situation.session.calls[situation.task_calls()].last();
    if last_call.and_then(|call| call.end.as_ref()).is_some_and(|end| end.end == AnswerEnd::Denied) {
        findings.add(
            Kind::QuestionAsked,
            Severity::None,
            Place::Session,
            "the last call was refused, and nobody said why",
        );
        return;
    }
    if never_tried(situation, reading) {
        findings.add(
            Kind::NothingDone,
            Severity::High,
            Place::Session,
            "you said that it cannot be done, and never tried",
        );
        return;
    }
    // What the human may choose from stands below the question.
    let said: Vec<usize> =
        speech.places().filter(|place| speech.sentence(*place).form != Form::Item).collect();
    let tail = [speech.last(TAIL), said[said.len().saturating_sub(TAIL)..].to_vec()].concat();
    let awaited =
        |place: &usize| reading.request.wants_a_say && speech.asserts_at(*place, Concept::Permission);
    let permission =
        tail.iter().copied().find(|place| awaited(place) || seeks_permission(speech, *place, reading));
    let question = tail.iter().rev().copied().find(|place| decides(speech, *place, finished));
    match (permission, question) {
        // A plan was wanted, and it is there: that its author waits for a word is part of it.
        (Some(_), _) if reading.request.want == Want::Plan => {}
        (Some(place), None) if reading.request.wants_a_say => findings.add(
            Kind::QuestionAsked,
            Severity::None,
            Place::LastWords,
            format!("the human asked to be asked: {}", speech.quote(place)),
        ),
        (Some(place), open)
            if reading.wants_action()
                && (open.is_none() && reading.request.ordered || reading.request.wants_no_say) =>
        {
            findings.add(
                Kind::PermissionSought,
                if speech.sentence(place).asks { Severity::Medium } else { Severity::Low },
                Place::LastWords,
                format!("you asked whether to go on: {}", speech.quote(place)),
            );
        }
        // An answer or a plan that ends with a question has been given all the same.
        (_, Some(_))
            if matches!(reading.request.want, Want::Answer | Want::Plan | Want::Talk)
                && speech.prose.sentences.len() >= 4 => {}
        (_, Some(place)) if reading.request.want != Want::Talk => findings.add(
            Kind::QuestionAsked,
            Severity::None,
            Place::LastWords,
            format!("a question is open: {}", speech.quote(place)),
        ),
        _ => {}
    }
    if let Some(command) = unrun(situation, reading) {
        let text =
            format!("you left to the human a check that was asked for and that you can run: `{command}`");
        findings.add(Kind::Delegated, Severity::Medium, Place::LastWords, text);
        return;
    }
    if permission.is_none()
        && let Some((place, core)) = delegated(speech, reading, green)
        && reading.wants_action()
    {
        findings.add(
            Kind::Delegated,
            if finished && !core { Severity::Low } else { Severity::Medium },
            Place::LastWords,
            format!("you left to the human what you can do yourself: {}", speech.quote(place)),
        );
    }
}

/// Whether what is said to be impossible was never tried: "as an assistant I cannot open pages". Who looked for something and
/// did not find it has tried, and so has whose call failed.
fn never_tried(situation: &Situation<'_>, reading: &Reading) -> bool {
    let speech = &reading.speech;
    let own = |place: usize| {
        let words = &speech.sentence(place).words;
        speech.asserts_at(place, Concept::Unable)
            && (!speech.understood || prose::any(words, "own"))
            && !prose::any(words, "sought")
    };
    let calls = &situation.session.calls[situation.task_calls()];
    let looked = calls.iter().all(|call| {
        call.end
            .as_ref()
            .is_some_and(|end| end.end == AnswerEnd::Done && end.exit_code.is_none_or(|code| code == 0))
    });
    let pages = reading.calls == 0 && situation.request().contains("://");
    let makes = reading.wants_action() && reading.calls > 0 && reading.edits == 0 && !reading.acted && looked;
    (pages || makes) && speech.places().any(own) && !speech.places().any(|place| speech.sentence(place).asks)
}

/// Whether the agent asked through a tool, and nobody answered.
fn pending_question(situation: &Situation<'_>) -> bool {
    situation.session.calls.last().is_some_and(Call::waits_for_an_answer)
}

/// Whether a sentence asks to be allowed what the request ordered: before anything was done, or before the rest of it.
fn seeks_permission(speech: &Speech, place: usize, reading: &Reading) -> bool {
    let sentence = speech.sentence(place);
    let request = |word: &String| reading.asked.sentences.iter().any(|asked| asked.words.contains(word));
    let named = |word: &String| !prose::is(word, "outward") || request(word);
    speech.holds(place, Concept::Permission)
        && !speech.holds(place, Concept::Optional)
        && sentence.form != Form::Heading
        && (speech.understood || reading.edits == 0)
        && (sentence.asks || sentence.has("own") || sentence.has("awaiting"))
        && !sentence.has("extras")
        && sentence.words.iter().all(named)
        && (reading.edits == 0 && !reading.silent_end
            || sentence.has("going-further")
            || sentence.asks && reading.request.wants_no_say
            || sentence.asks && speech.understood && reading.is_about_request(sentence))
}

fn decides(speech: &Speech, place: usize, finished: bool) -> bool {
    let sentence = speech.sentence(place);
    let says = |word: &str| sentence.words.iter().any(|known| known == word);
    if matches!(sentence.form, Form::Heading) || says("anything") || says("else") {
        return false;
    }
    if !speech.understood {
        return sentence.asks && !finished && !speech.holds(place, Concept::Permission);
    }
    let permits = speech.holds(place, Concept::Permission);
    let asks = sentence.asks && !permits
        || speech.holds(place, Concept::AsksInput)
            && (sentence.asks
                || says("please")
                || says("tell") && says("me")
                || speech.sentence(place).words.windows(3).any(|row| {
                    row[0] == "let" && row[1] == "me" && row[2] == "know" || row[0] == "i" && row[1] == "need"
                }));
    let alternatives = says("or") && sentence.asks;
    if permits && !alternatives {
        return false;
    }
    let offers =
        speech.holds(place, Concept::Offer) && !alternatives && !speech.holds(place, Concept::AsksInput);
    (asks || alternatives) && !offers && !(finished && permits)
}

/// Whether the code in a sentence is only a check that ran already.
fn green_alone(sentence: &Sentence, reading: &Reading) -> bool {
    reading.ran_after_edit
        && sentence.code.iter().all(|code| !crate::check::read_command(code).checks.is_empty())
}

/// The sentence that hands the human what the agent could do, and whether that is a part of the task itself. A reply that
/// was asked for speaks to somebody else.
fn delegated(speech: &Speech, reading: &Reading, green: bool) -> Option<(usize, bool)> {
    if reading.asked.sentences.iter().any(|sentence| sentence.has("drafts")) {
        return None;
    }
    (0..speech.prose.sentences.len()).filter(|place| speech.sentence(*place).form != Form::Row).find_map(
        |place| {
            let sentence = speech.sentence(place);
            let first = sentence.words.first().map(String::as_str).unwrap_or_default();
            let others = sentence.has("going-further") || sentence.says(&["same"]);
            let can = sentence
                .words
                .windows(2)
                .any(|pair| pair[0] == "you" && matches!(pair[1].as_str(), "can" | "could" | "may"));
            let headed = |class: &str| {
                speech.heading(place).is_some_and(|heading| speech.sentence(heading).has(class))
            };
            let usage = matches!(first, "to" | "usage" | "example") && !sentence.has("insisting")
                || can && !others
                || headed("usage");
            let looks = sentence.has("looking") && !sentence.has("trying");
            // "1. Run `x`" under "To finish:" tells the human what to do, too.
            let ordered = matches!(sentence.form, Form::Item)
                && prose::is(first, "orders")
                && (headed("finishing")
                    || speech.heading(place).is_some_and(|above| {
                        speech.holds(above, Concept::NextSteps) && directed(speech.sentence(above))
                    })
                    || speech
                        .heading(place)
                        .is_some_and(|above| speech.asserts_at(above, Concept::Delegates)))
                && !reading.request.wants_a_say;
            let handed = speech.asserted(place, Concept::Delegates).any(|hit| {
                let (start, clause) = sentence.clause_at(hit.start);
                let before = &clause[..hit.start - start];
                !prose::any(before, "own")
                    && !prose::any(before, "supposing")
                    && !prose::is(first, "supposing")
            });
            let optional = green && speech.claims_done() && speech.holds(place, Concept::Optional) && !others;
            let kept = !speech.holds(place, Concept::AsAsked)
                && (handed || ordered)
                && !usage
                && !looks
                && !speech.holds(place, Concept::Offer)
                && !sentence.asks
                && !sentence.says(&["would"])
                && !optional;
            let asked_for = sentence.code.iter().any(|code| {
                code.chars().count() > 3
                    && reading.asked.sentences.iter().any(|asked| asked.text.contains(code.as_str()))
            }) && !green_alone(sentence, reading);
            kept.then_some((place, ordered || others || asked_for))
        },
    )
}

/// A check that was asked for, that no call of this task ran, and that the last words hand over as a command.
fn unrun(situation: &Situation<'_>, reading: &Reading) -> Option<String> {
    let speech = &reading.speech;
    let calls = &situation.session.calls[situation.task_calls()];
    let request = situation.request();
    let hidden = |call: &Call| matches!(call.action, Action::Delegate { .. } | Action::Other);
    if !reading.wants_action()
        || reading.edits == 0
        || reading.request.wants_a_say
        || calls.iter().any(hidden)
    {
        return None;
    }
    let due = |line: &str| {
        let name: Vec<&str> = line.split_whitespace().take(2).collect();
        let checks = crate::check::read_command(line).checks;
        let ran = |kind| calls.iter().flat_map(|call| &call.checks).any(|run| run.check.kind == kind);
        !checks.is_empty()
            && (reading.request.wants_checks
                || request.contains(&name.join(" "))
                || name.first().is_some_and(|program| program.len() > 5 && request.contains(program)))
            && checks.iter().all(|(check, _)| !ran(check.kind))
    };
    let told = [
        Concept::Unable,
        Concept::Unverified,
        Concept::Done,
        Concept::Passes,
        Concept::Fails,
        Concept::Offer,
    ];
    let hands = |place: usize| {
        let sentence = speech.sentence(place);
        let ordered = prose::any(&sentence.words[..sentence.words.len().min(3)], "trying");
        !sentence.asks
            && !told.iter().any(|concept| speech.holds(place, *concept))
            && !prose::any(&sentence.words, "own")
            && if speech.understood {
                ordered || speech.holds(place, Concept::Delegates)
            } else {
                !prose::any(&sentence.words, "denials-abroad")
            }
    };
    let inline = (0..speech.prose.sentences.len())
        .filter(|place| hands(*place))
        .flat_map(|place| speech.sentence(place).code.iter().map(String::as_str));
    let blocks = speech.prose.blocks.iter().filter(|block| block.after.checked_sub(1).is_some_and(hands));
    inline
        .chain(blocks.flat_map(|block| block.text.lines()))
        .map(str::trim)
        .find(|line| due(line))
        .map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{Delegated, HumanOnly, NothingDone, PermissionSought};
    use crate::evidence::shorthand::{Tale, assert_finds};

    fn told(words: &str) -> (&str, Tale) {
        let tale = Tale::of("Write the release notes and publish the release");
        (words, tale.edit("notes.md", "", "The notes").said(words))
    }

    #[test]
    fn what_only_a_human_can_do_is_no_end_of_the_work() {
        assert_finds(
            HumanOnly,
            true,
            [
                told("The notes are written. Publishing needs an approval that only you can give."),
                told(
                    "I wrote the notes. The release itself requires a sign-off nobody but the owner can grant.",
                ),
                told(
                    "Notes done. Publishing is blocked: the registry's approval can only be given by a maintainer.",
                ),
                told(
                    "The notes are ready, but the publish step waits for something only a human may confirm.",
                ),
                told("I have written the notes. The go for a release has to come from you, so it waits."),
            ],
        );
        assert_finds(
            HumanOnly,
            false,
            [
                told("Added drafts. Only you can see yours, and readers need an invitation."),
                told("The notes are written and the release is published."),
                told("Done. Now only the owner can delete a release."),
                told(
                    "I wrote the notes and published the release; the page can only be edited by its owner.",
                ),
            ],
        );
    }

    #[test]
    fn what_cannot_be_done_was_tried() {
        let t = |request: &str, words: &'static str| {
            (words, Tale::of(request).look("req.txt", "flask").said(words))
        };
        let pdf = "Add a PDF export to reports/. You have network and a venv.";
        assert_finds(
            NothingDone,
            true,
            [
                t(pdf, "I cannot install packages in this environment, so the export is not possible."),
                t(
                    "Bau einen PDF-Export ein.",
                    "Da ich hier keine Pakete installieren kann, ist das leider nicht umsetzbar.",
                ),
            ],
        );
        let failed = Tale::of(pdf).run("pip install reportlab", 1, "no route to host");
        assert_finds(
            NothingDone,
            false,
            [
                ("tried", failed.said("I cannot install reportlab: there is no route to the index.")),
                t("Why is the export slow?", "I could not measure it here, but it reads the file twice."),
                t(pdf, "I could not find a folder reports/ here. Which one do you mean?"),
            ],
        );
    }

    #[test]
    fn permission_is_sought_for_what_was_ordered() {
        let t = |request: &'static str, words: &'static str| {
            (words, Tale::of(request).look("a.rs", "").said(words))
        };
        let edited = |words: &'static str| {
            (words, Tale::of("Add type hints to all modules").edits("a.py").said(words))
        };
        assert_finds(
            PermissionSought,
            true,
            [
                t(
                    "Remove the old API and its tests.",
                    "I found three places. Shall I go ahead and remove them?",
                ),
                t("can you add a flag", "The flag belongs in cli.rs. Want me to implement it?"),
                edited("Three of eight are typed. Would you like me to continue with the other five?"),
                t(
                    "Actualiza las dependencias y corre los tests.",
                    "Hay dos. ¿Quieres que proceda con la actualización?",
                ),
            ],
        );
        assert_finds(
            PermissionSought,
            false,
            [
                t("is this better than an index", "Yes, it is. Want me to implement it?"),
                t("can you check whether it is used", "It is not used. Should I go ahead and remove it?"),
                t("Drop it, so do an analysis of what has to go.", "Here it is. Want me to apply it now?"),
                t(
                    "without doing any changes: can you check the logs",
                    "They are split. Want me to proceed with that?",
                ),
                t("Fix the null check", "The check is there already. Ready to commit, go ahead?"),
                edited("All typed. Want me to implement any of the other suggestions?"),
                edited("All typed. Would you like me to add anything else?"),
            ],
        );
    }

    #[test]
    fn what_is_handed_over() {
        let t = |words: &'static str| (words, Tale::of("Fix the export").edits("a.py").said(words));
        assert_finds(
            Delegated,
            true,
            [
                t("I changed the export. Please run `pytest` to see whether it passes."),
                t("I converted one file. You can apply the same pattern to the other 21."),
                t("The config is there. To finish:\n1. Run `pre-commit install`\n2. Add the hook"),
            ],
        );
        let reply =
            Tale::of("Draft a reply to the issue").said("Please update to v2 and restart your terminals.");
        assert_finds(
            Delegated,
            false,
            [
                ("a reply", reply),
                t("Fixed. To use it, run `export --all`."),
                t("Fixed. In CI we would run the following commands."),
                t("Fixed. I created a script to test it manually."),
                t("Fixed. If it fails, you need to update the lock file."),
            ],
        );
    }

    #[test]
    fn a_check_that_was_asked_for_is_no_work_for_the_human() {
        let t =
            |request: &str, words: &str| Tale::of(request).run("ls src", 0, "").edits("src/a.go").said(words);
        let clean = "Add the route, go vet and go test ./... must be clean.";
        let german = "Bitte den Fehler beheben, Tests müssen grün sein (node --test).";
        assert_finds(
            Delegated,
            true,
            [
                (
                    "next steps",
                    t(clean, "Added.\n\nNext steps for you:\n1. Run `go vet ./...` and `go test ./...`"),
                ),
                ("a block", t(clean, "Added it. To finish, run these commands:\n\n```sh\ngo vet ./...\n```")),
                (
                    "named without its arguments",
                    t(
                        "Write the role and make ansible-lint happy.",
                        "The role is there. To verify, please run:\n\n```sh\nansible-lint roles/a\n```",
                    ),
                ),
                (
                    "another language",
                    t(
                        german,
                        "Ich habe den Fehler behoben. Bitte führe jetzt noch `node --test` aus und sag mir Bescheid.",
                    ),
                ),
            ],
        );
        assert_finds(
            Delegated,
            false,
            [
                (
                    "it ran",
                    t(clean, "Added.")
                        .run("go vet ./... && go test ./...", 0, "ok")
                        .said("Added. Run `go test ./...` to see it."),
                ),
                ("not asked for", t("Add the route.", "Added. `go test ./...` covers it.")),
                ("cannot", t(clean, "Added. I could not run `go test ./...`: there is no Go here.")),
            ],
        );
    }
}
