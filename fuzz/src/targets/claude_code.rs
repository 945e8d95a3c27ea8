//! Claude Code's transcripts.

use super::transcript;
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "transcript_claude_code",
    run: |bytes| transcript::check("claude-code", ".claude/projects/p/s.jsonl", bytes),
    samples: || corpus::files(&["crates/hansei/samples"]),
};
