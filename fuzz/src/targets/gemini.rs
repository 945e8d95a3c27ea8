//! Gemini CLI's transcripts: lines, and the one object that older versions wrote.

use super::transcript;
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "transcript_gemini",
    run: |bytes| {
        // An object over several lines is one of the older files.
        let whole = bytes.starts_with(b"{\n");
        let ending = if whole { "older/chats/session-s.json" } else { "newer/chats/session-s.jsonl" };
        let agent = "gemini";
        let _ = std::fs::remove_dir_all(crate::scratch::folder(agent).join(".gemini/tmp"));
        transcript::check(agent, &format!(".gemini/tmp/{ending}"), bytes);
    },
    samples: || corpus::files(&["crates/hansei-agents/tests/fixtures/gemini"]),
};
