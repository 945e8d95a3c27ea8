//! A session in bounded room: the fold of its events.
//!
//! Texts are kept as excerpts; of old command outputs only digests stay. So a transcript of any size folds into a few
//! megabytes, and a decision sees the same whether the session was read from disk or watched live.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use super::excerpt::input_digest;
use super::{
    Action, AnswerEnd, Circumstances, Excerpt, Feeder, HumanVia, SessionEvent, Todo, Usage, What, Written,
    cut_mark,
};
use crate::check::{self, Check, CheckOutcome, CheckResult, ExitMeaning, PlainCommand, Summary, Why};
use crate::timestamp::Timestamp;

/// How much of a human's request, of the agent's words and of a command is kept.
const LONGEST_TEXT: usize = 4096;
/// The same of a command line.
const LONGEST_COMMAND: usize = 16 * 1024;
/// How much of a command's output is kept: the end is where results stand.
const OUTPUT_HEAD: usize = 256;
const OUTPUT_TAIL: usize = 1536;
/// How many of the newest outputs are kept in excerpt.
const OUTPUTS_KEPT: usize = 4000;
/// How many of the newest calls keep what they wrote into files.
const WRITTEN_KEPT: usize = 1000;
/// How many of the agent's messages of a turn are kept, and how much of each.
const SAID_KEPT: usize = 12;
const SAID_LENGTH: usize = 2048;

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
    /// Calls that handed work to a sub-agent, by their ids.
    delegates: BTreeMap<String, usize>,
    /// Open calls of which their answer told that they ran something in a tool of its own.
    retold: BTreeSet<String>,
    /// Calls that were left running, by their ids, and the call that stands for the end of each.
    left: BTreeMap<String, (usize, Option<usize>)>,
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
    /// The newest things the agent said, in order; kept of the session's last turn only.
    pub words: Vec<Said>,
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

/// Something that the agent said on its way.
#[derive(Debug, Clone)]
pub struct Said {
    /// What.
    pub text: Excerpt,
    /// How many calls of the session had been made when it said that.
    pub after: usize,
}

/// A tool call, of the agent or of one of its sub-agents.
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
    /// Whether a sub-agent made it.
    pub by_sub_agent: bool,
    /// For a call that handed work to a sub-agent: whether nothing is known of what that one did.
    pub unread: bool,
    /// The earlier call, left running, whose end this is: no call of its own, but the moment at which the output came.
    pub ends: Option<usize>,
}

impl Call {
    /// Whether the agent itself made it at this moment.
    pub fn is_own(&self) -> bool {
        !self.by_sub_agent && self.ends.is_none()
    }

    /// Whether it hands the work in, by a tool for that or by printing the mark that the protocol wants.
    pub fn hands_in(&self) -> bool {
        match &self.action {
            Action::HandIn => true,
            Action::Run { command, .. } => check::commands(command).iter().any(prints_mark),
            _ => false,
        }
    }

