//! The digest: what a person reads in the morning about the sessions of a night. Each stands in one group, the most urgent
//! first, with the one line that matters.

use serde::Serialize;

use super::account::{Account, Findings, LastDecision};
use crate::evidence::{Class, Evidence, Kind};
use crate::session::{Action, Call, Excerpt, Session, Task, Turn, is_usage_limit};
use crate::timestamp::Timestamp;
use crate::verdict::{Ending, Pause, Standing};

/// Where a session stands, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// It waits for a human.
    NeedsYou,
    /// A limit on use ended it.
    LimitHit,
    /// It went round in circles.
    Stuck,
    /// Nothing shows that it is done, or something speaks against it.
    Unverified,
    /// A human ended it.
    Aborted,
    /// It is done, and a check that passed after the last edit shows it.
    Verified,
}

impl Group {
    /// Every group, the most urgent first.
    pub const ALL: [Self; 6] =
        [Self::NeedsYou, Self::LimitHit, Self::Stuck, Self::Unverified, Self::Aborted, Self::Verified];

    /// What it is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::NeedsYou => "needs you",
            Self::LimitHit => "limit hit",
            Self::Stuck => "stuck",
            Self::Unverified => "unverified",
            Self::Aborted => "aborted",
            Self::Verified => "verified",
        }
    }
}

/// One session of the digest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// Where it stands.
    pub group: Group,
    /// The agent's id for it.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The model.
    pub model: Option<String>,
    /// The repository.
    pub repo: String,
    /// The branch.
    pub branch: Option<String>,
    /// Whether the folder that it worked in is gone.
    pub folder_is_gone: bool,
    /// What was asked for last.
    pub task: Option<String>,
    /// The one line that matters.
    pub line: String,
    /// When something last happened.
    pub at: Option<Timestamp>,
    /// How often Hansei sent the agent back.
    pub send_backs: usize,
    /// Whether it was let go with what was found standing, because a cap ran out.
    pub overridden: bool,
    /// Tokens read and written; unknown when the transcript is gone.
    pub tokens: Option<u64>,
    /// US dollars, where the agent says so.
    pub cost_usd: Option<f64>,
}

/// The sessions of a night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Digest {
    /// Since when.
    pub since: Timestamp,
    /// How many sessions.
    pub sessions: usize,
    /// Tokens read and written, as far as they are known.
    pub tokens: u64,
    /// US dollars, as far as agents say so.
    pub cost_usd: Option<f64>,
    /// The sessions, the most urgent first, and within a group the newest.
    pub entries: Vec<Entry>,
}

impl Digest {
    /// The digest of `entries` in which something happened since then.
    pub fn of(since: Timestamp, entries: Vec<Entry>) -> Self {
        let is_new = |entry: &Entry| entry.at.as_ref().is_some_and(|at| at.moment() >= since.moment());
        let mut entries: Vec<Entry> = entries.into_iter().filter(is_new).collect();
        let newest = |entry: &Entry| entry.at.as_ref().map(|at| at.moment().to_owned());
        entries.sort_by(|a, b| {
            a.group
                .cmp(&b.group)
                .then_with(|| newest(b).cmp(&newest(a)))
                .then_with(|| a.session.cmp(&b.session))
        });
        let tokens = entries.iter().filter_map(|entry| entry.tokens).fold(0, u64::saturating_add);
        let costs: Vec<f64> = entries.iter().filter_map(|entry| entry.cost_usd).collect();
        let cost_usd = (!costs.is_empty()).then(|| costs.iter().sum());
        Self { since, sessions: entries.len(), tokens, cost_usd, entries }
    }
}

/// Where the session of `account` stands, and the one line that matters.
pub fn entry(account: &Account) -> Entry {
    let (group, line) = match (&account.session, account.findings()) {
        (Some(session), Some(findings)) => seen(account, session, &findings),
        _ => recorded(account),
    };
    let session = account.session.as_ref();
    Entry {
        group,
        session: account.id.clone(),
        agent: account.agent.clone(),
        model: account.model().map(ToOwned::to_owned),
        repo: account.repo.clone(),
        branch: account.branch().map(ToOwned::to_owned),
        folder_is_gone: account.folder_is_gone,
        task: session.and_then(|session| task(session)?.request.as_ref()).map(Excerpt::text),
        line,
        at: account.last().cloned(),
        send_backs: account.send_backs(),
        overridden: account.was_overridden(),
        tokens: session.map(|session| session.usage.tokens()),
        cost_usd: session.and_then(|session| session.usage.cost_usd),
    }
}

