//! What detectors of words share: the request and the last words, each read once, and what the calls of the task did.

use std::collections::BTreeSet;

use super::Situation;
use super::git_command::Git;
use super::request::{Request, Want};
use super::speech::Speech;
use crate::check::{PlainCommand, commands};
use crate::prose::{self, Prose, Sentence};
use crate::session::{Action, AnswerEnd, Call};

/// The words of a stop, read.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about one stop")]
pub(super) struct Reading {
    /// What was asked for.
    pub request: Request,
    /// The human's latest words.
    pub asked: Prose,
    /// What was said last.
    pub speech: Speech,
    /// Whether the agent went on working after its last words, and then stopped without a word.
    pub silent_end: bool,
    /// Whether it stopped by a call that hands the work in, as its protocol wants it.
    pub handed_in: bool,
    /// Files that were edited for this task.
    pub edits: usize,
    /// Whether a call other than an edit may have changed something: not only looked.
    pub acted: bool,
    /// Tool calls of any kind for this task.
    pub calls: usize,
    /// Whether a command ran to a good end after the last edit.
    pub ran_after_edit: bool,
    /// The words that tell what the request is about, cut to their stems.
    subject: BTreeSet<String>,
}

/// A request with more telling words than this is about everything.
const LONG: usize = 80;

impl Reading {
    /// Reads the words of a stop.
    pub fn of(situation: &Situation<'_>) -> Self {
        let range = situation.task_calls();
        let calls = &situation.session.calls[range.clone()];
        let edits = |call: &Call| matches!(call.action, Action::Edit { .. }) && done(call);
        let last_edit = calls.iter().rposition(edits).map(|place| range.start + place);
        let ran = |call: &Call| {
            let ended = call.end.as_ref();
            matches!(call.action, Action::Run { .. })
                && ended.is_some_and(|end| {
                    end.end == AnswerEnd::Done && end.exit_code.is_none_or(|code| code == 0)
                })
        };
        let after = last_edit.map_or(range.start, |place| place + 1);
        let words_after = situation.turn().map_or(0, |turn| turn.last_words_after);
        let turn_start = situation.turn().map_or(0, |turn| turn.calls.start);
        let own = |start: usize| {
            situation.session.calls[start.min(range.end)..range.end].iter().filter(|call| call.is_own())
        };
        let handed_in = own(turn_start).next_back().is_some_and(Call::hands_in);
        let has_words = situation.turn().is_some_and(|turn| turn.last_words.is_some());
        let asked = Prose::read(&situation.request());
        Self {
            subject: asked
                .sentences
                .iter()
                .flat_map(|sentence| super::parts::telling(&sentence.text))
                .collect(),
            request: Request::read(&request_text(situation)),
            asked,
            speech: Speech::read(&situation.last_words()),
            silent_end: has_words && !handed_in && own(words_after.max(turn_start)).next().is_some(),
            handed_in,
            edits: calls.iter().filter(|call| edits(call)).count(),
            acted: calls.iter().any(may_act),
            calls: calls.len(),
            ran_after_edit: situation.session.calls[after.min(range.end)..range.end].iter().any(ran),
        }
    }

    /// Whether a sentence has a word that tells what the request is about; a long one is about everything.
    pub fn is_about_request(&self, sentence: &Sentence) -> bool {
        let words = super::parts::telling(&sentence.text);
        self.subject.len() <= LONG && words.iter().any(|word| self.subject.contains(word))
    }

    /// Whether something is to be changed, made or done.
    pub fn wants_action(&self) -> bool {
        self.request.want == Want::Action
    }
}

/// The request, joined with earlier ones that it only adds to: "yes, go on".
fn request_text(situation: &Situation<'_>) -> String {
    let tasks = &situation.session.tasks;
    let own = situation.request();
    let short = own.split_whitespace().count() <= 6;
    let earlier = tasks.len().checked_sub(2).and_then(|place| tasks[place].request.as_ref());
    match earlier {
        Some(earlier) if short && Request::read(&own).want == Want::Action => {
            format!("{}\n{own}", earlier.text())
        }
        _ => own,
    }
}

/// Whether a call may have changed something outside of the agent's own mind.
fn may_act(call: &Call) -> bool {
    match &call.action {
        Action::Run { command, .. } => {
            done(call) && !commands(command).iter().all(|part| looks(part) || tries(part))
        }
        Action::Delegate { .. } | Action::Other | Action::Edit { .. } => done(call),
        Action::Look | Action::SetTodos { .. } | Action::Ask { .. } | Action::Plan | Action::HandIn => false,
    }
}

/// Whether a command line can show that something works: it runs more than what reads, writes and keeps files.
pub(super) fn may_show(command: &str) -> bool {
    // A push runs the hooks, which may run anything.
    let pushes = |part: &PlainCommand| Git::of(part).is_some_and(|git| git.does == "push");
    let plain =
        |part: &PlainCommand| (prose::is(part.program(), "file-keepers") || reads(part)) && !pushes(part);
    !commands(command).iter().all(plain)
}

/// Whether a command line only looks: every command in it is one that reads.
pub(super) fn only_looks(command: &str) -> bool {
    commands(command).iter().all(looks)
}

/// Whether a command only looks.
pub(super) fn looks(command: &PlainCommand) -> bool {
    reads(command) && command.writes.iter().all(|to| to.starts_with("/dev/"))
}

fn reads(command: &PlainCommand) -> bool {
    let program = command.program();
    let second = Git::of(command).map_or(command.word(1), |git| git.does);
    match program {
        "sed" => second == "-n",
        "tee" => second.is_empty() || second.starts_with("/dev/"),
        "git" => prose::is(second, "git-reads"),
        _ => prose::is(program, "readers"),
    }
}

/// Whether a command tries a line of code that writes nothing.
fn tries(command: &PlainCommand) -> bool {
    let code = command.fed.as_deref().unwrap_or_else(|| command.word(2));
    prose::is(command.program(), "interpreters")
        && (command.word(1).contains("-version")
            || prose::is(command.word(1), "inline-code") && !writes_in(code))
}

/// Whether a piece of code has a word for writing, or for running something that may write.
pub(super) fn writes_in(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| prose::is(word, "writers") || prose::begins_one(word, "writing"))
}

/// Whether a call ended well.
pub(super) fn done(call: &Call) -> bool {
    call.end.as_ref().is_none_or(|end| end.end == AnswerEnd::Done)
}
