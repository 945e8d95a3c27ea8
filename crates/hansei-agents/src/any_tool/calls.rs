//! The calls of a session whose agent is not known, as events: batches are taken apart, results out of their wrappings,
//! and what was left running is followed to the call that fetches its output.

use std::collections::BTreeMap;

use hansei_core::check::{names_check, sums_up};
use hansei_core::session::{Action, AnswerEnd, What};
use serde_json::Value;

use super::action;
use super::batch::{batch, results};
use super::given::{Given, joined};
use super::name::{Class, Name};
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
    /// Open calls of tools that nobody knows, and what they were given.
    unknown: BTreeMap<String, (String, Value)>,
    /// The folder in which the first command ran: another one is told with the command.
    base: Option<String>,
    /// What was typed into a terminal that has not come back to its prompt.
    typed: Option<Typed>,
    /// Tools of whose results each ended in a mark and a number, or did not.
    marks: BTreeMap<String, bool>,
    /// The tools of open calls that run or look.
    tools: BTreeMap<String, String>,
}

/// A command line that was typed into a terminal.
#[derive(Debug)]
struct Typed {
    call: String,
    prompt: String,
    output: String,
}

impl Calls {
    /// The events of a call.
    pub(crate) fn called(&mut self, call: &str, tool: String, input: Value) -> Vec<What> {
        if let Some(calls) = batch(&input) {
            self.batches.insert(call.to_owned(), calls.len());
            let calls = calls.into_iter().enumerate();
            return calls.flat_map(|(at, (tool, input))| self.called(&part(call, at), tool, input)).collect();
        }
        let mut action = action(&tool, &input);
        if let Action::Run { command, .. } = &mut action
            && let Some(folder) = Given(&input).folder()
            && self.base.get_or_insert_with(|| folder.to_owned()) != folder
        {
            let folder = if folder.contains([' ', '\\']) { format!("'{folder}'") } else { folder.to_owned() };
            *command = format!("cd {folder} && {command}");
        }
        self.noted(call, tool, input, action)
    }

    /// The event of a call of which is known what it does.
    pub(crate) fn noted(&mut self, call: &str, tool: String, input: Value, action: Action) -> Vec<What> {
        if !matches!(action, Action::Run { .. })
            && let Some(process) = self.process_in(&input)
        {
            self.polls.insert(call.to_owned(), process);
        }
        match &action {
            Action::Other => drop(self.unknown.insert(call.to_owned(), (tool.clone(), input.clone()))),
            Action::Run { .. } | Action::Look => drop(self.tools.insert(call.to_owned(), tool.clone())),
            _ => {}
        }
        self.actions.insert(call.to_owned(), action.clone());
        vec![What::Called { call: call.to_owned(), tool, input, action }]
    }

    /// Whether an open call hands work to another agent.
    pub(crate) fn delegates(&self, call: &str) -> bool {
        matches!(self.actions.get(call), Some(Action::Delegate { .. }))
    }

