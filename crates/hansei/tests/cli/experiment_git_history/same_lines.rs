//! Which change a fix is held against: whose line it is, and whose it is not.

use serde_json::{Value, json};

use super::{DAY, Story};

/// A commit of a table: so many days after the one before, with a message in which `{0}` is the hash of the first, and
/// files with their lines; a file without lines is removed.
type Step<'a> = (u64, &'a str, &'a [(&'a str, &'a [&'a str])]);

pub(super) const OWNED: &str = "    total = price_of(item) * count";
pub(super) const FIXED: &str = "    total = price_of(item) * count * tax";
const GUARD: &str = "    if count_of(item) is None:";
const DEEPER: &str = "        total = price_of(item) * count";
const OLD: [&str; 3] =
    ["value = OLD_NAME + first(item)", "other = OLD_NAME - second(item)", "return_value(OLD_NAME)"];
const NEW: [&str; 3] =
    ["value = NEW_NAME + first(item)", "other = NEW_NAME - second(item)", "return_value(NEW_NAME)"];
const BEFORE: &str = "written_long_ago = the_old_way(1)";
const AFTER: &str = "written_long_ago = the_new_way(1)";

/// The commit that the last of `steps` is said to repair.
fn repaired(steps: &[Step<'_>]) -> Option<usize> {
    let mut story = Story::new();
    let mut hashes: Vec<String> = Vec::new();
    for (days, message, files) in steps {
        story.pass(days * DAY);
        for (path, lines) in *files {
            if lines.is_empty() {
                std::fs::remove_file(story.world.path(path)).unwrap();
            } else {
                story.world.write(path, lines.join("\n") + "\n");
            }
        }
        story.git(&["add", "--all"]);
        let first = hashes.first().cloned().unwrap_or_default();
        hashes.push(story.say(&message.replace("{0}", &first)));
    }
    let signals = story.signals();
    let last = hashes.last().map(|last| json!(last));
    let failed =
        signals.iter().find(|signal| Some(&signal[0]) == last.as_ref()).map(|signal| signal[3].clone());
    failed.map(|failed| hashes.iter().position(|hash| failed == json!(hash)).unwrap())
}

/// What is done, step by step, and the step that the last one repairs.
const ROWS: [(&str, &[Step<'static>], Option<usize>); 22] = [
    ("plain", &[(0, "Add", &[("a.py", &[OWNED])]), (1, "Fix it", &[("a.py", &[FIXED])])], Some(0)),
    (
        "a file that was only renamed",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (30, "Rename", &[("a.py", &[]), ("b.py", &[OWNED])]),
            (1, "Fix it", &[("b.py", &[FIXED])]),
        ],
        None,
    ),
    (
        "a line that was only moved",
        &[
            (0, "Add", &[("a.py", &["first_line_of_all()", OWNED])]),
            (30, "Split", &[("a.py", &["first_line_of_all()"]), ("b.py", &["another_line_of_it()", OWNED])]),
            (1, "Fix it", &[("b.py", &["another_line_of_it()", FIXED])]),
        ],
        None,
    ),
    (
        "a name that was put for another",
        &[
            (0, "Add", &[("a.py", &OLD)]),
            (30, "Rename", &[("a.py", &NEW)]),
            (1, "Fix it", &[("a.py", &[NEW[0], NEW[1]])]),
        ],
        None,
    ),
    (
        "and that very name was wrong",
        &[
            (0, "Add", &[("a.py", &OLD)]),
            (30, "Rename", &[("a.py", &NEW)]),
            (1, "Fix it", &[("a.py", &[NEW[0], NEW[1], "return_value(THE_NAME)"])]),
        ],
        Some(1),
    ),
    (
        "a line that was written anew",
        &[
            (0, "Add", &[("a.py", &OLD)]),
            (30, "Rewrite", &[("a.py", &[OLD[0], OLD[1], OWNED])]),
            (1, "Fix it", &[("a.py", &[OLD[0], OLD[1]])]),
        ],
        Some(1),
    ),
    (
        "a list of things to do",
        &[
            (0, "Add", &[("a.py", &[OWNED]), ("b.py", &["unchanged_for_long = 1"])]),
            (30, "Do", &[("b.py", &["changed_of_late = 12"]), ("TODO", &["write the things down"])]),
            (1, "Fix it", &[("b.py", &["changed_of_late = 12", "more = 1"]), ("TODO", &["do the things"])]),
        ],
        None,
    ),
    (
        "an import",
        &[
            (0, "Add", &[("a.py", &["from items import price_of", OWNED])]),
            (30, "Import", &[("a.py", &["from items import count_of, price_of", OWNED])]),
            (1, "Fix it", &[("a.py", &["from items import count_of, price_of, tax", FIXED])]),
        ],
        None,
    ),
    (
        "an import, and nothing else is fixed",
        &[
            (0, "Add", &[("a.py", &["from items import price_of", OWNED])]),
            (30, "Import", &[("a.py", &["from items import count_of, price_of", OWNED])]),
            (1, "Fix it", &[("a.py", &["from items import count_if, price_of", OWNED])]),
        ],
        Some(1),
    ),
    (
        "a sweep over many files",
        &[
            (0, "Add", &[("b.py", &[BEFORE]), ("c.py", &[BEFORE]), ("d.py", &[BEFORE]), ("e.py", &[BEFORE])]),
            (30, "Feature", &[("a.py", &[OWNED])]),
            (
                1,
                "Fix it",
                &[
                    ("a.py", &[FIXED]),
                    ("b.py", &[AFTER]),
                    ("c.py", &[AFTER]),
                    ("d.py", &[AFTER]),
                    ("e.py", &[AFTER]),
                ],
            ),
        ],
        None,
    ),
    (
        "a few files",
        &[
            (0, "Add", &[("b.py", &[BEFORE]), ("c.py", &[BEFORE])]),
            (30, "Feature", &[("a.py", &[OWNED])]),
            (1, "Fix it", &[("a.py", &[FIXED]), ("b.py", &[AFTER]), ("c.py", &[AFTER])]),
        ],
        Some(1),
    ),
    (
        "a small part of what is fixed",
        &[
            (0, "Add", &[("a.py", &["an_old_line_of_it = 1"; 6])]),
            (
                30,
                "Feature",
                &[(
                    "a.py",
                    &[
                        OWNED, "an_old_line_of_it = 1", "an_old_line_of_it = 1", "an_old_line_of_it = 1",
                        "an_old_line_of_it = 1", "an_old_line_of_it = 1", "an_old_line_of_it = 1",
                    ],
                )],
            ),
            (1, "Fix it", &[("a.py", &["nothing_of_it_is_left()"])]),
        ],
        None,
    ),
    (
        "who only moved it to the right did not write it",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (1, "Guard", &[("a.py", &[GUARD, DEEPER])]),
            (1, "Fix it", &[("a.py", &[GUARD, "        total = 0"])]),
        ],
        Some(0),
    ),
    (
        "a fix of spacing alone",
        &[(0, "Add", &[("a.py", &[OWNED])]), (1, "Fix it", &[("a.py", &[DEEPER])])],
        Some(0),
    ),
    (
        "a fix beside which the line is only moved to the right",
        &[
            (0, "Add", &[("a.py", &["first_line_of_all()"])]),
            (30, "Feature", &[("a.py", &["first_line_of_all()", OWNED])]),
            (1, "Fix it", &[("a.py", &["last_line_of_all()", GUARD, DEEPER])]),
        ],
        None,
    ),
    (
        "a fix wrote it last",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (1, "Fix it", &[("a.py", &[FIXED])]),
            (1, "Fix it again", &[("a.py", &["    total = the_sum_of_it_all"])]),
        ],
        None,
    ),
    (
        "a fix and a feature wrote the same line, the fix last",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (1, "Take out", &[("a.py", &["nothing_is_left_of_it()"])]),
            (1, "Fix what is missing", &[("a.py", &[OWNED])]),
            (1, "Fix it again", &[("a.py", &[FIXED])]),
        ],
        None,
    ),
    (
        "the message names another",
        &[
            (0, "Add", &[("a.py", &["first_line_of_all()"])]),
            (1, "Feature", &[("a.py", &["first_line_of_all()", OWNED])]),
            (1, "Fix what was broken by {0}", &[("a.py", &["first_line_of_all()", FIXED])]),
        ],
        Some(0),
    ),
    (
        "the message names one of long ago",
        &[
            (0, "Add", &[("a.py", &["first_line_of_all()"])]),
            (30, "Feature", &[("a.py", &["first_line_of_all()", OWNED])]),
            (1, "Fix what was broken by {0}", &[("a.py", &["first_line_of_all()", FIXED])]),
        ],
        None,
    ),
    (
        "a word of trouble, and little to see",
        &[(0, "Add", &[("a.py", &[OWNED])]), (1, "Overflow of totals", &[("a.py", &[FIXED])])],
        Some(0),
    ),
    (
        "a word of trouble, and much to see",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (1, "Overflow of totals", &[("a.py", &[FIXED]), ("b.py", &["one = one_of(many, lines)"; 41])]),
        ],
        None,
    ),
    (
        "much to see, and a test",
        &[
            (0, "Add", &[("a.py", &[OWNED])]),
            (
                1,
                "Overflow of totals",
                &[
                    ("a.py", &[FIXED]),
                    ("b.py", &["one = one_of(many, lines)"; 41]),
                    ("tests/test_a.py", &["assert total == 12"]),
                ],
            ),
        ],
        Some(0),
    ),
];

