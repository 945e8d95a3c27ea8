//! Targets of `mock.patch` and `monkeypatch.setattr` that the project's own modules do not have.

use hansei_core::escalation::Probe;

use super::flow::{Scope, Source, Sources, Token, Tongue, closing, parts, tokens};
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::python_world::{Resolved, World};
use super::tree::under;

/// Names that every module can see.
const BUILT_IN: [&str; 5] = ["open", "print", "input", "exec", "eval"];

pub(super) fn probe(ground: &Ground<'_>, world: &World) {
    let mentions = |text: &str| text.contains("patch(") || text.contains("setattr(");
    let any = ground
        .tree
        .examined(&[".py"])
        .any(|file| ground.tree.text(&file.path).is_some_and(|text| mentions(&text)));
    if !any {
        return;
    }
    let sources = Sources::of(ground, |path| path.ends_with(".py"));
    for source in sources.iter() {
        for (target, line) in targets(&sources, source) {
            let Some((module, name)) = target.rsplit_once('.') else { continue };
            let roots = world.roots(&ground.tree, &source.path);
            let Some(missing) = missing(ground, module, name, &roots) else { continue };
            ground.suspect(
                Suspicion::new(
                    Probe::Fixtures,
                    format!("the mock of {target:?} names something that does not exist: {missing}"),
                    format!("{}:{line}", source.path),
                    format!("patch the name where it is used, or correct {target:?}"),
                )
                .strength(Strength::Certain)
                .naming([target.clone(), name.to_owned()]),
            );
        }
    }
}

/// What is patched by its name, with the line.
fn targets(sources: &Sources, source: &Source) -> Vec<(String, usize)> {
    let tokens = &source.tokens;
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(1) {
        let patches =
            matches!(tokens[at].text.as_str(), "patch" | "setattr" | "delattr") && tokens[at].is_word();
        // `object.setattr(…)` of another kind, and Python's own, name no path.
        let is_bare = tokens[at].text != "patch" && !(at >= 2 && tokens[at - 2].text.contains("monkey"));
        if !patches || is_bare || !tokens[at + 1].is("(") {
            continue;
        }
        let close = closing(tokens, at + 1);
        let creates = tokens[at + 1..close.min(tokens.len())].windows(3).any(|three| {
            (three[0].is("create") && three[2].is("True")) || (three[0].is("raising") && three[2].is("False"))
        });
        let target = parts(tokens, at + 2, close)
            .first()
            .and_then(|first| Scope::new(sources, source).text(first.clone()));
        if let Some(target) = target.and_then(|made| made.whole()).filter(|_| !creates) {
            found.push((target, tokens[at].line));
        }
    }
    found
}

fn missing(ground: &Ground<'_>, module: &str, name: &str, roots: &[String]) -> Option<String> {
    match World::resolve(&ground.tree, module, roots) {
        Resolved::File(path) => {
            let code = ground.tree.text(&path).unwrap_or_default();
            let there = code.is_empty() || has(&code, name) || BUILT_IN.contains(&name);
            (!there).then(|| format!("{path} has nothing of the name {name:?}"))
        }
        Resolved::Absent { found, within } if found > 0 => {
            // `module.Class.method`: the class must be there.
            let parts: Vec<&str> = module.split('.').collect();
            let next = parts.get(found).copied().unwrap_or_default();
            if within.ends_with(".py") {
                let code = ground.tree.text(&within).unwrap_or_default();
                return (!code.is_empty() && !has(&code, next))
                    .then(|| format!("{within} has nothing of the name {next:?}"));
            }
            let init = ground.tree.text(&under(&within, "__init__.py")).unwrap_or_default();
            let brings = ["import *", "__getattr__"].iter().any(|it| init.contains(it));
            (!has_word(&init, next) && !brings).then(|| format!("there is no {}.py", under(&within, next)))
        }
        _ => None,
    }
}

/// Whether a module has a name of its own: not one that only stands behind a dot.
fn has(code: &str, name: &str) -> bool {
    if ["import *", "__getattr__", "globals()", "setattr("].iter().any(|it| code.contains(it)) {
        return true;
    }
    let all = tokens(code, Tongue::Python);
    let is = |at: usize, text: &str| all.get(at).is_some_and(|token: &Token| token.is(text));
    (0..all.len()).any(|at| all[at].is(name) && !(at > 0 && is(at - 1, ".") && !in_import(&all, at)))
}

/// Whether a token stands in an import.
fn in_import(tokens: &[Token], at: usize) -> bool {
    let begin = (0..=at).rev().find(|at| tokens[*at].begins.is_some()).unwrap_or(0);
    tokens[begin].is("import") || tokens[begin].is("from")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_behind_a_dot_is_another_modules() {
        for (code, there) in [
            ("from . import transport\ndef remind():\n    transport.smtp_send(1)\n", false),
            ("from .transport import (\n    smtp_send,\n)\n", true),
            ("def smtp_send():\n    pass\n", true),
            ("import lib.smtp_send\n", true),
            ("smtp_send = 1\n", true),
        ] {
            assert_eq!(has(code, "smtp_send"), there, "{code}");
        }
    }
}
