//! A receipt as a comment on a pull request.
//!
//! Whatever others wrote (claims, commands, names, reasons) stands in code spans on one line, where no mention, link, markup
//! or HTML means anything. Nothing else of theirs reaches the page.

use std::fmt::Write as _;

use super::receipt::{Claim, ClaimStanding, Command, Receipt, RunResult, SessionReceipt};

/// How our comment is found again.
pub const MARK: &str = "<!-- hansei-receipt -->";
/// The longest text of others on the page.
const LONGEST: usize = 300;

/// A check that was run again, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rerun {
    /// The command line.
    pub command: String,
    /// Its exit code.
    pub exit_code: i32,
}

/// What was run again by whoever shows the receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reruns {
    /// Nobody tried.
    NotAsked,
    /// These, which may be none because none are declared.
    Ran(Vec<Rerun>),
}

/// The page. `head` is the commit that it is shown at, where that is known from elsewhere.
pub fn markdown(receipt: &Receipt, head: Option<&str>, reruns: &Reruns) -> String {
    // Writing to a String cannot fail.
    let mut page = format!("{MARK}\n### Hansei receipt\n\n");
    if let Reruns::Ran(ran) = reruns {
        rerun_table(&mut page, ran);
        let _ = writeln!(page, "#### What the author's machine says\n");
    }
    let on = receipt.branch.as_deref().map(|branch| format!(" on {}", code(branch))).unwrap_or_default();
    let _ = writeln!(
        page,
        "Commit {}{on}, from {}. {}.\n",
        code(&receipt.head),
        code(&receipt.base),
        summary(receipt)
    );
    if let Some(head) = head.filter(|head| *head != receipt.head) {
        let _ = writeln!(
            page,
            "> **Made for another commit** than {}: nothing below speaks about that one.\n",
            code(head)
        );
    }
    if !receipt.bound {
        let _ = writeln!(page, "> **Not bound to this commit:**");
        for reason in &receipt.unbound_because {
            let _ = writeln!(page, "> - {}", code(reason));
        }
        page.push('\n');
    }
    for session in &receipt.sessions {
        session_table(&mut page, session);
    }
    page.push_str(
        "Read from the agents' transcripts. An exit code is that of the whole line; the result is the check's own.\n",
    );
    page
}

fn summary(receipt: &Receipt) -> String {
    let claims = receipt.sessions.iter().map(|session| session.claims.len()).sum::<usize>();
    let plural = |count: usize, one: &str| {
        if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
    };
    let of = |standing: ClaimStanding, word: &str| {
        let count = receipt.count(standing);
        (count > 0).then(|| format!("{count} {word}"))
    };
    let parts: Vec<String> = [
        of(ClaimStanding::Contradicted, "contradicted"),
        of(ClaimStanding::Unsupported, "unsupported"),
        of(ClaimStanding::Unverifiable, "unverifiable"),
        of(ClaimStanding::Stale, "stale"),
        of(ClaimStanding::Supported, "supported"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}, {}{parts}", plural(receipt.sessions.len(), "session"), plural(claims, "claim"))
}

fn rerun_table(page: &mut String, ran: &[Rerun]) {
    let _ = writeln!(page, "#### Run again here\n");
    if ran.is_empty() {
        let _ = writeln!(page, "Nothing: the base branch declares no checks.\n");
        return;
    }
    let _ = writeln!(page, "| check of the base branch | exit code | |\n|---|---|---|");
    for rerun in ran {
        let word = if rerun.exit_code == 0 { "passed" } else { "**failed**" };
        let _ = writeln!(page, "| {} | {} | {word} |", code(&rerun.command), rerun.exit_code);
    }
    page.push('\n');
}

fn session_table(page: &mut String, session: &SessionReceipt) {
    let model = session.model.as_deref().map(|model| format!(", {}", code(model))).unwrap_or_default();
    let task = session.task.as_deref().map(|task| format!(": {}", code(task))).unwrap_or_default();
    let _ = writeln!(page, "**{}**{model}, session {}{task}\n", code(&session.agent), code(&session.session));
    if session.claims.is_empty() {
        let _ = writeln!(page, "It claimed nothing.\n");
        return;
    }
    let _ = writeln!(page, "| claim | stands | what ran |\n|---|---|---|");
    for claim in &session.claims {
        let _ = writeln!(page, "| {} | {} | {} |", code(&claim.text), standing(claim), commands(claim));
    }
    page.push('\n');
}

fn standing(claim: &Claim) -> &'static str {
    match claim.standing {
        ClaimStanding::Contradicted => "**contradicted**",
        ClaimStanding::Unsupported => "**unsupported**",
        ClaimStanding::Unverifiable => "unverifiable",
        ClaimStanding::Stale => "**stale**",
        ClaimStanding::Supported => "supported",
    }
}

fn commands(claim: &Claim) -> String {
    let lines: Vec<String> = claim.commands.iter().map(command).collect();
    match (claim.standing, lines.is_empty()) {
        (ClaimStanding::Supported, true) => "no check: what was done shows it".to_owned(),
        (_, true) => "nothing ran that supports this".to_owned(),
        (ClaimStanding::Unsupported, false) => {
            format!("nothing ran that supports this; {}", lines.join("; "))
        }
        (_, false) => lines.join("; "),
    }
}

fn command(command: &Command) -> String {
    let exit = command
        .exit_code
        .map_or_else(|| "exit code unknown".to_owned(), |exit_code| format!("exit {exit_code}"));
    let result = match command.result {
        RunResult::Passed => "passed",
        RunResult::Failed => "**failed**",
        RunResult::RanNothing => "ran nothing",
        RunResult::Hidden => "result hidden",
    };
    let stale = if command.stale { ", edited since" } else { "" };
    let at = command
        .at
        .as_ref()
        .map(|at| format!(", {}", at.as_str().get(..16).unwrap_or_default().replace('T', " ")))
        .unwrap_or_default();
    format!("{} {exit}, {result}{stale}{at}", code(&command.command))
}

/// Text that others wrote, as a code span that it cannot leave.
fn code(text: &str) -> String {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let clean: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !hidden(*c)).collect();
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = if line.chars().count() > LONGEST {
        line.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        line
    };
    if shown.is_empty() {
        return "(nothing)".to_owned();
    }
    // A bar would end the cell of a table, even in code.
    let shown = shown.replace('|', "\\|");
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

#[cfg(test)]
#[path = "receipt_markdown_tests.rs"]
mod tests;
