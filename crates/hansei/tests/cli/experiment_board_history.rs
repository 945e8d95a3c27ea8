//! P3: boards in every format, and where a malformed one is wrong.

use serde_json::{Value, json};

use crate::support::{Ran, World};

fn asked(world: &World, format: &str, board: &str) -> Ran {
    let mut command = world.hansei();
    command.args(["experiment", "board-history", "--input-format", format, "-", "--format", "json"]);
    Ran::of(&mut command, board.as_bytes())
}

/// What P3 counted: completed, with a sign, right, wrong.
fn counted(ran: &Ran) -> [u64; 4] {
    let found = ran.json();
    ["completed", "with_sign", "right", "wrong"].map(|name| found[name].as_u64().unwrap())
}

fn day(number: u32) -> String {
    format!("2026-{:02}-{:02}T12:00:00Z", 1 + number / 28, 1 + number % 28)
}

/// So many tasks, one a line.
fn board(tasks: u32, task: impl Fn(u32) -> Value) -> String {
    let rows: Vec<String> = (0..tasks).map(|number| task(number).to_string()).collect();
    rows.join("\n")
}

#[test]
fn the_condition_comes_first_and_the_base_rate_decides() {
    let world = World::new();
    for (signs, tasks, status, code) in
        [(2, 10, "pass", 0), (1, 10, "killed", 1), (9, 9, "not_enough_data", 0), (0, 0, "not_enough_data", 0)]
    {
        let board = board(tasks, |number| {
            let sign = (number < signs).then(|| day(3));
            json!({ "id": number, "completed_at": day(1), "reopened_at": sign })
        });
        let ran = asked(&world, "jsonl", &board);
        let found = ran.json();
        assert_eq!((ran.code, &found["status"]), (code, &json!(status)), "{signs} of {tasks}");
        assert_eq!(found["n"], tasks);
        assert_eq!(ran.stderr.trim_end(), found["kill_condition"].as_str().unwrap());
        assert!(ran.stderr.contains("20 %"));
        assert_eq!(found["experiment"], "board-history");
        assert_eq!(found["registration_digest"].as_str().unwrap().len(), 64);
        assert_eq!(found["registration"]["as_registered"], true);
    }
    let without = board(10, |number| json!({ "id": number, "completed_at": "2026-01-01" }));
    let killed = asked(&world, "jsonl", &without).json();
    assert_eq!(killed["figure"], 0.0);
    assert_eq!(killed["interval"][0], 0.0);
    assert!((killed["interval"][1].as_f64().unwrap() - 0.277_532_799_863).abs() < 1e-9);
}

