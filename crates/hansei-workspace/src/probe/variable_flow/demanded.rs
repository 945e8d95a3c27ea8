//! Whether a variable that is read is demanded: what happens behind the reading when there is none.

use std::ops::Range;

use super::endings::{FAILS, fails, is_caught, line_at, lines, may_give_nothing};
use super::reads::Read;
use super::{LONGEST, Search, is_default_name};
use crate::probe::flow::{Hole, Kind, Source, Token, Tongue, enclosing_call, line_end};

/// How far behind a reading its check may stand, in lines.
const NEAR: usize = 14;

impl Search<'_> {
    /// Whether the program, or what asks, fails where the variable that is read is absent.
    pub(super) fn is_demanded(&self, source: &Source, read: &Read) -> bool {
        let tokens = &source.tokens;
        if read.is_strict {
            return !is_softened(source, read);
        }
        if source.around(read.range.start).is_some_and(|function| may_give_nothing(source, function)) {
            return false;
        }
        let body = source.around(read.range.start).map_or(0..tokens.len(), |function| function.body.clone());
        let line = tokens[read.range.start].line;
        let near = read.range.end..body.end.min(line_at(source, line + NEAR)).max(read.range.end);
        let is_listed = matches!(read.name.hole(), Some(Hole::OneOf(_)));
        if is_listed && fails(source, near.clone()) {
            return true;
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
            let is_absence =
                tokens[read.range.clone()].windows(2).any(|two| two[0].is("not") && two[1].is("in"));
            let opened = matches!(statement, [.., not, open] if not.is("!") && open.is("("));
            let negated = is_absence
                || opened
                || last.is_some_and(|token| token.is("not") || token.is("!"))
                || next.is_some_and(|next| matches!(next.text.as_str(), "==" | "is"))
                || statement.iter().any(|token| matches!(token.text.as_str(), "match" | "assert"));
            let soon = read.range.end..soon.end;
            return negated && fails(source, soon);
        }
        if statement.first().is_some_and(|token| token.is("return"))
            && statement.len() <= 2
            && source.tongue != Tongue::Rust
        {
            return false;
        }
        if let Some(next) = next {
            match next.text.as_str() {
                "?" if source.tongue == Tongue::Rust => return true,
                "||" | "??" | "or" | "?" | "==" | "!=" | "in" | "is" | "&&" | "and" | "if" => {
                    return false;
                }
                "." => {
                    let method = tokens.get(read.range.end + 1).map_or("", |token| token.text.as_str());
                    if source.tongue == Tongue::Rust {
                        let end =
                            (read.range.end..body.end).find(|at| tokens[*at].is(";")).unwrap_or(body.end);
                        let rest = &tokens[read.range.end..end.min(read.range.end + 40)];
                        let ends =
                            rest.iter().any(|token| token.is("?") || FAILS.contains(&token.text.as_str()));
                        return ends && !softens(tokens, read.range.end);
                    }
                    if tokens.get(read.range.end + 2).is_some_and(|token| token.is("("))
                        && !matches!(method, "equals" | "equalsIgnoreCase")
                    {
                        return true;
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
            return true;
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
                return true;
            }
        }
        kept(source, read, statement, near)
    }

    /// Whether a function of the project ends where what it is handed is absent.
    pub(super) fn checks(&self, source: &Source, name: &str) -> bool {
        let of = |source: &Source| {
            let function = source.functions.iter().find(|function| function.name == name)?;
            let (first, last) = lines(source, &function.body);
            let tokens = &source.tokens[function.body.clone()];
            let asks = tokens.iter().any(|token| token.is("if") || token.is("assert") || token.is("??"));
            let defaults = function.parameters.iter().any(|it| is_default_name(it));
            Some(last - first <= LONGEST && asks && !defaults && fails(source, function.body.clone()))
        };
        of(source)
            .or_else(|| self.sources.iter().filter(|other| other.tongue == source.tongue).find_map(of))
            .unwrap_or(false)
    }
}

/// What happens to a variable that was put away under a name.
fn kept(source: &Source, read: &Read, statement: &[Token], near: Range<usize>) -> bool {
    let tokens = &source.tokens;
    // `let Ok(v) = env::var(k) else { … }`
    if source.tongue == Tongue::Rust && tokens.get(read.range.end).is_some_and(|token| token.is("else")) {
        let end = near.end.min(read.range.end + 30);
        return fails(source, read.range.end..end);
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
    let member = match statement {
        [.., name, colon] if colon.is(":") && name.is_word() => Some(name.text.as_str()),
        _ => None,
    };
    // `table.member`, and only of this table.
    let is_member = |three: &[Token]| {
        holder.as_ref().is_some_and(|holder| three[0].is(holder))
            && three[1].is(".")
            && member.is_some_and(|member| three[2].is(member))
    };
    let mut at = near.start;
    while at < near.end {
        let token = &tokens[at];
        let asks =
            matches!(token.text.as_str(), "if" | "assert" | "unless" | "ensure" | "match" | "invariant");
        if token.is_word() && asks {
            let end = line_end(tokens, at).min(near.end).max(at + 1);
            let speaks = tokens[at..end].windows(3).any(is_member)
                || tokens[at..end].iter().any(|word| word.is_word() && names.contains(&word.text.as_str()));
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
                return true;
            }
            // `if v != "" { return v }`, and then it ends.
            let positive = tokens[at..until].iter().any(|word| word.is("return"));
            if speaks && positive && fails(source, until..near.end) {
                return true;
            }
        }
        if holder.as_ref().is_some_and(|holder| token.is(holder)) {
            let from = at.saturating_sub(6);
            let goes_through = tokens[from..(at + 4).min(near.end)]
                .iter()
                .any(|word| matches!(word.text.as_str(), "entries" | "items" | "values" | "keys"));
            let until = line_at(source, token.line + 5).min(near.end);
            if goes_through && fails(source, at..until.max(at)) {
                return true;
            }
        }
        at += 1;
    }
    false
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
