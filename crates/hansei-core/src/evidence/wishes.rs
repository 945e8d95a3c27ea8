//! What the human asked for, allowed and forbade, as far as the structure of the words shows it.
//!
//! Code blocks and quotations are no wishes. English; in other languages nothing is read, and nobody is accused.

use crate::check::{Check, CheckKind, read_command};
use crate::prose::{self, Form, Prose, Sentence};
use crate::session::{Excerpt, Session, Task};

/// A clause of a request: its words in lower case, code in backticks kept as one word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) words: Vec<Word>,
    /// Whether it is a question.
    pub(super) asks: bool,
}

/// A word of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) text: String,
    /// As written.
    pub(super) written: String,
    /// Whether it stood in backticks.
    pub(super) code: bool,
    /// Whether a mark follows that ends what is said, such as a comma.
    pub(super) ends: bool,
}

/// The requests of a session, read.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    /// The clauses of each request, oldest first; the last is the current one.
    pub(super) requests: Vec<Vec<Clause>>,
    /// How many calls had been made when each was given.
    pub(super) starts: Vec<usize>,
}

/// Requests beyond this many are too old to matter.
const MOST: usize = 40;

impl Wishes {
    /// Reads the requests of a session.
    pub(super) fn of(session: &Session) -> Self {
        let from = session.tasks.len().saturating_sub(MOST);
        let read =
            |request: &Option<Excerpt>| request.as_ref().map_or_else(Vec::new, |text| clauses(&text.text()));
        let tasks = &session.tasks[from..];
        let start = |task: &Task| task.turns.first().map_or(0, |turn| turn.calls.start);
        Self {
            requests: tasks.iter().map(|task| read(&task.request)).collect(),
            starts: tasks.iter().map(start).collect(),
        }
    }

    /// The current request.
    pub(super) fn current(&self) -> &[Clause] {
        self.requests.last().map_or(&[], Vec::as_slice)
    }

    /// Whether any request of the session asks for something with one of these words, and does not negate it.
    pub(super) fn mention(&self, words: &[&str]) -> bool {
        self.requests.iter().flatten().any(|clause| clause.has(words) && !clause.is_negated())
    }

    /// Whether the current request asks to make a check of this kind pass, or names one of the failing tests.
    pub(super) fn ask_to_mend(&self, kind: CheckKind, failing: &[String]) -> bool {
        let objects = objects(kind);
        let clauses = self.current();
        let it = clauses.iter().any(|clause| {
            !clause.is_negated()
                && clause.pairs().any(|(verb, next)| {
                    prose::is(verb, "mends") && matches!(next, "it" | "this" | "that" | "them" | "these")
                })
        });
        clauses.iter().any(|clause| {
            if clause.is_negated() && !clause.has(&["until"]) {
                return false;
            }
            clause.mends(objects)
                || clause.wants_to_pass(objects)
                || (clause.has_class("wanted-pass")
                    && clause.words.iter().any(|word| word.code && is_check(&word.written, kind)))
                || (it && clause.has(objects) && clause.has_class("wanted-fails"))
                || (clause.names_one_of(failing)
                    && (clause.has_class("mends")
                        || clause.has_class("wanted-fails")
                        || clause.has_class("wanted-pass")))
        })
    }

    /// Whether a request of the session names this check, or what checks of its kind look at, as something to do.
    pub(super) fn name_check(&self, check: &Check) -> bool {
        let words = objects(check.kind);
        let runner = check.runner.rsplit(' ').next().unwrap_or_default();
        self.requests.iter().flatten().any(|clause| {
            let named = |word: &Word| {
                words[..4.min(words.len())].contains(&word.text.as_str())
                    || word.text == runner
                    || word.code && check.text.contains(&word.written)
            };
            !clause.is_negated() && clause.words.iter().any(named)
        })
    }

