//! From words to claims: each clause of a text that asserts, of now and of the agent's own work, something of a type
//! that what ran can show. Plans, offers, conditions, questions, quotations, admissions and what others did are none.

use super::said::{carry_on, verb_at};
use super::vocabulary::{find, has, is};
use super::{ClaimKind, Said, Scope};
use crate::check;
use crate::evidence::speech::Speech;
use crate::prose::{Concept, Form, Sentence, words};

/// More claims than anybody reads.
const MOST: usize = 40;

/// The claims of a text, in their order. Where an answer was due and nothing was changed (`worked` is false), what is told without a
/// subject is a story of the program, not of the agent.
pub(super) fn read(speech: &Speech, worked: bool) -> Vec<Said> {
    let mut claims = Vec::new();
    let mut head: Option<&Sentence> = None;
    let covers = speech.prose.sentences.iter().any(|sentence| has(&sentence.words, "coverage"));
    for (place, sentence) in speech.prose.sentences.iter().enumerate() {
        if sentence.form != Form::Row {
            head = None;
        } else if head.is_none() {
            head = Some(sentence);
            continue;
        }
        if !asserts(speech, place) {
            continue;
        }
        let heading = head.or_else(|| speech.heading(place).map(|heading| speech.sentence(heading)));
        Reader { sentence, heading, worked, covers, foreign: !speech.understood }.read(&mut claims);
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

/// Whether a sentence as a whole may assert: it does not ask, suppose or instruct, and stands under nothing that is still open.
fn asserts(speech: &Speech, place: usize) -> bool {
    let sentence = speech.sentence(place);
    let open = [Concept::NextSteps, Concept::Plans, Concept::Optional];
    // "Step one is done:" leads to what was done.
    let done = speech.heading(place).is_some_and(|above| speech.asserts_at(above, Concept::Done));
    let is_open = !done && open.iter().any(|concept| speech.is_under(place, *concept));
    let first = sentence.words.iter().find(|word| *word != "✓").map_or("", String::as_str);
    let leads = is(first, "firm") || matches!(first, "please" | "to");
    !(sentence.asks || sentence.form == Form::Unticked || is_open || leads)
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
            matches!(word.as_str(), words::BREAK | words::COMMA)
                || is(word, "conditions") && word.is_ascii()
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

/// Whether what is said is said of checks on another machine: of a pull request, or under such a heading.
fn is_remote(sentence: &Sentence) -> bool {
    let words = &sentence.words;
    let number = sentence.text.split('#').nth(1);
    let numbered = number.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let named = sentence
        .text
        .split_whitespace()
        .any(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("ci"));
    named
        || says(&["checks"]) && (numbered || has(words, "pullrequest"))
        || has(words, "pullrequest") && has(words, "strong")
}

/// Whether the words of a clause speak of what may, shall or would be, or give an example.
pub(super) fn supposed(words: &[String]) -> bool {
    let example = words.windows(2).any(|pair| pair[0] == "such" && pair[1] == "as");
    has(words, "supposed") || example || words.iter().any(|word| is(word, "conditions") && !word.is_ascii())
}

pub(super) fn denied(words: &[String]) -> bool {
    has(words, "denied")
}

/// Reads one sentence.
struct Reader<'s> {
    sentence: &'s Sentence,
    /// What it stands under: a heading, or the first row of its table.
    heading: Option<&'s Sentence>,
    worked: bool,
    /// Whether the text is about coverage somewhere.
    covers: bool,
    /// Whether it is in a language whose verbs and subjects are not told apart.
    foreign: bool,
}

impl Reader<'_> {
    fn read(&self, claims: &mut Vec<Said>) {
        let mut carried = Carried::default();
        let (mut aside, mut open) = (false, false);
        let all = pieces(self.sentence);
        for (at, piece) in all.iter().enumerate() {
            if piece.words.is_empty() {
                continue;
            }
            // A condition or a reason goes on behind an "and".
            aside = is(piece.before, "conditions")
                || matches!(piece.before, "because" | "since" | "who" | "where")
                || aside && piece.before == "and";
            // "It would be committed and pushed": the second verb stands under the first one's "would".
            let goes_on = piece.before == "and" && verb_at(piece.words, 0).is_some();
            open = supposed(piece.words) || open && goes_on;
            if aside || open {
                carried = Carried::default();
                continue;
            }
            match piece.before {
                "which" | "while" | "whereas" | "but" | "however" | "although" | "though" | "except"
                | "yet" | "so" => carried = Carried::default(),
                _ => {}
            }
            let next = all.get(at + 1).map_or("", |next| next.before);
            let excepts = is(next, "except") || find(piece.words, "except").is_some_and(|place| place > 0);
            let clause = Clause { of: self, piece, excepts };
            let before = claims.len();
            if !is(next, "firm") {
                clause.results(&mut carried, claims);
            }
            clause.states(&carried, claims);
            let says_more = claims.len() > before;
            clause.acts(&mut carried, says_more, claims);
        }
        self.proposal(claims);
    }

    /// A claim that a proposal to merge is open, by its address or number.
    fn proposal(&self, claims: &mut Vec<Said>) {
        let words = &self.sentence.words;
        let numbered = |part: &str| {
            let behind = self.sentence.text.split(part).nth(1);
            behind.is_some_and(|behind| behind.starts_with(|letter: char| letter.is_ascii_digit()))
        };
        let opened = has(words, "pullrequest") && has(words, "opened") && numbered("#") && !denied(words);
        if (["/pull/", "/merge_requests/"].into_iter().any(numbered) || opened)
            && !is_of_others(words)
            && claims
                .iter()
                .all(|claim| claim.kind != ClaimKind::PullRequest || claim.quote != self.sentence.text)
        {
            let piece = Piece { words, code: Vec::new(), before: "" };
            let clause = Clause { of: self, piece: &piece, excepts: false };
            claims.push(clause.said(ClaimKind::PullRequest, &Carried::default(), &[]));
        }
    }
}

/// A clause that may claim.
struct Clause<'s, 'p> {
    of: &'p Reader<'s>,
    piece: &'p Piece<'s>,
    /// Whether it excepts something.
    excepts: bool,
}

impl<'s> Clause<'s, '_> {
    /// Claims that a check has a result.
    fn results(&self, carried: &mut Carried<'s>, claims: &mut Vec<Said>) {
        let words = self.piece.words;
        let form = self.of.sentence.form;
        if form == Form::Row && !self.of.worked {
            return;
        }
        let tells = words.windows(2).position(|pair| pair[0] == words::CODE && is(&pair[1], "shows"));
        if let Some(at) = tells
            && self.piece.code.iter().any(|code| !check::read_command(code).checks.is_empty())
        {
            let said = self.said(ClaimKind::Command, carried, &self.piece.code);
            claims.push(Said { happened: true, act: words[at + 1].clone(), ..said });
            return;
        }
        let good = says_good(words);
        let mut nouns = nouns_of(words, &self.piece.code, good);
        let remote = is_remote(self.of.sentence) || self.of.heading.is_some_and(is_remote);
        // "(actionlint clean)" is what a program here says.
        let remote = remote && !words.iter().any(|word| check::names_a_checker(word));
        if remote && (!nouns.is_empty() || good.is_some()) && self.piece.code.is_empty() {
            nouns = vec![ClaimKind::Ci];
        }
        let number = part_of(words).or_else(|| counted(words));
        carried.whole |= has(words, "whole");
        carried.bounded |= is_bounded(words);
        if good.is_none() {
            if has(words, "bad") {
                carried.nouns.clear();
            } else if !denied(words) {
                carried.nouns.append(&mut nouns);
                carried.code.extend(&self.piece.code);
                carried.number = carried.number.or(number);
            }
            return;
        }
        let mut about = std::mem::take(&mut carried.nouns);
        let verb = good.map(|at| words[at].as_str()).unwrap_or_default();
        if let Some(kind) = speaks_for_itself(verb) {
            about = vec![kind];
        } else {
            about.extend(nouns);
        }
        let mut code = std::mem::take(&mut carried.code);
        code.extend(&self.piece.code);
        // "12 passed, 0 failed" is said once.
        let goes_on = self.piece.before == ","
            && claims
                .last()
                .is_some_and(|last| last.quote == self.of.sentence.text && last.kind == ClaimKind::Count);
        if about.is_empty() && self.of.worked && !goes_on {
            about = self.unnamed(words, &code);
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
        (carried.whole, carried.bounded) = (false, false);
    }

    /// What a good result is a result of, where the clause itself names nothing.
    fn unnamed(&self, words: &[String], code: &[&String]) -> Vec<ClaimKind> {
        if code.iter().any(|code| is_command(code)) {
            return vec![ClaimKind::Command];
        }
        let counted = words.windows(2).any(|pair| pair[0].parse::<u64>().is_ok() && is(&pair[1], "strong"))
            || words.iter().any(|word| fraction(word).is_some())
            || words.windows(2).any(|pair| pair[0] == "0" && pair[1].starts_with("fail"));
        if counted || words.len() <= 4 && has(words, "strong") {
            return vec![ClaimKind::Tests];
        }
        if self.of.sentence.form == Form::Row && words.len() == 1 {
            return vec![ClaimKind::Command];
        }
        let listed = matches!(self.of.sentence.form, Form::Item | Form::Ticked);
        let heading = self.of.heading.filter(|_| listed && words.len() <= 4);
        heading.map(|heading| nouns_of(&heading.words, &[], None)).unwrap_or_default()
    }

    /// Claims about how things are: what was left alone, how the tree stands, how much is covered.
    fn states(&self, carried: &Carried<'s>, claims: &mut Vec<Said>) {
        let words = self.piece.words;
        let code = &self.piece.code;
        let topic = has(&self.of.sentence.words, "coverage")
            || self.of.heading.is_some_and(|heading| has(&heading.words, "coverage"))
            || self.of.sentence.form == Form::Row && self.of.covers;
        if let Some(percent) = percent(words).filter(|_| topic) {
            let number = Some(percent);
            claims.push(Said { number, ..self.said(ClaimKind::Coverage, carried, code) });
        }
        if is_only(words) && !has(words, "people") {
            let confined = has(words, "confines") && !denied(words);
            let act = if confined { "confined" } else { "untouched" };
            claims.push(Said { act: act.into(), ..self.said(ClaimKind::Only, carried, code) });
        }
        if let Some(state) = git_state(words, code).filter(|_| self.of.sentence.form != Form::Row) {
            claims.push(Said { act: state.into(), ..self.said(ClaimKind::Git, carried, code) });
        }
        if let Some(kind) = gone(words).filter(|_| self.of.worked) {
            claims.push(self.said(kind, carried, code));
        }
    }

    /// Claims that the agent did something.
    fn acts(&self, carried: &mut Carried<'s>, says_more: bool, claims: &mut Vec<Said>) {
        let words = self.piece.words;
        if denied(words) || is_only(words) && words.iter().any(|word| word == "no") {
            carried.verb = None;
            return;
        }
        let listed = carried.others || self.is_listed_under_others();
        let verbs: Vec<(usize, ClaimKind)> =
            (0..words.len()).filter_map(|at| Some((at, verb_at(words, at)?))).collect();
        let subject = |at: usize| subject(&words[..at], listed);
        if let Some((first, _)) = verbs.first() {
            carried.others = subject(*first) == Subject::Others;
            carried.verb = None;
        }
        let told = verbs.iter().find(|(at, kind)| self.reports(*at, subject(*at), *kind));
        if let Some((at, kind)) = told.copied() {
            carried.verb = Some(kind);
            let mut said = self.said(kind, carried, &self.piece.code);
            said.act.clone_from(&words[at]);
            // "Only the settings are committed", "still works" and a cell of a table tell how things are, not what was done.
            let own = subject(at) != Subject::Thing || !words[..at].iter().any(|word| is(word, "articles"));
            let of_work = matches!(
                kind,
                ClaimKind::Fixed | ClaimKind::Changed | ClaimKind::Created | ClaimKind::Removed
            );
            let state = is(&words[at], "works") || of_work && self.of.sentence.form == Form::Row;
            said.happened = own && !state;
            claims.push(said);
        } else if verbs.is_empty() && self.of.worked && is_new(words) && !says_more {
            claims.push(self.said(ClaimKind::Changed, carried, &self.piece.code));
        } else if let Some(verb) = carried.verb.filter(|_| matches!(self.piece.before, "and" | ",")) {
            carry_on(verb, &self.piece.code, claims);
        }
    }

    /// Whether the verb at `at` tells of what the agent did, or of how things are now.
    fn reports(&self, at: usize, by: Subject, kind: ClaimKind) -> bool {
        let words = self.piece.words;
        let worked = self.of.worked;
        let has_one = |list: &[&str]| words[..at].iter().any(|word| list.contains(&word.as_str()));
        let is_row = self.of.sentence.form == Form::Row;
        let next = words.get(at + 1).map_or("", String::as_str);
        // "Implemented the flag" tells what was done, "implemented" and "ready" only that it was.
        let says_what = is(&words[at], "changed") && !next.is_empty();
        if is(&words[at], "done") && !says_what && (by != Subject::Thing || at < 2) {
            return false;
        }
        let is_in_order = is(&words[at], "works");
        // "I ran no tests" tells of none.
        if kind == ClaimKind::Ran && matches!(next, "no" | "none" | "nothing" | "neither") {
            return false;
        }
        match by {
            Subject::Others => false,
            Subject::Speaker => !is_in_order,
            _ if self.of.foreign => worked,
            // "the added flag", "(committed)": a participle of a noun.
            Subject::Left => {
                worked
                    && (!is_row || at == 0)
                    && !(self.piece.before == words::BREAK && words.len() == 1 && kind != ClaimKind::Fixed)
                    && (at == 0 || !is(&words[at - 1], "articles"))
            }
            Subject::Thing if is_row || has_one(&["how", "what", "why", "where"]) => false,
            Subject::Thing if self.of.sentence.form == Form::Heading => worked && at + 1 == words.len(),
            Subject::Thing if kind == ClaimKind::Fixed && is_in_order => {
                let again = matches!(next, "now" | "again" | "as" | "correctly");
                let well = again || matches!(next, "" | "properly" | "fine" | "well");
                worked && (well || has_one(&["now"])) && (words[at] != "work" || again)
            }
            Subject::Thing => {
                let now = has_one(&["now", "been"]) || next == "now";
                let bare = words[..at].iter().all(|word| !is(word, "helpers")) && at + 1 == words.len();
                has_one(&["have", "has"]) && has_one(&["been"])
                    || has_one(&["is", "are"])
                        && (now || worked && !matches!(kind, ClaimKind::Changed | ClaimKind::Ran))
                    || worked && (bare || has_one(&["was", "were"]))
            }
        }
    }

    /// Whether the clause is one of a list of what others did or shall do.
    fn is_listed_under_others(&self) -> bool {
        self.of.heading.is_some_and(|heading| has(&heading.words, "others"))
    }

    fn said(&self, kind: ClaimKind, carried: &Carried<'s>, code: &[&String]) -> Said {
        let words = self.piece.words;
        let whole = carried.whole || has(words, "whole");
        let bounded = carried.bounded || is_bounded(words);
        Said {
            quote: self.of.sentence.text.clone(),
            kind,
            scope: Scope {
                whole: whole && !self.excepts,
                expressly: has(words, "expressly")
                    || has(words, "whole") && has(words, "packages") && words.len() > 3,
                bounded: bounded || self.excepts,
                partial: part_of(words).is_some(),
                words: self.of.sentence.words.clone(),
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

/// Whether code in a sentence is a command line: a program and what it is given.
pub(super) fn is_command(code: &str) -> bool {
    let first = code.split_whitespace().next().unwrap_or_default();
    code.contains(' ')
        && (check::knows_program(first) || is(first, "programs") || first.starts_with("./"))
        && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_./".contains(c))
}

fn is_bounded(words: &[String]) -> bool {
    // "All three", "all of them": of those that were told of.
    let told_of =
        words.windows(2).any(|pair| pair[0] == "all" && (pair[1] == "of" || is(&pair[1], "bounded")));
    told_of || has(words, "bounded") && !words.iter().any(|word| word == "all") || part_of(words).is_some()
}

/// "8 of 9", which says itself that one is missing.
fn part_of(words: &[String]) -> Option<u64> {
    words.windows(3).find_map(|row| {
        let (part, whole): (u64, u64) = (row[0].parse().ok()?, row[2].parse().ok()?);
        (row[1] == "of" && part < whole).then_some(part)
    })
}

/// Whether a clause says that something is otherwise than it was.
fn is_new(words: &[String]) -> bool {
    let new = find(words, "now").or_else(|| find(words, "again"));
    new.is_some_and(|at| at > 0 || words.len() > 2) && !is_of_others(words)
}

/// Whether a clause says that nothing else was touched, or that this was not.
fn is_only(words: &[String]) -> bool {
    let has = |class: &str| has(words, class);
    let touched = has("touched");
    let alone =
        words.windows(3).any(|row| is(&row[0], "left") && (is(&row[1], "alone") || is(&row[2], "alone")))
            || words.windows(2).any(|row| is(&row[0], "left") && is(&row[1], "alone"));
    let denies = denied(words) || words.iter().any(|word| word == "no");
    let stays = words.len() <= 4 || words.iter().any(|word| is(word, "stays"));
    has("untouched") && stays && !denied(words)
        || alone
        || denies && touched
        || has("confines") && (touched || has("contains") || has("created"))
        || words.last().is_some_and(|last| is(last, "confines")) && words.len() <= 3
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
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if is(word, "loose") && good.is_some_and(|good| good.abs_diff(at) > 2) {
            continue;
        }
        let typed = word == "type" && (next.starts_with("check") || next.starts_with("error"));
        let kinds = [
            (is(word, "ci"), ClaimKind::Ci),
            (is(word, "lint"), ClaimKind::Lint),
            (is(word, "types") || typed, ClaimKind::Types),
            (is(word, "format"), ClaimKind::Format),
            (is(word, "build"), ClaimKind::Build),
            (is(word, "tests"), ClaimKind::Tests),
        ];
        if let Some((_, kind)) = kinds.into_iter().find(|(is_it, _)| *is_it) {
            add(kind);
        } else if is(word, "checks") && !(at > 0 && words[at - 1] == "type") {
            add(ClaimKind::Tests);
        }
    }
    kinds
}

/// Where a clause says that a check ended well.
fn says_good(words: &[String]) -> Option<usize> {
    let none = |at: usize| words[at.saturating_sub(3)..=at].iter().any(|word| is(word, "none"));
    // "no errors", "0 failed", "without warnings", "nothing to format", "exits 0".
    let flawless = (0..words.len()).find(|at| is(&words[*at], "flaws") && none(*at));
    let silent = words.windows(2).position(|pair| {
        is(&pair[0], "ends") && pair[1] == "0"
            || matches!(pair[0].as_str(), "nothing" | "is") && is(&pair[1], "quiet")
            || pair[0] == "prints" && pair[1] == "nothing"
            || pair[0] == "nothing" && pair[1] == "to"
    });
    let flawed = (0..words.len()).any(|at| is(&words[at], "bad") && !none(at));
    if flawed || denied(words) && flawless.is_none() && silent.is_none() {
        return None;
    }
    let good = |at: &usize| {
        let word = words[*at].as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        let before = at.checked_sub(1).map_or("", |before| words[before].as_str());
        let ticked = word == "✓" && words.len() > 5;
        (is(word, "good") && !ticked || is(word, "well") && (is(before, "ends") || is(next, "ends")))
            && !none(at.saturating_sub(1))
            && !matches!(before, "a" | "an" | "the" | "to")
            && !(word == "pass" && next.parse::<u64>().is_ok() && before.parse::<u64>().is_err())
            && !(matches!(word, "pass" | "passes" | "passing" | "passed")
                && is(next, "transitive")
                && !matches!(next, "as" | "on" | "in" | "aside"))
    };
    let compiles = |at: &usize| speaks_for_itself(&words[*at]).is_some();
    let whole = |at: &usize| fraction(&words[*at]).is_some();
    let numbered =
        words.windows(3).position(|row| row[1] == "of" && row[0] == row[2] && row[0].parse::<u64>().is_ok());
    let all = 0..words.len();
    all.clone()
        .find(good)
        .or(flawless)
        .or(silent)
        .or(numbered)
        .or_else(|| all.clone().find(whole))
        .or_else(|| all.clone().find(compiles))
}

/// The check that a verb alone says to be fine.
fn speaks_for_itself(verb: &str) -> Option<ClaimKind> {
    Some(match verb {
        "compiles" | "builds" | "compiled" | "compila" | "kompiliert" => ClaimKind::Build,
        "typechecks" | "type-checks" => ClaimKind::Types,
        "lints" => ClaimKind::Lint,
        "formatted" => ClaimKind::Format,
        _ => return None,
    })
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
        let near = words[at + 1..].iter().take(3).any(|word| is(word, "countable") || is(word, "tests"))
            || fraction(word).is_some();
        let failed = words.get(at + 1).is_some_and(|word| is(word, "bad"));
        (near && !failed).then_some(number)
    })
}

fn percent(words: &[String]) -> Option<u64> {
    words.iter().rev().find_map(|word| {
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
fn git_state(words: &[String], code: &[&String]) -> Option<&'static str> {
    let has_one = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let tree = has_one(&["tree", "worktree", "status", "directory", "checkout", "工作区"])
        && has_one(&["working", "work", "git", "tree", "worktree", "工作区"]);
    let purpose = has_one(&["keep", "keeps", "keeping", "kept"]);
    if tree && has_one(&["clean"]) && !purpose && !denied(words) {
        return Some("clean");
    }
    let kept = has(words, "committed") || has(words, "pushed") || has_one(&["merged"]);
    if has(words, "uncommitted") || kept && (denied(words) || has_one(&["nothing", "no"])) {
        return Some("kept back");
    }
    let named = |text: &str| {
        (7..=40).contains(&text.len())
            && text.chars().all(|c| c.is_ascii_hexdigit())
            && text.chars().any(|c| c.is_ascii_digit())
            && text.chars().any(char::is_alphabetic)
    };
    let hash = code.iter().any(|code| named(code)) || words.iter().any(|word| named(word));
    let own = words.len() <= 4
        || words.windows(2).any(|pair| matches!(pair[0].as_str(), "own" | "one") && is(&pair[1], "commits"));
    if hash && own && has(words, "commits") && !denied(words) {
        return Some("committed");
    }
    let remote =
        words.iter().any(|word| word.starts_with("origin/") || word == "remote" || word == "upstream");
    let same = has_one(&["matches", "up-to-date", "sync", "synced", "even", "identical"]);
    (remote && same && !denied(words)).then_some("matches")
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
    let pronouns = ["it", "they", "this", "that", "these", "which"];
    match nearest {
        Some(word) if is(word, "speaker") => Subject::Speaker,
        Some(_) => Subject::Others,
        None if before.iter().any(|word| pronouns.contains(&word.as_str())) => Subject::Thing,
        None if before.iter().all(|word| is(word, "helpers") || word.parse::<u64>().is_ok()) => {
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
