//! Variables that the code demands through several hands: a constant that names one, a function that is handed its name, a list
//! that is run over, an enumeration, a copy of the whole environment.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::flow::{
    Function, Hole, Kind, Made, Scope, Source, Sources, Token, Tongue, closing, line_end, parts,
};
use super::ground::Ground;
use super::tree::is_test;

/// A variable that is demanded somewhere.
#[derive(Debug)]
pub(super) struct Demand {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: usize,
    /// Whether that place is only reached under a condition.
    pub(super) is_conditional: bool,
}

/// Words of code that reads variables.
const MARKS: &[&str] = &["environ", "getenv", "process.env", "env::var", "Getenv", "LookupEnv"];
/// Words that end what they stand in.
const FAILS: &[&str] = &[
    "raise",
    "throw",
    "panic",
    "Fatal",
    "Fatalf",
    "Fatalln",
    "exit",
    "Exit",
    "Errorf",
    "reject",
    "abort",
    "bail",
    "Err",
    "expect",
    "unwrap",
    "ok_or",
    "ok_or_else",
    "orElseThrow",
    "requireNonNull",
    "assert",
    "map_err",
    "SystemExit",
    "die",
    "fail",
    "EXIT_FAILURE",
    "invariant",
    "context",
    "with_context",
    "ensure",
];
/// The longest function that is taken for one that only fetches a variable, in lines.
const LONGEST: usize = 30;
/// How far behind a reading its check may stand, in lines.
const NEAR: usize = 14;

/// How a function treats the variable whose name it is handed.
#[derive(Debug, Clone)]
struct Getter {
    /// The name that it reads, with what it is handed left open.
    name: Made,
    /// Whether it fails where the variable is absent; else it hands on nothing.
    demands: bool,
    /// The place of what it is handed as a default.
    default: Option<usize>,
}

/// Every variable that the project's own code demands.
pub(super) fn demands(ground: &Ground<'_>) -> Vec<Demand> {
    let reads = ground.tree.files().iter().any(|file| {
        Tongue::of(&file.path).is_some()
            && ground.tree.is_examined(&file.path)
            && ground.tree.text(&file.path).is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
    });
    if !reads {
        return Vec::new();
    }
    demanded_in(&Sources::of(ground, |path, _| !is_test(path)))
}

fn demanded_in(sources: &Sources) -> Vec<Demand> {
    let mut search =
        Search { sources, getters: BTreeMap::new(), found: Vec::new(), handed_on: handed_on(sources) };
    // A function that is handed a name may hand it on to another one.
    for _ in 0..4 {
        let before = search.getters.len();
        search.find_getters();
        if search.getters.len() == before {
            break;
        }
    }
    search.find_demands();
    search.found
}

/// Languages in which the whole environment is handed to a function somewhere.
fn handed_on(sources: &Sources) -> BTreeSet<Tongue> {
    let is_handed = |source: &&Source| {
        (0..source.tokens.len()).any(|at| {
            let whole = whole_environment(source, at);
            let before = at.checked_sub(if source.tongue == Tongue::JavaScript { 3 } else { 1 });
            let opens = before.is_some_and(|before| {
                let token = &source.tokens[before];
                token.is("(")
                    || token.is(",")
                    || (token.is(".")
                        && before > 1
                        && (source.tokens[before - 2].is("(") || source.tokens[before - 2].is("=")))
            });
            whole && opens
        })
    };
    sources.all.iter().filter(is_handed).map(|source| source.tongue).collect()
}

/// Whether the token is the whole environment, not one variable of it.
fn whole_environment(source: &Source, at: usize) -> bool {
    let tokens = &source.tokens;
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    match source.tongue {
        Tongue::Python => {
            tokens[at].is("environ") && !is(at + 1, "[") && (!is(at + 1, ".") || is(at + 2, "copy"))
        }
        Tongue::JavaScript => {
            tokens[at].is("env")
                && at >= 2
                && is(at - 2, "process")
                && !is(at + 1, "[")
                && !is(at + 1, ".")
                && !is(at + 1, "?.")
        }
        Tongue::Rust => tokens[at].is("vars") && is(at + 1, "("),
        Tongue::Java => tokens[at].is("getenv") && is(at + 1, "(") && is(at + 2, ")"),
        Tongue::Go | Tongue::C => false,
    }
}

