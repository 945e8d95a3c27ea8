//! JSON objects in what a model answered: alone, in a code fence, in prose, or inside another object.

use serde_json::{Map, Value};

/// How many places that could begin an object are tried.
const MOST_TRIES: usize = 200;
const DEEPEST: usize = 3;

/// Every object with `field` in it, in order.
pub(crate) fn objects_with(answer: &str, field: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut rest = answer;
    for _ in 0..MOST_TRIES {
        let Some(start) = rest.find('{') else { break };
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                collect(value, field, 0, &mut found);
                rest = &rest[values.byte_offset()..];
            }
            _ => rest = &rest[1..],
        }
    }
    found
}

fn collect(value: Value, field: &str, depth: usize, found: &mut Vec<Map<String, Value>>) {
    let Value::Object(fields) = value else { return };
    if fields.contains_key(field) {
        found.push(fields);
    } else if depth < DEEPEST {
        for (_, inner) in fields {
            collect(inner, field, depth + 1, found);
        }
    }
}
