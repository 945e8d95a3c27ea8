//! What the inputs of several agents' tools have in common: lists of things to do, and questions to the human.

use hansei_core::session::{Todo, TodoStatus};
use serde_json::Value;

/// A list of things to do whose items say what under the key `what`.
pub(crate) fn todos(list: &Value, what: &str) -> Vec<Todo> {
    let todo = |item: &Value| Todo {
        text: item[what].as_str().unwrap_or_default().to_owned(),
        status: TodoStatus::from_name(item["status"].as_str().unwrap_or_default()),
    };
    list.as_array().into_iter().flatten().map(todo).collect()
}

/// The questions of a tool that asks the human, one a line.
pub(crate) fn questions(input: &Value) -> String {
    let list = input["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = list.iter().filter_map(|question| question["question"].as_str()).collect();
    texts.join("\n")
}
