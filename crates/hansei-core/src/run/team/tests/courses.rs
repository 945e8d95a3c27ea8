//! How teams go: each row says what its experts come to, and what is to be seen of it.

use std::collections::{BTreeMap, VecDeque};

use crate::escalation::{Answer, ContextTarget};
use crate::run::conversation::{Message, Spent, Turn};
use crate::run::team::{MOST_AT_ONCE, TeamStep, Template};
use crate::run::{
    Became, Ended, Gate, Mode, Purpose, Rescued, Run, RunEvent, Started, Step, Terms, Verification,
};
use crate::verdict::Ending;

/// What an expert comes to, each time that it is set to work.
#[derive(Clone, Copy)]
enum Comes {
    /// It is done.
    Done,
    /// It is done, and contradicts what others did.
    Conflicting,
    Fails(Ending),
}
use Comes::{Conflicting, Done, Fails};

const TRIO: &str = "name: t\nroles: [{ name: a, prompt: x }, { name: b, prompt: x }, { name: c, prompt: x, depends_on: [a, b] }]";
const FIVE: &str = "name: t\nroles: [{ name: a, prompt: x }, { name: b, prompt: x }, { name: c, prompt: x }, { name: d, prompt: x }, { name: e, prompt: x }]";
const CHAIN: &str = "name: t\nroles: [{ name: c, prompt: x, depends_on: [b] }, { name: b, prompt: x, depends_on: [a] }, { name: a, prompt: x }]";

/// A team that is driven with nothing behind it.
struct Story {
    run: Run,
    events: Vec<RunEvent>,
    /// What happened, in letters: `+a` begins, `a.` is done, `a!` failed, `a/` skipped, `a=` merged, `a?` contradicts.
    course: Vec<String>,
    comes: BTreeMap<&'static str, VecDeque<Comes>>,
    at_work: VecDeque<String>,
    /// Whether those who began last are done first.
    last_first: bool,
    merges: BTreeMap<String, bool>,
    gates: VecDeque<Gate>,
    applies: Became,
    most_at_once: usize,
}

