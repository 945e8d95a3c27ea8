//! The receipt of a change: each claim that agents made about it beside the commands that support it, bound to one commit.
//!
//! It says what the transcripts on one machine say. Whoever gets it from elsewhere runs the checks again and believes those.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::Account;
use super::lookback::{Ran, edits, runs};
use crate::check::CheckResult;
use crate::evidence::{self, Mark, Place, claims_of_stops};
use crate::reflection::{object, objects, present, whole_code};
use crate::session::{Action, AnswerEnd, Excerpt, Session};
use crate::timestamp::Timestamp;

/// The most claims of a session, and commands beside a claim, that are listed.
const MOST_CLAIMS: usize = 12;
const MOST_COMMANDS: usize = 4;
/// The longest text that is quoted.
const LONGEST: usize = 240;

/// The receipt of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReceiptV1")]
pub struct Receipt {
    /// Names this format.
    pub schema: SchemaName,
    /// The name of the repository.
    pub repo: String,
    /// The commit that the change grew from.
    pub base: String,
    /// The commit that it is bound to.
    pub head: String,
    /// The branch, if one is checked out.
    #[serde(deserialize_with = "present")]
    pub branch: Option<String>,
    /// Whether what was checked is what the head commit holds, as far as anybody can tell.
    pub bound: bool,
    /// Why it is not.
    pub unbound_because: Vec<String>,
    /// The sessions whose work is in the change.
    #[serde(deserialize_with = "objects")]
    pub sessions: Vec<SessionReceipt>,
}

/// The literal `receipt.v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum SchemaName {
    /// The only version so far.
    #[serde(rename = "receipt.v1")]
    ReceiptV1,
}

/// What one session claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SessionReceipt {
    /// The agent's id for it.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The model.
    #[serde(deserialize_with = "present")]
    pub model: Option<String>,
    /// What was asked for last.
    #[serde(deserialize_with = "present")]
    pub task: Option<String>,
    /// Each claim.
    #[serde(deserialize_with = "objects")]
    pub claims: Vec<Claim>,
}

/// A claim and what ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Claim {
    /// The agent's words.
    pub text: String,
    /// How it stands.
    pub standing: ClaimStanding,
    /// The commands that speak for it or against it; empty when nothing ran that supports it.
    #[serde(deserialize_with = "objects")]
    pub commands: Vec<Command>,
}

/// How a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ClaimStanding {
    /// A check that bears on it failed last.
    Contradicted,
    /// Nothing ran that supports it.
    Unsupported,
    /// The evidence lies where nobody can look from here.
    Unverifiable,
    /// What supports it ran before the last edit.
    Stale,
    /// A check that bears on it passed after the last edit.
    Supported,
}

/// A command that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Command {
    /// The command line.
    pub command: String,
    /// The exit code of the whole line, if it is known.
    #[serde(deserialize_with = "whole_code")]
    #[schemars(range(min = -2_147_483_648_i64, max = 2_147_483_647_i64))]
    pub exit_code: Option<i32>,
    /// The check's own result.
    pub result: RunResult,
    /// Whether files were edited after it.
    pub stale: bool,
    /// When it ended.
    #[serde(deserialize_with = "present")]
    pub at: Option<Timestamp>,
}

/// A check's own result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum RunResult {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It ran nothing.
    RanNothing,
    /// The line hid it.
    Hidden,
}

impl Receipt {
    /// Reads a receipt from JSON.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Self> {
        let mut input = serde_json::Deserializer::from_slice(json);
        let receipt = object(&mut input)?;
        input.end()?;
        Ok(receipt)
    }

    /// The receipt of `change`, in which the sessions of `parts` worked.
    pub fn of(repo: &str, change: &Change, mut parts: Vec<Part>) -> Self {
        let unbound_because = unbound(change, &parts);
        age(&mut parts);
        let mut sessions: Vec<(Option<String>, SessionReceipt)> = parts
            .into_iter()
            .map(|part| (part.began.map(|began| began.moment().to_owned()), part.receipt))
            .collect();
        sessions.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.session.cmp(&b.1.session)));
        Self {
            schema: SchemaName::ReceiptV1,
            repo: repo.to_owned(),
            base: change.base.clone(),
            head: change.head.clone(),
            branch: change.branch.clone(),
            bound: unbound_because.is_empty(),
            unbound_because,
            sessions: sessions.into_iter().map(|(_, receipt)| receipt).collect(),
        }
    }

    /// How many claims stand so.
    pub fn count(&self, standing: ClaimStanding) -> usize {
        let claims = self.sessions.iter().flat_map(|session| &session.claims);
        claims.filter(|claim| claim.standing == standing).count()
    }

    /// Whether it is bound to its head and every claim is supported. Without any session it is not.
    pub fn holds(&self) -> bool {
        let all = self.sessions.iter().flat_map(|session| &session.claims);
        self.bound
            && !self.sessions.is_empty()
            && all.into_iter().all(|claim| claim.standing == ClaimStanding::Supported)
    }
}

