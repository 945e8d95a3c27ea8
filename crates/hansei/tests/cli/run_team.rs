//! Teams in `hansei run`: experts in trees of their own, whose work is merged, verified, and only then put into the user's.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use hansei_model_server::{ModelServer, Options};
use serde_json::Value;

use crate::run_support::{Beside, Stage, Told, says, shell};
use crate::support::{Ran, World};

/// Two at once and one behind them.
const TRIO: &str = "name: trio\nroles:\n  - { name: one, prompt: Do the first part. }\n  - { name: two, prompt: Do the second part. }\n  - { name: three, prompt: Look at both., depends_on: [one, two] }\n";

/// A project whose check passes when `list.txt` names everybody in `wanted`.
fn project(wanted: &str) -> World {
    let world = World::new();
    world.write(
        "package.json",
        r#"{ "name": "x", "version": "1.0.0", "scripts": { "test": "node test.js" } }"#,
    );
    world.write(
        "test.js",
        format!(
            "const text = require('fs').readFileSync('list.txt', 'utf8');\nfor (const name of '{wanted}'.split(' ')) if (!text.includes(name)) {{ console.error('not ok: ' + name); process.exit(1); }}\nif (/[<>]{{7}}/.test(text)) process.exit(1);\nconsole.log('ok');\n"
        ),
    );
    world.write("list.txt", "first\nsecond\n");
    world.commit("A list");
    own_template(&world, "trio", TRIO);
    world
}

