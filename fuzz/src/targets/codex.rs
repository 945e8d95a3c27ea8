//! Codex's transcripts.

use super::transcript;
use crate::{Target, corpus};

const PLACE: &str = ".codex/sessions/2026/11/15/rollout-2026-11-15T10-40-00-s.jsonl";

pub(crate) const TARGET: Target = Target {
    name: "transcript_codex",
    run: |bytes| transcript::check("codex", PLACE, bytes),
    samples: || corpus::files(&["crates/hansei-agents/tests/fixtures/codex"]),
};
