//! What a tool was given: a command line, files, a change, a list, a question, known by the shape of the arguments and by
//! what their keys have in common.

use std::borrow::Cow;

use hansei_core::session::{Todo, TodoStatus};
use serde_json::Value;

use crate::patch::patched;

/// The arguments of a call.
pub(super) struct Given<'a>(pub(super) &'a Value);

const COMMANDS: &[&str] = &[
    "command", "cmd", "commandline", "script", "shellcommand", "bashcommand", "shellscript", "argv",
    "keystrokes", "commands", "befehl", "kommando", "commande", "comando",
];
const PROGRAMS: &[&str] = &["command", "cmd", "program", "executable", "binary"];
const PATHS: &[&str] = &[
    "filepath", "path", "file", "filename", "targetfile", "targetpath", "notebookpath", "absolutepath",
    "relativepath", "relativeworkspacepath", "newpath", "oldpath", "source", "sourcepath", "destination",
    "destinationpath", "paths", "files", "uri", "datei", "pfad", "fichier", "chemin", "archivo", "ruta",
    "arquivo", "caminho",
];
/// Keys of what a tool is about, which may be a file.
const THINGS: &[&str] =
    &["target", "dest", "document", "doc", "name", "ziel", "cible", "destino", "objetivo"];
const LISTS: &[&str] = &["edits", "changes", "replacements", "files", "operations", "patches", "hunks"];
const CONTENTS: &[&str] = &[
    "content", "contents", "filetext", "text", "codeedit", "newsource", "body", "data", "code", "contenu",
    "inhalt", "contenido", "conteudo", "contenuto",
];
const REQUESTS: &[&str] = &[
    "prompt", "message", "request", "objective", "instructions", "instruction", "task", "goal", "brief",
    "input",
];

/// A key without its spelling.
fn plain(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

impl<'a> Given<'a> {
    fn fields(&self) -> impl Iterator<Item = (String, &'a Value)> {
        self.0.as_object().into_iter().flatten().map(|(key, value)| (plain(key), value))
    }

    fn at(&self, keys: &[&str]) -> Option<&'a Value> {
        keys.iter().find_map(|wanted| {
            self.fields().find(|(key, value)| key == wanted && !value.is_null()).map(|(_, value)| value)
        })
    }

    fn text(&self, keys: &[&str]) -> Option<&'a str> {
        keys.iter().find_map(|key| self.at(&[key])?.as_str()).filter(|text| !text.trim().is_empty())
    }

    /// The objects in the lists among the arguments.
    fn items(&self, keys: &[&str]) -> impl Iterator<Item = Given<'a>> {
        let lists = self.fields().filter(|(key, _)| keys.contains(&key.as_str()));
        lists.flat_map(|(_, value)| value.as_array().into_iter().flatten()).map(Given)
    }

    /// What a key that names an operation says, where it is one word: `"command": "view"` beside a path.
    pub(super) fn verb(&self) -> Option<&'a str> {
        let verb = self.text(&["action", "operation", "op", "method", "command", "mode", "type"])?;
        verb.chars().all(|c| c.is_ascii_alphabetic() || c == '_').then_some(verb)
    }

    /// The command line; several of them, a line each.
    pub(super) fn command(&self, for_shell: bool) -> Option<String> {
        if let Some(program) = self.text(PROGRAMS)
            && let Some(Value::Array(words)) = self.at(&["args", "arguments", "argv"])
        {
            let words = std::iter::once(program).chain(words.iter().filter_map(Value::as_str));
            return Some(joined(&words.collect::<Vec<_>>()));
        }
        let given = self.at(COMMANDS).or_else(|| {
            let shell = |said: &str| {
                matches!(&*plain(said), "bash" | "sh" | "shell" | "powershell" | "pwsh" | "zsh" | "terminal")
            };
            let told = self.text(&["language", "lang", "target", "kind", "shell"]);
            let in_shell = told.map_or(for_shell, |told| shell(told) || for_shell && is_file(told));
            in_shell.then(|| self.at(&["input", "code", "line"]).unwrap_or(self.0))
        })?;
        match given {
            Value::String(command) => Some(command.clone()),
            Value::Array(items) if self.fields().any(|(key, _)| key == "commands") => {
                let line = |item: &Value| match item {
                    Value::String(line) => Some(line.clone()),
                    item => Given(item).command(false),
                };
                let lines: Vec<String> = items.iter().filter_map(line).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            Value::Array(_) => Some(joined(&texts(given))).filter(|line| !line.is_empty()),
            _ => None,
        }
    }

    /// The arguments of a command line, where they are given as words.
    pub(super) fn words_given(&self) -> Vec<&'a str> {
        self.at(&["args", "arguments", "argv"]).map(texts).unwrap_or_default()
    }

    /// Whether what is started is to run on by itself.
    pub(super) fn background(&self) -> bool {
        let keys = ["runinbackground", "isbackground", "background", "detach", "detached"];
        self.at(&keys).is_some_and(|value| *value == true)
    }

    /// The files that are named, or that a patch names.
    pub(super) fn paths(&self) -> Vec<String> {
        let own = |given: &Given<'a>| -> Vec<String> {
            let named = given.fields().filter(|(key, value)| {
                PATHS.contains(&key.as_str())
                    || THINGS.contains(&key.as_str()) && value.as_str().is_some_and(is_file)
            });
            named.flat_map(|(_, value)| texts(value)).map(place).collect()
        };
        let mut paths = own(self);
        paths.extend(self.items(LISTS).flat_map(|item| own(&item)));
        let patches = self.fields().filter_map(|(_, value)| value.as_str()).chain(self.0.as_str());
        for patch in patches.filter(|text| text.contains('\n')) {
            if paths.is_empty() {
                paths.extend(patched(patch));
            }
        }
        paths.dedup();
        paths
    }

    /// Whether a text is to stand in another's place, or a patch is to be applied: only an edit is given that.
    pub(super) fn is_change(&self) -> bool {
        let pair = |given: &Given<'a>| {
            let begins = |beginnings: &[&str]| {
                given.fields().any(|(key, value)| {
                    value.is_string()
                        && !PATHS.contains(&key.as_str())
                        && beginnings.iter().any(|beginning| key.starts_with(beginning))
                })
            };
            begins(&["old", "search", "find", "original"]) && begins(&["new", "replac"])
        };
        let patch = |text: &str| text.contains('\n') && !patched(text).is_empty();
        pair(self)
            || self.items(LISTS).any(|item| pair(&item))
            || self.fields().any(|(_, value)| value.as_str().is_some_and(patch))
            || self.0.as_str().is_some_and(patch)
    }

    /// Whether there is a text to write.
    pub(super) fn has_content(&self) -> bool {
        let has = |given: &Given<'a>| {
            given.fields().any(|(key, value)| {
                value.is_string() && (CONTENTS.contains(&key.as_str()) || key.starts_with("new"))
            })
        };
        has(self) || self.items(LISTS).any(|item| has(&item))
    }

    /// The list of things to do.
    pub(super) fn todos(&self) -> Option<Vec<Todo>> {
        match self.at(&["todos", "plan", "items", "tasks", "todolist", "checklist", "steps"])? {
            Value::Array(list) => Some(list.iter().map(todo).collect()),
            Value::String(text) => {
                let list: Vec<Todo> = text.lines().filter_map(ticked).collect();
                (!list.is_empty()).then_some(list)
            }
            _ => None,
        }
    }

    /// What another agent is told.
    pub(super) fn request(&self) -> Option<&'a str> {
        self.text(REQUESTS)
    }

    /// What is asked, each question on its line.
    pub(super) fn question(&self) -> Option<String> {
        let list: Vec<&str> = self
            .items(&["questions"])
            .filter_map(|item| item.0.as_str().or_else(|| item.text(&["question", "text", "prompt"])))
            .collect();
        if list.is_empty() { self.text(&["question"]).map(ToOwned::to_owned) } else { Some(list.join("\n")) }
    }

    /// Any text for somebody to read.
    pub(super) fn words(&self) -> Option<&'a str> {
        self.text(&["message", "text", "prompt", "query", "question"])
    }

    /// Whether nothing is given but a question and what may be answered.
    pub(super) fn only_asks(&self) -> bool {
        self.fields().all(|(key, _)| {
            ["question", "option", "choice", "suggest", "header", "follow", "multi", "answer"]
                .iter()
                .any(|beginning| key.starts_with(beginning))
        })
    }

    /// Whether nothing is given but words: no thing to which they belong.
    pub(super) fn only_words(&self) -> bool {
        self.fields().all(|(key, value)| {
            !key.ends_with("id")
                && !PATHS.contains(&key.as_str())
                && !matches!(&*key, "prompt" | "query" | "url")
                && !value.is_number()
        })
    }
}

