//! Which answer a request gets: rules first, then asides, then the step that is due.
//!
//! The step follows from the request alone (how many turns the assistant has had), so agents may retry, resume and ask
//! side questions in any order. Only errors that are to pass are counted.

use std::collections::HashMap;

use crate::request::Asked;
use crate::script::{AfterLast, Block, Ends, ErrorAnswer, Rule, Says, Script, Step, Usage, When};
use crate::tool::{self, Call, NotOffered};

/// What is said when the script leaves nothing to say.
const NOTHING_LEFT: &str = "Done.";

/// What answered a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The rule of this number, from 1.
    Rule(usize),
    /// The step of this number, from 1.
    Step(usize),
    /// The script is at its end.
    AfterLast,
    /// The answer to requests without tools.
    Aside,
}

impl std::fmt::Display for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule(number) => write!(formatter, "rule {number}"),
            Self::Step(number) => write!(formatter, "step {number}"),
            Self::AfterLast => write!(formatter, "after last"),
            Self::Aside => write!(formatter, "aside"),
        }
    }
}

/// What a request gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Where it comes from.
    pub source: Source,
    /// How long the model thinks.
    pub delay_ms: u64,
    /// What it says.
    pub spoken: Spoken,
}

/// What is said, with tools as the agent names them.
#[derive(Debug, Clone, PartialEq)]
pub enum Spoken {
    /// A turn of the assistant.
    Turn {
        /// What the turn consists of.
        parts: Vec<Part>,
        /// The tokens it claims to have cost.
        usage: Usage,
        /// How it ends.
        ends: Ends,
    },
    /// An error.
    Error(ErrorAnswer),
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A thought.
    Thinking(String),
    /// A text.
    Text(String),
    /// A call of a tool.
    Call(Call),
}

/// How often each error was given.
#[derive(Debug, Default)]
pub struct ErrorsGiven(HashMap<Source, u32>);

impl ErrorsGiven {
    fn is_spent(&self, source: Source, times: Option<u32>) -> bool {
        times.is_some_and(|times| self.0.get(&source).copied().unwrap_or_default() >= times)
    }

    /// Counts the answer if it is an error.
    pub fn count(&mut self, answer: &Answer) {
        if matches!(answer.spoken, Spoken::Error(_)) {
            *self.0.entry(answer.source).or_default() += 1;
        }
    }
}

/// Decides what `asked` gets; `body` is the request as it came.
pub fn decide(script: &Script, asked: &Asked, body: &str, given: &ErrorsGiven) -> Result<Answer, NotOffered> {
    let (source, step) = choose(script, asked, body, given);
    let spoken = match step.says {
        Says::Error(error) => Spoken::Error(error),
        Says::Turn { content, usage, ends } => Spoken::Turn { parts: parts(content, asked)?, usage, ends },
    };
    Ok(Answer { source, delay_ms: step.delay_ms, spoken })
}

fn choose(script: &Script, asked: &Asked, body: &str, given: &ErrorsGiven) -> (Source, Step) {
    for (rule, number) in script.rules.iter().zip(1..) {
        let source = Source::Rule(number);
        if matches(&rule.when, asked, body) && !is_spent_rule(rule, source, given) {
            return (source, rule.step.clone());
        }
    }
    if let Some(aside) = script.aside.as_ref().filter(|_| asked.tools.is_empty()) {
        return (Source::Aside, saying(aside));
    }
    let mut turns_to_pass = asked.turn;
    for (step, number) in script.steps.iter().zip(1..) {
        let source = Source::Step(number);
        match &step.says {
            // A turn that already happened.
            Says::Turn { .. } if turns_to_pass > 0 => turns_to_pass -= 1,
            Says::Turn { .. } => return (source, step.clone()),
            Says::Error(error) => {
                let is_last = number == script.steps.len();
                let times = if is_last { error.times } else { error.times.or(Some(1)) };
                if turns_to_pass == 0 && !given.is_spent(source, times) {
                    return (source, step.clone());
                }
            }
        }
    }
    (Source::AfterLast, after_last(script))
}

fn is_spent_rule(rule: &Rule, source: Source, given: &ErrorsGiven) -> bool {
    matches!(&rule.step.says, Says::Error(error) if given.is_spent(source, error.times))
}

fn after_last(script: &Script) -> Step {
    let Some(last) = script.steps.last() else {
        return saying(NOTHING_LEFT);
    };
    match (&last.says, script.after_last) {
        (Says::Turn { .. }, AfterLast::Repeat) => last.clone(),
        (Says::Turn { content, usage, .. }, AfterLast::Text) => {
            let content = content.iter().filter(|block| matches!(block, Block::Text(_))).cloned().collect();
            Step { delay_ms: 0, says: Says::Turn { content, usage: *usage, ends: Ends::default() } }
        }
        (Says::Error(error), _) if error.times.is_none() => last.clone(),
        (Says::Error(_), _) => saying(NOTHING_LEFT),
    }
}

fn saying(text: &str) -> Step {
    let content = vec![Block::Text(text.to_owned())];
    Step { delay_ms: 0, says: Says::Turn { content, usage: Usage::default(), ends: Ends::default() } }
}