    /// Whether the session was asked for tests that are to fail, and not since to make them pass.
    pub(super) fn ask_for_a_failing_test(&self) -> bool {
        let mended = self.requests.len() > 1 && self.ask_to_mend(CheckKind::Test, &[]);
        !mended
            && self.requests.iter().flatten().any(|clause| {
                let writes = clause.has(&["write", "add", "create", "reproduce", "produce"]);
                let at = clause.words.iter().position(|word| word.text == "failing");
                let test = |from: usize| {
                    clause.words[from + 1..].iter().take(3).any(|word| {
                        matches!(word.text.as_str(), "test" | "tests" | "case" | "spec" | "example")
                    })
                };
                // "they should fail now", "the tests must be red until Jun is done"
                let red = clause.words.windows(3).any(|three| {
                    let [who, how, what] = [0, 1, 2].map(|at| three[at].text.as_str());
                    matches!(who, "they" | "it" | "tests" | "test" | "specs" | "spec")
                        && matches!(how, "should" | "must" | "will" | "may")
                        && matches!(what, "fail" | "be")
                });
                let red = red
                    && clause.has(&["fail", "red"])
                    && clause.has(&["now", "first", "until", "still", "initially", "today"])
                    && !clause.is_negated();
                red || writes && at.is_some_and(test)
            })
    }
}

impl Clause {
    /// Whether it has one of `words` outside code.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| !word.code && words.contains(&word.text.as_str()))
    }

    /// Whether it has a word of a class of the lexicon outside code.
    fn has_class(&self, class: &str) -> bool {
        self.words.iter().any(|word| !word.code && prose::is(&word.text, class))
    }

    /// Whether it negates something.
    pub(super) fn is_negated(&self) -> bool {
        self.has_class("negates")
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.windows(2).map(|pair| (pair[0].text.as_str(), pair[1].text.as_str()))
    }

    /// "fix the failing unit tests": the object follows its verb, with nothing but attributes between.
    fn mends(&self, objects: &[&str]) -> bool {
        self.words.iter().enumerate().filter(|(_, word)| prose::is(&word.text, "mends")).any(|(at, _)| {
            self.words[at + 1..]
                .iter()
                .take(6)
                .take_while(|word| !prose::is(&word.text, "object-ends"))
                .any(|word| objects.contains(&word.text.as_str()))
        })
    }

    /// "make sure all tests pass": an object, then the state it is to be in.
    fn wants_to_pass(&self, objects: &[&str]) -> bool {
        let text = |at: usize| self.words[at].text.as_str();
        (0..self.words.len()).filter(|at| objects.contains(&text(*at))).any(|at| {
            let wanted = self.words[..at].iter().any(|word| prose::is(&word.text, "wants"))
                || self.words[at + 1..].iter().any(|word| matches!(word.text.as_str(), "must" | "should"));
            wanted && self.words[at + 1..].iter().take(6).any(|word| prose::is(&word.text, "wanted-pass"))
        })
    }

    fn names_one_of(&self, tests: &[String]) -> bool {
        tests.iter().any(|test| {
            let last = test.rsplit(['/', ':', ' ', '.', '>']).next().unwrap_or(test).to_lowercase();
            last.len() >= 4 && self.words.iter().any(|word| word.text.contains(&last))
        })
    }
}

/// Whether a command line in backticks is a check of this kind.
fn is_check(line: &str, kind: CheckKind) -> bool {
    read_command(line).checks.iter().any(|(check, _)| check.kind == kind)
}

/// The words that people use for what checks of a kind look at.
fn objects(kind: CheckKind) -> &'static [&'static str] {
    match kind {
        CheckKind::Test => {
            &["test", "tests", "spec", "specs", "suite", "ci", "pipeline", "failures", "failure"]
        }
        CheckKind::Build => {
            &["build", "builds", "compile", "compilation", "compiler", "ci", "pipeline", "bundle", "code"]
        }
        CheckKind::Lint => {
            &["lint", "linter", "linting", "lints", "warnings", "clippy", "eslint", "ruff", "ci", "pipeline"]
        }
        CheckKind::TypeCheck => {
            &["types", "type", "typing", "typecheck", "tsc", "mypy", "pyright", "ci", "pipeline"]
        }
        CheckKind::Format => &["format", "formatting", "fmt", "prettier", "ci", "pipeline"],
    }
}

