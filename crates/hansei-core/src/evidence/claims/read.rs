//! From words to claims: each clause of a text that asserts, of now and of the agent's own work, something of a type
//! that what ran can show. Plans, offers, conditions, questions, quotations, admissions and what others did are none.

use super::vocabulary::{find, has, is};
use super::{ClaimKind, Said, Scope};
use crate::check::{self, CheckKind};
use crate::evidence::speech::Speech;
use crate::prose::{Concept, Form, Sentence, words};

/// More claims than anybody reads.
const MOST: usize = 40;

/// The claims of a text, in their order. Where an answer was due and nothing was changed (`worked` is false), what is told without a
/// subject is a story of the program, not of the agent.
pub(super) fn read(speech: &Speech, worked: bool) -> Vec<Said> {
    let mut claims = Vec::new();
    let mut head: Vec<String> = Vec::new();
    for (place, sentence) in speech.prose.sentences.iter().enumerate() {
        if sentence.form == Form::Row && head.is_empty() {
            head.clone_from(&sentence.words);
            continue;
        }
        if sentence.form != Form::Row {
            head.clear();
        }
        if !asserts(speech, place) {
            continue;
        }
        let heading = speech.heading(place).map(|heading| speech.sentence(heading));
        sentence_claims(sentence, heading, worked, &mut claims);
        if claims.len() >= MOST {
            break;
        }
    }
    claims.truncate(MOST);
    claims
}

/// The sentences that may say how things are now.
pub(super) fn asserting(speech: &Speech) -> impl Iterator<Item = &Sentence> {
    (0..speech.prose.sentences.len())
        .filter(|place| asserts(speech, *place))
        .map(|place| speech.sentence(place))
}

fn asserts(speech: &Speech, place: usize) -> bool {
    let sentence = speech.sentence(place);
    let open = [Concept::NextSteps, Concept::Plans, Concept::Optional];
    let is_open = open.iter().any(|concept| speech.is_under(place, *concept));
    !(sentence.asks || sentence.form == Form::Unticked || is_open || is_conditional(&sentence.words))
}

/// Whether the sentence as a whole supposes or instructs.
fn is_conditional(words: &[String]) -> bool {
    let first = words.iter().find(|word| *word != "✓").map_or("", String::as_str);
    matches!(first, "if" | "once" | "when" | "whenever" | "unless" | "until" | "please" | "assuming" | "to")
        || words.iter().any(|word| word == "would")
}

/// A stretch of words between commas, breaks and conjunctions.
pub(super) struct Piece<'a> {
    pub(super) words: &'a [String],
    /// The code in it.
    pub(super) code: Vec<&'a String>,
    /// The mark or word before it.
    pub(super) before: &'a str,
}

pub(super) fn pieces(sentence: &Sentence) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut code = sentence.code.iter();
    let (mut start, mut before) = (0, "");
    let words = &sentence.words;
    for at in 0..=words.len() {
        let ends = words.get(at).is_none_or(|word| {
            word == words::BREAK
                || word == words::COMMA
                || words::turns(word) && !matches!(word.as_str(), "as" | "then" | "yet")
        });
        if !ends {
            continue;
        }
        let own = &words[start..at];
        let marks = own.iter().filter(|word| *word == words::CODE).count();
        pieces.push(Piece { words: own, code: code.by_ref().take(marks).collect(), before });
        before = words.get(at).map_or("", String::as_str);
        start = at + 1;
    }
    pieces
}

/// What earlier pieces of a sentence leave to later ones.
#[derive(Default)]
struct Carried<'a> {
    /// Checks that were named and wait for what is said of them.
    nouns: Vec<ClaimKind>,
    code: Vec<&'a String>,
    /// The verb that a list goes on with.
    verb: Option<ClaimKind>,
    /// Whether somebody else is the subject.
    others: bool,
    whole: bool,
    bounded: bool,
    number: Option<u64>,
}

