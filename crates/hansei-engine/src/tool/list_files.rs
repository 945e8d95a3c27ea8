//! `list_files`: what is in the workspace, or in a folder of it.

use hansei_workspace::beneath::{EntryKind, RelativePath};
use serde_json::{Value, json};

use super::input::Input;
use super::tree::{Glob, Go, Visit, Walk};
use super::{Tool, ToolError, Workplace, object};

/// Entries that are listed at once.
const MOST_LISTED: usize = 1000;

pub(super) const TOOL: Tool = Tool {
    name: "list_files",
    description: "List the files of the workspace, or of a folder in it, one path a line; folders end with a slash. \
        Links are shown and not followed. What .gitignore names and .git are left out; at most 1000 are listed. What \
        was left out is said at the end.",
    schema,
    run,
};

fn schema() -> Value {
    object(
        &json!({
            "path": { "type": "string", "description": "The folder, relative to the root of the workspace." },
            "glob": { "type": "string", "description": "Which to list, such as *.rs or src/**/*.ts; without a slash it is about the name alone." },
            "depth": { "type": "integer", "description": "How many folders deep to go; 1 lists the folder alone." },
            "include_ignored": { "type": "boolean", "description": "Also list what .gitignore names." }
        }),
        &[],
    )
}

fn run(input: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let walk = Walk {
        depth: input.count("depth", 1)?.unwrap_or(usize::MAX),
        glob: input.text("glob").map(Glob::parse).transpose()?,
        include_ignored: input.flag("include_ignored"),
    };
    listed(&input.path()?, &walk, workplace)
}

/// The folder at `path`, this many folders deep.
pub(super) fn list(path: &RelativePath, depth: usize, workplace: &Workplace) -> Result<Value, ToolError> {
    listed(path, &Walk { depth, glob: None, include_ignored: false }, workplace)
}

fn listed(path: &RelativePath, walk: &Walk, workplace: &Workplace) -> Result<Value, ToolError> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_full = false;
    let left_out = walk.over(&workplace.root, path, &mut |visit| {
        is_full = lines.len() >= MOST_LISTED;
        if is_full {
            return Go::Stop;
        }
        lines.push(line(visit));
        Go::On
    })?;
    let mut left_out = left_out.words();
    if is_full {
        left_out.push(format!("all after the first {MOST_LISTED}; narrow it with path, glob or depth"));
    }
    if !left_out.is_empty() {
        lines.push(format!("[left out: {}]", left_out.join("; ")));
    }
    if lines.is_empty() {
        lines.push("[nothing]".to_owned());
    }
    Ok(json!(lines.join("\n") + "\n"))
}

fn line(visit: &Visit<'_>) -> String {
    let path = shown(&visit.path().to_string_lossy());
    match visit.kind {
        EntryKind::File => path,
        EntryKind::Folder => format!("{path}/"),
        EntryKind::Link(target) => format!("{path} -> {}", shown(&target.to_string_lossy())),
        EntryKind::Special => format!("{path} (neither file nor folder)"),
    }
}

/// A name on one line: one with a line break in it must not look like two.
pub(super) fn shown(name: &str) -> String {
    if name.contains(char::is_control) { name.escape_debug().to_string() } else { name.to_owned() }
}
