//! A session in bounded room: the fold of its events.
//!
//! Texts are kept as excerpts; of old command outputs only digests stay. So a transcript of any size folds into a few
//! megabytes, and a decision sees the same whether the session was read from disk or watched live.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::excerpt::input_digest;
use super::{
    Action, AnswerEnd, Circumstances, Excerpt, Feeder, HumanVia, SessionEvent, Todo, Usage, What, Written,
};
use crate::check::{self, Check, CheckOutcome, CheckResult, ExitMeaning, Summary};
use crate::timestamp::Timestamp;

/// How much of a human's request, of the agent's words and of a command is kept.
const LONGEST_TEXT: usize = 4096;
/// How much of a command's output is kept: the end is where results stand.
const OUTPUT_HEAD: usize = 256;
const OUTPUT_TAIL: usize = 1536;
/// How many of the newest outputs are kept in excerpt.
const OUTPUTS_KEPT: usize = 4000;
/// How many of the newest calls keep what they wrote into files.
const WRITTEN_KEPT: usize = 1000;

/// A session so far.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// Where and with what it runs; the newest word on each.
    pub circumstances: Circumstances,
    /// When the first event happened.
    pub started: Option<Timestamp>,
    /// When the newest event happened.
    pub last: Option<Timestamp>,
    /// What humans asked for, in order. Work before the first request belongs to a task without one.
    pub tasks: Vec<Task>,
    /// Every tool call, in order.
    pub calls: Vec<Call>,
    /// The list of things to do, as it stands.
    pub todos: Vec<Todo>,
    /// How often the context was compacted.
    pub epoch: u32,
    /// Whether the agent may only plan.
    pub planning: bool,
    /// What the model calls took.
    pub usage: Usage,
    /// Calls that have no answer yet, by their ids.
    open: BTreeMap<String, usize>,
    /// Lists of things to do whose call has no answer yet.
    proposed: BTreeMap<String, Vec<Todo>>,
}

/// What a human asked for, and what came of it.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// The source's own id for the human's message.
    pub id: Option<String>,
    /// The request; absent for work that began without one.
    pub request: Option<Excerpt>,
    /// How the request was given.
    pub via: Option<HumanVia>,
    /// When.
    pub at: Option<Timestamp>,
    /// The stretches of work, each ending when the agent stopped.
    pub turns: Vec<Turn>,
}

/// A stretch of work up to a stop.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    /// The calls that were made, as places in [`Session::calls`].
    pub calls: Range<usize>,
    /// The last thing the agent said.
    pub last_words: Option<Excerpt>,
    /// How many calls had been made when it said that: fewer than were made in all when it then went on to work.
    pub last_words_after: usize,
    /// How often the agent said something.
    pub said: u32,
    /// How often it said something since its last call.
    pub said_since_call: u32,
    /// Feedback of a stop hook that began this turn.
    pub sent_back: Option<Excerpt>,
    /// When it ended, or its newest event.
    pub at: Option<Timestamp>,
    /// Whether a human interrupted it.
    pub aborted: bool,
    /// Whether it failed, and with what words.
    pub failed: Option<String>,
    /// What its model calls took.
    pub usage: Usage,
}

/// A tool call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// What it does, long texts cut.
    pub action: Action,
    /// A digest of its whole input, to tell equal calls from different ones.
    pub input: u64,
    /// What it wrote into files, for a call that edits.
    pub wrote: Option<Written>,
    /// When it began.
    pub at: Option<Timestamp>,
    /// How it ended; none while it runs.
    pub end: Option<CallEnd>,
    /// The checks in its command line, with their own results.
    pub checks: Vec<CheckRun>,
}

impl Call {
    /// Whether it puts something before the human, and no answer came: it waits, or there was nobody to ask.
    pub fn waits_for_an_answer(&self) -> bool {
        matches!(self.action, Action::Ask { .. } | Action::Plan)
            && self.end.as_ref().is_none_or(|end| end.end != AnswerEnd::Done)
    }
}

