//! JSON objects in the middle of a text: whatever stands between braces that match, if it can be read.

use serde_json::Value;

use crate::yaml;

/// The longest object that is looked for.
const LONGEST: usize = 100_000;
/// How many bytes are looked at in all: a text of nothing but open braces would take for ever.
const PATIENCE: usize = 20_000_000;

/// The objects in `text`, outermost only. One that is cut off at the end is closed first.
pub fn objects(text: &str) -> Vec<Value> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut patience = PATIENCE;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'{' {
            at += 1;
            continue;
        }
        let (end, open) = matching(&bytes[at..], &mut patience);
        if patience == 0 {
            break;
        }
        if end == 1 {
            // The last letter: nothing was begun that could be finished.
            break;
        }
        let mut candidate = String::from_utf8_lossy(&bytes[at..at + end]).into_owned();
        candidate.extend(std::iter::repeat_n('}', open));
        match read(&candidate) {
            Some(object) => {
                found.push(object);
                at += end;
            }
            None => at += 1,
        }
    }
    found
}

/// Where the brace at the beginning is closed, and how many are still open there.
fn matching(bytes: &[u8], patience: &mut usize) -> (usize, usize) {
    let mut open = 0_usize;
    for (at, byte) in bytes.iter().take(LONGEST).enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        *patience = patience.saturating_sub(1);
        if open == 0 {
            return (at + 1, 0);
        }
    }
    (bytes.len().min(LONGEST), open)
}

/// As JSON, or as YAML, which forgives a missing quote and a comma too many.
fn read(candidate: &str) -> Option<Value> {
    let parsed = serde_json::from_str(candidate).ok().or_else(|| yaml::parse(candidate, "").ok())?;
    Some(parsed).filter(|value: &Value| value.is_object() || value.is_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_found_in_prose() {
        for (text, found) in [
            ("no object", vec![]),
            (r#"Here: {"a": 1} and {"b": {"c": 2}}."#, vec![json!({ "a": 1 }), json!({ "b": { "c": 2 } })]),
            ("```json\n{\"a\": [1, 2]}\n```", vec![json!({ "a": [1, 2] })]),
            ("{a: 1, b: x}", vec![json!({ "a": 1, "b": "x" })]),
            (r#"cut {"a": {"b": 1"#, vec![json!({ "a": { "b": 1 } })]),
            ("{x} {", vec![json!({ "x": null })]),
        ] {
            assert_eq!(objects(text), found, "{text}");
        }
        assert_eq!(objects(&"{".repeat(1_000_000)).len(), 0);
    }
}
