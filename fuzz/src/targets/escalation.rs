//! Escalations, answers of the unblocker, and outputs of failed commands.

use hansei_core::escalation::{
    Escalation, Failure, Fingerprint, ForcedContext, LONGEST_PAYLOAD, Part, RescueMode, pollution,
    read_answer,
};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "escalation",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(payload) = Escalation::read(&text) {
            assert!(payload.text().len() <= LONGEST_PAYLOAD, "a payload that was read is bounded");
            assert_eq!(Escalation::read(&payload.text()).as_ref(), Ok(&payload), "and comes back");
        }
        let forced = ForcedContext::read(&text);
        assert!(forced.facts.len() <= 20 && forced.checklist.len() <= 20);
        for part in [Part::Task, Part::Context] {
            let _ = pollution(part, &text);
        }
        for mode in [RescueMode::Unblocker, RescueMode::Terminal] {
            if let Ok(answer) = read_answer(&text, mode) {
                assert!(answer.kind().is_allowed_in(mode));
            }
        }
        let (command, output) = text.split_once('\n').unwrap_or(("make", &text));
        let failure = Failure { command, exit_code: Some(1), output };
        assert_eq!(Fingerprint::of(&failure), Fingerprint::of(&failure));
    },
    samples: corpus::none,
};
