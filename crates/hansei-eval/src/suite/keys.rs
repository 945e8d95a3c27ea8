//! The keys that an eval file may have at each place. One that is not listed could change what the file means, so it is
//! an error; those that are listed and not used change nothing about which case passes.

use serde_json::{Map, Value};

use crate::Problem;

/// Of the file itself.
pub const FILE: &[&str] = &[
    "$schema", "description", "prompts", "providers", "targets", "tests", "defaultTest", "evaluateOptions",
    "commandLineOptions", "sharing", "outputPath", "tags", "metadata", "writeLatestResults",
];
/// Of `evaluateOptions`.
pub const EVALUATE: &[&str] = &["repeat", "maxConcurrency", "delay", "showProgressBar", "cache"];
/// Of `commandLineOptions`.
pub const COMMAND_LINE: &[&str] = &[
    "repeat", "maxConcurrency", "delay", "cache", "progressBar", "verbose", "table", "write", "share",
    "output",
];
/// Of a test, and of `defaultTest`.
pub const TEST: &[&str] = &["description", "vars", "assert", "threshold", "options", "metadata", "prompts"];
/// Of a test's `options`.
pub const OPTIONS: &[&str] = &[
    "provider", "rubricPrompt", "prefix", "suffix", "transform", "postprocess", "disableVarExpansion",
    "disableDefaultAsserts", "disableConversationVar", "repeat",
];
/// Of an assertion.
pub const ASSERTION: &[&str] =
    &["type", "value", "threshold", "weight", "metric", "transform", "provider", "rubricPrompt", "config"];
/// Of a set of assertions.
pub const ASSERTION_SET: &[&str] = &["type", "assert", "threshold", "weight", "metric", "config"];
/// Of a provider.
pub const PROVIDER: &[&str] = &["id", "label", "config", "transform", "delay"];
/// Of a prompt.
pub const PROMPT: &[&str] = &["id", "raw", "label"];

/// Checks that `map`, which stands at `key` of `place`, has no key but those of `known`. Keys that begin with `x-` or `_`
/// are places to keep anchors.
pub fn check(map: &Map<String, Value>, known: &[&str], place: &str, key: &str) -> Result<(), Problem> {
    let strange = map.keys().find(|name| {
        !known.contains(&name.as_str())
            && !(key.is_empty() && (name.starts_with("x-") || name.starts_with('_')))
    });
    match strange {
        None => Ok(()),
        Some(name) => Err(Problem::new(at(place, key), format!("{name:?} is not supported here"))),
    }
}

/// A place within a place.
pub fn at(place: &str, key: &str) -> String {
    if key.is_empty() { place.to_owned() } else { format!("{place}: {key}") }
}
