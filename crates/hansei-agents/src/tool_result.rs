//! How a tool's result says how the call ended, in whatever clothes: as JSON with its data beside the output, as lines
//! before or behind it, in brackets or tags.
//!
//! Only the first and the last lines count: what stands between them is the command's own. A line counts when all of
//! its words are about the ending; `exit codes are fun` is not.

use hansei_core::session::AnswerEnd;
use serde_json::Value;

/// A result, taken out of its wrapping.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// What the command itself printed.
    pub output: String,
    /// The exit code that is stated.
    pub exit_code: Option<i32>,
    /// How it ended, where that is stated without a code.
    pub end: Option<AnswerEnd>,
    /// What still runs, by its number or name.
    pub process: Option<String>,
    /// The program that the result names as the one that ran.
    pub program: Option<String>,
}

/// How many lines at each end may be about the ending.
const HEAD: usize = 6;
const TAIL: usize = 3;

/// Reads a result.
pub(crate) fn printed(result: &str) -> Printed {
    let without = without_times(result);
    let result = without.as_deref().unwrap_or(result);
    let wrapped = as_json(result).or_else(|| as_markup(result)).or_else(|| as_headings(result));
    if let Some(wrapped) = wrapped.or_else(|| as_last_line(result)) {
        return wrapped;
    }
    let said = statements(result);
    let exit_code = said.iter().find_map(|said| if let Said::Exit(code) = said { Some(*code) } else { None });
    let end = said.iter().find_map(|said| if let Said::End(end) = said { Some(*end) } else { None });
    let process =
        said.iter().find_map(|said| if let Said::Runs(id) = said { Some(id.clone()) } else { None });
    let runs = process.is_some() && exit_code.is_none();
    Printed {
        output: result.to_owned(),
        exit_code,
        end: if runs { Some(AnswerEnd::Background) } else { end.filter(|_| exit_code.is_none()) },
        process: process.flatten().filter(|_| runs),
        program: None,
    }
}

/// The result without the time that stands before each of its lines.
fn without_times(result: &str) -> Option<String> {
    let time = |line: &str| {
        let end = line.find(' ').unwrap_or(line.len());
        let bare = line[..end].trim_matches(['[', ']', '(', ')', '|']);
        let clock = bare.split_once('T').map_or(bare, |(_, clock)| clock).trim_end_matches('Z');
        let mut parts = clock.split(':');
        let number = |part: Option<&str>| {
            part.is_some_and(|part| {
                !part.is_empty()
                    && part.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'.' | b',' | b'+'))
            })
        };
        (number(parts.next()) && number(parts.next()) && number(parts.next())).then_some(end)
    };
    let mut lines = result.lines().filter(|line| !line.trim().is_empty());
    if lines.clone().next().is_none_or(|line| time(line).is_none()) || !lines.all(|line| time(line).is_some())
    {
        return None;
    }
    let bare = result.lines().map(|line| line.get(time(line).unwrap_or_default()..).unwrap_or_default());
    Some(bare.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n"))
}

/// Whether an output ends in an error that nobody caught: a trace of calls, and the error in the last line.
pub(crate) fn crashed(output: &str) -> bool {
    let last = output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let name = last.split([':', ' ']).next().unwrap_or_default();
    let named = ["Error", "Exception", "Exit", "Interrupt"].iter().any(|end| name.ends_with(end));
    let traced = ["Traceback (most recent call last)", "Stacktrace:", "\n    at ", "\n\tat "];
    named && traced.iter().any(|mark| output.contains(mark))
}

