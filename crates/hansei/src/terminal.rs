//! Text that others wrote, made safe to print: a file name or a payload must not drive the user's terminal.

use std::borrow::Cow;

/// `text` with every control character but the line feed made visible.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// [`visible`] on one line.
pub fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}

/// Prints `value` as indented JSON. Writing to a closed pipe is not an error worth reporting.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), crate::failure::Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        crate::failure::Failure::environment(format!("the answer cannot be written as JSON: {error}"))
    })?;
    print(&format!("{text}\n"));
    Ok(())
}

/// Prints `text` as it is.
pub fn print(text: &str) {
    use std::io::Write as _;
    let _ = anstream::stdout().write_all(text.as_bytes());
}

/// The beginning of `text` on one line, redacted: what others said may hold anything.
pub fn short(text: &str, most: usize) -> String {
    let clean = hansei_record::redact::redact(text);
    let line = one_line(&clean.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A number of seconds as a person says it.
pub fn duration(seconds: i64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A large number as a person reads it.
pub fn count(number: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = number.saturating_add(unit / 20) / (unit / 10);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match number {
        0..1000 => number.to_string(),
        1000..999_950 => format!("{}k", tenths(1000)),
        _ => format!("{}M", tenths(1_000_000)),
    }
}

/// What model calls took: tokens and dollars, as far as they are known.
pub fn cost(tokens: Option<u64>, dollars: Option<f64>) -> String {
    let tokens = tokens.map(|tokens| format!("{} tok", count(tokens)));
    let dollars = dollars.map(|dollars| format!("${dollars:.2}"));
    let known: Vec<String> = tokens.into_iter().chain(dollars).collect();
    if known.is_empty() { "cost unknown".to_owned() } else { known.join(" ") }
}
