//! The script as a person writes it in YAML, and what is wrong with it.

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::{
    AfterLast, Block, Break, Ends, ErrorAnswer, Rule, Says, Script, ScriptError, Step, Stop, ToolCall, Usage,
    When,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    model: Option<String>,
    aside: Option<String>,
    #[serde(default)]
    steps: Vec<Spanned<WrittenStep>>,
    #[serde(default)]
    rules: Vec<Spanned<WrittenStep>>,
    #[serde(default)]
    after_last: AfterLast,
}

/// A step or a rule as written. One type for both, because serde cannot name unknown keys across flattened ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    when: Option<When>,
    #[serde(default)]
    delay_ms: u64,
    thinking: Option<String>,
    text: Option<String>,
    tool: Option<ToolCall>,
    #[serde(default)]
    tools: Vec<ToolCall>,
    #[serde(default)]
    content: Vec<Block>,
    usage: Option<Usage>,
    stop: Option<Stop>,
    cut_after: Option<usize>,
    stall_after: Option<usize>,
    error: Option<ErrorAnswer>,
}

impl WrittenStep {
    fn has_an_end(&self) -> bool {
        self.stop.is_some() || self.cut_after.is_some() || self.stall_after.is_some()
    }

    fn ends(&self) -> Ends {
        let breaks = self.cut_after.map(Break::Cut).or(self.stall_after.map(Break::Stall));
        Ends { stop: self.stop.unwrap_or_default(), breaks }
    }
}

impl std::str::FromStr for Script {
    type Err = ScriptError;

    fn from_str(yaml: &str) -> Result<Self, ScriptError> {
        let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
        let written: Written = serde_saphyr::from_str_with_options(yaml, options).map_err(|error| {
            let line = error.location().map_or(0, |location| location.line());
            let text = error.to_string();
            // The place is said once, in front.
            let message = text.split_once(" at line ").map_or(text.as_str(), |(message, _)| message);
            ScriptError { line, message: message.to_owned() }
        })?;
        let steps = written.steps.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
        let rules = written.rules.into_iter().map(rule).collect::<Result<Vec<_>, _>>()?;
        if steps.is_empty() && rules.is_empty() {
            return Err(ScriptError { line: 1, message: "there are no `steps` and no `rules`".to_owned() });
        }
        Ok(Self { model: written.model, aside: written.aside, steps, rules, after_last: written.after_last })
    }
}

fn step(written: Spanned<WrittenStep>) -> Result<Step, ScriptError> {
    if written.value.when.is_some() {
        return Err(at(&written, "`when` belongs to a rule, not to a step"));
    }
    answer(written)
}

fn rule(mut written: Spanned<WrittenStep>) -> Result<Rule, ScriptError> {
    match written.value.when.take() {
        None => Err(at(&written, "a rule needs `when`")),
        Some(when) if when == When::default() => Err(at(&written, "`when` names no condition")),
        Some(when) => Ok(Rule { when, step: answer(written)? }),
    }
}

/// The short keys are content too, in the order in which models write: thinking, text, tools.
fn answer(written: Spanned<WrittenStep>) -> Result<Step, ScriptError> {
    let said = |step: &WrittenStep| {
        step.thinking.is_some() || step.text.is_some() || step.tool.is_some() || !step.tools.is_empty()
    };
    let short = said(&written.value);
    if short && !written.value.content.is_empty() {
        return Err(at(&written, "`content` stands alone: put `text` and tools into it"));
    }
    let speaks = short || !written.value.content.is_empty();
    if let Some(error) = &written.value.error {
        if speaks || written.value.usage.is_some() || written.value.has_an_end() {
            return Err(at(
                &written,
                "an `error` stands alone: a failed request has no content and no usage",
            ));
        }
        if !(400..600).contains(&error.status) {
            return Err(at(&written, "the `status` of an error lies between 400 and 599"));
        }
    } else if !speaks {
        return Err(at(&written, "nothing is said: give `text`, `tool`, `tools`, `content` or `error`"));
    }
    if written.value.cut_after.is_some() && written.value.stall_after.is_some() {
        return Err(at(&written, "an answer is cut or stalls: keep one of `cut_after` and `stall_after`"));
    }
    let step = written.value;
    let ends = step.ends();
    let delay_ms = step.delay_ms;
    if let Some(error) = step.error {
        return Ok(Step { delay_ms, says: Says::Error(error) });
    }
    let mut content = step.content;
    content.extend(step.thinking.map(Block::Thinking));
    content.extend(step.text.map(Block::Text));
    content.extend(step.tool.into_iter().chain(step.tools).map(Block::Tool));
    Ok(Step { delay_ms, says: Says::Turn { content, usage: step.usage.unwrap_or_default(), ends } })
}

