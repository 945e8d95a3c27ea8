//! Whether a number names what failed, or only where, when or how long: `python 3.8 is needed`, `curl: (7)` and `KeyError: 1`
//! are other failures with another number; `line 7`, `pid 4711` and `after 30 s` are not.
//!
//! Numbers that change from run to run are known by their shape (long ones, times, addresses of machines, decimals with
//! many digits) or by the word beside them. Every other number counts. So do the values of an assertion: a test that gets 404
//! where it wants 200 fails otherwise than one that gets 500.

/// The words around a number, in lower case and without marks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Near<'a> {
    pub(super) before: &'a str,
    pub(super) behind: &'a str,
}

/// Behind these a number says what happened, however long it is.
const NAMING: &[&str] = &["errno", "status", "code", "signal", "http", "sqlstate", "exit", "version", "rc"];
/// Behind these a number says where, who or how long.
const COUNTING: &[&str] = &[
    "line", "lines", "ln", "col", "column", "char", "character", "position", "pos", "offset", "byte",
    "bytes", "pid", "tid", "process", "thread", "worker", "goroutine", "job", "request", "session",
    "transaction", "connection", "seed", "attempt", "try", "retry", "id", "uid", "run", "in", "after",
    "took", "within", "elapsed", "duration", "time", "timestamp",
];
/// Before these a number says how long, how much or how often.
const COUNTED: &[&str] = &[
    "s", "ms", "us", "ns", "sec", "secs", "second", "seconds", "millisecond", "milliseconds", "minute",
    "minutes", "min", "hour", "hours", "day", "days", "byte", "bytes", "kb", "mb", "gb", "kib", "mib", "gib",
    "attempt", "attempts", "retry", "retries", "tries", "time", "times", "test", "tests", "error", "errors",
    "warning", "warnings", "failures", "percent",
];
/// Before these a number that begins says how many.
const RESULTS: &[&str] = &["failed", "passed", "skipped"];
/// Ports below this are a service's own; others are often the next free one.
const FIRST_FREE_PORT: u32 = 1_024;
const LONGEST: usize = 4;

/// Whether a number that stands alone, like `7`, `0012`, `3.11` or `12:30:01`, changes from run to run.
pub(super) fn is_noise(number: &str, near: Near<'_>) -> bool {
    if number.contains(':') || number.matches('.').count() == 3 {
        return true;
    }
    if NAMING.contains(&near.before) {
        return false;
    }
    if near.before == "port" {
        return number.parse().is_ok_and(|port: u32| port >= FIRST_FREE_PORT);
    }
    let is_beside = COUNTING.contains(&near.before)
        || COUNTED.contains(&near.behind)
        || (near.before.is_empty() && RESULTS.contains(&near.behind))
        || is_of_a_date(near.before)
        || is_of_a_date(near.behind);
    is_beside || is_long(number)
}

fn is_long(number: &str) -> bool {
    match number.split_once('.') {
        // `0.30000000000000004`
        Some((_, fraction)) => {
            fraction.split('.').any(|part| part.len() > LONGEST - 1 && !part.starts_with('0'))
        }
        // `0012` is a name of that length.
        None => number.len() > LONGEST && !number.starts_with('0'),
    }
}

/// Months, days and the like, which never say what failed.
pub(super) fn is_of_a_date(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "jun", "jul", "aug",
        "sep", "oct", "nov", "dec", "ms", "am", "pm", "utc", "gmt",
    ];
    WORDS.contains(&word)
}
