//! The unblocker as an agent of OpenCode and Kilo: one file of our own, the same for everybody.

/// The file.
pub const CONTENT: &str = include_str!("../../../integrations/opencode/agent/hansei-unblocker.md");
/// Every version of it holds this line.
const SIGNATURE: &str = "<!-- Hansei's unblocker";

/// Whether a file is ours.
pub fn is_ours(text: &str) -> bool {
    text.contains(SIGNATURE)
}

#[cfg(test)]
mod tests {
    use hansei_core::escalation::{
        ABOVE_REFLECTION, Answer, AnswerKind, Attempt, ContextTarget, Diagnosis, Escalation, FailureLayer,
        ForcedContext, RetryPacket,
    };

    use super::*;

    const CLAUDE: &str = include_str!("../../../integrations/claude-code/agents/hansei-unblocker.md");

    /// The front matter and what follows it.
    fn parts(text: &str) -> (&str, &str) {
        text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap()
    }

    #[test]
    fn both_agents_are_told_the_same_and_may_edit_nothing() {
        let ((opencode, body), (claude, same)) = (parts(CONTENT), parts(CLAUDE));
        assert_eq!(body, same);
        assert!(is_ours(CONTENT) && is_ours(CLAUDE) && !is_ours("---\nmode: subagent\n---\nOther\n"));
        for line in ["mode: subagent", "temperature: 0", "  edit: deny", "    \"*\": deny"] {
            assert!(opencode.lines().any(|known| known == line), "{line}");
        }
        assert!(
            claude.contains("\ntools: Read, Grep, Glob, Bash\n")
                && claude.contains("disallowedTools: Edit, Write")
        );
    }

    /// The names of the fields that something is written with.
    fn fields(text: &str) -> Vec<String> {
        let names = text.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.to_owned());
        names.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')).collect()
    }

    #[test]
    fn the_words_of_the_protocol_are_all_in_it() {
        let (_, body) = parts(CONTENT);
        let packet = RetryPacket {
            new_hypothesis: String::new(),
            failure_layer: FailureLayer::Unknown,
            files_to_recheck: Vec::new(),
            forced_checklist: Vec::new(),
            constraints: Vec::new(),
            what_not_to_retry: Vec::new(),
            decision_memory_notes: Vec::new(),
        };
        let found = Diagnosis {
            failure_layer: FailureLayer::Unknown,
            observations: Vec::new(),
            new_hypothesis: String::new(),
            action: String::new(),
            proof_patch: Some("x".to_owned()),
        };
        let payload = Escalation::of(Attempt::ESCALATED, "x").text();
        let answers = [
            Answer::NeedContext(ContextTarget::EscalationPayload),
            Answer::NeedContext(ContextTarget::CleanHandoff),
            Answer::CoherenceCheckFailed(Vec::new()),
        ];
        let forced = ForcedContext::read("[FORCED_CONTEXT]\n- a\n[CHECKLIST]\n- b").text();
        let mut words: Vec<String> = Vec::new();
        words.extend(AnswerKind::ALL.map(|kind| format!("`{}`", kind.name())));
        words.extend(FailureLayer::ALL.map(|layer| layer.name().to_owned()));
        words.extend(fields(&packet.text()).into_iter().map(|name| format!("`{name}`")));
        words.extend(
            fields(&Answer::EnvironmentFix(found).text()).into_iter().map(|name| format!("`{name}`")),
        );
        words.extend(fields(&payload).into_iter().map(|name| format!("\n{name}:")));
        words.extend(answers.map(|answer| format!("`{}`", answer.text().trim())));
        words.extend(forced.lines().filter(|line| line.starts_with('[')).map(|line| format!("`{line}`")));
        words.extend((1..=4).map(|number| format!("`{}`", Attempt::new(number))));
        words.extend(
            ["<ESCALATION>", "</ESCALATION>", "status: blocked", ABOVE_REFLECTION].map(str::to_owned),
        );
        words.extend(["[DEF:id:ADR]", "@RATIONALE", "@REJECTED", "@PRE"].map(str::to_owned));
        assert!(words.len() > 50, "{words:?}");
        let missing: Vec<&String> = words.iter().filter(|word| !body.contains(word.as_str())).collect();
        assert!(missing.is_empty(), "{missing:?}");
        // The terminal payload that it shows is one that the tolerant reader takes.
        let shown = body.rsplit_once("```\n<ESCALATION>").unwrap().1.replace("[ATTEMPT: N]", "[ATTEMPT: 4]");
        let read = Escalation::read(&format!("<ESCALATION>{}", shown.split("```").next().unwrap())).unwrap();
        assert_eq!(
            (read.attempt, read.request.as_slice()),
            (Attempt::ESCALATED, [ABOVE_REFLECTION.to_owned()].as_slice())
        );
    }
}