/// A place where a variable is read.
#[derive(Debug)]
struct Read {
    name: Made,
    /// Where the reading begins and ends.
    range: Range<usize>,
    has_default: bool,
    /// Whether an absent variable is an error there.
    is_strict: bool,
}

/// What happens to an absent variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Fails,
    HandedOn,
    Taken,
}

struct Search<'s> {
    sources: &'s Sources,
    /// By language, file and name; the file is empty where other files may call it.
    getters: BTreeMap<(Tongue, String), Vec<(String, Getter)>>,
    found: Vec<Demand>,
    handed_on: BTreeSet<Tongue>,
}

impl<'s> Search<'s> {
    fn find_getters(&mut self) {
        let mut new = Vec::new();
        for source in &self.sources.all {
            for function in &source.functions {
                let (first, last) = lines(source, &function.body);
                if function.parameters.is_empty()
                    || last - first > LONGEST
                    || self.getter(source, &function.name, true).is_some()
                {
                    continue;
                }
                if let Some(getter) = self.as_getter(source, function) {
                    new.push(((source.tongue, function.name.clone()), (source.path.clone(), getter)));
                }
            }
        }
        for (key, getter) in new {
            self.getters.entry(key).or_default().push(getter);
        }
    }

    fn as_getter(&self, source: &'s Source, function: &Function) -> Option<Getter> {
        let reads = self.reads(source, function.body.clone());
        let read = reads
            .into_iter()
            .find(|read| matches!(read.name.hole(), Some(Hole::Given(_) | Hole::EachOf(_))))?;
        let own = source.around(read.range.start)?;
        if own.body != function.body {
            return None;
        }
        let at = match read.name.hole()? {
            Hole::Given(at) | Hole::EachOf(at) => *at,
            Hole::OneOf(_) => return None,
        };
        let default = default_of(source, function, at);
        let fails = fails(source, function.body.clone())
            && !gives_up_softly(source, function)
            && !may_give_nothing(source, function);
        let demands = read.is_strict || (fails && (!read.has_default || default.is_some()));
        let gives_back = returns(source, function) || own.body.len() < 24;
        (demands || gives_back).then_some(Getter { name: read.name, demands, default })
    }

    /// The function of that name, in the file itself or else in another one.
    fn getter(&self, source: &Source, name: &str, only_here: bool) -> Option<&Getter> {
        let all = self.getters.get(&(source.tongue, name.to_owned()))?;
        let here = all.iter().find(|(path, _)| *path == source.path);
        if here.is_some() || only_here {
            return here.map(|(_, getter)| getter);
        }
        // A function of the file's own has nothing to do with one elsewhere.
        let is_own = source.functions.iter().any(|function| function.name == name);
        all.first().filter(|_| !is_own).map(|(_, getter)| getter)
    }

    /// The names under which a file holds the whole environment.
    fn aliases(&self, source: &Source) -> BTreeSet<String> {
        let whole = source
            .assignments()
            .filter(|(_, value)| (*value).clone().any(|at| whole_environment(source, at)));
        let mut names: BTreeSet<String> = whole.map(|(name, _)| name.to_owned()).collect();
        if self.handed_on.contains(&source.tongue) {
            let given = source.functions.iter().flat_map(|function| &function.parameters);
            names.extend(
                given.filter(|name| matches!(name.as_str(), "env" | "environ" | "environment")).cloned(),
            );
        }
        names
    }