/// `<result><status>0</status><out>…</out></result>`, `<job id="j-7" state="exited" status="0"><out>…</out></job>`.
fn as_markup(result: &str) -> Option<Printed> {
    let text = result.trim();
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    let (tag, rest) = inner.split_once('>').unwrap_or((inner, ""));
    let mut value = serde_json::Map::new();
    for (at, _) in tag.match_indices("=\"") {
        let key = tag[..at].rsplit(' ').next().unwrap_or_default();
        let held = tag[at + 2..].split('"').next().unwrap_or_default();
        value.insert(key.to_owned(), held.into());
    }
    for key in TEXTS.iter().chain(CODES).chain(&["status", "state", "code"]) {
        let close = format!("</{key}>");
        let held = format!("<{rest}>");
        if let (Some(start), Some(end)) = (held.find(&format!("<{key}>")), held.rfind(&close))
            && let Some(held) = held.get(start + key.len() + 2..end)
        {
            value.insert((*key).to_owned(), held.into());
        }
    }
    wrapped(&Value::Object(value), &Value::Null)
}

/// The keys under which an object has what a command printed.
const TEXTS: &[&str] =
    &["output", "text", "content", "stdout", "stderr", "out", "err", "log", "logs", "console"];

/// The exit code that a result states.
pub(crate) fn exit_code(output: &str) -> Option<i32> {
    printed(output).exit_code
}

/// How a call ended, by its exit code, by what is said of its end and of an error.
pub(crate) fn end(exit_code: Option<i32>, said: Option<AnswerEnd>, is_error: bool) -> AnswerEnd {
    match (exit_code, said) {
        (Some(0), _) if !is_error => AnswerEnd::Done,
        (Some(_), _) => AnswerEnd::Failed,
        (None, Some(AnswerEnd::Done) | None) if is_error => AnswerEnd::Failed,
        (None, said) => said.unwrap_or(AnswerEnd::Done),
    }
}

/// Whether the result of a tool that edits says that it did not: tools say so in their first words.
pub(crate) fn refuses(result: &str) -> bool {
    if let Ok(Value::Object(told)) = serde_json::from_str::<Value>(result.trim()) {
        let is = |keys: &[&str], wanted: bool| {
            told.iter().any(|(k, v)| keys.contains(&k.as_str()) && *v == wanted)
        };
        return is(&["applied", "success", "ok", "changed", "written"], false)
            || is(&["is_error", "isError", "failed"], true)
            || told.get("error").and_then(Value::as_str).is_some_and(|error| !error.is_empty());
    }
    let lines: Vec<String> = result.trim_start().lines().take(3).map(str::to_lowercase).collect();
    let says = |list: &str, is: &dyn Fn(&str) -> bool| {
        REFUSALS.lines().filter_map(|line| line.strip_prefix(list)).any(is)
    };
    says("begins ", &|mark| lines.first().is_some_and(|first| first.starts_with(mark)))
        || lines.iter().any(|line| says("says ", &|mark| line.contains(mark)))
}

/// The words with which tools refuse an edit.
const REFUSALS: &str = include_str!("refusals.txt");

/// `{"output": "…", "metadata": {"exit_code": 0}}` and its like.
fn as_json(result: &str) -> Option<Printed> {
    let text = result.trim();
    let value: Value =
        (text.starts_with('{') && text.ends_with('}')).then(|| serde_json::from_str(text).ok())??;
    let inner = ["result", "output", "data"].iter().map(|key| &value[key]).find(|inner| inner.is_object());
    wrapped(&value, &value["metadata"]).or_else(|| wrapped(inner?, &value))
}

/// A last line that is an object about the ending, `{"exitCode":0,"durationMs":88}`, behind the output.
fn as_last_line(result: &str) -> Option<Printed> {
    let result = result.trim_end();
    let (output, last) = result.rsplit_once('\n').unwrap_or(("", result));
    let last = last.trim().strip_prefix('{').filter(|rest| rest.ends_with('}') && rest.len() < 400)?;
    let value: Value = serde_json::from_str(&format!("{{{last}")).ok()?;
    let code = CODES.iter().find_map(|key| number(&value[*key]))?;
    let exit_code = i32::try_from(code).ok();
    Some(Printed { output: output.to_owned(), exit_code, ..Printed::default() })
}

