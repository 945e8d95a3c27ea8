//! What ends a function or a program, and what keeps it from that.

use std::ops::Range;

use crate::probe::flow::{Function, Kind, Source, Tongue, closing, line_end};

/// Words that end what they stand in.
pub(super) const FAILS: &[&str] = &[
    "raise", "throw", "panic", "Fatal", "Fatalf", "Fatalln", "exit", "Exit", "Errorf", "reject", "abort",
    "bail", "Err", "expect", "unwrap", "ok_or", "ok_or_else", "orElseThrow", "requireNonNull", "assert",
    "map_err", "SystemExit", "die", "fail", "EXIT_FAILURE", "invariant", "context", "with_context", "ensure",
];
/// The first and the last line of a range.
pub(super) fn lines(source: &Source, range: &Range<usize>) -> (usize, usize) {
    let line = |at: usize| source.tokens.get(at).map_or(0, |token| token.line);
    let (first, last) = (line(range.start), line(range.end.saturating_sub(1)));
    (first, last.max(first))
}

/// The first token at or behind a line.
pub(super) fn line_at(source: &Source, line: usize) -> usize {
    source.tokens.partition_point(|token| token.line < line)
}

/// Whether something in a range ends the function or the program.
pub(super) fn fails(source: &Source, range: Range<usize>) -> bool {
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
pub(super) fn gives_up_softly(source: &Source, function: &Function) -> bool {
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

/// Whether a function writes down what is missing, for somebody who fails with all of it.
pub(super) fn gathers_missing(source: &Source, function: &Function) -> bool {
    let tokens = &source.tokens[function.body.clone()];
    let puts = tokens.iter().any(|token| matches!(token.text.as_str(), "append" | "push" | "add"));
    let names = |token: &crate::probe::flow::Token| {
        let lower = token.text.to_lowercase();
        ["missing", "absent", "unset", "lacking", "problem", "errors"].iter().any(|word| lower.contains(word))
    };
    puts && tokens.iter().any(|token| token.is_word() && names(token))
}

/// Whether a function of Rust hands on that there is nothing.
pub(super) fn may_give_nothing(source: &Source, function: &Function) -> bool {
    let head = &source.tokens[function.body.start.saturating_sub(12)..function.body.start];
    let arrow = head.iter().rposition(|token| token.is("->"));
    source.tongue == Tongue::Rust
        && arrow.and_then(|at| head.get(at + 1)).is_some_and(|kind| kind.is("Option") || kind.is("bool"))
}

/// Whether a function gives something back.
pub(super) fn returns(source: &Source, function: &Function) -> bool {
    source.tokens[function.body.clone()].iter().any(|token| token.is("return"))
}

/// Whether a missing key is caught around a token of Python, and not raised again.
pub(super) fn is_caught(source: &Source, at: usize) -> bool {
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
pub(super) fn is_conditional(source: &Source, at: usize) -> bool {
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
