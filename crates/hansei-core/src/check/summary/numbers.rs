//! Numbers beside words. What is larger than 32 bits is no count of anything, and so sums of counts never overflow.

/// The number that stands directly before `label`, as in `3 failed`.
pub(super) fn before(line: &str, label: &str) -> Option<u64> {
    let mut from = 0;
    // A label may also occur as part of a sentence; the first one with a number counts, and few are looked at.
    for _ in 0..4 {
        let at = from + line.get(from..)?.find(label)?;
        let head = line[..at].trim_end_matches([' ', '\u{a0}']);
        let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',').len();
        if let Some(number) = number(&head[head.len() - digits..]) {
            return Some(number);
        }
        from = at + label.len();
    }
    None
}

/// The number that stands directly after `label`, as in `Failures: 3`.
pub(super) fn after(line: &str, label: &str) -> Option<u64> {
    let at = line.find(label)? + label.len();
    leading(line[at..].trim_start_matches([' ', ':', '=', '\t']))
}

/// The number at the beginning.
pub(super) fn leading(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..digits)?.parse::<u32>().ok().map(u64::from)
}

/// The number that these digits are, commas left out.
pub(super) fn number(digits: &str) -> Option<u64> {
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u32>().ok().map(u64::from)
}