impl Story {
    fn of(template: &str, comes: &[(&'static str, &[Comes])], gates: &[Gate]) -> Self {
        let started = Started {
            run: "r".into(),
            task: "do it".into(),
            mode: Mode::TeamCollab,
            team: Some(Template::of_yaml(template).unwrap()),
            agent: None,
            model: "m/n".into(),
            base_url: None,
            base: None,
            terms: Terms::of(Mode::TeamCollab),
        };
        Self {
            run: Run::new(started.clone()),
            events: vec![RunEvent::RunStarted(started)],
            course: Vec::new(),
            comes: comes.iter().map(|(name, comes)| (*name, comes.iter().copied().collect())).collect(),
            at_work: VecDeque::new(),
            last_first: false,
            merges: BTreeMap::new(),
            gates: gates.iter().copied().collect(),
            applies: Became::Applied,
            most_at_once: 0,
        }
    }

    fn record(&mut self, event: RunEvent) {
        self.run.apply(&event);
        self.events.push(event);
    }

    /// Somebody who works comes to an end.
    fn come(&mut self) {
        let next = if self.last_first { self.at_work.pop_back() } else { self.at_work.pop_front() };
        let expert = next.expect("nobody is at work, and somebody is waited for");
        let comes = self.comes.get_mut(expert.as_str()).and_then(VecDeque::pop_front).unwrap_or(Done);
        let turn = Turn {
            text: format!("{expert} is done"),
            calls: Vec::new(),
            signatures: Vec::new(),
            cut_off: false,
            spent: Spent { input_tokens: 10, output_tokens: 1, usd: None },
        };
        let said = RunEvent::ModelAnswered { purpose: Purpose::Work, turn, milliseconds: 1 };
        self.record(RunEvent::ExpertDid { expert: expert.clone(), event: Box::new(said) });
        if let Fails(ending) = comes {
            self.course.push(format!("{expert}!"));
            self.record(RunEvent::ExpertFailed { expert, ending, why: "no luck".into() });
        } else {
            self.course.push(format!("{expert}."));
            self.merges.insert(expert.clone(), matches!(comes, Done));
            let said = format!("I, {expert}, did it");
            self.record(RunEvent::ExpertDone { expert, said });
        }
    }

    fn team(&mut self, step: TeamStep) {
        match step {
            TeamStep::Gather => self.record(RunEvent::TeamReady { base: "0".into() }),
            TeamStep::Start { expert, conflicts } => {
                self.course.push(format!("+{expert}"));
                self.at_work.push_back(expert.clone());
                self.most_at_once = self.most_at_once.max(self.at_work.len());
                self.record(RunEvent::ExpertStarted { expert, conflicts });
            }
            TeamStep::Merge { expert } => {
                self.record(RunEvent::ExpertMerging { expert: expert.clone() });
                if self.merges[&expert] {
                    self.course.push(format!("{expert}="));
                    self.record(RunEvent::ExpertMerged { expert, commit: "1".into(), files: vec![] });
                } else {
                    self.course.push(format!("{expert}?"));
                    self.record(RunEvent::ExpertConflicted { expert, files: vec!["f".into()] });
                }
            }
            TeamStep::Skip { expert, why } => {
                self.course.push(format!("{expert}/"));
                self.record(RunEvent::ExpertSkipped { expert, why });
            }
            TeamStep::GiveUpOn { expert, why } => {
                self.course.push(format!("{expert}!"));
                self.record(RunEvent::ExpertFailed { expert, ending: Ending::Failed, why });
            }
            TeamStep::Wait => self.come(),
        }
    }

    fn go(&mut self) -> Ended {
        for _ in 0..200 {
            match self.run.next(0) {
                Step::Team(step) => self.team(step),
                Step::Verify { .. } => {
                    let gate = self.gates.pop_front().unwrap_or(Gate::Green);
                    self.record(RunEvent::Verified(Verification { gate, ..Verification::impossible("x") }));
                }
                Step::Ask(purpose) => {
                    let turn = Turn {
                        text: "mended".into(),
                        calls: Vec::new(),
                        signatures: Vec::new(),
                        cut_off: false,
                        spent: Spent::default(),
                    };
                    self.record(RunEvent::ModelAnswered { purpose, turn, milliseconds: 1 });
                }
                Step::HandOver { applies } => {
                    self.course.push(if applies { "apply".into() } else { "keep".into() });
                    self.record(RunEvent::HandingOver { applies });
                    let became = if applies { self.applies } else { Became::Kept };
                    let patch = (became == Became::Kept).then(|| "p.patch".to_owned());
                    let why = if became == Became::Kept { "you changed f".into() } else { String::new() };
                    self.record(RunEvent::WorkHandedOver { became, files: vec!["f".into()], patch, why });
                }
                Step::End(ended) => {
                    self.record(RunEvent::RunEnded(ended.clone()));
                    assert_eq!(self.run.next(0), Step::Nothing, "there is one ending");
                    return ended;
                }
                Step::Unblock => {
                    let attempt = self.run.distress().unwrap().attempt;
                    let answer = Answer::NeedContext(ContextTarget::Other("a model".into()));
                    self.record(RunEvent::Unblocked(Box::new(Rescued {
                        attempt,
                        answer,
                        refused: Vec::new(),
                        spent: Spent::default(),
                        milliseconds: 1,
                        fingerprint: None,
                    })));
                }
                other => panic!("{other:?}"),
            }
        }
        panic!("it does not end: {:?}", self.course)
    }
}

/// A template, what its experts come to, the course of it, its ending, and a part of why.
type Row = (&'static str, &'static [(&'static str, &'static [Comes])], &'static str, Ending, &'static str);

#[test]
fn who_begins_when_and_how_it_ends() {
    use Ending::{BudgetSpent, Complete, Failed, Stuck, UsageLimit};
    let rows: &[Row] = &[
        (TRIO, &[], "+a +b a. a= b. b= +c c. c= apply", Complete, ""),
        (CHAIN, &[], "+a a. a= +b b. b= +c c. c= apply", Complete, ""),
        (FIVE, &[], "+a +b +c a. a= +d b. b= +e c. c= d. d= e. e= apply", Complete, ""),
        // A conflict goes back to whoever is merged later, and only so often.
        (TRIO, &[("b", &[Conflicting, Done])], "+a +b a. a= b. b? +b b. b= +c c. c= apply", Complete, ""),
        (
            TRIO,
            &[("b", &[Conflicting, Conflicting, Conflicting])],
            "+a +b a. a= b. b? +b b. b? +b b. b? b! c/ keep",
            Failed,
            "b failed: its work contradicts that of others in f, and it did not put that right in 2 tries; c did not begin; its work is in p.patch",
        ),
        // Who depends on somebody who failed does not begin; who is at work finishes.
        (
            TRIO,
            &[("a", &[Fails(Stuck)])],
            "+a +b a! c/ b. b= keep",
            Stuck,
            "the team failed: a failed: no luck; c did not begin; its work is in p.patch",
        ),
        (
            CHAIN,
            &[("a", &[Fails(Failed)])],
            "+a a! b/ c/",
            Failed,
            "the team failed: nobody came through; a failed: no luck; b, c did not begin",
        ),
        (
            TRIO,
            &[("a", &[Fails(UsageLimit)]), ("b", &[Fails(UsageLimit)])],
            "+a +b a! c/ b!",
            UsageLimit,
            "nobody came through; a failed: no luck; b failed: no luck; c did not begin",
        ),
        (TRIO, &[("a", &[Fails(Stuck)]), ("b", &[Fails(BudgetSpent)])], "+a +b a! c/ b!", Failed, ""),
        // A conflict is not handed back once somebody failed.
        (
            FIVE,
            &[("a", &[Fails(Failed)]), ("b", &[Conflicting])],
            "+a +b +c a! d/ e/ b. b? b! c. c= keep",
            Failed,
            "a failed: no luck; b failed: its work contradicts that of others in f, and a failed",
        ),
    ];
    for (template, comes, course, ending, part) in rows {
        let mut story = Story::of(template, comes, &[]);
        let ended = story.go();
        assert_eq!(story.course.join(" "), *course);
        assert_eq!(ended.ending, *ending, "{course}");
        assert!(ended.why.contains(part), "{course}: {}", ended.why);
        assert_eq!(ended.verified, *ending == Complete);
        assert!(story.most_at_once <= MOST_AT_ONCE);
        let folded = Run::fold(&story.events).unwrap();
        assert_eq!(folded, story.run, "the log tells all of it");
        for event in &story.events {
            let text = serde_json::to_string(event).unwrap();
            assert_eq!(serde_json::from_str::<RunEvent>(&text).unwrap(), *event, "{text}");
            assert!(text.contains(&format!("\"kind\":\"{}\"", event.kind())), "{text}");
        }
    }
}

#[test]
fn work_is_merged_in_the_same_order_whoever_is_done_first() {
    let mut story = Story::of(FIVE, &[], &[]);
    story.last_first = true;
    assert_eq!(story.go().ending, Ending::Complete);
    let merged: Vec<&String> = story.course.iter().filter(|what| what.ends_with('=')).collect();
    assert_eq!(merged, ["a=", "b=", "c=", "d=", "e="]);
}

#[test]
fn the_whole_is_verified_and_reflected_upon_like_any_run() {
    for (gates, ending, reflections) in [
        (vec![Gate::Green], Ending::Complete, 0),
        (vec![Gate::Red, Gate::Green], Ending::Complete, 1),
        (vec![Gate::Red, Gate::Red], Ending::GaveUpAfterReflections, 1),
        // It cannot rest: its trees would be gone.
        (vec![Gate::Blocked], Ending::Failed, 0),
    ] {
        let mut story = Story::of(TRIO, &[], &gates);
        let ended = story.go();
        assert_eq!((ended.ending, ended.reflections), (ending, reflections), "{gates:?}");
        let last = story.course.last().unwrap();
        assert_eq!(last == "apply", ending == Ending::Complete, "only what is verified reaches the tree");
        let Message::Assistant { text, .. } = &story.run.messages()[1] else { panic!() };
        assert!(text.contains("a: I, a, did it"), "{text}");
    }
}

#[test]
fn what_cannot_be_put_into_the_tree_is_no_success() {
    let mut story = Story::of(TRIO, &[], &[]);
    story.applies = Became::Kept;
    let ended = story.go();
    assert_eq!((ended.ending, ended.verified), (Ending::Failed, false));
    assert!(ended.why.contains("you changed f; its work is in p.patch"), "{}", ended.why);
}

#[test]
fn a_team_that_cannot_be_is_a_failure_and_nobody_takes_its_place() {
    let mut story = Story::of(TRIO, &[], &[]);
    story.record(RunEvent::TeamImpossible { why: "the disk is full".into() });
    let Step::End(ended) = story.run.next(0) else { panic!() };
    assert_eq!(
        (ended.ending, ended.why.as_str()),
        (Ending::Failed, "there can be no team: the disk is full")
    );
    let RunEvent::RunStarted(mut started) = story.events.remove(0) else { panic!() };
    started.team = None;
    let Step::End(ended) = Run::new(started).next(0) else { panic!() };
    assert_eq!(ended.ending, Ending::Failed);
}

#[test]
fn what_all_of_them_took_is_on_one_account_and_nobody_begins_when_it_is_spent() {
    let mut story = Story::of(CHAIN, &[], &[]);
    let ended = story.go();
    assert_eq!((ended.input_tokens, ended.output_tokens), (30, 3));
    let RunEvent::RunStarted(mut started) = story.events.remove(0) else { panic!() };
    started.terms.limits.tokens = Some(20);
    let mut story = Story::of(CHAIN, &[], &[]);
    story.run = Run::new(started);
    assert_eq!(story.go().ending, Ending::BudgetSpent);
    assert_eq!(story.course.join(" "), "+a a. a= +b b. b= c/ keep");
}

#[test]
fn a_team_that_is_taken_up_again_begins_anew() {
    let mut story = Story::of(TRIO, &[], &[]);
    for _ in 0..4 {
        let Step::Team(step) = story.run.next(0) else { panic!() };
        story.team(step);
    }
    assert_eq!(story.course.join(" "), "+a +b a.");
    story.record(RunEvent::RunInterrupted);
    story.record(RunEvent::RunResumed);
    story.at_work.clear();
    assert_eq!(story.run.next(0), Step::Team(TeamStep::Gather));
    let ended = story.go();
    assert_eq!(
        (ended.ending, ended.input_tokens),
        (Ending::Complete, 40),
        "and what it took is not forgotten"
    );
    // Interrupted in the middle of handing over, nobody knows how much of it is there.
    let mut story = Story::of(TRIO, &[], &[]);
    story.go();
    story.events.truncate(story.events.len() - 2);
    let mut run = Run::fold(&story.events).unwrap();
    run.apply(&RunEvent::RunResumed);
    let Step::End(ended) = run.next(0) else { panic!("{:?}", run.next(0)) };
    assert_eq!(ended.ending, Ending::Failed);
    assert!(ended.why.contains("patch"), "{}", ended.why);
    // Interrupted behind it, it only has to be said.
    let mut story = Story::of(TRIO, &[], &[]);
    story.go();
    story.events.pop();
    let mut run = Run::fold(&story.events).unwrap();
    run.apply(&RunEvent::RunResumed);
    let Step::End(ended) = run.next(0) else { panic!() };
    assert_eq!(ended.ending, Ending::Complete);
}

#[test]
fn experts_are_told_their_role_what_was_reported_and_what_contradicts() {
    let mut story = Story::of(TRIO, &[], &[]);
    story.go();
    let team = story.run.team().unwrap();
    let told = team.brief("c", "mend the sum", &[]);
    for part in ["mend the sum", "Your role: c", "The others are: a, b", "What a reported", "I, b, did it"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("<<<<<<<"));
    let told = team.brief("b", "mend the sum", &["src/sum.rs".into()]);
    assert!(
        told.contains("- src/sum.rs") && told.contains("<<<<<<<") && !told.contains("reported"),
        "{told}"
    );
}