    /// The code in a last line of a mark and a number, `#0`, where each result of the tool so far ended in such a line.
    fn marked(&mut self, tool: String, output: &str) -> Option<i32> {
        let last = output.trim_end().lines().next_back().unwrap_or_default().trim();
        let digits = last.trim_matches(|c: char| c.is_ascii_punctuation());
        let code =
            digits.parse::<i32>().ok().filter(|code| last.len() > digits.len() && (0..256).contains(code));
        let always = self.marks.entry(tool).or_insert(true);
        *always &= code.is_some();
        code.filter(|_| *always)
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
        let tool = self.tools.remove(call);
        let looks_on = || tool.as_deref().is_some_and(|tool| Name::read(tool).has(&[Class::Shell]));
        let in_terminal = self.typed.is_some() && action == Some(Action::Look) && looks_on();
        let polled = self.polls.remove(call);
        let left = matches!(action, Some(Action::Run { background: true, .. }));
        let read = matches!(action, Some(Action::Run { .. } | Action::Other) | None)
            || polled.is_some()
            || in_terminal;
        let Printed { output, exit_code: stated, end: said, process, program } =
            if read { tool_result::printed(&output) } else { Printed { output, ..Printed::default() } };
        let stated = stated
            .or_else(|| self.marked(tool.filter(|_| matches!(action, Some(Action::Run { .. })))?, &output));
        if in_terminal && let Some(typed) = &mut self.typed {
            let (more, over) = back_at(&typed.prompt, &output);
            typed.output = format!("{}\n{more}", typed.output);
            let mut answers = vec![answer(call, output, AnswerEnd::Done, None)];
            if let Some(typed) = self.typed.take_if(|_| over) {
                answers.insert(0, answer(&typed.call, typed.output, AnswerEnd::Done, stated));
            }
            return answers;
        }
        let ran = self.unknown.remove(call).filter(|_| said != Some(AnswerEnd::Background));
        if let Some((tool, input)) = ran
            && let Some(command) =
                ran_itself(&tool, &input, program.as_deref(), exit_code.or(stated), &output)
        {
            let crashed = tool_result::crashed(&output);
            let exit_code = exit_code.or(stated).or_else(|| (crashed || is_error).then_some(1));
            let end = tool_result::end(exit_code, said, is_error);
            let action = Action::Run { command, background: false };
            return vec![
                What::Called { call: call.to_owned(), tool, input, action },
                answer(call, output, end, exit_code),
            ];
        }
        self.typed = self.typed.take_if(|_| !matches!(action, Some(Action::Run { .. })));
        if let Some(Action::Run { command, .. }) = &action
            && let Some((prompt, output)) = echoed(command, &output)
        {
            let (output, over) = back_at(&prompt, &output);
            if over || exit_code.is_some() {
                return vec![answer(call, output, AnswerEnd::Done, exit_code.or(stated))];
            }
            self.typed = Some(Typed { call: call.to_owned(), prompt, output: output.clone() });
            return vec![answer(call, output, AnswerEnd::Background, None)];
        }
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

fn answer(call: &str, output: String, end: AnswerEnd, exit_code: Option<i32>) -> What {
    What::Answered { call: call.to_owned(), output, end, exit_code }
}

/// What a tool ran that is a program of its own, such as the runner of an editor or a session of a language, as a command line
/// of its name and of what it was given: where its result states a code, holds a runner's summary or ends in an error.
fn ran_itself(
    tool: &str,
    input: &Value,
    program: Option<&str>,
    exit_code: Option<i32>,
    output: &str,
) -> Option<String> {
    let name = Name::read(tool);
    let runs = name.has(&[Class::Run, Class::Code]) || name.says(Class::Checks);
    if !runs && (name.has(&[Class::Look, Class::Edit, Class::Ask]) || name.says(Class::Elsewhere)) {
        return None;
    }
    let words = Given(input).all_words();
    let program = program.unwrap_or(tool);
    let words: Vec<&str> = std::iter::once(program).chain(words.iter().map(String::as_str)).collect();
    let command = joined(&words);
    let told = || sums_up(output, runs) || runs && (tool_result::crashed(output) || names_check(&command));
    (exit_code.is_some() || told()).then_some(command)
}

/// What a terminal shows of a line that was typed into it: its prompt, and the output without the line itself.
fn echoed(command: &str, output: &str) -> Option<(String, String)> {
    let mut typed = command.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = typed.next()?;
    let prompt = output.lines().next()?.trim_end().strip_suffix(first)?;
    if prompt.len() > 80 || !prompt.trim_end().ends_with(['$', '%', '>', '#', '❯', '»', 'λ']) {
        return None;
    }
    let rest: Vec<&str> = output.lines().skip(1).collect();
    // A document is echoed line by line behind a prompt of its own.
    let own = rest
        .iter()
        .take_while(|line| line.strip_prefix('>').is_some_and(|line| command.contains(line.trim())))
        .count();
    Some((prompt.trim_end().to_owned(), rest[own..].join("\n")))
}

/// The output without the prompt at its end, and whether there was one.
fn back_at(prompt: &str, output: &str) -> (String, bool) {
    let text = output.trim_end();
    match text.strip_suffix(prompt.trim_end()) {
        Some(before) if before.is_empty() || before.ends_with('\n') => (before.to_owned(), true),
        _ => (output.to_owned(), false),
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

    #[test]
    fn what_is_typed_ends_at_the_prompt() {
        let mut calls = Calls::default();
        calls.called("0", "tty_send".into(), json!({ "keys": "cargo test\n" }));
        calls.called("1", "tty_wait".into(), json!({ "max_s": 60 }));
        let first = calls.answered("0", "~/a $ cargo test\nCompiling\n".into(), None, false);
        assert_eq!(told(&first), ["0 Background None Compiling"]);
        let later = calls.answered("1", "2 passed\n~/a $ ".into(), None, false);
        assert_eq!(told(&later)[0], "0 Done None Compiling\n2 passed\n");
        calls.called("2", "tty_send".into(), json!({ "keys": "ls\n" }));
        assert_eq!(
            told(&calls.answered("2", "~/a $ ls\nx\n~/a $ ".into(), None, false)),
            ["2 Done None x\n"]
        );
    }

    #[test]
    fn a_tool_of_its_own_is_a_run_by_its_result() {
        for (tool, input, output, expected) in [
            ("ide.run", json!({ "name": "All Tests" }), "x", Some(("ide.run 'All Tests'", None))),
            (
                "buf",
                json!({ "sub": "breaking" }),
                r#"{"exit":100,"text":"x"}"#,
                Some(("buf breaking", Some(100))),
            ),
            (
                "runner.invoke",
                json!({ "verb": "build" }),
                r#"{"tool":"bazel","code":0,"log":"x"}"#,
                Some(("bazel build", Some(0))),
            ),
            (
                "nb.run_cell",
                json!({ "index": 7 }),
                "Traceback (most recent call last)\nKeyError: 'a'",
                Some(("nb.run_cell 7", Some(1))),
            ),
            ("kettle", json!({ "x": "y" }), "==== 3 passed in 0.1s ====", Some(("kettle y", None))),
            ("nb.run_cell", json!({ "index": 7 }), "KeyError: 'a' was caught\n12", None),
            ("kettle", json!({ "x": "y" }), "we passed", None),
            ("mcp__github__get_job_logs", json!({ "job": 7 }), "==== 3 passed in 0.1s ====", None),
        ] {
            let mut calls = Calls::default();
            calls.called("0", tool.into(), input);
            let answers = calls.answered("0", output.into(), None, false);
            let run = answers.iter().find_map(|what| match what {
                What::Called { action: Action::Run { command, .. }, .. } => Some(command.as_str()),
                _ => None,
            });
            let code = answers.iter().find_map(|what| match what {
                What::Answered { exit_code, .. } => Some(*exit_code),
                _ => None,
            });
            assert_eq!(run.map(|run| (run, code.flatten())), expected, "{tool} {output}");
        }
    }

    #[test]
    fn another_folder_is_told_with_the_command() {
        let mut calls = Calls::default();
        let mut command = |id: &str, folder: &str| match calls
            .called(id, "exec".into(), json!({ "cmd": "a", "cwd": folder }))
            .pop()
        {
            Some(What::Called { action: Action::Run { command, .. }, .. }) => command,
            _ => String::new(),
        };
        assert_eq!(
            [command("0", "/w"), command("1", "/w"), command("2", "/w/b")],
            ["a", "a", "cd /w/b && a"]
        );
    }
}
