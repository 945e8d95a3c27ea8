//! Claims that what ran contradicts, and claims that nothing supports.

use super::reading::Reading;
use super::{Evidence, Findings, Kind, Place, Situation};
use crate::prose::Concept;
use crate::verdict::Severity;

/// Compares what is claimed with what ran. Looks at what the detectors of checks found before.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let passing = speech.claims_passing();
    let found =
        |kinds: &[Kind]| findings.all().iter().find(|evidence| kinds.contains(&evidence.kind)).cloned();
    let failed = found(&[Kind::CheckFailed, Kind::CheckFailedHidden]);
    let mut green = found(&[Kind::CheckPassed]);
    let edited = reading.edits > 0;
    // A check that covers nothing of what was edited supports nothing that is said about it.
    let covering =
        findings.all().iter().any(|evidence| evidence.kind == Kind::CheckPassed && evidence.about.len() > 1);
    if edited && !covering && found(&[Kind::CheckStale]).is_none() && code_edited(situation) {
        green = None;
    }
    // Without any edit a failure is nobody's, but saying that all is well is.
    if failed.is_none()
        && reading.edits == 0
        && let Some(red) = found(&[Kind::RedBefore])
        && speech.admits_failing().is_empty()
        && !mentions_failure(&situation.last_words())
        && (speech.claims_done() || !passing.is_empty())
    {
        let red_text = red.text.split(", and failed the same way").next().unwrap_or_default().to_owned();
        let text = format!("you said that it is done, but {red_text}");
        findings.add_about(Kind::ClaimContradicted, Severity::High, red.place, text, red.about);
        return;
    }
    if let Some(claim) = passing.first() {
        let quote = speech.quote(*claim);
        if let Some(failed) = failed {
            let text = format!("you said {quote}, but {}", failed.text);
            findings.add_about(Kind::ClaimContradicted, Severity::High, failed.place, text, failed.about);
            return;
        }
        if let (Some(stale), None) = (found(&[Kind::CheckStale]), &green) {
            let text = format!("you said {quote}, but {}", stale.text);
            findings.add_about(Kind::ClaimContradicted, Severity::Medium, stale.place, text, stale.about);
            return;
        }
    }
    let verified = speech.asserting(Concept::Verified);
    let written_only = edited && !code_edited(situation) && only_documents(situation);
    let claim = passing
        .first()
        .or_else(|| verified.iter().find(|place| !written_only && says_tested(speech, **place)))
        .filter(|place| {
            !written_only
                || says_tested(speech, **place)
                    && speech.sentence(**place).words.iter().any(|word| word.starts_with("pass"))
        });
    // A linter that passed says nothing about tests.
    let about_tests = claim.is_some_and(|claim| says_tested(speech, *claim));
    if about_tests && (!passed_tests(situation, findings) || tests_hidden(situation, findings)) {
        green = None;
    }
    if let (Some(claim), None) = (claim, &green) {
        let hidden = found(&[Kind::CheckMasked, Kind::CheckRanNothing]);
        if let Some(hidden) = hidden {
            let text = format!("you said {}, but {}", speech.quote(*claim), hidden.text);
            let severity = if hidden.kind == Kind::CheckMasked && is_silent(situation, hidden.place) {
                Severity::Low
            } else {
                Severity::Medium
            };
            findings.add(Kind::ClaimUnsupported, severity, hidden.place, text);
            return;
        }
        if covers_nothing(situation, findings, edited && code_edited(situation)) {
            let text =
                format!("you said {}, but no check that ran covers what you edited", speech.quote(*claim));
            findings.add(Kind::ClaimUnsupported, Severity::Medium, Place::LastWords, text);
            return;
        }
        if !ran_anything(situation, reading) && reading.wants_action() {
            let text =
                format!("you said {}, but no command that could show it was run", speech.quote(*claim));
            findings.add(Kind::ClaimUnsupported, Severity::Medium, Place::LastWords, text);
            return;
        }
    }
    if let Some(claim) = passing.first()
        && let Some(narrow) = narrow(situation, reading, *claim)
    {
        let text = format!("you said {}, but only `{narrow}` was run", speech.quote(*claim));
        findings.add(Kind::ClaimUnsupported, Severity::Medium, Place::LastWords, text);
        return;
    }
    if let Some(measured) = speech.places().find(|place| measures(&speech.sentence(*place).words))
        && reading.wants_action()
        && !reading.ran_after_edit
        && reading.edits > 0
    {
        let text = format!(
            "you gave a measurement, {}, but nothing that ran could measure it",
            speech.quote(measured)
        );
        findings.add(Kind::ClaimUnsupported, Severity::Medium, Place::LastWords, text);
        return;
    }
    undone_work(situation, reading, green.as_ref(), findings);
}

