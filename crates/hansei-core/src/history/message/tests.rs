use super::*;

fn hash(text: &str) -> Named {
    Named::Hash(text.to_owned())
}

fn titled(text: &str) -> Named {
    Named::Title(text.to_owned())
}

const A: &str = "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd";
const B: &str = "1111111111222222222233333333334444444444";

#[test]
fn what_is_taken_back() {
    for (subject, body, expected) in [
        ("Revert \"Add x\"", format!("This reverts commit {A}."), vec![titled("Add x"), hash(A)]),
        (
            "Revert \"Add x\"",
            format!("This reverts commit {A}, reversing\nchanges made to {B}."),
            vec![titled("Add x"), hash(A)],
        ),
        ("Revert \"Add x (#12)\" (#13)", String::new(), vec![titled("Add x (#12)")]),
        ("Revert \"Revert \"Add x\"\"", String::new(), vec![titled("Revert \"Add x\"")]),
        ("Revert \"A\" and \"B\"", String::new(), vec![titled("A"), titled("B")]),
        ("Revert “Add x”", String::new(), vec![titled("Add x")]),
        (
            "Revert \"A long title that is c…",
            "…ut short\" (#9)\n\nReverts o/r#8".into(),
            vec![titled("A long title that is cut short"), Named::PullRequest(8)],
        ),
        ("Revert \"A long title...", String::new(), vec![titled("A long title…")]),
        ("revert: feat: x", format!("This reverts commit {}.", &A[..8]), vec![hash(&A[..8])]),
        ("core: revert 1234abcd", String::new(), vec![hash("1234abcd")]),
        ("[core] Revert #12 and #13", String::new(), vec![Named::PullRequest(12), Named::PullRequest(13)]),
        ("Merge pull request #7 from a/revert-6-b", "Revert \"b\"".into(), vec![titled("b")]),
        ("Two back", format!("This reverts commits {A} and\n{B}."), vec![hash(A), hash(B)]),
        ("Two back", format!("Reverts the following commits:\n - {A}\n - {B}"), vec![hash(A), hash(B)]),
        ("Squashed (#4)", format!("* one\n\n* Revert \"one\"\n\nThis reverts commit {A}."), vec![hash(A)]),
        ("Back out 1234abcd, it is slow", String::new(), vec![hash("1234abcd")]),
        (
            "x",
            "This commit partially reverts https://example.org/o/r/commit/1234abcd.".into(),
            vec![hash("1234abcd")],
        ),
        ("x", "This reverts https://example.org/o/r/pull/99".into(), vec![Named::PullRequest(99)]),
        ("Rollback #5", String::new(), vec![Named::PullRequest(5)]),
        ("Back again Revert \"x\" This reverts commit 1234abcd.", String::new(), vec![hash("1234abcd")]),
        ("x", format!("and so this reverts commit {A}.Sorry for that"), vec![hash(A)]),
        ("Fixed #12 -- Reverted \"Add x\".", String::new(), vec![titled("Add x")]),
        // Not about itself, or not about a commit.
        ("x", format!("The bug was reverted in {A}"), vec![]),
        ("x", format!("We do not want to revert {A}"), vec![]),
        ("Revert to the old name", String::new(), vec![]),
        ("Reverts 2024 numbers", String::new(), vec![]),
        ("Reverted [1234]", String::new(), vec![]),
    ] {
        assert_eq!(read(subject, &body).takes_back, expected, "{subject} / {body}");
    }
}

#[test]
fn what_is_brought_back() {
    for (subject, body, takes_back, brings_back) in [
        ("Reapply \"Add x\"", format!("This reverts commit {A}."), vec![hash(A)], vec![titled("Add x")]),
        ("Reland #12", String::new(), vec![], vec![Named::PullRequest(12)]),
        ("[css] Re-land \"Add x\" (#14)", String::new(), vec![], vec![titled("Add x")]),
        ("Add x again", format!("This relands commit {A}"), vec![], vec![hash(A)]),
    ] {
        let message = read(subject, &body);
        assert_eq!((message.takes_back, message.brings_back), (takes_back, brings_back), "{subject}");
    }
}

#[test]
fn what_it_was_picked_from_and_came_with() {
    let body = format!("text\n\n(cherry picked from commit {A})\nSigned-off-by: A");
    assert_eq!(read("x", &body).picked_from, [A]);
    for (subject, body, number, title) in [
        ("Add x (#12)", "", Some(12), "Add x (#12)"),
        ("Merge pull request #12 from a/b", "\nAdd x\n", Some(12), "Add x"),
        ("Auto merge of #12 - a:b, r=c", "Add x", Some(12), "Add x"),
        (
            "Merge branch 'b' into 'main'",
            "Add x\n\nSee merge request o/r!12",
            Some(12),
            "Merge branch 'b' into 'main'",
        ),
        ("Merged in b (pull request #12)", "", Some(12), "Merged in b (pull request #12)"),
        ("Add x (for y)", "", None, "Add x (for y)"),
    ] {
        let message = read(subject, body);
        assert_eq!((message.pull_request, message.title.as_str()), (number, title), "{subject}");
    }
    assert_eq!(title_key("Add  X (#12) (#13)"), "add x");
    assert_eq!(title_key("Add X (for y)"), "add x (for y)");
}

#[test]
fn what_it_is_for() {
    use Purpose::{Fix, Other, Reland, Revert, Rollback};
    for (title, expected) in [
        ("Revert \"x\"", Revert),
        ("revert: x", Revert),
        ("Reverts the change of names", Revert),
        ("Undo the change of names", Revert),
        ("Refs #12 -- Reverted \"x\".", Revert),
        ("Revert button for settings", Other),
        ("Reverting migrations in order", Other),
        ("Rollback to version 3", Rollback),
        ("Roll back the upgrade of x", Rollback),
        ("Rollback transactions on error", Other),
        ("Rolling back migrations", Other),
        ("Reapply \"x\"", Reland),
        ("Reland x", Reland),
        ("fix: y", Fix(Repaired::Behaviour)),
        ("fix(parser)!: y", Fix(Repaired::Behaviour)),
        ("hotfix: y", Fix(Repaired::Behaviour)),
        ("Fix y", Fix(Repaired::Behaviour)),
        ("[area] Fix y", Fix(Repaired::Behaviour)),
        ("area: fix y", Fix(Repaired::Behaviour)),
        ("Rename x and fix y", Fix(Repaired::Behaviour)),
        ("Do not crash when y", Fix(Repaired::Behaviour)),
        ("fix: typo in the guide", Fix(Repaired::Words)),
        ("Fix flaky test", Fix(Repaired::Checks)),
        ("Fix the build", Fix(Repaired::Checks)),
        ("Fixed #12 -- Added y.", Other),
        ("Fixed #12, #13 -- Fixed y.", Fix(Repaired::Behaviour)),
        ("Fixes #12", Fix(Repaired::Behaviour)),
        ("docs: fix y", Other),
        ("feat: fix up what was lost", Other),
        ("Add prefix", Other),
        ("Add y", Other),
        ("", Other),
    ] {
        assert_eq!(read(title, "").purpose, expected, "{title}");
    }
}
