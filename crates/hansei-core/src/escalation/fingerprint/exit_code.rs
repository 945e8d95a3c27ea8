//! The exit code of a failure: given, or said by what was printed.

/// Codes that say no more than that something failed; nobody who leaves them out speaks of another failure.
const ORDINARY: &[i32] = &[1, 2, 101];

/// Whether a code tells more than that something failed: a signal, a time limit, a code of the program's own.
pub(super) fn is_telling(code: i32) -> bool {
    !ORDINARY.contains(&code)
}

/// The last exit code that a text says: `exit code 101`, `exited with 2`, `(exit status: 137)`.
pub(super) fn said(text: &str) -> Option<i32> {
    text.lines().rev().find_map(said_on)
}

fn said_on(line: &str) -> Option<i32> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let starts =
        (0..words.len()).rev().filter(|at| matches!(words[*at], "exit" | "exited" | "exits" | "exiting"));
    starts.into_iter().find_map(|at| {
        let between = |word: &&&str| {
            matches!(
                **word,
                "code" | "status" | "with" | "non-zero" | "nonzero" | "a" | "exit" | "was" | "is"
            )
        };
        let rest = &words[at + 1..];
        let skipped = rest.iter().take_while(between).count();
        rest.get(skipped).filter(|_| skipped <= 4)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn an_exit_code_is_read_where_it_is_said() {
        for (text, code) in [
            ("process exited with code 101", Some(101)),
            ("exited with 2", Some(2)),
            ("  process didn't exit successfully: `x` (exit status: 137)", Some(137)),
            ("subprocess.CalledProcessError: Command 'x' returned non-zero exit status 3.", Some(3)),
            ("Error: Process completed with exit code 1.", Some(1)),
            ("exit code: 7\nlater words", Some(7)),
            ("exit code 7\nexit code 9", Some(9)),
            ("collect2: error: ld returned 1 exit status", None),
            ("the exit at gate 4 is closed", None),
            ("press ctrl-c to exit", None),
            ("", None),
        ] {
            assert_eq!(said(text), code, "{text}");
        }
    }
}
