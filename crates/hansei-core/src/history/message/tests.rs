//! What the message of a commit says of other commits.

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
        ("Reverted [1234], it is slow", String::new(), vec![Named::Revision(1234)]),
        (
            "Fixed #12 -- Reverted r1234 and r1235.",
            String::new(),
            vec![Named::Revision(1234), Named::Revision(1235)],
        ),
        ("Bug 12 - Backed out changeset 1234abcd", String::new(), vec![hash("1234abcd")]),
        ("Reverted r2d2 and [x]", String::new(), vec![]),
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
        ("Merge owner/project#12: Add x", "1234abcd Add x (A)", Some(12), "Add x"),
        ("Merge #12: Add x", "1234abcd Add x (A)", Some(12), "Add x"),
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
        // Taken back, brought back, and so on.
        ("Revert \"Revert \"x\"\"", Reland),
        ("Revert \"Revert \"Revert \"x\"\"\"", Revert),
        ("Revert \"Reapply \"x\"\"", Revert),
        ("Revert \"Revert button for settings\"", Revert),
        ("fix: y", Fix(Repaired::Behaviour)),
        ("fix(parser)!: y", Fix(Repaired::Behaviour)),
        ("hotfix: y", Fix(Repaired::Behaviour)),
        ("Fix y", Fix(Repaired::Behaviour)),
        ("[area] Fix y", Fix(Repaired::Behaviour)),
        ("area: fix y", Fix(Repaired::Behaviour)),
        ("Rename x and fix y", Fix(Repaired::Behaviour)),
        ("Do not crash when y", Fix(Repaired::Behaviour)),
        ("Mostly fix y", Fix(Repaired::Behaviour)),
        ("Another attempt to fix y", Fix(Repaired::Behaviour)),
        ("Compile fix (#12)", Fix(Repaired::Checks)),
        ("Some fixes of y", Fix(Repaired::Behaviour)),
        ("The way to the fixed point", Other),
        ("Add y (fixes #12)", Other),
        ("Add y. Fixes #12", Other),
        ("fix: typo in the guide", Fix(Repaired::Words)),
        ("Fix flaky test", Fix(Repaired::Checks)),
        ("Fix the build", Fix(Repaired::Checks)),
        ("Fixed #12 -- Added y.", Other),
        ("Fixed #12, #13 -- Fixed y.", Fix(Repaired::Behaviour)),
        ("Fixes #12", Fix(Repaired::Behaviour)),
        ("docs: fix y", Other),
        ("feat: fix up what was lost", Other),
        // A ticket's number says nothing; what stands behind it does.
        ("Bug 1234 - Make y stricter", Other),
        ("Bug #1234: fix y", Fix(Repaired::Behaviour)),
        ("Bug in y", Fix(Repaired::Behaviour)),
        ("core, ui, test: Stop crashing on y", Fix(Repaired::Behaviour)),
        ("Many tests, and a bug fixed thanks to them", Fix(Repaired::Behaviour)),
        ("Fix line length violations in y", Fix(Repaired::Checks)),
        ("Fix unused imports", Fix(Repaired::Checks)),
        ("Add prefix", Other),
        ("Add y", Other),
        ("", Other),
    ] {
        assert_eq!(read(title, "").purpose, expected, "{title}");
    }
}

#[test]
fn trouble_that_is_only_named() {
    for (title, only_named) in [
        ("Make overflow of y incremental", true),
        ("Regression of y", true),
        ("Fix overflow of y", false),
        ("Do not crash when y", false),
        ("Avoid deadlock of y", false),
        ("Many tests, and a crash fixed", false),
        ("Add y", false),
    ] {
        assert_eq!(read(title, "").only_names_trouble, only_named, "{title}");
    }
}

#[test]
fn what_a_fix_speaks_of() {
    let request = Named::PullRequest;
    let revision = Named::Revision;
    for (subject, body, expected) in [
        ("Fixed tabs introduced in r1234.", "", vec![(revision(1234), true)]),
        ("Fixed #12 -- Corrected [1234], which was wrong.", "", vec![(revision(1234), true)]),
        ("Fix what was forgotten in r15. Refs r14.", "", vec![(revision(15), true), (revision(14), false)]),
        ("Fix y", "See also r1234.", vec![(revision(1234), false)]),
        (
            "Fix y",
            "A regression of\n1234abcd, caused by #12.",
            vec![(hash("1234abcd"), false), (request(12), true)],
        ),
        ("Fix y", "Fixes: 1234abcd (\"Add y\")", vec![(hash("1234abcd"), true)]),
        ("Fix y (#13)", "Fixes #12, see #11", vec![]),
        ("Fix y", "Backport of r1234 from trunk\n(cherry picked from commit 1234abcd)", vec![]),
        ("Fix y", "git-svn-id: https://example.org/svn/trunk@1234 bcc190cf", vec![]),
        ("Add y, broken by r1234", "", vec![]),
    ] {
        let cited = read(subject, body).cited.into_iter().map(|cited| (cited.named, cited.blamed));
        assert_eq!(cited.collect::<Vec<_>>(), expected, "{subject} / {body}");
    }
    let trailer = "text\n\ngit-svn-id: http://example.org/svn/trunk@3919 bcc190cf-cafb";
    assert_eq!(read("Add y", trailer).revision, Some(3919));
    assert_eq!(read("Add y", "text").revision, None);
}