/// The keys under which an object has an exit code.
const CODES: &[&str] = &[
    "exit_code", "exitCode", "exitcode", "ExitCode", "returncode", "return_code", "returnCode",
    "exit_status", "exitStatus", "exit", "rc", "errorlevel", "lastExitCode", "exitValue", "exit-code",
];

/// An object with an output and, in it or beside it, how the call ended.
fn wrapped(value: &Value, beside: &Value) -> Option<Printed> {
    let find = |keys: &[&str]| {
        [value, beside].into_iter().find_map(|value| {
            keys.iter().map(|key| &value[key]).find(|found| !found.is_null() && !found.is_object())
        })
    };
    let speaks = TEXTS.iter().any(|key| value[key].is_string());
    let mut code = find(CODES).and_then(number);
    if speaks {
        code = code.or_else(|| find(&["code", "status"]).and_then(number));
    }
    let is = |keys: &[&str], wanted: bool| find(keys).is_some_and(|value| *value == wanted);
    let broken = is(&["timed_out", "timedOut", "interrupted", "cancelled", "killed"], true);
    let status = find(&["status", "state"]).and_then(Value::as_str).and_then(status);
    let process = find(&[
        "session_id", "sessionId", "shell_id", "shellId", "task_id", "process_id", "pid", "bash_id",
        "job_id", "jobId", "id", "handle",
    ]);
    let runs = code.is_none() && (status == Some(AnswerEnd::Background) && process.is_some());
    let end = if broken {
        Some(AnswerEnd::Interrupted)
    } else if runs {
        Some(AnswerEnd::Background)
    } else if !speaks {
        None
    } else if is(&["success", "ok"], false) || is(&["is_error", "isError"], true) {
        Some(AnswerEnd::Failed)
    } else {
        status.filter(|end| *end != AnswerEnd::Background)
    };
    // A code that is asked for and not there says that nobody saw the end.
    let untold = speaks && CODES.iter().any(|key| value.get(*key).is_some_and(Value::is_null));
    if code.is_none() && end.is_none() && !untold {
        return None;
    }
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    let output = ["output", "text", "content", "log", "logs", "console"]
        .iter()
        .map(|key| text(key))
        .find(|text| !text.is_empty());
    let output =
        output.map_or_else(|| ["stdout", "out", "stderr", "err"].map(text).concat(), ToOwned::to_owned);
    let output = if speaks { output } else { counted(value) };
    let program =
        ["tool", "program", "command", "cmd"].iter().map(|key| text(key)).find(|text| !text.is_empty());
    let name = |id: &Value| id.as_str().map_or_else(|| id.to_string(), ToOwned::to_owned);
    let exit_code = code.and_then(|code| i32::try_from(code).ok());
    Some(Printed {
        output,
        exit_code,
        end: end.filter(|_| code.is_none() || broken),
        process: process.filter(|_| runs).map(name),
        program: program.map(ToOwned::to_owned),
    })
}

/// What an object without an output counts, in words: `"tests": {"passed": 5, "failed": 0}`.
fn counted(value: &Value) -> String {
    let counts = |fields: &serde_json::Map<String, Value>| {
        let counts = ["passed", "failed", "skipped", "errors"]
            .iter()
            .filter_map(|key| Some(format!("{} {key}", fields.get(*key)?.as_u64()?)));
        counts.collect::<Vec<_>>().join(", ")
    };
    let fields = value.as_object().into_iter().flat_map(|fields| fields.values());
    let own = value.as_object().map(counts).filter(|own| !own.is_empty());
    own.or_else(|| fields.filter_map(Value::as_object).map(counts).find(|own| !own.is_empty()))
        .unwrap_or_default()
}

fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// `Command: …`, `Directory: …`, `Output: …`, `Error: …`, `Exit Code: 0`.
fn as_headings(result: &str) -> Option<Printed> {
    if !result.starts_with("Command: ") {
        return None;
    }
    let start = result.find("\nOutput: ").or_else(|| result.find("\nStdout: "))? + "\nOutput: ".len();
    let rest = &result[start..];
    let end = ["\nError: ", "\nExit Code: ", "\nStderr: "].iter().filter_map(|mark| rest.find(mark)).min();
    let output = &rest[..end.unwrap_or(rest.len())];
    let error = rest
        .find("\nError: ")
        .map(|place| rest[place + "\nError: ".len()..].lines().next().unwrap_or_default());
    let error = error.filter(|error| *error != "(none)").unwrap_or_default();
    let code = rest.rfind("\nExit Code: ").and_then(|place| {
        match said(rest[place..].trim_start().lines().next()?) {
            Some(Said::Exit(code)) => Some(code),
            _ => None,
        }
    });
    let output = format!("{output}{}{error}", if error.is_empty() { "" } else { "\n" });
    Some(Printed { output, exit_code: code, ..Printed::default() })
}

/// What a line says about the ending.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Exit(i32),
    End(AnswerEnd),
    Runs(Option<String>),
}

/// What the lines at both ends say, the first before the last.
fn statements(result: &str) -> Vec<Said> {
    // What follows a heading is the command's own.
    let heading = result.split("\nOutput:\n").next().unwrap_or_default();
    let speaks = |line: &&str| !line.trim().is_empty();
    let first = heading.lines().filter(speaks).take(HEAD);
    let last = result.lines().rev().filter(speaks).take(TAIL);
    first.chain(last).filter_map(said).collect()
}

/// What an ending is told with.
const ABOUT: &[&str] = &[
    "command", "process", "program", "script", "shell", "execution", "tool", "task", "job", "bash",
    "session", "it", "the", "a", "an", "with", "code", "status", "state", "result", "was", "has", "is",
    "finished", "completed", "complete", "failed", "returned", "return", "ended", "end", "done", "error",
    "non", "zero", "non-zero", "nonzero", "final", "last", "by", "user", "request", "before", "could",
    "signal", "after", "for", "in", "s", "ms", "sec", "seconds", "second", "m", "min", "minutes", "minute",
    "operation", "limit", "time", "exceeded", "because", "of", "and", "been", "de", "di", "del", "do", "mit",
    "код", "código", "codice", "코드", "value", "elapsed", "duration",
];
const EXIT: &[&str] = &[
    "exit", "exited", "exitcode", "returncode", "rc", "$?", "errorlevel", "lastexitcode", "$lastexitcode",
    "exitstatus", "rückgabewert", "rückgabecode", "beendet", "sortie", "retour", "salida", "saída", "uscita",
    "retorno", "выхода", "возврата", "退出码", "退出代码", "终了代码", "終了コード", "종료",
];
const BROKEN: &[&str] = &[
    "timed", "timeout", "cancelled", "canceled", "interrupted", "aborted", "killed", "terminated", "sigkill",
    "sigterm",
];

