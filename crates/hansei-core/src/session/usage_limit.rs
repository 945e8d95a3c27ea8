//! Whether a turn failed because a provider gives no more: a limit on use, a quota, no credit.
//!
//! Providers and agents say it as an HTTP status, as a code in an error object, or as a sentence; all three end up in the
//! words of a failed turn. Limits of other kinds (the context window, the number of turns, a disk) are none of these.

/// Codes of error objects, wherever they stand.
#[rustfmt::skip]
const CODES: &[&str] = &[
    "rate_limit_error", "rate_limit_exceeded", "rate_limit_reached", "usage_limit_reached", "usage_limit_exceeded",
    "usage_not_included", "insufficient_quota", "quota_exceeded", "resource_exhausted", "too_many_requests",
    "billing_hard_limit_reached", "billing_error", "throttlingexception", "creditserror", "freeusagelimiterror",
];
/// Things that are limited, in a sentence that says so.
#[rustfmt::skip]
const LIMITED: &[&str] = &[
    "usage limit", "usage cap", "rate limit", "rate-limit", "rate limited", "session limit", "weekly limit", "daily limit",
    "monthly limit", "hour limit", "hourly limit", "spending limit", "spend limit", "opus limit", "request limit",
    "requests per minute", "tokens per minute", "requests per day",
];
/// Sentences that say it by themselves.
#[rustfmt::skip]
const SENTENCES: &[&str] = &[
    "hit your limit", "reached your limit", "too many requests", "out of credits", "credit balance is too low",
    "insufficient credits", "exceeded your current quota", "exhausted your capacity", "out of extra usage",
    "quota will reset", "quota exceeded", "exceeded your quota", "exhausted your quota", "exhausted your daily quota",
    "quota limit", "payment required",
];
/// Quotas that no provider of models sets.
const OTHER_QUOTAS: &[&str] = &["disk quota", "storage quota", "inode quota"];

/// Whether the words of a failed turn say that a limit on use was hit.
pub fn is_usage_limit(error: &str) -> bool {
    let said = error.to_lowercase().replace('’', "'");
    if OTHER_QUOTAS.iter().any(|other| said.contains(other)) {
        return false;
    }
    let has = |list: &[&str]| list.iter().any(|mark| said.contains(mark));
    has(CODES) || has(LIMITED) || has(SENTENCES) || says_status(&said, "429") || says_status(&said, "402")
}

/// Whether `code` stands in `said` as an HTTP status: a number of its own, where a status is spoken of or at the start of
/// what an interface answered.
fn says_status(said: &str, code: &str) -> bool {
    let own = |at: usize| {
        let before = said[..at].chars().next_back();
        let after = said[at + code.len()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '_'));
        !part(before) && !part(after.filter(|c| !matches!(c, '.' | ',')))
    };
    let spoken_of = |at: usize| {
        let before = said[..at].trim_end_matches(|c: char| !c.is_alphanumeric());
        at == 0
            || before.is_empty()
            || ["error", "status", "http", "code", "statuscode", "failed with", "returned"]
                .iter()
                .any(|word| before.ends_with(word))
    };
    said.match_indices(code).any(|(at, _)| own(at) && spoken_of(at))
}

#[cfg(test)]
mod tests {
    use super::is_usage_limit;

    #[test]
    fn limits() {
        for error in [
            "Claude AI usage limit reached|1794020400",
            "You've hit your limit · resets 3am (Europe/Berlin)",
            "You’ve hit your session limit · resets 10pm",
            "5-hour limit reached ∙ resets 3am",
            "Claude Opus 4 limit reached: weekly limit, resets Monday",
            "Credit balance is too low",
            "API Error: 429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}",
            "You've hit your usage limit. Upgrade to Pro or try again at 3:05 PM.",
            "exceeded retry limit, last status: 429 Too Many Requests",
            "{\"code\":\"insufficient_quota\"}",
            "You exceeded your current quota, please check your plan and billing details.",
            "[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h14m.]",
            "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}",
            "Quota exceeded for quota metric 'Generate Content API requests per minute'",
            "Rate limit exceeded, please try again later",
            "429 status code (no body)",
            "Request failed with status code 429",
        ] {
            assert!(is_usage_limit(error), "{error}");
        }
    }

    #[test]
    fn other_failures() {
        for error in [
            "",
            "API Error: 529 Overloaded",
            "API Error: 500 Internal server error",
            "prompt is too long: 214429 tokens > 200000 maximum",
            "the request took 1429 ms",
            "line 429 of src/quota.rs does not parse",
            "maximum turn limit reached",
            "context window limit reached",
            "write: Disk quota exceeded",
            "connection reset by peer",
            "401 Unauthorized: invalid x-api-key",
        ] {
            assert!(!is_usage_limit(error), "{error}");
        }
    }
}
