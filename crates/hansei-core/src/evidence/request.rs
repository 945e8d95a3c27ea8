//! What the human asked for: to change something, to answer, to plan, to stop; in how many parts; and under what terms.

use crate::prose::{Form, Prose, Sentence};

/// What kind of result is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Something is to be changed, made or done.
    Action,
    /// A question is to be answered, something explained, looked into or reviewed.
    Answer,
    /// A plan, a design or a proposal.
    Plan,
    /// Nothing is due: thanks, a greeting, small talk.
    Talk,
    /// The agent is to stop or to wait.
    Halt,
}

/// A request, as far as it can be told from its words.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "terms of a request, independent of each other")]
pub struct Request {
    /// What is wanted.
    pub want: Want,
    /// The parts it lists, when it lists any.
    pub parts: Vec<String>,
    /// Whether checks are to be run or to pass.
    pub wants_checks: bool,
    /// Whether tests are to be written.
    pub wants_tests: bool,
    /// Whether the output is to be free of warnings.
    pub wants_clean: bool,
    /// Whether it is about behaviour that only running can show, and not about words, names or settings.
    pub about_behaviour: bool,
    /// Whether a failing test is what is asked for.
    pub wants_red: bool,
    /// Whether it takes back an earlier request.
    pub turns: bool,
    /// Whether it lets something that fails or is missing be.
    pub waives: bool,
    /// Whether the agent is to ask or to wait before it goes on.
    pub wants_a_say: bool,
    /// Whether anything was said at all.
    pub given: bool,
}

/// Verbs that ask for something to be done.
const ACTS: &[&str] = &[
    "add", "implement", "fix", "create", "write", "build", "refactor", "rename", "remove", "delete",
    "update", "change", "make", "migrate", "upgrade", "convert", "move", "replace", "extract", "port", "set",
    "install", "deploy", "run", "generate", "configure", "optimize", "optimise", "improve", "clean", "debug",
    "resolve", "merge", "commit", "push", "rebase", "bump", "extend", "split", "introduce", "enable",
    "disable", "wire", "integrate", "hook", "test", "cover", "release", "publish", "tag", "revert",
    "restore", "apply", "finish", "complete", "continue", "rewrite", "simplify", "translate", "document",
    "format", "lint", "support", "handle", "switch", "expose", "scaffold", "patch", "reduce", "increase",
    "swap", "adjust", "correct", "ensure", "solve", "connect", "fetch", "download", "export", "import",
    "seed", "drop", "cache", "validate", "sort", "validates", "register", "scrape", "train", "parse", "sync",
    "automate", "provision", "rotate", "backfill", "tighten", "speed", "bring", "get", "put", "turn", "give",
    "open", "close", "bisect", "proceed", "go", "do", "start", "unify", "modernize", "dockerize", "harden",
    "ship", "prepare", "finalize", "rerun", "re-run", "retry", "repair", "allow", "prevent", "stop", "show",
    "display", "send",
];
/// Verbs and beginnings that ask for an answer.
const ASKS: &[&str] = &[
    "explain", "describe", "summarize", "summarise", "analyze", "analyse", "investigate", "research",
    "compare", "review", "tell", "find", "look", "check", "list", "identify", "determine", "audit", "assess",
    "evaluate", "inspect", "diagnose", "estimate", "read", "understand", "explore", "trace", "walk",
    "recommend", "advise", "brainstorm", "discuss", "count", "search", "locate", "figure", "report",
    "profile", "outline", "clarify",
];
const QUESTIONS: &[&str] = &[
    "what", "why", "how", "where", "when", "which", "who", "is", "are", "does", "do", "did", "can", "could",
    "would", "should", "will", "has", "have", "was", "were", "any",
];
const PLANS: &[&str] =
    &["plan", "propose", "design", "outline", "sketch", "draft", "architect", "scope", "rfc", "proposal"];