fn own_template(world: &World, name: &str, text: &str) {
    let folder = world.outside().join("home/.config/hansei/teams");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

/// What a request must hold, and what is said to it, turn by turn. Written steps become rules of their own.
fn part(mark: &str, steps: &[&str]) -> String {
    let rule = |(turn, step): (usize, &&str)| {
        let body = step.strip_prefix("  - ").unwrap();
        format!("  - when: {{ body: {}, turn: {turn} }}\n    {body}", serde_json::json!(mark))
    };
    steps.iter().enumerate().map(rule).collect()
}

fn expert(name: &str, steps: &[&str]) -> String {
    part(&format!("Your role: {name}\\n"), steps)
}

/// What an expert does when its work comes back to it.
fn mending(steps: &[&str]) -> String {
    part("it contradicts what others did meanwhile", steps)
}

/// A stage whose experts, and whoever answers for the whole, say these things.
fn stage(world: World, parts: &[String], whole: &[&str]) -> Stage {
    let steps = if whole.is_empty() { says("I have nothing to add.") } else { whole.concat() };
    Stage::of(world, &format!("steps:\n{steps}rules:\n{}", parts.concat()))
}

fn append(text: &str) -> String {
    shell(&format!("printf '%s\\n' {text} >> list.txt"))
}

fn edit(from: &str, to: &str) -> String {
    shell(&format!("sed -i s/{from}/{to}/ list.txt"))
}

fn with_task(stage: &Stage, arguments: &[&str], task: &str) -> Command {
    let mut command = stage.world.hansei();
    command
        .env("ANTHROPIC_API_KEY", "sk-ant-fake-000")
        .args(["run", "--json", "--model", "anthropic/claude-scripted", "--base-url", &stage.model.url()])
        .args(arguments)
        .arg(task);
    command
}

fn trio(stage: &Stage) -> Told {
    Told::of(&mut with_task(stage, &["--team", "trio"], "name everybody"))
}

fn list(world: &World) -> String {
    std::fs::read_to_string(world.path("list.txt")).unwrap()
}

/// Whether nothing is left of any team.
fn is_tidy(world: &World) -> bool {
    let teams = world.outside().join("home/.cache/hansei/teams");
    let left = std::fs::read_dir(teams)
        .map(|entries| entries.flatten().filter(|entry| entry.path().is_dir()).count());
    left.unwrap_or(0) == 0 && world.git(&["worktree", "list"]).lines().count() == 1
}

fn experts(told: &Told, kind: &str) -> Vec<String> {
    told.all(kind).into_iter().map(|line| line["expert"].as_str().unwrap().to_owned()).collect()
}

/// Everything of the user's that is git's, to the byte where it is a file.
fn kept(world: &World) -> (String, Vec<u8>) {
    let told = [
        world.git(&["for-each-ref"]),
        world.git(&["symbolic-ref", "HEAD"]),
        world.git(&["stash", "list"]),
        world.git(&["worktree", "list"]),
        world.git(&["ls-files", "--stage"]),
    ];
    (told.concat(), std::fs::read(world.path(".git/index")).unwrap())
}

#[test]
fn u9_a_task_that_begins_with_team_goes_to_a_team_and_its_phases_execute() {
    let parts = [
        expert("engineer", &[&append("engineer"), &says("Built.")]),
        expert("tester", &[&shell("echo test > tested.txt"), &says("Tested.")]),
        expert("reviewer", &[&shell("cat tested.txt list.txt"), &says("Both are fine.")]),
    ];
    let stage = stage(project("engineer"), &parts, &[]);
    let told = Told::of(&mut with_task(&stage, &[], "@team put the engineer on the list"));
    assert_eq!(told.ending(), "complete", "{:#?} {}", told.lines, told.stderr);
    assert_eq!(told.lines[0]["mode"], "team_collab");
    assert_eq!(told.lines[0]["task"], "put the engineer on the list");
    assert_eq!(told.lines[0]["team"]["name"], "standard");
    for kind in ["expert_started", "expert_done", "expert_merged"] {
        let mut who = experts(&told, kind);
        who.sort();
        assert_eq!(who, ["engineer", "reviewer", "tester"], "{kind}");
    }
    let started = experts(&told, "expert_started");
    assert_eq!(started[2], "reviewer", "it waits for the others");
    assert_eq!((told.count("verified"), told.last()["verified"].as_bool()), (1, Some(true)));
    assert_eq!(told.count("run_ended"), 1);
    assert_eq!(list(&stage.world), "first\nsecond\nengineer\n");
    assert!(stage.world.path("tested.txt").exists());
    assert!(is_tidy(&stage.world));
    // Nobody but the experts was asked, each by its role; the last began from what the others left.
    let bodies: Vec<String> = stage.model.stop().iter().map(|request| request.body.to_string()).collect();
    assert!(bodies.iter().all(|body| body.contains("Your role: ")), "{bodies:#?}");
    assert!(bodies.iter().any(|body| body.contains("Your role: reviewer") && body.contains("Built.")));
    let looked = told.all("expert_did").into_iter().any(|line| {
        line["expert"] == "reviewer" && line["event"]["text"].to_string().contains("test\\\\nfirst")
    });
    assert!(looked, "{:#?}", told.lines);
}

#[test]
fn the_mode_the_option_and_the_task_ask_for_the_same() {
    for (arguments, task, name) in [
        (vec!["--mode", "team_collab"], "do it", "standard"),
        (vec!["--team", "standard"], "do it", "standard"),
        (vec!["--team", "pair"], "@team do it", "pair"),
        (vec![], "@team:pair do it", "pair"),
    ] {
        let stage = stage(World::new(), &[], &[]);
        let told = Told::of(&mut with_task(&stage, &arguments, task));
        assert_eq!(told.ending(), "complete", "{:?}", told.lines);
        assert_eq!((&told.lines[0]["team"]["name"], &told.lines[0]["task"]), (&name.into(), &"do it".into()));
    }
}

#[test]
fn u9_where_there_can_be_no_team_that_is_said_and_nobody_works_alone() {
    for (world, part) in
        [(World::without_repository(), "git repository"), (World::without_commit(), "commit to begin from")]
    {
        let stage = stage(world, &[], &[]);
        let ran = Ran::of(&mut with_task(&stage, &[], "@team do it"), b"");
        assert_eq!((ran.code, ran.stderr.contains(part)), (3, true), "{}", ran.stderr);
        assert!(stage.model.stop().is_empty(), "nobody was asked");
    }
    // The place for its trees cannot be made: that is found out when the run has begun, and ends it.
    let stage = stage(World::new(), &[], &[]);
    let file = stage.world.outside().join("file");
    std::fs::write(&file, "").unwrap();
    let told = Told::of(with_task(&stage, &[], "@team do it").env("XDG_CACHE_HOME", &file));
    assert_eq!(told.ending(), "failed");
    assert_eq!(told.count("team_impossible"), 1);
    assert!(told.last()["why"].as_str().unwrap().contains("there can be no team"), "{}", told.last());
    assert!(stage.model.stop().is_empty(), "nobody was asked");
}

#[test]
fn u9_an_unknown_template_is_an_error_that_lists_the_known_ones() {
    let world = World::new();
    own_template(&world, "mine", TRIO);
    // What a repository brings along is none.
    world.write("teams/theirs.yaml", TRIO);
    world.write(".hansei/teams/theirs.yaml", TRIO);
    let stage = stage(world, &[], &[]);
    for arguments in [vec!["--team", "theirs"], vec!["--team", "../../teams/theirs"], vec!["--team", ""]] {
        let ran = Ran::of(&mut with_task(&stage, &arguments, "do it"), b"");
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("there are mine, pair, standard"), "{}", ran.stderr);
    }
    let ran = Ran::of(&mut with_task(&stage, &[], "@team:theirs do it"), b"");
    assert_eq!((ran.code, ran.stderr.contains("mine, pair, standard")), (2, true));
    assert!(stage.model.stop().is_empty());
}

