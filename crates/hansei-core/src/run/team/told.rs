//! What experts are told, and whoever brings their work together. Writing to a `String` cannot fail.

use std::fmt::Write as _;

use super::state::Team;

/// The most characters of what somebody reported that others are told.
const LONGEST_REPORT: usize = 2_000;

impl Team {
    /// All that an expert has to know, with the files that it has to put right where its work was handed back.
    pub fn brief(&self, expert: &str, task: &str, conflicts: &[String]) -> String {
        let Some(expert) = self.expert(expert) else { return task.to_owned() };
        let role = &expert.role;
        let mut text = format!(
            "# The task of the whole team\n\n{task}\n\n# Your role: {}\n\n{}\n",
            role.name, role.prompt
        );
        let others = self.experts().iter().map(|other| &other.role.name).filter(|name| **name != role.name);
        let others: Vec<&str> = others.map(String::as_str).collect();
        if !others.is_empty() {
            let _ = write!(
                text,
                "\nThe others are: {}. Each works in a copy of its own. Do your part and leave theirs to them. Do not commit: what you leave in the files is committed for you and merged with the work of the others.\n",
                others.join(", ")
            );
        }
        for needed in role.depends_on.iter().filter_map(|name| self.expert(name)) {
            let _ = write!(
                text,
                "\n# What {} reported, whose work is in your copy\n\n{}\n",
                needed.role.name,
                short(&needed.said)
            );
        }
        if !conflicts.is_empty() {
            text.push_str(
                "\n# Your work is done, and it contradicts what others did meanwhile\n\nBoth are in your copy now. In each of these files, or beside it, put right what contradicts, so that what you meant and what the others meant both hold; lines from `<<<<<<<` to `>>>>>>>` show the two sides, and none of these marks may stay:\n\n",
            );
            for file in conflicts {
                let _ = writeln!(text, "- {file}");
            }
        }
        text
    }
}

/// What whoever brings the work together is told.
pub(in crate::run) fn integrator(task: &str) -> String {
    format!(
        "# Task\n\n{task}\n\n# What was done\n\nA team works on it, each in a copy of its own. Their work is merged in this workspace, and you answer for the whole."
    )
}

/// What the experts said when they were done, as one report.
pub(in crate::run) fn reports(team: &Team) -> String {
    let reports =
        team.experts().iter().map(|expert| format!("{}: {}", expert.role.name, short(&expert.said)));
    reports.collect::<Vec<_>>().join("\n\n")
}

fn short(said: &str) -> String {
    if said.trim().is_empty() {
        "(nothing)".to_owned()
    } else {
        said.trim().chars().take(LONGEST_REPORT).collect()
    }
}