const HALTS: &[&str] = &["stop", "wait", "halt", "pause", "hold", "cancel", "abort", "leave"];
const TALKS: &[&str] = &[
    "thanks", "thank", "thx", "hello", "hi", "hey", "great", "nice", "perfect", "awesome", "cool", "good",
    "ok", "okay", "bye", "yes", "lgtm", "cheers", "morning",
];
/// Nouns of changes that no test would notice.
const WORDS_ONLY: &[&str] = &[
    "readme", "docs", "doc", "documentation", "comment", "comments", "changelog", "typo", "typos", "wording",
    "docstring", "docstrings", "license", "licence", "copyright", "gitignore", "markdown", "md", "spelling",
    "grammar", "text", "copy", "title", "label", "heading", "contributing", "color", "colour", "css", "font",
    "icon", "logo", "padding", "margin", "translation", "translations", "adr", "runbook", "guide", "jsdoc",
];
const BEHAVIOUR: &[&str] = &[
    "fix", "bug", "crash", "implement", "feature", "endpoint", "api", "refactor", "migrate", "optimize",
    "performance", "race", "leak", "error", "failing", "broken", "parser", "auth", "login", "query", "logic",
    "handler", "function", "validation", "support", "algorithm", "retry", "timeout", "regression", "module",
    "service", "command", "flag", "cache", "caching", "middleware", "pagination", "webhook", "upgrade",
    "issue", "component", "class", "method", "script", "app", "page", "form", "job", "client", "server",
    "library", "cli", "test", "tests", "deadlock", "build", "compile", "handling", "support", "calculation",
    "sorting", "search", "filter", "export", "import", "upload", "rate",
];

impl Request {
    /// Reads a request.
    #[allow(clippy::too_many_lines, reason = "one term of a request after the other")]
    pub fn read(text: &str) -> Self {
        let prose = Prose::read(text);
        let sentences = &prose.sentences;
        let words: Vec<&str> =
            sentences.iter().flat_map(|sentence| sentence.words.iter().map(String::as_str)).collect();
        let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let pair = |first: &[&str], second: &[&str], reach: usize| {
            words.iter().enumerate().any(|(place, word)| {
                first.contains(word)
                    && words[place + 1..].iter().take(reach).any(|word| second.contains(word))
            })
        };
        let checks: &[&str] = &[
            "test", "tests", "suite", "build", "lint", "linter", "ci", "checks", "clippy", "eslint", "mypy",
            "tsc", "pytest", "typecheck", "green", "compile", "compiles",
        ];
        let about_words = any(WORDS_ONLY);
        let behaves = any(BEHAVIOUR);
        let red = pair(&["failing", "red"], &["test", "tests", "repro", "reproduction", "reproducer"], 3)
            && pair(&["write", "add", "create"], &["failing", "red"], 4)
            || pair(&["do", "without", "not"], &["fix", "fixing"], 2)
                && any(&["reproduce", "reproducing", "repro", "failing"]);
        Self {
            want: want(sentences),
            parts: parts(sentences),
            wants_checks: pair(
                &[
                    "run", "running", "ensure", "sure", "make", "verify", "keep", "get", "pass", "passes",
                    "until", "with", "confirm", "check",
                ],
                checks,
                6,
            ) || pair(
                &["tests", "suite", "ci", "build", "lint", "checks"],
                &["pass", "passes", "green", "passing", "clean", "succeeds"],
                4,
            ),
            wants_tests: pair(
                &[
                    "add", "write", "with", "include", "including", "plus", "and", "cover", "create", "need",
                    "needs",
                ],
                &["test", "tests", "coverage"],
                4,
            ),
            wants_clean: pair(
                &["no", "without", "zero", "any", "all", "0", "fix", "clean"],
                &["warning", "warnings"],
                4,
            ) || pair(
                &["warnings", "warning"],
                &["clean", "free", "errors", "denied", "allowed"],
                4,
            ) || pair(&["clean"], &["output", "build", "lint", "log"], 2),
            about_behaviour: behaves
                && (!about_words
                    || any(&["bug", "crash", "implement", "endpoint", "feature", "test", "tests"])),
            wants_red: red,
            waives: pair(
                &["leave", "ignore", "skip", "forget", "accept", "accepting", "drop", "care", "mind"],
                &[
                    "those", "them", "it", "that", "these", "failing", "failures", "tests", "red", "two",
                    "one", "as", "about",
                ],
                4,
            ) || pair(
                &["fine", "okay", "ok", "known"],
                &["fail", "fails", "failing", "failure", "red", "broken"],
                8,
            ),
            wants_a_say: pair(
                &["wait", "ask", "check", "confirm", "pause", "stop"],
                &["me", "my", "approval", "go", "go-ahead", "ok", "i"],
                4,
            ) || words.windows(3).any(|row| {
                matches!(row, ["not", "before", "i"] | ["until", "i", _] | ["before", "i", "have"])
            }) || pair(
                &["before"],
                &["deploying", "pushing", "merging", "applying", "running", "deleting", "committing"],
                2,
            ) && any(&["ask", "confirm", "show", "tell"]),
            turns: sentences.first().is_some_and(takes_back),
            given: !sentences.is_empty(),
        }
    }
}

