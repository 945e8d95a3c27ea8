//! What a package lets others import (`exports`): a path that it does not list cannot be imported, though the file is there.

use serde_json::Value;

/// Whether the manifest of a package keeps others from importing `subpath` (`./weight`).
pub(super) fn hides(manifest: &Value, subpath: &str) -> bool {
    let exports = &manifest["exports"];
    match exports {
        Value::Object(map) if map.keys().any(|key| key.starts_with('.')) => {
            !map.iter().any(|(key, target)| !target.is_null() && fits(key, subpath))
        }
        // One target, or one for each way of importing: the package itself and nothing below it.
        Value::Object(_) | Value::String(_) => subpath != ".",
        _ => false,
    }
}

/// Whether an entry means the path. One with a star stands for all that it can become.
fn fits(key: &str, subpath: &str) -> bool {
    if key == subpath || key.ends_with('/') && subpath.starts_with(key) {
        return true;
    }
    key.split_once('*').is_some_and(|(before, after)| {
        subpath.len() > before.len() + after.len() && subpath.starts_with(before) && subpath.ends_with(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_listed_is_hidden() {
        for (exports, subpath, expected) in [
            (json!({ ".": "./a.js", "./b": "./b.js" }), "./b", false),
            (json!({ ".": "./a.js", "./b": "./b.js" }), "./c", true),
            (json!({ ".": "./a.js", "./lib/*": "./lib/*.js" }), "./lib/c", false),
            (json!({ ".": "./a.js", "./lib/*.js": "./lib/*.js" }), "./lib/c", true),
            (json!({ ".": "./a.js", "./lib/": "./lib/" }), "./lib/c.js", false),
            (json!({ ".": "./a.js", "./b": null }), "./b", true),
            (json!({ "import": "./a.mjs", "require": "./a.cjs" }), ".", false),
            (json!({ "import": "./a.mjs", "require": "./a.cjs" }), "./b", true),
            (json!("./a.js"), "./b", true),
            (Value::Null, "./b", false),
        ] {
            assert_eq!(hides(&json!({ "exports": exports }), subpath), expected, "{exports} {subpath}");
        }
    }
}
