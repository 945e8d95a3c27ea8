//! Whether a session works on something that others follow on GitHub: by the commands it ran, and by what is written
//! about pull requests and issues.

use crate::check::{PlainCommand, commands};
use crate::evidence::Situation;
use crate::session::Action;

/// What others follow, with its number where one is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A pull request.
    PullRequest(Option<u64>),
    /// An issue, or a number that may be either.
    Issue(Option<u64>),
}

impl Subject {
    fn of(kind: &str, number: Option<u64>) -> Self {
        if kind == "pr" { Self::PullRequest(number) } else { Self::Issue(number) }
    }

    fn number(self) -> Option<u64> {
        match self {
            Self::PullRequest(number) | Self::Issue(number) => number,
        }
    }
}

/// What speaks for work on GitHub.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GithubWork {
    /// Commands that change a history: commits, branches, pushes.
    pub git: bool,
    /// Whether a pull request or an issue is spoken of, or was looked at.
    pub spoken_of: bool,
    /// What `gh` changed last.
    changed: Option<Subject>,
    mentions: Vec<Subject>,
}

impl GithubWork {
    /// Looks at the commands and the words of a session.
    pub fn of(situation: &Situation<'_>) -> Self {
        let mut work = Self::default();
        for call in &situation.session.calls {
            if let Action::Run { command, .. } = &call.action {
                work.command(command, call.end.as_ref().map(|end| end.output.text()).as_deref());
            }
        }
        for task in &situation.session.tasks {
            task.request.iter().for_each(|request| work.text(&request.text()));
        }
        let said = situation.task().into_iter().flat_map(|task| &task.turns);
        said.filter_map(|turn| turn.last_words.as_ref()).for_each(|words| work.text(&words.text()));
        work
    }

    /// Takes a command line into account, and what it printed: `gh` answers with the address of what it created.
    fn command(&mut self, line: &str, printed: Option<&str>) {
        if !line.contains("git") && !line.contains("gh") {
            return;
        }
        for command in commands(line) {
            match command.program() {
                "git" => self.git_command(&command),
                "gh" => self.gh_command(&command, printed.unwrap_or_default()),
                _ => {}
            }
        }
    }

    fn git_command(&mut self, command: &PlainCommand) {
        let verb = operands(command).next().unwrap_or_default();
        if HISTORY.contains(&verb) {
            self.git = true;
            // "Fixes #42" in a message.
            command.arguments().iter().for_each(|argument| self.text(argument));
        }
    }

    fn gh_command(&mut self, command: &PlainCommand, printed: &str) {
        let mut operands = operands(command);
        let Some(kind @ ("pr" | "issue")) = operands.next() else { return };
        let Some(verb) = operands.next() else { return };
        command.arguments().iter().for_each(|argument| self.text(argument));
        let path = if kind == "pr" { "/pull/" } else { "/issues/" };
        let address = |text: &str| leading_number(text.rsplit_once(path)?.1);
        let named = operands.find_map(|word| number(word.trim_start_matches('#')).or_else(|| address(word)));
        let subject = Subject::of(kind, named.or_else(|| address(printed).filter(|_| verb == "create")));
        self.mention(subject);
        if !LOOKS.contains(&verb) {
            self.changed = Some(subject);
        }
    }

    /// Takes a text into account: `#123`, `PR 34`, `PR34`, `issue #42`, `pull request`.
    fn text(&mut self, text: &str) {
        let lower = text.to_lowercase();
        let words = words(&lower);
        let of_colours = words.iter().any(|(_, word)| COLOURS.contains(word) || is_colour(word));
        let word = |place: Option<usize>| place.map_or("", |place| words[place].1);
        for (place, (gap, here)) in words.iter().enumerate() {
            let (before, first) = (word(place.checked_sub(1)), word(place.checked_sub(2)));
            let close = matches!(gap.trim(), "" | "-" | "/");
            let is_request = before == "pull" || before == "request" && first == "pull";
            let pull_request = is_request || matches!(before, "pr" | "prs" | "mr");
            let issue = matches!(before, "issue" | "issues");
            if let Some(digits) = here.strip_prefix('#') {
                let hues = of_colours && matches!(digits.len(), 3 | 6);
                let bare = !pull_request && !issue;
                let other = bare && (digits.len() > LONGEST_BARE || hues || NUMBERED.contains(&before));
                if let Some(number) = number(digits).filter(|_| !other) {
                    self.mention(Subject::of(if pull_request { "pr" } else { "issue" }, Some(number)));
                }
            } else if let Some(number) =
                here.strip_prefix("pr").map(|rest| rest.trim_start_matches('#')).and_then(number)
            {
                self.mention(Subject::PullRequest(Some(number)));
            } else if close
                && (pull_request || issue && !ACTING.contains(&first))
                && let Some(number) = number(here)
            {
                self.mention(Subject::of(if issue { "issue" } else { "pr" }, Some(number)));
            } else if matches!(*here, "pr" | "prs")
                || before == "pull" && matches!(*here, "request" | "requests")
            {
                self.mention(Subject::PullRequest(None));
            }
        }
    }

