//! Sessions in shorthand, for tables of cases.
//!
//! A [`Tale`] is told event by event and folded into a [`Session`] as an adapter would do it; then it is asked what the
//! detectors find.

use serde_json::{Value, json};

use super::{Evidence, Instructions, Kind, Situation, Touched, gather};
use crate::decision_memory::Change;
use crate::session::{
    Action, AnswerEnd, Circumstances, Feeder, HumanVia, Session, SessionEvent, Todo, TodoStatus, Usage, What,
};
use crate::timestamp::Timestamp;

/// `cargo test`, all green.
pub(crate) const GREEN: &str =
    "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

/// What `cargo test` prints when these tests fail.
pub(crate) fn red(failing: &[&str]) -> String {
    let lines = lines_of(failing, "test ", " ... FAILED");
    let names = lines_of(failing, "    ", "");
    format!(
        "{lines}\nfailures:\n{names}\ntest result: FAILED. 2 passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        failing.len()
    )
}

fn lines_of(names: &[&str], before: &str, after: &str) -> String {
    names.iter().flat_map(|name| [before, name, after, "\n"]).collect()
}

/// What `pytest` prints when these tests fail.
pub(crate) fn pytest_red(failing: &[&str]) -> String {
    let names = lines_of(failing, "FAILED ", " - AssertionError");
    format!("{names}=========== {} failed, 4 passed in 0.12s ===========", failing.len())
}

/// A session that is being told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tale {
    events: Vec<SessionEvent>,
    instructions: Vec<Instructions>,
    background: usize,
    changed: Option<Change>,
    touched: Vec<Touched>,
    clock: Option<Timestamp>,
    calls: usize,
}

impl Tale {
    /// A session that begins with this request.
    pub(crate) fn of(request: &str) -> Self {
        Self::default().human(request)
    }

    fn event(mut self, what: What) -> Self {
        self.events.push(SessionEvent { at: self.clock.clone(), id: None, what });
        self
    }

    /// What follows happens at this time of day, such as `14:02`.
    pub(crate) fn at(mut self, time: &str) -> Self {
        self.clock = Timestamp::try_from(format!("2026-03-04T{time}:00Z")).ok();
        self
    }

    /// The folder that the session works in.
    pub(crate) fn in_folder(self, cwd: &str) -> Self {
        self.event(What::Started(Circumstances { cwd: Some(cwd.into()), ..Circumstances::default() }))
    }

    /// The branch that the session works on.
    pub(crate) fn on_branch(self, branch: &str) -> Self {
        self.event(What::Started(Circumstances { branch: Some(branch.into()), ..Circumstances::default() }))
    }

    /// The human asks for something: a new task.
    pub(crate) fn human(self, text: &str) -> Self {
        self.event(What::HumanSaid { text: text.into(), via: HumanVia::Prompt })
    }

    /// The agent says something.
    pub(crate) fn said(self, text: &str) -> Self {
        self.event(What::Said { text: text.into() })
    }

    /// A stop hook sends the agent back: a new turn of the same task.
    pub(crate) fn fed_back(self, text: &str) -> Self {
        self.event(What::Fed { text: text.into(), by: Feeder::StopHook })
    }

    /// The human interrupts.
    pub(crate) fn aborted(self) -> Self {
        self.event(What::Aborted)
    }

    /// The turn fails with these words.
    pub(crate) fn failed(self, error: &str) -> Self {
        self.event(What::Failed { error: error.into() })
    }

    /// Model calls took so many tokens.
    pub(crate) fn used(self, input_tokens: u64, output_tokens: u64) -> Self {
        self.event(What::Used(Usage { input_tokens, output_tokens, cost_usd: None }))
    }

    /// The agent may only plan from here on.
    pub(crate) fn planning(self) -> Self {
        self.event(What::Permission { plan: true, name: "plan".into() })
    }

