//! `str_replace_editor`: creates, shows and edits text files by anchors and line numbers.

use hansei_core::text_edit::{Changed, Difference, Miss, Nearest, Text};
use hansei_workspace::beneath::{Refusal, RelativePath};
use serde_json::{Value, json};

use super::error::undecodable;
use super::input::Input;
use super::page::{self, Page, USUAL_LINES};
use super::{Code, Tool, ToolError, Workplace, list_files, object};

/// The largest file that is edited or created.
const LARGEST: u64 = 10 * 1024 * 1024;
/// Lines around an edit that are shown after it.
const AROUND: usize = 3;
/// As much of a line as is quoted in an error.
const QUOTED: usize = 200;

pub(super) const TOOL: Tool = Tool {
    name: "str_replace_editor",
    description: "Create, view and edit text files in the workspace. Paths are relative to its root; absolute paths and \
        `..` are refused. `create` writes a new file (never over an existing one) and the folders above it. `view` shows \
        a file with line numbers, or lists a folder. `str_replace` replaces old_str, which must occur exactly once, by \
        new_str. `insert` puts new_str after line insert_line; 0 is before the first line. Line endings of the file are \
        kept.",
    schema,
    run,
};

fn schema() -> Value {
    object(
        &json!({
            "command": {
                "type": "string",
                "enum": ["create", "view", "str_replace", "insert", "insert_at_line"],
                "description": "What to do. insert_at_line is another name of insert."
            },
            "path": { "type": "string", "description": "The file, relative to the root of the workspace." },
            "file_text": { "type": "string", "description": "create: the content of the new file." },
            "old_str": { "type": "string", "description": "str_replace: the text to replace, exactly as in the file." },
            "new_str": { "type": "string", "description": "str_replace, insert: the new text; empty to delete." },
            "insert_line": { "type": "integer", "description": "insert: the line after which to insert; 0 is before the first." },
            "view_range": {
                "type": "array",
                "items": { "type": "integer" },
                "description": "view: the first and the last line to show, counted from 1; -1 as the last is the end."
            }
        }),
        &["command", "path"],
    )
}

fn run(input: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let path = RelativePath::parse(input.required("path")?)?;
    match input.required("command")? {
        "create" => {
            only(input, "create", &["file_text"])?;
            create(&path, input.required("file_text")?, workplace)
        }
        "view" => {
            only(input, "view", &["view_range"])?;
            view(&path, input.numbers("view_range").as_deref(), workplace)
        }
        "str_replace" => {
            only(input, "str_replace", &["old_str", "new_str"])?;
            let (old, new) = (input.required("old_str")?, input.required("new_str")?);
            edit(&path, workplace, |text| text.replace(old, new).map_err(|miss| explain(&path, miss)))
        }
        command => {
            only(input, command, &["insert_line", "new_str"])?;
            let new = input.required("new_str")?;
            let line = input.count("insert_line", 0)?;
            let line = line.ok_or_else(|| ToolError::bad_input("the field \"insert_line\" is missing"))?;
            edit(&path, workplace, |text| text.insert_after(line, new).map_err(|miss| explain(&path, miss)))
        }
    }
}

/// Refuses fields of other commands: whoever gives them means something else.
fn only(input: &Input<'_>, command: &str, fields: &[&str]) -> Result<(), ToolError> {
    let others = ["file_text", "old_str", "new_str", "insert_line", "view_range"];
    match others.into_iter().find(|field| input.has(field) && !fields.contains(field)) {
        Some(field) => Err(ToolError::bad_input(format!("the field {field:?} is not one of {command}"))),
        None => Ok(()),
    }
}

fn create(path: &RelativePath, content: &str, workplace: &Workplace) -> Result<Value, ToolError> {
    if content.len() as u64 > LARGEST {
        let message = format!("{path}: {} bytes, and {LARGEST} are the most", content.len());
        return Err(ToolError::new(Code::TooLarge, message));
    }
    workplace.root.create(path, content.as_bytes()).map_err(|refusal| match refusal {
        Refusal::AlreadyExists { .. } => ToolError::new(
            Code::AlreadyExists,
            format!("{path} is there already; edit it with str_replace or insert, or look at it with view"),
        ),
        other => other.into(),
    })?;
    let lines = content.lines().count();
    Ok(json!(format!("created {path} ({lines} {})", if lines == 1 { "line" } else { "lines" })))
}

fn edit(
    path: &RelativePath,
    workplace: &Workplace,
    change: impl FnOnce(&Text) -> Result<Changed, ToolError>,
) -> Result<Value, ToolError> {
    let original = workplace.root.original(path, LARGEST)?;
    let text = Text::decode(original.content()).map_err(|why| undecodable(path, &why))?;
    let changed = change(&text)?;
    let bytes = changed.text.encode();
    if bytes.len() as u64 > LARGEST {
        let message = format!("{path} would have {} bytes, and {LARGEST} are the most", bytes.len());
        return Err(ToolError::new(Code::TooLarge, message));
    }
    workplace.root.replace(&original, path, &bytes)?;
    let from = changed.first_line.saturating_sub(AROUND).max(1);
    let to = changed.last_line + AROUND;
    let lines =
        changed.text.as_str().lines().enumerate().skip(from - 1).take((to + 1 - from).min(USUAL_LINES));
    let shown: String = lines.map(|(index, line)| numbered(index + 1, &short(line))).collect();
    Ok(json!(format!("edited {path}\n{shown}")))
}

