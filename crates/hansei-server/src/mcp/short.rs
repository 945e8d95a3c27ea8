//! An answer that fits into a conversation: lists and texts are cut, the longest first, and what was left out is said.

use serde_json::{Map, Value, json};

/// The most bytes of an answer: some ten thousand tokens.
pub(super) const LONGEST_ANSWER: usize = 40_000;

/// How much is kept of every list and of every text, from generous to strict.
const STEPS: [(usize, usize); 5] = [(200, 4_000), (50, 1_000), (20, 400), (5, 200), (1, 80)];

/// `value` as it is where it fits, else shortened, with what was left out under `left_out`.
pub(super) fn shortened(value: Value) -> Value {
    let bytes = value.to_string().len();
    if bytes <= LONGEST_ANSWER {
        return value;
    }
    for (items, characters) in STEPS {
        let mut cut = Cut { items, characters, left_out: Vec::new() };
        let mut short = cut.of(&value, &mut String::new());
        if let Value::Object(fields) = &mut short {
            fields.insert("left_out".to_owned(), cut.left_out.into());
        }
        if short.to_string().len() <= LONGEST_ANSWER {
            return short;
        }
    }
    json!({ "left_out": [{ "at": "", "bytes": bytes }] })
}

/// One way to cut, and what it cut.
struct Cut {
    items: usize,
    characters: usize,
    left_out: Vec<Value>,
}

impl Cut {
    fn of(&mut self, value: &Value, at: &mut String) -> Value {
        match value {
            Value::String(text) => {
                let Some((end, _)) = text.char_indices().nth(self.characters) else {
                    return value.clone();
                };
                let left = text[end..].chars().count();
                self.left_out.push(json!({ "at": at, "characters": left }));
                Value::String(format!("{}…", &text[..end]))
            }
            Value::Array(items) => {
                if let Some(left) = items.len().checked_sub(self.items).filter(|left| *left > 0) {
                    self.left_out.push(json!({ "at": at, "items": left }));
                }
                let kept = items.iter().take(self.items).enumerate();
                kept.map(|(place, item)| self.below(item, at, &place.to_string())).collect()
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(key, item)| (key.clone(), self.below(item, at, key)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    fn below(&mut self, value: &Value, at: &mut String, key: &str) -> Value {
        let length = at.len();
        at.push('/');
        at.push_str(key);
        let cut = self.of(value, at);
        at.truncate(length);
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_not_touched() {
        let value = json!({ "findings": [{ "cause": "x".repeat(5_000) }], "n": 1.5, "none": null });
        assert_eq!(shortened(value.clone()), value);
    }

    #[test]
    fn lists_and_texts_are_cut_as_little_as_needed_and_said() {
        let files: Vec<String> = (0..9_000).map(|n| format!("src/{n}.rs")).collect();
        let short = shortened(json!({ "rank": 0.5, "files": files }));
        assert_eq!((short["files"].as_array().unwrap().len(), &short["rank"]), (200, &json!(0.5)));
        assert_eq!(short["left_out"], json!([{ "at": "/files", "items": 8_800 }]));
        let short = shortened(json!({ "rows": [{ "text": "ä".repeat(60_000) }] }));
        assert_eq!(short["left_out"], json!([{ "at": "/rows/0/text", "characters": 56_000 }]));
        assert_eq!(short["rows"][0]["text"].as_str().unwrap().chars().count(), 4_001);
    }

    #[test]
    fn whatever_comes_is_bounded() {
        let wide: Map<String, Value> = (0..20_000).map(|n| (format!("key-{n}"), json!(n))).collect();
        let nested = (0..9).fold(json!("x".repeat(9_000)), |inner, _| json!([inner.clone(), inner]));
        for value in [Value::Object(wide), json!(vec!["y".repeat(500); 5_000]), nested] {
            assert!(shortened(value).to_string().len() <= LONGEST_ANSWER);
        }
    }
}
