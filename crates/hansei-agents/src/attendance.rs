//! Whether a human sits where an agent runs, whether it was started only to plan, and whether a program was started by an
//! agent.

use hansei_core::session::{Action, AnswerEnd, Call, Session};

use crate::{ADAPTERS, Adapter};

/// A variable by its name.
pub type Variable<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// What an agent shows of whether a human is there, and of what it was started for.
#[derive(Debug)]
pub struct Attendance {
    /// By the variables that it gives its hooks.
    pub variables: fn(&Variable<'_>) -> Option<bool>,
    /// Arguments that mean that nobody is there.
    pub headless: &'static [&'static str],
    /// An argument and its value that mean that it may only plan, where nothing that we read says so.
    pub planning: Option<(&'static str, &'static str)>,
    /// Variables that it gives to the commands that it runs.
    pub marks: &'static [&'static str],
}

impl Attendance {
    /// An agent whose transcript says it, or nothing does.
    pub const UNSAID: Self = Self { variables: |_| None, headless: &[], planning: None, marks: &[] };
}

/// Whether one of these command lines is `adapter`'s program, started for nobody to watch.
pub fn is_headless(adapter: &Adapter, lines: &[Vec<String>]) -> bool {
    own_line(adapter, lines)
        .is_some_and(|line| line.iter().any(|word| adapter.attendance.headless.contains(&word.as_str())))
}

/// Whether one of these command lines is `adapter`'s program, started only to plan, and its plan was not accepted since.
/// Who turns to planning at the keyboard of an agent that tells nobody is not seen.
pub fn is_planning(adapter: &Adapter, lines: &[Vec<String>], session: &Session) -> bool {
    let Some((option, value)) = adapter.attendance.planning else { return false };
    let started = own_line(adapter, lines).is_some_and(|line| {
        line.windows(2).any(|pair| pair[0] == option && pair[1] == value)
            || line.iter().any(|word| word.split_once('=') == Some((option, value)))
    });
    let accepted = |call: &Call| {
        matches!(call.action, Action::Plan) && call.end.as_ref().is_some_and(|end| end.end == AnswerEnd::Done)
    };
    started && !session.calls.iter().any(accepted)
}

fn own_line<'l>(adapter: &Adapter, lines: &'l [Vec<String>]) -> Option<&'l Vec<String>> {
    lines.iter().find(|line| program_of(line) == Some(adapter.name))
}

/// The agent that this process was started by, and how that is seen: by a variable that an agent gives its commands, or
/// by a program above it.
pub fn started_by(variable: &Variable<'_>, lines: &[Vec<String>]) -> Option<String> {
    let marks = ADAPTERS.iter().flat_map(|adapter| adapter.attendance.marks);
    let mark = marks.copied().find(|mark| variable(mark).is_some()).map(ToOwned::to_owned);
    mark.or_else(|| {
        lines.iter().find_map(|line| program_of(line)).map(|agent| format!("a process of {agent}"))
    })
}

/// The agent whose program a command line starts.
fn program_of(line: &[String]) -> Option<&'static str> {
    let base = |word: &String| word.rsplit('/').next().unwrap_or_default().to_owned();
    let first = base(line.first()?);
    // A script stands behind the program that runs it.
    let script = matches!(first.as_str(), "node" | "bun" | "node.exe")
        .then(|| line.iter().skip(1).find(|word| !word.starts_with('-')).map(base).unwrap_or_default());
    let name = script.unwrap_or(first);
    let name = name.strip_suffix(".js").unwrap_or(&name);
    ADAPTERS.iter().find(|adapter| adapter.setup.program == name).map(|adapter| adapter.name)
}

#[cfg(test)]
mod tests {
    use hansei_core::session::{HumanVia, SessionEvent, What};
    use serde_json::Value;

    use super::*;

    fn line(text: &str) -> Vec<String> {
        text.split(' ').map(ToOwned::to_owned).collect()
    }

    #[test]
    fn agents_are_recognised_by_variables_and_by_programs() {
        let set =
            |names: &'static [&'static str]| move |name: &str| names.contains(&name).then(|| "1".to_owned());
        for (variables, lines, expected) in [
            (&[][..], vec!["bash", "sshd: me"], None),
            (&["CODEX_HOME"], vec!["zsh -l"], None),
            (&["CLAUDECODE"], vec!["bash"], Some("CLAUDECODE")),
            (&["GEMINI_CLI"], vec!["bash"], Some("GEMINI_CLI")),
            (&["OPENCODE"], vec![], Some("OPENCODE")),
            (&[], vec!["bash -c x", "/opt/bin/claude --resume"], Some("a process of claude-code")),
            (&[], vec!["node --no-warnings /usr/bin/gemini -p x"], Some("a process of gemini")),
            (&[], vec!["node /x/@google/gemini-cli/bundle/gemini.js"], Some("a process of gemini")),
            (&[], vec!["vim codex"], None),
        ] {
            let lines: Vec<Vec<String>> = lines.into_iter().map(line).collect();
            assert_eq!(started_by(&set(variables), &lines).as_deref(), expected, "{variables:?} {lines:?}");
        }
    }

    #[test]
    fn nobody_watches_a_headless_gemini() {
        let Some(gemini) = crate::adapter_named("gemini") else { panic!("there is one") };
        assert!(is_headless(gemini, &[line("sh -c x"), line("node /usr/bin/gemini -p do-it")]));
        assert!(!is_headless(gemini, &[line("node /usr/bin/gemini"), line("grep -p x")]));
    }

    #[test]
    fn a_gemini_that_was_started_to_plan_plans_until_its_plan_is_accepted() {
        let Some(gemini) = crate::adapter_named("gemini") else { panic!("there is one") };
        let plans = |text: &str, events: &[What]| {
            let mut session = Session::default();
            for what in events {
                session.apply(&SessionEvent { at: None, id: None, what: what.clone() });
            }
            is_planning(gemini, &[line("sh -c x"), line(text)], &session)
        };
        let said = What::HumanSaid { text: "plan it".into(), via: HumanVia::Prompt };
        let presents = What::Called {
            call: "1".into(),
            tool: "exit_plan_mode".into(),
            input: Value::Null,
            action: Action::Plan,
        };
        let answer = |end| What::Answered { call: "1".into(), output: String::new(), end, exit_code: None };
        for (text, events, expected) in [
            ("node /usr/bin/gemini --approval-mode plan -p x", vec![], true),
            ("node /usr/bin/gemini --approval-mode=plan", vec![], true),
            ("node /usr/bin/gemini --approval-mode yolo plan", vec![], false),
            ("node /usr/bin/gemini -p plan", vec![], false),
            ("grep --approval-mode plan", vec![], false),
            ("node /usr/bin/gemini --approval-mode plan", vec![answer(AnswerEnd::Failed)], true),
            ("node /usr/bin/gemini --approval-mode plan", vec![answer(AnswerEnd::Done)], false),
        ] {
            let events = [vec![said.clone(), presents.clone()], events].concat();
            assert_eq!(plans(text, &events), expected, "{text} {events:?}");
        }
    }
}
