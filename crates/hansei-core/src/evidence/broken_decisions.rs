//! A change that goes against a decision of the repository: what was rejected is back, or the decision is gone.
//!
//! What changed was read from the work tree, whatever the agent says about it, so no words of a model speak against it.

use super::{Findings, Kind, Place, Situation};
use crate::decision_memory::{Violation, ViolationKind};
use crate::verdict::Severity;

/// More than this nobody reads about.
const MOST: usize = 3;

pub(super) fn detect(situation: &Situation<'_>, findings: &mut Findings) {
    for violation in situation.broken.iter().take(MOST) {
        let about = vec![format!("{}:{}", violation.decision, violation.file)];
        findings.add_about(Kind::DecisionBroken, Severity::High, Place::Session, told(violation), about);
    }
}

/// A violation in a sentence that an agent can act on.
fn told(violation: &Violation) -> String {
    let Violation { decision, kind, file, line, text } = violation;
    let what = match kind {
        ViolationKind::Reintroduced => "brings back what was rejected",
        ViolationKind::TagRemoved => "takes a decision away",
        ViolationKind::Contradicted => "decides for what was rejected",
    };
    let shown: String = text.chars().take(100).collect();
    format!(
        "{file}:{line} {what} by decision {decision} (\"{shown}\"): use another way, or propose a revision with `hansei decisions revise {decision}`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::gather;
    use crate::session::Session;

    #[test]
    fn each_violation_names_the_decision_the_place_and_the_way_out() {
        let violation = |line| Violation {
            decision: "ADR-0003".to_owned(),
            kind: ViolationKind::Reintroduced,
            file: "web/a.js".to_owned(),
            line,
            text: "import moment from 'moment';".to_owned(),
        };
        let broken: Vec<Violation> = (1..9).map(violation).collect();
        let session = Session::default();
        let found = gather(&Situation { broken: &broken, ..Situation::of(&session) });
        let found: Vec<_> = found.into_iter().filter(|found| found.kind == Kind::DecisionBroken).collect();
        assert_eq!(found.len(), MOST);
        for part in ["web/a.js:1", "ADR-0003", "import moment", "`hansei decisions revise ADR-0003`"] {
            assert!(found[0].text.contains(part), "{part}: {}", found[0].text);
        }
        assert!(gather(&Situation::of(&session)).iter().all(|found| found.kind != Kind::DecisionBroken));
    }
}
