//! Functions of a source: their names, what they are handed, and where their bodies lie.

use std::ops::Range;

use super::tokens::{Kind, Token, Tongue, closing, parts};

/// A function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// What it is handed, in order.
    pub(crate) parameters: Vec<String>,
    /// Its body, as a range of tokens.
    pub(crate) body: Range<usize>,
}

/// Words before a bracket that call nothing and define nothing.
const CONTROL: &[&str] = &[
    "if", "for", "while", "switch", "catch", "match", "return", "func", "fn", "function", "with", "elif",
    "else", "do", "new", "sizeof", "await", "async", "super", "and", "or", "not", "in", "is", "loop",
    "yield", "throw", "assert", "del", "raise", "const", "var", "type", "let", "struct", "interface", "enum",
    "lambda", "synchronized", "unsafe", "try", "typeof", "defer", "go", "select", "range", "use", "import",
];

/// Every function, the inner ones as well.
pub(crate) fn functions(tokens: &[Token], tongue: Tongue) -> Vec<Function> {
    if tongue == Tongue::Python { python(tokens) } else { braced(tokens, tongue) }
}

fn python(tokens: &[Token]) -> Vec<Function> {
    let mut all = Vec::new();
    for at in 0..tokens.len() {
        let (Some(name), Some(open)) = (tokens.get(at + 1), tokens.get(at + 2)) else { break };
        if tokens[at].is("def") && open.is("(") {
            let close = closing(tokens, at + 2);
            let Some(colon) = (close..tokens.len().min(close + 30)).find(|at| tokens[*at].is(":")) else {
                continue;
            };
            let indent = tokens[at].begins.unwrap_or(0);
            let end = (colon + 1..tokens.len())
                .find(|at| {
                    tokens[*at].begins.is_some_and(|begins| begins <= indent)
                        && tokens[*at].line > tokens[colon].line
                })
                .unwrap_or(tokens.len());
            all.push(Function {
                name: name.text.clone(),
                parameters: parameters(tokens, at + 3..close, Tongue::Python),
                body: colon + 1..end,
            });
        }
        // `name = lambda key: …`
        if tokens[at].is("lambda") && at >= 2 && tokens[at - 1].is("=") && tokens[at - 2].is_word() {
            let Some(colon) = (at..tokens.len().min(at + 30)).find(|at| tokens[*at].is(":")) else {
                continue;
            };
            let end = line_end(tokens, colon);
            all.push(Function {
                name: tokens[at - 2].text.clone(),
                parameters: parameters(tokens, at + 1..colon, Tongue::Python),
                body: colon + 1..end,
            });
        }
    }
    all
}

/// The name of the call that a token is handed to; `from` is how far back it may stand.
pub(crate) fn enclosing_call(tokens: &[Token], from: usize, at: usize) -> Option<&str> {
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
            "[" | "{" | ";" => return None,
            _ => {}
        }
    }
    None
}

/// Where the line of a token ends.
pub(crate) fn line_end(tokens: &[Token], at: usize) -> usize {
    (at + 1..tokens.len()).find(|next| tokens[*next].begins.is_some()).unwrap_or(tokens.len())
}

fn braced(tokens: &[Token], tongue: Tongue) -> Vec<Function> {
    let mut all = Vec::new();
    for at in 0..tokens.len() {
        let next_opens =
            tokens.get(at + 1).is_some_and(|next| next.is("(") || (tongue == Tongue::Rust && next.is("<")));
        let is_defined = at > 0 && (tokens[at - 1].is("fn") || tokens[at - 1].is("function"));
        let may_be = is_defined || !CONTROL.contains(&tokens[at].text.as_str());
        if tokens[at].is_word() && next_opens && may_be {
            let Some(open) = (at + 1..tokens.len().min(at + 30)).find(|at| tokens[*at].is("(")) else {
                continue;
            };
            if open > at + 1 && !(at > 0 && tokens[at - 1].is("fn")) {
                continue;
            }
            let close = closing(tokens, open);
            // Between the brackets and the body stands at most what it gives back or throws.
            let brace = body_behind(tokens, close);
            let is_called = at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("new"));
            if let Some(brace) = brace.filter(|_| !is_called) {
                all.push(Function {
                    name: tokens[at].text.clone(),
                    parameters: parameters(tokens, open + 1..close, tongue),
                    body: brace + 1..closing(tokens, brace),
                });
            }
        }
        // `get := func(key string) string { … }`, `const get = function (key) { … }`
        let is_nameless = (tokens[at].is("func") || tokens[at].is("function"))
            && tokens.get(at + 1).is_some_and(|next| next.is("("));
        if is_nameless
            && at >= 2
            && (tokens[at - 1].is(":=") || tokens[at - 1].is("="))
            && tokens[at - 2].is_word()
        {
            let close = closing(tokens, at + 1);
            if let Some(brace) = body_behind(tokens, close) {
                all.push(Function {
                    name: tokens[at - 2].text.clone(),
                    parameters: parameters(tokens, at + 2..close, tongue),
                    body: brace + 1..closing(tokens, brace),
                });
            }
        }
        if tokens[at].is("=>") && tongue == Tongue::JavaScript {
            all.extend(arrow(tokens, at));
        }
        // `let need = |key: &str| …`
        if tongue == Tongue::Rust
            && tokens[at].is("|")
            && at >= 2
            && tokens[at - 1].is("=")
            && tokens[at - 2].is_word()
        {
            let Some(close) = (at + 1..tokens.len().min(at + 20)).find(|at| tokens[*at].is("|")) else {
                continue;
            };
            let body = body_from(tokens, close + 1);
            all.push(Function {
                name: tokens[at - 2].text.clone(),
                parameters: parameters(tokens, at + 1..close, tongue),
                body,
            });
        }
    }
    all
}

