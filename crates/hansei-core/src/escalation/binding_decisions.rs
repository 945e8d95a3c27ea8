//! The decisions that bind a second look, the nearest to the failure first: those that it names or that stand in the files it
//! names, those of the files that these import, those of the same folders, then those of the whole project.

use std::collections::BTreeSet;

use super::handoff::Handoff;
use crate::decision_memory::{Decision, Memory};
use crate::model_text::one_line;

const LONGEST_PART: usize = 240;

/// A line for each decision that binds: which, where, what it rejects, and why. One that rejects nothing is told where it
/// concerns the failure. `sources` are pieces of files, each under its path.
pub fn binding_decisions(memory: &Memory, handoff: &Handoff, sources: &[String]) -> Vec<String> {
    let place = Place::of(handoff, sources);
    let mut near: Vec<(Nearness, String)> = memory
        .binding()
        .filter_map(|decision| {
            let nearness = place.nearness(decision);
            let concerns = !decision.rejected.is_empty() || nearness < Nearness::Project;
            concerns.then(|| (nearness, row(decision)))
        })
        .collect();
    near.sort_by_key(|(nearness, _)| *nearness);
    near.into_iter().map(|(_, row)| row).collect()
}

/// How near a decision is to the failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// It stands in a file that the failure names, or speaks of what is named.
    Named,
    /// It stands in a file that is shown beside those.
    Shown,
    /// It stands in the folder of one of them.
    Folder,
    /// It stands anywhere.
    Project,
}

/// Where the failure is.
struct Place {
    /// Everything that is said of it, in lower case.
    told: String,
    /// The words of that.
    words: BTreeSet<String>,
    shown: Vec<String>,
}

impl Place {
    fn of(handoff: &Handoff, sources: &[String]) -> Self {
        let payload = &handoff.escalation;
        let mut told = vec![handoff.task.clone(), payload.task_scope.clone()];
        told.extend(payload.what_did_not_work.iter().chain(&payload.handoff_artifacts).cloned());
        told.extend(handoff.forced.facts.iter().cloned());
        told.extend(handoff.command.clone());
        if let Some(signature) = &handoff.signature {
            let fields = [&signature.errors, &signature.files, &signature.tests];
            told.extend(fields.into_iter().flatten().cloned());
        }
        let told = told.join("\n").to_lowercase();
        let words = told
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
            .map(|word| word.trim_matches(['.', '/', '-']).to_owned())
            .filter(|word| word.len() > 2)
            .collect();
        let shown = sources.iter().filter_map(|piece| piece.split(":\n").next()).map(str::to_owned).collect();
        Self { told, words, shown }
    }

    fn nearness(&self, decision: &Decision) -> Nearness {
        let file = decision.file.to_lowercase();
        let name = file.rsplit('/').next().unwrap_or_default();
        let is_named = self.words.contains(&file) || (name.contains('.') && self.words.contains(name));
        if is_named || self.is_spoken_of(decision) {
            return Nearness::Named;
        }
        if self.shown.contains(&decision.file) {
            return Nearness::Shown;
        }
        let folder =
            |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default();
        let own = folder(&decision.file);
        let mut folders = self.shown.iter().map(|path| folder(path));
        let is_beside =
            !own.is_empty() && (folders.any(|other| other == own) || self.told.contains(&format!("{own}/")));
        if is_beside { Nearness::Folder } else { Nearness::Project }
    }

    /// Whether the failure names what a decision is about, or the decision speaks of a file that is named.
    fn is_spoken_of(&self, decision: &Decision) -> bool {
        let mut names = decision.rejected.iter().flat_map(|rejection| &rejection.names);
        let is_of_a_name = names.any(|name| self.words.contains(&name.text.to_lowercase()));
        let decided = decision.decided.iter().chain(&decision.rationale).map(|reason| reason.text.as_str());
        let mut said = decided.chain([decision.title.as_str()]).map(str::to_lowercase);
        let speaks = said.any(|text| {
            let words =
                text.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ';' | '(' | ')' | '"'));
            words.map(|word| word.trim_matches(['.', '/', ':'])).any(|word| {
                let is_name = word.len() > 3 && word.contains(['.', '/', '_']);
                let is_file_of = || self.shown.iter().any(|path| path.to_lowercase().ends_with(word));
                is_name && (self.words.contains(word) || is_file_of())
            })
        });
        is_of_a_name || speaks || (decision.id.len() > 3 && self.words.contains(&decision.id.to_lowercase()))
    }
}

fn row(decision: &Decision) -> String {
    let texts = |items: &mut dyn Iterator<Item = &str>| {
        one_line(&items.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; "), LONGEST_PART)
    };
    let rejected = texts(&mut decision.rejected.iter().map(|rejection| rejection.text.as_str()));
    let reasons = texts(&mut decision.rationale.iter().map(|reason| reason.text.as_str()));
    let line = decision.rejected.first().map_or(decision.line, |rejection| rejection.line);
    let told = if rejected.is_empty() {
        format!("decides: {}", decision.title)
    } else {
        format!("rejects: {rejected}")
    };
    let why = if reasons.is_empty() { String::new() } else { format!(" @RATIONALE: {reasons}") };
    format!("{} ({}:{line}) {told}{why}", decision.id, decision.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::SourceFile;
    use crate::escalation::{Attempt, ErrorSignature, Escalation, Failure, Received, admit};

    #[test]
    fn the_nearest_decisions_come_first_with_their_reasons() {
        let far: Vec<(String, String)> = (0..30)
            .map(|n| (format!("a{n:02}.py"), format!("# @REJECTED: `far{n:02}` is slow\nx = 1\n")))
            .collect();
        let near = [
            (
                "shop/load.py",
                "# @RATIONALE: types must be exact\n# @REJECTED: `pandas`, because it guesses\nx = 1\n",
            ),
            ("shop/rates.py", "# @REJECTED: `requests` blocks\nx = 1\n"),
            ("zoo/other.py", "# @REJECTED: `celery` is heavy\nx = 1\n"),
            (
                "docs/adr/0001-rows.md",
                "# 1. Rows\n\nStatus: Accepted\n\n## Decision\n\n`shop/load.py` gives rows as tuples.\n",
            ),
            ("docs/adr/0002-logo.md", "# 2. Logo\n\nStatus: Accepted\n\n## Decision\n\nThe logo is blue.\n"),
        ];
        let files = far.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain(near);
        let memory = Memory::of(files.map(|(path, text)| SourceFile { path, text }));
        let output =
            "E   KeyError: 'x'\nshop/load.py:3: KeyError\nFAILED tests/test_load.py::t - KeyError: 'x'";
        let signature = ErrorSignature::of(&Failure { command: "pytest", exit_code: None, output });
        let payload = Escalation::of(Attempt::new(4), "rows; celery").text();
        let received = Received {
            escalation: &payload,
            task: "make it pass",
            snapshot: "HEAD",
            signature: Some(&signature),
            ..Received::default()
        };
        let rows = binding_decisions(&memory, &admit(&received).unwrap(), &["shop/load.py:\nx".to_owned()]);
        assert_eq!(rows.len(), 34, "the logo concerns nobody: {rows:#?}");
        let first: Vec<&str> = rows.iter().take(4).filter_map(|row| row.split(' ').next()).collect();
        assert_eq!(first, ["ADR-0001", "shop/load.py:1", "zoo/other.py:1", "shop/rates.py:1"], "{rows:#?}");
        assert!(
            rows[1].contains("`pandas`") && rows[1].contains("@RATIONALE: types must be exact"),
            "{}",
            rows[1]
        );
    }
}
