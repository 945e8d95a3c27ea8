//! Claims as people read them: each with its words, how it stands and why, what was not recognised, and what would settle it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::terminal::{one_line, short};

/// The claims of a stop and what was not recognised, both as JSON.
pub fn claims(claims: &Value, unrecognised: &Value) -> String {
    let mut page = String::new();
    for claim in claims.as_array().into_iter().flatten() {
        let text = |key: &str| one_line(claim[key].as_str().unwrap_or_default());
        // Writing to a String cannot fail.
        let _ = writeln!(page, "  {:<12} {}: “{}”", text("mark"), text("kind"), short(&text("quote"), 120));
        let seen = claim["where"][0]["call"]
            .as_u64()
            .map(|call| format!(" [call {}]", call + 1))
            .unwrap_or_default();
        let _ = writeln!(page, "               {}{seen}", short(&text("because"), 200));
        if claim["mark"] != "supported" && claim["settle"].is_string() {
            let _ = writeln!(
                page,
                "               settle: run `{}` by itself, or correct the sentence",
                short(&text("settle"), 120)
            );
        }
    }
    let unknown: Vec<String> = unrecognised
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|text| short(text, 80))
        .collect();
    if !unknown.is_empty() {
        let _ = writeln!(page, "  not recognised: {}", unknown.join(", "));
    }
    page
}