/// The change that a receipt is for.
#[derive(Debug, Clone)]
pub struct Change {
    /// The commit that it grew from.
    pub base: String,
    /// When that was committed.
    pub base_time: Option<Timestamp>,
    /// The commit that it ends with.
    pub head: String,
    /// When that was committed.
    pub head_time: Option<Timestamp>,
    /// The branch, if one is checked out.
    pub branch: Option<String>,
    /// The paths that differ between the two, and those that are not committed.
    pub paths: BTreeSet<String>,
    /// The paths that are not committed.
    pub dirty: Vec<String>,
}

/// One session's part in a change.
#[derive(Debug, Clone)]
pub struct Part {
    receipt: SessionReceipt,
    began: Option<Timestamp>,
    last_check: Option<Timestamp>,
    ran_checks: bool,
    last_edit: Option<Timestamp>,
    /// When it committed what it had checked and not edited since.
    commits: Vec<(Timestamp, Timestamp)>,
}

/// The part of `account` in `change`; none if its work is not in it.
///
/// A session's work is in a change when it edited one of its paths, on its branch, after its base was committed.
pub fn part(account: &Account, change: &Change) -> Option<Part> {
    let session = account.session.as_ref()?;
    let elsewhere = matches!((account.branch(), &change.branch), (Some(a), Some(b)) if a != b);
    let before = match (account.last(), &change.base_time) {
        (Some(last), Some(base)) => second(last) < second(base),
        _ => false,
    };
    if elsewhere || before || !touches(account, session, change) {
        return None;
    }
    let ran: Vec<Ran<'_>> = runs(session, 0..session.calls.len()).collect();
    let last = ran.last();
    Some(Part {
        receipt: SessionReceipt {
            session: account.id.clone(),
            agent: account.agent.clone(),
            model: account.model().map(ToOwned::to_owned),
            task: session.tasks.last().and_then(|task| task.request.as_ref()).map(|text| cut(&text.text())),
            claims: claims_of(session),
        },
        began: session.started.clone(),
        last_check: last.and_then(|ran| ended(session, ran.place)),
        ran_checks: last.is_some(),
        last_edit: edits(session, 0..session.calls.len()).last().and_then(|(place, _)| ended(session, place)),
        commits: last.map(|ran| own_commits(session, ran.place)).unwrap_or_default(),
    })
}

/// Whether the session edited a path of the change.
fn touches(account: &Account, session: &Session, change: &Change) -> bool {
    let is_in = |path: &str| {
        let path = path.trim_start_matches("./");
        change.paths.iter().any(|changed| {
            changed == path
                || path.strip_suffix(changed.as_str()).is_some_and(|rest| rest.ends_with('/'))
                || changed.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'))
        })
    };
    let by_hand = session.calls.iter().any(|call| match &call.action {
        Action::Edit { paths } => {
            call.end.as_ref().is_some_and(|end| end.end == AnswerEnd::Done)
                && paths.iter().any(|path| is_in(path))
        }
        _ => false,
    });
    by_hand || account.files_changed.iter().any(|path| change.paths.contains(path))
}

/// Every claim of the session's stops, with what ran. A sentence that makes several stands as its weakest does.
fn claims_of(session: &Session) -> Vec<Claim> {
    let mut all: Vec<Claim> = Vec::new();
    for (_, claims) in claims_of_stops(session) {
        let earlier = all.len();
        for claim in claims {
            let text = cut(&claim.quote);
            match all.iter().position(|known| known.text == text) {
                Some(known) if known >= earlier => all[known].join(shown(session, text, &claim)),
                None if all.len() < MOST_CLAIMS => all.push(shown(session, text, &claim)),
                _ => {}
            }
        }
    }
    all
}

impl Claim {
    /// Another claim of the same sentence: the weaker one stands, with its commands; where both stand alike, with those of both.
    fn join(&mut self, other: Self) {
        if other.standing < self.standing {
            *self = other;
        } else if other.standing == self.standing {
            for command in other.commands {
                if self.commands.len() < MOST_COMMANDS && !self.commands.contains(&command) {
                    self.commands.push(command);
                }
            }
        }
    }
}

/// A claim with the checks that say how it stands.
fn shown(session: &Session, text: String, claim: &evidence::Claim) -> Claim {
    let places = claim.places.iter().filter_map(|place| match place {
        Place::Call(at) => Some(*at),
        _ => None,
    });
    let stale = claim.is_stale;
    let standing = match claim.mark {
        Mark::Contradicted => ClaimStanding::Contradicted,
        Mark::Unsupported if stale => ClaimStanding::Stale,
        Mark::Unsupported => ClaimStanding::Unsupported,
        Mark::Unverifiable => ClaimStanding::Unverifiable,
        Mark::Supported => ClaimStanding::Supported,
    };
    let ran = places.flat_map(|at| runs(session, at..at + 1));
    let commands = ran.take(MOST_COMMANDS).map(|ran| command(session, &ran, stale)).collect();
    Claim { text, standing, commands }
}