fn takes_back(sentence: &Sentence) -> bool {
    let words: Vec<&str> = sentence.words.iter().map(String::as_str).collect();
    matches!(words.as_slice(), ["actually" | "instead" | "rather" | "scratch" | "forget", ..])
        || matches!(words.as_slice(), ["wait" | "no" | "sorry" | "hmm" | "oh" | "ok" | "okay" | "hold", "," | ";", ..] if words.iter().any(|word| matches!(*word, "instead" | "rather" | "forget" | "actually")))
        || words.windows(2).any(|pair| {
            matches!(
                pair,
                ["change", "of"]
                    | ["never", "mind"]
                    | ["forget", "that" | "about" | "the"]
                    | ["instead", "of" | ","]
                    | ["drop", "that"]
            )
        })
        || words.last() == Some(&"instead")
}

#[allow(clippy::too_many_lines, reason = "one question about a sentence after the other")]
fn want(sentences: &[Sentence]) -> Want {
    let said: Vec<&Sentence> = sentences.iter().filter(|sentence| sentence.form != Form::Heading).collect();
    let said = if said.is_empty() { sentences.iter().collect() } else { said };
    let mut answer = false;
    let mut plan = false;
    let mut talk = false;
    let mut halt = false;
    let mut only = false;
    let (mut act, mut mention) = (false, false);
    let bare = |sentence: &Sentence| -> Vec<String> {
        sentence.words.iter().filter(|word| !matches!(word.as_str(), "," | ";")).cloned().collect()
    };
    for sentence in &said {
        let words = bare(sentence);
        only |= restricts(&words.iter().map(String::as_str).collect::<Vec<_>>());
    }
    for sentence in &said {
        let words: Vec<&str> = sentence
            .words
            .iter()
            .map(String::as_str)
            .filter(|word| {
                !matches!(
                    *word,
                    "," | ";"
                        | "please"
                        | "now"
                        | "then"
                        | "ok"
                        | "okay"
                        | "so"
                        | "and"
                        | "also"
                        | "just"
                        | "first"
                        | "hi"
                        | "hey"
                        | "hello"
                        | "quick"
                        | "kindly"
                )
            })
            .collect();
        let Some(first) = words.first().copied() else { continue };
        let second = words.get(1).copied().unwrap_or_default();
        // What must not be done is a term of the request and not the request.
        if matches!((first, second), ("do", "not") | ("never" | "no", _)) {
            continue;
        }
        if HALTS.contains(&first)
            && (words.len() <= 4
                || matches!(
                    second,
                    "there"
                        | "here"
                        | "for"
                        | "now"
                        | "it"
                        | "that"
                        | "on"
                        | "until"
                        | "everything"
                        | "working"
                ))
            || words.contains(&"stop")
                && words.iter().any(|word| matches!(*word, "tomorrow" | "later" | "myself" | "review"))
                && words.len() < 14
        {
            halt = true;
            continue;
        }
        let polite = words
            .windows(2)
            .take(4)
            .position(|pair| matches!(pair[0], "can" | "could" | "would" | "will") && pair[1] == "you");
        if sentence.asks
            && (QUESTIONS.contains(&first)
                || polite.is_none() && !ACTS.contains(&first) && first == "question")
        {
            // "Can you add …?" is a request in the form of a question.
            let acts =
                polite.is_some_and(|at| words.iter().skip(at + 2).take(3).any(|word| ACTS.contains(word)));
            if acts {
                return if only { Want::Answer } else { Want::Action };
            }
            answer = true;
            continue;
        }
        if PLANS.contains(&first)
            || matches!(
                (first, second),
                (
                    "make" | "write" | "create" | "give" | "draft" | "prepare" | "produce",
                    "a" | "me" | "an" | "the"
                )
            ) && words.iter().take(6).any(|word| {
                PLANS.contains(word) || matches!(*word, "summary" | "report" | "analysis" | "overview")
            })
        {
            if words.iter().take(6).any(|word| {
                matches!(*word, "plan" | "proposal" | "design" | "outline" | "rfc" | "propose" | "sketch")
            }) && !words.iter().any(|word| matches!(*word, "implement" | "execute" | "build"))
            {
                plan = true;
            } else {
                answer = true;
            }
            continue;
        }
        if ASKS.contains(&first)
            || QUESTIONS.contains(&first)
                && !sentence.asks
                && matches!(first, "what" | "why" | "how" | "where" | "which")
        {
            answer = true;
            // "Find the bug and fix it": the rest of the sentence may ask for more.
            if words
                .iter()
                .enumerate()
                .skip(1)
                .any(|(place, word)| ACTS.contains(word) && joins(&sentence.words, word, place))
                && !only
            {
                return Want::Action;
            }
            continue;
        }
        if TALKS.contains(&first)
            && words.len() <= 6
            && !words
                .iter()
                .any(|word| ACTS.contains(word) && *word != "do" && *word != "get" && *word != "go")
        {
            talk = true;
            continue;
        }
        // Told to the agent, or only told: "I want to move it at some point."
        act |= ACTS.contains(&first) || matches!((first, second), ("you" | "make", _) | ("let", "us"));
        mention |= words.iter().any(|word| ACTS.contains(word));
    }
    if act && !only || mention && !(only || plan || answer || talk || halt) {
        return Want::Action;
    }
    if halt {
        Want::Halt
    } else if plan {
        Want::Plan
    } else if answer || only {
        Want::Answer
    } else if talk {
        Want::Talk
    } else {
        Want::Action
    }
}