#[test]
fn people_read_text_and_markdown_and_get_a_chart() {
    let world = World::new();
    let board = board(
        12,
        |number| json!({ "id": number, "completed_at": "2026-01-01", "checks_passed_at": "2026-01-02" }),
    );
    world.write("board.jsonl", board);
    for format in ["text", "markdown"] {
        let ran = world.run(&[
            "experiment", "board-history", "--input-format", "jsonl", "board.jsonl", "--format", format,
            "--chart", "chart.svg",
        ]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        let condition = ran.stdout.find("P3 is killed if").unwrap();
        assert!(condition < ran.stdout.find("status  pass").unwrap(), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("12 completed; of 12 a machine can tell: 12 right, 0 wrong"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains("checks_passed"), "{}", ran.stdout);
    }
    let chart = std::fs::read_to_string(world.path("chart.svg")).unwrap();
    assert!(chart.contains("<svg ") && chart.trim_end().ends_with("</svg>"), "{chart}");
}

#[test]
fn githubs_issues_and_pull_requests() {
    let world = World::new();
    let rest = json!([
        { "number": 1, "state": "closed", "closed_at": day(1), "state_reason": "completed" },
        { "number": 2, "state": "closed", "closed_at": day(9), "state_reason": "completed", "timeline": [
            { "event": "closed", "created_at": day(1), "commit_id": "0a1b" },
            { "event": "reopened", "created_at": day(5) },
            { "event": "closed", "created_at": day(9) } ] },
        { "number": 3, "state": "closed", "closed_at": day(1), "state_reason": "not_planned" },
        { "number": 4, "state": "open", "closed_at": null },
        { "number": 5, "state": "closed", "closed_at": day(2), "pull_request": { "merged_at": day(2) }, "timeline": [
            { "event": "cross-referenced", "created_at": day(4), "source": { "type": "issue", "issue": { "number": 9, "title": "Revert \"Add a cache (#5)\"" } } } ] },
        { "number": 6, "state": "closed", "closed_at": day(2), "pull_request": { "merged_at": null } },
        { "number": 7, "state": "closed", "closed_at": day(2), "timeline": [
            { "event": "labeled", "created_at": day(6), "label": { "name": "Verified" } } ] },
    ]);
    assert_eq!(counted(&asked(&world, "github", &rest.to_string())), [4, 3, 1, 2]);
    let gh = json!([
        { "number": 1, "state": "MERGED", "mergedAt": day(3), "closedAt": day(3), "statusCheckRollup": [
            { "__typename": "CheckRun", "conclusion": "SUCCESS", "completedAt": day(2) },
            { "__typename": "CheckRun", "conclusion": "SKIPPED", "completedAt": day(2) } ] },
        { "number": 2, "state": "MERGED", "mergedAt": day(3), "closedAt": day(3), "statusCheckRollup": [
            { "__typename": "StatusContext", "state": "SUCCESS" },
            { "__typename": "CheckRun", "conclusion": "FAILURE", "completedAt": day(4) } ] },
        { "number": 3, "state": "CLOSED", "closedAt": day(3), "stateReason": "COMPLETED" },
    ]);
    assert_eq!(counted(&asked(&world, "github", &gh.to_string())), [3, 2, 1, 1]);
    let graphql = json!({ "data": { "repository": { "issues": { "nodes": [
        { "number": 1, "closedAt": day(1), "timelineItems": { "nodes": [
            { "__typename": "ClosedEvent", "createdAt": day(1) },
            { "__typename": "ReopenedEvent", "createdAt": day(2) } ] } } ] } } } });
    assert_eq!(counted(&asked(&world, "github", &graphql.to_string())), [1, 1, 0, 1]);
    let events: String = [("closed", 1), ("reopened", 3)]
        .map(|(event, at)| {
            format!("{}\n", json!({ "event": event, "created_at": day(at), "issue": { "number": 7 } }))
        })
        .concat();
    assert_eq!(counted(&asked(&world, "github", &events)), [1, 1, 0, 1]);
}

#[test]
fn gitlabs_issues_and_merge_requests() {
    let world = World::new();
    let export: String = [
        json!({ "iid": 1, "state": "closed", "closed_at": "2026-01-02 10:00:00 UTC", "resource_state_events": [
            { "state": "closed", "created_at": "2026-01-02T10:00:00.123Z" },
            { "state": "reopened", "created_at": "2026-01-05T10:00:00.123Z" } ] }),
        json!({ "iid": 2, "state": "closed", "closed_at": day(2), "notes": [
            { "note": "reopened", "system": true, "created_at": day(4) },
            { "note": "reopened? no", "system": false, "created_at": day(3) } ] }),
        json!({ "iid": 3, "state": "closed", "closed_at": day(2), "moved_to_id": 12 }),
        json!({ "iid": 4, "state": "opened", "closed_at": null }),
    ]
    .map(|issue| format!("{issue}\n"))
    .concat();
    assert_eq!(counted(&asked(&world, "gitlab", &export)), [2, 2, 0, 2]);
    let requests = json!([
        { "iid": 1, "state": "merged", "merged_at": day(3), "source_branch": "a", "head_pipeline": { "status": "success", "finished_at": day(2) } },
        { "iid": 2, "state": "merged", "merged_at": day(3), "source_branch": "b", "head_pipeline": { "status": "running" } },
        { "iid": 3, "state": "closed", "closed_at": day(3), "source_branch": "c" },
        { "iid": 4, "state": "merged", "merged_at": day(3), "source_branch": "d", "resource_label_events": [
            { "action": "add", "label": { "name": "type::regression" }, "created_at": day(8) },
            { "action": "remove", "label": { "name": "verified" }, "created_at": day(4) } ] },
    ]);
    assert_eq!(counted(&asked(&world, "gitlab", &requests.to_string())), [3, 2, 1, 1]);
}

#[test]
fn jiras_search_with_its_changelog() {
    let world = World::new();
    let change = |at: &str, from: &str, to: &str| json!({ "created": at, "items": [{ "field": "status", "fromString": from, "toString": to }] });
    let issue = |key: &str,
                 status: (&str, &str),
                 resolved: Option<&str>,
                 resolution: Option<&str>,
                 histories: Value| {
        json!({ "key": key, "fields": {
            "status": { "name": status.0, "statusCategory": { "key": status.1 } },
            "resolutiondate": resolved, "resolution": resolution.map(|name| json!({ "name": name })) },
            "changelog": { "histories": histories } })
    };
    let at = |number: u32| format!("2026-01-{number:02}T09:00:00.000+0200");
    let board = json!({ "startAt": 0, "total": 5, "issues": [
        issue("A-1", ("Shipped", "done"), Some(&at(2)), Some("Done"), json!([change(&at(2), "In Review", "Shipped")])),
        issue("A-2", ("Shipped", "done"), Some(&at(9)), Some("Done"), json!([
            change(&at(2), "In Review", "Shipped"), change(&at(4), "Shipped", "To Do"), change(&at(9), "To Do", "Shipped")])),
        issue("A-3", ("Done", "done"), Some(&at(3)), Some("Won't Do"), json!([change(&at(3), "To Do", "Done")])),
        issue("A-4", ("To Do", "new"), None, None, json!([])),
        issue("A-5", ("Done", "done"), Some(&at(3)), Some("Fixed"), json!([
            { "created": at(8), "items": [{ "field": "labels", "fromString": "api", "toString": "api qa-passed" }] }])),
    ]});
    assert_eq!(counted(&asked(&world, "jira", &board.to_string())), [3, 2, 1, 1]);
}

#[test]
fn tables_with_the_names_that_exports_use() {
    let world = World::new();
    let wide = "Issue key,Summary,Resolved,reopened_at\nA-1,\"a, b\",02/Jan/26 3:04 PM,\nA-2,x,2026-01-02,2026-01-10\nA-3,y,,\n";
    assert_eq!(counted(&asked(&world, "csv", wide)), [2, 1, 0, 1]);
    let long = "id,event,at\n1,completed,2026-01-01\n1,checks_passed,2026-01-02\n2,completed,2026-01-01\n2,reverted,2026-03-02\n";
    assert_eq!(counted(&asked(&world, "csv", long)), [2, 1, 1, 0]);
}

#[test]
fn the_history_of_task_files() {
    let world = World::new();
    let commit = |day: u32| {
        world.git(&["add", "--all"]);
        let date = format!("2026-01-{day:02}T12:00:00Z");
        let mut git = world.command("git");
        git.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        assert!(git.args(["commit", "--quiet", "-m", "Work"]).status().unwrap().success());
    };
    world.write("tasks/one.yaml", "id: 1\nstatus: open\n");
    world.write("tasks/two.md", "---\nid: 2\nstatus: open\n---\n");
    world.write("tasks/list.md", "- [ ] write it\n- [ ] test it\n");
    world.write("tasks/all.json", "[\n  { \"id\": \"x\",\n    \"status\": \"open\" },\n  { \"id\": \"y\",\n    \"status\": \"open\" }\n]\n");
    commit(1);
    world.write("tasks/one.yaml", "id: 1\nstatus: done\n");
    world.write("tasks/two.md", "---\nid: 2\nstatus: done\n---\n");
    world.write("tasks/list.md", "- [x] write it\n- [ ] test it\n");
    world.write("tasks/all.json", "[\n  { \"id\": \"x\",\n    \"status\": \"open\" },\n  { \"id\": \"y\",\n    \"status\": \"done\" }\n]\n");
    commit(2);
    world.write("tasks/one.yaml", "id: 1\nstatus: in progress\n");
    world.write("tasks/list.md", "- [ ] write it\n- [x] test it\n");
    world.write("tasks/all.json", "[\n  { \"id\": \"x\",\n    \"status\": \"open\" },\n  { \"id\": \"y\",\n    \"status\": \"done\",\n    \"verified\": true }\n]\n");
    commit(5);
    let ran = world.run(&["experiment", "board-history", "--input-format", "git", "tasks", "--json"]);
    // one.yaml and "write it" were opened again, y was verified; two.md and "test it" have no sign.
    assert_eq!(counted(&ran), [5, 3, 1, 2], "{}", ran.stdout);
    assert_eq!(ran.json()["tasks"], 6);
    let file =
        world.run(&["experiment", "board-history", "--input-format", "git", "tasks/one.yaml", "--json"]);
    assert_eq!(counted(&file), [1, 1, 0, 1], "{}", file.stderr);
}

#[test]
fn a_malformed_board_is_refused_with_row_and_column() {
    let world = World::new();
    for (format, board, place) in [
        (
            "jsonl",
            "{\"id\":1,\"completed_at\":\"2026-01-01\"}\n{\"id\":2,\"completed_at\":}\n",
            "row 2, column 24: ",
        ),
        (
            "jsonl",
            "{\"id\":1,\"completed_at\":\"soon\"}\n",
            "row 1, column completed_at: \"soon\" is not a time",
        ),
        ("jsonl", "\n[1]\n", "row 2, column 1: [1] is not an object"),
        ("jsonl", "{\"completed_at\":\"2026-01-01\"}\n", "row 1, column id: a task needs an id"),
        (
            "jsonl",
            "{\"id\":1,\"events\":[{\"what\":\"exploded\",\"at\":\"2026-01-01\"}]}",
            "row 1, column events.what: \"exploded\" is none of",
        ),
        (
            "csv",
            "id,completed_at\n1,2026-01-01\n2,soon\n",
            "row 3, column completed_at: \"soon\" is not a time",
        ),
        ("csv", "id,completed_at\n1,2026-01-01,3\n", "row 2, column 3: 3 fields where the header has 2"),
        ("csv", "name,completed_at\n", "row 1, column id: "),
        ("csv", "id,name\n", "row 1, column completed_at: "),
        ("csv", "id,completed_at\n,2026-01-01\n", "row 2, column id: "),
        ("github", "[{\"number\":1,\n\"state\":\"closed\",,}]", "row 2, column 18: "),
        ("github", "[{\"number\":1,\"state\":\"closed\"}]", "row 1, column closed_at: "),
        ("github", "[{\"number\":1},{\"state\":\"open\"}]", "row 2, column number: "),
        ("github", "[{\"number\":1,\"closed_at\":17.5}]", "row 1, column closed_at: 17.5 is not a time"),
        ("github", "\"issues\"", "row 1, column 1: \"issues\" is not a list of tasks"),
        ("gitlab", "[{\"iid\":1,\"state\":\"closed\"}]", "row 1, column closed_at: "),
        (
            "gitlab",
            "[{\"iid\":1,\"resource_state_events\":[{\"state\":\"reopened\"}]}]",
            "row 1, column created_at: ",
        ),
        ("jira", "{\"issues\":[{\"key\":\"A-1\"}]}", "row 1, column fields: "),
        (
            "jira",
            "{\"issues\":[{\"key\":\"A-1\",\"fields\":{\"resolutiondate\":\"x\"}}]}",
            "row 1, column resolutiondate: ",
        ),
    ] {
        let ran = asked(&world, format, board);
        assert_eq!(ran.code, 2, "{format}: {board}");
        assert!(ran.stderr.contains(place), "{format}: {board}\n{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
    let missing = world.run(&["experiment", "board-history", "--input-format", "csv", "nowhere.csv"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nowhere.csv"), "{}", missing.stderr);
}
