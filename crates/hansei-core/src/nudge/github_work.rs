//! Whether a session works on something that others follow on GitHub: by the commands it ran, and by what is written
//! about pull requests and issues.

use crate::evidence::Situation;
use crate::session::Action;

/// A pull request or an issue, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// A pull request.
    PullRequest(u64),
    /// An issue, or a number that may be either.
    Issue(u64),
}

/// What speaks for work on GitHub.
#[allow(clippy::struct_excessive_bools, reason = "signs that are independent of each other")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GithubWork {
    /// Commands that change a history: commits, branches, pushes.
    pub git: bool,
    /// Commands that change a pull request or an issue.
    pub gh: bool,
    /// Whether a pull request or an issue is spoken of.
    pub spoken_of: bool,
    /// Whether a pull request is among those.
    pub pull_request: bool,
    references: Vec<Reference>,
}

impl GithubWork {
    /// Looks at the commands and the words of a session.
    pub fn of(situation: &Situation<'_>) -> Self {
        let mut work = Self::default();
        for call in &situation.session.calls {
            if let Action::Run { command, .. } = &call.action {
                work.command(command);
            }
        }
        for task in &situation.session.tasks {
            if let Some(request) = &task.request {
                work.text(&request.text());
            }
        }
        work.text(&situation.last_words());
        work
    }

    /// Takes a command line into account.
    pub fn command(&mut self, command: &str) {
        let words: Vec<&str> =
            command.split(|c: char| c.is_whitespace() || ";&|(){}'\"`".contains(c)).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        for (place, word) in words.iter().enumerate() {
            let rest = &words[place + 1..];
            let verb = rest.iter().find(|word| !word.starts_with('-') && !word.contains('='));
            match (*word, verb) {
                ("git", Some(&verb)) => {
                    self.git |= matches!(
                        verb,
                        "commit"
                            | "push"
                            | "branch"
                            | "checkout"
                            | "switch"
                            | "rebase"
                            | "merge"
                            | "tag"
                            | "cherry-pick"
                    );
                }
                ("gh", Some(&kind @ ("pr" | "issue"))) => {
                    let verb =
                        rest.iter().skip_while(|word| **word != kind).nth(1).copied().unwrap_or_default();
                    let changes = !matches!(verb, "view" | "list" | "status" | "diff" | "checks" | "");
                    self.gh |= changes;
                    self.spoken_of = true;
                    self.pull_request |= kind == "pr";
                    let number = rest.iter().find_map(|word| word.trim_start_matches('#').parse().ok());
                    if let Some(number) = number {
                        self.refer(kind == "pr", number);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes a text into account: `#123`, `PR 34`, `PR34`, `issue #42`, `pull request`.
    pub fn text(&mut self, text: &str) {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower
            .split(|c: char| !(c.is_alphanumeric() || c == '#'))
            .filter(|word| !word.is_empty())
            .collect();
        for (place, word) in words.iter().enumerate() {
            let before = place.checked_sub(1).map(|place| words[place]).unwrap_or_default();
            let pull_request =
                matches!(before, "pr" | "prs" | "request" | "pull" | "mr") || word.starts_with("pr#");
            let number = |text: &str| text.trim_start_matches('#').parse::<u64>().ok();
            if word.starts_with('#')
                && let Some(number) = number(word)
            {
                self.refer(pull_request, number);
            } else if matches!(before, "pr" | "issue" | "pull" | "issues")
                && word.len() <= 6
                && let Some(number) = number(word)
            {
                self.refer(before != "issue" && before != "issues", number);
            } else if let Some(number) = word.strip_prefix("pr").and_then(number) {
                self.refer(true, number);
            }
            let request = before == "pull" && (*word == "request" || *word == "requests");
            if request || matches!(*word, "pr" | "prs") {
                self.spoken_of = true;
                self.pull_request = true;
            }
        }
    }

    fn refer(&mut self, pull_request: bool, number: u64) {
        self.spoken_of = true;
        self.pull_request |= pull_request;
        self.references.push(if pull_request {
            Reference::PullRequest(number)
        } else {
            Reference::Issue(number)
        });
    }

    /// The pull request or the issue that is meant: the last pull request, else the last number.
    pub fn reference(&self) -> Option<Reference> {
        let pull_request = |reference: &&Reference| matches!(reference, Reference::PullRequest(_));
        self.references.iter().rfind(pull_request).or(self.references.last()).copied()
    }

    /// Whether anything at all speaks for work with git or on GitHub.
    pub fn is_active(&self) -> bool {
        self.git || self.gh || self.spoken_of
    }

    /// Whether others follow the work: it is on a pull request or an issue, and something was done for it.
    pub fn is_followed(&self) -> bool {
        self.gh || self.pull_request || self.spoken_of && self.git
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_change_a_history_or_a_pull_request() {
        for (command, git, gh) in [
            ("git commit -m 'x'", true, false),
            ("git -c user.name=x push -u origin fix", true, false),
            ("cd a && git checkout -b fix", true, false),
            ("git status", false, false),
            ("git log --oneline", false, false),
            ("gh pr create --fill", false, true),
            ("gh pr comment 34 --body x", false, true),
            ("gh issue comment 9", false, true),
            ("gh issue create", false, true),
            ("gh pr view 34", false, false),
            ("cat git.txt", false, false),
        ] {
            let mut work = GithubWork::default();
            work.command(command);
            assert_eq!((work.git, work.gh), (git, gh), "{command}");
        }
    }

    #[test]
    fn pull_requests_and_issues_in_a_text() {
        for (text, reference, pull_request) in [
            ("the fix for #123 is in", Some(Reference::Issue(123)), false),
            ("PR #34 is open", Some(Reference::PullRequest(34)), true),
            ("follow-up to PR34", Some(Reference::PullRequest(34)), true),
            ("pr 7, then the rest", Some(Reference::PullRequest(7)), true),
            ("see issue #42.", Some(Reference::Issue(42)), false),
            ("issue #42 and pull request #8", Some(Reference::PullRequest(8)), true),
            ("I opened a pull request", None, true),
            ("a pressing problem with 34 files", None, false),
            ("the colour #fff and printf", None, false),
        ] {
            let mut work = GithubWork::default();
            work.text(text);
            assert_eq!((work.reference(), work.pull_request), (reference, pull_request), "{text}");
            assert_eq!(work.spoken_of, reference.is_some() || pull_request, "{text}");
        }
    }
}