    fn mention(&mut self, subject: Subject) {
        self.spoken_of = true;
        self.mentions.push(subject);
    }

    /// What is to be updated: what `gh` changed last; else the last pull request with a number, else the last number. A new
    /// one of which no number is known goes by what the words name.
    pub fn subject(&self) -> Subject {
        let mentions = || self.mentions.iter().rev().copied();
        let request = |subject: &Subject| matches!(subject, Subject::PullRequest(Some(_)));
        let issue = |subject: &Subject| matches!(subject, Subject::Issue(Some(_)));
        match self.changed {
            Some(numbered) if numbered.number().is_some() => numbered,
            Some(Subject::Issue(_)) => mentions().find(issue).unwrap_or(Subject::Issue(None)),
            _ => {
                let named = mentions().find(request).or_else(|| mentions().find(issue));
                named.or_else(|| mentions().next()).unwrap_or(Subject::PullRequest(None))
            }
        }
    }

    /// Whether anything at all speaks for work with git or on GitHub.
    pub fn is_active(&self) -> bool {
        self.git || self.spoken_of
    }

    /// Whether others follow the work: it is on a pull request or an issue.
    pub fn is_followed(&self) -> bool {
        self.spoken_of
    }
}

/// Subcommands of git that change a history.
const HISTORY: [&str; 9] =
    ["commit", "push", "branch", "checkout", "switch", "rebase", "merge", "tag", "cherry-pick"];
/// Subcommands of gh that only look.
const LOOKS: [&str; 5] = ["view", "list", "status", "diff", "checks"];
/// Options of git and gh whose value is a word of its own.
const WITH_VALUE: [&str; 22] = [
    "-C", "-c", "--git-dir", "--work-tree", "-R", "--repo", "-b", "--body", "-t", "--title", "-F",
    "--body-file", "-l", "--label", "-a", "--assignee", "-B", "--base", "-H", "--head", "--reviewer",
    "--milestone",
];
/// The most digits of a bare `#123`: more are a colour, a build or somebody's ticket.
const LONGEST_BARE: usize = 5;
/// What else is numbered with `#`.
const NUMBERED: [&str; 32] = [
    "step", "item", "option", "attempt", "test", "case", "line", "phase", "part", "point", "try", "round",
    "question", "example", "number", "row", "column", "chapter", "figure", "version", "build", "run", "job",
    "node", "slide", "page", "task", "rule", "section", "table", "slot", "our",
];
/// Words of a text in which `#333` is a colour.
const COLOURS: [&str; 10] =
    ["color", "colour", "colors", "colours", "hex", "background", "border", "css", "fill", "stroke"];
/// Before "issue 3 requests", which is no issue.
const ACTING: [&str; 12] =
    ["i", "we", "you", "they", "it", "to", "will", "would", "must", "can", "should", "not"];

/// What is no option of a command, and no option's value.
fn operands(command: &PlainCommand) -> impl Iterator<Item = &str> {
    let mut is_value = false;
    command.arguments().iter().map(String::as_str).filter(move |word| {
        let value = std::mem::replace(&mut is_value, WITH_VALUE.contains(word));
        !value && !word.starts_with('-')
    })
}

/// The words of a text, each with what stands before it. `&` belongs to a word, for `&#39;` is a sign.
fn words(text: &str) -> Vec<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '#' || c == '&';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |length| start + length);
        words.push((&rest[..start], &rest[start..end]));
        rest = &rest[end..];
    }
    words
}

/// A number as GitHub gives them out.
fn number(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain)
}

fn leading_number(text: &str) -> Option<u64> {
    number(text.split(|c: char| !c.is_ascii_digit()).next()?)
}

