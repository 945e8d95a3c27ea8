//! Reasons in a sentence: what stands behind `because` decides nothing, whatever it speaks of.

use super::file_kind::holds;

/// With these a reason begins.
const BECAUSE: &[&str] = &["because", "since", "given that", "due to", "owing to", "as it", "as they"];
/// With these, behind a comma, somebody comes to what is done.
const HENCE: &str = "so therefore hence thus consequently then use add install introduce adopt bring restore import call choose pick enable \
    put create write build wire run include select deploy set prefer apply integrate switch move migrate replace";

/// The parts of a clause that give no reasons.
pub(super) fn without_reasons(clause: &str) -> Vec<&str> {
    let lower = clause.to_ascii_lowercase();
    let reason = BECAUSE.iter().filter_map(|word| position(&lower, word).map(|at| (at, word.len()))).min();
    let Some((at, length)) = reason else { return vec![clause] };
    let (before, behind) = (&clause[..at], &clause[at + length..]);
    let leads = !before.contains(char::is_alphanumeric);
    let resumed = behind.match_indices(", ").find(|(comma, _)| leads || resumes(&behind[comma + 2..]));
    let mut parts = vec![before];
    parts.extend(resumed.into_iter().flat_map(|(comma, _)| without_reasons(&behind[comma + 2..])));
    parts
}

/// Where a word stands on its own.
fn position(text: &str, word: &str) -> Option<usize> {
    let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !is_inside(text[..*at].chars().next_back()) && !is_inside(text[at + word.len()..].chars().next())
    })
}

fn resumes(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace().skip_while(|word| *word == "and");
    words.next().is_some_and(|word| holds(HENCE, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_left_out() {
        for (clause, parts) in [
            ("Use sqlite", &["Use sqlite"][..]),
            ("Use sqlite, because redis is one more thing, and kafka another", &["Use sqlite, "]),
            ("Because reads dominate, use redis", &["", "use redis"]),
            ("Drop sqlite because it locks, and use redis", &["Drop sqlite ", "and use redis"]),
            ("It locks since then, so we take redis", &["It locks ", "so we take redis"]),
            ("the sincere one", &["the sincere one"]),
        ] {
            assert_eq!(without_reasons(clause), parts, "{clause}");
        }
    }
}