fn task(session: &Session) -> Option<&Task> {
    session.tasks.last()
}

/// A session whose transcript is there.
fn seen(account: &Account, session: &Session, findings: &Findings) -> (Group, String) {
    let turn = task(session).and_then(|task| task.turns.last());
    let decision = account.last_decision();
    if turn.is_some_and(|turn| turn.aborted) || decision == Some(LastDecision::Aborted) {
        return (Group::Aborted, interrupted(session, turn));
    }
    if let Some(error) = turn.and_then(|turn| turn.failed.as_deref()) {
        let error = error.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").trim();
        return if is_usage_limit(error)
            || turn.and_then(|turn| turn.failed.as_deref()).is_some_and(is_usage_limit)
        {
            (Group::LimitHit, error.to_owned())
        } else {
            (Group::Unverified, format!("the turn failed: {error}"))
        };
    }
    if session.is_working() && decision.is_none() {
        return (Group::Unverified, "it had not stopped yet".to_owned());
    }
    let standing = match decision {
        // The user's word is newer than a judgement that rests on what the user calls wrong.
        Some(LastDecision::LetGo(_, Some(standing))) if !account.was_judged_wrongly() => standing,
        _ => findings.judgement.standing,
    };
    let loops = findings.evidence.iter().find(|found| found.kind.class() == Class::Loop);
    let group = match standing {
        Standing::Ended(Ending::GaveUpAfterReflections) if loops.is_some() => Group::Stuck,
        standing => group_of(standing, passed(findings).is_some()),
    };
    let line = match group {
        Group::NeedsYou => question(session, turn, findings),
        Group::Stuck => loops.map_or_else(|| no_progress(account, findings), |found| told(&found.text)),
        Group::Verified => passed(findings).map(|found| found.text.clone()).unwrap_or_default(),
        Group::Unverified | Group::LimitHit | Group::Aborted => doubt(account, findings),
    };
    (group, line)
}

/// A session of which only our own records are left.
fn recorded(account: &Account) -> (Group, String) {
    let verdict = account.verdict.as_ref();
    let standing = match account.last_decision() {
        Some(LastDecision::Aborted) => return (Group::Aborted, "interrupted".to_owned()),
        Some(LastDecision::LetGo(_, Some(standing))) => Some(standing),
        _ => verdict.and_then(|verdict| verdict.ending),
    };
    let Some(standing) = standing else {
        return (Group::Unverified, "its transcript is gone, and nobody judged it".to_owned());
    };
    let text = |kind: &str| {
        let found = verdict?.evidence.iter().find(|found| found.kind == kind)?;
        Some(third_person(&found.text))
    };
    let passed = text("check_passed");
    let group = group_of(standing, passed.is_some());
    let feedback = verdict.map(|verdict| third_person(&verdict.verdict.feedback));
    let line = match group {
        Group::Verified => passed,
        Group::NeedsYou => text("human_only").or_else(|| text("question_asked")).or(feedback),
        _ => feedback,
    };
    (group, line.unwrap_or_else(|| "its transcript is gone".to_owned()))
}

fn group_of(standing: Standing, verified: bool) -> Group {
    match standing {
        Standing::Ended(Ending::Complete) if verified => Group::Verified,
        Standing::Ended(Ending::Complete | Ending::GaveUpAfterReflections | Ending::Failed)
        | Standing::Paused(Pause::WaitingBackground) => Group::Unverified,
        Standing::Ended(Ending::Stuck) => Group::Stuck,
        Standing::Ended(Ending::Aborted) => Group::Aborted,
        Standing::Ended(Ending::BudgetSpent | Ending::UsageLimit) => Group::LimitHit,
        Standing::Ended(Ending::Impossible)
        | Standing::Paused(Pause::WaitingForUser | Pause::BlockedOnHuman | Pause::Parked) => Group::NeedsYou,
    }
}

/// The check that shows it: the newest that passed.
fn passed(findings: &Findings) -> Option<&Evidence> {
    findings.evidence.iter().rev().find(|found| found.kind == Kind::CheckPassed)
}