fn matches(when: &When, asked: &Asked, body: &str) -> bool {
    let holds = |wanted: &Option<String>, text: &str| wanted.as_ref().is_none_or(|part| text.contains(part));
    holds(&when.last_user, &asked.last_user)
        && holds(&when.tool_result, &asked.tool_results)
        && holds(&when.system, &asked.system)
        && holds(&when.body, body)
        && when.no_tools.is_none_or(|wanted| wanted == asked.tools.is_empty())
        && when.turn.is_none_or(|turn| turn == asked.turn)
}

/// The content with calls translated. A request without tools cannot be answered with a call, so calls are left out.
fn parts(content: Vec<Block>, asked: &Asked) -> Result<Vec<Part>, NotOffered> {
    let mut parts = Vec::new();
    for block in content {
        match block {
            Block::Thinking(thought) => parts.push(Part::Thinking(thought)),
            Block::Text(text) => parts.push(Part::Text(text)),
            Block::Tool(_) if asked.tools.is_empty() => {}
            Block::Tool(call) => parts.push(Part::Call(tool::translate(&call, &asked.tools)?)),
        }
    }
    if parts.iter().all(|part| matches!(part, Part::Thinking(_))) {
        parts.push(Part::Text(NOTHING_LEFT.to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{OfferedTool, Takes};
    use serde_json::json;

    const SCRIPT: &str = "
aside: A title
steps:
  - text: one
    tool: { name: Own }
  - error: { status: 529, times: 2 }
  - text: two
  - text: three
    tool: { name: Own }
rules:
  - when: { last_user: feedback }
    text: by feedback
  - when: { system: sub, turn: 1 }
    text: by system and turn
  - when: { body: compact, no_tools: true }
    text: by body
  - when: { tool_result: fail }
    error: { status: 500, times: 1 }
";

    fn asked(turn: usize) -> Asked {
        let tool = OfferedTool { name: "Own".to_owned(), namespace: None, takes: Takes::Object(json!({})) };
        Asked { turn, tools: vec![tool], ..Asked::default() }
    }

    fn check(script: &Script, asked: &Asked, body: &str, given: &mut ErrorsGiven) -> String {
        let answer = decide(script, asked, body, given).unwrap();
        given.count(&answer);
        let said = match answer.spoken {
            Spoken::Error(error) => error.status.to_string(),
            Spoken::Turn { parts, .. } => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) | Part::Thinking(text) => text.clone(),
                    Part::Call(call) => format!("{}()", call.name),
                })
                .collect::<Vec<_>>()
                .join(" "),
        };
        format!("{}: {said}", answer.source)
    }

    #[test]
    fn the_step_is_the_number_of_turns_and_errors_pass() {
        let script: Script = SCRIPT.parse().unwrap();
        let mut given = ErrorsGiven::default();
        let mut at = |turn| check(&script, &asked(turn), "", &mut given);
        assert_eq!(at(0), "step 1: one Own()");
        assert_eq!(at(0), "step 1: one Own()", "a retry gets the same");
        assert_eq!([at(1), at(1), at(1)], ["step 2: 529", "step 2: 529", "step 3: two"]);
        assert_eq!(at(2), "step 4: three Own()");
        assert_eq!(at(3), "after last: three", "without its tools");
        assert_eq!(at(9), "after last: three");
    }

    #[test]
    fn what_follows_the_last_step() {
        let table = [
            ("steps: [{ text: a, tool: { name: Own } }]\nafter_last: repeat", "after last: a Own()"),
            ("steps: [{ text: a }, { error: { status: 500 } }]", "step 2: 500"),
            ("steps: [{ text: a }, { error: { status: 500, times: 0 } }]", "after last: Done."),
            ("steps: [{ tool: { name: Own } }]", "after last: Done."),
            ("rules: [{ when: { turn: 0 }, text: a }]", "after last: Done."),
        ];
        for (script, expected) in table {
            let script: Script = script.parse().unwrap();
            assert_eq!(check(&script, &asked(1), "", &mut ErrorsGiven::default()), expected);
        }
    }

    #[test]
    fn rules_go_first_and_asides_answer_requests_without_tools() {
        let script: Script = SCRIPT.parse().unwrap();
        let mut given = ErrorsGiven::default();
        let with = |change: fn(&mut Asked)| {
            let mut asked = asked(1);
            change(&mut asked);
            asked
        };
        let feedback = with(|asked| "Stop hook feedback: no".clone_into(&mut asked.last_user));
        assert_eq!(check(&script, &feedback, "", &mut given), "rule 1: by feedback");
        let sub = with(|asked| "a sub-agent".clone_into(&mut asked.system));
        assert_eq!(check(&script, &sub, "", &mut given), "rule 2: by system and turn");
        let side = with(|asked| asked.tools.clear());
        assert_eq!(check(&script, &side, "", &mut given), "aside: A title");
        assert_eq!(check(&script, &side, "compact this", &mut given), "rule 3: by body");
        let failed = with(|asked| "1 failed".clone_into(&mut asked.tool_results));
        assert_eq!(check(&script, &failed, "", &mut given), "rule 4: 500");
        assert_eq!(check(&script, &failed, "", &mut given), "step 2: 529", "a spent rule no longer matches");
    }

    #[test]
    fn without_an_aside_steps_answer_requests_without_tools_but_call_nothing() {
        let script: Script = "steps: [{ text: a, tool: { name: shell } }]".parse().unwrap();
        assert_eq!(check(&script, &Asked::default(), "", &mut ErrorsGiven::default()), "step 1: a");
    }
}
