//! Edits of a text: three parts, the file, the anchor and what takes its place.

use hansei_core::text_edit::{Miss, Text};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "text_edit", run: check, samples: corpus::none };

/// Between the parts.
const BETWEEN: u8 = 0x1e;

fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == BETWEEN);
    let file = parts.next().unwrap_or_default();
    let mut words = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (old, new) = (words(), words());
    let Ok(text) = Text::decode(file) else { return };
    assert_eq!(text.encode(), file, "what was read comes back");
    if let Ok(changed) = text.replace(&old, &new) {
        holds(&text, &changed.text);
        assert!(changed.first_line <= changed.last_line + 1);
    }
    for line in [0, text.lines(), text.lines() / 2] {
        match text.insert_after(line, &new) {
            Ok(changed) => {
                holds(&text, &changed.text);
                assert!(changed.text.lines() > text.lines(), "a line was added");
            }
            Err(miss) => assert!(miss == Miss::NoChange && new.is_empty(), "{miss:?}"),
        }
    }
    let beyond = text.insert_after(text.lines() + 1, &new);
    assert!(matches!(beyond, Err(Miss::BeyondEnd { .. })));
}

/// A file with one kind of line ending keeps it, and every file its mark.
fn holds(before: &Text, after: &Text) {
    let short = |text: &Text| text.as_str().matches('\n').count() - text.as_str().matches("\r\n").count();
    if before.as_str().contains("\r\n") && short(before) == 0 {
        assert_eq!(short(after), 0, "{before:?} became {after:?}");
    }
    let has_mark = |text: &Text| text.encode().starts_with(b"\xef\xbb\xbf");
    assert!(has_mark(after) || !has_mark(before), "{before:?} became {after:?}");
}