fn sentence_claims(sentence: &Sentence, heading: Option<&Sentence>, worked: bool, claims: &mut Vec<Said>) {
    let mut carried = Carried::default();
    let all = pieces(sentence);
    for (at, piece) in all.iter().enumerate() {
        if piece.words.is_empty() {
            continue;
        }
        if matches!(piece.before, "because" | "since" | "which" | "who" | "where" | "while" | "whereas") {
            carried = Carried::default();
        }
        if matches!(piece.before, "but" | "however" | "although" | "though" | "except" | "yet" | "so") {
            carried = Carried { others: false, ..Carried::default() };
        }
        let excepts = all.get(at + 1).is_some_and(|next| is(next.before, "except"))
            || find(piece.words, "except").is_some_and(|place| place > 0);
        let said = Quoted { sentence, heading, piece, excepts, worked };
        if supposed(piece.words) || matches!(piece.before, "because" | "who" | "where") {
            carried = Carried::default();
            continue;
        }
        said.results(&mut carried, claims);
        said.acts(&mut carried, claims);
    }
}

/// Whether the words of a clause speak of what may, shall or would be.
pub(super) fn supposed(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "should"
                | "could"
                | "might"
                | "may"
                | "will"
                | "must"
                | "shall"
                | "maybe"
                | "perhaps"
                | "probably"
                | "hopefully"
                | "presumably"
                | "if"
                | "unless"
                | "once"
                | "until"
                | "when"
                | "whenever"
                | "expect"
                | "please"
                | "let"
                | "need"
                | "needs"
                | "want"
                | "going"
                | "can"
                | "would"
                | "whether"
                | "ensure"
                | "originally"
                | "previously"
                | "initially"
                | "earlier"
                | "formerly"
                | "todo"
                | "tries"
                | "try"
        )
    })
}

pub(super) fn denied(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "not" | "never" | "unable" | "nothing" | "cannot" | "nor" | "hardly" | "neither"
        )
    })
}

struct Quoted<'s, 'p> {
    sentence: &'s Sentence,
    heading: Option<&'s Sentence>,
    piece: &'p Piece<'s>,
    excepts: bool,
    worked: bool,
}