    /// Any call, answered like this.
    pub(crate) fn call(
        mut self,
        tool: &str,
        input: Value,
        action: Action,
        end: AnswerEnd,
        exit_code: Option<i32>,
        output: &str,
    ) -> Self {
        let call = self.calls.to_string();
        self.calls += 1;
        self.event(What::Called { call: call.clone(), tool: tool.into(), input, action })
            .event(What::Answered { call, output: output.into(), end, exit_code })
    }

    /// An edit that replaces `old` by `new`.
    pub(crate) fn edit(self, path: &str, old: &str, new: &str) -> Self {
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        let action = Action::Edit { paths: vec![path.into()] };
        self.call("Edit", input, action, AnswerEnd::Done, None, "updated")
    }

    /// An edit of which only the file matters.
    pub(crate) fn edits(self, path: &str) -> Self {
        let number = self.calls;
        self.edit(path, &format!("old {number}"), &format!("new {number}"))
    }

    /// A whole file is written.
    pub(crate) fn write(self, path: &str, content: &str) -> Self {
        let input = json!({ "file_path": path, "content": content });
        let action = Action::Edit { paths: vec![path.into()] };
        self.call("Write", input, action, AnswerEnd::Done, None, "written")
    }

    /// An edit that fails with this error.
    pub(crate) fn edit_failed(self, path: &str, old: &str, error: &str) -> Self {
        let input = json!({ "file_path": path, "old_string": old, "new_string": "" });
        let action = Action::Edit { paths: vec![path.into()] };
        self.call("Edit", input, action, AnswerEnd::Failed, None, error)
    }

