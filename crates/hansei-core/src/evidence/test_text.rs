//! What a piece of test code or of settings says, by the literals that test frameworks use: the tests in it, what switches
//! them off, what they assert. The literals are in `bending.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static LISTS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut section = "";
    for line in include_str!("bending.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        match line.strip_prefix('[').and_then(|head| head.strip_suffix(']')).filter(|_| !line.contains('#')) {
            Some(head) => section = head,
            None => lists.entry(section).or_default().push(line),
        }
    }
    lists
});

/// The entries of a section of `bending.txt`.
pub(super) fn list(section: &str) -> &'static [&'static str] {
    LISTS.get(section).map_or(&[], Vec::as_slice)
}

/// The first entry of a section that stands in `text`.
pub(super) fn found(section: &str, text: &str) -> Option<&'static str> {
    list(section).iter().copied().find(|mark| text.contains(mark))
}

/// `text` without spaces and in lower case.
pub(super) fn squeezed(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect()
}

/// The names of the tests that a text declares.
pub(crate) fn test_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut marked = false;
    for line in text.lines() {
        let line = line.trim_start();
        if let Some(name) = declared(line, marked) {
            names.push(name);
            marked = false;
        } else if is_marker(line) {
            marked = true;
        }
    }
    names
}

/// `#[test]`, `@Test`, `[Fact]`: the next function is a test.
fn is_marker(line: &str) -> bool {
    line.starts_with("#[test]")
        || (line.starts_with("#[") && line.contains("::test"))
        || line.starts_with("#[rstest")
        || (line.starts_with("@Test") && !line.starts_with("@TestFactory("))
        || ["[Fact", "[Test]", "[Theory", "[TestMethod"].iter().any(|mark| line.starts_with(mark))
}

fn declared(line: &str, marked: bool) -> Option<String> {
    let bare = line.strip_prefix("async ").unwrap_or(line);
    let identifier = |text: &str| {
        let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (!name.is_empty()).then_some(name)
    };
    if let Some(rest) = bare.strip_prefix("def test") {
        return identifier(&format!("test{rest}"));
    }
    if let Some(rest) = bare.strip_prefix("func Test") {
        return identifier(&format!("Test{rest}"));
    }
    if let Some(rest) = bare.split("function test").nth(1) {
        return identifier(&format!("test{rest}"));
    }
    if let Some(name) = called_with_a_name(bare) {
        return Some(name);
    }
    if marked {
        let at = bare.find("fn ").map(|at| at + 3).or_else(|| bare.find("fun ").map(|at| at + 4));
        let open = bare.find('(')?;
        let name = at.map_or_else(
            || bare[..open].rsplit(' ').next().unwrap_or_default(),
            |at| bare.get(at..open).unwrap_or_default(),
        );
        return identifier(name.trim_start_matches('`'));
    }
    None
}

/// `it('adds')`, `test.fixme("adds")`, `@test "adds"`, `TEST_F(Math, Adds)`: the name that a test is given as an argument.
fn called_with_a_name(line: &str) -> Option<String> {
    let end = line.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '@'))?;
    let (call, rest) = line.split_at(end);
    let head = call.split('.').next().unwrap_or(call);
    let rest = rest.strip_prefix('(').or_else(|| rest.strip_prefix(' '))?;
    let name = match head {
        "TEST" | "TEST_F" | "TEST_P" | "TEST_CASE" if call == head => Some(rest.trim_start_matches('"')),
        "it" | "test" | "xit" | "xtest" | "fit" | "ftest" | "specify" | "@test" | "@Test" => {
            rest.strip_prefix(['\'', '"', '`'])
        }
        _ => None,
    }?;
    Some(name.split(['\'', '"', '`', ')']).next().unwrap_or(name).to_owned())
}

/// Whether a line switches a test off, or all others. A condition such as a platform is no way round a test.
pub(super) fn is_skip(line: &str) -> bool {
    let start = line.trim_start();
    found("conditions of a skip", line).is_none()
        && (list("skips at the start of a line").iter().any(|mark| start.starts_with(mark))
            || found("skips anywhere", line).is_some())
}

/// Whether a line switches a test off under a condition.
pub(super) fn is_conditional_skip(line: &str) -> bool {
    line.trim_start().starts_with(['@', '#', '['])
        && found("conditions of a skip", line).is_some_and(|mark| mark.contains("If") || mark.contains("if"))
}

/// How often a text switches a test off, or all others.
pub(crate) fn skips(text: &str) -> usize {
    text.lines().filter(|line| is_skip(line)).count()
}

/// Whether a line makes an assertion.
pub(super) fn is_assertion(line: &str) -> bool {
    !line.trim_start().starts_with(['#', '/', '*']) && found("assertions", line).is_some()
}

/// Whether a line makes an assertion that cannot fail.
fn is_true_by_itself(line: &str) -> bool {
    let squeezed = squeezed(line);
    // "|| 1" makes any condition of an assertion hold.
    let holds_anyway = ["||1)", "||true)", "||!0)", "||1,", "||true,"]
        .iter()
        .any(|end| squeezed.contains(end))
        && is_assertion(line)
        || ["or true", "or 1"].iter().any(|end| line.trim_end().to_lowercase().ends_with(&format!(" {end}")))
            && line.trim_start().starts_with("assert ");
    holds_anyway || list("true by itself, squeezed").contains(&squeezed.trim_end_matches(';'))
}