/// A command line of words; of a shell and its script, the script.
pub(crate) fn joined(words: &[&str]) -> String {
    match words {
        [shell, flags @ .., script]
            if shell.ends_with("sh")
                && flags.last().is_some_and(|flag| flag.starts_with('-') && flag.ends_with('c')) =>
        {
            (*script).to_owned()
        }
        [shell, .., flag, script]
            if shell.to_ascii_lowercase().contains("powershell") && flag.eq_ignore_ascii_case("-command") =>
        {
            (*script).to_owned()
        }
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

/// A word as a shell reads it as one.
fn quoted(word: &str) -> Cow<'_, str> {
    if word.contains([' ', '\t', '\n', ';', '&', '|', '<', '>', '"', '$', '(', '*']) && !word.contains('\'') {
        format!("'{word}'").into()
    } else {
        word.into()
    }
}

/// Whether a text can only be the name of a file: it has folders, or an ending, and no words.
fn is_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty()
            && (1..9).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !text.contains(char::is_whitespace) && !text.contains("://") && (ending || text.contains(['/', '\\']))
}

/// A file, also where its address is given.
fn place(path: &str) -> String {
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}

fn todo(item: &Value) -> Todo {
    let given = Given(item);
    let text = given.text(&["content", "description", "step", "text", "title", "task", "name"]);
    let status = given.text(&["status", "state"]).unwrap_or_default();
    let text = text.or_else(|| item.as_str()).unwrap_or_default().to_owned();
    Todo { text, status: TodoStatus::from_name(status) }
}

/// A line of a list with boxes: `- [x] write it`.
fn ticked(line: &str) -> Option<Todo> {
    let line = line.trim_start_matches([' ', '\t', '-', '*']);
    let (mark, text) = line.strip_prefix('[')?.split_once(']')?;
    let status = match mark {
        "x" | "X" => TodoStatus::Done,
        "-" | "~" | "/" => TodoStatus::Doing,
        " " | "" => TodoStatus::Open,
        _ => return None,
    };
    Some(Todo { text: text.trim().to_owned(), status })
}
