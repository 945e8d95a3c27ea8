//! Lines for PowerShell and for `cmd`, written as a POSIX shell would have them, as far as exit codes and variables go.

/// How things are written there, and what they are called by a POSIX shell.
#[rustfmt::skip]
const OF_POWERSHELL: &[(&str, &str)] = &[
    ("`\r\n", " "), ("`\n", " "), ("Write-Host", "echo"), ("Write-Output", "echo"), ("\\\"", "\""),
    ("-not $?", "$LASTEXITCODE -ne 0"), ("! $?", "$LASTEXITCODE -ne 0"), ("($?)", "($LASTEXITCODE -eq 0)"),
];
#[rustfmt::skip]
const OF_CMD: &[(&str, &str)] = &[
    ("^\r\n", " "), ("^\n", " "), ("\\", "/"), ("&&", "\u{1}"), ("2>&1", "\u{2}"), ("&", ";"), ("\u{1}", "&&"),
    ("\u{2}", "2>&1"), ("exit /b", "exit"), ("exit /B", "exit"), ("%^ERRORLEVEL%", "$?"), ("!ERRORLEVEL!", "$?"),
    ("%ERRORLEVEL%", "$?"), ("%errorlevel%", "$?"), (">nul", ">/dev/null"),
];

/// Whether a line speaks PowerShell.
pub(super) fn speaks_powershell(line: &str) -> bool {
    let signs = [
        "$env:", "$LASTEXITCODE", "-not $?", "if ($?)", "if($?)", " `\n", " `\r\n", "| Select-", "| Out-",
        "| Tee-",
    ];
    // It has no here-documents; a script that another shell writes into a file may say anything.
    !line.contains("<<") && signs.iter().any(|sign| line.contains(sign))
}

/// A PowerShell line: `$env:X = 'y'` exports, a backtick at the end joins lines, `if (…) { … }` asks.
pub(super) fn of_powershell(line: &str) -> String {
    let text = replaced(line, OF_POWERSHELL);
    // `$env:X = 'y'` and `$code = $LASTEXITCODE`
    let mut written = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        let name = from[1..].strip_prefix("env:").unwrap_or(&from[1..]);
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len());
        let value = name[end..].trim_start().strip_prefix('=').filter(|value| !value.starts_with('='));
        let begins = before.trim_end().is_empty() || before.trim_end().ends_with([';', '&', '|', '{', '\n']);
        match value {
            Some(value) if begins && end > 0 => {
                written.push_str(if from.starts_with("$env:") { "export " } else { "" });
                written.push_str(&name[..end]);
                written.push('=');
                rest = value.trim_start();
            }
            _ => {
                written.push('$');
                rest = if from.starts_with("$env:") { name } else { &from[1..] };
            }
        }
    }
    written.push_str(rest);
    asked(&written)
}

/// `if ($LASTEXITCODE -ne 0) { exit 1 } else { … }` as `if [ … ]; then … ; else …; fi`.
fn asked(line: &str) -> String {
    let Some((before, rest)) = line.split_once("if (").or_else(|| line.split_once("if(")) else {
        return line.to_owned();
    };
    let Some((condition, rest)) = rest.split_once(')') else { return line.to_owned() };
    let Some((body, rest)) = braced(rest) else { return line.to_owned() };
    let (otherwise, rest) = match rest.trim_start().strip_prefix("else").and_then(braced) {
        Some((body, rest)) => (format!("else {body}; "), rest),
        None => (String::new(), rest),
    };
    let separated =
        if rest.trim_start().starts_with([';', '|', '&']) || rest.trim().is_empty() { "" } else { ";" };
    format!("{before}if [ {condition} ]; then {body}; {otherwise}fi{separated}{}", asked(rest))
}

/// The text in the braces that stand first, and what follows them.
fn braced(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('{')?;
    let mut depth = 1_usize;
    let end = text.find(|c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        depth == 0
    })?;
    Some((text[..end].trim().trim_end_matches(';'), &text[end + 1..]))
}

/// A line for `cmd`: `&` goes on whatever happened, `^` joins lines, `%ERRORLEVEL%` is the last code.
pub(super) fn of_cmd(line: &str) -> String {
    let text = replaced(line.trim(), OF_CMD);
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        // `set X=y`
        let sets = word.contains('=') && words.last().is_some_and(|last| last.eq_ignore_ascii_case("set"));
        if sets {
            words.pop();
            words.push("export");
        }
        words.push(word);
    }
    words.join(" ")
}

/// `text` with each of the first written as the second, one after the other.
fn replaced(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (written, meant)| text.replace(written, meant))
}