/// A check that ran, with its own result.
#[derive(Debug, Clone)]
pub struct CheckRun {
    /// The check.
    pub check: Check,
    /// Whether something hid its exit code.
    pub masked: bool,
    /// Its own result.
    pub result: CheckResult,
    /// What its runner summed up, if it did.
    pub summary: Option<Summary>,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct CallEnd {
    /// When.
    pub at: Option<Timestamp>,
    /// How.
    pub end: AnswerEnd,
    /// The exit code of the whole command line.
    pub exit_code: Option<i32>,
    /// What it printed.
    pub output: Excerpt,
}

impl Session {
    /// Folds events.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a SessionEvent>) -> Self {
        let mut session = Self::default();
        for event in events {
            session.apply(event);
        }
        session
    }

    /// Takes one more event.
    pub fn apply(&mut self, event: &SessionEvent) {
        if let Some(at) = &event.at {
            self.started.get_or_insert_with(|| at.clone());
            self.last = Some(at.clone());
        }
        match &event.what {
            What::Started(circumstances) => self.learn(circumstances),
            What::HumanSaid { text, via } => self.tasks.push(Task {
                id: event.id.clone(),
                request: Some(Excerpt::of(text, LONGEST_TEXT, 0)),
                via: Some(*via),
                at: event.at.clone(),
                turns: vec![self.new_turn(None)],
            }),
            What::Fed { text, by: Feeder::StopHook } => {
                let turn = self.new_turn(Some(Excerpt::of(text, LONGEST_TEXT, 0)));
                self.task().turns.push(turn);
            }
            What::Fed { by: Feeder::Agent, .. }
            | What::Thought { .. }
            | What::Stopped
            | What::Ended { .. } => {}
            What::Said { text } => {
                let words = Excerpt::of(text, LONGEST_TEXT / 2, LONGEST_TEXT / 2);
                let calls = self.calls.len();
                let turn = self.turn();
                turn.last_words = Some(words);
                turn.last_words_after = calls;
                turn.said += 1;
                turn.said_since_call += 1;
            }
            What::Called { call, tool, input, action } => {
                self.call(call, tool, input, action, event.at.as_ref());
            }
            What::Answered { call, output, end, exit_code } => {
                self.answer(call, output, *end, *exit_code, event.at.as_ref());
            }
            What::Compacted { .. } => self.epoch += 1,
            What::Permission { plan, .. } => self.planning = *plan,
            What::Used(usage) => self.spend(usage),
            What::Aborted => self.turn().aborted = true,
            What::Failed { error } => self.turn().failed = Some(error.chars().take(LONGEST_TEXT).collect()),
        }
        if let (Some(at), Some(turn)) =
            (&event.at, self.tasks.last_mut().and_then(|task| task.turns.last_mut()))
        {
            turn.at = Some(at.clone());
        }
    }

    /// Every turn with its task, in order.
    pub fn turns(&self) -> impl Iterator<Item = (&Task, &Turn)> {
        self.tasks.iter().flat_map(|task| task.turns.iter().map(move |turn| (task, turn)))
    }

    /// Whether a call has no answer yet.
    pub fn is_working(&self) -> bool {
        !self.open.is_empty()
    }

    fn learn(&mut self, newer: &Circumstances) {
        let known = &mut self.circumstances;
        let take = |known: &mut Option<String>, newer: &Option<String>| {
            if newer.is_some() {
                known.clone_from(newer);
            }
        };
        take(&mut known.version, &newer.version);
        take(&mut known.model, &newer.model);
        take(&mut known.cwd, &newer.cwd);
        take(&mut known.branch, &newer.branch);
        take(&mut known.forked_from, &newer.forked_from);
        known.attended = newer.attended.or(known.attended);
    }

    fn new_turn(&self, sent_back: Option<Excerpt>) -> Turn {
        Turn { calls: self.calls.len()..self.calls.len(), sent_back, ..Turn::default() }
    }

    fn task(&mut self) -> &mut Task {
        if self.tasks.is_empty() {
            let turn = self.new_turn(None);
            self.tasks.push(Task { turns: vec![turn], ..Task::default() });
        }
        let last = self.tasks.len() - 1;
        &mut self.tasks[last]
    }