/// Where the body behind a list of parameters opens: between them stands at most what is given back or thrown.
fn body_behind(tokens: &[Token], close: usize) -> Option<usize> {
    let mut at = close + 1;
    let mut angles = 0_i32;
    while at < tokens.len().min(close + 24) {
        let token = &tokens[at];
        if token.kind == Kind::Sign {
            match token.text.as_str() {
                "{" => return Some(at),
                "(" | "[" => at = closing(tokens, at),
                "<" => angles += 1,
                ">" => angles -= 1,
                // Between the parts of a type, and not between members of a table.
                "," | ":" if angles > 0 => {}
                ":" if at == close + 1 => {}
                "->" | "&" | "*" | "::" | "|" | "?" => {}
                _ => return None,
            }
        } else if token.is_text() || token.kind == Kind::Number {
            return None;
        }
        at += 1;
    }
    None
}

/// `const name = (key) => …`, `exports.name = key => …`, `name: (key) => …`.
fn arrow(tokens: &[Token], at: usize) -> Option<Function> {
    // A type of what is given back may stand between.
    let typed = (at.saturating_sub(8)..at)
        .rev()
        .find(|place| *place >= 1 && tokens[*place].is(":") && tokens[place - 1].is(")"));
    let close = typed.unwrap_or(at).checked_sub(1)?;
    let (from, inside) = if tokens[close].is(")") {
        let open = opening(tokens, close)?;
        (open, open + 1..close)
    } else {
        (at.checked_sub(1)?, at - 1..at)
    };
    let mut before = from.checked_sub(1)?;
    if tokens[before].is("async") {
        before = before.checked_sub(1)?;
    }
    let is_named =
        (tokens[before].is("=") || tokens[before].is(":")) && before >= 1 && tokens[before - 1].is_word();
    let body = body_from(tokens, at + 1);
    is_named.then(|| Function {
        name: tokens[before - 1].text.clone(),
        parameters: parameters(tokens, inside, Tongue::JavaScript),
        body,
    })
}

/// A body in braces, or an expression up to the end of its statement.
fn body_from(tokens: &[Token], at: usize) -> Range<usize> {
    if tokens.get(at).is_some_and(|token| token.is("{")) {
        return at + 1..closing(tokens, at);
    }
    let mut end = at;
    while end < tokens.len() && !matches!(tokens[end].text.as_str(), ";" | "," | ")" | "}") {
        let opens = tokens[end].kind == Kind::Sign && matches!(tokens[end].text.as_str(), "(" | "[" | "{");
        end = if opens { closing(tokens, end) + 1 } else { end + 1 };
    }
    at..end.min(tokens.len())
}

/// Where the bracket that closes at `at` opens.
fn opening(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for index in (0..=at).rev() {
        if tokens[index].kind == Kind::Sign {
            match tokens[index].text.as_str() {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
    }
    None
}

fn parameters(tokens: &[Token], inside: Range<usize>, tongue: Tongue) -> Vec<String> {
    let inside = inside.start..inside.end.min(tokens.len());
    let list = parts(tokens, inside.start, inside.end);
    list.into_iter()
        .filter_map(|part| {
            let part = &tokens[part];
            let equals = part.iter().position(|token| token.is("=")).unwrap_or(part.len());
            let head = &part[..equals];
            let words: Vec<&Token> = head.iter().filter(|token| token.is_word()).collect();
            let name = match tongue {
                Tongue::Java | Tongue::C => words.last()?,
                _ => words
                    .iter()
                    .find(|word| !matches!(word.text.as_str(), "mut" | "readonly" | "private" | "public"))?,
            };
            let is_self = matches!(name.text.as_str(), "self" | "cls" | "this");
            (!is_self).then(|| name.text.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn functions_are_found() {
        for (tongue, text, expected) in [
            (
                Tongue::Python,
                "class A:\n  def need(self, name: str, default=None):\n    return name\nx = 1\nq = lambda k: k\n",
                "need(name,default) q(k)",
            ),
            (
                Tongue::JavaScript,
                "function need(name) { return name }\nconst get = (name, fallback) => name;\nexports.must = async k => { f(k) };",
                "need(name) get(name,fallback) must(k)",
            ),
            (
                Tongue::Go,
                "func (c *C) must(key, def string) (string, error) {\n if x { return f(key) }\n}",
                "must(key,def)",
            ),
            (
                Tongue::Rust,
                "pub fn need<T>(key: &str) -> Result<T> { v(key) }\nlet g = |k: &str| h(k);",
                "need(key) g(k)",
            ),
            (
                Tongue::Java,
                "private static String need(final String key) throws IOException {\n if (x(key)) { y(); }\n}",
                "need(key)",
            ),
            (Tongue::C, "static const char *need(const char *key)\n{\n  return getenv(key);\n}", "need(key)"),
        ] {
            let all = functions(&tokens(text, tongue), tongue);
            let seen: Vec<String> =
                all.iter().map(|it| format!("{}({})", it.name, it.parameters.join(","))).collect();
            assert_eq!(seen.join(" "), expected, "{tongue:?}");
        }
    }
}