    /// Every reading in a range whose name can be told.
    fn reads(&self, source: &'s Source, range: Range<usize>) -> Vec<Read> {
        let tokens = &source.tokens;
        let scope = Scope::new(self.sources, source);
        let aliases = self.aliases(source);
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let mut all = Vec::new();
        for at in range.clone() {
            if !tokens[at].is_word() {
                continue;
            }
            let word = tokens[at].text.as_str();
            let is_process = word == "env" && at >= 2 && is(at - 2, "process");
            let holds_all = is_process
                || (word == "environ" && source.tongue == Tongue::Python)
                || (aliases.contains(word) && !(at > 0 && is(at - 1, ".")));
            let begin = if at >= 2 && is(at - 1, ".") { at - 2 } else { at };
            if holds_all && is(at + 1, "[") {
                let close = closing(tokens, at + 1);
                let is_set = is(close + 1, "=");
                if let Some(name) = scope.text(at + 2..close).filter(|_| !is_set) {
                    let is_strict = source.tongue == Tongue::Python && !is_caught(source, at);
                    all.push(Read { name, range: begin..close + 1, has_default: false, is_strict });
                }
                continue;
            }
            let call = if holds_all && is(at + 1, ".") && is(at + 3, "(") {
                matches!(tokens[at + 2].text.as_str(), "get" | "getOrDefault").then_some(at + 3)
            } else {
                let reads = match source.tongue {
                    Tongue::Python | Tongue::Java | Tongue::C => word == "getenv",
                    Tongue::Go => matches!(word, "Getenv" | "LookupEnv"),
                    Tongue::Rust => {
                        matches!(word, "var" | "var_os") && at >= 2 && is(at - 1, "::") && is(at - 2, "env")
                    }
                    Tongue::JavaScript => false,
                };
                (reads && is(at + 1, "(")).then_some(at + 1)
            };
            if let Some(open) = call {
                let close = closing(tokens, open);
                let arguments = parts(tokens, open + 1, close);
                let default = arguments.get(1).is_some_and(|it| !is_nothing(&tokens[it.clone()]));
                if let Some(name) = arguments.first().and_then(|it| scope.text(it.clone())) {
                    all.push(Read { name, range: begin..close + 1, has_default: default, is_strict: false });
                }
                continue;
            }
            if holds_all && source.tongue == Tongue::JavaScript && (is(at + 1, ".") || is(at + 1, "?.")) {
                let is_set = is(at + 3, "=");
                if let Some(name) =
                    tokens.get(at + 2).filter(|token| token.is_word() && !is_set && is_name(&token.text))
                {
                    let name = Made::known(&name.text);
                    all.push(Read {
                        name,
                        range: begin..at + 3,
                        has_default: is(at + 1, "?."),
                        is_strict: false,
                    });
                }
                continue;
            }
            // A function that hands on what it finds.
            if is(at + 1, "(")
                && let Some(getter) = self.getter(source, word, false)
                && !source
                    .functions
                    .iter()
                    .any(|function| function.name == word && function.body.contains(&at))
                && let Some((name, has_default)) = self.called(source, getter, at + 1)
            {
                let close = closing(tokens, at + 1);
                all.push(Read {
                    name,
                    range: begin..close + 1,
                    has_default,
                    is_strict: getter.demands && !has_default,
                });
            }
        }
        all
    }

    /// The name that a call of a getter reads, and whether it is handed a default.
    fn called(&self, source: &'s Source, getter: &Getter, open: usize) -> Option<(Made, bool)> {
        let tokens = &source.tokens;
        let close = closing(tokens, open);
        let arguments = parts(tokens, open + 1, close);
        let scope = Scope::new(self.sources, source);
        let (at, each) = match getter.name.hole()? {
            Hole::Given(at) => (*at, false),
            Hole::EachOf(at) => (*at, true),
            Hole::OneOf(_) => return None,
        };
        let argument = arguments.get(at)?.clone();
        let has_default = arguments.iter().enumerate().any(|(place, range)| {
            let slice = &tokens[range.clone()];
            let named = slice.get(1).is_some_and(|sign| sign.is("=")) && is_default_name(&slice[0].text);
            let is_default = Some(place) == getter.default || named;
            is_default && !is_nothing(if named { &slice[2..] } else { slice })
        });
        let made = if each {
            let slice = &tokens[argument.clone()];
            if let [word] = slice
                && let Some(function) = source.around(open)
                && let Some(place) = function.parameters.iter().position(|it| *it == word.text)
            {
                Made::open(Hole::EachOf(place))
            } else {
                Made::open(Hole::OneOf(Rc::new(scope.list(argument)?)))
            }
        } else {
            scope.text(argument)?
        };
        Some((getter.name.filled(&made), has_default))
    }