#[test]
fn a_template_that_is_none_is_named_with_what_is_wrong() {
    let world = World::new();
    for (text, part) in [
        (TRIO.replace("trio", "other"), "called \"other\" inside"),
        (TRIO.replace("trio", "own").replace("one, two]", "four]"), "depends on \"four\", which is no role"),
        (
            TRIO.replace("trio", "own").replace("first part.", "first part., depends_on: [three]"),
            "wait for each other: one, three",
        ),
        (TRIO.replace("trio", "own").replace("name: two", "name: one"), "two roles called one"),
        ("name: own\nroles: []\n".to_owned(), "no roles"),
        (TRIO.replace("trio", "own").replace("part.", "part., command: rm"), "has no key \"command\""),
        (TRIO.replace("trio", "own").replace("part.", "part., agent: 'acp:rm'"), "by a command"),
        (TRIO.replace("trio", "own").replace("part.", "part., agent: hal"), "there is no agent \"hal\""),
        ("\u{0}".to_owned(), "not YAML"),
    ] {
        own_template(&world, "own", &text);
        let mut command = world.hansei();
        command.env("ANTHROPIC_API_KEY", "sk-ant-fake-000");
        let ran = Ran::of(command.args(["run", "--model", "anthropic/x", "--team", "own", "do it"]), b"");
        assert_eq!(ran.code, 2, "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        assert!(part.contains("hal") || ran.stderr.contains("teams/own.yaml"), "{}", ran.stderr);
    }
}

#[test]
fn u9_where_all_phases_fail_that_is_the_ending_and_nobody_takes_over() {
    let refused = "  - error: { status: 400, message: no luck }\n";
    let parts = [expert("one", &[refused]), expert("two", &[refused])];
    let stage = stage(project("one"), &parts, &[]);
    let before = kept(&stage.world);
    let told = trio(&stage);
    assert_eq!(told.ending(), "failed");
    let why = told.last()["why"].as_str().unwrap();
    for part in ["nobody came through", "one failed", "two failed", "three did not begin", "status 400"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    assert_eq!(experts(&told, "expert_failed").len(), 2);
    assert_eq!(experts(&told, "expert_skipped"), ["three"]);
    assert_eq!(told.count("verify_started"), 0);
    let bodies: Vec<String> = stage.model.stop().iter().map(|request| request.body.to_string()).collect();
    assert!(bodies.iter().all(|body| body.contains("Your role: ")), "nobody works alone");
    assert_eq!((list(&stage.world).as_str(), kept(&stage.world)), ("first\nsecond\n", before));
    assert!(is_tidy(&stage.world));
}

#[test]
fn three_experts_with_a_conflict_end_verified() {
    let parts = [
        mending(&[
            &shell("grep -q '<<<<<<< team' list.txt && printf 'ONE TWO\\nsecond\\n' > list.txt"),
            &says("Both are in."),
        ]),
        expert("one", &[&edit("first", "ONE"), &says("I put ONE first.")]),
        expert("two", &[&edit("first", "TWO"), &says("I put TWO first.")]),
        expert("three", &[&append("THREE"), &says("I put THREE last.")]),
    ];
    let stage = stage(project("ONE TWO THREE"), &parts, &[]);
    let told = trio(&stage);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    assert_eq!(experts(&told, "expert_conflicted"), ["two"], "the later one gets it back");
    assert_eq!(told.all("expert_conflicted")[0]["files"], serde_json::json!(["list.txt"]));
    assert_eq!(experts(&told, "expert_merged"), ["one", "two", "three"]);
    assert_eq!(told.last()["verified"], true);
    assert_eq!(list(&stage.world), "ONE TWO\nsecond\nTHREE\n");
    assert!(is_tidy(&stage.world));
    // It is shown as it happened, and counted together.
    let shown = stage.hansei(&["runs", "show", "last", "--replay"]).stdout;
    for part in [
        "one          begins",
        "two          contradicts others in: list.txt",
        "three        merged: list.txt",
        "in your tree: list.txt",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = stage.hansei(&["runs", "show", "last", "--json"]).json();
    assert_eq!(
        (&shown["team"], &shown["experts"][1]["is"]["stage"]),
        (&"trio".into(), &"merged".into()),
        "{shown}"
    );
    let exported = stage.hansei(&["export", told.run(), "--format", "messages"]).stdout;
    assert!(exported.contains("I put TWO first."), "{exported}");
}

#[test]
fn a_conflict_that_is_never_put_right_fails_openly() {
    let parts = [
        mending(&[&says("I leave it as it is.")]),
        expert("one", &[&edit("first", "ONE"), &says("Done.")]),
        expert("two", &[&edit("first", "TWO"), &says("Done.")]),
    ];
    let stage = stage(project("ONE TWO"), &parts, &[]);
    let told = trio(&stage);
    assert_eq!(told.ending(), "failed");
    assert_eq!(experts(&told, "expert_conflicted"), ["two", "two", "two"]);
    let why = told.last()["why"].as_str().unwrap();
    assert!(why.contains("two failed") && why.contains("list.txt"), "{why}");
    assert_eq!(list(&stage.world), "first\nsecond\n");
}

#[test]
fn one_failed_expert_fails_the_team_and_what_the_others_did_is_kept() {
    let parts = [
        expert("one", &[&append("ONE"), &says("Done.")]),
        expert("two", &[&shell("false"), &shell("false"), &shell("false"), &shell("false")]),
    ];
    let stage = stage(project("ONE"), &parts, &[]);
    let told = trio(&stage);
    assert_eq!(told.ending(), "stuck", "{}", told.last());
    let why = told.last()["why"].as_str().unwrap();
    assert!(why.contains("two failed") && why.contains("three did not begin"), "{why}");
    assert_eq!(list(&stage.world), "first\nsecond\n", "nothing of it is in the tree");
    let over = told.all("work_handed_over")[0];
    assert_eq!(over["became"], "kept");
    let patch = PathBuf::from(over["patch"].as_str().unwrap());
    assert!(patch.starts_with(stage.world.path(".hansei/teams")) && why.contains("its work is in"), "{why}");
    stage.world.git(&["apply".as_ref(), patch.as_os_str()]);
    assert_eq!(list(&stage.world), "first\nsecond\nONE\n");
    assert!(is_tidy(&stage.world));
}

#[test]
fn the_whole_is_reflected_upon_by_whoever_answers_for_it() {
    let experts = || [expert("one", &[&append("ONE"), &says("Done.")])];
    let whole = [says("ONE is not enough: NEXT is missing."), append("NEXT"), says("Now it is there.")];
    // Three turns of the whole: its first is the team's report.
    let whole: Vec<String> = std::iter::once(says("unused")).chain(whole).collect();
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    let stage_of = |whole: &[&str]| stage(project("ONE NEXT"), &experts(), whole);
    let mended = stage_of(&whole);
    let told = trio(&mended);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    let gates: Vec<&Value> = told.all("verified").into_iter().map(|line| &line["gate"]).collect();
    assert_eq!(gates, ["red", "green"]);
    assert_eq!(told.last()["reflections"], 1);
    assert_eq!(list(&mended.world), "first\nsecond\nONE\nNEXT\n");
    let given_up = stage_of(&[]);
    let told = trio(&given_up);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    assert_eq!(list(&given_up.world), "first\nsecond\n", "what is red does not reach the tree");
    assert_eq!(told.all("work_handed_over")[0]["became"], "kept");
}

#[test]
fn nothing_of_the_users_is_lost() {
    let world = project("ONE");
    world.write("stashed.txt", "stashed\n");
    world.git(&["add", "stashed.txt"]);
    world.git(&["stash", "--quiet"]);
    world.git(&["branch", "other"]);
    world.write("staged.txt", "staged\n");
    world.git(&["add", "staged.txt"]);
    world.write("staged.txt", "staged, then edited\r\n");
    world.write("list.txt", "first\nsecond\nmine, not committed\n");
    world.write("README.md", "# Mine\n");
    world.write("untracked.txt", "untracked\n");
    world.write(".gitignore", "ignored.txt\n");
    world.write("ignored.txt", "ignored\n");
    let parts = [
        expert(
            "one",
            &[
                &shell("cat list.txt untracked.txt staged.txt && git log --format=%s && git status --short"),
                &append("ONE"),
                &says("Done."),
            ],
        ),
        expert("two", &[&shell("rm untracked.txt && echo two > two.txt"), &says("Done.")]),
    ];
    let stage = stage(world, &parts, &[]);
    let world = &stage.world;
    let read = |name: &str| std::fs::read_to_string(world.path(name)).unwrap();
    let before = kept(world);
    let told = trio(&stage);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    // Experts began from what was not committed either.
    let seen =
        told.all("expert_did").into_iter().any(|line| line.to_string().contains("mine, not committed"));
    assert!(seen);
    assert_eq!(kept(world), before, "branches, stash, index and HEAD are as they were");
    assert_eq!(read("staged.txt"), "staged, then edited\r\n");
    assert_eq!(read("README.md"), "# Mine\n");
    assert_eq!(read("ignored.txt"), "ignored\n");
    assert_eq!(list(world), "first\nsecond\nmine, not committed\nONE\n");
    assert_eq!((read("two.txt").as_str(), world.path("untracked.txt").exists()), ("two\n", false));
    world.git(&["stash", "pop", "--quiet"]);
    assert_eq!(read("stashed.txt"), "stashed\n");
    assert!(is_tidy(world));
}

#[test]
fn whoever_edits_a_file_meanwhile_keeps_it() {
    let world = project("ONE");
    let file = world.path("list.txt");
    let parts = [expert("one", &[&append("ONE"), &says("Done.")])];
    let stage = stage(world, &parts, &[]);
    let mut run = Beside::start(&mut with_task(&stage, &["--team", "trio"], "name everybody"));
    run.until("team_ready");
    std::fs::write(&file, "edited meanwhile\n").unwrap();
    let told = run.end();
    assert_eq!(told.ending(), "failed", "{:#?}", told.lines);
    let why = told.last()["why"].as_str().unwrap();
    assert!(
        why.contains("passed, but the work is not in your tree")
            && why.contains("list.txt")
            && why.contains(".patch"),
        "{why}"
    );
    assert_eq!(list(&stage.world), "edited meanwhile\n");
}

/// Whether a process with this mark is running.
fn is_running(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(mark))
}

/// A team whose experts hang in a command with a mark.
fn hanging(mark: &str) -> Stage {
    let hangs = shell(&format!("sleep {mark}"));
    let parts = [expert("one", &[&hangs]), expert("two", &[&hangs])];
    stage(project("ONE"), &parts, &[])
}

fn wait_for(mut holds: impl FnMut() -> bool) {
    while !holds() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_leaves_no_process_and_no_tree_and_the_run_can_be_taken_up() {
    let mark = format!("41{}", std::process::id());
    let stage = hanging(&mark);
    let before = kept(&stage.world);
    let mut run = Beside::start(&mut with_task(&stage, &["--team", "trio"], "name everybody"));
    run.until("expert_started");
    wait_for(|| is_running(&mark));
    let id = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told = run.end();
    assert_eq!((told.code, told.kinds().last()), (130, Some(&"run_interrupted")), "{:?}", told.lines);
    assert!(!is_running(&mark));
    assert!(is_tidy(&stage.world));
    assert_eq!((list(&stage.world).as_str(), kept(&stage.world)), ("first\nsecond\n", before));
    // Trees do not outlive the process: the team begins anew, under the same name.
    let parts = expert("one", &[&append("ONE"), &says("Done.")]);
    let script = format!("steps:\n{}rules:\n{parts}", says("Nothing to add."));
    let model = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();
    let resumed = stage.resume(told.run(), &["--base-url", &model.url()]);
    assert_eq!(resumed.ending(), "complete", "{:#?}", resumed.lines);
    assert_eq!(resumed.last()["run"], told.run());
    assert_eq!(list(&stage.world), "first\nsecond\nONE\n");
    assert!(is_tidy(&stage.world));
}

#[test]
fn what_a_killed_team_left_is_tidied_by_the_next_run() {
    let mark = format!("42{}", std::process::id());
    let stage = hanging(&mark);
    let mut run = Beside::start(&mut with_task(&stage, &["--team", "trio"], "name everybody"));
    run.until("expert_started");
    wait_for(|| is_running(&mark));
    run.child.kill().unwrap();
    let told = run.end();
    assert!(!is_tidy(&stage.world), "else nothing is shown");
    wait_for(|| !is_running(&mark));
    let chat = Told::of(&mut with_task(&stage, &["--mode", "direct_chat"], "hello"));
    assert_eq!(chat.ending(), "complete");
    assert!(is_tidy(&stage.world));
    assert_eq!(list(&stage.world), "first\nsecond\n");
    let shown = stage.hansei(&["runs", "show", told.run(), "--json"]).json();
    assert_eq!(shown["standing"], "interrupted");
}

#[test]
fn no_hook_and_no_filter_of_the_repository_runs_because_of_a_team() {
    let world = project("ONE TWO");
    // Both change it, and do not contradict.
    world.write("list.txt", "first\n.\n.\n.\nsecond\n");
    let mark = world.outside().join("ran");
    let touch = format!("touch {}", mark.display());
    for hook in
        ["post-checkout", "pre-commit", "commit-msg", "post-commit", "post-merge", "reference-transaction"]
    {
        let file = world.path(&format!(".git/hooks/{hook}"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("#!/bin/sh\n{touch}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    world.write(".gitattributes", "*.txt filter=evil merge=evil\n");
    for (key, value) in [
        ("filter.evil.smudge", format!("{touch}; cat")),
        ("filter.evil.clean", format!("{touch}; cat")),
        ("merge.evil.driver", touch.clone()),
        ("core.fsmonitor", touch.clone()),
    ] {
        world.git(&["config", key, &value]);
    }
    world.git(&["status"]);
    assert!(mark.exists(), "whoever asks git as it is runs them");
    std::fs::remove_file(&mark).unwrap();
    let parts = [
        expert("one", &[&edit("first", "ONE"), &says("Done.")]),
        expert("two", &[&edit("second", "TWO"), &says("Done.")]),
    ];
    let stage = stage(world, &parts, &[]);
    let told = trio(&stage);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    assert!(!mark.exists());
    assert_eq!(list(&stage.world), "ONE\n.\n.\n.\nTWO\n");
}

#[test]
fn other_agents_can_be_a_team_too() {
    let world = project("ONE TWO");
    let bin = world.outside().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let agent = "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in *'Your role: one'*) echo ONE >> list.txt;; *'Your role: three'*) echo TWO >> list.txt;; esac\necho '{\"type\":\"result\",\"is_error\":false,\"result\":\"Done.\"}'\n";
    std::fs::write(bin.join("claude"), agent).unwrap();
    std::fs::set_permissions(bin.join("claude"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = world.hansei();
    command
        .env("PATH", path)
        .args(["run", "--json", "--agent", "claude-code", "--team", "trio", "name them"]);
    let told = Told::of(&mut command);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    assert_eq!(list(&world), "first\nsecond\nONE\nTWO\n");
    assert!(is_tidy(&world));
}
