//! Every field of the contract, the ways in which payloads are really written, and what is none.

use proptest::prelude::*;

use super::attempt::Attempt;
use super::layer::FailureLayer;
use super::payload::{Escalation, LONGEST_PAYLOAD};
use super::payload_extent::extents;
use super::payload_reader::NoPayload;

fn full() -> Escalation {
    let texts = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    Escalation {
        attempt: Attempt::new(4),
        task_scope: "reflection rescue summary".to_owned(),
        suspected_failure_layer: vec![FailureLayer::Environment, FailureLayer::Dependency],
        what_was_tried: texts(&["pinned the driver", "status: of the pool was printed"]),
        what_did_not_work: texts(&["the same refusal"]),
        forced_context_checked: texts(&["DATABASE_URL is set"]),
        current_invariants: texts(&["the schema is right"]),
        handoff_artifacts: texts(&["task 12", "snapshot 0f86bb8", "connection refused"]),
        request: texts(&["Escalate above reflection layer."]),
    }
}

const EXACT: &str = "\
<ESCALATION>
status: blocked
attempt: [ATTEMPT: 4]
task_scope: reflection rescue summary
suspected_failure_layer:
- environment
- dependency
what_was_tried:
- pinned the driver
- status: of the pool was printed
what_did_not_work:
- the same refusal
forced_context_checked:
- DATABASE_URL is set
current_invariants:
- the schema is right
handoff_artifacts:
- task 12
- snapshot 0f86bb8
- connection refused
request:
- Escalate above reflection layer.
</ESCALATION>
";

#[test]
fn the_writer_is_exact_and_what_it_writes_comes_back() {
    assert_eq!(full().text(), EXACT);
    assert_eq!(Escalation::read(EXACT), Ok(full()));
    let bare = Escalation::of(Attempt::new(9), "");
    let read = Escalation::read(&bare.text()).unwrap();
    assert_eq!(read.suspected_failure_layer, [FailureLayer::Unknown]);
    assert_eq!((read.attempt, read.request.len()), (Attempt::new(9), 0));
}

#[test]
fn a_payload_is_read_however_it_is_written() {
    let starred = EXACT.replace("- ", "* ").replace("status: blocked", "**Status:** Blocked");
    let quoted: String = EXACT.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    let numbered = EXACT.replace("- task", "1. task").replace("- snapshot", "2) snapshot");
    let bulleted: String = EXACT
        .lines()
        .map(|line| match line.chars().next() {
            Some('<') => format!("{line}\n"),
            Some('-') => format!("  {line}\n"),
            _ => format!("- {line}\n"),
        })
        .collect();
    let json = format!(
        "<ESCALATION>\n```json\n{}\n```\n</ESCALATION>",
        serde_json::json!({
            "status": "blocked", "attempt": 4, "task_scope": "reflection rescue summary",
            "suspected_failure_layer": ["environment", "dependency"],
            "what_was_tried": ["pinned the driver", "status: of the pool was printed"],
            "what_did_not_work": "the same refusal", "forced_context_checked": ["DATABASE_URL is set"],
            "current_invariants": ["the schema is right"],
            "handoff_artifacts": ["task 12", "snapshot 0f86bb8", "connection refused"],
            "request": ["Escalate above reflection layer."],
        })
    );
    for (name, text) in [
        ("as it is", EXACT.to_owned()),
        ("in prose", format!("I am blocked.\n\n{EXACT}\nThank you.")),
        ("in a fence", format!("```markdown\n{EXACT}```\n")),
        ("other cases", EXACT.replace("ESCALATION", "escalation").replace("task_scope", "Task Scope")),
        ("indented", EXACT.replace('\n', "\n    ")),
        ("carriage returns", EXACT.replace('\n', "\r\n")),
        ("not closed", EXACT.replace("</ESCALATION>\n", "")),
        ("closed on the last line", EXACT.replace(".\n</ESCALATION>\n", ".</ESCALATION>")),
        ("twice the same", format!("{EXACT}\n{EXACT}")),
        (
            "layers in a line",
            EXACT.replace("layer:\n- environment\n- dependency", "layer: environment | dependency"),
        ),
        ("an item over two lines", EXACT.replace("the same refusal", "the same\n  refusal")),
        ("a plain number", EXACT.replace("[ATTEMPT: 4]", "4")),
        ("another's key", EXACT.replace("request:", "mood:\n- bad\nrequest:")),
        ("empty lines", EXACT.replace('\n', "\n\n")),
        ("a byte-order mark", format!("\u{feff}{EXACT}")),
        ("words before the tag", format!("Here is my payload: {EXACT}")),
        (
            "a mention before it",
            format!("An <ESCALATION> follows.\nThe tag <ESCALATION>\nbegins it:\n{EXACT}"),
        ),
        ("an attribute", EXACT.replace("<ESCALATION>", "<ESCALATION id=\"3\">")),
        ("colours", format!("\u{1b}[31m{}\u{1b}[0m", EXACT.replace("status", "\u{1b}[1mstatus\u{1b}[22m"))),
        ("a remark", EXACT.replace("blocked\n", "blocked  # really\n")),
        ("a marker alone", EXACT.replace("attempt: [", "[")),
        ("a marker in bold", EXACT.replace("attempt: [ATTEMPT: 4]", "**[ATTEMPT: 4]**")),
        ("bulleted keys", bulleted.clone()),
        (
            "keys in back-quotes",
            bulleted
                .replace("- status: blocked", "- `status: blocked`")
                .replace("- attempt: [ATTEMPT: 4]", "- `attempt: [ATTEMPT: 4+]`")
                .replace("<ESCALATION>", "- `<ESCALATION>`"),
        ),
        ("on one line", EXACT.trim_end().replace('\n', " ")),
        ("stars", starred),
        ("quoted", quoted),
        ("numbers", numbered),
        ("json", json),
    ] {
        assert_eq!(Escalation::read(&text), Ok(full()), "{name}:\n{text}");
    }
}