/// Whether a text makes an assertion that cannot fail.
pub(crate) fn is_trivially_true(text: &str) -> bool {
    text.lines().any(is_true_by_itself)
}

/// Whether the file at `path` is a pipeline of continuous integration.
pub(super) fn is_pipeline(path: &str) -> bool {
    [
        ".github/workflows/", ".gitlab-ci", "azure-pipelines", ".circleci/", "Jenkinsfile",
        "bitbucket-pipelines",
    ]
    .iter()
    .any(|mark| path.contains(mark))
}

/// What a text switches off for more than one line, if anything.
pub(crate) fn switched_off(path: &str, text: &str) -> Option<&'static str> {
    let has = |mark: &str| text.contains(mark);
    if has("@ts-nocheck") || has("# mypy: ignore-errors") || has("# type: ignore-errors") {
        return Some("type checking was switched off");
    }
    let whole_file = |mark: &str| {
        text.lines().any(|line| {
            line.trim()
                .trim_end_matches("*/")
                .trim()
                .strip_suffix(mark)
                .is_some_and(|before| matches!(before.trim(), "/*" | "//" | "#"))
        })
    };
    if whole_file("eslint-disable")
        || whole_file("flake8: noqa")
        || has("pylint: disable=all")
        || has("#![allow(warnings)]")
        || has("#![allow(clippy::all)]")
    {
        return Some("the linter was switched off");
    }
    let pipeline = is_pipeline(path);
    if pipeline && (has("continue-on-error: true") || has("allow_failure: true")) {
        return Some("a step of the pipeline may fail now");
    }
    let scripts = pipeline
        || path.contains("pre-commit")
        || list("scripts").iter().any(|script| path.rsplit('/').next() == Some(script));
    let swallowed = |line: &str| {
        let check = line.split("||").next().unwrap_or(line);
        found("swallows a failure", line).is_some() && (runs_a_check(line) || runs_a_check(check))
    };
    if scripts && text.lines().any(swallowed) {
        return Some("a check's failure is swallowed");
    }
    let does_nothing = |line: &str| {
        line.trim().strip_prefix("\"test\":").or_else(|| line.trim().strip_prefix("\"lint\":")).is_some_and(
            |script| {
                let script = script.trim().trim_matches([',', '"']);
                script == "true"
                    || script == "exit 0"
                    || (script.starts_with("echo") && !script.contains("&&") && !script.contains("exit 1"))
            },
        )
    };
    if path.ends_with("package.json") && text.lines().any(does_nothing) {
        return Some("a check was replaced by nothing");
    }
    None
}

/// Whether a line of a script or of a pipeline runs a check.
pub(super) fn runs_a_check(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['-', '@', '\t', ' ']);
    let line = line.strip_prefix("run:").unwrap_or(line).trim();
    let line = match line.split_once("\":") {
        Some((name, script)) if name.starts_with('"') => script.trim().trim_matches([',', '"']),
        _ => line,
    };
    !crate::check::read_command(line).checks.is_empty()
}

/// A threshold of coverage or quality that is lower in `added` than in `removed`.
pub(crate) fn loosened_threshold(removed: &str, added: &str) -> Option<&'static str> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    loosened_number(&lines(removed), &lines(added), false).map(|_| "a threshold")
}

/// A number that a check holds, loosened: the same words around it, and a number that lets more through. Among the lines
/// that are gone and those that came; of tests the tolerances, of settings the thresholds.
pub(super) fn loosened_number(gone: &[String], came: &[String], tests: bool) -> Option<(String, String)> {
    changed_numbers(gone, came).into_iter().find_map(|changed| {
        let Changed { lead, frame, before, after, .. } = &changed;
        let looser = if tests {
            found("tolerances", lead).is_some() && *after > before * 1.5
                || found("digits that must agree", lead).is_some() && after < before
        } else if lead.contains("max") || lead.contains("too-many") {
            found("thresholds", frame).is_some() && after > before
        } else {
            found("thresholds", lead).is_some() && after < before
        };
        looser.then_some((changed.from, changed.to))
    })
}

