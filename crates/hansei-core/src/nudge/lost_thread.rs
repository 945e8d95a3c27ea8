//! Whether a compaction took the thread: the agent says so, or nothing is left that names the work.

use crate::evidence::Speech;

/// Whether neither the request nor the last words say what the work is.
pub(super) fn is_unnamed(request: &str, words: &str) -> bool {
    names(request) < 3 && names(words) < 3
}

/// Whether the agent says that it does not know what it was doing.
pub(super) fn says_so(speech: &Speech) -> bool {
    let says = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    speech.places().any(|place| {
        let words = &speech.sentence(place).words;
        let memory = says(words, MEMORY);
        let subject = says(words, SUBJECT);
        let lost = says(words, LOST);
        let unknown =
            says(words, &["not", "cannot", "can't", "don't", "no", "longer", "unsure", "unclear", "n't"])
                && says(words, KNOWING);
        // "I am not sure what the goal was", "the list is not in my context any more", "my context was cut".
        unknown && (memory || subject)
            || lost && memory
            || speech.sentence(place).asks && memory && says(words, &["i", "we"])
    })
}

const MEMORY: &[&str] = &[
    "context", "conversation", "memory", "history", "recall", "remember", "earlier", "previous", "doing",
    "goal", "working", "discussion", "discussed", "summary", "thread", "again", "aim", "request", "purpose",
];
const SUBJECT: &[&str] = &[
    "what", "which", "why", "where", "goal", "task", "state", "changes", "request", "instructions",
    "constraints", "requirements", "files", "topics",
];
const LOST: &[&str] =
    &["lost", "cut", "truncated", "missing", "gone", "dropped", "unavailable", "reset", "wiped"];
const KNOWING: &[&str] = &[
    "sure", "know", "see", "recall", "remember", "tell", "have", "clear", "find", "certain", "context",
    "unclear", "unsure", "access", "reconstruct", "figure",
];

/// How many words of a text name something: words that fit any work at all do not count.
fn names(text: &str) -> usize {
    let lower = text.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2 && !GENERAL.contains(word))
        .count()
}

/// Words that fit any work.
const GENERAL: &[&str] = &[
    "the", "and", "for", "with", "that", "this", "was", "were", "are", "has", "have", "had", "been", "will",
    "not", "user", "users", "asked", "asks", "ask", "some", "various", "several", "few", "many", "changes",
    "change", "changed", "files", "file", "discussed", "discussion", "work", "working", "worked", "works",
    "task", "tasks", "project", "repository", "repo", "code", "codebase", "continue", "continuing",
    "continued", "earlier", "previous", "previously", "topics", "topic", "details", "detail", "dropped",
    "compression", "compaction", "compacted", "summary", "unavailable", "things", "thing", "stuff",
    "something", "items", "item", "rest", "list", "above", "below", "see", "message", "messages",
    "conversation", "context", "made", "make", "making", "did", "done", "doing", "need", "needed", "needs",
    "requested", "request", "requests", "on", "from", "into", "about", "more", "other", "also", "then",
    "now", "next", "still", "progress", "session", "covered", "during", "help", "helping", "please", "okay",
    "sure", "yes", "let", "going", "unknown", "none", "point", "multiple", "different", "updates", "update",
    "fix", "fixes", "issue", "issues", "stuff", "improvements", "improve", "implementation", "implement",
    "feature", "features", "assistant", "agent", "you", "your", "our", "its", "them", "they", "what",
    "which", "there", "where", "part", "parts", "first", "later", "last", "new", "old", "all", "any", "one",
    "two", "etc", "was",
];
