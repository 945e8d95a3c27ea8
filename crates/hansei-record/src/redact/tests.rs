//! The corpus of this crate, properties, and the filter against an automaton.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::filter::{self, Keyword};
use super::{formats, redact, redact_bytes, scan};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::HashSet;
use std::time::{Duration, Instant};

const POSITIVES: &str = include_str!("../../corpus/positives.jsonl");
const NEGATIVES: &str = include_str!("../../corpus/negatives.jsonl");

fn cases(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn positives_are_redacted() {
    let cases = cases(POSITIVES);
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
    let cases = cases(NEGATIVES);
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
    let found: HashSet<_> = cases(POSITIVES)
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
    for c in cases(POSITIVES) {
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
    let t = Instant::now();
    let automaton = aho_corasick::AhoCorasick::builder().ascii_case_insensitive(true).build(&words).unwrap();
    println!("automaton: built in {:?}", t.elapsed());
    let text = POSITIVES.to_string() + NEGATIVES;
    let big = text.repeat(5_000_000 / text.len());
    let t = Instant::now();
    let n = automaton.find_overlapping_iter(&big).count();
    println!("automaton: {n} hits, {} bytes in {:?}", big.len(), t.elapsed());
    let (t, mut n) = (Instant::now(), 0);
    filter::each_hit(big.as_bytes(), |_, _| n += 1);
    println!("filter: {n} hits in {:?}", t.elapsed());
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
    assert_eq!(ours, theirs);
}

/// Input made to be read again and again must not cost more per byte.
#[test]
fn hostile_input_is_linear() {
    let parts: &[&str] = &[
        "key=",
        "password=",
        "password=\"",
        "token='",
        "sk-",
        "eyJ",
        "eyJaaaaaaaaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY-----\n",
        "://a:",
        "a@",
        "curl ",
        "mysql -p",
        "kind: Secret\n",
        "\"kty\"",
        "<rsakeyvalue>",
        "mnemonic ",
        "cookie: a=",
        "cookie:a=b;",
        "Authorization: ",
        "Bearer ",
        "glpat-",
        "ya29.",
        "login ",
        "password ",
        "{\"kty\"",
        "PuTTY-User-Key-File-",
        "api_key:\n",
        "token is ",
        "AKIA",
        ":_auth=",
        "secret_",
        "_secret_",
        "identified by ",
        "\\",
        "'",
        "(",
        "pass:",
        "a",
        ".atlasv1.",
        "echo chpasswd",
    ];
    for part in parts {
        let time = |bytes: usize| {
            let text = part.repeat(bytes / part.len());
            let t = Instant::now();
            let _ = scan(text.as_bytes());
            t.elapsed()
        };
        let (short, long) = (time(25_000), time(100_000));
        println!("{part:?} {short:?} {long:?}");
        // Four times the bytes: a square would take sixteen times as long.
        assert!(long < short * 10 + Duration::from_millis(200), "{part:?}: {short:?}, then {long:?}");
    }
}

/// Pieces that bring the rules up, for properties.
fn piece() -> impl Strategy<Value = String> {
    let cases = cases(POSITIVES);
    let texts: Vec<String> = cases.iter().map(|c| c["text"].as_str().unwrap().to_string()).collect();
    prop_oneof![
        prop::sample::select(texts),
        "[a-zA-Z0-9_=:\"' \\n.@/<>{}$-]{0,40}",
        "\\PC{0,20}",
        prop::sample::select(vec![
            "password",
            "token=",
            "api_key: ",
            "secret=\"",
            "://u:",
            "Bearer ",
            "sk-",
            "[REDACTED:",
            "]",
            "é",
            "\r\n"
        ])
        .prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn never_panics_on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let once = redact_bytes(&bytes).into_owned();
        prop_assert_eq!(redact_bytes(&once).into_owned(), once);
    }

    #[test]
    fn is_idempotent_and_in_order(pieces in prop::collection::vec(piece(), 0..8)) {
        let text: String = pieces.concat();
        let mut last = 0;
        for f in scan(text.as_bytes()) {
            prop_assert!(f.start >= last && f.end > f.start && f.end <= text.len());
            prop_assert!(text.is_char_boundary(f.start) && text.is_char_boundary(f.end));
            last = f.end;
        }
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once).into_owned(), once);
    }

    #[test]
    fn clean_text_around_changes_nothing(i in 0usize..600, before in 0usize..40, after in 0usize..40) {
        let cases = cases(POSITIVES);
        let text = cases[i % cases.len()]["text"].as_str().unwrap();
        let clean = "the quick brown fox jumps over the lazy dog\n";
        let lead = clean.repeat(before);
        let whole = format!("{lead}\n{text}\n\n{}", clean.repeat(after));
        let shift = lead.len() + 1;
        let alone = format!("\n{text}\n\n");
        let expect: Vec<_> = scan(alone.as_bytes()).iter().map(|f| (f.rule, f.start - 1 + shift, f.end - 1 + shift)).collect();
        let got: Vec<_> = scan(whole.as_bytes()).iter().map(|f| (f.rule, f.start, f.end)).collect();
        prop_assert_eq!(got, expect);
    }
}
