//! Which reasons a message gives, and which cases the measurement over a history takes.

use super::gate::{Case, Failed, gate};
use super::reason::{Reason, reason};
use super::*;
use crate::history::message;

fn why(subject: &str, body: &str) -> Reason {
    reason(&message::read(subject, body), body)
}

#[test]
fn reasons_are_read_in_what_the_message_itself_says() {
    let revert = "Revert \"Fix the crash that broke CI, as discussed\"";
    for (subject, body, [check, judgement, in_use]) in [
        (revert, "", [false; 3]),
        (revert, "This reverts commit 1234567.\nReviewed-by: Design\n> users report crashes", [false; 3]),
        (revert, "Author: A\nReviewers: A <a@example.invalid>, B <b@example.invalid>", [false; 3]),
        (revert, "Tests fail on Windows.", [true, false, false]),
        ("Revert \"x\" because it breaks the build", "", [true, false, true]),
        (revert, "The suite is red.", [true, false, false]),
        (revert, "Adds a test for the broken case.", [false; 3]),
        (revert, "We decided on another approach.", [false, true, false]),
        (revert, "It was merged by mistake", [false, true, false]),
        (revert, "The tree was closed for build bustage.", [true, false, false]),
        (revert, "The index was mistakenly set to zero.", [false; 3]),
        ("Revert the design of duplicates", "", [false; 3]),
        ("Fix the selection of latency events", "", [false; 3]),
        ("Fix the design of arrows", "", [false; 3]),
        (revert, "Users hit errors.", [false, false, true]),
        (revert, "Memory leak in production.", [false, false, true]),
        (revert, "It does not work with\nolder versions", [false, false, true]),
        ("Fix crash with empty input", "", [false, false, true]),
        ("Fix colours", "", [false; 3]),
    ] {
        let found = why(subject, body);
        let found = [found.failing_check, found.judgement, found.in_use].map(|said| said.is_some());
        assert_eq!(found, [check, judgement, in_use], "{subject} / {body}");
    }
}

#[test]
fn the_first_rule_that_holds_decides() {
    let all = Reason {
        failing_check: Some("the build is red".to_owned()),
        judgement: Some("we decided".to_owned()),
        in_use: Some("users report".to_owned()),
    };
    let day = Failed { never_landed: false, after: 86_400, files: 3, only_checks: false, has_tests: false };
    let case = |reason, failed, repairs_a_check, repair_has_tests| Case {
        reason,
        repairs_a_check,
        repair_has_tests,
        failed,
    };
    let unsaid = Reason::default();
    let judged = Reason { failing_check: None, ..all.clone() };
    let used = Reason { judgement: None, ..judged.clone() };
    let at_once = Failed { after: 600, ..day };
    let never = Failed { never_landed: true, ..at_once };
    let wide = Failed { files: 30, ..day };
    let checks = Failed { only_checks: true, has_tests: true, ..day };
    let tested = Failed { has_tests: true, ..day };
    let unknown = Failed { files: 0, ..day };
    for (number, case, expected) in [
        (1, case(&all, Some(never), true, true), Gate::Ci),
        (2, case(&judged, Some(never), true, true), Gate::HumanReview),
        (3, case(&judged, Some(day), true, true), Gate::Ci),
        (4, case(&judged, Some(checks), false, true), Gate::Ci),
        (5, case(&judged, Some(at_once), false, true), Gate::Ci),
        (6, case(&judged, Some(day), false, true), Gate::HumanReview),
        (7, case(&used, Some(wide), false, true), Gate::HumanReview),
        (8, case(&used, Some(day), false, false), Gate::OnlySelfReflection),
        (8, case(&used, None, false, false), Gate::OnlySelfReflection),
        (9, case(&unsaid, Some(day), false, true), Gate::OnlySelfReflection),
        (10, case(&unsaid, Some(tested), false, true), Gate::HumanReview),
        (10, case(&unsaid, Some(unknown), false, true), Gate::HumanReview),
        (10, case(&unsaid, Some(day), false, false), Gate::HumanReview),
        (10, case(&unsaid, None, false, true), Gate::HumanReview),
    ] {
        assert_eq!(gate(&case).0, expected, "rule {number}: {case:?}");
    }
}

#[test]
fn the_registered_thresholds_decide() {
    let registered = GitHistory {
        kill: String::new(),
        near_empty: 0.05,
        fix_within_days: 14,
        window_days: 730,
        fewest_signals: 10,
    };
    let signal = |gate| Signal {
        commit: "a".repeat(40).parse().unwrap(),
        kind: Kind::Revert,
        reverts: None,
        failed: None,
        repeats: None,
        gate,
        evidence: String::new(),
    };
    for (third, all, high, status) in [
        (0, 0, 1.0, Status::NotEnoughData),
        (0, 9, 0.01, Status::NotEnoughData),
        (0, 10, 0.049, Status::Killed),
        (0, 10, 0.05, Status::Pass),
        (5, 10, 0.7, Status::Pass),
    ] {
        let gates = (0..all).map(|number| if number < third { Gate::OnlySelfReflection } else { Gate::Ci });
        let (measured, details) = measure(gates.map(signal).collect(), &registered, |_, _| [0.0, high]);
        assert_eq!((measured.status, measured.n), (status, all), "{third} of {all}, at most {high}");
        assert_eq!(details.tally.iter().map(|tallied| tallied.signals).sum::<u64>(), all);
        assert_eq!(measured.figure.is_some(), all > 0);
    }
}