impl<'s> Quoted<'s, '_> {
    /// Claims that a check has a result.
    fn results(&self, carried: &mut Carried<'s>, claims: &mut Vec<Said>) {
        let words = self.piece.words;
        if self.sentence.form == Form::Row && !self.worked {
            return;
        }
        let good = says_good(words);
        let mut nouns = nouns_of(words, &self.piece.code, good);
        let number = counted(words);
        carried.whole |= has(words, "whole");
        carried.bounded |= has(words, "bounded") && !words.iter().any(|word| word == "all");
        let named = self.heading.map(|heading| nouns_of(&heading.words, &[], None)).unwrap_or_default();
        if good.is_none() {
            if !nouns.is_empty() && !has(words, "bad") && !denied(words) {
                carried.nouns.append(&mut nouns);
                carried.code.extend(&self.piece.code);
                carried.number = carried.number.or(number);
            }
            if has(words, "bad") {
                carried.nouns.clear();
            }
            return;
        }
        let mut about = std::mem::take(&mut carried.nouns);
        about.extend(nouns);
        let mut code = std::mem::take(&mut carried.code);
        code.extend(&self.piece.code);
        if about.is_empty() && counts_results(words) {
            about.push(ClaimKind::Tests);
        }
        let colour = |word: &String| matches!(word.as_str(), "green" | "passing");
        if about.is_empty() && words.len() <= 3 && words.iter().any(colour) {
            about.push(ClaimKind::Tests);
        }
        if about.is_empty()
            && self.worked
            && matches!(self.sentence.form, Form::Item | Form::Ticked)
            && words.len() <= 4
        {
            about = named;
        }
        about.dedup();
        let number = number.or(carried.number.take());
        let happened = has(words, "happened") || number.is_some_and(|number| number > 0);
        for kind in about {
            let mut said = self.said(kind, carried, &code);
            said.number = number;
            said.happened = happened;
            claims.push(said);
            if let Some(number) = number
                && matches!(kind, ClaimKind::Tests | ClaimKind::Command)
            {
                let mut count = self.said(ClaimKind::Count, carried, &code);
                count.number = Some(number);
                count.happened = true;
                claims.push(count);
            }
        }
        if let Some(percent) = percent(words).filter(|_| has(words, "coverage")) {
            claims.push(Said { number: Some(percent), ..self.said(ClaimKind::Coverage, carried, &code) });
        }
        (carried.whole, carried.bounded) = (false, false);
    }

    /// Claims that the agent did something.
    fn acts(&self, carried: &mut Carried<'s>, claims: &mut Vec<Said>) {
        let words = self.piece.words;
        if let Some(percent) = percent(words).filter(|_| has(words, "coverage") && says_good(words).is_none())
        {
            claims.push(Said {
                number: Some(percent),
                ..self.said(ClaimKind::Coverage, carried, &self.piece.code)
            });
        }
        if is_only(words) {
            claims.push(self.said(ClaimKind::Only, carried, &self.piece.code));
        }
        if let Some(state) = git_state(words).filter(|_| self.sentence.form != Form::Row) {
            claims.push(Said { act: state, ..self.said(ClaimKind::Git, carried, &self.piece.code) });
        }
        if denied(words) || self.piece.before == "who" {
            carried.verb = None;
            claims.extend(self.gone(carried));
            return;
        }
        claims.extend(self.gone(carried));
        let found = (0..words.len()).find_map(|at| verb_at(words, at).map(|kind| (at, kind)));
        match found {
            Some((at, (kind, act))) => {
                let by = subject(&words[..at], carried.others || is_listed_under_others(self.heading));
                carried.others = by == Subject::Others;
                carried.verb = None;
                let reports = self.reports(at, by, kind);
                if reports {
                    carried.verb = Some(kind);
                    let mut said = self.said(kind, carried, &self.piece.code);
                    said.act = act;
                    said.happened = true;
                    claims.push(said);
                }
            }
            None if self.worked && is_new(words) => {
                claims.push(self.said(ClaimKind::Changed, carried, &self.piece.code));
            }
            None => {
                if matches!(self.piece.before, "and" | ",")
                    && !self.piece.code.is_empty()
                    && carried.verb.is_some()
                {
                    // "Updated `a`, `b` and `c`": one claim, of more things.
                    if let Some(last) = claims.last_mut().filter(|last| Some(last.kind) == carried.verb) {
                        last.scope.code.extend(self.piece.code.iter().map(|code| (*code).clone()));
                    }
                }
            }
        }
    }

    /// A claim that a fault, or a thing, is not there any more.
    fn gone(&self, carried: &Carried<'s>) -> Option<Said> {
        let kind = gone(self.piece.words).filter(|_| self.worked)?;
        Some(self.said(kind, carried, &self.piece.code))
    }

    /// Whether the verb at `at` tells of what the agent did, or of how things are now.
    fn reports(&self, at: usize, by: Subject, kind: ClaimKind) -> bool {
        let words = self.piece.words;
        let has = |list: &[&str]| words[..at].iter().any(|word| list.contains(&word.as_str()));
        let is_row = self.sentence.form == Form::Row;
        match by {
            Subject::Others => false,
            Subject::Speaker => !is(&words[at], "works"),
            // "the added flag", "(committed)": a participle of a noun.
            Subject::Left => {
                self.worked
                    && !is_row
                    && !(self.piece.before == words::BREAK && words.len() == 1)
                    && (at == 0
                        || !matches!(
                            words[at - 1].as_str(),
                            "the" | "a" | "an" | "is" | "are" | "be" | "get" | "gets"
                        ))
            }
            Subject::Thing
                if is_row || self.sentence.form == Form::Heading || has(&["how", "what", "why", "where"]) =>
            {
                false
            }
            Subject::Thing if kind == ClaimKind::Fixed && is(&words[at], "works") => {
                let next = words.get(at + 1).map_or("", String::as_str);
                self.worked
                    && (matches!(
                        next,
                        "" | "now" | "again" | "as" | "correctly" | "properly" | "fine" | "well"
                    ) || has(&["now"]))
                    && (words[at] != "work" || matches!(next, "now" | "again" | "as" | "correctly"))
            }
            Subject::Thing => {
                let now = has(&["now", "been"]) || words.get(at + 1).is_some_and(|word| word == "now");
                let bare = words[..at].iter().all(|word| !is(word, "helpers")) && at + 1 == words.len();
                has(&["have", "has"]) && has(&["been"])
                    || has(&["is", "are"]) && (now || kind != ClaimKind::Changed && self.worked)
                    || bare && self.worked
                    || has(&["was", "were"]) && self.worked
            }
        }
    }

    fn said(&self, kind: ClaimKind, carried: &Carried<'s>, code: &[&String]) -> Said {
        let words = self.piece.words;
        let whole = carried.whole || has(words, "whole");
        let bounded = carried.bounded || has(words, "bounded") && !words.iter().any(|word| word == "all");
        Said {
            quote: self.sentence.text.clone(),
            kind,
            scope: Scope {
                whole: whole && !self.excepts,
                bounded: bounded || self.excepts,
                words: self.sentence.words.clone(),
                code: code.iter().map(|code| (*code).clone()).collect(),
            },
            number: None,
            happened: false,
            act: words
                .iter()
                .find(|word| is(word, "committed") || is(word, "pushed"))
                .cloned()
                .unwrap_or_default(),
        }
    }
}

