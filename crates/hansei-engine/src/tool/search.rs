//! `search`: lines that match, over the text files of the workspace.

use std::path::Path;
use std::time::{Duration, Instant};

use hansei_core::text_edit::looks_binary;
use hansei_workspace::beneath::{EntryKind, PlainFile, Refusal};
use regex::bytes::{Regex, RegexBuilder};
use serde_json::{Value, json};

use super::input::Input;
use super::list_files::shown;
use super::tree::{Glob, Go, Walk};
use super::{Tool, ToolError, Workplace, object};

/// Matching lines that are shown.
const MOST_MATCHES: usize = 200;
/// As much of a line as is shown.
const LONGEST_LINE: usize = 300;
/// Larger files are not searched.
const LARGEST: u64 = 10 * 1024 * 1024;
/// How long a search may take.
const TIME: Duration = Duration::from_secs(20);
/// How large a pattern may become.
const LARGEST_PATTERN: usize = 1 << 20;

pub(super) const TOOL: Tool = Tool {
    name: "search",
    description: "Search the text files of the workspace for a regular expression (or, with `literal`, for a text), \
        line by line. Shows path:line: text, at most 200 lines. Links are not followed; binary files, .git and what \
        .gitignore names are left out, and it is said at the end.",
    schema,
    run,
};

fn schema() -> Value {
    object(
        &json!({
            "pattern": { "type": "string", "description": "The regular expression (Rust's syntax: no look-around, no back-references)." },
            "path": { "type": "string", "description": "The file or folder to search, relative to the root of the workspace." },
            "glob": { "type": "string", "description": "Which files to search, such as *.rs or src/**/*.ts." },
            "literal": { "type": "boolean", "description": "The pattern is a text, not a regular expression." },
            "ignore_case": { "type": "boolean", "description": "Upper and lower case are the same." },
            "include_ignored": { "type": "boolean", "description": "Also search what .gitignore names." }
        }),
        &["pattern"],
    )
}

fn run(input: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let path = input.path()?;
    let mut search = Search::new(pattern(input)?);
    let walk = Walk {
        depth: usize::MAX,
        glob: input.text("glob").map(Glob::parse).transpose()?,
        include_ignored: input.flag("include_ignored"),
    };
    let over = walk.over(&workplace.root, &path, &mut |visit| {
        if *visit.kind == EntryKind::File {
            search.file(visit.folder.file(visit.name), &visit.path())
        } else {
            Go::On
        }
    });
    let mut left_out = match over {
        Ok(left_out) => left_out.words(),
        Err(error) => match workplace.root.file(&path) {
            // A file was named.
            Ok(file) => {
                search.file(Ok(file), &path.to_path());
                Vec::new()
            }
            Err(Refusal::IsAFolder { .. }) => return Err(error),
            Err(refusal) => return Err(refusal.into()),
        },
    };
    left_out.extend(search.left_out());
    let mut lines = search.lines;
    if lines.is_empty() {
        lines.push("[no line matches]".to_owned());
    }
    if !left_out.is_empty() {
        lines.push(format!("[left out: {}]", left_out.join("; ")));
    }
    Ok(json!(lines.join("\n") + "\n"))
}

fn pattern(input: &Input<'_>) -> Result<Regex, ToolError> {
    let pattern = input.required("pattern")?;
    if pattern.is_empty() {
        return Err(ToolError::bad_input("the field \"pattern\" is empty: every line would match"));
    }
    let pattern = if input.flag("literal") { regex::escape(pattern) } else { pattern.to_owned() };
    RegexBuilder::new(&pattern)
        .case_insensitive(input.flag("ignore_case"))
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN * 4)
        .build()
        .map_err(|error| ToolError::bad_input(format!("\"pattern\" is no regular expression: {error}")))
}

struct Search {
    pattern: Regex,
    end: Instant,
    lines: Vec<String>,
    binary: usize,
    large: usize,
    linked: usize,
    unreadable: usize,
    is_full: bool,
    is_late: bool,
}

impl Search {
    fn new(pattern: Regex) -> Self {
        Self {
            pattern,
            end: Instant::now() + TIME,
            lines: Vec::new(),
            binary: 0,
            large: 0,
            linked: 0,
            unreadable: 0,
            is_full: false,
            is_late: false,
        }
    }

    fn file(&mut self, file: Result<PlainFile, Refusal>, path: &Path) -> Go {
        match file.and_then(|mut file| file.read(LARGEST)) {
            Ok(content) if looks_binary(&content) => self.binary += 1,
            Ok(content) => self.content(&content, path),
            Err(Refusal::TooLarge { .. }) => self.large += 1,
            Err(Refusal::HardLink { .. }) => self.linked += 1,
            Err(_) => self.unreadable += 1,
        }
        self.is_late = Instant::now() > self.end;
        if self.is_full || self.is_late { Go::Stop } else { Go::On }
    }

    fn content(&mut self, content: &[u8], path: &Path) {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        for (index, line) in content.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !self.pattern.is_match(line) {
                continue;
            }
            if self.lines.len() >= MOST_MATCHES {
                self.is_full = true;
                return;
            }
            let text = String::from_utf8_lossy(line);
            let cut = text.chars().count() > LONGEST_LINE;
            let mut text: String = text.chars().take(LONGEST_LINE).collect();
            if cut {
                text.push('…');
            }
            self.lines.push(format!("{}:{}: {text}", shown(&path.to_string_lossy()), index + 1));
        }
    }

    fn left_out(&self) -> Vec<String> {
        let counts = [
            (self.binary, "binary files"),
            (self.large, "files larger than 10 MiB"),
            (self.linked, "files with several names (hard links)"),
            (self.unreadable, "files that cannot be read"),
        ];
        let counted = counts.iter().filter(|(count, _)| *count > 0);
        let mut words: Vec<String> = counted.map(|(count, what)| format!("{count} {what}")).collect();
        if self.is_full {
            words.push(format!(
                "all after the first {MOST_MATCHES} lines; narrow it with path, glob or pattern"
            ));
        }
        if self.is_late {
            words.push(format!("the rest: the search took more than {} seconds", TIME.as_secs()));
        }
        words
    }
}
