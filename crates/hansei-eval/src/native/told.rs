//! Tool calls as people tell of them in eval files: `bash: {command: 'npm test'} -> exit 1`, `edit (completed)`,
//! `bash(npm test: 14 passed)`, a list of objects, or only names.
//!
//! Nothing is guessed that is not there: a result that is not told stays untold.

use serde_json::{Map, Value, json};

use super::brackets::{closing, closing_quote, opening, parts};
use super::result_text::{Result, read};

/// A call that is told of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) tool: String,
    pub(super) input: Value,
    pub(super) result: Result,
}

/// The most calls that are taken from one text.
const MOST: usize = 200;
/// The most files that one told edit stands for.
const MOST_FILES: usize = 20;

/// The calls that `tools` tells of.
pub(super) fn calls(tools: &Value) -> Vec<Told> {
    let mut calls = Vec::new();
    collect(tools, &mut calls);
    calls.truncate(MOST);
    calls
}

fn collect(tools: &Value, calls: &mut Vec<Told>) {
    match tools {
        Value::Array(list) => list.iter().for_each(|one| collect(one, calls)),
        Value::Object(fields) => {
            let nested =
                ["tools", "calls", "tool_calls", "tools_used"].iter().find_map(|key| fields.get(*key));
            match nested {
                Some(nested) => collect(nested, calls),
                None => calls.extend(object(fields)),
            }
        }
        Value::String(text) => {
            let text = text.trim();
            let json =
                text.starts_with(['[', '{']).then(|| serde_json::from_str::<Value>(text).ok()).flatten();
            match json {
                Some(json) => collect(&json, calls),
                None => entries(text).iter().for_each(|entry| calls.extend(told(entry))),
            }
        }
        _ => {}
    }
}

/// A call as an object.
fn object(fields: &Map<String, Value>) -> Vec<Told> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| fields.get(*key)?.as_str()).map(ToOwned::to_owned);
    let Some(tool) = text(&["tool", "name", "tool_name", "function", "type"]) else { return Vec::new() };
    let given =
        ["input", "args", "arguments", "parameters", "params"].iter().find_map(|key| fields.get(*key));
    let input = match given {
        Some(Value::String(text)) => named(&tool, text),
        Some(input) => input.clone(),
        None => {
            let mut own = fields.clone();
            if let Some(file) = own.get("file").cloned() {
                own.insert("path".to_owned(), file);
            }
            Value::Object(own)
        }
    };
    let output = text(&["output", "result", "stdout", "response", "content"]).unwrap_or_default();
    let status = text(&["status", "state"]).unwrap_or_default();
    let mut result = read(&if output.is_empty() { status.clone() } else { output });
    if !status.is_empty() {
        result.running = read(&status).running;
    }
    let code = ["exit", "exit_code", "exitCode", "code", "returncode"];
    let code =
        code.iter().find_map(|key| fields.get(*key)?.as_i64()).and_then(|code| i32::try_from(code).ok());
    result.exit_code = code.or(result.exit_code);
    vec![Told { tool, input, result }]
}

/// Takes a text apart into entries: a line each, and within a line what stands between commas or semicolons, as long as
/// each part begins with a tool.
fn entries(text: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let mut seen = false;
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['-', '*', '•', '→', '✓', '>']).trim_start();
        let line = without_number(line);
        if line.is_empty() || is_nothing(line) {
            continue;
        }
        // A shell as it was seen: what follows a prompt's line is what the command printed.
        if let Some(command) = line.strip_prefix("$ ") {
            entries.push(format!("bash: {command}"));
            seen = true;
            continue;
        }
        if seen
            && let Some(last) = entries.last_mut()
            && !begins_with_tool(line)
        {
            last.push_str(if last.contains(" -> ") { "\n" } else { " -> " });
            last.push_str(line);
            continue;
        }
        seen = false;
        let mut entry = String::new();
        for part in parts(line) {
            if !entry.is_empty() && begins_with_tool(part.trim_start_matches([',', ';', ' '])) {
                entries.push(std::mem::take(&mut entry));
            }
            entry.push_str(if entry.is_empty() { part.trim_start_matches([',', ';', ' ']) } else { part });
        }
        entries.push(entry);
    }
    entries
}

/// `1. `, `2) `.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")) {
        Some(rest) if rest.len() < line.len() - 1 => rest,
        _ => line,
    }
}

fn is_nothing(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    matches!(
        line.as_str(),
        "" | "none"
            | "n/a"
            | "no tools"
            | "no tools used"
            | "no tool calls"
            | "unknown"
            | "nothing"
            | "null"
            | "no"
    ) || line.starts_with("(none")
        || line.starts_with("no tool")
}

