//! JSON that a parser refuses although a reader would not: half a surrogate pair, which JavaScript writes where it cut a text
//! within a character; zeros, marks or rubbish before the object; what lies deeper than a parser goes. Only what was refused is mended.

use std::borrow::Cow;

/// Deeper than any transcript, and than parsers follow.
const DEEPEST: usize = 64;

/// `bytes` as it was meant; none where nothing can be mended.
pub(crate) fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = without_zeros(bytes);
    let start = text.windows(2).position(|pair| matches!(pair, b"{\"" | b"[{"))?;
    let text = shallow(&without_halves(&text[start..]));
    let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok();
    (is_json && *text != *bytes).then_some(text)
}

/// The text without what lies too deep in it.
fn shallow(text: &[u8]) -> Vec<u8> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut kept = Vec::with_capacity(text.len());
    for byte in text.iter().copied() {
        let was = depth;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if was.max(depth) <= DEEPEST {
            kept.push(byte);
        } else if was == DEEPEST {
            kept.extend_from_slice(b"null");
        }
    }
    kept
}

fn without_zeros(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.contains(&0) {
        Cow::Owned(bytes.iter().copied().filter(|byte| *byte != 0).collect())
    } else {
        Cow::Borrowed(bytes)
    }
}

/// The text with each half of a surrogate pair that stands alone replaced.
pub(crate) fn without_halves(text: &[u8]) -> Cow<'_, [u8]> {
    let mut mended: Option<Vec<u8>> = None;
    let mut place = 0;
    while place < text.len() {
        let step = match (text.get(place), text.get(place + 1)) {
            (Some(b'\\'), Some(b'u')) => match (half(text, place), half(text, place + 6)) {
                (Some(Half::High), Some(Half::Low)) => 12,
                (Some(_), _) => {
                    let mended = mended.get_or_insert_with(|| text.to_vec());
                    mended[place + 2..place + 6].copy_from_slice(b"fffd");
                    6
                }
                (None, _) => 2,
            },
            (Some(b'\\'), _) => 2,
            _ => 1,
        };
        place += step;
    }
    mended.map_or(Cow::Borrowed(text), Cow::Owned)
}

#[derive(Clone, Copy)]
enum Half {
    High,
    Low,
}

/// Which half of a pair is written at `place`.
fn half(text: &[u8], place: usize) -> Option<Half> {
    let written = text.get(place..place + 6)?;
    let digits = std::str::from_utf8(written.strip_prefix(b"\\u")?).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_read() {
        for (written, meant) in [
            (&br#"{"a":"cut \ud83d"}"#[..], Some(&br#"{"a":"cut \ufffd"}"#[..])),
            (br#"{"a":"\udc00\ud83d\ude00"}"#, Some(br#"{"a":"\ufffd\ud83d\ude00"}"#)),
            (br#"{"a":"\\ud83d"}"#, None),
            (b"\xef\xbb\xbf{\"a\":1}", Some(br#"{"a":1}"#)),
            (b"{\0\"\0a\0\"\0:\x001\0}\0", Some(br#"{"a":1}"#)),
            (b"rubbish {\"a\":1}", Some(br#"{"a":1}"#)),
            (br#"{"a":{"b":1}"#, None),
            (b"rubbish", None),
            (br#"{"a":1"#, None),
            (b"", None),
        ] {
            let told = String::from_utf8_lossy(written);
            assert_eq!(mended(written).as_deref(), meant, "{told}");
        }
        let deep = format!(r#"{{"a":{}"[\\"{},"b":2}}"#, "[".repeat(900), "]".repeat(900));
        let read: serde_json::Value = serde_json::from_slice(&mended(deep.as_bytes()).unwrap()).unwrap();
        assert_eq!(read["b"], 2);
    }
}
