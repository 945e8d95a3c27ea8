//! What a name runs over: loops, comprehensions, and functions that are called for each element.

use std::ops::Range;

use super::tokens::{Kind, Token, Tongue, closing};

/// What the name at `place` runs over, where it is bound there.
pub(super) fn run_over(tokens: &[Token], place: usize, tongue: Tongue) -> Option<Range<usize>> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let before = |back: usize, text: &str| place >= back && is(place - back, text);
    let group_end = |from: usize| {
        let mut at = from;
        while at < tokens.len() {
            let token = &tokens[at];
            if token.kind == Kind::Sign {
                match token.text.as_str() {
                    ":" if tongue == Tongue::Python => break,
                    ")" | "]" | "}" | ";" => break,
                    // The body of a loop, not a literal.
                    "{" if matches!(tongue, Tongue::Rust) => break,
                    "{" if tongue == Tongue::Go
                        && !(at > from && (tokens[at - 1].is("string") || tokens[at - 1].is("}"))) =>
                    {
                        break;
                    }
                    "(" | "[" | "{" => {
                        at = closing(tokens, at) + 1;
                        continue;
                    }
                    _ => {}
                }
            }
            if token.is("if") || (token.begins.is_some() && at > from && tongue == Tongue::Python) {
                break;
            }
            at += 1;
        }
        at.min(tokens.len())
    };
    if let Some(binder) = binder_behind(tokens, place) {
        return Some(binder + 1..group_end(binder + 1));
    }
    match tongue {
        Tongue::Python | Tongue::Rust => {
            let follows = is(place + 1, "in") && (before(1, "for") || before(2, "for") || before(1, ","));
            if follows {
                return Some(place + 2..group_end(place + 2));
            }
        }
        Tongue::JavaScript => {
            if is(place + 1, "of") {
                return Some(place + 2..group_end(place + 2));
            }
        }
        Tongue::Go => {
            if is(place + 1, ":=") && is(place + 2, "range") {
                return Some(place + 3..group_end(place + 3));
            }
        }
        Tongue::Java | Tongue::C => {
            if is(place + 1, ":") && tokens[..place].iter().rev().take(6).any(|token| token.is("for")) {
                return Some(place + 2..group_end(place + 2));
            }
        }
    }
    for_each(tokens, place)
}

/// Where a loop that takes its elements apart says what it runs over: `for name, default in table`,
/// `for (const { name, required } of table)`, `for (const [name, rule] of …)`.
fn binder_behind(tokens: &[Token], place: usize) -> Option<usize> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let before = |back: usize, text: &str| place >= back && is(place - back, text);
    let is_first =
        ["for", "[", "(", "{"].iter().any(|text| before(1, text)) || (before(1, ",") && before(3, "for"));
    if !is_first || !(is(place + 1, ",") || is(place + 1, "}")) {
        return None;
    }
    let is_part = |at: &usize| {
        tokens[*at].is_word() || matches!(tokens[*at].text.as_str(), "," | "}" | "]" | ")" | "(" | "=")
    };
    (place + 1..tokens.len().min(place + 12)).take_while(is_part).find(|at| is(*at, "in") || is(*at, "of"))
}

/// What a function is called for each element of, where the name at `place` is what it is handed.
fn for_each(tokens: &[Token], place: usize) -> Option<Range<usize>> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    // `list.forEach((name) => …`, `list.iter().map(|name| …`, `Stream.of(…).filter(name -> …`
    let binds = is(place + 1, "=>")
        || is(place + 1, "->")
        || is(place + 1, "|")
        || (is(place + 1, ")") && (is(place + 2, "=>") || is(place + 2, "->")));
    if !binds {
        return None;
    }
    let open = (place.saturating_sub(4)..place)
        .rev()
        .find(|at| is(*at, "(") && *at >= 2 && tokens[at - 1].is_word() && is(at - 2, "."))?;
    let end = open - 2;
    let mut begin = end;
    while begin > 0 {
        let token = &tokens[begin - 1];
        if token.kind == Kind::Sign && matches!(token.text.as_str(), ")" | "]") {
            let mut depth = 0_usize;
            let mut at = begin - 1;
            loop {
                match tokens[at].text.as_str() {
                    ")" | "]" | "}" if tokens[at].kind == Kind::Sign => depth += 1,
                    "(" | "[" | "{" if tokens[at].kind == Kind::Sign => depth -= 1,
                    _ => {}
                }
                if depth == 0 || at == 0 {
                    break;
                }
                at -= 1;
            }
            begin = at;
        } else if (token.is_word() && !matches!(token.text.as_str(), "return" | "const" | "let" | "in"))
            || token.is(".")
            || token.is("::")
        {
            begin -= 1;
        } else {
            break;
        }
    }
    (begin < end).then_some(begin..end)
}
