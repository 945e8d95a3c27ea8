//! Which variables decide what a check is or what it looks at: search paths, options for the runner, selections.

use super::words;

/// Whether `NAME=value` may make a check another one.
pub(crate) fn bears(assignment: &str) -> bool {
    let Some((name, value)) = assignment.split_once('=') else { return false };
    let name = name.to_lowercase();
    // What is looked for last of all hides nothing.
    if name == "path" && (value.starts_with("$PATH") || value.starts_with("${PATH}")) {
        return false;
    }
    let said = |class: &str| name.split('_').any(|part| words::is(part, class));
    name.ends_with("path")
        || name.ends_with("flags")
        || name == "bash_env"
        || (said("bearing-variables") && !said("harmless-variables"))
}

/// The options that a variable hands to its runner: `--co` of `PYTEST_ADDOPTS=--co`.
pub(super) fn handed(assignment: &str) -> impl Iterator<Item = &str> {
    let (name, value) = assignment.split_once('=').unwrap_or_default();
    let options = ["OPTS", "OPTIONS", "ARGS", "FLAGS"].iter().any(|end| name.ends_with(end));
    value.split_whitespace().filter(move |word| options && word.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_decide() {
        for assignment in [
            "PATH=/tmp/b:$PATH", "PYTHONPATH=src", "LD_LIBRARY_PATH=.", "PYTEST_ADDOPTS=--co",
            "GOFLAGS=-run=X", "NODE_OPTIONS=-r ./x", "JEST_ARGS=a", "CARGO_BUILD_TARGET=x",
            "RUSTFLAGS=--cfg x", "LD_PRELOAD=./x.so", "SKIP_SLOW=1", "MAVEN_OPTS=-q", "TEST_FILTER=a",
            "BASH_ENV=x",
        ] {
            assert!(bears(assignment), "{assignment}");
        }
        for assignment in [
            "PATH=$PATH:/opt/x", "CI=1", "RUST_BACKTRACE=1", "CARGO_TERM_COLOR=never", "CARGO_TARGET_DIR=/t",
            "NODE_ENV=test", "RUST_TEST_THREADS=1", "CARGO_NET_OFFLINE=true", "GOCACHE=/t", "DATABASE_URL=x",
            "npm_config_cache=/t", "x",
        ] {
            assert!(!bears(assignment), "{assignment}");
        }
    }
}