/// Whether a clause says that something is otherwise than it was.
fn is_new(words: &[String]) -> bool {
    find(words, "now").is_some_and(|at| at > 0 || words.len() > 2) && !is_of_others(words)
}

/// Whether a clause says that nothing else was touched.
fn is_only(words: &[String]) -> bool {
    let only = words.iter().position(|word| word == "only");
    let touched = |words: &[String]| {
        words.iter().any(|word| {
            matches!(word.as_str(), "changed" | "touched" | "modified" | "edited" | "updated" | "affected")
        })
    };
    let nothing = words
        .iter()
        .any(|word| matches!(word.as_str(), "nothing" | "no" | "untouched" | "unchanged"))
        && words.iter().any(|word| matches!(word.as_str(), "else" | "other" | "rest" | "unrelated"))
        && (touched(words) || words.iter().any(|word| matches!(word.as_str(), "untouched" | "unchanged")));
    nothing || only.is_some() && touched(words) && !denied(words)
}

/// The checks that a clause names. A word that is often something else counts only close to what is said of it, at `good`.
fn nouns_of(words: &[String], code: &[&String], good: Option<usize>) -> Vec<ClaimKind> {
    let mut kinds = Vec::new();
    let mut add = |kind: ClaimKind| {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    };
    for code in code {
        if !check::read_command(code).checks.is_empty() {
            add(ClaimKind::Command);
        }
    }
    let remote = has(words, "ci");
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if is(word, "loose") && good.is_some_and(|good| good.abs_diff(at) > 2) {
            continue;
        }
        if is(word, "ci") {
            add(ClaimKind::Ci);
        } else if is(word, "lint") {
            add(ClaimKind::Lint);
        } else if is(word, "types")
            || word == "type" && (next.starts_with("check") || next.starts_with("error"))
        {
            add(ClaimKind::Types);
        } else if is(word, "format") {
            add(ClaimKind::Format);
        } else if is(word, "build") {
            add(ClaimKind::Build);
        } else if is(word, "tests") {
            add(ClaimKind::Tests);
        } else if is(word, "checks") && !(at > 0 && words[at - 1] == "type") {
            add(if remote { ClaimKind::Ci } else { ClaimKind::Tests });
        }
    }
    if remote {
        kinds.retain(|kind| *kind == ClaimKind::Ci);
    }
    kinds
}