/// Whether a verb is joined to what stands before it: "… and fix it", "…, then fix it".
fn joins(words: &[String], verb: &str, _place: usize) -> bool {
    words.iter().enumerate().any(|(place, word)| {
        // "and write me the cause" asks for a text.
        let told =
            words.get(place + 1).is_some_and(|next| matches!(next.as_str(), "me" | "up" | "down" | "us"));
        word == verb
            && !told
            && place > 0
            && matches!(words[place - 1].as_str(), "and" | "then" | "," | ";" | "to")
    })
}

/// Whether a sentence keeps the agent from changing anything: "only analyse", "do not change anything".
fn restricts(words: &[&str]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let acts = |word: &str| {
        matches!(
            word,
            "change"
                | "changes"
                | "edit"
                | "edits"
                | "modify"
                | "touch"
                | "write"
                | "implement"
                | "changing"
                | "editing"
                | "fix"
                | "code"
                | "make"
        )
    };
    let denies = words.windows(3).any(|row| match row {
        ["do" | "does" | "must", "not", verb] => acts(verb),
        ["no" | "without", first, second] => {
            acts(first) || acts(second) && matches!(*first, "code" | "any" | "making" | "file")
        }
        _ => false,
    });
    denies
        && has(&[
            "anything", "any", "code", "files", "yet", "file", "changes", "edits", "it", "nothing", "change",
        ])
        && !has(&["but", "except", "other", "else", "others"])
        || matches!(words.first(), Some(&"only")) && words.get(1).is_some_and(|word| ASKS.contains(word))
        || words.windows(2).any(|pair| {
            matches!(
                pair,
                ["read" | "analysis", "only"]
                    | ["read-only", _]
                    | ["just", "analyse" | "analyze" | "look" | "investigate"]
                    | ["close" | "change" | "touch" | "delete" | "modify" | "edit", "nothing"]
            )
        })
}

