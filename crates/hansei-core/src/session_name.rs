//! A session's id as a part of a file name.
//!
//! The id comes from outside and may be anything. What reaches the disk is short, has no separator, and differs for
//! different ids: an id that had to be changed carries a digest of the original.

/// The id used when an agent gave none.
pub const UNKNOWN: &str = "unknown";

const LONGEST: usize = 100;

/// `id` made safe for a file name. An id of up to 100 letters, digits, `-`, `_` and inner `.` stays as it is.
pub fn safe(id: &str) -> String {
    if id.is_empty() {
        return UNKNOWN.to_owned();
    }
    let kept: String = id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .take(LONGEST)
        .collect();
    let kept = kept.trim_matches('.');
    if kept == id {
        return kept.to_owned();
    }
    let kept: String = kept.chars().take(40).collect();
    format!("{kept}~{:016x}", digest(id.as_bytes()))
}

/// FNV-1a over 64 bits: stable across versions and machines, which a standard hasher does not promise.
fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_ids_stay() {
        for id in ["0b6f7a3e-1d2c-4e5f-8a9b-0c1d2e3f4a5b", "ses_5f2aK", "a", "v1.2", UNKNOWN] {
            assert_eq!(safe(id), id);
        }
        assert_eq!(safe(""), UNKNOWN);
    }

    #[test]
    fn hostile_ids_are_tamed_and_stay_apart() {
        let long = "x".repeat(10_000);
        let ids = [
            "../../etc/passwd",
            "a/b",
            "a_b",
            "a\0b",
            "..",
            ".",
            ".hidden",
            "日本",
            "日木",
            " ",
            &long,
            &long[1..],
            "a~b",
        ];
        let names: std::collections::BTreeSet<String> = ids.iter().map(|id| safe(id)).collect();
        assert_eq!(names.len(), ids.len(), "{names:?}");
    }

    proptest! {
        #[test]
        fn any_id_is_one_short_visible_name(id in any::<String>()) {
            let name = safe(&id);
            prop_assert!(!name.is_empty() && name.len() <= LONGEST);
            prop_assert!(!name.starts_with('.'));
            prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~".contains(&b)), "{name}");
        }
    }
}
