//! What holds for any text.

use proptest::prelude::*;

use crate::check::known_checks::{KNOWN, TASK_RUNNERS};
use crate::check::masked_exit::STEPS;
use crate::check::read::read_in_steps;
use crate::check::{
    CheckResult, ExitMeaning, MaskReason, commands, hides_failure, hint, outcomes, read_command,
};

/// Pieces of shell, so that random lines have structure.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("cargo test"),
        Just("npm test"),
        Just("pytest"),
        Just("&&"),
        Just("||"),
        Just("|"),
        Just(";"),
        Just("&"),
        Just("\n"),
        Just("("),
        Just(")"),
        Just("{"),
        Just("}"),
        Just("$("),
        Just("`"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("if"),
        Just("then"),
        Just("else"),
        Just("fi"),
        Just("while"),
        Just("do"),
        Just("done"),
        Just("for"),
        Just("case"),
        Just("in"),
        Just("esac"),
        Just("<<EOF"),
        Just("EOF"),
        Just(">"),
        Just("2>&1"),
        Just("<("),
        Just("bash -c"),
        Just("timeout"),
        Just("exit"),
        Just("$?"),
        Just("set -e"),
        Just("[["),
        Just("]]"),
        Just("!"),
        Just("x=$?"),
        Just("function"),
        Just("f()"),
        Just("${"),
        Just("#"),
        Just("é"),
        Just("docker run"),
        Just("find . -exec"),
        Just("yarn workspace"),
        Just("python -m"),
        Just("-c"),
        Just("echo"),
        Just("xargs"),
        Just("env"),
        Just("--"),
    ];
    proptest::collection::vec((piece, prop_oneof![Just(" "), Just("")]), 0..40)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_line_is_read(line in pieces()) {
        let reading = read_command(&line);
        outcomes(&reading, Some(1), &line);
    }

    #[test]
    fn any_text_is_read(line in any::<String>(), output in any::<String>()) {
        read_command(&line);
        for command in ["cargo test | tail", "npm test", "make lint", "make"] {
            outcomes(&read_command(command), None, &output);
        }
    }

    #[test]
    fn a_check_alone_keeps_its_code_behind_any_folder_and_assignment(folder in "[a-z/]{1,12}", value in "[a-z0-9]{0,8}") {
        let reading = read_command(&format!("cd {folder} && A={value} cargo test"));
        prop_assert_eq!(&reading.checks[0].1, &crate::check::ExitMeaning::Own);
    }
}

#[test]
fn every_known_program_gets_past_the_first_look() {
    assert!(hint::WORDS.is_sorted());
    for row in KNOWN.iter() {
        let line = format!("{} {} {}", row.program, row.words.join(" "), row.options.first().unwrap_or(&""));
        assert!(hint::may_hold_check(&line), "{line}");
    }
    for row in TASK_RUNNERS.iter() {
        assert!(hint::may_hold_check(&format!("{} {} test", row.program, row.words.join(" "))));
    }
}

/// Doubling the input must not do much more than double the work; steps are counted by the size of what is read, so the
/// only measure left is that large inputs end within the patience of a test run.
#[test]
fn long_lines_end() {
    let nested = ["(", "$(", "{ ", "if ", "bash -c '", "`", "\"$(", "<(", "case x in a) ", "! ", "f() { "];
    for piece in nested {
        read_command(&format!("cargo test {}", piece.repeat(5_000)));
    }
    let repeated = [
        "cargo test && ", "cargo test | tail; ", "echo $(date); ", "1", "a=b ", "\\\n", "'' ", "<<E\n",
        "timeout 1 ", "${", "((", "x=$? ; ",
    ];
    for piece in repeated {
        read_command(&format!("{}cargo test", piece.repeat(5_000)));
    }
    let outputs = [
        "test result: ok. 1 passed; 0 failed; 0 ignored\n",
        "FAILED tests/a.py::x - y\n",
        "1 passed 1 passed ",
        "● a › b\n",
        "ok 1 - a\n",
        "\u{1b}[",
        "\r",
        "1,1,1,1,",
    ];
    for piece in outputs {
        outcomes(&read_command("npm test | tail"), None, &piece.repeat(400_000 / piece.len()));
    }
}

/// Loops in loops double with each. A line whose structure takes too long is unread: a failure in its output still counts, a
/// summary that looks green proves nothing.
#[test]
fn a_line_has_so_many_steps_and_no_more() {
    let whiles = |n: usize| format!("{}cargo test{}", "while read x; do ".repeat(n), "; done".repeat(n));
    let fors = |n: usize| "for f in a b; do cargo test || true; dx\n".repeat(n);
    let green = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let red =
        "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let deep = format!("{}true{}; cargo test", "(".repeat(40), ")".repeat(40));
    for line in [whiles(22), whiles(1500), fors(20), fors(200), fors(2000), whiles(200) + &fors(20), deep] {
        let mut steps = STEPS;
        let reading = read_in_steps(&line, &mut steps);
        assert_eq!(steps, 0, "{}", reading.checks.len());
        assert!(!reading.checks.is_empty());
        assert!(reading.checks.iter().any(|(_, told)| *told == ExitMeaning::Masked(MaskReason::Unread)));
        assert!(hides_failure(&line).is_some());
        assert!(commands(&line).iter().any(|command| command.program() == "cargo"), "{line:.80}");
        let last = |output: &str| outcomes(&reading, Some(0), output).pop().map(|outcome| outcome.result);
        assert_eq!(last(green), Some(CheckResult::Unknown));
        assert_ne!(last(red), Some(CheckResult::Passed));
    }
    for line in [
        whiles(3),
        "for p in a b c; do for k in x y; do cargo test -p $p --features $k || exit 1; done; done".into(),
        "set -e\n".to_owned() + &"cargo test -p a | tee log\n".repeat(24),
        "(((((((((((cargo test)))))))))))".into(),
    ] {
        let mut steps = STEPS;
        let reading = read_in_steps(&line, &mut steps);
        assert!(steps > STEPS / 4, "{steps} {line}");
        assert!(reading.checks.iter().all(|(_, told)| *told != ExitMeaning::Masked(MaskReason::Unread)));
    }
}
