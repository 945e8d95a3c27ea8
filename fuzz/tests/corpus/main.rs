//! Every target on its corpus, on inputs that are too deep, and on mutations of the corpus with a fixed seed.

mod mutation;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hansei_agents::ADAPTERS;
use hansei_fuzz::{TARGETS, Target, corpus, target_named};

use mutation::Mutations;

/// How often each target is run on a mutated input: enough to notice a target that is broken, not to search.
const FEW: usize = 400;
/// The same with `HANSEI_TEST_LONG`.
const MANY: usize = 20_000;

/// Runs every target on its `inputs`, each with a name, and says which first broke something in each.
fn run<I: IntoIterator<Item = (String, Vec<u8>)>>(inputs: impl Fn(&Target) -> I) {
    let broken: Vec<String> = TARGETS
        .iter()
        .filter_map(|target| {
            let breaks = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_err();
            let (name, input) = inputs(target).into_iter().find(|(_, input)| breaks(input))?;
            let shown: String = String::from_utf8_lossy(&input).chars().take(600).collect();
            Some(format!("{} broke on {name}, {} bytes: {shown:?}", target.name, input.len()))
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_corpus_breaks_nothing() {
    run(corpus::inputs);
}

/// A parser that calls itself for every bracket runs out of stack, which nothing can catch.
#[test]
fn deep_nesting_breaks_nothing() {
    let pieces = ["[", "{\"a\":", "(", "$(", "{ ", "a=[", "- ", "a:\n ", "\"\\", "[[a]]\n"];
    run(|_| pieces.map(|piece| (piece.to_owned(), piece.repeat(20_000).into_bytes())));
}

#[test]
fn mutations_of_the_corpus_break_nothing() {
    let count = if std::env::var_os("HANSEI_TEST_LONG").is_some() { MANY } else { FEW };
    run(|target| {
        let inputs = corpus::inputs(target).into_iter().map(|(_, input)| input).collect();
        let mut mutations = Mutations::of(inputs);
        (0..count).map(move |number| (format!("mutation {number}"), mutations.next()))
    });
}

#[test]
fn every_target_has_a_corpus_and_every_agent_a_target() {
    let mut names = BTreeSet::new();
    for target in TARGETS {
        assert!(names.insert(target.name), "{} is there twice", target.name);
        assert!(corpus::folder(target).is_dir(), "{} has a folder in the corpus", target.name);
        assert!(!corpus::inputs(target).is_empty(), "{} has inputs", target.name);
    }
    for folder in std::fs::read_dir(corpus::repository().join("fuzz/corpus")).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(target_named(&name).is_some(), "{name} is the folder of a target");
    }
    for adapter in ADAPTERS {
        // Kilo's sessions have the form of OpenCode's, and one target reads both.
        let name = match adapter.name {
            "opencode" => "opencode_database".to_owned(),
            "kilo" => "opencode_records".to_owned(),
            other => format!("transcript_{}", other.replace('-', "_")),
        };
        assert!(names.contains(name.as_str()), "{name} reads what {} leaves", adapter.name);
    }
}
