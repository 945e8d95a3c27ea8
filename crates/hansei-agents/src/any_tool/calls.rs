//! The calls of a session whose agent is not known, as events: batches are taken apart, results out of their wrappings,
//! and what was left running is followed to the call that fetches its output.

use std::collections::BTreeMap;

use hansei_core::session::{Action, AnswerEnd, What};
use serde_json::Value;

use super::action;
use super::batch::{batch, results};
use crate::tool_result::{self, Printed};

/// What is known of the calls so far.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// What each open call does.
    actions: BTreeMap<String, Action>,
    /// How many calls each open batch is.
    batches: BTreeMap<String, usize>,
    /// The call of each process that still runs, by what its result called it.
    running: BTreeMap<String, String>,
    /// Open calls that look after such a process, and the name of it.
    polls: BTreeMap<String, String>,
}

impl Calls {
    /// The events of a call.
    pub(crate) fn called(&mut self, call: &str, tool: String, input: Value) -> Vec<What> {
        if let Some(calls) = batch(&input) {
            self.batches.insert(call.to_owned(), calls.len());
            let calls = calls.into_iter().enumerate();
            return calls.flat_map(|(at, (tool, input))| self.called(&part(call, at), tool, input)).collect();
        }
        let action = action(&tool, &input);
        self.noted(call, tool, input, action)
    }

    /// The event of a call of which is known what it does.
    pub(crate) fn noted(&mut self, call: &str, tool: String, input: Value, action: Action) -> Vec<What> {
        if !matches!(action, Action::Run { .. })
            && let Some(process) = self.process_in(&input)
        {
            self.polls.insert(call.to_owned(), process);
        }
        self.actions.insert(call.to_owned(), action.clone());
        vec![What::Called { call: call.to_owned(), tool, input, action }]
    }

    /// Whether an open call hands work to another agent.
    pub(crate) fn delegates(&self, call: &str) -> bool {
        matches!(self.actions.get(call), Some(Action::Delegate { .. }))
    }

    /// The running process that an input names.
    fn process_in(&self, input: &Value) -> Option<String> {
        let named = input.as_object()?.values().filter_map(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        named.into_iter().find(|name| self.running.contains_key(name))
    }

    /// The events of an answer. The exit code is what its source says beside it.
    pub(crate) fn answered(
        &mut self,
        call: &str,
        output: String,
        exit_code: Option<i32>,
        is_error: bool,
    ) -> Vec<What> {
        if let Some(calls) = self.batches.remove(call) {
            // Where they cannot be told from each other, each may find its own in all of it.
            let own = results(&output, calls).unwrap_or_else(|| vec![output; calls]);
            let own = own.into_iter().enumerate();
            return own
                .flat_map(|(at, output)| self.answered(&part(call, at), output, None, is_error))
                .collect();
        }
        let action = self.actions.remove(call);
        let polled = self.polls.remove(call);
        let left = matches!(action, Some(Action::Run { background: true, .. }));
        let read = matches!(action, Some(Action::Run { .. } | Action::Other) | None) || polled.is_some();
        let Printed { output, exit_code: stated, end: said, process } =
            if read { tool_result::printed(&output) } else { Printed { output, ..Printed::default() } };
        // A code that somebody added to a command that goes on is none of its own.
        let exit_code = exit_code.filter(|code| *code != 0 || said != Some(AnswerEnd::Background)).or(stated);
        let edits = matches!(action, Some(Action::Edit { .. }));
        let refused = is_error || edits && tool_result::refuses(&output);
        let mut end = tool_result::end(exit_code, said, refused);
        let over = exit_code.is_some() || said.is_some_and(|said| said != AnswerEnd::Background);
        if let Some(first) = polled.filter(|_| over).and_then(|process| self.running.remove(&process)) {
            let later = What::Answered { call: first, output: output.clone(), end, exit_code };
            return vec![
                later,
                What::Answered { call: call.to_owned(), output, end: AnswerEnd::Done, exit_code: None },
            ];
        }
        if left && end == AnswerEnd::Done && exit_code.is_none() {
            end = AnswerEnd::Background;
        }
        if let (AnswerEnd::Background, Some(process)) = (end, process) {
            self.running.entry(process).or_insert_with(|| call.to_owned());
        }
        vec![What::Answered { call: call.to_owned(), output, end, exit_code }]
    }
}

fn part(call: &str, at: usize) -> String {
    format!("{call}#{at}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What is told of the answers, each as its call, its end and its exit code.
    fn told(answers: &[What]) -> Vec<String> {
        let told = |what: &What| match what {
            What::Answered { call, end, exit_code, output } => {
                Some(format!("{call} {end:?} {exit_code:?} {output}"))
            }
            _ => None,
        };
        answers.iter().filter_map(told).collect()
    }

    #[test]
    fn a_batch_is_its_calls() {
        let mut calls = Calls::default();
        let uses = json!([
            { "recipient_name": "functions.shell", "parameters": { "command": "a" } },
            { "recipient_name": "functions.read_file", "parameters": { "path": "b" } },
        ]);
        let called = calls.called("1", "multi_tool_use.parallel".into(), json!({ "tool_uses": uses }));
        let does: Vec<&Action> = called
            .iter()
            .filter_map(|what| if let What::Called { action, .. } = what { Some(action) } else { None })
            .collect();
        assert_eq!(does, [&Action::Run { command: "a".into(), background: false }, &Action::Look]);
        let answered = calls.answered("1", r#"[{"exit_code":1,"output":"x"},"y"]"#.into(), None, false);
        assert_eq!(told(&answered), ["1#0 Failed Some(1) x", "1#1 Done None y"]);
    }

    #[test]
    fn what_is_left_running_is_followed() {
        let poll = |session: i32| json!({ "session_id": session, "chars": "" });
        for (name, first, poll, answer, expected) in [
            (
                "ends",
                "Process running with session ID 7",
                poll(7),
                "Process exited with code 1",
                "0 Failed Some(1) Process exited with code 1",
            ),
            (
                "runs on",
                "Process running with session ID 7",
                poll(7),
                "Process running with session ID 7",
                "p Background None Process running with session ID 7",
            ),
            (
                "another",
                "Process running with session ID 7",
                poll(8),
                "Process exited with code 1",
                "p Failed Some(1) Process exited with code 1",
            ),
            (
                "was over",
                "Process exited with code 0",
                poll(7),
                "Process exited with code 1",
                "p Failed Some(1) Process exited with code 1",
            ),
        ] {
            let mut calls = Calls::default();
            calls.called("0", "exec_command".into(), json!({ "cmd": "cargo test" }));
            calls.answered("0", first.into(), None, false);
            calls.called("p", "write_stdin".into(), poll);
            assert_eq!(told(&calls.answered("p", answer.into(), None, false))[0], expected, "{name}");
        }
        let mut calls = Calls::default();
        let input = json!({ "command": "npm run dev", "run_in_background": true });
        calls.called("0", "Bash".into(), input);
        assert_eq!(told(&calls.answered("0", "started".into(), None, false)), ["0 Background None started"]);
        calls.called("1", "Bash".into(), json!({ "command": "tail -f log" }));
        assert_eq!(told(&calls.answered("1", "ready".into(), None, false)), ["1 Done None ready"]);
    }
}