    fn turn(&mut self) -> &mut Turn {
        let turns = &mut self.task().turns;
        let last = turns.len() - 1;
        &mut turns[last]
    }

    fn call(&mut self, id: &str, tool: &str, input: &Value, action: &Action, at: Option<&Timestamp>) {
        if let Action::SetTodos { todos } = action {
            self.proposed.insert(id.to_owned(), todos.clone());
        }
        self.open.insert(id.to_owned(), self.calls.len());
        self.calls.push(Call {
            tool: tool.to_owned(),
            action: shortened(action),
            input: input_digest(input),
            wrote: matches!(action, Action::Edit { .. }).then(|| Written::read(input)),
            at: at.cloned(),
            end: None,
            checks: Vec::new(),
        });
        let end = self.calls.len();
        if let Some(old) = end.checked_sub(WRITTEN_KEPT + 1) {
            self.calls[old].wrote = None;
        }
        let turn = self.turn();
        turn.calls.end = end;
        turn.said_since_call = 0;
    }

    fn answer(
        &mut self,
        id: &str,
        output: &str,
        end: AnswerEnd,
        exit_code: Option<i32>,
        at: Option<&Timestamp>,
    ) {
        let Some(place) = self.open.remove(id) else { return };
        if let (Some(todos), AnswerEnd::Done) = (self.proposed.remove(id), end) {
            self.todos = todos;
        }
        let runs = matches!(self.calls[place].action, Action::Run { .. });
        let (head, tail) = if runs || end != AnswerEnd::Done { (OUTPUT_HEAD, OUTPUT_TAIL) } else { (0, 0) };
        if let (Action::Run { command, .. }, AnswerEnd::Done | AnswerEnd::Failed) =
            (&self.calls[place].action, end)
        {
            let own = without_own_words(command, output);
            let output = own.as_deref().unwrap_or(output);
            let mut found = checks(command, exit_code, output);
            // A call that its agent takes for a success, without a code, ended with zero as far as anybody knows.
            if exit_code.is_none()
                && end == AnswerEnd::Done
                && found.iter().any(|run| run.result == CheckResult::Unknown)
                && !speaks_of_failure(output)
            {
                found = checks(command, Some(0), output);
            }
            self.calls[place].checks = found;
        }
        let output = Excerpt::of(output, head, tail);
        self.calls[place].end = Some(CallEnd { at: at.cloned(), end, exit_code, output });
        if let Some(old) = place.checked_sub(OUTPUTS_KEPT)
            && let Some(end) = &mut self.calls[old].end
        {
            end.output.head = String::new();
            end.output.tail = String::new();
        }
    }

    fn spend(&mut self, usage: &Usage) {
        self.usage.add(usage);
        // What is spent before anybody asked for anything belongs to no turn.
        if let Some(turn) = self.tasks.last_mut().and_then(|task| task.turns.last_mut()) {
            turn.usage.add(usage);
        }
    }
}

/// The output without lines that stand in the command line itself: what `echo '50 passed'` prints is no runner's word.
fn without_own_words(command: &str, output: &str) -> Option<String> {
    if !["echo", "print", "cat <<", "<<<", "alias "].iter().any(|mark| command.contains(mark)) {
        return None;
    }
    let own = |line: &&str| {
        let line = line.trim();
        line.chars().count() > 3 && line.chars().any(char::is_alphabetic) && command.contains(line)
    };
    let kept: Vec<&str> = output.lines().filter(|line| !own(line)).collect();
    (kept.len() < output.lines().count()).then(|| kept.join("\n"))
}

/// Whether an output holds a word of failure anywhere, so that silence about the exit code proves nothing.
fn speaks_of_failure(output: &str) -> bool {
    let tail = &output[output.ceil_char_boundary(output.len().saturating_sub(8192))..];
    let tail = tail.to_ascii_lowercase();
    [
        "fail", "error", "not ok", "panick", "traceback", "fatal", "timed out", "in progress", "✗", "✘",
        "❌", "pending",
    ]
    .iter()
    .any(|word| tail.contains(word))
}