/// What a session waits for.
fn question(session: &Session, turn: Option<&Turn>, findings: &Findings) -> String {
    let found = |kind: Kind| findings.evidence.iter().find(|found| found.kind == kind);
    if let Some(found) = found(Kind::HumanOnly) {
        return third_person(&found.text);
    }
    if let Some(Action::Ask { question }) = last_call(session, turn).map(|call| &call.action) {
        return format!("it asks: {question}");
    }
    if let Some(Action::Plan) = last_call(session, turn).map(|call| &call.action) {
        return "its plan waits for your word".to_owned();
    }
    let words = turn.and_then(|turn| turn.last_words.as_ref()).map(Excerpt::text).unwrap_or_default();
    let asked = words.split_inclusive(['.', '!', '?', '\n']).map(str::trim).rfind(|part| part.ends_with('?'));
    if let Some(asked) = asked {
        return format!("it asks: {asked}");
    }
    let decisive = found(Kind::QuestionAsked).or_else(|| found(Kind::PermissionSought));
    decisive
        .map_or_else(|| third_person(&findings.judgement.verdict.feedback), |found| third_person(&found.text))
}

fn last_call<'a>(session: &'a Session, turn: Option<&Turn>) -> Option<&'a Call> {
    session.calls.get(turn?.calls.clone())?.last()
}

/// What speaks against it, or that nothing speaks for it.
fn doubt(account: &Account, findings: &Findings) -> String {
    let verdict = &findings.judgement.verdict;
    if verdict.complete && passed(findings).is_some() {
        return "nothing is found against it now, though it was let go as unfinished".to_owned();
    }
    if verdict.complete {
        let no_code = findings.evidence.iter().any(|found| found.kind == Kind::NoCodeDue);
        let edited = account.session.as_ref().is_some_and(edited);
        return if no_code || !edited {
            "nothing to check: no code was changed".to_owned()
        } else {
            "no check ran after the last edit".to_owned()
        };
    }
    let decisive = |id: &String| findings.evidence.iter().find(|found| found.id == *id);
    let worst = verdict.evidence_ids.iter().find_map(decisive);
    // A claim that was contradicted says less than the check that contradicts it.
    let check = worst.filter(|worst| worst.kind == Kind::ClaimContradicted).and_then(|claim| {
        let same = |found: &&Evidence| found.place == claim.place && found.kind.class() == Class::Executed;
        findings.evidence.iter().filter(same).find(|found| found.kind != Kind::ClaimContradicted)
    });
    let text = check.or(worst).map(|found| third_person(&found.text));
    let text = text.unwrap_or_else(|| third_person(&verdict.feedback));
    match account.send_backs() {
        0 => text,
        1 => format!("sent back once; {text}"),
        times => format!("sent back {times} times; {text}"),
    }
}

/// What a loop is, without the advice that its agent is given.
fn told(text: &str) -> String {
    third_person(text.split("; try").next().unwrap_or(text))
}

fn no_progress(account: &Account, findings: &Findings) -> String {
    format!("no progress: {}", doubt(account, findings))
}

/// Whether files that a check may cover were edited for the last task.
fn edited(session: &Session) -> bool {
    let start = task(session).and_then(|task| task.turns.first()).map_or(0, |turn| turn.calls.start);
    super::lookback::edits(session, start..session.calls.len()).next().is_some()
}

fn interrupted(session: &Session, turn: Option<&Turn>) -> String {
    match last_call(session, turn).map(|call| &call.action) {
        Some(Action::Run { command, .. }) => {
            format!("interrupted at `{}`", command.lines().next().unwrap_or_default())
        }
        Some(Action::Edit { paths }) => {
            format!("interrupted at an edit of {}", paths.first().map_or("a file", String::as_str))
        }
        _ => "interrupted".to_owned(),
    }
}

/// Evidence speaks to the agent; a person is told about it. Code and quotations stay as they are.
fn third_person(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut word = String::new();
    let mut quoted = None;
    let finish = |word: &mut String, told: &mut String, quoted: bool| {
        let replaced = match word.as_str() {
            "you" if !quoted => "it",
            "You" if !quoted => "It",
            "your" if !quoted => "its",
            "Your" if !quoted => "Its",
            other => other,
        };
        told.push_str(replaced);
        word.clear();
    };
    for c in text.chars() {
        if c.is_alphanumeric() || c == '\'' {
            word.push(c);
            continue;
        }
        finish(&mut word, &mut told, quoted.is_some());
        quoted = match (quoted, c) {
            (None, '`' | '"') => Some(c),
            (None, '“') => Some('”'),
            (Some(end), c) if c == end => None,
            (quoted, _) => quoted,
        };
        told.push(c);
    }
    finish(&mut word, &mut told, quoted.is_some());
    told
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