    /// A command that ran to its end.
    pub(crate) fn run(self, command: &str, exit_code: i32, output: &str) -> Self {
        let end = if exit_code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed };
        self.command(command, end, Some(exit_code), output)
    }

    /// A command that somebody refused.
    pub(crate) fn run_denied(self, command: &str) -> Self {
        self.command(command, AnswerEnd::Denied, None, "denied")
    }

    /// A command that is left running.
    pub(crate) fn background(self, command: &str) -> Self {
        let action = Action::Run { command: command.into(), background: true };
        self.call("Bash", json!({ "command": command }), action, AnswerEnd::Background, None, "started")
    }

    /// The output of what was left running last arrives, and its end.
    pub(crate) fn ended(self, exit_code: i32, output: &str) -> Self {
        let left = self.events.iter().rev().find_map(|event| match &event.what {
            What::Answered { call, end: AnswerEnd::Background, .. } => Some(call.clone()),
            _ => None,
        });
        let end = if exit_code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed };
        let call = left.unwrap();
        self.event(What::Answered { call, output: output.into(), end, exit_code: Some(exit_code) })
    }

    /// A command whose answer never came.
    pub(crate) fn unanswered(mut self, command: &str) -> Self {
        let call = self.calls.to_string();
        self.calls += 1;
        let action = Action::Run { command: command.into(), background: false };
        self.event(What::Called { call, tool: "Bash".into(), input: json!({ "command": command }), action })
    }

    /// A part of the work is handed to a sub-agent that runs this and whose own record can be read.
    pub(crate) fn by_sub_agent(mut self, command: &str, exit_code: i32, output: &str) -> Self {
        let handed = self.calls.to_string();
        self.calls += 1;
        let action = Action::Delegate { request: "run it".into() };
        let told = self.event(What::Called {
            call: handed.clone(),
            tool: "Task".into(),
            input: json!({ "prompt": "run it" }),
            action,
        });
        let ran = Self { calls: told.calls, ..Self::default() }.run(command, exit_code, output);
        let mut told = Self { calls: ran.calls, ..told };
        for event in ran.events {
            let what = What::BySubAgent { call: Some(handed.clone()), what: Box::new(event.what) };
            told = told.event(what);
        }
        let answered =
            What::Answered { call: handed, output: "Done.".into(), end: AnswerEnd::Done, exit_code: None };
        told.event(answered)
    }

    /// The context is compacted.
    pub(crate) fn compacted(self) -> Self {
        self.event(What::Compacted { summary: None })
    }

    /// A tool of unknown work is called.
    pub(crate) fn other(self, tool: &str, output: &str) -> Self {
        self.call(
            tool,
            json!({ "url": "http://localhost:3000" }),
            Action::Other,
            AnswerEnd::Done,
            None,
            output,
        )
    }

    fn command(self, command: &str, end: AnswerEnd, exit_code: Option<i32>, output: &str) -> Self {
        let action = Action::Run { command: command.into(), background: false };
        self.call("Bash", json!({ "command": command }), action, end, exit_code, output)
    }

    /// Something is read or searched.
    pub(crate) fn look(self, what: &str, output: &str) -> Self {
        self.call("Read", json!({ "path": what }), Action::Look, AnswerEnd::Done, None, output)
    }

    /// The list of things to do is set.
    pub(crate) fn todos(self, todos: &[(&str, TodoStatus)]) -> Self {
        let todos: Vec<Todo> =
            todos.iter().map(|(text, status)| Todo { text: (*text).into(), status: *status }).collect();
        let input = json!({ "todos": todos });
        self.call("TodoWrite", input, Action::SetTodos { todos }, AnswerEnd::Done, None, "ok")
    }

    /// The human is asked something, and answers.
    pub(crate) fn asks(self, question: &str) -> Self {
        let action = Action::Ask { question: question.into() };
        self.call("Ask", json!({ "question": question }), action, AnswerEnd::Done, None, "")
    }

    /// A part of the work is handed to another agent, whose own work is not seen.
    pub(crate) fn delegates(self, request: &str) -> Self {
        let action = Action::Delegate { request: request.into() };
        self.call("Task", json!({ "prompt": request }), action, AnswerEnd::Done, None, "Done.")
    }

    /// The project instructs its agents.
    pub(crate) fn instructed(mut self, file: &str, text: &str) -> Self {
        self.instructions.push(Instructions { file: file.into(), text: text.into() });
        self
    }

    /// So many tasks still run in the background.
    pub(crate) fn still_running(mut self, background: usize) -> Self {
        self.background = background;
        self
    }

    /// What the work tree's own diff says that the session changed.
    pub(crate) fn changing(mut self, diff: &str) -> Self {
        self.changed = Change::read(diff).ok();
        self
    }

    /// The tree shows that this file was written at this time of day, such as `14:02`.
    pub(crate) fn touched(mut self, path: &str, time: &str) -> Self {
        let at = Timestamp::try_from(format!("2026-03-04T{time}:00Z"));
        self.touched.extend(at.ok().map(|at| Touched { path: path.into(), at }));
        self
    }

    /// The session.
    pub(crate) fn session(&self) -> Session {
        Session::fold(&self.events)
    }

    /// Asks a question about the situation at the end.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&Situation<'_>) -> T) -> T {
        let session = self.session();
        question(&Situation {
            session: &session,
            instructions: &self.instructions,
            background: self.background,
            broken: &[],
            changed: self.changed.as_ref(),
            touched: &self.touched,
        })
    }

    /// Everything that the detectors find.
    pub(crate) fn evidence(&self) -> Vec<Evidence> {
        self.ask(gather)
    }

    /// What they find of these kinds.
    pub(crate) fn found(&self, kinds: &[Kind]) -> Vec<Evidence> {
        self.evidence().into_iter().filter(|evidence| kinds.contains(&evidence.kind)).collect()
    }

    /// The texts of what they find of a kind.
    pub(crate) fn texts(&self, kind: Kind) -> Vec<String> {
        self.found(&[kind]).into_iter().map(|evidence| evidence.text).collect()
    }
}

/// Asserts, for a table of named tales, whether each holds evidence of `kind`.
pub(crate) fn assert_finds(
    kind: Kind,
    expected: bool,
    tales: impl IntoIterator<Item = (&'static str, Tale)>,
) {
    for (name, tale) in tales {
        let texts = tale.texts(kind);
        assert_eq!(!texts.is_empty(), expected, "{name}: {texts:?}");
    }
}
