//! A second look at a task that is blocked: what contradicts itself, what the probes saw, what a model with a clean context
//! thinks. One answer comes of it, and one that was tried before or that a decision rejects is none.

use hansei_core::escalation::{
    Answer, ContextTarget, Finding, Fingerprint, Guard, Handoff, MOST_TOLD, Question, RescueMode, Tried,
    binding_decisions, incoherent, prompt, read_answer, strongest, weigh,
};
use hansei_core::run::conversation::{NoAnswer, Spent};
use hansei_core::verdict::advisor::Prompt;

/// How often a model is asked: once, and once more where its answer cannot be used.
const ASKED: usize = 2;

/// A model with a clean context. It is told nothing but the prompt.
pub trait SecondMind {
    /// Asks it, or says why it does not answer.
    fn ask(&self, prompt: &Prompt) -> Result<Said, NoAnswer>;
}

/// What it said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Its words.
    pub text: String,
    /// What they took.
    pub spent: Spent,
}

/// Everything that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Blocked<'a> {
    /// What may be answered.
    pub mode: RescueMode,
    /// The clean handoff, which has been admitted.
    pub handoff: &'a Handoff,
    /// The failure.
    pub fingerprint: &'a Fingerprint,
    /// What was tried.
    pub tried: &'a Tried,
    /// What probes saw, strongest first.
    pub findings: &'a [Finding],
    /// What was decided, and what a patch is held against.
    pub guard: Guard<'a>,
    /// Pieces of the clean source that the failure names.
    pub sources: &'a [String],
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rescue {
    /// The one answer.
    pub answer: Answer,
    /// Answers that did not count.
    pub refused: Vec<String>,
    /// Why there is no way on, or why no model was asked for one.
    pub reason: Option<String>,
    /// What models took.
    pub spent: Spent,
    /// Why the model did not answer, where nothing else was found and asking again may help.
    pub silence: Option<NoAnswer>,
}

/// Looks once. `clean` takes secrets out of what a model is told.
pub fn rescue(
    blocked: &Blocked<'_>,
    mind: Option<&dyn SecondMind>,
    clean: &dyn Fn(&str) -> String,
) -> Rescue {
    let mut rescue = Rescue::of(nobody("an unblocker model"));
    if let Some(answer) = incoherent(blocked.handoff, blocked.guard.memory) {
        rescue.answer = answer;
        return rescue;
    }
    let thought = mind.map(|mind| rescue.think(blocked, mind, clean));
    let silence = match &thought {
        Some(Thought::Unasked(no_answer)) => Some(no_answer.clone()),
        _ => None,
    };
    if silence == Some(NoAnswer::Interrupted) {
        // Who was interrupted is asked again; what the probes saw is no reason to do without.
        rescue.silence = silence;
        return rescue;
    }
    let (answer, reason) = match thought {
        Some(Thought::Answer(answer)) => {
            rescue.answer = *answer;
            return rescue;
        }
        Some(Thought::Unasked(no_answer)) => {
            let reason = format!("the model could not be asked: {}", told(&no_answer));
            (nobody("an unblocker model that can be asked"), reason)
        }
        Some(Thought::Nothing) => {
            let reason = "the model gave no answer that counts, and the probes found nothing that is new";
            (nobody("a materially different hypothesis"), reason.to_owned())
        }
        None => {
            let reason = "no model is configured, and the probes found nothing that is new";
            (nobody("an unblocker model"), reason.to_owned())
        }
    };
    let probed = strongest(blocked.findings, blocked.fingerprint, blocked.tried, blocked.guard.memory);
    rescue.refused.extend(probed.refused);
    rescue.reason = (silence.is_some() || probed.answer.is_none()).then_some(reason);
    rescue.silence = silence.filter(|silence| probed.answer.is_none() && may_pass(silence));
    rescue.answer = probed.answer.unwrap_or(answer);
    rescue
}

/// Why there is no answer, in words.
fn told(no_answer: &NoAnswer) -> &str {
    match no_answer {
        NoAnswer::Outage { reason } | NoAnswer::UsageLimit { reason, .. } | NoAnswer::Refused { reason } => {
            reason
        }
        NoAnswer::Interrupted => "it was interrupted",
    }
}

/// Whether asking again later may help.
fn may_pass(no_answer: &NoAnswer) -> bool {
    !matches!(no_answer, NoAnswer::Refused { .. })
}

fn nobody(target: &str) -> Answer {
    Answer::NeedContext(ContextTarget::Other(target.to_owned()))
}

