//! What only a caller inside the process can try: the root itself swapped, and a file swapped between reading and writing.

use std::os::unix::fs::symlink;

use super::*;

fn path(text: &str) -> RelativePath {
    RelativePath::parse(text).unwrap()
}

struct Tree {
    folder: tempfile::TempDir,
    root: Root,
}

impl Tree {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("ws");
        std::fs::create_dir_all(inside.join("sub")).unwrap();
        std::fs::write(inside.join("sub/a.txt"), "inside\n").unwrap();
        std::fs::create_dir(folder.path().join("out")).unwrap();
        std::fs::write(folder.path().join("out/a.txt"), "secret\n").unwrap();
        let root = Root::open(&inside).unwrap();
        Self { folder, root }
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.folder.path().join("ws").join(name)
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn read(&self, text: &str) -> Result<Vec<u8>, Refusal> {
        self.root.file(&path(text))?.read(100)
    }
}

#[test]
fn links_that_stay_inside_are_followed_and_others_are_not() {
    let tree = Tree::new();
    let good: &[(&str, PathBuf)] = &[
        ("file", "sub/a.txt".into()),
        ("folder", "sub".into()),
        ("round", "sub/../sub/./a.txt".into()),
        ("absolute", tree.inside("sub/a.txt")),
        ("sub/up", "../file".into()),
    ];
    for (name, target) in good {
        symlink(target, tree.inside(name)).unwrap();
    }
    for name in ["file", "folder/a.txt", "round", "absolute", "sub/up", "folder/up"] {
        assert_eq!(tree.read(name).unwrap(), b"inside\n", "{name}");
    }
    let bad: &[(&str, PathBuf)] = &[
        ("secret", tree.outside("a.txt")),
        ("relative", "../out/a.txt".into()),
        ("sub/high", "../../out/a.txt".into()),
        ("out", tree.outside("")),
        // Back inside by way of outside is outside: what lies there may be anything by then.
        ("there_and_back", "../ws/sub/a.txt".into()),
        ("chain", "relative".into()),
        ("prefix", tree.folder.path().join("ws_evil/a.txt")),
    ];
    for (name, target) in bad {
        symlink(target, tree.inside(name)).unwrap();
    }
    for name in ["secret", "relative", "sub/high", "out/a.txt", "there_and_back", "chain", "prefix"] {
        let refusal = tree.read(name).unwrap_err();
        assert!(matches!(refusal, Refusal::Outside { .. }), "{name}: {refusal}");
    }
    symlink("loop", tree.inside("loop")).unwrap();
    assert!(matches!(tree.read("loop"), Err(Refusal::TooManyLinks { .. })));
}

#[test]
fn a_root_that_is_swapped_for_a_link_is_still_the_root() {
    let tree = Tree::new();
    let original = tree.root.original(&path("sub/a.txt"), 100).unwrap();
    std::fs::rename(tree.inside(""), tree.folder.path().join("moved")).unwrap();
    std::fs::create_dir(tree.outside("sub")).unwrap();
    std::fs::write(tree.outside("sub/a.txt"), "secret\n").unwrap();
    symlink(tree.outside(""), tree.folder.path().join("ws")).unwrap();
    assert_eq!(tree.read("sub/a.txt").unwrap(), b"inside\n");
    tree.root.replace(&original, &path("sub/a.txt"), b"new\n").unwrap();
    tree.root.create(&path("sub/b.txt"), b"b\n").unwrap();
    assert_eq!(std::fs::read(tree.outside("sub/a.txt")).unwrap(), b"secret\n");
    assert!(!tree.outside("sub/b.txt").exists());
    assert_eq!(std::fs::read(tree.folder.path().join("moved/sub/a.txt")).unwrap(), b"new\n");
}

#[test]
fn a_file_that_was_swapped_after_reading_is_not_written() {
    type Swap = fn(&Tree);
    let swaps: &[(&str, Swap)] = &[
        ("written again", |tree| std::fs::write(tree.inside("sub/a.txt"), "by another\n").unwrap()),
        ("a link out", |tree| {
            std::fs::remove_file(tree.inside("sub/a.txt")).unwrap();
            symlink(tree.outside("a.txt"), tree.inside("sub/a.txt")).unwrap();
        }),
        ("gone", |tree| std::fs::remove_file(tree.inside("sub/a.txt")).unwrap()),
        ("another file", |tree| {
            std::fs::write(tree.inside("b"), "inside\n").unwrap();
            std::fs::rename(tree.inside("b"), tree.inside("sub/a.txt")).unwrap();
        }),
    ];
    for (name, swap) in swaps {
        let tree = Tree::new();
        let original = tree.root.original(&path("sub/a.txt"), 100).unwrap();
        swap(&tree);
        let refusal = tree.root.replace(&original, &path("sub/a.txt"), b"mine\n").unwrap_err();
        assert!(matches!(refusal, Refusal::Changed { .. }), "{name}: {refusal}");
        assert_eq!(std::fs::read(tree.outside("a.txt")).unwrap(), b"secret\n", "{name}");
        let (left, _) = tree.root.folder(&path("sub")).unwrap().entries(10).unwrap();
        assert!(left.iter().all(|entry| entry.name == "a.txt"), "{name}: {left:?}");
    }
}

#[test]
fn folders_are_created_on_the_way_and_rights_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    tree.root.create(&path("x/y/z.txt"), b"").unwrap();
    assert_eq!(tree.read("x/y/z.txt").unwrap(), b"");
    assert!(matches!(tree.root.create(&path("x/y/z.txt"), b"1"), Err(Refusal::AlreadyExists { .. })));
    let file = tree.inside("sub/a.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let original = tree.root.original(&path("sub/a.txt"), 100).unwrap();
    tree.root.replace(&original, &path("sub/a.txt"), b"#!/bin/sh\n").unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o755);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let original = tree.root.original(&path("sub/a.txt"), 100).unwrap();
    assert!(matches!(tree.root.replace(&original, &path("sub/a.txt"), b"x"), Err(Refusal::ReadOnly { .. })));
}

#[test]
fn a_folder_that_is_swapped_for_a_link_all_the_time_is_never_left() {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Ends the swapping also when an assertion fails.
    struct StopAtEnd<'a>(&'a AtomicBool);
    impl Drop for StopAtEnd<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    let tree = Tree::new();
    symlink("../out", tree.inside("link")).unwrap();
    let (folder, link) = (tree.inside("sub"), tree.inside("link"));
    let tries = if std::env::var_os("HANSEI_TEST_LONG").is_some() { 100_000 } else { 10_000 };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let exchange = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(rustix::fs::CWD, &folder, rustix::fs::CWD, &link, exchange)
                    .unwrap();
            }
        });
        let _stop = StopAtEnd(&stop);
        for number in 0..tries {
            if let Ok(content) = tree.read("sub/a.txt") {
                assert_eq!(content, b"inside\n");
            }
            if number % 100 == 0 {
                let _ = tree.root.create(&path(&format!("sub/new{number}")), b"");
            }
        }
    });
    let left: Vec<_> = std::fs::read_dir(tree.outside("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["a.txt"]);
}
