//! A check that is stale: files it covers were edited after it last ran.
//!
//! A failure whose later runs leave it in doubt is stale too: the last that is known for sure is red.

use super::citation::quoted;
use super::course::Course;
use super::{Findings, Kind, Place};
use crate::check::CheckResult;
use crate::verdict::Severity;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let checks = &course.checks;
    let start = course.task_start();
    for place in checks.newest() {
        let ran = &checks.runs[place];
        if ran.result != CheckResult::Passed || checks.is_moot(place) {
            continue;
        }
        let edited = course.edited_since(ran).filter(|change| change.when >= start);
        let edited = edited.map(|change| change.path.as_deref().unwrap_or("the tree"));
        let Some(what) = edited.or_else(|| Some(&course.touched_since(ran)?.path)) else { continue };
        let text = format!("{}, but {what} was edited after it and it was not run again", course.cited(ran));
        let about = vec![ran.run.check.runner.to_owned()];
        findings.add_about(Kind::CheckStale, Severity::Medium, Place::Call(ran.call), text, about);
    }
    for open in checks.open.iter().rev().take(5) {
        let ran = &checks.runs[open.ran];
        let edited = course.edited_since(ran).is_some_and(|change| change.when >= start);
        let text = match open.doubt {
            Some(later) if edited || ran.when >= start => {
                let later = quoted(&checks.runs[later].run.check.text);
                format!("{}, and {later} after it does not show that all of it passes now", course.cited(ran))
            }
            None if edited && ran.when < start => {
                format!("{}, and was not run again after the edits of this task", course.cited(ran))
            }
            _ => continue,
        };
        let about = vec![ran.run.check.runner.to_owned()];
        findings.add_about(Kind::CheckStale, Severity::Medium, Place::Call(ran.call), text, about);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::CheckStale;
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds, red};

    #[test]
    fn the_text_names_check_and_edit() {
        let tale = Tale::of("x").edits("src/a.rs").at("09:30").run("cargo test", 0, GREEN).edits("src/b.rs");
        assert_eq!(
            tale.texts(CheckStale),
            ["`cargo test` passed at 09:30, but src/b.rs was edited after it and it was not run again"]
        );
        assert_eq!(tale.found(&[CheckStale])[0].about, ["cargo test"]);
    }

    #[test]
    fn the_tree_shows_what_no_command_says() {
        let t = || {
            Tale::of("Add a flag")
                .in_folder("/w")
                .at("09:00")
                .edits("/w/src/a.rs")
                .at("09:30")
                .run("cargo test", 0, GREEN)
        };
        let later = |t: Tale, line: &str| t.at("09:40").run(line, 0, "").touched("/w/src/b.rs", "09:40");
        let stale = |tale: &Tale| !tale.texts(CheckStale).is_empty();
        for line in ["./scripts/gen.sh", "curl -so src/b.rs x", "ed -s src/b.rs", "npx codemod src", "true"] {
            assert!(stale(&later(t(), line)), "{line}");
        }
        for (name, tale) in [
            ("before it ended", t().touched("/w/src/b.rs", "09:30")),
            ("long before", t().touched("/w/src/b.rs", "08:00")),
            ("nothing it covers", t().touched("/w/README.md", "09:40")),
            ("another world", t().touched("/w/web/a.ts", "09:40")),
            ("formatted", later(t(), "cargo fmt")),
            ("stashed and back", later(t(), "git stash && git stash pop")),
            ("run again", later(t(), "./scripts/gen.sh").at("09:50").run("cargo test", 0, GREEN)),
            ("before the next task", later(t(), "true").at("09:45").human("thanks, explain it")),
            ("without times", Tale::of("x").run("cargo test", 0, GREEN).touched("/w/src/b.rs", "09:40")),
        ] {
            assert!(!stale(&tale), "{name}: {:?}", tale.texts(CheckStale));
        }
    }

    #[test]
    fn stale() {
        let t = || Tale::of("Add a flag").in_folder("/w").edits("/w/src/a.rs").run("cargo test", 0, GREEN);
        assert_finds(
            CheckStale,
            true,
            [
                ("edited", t().edits("/w/src/b.rs")),
                ("by a command", t().run("sed -i s/a/b/ src/b.rs", 0, "")),
                ("by a script", t().run("cat > src/b.rs <<'E'\nfn x() {}\nE", 0, "")),
                ("merged", t().run("git merge origin/main", 0, "")),
                ("edited within the line, after", t().run("cargo test && sed -i s/a/b/ src/b.rs", 0, GREEN)),
                ("a source was removed", t().run("rm src/b.rs", 0, "")),
                ("another check ran", t().edits("/w/src/b.rs").run("cargo clippy", 0, "Finished")),
                ("put back in a folder", t().run("git checkout other -- src/", 0, "")),
                ("reset", t().run("git reset --hard HEAD~1", 0, "")),
                ("another branch", t().run("git switch other", 0, "")),
                ("in another folder's name", t().run("git -C /w restore src/a.rs", 0, "")),
                (
                    "its own script, asked for",
                    Tale::of("Write report.py")
                        .write("report.py", "x")
                        .run("python report.py", 0, "")
                        .run("pytest", 0, "5 passed in 0.1s")
                        .edits("report.py"),
                ),
                (
                    "a script that was there",
                    Tale::of("x")
                        .edits("gen.py")
                        .run("python gen.py", 0, "")
                        .run("pytest", 0, "5 passed in 0.1s")
                        .edits("gen.py"),
                ),
                ("in the next task", t().human("now add another").edits("/w/src/b.rs")),
                (
                    "in doubt",
                    t().run("cargo test", 101, &red(&["m::a"]))
                        .edits("/w/src/b.rs")
                        .run("cargo test | wc -l", 0, "9"),
                ),
            ],
        );
    }

    #[test]
    fn not_stale() {
        let t = || Tale::of("Add a flag").in_folder("/w").edits("/w/src/a.rs").run("cargo test", 0, GREEN);
        assert_finds(
            CheckStale,
            false,
            [
                ("nothing since", t()),
                ("documents", t().edits("/w/README.md")),
                ("another world", t().edits("/w/web/a.ts")),
                ("outside", t().edits("/elsewhere/a.rs")),
                ("scratch", t().write("/tmp/x.rs", "fn main() {}")),
                ("formatted", t().run("cargo fmt", 0, "")),
                ("committed", t().run("git add -A && git commit -m x", 0, "")),
                ("run again", t().edits("/w/src/b.rs").run("cargo test", 0, GREEN)),
                ("run again in the same line", t().run("sed -i s/a/b/ src/b.rs && cargo test", 0, GREEN)),
                (
                    "own scratch file removed",
                    t().write("/w/debug.rs", "x").run("cargo test", 0, GREEN).run("rm debug.rs", 0, ""),
                ),
                (
                    "own reproduction edited",
                    Tale::of("Fix #7")
                        .edits("src/a.py")
                        .write("repro.py", "x")
                        .run("python repro.py", 0, "ok")
                        .run("pytest", 0, "5 passed in 0.1s")
                        .edits("repro.py")
                        .run("python3 repro.py", 0, "ok"),
                ),
                (
                    "own reproduction compiled",
                    Tale::of("Fix #7")
                        .write("Reproduction.java", "x")
                        .run("javac -cp x Reproduction.java", 0, "")
                        .edits("src/A.java"),
                ),
                (
                    "own test script removed",
                    Tale::of("Fix #7")
                        .edits("src/a.py")
                        .write("tests/test_repro.py", "x")
                        .run("pytest tests/test_repro.py", 1, "1 failed")
                        .run("pytest", 0, "5 passed in 0.1s")
                        .run("rm tests/test_repro.py", 0, ""),
                ),
                ("a new branch", t().run("git checkout -b feature", 0, "")),
                ("another branch, after a commit", t().run("git commit -am x && git checkout main", 0, "")),
                ("build folder removed", t().run("rm -rf target", 0, "")),
                ("the edit failed", t().edit_failed("/w/src/b.rs", "x", "not found")),
                (
                    "tests imply the build",
                    Tale::of("x").run("cargo check", 0, "Finished").edits("a.rs").run("cargo test", 0, GREEN),
                ),
                (
                    "edited before this task",
                    t().edits("/w/src/b.rs").said("Done").human("thanks, explain it"),
                ),
                (
                    "another scope",
                    Tale::of("x")
                        .edits("tests/test_a.py")
                        .run("pytest tests/test_a.py", 0, "2 passed in 0.1s")
                        .edits("tests/test_b.py"),
                ),
            ],
        );
    }
}
