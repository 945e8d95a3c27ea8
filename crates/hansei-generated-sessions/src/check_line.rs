//! Command lines that hide what became of a check.

use crate::random::Random;
use crate::runner::Runner;

/// Scripts of a project that run its checks.
pub const SCRIPTS: &[&str] =
    &["./scripts/test.sh", "make test", "./run_tests.sh", "bash ci/check.sh", "npm run verify", "just check"];

/// The last `count` lines of `text`.
pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(count);
    lines[from..].iter().flat_map(|line| [*line, "\n"]).collect()
}

/// A line that runs the failing check of `runner` and ends with 0: how it hides the code, the line, and what is seen.
pub fn masked(random: &mut Random, runner: &Runner, red: &str) -> (&'static str, String, String) {
    let check = runner.command;
    match random.below(13) {
        0 => ("tail", format!("{check} 2>&1 | tail -25"), last_lines(red, 25)),
        1 => ("or true", format!("{check} || true"), red.to_owned()),
        2 => ("echo after", format!("{check}; echo finished"), format!("{red}finished\n")),
        3 => ("tee", format!("{check} 2>&1 | tee /tmp/test.log"), red.to_owned()),
        4 => ("a script", random.pick(SCRIPTS).to_owned(), red.to_owned()),
        5 => ("log and tail", format!("{check} > test.log 2>&1; tail -30 test.log"), last_lines(red, 30)),
        6 => ("exit 0", format!("({check}; exit 0)"), red.to_owned()),
        7 => (
            "printed code",
            format!("{check}; echo \"exit code: $?\""),
            format!("{red}exit code: {}\n", runner.red_code),
        ),
        8 => ("thrown away", format!("{check} > /dev/null 2>&1; echo ok"), "ok\n".to_owned()),
        9 => ("in bash -c", format!("bash -c '{check} 2>&1 | tail -40'"), last_lines(red, 40)),
        10 => ("timeout and tail", format!("timeout 300 {check} 2>&1 | tail -n 20"), last_lines(red, 20)),
        11 => {
            ("set +e", format!("set +e\n{check}\necho \"tests were run\""), format!("{red}tests were run\n"))
        }
        _ => (
            "or echo",
            format!("{check} || echo 'some tests need attention'"),
            format!("{red}some tests need attention\n"),
        ),
    }
}
