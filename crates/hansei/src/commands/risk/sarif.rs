//! The answer as SARIF 2.1.0, which code hosts and editors read.

use std::fmt::Write as _;

use hansei_core::risk::RiskVerdict;
use hansei_core::risk::likelihood::{Likelihood, rank};
use hansei_core::surface::Surface;
use serde_json::{Value, json};

use super::Flagged;

pub(super) fn log(verdict: &RiskVerdict, likelihood: &Likelihood, flagged: &[Flagged<'_>]) -> Value {
    let surfaces: Vec<Surface> =
        Surface::ALL.into_iter().filter(|surface| *surface != Surface::None).collect();
    let rules: Vec<Value> = surfaces
        .iter()
        .map(|surface| {
            json!({
                "id": rule(*surface),
                "shortDescription": { "text": format!("A change on the {surface} surface") },
                "properties": { "weight": surface.weight() },
            })
        })
        .collect();
    let results: Vec<Value> = flagged
        .iter()
        .map(|flagged| {
            json!({
                "ruleId": rule(flagged.verdict.surface),
                "level": "warning",
                "message": { "text": format!("Review needed: {}", flagged.verdict.reason) },
                "locations": [{
                    "physicalLocation": { "artifactLocation": { "uri": uri(flagged.path), "uriBaseId": "%SRCROOT%" } },
                }],
                "rank": flagged.rank() * 100.0,
                "properties": { "score": flagged.verdict.score, "likelihood": flagged.likelihood },
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "hansei", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "utf16CodeUnits",
            "results": results,
            "properties": {
                "score": verdict.score,
                "likelihood": likelihood,
                "rank": rank(verdict.score, likelihood),
            },
        }],
    })
}

fn rule(surface: Surface) -> String {
    format!("review-risk/{surface}")
}

/// A path as a relative URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in hansei_core::path_text::decode(path) {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