/// Whether `text` begins with the name of a tool that stands for itself.
fn begins_with_tool(text: &str) -> bool {
    let (name, rest) = name(text);
    kind(name) != Kind::Unknown
        && (rest.is_empty() || rest.starts_with([':', '(', ' ', '{', '[', ',', ';']) || rest.starts_with(']'))
}

/// The name that `text` begins with, and what follows it. A name may stand in square brackets or backticks.
fn name(text: &str) -> (&str, &str) {
    let bare = text.trim_start_matches(['[', '`', '<', '*']);
    let end = bare.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))).unwrap_or(bare.len());
    let (name, rest) = bare.split_at(end);
    (name.trim_end_matches('.'), rest.trim_start_matches([']', '`', '>', '*']))
}

/// What a told tool does, as far as telling its input needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Run,
    Edit,
    Look,
    Other,
    Unknown,
}

fn kind(name: &str) -> Kind {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    match name.as_str() {
        "bash" | "shell" | "run" | "exec" | "terminal" | "execute" | "command" | "execcommand"
        | "runcommand" | "runshellcommand" | "shellcommand" | "sh" | "powershell" | "ran" => Kind::Run,
        "edit" | "write" | "multiedit" | "create" | "writefile" | "editfile" | "createfile" | "replace"
        | "strreplace" | "strreplaceeditor" | "applypatch" | "patch" | "notebookedit" | "modify"
        | "edited" | "wrote" | "created" | "deletefile" | "delete" => Kind::Edit,
        "read" | "grep" | "glob" | "ls" | "list" | "search" | "find" | "view" | "webfetch" | "websearch"
        | "fetch" | "readfile" | "cat" | "browse" | "open" | "look" | "codesearch" => Kind::Look,
        "todowrite" | "task" | "agent" | "question" | "browser" | "playwright" | "notebook" | "todo"
        | "askuser" | "screenshot" | "lsp" | "mcp" | "subagent" | "python" | "think" => Kind::Other,
        _ => Kind::Unknown,
    }
}

/// The calls of one entry.
fn told(entry: &str) -> Vec<Told> {
    let entry = entry.trim();
    let entry = ["Tool: ", "tool: ", "Used ", "used "]
        .iter()
        .find_map(|lead| entry.strip_prefix(lead))
        .unwrap_or(entry);
    let (name, rest) = name(entry);
    let labelled = rest.starts_with([':', '(', '{']) || rest.trim_start().starts_with('{');
    let kind = match kind(name) {
        // A command line by itself.
        Kind::Unknown if !rest.starts_with(['(', ':']) && (is_command(entry) || entry.contains(" -> ")) => {
            return command_alone(entry);
        }
        Kind::Unknown if !labelled && !name.contains('_') => return Vec::new(),
        kind => kind,
    };
    let (argument, result) = split(rest, kind);
    let (times, argument) = times(&argument);
    let result = read(&result);
    let one = |input: Value| Told { tool: canonical(kind, name), input, result: result.clone() };
    if argument.trim_start().starts_with('{') {
        let mut call = one(loose_object(&argument));
        let status = call.input.get("status").or_else(|| call.input.get("state")).and_then(Value::as_str);
        if let Some(status) = status
            && call.result.is_untold()
        {
            call.result = read(status);
        }
        return vec![call];
    }
    let mut calls = match kind {
        Kind::Edit => {
            let (before, after) = written(&argument);
            let edit = |file| one(json!({ "file_path": file, "old_string": before, "new_string": after }));
            files(&argument).into_iter().map(edit).collect()
        }
        Kind::Run if argument.is_empty() => vec![one(json!({}))],
        Kind::Run => vec![one(json!({ "command": argument }))],
        _ => vec![one(json!({ "path": argument }))],
    };
    for _ in 1..times.min(MOST_FILES) {
        calls.push(calls[0].clone());
    }
    calls
}

/// The name that the rest of Hansei knows such a tool by.
fn canonical(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Run => "bash".to_owned(),
        Kind::Edit => "edit".to_owned(),
        Kind::Look => "read".to_owned(),
        Kind::Other | Kind::Unknown => name.to_owned(),
    }
}

/// An input that is only a text.
fn named(tool: &str, text: &str) -> Value {
    match kind(tool) {
        Kind::Run => json!({ "command": text }),
        Kind::Edit => json!({ "file_path": text }),
        _ => json!({ "path": text }),
    }
}

fn command_alone(entry: &str) -> Vec<Told> {
    let (command, result) = split(&format!(" {entry}"), Kind::Run);
    vec![Told { tool: "bash".to_owned(), input: json!({ "command": command }), result: read(&result) }]
}