/// The parts of a request that lists them.
fn parts(sentences: &[Sentence]) -> Vec<String> {
    let items: Vec<String> = sentences
        .iter()
        .filter(|sentence| matches!(sentence.form, Form::Item | Form::Unticked))
        .map(|sentence| sentence.text.clone())
        .collect();
    if items.len() >= 2 {
        return items;
    }
    // "(1) … (2) …" or "1) … 2) …" within a paragraph.
    for sentence in sentences {
        let text = &sentence.text;
        // A line that begins with its first number has lost it to the list that it looked like.
        let first =
            if sentence.form == Form::Paragraph { text.find("1)").map(|place| place + 2) } else { Some(0) };
        let others: Vec<usize> = (2..=9).map_while(|number| text.find(&format!("{number})"))).collect();
        if let Some(first) = first
            && !others.is_empty()
            && others.is_sorted()
        {
            let starts = std::iter::once(first).chain(others.iter().map(|place| place + 2));
            let ends = others.iter().copied().chain([text.len()]);
            let part = |(start, end): (usize, usize)| {
                text.get(start..end).unwrap_or_default().trim_matches([' ', ',', ';', '(', '.']).to_owned()
            };
            return starts.zip(ends).map(part).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted() {
        for (text, want) in [
            ("Fix the login bug.", Want::Action),
            ("Can you add a flag for verbose output?", Want::Action),
            ("The parser crashes on empty input, please fix", Want::Action),
            ("Find out why the cache is cold and fix it", Want::Action),
            ("Why does the build fail on CI?", Want::Answer),
            ("Explain how the scheduler works", Want::Answer),
            ("Analyse the slow query. Do not change any code.", Want::Answer),
            ("Review this PR", Want::Answer),
            ("Make a plan for the migration", Want::Plan),
            ("Design the schema for orders and write it up as a proposal", Want::Plan),
            ("thanks, looks great!", Want::Talk),
            ("stop, I'll review tomorrow", Want::Halt),
            ("wait", Want::Halt),
            ("What is the difference between Rc and Arc?", Want::Answer),
            ("Upgrade React to 19 and make sure all tests pass", Want::Action),
        ] {
            assert_eq!(Request::read(text).want, want, "{text}");
        }
    }

    #[test]
    fn parts_and_terms() {
        let listed = Request::read("Please:\n1. add the flag\n2. document it\n3. write tests for it");
        assert_eq!(listed.parts.len(), 3);
        assert!(listed.wants_tests);
        assert_eq!(
            Request::read("Do 1) rename the crate 2) fix the docs").parts,
            ["rename the crate", "fix the docs"]
        );
        assert!(Request::read("make sure all tests pass").wants_checks);
        assert!(Request::read("get rid of all compiler warnings").wants_clean);
        assert!(!Request::read("Fix a typo in the README").about_behaviour);
        assert!(Request::read("Fix the crash in the parser").about_behaviour);
        assert!(Request::read("Write a failing test that reproduces the bug, do not fix it").wants_red);
        assert!(Request::read("Actually, use Postgres instead").turns);
    }
}
