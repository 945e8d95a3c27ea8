//! Properties that hold for any text.

use super::positives;
use crate::redact::{redact, redact_bytes, scan};
use proptest::prelude::*;

/// Pieces that bring the rules up, for properties.
fn piece() -> impl Strategy<Value = String> {
    let cases = positives();
    let texts: Vec<String> = cases.iter().map(|c| c["text"].as_str().unwrap().to_string()).collect();
    prop_oneof![
        prop::sample::select(texts),
        "[a-zA-Z0-9_=:\"' \\n.@/<>{}$-]{0,40}",
        "\\PC{0,20}",
        prop::sample::select(vec![
            "password", "token=", "api_key: ", "secret=\"", "://u:", "Bearer ", "sk-", "[REDACTED:", "]",
            "é", "\r\n"
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
        let cases = positives();
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