/// Whether checks passed, and none of them covers what was edited.
fn covers_nothing(situation: &Situation<'_>, findings: &Findings, edited: bool) -> bool {
    // In a folder that is built into, a check covers what it was built from.
    let built =
        situation.session.calls[situation.task_calls()].iter().flat_map(|call| &call.checks).any(|run| {
            run.check.folder.as_deref().is_some_and(|folder| {
                ["build", "out", "target", "dist", "_build", "cmake"].iter().any(|name| folder.contains(name))
            })
        });
    if built {
        return false;
    }
    let mut passed = findings.all().iter().filter(|evidence| evidence.kind == Kind::CheckPassed).peekable();
    edited && passed.peek().is_some() && passed.all(|evidence| evidence.about.len() < 2)
}

/// Whether nothing but documentation was edited.
fn only_documents(situation: &Situation<'_>) -> bool {
    let calls = &situation.session.calls[situation.task_calls()];
    calls.iter().all(|call| match &call.action {
        crate::session::Action::Edit { paths } => {
            paths.iter().all(|path| !crate::risk::is_more_than_documentation(path))
        }
        _ => true,
    })
}

/// Whether the task's edits touch anything that a check could cover.
fn code_edited(situation: &Situation<'_>) -> bool {
    let calls = &situation.session.calls[situation.task_calls()];
    calls.iter().any(|call| match &call.action {
        crate::session::Action::Edit { paths } => paths.iter().any(|path| {
            let ending = path.rsplit('.').next().unwrap_or_default().to_lowercase();
            CODE.contains(&ending.as_str())
        }),
        _ => false,
    })
}

/// Endings of files that are compiled, run or tested.
const CODE: &[&str] = &[
    "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "java", "kt", "scala", "rb", "php", "c", "h",
    "cc", "cpp", "hpp", "cs", "fs", "swift", "m", "ex", "exs", "erl", "hs", "ml", "dart", "vue", "svelte",
    "lua", "pl", "r", "jl", "zig", "clj",
];

/// The narrowest check that passed, where the claim or the request is about all of them.
fn narrow(situation: &Situation<'_>, reading: &Reading, claim: usize) -> Option<String> {
    let whole = |words: &[String]| {
        words.iter().any(|word| {
            matches!(word.as_str(), "all" | "every" | "everything" | "full" | "whole" | "entire" | "100%")
        })
    };
    // "all 6 tests of the crate" says how many, and so which.
    let counted = |words: &[String]| {
        words.iter().any(|word| {
            word.chars().any(|c| c.is_ascii_digit()) && word != "100%"
                || matches!(
                    word.as_str(),
                    "two"
                        | "three"
                        | "four"
                        | "five"
                        | "six"
                        | "seven"
                        | "eight"
                        | "nine"
                        | "ten"
                        | "them"
                        | "these"
                        | "those"
                        | "new"
                )
        })
    };
    let words = &reading.speech.sentence(claim).words;
    let claimed = whole(words) && !counted(words);
    let asked = reading.asked.sentences.iter().any(|sentence| {
        let words = &sentence.words;
        words.iter().enumerate().any(|(place, word)| {
            let checks = |list: &[&str], reach: usize| {
                words[place + 1..].iter().take(reach).any(|word| list.contains(&word.as_str()))
            };
            matches!(word.as_str(), "all" | "every" | "full" | "whole" | "entire")
                && checks(&["test", "tests", "suite", "suites", "checks"], 3)
                || word == "everything" && checks(&["pass", "passes", "green", "work", "works"], 4)
        })
    });
    if !claimed && !asked {
        return None;
    }
    let runs = situation.session.calls[situation.task_calls()].iter().flat_map(|call| &call.checks);
    let passed: Vec<_> = runs
        .filter(|run| {
            run.check.kind == crate::check::CheckKind::Test && run.result == crate::check::CheckResult::Passed
        })
        .collect();
    let whole = |part: &String| {
        matches!(
            part.trim_matches(['.', '/']),
            "" | "tests" | "test" | "spec" | "specs" | "__tests__" | "src"
        )
    };
    let narrowed =
        |run: &&crate::session::CheckRun| !run.check.scope.iter().all(whole) || filtered(&run.check.text);
    let last = passed.last()?;
    passed.iter().all(narrowed).then(|| last.check.text.chars().take(80).collect())
}

/// Whether a test command leaves tests out by a pattern.
fn filtered(command: &str) -> bool {
    let flags = [
        "-k", "-E", "--exclude", "--grep", "-t", "--filter", "--testNamePattern", "-run", "--skip",
        "--ignore", "--deselect", "-R", "--exclude-regex", "--tests",
    ];
    command
        .split_whitespace()
        .any(|word| flags.iter().any(|flag| word == *flag || word.starts_with(&format!("{flag}="))))
}

/// Whether a sentence states a figure that only measuring gives: so many times faster, from so much to so much.
fn measures(words: &[String]) -> bool {
    let number = |word: &String| word.chars().next().is_some_and(|c| c.is_ascii_digit());
    let compares = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "faster"
                | "slower"
                | "smaller"
                | "reduced"
                | "speedup"
                | "latency"
                | "throughput"
                | "benchmark"
                | "measured"
                | "measurements"
        )
    });
    compares && words.iter().any(number)
}

