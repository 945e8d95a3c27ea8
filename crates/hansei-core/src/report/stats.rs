//! What sending agents back was worth: how often, what it cost, and what came of it, per agent and model.

use std::collections::BTreeMap;

use serde::Serialize;

use super::account::Account;
use super::lookback::{covers, runs};
use crate::check::CheckResult;
use crate::event::{Event, Line};
use crate::interrupt::{is_ours, kind_name};
use crate::session::{Session, Turn};

/// What is counted, and how: for the foot of the table.
pub const FOOTNOTE: &str = "\
A send-back is one that Hansei logged. Its tokens are those of the turn that it began. It led to a pass when that turn ended
with a check passing that had failed before it, or had never run. It was false when you said so with `hansei wrong`.";

/// One session's share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The agent.
    pub agent: String,
    /// The model.
    pub model: String,
    /// Tokens that the whole session took, where known.
    pub tokens: u64,
    /// Each send-back.
    pub send_backs: Vec<SendBack>,
}

/// A send-back and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendBack {
    /// Tokens of the turn that it began; unknown when no such turn is in the transcript.
    pub tokens: Option<u64>,
    /// Whether that turn ended with a check passing that had not before.
    pub led_to_pass: bool,
    /// Whether the user said that it was wrong.
    pub wrong: bool,
}

/// One row of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The agent.
    pub agent: String,
    /// The model.
    pub model: String,
    /// Sessions that Hansei watched.
    pub sessions: usize,
    /// Those in which the agent was sent back.
    pub sessions_sent_back: usize,
    /// How often it was.
    pub send_backs: usize,
    /// Tokens of the turns that send-backs began.
    pub tokens: u64,
    /// Send-backs whose tokens nobody knows.
    pub tokens_unknown: usize,
    /// Tokens of all these sessions.
    pub tokens_of_sessions: u64,
    /// Send-backs after which a check newly passed.
    pub led_to_pass: usize,
    /// Send-backs that the user marked wrong.
    pub wrong: usize,
}

/// The whole table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// A row for each agent and model.
    pub rows: Vec<Row>,
    /// Their sum.
    pub total: Row,
}

/// The share of one session that Hansei watched; none of one that has no log. `workspace` is the workspace's own log.
pub fn share(account: &Account, workspace: &[Line]) -> Option<Share> {
    if account.log.is_empty() {
        return None;
    }
    let mut send_backs: Vec<SendBack> = outcomes(account);
    for at in wrong(account, workspace) {
        send_backs[at].wrong = true;
    }
    Some(Share {
        agent: account.agent.clone(),
        model: account.model().unwrap_or("unknown").to_owned(),
        tokens: account.session.as_ref().map_or(0, |session| session.usage.tokens()),
        send_backs,
    })
}

/// Each logged send-back with the turn that it began: the first send-back began the first such turn.
fn outcomes(account: &Account) -> Vec<SendBack> {
    let turns: Vec<(&Session, &Turn)> = account.session.iter().flat_map(begun_by_us).collect();
    let outcome = |at: usize| match turns.get(at) {
        Some((session, turn)) => SendBack {
            tokens: Some(turn.usage.tokens()),
            led_to_pass: newly_passes(session, turn),
            wrong: false,
        },
        None => SendBack::default(),
    };
    (0..account.send_backs()).map(outcome).collect()
}

fn begun_by_us(session: &Session) -> impl Iterator<Item = (&Session, &Turn)> {
    session.turns().filter_map(move |(_, turn)| {
        turn.sent_back.as_ref().filter(|fed| is_ours(&fed.head)).map(|_| (session, turn))
    })
}

/// Whether a check passes at the end of `turn` that had failed before it and nothing had mended, or had never run.
fn newly_passes(session: &Session, turn: &Turn) -> bool {
    let before: Vec<_> = runs(session, 0..turn.calls.start).collect();
    let within: Vec<_> = runs(session, turn.calls.clone()).collect();
    within.iter().enumerate().any(|(place, pass)| {
        let same = |runner: &str| runner == pass.run.check.runner;
        let holds = pass.run.result == CheckResult::Passed
            && !within[place + 1..]
                .iter()
                .any(|later| same(later.run.check.runner) && later.run.result == CheckResult::Failed);
        let newest = before.iter().rfind(|ran| {
            same(ran.run.check.runner) && matches!(ran.run.result, CheckResult::Passed | CheckResult::Failed)
        });
        let is_new = newest.is_none_or(|ran| {
            ran.run.result == CheckResult::Failed && covers(&pass.run.check.scope, ran.run)
        });
        holds && is_new
    })
}

/// Which send-backs the user marked wrong: each mark means the newest before it that rests on the detector.
fn wrong(account: &Account, workspace: &[Line]) -> Vec<usize> {
    let sent: Vec<&Line> =
        account.log.iter().filter(|line| matches!(line.event, Event::SentBack { .. })).collect();
    let rests_on = |line: &Line, detector: &str| match &line.event {
        Event::SentBack { grounds, .. } => grounds.iter().any(|kind| kind_name(*kind) == detector),
        _ => false,
    };
    let marks = workspace.iter().filter_map(|line| match &line.event {
        Event::MarkedWrong { detector, session: Some(session) } if *session == account.id => {
            Some((line, detector))
        }
        _ => None,
    });
    marks
        .filter_map(|(mark, detector)| {
            sent.iter().rposition(|line| line.time <= mark.time && rests_on(line, detector))
        })
        .collect()
}

impl Stats {
    /// The table of all shares.
    pub fn of(shares: impl IntoIterator<Item = Share>) -> Self {
        let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
        let mut total = Row { agent: "total".to_owned(), ..Row::default() };
        for share in shares {
            let key = (share.agent.clone(), share.model.clone());
            let row = rows.entry(key).or_insert_with(|| Row {
                agent: share.agent.clone(),
                model: share.model.clone(),
                ..Row::default()
            });
            row.take(&share);
            total.take(&share);
        }
        Self { rows: rows.into_values().collect(), total }
    }
}

impl Row {
    fn take(&mut self, share: &Share) {
        let count = |is: fn(&SendBack) -> bool| share.send_backs.iter().filter(|sent| is(sent)).count();
        let tokens = share.send_backs.iter().filter_map(|sent| sent.tokens);
        self.sessions += 1;
        self.sessions_sent_back += usize::from(!share.send_backs.is_empty());
        self.send_backs += share.send_backs.len();
        self.tokens = tokens.fold(self.tokens, u64::saturating_add);
        self.tokens_unknown += count(|sent| sent.tokens.is_none());
        self.tokens_of_sessions = self.tokens_of_sessions.saturating_add(share.tokens);
        self.led_to_pass += count(|sent| sent.led_to_pass);
        self.wrong += count(|sent| sent.wrong);
    }
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
