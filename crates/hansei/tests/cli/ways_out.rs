//! The two ways out of a send-back: the command that settles it, or the sentence to correct. Whoever claims again what is not so
//! is not done, and whoever only talked is left alone.

use crate::stop::{Step, feedback, last_event, stop, verdict};
use crate::support::World;

const RED: &str = "test parse::empty ... FAILED\n\nfailures:\n    parse::empty\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n";
const RED_AT_LENGTH: &str = "test parse::a_very_long_name_of_a_test::that_says_all_it_does::when_the_input_is_empty ... FAILED\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n";
const GREEN: &str = "test result: ok. 4 passed; 0 failed; 0 ignored\n";

/// A world in which somebody is at the terminal, or nobody is.
fn world(attended: bool) -> World {
    let world = World::new();
    if !attended {
        let config = world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nautonomy = 'auto'\n").unwrap();
    }
    world
}

fn asks(text: &str) -> Step {
    Step::Human("h1", text.into())
}

fn edits() -> Step {
    Step::Runs { command: "sed -i s/a/b/ src/parse.rs", exit: 0, output: "" }
}

/// What Claude Code is told at this stop.
fn told(world: &World, steps: &[Step]) -> Option<String> {
    feedback("claude-code", &stop(world, "claude-code", steps))
}

#[test]
fn who_hid_a_red_check_is_told_to_run_it_by_itself_or_to_correct_the_sentence() {
    for attended in [true, false] {
        let world = world(attended);
        let steps = [
            asks("fix the parser"),
            edits(),
            Step::Runs { command: "cargo test | tail -3", exit: 0, output: RED },
            Step::Says("Fixed. All tests pass."),
        ];
        let told = told(&world, &steps).unwrap_or_else(|| panic!("{attended}: {}", last_event(&world)));
        assert!(told.contains("you said “All tests pass.”, but `cargo test` reported failures"), "{told}");
        let way =
            "\nNext: run `cargo test` by itself, so that its own result shows, or correct that sentence\n";
        assert!(told.contains(way), "attended: {attended}: {told}");
    }
}

#[test]
fn long_sentences_and_long_commands_leave_room_for_both_ways() {
    let world = world(true);
    let steps = [
        asks("fix the parser"),
        edits(),
        Step::Runs {
            command: "cargo test --workspace --all-features --no-fail-fast -- --nocapture --test-threads 1 2>&1 | tail -3",
            exit: 0,
            output: RED_AT_LENGTH,
        },
        Step::Runs {
            command: "cargo clippy --workspace --all-targets --all-features --no-deps -- -D warnings 2>&1 | tail -3",
            exit: 0,
            output: "error: unused variable: `x`\n --> src/parse.rs:1:1\nerror: could not compile `parser` due to 1 previous error\n",
        },
        Step::Says(
            "The parser is fixed by handling the empty input in the tokenizer, and every single one of the tests of the workspace passes now, with all features on. I also made sure that the linter is clean across the workspace with all of its targets, and clippy passes with no warnings at all.",
        ),
    ];
    let told = told(&world, &steps).unwrap_or_else(|| panic!("{}", last_event(&world)));
    for part in [
        "\n- you said “The parser is fixed by",
        "\nNext: run `cargo test --workspace --all-features --no-fail-fast -- --nocapture --test-threads 1` by itself",
        ", or correct that sentence\n",
    ] {
        assert!(told.contains(part), "{part:?} is missing in\n{told}");
    }
    assert!(told.len() <= 840, "{}: {told}", told.len());
}

#[test]
fn who_claims_a_run_that_nobody_made_is_told_both_ways_and_who_made_it_is_not_told_anything() {
    for (says, way) in [
        (
            "Fixed. `cargo test` passes.",
            "\nNext: run `cargo test` by itself, so that its own result shows, or correct that sentence\n",
        ),
        // Nobody knows which command it would be.
        (
            "Fixed. All tests pass.",
            "\nNext: run what shows that the claim is true, or say that it was not run\n",
        ),
    ] {
        let world = world(false);
        let steps = [asks("fix the parser"), edits(), Step::Says(says)];
        let told = told(&world, &steps).unwrap_or_else(|| panic!("{says}: {}", last_event(&world)));
        let quoted = says.trim_start_matches("Fixed. ");
        assert!(told.contains(&format!("you said “{quoted}”, but ")), "{told}");
        assert!(told.contains(way), "{says}: {told}");

        let world = self::world(false);
        let ran = Step::Runs { command: "cargo test", exit: 0, output: GREEN };
        let steps = [asks("fix the parser"), edits(), ran, Step::Says(says)];
        assert_eq!(self::told(&world, &steps), None, "{says}: {}", last_event(&world));
        assert_eq!(last_event(&world)["why"], "complete");
    }
}