    fn find_demands(&mut self) {
        let mut found = Vec::new();
        for source in &self.sources.all {
            let reads = self.reads(source, 0..source.tokens.len());
            for read in reads {
                if read.has_default || self.outcome(source, &read) != Outcome::Fails {
                    continue;
                }
                for (name, entry) in read.name.each() {
                    if !is_name(&name) || entry.as_ref().is_some_and(|entry| entry.is_lenient) {
                        continue;
                    }
                    let line = source.tokens[read.range.start].line;
                    found.push(Demand {
                        name,
                        path: source.path.clone(),
                        line,
                        is_conditional: is_conditional(source, read.range.start),
                    });
                }
            }
            found.extend(self.taken_apart(source));
        }
        self.found = found;
    }

    fn outcome(&self, source: &Source, read: &Read) -> Outcome {
        let tokens = &source.tokens;
        if read.is_strict {
            return if is_softened(source, read) { Outcome::Taken } else { Outcome::Fails };
        }
        if source.around(read.range.start).is_some_and(|function| may_give_nothing(source, function)) {
            return Outcome::Taken;
        }
        let body = source.around(read.range.start).map_or(0..tokens.len(), |function| function.body.clone());
        let line = tokens[read.range.start].line;
        let near = read.range.end..body.end.min(line_at(source, line + NEAR)).max(read.range.end);
        let is_listed = matches!(read.name.hole(), Some(Hole::OneOf(_)));
        if is_listed && fails(source, near.clone()) {
            return Outcome::Fails;
        }
        let begin = (0..=read.range.start).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(0);
        let statement = &tokens[begin..read.range.start];
        // A word that begins a line begins a statement.
        let next = tokens.get(read.range.end).filter(|next| next.begins.is_none() || next.kind == Kind::Sign);
        let in_condition = statement.iter().any(|token| {
            matches!(token.text.as_str(), "if" | "unless" | "elif" | "while" | "match" | "assert")
        });
        let soon = read.range.end
            ..body
                .end
                .min(line_at(source, tokens[read.range.end.min(tokens.len() - 1)].line + 4))
                .max(read.range.end);
        if in_condition {
            let last = statement.last();
            let negated = last.is_some_and(|token| token.is("not") || token.is("!"))
                || next.is_some_and(|next| matches!(next.text.as_str(), "==" | "is"))
                || statement.iter().any(|token| matches!(token.text.as_str(), "match" | "assert"));
            let soon = read.range.end..soon.end;
            return if negated && fails(source, soon) { Outcome::Fails } else { Outcome::Taken };
        }
        if statement.first().is_some_and(|token| token.is("return"))
            && statement.len() <= 2
            && source.tongue != Tongue::Rust
        {
            return Outcome::HandedOn;
        }
        if let Some(next) = next {
            match next.text.as_str() {
                "?" if source.tongue == Tongue::Rust => return Outcome::Fails,
                "||" | "??" | "or" | "?" | "==" | "!=" | "in" | "is" | "&&" | "and" | "if" => {
                    return Outcome::Taken;
                }
                "." => {
                    let method = tokens.get(read.range.end + 1).map_or("", |token| token.text.as_str());
                    if source.tongue == Tongue::Rust {
                        let end =
                            (read.range.end..body.end).find(|at| tokens[*at].is(";")).unwrap_or(body.end);
                        let rest = &tokens[read.range.end..end.min(read.range.end + 40)];
                        let ends =
                            rest.iter().any(|token| token.is("?") || FAILS.contains(&token.text.as_str()));
                        return if ends && !softens(tokens, read.range.end) {
                            Outcome::Fails
                        } else {
                            Outcome::Taken
                        };
                    }
                    if tokens.get(read.range.end + 2).is_some_and(|token| token.is("("))
                        && !matches!(method, "equals" | "equalsIgnoreCase")
                    {
                        return Outcome::Fails;
                    }
                }
                _ => {}
            }
        }
        // `Optional.ofNullable(…).orElseThrow(…)`, `requireNonNull(…)`
        let whole_line = begin..line_end(tokens, read.range.end.saturating_sub(1)).max(read.range.end);
        let wrapped = tokens[whole_line]
            .iter()
            .any(|token| matches!(token.text.as_str(), "orElseThrow" | "requireNonNull"));
        if wrapped {
            return Outcome::Fails;
        }
        // `int(…)`, `new URL(…)`, and functions of the project that check what they are handed.
        let ends = next.is_some_and(|next| next.is(")") || next.is(","));
        if let Some(call) = enclosing_call(tokens, begin, read.range.start).filter(|_| ends) {
            let known = match source.tongue {
                Tongue::Python => matches!(call, "int" | "float" | "Path"),
                Tongue::JavaScript => matches!(call, "URL" | "BigInt"),
                _ => false,
            };
            if known || self.checks(source, call) {
                return Outcome::Fails;
            }
        }
        kept(source, read, statement, near)
    }