/// Programs that a told command line may begin with.
const PROGRAMS: &str = "git gh glab npm npx yarn pnpm bun node deno cargo rustc go python python3 pip pytest uv poetry \
    tox ruff mypy make cmake ctest ninja docker docker-compose kubectl helm terraform ansible curl wget psql mysql \
    sqlite3 redis-cli mvn gradle ./gradlew ./mvnw dotnet php composer phpunit ruby bundle rspec rails mix elixir swift \
    xcodebuild flutter dart tsc eslint jest vitest prettier sed awk cat ls rm cp mv mkdir chmod echo grep rg find \
    jq ssh scp rsync aws gcloud az systemctl journalctl apt brew zig just bazel";

fn is_command(entry: &str) -> bool {
    let first = entry.split_whitespace().next().unwrap_or_default().trim_start_matches(['$', '`']);
    PROGRAMS.split_whitespace().any(|program| program == first) || first.starts_with("./")
}

/// What the tool was given, and what is told of its result.
fn split(rest: &str, kind: Kind) -> (String, String) {
    let rest = rest.trim_start_matches(':').trim_start();
    let clean = |text: &str| text.trim().trim_matches('`').trim().to_owned();
    // `{…} -> exit 1`
    if rest.starts_with('{')
        && let Some(end) = closing(rest)
    {
        let (object, result) = rest.split_at(end);
        return (object.to_owned(), without_arrow(result));
    }
    // `bash(npm test: 14 passed)` and `bash(npm test) -> ok`
    if rest.starts_with('(')
        && let Some(end) = closing(rest)
    {
        let (inner, after) = (&rest[1..end - 1], without_arrow(&rest[end..]));
        let status = kind != Kind::Run && !read(inner).is_untold();
        if status {
            return (String::new(), inner.to_owned());
        }
        let arrow = [" => ", " -> ", " → "].iter().find_map(|arrow| inner.split_once(arrow));
        if let (Some((argument, result)), true) = (arrow, after.is_empty()) {
            return (clean(argument), result.to_owned());
        }
        return match inner.split_once(": ") {
            Some((command, result)) if after.is_empty() => (clean(command), result.to_owned()),
            _ if is_status(inner) => (String::new(), inner.to_owned()),
            _ => (clean(inner), after),
        };
    }
    // What an edit is told to have written is no result.
    if kind == Kind::Edit
        && rest.ends_with(')')
        && let Some(open) = opening(rest)
        && !is_status(&rest[open + 1..rest.len() - 1])
    {
        return (rest.to_owned(), String::new());
    }
    for arrow in [" -> ", " => ", " → ", " ⇒ ", "\n"] {
        if let Some((argument, result)) = rest.split_once(arrow) {
            return (clean(argument), result.trim().to_owned());
        }
    }
    // `cargo test (exit 0)`, `edit (completed)`
    if rest.ends_with(')')
        && let Some(open) = opening(rest)
        && (open == 0 || rest[..open].ends_with(' '))
        && (kind == Kind::Run || is_status(&rest[open + 1..rest.len() - 1]))
    {
        return (clean(&rest[..open]), rest[open + 1..rest.len() - 1].to_owned());
    }
    // `npm test: 14 passed`
    if kind == Kind::Run
        && let Some((argument, result)) = rest.split_once(": ")
        && !read(result).is_untold()
    {
        return (clean(argument), result.to_owned());
    }
    (clean(rest), String::new())
}

fn is_status(text: &str) -> bool {
    !read(text).is_untold()
}

fn without_arrow(text: &str) -> String {
    let text = text.trim();
    let text = ["->", "=>", "→", "⇒", ":", "-"]
        .iter()
        .find_map(|arrow| text.strip_prefix(arrow))
        .unwrap_or(text)
        .trim();
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(text).to_owned()
}

/// `x6`, `(6 times)`: how often, and the rest.
fn times(argument: &str) -> (usize, String) {
    let last = argument.split_whitespace().next_back().unwrap_or_default();
    let count = last.strip_prefix(['x', '×']).and_then(|count| count.parse().ok());
    match count {
        Some(count) => (count, argument[..argument.len() - last.len()].trim().to_owned()),
        None => (1, argument.to_owned()),
    }
}

/// What a told edit took out and put in: `a.py (x -> y)`, `a.py: y`.
fn written(argument: &str) -> (&str, &str) {
    let inner = argument.split_once(" (").map(|(_, rest)| rest.trim_end_matches(')'));
    let told = inner.or_else(|| argument.split_once(": ").map(|(_, rest)| rest)).unwrap_or_default();
    told.split_once(" -> ").or_else(|| told.split_once(" → ")).unwrap_or(("", told))
}

