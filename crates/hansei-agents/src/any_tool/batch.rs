//! Several calls in one: the tools that a batch names, and the result of each.

use serde_json::Value;

/// The calls of a batch: the name and the input of each. None for a call that is only itself.
pub(super) fn batch(input: &Value) -> Option<Vec<(String, Value)>> {
    let text = |item: &Value, keys: &[&str]| {
        keys.iter()
            .find_map(|key| item[key].as_str())
            .map(|name| name.trim_start_matches("functions.").to_owned())
    };
    let lists = input.as_object()?.values().filter_map(Value::as_array);
    lists.filter(|list| !list.is_empty()).find_map(|list| {
        let calls = list.iter().map(|item| {
            let tool = text(item, &["recipient_name", "tool_name", "toolName", "tool", "name"])?;
            let input = ["parameters", "arguments", "args", "params", "input"];
            let input = input.iter().map(|key| &item[key]).find(|input| input.is_object())?;
            Some((tool, input.clone()))
        });
        calls.collect()
    })
}

/// The results of a batch of so many calls, where they can be told from each other.
pub(super) fn results(output: &str, calls: usize) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(output.trim()).ok()?;
    let list = value.as_array().or_else(|| value.as_object()?.values().find_map(Value::as_array))?;
    let own = |result: &Value| match result {
        Value::String(text) => text.clone(),
        result => match &result["content"] {
            Value::String(text) => text.clone(),
            _ => result.to_string(),
        },
    };
    (list.len() == calls).then(|| list.iter().map(own).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn batches() {
        let input = json!({ "tool_uses": [
            { "recipient_name": "functions.shell", "parameters": { "command": "a" } },
            { "recipient_name": "functions.read", "parameters": { "path": "b" } },
        ] });
        let calls = batch(&input).unwrap();
        assert_eq!(calls[0], ("shell".into(), json!({ "command": "a" })));
        assert_eq!(calls[1].0, "read");
        for input in [
            json!({ "todos": [{ "content": "a", "status": "done" }] }),
            json!({ "edits": [{ "path": "a", "old": "b", "new": "c" }] }),
            json!({ "tool_uses": [] }),
            json!("a"),
        ] {
            assert_eq!(batch(&input), None, "{input}");
        }
        for (output, given) in [
            (r#"["a", {"exit_code": 1, "output": "b"}]"#, Some(vec!["a", r#"{"exit_code":1,"output":"b"}"#])),
            (r#"{"results": [{"content": "a"}, "b"]}"#, Some(vec!["a", "b"])),
            (r#"["a"]"#, None),
            ("a\nb", None),
        ] {
            let given = given.map(|given| given.into_iter().map(String::from).collect());
            assert_eq!(results(output, 2), given, "{output}");
        }
    }
}
