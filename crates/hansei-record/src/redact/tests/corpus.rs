//! The corpus of this crate, and the filter against an automaton.

use super::{NEGATIVES, POSITIVES, negatives, positives};
use crate::redact::filter::{self, Keyword};
use crate::redact::{formats, redact, redact_bytes, scan};
use std::borrow::Cow;
use std::collections::HashSet;

#[test]
fn positives_are_redacted() {
    let cases = positives();
    assert!(cases.len() >= 350);
    let missed: Vec<_> = cases
        .iter()
        .filter(|c| redact(c["text"].as_str().unwrap()).contains(c["secret"].as_str().unwrap()))
        .map(|c| c["note"].as_str().unwrap())
        .collect();
    println!("positives: {} cases, {} missed", cases.len(), missed.len());
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn negatives_are_left_alone() {
    let cases = negatives();
    assert!(cases.len() >= 350);
    let hit: Vec<_> = cases
        .iter()
        .filter(|c| matches!(redact(c["text"].as_str().unwrap()), Cow::Owned(_)))
        .map(|c| c["text"].as_str().unwrap())
        .collect();
    println!("negatives: {} cases, {} changed", cases.len(), hit.len());
    assert!(hit.is_empty(), "{hit:?}");
}

#[test]
fn every_format_has_its_positive() {
    let ids = formats();
    let unique: HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    assert!(ids.len() >= 120, "{}", ids.len());
    let found: HashSet<_> = positives()
        .iter()
        .flat_map(|c| scan(c["text"].as_str().unwrap().as_bytes()))
        .map(|f| f.rule)
        .collect();
    let missing: Vec<_> = ids.iter().filter(|id| !found.contains(*id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn ids_are_kebab_case() {
    for id in formats() {
        assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{id}");
    }
}

#[test]
fn only_the_value_goes() {
    let done = redact("export DB_PASSWORD=tr1ckyPa55 # keep");
    assert_eq!(done, "export DB_PASSWORD=[REDACTED:assigned-secret] # keep");
}

#[test]
fn corpus_is_idempotent_in_crlf_and_bytes() {
    for c in positives() {
        let text = c["text"].as_str().unwrap();
        let once = redact(text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
        let mut bytes = text.replace('\n', "\r\n").into_bytes();
        bytes.extend_from_slice(b"\xff\xfe\0");
        let once = redact_bytes(&bytes).into_owned();
        assert_eq!(redact_bytes(&once).as_ref(), once, "{text}");
    }
}

/// The constant filter must see what an Aho-Corasick automaton sees.
#[test]
fn filter_agrees_with_an_automaton() {
    let words: Vec<_> = filter::KEYWORDS
        .iter()
        .filter_map(|k| match k {
            Keyword::Special(_, w) | Keyword::Token(_, w) if w.len() > 3 => Some(*w),
            _ => None,
        })
        .collect();
    let automaton = aho_corasick::AhoCorasick::builder().ascii_case_insensitive(true).build(&words).unwrap();
    let text = POSITIVES.concat() + &NEGATIVES.concat();
    let mut ours = HashSet::new();
    filter::each_hit(text.as_bytes(), |at, k| {
        let (Keyword::Special(_, w) | Keyword::Token(_, w)) = k;
        if w.len() > 3 {
            ours.insert((at, *w));
        }
    });
    let exact: HashSet<&str> = filter::KEYWORDS
        .iter()
        .filter_map(|k| if let Keyword::Token(_, w) = k { Some(*w) } else { None })
        .collect();
    let theirs: HashSet<_> = automaton
        .find_overlapping_iter(&text)
        .map(|m| (m.start(), words[m.pattern().as_usize()]))
        .filter(|(at, w)| !exact.contains(w) || text[*at..].starts_with(w))
        .collect();
    assert!(ours.is_subset(&theirs));
    // A short keyword may be left out where its format cannot follow.
    for (at, word) in theirs.difference(&ours) {
        for keyword in &filter::KEYWORDS {
            match keyword {
                Keyword::Token(rule, head) if head == word => {
                    assert_eq!(rule.find(head, text.as_bytes(), *at), None, "{word}");
                }
                Keyword::Special(_, special) => assert_ne!(special, word),
                Keyword::Token(..) => {}
            }
        }
    }
}
