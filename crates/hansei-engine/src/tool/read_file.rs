//! `read_file`: the text of a file, in parts where it is large.

use hansei_workspace::beneath::RelativePath;
use serde_json::{Value, json};

use super::input::Input;
use super::page::{self, USUAL_LINES};
use super::{Code, Tool, ToolError, Workplace, object};

pub(super) const TOOL: Tool = Tool {
    name: "read_file",
    description: "Read a text file of the workspace, without line numbers: `limit` lines (2000 where it is not given) \
        from line `offset` on (1 is the first). What was not read is said at the end.",
    schema,
    run,
};

fn schema() -> Value {
    object(
        &json!({
            "path": { "type": "string", "description": "The file, relative to the root of the workspace." },
            "offset": { "type": "integer", "description": "The first line to read, counted from 1." },
            "limit": { "type": "integer", "description": "How many lines to read." }
        }),
        &["path"],
    )
}

fn run(input: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let path = RelativePath::parse(input.required("path")?)?;
    let first = input.count("offset", 1)?.unwrap_or(1);
    let most = input.count("limit", 1)?.unwrap_or(USUAL_LINES);
    let page = page::read(workplace.root.file(&path)?, &path, first, most)?;
    if let Some(total) = page.total.filter(|total| first > (*total).max(1)) {
        return Err(ToolError::new(
            Code::BeyondEnd,
            format!("{path} has {total} lines, and offset is {first}"),
        ));
    }
    let mut text: String = page.lines.iter().flat_map(|line| [line, "\n"]).collect();
    if let Some(note) = page.note(&format!("go on with offset {}", page.last() + 1)) {
        text.push_str(&note);
        text.push('\n');
    }
    Ok(json!(text))
}