/// The checks that a command line ran, with their own results.
fn checks(command: &str, exit_code: Option<i32>, output: &str) -> Vec<CheckRun> {
    let reading = check::read_command(command);
    let outcomes = check::outcomes(&reading, exit_code, output);
    let run = |((check, meaning), outcome): ((Check, ExitMeaning), CheckOutcome)| CheckRun {
        check,
        masked: !matches!(meaning, ExitMeaning::Own | ExitMeaning::Shared),
        result: outcome.result,
        summary: outcome.summary,
    };
    reading.checks.into_iter().zip(outcomes).map(run).collect()
}

/// `action` with its texts cut to what decisions look at.
fn shortened(action: &Action) -> Action {
    let cut = |text: &str| text.chars().take(LONGEST_TEXT).collect::<String>();
    match action {
        Action::Run { command, background } => Action::Run { command: cut(command), background: *background },
        Action::Edit { paths } => {
            Action::Edit { paths: paths.iter().take(64).map(|path| cut(path)).collect() }
        }
        Action::Delegate { request } => Action::Delegate { request: cut(request) },
        Action::Ask { question } => Action::Ask { question: cut(question) },
        Action::SetTodos { .. } => Action::SetTodos { todos: Vec::new() },
        Action::Look | Action::Plan | Action::Other => action.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(what: What) -> SessionEvent {
        SessionEvent { at: None, id: None, what }
    }

    fn human(text: &str) -> SessionEvent {
        event(What::HumanSaid { text: text.into(), via: HumanVia::Prompt })
    }

    fn said(text: &str) -> SessionEvent {
        event(What::Said { text: text.into() })
    }

    fn ran(call: &str, command: &str, exit_code: i32) -> [SessionEvent; 2] {
        let action = Action::Run { command: command.into(), background: false };
        [
            event(What::Called {
                call: call.into(),
                tool: "Bash".into(),
                input: serde_json::Value::Null,
                action,
            }),
            event(What::Answered {
                call: call.into(),
                output: "out".into(),
                end: if exit_code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed },
                exit_code: Some(exit_code),
            }),
        ]
    }

    #[test]
    fn feedback_of_a_hook_is_a_new_turn_of_the_same_task() {
        let mut events = vec![human("fix it")];
        events.extend(ran("1", "cargo test", 101));
        events.push(said("Done."));
        events.push(event(What::Fed { text: "tests fail".into(), by: Feeder::StopHook }));
        events.extend(ran("2", "cargo test", 0));
        events.push(said("Now done."));
        events.push(human("thanks, next"));
        let session = Session::fold(&events);
        assert_eq!(session.tasks.len(), 2);
        let turns = &session.tasks[0].turns;
        assert_eq!((turns[0].calls.clone(), turns[1].calls.clone()), (0..1, 1..2));
        assert_eq!(turns[1].last_words.as_ref().unwrap().head, "Now done.");
        assert_eq!(turns[1].sent_back.as_ref().unwrap().head, "tests fail");
        assert_eq!(session.calls[0].end.as_ref().unwrap().exit_code, Some(101));
        assert!(!session.is_working());
    }

    #[test]
    fn work_before_the_first_request_belongs_to_a_task_without_one() {
        let session = Session::fold(&[said("hello"), human("do it")]);
        assert_eq!(session.tasks.len(), 2);
        assert!(session.tasks[0].request.is_none());
    }

    #[test]
    fn old_outputs_are_dropped_and_open_calls_are_known() {
        let mut events = vec![human("x")];
        for number in 0..OUTPUTS_KEPT + 2 {
            events.extend(ran(&number.to_string(), "ls", 0));
        }
        let call = ran("open", "sleep 100", 0)[0].clone();
        events.push(call);
        let session = Session::fold(&events);
        assert!(session.is_working());
        assert_eq!(session.calls[0].end.as_ref().unwrap().output.head, "");
        assert_eq!(session.calls[2].end.as_ref().unwrap().output.head, "out");
        assert_eq!(session.calls[0].end.as_ref().unwrap().output.length, 3);
    }
}
