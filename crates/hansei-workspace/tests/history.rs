//! The walker over repositories that real git made: every shape of commit, and what a hostile one would like.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hansei_core::history::patch::Line;
use hansei_core::history::{Commit, Extent};
use hansei_workspace::git::Git;
use hansei_workspace::history::{Files, Merges, Order, Parents, Walk, Walked, list, patches, walk};

struct Repository {
    folder: tempfile::TempDir,
    clock: u64,
}

impl Repository {
    fn new() -> Self {
        let mut repository = Self { folder: tempfile::tempdir().unwrap(), clock: 1_700_000_000 };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn command(&mut self, args: &[&str]) -> Command {
        self.clock += 60;
        let date = format!("{} +0000", self.clock);
        let mut command = Command::new("git");
        command.current_dir(self.folder.path()).args(args).env("HOME", self.folder.path());
        for (key, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Ann"),
            ("GIT_AUTHOR_EMAIL", "ann@example.org"),
            ("GIT_COMMITTER_NAME", "Ann"),
            ("GIT_COMMITTER_EMAIL", "ann@example.org"),
            ("GIT_AUTHOR_DATE", &date),
            ("GIT_COMMITTER_DATE", &date),
        ] {
            command.env(key, value);
        }
        command
    }

    fn git(&mut self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn commit(&mut self, file: impl AsRef<Path>, content: &[u8], message: &str) {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty-message", "-m", message]);
    }

    fn walked(&self, how: &Walk<'_>) -> (Vec<Commit>, Walked) {
        walked_in(self.root(), how)
    }
}

fn asking(folder: &Path) -> Git {
    Git::new(folder, Instant::now() + Duration::from_mins(2)).unwrap()
}

fn walked_in(folder: &Path, how: &Walk<'_>) -> (Vec<Commit>, Walked) {
    let mut commits = Vec::new();
    let walked = walk(&asking(folder), how, |commit| {
        commits.push(commit);
        ControlFlow::Continue(())
    })
    .unwrap();
    (commits, walked)
}

fn told(commits: &[Commit]) -> Vec<String> {
    let file = |commit: &Commit| -> Vec<String> {
        let extent = |extent| match extent {
            Extent::Lines { added, deleted } => format!("+{added}-{deleted}"),
            Extent::Binary => "binary".to_owned(),
            Extent::Unknown => "unknown".to_owned(),
        };
        let from = |from: &Option<String>| from.as_ref().map(|from| format!("{from}>")).unwrap_or_default();
        let files = commit.files.iter();
        files
            .map(|file| format!("{}{} {}", from(&file.renamed_from), file.path, extent(file.extent)))
            .collect()
    };
    commits.iter().map(|commit| format!("{}: {}", commit.subject, file(commit).join(", "))).collect()
}

#[test]
fn commits_come_in_order_with_what_they_changed() {
    let mut repository = Repository::new();
    assert!(repository.walked(&Walk::default()).0.is_empty(), "nothing committed yet");
    repository.commit("a.txt", b"one\ntwo\n", "first");
    repository.commit("b\n\t\"ä.bin", b"\0\x01", "a picture");
    fs::rename(repository.root().join("a.txt"), repository.root().join("c.txt")).unwrap();
    repository.commit("c.txt", b"one\ntwo\n", "move\n\nbecause");
    repository.git(&["commit", "-q", "--allow-empty", "-m", "nothing"]);
    let (commits, done) = repository.walked(&Walk::default());
    let expected =
        ["first: a.txt +2-0", "a picture: b\n\t\"ä.bin binary", "move: a.txt>c.txt +0-0", "nothing: "];
    assert_eq!(told(&commits), expected);
    assert_eq!(done, Walked { commits: 4, without_lines: 0 });
    assert_eq!(commits[2].body, "because");
    assert_eq!(commits[3].parents, [commits[2].id]);
    assert_eq!(commits[3].id.to_string(), repository.git(&["rev-parse", "HEAD"]));

    let newest = Walk { order: Order::NewestFirst, ..Walk::default() };
    let reversed: Vec<_> = commits.iter().rev().cloned().collect();
    assert_eq!(repository.walked(&newest).0, reversed);
    let since = Walk { since: Some(commits[2].committer_time), ..Walk::default() };
    assert_eq!(repository.walked(&since).0, commits[2..]);
    let at = Walk { revision: "HEAD~2", ..Walk::default() };
    assert_eq!(repository.walked(&at).0, commits[..2]);
    let untold = Walk { files: Files::Untold, ..Walk::default() };
    let (bare_of_files, _) = repository.walked(&untold);
    assert!(
        bare_of_files.iter().zip(&commits).all(|(one, other)| one.id == other.id && one.files.is_empty())
    );

    let mut first = None;
    let stopped = walk(&asking(repository.root()), &Walk::default(), |commit| {
        first = Some(commit.subject);
        ControlFlow::Break(())
    });
    assert_eq!((first.as_deref(), stopped.unwrap().commits), (Some("first"), 1));

    let bare = repository.root().join("bare.git");
    repository.git(&["clone", "-q", "--bare", ".", "bare.git"]);
    assert_eq!(walked_in(&bare, &Walk::default()).0, commits);

    let unknown = Walk { revision: "--output=x", ..Walk::default() };
    assert!(list(&asking(repository.root()), &unknown).is_err());
    assert!(!repository.root().join("x").exists());
}

#[test]
fn merges_are_told_as_asked() {
    let mut repository = Repository::new();
    repository.commit("base", b"1\n", "base");
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.commit("topic", b"1\n2\n", "topic one");
    repository.commit("topic", b"1\n2\n3\n", "topic two");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("base", b"1\n2\n", "meanwhile");
    repository.git(&["merge", "-q", "--no-ff", "-m", "the merge", "topic"]);
    let (all, _) = repository.walked(&Walk::default());
    assert_eq!(
        told(&all),
        [
            "base: base +1-0", "topic one: topic +2-0", "topic two: topic +1-0", "meanwhile: base +1-0",
            "the merge: "
        ]
    );
    assert_eq!(all[4].parents, [all[3].id, all[2].id]);
    assert!(all[4].is_merge());
    let landed = Walk { parents: Parents::First, merges: Merges::AgainstFirstParent, ..Walk::default() };
    assert_eq!(
        told(&repository.walked(&landed).0),
        ["base: base +1-0", "meanwhile: base +1-0", "the merge: topic +3-0"]
    );
}

#[test]
fn a_submodule_and_bytes_that_are_no_text_are_told() {
    let mut inner = Repository::new();
    inner.commit("x", b"1\n", "inner");
    let mut repository = Repository::new();
    let id = inner.git(&["rev-parse", "HEAD"]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},vendor/inner")]);
    repository.git(&["commit", "-q", "-m", "a submodule"]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fs::write(repository.root().join(name), "1\n").unwrap();
    repository.git(&["add", "--", "."]);
    let mut command = repository.command(&["commit", "-q", "-F", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"broken \xff\xfe message\n\nC0\tx\n").unwrap();
    assert!(child.wait().unwrap().success());
    let (commits, _) = repository.walked(&Walk::default());
    assert_eq!(commits.len(), 2);
    assert_eq!(told(&commits[..1]), ["a submodule: vendor/inner +1-0"]);
    assert!(commits[1].subject.starts_with("broken ") && commits[1].subject.ends_with(" message"));
    let paths: Vec<_> = commits[1].files.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"caf\\xE9"), "{paths:?}");
}

#[test]
fn a_commit_of_a_hundred_thousand_files_is_told() {
    let mut repository = Repository::new();
    let mut script = String::from("blob\nmark :1\ndata 2\nx\n\ncommit refs/heads/main\n");
    script.push_str("committer Ann <ann@example.org> 1700000000 +0000\ndata 4\nmany\n");
    for number in 0..100_000 {
        writeln!(script, "M 100644 :1 d{}/f{number}", number % 100).unwrap();
    }
    let mut child = repository.command(&["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let (commits, _) = repository.walked(&Walk::default());
    assert_eq!((commits.len(), commits[0].files.len(), commits[0].files_left_out), (1, 100_000, 0));
}

#[test]
fn content_that_is_missing_costs_only_its_lines() {
    let mut repository = Repository::new();
    repository.commit("a", b"1\n", "one");
    repository.commit("lost", b"x\ny\n", "two");
    repository.commit("a", b"1\n2\n", "three");
    fs::rename(repository.root().join("lost"), repository.root().join("moved")).unwrap();
    repository.commit("moved", b"x\ny\nz\n", "four");
    repository.commit("a", b"1\n2\n3\n", "five");
    let blob = repository.git(&["rev-parse", "HEAD~3:lost"]);
    fs::remove_file(repository.root().join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let (commits, done) = repository.walked(&Walk::default());
    assert_eq!(
        told(&commits),
        [
            "one: a +1-0",
            "two: lost unknown",
            "three: a +1-0",
            "four: lost unknown, moved unknown",
            "five: a +1-0"
        ]
    );
    assert_eq!(done, Walked { commits: 5, without_lines: 2 });
}

#[test]
fn nothing_that_the_repository_names_is_run() {
    let mut repository = Repository::new();
    let trap = repository.root().join("trap.sh");
    let mark: PathBuf = repository.root().join("sprung");
    fs::write(&trap, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
    repository.commit(".gitattributes", b"*.txt diff=evil filter=evil\n", "attributes");
    repository.commit("a.txt", b"1\n", "one");
    repository.commit("a.txt", b"2\n", "two");
    let trap = trap.to_str().unwrap();
    for key in ["diff.evil.command", "diff.evil.textconv", "diff.external", "core.fsmonitor", "core.pager"] {
        repository.git(&["config", key, trap]);
    }
    let _ = repository.command(&["show", "--ext-diff", "HEAD"]).output().unwrap();
    assert!(mark.exists(), "the attack does not work");
    fs::remove_file(&mark).unwrap();
    let (commits, _) = repository.walked(&Walk::default());
    assert_eq!(commits.len(), 3);
    let ids: Vec<_> = commits.iter().map(|commit| commit.id).collect();
    let mut told = 0;
    let all = |_| {
        told += 1;
        ControlFlow::Continue(())
    };
    assert_eq!(patches(&asking(repository.root()), &ids, all).unwrap(), 0);
    assert_eq!(told, 3);
    assert!(!mark.exists());
}

#[test]
fn the_lines_of_commits_are_told_and_missing_content_is_left_out() {
    let mut repository = Repository::new();
    let words =
        |lines: &[&str]| lines.iter().map(|line| [line, " of many words\n"].concat()).collect::<String>();
    repository.commit("caf\u{e9}.txt", words(&["first", "second"]).as_bytes(), "one");
    repository.commit("caf\u{e9}.txt", words(&["first", "between", "second"]).as_bytes(), "two");
    repository.commit("lost.txt", words(&["lost"]).as_bytes(), "three");
    repository.commit("caf\u{e9}.txt", words(&["first", "other", "second"]).as_bytes(), "four");
    let blob = repository.git(&["rev-parse", "HEAD:lost.txt"]);
    fs::remove_file(repository.root().join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    // Git would take the content from there.
    fs::remove_file(repository.root().join("lost.txt")).unwrap();
    let ids: Vec<_> = repository.walked(&Walk::default()).0.iter().map(|commit| commit.id).collect();
    let mut told = Vec::new();
    let left_out = patches(&asking(repository.root()), &ids, |patch| {
        told.push(patch);
        ControlFlow::Continue(())
    });
    assert_eq!(left_out.unwrap(), 1);
    let print = |line: &str| Line::of(format!("{line} of many words").as_bytes()).unwrap();
    let [one, two, four] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!([one.id, two.id, four.id], [ids[0], ids[1], ids[3]]);
    assert_eq!((one.files[0].path.as_str(), one.files[0].added.len()), ("café.txt", 2));
    assert_eq!(two.files[0].inserted_between, [[print("first"), print("second")]]);
    assert_eq!(
        (&four.files[0].removed, &four.files[0].added),
        (&vec![print("between")], &vec![print("other")])
    );
}
