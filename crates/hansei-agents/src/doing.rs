//! How each agent is made to work on a prompt with nobody at the terminal, and how its last words are found in what it
//! prints.

use serde_json::Value;

/// How an agent is started for one prompt.
#[derive(Debug)]
pub struct Doing {
    /// The agent.
    pub agent: &'static str,
    /// Its program.
    pub program: &'static str,
    /// Its command, where it has several: what its options follow.
    subcommand: Option<&'static str>,
    /// What is said before the prompt. Whatever it asks for is allowed, within the workspace where it can hold itself there.
    arguments: &'static [&'static str],
    /// The same where the user allows it everything.
    unconfined: &'static [&'static str],
    /// Its option for a model.
    model: &'static str,
    /// How the prompt is given.
    prompt: Prompt,
    /// A variable that it wants to see before it works unattended as root.
    pub as_root: Option<(&'static str, &'static str)>,
    /// How to get it.
    pub install: &'static str,
    read: fn(&[Value]) -> Said,
}

/// How a prompt that may begin with `-` is given, so that it is never read as an option.
#[derive(Debug)]
enum Prompt {
    /// After `--`, which ends the options.
    AfterDashes,
    /// As the value of this option, in one word with it.
    ValueOf(&'static str),
}

/// What an agent said at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Its last words.
    pub words: String,
    /// What went wrong, where it says so.
    pub error: Option<String>,
}

/// Every agent that can be made to work.
pub const DOINGS: &[Doing] = &[
    Doing {
        agent: "claude-code",
        program: "claude",
        subcommand: None,
        arguments: &["--output-format", "json", "--dangerously-skip-permissions", "-p"],
        unconfined: &["--output-format", "json", "--dangerously-skip-permissions", "-p"],
        model: "--model",
        prompt: Prompt::AfterDashes,
        as_root: Some(("IS_SANDBOX", "1")),
        install: "npm install -g @anthropic-ai/claude-code",
        read: claude,
    },
    Doing {
        agent: "codex",
        program: "codex",
        subcommand: Some("exec"),
        arguments: &["--json", "--skip-git-repo-check", "--sandbox", "workspace-write"],
        unconfined: &["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        model: "--model",
        prompt: Prompt::AfterDashes,
        as_root: None,
        install: "npm install -g @openai/codex",
        read: codex,
    },
    Doing {
        agent: "gemini",
        program: "gemini",
        subcommand: None,
        arguments: &["--yolo", "-o", "json"],
        unconfined: &["--yolo", "-o", "json"],
        model: "-m",
        prompt: Prompt::ValueOf("--prompt"),
        as_root: None,
        install: "npm install -g @google/gemini-cli",
        read: gemini,
    },
    Doing {
        agent: "opencode",
        program: "opencode",
        subcommand: Some("run"),
        arguments: &["--format", "json"],
        unconfined: &["--format", "json"],
        model: "--model",
        prompt: Prompt::AfterDashes,
        as_root: None,
        install: "npm install -g opencode-ai",
        read: opencode,
    },
    Doing {
        agent: "kilo",
        program: "kilo",
        subcommand: Some("run"),
        arguments: &["--auto", "--format", "json"],
        unconfined: &["--auto", "--format", "json"],
        model: "--model",
        prompt: Prompt::AfterDashes,
        as_root: None,
        install: "npm install -g @kilocode/cli",
        read: opencode,
    },
];

/// How `agent` is started.
pub fn doing(agent: &str) -> Option<&'static Doing> {
    DOINGS.iter().find(|doing| doing.agent == agent)
}

impl Doing {
    /// The command line for a prompt: the program, then everything it is told. The prompt is the last word.
    pub fn words(&self, prompt: &str, model: Option<&str>, unconfined: bool) -> Vec<String> {
        let mut words = vec![self.program];
        words.extend(self.subcommand);
        words.extend(model.into_iter().flat_map(|model| [self.model, model]));
        words.extend(if unconfined { self.unconfined } else { self.arguments });
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        match self.prompt {
            Prompt::AfterDashes => words.extend(["--".to_owned(), prompt.to_owned()]),
            Prompt::ValueOf(option) => words.push(format!("{option}={prompt}")),
        }
        words
    }

    /// What it said, out of everything that it printed on both streams.
    pub fn said(&self, printed: &str) -> Said {
        (self.read)(&values(printed))
    }
}