    /// Whether a function of the project ends where what it is handed is absent.
    fn checks(&self, source: &Source, name: &str) -> bool {
        let of = |source: &Source| {
            let function = source.functions.iter().find(|function| function.name == name)?;
            let (first, last) = lines(source, &function.body);
            let tokens = &source.tokens[function.body.clone()];
            let asks = tokens.iter().any(|token| token.is("if") || token.is("assert") || token.is("??"));
            let defaults = function.parameters.iter().any(|it| is_default_name(it));
            Some(last - first <= LONGEST && asks && !defaults && fails(source, function.body.clone()))
        };
        of(source)
            .or_else(|| self.sources.all.iter().filter(|other| other.tongue == source.tongue).find_map(of))
            .unwrap_or(false)
    }

    /// `const { A, B = 'x' } = process.env`, with what is done to A.
    fn taken_apart(&self, source: &Source) -> Vec<Demand> {
        let tokens = &source.tokens;
        let mut found = Vec::new();
        if source.tongue != Tongue::JavaScript {
            return found;
        }
        for at in (3..tokens.len()).filter(|at| whole_environment(source, *at)) {
            let equals = at - 3;
            if !tokens[equals].is("=") || equals == 0 || !tokens[equals - 1].is("}") {
                continue;
            }
            let Some(open) = (0..equals).rev().find(|at| tokens[*at].is("{")) else { continue };
            for part in parts(tokens, open + 1, equals - 1) {
                let slice = &tokens[part];
                let has_default = slice.iter().any(|token| token.is("="));
                let (Some(first), Some(last)) = (slice.first(), slice.last()) else { continue };
                if has_default || !is_name(&first.text) {
                    continue;
                }
                let own = last.text.as_str();
                let demanded = (at + 1..tokens.len()).filter(|at| tokens[*at].is(own)).any(|at| {
                    let refused = at > 0
                        && tokens[at - 1].is("!")
                        && fails(source, at..line_at(source, tokens[at].line + 4));
                    let used = tokens.get(at + 1).is_some_and(|next| next.is("."))
                        && tokens.get(at + 3).is_some_and(|next| next.is("("));
                    let open = (at.saturating_sub(8)..at).rev().find(|at| tokens[*at].is("("));
                    let handed = open
                        .and_then(|open| tokens.get(open.checked_sub(1)?))
                        .is_some_and(|call| self.checks(source, &call.text));
                    let gathered = tokens[at.saturating_sub(12)..at]
                        .iter()
                        .any(|token| matches!(token.text.as_str(), "entries" | "values"))
                        && fails(source, at..line_at(source, tokens[at].line + 4));
                    refused || used || handed || gathered
                });
                if demanded {
                    found.push(Demand {
                        name: first.text.clone(),
                        path: source.path.clone(),
                        line: first.line,
                        is_conditional: false,
                    });
                }
            }
        }
        found
    }
}

