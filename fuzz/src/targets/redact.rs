//! Texts with and without secrets.

use hansei_record::redact::{redact, redact_bytes, scan};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "redact",
    run: check,
    samples: || {
        let mut texts = corpus::texts("crates/hansei-record/corpus/positives.jsonl", "text");
        texts.extend(corpus::texts("crates/hansei-record/corpus/structure_positives.jsonl", "text"));
        texts
    },
};

fn check(bytes: &[u8]) {
    let mut last = 0;
    for finding in scan(bytes) {
        assert!(
            last <= finding.start && finding.start < finding.end && finding.end <= bytes.len(),
            "{finding:?}"
        );
        last = finding.end;
    }
    let once = redact_bytes(bytes).into_owned();
    assert_eq!(
        String::from_utf8_lossy(&redact_bytes(&once)),
        String::from_utf8_lossy(&once),
        "a redacted text stays as it is"
    );
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(redact(text).as_bytes(), once, "the same as text and as bytes");
    }
}
