//! The page of a receipt, and that nobody's words become more than words on it.

use super::*;
use crate::report::receipt::SchemaName;

fn receipt(text: &str) -> Receipt {
    let command = Command {
        command: text.into(),
        exit_code: Some(0),
        result: RunResult::Passed,
        stale: false,
        at: crate::timestamp::Timestamp::try_from("2026-03-04T10:10:00Z".to_owned()).ok(),
    };
    let claim = Claim { text: text.into(), standing: ClaimStanding::Supported, commands: vec![command] };
    Receipt {
        schema: SchemaName::ReceiptV1,
        repo: text.into(),
        base: text.into(),
        head: text.into(),
        branch: Some(text.into()),
        bound: false,
        unbound_because: vec![text.into()],
        sessions: vec![SessionReceipt {
            session: text.into(),
            agent: text.into(),
            model: Some(text.into()),
            task: Some(text.into()),
            claims: vec![claim],
        }],
    }
}

/// What is left of a page when its code spans are taken out, as a renderer would: a span ends with as many backticks as it
/// began with.
fn outside_code(page: &str) -> String {
    let mut left = String::new();
    for line in page.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            left.push_str(&rest[..start]);
            let fence = rest[start..].chars().take_while(|c| *c == '`').count();
            let inside = &rest[start + fence..];
            let end = (0..inside.len()).find(|at| {
                inside[*at..].starts_with(&"`".repeat(fence))
                    && !inside[*at + fence..].starts_with('`')
                    && (*at == 0 || !inside[..*at].ends_with('`'))
            });
            rest = &inside[end.expect("a span that never ends") + fence..];
        }
        left.push_str(rest);
        left.push('\n');
    }
    left
}

#[test]
fn whatever_others_wrote_stands_in_code() {
    let plain = outside_code(&markdown(&receipt("x"), Some("y"), &Reruns::NotAsked));
    for hostile in [
        "@everyone look",
        "[click](https://evil.example)",
        "<img src=x onerror=alert(1)>",
        "a `b` c",
        "``` x ```` y",
        "`",
        "`````",
        "a | b \\| c \\\\| d",
        "one\n\n# two\r\n| three |",
        "--> <!-- hansei-receipt -->",
        "a\u{202e}b\u{2028}c\u{1b}[31m",
        "\\`x\\`",
    ] {
        let page = markdown(
            &receipt(hostile),
            Some("y"),
            &Reruns::Ran(vec![Rerun { command: hostile.into(), exit_code: 1 }]),
        );
        let left = outside_code(&page);
        let ours = outside_code(&markdown(
            &receipt("x"),
            Some("y"),
            &Reruns::Ran(vec![Rerun { command: "x".into(), exit_code: 1 }]),
        ));
        assert_eq!(left, ours, "{hostile:?}");
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let bars = row.char_indices().filter(|(at, c)| *c == '|' && !row[..*at].ends_with('\\')).count();
            assert_eq!(bars, 4, "{hostile:?}: {row}");
        }
    }
    assert!(plain.contains("Made for another commit"), "{plain}");
}

#[test]
fn the_page_says_what_ran_again_first() {
    let shown = |reruns: &Reruns| markdown(&receipt("x"), Some("x"), reruns);
    assert!(shown(&Reruns::Ran(vec![])).contains("Nothing: the base branch declares no checks."));
    let page = shown(&Reruns::Ran(vec![Rerun { command: "cargo test".into(), exit_code: 101 }]));
    assert!(
        page.starts_with("<!-- hansei-receipt -->\n### Hansei receipt\n\n#### Run again here\n"),
        "{page}"
    );
    assert!(page.contains("| `cargo test` | 101 | **failed** |"), "{page}");
    assert!(!shown(&Reruns::NotAsked).contains("Run again"));
    assert!(!shown(&Reruns::NotAsked).contains("Made for another commit"));
}