/// A number that changed in a line that is the same otherwise.
#[derive(Debug)]
pub(super) struct Changed {
    /// The line without its numbers, in lower case and without spaces.
    pub(super) frame: String,
    /// What stands before the number, at most 24 letters.
    pub(super) lead: String,
    /// As written, and what it says.
    pub(super) from: String,
    pub(super) to: String,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// The numbers that changed between lines that are gone and those that came.
pub(super) fn changed_numbers(gone: &[String], came: &[String]) -> Vec<Changed> {
    let numbers = |line: &str| -> (String, Vec<String>) {
        let mut frame = String::new();
        let mut found: Vec<String> = Vec::new();
        let mut inside = false;
        for c in line.chars().filter(|c| !c.is_whitespace()) {
            let number = c.is_ascii_digit() || inside && matches!(c, '.' | '_' | 'e' | '-');
            match (number, inside) {
                (true, true) => found.iter_mut().last().into_iter().for_each(|number| number.push(c)),
                (true, false) => {
                    frame.push('#');
                    found.push(c.to_string());
                }
                (false, _) => frame.extend(c.to_lowercase()),
            }
            inside = number;
        }
        (frame, found)
    };
    let parsed =
        |text: &str| text.trim_end_matches(['.', '-', 'e', '_']).replace('_', "").parse::<f64>().ok();
    let came: Vec<(String, Vec<String>)> = came.iter().map(|line| numbers(line)).collect();
    let mut all = Vec::new();
    for (frame, old) in gone.iter().map(|line| numbers(line)) {
        let new = came.iter().find(|(other, new)| *other == frame && *new != old);
        let places = frame.match_indices('#').map(|(place, _)| place);
        for ((place, from), to) in places.zip(&old).zip(new.map_or(&[][..], |(_, new)| new)) {
            let (Some(before), Some(after)) = (parsed(from), parsed(to)) else { continue };
            let lead = &frame[frame.ceil_char_boundary(place.saturating_sub(24))..place];
            let (lead, frame, from, to) = (lead.to_owned(), frame.clone(), from.clone(), to.clone());
            all.extend((from != to).then_some(Changed { frame, lead, from, to, before, after }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_by_their_declaration() {
        for (text, names) in [
            ("def test_a():\n    pass\nasync def test_b(x):", vec!["test_a", "test_b"]),
            ("#[test]\nfn adds() {}\n#[tokio::test]\nasync fn waits() {}", vec!["adds", "waits"]),
            ("func TestAdd(t *testing.T) {", vec!["TestAdd"]),
            ("it('adds two', () => {})\n  test(\"b\", fn)", vec!["adds two", "b"]),
            ("@Test\npublic void adds() {", vec!["adds"]),
            ("[Fact]\npublic void Adds()", vec!["Adds"]),
            ("public function testAdds(): void", vec!["testAdds"]),
            ("it \"adds\" do", vec!["adds"]),
            ("TEST(Math, Adds) {", vec!["Math, Adds"]),
            ("fn main() {}\ndef helper():\nlet it = 1;\ntest -f x", vec![]),
        ] {
            assert_eq!(test_names(text), names, "{text}");
        }
    }

    #[test]
    fn words_inside_other_words_switch_nothing_off() {
        assert_eq!(skips("profit(1)\nexit(1)\nskipped = true\nclf.fit(x)\nmodel.fit('a')"), 0);
        assert_eq!(skips("fit('a')\n  #[ignore = \"x\"]\n  t.Skip()"), 3);
        assert_eq!(skips("@pytest.mark.filterwarnings('ignore:x')\n@pytest.mark.skipif(WINDOWS)"), 0);
    }

    #[test]
    fn numbers_that_let_more_through() {
        let loosened = |from: &str, to: &str, tests| {
            loosened_number(&[from.to_owned()], &[to.to_owned()], tests).is_some()
        };
        for (from, to, tests, expected) in [
            ("  lines: 80,", "  lines: 75,", false, true),
            ("fail_under = 90", "fail_under = 60", false, true),
            ("max-complexity = 10", "max-complexity = 30", false, true),
            ("--cov-fail-under=90", "--cov-fail-under=0", false, true),
            ("lines: 80", "lines: 90", false, false),
            ("max-complexity = 30", "max-complexity = 10", false, false),
            ("port: 8080", "port: 80", false, false),
            ("pytest.approx(877.46, abs=0.5)", "pytest.approx(877.46, abs=500)", true, true),
            ("toBeCloseTo(3.14, 5)", "toBeCloseTo(3.14, 1)", true, true),
            ("approx(877.46, abs=0.5)", "approx(871.2, abs=0.5)", true, false),
            ("delta=0.5", "delta=0.1", true, false),
        ] {
            assert_eq!(loosened(from, to, tests), expected, "{from} {to}");
        }
    }

    #[test]
    fn every_section_that_is_asked_for_is_there() {
        let sources = [
            include_str!("test_text.rs"),
            include_str!("weakened_tests.rs"),
            include_str!("bent_checks.rs"),
            include_str!("allowed.rs"),
            include_str!("narrowed_checks.rs"),
            include_str!("bypassed_gate.rs"),
            include_str!("committed_secret.rs"),
            include_str!("forbidden_act.rs"),
            include_str!("forbidden_by_request.rs"),
            include_str!("lost_data.rs"),
            include_str!("placeholders.rs"),
            include_str!("weakened_security.rs"),
        ];
        let ask = ["list(\"", "found(\"", "asked(\""];
        let asked = sources.iter().flat_map(|source| ask.iter().flat_map(|ask| source.split(ask).skip(1)));
        for section in asked.filter_map(|rest| rest.split('"').next()).filter(|name| name.len() > 2) {
            assert!(!list(section.trim_end_matches('\\')).is_empty(), "{section}");
        }
        assert!(LISTS.values().all(|list| !list.is_empty()));
    }
}