/// The files of a told edit; one without a name when none is told.
fn files(argument: &str) -> Vec<String> {
    let argument = argument.split(" (").next().unwrap_or_default();
    let argument = argument.split(": ").next().unwrap_or_default();
    let files: Vec<String> = argument
        .split([',', ' '])
        .map(|file| file.trim().trim_matches(['`', '"', '\'']))
        .filter(|file| {
            file.contains(['.', '/']) && file.len() > 2 || file.chars().next().is_some_and(char::is_uppercase)
        })
        .take(MOST_FILES)
        .map(ToOwned::to_owned)
        .collect();
    if files.is_empty() { vec![argument.trim().to_owned()] } else { files }
}

/// An object as people write it: keys without quotes, texts in single ones.
fn loose_object(text: &str) -> Value {
    if let Ok(value) = serde_json::from_str(text) {
        return value;
    }
    let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
    let mut fields = Map::new();
    let mut rest = inner;
    while let Some((key, after)) = rest.split_once(':') {
        let key = key.trim().trim_matches([',', '"', '\'', ' ']).to_owned();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let (value, following) = match quote {
            Some(quote) => {
                let text = &after[1..];
                let end = closing_quote(text, quote);
                (&text[..end], text.get(end + 1..).unwrap_or_default())
            }
            None => after.split_once(',').unwrap_or((after, "")),
        };
        fields.insert(key, Value::String(value.trim().to_owned()));
        rest = following;
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> Vec<String> {
        let one = |call: Told| {
            let input = ["command", "cmd", "file_path", "filePath", "path"]
                .iter()
                .find_map(|key| call.input.get(key).and_then(Value::as_str))
                .unwrap_or_default()
                .to_owned();
            let code = call.result.exit_code.map(|code| format!(" = {code}")).unwrap_or_default();
            let running = if call.result.running { " …" } else { "" };
            format!("{} {input}{code}{running}", call.tool)
        };
        calls(&Value::String(text.to_owned())).into_iter().map(one).collect()
    }

    #[test]
    #[rustfmt::skip]
    fn calls_as_people_tell_of_them() {
        for (text, expected) in [
            ("None", &[][..]),
            ("", &[]),
            ("bash: {command: 'npm test'} -> exit 1", &["bash npm test = 1"]),
            ("edit: {filePath: 'src/a.ts'}\nbash: {\"command\": \"ls\"}", &["edit src/a.ts", "bash ls"]),
            ("read, grep, bash(npm test: 14 passed)", &["read ", "read ", "bash npm test = 0"]),
            ("edit (completed), edit (completed)", &["edit  = 0", "edit  = 0"]),
            ("bash: npm install (running)", &["bash npm install …"]),
            ("edit: a.py, b.py\nbash: pytest -q -> 3 passed, 1 failed", &["edit a.py", "edit b.py", "bash pytest -q = 1"]),
            ("Bash(cargo test => ok. 3 passed; 0 failed) Edit(src/x.rs)", &["bash cargo test = 0", "edit src/x.rs"]),
            ("[read] a.ts\n[bash] pnpm test -> 2 failed", &["read a.ts", "bash pnpm test = 1"]),
            ("$ make dist\ndist/x.tar.gz\n$ gpg --sign x\ngpg: signing failed", &["bash make dist", "bash gpg --sign x = 1"]),
            ("forge test -> 31 passed; 0 failed", &["bash forge test = 0"]),
            ("git push; gh pr create --fill", &["bash git push; gh pr create --fill"]),
            ("1. edit: a.rs\n2. bash: cargo test (exit 0)", &["edit a.rs", "bash cargo test = 0"]),
            ("write x3", &["edit ", "edit ", "edit "]),
            ("[{\"tool\": \"bash\", \"input\": \"pytest\", \"status\": \"running\"}]", &["bash pytest …"]),
            ("[{\"tool\":\"bash\",\"command\":\"rails test\",\"exit\":0}]", &["bash rails test = 0"]),
        ] {
            assert_eq!(short(text), expected, "{text}");
        }
    }

    #[test]
    fn what_an_edit_wrote_is_told_with_it() {
        let told = calls(&Value::String("edit: test/a.test.ts (it( -> it.skip( on 3 tests)".to_owned()));
        assert_eq!(told[0].input["old_string"], "it(");
        assert_eq!(told[0].input["new_string"], "it.skip( on 3 tests");
        assert_eq!(told[0].input["file_path"], "test/a.test.ts");
    }
}
