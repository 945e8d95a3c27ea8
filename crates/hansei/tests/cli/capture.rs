//! A stop becomes a `reflection.v1` on disk.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use hansei_core::reflection::Mode;
use hansei_core::surface::Surface;

use crate::support::{Ran, World, payload, sidecars_in};

/// Everything around the repository with its size and time: to show that nothing was written.
fn everything(world: &World) -> Vec<String> {
    let listing =
        world.command("find").arg(world.outside()).args(["-printf", "%p %s %T@\n"]).output().unwrap();
    assert!(listing.status.success());
    let mut lines: Vec<String> =
        String::from_utf8_lossy(&listing.stdout).lines().map(ToOwned::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn acceptance_1_without_a_mode_the_hook_is_a_strict_no_op() {
    let world = World::new();
    world.write("src/login.rs", "x");
    let before = everything(&world);
    let garbage = vec![0xff; 3 * 1024 * 1024];
    for (mode, argument) in [
        (None, None),
        (Some("off"), Some("solo")),
        (Some("off"), None),
        (Some(""), Some("solo")),
        (Some("SOLO"), Some("solo")),
        (Some("on"), Some("orchestrated")),
        (None, Some("off")),
        (None, Some("yes")),
    ] {
        for event in ["stop", "session-start", "no-such-event"] {
            let mut command = world.hansei();
            command.args(["hook", "claude-code", event]);
            command.args(argument.map(|argument| format!("--mode={argument}")));
            command.envs(mode.map(|mode| ("REFLECTION_MODE", mode)));
            let ran = Ran::of(&mut command, &garbage);
            assert_eq!(
                (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
                (0, "", ""),
                "{mode:?} {argument:?}"
            );
        }
    }
    assert_eq!(everything(&world), before);
}

#[test]
fn standard_input_is_drained_so_that_the_agent_sees_no_broken_pipe() {
    use std::io::Write as _;
    use std::process::Stdio;
    let world = World::new();
    for mode in ["off", "solo"] {
        let mut command = world.hansei();
        command.args(["hook", "claude-code", "stop"]).env("REFLECTION_MODE", mode);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..64 {
            stdin.write_all(&vec![b'x'; 64 * 1024]).expect("still read");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn acceptance_2_a_stop_leaves_a_valid_reflection() {
    let world = World::new();
    world.write("src/login.rs", "fn login() {}");
    let reflection = world.capture();
    assert_eq!(reflection.task_ref, "project@main");
    assert_eq!(reflection.agent, "claude-code");
    assert_eq!(reflection.session_id, "s1");
    assert_eq!(reflection.repo, "project");
    assert_eq!(reflection.files_changed, ["src/login.rs"]);
    assert_eq!(reflection.risk.surface, Surface::Auth);
    assert!(reflection.risk.needs_review);
    assert_eq!(reflection.risk.reason, "auth surface: src/login.rs");
    assert_eq!(reflection.provenance.reflection_attempt, 1);
    assert_eq!(reflection.provenance.reflection_mode, Mode::Solo);
    assert!(reflection.provenance.degraded, "there was no self-report");
    assert_eq!(world.reasons("s1"), ["no self-report"]);
    assert_eq!(
        world.git(&["status", "--porcelain", "--ignored"]),
        "?? src/\n!! .hansei/\n",
        "git does not see us"
    );
    let sidecars = world.sidecars();
    assert!(sidecars.len() == 1 && sidecars[0].starts_with("s1-20"), "{sidecars:?}");
}

#[test]
fn the_environment_names_agent_task_mode_and_folder() {
    let world = World::new();
    let out = world.outside().join("elsewhere/deep");
    world.hook_with("stop", &payload(&world.repo, "s1"), |command| {
        command
            .env("REFLECTION_AGENT", "persona")
            .env("REFLECTION_TASK_REF", "TASK-7")
            .env("REFLECTION_MODE", "orchestrated")
            .env("REFLECTION_DIR", &out);
    });
    assert!(world.sidecars().is_empty());
    let names = sidecars_in(&out);
    let reflection: hansei_core::reflection::Reflection =
        serde_json::from_slice(&std::fs::read(out.join(&names[0])).unwrap()).unwrap();
    assert_eq!((reflection.agent.as_str(), reflection.task_ref.as_str()), ("persona", "TASK-7"));
    assert_eq!(reflection.provenance.reflection_mode, Mode::Orchestrated);
    // The same folder inside the repository is ours too, and not a change of the agent's.
    let inside = world.path("records");
    for _ in 0..2 {
        world.hook_with("stop", &payload(&world.repo, "s2"), |command| {
            command.env("REFLECTION_DIR", &inside);
        });
    }
    let last = world.hansei().env("REFLECTION_DIR", &inside).args(["show", "--json"]).output().unwrap();
    let last: serde_json::Value = serde_json::from_slice(&last.stdout).unwrap();
    assert_eq!(last["files_changed"], serde_json::json!([]));
}

#[test]
fn a_payload_that_says_nothing_still_leaves_a_reflection() {
    let large = format!(r#"{{"session_id":"big","pad":"{}"}}"#, "x".repeat(16 * 1024 * 1024));
    for (payload, reason) in [
        (b"".as_slice(), "the payload is empty"),
        (b" \n", "the payload is empty"),
        (b"not json", "the payload is not valid: "),
        (b"[1, 2]", "the payload is not valid: "),
        (b"{\"session_id\": 7}", "the payload's session_id is not of its type"),
        (b"{}", "the payload names no session"),
        (b"{\"session_id\": \"\"}", "the payload names no session"),
        (b"\xff\xfe\x00", "the payload is not valid: "),
        (large.as_bytes(), "the payload is larger than 16777216 bytes"),
    ] {
        let world = World::new();
        world.write("a.sql", "x");
        world.hook_with("stop", payload, |_| ());
        let reflection = world.last();
        assert_eq!(reflection.session_id, "unknown");
        assert_eq!(reflection.files_changed, ["a.sql"], "found from the process's own folder");
        assert!(reflection.provenance.degraded);
        assert!(world.reasons("unknown")[0].starts_with(reason), "{:?}", world.reasons("unknown"));
    }
}

#[test]
fn an_agent_that_never_closes_its_pipe_is_not_waited_for() {
    use std::io::Write as _;
    use std::process::Stdio;
    let world = World::new();
    for mode in ["off", "solo"] {
        let mut command = world.hansei();
        command.args(["hook", "claude-code", "stop"]).env("REFLECTION_MODE", mode).stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&payload(&world.repo, "s1")).unwrap();
        assert!(child.wait().unwrap().success());
        drop(stdin);
    }
    assert_eq!(world.last().session_id, "s1", "what had come was used");
}

#[test]
fn session_ids_are_made_safe_for_a_file_name() {
    let world = World::new();
    let long = "x".repeat(10_000);
    for id in ["../../../escape", "a/b", "with\0nul", "日本 ünï", "..", "C:\\x", &long] {
        world.hook_in(&world.repo, "stop", id);
        assert_eq!(world.last().session_id, id);
    }
    let reflections: Vec<_> = std::fs::read_dir(world.path(".hansei/reflections")).unwrap().collect();
    assert_eq!(reflections.len(), 7);
    assert_eq!(world.sidecars().len(), 7);
    assert!(!world.outside().join("escape").exists());
}

#[test]
fn what_nobody_asked_for_is_not_recorded() {
    let world = World::new();
    let kinds = || -> Vec<String> {
        let of =
            |line: &serde_json::Value| line["event"].as_str().or(line["kind"].as_str()).unwrap().to_owned();
        world.log("s1").iter().map(of).collect()
    };
    let tell = |agent: &str, event: &str, more: serde_json::Value| {
        let mut payload = serde_json::json!({ "session_id": "s1", "cwd": world.repo });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut command = world.hansei();
        command.args(["hook", agent, event, "--mode", "solo"]);
        let ran = Ran::of(&mut command, payload.to_string().as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{payload}");
    };
    // A session that finds a title.
    for event in ["session-start", "prompt", "stop", "session-end"] {
        tell("codex", event, serde_json::json!({ "transcript_path": null }));
    }
    // What sums up for a compaction; a task in the background that has ended; what a sub-agent is told and forgets.
    tell("claude-code", "subagent-stop", serde_json::json!({ "agent_id": "a", "agent_type": "" }));
    tell("claude-code", "prompt", serde_json::json!({ "prompt": "<task-notification>\n<status>done" }));
    let sub_agent = serde_json::json!({ "agent_id": "a", "agent_type": "default", "prompt": "look" });
    tell("codex", "prompt", sub_agent.clone());
    tell("codex", "compact", sub_agent.clone());
    assert!(!world.path(".hansei").exists());
    // A sub-agent's stop is one, whatever it is called, and never the session's.
    tell("codex", "subagent-stop", sub_agent.clone());
    tell("codex", "stop", sub_agent);
    assert_eq!(kinds(), ["subagent-stop", "subagent-stop"]);
    assert!(world.sidecars().is_empty());
}

#[test]
fn a_session_belongs_where_it_was_started_wherever_the_agent_goes() {
    let (world, other) = (World::new(), World::new());
    let started_here = |event: &str, cwd: &std::path::Path| {
        world.hook_with(event, &payload(cwd, "s1"), |command| {
            command.env("CLAUDE_PROJECT_DIR", &world.repo);
        });
    };
    started_here("session-start", &world.repo);
    world.write("here.txt", "x");
    other.write("there.txt", "x");
    started_here("stop", &other.repo);
    assert_eq!(world.last().files_changed, ["here.txt"]);
    assert!(!other.path(".hansei").exists());
    // Another work tree of the same repository is where the agent works now.
    let tree = world.outside().join("linked");
    world.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
    std::fs::write(tree.join("linked.txt"), "x").unwrap();
    started_here("stop", &tree);
    assert_eq!(world.last().files_changed, ["linked.txt"]);
    // What another agent's variable says is not asked for.
    other.hook_with("stop", &payload(&other.repo, "s2"), |command| {
        command.env("GEMINI_PROJECT_DIR", &world.repo).env("CLAUDE_PROJECT_DIR", "not/absolute");
    });
    assert_eq!(other.last().files_changed, ["there.txt"]);
}

#[test]
fn an_empty_change_still_leaves_a_reflection() {
    let world = World::new();
    let reflection = world.capture();
    assert!(reflection.files_changed.is_empty());
    assert_eq!(reflection.risk.surface, Surface::None);
    assert!(!reflection.risk.needs_review);
    assert_eq!(reflection.risk.reason, "no files changed");
}

#[test]
fn a_change_only_in_our_own_folder_is_an_empty_one() {
    let world = World::new();
    // Even when somebody has made git see the folder.
    world.write(".hansei/token.txt", "x");
    world.write(".hansei/.gitignore", "");
    world.git(&["add", "--force", ".hansei/token.txt"]);
    assert!(world.capture().files_changed.is_empty());
    let older = World::new();
    older.write(".mosaic/notes.md", "x");
    older.write(".reflection/secret.json", "x");
    older.hook("stop");
    let names = sidecars_in(&older.path(".mosaic/reflections"));
    assert_eq!(names.len(), 1, "a repository with .mosaic keeps its reflections there");
    assert!(older.last().files_changed.is_empty());
}

#[test]
fn the_change_is_everything_since_the_session_began() {
    let world = World::new();
    for name in [
        "kept.txt", "edited.txt", "staged.txt", "deleted.txt", "old-name.txt", "committed.txt", "ignored.log",
    ] {
        world.write(name, format!("{name}\n"));
    }
    world.write(".gitignore", "*.log\n");
    world.commit("More");
    world.hook("session-start");
    world.write("committed.txt", "changed\n");
    world.write("later.txt", "new\n");
    world.commit("The agent commits");
    world.write("edited.txt", "changed\n");
    world.write("staged.txt", "changed\n");
    world.git(&["add", "staged.txt"]);
    std::fs::remove_file(world.path("deleted.txt")).unwrap();
    world.git(&["mv", "old-name.txt", "new-name.txt"]);
    world.write("dir/untracked.txt", "new\n");
    world.write("other.log", "ignored\n");
    let expected = [
        "committed.txt", "deleted.txt", "dir/untracked.txt", "edited.txt", "later.txt", "new-name.txt",
        "old-name.txt", "staged.txt",
    ];
    assert_eq!(world.capture().files_changed, expected);
    // Without a recorded start the change counts from HEAD.
    world.hook_in(&world.repo, "stop", "another");
    let uncommitted: Vec<&str> =
        expected.into_iter().filter(|name| !matches!(*name, "committed.txt" | "later.txt")).collect();
    assert_eq!(world.last().files_changed, uncommitted);
}

#[test]
fn files_that_were_already_dirty_and_stayed_so_are_not_the_agents() {
    let world = World::new();
    for name in ["mine.txt", "shared.txt", "gone.txt", "link.txt", "committed.txt"] {
        world.write(name, "start\n");
    }
    world.commit("More");
    world.write("mine.txt", "edited by the user\n");
    world.write("shared.txt", "edited by the user\n");
    world.write("committed.txt", "edited by the user\n");
    world.write("untracked.txt", "by the user\n");
    std::fs::remove_file(world.path("gone.txt")).unwrap();
    std::fs::remove_file(world.path("link.txt")).unwrap();
    std::os::unix::fs::symlink("mine.txt", world.path("link.txt")).unwrap();
    world.hook("session-start");
    world.write("shared.txt", "and then by the agent\n");
    world.write("agent.txt", "new\n");
    world.git(&["commit", "--quiet", "-m", "The user's own edit, committed by the agent", "committed.txt"]);
    assert_eq!(world.capture().files_changed, ["agent.txt", "shared.txt"]);
    let shown = world.run(&["show", "last", "--json"]).json();
    let left_out = ["committed.txt", "gone.txt", "link.txt", "mine.txt", "untracked.txt"];
    assert_eq!(shown["capture"]["left_out"], serde_json::json!(left_out), "and said so");
    let page = world.run(&["show", "last"]).stdout;
    assert!(page.contains("left out          5 changed before the session and not since"), "{page}");
    // A resumed session still counts from its first start.
    world.write("mine.txt", "now by the agent\n");
    world.hook("session-start");
    assert_eq!(world.capture().files_changed, ["agent.txt", "mine.txt", "shared.txt"]);
}

#[test]
fn attempts_count_the_stops_of_a_task() {
    let world = World::new();
    let attempt = || world.capture().provenance.reflection_attempt;
    assert_eq!((attempt(), attempt()), (1, 2));
    world.hook("prompt");
    assert_eq!((attempt(), attempt(), attempt()), (1, 2, 3));
    world.hook_in(&world.repo, "stop", "other");
    assert_eq!(world.last().provenance.reflection_attempt, 1);
}

#[test]
fn every_event_of_every_agent_is_answered() {
    let world = World::new();
    let events = [
        "session-start", "prompt", "tool", "stop", "subagent-stop", "compact", "error", "abort",
        "session-end", "Stop", "UserPromptSubmit",
    ];
    for event in events {
        assert_eq!(world.hook(event).stderr, "", "{event}");
    }
    assert_eq!(world.sidecars().len(), 2, "only stops are captured");
    let mut command = world.hansei();
    command.args(["hook", "someone-else", "stop", "--mode", "solo"]);
    Ran::of(&mut command, &payload(&world.repo, "x"));
    assert_eq!(world.last().agent, "someone-else");
    let mut command = world.hansei();
    command.args(["hook", "stop", "--mode", "solo"]);
    Ran::of(&mut command, &payload(&world.repo, "y"));
    assert_eq!(world.last().agent, "unknown");
    // Wrong use is said, but never with an exit code that an agent reads as "go on".
    for arguments in [vec!["hook", "claude-code", "nonsense"], vec!["hook"], vec!["hook", "a", "b", "c"]] {
        let ran = Ran::of(world.hansei().args(arguments).env("REFLECTION_MODE", "solo"), b"");
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
        assert!(ran.stderr.starts_with("hansei: "), "{}", ran.stderr);
    }
}

#[test]
fn without_commits_everything_is_new() {
    let world = World::without_commit();
    world.write("first.sql", "x");
    let reflection = world.capture();
    assert_eq!(
        (reflection.task_ref.as_str(), reflection.files_changed.as_slice()),
        ("project@main", ["first.sql".to_owned()].as_slice())
    );
    // Recorded as empty at the start, the first commits are part of the change.
    let world = World::without_commit();
    world.hook("session-start");
    world.write("first.rs", "x");
    world.commit("First");
    world.write("second.rs", "x");
    assert_eq!(world.capture().files_changed, ["first.rs", "second.rs"]);
    assert_eq!(world.reasons("s1"), ["no self-report"]);
}

#[test]
fn a_detached_head_is_named_by_its_short_commit() {
    let world = World::new();
    world.git(&["checkout", "--quiet", "--detach"]);
    let short = world.git(&["rev-parse", "--short", "HEAD"]);
    assert_eq!(world.capture().task_ref, format!("project@{}", short.trim()));
}

#[test]
fn a_sub_folder_belongs_to_its_repository() {
    let world = World::new();
    world.write("deep/er/file.txt", "x");
    world.hook_in(&world.path("deep/er"), "stop", "s1");
    let reflection = world.last();
    assert_eq!(reflection.repo, "project");
    assert_eq!(reflection.files_changed, ["deep/er/file.txt"]);
    assert!(!world.path("deep/er/.hansei").exists());
}

#[test]
fn a_linked_work_tree_records_in_the_main_one_and_may_go() {
    let world = World::new();
    let tree = world.outside().join("linked tree");
    world.git(&["worktree", "add", "--quiet", "-b", "feature/x", tree.to_str().unwrap()]);
    world.hook_in(&tree, "session-start", "s1");
    std::fs::write(tree.join("login.rs"), "x").unwrap();
    world.hook_in(&tree, "stop", "s1");
    let reflection = world.last();
    assert_eq!(reflection.task_ref, "project@feature/x");
    assert_eq!(reflection.repo, "project");
    assert_eq!(reflection.files_changed, ["login.rs"]);
    assert!(!tree.join(".hansei").exists());
    world.git(&["worktree", "remove", "--force", tree.to_str().unwrap()]);
    assert_eq!(world.last(), reflection, "its records survive it");
}

#[test]
fn a_work_tree_of_a_bare_repository_records_inside_that() {
    let world = World::new();
    let bare = world.outside().join("hub.git");
    world.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let tree = world.outside().join("tree");
    world.git_in(&bare, &["worktree", "add", "--quiet", "-b", "t", tree.to_str().unwrap()]);
    std::fs::write(tree.join("new.rs"), "x").unwrap();
    world.hook_in(&tree, "stop", "s1");
    assert_eq!(sidecars_in(&bare.join(".hansei/reflections")).len(), 1);
    assert!(!tree.join(".hansei").exists());
}

#[test]
fn a_bare_or_missing_repository_gives_an_empty_degraded_reflection() {
    let world = World::new();
    let bare = world.outside().join("hub.git");
    world.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    world.hook_in(&bare, "session-start", "s1");
    world.hook_in(&bare, "stop", "s1");
    let folder = bare.join(".hansei/reflections");
    let text = std::fs::read(folder.join(&sidecars_in(&folder)[0])).unwrap();
    let reflection: hansei_core::reflection::Reflection = serde_json::from_slice(&text).unwrap();
    assert!(reflection.files_changed.is_empty() && reflection.provenance.degraded);
    assert_eq!((reflection.repo.as_str(), reflection.task_ref.as_str()), ("hub", "hub@unknown"));

    let world = World::without_repository();
    world.write("login.rs", "x");
    world.hook("session-start");
    let reflection = world.capture();
    assert!(reflection.files_changed.is_empty() && reflection.provenance.degraded);
    assert_eq!(world.reasons("s1"), ["no git repository", "no self-report"]);
}

#[test]
fn any_path_is_named_without_loss() {
    let world = World::new();
    let names: [&[u8]; 6] = [
        b"with space.txt",
        b"with \"quotes\".txt",
        b"with\nnewline.txt",
        b"caf\xe9.txt",
        "日本.txt".as_bytes(),
        br"back\slash.txt",
    ];
    for name in names {
        std::fs::write(world.repo.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let files = world.capture().files_changed;
    assert!(files.contains(&r"caf\xE9.txt".to_owned()), "{files:?}");
    let mut decoded: Vec<Vec<u8>> = files.iter().map(|file| hansei_core::path_text::decode(file)).collect();
    decoded.sort();
    let mut expected: Vec<Vec<u8>> = names.iter().map(|name| name.to_vec()).collect();
    expected.sort();
    assert_eq!(decoded, expected);
}

#[test]
fn submodules_count_when_they_move_and_when_they_are_edited() {
    let world = World::new();
    let library = world.outside().join("library");
    world.git(&["init", "--quiet", library.to_str().unwrap()]);
    std::fs::write(library.join("lib.rs"), "x").unwrap();
    world.git_in(&library, &["add", "."]);
    world.git_in(&library, &["commit", "--quiet", "-m", "Library"]);
    world.git(&["submodule", "--quiet", "add", library.to_str().unwrap(), "vendor/library"]);
    world.commit("With a submodule");
    world.hook("session-start");
    std::fs::write(world.path("vendor/library/lib.rs"), "edited").unwrap();
    std::fs::write(world.path("vendor/library/new.rs"), "new").unwrap();
    assert_eq!(world.capture().files_changed, ["vendor/library/lib.rs", "vendor/library/new.rs"]);
    world.git_in(&world.path("vendor/library"), &["add", "."]);
    world.git_in(&world.path("vendor/library"), &["commit", "--quiet", "-m", "Inside"]);
    assert_eq!(world.capture().files_changed, ["vendor/library"]);
    // A stop inside the submodule is the submodule's own.
    world.hook_in(&world.path("vendor/library"), "stop", "inner");
    assert_eq!(sidecars_in(&world.path("vendor/library/.hansei/reflections")).len(), 1);
}

#[test]
fn settings_that_the_agent_changed_do_not_count() {
    let world = World::new();
    world.write("hansei.toml", "[risk.surfaces.auth]\nextend = ['^payments/']\n");
    world.commit("Settings");
    world.hook("session-start");
    world.write("payments/total.rs", "x");
    assert_eq!(world.capture().risk.surface, Surface::Auth);
    world.write("hansei.toml", "[risk]\nthreshold = 1.0\n[risk.surfaces.auth]\nreplace = []\n");
    assert_eq!(world.capture().risk.surface, Surface::Auth);
    world.commit("Weaker settings");
    assert_eq!(world.capture().risk.surface, Surface::Auth);
    // Broken settings are noted, and the built-in floor holds.
    world.hook_in(&world.repo, "stop", "broken");
    world.write("hansei.toml", "nonsense");
    world.commit("Broken settings");
    world.write("login.rs", "x");
    world.hook_in(&world.repo, "stop", "broken");
    assert_eq!(world.last().risk.surface, Surface::Auth);
    assert!(world.reasons("broken").iter().any(|reason| reason.contains("hansei.toml")));
}