/// What came of asking a model.
enum Thought {
    /// An answer that counts.
    Answer(Box<Answer>),
    /// None that does.
    Nothing,
    /// It could not be asked.
    Unasked(NoAnswer),
}

impl Rescue {
    /// An answer that no model was asked for.
    pub fn of(answer: Answer) -> Self {
        Self { answer, refused: Vec::new(), reason: None, spent: Spent::default(), silence: None }
    }

    fn think(
        &mut self,
        blocked: &Blocked<'_>,
        mind: &dyn SecondMind,
        clean: &dyn Fn(&str) -> String,
    ) -> Thought {
        let findings = blocked.findings.iter().map(|one| {
            format!("{}: {} ({}); what mends it: {}", one.probe.name(), one.cause, one.evidence, one.fix)
        });
        let findings: Vec<String> = findings.collect();
        let protected = binding_decisions(blocked.guard.memory, blocked.handoff, blocked.sources);
        let tried = blocked.tried.latest(blocked.fingerprint, MOST_TOLD);
        let mut repair: Option<String> = None;
        for _ in 0..ASKED {
            let question = Question {
                mode: blocked.mode,
                handoff: blocked.handoff,
                tried: &tried,
                findings: &findings,
                protected: &protected,
                sources: blocked.sources,
                repair: repair.as_deref(),
            };
            let Prompt { system, user, json_schema } = prompt(&question);
            let said = match mind.ask(&Prompt { system, user: clean(&user), json_schema }) {
                Ok(said) => said,
                Err(no_answer) => return Thought::Unasked(no_answer),
            };
            self.spent.add(&said.spent);
            let answer = read_answer(&said.text, blocked.mode)
                .and_then(|answer| weigh(answer, blocked.fingerprint, blocked.tried, &blocked.guard));
            match answer {
                Ok(answer) => return Thought::Answer(Box::new(answer)),
                Err(bad) => {
                    self.refused.push(bad.to_string());
                    repair = Some(bad.to_string());
                }
            }
        }
        Thought::Nothing
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use hansei_core::decision_memory::{BaseUses, Memory, SourceFile};
    use hansei_core::escalation::{
        AnswerKind, Attempt, Escalation, FailureLayer, Probe, Received, Try, admit,
    };
    use serde_json::json;

    use super::*;

    /// A mind that says what is on its list, and remembers what it was asked.
    struct Scripted {
        says: RefCell<Vec<Result<String, NoAnswer>>>,
        heard: RefCell<Vec<String>>,
    }

    impl Scripted {
        fn of(says: &[Result<String, NoAnswer>]) -> Self {
            Self { says: RefCell::new(says.iter().rev().cloned().collect()), heard: RefCell::default() }
        }
    }

    impl SecondMind for Scripted {
        fn ask(&self, prompt: &Prompt) -> Result<Said, NoAnswer> {
            self.heard.borrow_mut().push(prompt.user.clone());
            let nobody = NoAnswer::Outage { reason: "nobody is there".to_owned() };
            let text = self.says.borrow_mut().pop().unwrap_or(Err(nobody))?;
            Ok(Said { text, spent: Spent { input_tokens: 10, output_tokens: 1, usd: None } })
        }
    }

    fn fix(hypothesis: &str, action: &str) -> String {
        json!({
            "kind": "environment_fix", "failure_layer": "environment", "observations": ["seen in app.py:3"],
            "new_hypothesis": hypothesis, "action": action,
        })
        .to_string()
    }

    fn look(mind: Option<&Scripted>, tried: &[&str], findings: &[Finding]) -> Rescue {
        let payload = Escalation::of(Attempt::new(4), "x").text();
        let received = Received {
            escalation: &payload,
            task: "make it pass, key=SECRET",
            snapshot: "HEAD",
            ..Received::default()
        };
        let handoff = admit(&received).unwrap();
        let fingerprint = Fingerprint::of_text("f");
        let mut before = Tried::default();
        for hypothesis in tried {
            let layer = FailureLayer::Environment;
            before.record(
                &fingerprint,
                &Try { hypothesis: (*hypothesis).into(), layer, outcome: String::new() },
            );
        }
        let text = "# @REJECTED: `requests`, because it blocks the loop\nimport httpx\n";
        let memory = Memory::of([SourceFile { path: "app.py", text }]);
        let blocked = Blocked {
            mode: RescueMode::Unblocker,
            handoff: &handoff,
            fingerprint: &fingerprint,
            tried: &before,
            findings,
            guard: Guard { memory: &memory, already: &BaseUses::default(), text_of: &|_| None },
            sources: &["app.py:\nimport httpx".to_owned()],
        };
        rescue(&blocked, mind.map(|mind| mind as &dyn SecondMind), &|text| text.replace("SECRET", "***"))
    }

    fn finding() -> Finding {
        Finding {
            probe: Probe::Port,
            cause: "port 8123 is in use".into(),
            evidence: "listened on by pid 7".into(),
            fix: "stop it".into(),
        }
    }

    #[test]
    fn a_model_answers_once_and_is_told_everything_but_secrets() {
        let mind = Scripted::of(&[Ok(fix("RATES_URL is not set", "export RATES_URL=…"))]);
        let came = look(Some(&mind), &["the cache is stale"], &[finding()]);
        assert_eq!((came.answer.kind(), came.refused.len()), (AnswerKind::EnvironmentFix, 0));
        assert_eq!(came.spent.input_tokens, 10);
        let heard = mind.heard.borrow();
        assert_eq!(heard.len(), 1);
        for told in
            ["make it pass", "port 8123 is in use", "`requests`", "the cache is stale", "import httpx"]
        {
            assert!(heard[0].contains(told), "{told}");
        }
        assert!(!heard[0].contains("SECRET") && heard[0].contains("***"));
    }

    #[test]
    fn an_answer_that_cannot_be_used_is_repaired_once() {
        let good = Ok(fix("RATES_URL is not set", "export RATES_URL=…"));
        for (bad, why) in [
            (Ok("I think it is the cache".to_owned()), "no answer"),
            (Ok(fix("the cache is stale", "rm -r .cache")), "tried before"),
            (Ok(fix("httpx is too slow", "use `requests`")), "decision rejects"),
        ] {
            let mind = Scripted::of(&[bad.clone(), good.clone()]);
            let came = look(Some(&mind), &["the cache is stale"], &[]);
            assert_eq!(came.answer.kind(), AnswerKind::EnvironmentFix, "{bad:?}");
            assert!(came.refused[0].contains(why), "{:?}", came.refused);
            assert!(mind.heard.borrow()[1].contains(why), "it is told why");
            let mind = Scripted::of(&[bad.clone(), bad.clone(), good.clone()]);
            let came = look(Some(&mind), &["the cache is stale"], &[]);
            assert_eq!(came.answer.kind(), AnswerKind::NeedContext, "there is one repair: {bad:?}");
            assert_eq!((came.refused.len(), mind.heard.borrow().len(), came.spent.input_tokens), (2, 2, 20));
        }
    }

    #[test]
    fn without_a_usable_model_the_strongest_finding_answers_and_nothing_is_made_up() {
        let silent = Scripted::of(&[]);
        for mind in [None, Some(&silent)] {
            let came = look(mind, &[], &[finding()]);
            assert_eq!(came.answer.diagnosis().unwrap().new_hypothesis, "port 8123 is in use");
            let came = look(mind, &[], &[]);
            assert!(!came.answer.is_way_on() && came.refused.is_empty(), "{came:?}");
            let why =
                if mind.is_some() { "the model could not be asked: " } else { "no model is configured" };
            assert!(came.reason.is_some_and(|reason| reason.starts_with(why)));
            let again = look(mind, &["Port 8123 is still in use"], &[finding()]);
            assert!(!again.answer.is_way_on());
            assert!(again.refused.iter().any(|why| why.contains("tried before")), "{:?}", again.refused);
        }
    }

    #[test]
    fn a_silence_that_may_pass_is_told_apart_from_one_that_stays() {
        let reason = "no way there".to_owned();
        for (silence, passes) in [
            (NoAnswer::Outage { reason: reason.clone() }, true),
            (NoAnswer::UsageLimit { reason: reason.clone(), again_in: Some(2) }, true),
            (NoAnswer::Interrupted, true),
            (NoAnswer::Refused { reason }, false),
        ] {
            let says = [Err(silence.clone())];
            let came = look(Some(&Scripted::of(&says)), &[], &[]);
            assert_eq!(came.silence, passes.then(|| silence.clone()), "{silence:?}");
            let found = look(Some(&Scripted::of(&says)), &[], &[finding()]);
            let is_over = silence == NoAnswer::Interrupted;
            assert_eq!(
                (found.answer.is_way_on(), found.silence.is_some()),
                (!is_over, is_over),
                "{silence:?}"
            );
        }
        let bad = Ok("I think it is the cache".to_owned());
        let silent = Err(NoAnswer::Interrupted);
        let came = look(Some(&Scripted::of(&[bad, silent])), &[], &[]);
        assert_eq!((came.silence, came.spent.input_tokens), (Some(NoAnswer::Interrupted), 10));
    }
}