/// What happens to a variable that was put away under a name.
fn kept(source: &Source, read: &Read, statement: &[Token], near: Range<usize>) -> Outcome {
    let tokens = &source.tokens;
    // `let Ok(v) = env::var(k) else { … }`
    if source.tongue == Tongue::Rust && tokens.get(read.range.end).is_some_and(|token| token.is("else")) {
        let end = near.end.min(read.range.end + 30);
        return if fails(source, read.range.end..end) { Outcome::Fails } else { Outcome::Taken };
    }
    let equals = statement.iter().position(|token| token.is("=") || token.is(":="));
    let names: Vec<&str> = match equals {
        Some(equals) => statement[..equals]
            .iter()
            .filter(|token| token.is_word())
            .map(|token| token.text.as_str())
            .filter(|word| {
                !matches!(
                    *word,
                    "const" | "let" | "var" | "final" | "String" | "char" | "static" | "mut" | "_"
                )
            })
            .collect(),
        // A member of a table, which is gone through as a whole.
        None => Vec::new(),
    };
    let holder = equals.is_none().then(|| holder(source, read.range.start)).flatten();
    let mut at = near.start;
    while at < near.end {
        let token = &tokens[at];
        let asks =
            matches!(token.text.as_str(), "if" | "assert" | "unless" | "ensure" | "match" | "invariant");
        if token.is_word() && asks {
            let end = line_end(tokens, at).min(near.end).max(at + 1);
            let speaks =
                tokens[at..end].iter().any(|word| word.is_word() && names.contains(&word.text.as_str()));
            let negative = tokens[at..end].iter().any(|word| {
                matches!(
                    word.text.as_str(),
                    "not"
                        | "!"
                        | "None"
                        | "null"
                        | "nil"
                        | "undefined"
                        | "=="
                        | "NULL"
                        | "isEmpty"
                        | "isBlank"
                        | "is_empty"
                ) || (word.is_text() && word.text.is_empty())
            });
            let until = line_at(source, token.line + 4).min(near.end).max(end);
            if speaks && (negative || token.is("assert")) && fails(source, at..until) {
                return Outcome::Fails;
            }
            // `if v != "" { return v }`, and then it ends.
            let positive = tokens[at..until].iter().any(|word| word.is("return"));
            if speaks && positive && fails(source, until..near.end) {
                return Outcome::Fails;
            }
        }
        if holder.as_ref().is_some_and(|holder| token.is(holder)) {
            let from = at.saturating_sub(6);
            let goes_through = tokens[from..(at + 4).min(near.end)]
                .iter()
                .any(|word| matches!(word.text.as_str(), "entries" | "items" | "values" | "keys"));
            let until = line_at(source, token.line + 5).min(near.end);
            if goes_through && fails(source, at..until.max(at)) {
                return Outcome::Fails;
            }
        }
        at += 1;
    }
    Outcome::Taken
}

/// The name of the table that a token is a member of.
fn holder(source: &Source, at: usize) -> Option<String> {
    let tokens = &source.tokens;
    let mut depth = 0_usize;
    for index in (0..at).rev() {
        if tokens[index].kind != Kind::Sign {
            continue;
        }
        match tokens[index].text.as_str() {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "{" | "(" => {
                let equals = (index.saturating_sub(4)..index)
                    .rev()
                    .find(|at| tokens[*at].is("=") || tokens[*at].is(":="))?;
                return equals.checked_sub(1).map(|at| tokens[at].text.clone());
            }
            _ => {}
        }
    }
    None
}

/// The name of the call that a token is handed to.
fn enclosing_call(tokens: &[Token], from: usize, at: usize) -> Option<&str> {
    let mut depth = 0_usize;
    for index in (from..at).rev() {
        if tokens[index].kind != Kind::Sign {
            continue;
        }
        match tokens[index].text.as_str() {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" => {
                let call = tokens.get(index.checked_sub(1)?)?;
                return call.is_word().then_some(call.text.as_str());
            }
            "[" | "{" => return None,
            _ => {}
        }
    }
    None
}

/// Whether this may be the name of a variable.
fn is_name(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn is_nothing(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if matches!(only.text.as_str(), "None" | "null" | "nil" | "undefined"))
}

fn is_default_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    matches!(lower.as_str(), "def" | "d" | "alt" | "other" | "otherwise" | "orelse" | "dflt" | "or_else")
        || ["default", "fallback", "dflt", "otherwise"].iter().any(|part| lower.contains(part))
}

/// The place of the default among what a function is handed.
fn default_of(source: &Source, function: &Function, name_at: usize) -> Option<usize> {
    let tokens = &source.tokens[function.body.clone()];
    function.parameters.iter().enumerate().find_map(|(at, given)| {
        let is_used_so = tokens.windows(2).any(|two| {
            matches!(two[0].text.as_str(), "??" | "||" | "or" | "return" | ":") && two[1].is(given)
        });
        (at != name_at && (is_default_name(given) || is_used_so)).then_some(at)
    })
}

