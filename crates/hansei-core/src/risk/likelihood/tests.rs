//! Tables of changes, and what must hold of any.

use proptest::prelude::*;

use super::*;
use crate::history::{Author, Commit, Extent};

fn file(path: &str, added: u64, deleted: u64) -> FileChange {
    FileChange { path: path.to_owned(), renamed_from: None, extent: Extent::Lines { added, deleted } }
}

fn past(path: &str, changes: u32, authors: u32, fixes: u32) -> FilePast {
    let recent = |count: u32| f64::from(count) / 2.0;
    FilePast {
        path: path.to_owned(),
        changes,
        recent_changes: recent(changes),
        authors,
        fixes,
        recent_fixes: recent(fixes),
    }
}

fn score(files: &[FileChange], known: Option<&Known>) -> f64 {
    assess(files, known).score.get()
}

#[test]
fn files_are_known_by_their_paths() {
    use FileKind::{Docs, Generated, Other, Source, Test, Translation};
    for (path, kind) in [
        ("src/main.rs", Source),
        ("Makefile", Other),
        ("ci.yml", Other),
        ("lib/latest/x.py", Source),
        ("include/x.H", Source),
        ("Cargo.lock", Generated),
        ("web/package-lock.json", Generated),
        ("third_party/zlib/inflate.c", Generated),
        ("a/__snapshots__/b.js", Generated),
        ("api/v1/api.pb.go", Generated),
        ("django/conf/locale/de/LC_MESSAGES/django.po", Translation),
        ("docs/index.html", Docs),
        ("README", Docs),
        ("CHANGES.txt", Docs),
        ("tests/basic.rs", Test),
        ("store/store_test.go", Test),
        ("app/button.spec.ts", Test),
        ("core/src/UnitTest.java", Test),
        ("guava-tests/a/B.java", Test),
        ("src/contest.py", Source),
        ("src/Latest.java", Source),
        ("test_views.py", Test),
        ("", Other),
    ] {
        assert_eq!(FileKind::of(path), kind, "{path}");
    }
}

#[test]
fn each_change_is_more_likely_to_go_wrong_than_the_next() {
    let busy = Known { files: vec![past("src/a.c", 60, 12, 25)], author_commits: Some(1) };
    let calm = Known { files: vec![past("src/a.c", 2, 1, 0)], author_commits: Some(900) };
    let nothing_known = Known { files: Vec::new(), author_commits: Some(900) };
    let ordered = [
        ("a large change of a busy file", score(&[file("src/a.c", 400, 30)], Some(&busy))),
        ("the same of a calm file", score(&[file("src/a.c", 400, 30)], Some(&calm))),
        ("as many lines of tests", score(&[file("tests/a.c", 400, 30)], Some(&calm))),
        ("as many lines of documentation", score(&[file("docs/a.md", 400, 30)], Some(&calm))),
        ("a small change", score(&[file("src/a.c", 4, 1)], Some(&calm))),
        ("a deletion", score(&[file("src/a.c", 0, 40)], Some(&calm))),
        ("a lock file", score(&[file("Cargo.lock", 40, 40)], Some(&nothing_known))),
        ("nothing", score(&[], Some(&nothing_known))),
    ];
    for pair in ordered.windows(2) {
        assert!(pair[0].1 > pair[1].1, "{pair:?}");
    }
}

#[test]
fn a_move_and_a_picture_add_nothing() {
    let mut moved = file("src/new/a.c", 0, 0);
    moved.renamed_from = Some("src/old/a.c".to_owned());
    let picture = FileChange { extent: Extent::Binary, ..file("logo.png", 0, 0) };
    assert!(score(&[moved.clone(), picture], None) < score(&[file("src/new/a.c", 5, 0)], None));
    assert_eq!(files_with_a_past(&[moved, file("b.md", 1, 1)]), ["src/old/a.c"]);
}

#[test]
fn the_reasons_are_what_moved_the_score_most() {
    let known = Known { files: vec![past("src/a.c", 60, 12, 25)], author_commits: Some(0) };
    let found = assess(&[file("src/a.c", 400, 30), file("t/test.py", 8, 0)], Some(&known));
    assert_eq!(
        found.reasons,
        [
            "raises: 408 lines added, 400 of them in source",
            "raises: 25 fixes in these files before",
            "raises: 30 lines deleted",
        ]
    );
    let alone = assess(&[file("src/a.c", 1, 0)], None);
    assert_eq!(
        alone.reasons,
        [
            "judged by the change alone: there is no history to ask",
            "lowers: 1 line of source added",
            "lowers: 0 lines deleted"
        ]
    );
    let unknown = FileChange { extent: Extent::Unknown, ..file("src/a.c", 0, 0) };
    let paths = assess(std::slice::from_ref(&unknown), None);
    assert_eq!(paths.reasons[0], "judged by paths alone: neither lines nor history are known");
    assert!(paths.score.get() > alone.score.get(), "unknown is not little");
    let partly = assess(&[unknown, file("src/b.c", 900, 0)], Some(&known));
    assert_eq!(partly.reasons[0], "how many lines changed is not known");
    assert!(partly.score.get() > found.score.get());
}

