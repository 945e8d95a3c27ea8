//! What a piece of test code or of settings says, by the literals that test frameworks use: the tests in it, what switches
//! them off, what they assert.

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
    for opening in [
        "it(", "test(", "it.skip(", "test.skip(", "it.only(", "test.only(", "xit(", "it ", "test ", "@test ",
        "specify ", "TEST(", "TEST_F(",
    ] {
        if let Some(rest) = bare.strip_prefix(opening) {
            let quoted = rest.starts_with(['\'', '"', '`']) || opening.starts_with("TEST");
            return quoted.then(|| {
                rest.trim_start_matches(['\'', '"', '`'])
                    .split(['\'', '"', '`', ')'])
                    .next()
                    .unwrap_or(rest)
                    .to_owned()
            });
        }
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

/// How often a text switches a test off, or all others.
pub(crate) fn skips(text: &str) -> usize {
    const MARKS: &[&str] = &[
        "#[ignore", "mark.skip", "unittest.skip", "pytest.skip(", "mark.xfail", "it.skip(", "test.skip(",
        "describe.skip(", "context.skip(", "xit(", "xtest(", "xdescribe(", "it.only(", "test.only(",
        "describe.only(", "fit(", "fdescribe(", "test.todo(", "it.todo(", "test.fixme(", "t.Skip(",
        "t.SkipNow(", "t.Skipf(", "@Disabled", "@Ignore", "[Ignore", "Skip = \"", "markTestSkipped(",
        "@tag :skip", "GTEST_SKIP", "XCTSkip(", "@skip", "self.skipTest(",
    ];
    // A condition such as a platform is no way round a test.
    let conditional = ["skipif", "skipIf", "skipUnless", "SkipIf", "runIf", "@ignore_"];
    let lines = text.lines().filter(|line| !conditional.iter().any(|mark| line.contains(mark)));
    lines
        .map(|line| {
            let starts = |mark: &str| match line.find(mark) {
                // `fit(` is also the end of `profit(`.
                Some(at) => line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_'),
                None => false,
            };
            usize::from(MARKS.iter().any(|mark| starts(mark)))
        })
        .sum()
}

/// How many assertions a text makes.
pub(super) fn assertions(text: &str) -> usize {
    let marks = [
        "assert", "expect(", "expect!", ".should", "require.", "t.Error", "t.Fatal", "XCTAssert", "EXPECT_",
        "refute",
    ];
    text.lines()
        .filter(|line| {
            !line.trim_start().starts_with(['#', '/', '*']) && marks.iter().any(|mark| line.contains(mark))
        })
        .count()
}

/// Whether a text makes an assertion that cannot fail.
pub(crate) fn is_trivially_true(text: &str) -> bool {
    text.lines().any(|line| {
        let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        let bare = bare.trim_end_matches(';');
        matches!(
            bare,
            "asserttrue"
                | "assert(true)"
                | "assert1==1"
                | "asserttrue==true"
                | "assert!(true)"
                | "assert_eq!(1,1)"
                | "assert_eq!(true,true)"
                | "self.asserttrue(true)"
                | "asserttrue(true)"
                | "xctasserttrue(true)"
                | "expect(true).tobe(true)"
                | "expect(true).tobetruthy()"
                | "expect(true).toequal(true)"
                | "expect(1).tobe(1)"
                | "expect(true).to.be.true"
                | "assert.ok(true)"
                | "assert.true(t,true)"
                | "$this->asserttrue(true)"
                | "assert.istrue(true)"
                | "expect_true(true)"
        )
    })
}

/// What a text switches off for more than one line, if anything.
pub(crate) fn switched_off(path: &str, text: &str) -> Option<&'static str> {
    let has = |mark: &str| text.contains(mark);
    let pipeline = path.contains(".github/workflows/")
        || path.contains(".gitlab-ci")
        || path.contains("azure-pipelines")
        || path.contains(".circleci/");
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
    if pipeline && (has("continue-on-error: true") || has("allow_failure: true")) {
        return Some("a step of the pipeline may fail now");
    }
    let scripts = pipeline
        || path.ends_with("package.json")
        || path.ends_with("Makefile")
        || path.ends_with("justfile")
        || path.contains("pre-commit");
    if scripts
        && text.lines().any(|line| {
            line.contains("|| true") || line.contains("|| exit 0") || line.contains("--passWithNoTests")
        })
    {
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

/// A threshold of coverage or quality that is lower in `added` than in `removed`.
pub(crate) fn loosened_threshold(removed: &str, added: &str) -> Option<&'static str> {
    const KEYS: &[&str] = &[
        "fail_under", "fail-under", "branches", "functions", "lines", "statements", "minimum_coverage",
        "minimum", "threshold",
    ];
    let value = |text: &str, key: &str| -> Option<f64> {
        let at = text.find(key)? + key.len();
        let rest = text[at..].trim_start_matches(['"', '\'', ' ', ':', '=', '\t']);
        let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        number.parse().ok()
    };
    let covers = removed.contains("overage")
        || removed.contains("fail_under")
        || removed.contains("fail-under")
        || removed.contains("hreshold")
        || removed.contains("minimum");
    let lower =
        |key: &&&str| matches!((value(removed, key), value(added, key)), (Some(old), Some(new)) if new < old);
    (covers && KEYS.iter().any(|key| lower(&key))).then_some("a threshold")
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
        assert_eq!(skips("profit(1)\nexit(1)\nskipped = true"), 0);
        assert_eq!(skips("fit('a')"), 1);
    }
}