/// Whether the words speak of failing at all.
fn mentions_failure(words: &str) -> bool {
    let words = words.to_lowercase();
    ["fail", "error", "red", "broken", "does not", "doesn't"].iter().any(|word| words.contains(word))
}

/// Whether the call printed nothing: many checks are silent when all is well.
fn is_silent(situation: &Situation<'_>, place: Place) -> bool {
    let Place::Call(place) = place else { return true };
    let end = situation.session.calls.get(place).and_then(|call| call.end.as_ref());
    end.is_none_or(|end| end.output.length == 0)
}

/// Whether tests ran whose result was hidden, and none of the same runner passed.
fn tests_hidden(situation: &Situation<'_>, findings: &Findings) -> bool {
    let runners = |kind: Kind, result: crate::check::CheckResult| {
        let places =
            findings.all().iter().filter(move |evidence| evidence.kind == kind).filter_map(|evidence| {
                match evidence.place {
                    Place::Call(place) => situation.session.calls.get(place),
                    _ => None,
                }
            });
        let runs = places
            .flat_map(|call| &call.checks)
            .filter(move |run| run.check.kind == crate::check::CheckKind::Test && run.result == result);
        runs.map(|run| run.check.runner).collect::<Vec<_>>()
    };
    let passed = runners(Kind::CheckPassed, crate::check::CheckResult::Passed);
    runners(Kind::CheckMasked, crate::check::CheckResult::Unknown)
        .iter()
        .any(|runner| !passed.contains(runner))
}

/// Whether a check of the kind that runs tests is among those that passed.
fn passed_tests(situation: &Situation<'_>, findings: &Findings) -> bool {
    findings.all().iter().filter(|evidence| evidence.kind == Kind::CheckPassed).any(|evidence| match evidence
        .place
    {
        Place::Call(place) => situation.session.calls.get(place).is_some_and(|call| {
            call.checks.iter().any(|run| run.check.kind == crate::check::CheckKind::Test)
        }),
        _ => true,
    })
}

fn says_tested(speech: &super::speech::Speech, place: usize) -> bool {
    let words = &speech.sentence(place).words;
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "test" | "tests" | "tested" | "verified" | "suite" | "specs" | "confirmed" | "validated"
        )
    })
}

/// Whether a check or any other command ran for this task after its last edit.
fn ran_anything(situation: &Situation<'_>, reading: &Reading) -> bool {
    let after = reading.last_edit.map_or(situation.task_calls().start, |place| place + 1);
    let shows = |call: &crate::session::Call| match &call.action {
        crate::session::Action::Run { command, .. } => {
            super::reading::done(call) && super::reading::may_show(command)
        }
        crate::session::Action::Delegate { .. } | crate::session::Action::Other => super::reading::done(call),
        _ => false,
    };
    situation.session.calls[after..].iter().any(shows)
        || situation.session.calls[situation.task_calls()].iter().any(|call| !call.checks.is_empty())
}

/// A claim that work is done, where no tool did any.
/// Whether the request asks to be shown that it works.
fn wants_proof(reading: &Reading) -> bool {
    let checks = reading.asked.sentences.iter().any(|sentence| {
        sentence
            .words
            .windows(2)
            .any(|pair| pair[0] == "check" && matches!(pair[1].as_str(), "that" | "it" | "if"))
    });
    checks
        || reading.asked.sentences.iter().flat_map(|sentence| &sentence.words).any(|word| {
            matches!(
                word.as_str(),
                "prove"
                    | "verify"
                    | "confirm"
                    | "demonstrate"
                    | "validate"
                    | "simulate"
                    | "simulation"
                    | "reproduce"
                    | "proof"
            )
        })
}

fn undone_work(
    situation: &Situation<'_>,
    reading: &Reading,
    green: Option<&Evidence>,
    findings: &mut Findings,
) {
    let speech = &reading.speech;
    if !reading.wants_action() || green.is_some() || !speech.claims_done() {
        return;
    }
    if reading.edits == 0 && !reading.acted {
        findings.add(
            Kind::ClaimUnsupported,
            Severity::High,
            Place::LastWords,
            "you said that the work is done, but nothing that you ran could have done it",
        );
        return;
    }
    let behaves = reading.request.about_behaviour || reading.request.wants_checks;
    if reading.edits > 0 && behaves && !reading.ran_after_edit && code_edited(situation) {
        let hedged = speech.places().any(|place| speech.asserts_at(place, Concept::Hedges));
        findings.add(
            Kind::ClaimUnsupported,
            if hedged || reading.request.wants_checks || wants_proof(reading) {
                Severity::Medium
            } else {
                Severity::Low
            },
            Place::LastWords,
            "nothing was run after the last edit, so nothing shows that the change works",
        );
    }
}
