//! YAML as JSON values, read as YAML 1.2 has it: `yes` and `on` are words. Anchors and merge keys are followed, within
//! limits that a hostile file meets before the machine does.

use serde_json::Value;

use crate::Problem;

/// Reads a YAML text; `place` says which, for errors.
pub fn parse(text: &str, place: &str) -> Result<Value, Problem> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_events: 1_000_000, max_aliases: 20_000, max_depth: 100 },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| Problem::new(place, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn yaml_is_read_as_its_newer_version_has_it() {
        for (text, value) in [
            ("a: yes\nb: on\nc: true", json!({ "a": "yes", "b": "on", "c": true })),
            ("a: &x { k: 1 }\nb: *x", json!({ "a": { "k": 1 }, "b": { "k": 1 } })),
            (
                "a: &x { k: 1, l: 2 }\nb: { <<: *x, l: 3 }",
                json!({ "a": { "k": 1, "l": 2 }, "b": { "k": 1, "l": 3 } }),
            ),
            ("a: |\n  one\n  two\n", json!({ "a": "one\ntwo\n" })),
            ("a: 1.5\nb: '1'\nc: null\nd: ~", json!({ "a": 1.5, "b": "1", "c": null, "d": null })),
        ] {
            assert_eq!(parse(text, "x").unwrap(), value, "{text}");
        }
    }

    #[test]
    fn hostile_yaml_is_refused_with_its_place() {
        let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let before = format!("*a{}", level - 1);
            laughs.push_str(&format!("a{level}: &a{level} [{}]\n", vec![before; 10].join(", ")));
        }
        for text in [laughs, "[".repeat(100_000), "a: 1\na: 2".to_owned(), "a: [".to_owned()] {
            let problem = parse(&text, "f.yaml").unwrap_err();
            assert_eq!(problem.place, "f.yaml");
        }
    }
}