    /// Whether it puts something before the human, and no answer came: it waits, or there was nobody to ask.
    pub fn waits_for_an_answer(&self) -> bool {
        matches!(self.action, Action::Ask { .. } | Action::Plan)
            && !self.by_sub_agent
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
    /// What decided about it.
    pub why: Why,
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
            What::HumanSaid { text, via } => {
                let turns = vec![self.new_turn(None)];
                self.tasks.push(Task {
                    id: event.id.clone(),
                    request: Some(Excerpt::of(text, LONGEST_TEXT, 0)),
                    via: Some(*via),
                    at: event.at.clone(),
                    turns,
                });
            }
            What::Fed { text, by: Feeder::StopHook } => {
                let turn = self.new_turn(Some(Excerpt::of(text, LONGEST_TEXT, 0)));
                self.task().turns.push(turn);
            }
            What::Fed { by: Feeder::Agent, .. }
            | What::Thought { .. }
            | What::Stopped
            | What::Ended { .. } => {}
            What::Said { text } => self.say(text),
            What::Called { call, tool, input, action } => {
                if let Action::SetTodos { todos } = action {
                    self.proposed.insert(call.clone(), todos.clone());
                }
                if let (Action::HandIn, Some(text)) = (action, handed_in(input)) {
                    self.say(text);
                }
                self.call(call, tool, input, action, event.at.as_ref());
                self.turn().said_since_call = 0;
            }
            What::BySubAgent { call, what } => self.delegated(call.as_deref(), what, event.at.as_ref()),
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

    /// The session with the words of the tasks up to the one at `place`, and with all that was done, later as well.
    #[must_use]
    pub fn speaking_at(&self, place: usize) -> Self {
        let mut session = self.clone();
        session.tasks.truncate(place + 1);
        session
    }

    /// Every turn with its task, in order.
    pub fn turns(&self) -> impl Iterator<Item = (&Task, &Turn)> {
        self.tasks.iter().flat_map(|task| task.turns.iter().map(move |turn| (task, turn)))
    }

    /// Whether a call has no answer yet.
    pub fn is_working(&self) -> bool {
        self.open.values().any(|place| !self.calls[*place].by_sub_agent)
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

    fn new_turn(&mut self, sent_back: Option<Excerpt>) -> Turn {
        if let Some(before) = self.tasks.last_mut().and_then(|task| task.turns.last_mut()) {
            before.words = Vec::new();
        }
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

    fn say(&mut self, text: &str) {
        let after = self.calls.len();
        let turn = self.turn();
        if turn.words.len() == SAID_KEPT {
            turn.words.remove(0);
        }
        turn.words.push(Said { text: Excerpt::of(text, SAID_LENGTH / 2, SAID_LENGTH / 2), after });
        turn.last_words = Some(Excerpt::of(text, LONGEST_TEXT / 2, LONGEST_TEXT / 2));
        turn.last_words_after = after;
        turn.said += 1;
        turn.said_since_call += 1;
    }

    fn call(&mut self, id: &str, tool: &str, input: &Value, action: &Action, at: Option<&Timestamp>) {
        if let (Some(place), Action::Run { .. }) = (self.open.get(id), action)
            && self.calls[*place].action == Action::Other
        {
            self.calls[*place].action = shortened(action);
            self.retold.insert(id.to_owned());
            return;
        }
        let place = self.calls.len();
        self.open.insert(id.to_owned(), place);
        let delegates = matches!(action, Action::Delegate { .. });
        if delegates {
            self.delegates.insert(id.to_owned(), place);
        }
        self.push(Call {
            tool: tool.to_owned(),
            action: shortened(action),
            input: input_digest(input),
            wrote: matches!(action, Action::Edit { .. }).then(|| Written::read(input)),
            at: at.cloned(),
            end: None,
            checks: Vec::new(),
            by_sub_agent: false,
            unread: delegates,
            ends: None,
        });
    }

    fn push(&mut self, call: Call) {
        self.calls.push(call);
        let end = self.calls.len();
        if let Some(old) = end.checked_sub(WRITTEN_KEPT + 1) {
            self.calls[old].wrote = None;
        }
        self.turn().calls.end = end;
    }

    /// A sub-agent's calls are calls of the session; its words are none of the agent's.
    fn delegated(&mut self, by: Option<&str>, what: &What, at: Option<&Timestamp>) {
        if let Some(place) = by.and_then(|by| self.delegates.get(by)) {
            self.calls[*place].unread = false;
        }
        match what {
            What::Called { call, tool, input, action } => {
                self.call(call, tool, input, action, at);
                if let Some(call) = self.calls.last_mut() {
                    call.by_sub_agent = true;
                }
            }
            What::Answered { call, output, end, exit_code } => {
                self.answer(call, output, *end, *exit_code, at);
            }
            What::BySubAgent { call, what } => self.delegated(call.as_deref(), what, at),
            _ => {}
        }
    }

    fn answer(
        &mut self,
        id: &str,
        output: &str,
        end: AnswerEnd,
        exit_code: Option<i32>,
        at: Option<&Timestamp>,
    ) {
        let place = match self.open.remove(id) {
            Some(place) => {
                if end == AnswerEnd::Background {
                    self.left.insert(id.to_owned(), (place, None));
                }
                Some(place)
            }
            None if end == AnswerEnd::Background => None,
            None => self.later(id, output, at),
        };
        let Some(place) = place else { return };
        if let (Some(todos), AnswerEnd::Done) = (self.proposed.remove(id), end) {
            self.todos = todos;
        }
        // That it ended may be told before what it printed.
        let told = self.calls[place].end.take();
        let end = told.as_ref().map_or(end, |told| told.end);
        let exit_code = exit_code.or_else(|| told.as_ref()?.exit_code);
        // What was only looked at is not kept; what ran, and what another agent reports, is.
        let told = matches!(self.calls[place].action, Action::Run { .. } | Action::Delegate { .. });
        let (head, tail) = if told || end != AnswerEnd::Done { (OUTPUT_HEAD, OUTPUT_TAIL) } else { (0, 0) };
        if let (Action::Run { command, .. }, AnswerEnd::Done | AnswerEnd::Failed) =
            (&self.calls[place].action, end)
        {
            let own = without_own_words(command, output);
            let output = own.as_deref().unwrap_or(output);
            let mut found = checks(command, exit_code, output);
            if self.retold.remove(id) && found.is_empty() {
                let told = check::told(command, exit_code, output);
                found.extend(told.map(|(check, outcome)| run_of(check, &ExitMeaning::Own, outcome)));
            }
            // A call that its agent takes for a success, without a code, ended with zero as far as anybody knows.
            if exit_code.is_none()
                && end == AnswerEnd::Done
                && found.iter().any(|run| run.result == CheckResult::Unknown)
                && !speaks_of_failure(output)
                && cut_mark(output).is_none()
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

    /// The place at which a call that was left running ended, now that its output arrives: where it is not yet known, a
    /// new one here.
    fn later(&mut self, id: &str, output: &str, at: Option<&Timestamp>) -> Option<usize> {
        let (first, ended) = *self.left.get(id)?;
        if let Some(place) = ended {
            let silent = self.calls[place].end.as_ref().is_some_and(|end| end.output.length == 0);
            return (silent && !output.is_empty()).then_some(place);
        }
        let place = self.calls.len();
        self.left.insert(id.to_owned(), (first, Some(place)));
        let ended = Call { at: at.cloned(), end: None, ends: Some(first), ..self.calls[first].clone() };
        self.push(ended);
        Some(place)
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

/// Whether a command prints a mark such as `TASK_COMPLETE`, which says nothing but that.
fn prints_mark(command: &PlainCommand) -> bool {
    let is_mark = |word: &String| {
        let mut parts = word.split('_').filter(|part| !part.is_empty());
        let ends = |part: &str| {
            matches!(part, "COMPLETE" | "COMPLETED" | "SUBMIT" | "SUBMITTED" | "FINISH" | "FINISHED" | "DONE")
        };
        word.contains('_') && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && parts.any(ends)
    };
    matches!(command.program(), "echo" | "printf") && matches!(command.arguments(), [word] if is_mark(word))
}

/// The words with which work is handed in: the longest text of the call.
fn handed_in(input: &Value) -> Option<&str> {
    let texts = input.as_object().into_iter().flat_map(|fields| fields.values()).chain([input]);
    let texts = texts.filter_map(Value::as_str).filter(|text| !text.trim().is_empty());
    texts.max_by_key(|text| text.len())
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
    let runs = reading.checks.into_iter().zip(outcomes);
    runs.map(|((check, meaning), outcome)| run_of(check, &meaning, outcome)).collect()
}

fn run_of(check: Check, meaning: &ExitMeaning, outcome: CheckOutcome) -> CheckRun {
    CheckRun {
        check,
        masked: !matches!(meaning, ExitMeaning::Own | ExitMeaning::Shared),
        result: outcome.result,
        why: outcome.why,
        summary: outcome.summary,
    }
}

/// A command line without its middle, which is left out between lines or words: what runs last, behind a long document or a
/// row of variables, is as telling as what runs first.
fn without_middle(command: &str) -> String {
    if command.len() <= LONGEST_COMMAND {
        return command.to_owned();
    }
    let half = LONGEST_COMMAND / 2;
    let head = &command[..command.floor_char_boundary(half)];
    let tail = &command[command.ceil_char_boundary(command.len() - half)..];
    let between = |mark: char| Some((head.rfind(mark)? + 1, tail.find(mark)? + 1));
    let (end, start) = between('\n').or_else(|| between(' ')).unwrap_or((head.len(), 0));
    [&head[..end], &tail[start..]].concat()
}

/// `action` with its texts cut to what decisions look at.
fn shortened(action: &Action) -> Action {
    let cut = |text: &str| text.chars().take(LONGEST_TEXT).collect::<String>();
    match action {
        Action::Run { command, background } => {
            Action::Run { command: without_middle(command), background: *background }
        }
        Action::Edit { paths } => {
            Action::Edit { paths: paths.iter().take(64).map(|path| cut(path)).collect() }
        }
        Action::Delegate { request } => Action::Delegate { request: cut(request) },
        Action::Ask { question } => Action::Ask { question: cut(question) },
        Action::SetTodos { .. } => Action::SetTodos { todos: Vec::new() },
        Action::Look | Action::Plan | Action::HandIn | Action::Other => action.clone(),
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

    fn answered(call: &str, output: &str, end: AnswerEnd, exit_code: Option<i32>) -> SessionEvent {
        event(What::Answered { call: call.into(), output: output.into(), end, exit_code })
    }

    #[test]
    fn what_was_left_running_ends_where_its_output_arrives() {
        let call = ran("1", "pytest -q", 0)[0].clone();
        let other = ran("2", "ls", 0);
        let left = answered("1", "", AnswerEnd::Background, None);
        let red = "1 failed, 3 passed in 0.1s";
        for (name, later, ends, exit_code, result) in [
            ("never", vec![], None, None, None),
            ("still runs", vec![answered("1", "...", AnswerEnd::Background, None)], None, None, None),
            (
                "with its output",
                vec![answered("1", red, AnswerEnd::Failed, Some(1))],
                Some(2),
                Some(1),
                Some(CheckResult::Failed),
            ),
            (
                "told first, read then",
                vec![
                    answered("1", "", AnswerEnd::Failed, Some(1)),
                    answered("1", red, AnswerEnd::Done, None),
                ],
                Some(2),
                Some(1),
                Some(CheckResult::Failed),
            ),
            ("stopped", vec![answered("1", "", AnswerEnd::Interrupted, None)], Some(2), None, None),
        ] {
            let mut events = vec![human("x"), call.clone(), left.clone()];
            events.extend(other.clone());
            events.extend(later);
            let session = Session::fold(&events);
            let end = session.calls.iter().find(|call| call.ends == Some(0));
            assert_eq!(session.calls.len(), ends.map_or(2, |place| place + 1), "{name}");
            assert_eq!(end.and_then(|call| call.end.as_ref()?.exit_code), exit_code, "{name}");
            assert_eq!(end.and_then(|call| Some(call.checks.first()?.result)), result, "{name}");
            assert!(session.calls[0].checks.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_sub_agents_calls_are_calls_of_the_session() {
        let by = |call: Option<&str>, what: &SessionEvent| {
            event(What::BySubAgent { call: call.map(Into::into), what: Box::new(what.what.clone()) })
        };
        let delegate = event(What::Called {
            call: "d".into(),
            tool: "Task".into(),
            input: serde_json::Value::Null,
            action: Action::Delegate { request: "test it".into() },
        });
        let mut events = vec![human("x"), said("I delegate."), delegate];
        events.extend(ran("a", "cargo test", 0).iter().map(|what| by(Some("d"), what)));
        events.push(by(Some("d"), &ran("b", "sleep 9", 0)[0]));
        events.push(by(None, &said("All green.")));
        events.push(answered("d", "All green.", AnswerEnd::Done, None));
        let session = Session::fold(&events);
        let made: Vec<bool> = session.calls.iter().map(|call| call.by_sub_agent).collect();
        assert_eq!(made, [false, true, true]);
        assert!(!session.calls[0].unread && session.calls[1].checks.len() == 1);
        assert!(!session.is_working(), "a sub-agent's open call is not the agent's");
        assert_eq!(session.tasks[0].turns[0].last_words.as_ref().unwrap().head, "I delegate.");
        let alone = Session::fold(&events[..3]);
        assert!(alone.calls[0].unread && alone.is_working());
    }

    #[test]
    fn the_newest_words_of_the_last_turn_are_kept() {
        let mut events = vec![human("x"), said("first")];
        for number in 0..SAID_KEPT {
            events.extend(ran(&number.to_string(), "ls", 0));
            events.push(said(&"é".repeat(SAID_LENGTH)));
        }
        let session = Session::fold(&events);
        let turn = &session.tasks[0].turns[0];
        assert_eq!(turn.words.len(), SAID_KEPT);
        assert!(turn.words.iter().zip(1..).all(|(said, after)| said.after == after));
        assert!(turn.words[0].text.head.len() + turn.words[0].text.tail.len() <= SAID_LENGTH);
        events.push(human("y"));
        assert!(Session::fold(&events).tasks[0].turns[0].words.is_empty());
    }

    #[test]
    fn a_cut_output_without_a_code_proves_nothing() {
        for (output, result) in
            [("", CheckResult::Passed), ("a\n[... 99 lines cut ...]\nb", CheckResult::Unknown)]
        {
            let call = ran("1", "cargo clippy", 0)[0].clone();
            let session = Session::fold(&[human("x"), call, answered("1", output, AnswerEnd::Done, None)]);
            assert_eq!(session.calls[0].checks[0].result, result, "{output}");
        }
    }
}
