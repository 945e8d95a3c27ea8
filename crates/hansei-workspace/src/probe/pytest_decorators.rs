//! What decorators hand to test functions: the names that `parametrize` gives, over however many lines, on the function and on
//! the classes around it.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Token, Tongue, closing, tokens};

/// What stands above a function.
#[derive(Debug, Clone, Default)]
pub(super) struct Decorated {
    /// The names that it may be handed by decorators.
    pub(super) names: BTreeSet<String>,
    /// Whether something other than a mark of pytest stands there, which may hand over anything.
    pub(super) is_unknown: bool,
    /// Whether it is a fixture.
    pub(super) is_fixture: bool,
}

/// What decorates each function, by the line of its `def`.
pub(super) fn decorated(text: &str) -> BTreeMap<usize, Decorated> {
    let tokens = tokens(text, Tongue::Python);
    let mut found = BTreeMap::new();
    let mut pending = Decorated::default();
    let mut classes: Vec<(usize, Decorated)> = Vec::new();
    let mut of_module = Decorated::default();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let Some(indent) = token.begins else {
            at += 1;
            continue;
        };
        if token.is("@") {
            let open = (at + 1..tokens.len()).find(|at| tokens[*at].is("(") || tokens[*at].begins.is_some());
            let end = match open {
                Some(open) if tokens[open].is("(") => closing(&tokens, open) + 1,
                Some(next) => next,
                None => tokens.len(),
            };
            let own = &tokens[at + 1..end.min(tokens.len())];
            pending.names.extend(names(own));
            pending.is_fixture |= own.iter().take(3).any(|token| token.is("fixture"));
            pending.is_unknown |= !own.first().is_some_and(|first| first.is("pytest"));
            at = end;
            continue;
        }
        classes.retain(|(outer, _)| *outer < indent);
        let is_class = token.is("class");
        let is_function = token.is("def") || token.is("async");
        if is_class || is_function {
            let mut all = std::mem::take(&mut pending);
            for (_, outer) in &classes {
                all.names.extend(outer.names.iter().cloned());
                all.is_unknown |= outer.is_unknown;
            }
            if is_class {
                classes.push((indent, all));
            } else {
                all.names.extend(of_module.names.iter().cloned());
                found.insert(token.line, all);
            }
        } else if token.is("pytestmark") {
            let end =
                (at + 1..tokens.len()).find(|at| tokens[*at].begins.is_some_and(|begins| begins <= indent));
            of_module.names.extend(names(&tokens[at..end.unwrap_or(tokens.len())]));
        }
        at += 1;
    }
    found
}

/// The fixtures that a file defines.
pub(super) fn fixtures(text: &str) -> BTreeSet<String> {
    if !text.contains("fixture") {
        return BTreeSet::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let defined = decorated(text).into_iter().filter(|(_, above)| above.is_fixture);
    let named = defined.filter_map(|(line, _)| {
        let head = lines.get(line - 1)?.trim_start();
        let name = head.trim_start_matches("async ").strip_prefix("def ")?.split('(').next()?;
        Some(name.trim().to_owned())
    });
    named.collect()
}

/// The names that stand in the texts of a decorator.
fn names(tokens: &[Token]) -> impl Iterator<Item = String> {
    let texts = tokens.iter().filter(|token| token.is_text() && token.text.len() < 200);
    texts.flat_map(|token| token.text.split(',').map(|name| name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        let text = "@pytest.mark.parametrize(\n    ['url', 'env'],\n    [\n        ('a', {}),\n    ],\n)\ndef test_a(url, env):\n    pass\n\n\n@pytest.mark.parametrize('one, two', [(1, 2)])\nclass TestB:\n    @pytest.mark.slow\n    async def test_b(self, one, two):\n        pass\n\n\n@inject\ndef test_c(thing):\n    pass\n";
        let found = decorated(text);
        assert!(found[&7].names.contains("url") && found[&7].names.contains("env"), "{found:?}");
        assert!(found[&14].names.contains("one") && found[&14].names.contains("two"), "{found:?}");
        let defined = fixtures("@pytest.fixture(\n    params=[1],\n)\ndef depot(request):\n    pass\n");
        assert!(defined.contains("depot"), "{defined:?}");
        assert!(!found[&14].is_unknown && found[&19].is_unknown, "{found:?}");
    }
}