fn said(line: &str) -> Option<Said> {
    if line.len() > 400 {
        return None;
    }
    // "Command executed in terminal within working directory '.'. Exit code: 3"
    if let Some((before, rest)) = line.split_once(". ")
        && before.starts_with("Command executed")
    {
        return said(rest);
    }
    if let Some(runs) = runs(line) {
        return Some(runs);
    }
    let bracketed = line.trim().starts_with(['[', '(', '<']);
    let marked = bracketed || line.contains([':', '=', '：']) || line.starts_with("---");
    // `[devbox] rc=0`: where it ran stands before it.
    let line = match line.trim().strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((place, rest)) if place.len() < 40 && rest.contains('=') => rest,
        _ => line,
    };
    let separator = |c: char| c.is_whitespace() || "[](){}<>/:：=_,\"'`*#@".contains(c);
    let mut words: Vec<String> = Vec::new();
    for word in line.split(separator).map(|word| word.trim_end_matches(['.', '!', ';'])) {
        if !word.is_empty() && !word.chars().all(|c| c == '-') {
            words.push(word.to_lowercase());
        }
        if words.len() > 14 {
            return None;
        }
    }
    let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let number = |word: &String| word.parse::<i32>().ok();
    let duration = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.trim_end_matches(['s', 'm', 'h']).parse::<f64>().is_ok()
    };
    let plain = |word: &String| is(word, ABOUT) || is(word, EXIT) || duration(word) || number(word).is_some();
    // `[code 0]`, `<code>1</code>`
    if let [key, value] | [key, value, _] = words.as_slice()
        && bracketed
        && matches!(&**key, "code" | "status" | "rc")
        && words.get(2).is_none_or(|end| end == key)
        && let Some(code) = number(value)
    {
        return Some(Said::Exit(code));
    }
    let breaks = words.iter().any(|word| is(word, BROKEN));
    if !words.iter().all(|word| plain(word) || is(word, BROKEN) || word == "out") {
        return None;
    }
    let told = words.iter().position(|word| is(word, EXIT)).or_else(|| {
        words.windows(2).position(|pair| pair[0] == "return" && matches!(&*pair[1], "code" | "status"))
    });
    if let Some(told) = told {
        let code = words[told..].iter().find_map(number);
        let clear =
            marked || words.iter().any(|word| matches!(&**word, "code" | "status" | "with" | "returncode"));
        return code.filter(|_| clear).map(Said::Exit);
    }
    if breaks && (words.len() > 1 || matches!(&*words[0], "killed" | "interrupted" | "cancelled")) {
        return Some(Said::End(AnswerEnd::Interrupted));
    }
    match words.as_slice() {
        // `process finished: 0`, `@@end code=0`, `status 0`
        [who, .., what, code]
            if marked
                && matches!(
                    &**who,
                    "command" | "process" | "program" | "job" | "script" | "shell" | "end" | "done"
                )
                && matches!(
                    &**what,
                    "finished" | "ended" | "completed" | "done" | "code" | "status" | "returned"
                ) =>
        {
            number(code).map(Said::Exit)
        }
        [key, code] if key == "status" && number(code).is_some_and(|code| (0..100).contains(&code)) => {
            number(code).map(Said::Exit)
        }
        [key, value, ..] if marked && matches!(&**key, "status" | "state" | "result") && words.len() <= 3 => {
            status(value).map(Said::End)
        }
        _ => None,
    }
}

fn status(word: &str) -> Option<AnswerEnd> {
    Some(match word.to_ascii_lowercase().as_str() {
        "failed" | "failure" | "error" | "errored" => AnswerEnd::Failed,
        "success" | "succeeded" | "completed" | "complete" | "finished" | "exited" | "ok" | "done" => {
            AnswerEnd::Done
        }
        "timeout" | "timed_out" | "cancelled" | "canceled" | "killed" | "interrupted" | "aborted"
        | "stopped" => AnswerEnd::Interrupted,
        "running" | "started" | "pending" | "in_progress" | "background" => AnswerEnd::Background,
        _ => return None,
    })
}