/// Where a clause says that a check ended well.
fn says_good(words: &[String]) -> Option<usize> {
    let none = |at: usize| words[at.saturating_sub(3)..at].iter().any(|word| is(word, "none"));
    // "no errors", "0 failed", "without warnings".
    let flawless = (0..words.len()).find(|at| is(&words[*at], "flaws") && none(*at));
    let flawed = (0..words.len()).any(|at| is(&words[at], "bad") && !none(at));
    if flawed || (denied(words) && flawless.is_none()) {
        return None;
    }
    let good = |at: &usize| {
        let word = words[*at].as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        (is(word, "good") || is(word, "well") && (is(before, "ends") || is(next, "ends")))
            && !none(*at)
            && !matches!(before, "a" | "an" | "the" | "to")
            && !(matches!(word, "pass" | "passes" | "passing" | "passed")
                && is(next, "transitive")
                && !matches!(next, "as" | "on" | "in" | "aside"))
    };
    let compiles = |at: &usize| {
        matches!(
            words[*at].as_str(),
            "compiles" | "builds" | "typechecks" | "type-checks" | "lints" | "compiled" | "formatted"
        )
    };
    (0..words.len()).find(good).or(flawless).or_else(|| (0..words.len()).find(compiles))
}

/// Whether a clause counts what passed: "12 passed, 0 failed", "12/12".
fn counts_results(words: &[String]) -> bool {
    words
        .windows(2)
        .any(|pair| pair[0].parse::<u64>().is_ok() && matches!(pair[1].as_str(), "passed" | "passing"))
        || words.iter().any(|word| fraction(word).is_some()) && has(words, "good")
}

fn fraction(word: &str) -> Option<u64> {
    let (part, whole) = word.split_once('/')?;
    let (part, whole): (u64, u64) = (part.parse().ok()?, whole.parse().ok()?);
    (part == whole).then_some(whole)
}

/// The number of tests that a clause states.
fn counted(words: &[String]) -> Option<u64> {
    words.iter().enumerate().find_map(|(at, word)| {
        let number = word.parse::<u64>().ok().or_else(|| fraction(word))?;
        let near =
            words[at + 1..].iter().take(3).any(|word| is(word, "countable")) || fraction(word).is_some();
        let failed = words.get(at + 1).is_some_and(|word| is(word, "bad"));
        (near && !failed).then_some(number)
    })
}

fn percent(words: &[String]) -> Option<u64> {
    words.iter().find_map(|word| {
        let number = word.strip_suffix('%')?;
        number.split('.').next()?.parse().ok()
    })
}

/// What a clause says is not there any more: a fault, or a thing.
fn gone(words: &[String]) -> Option<ClaimKind> {
    let longer = words.windows(2).any(|pair| pair[0] == "no" && pair[1] == "longer");
    let fault = has(words, "bad") || has(words, "flaws") || has(words, "faults");
    if has(words, "gone") {
        return Some(if fault { ClaimKind::Fixed } else { ClaimKind::Removed });
    }
    longer.then_some(if fault { ClaimKind::Fixed } else { ClaimKind::Changed })
}

/// A state of the tree, or of the branch, that a clause asserts.
fn git_state(words: &[String]) -> Option<String> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let tree = has(&["tree", "worktree", "status", "directory"])
        && has(&["working", "work", "git", "tree", "worktree"]);
    if tree && has(&["clean"]) && !denied(words) {
        return Some("clean".into());
    }
    let remote =
        words.iter().any(|word| word.starts_with("origin/") || word == "remote" || word == "upstream");
    let same = has(&["matches", "up-to-date", "sync", "synced", "even", "identical"]);
    (remote && same && !denied(words)).then(|| "matches".into())
}

