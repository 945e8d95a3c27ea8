//! What an edit wrote and took away, in bounded room, read from a tool's input by its structure.
//!
//! Agents name the fields of their editing tools differently, but alike: what was there before stands beside what is there
//! afterwards, in a word of some language (`old` and `new`, `antes` and `despues`), as a pair in a list, or as a key and its
//! value; a whole file is its `content`, and a patch marks its lines with `+` and `-`.

use serde_json::Value;

/// The most that is kept of what was added and of what was removed.
const LONGEST: usize = 6 * 1024;

/// What an edit wrote and took away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// What was added; the beginning of it when it is long.
    pub added: String,
    /// What was removed, as far as the input says so.
    pub removed: String,
    /// Whether the call writes a whole file, so that nobody knows what was there before.
    pub whole: bool,
    /// The files of a patch that names them, each with where its part of `added` and of `removed` begins.
    pub files: Vec<(String, usize, usize)>,
}

impl Written {
    /// Reads the input of a tool that edits.
    pub fn read(input: &Value) -> Self {
        let mut written = Self::default();
        written.value("", input);
        written
    }

    fn value(&mut self, key: &str, value: &Value) {
        match value {
            Value::String(text) => self.text(key, text),
            Value::Array(items) => items.iter().for_each(|item| self.value(key, item)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.value(key, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        for (before, after) in exchanged(value) {
            append(&mut self.removed, before);
            append(&mut self.added, after);
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        if is_patch(text) {
            self.patch(text);
        } else if key.starts_with("old") {
            append(&mut self.removed, text);
        } else if key.starts_with("new") || is(key, "more") {
            append(&mut self.added, text);
        } else if is(key, "whole") {
            self.whole = true;
            append(&mut self.added, text);
        }
    }

    fn patch(&mut self, text: &str) {
        for line in text.lines() {
            if let Some(path) = headed(line) {
                self.files.push((path.to_owned(), self.added.len(), self.removed.len()));
            }
            if line.starts_with("+++") || line.starts_with("---") {
                continue;
            }
            if let Some(added) = line.strip_prefix('+') {
                append(&mut self.added, added);
            } else if let Some(removed) = line.strip_prefix('-') {
                append(&mut self.removed, removed);
            }
        }
    }
}

/// The texts that an input has put in the place of others: under keys that say before and after, as pairs in a list, or as
/// keys that are no names with their values.
pub fn exchanged(value: &Value) -> Vec<(&str, &str)> {
    match value {
        Value::Object(fields) => {
            let at = |class: &str| {
                let own = |key: &str| key.starts_with("old") || key.starts_with("new");
                let found = fields.iter().find(|(key, text)| text.is_string() && !own(key) && is(key, class));
                found.and_then(|(_, text)| text.as_str())
            };
            let named =
                |class: &str, own: &str| fields.keys().any(|key| key.starts_with(own) || is(key, class));
            if named("before", "old") && named("after", "new") {
                // What `old…` and `new…` hold is read where it stands.
                let (before, after) = (at("before").unwrap_or_default(), at("after").unwrap_or_default());
                return if before.is_empty() && after.is_empty() {
                    Vec::new()
                } else {
                    vec![(before, after)]
                };
            }
            let is_text =
                |key: &String| key.contains(|c: char| c.is_whitespace() || "(){}=;<>\"".contains(c));
            if fields.keys().any(is_text) {
                return fields.iter().filter_map(|(key, value)| Some((&**key, value.as_str()?))).collect();
            }
            Vec::new()
        }
        Value::Array(items) => {
            let pair = |item: &'_ Value| {
                matches!(item.as_array().map(Vec::as_slice), Some([Value::String(_), Value::String(_)]))
            };
            if items.is_empty() || !items.iter().all(pair) {
                return Vec::new();
            }
            items.iter().filter_map(|item| Some((item[0].as_str()?, item[1].as_str()?))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a key is of a class: `before` or `after` a change, a `whole` file, `more` for one.
fn is(key: &str, class: &str) -> bool {
    let key: String = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let list = KEYS.lines().find_map(|line| line.strip_prefix(class)?.strip_prefix(": "));
    list.unwrap_or_default().split(' ').any(|known| match known.strip_suffix('*') {
        Some(beginning) => key.starts_with(beginning),
        None => key == known,
    })
}

/// The keys of changes, a class a line; a star stands for any ending.
const KEYS: &str = include_str!("written.txt");

/// The file whose changes follow this line of a patch.
fn headed(line: &str) -> Option<&str> {
    let marks = ["+++ b/", "*** Update File: ", "*** Add File: ", "*** Delete File: "];
    marks.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

fn is_patch(text: &str) -> bool {
    text.starts_with("*** Begin Patch")
        || text.starts_with("diff --git ")
        || text.lines().take(4).any(|line| line.starts_with("@@ ") || line.starts_with("+++ "))
}

fn append(to: &mut String, text: &str) {
    let room = LONGEST.saturating_sub(to.len());
    to.push_str(&text[..text.floor_char_boundary(room.min(text.len()))]);
    if to.len() < LONGEST {
        to.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn inputs_of_editing_tools_are_read_by_their_structure() {
        let patch = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+two\n*** End Patch";
        for (input, added, removed, whole) in [
            (json!({ "file_path": "a", "old_string": "x", "new_string": "y" }), "y\n", "x\n", false),
            (json!({ "edits": [{ "oldText": "x", "newText": "y" }] }), "y\n", "x\n", false),
            (json!({ "path": "a", "content": "all" }), "all\n", "", true),
            (json!({ "command": "create", "path": "a", "file_text": "all" }), "all\n", "", true),
            (json!(patch), "two\n", "one\n", false),
            (json!({ "patchText": patch }), "two\n", "one\n", false),
            (json!({ "diff": "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n" }), "two\n", "one\n", false),
            (json!({ "Changes": [{ "Old": "x", "New": "y" }] }), "y\n", "x\n", false),
            (json!({ "cambios": [{ "antes": "x", "despues": "y" }] }), "y\n", "x\n", false),
            (json!({ "path": "a", "was": "x", "is": "y" }), "y\n", "x\n", false),
            (json!({ "file": "a", "pairs": [["x", "y"]] }), "y\n", "x\n", false),
            (
                json!({ "doc": "a", "swap": { "for d in $@": "for d in \"$@\"" } }),
                "for d in \"$@\"\n",
                "for d in $@\n",
                false,
            ),
            (json!({ "置換": [{ "旧": "x", "新": "y" }] }), "y\n", "x\n", false),
            (json!({ "file": "a", "append": "y" }), "y\n", "", false),
            (json!({ "path": "a", "is": "binary", "lines": [["1", "2", "3"]] }), "", "", false),
            (json!(null), "", "", false),
        ] {
            let written = Written::read(&input);
            assert_eq!(
                (&*written.added, &*written.removed, written.whole),
                (added, removed, whole),
                "{input}"
            );
        }
        let two = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-3\n+4\n";
        assert_eq!(Written::read(&json!(two)).files, [("x".to_owned(), 0, 0), ("y".to_owned(), 2, 2)]);
        let long = Written::read(&json!({ "content": "é".repeat(9000) }));
        assert!(long.added.len() <= LONGEST && long.added.len() > LONGEST - 3);
    }
}