/// The first and the last line of a range.
fn lines(source: &Source, range: &Range<usize>) -> (usize, usize) {
    let line = |at: usize| source.tokens.get(at).map_or(0, |token| token.line);
    let (first, last) = (line(range.start), line(range.end.saturating_sub(1)));
    (first, last.max(first))
}

/// The first token at or behind a line.
fn line_at(source: &Source, line: usize) -> usize {
    source.tokens.partition_point(|token| token.line < line)
}

/// Whether something in a range ends the function or the program.
fn fails(source: &Source, range: Range<usize>) -> bool {
    let tokens = &source.tokens;
    range.filter(|at| *at < tokens.len()).any(|at| {
        let token = &tokens[at];
        let is_new_error = token.is("New") && at >= 2 && tokens[at - 2].is("errors");
        let is_code = source.tongue == Tongue::C
            && token.is("return")
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.kind == Kind::Number && next.text != "0" || next.is("-"));
        // `Err(_) => …` only takes one apart.
        let is_pattern = token.is("Err")
            && tokens
                .get(closing(tokens, at + 1) + 1)
                .is_some_and(|next| next.is("=>") || next.is("=") || next.is("if"));
        (token.is_word() && FAILS.contains(&token.text.as_str()) && !is_pattern) || is_new_error || is_code
    })
}

/// Whether a function hands something back where the variable is absent, before anything can fail.
fn gives_up_softly(source: &Source, function: &Function) -> bool {
    let tokens = &source.tokens;
    function.body.clone().filter(|at| tokens[*at].is("if")).any(|at| {
        let end = line_end(tokens, at).min(function.body.end);
        let is_absent = tokens[at..end].iter().any(|word| {
            matches!(word.text.as_str(), "not" | "!" | "None" | "null" | "nil" | "undefined" | "NULL")
                || (word.is_text() && word.text.is_empty())
        });
        let is_present = tokens[at..end].iter().any(|word| word.is("!="))
            || tokens[at..end].windows(2).any(|two| two[0].is("is") && two[1].is("not"));
        let until = line_at(source, tokens[at].line + 2).min(function.body.end);
        let gives = tokens[at..until].iter().any(|word| word.is("return"));
        is_absent && !is_present && gives && !fails(source, at..until)
    })
}

/// Whether whoever asks takes it that the answer may be an error.
fn is_softened(source: &Source, read: &Read) -> bool {
    let tokens = &source.tokens;
    if source.tongue == Tongue::Python {
        return is_caught(source, read.range.start);
    }
    if source.tongue != Tongue::Rust {
        return false;
    }
    let begin = (0..=read.range.start).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(0);
    let asks = tokens[begin..read.range.start].windows(2).any(|two| two[0].is("if") && two[1].is("let"));
    asks || softens(tokens, read.range.end)
}