/// A session that was sent back once, with a person there, for a run that nobody made.
fn sent_back(world: &World) -> Vec<Step> {
    let mut steps =
        vec![asks("fix the parser"), edits(), Step::Says("Fixed. I ran `cargo test` and all 4 tests pass.")];
    let told = told(world, &steps).unwrap_or_else(|| panic!("{}", last_event(world)));
    assert!(told.contains("`cargo test` did not run in this session"), "{told}");
    steps.push(Step::Fed(told));
    steps
}

#[test]
fn with_a_person_there_saying_plainly_that_it_was_not_run_ends_the_matter() {
    for plainly in ["I did not run the tests.", "I edited src/parse.rs. I did not run `cargo test`."] {
        let world = world(true);
        let mut steps = sent_back(&world);
        steps.push(Step::Says(plainly));
        assert_eq!(told(&world, &steps), None, "{plainly}: {}", last_event(&world));
        assert_eq!(last_event(&world)["kind"], "let_go", "{plainly}");
        assert_eq!(verdict(&world)["overridden"], serde_json::Value::Null, "{plainly}");
    }
    // Of a red check as well: a person has read it.
    let world = world(true);
    let mut steps = vec![
        asks("fix the parser"),
        edits(),
        Step::Runs { command: "cargo test | tail -3", exit: 0, output: RED },
        Step::Says("Fixed. All tests pass."),
    ];
    steps.push(Step::Fed(told(&world, &steps).unwrap()));
    steps.push(Step::Says("The tests do not pass: parse::empty fails, and I do not know why."));
    assert_eq!(told(&world, &steps), None, "{}", last_event(&world));
    assert_eq!(last_event(&world)["why"], "not_enough");
}

#[test]
fn who_goes_on_claiming_what_is_not_so_is_sent_back_while_attempts_are_left() {
    // Another claim is another failure.
    let world = world(true);
    let mut steps = sent_back(&world);
    steps.push(Step::Says("Fixed, and I committed it."));
    let again = told(&world, &steps).unwrap_or_else(|| panic!("{}", last_event(&world)));
    assert!(again.contains("This is attempt 2.") && again.contains("`git commit`"), "{again}");
    assert_eq!(last_event(&world)["attempt"], 2);
    steps.push(Step::Fed(again));
    steps.push(Step::Says("Fixed, and I ran `cargo clippy`, which is clean."));
    assert_eq!(told(&world, &steps), None);
    assert_eq!(last_event(&world)["why"], "attempts_spent");
    let record = verdict(&world);
    assert_eq!((&record["complete"], &record["overridden"]), (&false.into(), &true.into()), "{record}");

    // The very same one is said once, and let go it never counts as passed.
    let world = self::world(true);
    let mut steps = sent_back(&world);
    steps.push(Step::Says("It is done: I ran `cargo test` and all 4 tests pass."));
    assert_eq!(told(&world, &steps), None);
    assert_eq!(last_event(&world)["why"], "said_before", "{}", last_event(&world));
    let record = verdict(&world);
    assert_eq!((&record["complete"], &record["overridden"]), (&false.into(), &true.into()), "{record}");
}

#[test]
fn a_turn_that_claims_work_is_no_chat_and_a_chat_is() {
    for (request, says) in [
        ("fix the parser", "I fixed the parser in src/parse.rs."),
        ("fix the parser", "Done. All tests pass."),
        ("fix the parser so that `cargo test` passes", "All tests pass."),
        ("fix the parser", "The fix is in place."),
        ("fix the parser", "Done."),
    ] {
        for attended in [true, false] {
            let world = world(attended);
            let told = told(&world, &[asks(request), Step::Says(says)]);
            let event = last_event(&world);
            assert!(event["why"] != "chat_turn", "{says}, attended: {attended}: {event}");
            assert_eq!(verdict(&world)["complete"], false, "{says}, attended: {attended}: {event}");
            // With a person there only what is plainly untrue is worth an interruption.
            let due = !attended || says.starts_with("I fixed");
            assert_eq!(told.is_some(), due, "{says}, attended: {attended}: {event}");
        }
    }
    for (request, says) in [
        ("what does the parser do?", "It turns text into a tree, and gives up at the first fault."),
        ("which of the two would you take?", "The second: it needs no copy of the text."),
    ] {
        for attended in [true, false] {
            let world = world(attended);
            assert_eq!(told(&world, &[asks(request), Step::Says(says)]), None, "{says}");
            assert_eq!(last_event(&world)["why"], "complete", "{says}: {}", last_event(&world));
        }
    }
    // This one was to act and talks of it: a person who is there can ask again.
    for attended in [true, false] {
        let world = world(attended);
        let talks = "I would begin with the lexer: it takes a tab for a space.";
        let told = told(&world, &[asks("fix the parser"), Step::Says(talks)]);
        assert_eq!(told.is_none(), attended, "{}", last_event(&world));
        assert_eq!(last_event(&world)["why"] == "chat_turn", attended, "{}", last_event(&world));
    }
}
