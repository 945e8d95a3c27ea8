//! What claims are held against: the course of the session, and how far it can be seen.

use super::super::changes::Change;
use super::super::check_runs::Ran;
use super::super::course::Course;
use super::super::reading::{Reading, may_show};
use super::super::{Evidence, Kind};
use super::vocabulary::is;
use crate::check::{self, PlainCommand};
use crate::prose;
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

/// The course of a session, as far as claims need it.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about one stop")]
pub(super) struct World<'c, 'a> {
    pub(super) course: &'c Course<'a>,
    /// Whether the agent says itself that something fails.
    pub(super) admits: bool,
    /// The last words, in lower case.
    pub(super) words: String,
    /// Why some of the work cannot be seen.
    pub(super) unseen: Option<&'static str>,
    /// Whether something was changed by hand in this session.
    pub(super) edited: bool,
    /// Whether the task was not to mend anything, and the words tell of what fails.
    pub(super) tells_of_red: bool,
    /// Whether a check was bent: what it says now shows nothing.
    pub(super) bent: bool,
}

impl<'c, 'a> World<'c, 'a> {
    pub(super) fn of(course: &'c Course<'a>, reading: &Reading, found: &[Evidence]) -> Self {
        let session = course.situation.session;
        let is = |test: fn(&Call) -> bool| session.calls.iter().any(test);
        let unseen = if is(|call| matches!(call.action, Action::Delegate { .. }) && call.unread) {
            Some("a sub-agent did part of the work, and what it ran cannot be seen")
        } else if session.epoch > 0 {
            Some("the context was compacted, and what ran before cannot be seen")
        } else if session.tasks.first().is_none_or(|task| task.request.is_none()) {
            Some("the session began before what can be seen of it")
        } else if is(|call| matches!(call.action, Action::Other) && ended_well(call)) {
            Some("tools were used whose work cannot be seen")
        } else {
            None
        };
        Self {
            course,
            admits: !reading.speech.admits_failing().is_empty(),
            tells_of_red: !reading.request.mends
                && (reading.speech.tells_of_failing() || tells_of_failing_before(reading)),
            words: course.situation.last_words().to_lowercase(),
            unseen,
            bent: found
                .iter()
                .any(|found| found.kind == Kind::TestsWeakened && found.severity >= Severity::Medium),
            edited: course.changes.iter().any(Change::is_by_hand),
        }
    }

    /// The file that a run covers and that was written after it: by what the session shows, or by what the tree shows.
    pub(super) fn written_since(&self, ran: &Ran<'_>) -> Option<String> {
        let edited = self
            .course
            .edited_since(ran)
            .map(|change| change.path.clone().unwrap_or_else(|| "the tree".into()));
        edited.or_else(|| self.course.touched_since(ran).map(|touched| touched.path.clone()))
    }

    /// The calls of the session.
    pub(super) fn calls(&self) -> &'a [Call] {
        &self.course.situation.session.calls
    }

    /// Every command with the place of its call, also of calls that failed.
    pub(super) fn commands(&self) -> impl DoubleEndedIterator<Item = (usize, &PlainCommand)> {
        self.course
            .commands
            .iter()
            .enumerate()
            .flat_map(|(at, commands)| commands.iter().map(move |command| (at, command)))
    }

    /// Whether the call at `at` ended well, as far as its end tells.
    pub(super) fn went_well(&self, at: usize) -> bool {
        self.calls().get(at).is_some_and(|call| {
            ended_well(call)
                && call.end.as_ref().is_some_and(|end| end.exit_code.is_none_or(|code| code == 0))
        })
    }

    /// Whether the call at `at` did what it was to do: where something hides its exit code, its output tells.
    pub(super) fn did(&self, at: usize, by_git: bool) -> bool {
        let hidden = match &self.calls()[at].action {
            Action::Run { command, .. } => {
                check::hides_failure(command).is_some() || self.course.commands[at].len() > 1
            }
            _ => true,
        };
        self.went_well(at) && !(hidden && self.refuses(at, by_git))
    }

    /// Whether the end of an output tells that something was refused or failed; of git only what git says itself.
    pub(super) fn refuses(&self, at: usize, by_git: bool) -> bool {
        let output = self.output(at).to_lowercase();
        let complains = |line: &str| {
            let git = ["fatal: ", "conflict ("].iter().any(|sign| line.starts_with(sign));
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '✖' && c != '✗');
            let mut first = words.by_ref().filter(|word| !word.is_empty()).take(2);
            git || line.contains("[rejected]")
                || line.contains("hook id:")
                || !by_git && (first.any(|word| is(word, "refusals")) || line.contains("403 forbidden"))
        };
        let end = output.lines().rev().filter(|line| !line.trim().is_empty()).take(15);
        let dry = output.contains("dry run") || output.contains("dry-run");
        !dry && end.map(str::trim).any(complains)
    }

    /// The output of the call at `at`, as far as it was kept.
    pub(super) fn output(&self, at: usize) -> String {
        let end = self.calls().get(at).and_then(|call| call.end.as_ref());
        end.map(|end| end.output.text()).unwrap_or_default()
    }

    /// The place of the newest edit of anything that a person decided.
    pub(super) fn last_edit(&self) -> Option<usize> {
        self.course.changes.iter().rev().find(|change| change.is_by_hand()).map(|change| change.when.0)
    }

    /// Whether a command of the session, or what it printed, holds this name.
    pub(super) fn names(&self, name: &str) -> bool {
        (0..self.calls().len()).any(|at| match &self.calls()[at].action {
            Action::Run { command, .. } => {
                command.to_lowercase().contains(name)
                    || may_show(command) && self.output(at).to_lowercase().contains(name)
            }
            _ => false,
        })
    }

    /// A command that ran well after the last edit and can show that something works.
    pub(super) fn shown_since_edit(&self) -> Option<usize> {
        let from = self.last_edit().unwrap_or(0);
        (from..self.calls().len()).rev().find(|at| self.shows(*at))
    }

    /// Whether the call at `at` ran something that can show how the program behaves.
    pub(super) fn shows(&self, at: usize) -> bool {
        match &self.calls()[at].action {
            Action::Run { command, .. } => self.went_well(at) && may_show(command),
            Action::Other | Action::Delegate { .. } => ended_well(&self.calls()[at]),
            _ => false,
        }
    }

    /// Whether any call may have changed something.
    pub(super) fn acted(&self) -> bool {
        self.calls().iter().any(|call| match &call.action {
            Action::Edit { .. } | Action::Delegate { .. } | Action::Other => ended_well(call),
            Action::Run { command, .. } => ended_well(call) && !super::super::reading::only_looks(command),
            _ => false,
        })
    }
}

pub(super) fn ended_well(call: &Call) -> bool {
    call.end.as_ref().is_some_and(|end| matches!(end.end, AnswerEnd::Done | AnswerEnd::Background))
}

/// "The other test failed before my change."
fn tells_of_failing_before(reading: &Reading) -> bool {
    reading.speech.prose.sentences.iter().any(|sentence| {
        let earlier =
            |word: &String| matches!(word.as_str(), "before" | "earlier" | "already" | "previously");
        sentence.words.iter().any(earlier) && prose::any(&sentence.words, "failure-words")
    })
}