/// Whether the rest of a statement of Rust has something for an error.
fn softens(tokens: &[Token], from: usize) -> bool {
    let rest = tokens[from..].iter().take(40).take_while(|token| !token.is(";") && !token.is("}"));
    let mut depth = 0_i32;
    for token in rest {
        match token.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => return false,
            word if depth == 0
                && (word.starts_with("unwrap_or")
                    || matches!(
                        word,
                        "ok" | "is_ok"
                            | "is_err"
                            | "is_some"
                            | "is_none"
                            | "map_or"
                            | "or_else"
                            | "map_or_else"
                    )) =>
            {
                return true;
            }
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    false
}

/// Whether a function of Rust hands on that there is nothing.
fn may_give_nothing(source: &Source, function: &Function) -> bool {
    let head = &source.tokens[function.body.start.saturating_sub(12)..function.body.start];
    let arrow = head.iter().rposition(|token| token.is("->"));
    source.tongue == Tongue::Rust
        && arrow.and_then(|at| head.get(at + 1)).is_some_and(|kind| kind.is("Option") || kind.is("bool"))
}

/// Whether a function gives something back.
fn returns(source: &Source, function: &Function) -> bool {
    source.tokens[function.body.clone()].iter().any(|token| token.is("return"))
}

/// Whether a missing key is caught around a token of Python, and not raised again.
fn is_caught(source: &Source, at: usize) -> bool {
    let tokens = &source.tokens;
    let begin = (0..=at).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(0);
    let mut indent = tokens[begin].begins.unwrap_or(0);
    for index in (0..begin).rev() {
        let Some(begins) = tokens[index].begins.filter(|begins| *begins < indent) else { continue };
        indent = begins;
        if tokens[index].is("try") {
            let except =
                (at..tokens.len()).find(|at| tokens[*at].begins == Some(begins) && tokens[*at].is("except"));
            return except
                .is_some_and(|except| !fails(source, except..line_at(source, tokens[except].line + 4)));
        }
        if tokens[index].is("def") || begins == 0 {
            break;
        }
    }
    false
}

/// Whether a place is only reached under a condition.
fn is_conditional(source: &Source, at: usize) -> bool {
    let tokens = &source.tokens;
    let from = source.around(at).map_or(0, |function| function.body.start);
    if source.tongue == Tongue::Python {
        let begin = (0..=at).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(0);
        let mut indent = tokens[begin].begins.unwrap_or(0);
        for index in (from..begin).rev() {
            let Some(begins) = tokens[index].begins.filter(|begins| *begins < indent) else { continue };
            indent = begins;
            let is_main = tokens[index..].iter().take(4).any(|token| token.is("__name__"));
            if matches!(tokens[index].text.as_str(), "if" | "elif" | "else" | "except" | "case") && !is_main {
                return true;
            }
        }
        return false;
    }
    let mut depth = 0_usize;
    for index in (from..at).rev() {
        if tokens[index].kind != Kind::Sign {
            continue;
        }
        match tokens[index].text.as_str() {
            "}" => depth += 1,
            "{" if depth > 0 => depth -= 1,
            "{" => {
                let begin = (from..=index).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(from);
                let head = &tokens[begin..index];
                if head
                    .iter()
                    .any(|token| matches!(token.text.as_str(), "if" | "else" | "case" | "switch" | "catch"))
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demanded(files: &[(&str, &str)]) -> String {
        let all = files.iter().map(|(path, text)| Source::new(path, text, Tongue::of(path).unwrap()));
        let found = demanded_in(&Sources { all: all.collect() });
        let mut names: Vec<String> = found.into_iter().map(|it| it.name).collect();
        names.sort();
        names.dedup();
        names.join(" ")
    }

    #[test]
    fn names_are_followed_through_several_hands() {
        for (path, text, expected) in [
            (
                "a.py",
                "import os\nPREFIX = 'SHOP_'\nREQUIRED = ('URL', 'KEY')\ndef _name(key):\n    return PREFIX + key\ndef load(environ=os.environ):\n    values = {}\n    for key in REQUIRED:\n        try:\n            values[key.lower()] = environ[_name(key)]\n        except KeyError:\n            raise ValueError('x') from None\n    values['c'] = environ.get(_name('CURRENCY'), 'EUR')\n    values['t'] = environ.get(_name('TRACE')) == '1'\n",
                "SHOP_KEY SHOP_URL",
            ),
            (
                "a.go",
                "package cfg\nconst (\n\tenvRegion = \"BED_REGION\"\n\tenvMore = \"BED_MORE\"\n)\nfunc orElse(name, dflt string) string {\n\tif v, ok := os.LookupEnv(name); ok {\n\t\treturn v\n\t}\n\treturn dflt\n}\nfunc Load() (*Config, error) {\n\tregion := os.Getenv(envRegion)\n\tif region == \"\" {\n\t\treturn nil, errors.New(\"x\")\n\t}\n\treturn &Config{Region: region, More: orElse(envMore, \"1\")}, nil\n}\n",
                "BED_REGION",
            ),
            (
                "a.rs",
                "fn var(suffix: &str) -> Result<String, String> {\n    let key = format!(\"GRID_{suffix}\");\n    env::var(key).map_err(|_| \"no\".to_string())\n}\nfn all() -> Result<S, String> {\n    Ok(S { a: var(\"OPERATOR\")?, b: var(\"KW\").ok().unwrap_or(1) })\n}\n",
                "GRID_OPERATOR",
            ),
        ] {
            assert_eq!(demanded(&[(path, text)]), expected, "{text}");
        }
    }
}