#[test]
fn the_line_is_whose_who_wrote_it_last() {
    for (name, steps, expected) in ROWS {
        assert_eq!(repaired(steps), expected, "{name}");
    }
}

#[test]
fn what_is_named_came_before() {
    // A branch that lands first is not what a fix on another repairs, though it wrote the same line.
    let lines = [OWNED, "one_more_line_of_it()", "two_more_lines_of_it()", "three_more_lines_of_it()", OWNED];
    for (made_on, signals) in [("HEAD^", 0), ("HEAD", 1)] {
        let mut story = Story::new();
        story.change("a.py", &lines[..4], "Begin");
        story.pass(30 * DAY);
        story.git(&["checkout", "--quiet", "-b", "feature"]);
        story.change("a.py", &lines, "Add totals");
        story.git(&["checkout", "--quiet", "main"]);
        story.merge("feature", "Merge branch 'feature'");
        story.pass(DAY);
        story.git(&["checkout", "--quiet", "-b", "repair", made_on]);
        let mut repaired = std::fs::read_to_string(story.world.path("a.py")).unwrap();
        repaired.replace_range(..OWNED.len(), FIXED);
        story.change("a.py", &repaired.lines().collect::<Vec<_>>(), "Fix totals");
        story.git(&["checkout", "--quiet", "main"]);
        story.merge("repair", "Merge branch 'repair'");
        assert_eq!(story.signals().len(), signals, "{made_on}");
    }

    // Written before the change that it would repair: it cannot have known it.
    let mut story = Story::new();
    story.change("a.py", &[OWNED], "Add totals");
    story.pass(DAY);
    story.written_before = 2 * DAY;
    story.change("a.py", &[FIXED], "Fix totals");
    assert_eq!(story.signals(), Vec::<[Value; 4]>::new());

    // A title that two branches have means the one that this was made on.
    let mut story = Story::new();
    let here = story.change("a.py", &[OWNED], "Add totals");
    story.git(&["checkout", "--quiet", "-b", "release", "HEAD^"]);
    story.change("a.py", &[OWNED], "Add totals");
    story.git(&["checkout", "--quiet", "main"]);
    story.pass(DAY);
    let revert = story.say("Revert \"Add totals\"");
    story.git(&["merge", "--quiet", "--no-ff", "-X", "ours", "release", "-m", "Merge branch 'release'"]);
    assert_eq!(story.signals(), [[json!(revert), json!("revert"), json!(here), json!(here)]]);
}