#[test]
fn what_is_no_trigger_is_refused() {
    let not = |status: &str| NoPayload::NotBlocked { status: status.to_owned() };
    for (text, why) in [
        (String::new(), NoPayload::Missing),
        ("status: blocked\nattempt: [ATTEMPT: 4]".to_owned(), NoPayload::Missing),
        ("please read the <ESCALATION> first".to_owned(), NoPayload::Missing),
        ("Write an <ESCALATION> when you are blocked.\nstatus: blocked".to_owned(), NoPayload::Missing),
        ("Write the <ESCALATION> at [ATTEMPT: 4], with status: blocked".to_owned(), NoPayload::Missing),
        ("<ESCALATION> tags are for whoever is blocked".to_owned(), NoPayload::Missing),
        ("<ESCALATIONS>\nstatus: blocked\nattempt: 4".to_owned(), NoPayload::Missing),
        (EXACT.replace("blocked", "in progress"), not("in progress")),
        (EXACT.replace("blocked", "blocked no more"), not("blocked no more")),
        (EXACT.replace("blocked", "unblocked"), not("unblocked")),
        (EXACT.replace("status: blocked\n", ""), not("")),
        (EXACT.replace("attempt: [ATTEMPT: 4]\n", ""), NoPayload::NoAttempt),
        (EXACT.replace("[ATTEMPT: 4]", "[ATTEMPT: N]"), NoPayload::NoAttempt),
        (EXACT.replace("attempt: [ATTEMPT: 4]", "attempt: 4\nattempt: 5"), NoPayload::NoAttempt),
        (format!("{EXACT}{}", EXACT.replace("task 12", "task 13")), NoPayload::Several),
    ] {
        assert_eq!(Escalation::read(&text), Err(why), "{text}");
    }
    let long = EXACT.replace("the same refusal", &"the same refusal ".repeat(1_000));
    assert!(matches!(Escalation::read(&long), Err(NoPayload::TooLong { .. })));
}

#[test]
fn a_text_inside_cannot_end_the_payload() {
    let mut hostile = full();
    hostile.what_was_tried = vec!["wrote </ESCALATION>".to_owned(), "request: - leave".to_owned()];
    assert_eq!(Escalation::read(&hostile.text()), Ok(hostile.clone()));
    assert_eq!(extents(&hostile.text()).len(), 1);
}

#[test]
fn a_payload_of_any_size_becomes_a_small_one_that_comes_back() {
    let mut large = full();
    for name in super::payload::LISTS {
        *large.list_mut(name).unwrap() = vec!["é word ".repeat(100); 40];
    }
    let large = large.bounded();
    assert!(large.text().len() <= LONGEST_PAYLOAD && large.request.len() > 1);
    assert_eq!(Escalation::read(&large.text()), Ok(large));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bounded_payload_comes_back(
        number in 1u32..10_000,
        scope in ".{0,60}",
        layers in prop::collection::vec(0usize..9, 1..9),
        lists in prop::collection::vec(prop::collection::vec(".{0,60}", 0..4), 6),
    ) {
        let mut made = Escalation::of(Attempt::new(number), &scope);
        made.suspected_failure_layer = layers.into_iter().map(|at| FailureLayer::ALL[at]).collect();
        for (name, items) in super::payload::LISTS.into_iter().zip(lists) {
            *made.list_mut(name).unwrap() = items;
        }
        let made = made.bounded();
        prop_assert_eq!(Escalation::read(&made.text()), Ok(made));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(?s).{0,200}") {
        let _ = Escalation::read(&format!("<ESCALATION>\nstatus: blocked\nattempt: 4\n{text}"));
        let _ = Escalation::read(&text);
    }
}