/// Whether a word can only be a colour.
fn is_colour(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|hex| {
        matches!(hex.len(), 3 | 6 | 8)
            && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
            && number(hex).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::unnecessary_wraps, reason = "as the tables have it")]
    fn issue(number: u64) -> Option<Subject> {
        Some(Subject::Issue(Some(number)))
    }

    #[allow(clippy::unnecessary_wraps, reason = "as the tables have it")]
    fn pull_request(number: u64) -> Option<Subject> {
        Some(Subject::PullRequest(Some(number)))
    }

    #[test]
    fn commands_that_change_a_history_or_what_others_follow() {
        let created = "Creating issue in o/r\n\nhttps://github.com/o/r/issues/57\n";
        for (command, printed, git, changed) in [
            ("git commit -m 'x'", "", true, None),
            ("git -c user.name=x push -u origin fix", "", true, None),
            ("cd a && git checkout -b fix", "", true, None),
            ("git status", "", false, None),
            ("git log --oneline", "", false, None),
            ("cat git.txt", "", false, None),
            ("echo 'gh issue create'", "", false, None),
            ("gh pr create --fill", "https://github.com/o/r/pull/34\n", false, pull_request(34)),
            ("gh pr create --fill", "", false, Some(Subject::PullRequest(None))),
            ("gh pr comment 34 --body x", "", false, pull_request(34)),
            ("gh pr merge --squash 34", "", false, pull_request(34)),
            ("gh issue create --title 'Error 404' --body x", created, false, issue(57)),
            ("gh issue create", "", false, Some(Subject::Issue(None))),
            ("gh -R o/r issue create", "", false, Some(Subject::Issue(None))),
            ("gh issue comment 9", "", false, issue(9)),
            ("gh issue comment --body 'as in PR #7' 123456", "", false, issue(123_456)),
            ("gh issue close https://github.com/o/r/issues/8", "", false, issue(8)),
            ("gh pr view 34", "", false, None),
        ] {
            let mut work = GithubWork::default();
            work.command(command, Some(printed));
            assert_eq!((work.git, work.changed), (git, changed), "{command}");
            assert_eq!(work.is_followed(), command.starts_with("gh "), "{command}");
            if let Some(changed) = changed {
                assert_eq!(work.subject(), changed, "{command}");
            }
        }
        for (command, words, subject) in [
            ("gh pr comment 34", "as in PR #1 and #2", pull_request(34)),
            ("gh issue comment 9", "as in PR #1", issue(9)),
            ("gh pr create --fill", "PR #412 is open for #3", pull_request(412)),
            ("gh pr create --fill", "the backport for issue #2210", issue(2210)),
            ("gh issue create", "found while at PR #34", Some(Subject::Issue(None))),
            ("gh issue create", "opened #57, found while at PR #34", issue(57)),
        ] {
            let mut work = GithubWork::default();
            work.command(command, None);
            work.text(words);
            assert_eq!(Some(work.subject()), subject, "{command}: {words}");
        }
        let mut work = GithubWork::default();
        work.command("git commit -m 'Fixes #42'", None);
        assert_eq!((work.is_followed(), Some(work.subject())), (true, issue(42)));
    }

    #[test]
    fn pull_requests_and_issues_in_a_text() {
        for (text, subject) in [
            ("the fix for #123 is in", issue(123)),
            ("(#7), then", issue(7)),
            ("PR #34 is open", pull_request(34)),
            ("follow-up to PR34", pull_request(34)),
            ("pr 7, then the rest", pull_request(7)),
            ("see issue #42.", issue(42)),
            ("Issue 42 is next", issue(42)),
            ("issue #123456 of a large project", issue(123_456)),
            ("issue #42 and pull request #8", pull_request(8)),
            ("issue #42, then I open a pull request", issue(42)),
            ("https://github.com/o/r/issues/12 says how", issue(12)),
            ("https://github.com/o/r/pull/13 says how", pull_request(13)),
            ("I opened a pull request", Some(Subject::PullRequest(None))),
            ("a pressing problem with 34 files", None),
            ("the colour #fff and printf", None),
            ("#123456", None),
            ("ticket #123456 of another tracker", None),
            ("set the background to #333", None),
            ("#ffe0e0 on #333", None),
            ("step #3 failed in attempt #2", None),
            ("it prints &#39;x&#39;", None),
            ("the only issue: 3 tests fail", None),
            ("we issue 3 requests", None),
            ("# 3 ways", None),
            ("issue #000 and page.html#12", None),
        ] {
            let mut work = GithubWork::default();
            work.text(text);
            let found = work.is_followed().then(|| work.subject());
            assert_eq!(found, subject, "{text}");
        }
    }
}