/// What a verb claims, if it stands at `at`: the type, and the act.
fn verb_at(words: &[String], at: usize) -> Option<(ClaimKind, String)> {
    let word = words[at].as_str();
    let rest = &words[at + 1..];
    let act = || word.to_owned();
    let is = |class: &str| is(word, class);
    let near = |list: &[&str]| rest.iter().take(6).any(|word| list.contains(&word.as_str()));
    let kind = if (is("opened") || is("changed") && word == "updated")
        && rest.iter().take(5).any(|word| super::vocabulary::is(word, "pullrequest"))
    {
        ClaimKind::PullRequest
    } else if is("committed") && is_act(rest)
        || is("pushed") && is_act(rest)
        || word == "merged" && names_branch(words)
    {
        ClaimKind::Git
    } else if is("deployed") {
        ClaimKind::Deploy
    } else if is("published") {
        ClaimKind::Publish
    } else if is("installed") {
        ClaimKind::Install
    } else if is("ran") {
        ClaimKind::Ran
    } else if is("fixed")
        || is("works") && (word != "working" || !near(&["tree", "directory", "copy", "on", "with"]))
    {
        ClaimKind::Fixed
    } else if is("removed") {
        ClaimKind::Removed
    } else if is("created") {
        ClaimKind::Created
    } else if is("changed") {
        ClaimKind::Changed
    } else {
        return None;
    };
    Some((kind, act()))
}

/// Whether what follows a verb lets it stand for an act: not "committed settings".
fn is_act(rest: &[String]) -> bool {
    let next = rest.first().map_or("", String::as_str);
    matches!(
        next,
        "" | "`"
            | ";"
            | "as"
            | "to"
            | "in"
            | "with"
            | "on"
            | "the"
            | "all"
            | "both"
            | "everything"
            | "it"
            | "them"
            | "these"
            | "this"
            | "separately"
            | "locally"
            | "changes"
            | "a"
            | "by"
            | "again"
            | "at"
            | "under"
            | "only"
            | "successfully"
            | "now"
            | "and"
            | "here"
            | "your"
            | "my"
            | "that"
            | "for"
            | "✓"
    ) || next.len() >= 7 && next.chars().all(|c| c.is_ascii_hexdigit())
        || next.parse::<u64>().is_ok()
}

fn names_branch(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(word.as_str(), "main" | "master" | "branch" | "pr" | "upstream" | "develop")
            || word.contains("origin/")
    })
}

/// Who does what a verb says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The agent.
    Speaker,
    /// Left out, as in "Added a flag".
    Left,
    /// A thing.
    Thing,
    /// Somebody else.
    Others,
}

fn subject(before: &[String], others: bool) -> Subject {
    let nearest = before.iter().rev().find(|word| is(word, "speaker") || is(word, "others"));
    match nearest {
        Some(word) if is(word, "speaker") => Subject::Speaker,
        Some(_) => Subject::Others,
        None if before.iter().all(|word| is(word, "helpers") || word.parse::<u64>().is_ok())
            && !before
                .iter()
                .any(|word| matches!(word.as_str(), "it" | "they" | "this" | "that" | "these" | "which")) =>
        {
            if others {
                Subject::Others
            } else {
                Subject::Left
            }
        }
        None => Subject::Thing,
    }
}

/// Whether a clause tells what somebody else does.
pub(super) fn is_of_others(words: &[String]) -> bool {
    subject(words, false) == Subject::Others
}

/// Whether a list stands under a heading that tells what others did or shall do.
fn is_listed_under_others(heading: Option<&Sentence>) -> bool {
    heading.is_some_and(|heading| has(&heading.words, "others"))
}

impl ClaimKind {
    /// The check whose result it claims.
    pub(super) fn check(self) -> Option<CheckKind> {
        match self {
            Self::Tests => Some(CheckKind::Test),
            Self::Build => Some(CheckKind::Build),
            Self::Lint => Some(CheckKind::Lint),
            Self::Types => Some(CheckKind::TypeCheck),
            Self::Format => Some(CheckKind::Format),
            _ => None,
        }
    }
}