fn at(written: &Spanned<WrittenStep>, message: &str) -> ScriptError {
    ScriptError { line: written.referenced.line(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(yaml: &str) -> String {
        yaml.parse::<Script>().unwrap_err().to_string()
    }

    #[test]
    fn a_script_says_what_it_says() {
        let script: Script = "
model: stub-model
aside: A title
steps:
  - text: I will look.
    tool: { name: shell, input: { command: cat a.txt } }
    usage: { input: 7 }
  - error: { status: 529, message: overloaded, times: 2 }
  - delay_ms: 200
    content: [{ text: One. }, { tool: { name: Read } }, { text: Two. }]
rules:
  - when: { last_user: feedback, no_tools: false }
    text: 'no'
after_last: repeat
"
        .parse()
        .unwrap();
        assert_eq!((script.model.as_deref(), script.aside.as_deref()), (Some("stub-model"), Some("A title")));
        assert_eq!(script.after_last, AfterLast::Repeat);
        let Says::Turn { content, usage, .. } = &script.steps[0].says else { panic!("{script:?}") };
        assert_eq!(*usage, Usage { input: 7, output: 20 });
        assert!(
            matches!(&content[..], [Block::Text(_), Block::Tool(call)] if call.input["command"] == "cat a.txt")
        );
        assert!(
            matches!(&script.steps[1].says, Says::Error(error) if error.status == 529 && error.times == Some(2))
        );
        assert_eq!(script.steps[2].delay_ms, 200);
        assert!(matches!(&script.steps[2].says, Says::Turn { content, .. } if content.len() == 3));
        assert_eq!(script.rules[0].when.last_user.as_deref(), Some("feedback"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n    tolo: b\n"), @"line 3: unknown field `tolo`, expected one of when, delay_ms, thinking, text, tool, tools, content, usage, stop, cut_after, stall_after, error");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\nsetps: []\n"), @"line 3: unknown field `setps`, expected one of model, aside, steps, rules, after_last");
        insta::assert_snapshot!(wrong("rules:\n  - when: { lastuser: a }\n    text: b\n"), @"line 2: unknown field `lastuser`, expected one of last_user, tool_result, system, body, no_tools, turn");
        insta::assert_snapshot!(wrong("steps:\n  - tool: { input: {} }\n"), @"line 2: missing field `name`");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n  - usage: { input: many }\n    text: b\n"), @"line 3: invalid u64");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\nafter_last: again\n"), @"line 3: unknown variant `again`, expected one of text, repeat");
        insta::assert_snapshot!(wrong("steps: [\n"), @"line 1: unclosed bracket '['");
        insta::assert_snapshot!(wrong("model: x\n"), @"line 1: there are no `steps` and no `rules`");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n  - when: { body: x }\n    text: b\n"), @"line 3: `when` belongs to a rule, not to a step");
        insta::assert_snapshot!(wrong("rules:\n  - text: b\n"), @"line 2: a rule needs `when`");
        insta::assert_snapshot!(wrong("steps:\n  - delay_ms: 3\n"), @"line 2: nothing is said: give `text`, `tool`, `tools`, `content` or `error`");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n    error: { status: 500 }\n"), @"line 2: an `error` stands alone: a failed request has no content and no usage");
        insta::assert_snapshot!(wrong("steps:\n  - error: { status: 200 }\n"), @"line 2: the `status` of an error lies between 400 and 599");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n    content: [{ text: b }]\n"), @"line 2: `content` stands alone: put `text` and tools into it");
        insta::assert_snapshot!(wrong("steps:\n  - error: { status: 500 }\n    stop: length\n"), @"line 2: an `error` stands alone: a failed request has no content and no usage");
        insta::assert_snapshot!(wrong("steps:\n  - text: a\n    cut_after: 1\n    stall_after: 2\n"), @"line 2: an answer is cut or stalls: keep one of `cut_after` and `stall_after`");
    }
}