/// Every JSON object in a text, whether each has a line or many.
fn values(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        // Only at the beginning of a line: braces in prose are no objects.
        let begins = rest[..start].rsplit('\n').next().is_none_or(|before| before.trim().is_empty());
        let mut stream = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        match (begins, stream.next()) {
            (true, Some(Ok(value))) => {
                found.push(value);
                rest = &rest[start + stream.byte_offset()..];
            }
            _ => rest = &rest[start + 1..],
        }
    }
    found
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).filter(|text| !text.is_empty())
}

fn claude(values: &[Value]) -> Said {
    let Some(last) = values.iter().rev().find(|value| value["type"] == "result") else {
        return Said::default();
    };
    let words = text(&last["result"]).unwrap_or_default();
    let error = (last["is_error"] == true)
        .then(|| if words.is_empty() { "it failed".to_owned() } else { words.clone() });
    Said { words, error }
}

fn codex(values: &[Value]) -> Said {
    let words = values.iter().rev().find_map(|value| {
        (value["item"]["type"] == "agent_message").then(|| text(&value["item"]["text"])).flatten()
    });
    let error = values.iter().rev().find_map(|value| match value["type"].as_str() {
        Some("turn.failed") => text(&value["error"]["message"]),
        Some("error") => text(&value["message"]),
        _ => None,
    });
    // A stream that broke and was taken up again is told as an error, too.
    let ended = values.iter().any(|value| value["type"] == "turn.completed");
    Said { words: words.unwrap_or_default(), error: error.filter(|_| !ended) }
}

fn gemini(values: &[Value]) -> Said {
    let last =
        values.iter().rev().find(|value| value.get("response").is_some() || value.get("error").is_some());
    let Some(last) = last else { return Said::default() };
    Said { words: text(&last["response"]).unwrap_or_default(), error: text(&last["error"]["message"]) }
}

fn opencode(values: &[Value]) -> Said {
    let words = values
        .iter()
        .rev()
        .find_map(|value| (value["type"] == "text").then(|| text(&value["part"]["text"])).flatten());
    let error = values.iter().rev().find_map(|value| {
        let error = &value["error"];
        (value["type"] == "error")
            .then(|| text(&error["data"]["message"]).or_else(|| text(&error["name"])))
            .flatten()
    });
    Said { words: words.unwrap_or_default(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_that_begins_with_a_dash_is_a_prompt() {
        for (agent, model, unconfined, expected) in [
            (
                "claude-code",
                None,
                false,
                "claude --output-format json --dangerously-skip-permissions -p -- --help",
            ),
            (
                "codex",
                Some("m"),
                false,
                "codex exec --model m --json --skip-git-repo-check --sandbox workspace-write -- --help",
            ),
            (
                "codex",
                None,
                true,
                "codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -- --help",
            ),
            ("gemini", Some("m"), false, "gemini -m m --yolo -o json --prompt=--help"),
            ("opencode", Some("a/b"), false, "opencode run --model a/b --format json -- --help"),
            ("kilo", None, true, "kilo run --auto --format json -- --help"),
        ] {
            let words = doing(agent).unwrap().words("--help", model, unconfined);
            assert_eq!(words.join(" "), expected);
        }
    }

    #[test]
    fn last_words_are_found_in_what_each_agent_prints() {
        let said =
            |words: &str, error: Option<&str>| Said { words: words.into(), error: error.map(Into::into) };
        for (agent, printed, expected) in [
            (
                "claude-code",
                "warning: {x}\n{\"type\":\"result\",\"is_error\":false,\"result\":\"Done.\"}\n",
                said("Done.", None),
            ),
            (
                "claude-code",
                "{\"type\":\"result\",\"is_error\":true,\"result\":\"API Error\"}",
                said("API Error", Some("API Error")),
            ),
            (
                "codex",
                "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"a\"}}\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"b\"}}\n{\"type\":\"turn.completed\"}\n",
                said("b", None),
            ),
            (
                "codex",
                "{\"type\":\"error\",\"message\":\"again\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"limit\"}}",
                said("", Some("limit")),
            ),
            (
                "gemini",
                "Loaded.\n{\n  \"session_id\": \"x\",\n  \"response\": \"Done.\"\n}\n",
                said("Done.", None),
            ),
            (
                "opencode",
                "{\"type\":\"text\",\"part\":{\"text\":\"Done.\"}}\n{\"type\":\"step_finish\"}",
                said("Done.", None),
            ),
            (
                "kilo",
                "{\"type\":\"error\",\"error\":{\"name\":\"APIError\",\"data\":{\"message\":\"no\"}}}",
                said("", Some("no")),
            ),
            ("gemini", "nothing", said("", None)),
        ] {
            assert_eq!(doing(agent).unwrap().said(printed), expected, "{agent}: {printed}");
        }
    }
}