fn view(path: &RelativePath, range: Option<&[i64]>, workplace: &Workplace) -> Result<Value, ToolError> {
    let file = match workplace.root.file(path) {
        Err(Refusal::IsAFolder { .. }) if range.is_some() => {
            return Err(ToolError::bad_input(format!("{path} is a folder, and view_range is for files")));
        }
        Err(Refusal::IsAFolder { .. }) => return list_files::list(path, 2, workplace),
        other => other?,
    };
    let (first, most) = match range {
        None => (1, USUAL_LINES),
        Some(range) => bounds(range)?,
    };
    let page = page::read(file, path, first, most)?;
    check_end(path, range, &page)?;
    let mut shown: String =
        page.lines.iter().enumerate().map(|(index, line)| numbered(page.first + index, line)).collect();
    let asked_all = range.is_none_or(|range| range[1] == -1) || page.lines.len() < most;
    if let Some(note) = page.note("see others with view_range").filter(|_| asked_all) {
        shown.push_str(&note);
        shown.push('\n');
    }
    if page.total == Some(0) {
        shown.push_str("[the file is empty]\n");
    }
    Ok(json!(shown))
}

/// The first line and how many, from `[first, last]`.
fn bounds(range: &[i64]) -> Result<(usize, usize), ToolError> {
    let bad = |why: &str| ToolError::bad_input(format!("\"view_range\" is {range:?}: {why}"));
    let [first, last] = *range else {
        return Err(bad("it is two numbers, the first line and the last"));
    };
    let from = usize::try_from(first).ok().filter(|from| *from > 0);
    let from = from.ok_or_else(|| bad("lines are counted from 1"))?;
    match last {
        -1 => Ok((from, USUAL_LINES)),
        last if last < first => Err(bad("the last line is before the first; -1 is the end of the file")),
        last => Ok((from, usize::try_from(last - first + 1).unwrap_or(usize::MAX))),
    }
}

fn check_end(path: &RelativePath, range: Option<&[i64]>, page: &Page) -> Result<(), ToolError> {
    let (Some(&[first, last]), Some(total)) = (range, page.total) else { return Ok(()) };
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let is_whole = total == 0 && (first, last) == (1, -1);
    if (first > total && !is_whole) || last > total {
        let message = format!("{path} has {total} lines, and view_range is [{first}, {last}]");
        return Err(ToolError::new(Code::BeyondEnd, message));
    }
    Ok(())
}

fn numbered(number: usize, line: &str) -> String {
    format!("{number:>6}\t{line}\n")
}

fn short(line: &str) -> String {
    if line.chars().count() <= QUOTED {
        return line.to_owned();
    }
    line.chars().take(QUOTED).chain(['…']).collect()
}

fn explain(path: &RelativePath, miss: Miss) -> ToolError {
    match miss {
        Miss::EmptyAnchor => {
            ToolError::bad_input("\"old_str\" is empty; name the text to replace, or use insert to add some")
        }
        Miss::NoChange => ToolError::new(Code::NoChange, format!("{path} would stay as it is")),
        Miss::BeyondEnd { lines } => ToolError::new(
            Code::BeyondEnd,
            format!("{path} has {lines} lines; insert_line is one of 0 (before the first) to {lines}"),
        ),
        Miss::NotUnique { times, lines } => {
            let more = if lines.len() < times { ", …" } else { "" };
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let lines = lines.join(", ");
            let message = format!(
                "old_str is {times} times in {path}, at lines {lines}{more}; give more of the lines around the one \
                 that is meant"
            );
            ToolError::new(Code::NotUnique, message)
        }
        Miss::NoMatch { nearest: None } => ToolError::new(
            Code::NoMatch,
            format!("old_str is not in {path}, nor is anything like it; view the file"),
        ),
        Miss::NoMatch { nearest: Some(near) } => {
            ToolError::new(Code::NoMatch, format!("old_str is not in {path}; {}", describe(&near)))
        }
    }
}

fn describe(near: &Nearest) -> String {
    if near.there.is_empty() {
        return format!("the file ends before line {}, where it says {:?}", near.line, short(&near.wanted));
    }
    let what = match near.difference {
        Difference::Whitespace => "only spaces or tabs differ",
        Difference::Case => "only upper and lower case differ",
        Difference::Typography => "only quotes, dashes or special spaces differ",
        Difference::Words => "the words differ",
    };
    let (there, wanted) = (short(&near.there), short(&near.wanted));
    format!("nearest is line {}: {what}; the file has {there:?} and old_str {wanted:?}", near.line)
}
