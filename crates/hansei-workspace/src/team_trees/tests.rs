//! Trees of a team on real repositories: what reaches whom, byte for byte, and what is left afterwards.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Merged, NotApplied, TeamTrees, sweep};

struct Place {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let place = Self { folder, root };
        place.git(&["init", "--quiet", "--initial-branch=main"]);
        place.write("a.txt", "one\ntwo\nthree\n");
        place.write("b.txt", "b\n");
        place.git(&["add", "--all"]);
        place.git(&["commit", "--quiet", "-m", "Start"]);
        place
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["-c", "user.name=T", "-c", "user.email=t@example.invalid"]);
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.root.join(name), text);
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap()
    }

    fn teams(&self) -> PathBuf {
        self.folder.path().join("teams")
    }

    fn prepare(&self) -> TeamTrees {
        let head = self.git(&["rev-parse", "HEAD"]);
        TeamTrees::prepare(&self.teams(), "run-1", &self.root, head.trim()).unwrap()
    }

    /// Everything of the user's that is git's: what is staged, branches, stash, work trees, and the index to the byte.
    fn kept(&self) -> (String, Vec<u8>) {
        let told = [
            self.git(&["for-each-ref"]),
            self.git(&["symbolic-ref", "HEAD"]),
            self.git(&["worktree", "list"]),
            self.git(&["ls-files", "--stage"]),
        ];
        (told.concat(), fs::read(self.root.join(".git/index")).unwrap())
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn files(merged: &Merged) -> Vec<&str> {
    match merged {
        Merged::Whole { files, .. } => files.iter().map(String::as_str).collect(),
        Merged::Contradicts { files } => panic!("{files:?}"),
    }
}

#[test]
fn everybody_begins_from_what_is_in_the_users_tree_and_nothing_of_the_users_is_touched() {
    let place = Place::new();
    place.write(".gitignore", "secret.txt\n");
    place.write("secret.txt", "ignored");
    place.write("a.txt", "staged\n");
    place.git(&["add", "a.txt"]);
    place.write("a.txt", "staged, then changed\r\n");
    place.write("folder/new.txt", "untracked\n");
    fs::remove_file(place.root.join("b.txt")).unwrap();
    symlink("a.txt", place.root.join("link")).unwrap();
    place.write(".gitattributes", "*.txt text eol=lf\n");
    // A folder that became a link takes what was in it along.
    place.write("was/x.txt", "x\n");
    place.git(&["add", "was"]);
    fs::rename(place.root.join("was"), place.folder.path().join("elsewhere")).unwrap();
    symlink("../elsewhere", place.root.join("was")).unwrap();
    let before = place.kept();
    let mut trees = place.prepare();
    let tree = trees.tree_of("engineer").unwrap();
    assert_eq!(fs::read_to_string(tree.join("a.txt")).unwrap(), "staged, then changed\r\n", "to the byte");
    assert_eq!(fs::read_to_string(tree.join("folder/new.txt")).unwrap(), "untracked\n");
    assert_eq!(fs::read_link(tree.join("link")).unwrap(), Path::new("a.txt"));
    assert_eq!(fs::read_link(tree.join("was")).unwrap(), Path::new("../elsewhere"));
    assert!(!tree.join("secret.txt").exists() && !tree.join("b.txt").exists());
    assert_eq!(place.kept(), before);
    // It can be asked like any work tree, with the history of the user's.
    let log = Command::new("git").arg("-C").arg(&tree).args(["log", "--format=%s"]).output().unwrap();
    assert!(String::from_utf8_lossy(&log.stdout).contains("Start"), "{log:?}");
    write(&tree.join("done.txt"), "done\n");
    assert_eq!(files(&trees.merge("engineer").unwrap()), ["done.txt"]);
    assert!(!place.root.join("done.txt").exists());
    let work = trees.work().unwrap();
    trees.apply(&work).unwrap();
    drop(trees);
    assert_eq!(place.read("done.txt"), "done\n");
    assert_eq!(place.read("a.txt"), "staged, then changed\r\n");
    assert_eq!(place.kept(), before);
    assert_eq!(fs::read_dir(place.teams()).unwrap().count(), 1, "nothing but the door's lock");
}

#[test]
fn work_comes_together_and_what_contradicts_goes_back() {
    let place = Place::new();
    let mut trees = place.prepare();
    let (one, two) = (trees.tree_of("one").unwrap(), trees.tree_of("two").unwrap());
    write(&one.join("a.txt"), "ONE\ntwo\nthree\n");
    write(&two.join("a.txt"), "EINS\ntwo\nthree\n");
    write(&two.join("c.txt"), "c\n");
    assert_eq!(files(&trees.merge("one").unwrap()), ["a.txt"]);
    let contradicts = Merged::Contradicts { files: vec!["a.txt".into()] };
    assert_eq!(trees.merge("two").unwrap(), contradicts);
    let marked = fs::read_to_string(two.join("a.txt")).unwrap();
    assert!(marked.contains("<<<<<<< team") && marked.contains(">>>>>>> expert-two"), "{marked}");
    assert_eq!(trees.merge("two").unwrap(), contradicts, "nothing was put right");
    assert_eq!(trees.tree_of("two").unwrap(), two, "it goes on where it was");
    write(&two.join("a.txt"), "ONE EINS\ntwo\nthree\n");
    assert_eq!(files(&trees.merge("two").unwrap()), ["a.txt", "c.txt"]);
    let three = trees.tree_of("three").unwrap();
    assert_eq!(fs::read_to_string(three.join("a.txt")).unwrap(), "ONE EINS\ntwo\nthree\n");
    assert_eq!(files(&trees.merge("three").unwrap()), [""; 0], "nothing was done, and that is no failure");
    assert_eq!(fs::read_to_string(trees.whole().join("c.txt")).unwrap(), "c\n");
    // Two who touch different lines do not contradict.
    let (four, five) = (trees.tree_of("four").unwrap(), trees.tree_of("five").unwrap());
    write(&four.join("a.txt"), "ONE EINS\ntwo\nthree\nfour\n");
    write(&five.join("b.txt"), "five\n");
    trees.merge("four").unwrap();
    assert_eq!(files(&trees.merge("five").unwrap()), ["b.txt"]);
}

#[test]
fn files_of_every_kind_find_their_way_back() {
    let place = Place::new();
    place.write("old/deep/x.txt", "x\n");
    fs::set_permissions(place.root.join("b.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    let mut trees = place.prepare();
    let tree = trees.tree_of("one").unwrap();
    write(&tree.join("run.sh"), "#!/bin/sh\n");
    fs::set_permissions(tree.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("b.txt", tree.join("link")).unwrap();
    fs::remove_dir_all(tree.join("old")).unwrap();
    write(&tree.join("old"), "a file now\n");
    fs::remove_file(tree.join("a.txt")).unwrap();
    write(&tree.join("a.txt/inside"), "a folder now\n");
    write(&tree.join("b.txt"), "B\n");
    fs::write(tree.join("raw.bin"), [0, 255, 13, 10]).unwrap();
    write(&tree.join("__pycache__/x.pyc"), "left behind");
    write(&tree.join(".pytest_cache/CACHEDIR.TAG"), "Signature");
    write(&tree.join(".pytest_cache/v/x"), "left behind");
    trees.merge("one").unwrap();
    let work = trees.work().unwrap();
    assert!(!work.files.iter().any(|file| file.contains("cache")), "{:?}", work.files);
    trees.apply(&work).unwrap();
    let mode = |name: &str| fs::metadata(place.root.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("run.sh") & 0o100, 0o100);
    assert_eq!((mode("b.txt"), place.read("b.txt").as_str()), (0o600, "B\n"));
    assert_eq!(fs::read_link(place.root.join("link")).unwrap(), Path::new("b.txt"));
    assert_eq!(place.read("old"), "a file now\n");
    assert_eq!(place.read("a.txt/inside"), "a folder now\n");
    assert_eq!(fs::read(place.root.join("raw.bin")).unwrap(), [0, 255, 13, 10]);
    // The patch says the same.
    let other = Place::new();
    other.write("old/deep/x.txt", "x\n");
    fs::write(other.folder.path().join("p"), &work.patch).unwrap();
    other.git(&["apply", "../p"]);
    assert_eq!(other.read("a.txt/inside"), "a folder now\n");
}

#[test]
fn whoever_changed_a_file_meanwhile_keeps_it_and_nothing_else_is_written() {
    let place = Place::new();
    let mut trees = place.prepare();
    let tree = trees.tree_of("one").unwrap();
    write(&tree.join("a.txt"), "the team's\n");
    write(&tree.join("new.txt"), "the team's\n");
    trees.merge("one").unwrap();
    let work = trees.work().unwrap();
    for (name, text) in [("a.txt", "the user's\n"), ("new.txt", "the user's\n")] {
        let before = fs::read(place.root.join(name)).ok();
        place.write(name, text);
        let Err(NotApplied::Refused(why)) = trees.apply(&work) else { panic!() };
        assert!(why.contains(name), "{why}");
        assert_eq!(place.read(name), text);
        match before {
            Some(before) => fs::write(place.root.join(name), before).unwrap(),
            None => fs::remove_file(place.root.join(name)).unwrap(),
        }
    }
    trees.apply(&work).unwrap();
    // What is protected is not written, whoever wants it.
    write(&tree.join(".claude/settings.json"), "{}");
    trees.merge("one").unwrap();
    let work = trees.work().unwrap();
    let Err(NotApplied::Refused(why)) = trees.apply(&work) else { panic!() };
    assert!(why.contains("protected"), "{why}");
}

#[test]
fn no_hook_filter_or_driver_of_the_repository_runs() {
    let place = Place::new();
    let mark = place.folder.path().join("ran");
    let touch = format!("touch {}", mark.display());
    for hook in [
        "post-checkout", "pre-commit", "post-commit", "post-merge", "reference-transaction",
        "post-index-change",
    ] {
        let file = place.root.join(".git/hooks").join(hook);
        write(&file, &format!("#!/bin/sh\n{touch}\n"));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    place.write(".gitattributes", "*.txt filter=evil merge=evil diff=evil\n");
    for (key, value) in [
        ("filter.evil.smudge", format!("{touch}; cat")),
        ("filter.evil.clean", format!("{touch}; cat")),
        ("merge.evil.driver", touch.clone()),
        ("diff.evil.textconv", format!("{touch}; cat")),
        ("core.fsmonitor", touch.clone()),
        ("gpg.program", touch.clone()),
        ("commit.gpgsign", "true".to_owned()),
    ] {
        place.git(&["config", key, &value]);
    }
    // Each of them works for whoever asks git as it is.
    Command::new("git").current_dir(&place.root).args(["status"]).output().unwrap();
    assert!(mark.exists());
    fs::remove_file(&mark).unwrap();
    let mut trees = place.prepare();
    for (name, text) in [("one", "ONE\ntwo\nthree\n"), ("two", "one\ntwo\nTHREE\n")] {
        let tree = trees.tree_of(name).unwrap();
        write(&tree.join("a.txt"), text);
        // Somebody may have left a repository of theirs in their tree.
        write(&tree.join("inner/.git/HEAD"), "ref: refs/heads/main\n");
        write(&tree.join("inner/.git/config"), &format!("[core]\n\tfsmonitor = {touch}\n"));
        fs::create_dir_all(tree.join("inner/.git/objects")).unwrap();
        fs::create_dir_all(tree.join("inner/.git/refs")).unwrap();
    }
    trees.merge("one").unwrap();
    trees.merge("two").unwrap();
    let work = trees.work().unwrap();
    assert_eq!(work.files, ["a.txt"]);
    trees.apply(&work).unwrap();
    drop(trees);
    assert!(!mark.exists());
    assert_eq!(place.read("a.txt"), "ONE\ntwo\nTHREE\n");
}

#[test]
fn a_name_that_leads_elsewhere_is_no_name() {
    let place = Place::new();
    for name in ["../x", "a/b", "/tmp/x", "", "..", "lock"] {
        let made = TeamTrees::prepare(&place.teams(), name, &place.root, "HEAD");
        assert!(made.unwrap_err().to_string().contains("names no folder"), "{name}");
    }
    super::ready(&place.root).unwrap();
}

#[test]
fn what_a_dead_process_left_is_swept_and_what_a_living_one_has_is_not() {
    let place = Place::new();
    let mut trees = place.prepare();
    let left = place.teams().join("run-0");
    write(&left.join("trees/x/locked/file"), "x");
    write(&left.join("lock"), "");
    fs::set_permissions(left.join("trees/x/locked"), fs::Permissions::from_mode(0o500)).unwrap();
    sweep(&place.teams());
    assert!(!left.exists());
    assert!(trees.tree_of("one").unwrap().exists());
    drop(trees);
    assert!(!place.teams().join("run-1").exists());
}
