//! What a tool was given: a command line, files, a change, a list, a question, known by the shape of the arguments and by
//! what their keys have in common.

use std::borrow::Cow;

use hansei_core::session::{Todo, TodoStatus, exchanged};
use serde_json::Value;

use super::name::{Class, Name, plain_letters};
use crate::patch::patched;

/// The arguments of a call.
pub(super) struct Given<'a>(pub(super) &'a Value);

/// The keys of what tools are given, a class a line.
const KEYS: &str = include_str!("keys.txt");

/// Whether a key without its spelling is of a class.
fn is(key: &str, class: &str) -> bool {
    let list = KEYS.lines().find_map(|line| line.strip_prefix(class)?.strip_prefix(": "));
    list.unwrap_or_default().split(' ').any(|known| known == key)
}

/// A key without its spelling.
fn plain(key: &str) -> String {
    plain_letters(key).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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

    /// The first value under a key of this class.
    fn of(&self, class: &str) -> Option<&'a Value> {
        self.fields().find(|(key, value)| is(key, class) && !value.is_null()).map(|(_, value)| value)
    }

    /// The objects in the lists among the arguments.
    fn items(&self) -> impl Iterator<Item = Given<'a>> {
        let lists = self.fields().filter(|(key, _)| is(key, "list"));
        lists.flat_map(|(_, value)| value.as_array().into_iter().flatten()).map(Given)
    }

    /// What a key that names an operation says, where it is one word: `"command": "view"` beside a path.
    pub(super) fn verb(&self) -> Option<&'a str> {
        let verb =
            self.text(&["action", "operation", "op", "do", "verb", "method", "command", "mode", "type"])?;
        verb.chars().all(|c| c.is_ascii_alphabetic() || c == '_').then_some(verb)
    }

    /// The command line; several of them, a line each. A shell may be given it under any key.
    pub(super) fn command(&self, for_shell: bool) -> Option<String> {
        if let Some(line) = self.program() {
            return Some(line);
        }
        let shell_key = |key: &str| {
            let name = Name::read(key);
            name.has(&[Class::Shell]) && name.only(&[Class::Shell, Class::Fill])
        };
        let named = self.of("command").or_else(|| {
            self.0
                .as_object()?
                .iter()
                .find(|(key, value)| !value.is_boolean() && shell_key(key))
                .map(|(_, line)| line)
        });
        let given = named.or_else(|| {
            let shell = |said: &str| {
                matches!(&*plain(said), "bash" | "sh" | "shell" | "powershell" | "pwsh" | "zsh" | "terminal")
            };
            let told = self.text(&["language", "lang", "target", "kind", "shell"]);
            let in_shell = told.map_or(for_shell, |told| shell(told) || for_shell && is_file(told));
            let only = || if for_shell { self.only_line() } else { None };
            in_shell.then(|| self.at(&["input", "code", "line"]).or_else(only).unwrap_or(self.0))
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

    /// A program and the list of its arguments, whatever the list is called.
    fn program(&self) -> Option<String> {
        let program = self.of("program")?.as_str().filter(|word| !word.trim().is_empty())?;
        let lists =
            || self.fields().filter(|(key, value)| value.is_array() && !is(key, "path") && key != "env");
        let words = self
            .of("words")
            .or_else(|| lists().next().map(|(_, list)| list).filter(|_| lists().count() == 1))?;
        let words = words.as_array()?.iter().filter_map(Value::as_str);
        Some(joined(&std::iter::once(program).chain(words).collect::<Vec<_>>()))
    }

    /// The only text, or list of words, that is no setting: what a shell is given under a key of its own.
    fn only_line(&self) -> Option<&'a Value> {
        let setting = |key: &str, value: &Value| {
            is(key, "setting")
                || is(key, "folder")
                || key.ends_with("id")
                || value.as_str().is_some_and(is_folder)
        };
        let mut lines = self.fields().filter(|(key, value)| {
            (value.is_string() || value.is_array() && !texts(value).is_empty()) && !setting(key, value)
        });
        let only = lines.next().filter(|(key, _)| !is(key, "path"))?.1;
        lines.next().is_none().then_some(only)
    }

    /// The folder in which something is to run.
    pub(super) fn folder(&self) -> Option<&'a str> {
        let named = self.of("folder").and_then(Value::as_str);
        named.filter(|folder| !folder.trim().is_empty() && !folder.contains(['\n', '\'']))
    }

    /// Everything given as words, for a tool that is a program of its own.
    pub(super) fn all_words(&self) -> Vec<String> {
        fn gather(key: &str, value: &Value, words: &mut Vec<String>) {
            match value {
                Value::String(text) => words.push(text.clone()),
                Value::Number(number) if !is(&plain(key), "setting") => words.push(number.to_string()),
                Value::Array(items) => items.iter().for_each(|item| gather(key, item, words)),
                Value::Object(fields) => fields.iter().for_each(|(key, value)| gather(key, value, words)),
                _ => {}
            }
        }
        let mut words = Vec::new();
        gather("", self.0, &mut words);
        words
    }

    /// The arguments of a command line, where they are given as words.
    pub(super) fn words_given(&self) -> Vec<&'a str> {
        self.of("words").map(texts).unwrap_or_default()
    }

    /// Whether what is started is to run on by itself.
    pub(super) fn background(&self) -> bool {
        let keys = ["runinbackground", "isbackground", "background", "detach", "detached"];
        self.at(&keys).is_some_and(|value| *value == true)
            || self
                .text(&["mode", "run"])
                .is_some_and(|mode| matches!(mode, "background" | "detached" | "async"))
    }

    /// The files that are named, or that a patch names.
    pub(super) fn paths(&self) -> Vec<String> {
        let own = |given: &Given<'a>| -> Vec<String> {
            let named = given.fields().filter(|(key, value)| {
                is(key, "path") || is(key, "thing") && value.as_str().is_some_and(is_file)
            });
            named.flat_map(|(_, value)| texts(value)).map(place).collect()
        };
        let mut paths = own(self);
        paths.extend(self.items().flat_map(|item| own(&item)));
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
                        && !is(&key, "path")
                        && beginnings.iter().any(|beginning| key.starts_with(beginning))
                })
            };
            begins(&["old", "search", "find", "original"]) && begins(&["new", "replac"])
                || !exchanged(given.0).is_empty()
        };
        let patch =
            |text: &str| text.contains('\n') && (!patched(text).is_empty() || text.starts_with("@@ "));
        let listed = |value: &'a Value| {
            value.is_array()
                && (!exchanged(value).is_empty()
                    || value.as_array().into_iter().flatten().any(|item| pair(&Given(item))))
        };
        pair(self)
            || self
                .fields()
                .any(|(_, value)| listed(value) || value.is_object() && !exchanged(value).is_empty())
            || self.fields().any(|(_, value)| value.as_str().is_some_and(patch))
            || self.0.as_str().is_some_and(patch)
    }

    /// Whether there is a text to write.
    pub(super) fn has_content(&self) -> bool {
        let has = |given: &Given<'a>| {
            given
                .fields()
                .any(|(key, value)| value.is_string() && (is(&key, "content") || key.starts_with("new")))
        };
        has(self) || self.items().any(|item| has(&item))
    }

    /// Whether a text of several lines is given: beside a file, what is to stand in it.
    pub(super) fn has_long_text(&self) -> bool {
        self.fields().any(|(_, value)| value.as_str().is_some_and(|text| text.trim_end().contains('\n')))
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
        self.of("request")?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// What is asked, each question on its line.
    pub(super) fn question(&self) -> Option<String> {
        let list: Vec<&str> = self
            .at(&["questions"])
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(Given)
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
                && !is(&key, "path")
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

/// Whether a text can only be the name of a folder, from its beginning.
fn is_folder(text: &str) -> bool {
    let text = text.trim_end_matches(['/', '\\']);
    let begins = text.starts_with('/')
        || text.starts_with("~/")
        || text.get(1..3).is_some_and(|at| matches!(at, ":\\" | ":/"));
    begins && !text.contains([' ', '\n', '\t', ';', '&', '|'])
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