fn command(session: &Session, ran: &Ran<'_>, stale: bool) -> Command {
    let call = &session.calls[ran.place];
    let line = match &call.action {
        Action::Run { command, .. } => command.as_str(),
        _ => ran.run.check.text.as_str(),
    };
    Command {
        command: cut(line),
        exit_code: call.end.as_ref().and_then(|end| end.exit_code),
        result: match ran.run.result {
            CheckResult::Passed => RunResult::Passed,
            CheckResult::Failed => RunResult::Failed,
            CheckResult::NothingRun => RunResult::RanNothing,
            CheckResult::Unknown => RunResult::Hidden,
        },
        stale,
        at: ended(session, ran.place),
    }
}

/// When the call at `place` ended.
fn ended(session: &Session, place: usize) -> Option<Timestamp> {
    let call = session.calls.get(place)?;
    call.end.as_ref().and_then(|end| end.at.clone()).or_else(|| call.at.clone())
}

/// When the session ran `git commit` after the check at `place`, without an edit in between.
fn own_commits(session: &Session, place: usize) -> Vec<(Timestamp, Timestamp)> {
    let until =
        edits(session, place..session.calls.len()).next().map_or(session.calls.len(), |(edit, _)| edit);
    let commits = session.calls[place..until].iter().filter_map(|call| {
        let Action::Run { command, .. } = &call.action else { return None };
        let end = call.end.as_ref().filter(|end| end.end == AnswerEnd::Done)?;
        let is_commit = crate::check::commands(command).iter().any(|plain| {
            plain.words.first().is_some_and(|word| word == "git")
                && plain.words.iter().any(|word| word == "commit")
        });
        is_commit.then(|| Some((call.at.clone()?, end.at.clone()?)))?
    });
    commits.collect()
}

/// Why nobody can say that what was checked is what the head commit holds.
fn unbound(change: &Change, parts: &[Part]) -> Vec<String> {
    let mut because = Vec::new();
    if !change.dirty.is_empty() {
        let named: Vec<String> = change.dirty.iter().take(3).map(|path| cut(path)).collect();
        let more = change.dirty.len().saturating_sub(named.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        because.push(format!("the work tree has changes that are not committed: {}{more}", named.join(", ")));
    }
    if parts.is_empty() {
        because.push("no session on this machine worked on this change".to_owned());
        return because;
    }
    if !parts.iter().any(|part| part.ran_checks) {
        because.push("no check ran in these sessions".to_owned());
        return because;
    }
    let last =
        parts.iter().filter_map(|part| part.last_check.as_ref()).max_by(|a, b| a.moment().cmp(b.moment()));
    match (last, &change.head_time) {
        (Some(last), Some(head)) if second(head) <= second(last) => {}
        (Some(_), Some(head)) if parts.iter().any(|part| part.committed_at(head)) => {}
        (Some(last), Some(head)) => because.push(format!(
            "HEAD was committed at {}Z, after the last check at {}Z: nothing shows that it holds what was checked",
            second(head),
            second(last)
        )),
        _ => because.push("when the checks ran, or when HEAD was committed, is unknown".to_owned()),
    }
    because
}

/// What supports a claim is stale, too, when another session edited later and nobody ran the same command again.
fn age(parts: &mut [Part]) {
    let passes: Vec<(String, String)> = parts
        .iter()
        .flat_map(|part| part.receipt.claims.iter().flat_map(|claim| &claim.commands))
        .filter(|command| command.result == RunResult::Passed && !command.stale)
        .filter_map(|command| Some((command.command.clone(), command.at.as_ref()?.moment().to_owned())))
        .collect();
    let edited: Vec<Option<String>> =
        parts.iter().map(|part| part.last_edit.as_ref().map(|at| at.moment().to_owned())).collect();
    for (place, part) in parts.iter_mut().enumerate() {
        let others = edited.iter().enumerate().filter(|(other, _)| *other != place);
        let Some(edit) = others.filter_map(|(_, edit)| edit.as_deref()).max() else { continue };
        for claim in part.receipt.claims.iter_mut().filter(|claim| claim.standing == ClaimStanding::Supported)
        {
            for command in &mut claim.commands {
                let again = || passes.iter().any(|(line, at)| *line == command.command && at.as_str() > edit);
                command.stale = command.at.as_ref().is_some_and(|at| at.moment() < edit) && !again();
            }
            if !claim.commands.is_empty() && claim.commands.iter().all(|command| command.stale) {
                claim.standing = ClaimStanding::Stale;
            }
        }
    }
}

impl Part {
    /// Whether the session itself made a commit at this moment, of what it had checked.
    fn committed_at(&self, head: &Timestamp) -> bool {
        self.commits.iter().any(|(from, to)| second(from) <= second(head) && second(head) <= second(to))
    }
}

/// A moment to the second, which is all that a commit knows.
fn second(moment: &Timestamp) -> &str {
    moment.as_str().get(..19).unwrap_or_default()
}

fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Excerpt::of(&line, LONGEST, 0).head
}

#[cfg(test)]
#[path = "receipt_tests.rs"]
mod tests;