fn commit(author: &str, time: i64, subject: &str, paths: &[&str]) -> Commit {
    Commit {
        id: "a".repeat(40).parse().unwrap(),
        parents: Vec::new(),
        author: Author { id: 0, name: author.to_owned(), email: format!("{author}@Example.org") },
        author_time: 0,
        committer_time: time,
        subject: subject.to_owned(),
        body: String::new(),
        files: paths.iter().map(|path| file(path, 1, 1)).collect(),
        files_left_out: 0,
    }
}

#[test]
fn the_past_counts_only_what_was_known_and_is_not_too_old() {
    const DAY: i64 = 86_400;
    let now = 20_000 * DAY;
    let mut history = Past::default();
    history.watch_file("a");
    history.watch_author("ann@example.org");
    for (number, commit) in [
        commit("ann", now - 2_000 * DAY, "Fix the old times", &["a"]),
        commit("ann", now - 180 * DAY, "Fix a crash", &["a", "b"]),
        commit("bob", now - 90 * DAY, "Grow", &["a"]),
        commit("ann", now, "Beside", &["a"]),
        commit("bob", now + 50 * DAY, "From a clock that runs ahead", &["a"]),
        commit("ann", now - DAY, "Elsewhere", &["b"]),
    ]
    .iter()
    .enumerate()
    {
        history.learn(number, commit);
    }
    let known =
        history.known(&["a".to_owned(), "c".to_owned()], Some("ann@example.org"), now, |number| number != 3);
    assert_eq!(known.author_commits, Some(2));
    let [a, c] = known.files.as_slice() else { panic!("{known:?}") };
    assert_eq!((a.changes, a.authors, a.fixes), (3, 2, 1));
    assert!((a.recent_changes - 1.75).abs() < 1e-9 && (a.recent_fixes - 0.5).abs() < 1e-9, "{a:?}");
    assert_eq!((c.changes, c.authors), (0, 0));
    assert_eq!(history.known(&[], None, now, |_| true).author_commits, None);
}

fn any_files() -> impl Strategy<Value = Vec<FileChange>> {
    let path = prop::sample::select(vec![
        "src/a.rs", "src/b/c.rs", "lib/d.py", "tests/e.rs", "docs/f.md", "Cargo.lock", "ci.yml", "po/de.po",
        "vendor/g.c", "web/h.test.ts",
    ]);
    prop::collection::vec((path, 0_u64..5_000, 0_u64..5_000), 1..8).prop_map(|files| {
        files.into_iter().map(|(path, added, deleted)| file(path, added, deleted)).collect()
    })
}

fn any_known() -> impl Strategy<Value = Option<Known>> {
    let of_file = (0_u32..400, 0_u32..50, 0_u32..100)
        .prop_map(|(changes, authors, fixes)| past("src/a.rs", changes, authors, fixes.min(changes)));
    let known = (prop::collection::vec(of_file, 0..5), prop::option::of(0_u32..5_000))
        .prop_map(|(files, author_commits)| Known { files, author_commits });
    prop::option::of(known)
}

proptest! {
    #[test]
    fn more_lines_never_lower_it(
        files in any_files(),
        known in any_known(),
        place in any::<prop::sample::Index>(),
        more in prop_oneof![1_u64..50, 1_u64..1_000_000],
        of_them_deleted in any::<bool>(),
    ) {
        let before = score(&files, known.as_ref());
        let mut larger = files;
        let at = place.index(larger.len());
        if let Extent::Lines { added, deleted } = &mut larger[at].extent {
            if of_them_deleted { *deleted += more } else { *added += more }
        }
        prop_assert!(score(&larger, known.as_ref()) >= before);
    }

    #[test]
    fn another_file_never_lowers_it(files in any_files(), known in any_known(), added in 0_u64..5_000) {
        let before = score(&files, known.as_ref());
        let mut larger = files;
        larger.push(file("src/another.rs", added, 0));
        prop_assert!(score(&larger, known.as_ref()) >= before);
    }

    #[test]
    fn it_is_a_number_from_0_to_1_with_at_most_three_reasons(files in any_files(), known in any_known()) {
        let found = assess(&files, known.as_ref());
        prop_assert!((0.0..=1.0).contains(&found.score.get()));
        prop_assert!((1..=3).contains(&found.reasons.len()), "{:?}", found.reasons);
    }

    #[test]
    fn a_busier_past_never_lowers_it(files in any_files(), changes in 0_u32..50, fixes in 0_u32..50) {
        let known = |changes, fixes| Known { files: vec![past("src/a.rs", changes, 3, fixes)], author_commits: None };
        let calm = score(&files, Some(&known(changes, 0)));
        let busy = score(&files, Some(&known(changes + fixes, fixes)));
        prop_assert!(busy >= calm);
    }
}