/// Whether a line says that something goes on, and under which name: `Command running in background with ID: b3f`.
fn runs(line: &str) -> Option<Said> {
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || ":=()[],\"'`".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let at = |known: &[&str]| {
        words.iter().position(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    let goes_on = at(&["running", "runs", "continues"]).or_else(|| {
        at(&["moved", "started", "launched", "sent"]).filter(|_| at(&["background"]).is_some())
    })?;
    let who = at(&["command", "process", "job", "task", "shell", "session", "it"])?;
    let how = at(&["background", "session", "pid", "id"])?;
    if goes_on > 5 || who > 4 {
        return None;
    }
    let id = words[how.min(goes_on)..].iter().skip(1).find(|word| {
        let word = word.trim_end_matches('.');
        (word.chars().any(|c| c.is_ascii_digit()) || word.starts_with("bash_"))
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    });
    Some(Said::Runs(id.map(|id| id.trim_end_matches('.').to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_results_are_taken_out() {
        for (result, output, code) in [
            (r#"{"output":"a\nb","metadata":{"exit_code":1}}"#, "a\nb", Some(1)),
            (r#"{"stdout":"a","stderr":"b","exit_code":0}"#, "ab", Some(0)),
            (r#"{"exit_code": "1"}"#, "", Some(1)),
            (r#"{"result":{"stdout":"a","returnCode":2}}"#, "a", Some(2)),
            (r#"{"output":{"text":"a","exit_code":1},"ok":true}"#, "a", Some(1)),
            (r#"{"output":"a program's own JSON"}"#, r#"{"output":"a program's own JSON"}"#, None),
            (
                r#"{"status":"failed","reason":"a program's own"}"#,
                r#"{"status":"failed","reason":"a program's own"}"#,
                None,
            ),
            (
                "Command: x\nDirectory: (root)\nOutput: 2 failed\nError: (none)\nExit Code: 0\nSignal: (none)",
                "2 failed",
                Some(0),
            ),
            (
                "Command: x\nDirectory: (root)\nOutput: a\nError: b\nExit Code: 3\nSignal: (none)",
                "a\nb",
                Some(3),
            ),
            ("plain\nExit code: 2", "plain\nExit code: 2", Some(2)),
            (r#"{"rc": 2, "stdout": "a", "wall_ms": 31}"#, "a", Some(2)),
            ("a\n{\"exitCode\":1,\"durationMs\":88}\n", "a", Some(1)),
            ("a\n{\"exits\":1}", "a\n{\"exits\":1}", None),
        ] {
            let expected = Printed { output: output.to_owned(), exit_code: code, ..Printed::default() };
            assert_eq!(printed(result), expected, "{result}");
        }
        for (result, refused) in [
            ("No replacement was performed", true),
            ("edit 1 of 3: old text not found in a.go\nmulti_edit is atomic: no edits were applied", true),
            (r#"{"applied": false, "reason": "x"}"#, true),
            (r#"{"ok": true, "error": "no such file"}"#, true),
            (r#"{"applied": true, "hunks": 2}"#, false),
            ("The file has been updated. No errors found.", false),
            ("2 edits applied\n+    say(\"not found\")", false),
        ] {
            assert_eq!(refuses(result), refused, "{result}");
        }
    }

    #[test]
    fn exit_codes_in_any_words() {
        for (output, code) in [
            ("Exit code 3\nhi", Some(3)),
            ("Error: Exit code 127", Some(127)),
            ("hi\nExit Code: 2", Some(2)),
            ("Exit status: 2\n", Some(2)),
            ("<returncode>1</returncode>\n<output>x</output>", Some(1)),
            ("<output>x</output>\n<exit_code>1</exit_code>", Some(1)),
            ("x\n[exit code: 7]", Some(7)),
            ("x\n[exit 1]", Some(1)),
            ("x\nexit_code=4", Some(4)),
            ("Command failed with exit code 1", Some(1)),
            ("The command exited with code 1.", Some(1)),
            ("ExitCode : 5", Some(5)),
            ("Wall time: 1\nProcess exited with code 0\nOutput:\nexit code: 9\nmore\nlines\nfollow", Some(0)),
            ("x\n(Exit status 128)\n", Some(128)),
            ("x\nReturn code: -9 after 3s", Some(-9)),
            ("Command executed in terminal within working directory '.'. Exit code: 3\nOutput:\nx", Some(3)),
            ("x\n  \"exit_code\": 2,\n}", Some(2)),
            ("x\n[code 1]", Some(1)),
            ("x\n(rc 1)", Some(1)),
            ("<result>\n<output>\nx\n</output>\n<code>1</code>\n</result>", Some(1)),
            ("[devbox] rc=2\nx", Some(2)),
            ("x\n[MSYS bash] $? = 1", Some(1)),
            ("x\nERRORLEVEL=1", Some(1)),
            ("x\n--- Rückgabewert 1", Some(1)),
            ("x\ncode de sortie : 1", Some(1)),
            ("x\nCódigo de salida: 2", Some(2)),
            ("x\n退出码：3", Some(3)),
            ("x\nprocess finished: 1", Some(1)),
            ("@@out\nx\n@@end code=1", Some(1)),
            ("x\nstatus 1", Some(1)),
            ("14:02:11 x\n14:02:12 rc=2", Some(2)),
            ("[09:33:58.001] x\n[09:33:58.120] <<exit 1>>", Some(1)),
            ("<result><status>1</status><out>x</out><err/></result>", Some(1)),
            ("<job id=\"j-7\" state=\"exited\" status=\"2\"><out>x</out></job>", Some(2)),
            ("{\"tool\":\"bazel\",\"status\":\"FAILED\",\"code\":1,\"log\":\"x\"}", Some(1)),
            ("{\"exitCode\":null,\"output\":\"x\"}", None),
            ("HTTP status 404", None),
            ("status 404", None),
            ("14:02:11 x\nstatus of things: 2", None),
            ("<p>status 3</p>", None),
            ("[3] rows of code 1", None),
            ("- [code 1 is old]", None),
            ("exit codes are fun", None),
            ("exit 1", None),
            ("sys.exit(1)", None),
            ("return 1", None),
            ("npm ERR! code 1", None),
            ("make: *** [Makefile:3: all] Error 1", None),
            ("the old exit code 1 is gone", None),
            ("1\n2\n3\n4\n5\n6\nexit code 4\n8\n9\n10", None),
            ("", None),
        ] {
            assert_eq!(exit_code(output), code, "{output}");
        }
    }

    #[test]
    fn endings_without_a_code() {
        use AnswerEnd::{Background, Done, Failed, Interrupted};
        for (output, end, process) in [
            (
                "Command running in background with ID: be6f894. Output is being written to: /tmp/x",
                Some(Background),
                Some("be6f894"),
            ),
            (
                "Chunk ID: 1\nProcess running with session ID 52733\nOutput:\n",
                Some(Background),
                Some("52733"),
            ),
            ("Command moved to background (PID: 5). Output hidden.", Some(Background), Some("5")),
            (r#"{"status":"running","session_id":7}"#, Some(Background), Some("7")),
            ("<job id=\"j-7\" state=\"running\"/>", Some(Background), Some("j-7")),
            ("Status: failed\nx", Some(Failed), None),
            ("x\n<status>completed</status>", Some(Done), None),
            (r#"{"success":false,"stderr":"x"}"#, Some(Failed), None),
            (r#"{"stdout":"x","timed_out":true}"#, Some(Interrupted), None),
            ("Command timed out after 120s", Some(Interrupted), None),
            ("x\n[Request interrupted by user]", Some(Interrupted), None),
            ("x\nKilled", Some(Interrupted), None),
            ("Command was cancelled by user before it could complete.", Some(Interrupted), None),
            ("2 tests timed out", None, None),
            ("Aborted!", None, None),
            ("FAILED", None, None),
            ("Server running on port 3000", None, None),
            ("Running 3 tests in background threads", None, None),
            ("deployment status: failed once", None, None),
        ] {
            let printed = printed(output);
            assert_eq!((printed.end, printed.process.as_deref()), (end, process), "{output}");
        }
        for (code, said, is_error, ended) in [
            (Some(0), None, false, Done),
            (Some(1), Some(Interrupted), false, Failed),
            (None, Some(Done), true, Failed),
            (None, Some(Interrupted), true, Interrupted),
            (None, None, false, Done),
        ] {
            assert_eq!(end(code, said, is_error), ended);
        }
    }
}