/// The clauses of a text, without code blocks and quotations.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    // The boxes that a form wants ticked are nobody's wish.
    let own = |sentence: &&Sentence| !matches!(sentence.form, Form::Unticked | Form::Ticked);
    Prose::whole(text).sentences.iter().filter(own).flat_map(clauses_of).collect()
}

/// The clauses of a sentence, in words as they are written.
pub(super) fn clauses_of(sentence: &Sentence) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut clause = Clause::default();
    for (place, part) in sentence.text.split('`').enumerate() {
        if place % 2 == 1 {
            let (text, written) = (part.to_lowercase(), part.to_owned());
            clause.words.push(Word { text, written, code: true, ends: false });
            continue;
        }
        for chunk in part.split_whitespace() {
            let bare = chunk
                .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '_' | '*' | '~'));
            let bare = if matches!(chunk, "+" | "&") { "and" } else { bare };
            // A sentence ends with its dot; a path has dots inside.
            let word = bare.trim_end_matches(['.', ')', '"', '\'', '!', '?']);
            if !word.is_empty() {
                let text = word.to_lowercase().replace('’', "'");
                clause.words.push(Word { text, written: word.to_owned(), code: false, ends: false });
            }
            let last = chunk.trim_end_matches(['"', '\'', ')', '*']);
            let mark = last.ends_with([';', ':', ',', '.', '!', '(', ')', '、', '。', '，']) || chunk == "-";
            if let Some(word) = clause.words.last_mut().filter(|_| mark || chunk.ends_with(')')) {
                word.ends = true;
            }
            if last.ends_with([';', ':', ',']) {
                end_of(&mut clause, &mut clauses, last.ends_with(','));
            }
        }
    }
    clause.asks = sentence.asks;
    end_of(&mut clause, &mut clauses, false);
    clauses
}

/// A comma ends a clause only if it is long enough to say something; lists stay together.
fn end_of(clause: &mut Clause, clauses: &mut Vec<Clause>, comma: bool) {
    if clause.words.is_empty() || (comma && clause.words.len() < 4) {
        return;
    }
    clauses.push(std::mem::take(clause));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::shorthand::Tale;

    fn mend(request: &str, kind: CheckKind) -> bool {
        Wishes::of(&Tale::of(request).session()).ask_to_mend(kind, &["m::test_rounding_up".to_owned()])
    }

    #[test]
    fn requests_to_make_a_check_pass() {
        for (request, kind) in [
            ("Fix the failing tests.", CheckKind::Test),
            ("please fix all broken unit tests in the parser", CheckKind::Test),
            ("CI is red, fix it", CheckKind::Test),
            ("Make sure all tests pass", CheckKind::Test),
            ("Get the build green again", CheckKind::Build),
            ("Refactor this until the test suite passes", CheckKind::Test),
            ("The build is broken. Fix it.", CheckKind::Build),
            ("test_rounding_up fails on main, have a look", CheckKind::Test),
            ("fix the lint errors", CheckKind::Lint),
            ("resolve the type errors", CheckKind::TypeCheck),
        ] {
            assert!(mend(request, kind), "{request}");
        }
    }

    #[test]
    fn requests_for_something_else() {
        for (request, kind) in [
            ("Fix the typo in greet() and run the tests.", CheckKind::Test),
            ("Rename the flag.", CheckKind::Test),
            ("The tests in legacy are failing, ignore them. Fix the typo.", CheckKind::Lint),
            ("Do not fix the failing tests", CheckKind::Test),
            ("Run the tests and tell me what fails", CheckKind::Test),
            ("Fix the failing tests", CheckKind::Lint),
            ("Corrige los tests", CheckKind::Test),
            ("", CheckKind::Test),
        ] {
            assert!(!mend(request, kind), "{request}");
        }
    }
}
