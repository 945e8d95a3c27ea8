//! How a run takes in what happens to its team.

use super::budget::Limits;
use super::conversation::Message;
use super::event::{Became, RunEvent, Started, Terms};
use super::fold::over;
use super::mode::Mode;
use super::state::{Handing, Phase, Run};
use super::team::{OURSELVES, told};
use crate::verdict::Ending;

impl Run {
    /// The part of an expert as a run of its own, after `seconds` of work in all; none where there is no such expert. What the
    /// team may use is what it may use; its steps are those of one who works alone.
    pub fn assignment(&self, expert: &str, conflicts: &[String], seconds: u64) -> Option<Started> {
        let (whole, team) = (&self.started, self.team.as_ref()?);
        let role = &team.expert(expert)?.role;
        let agent = match role.agent.as_deref() {
            Some(OURSELVES) => None,
            Some(agent) => Some(agent.to_owned()),
            None => whole.agent.clone(),
        };
        let of_whole = if agent == whole.agent { whole.model.clone() } else { String::new() };
        let limits = Limits {
            seconds: whole.terms.limits.seconds.map(|most| most.saturating_sub(seconds)),
            ..whole.terms.limits
        };
        Some(Started {
            run: format!("{}.{expert}", whole.run),
            task: team.brief(expert, &whole.task, conflicts),
            mode: Mode::Expert,
            team: None,
            model: role.model.clone().unwrap_or(of_whole),
            agent,
            base_url: whole.base_url.clone(),
            base: whole.base.clone(),
            terms: Terms {
                quotas: None,
                max_steps: whole.terms.quotas.map_or(whole.terms.max_steps, |quotas| quotas.think),
                limits,
                plans: false,
                ..whole.terms
            },
        })
    }

    /// Takes in what happened to the team or one of it, and goes on when everybody is through.
    pub(super) fn teamed(&mut self, event: &RunEvent) {
        let Some(team) = &mut self.team else { return };
        team.apply(event);
        if let RunEvent::ExpertDid { event, .. } = event
            && let RunEvent::ModelAnswered { turn, .. } = event.as_ref()
        {
            self.account.pay(&turn.spent);
        }
        if self.phase != Phase::Teaming {
            return;
        }
        if team.is_merged() {
            self.last_words = told::reports(team);
            self.messages = vec![
                Message::User { text: told::integrator(&self.started.task) },
                Message::Assistant {
                    text: self.last_words.clone(),
                    calls: Vec::new(),
                    signatures: Vec::new(),
                },
            ];
            self.phase = Phase::Verifying;
        } else if let Some((ending, why)) = team.failure() {
            self.phase = over(ending, &why);
        }
    }

    pub(super) fn handed_over(&mut self, became: Became, patch: Option<&str>, why: &str) {
        self.handing = Handing::Over;
        let Phase::Over { ending, why: ended } = &self.phase else { return };
        if became != Became::Kept {
            return;
        }
        let place = patch.map(|patch| format!("; its work is in {patch}")).unwrap_or_default();
        self.phase = if *ending == Ending::Complete {
            over(Ending::Failed, &format!("{ended}, but the work is not in your tree: {why}{place}"))
        } else {
            over(*ending, &format!("{ended}{place}"))
        };
    }

    /// A process takes the run up again. The trees of its team ended with the last one, and the team begins anew; what
    /// it took so far stays on the account.
    pub(super) fn team_again(&mut self) {
        if self.handing == Handing::Over || matches!(self.phase, Phase::Over { ending: Ending::Aborted, .. })
        {
            return;
        }
        if self.handing == Handing::Open {
            self.handing = Handing::Over;
            self.phase = over(
                Ending::Failed,
                "the process ended while the work was put into your tree: some of it may be there, and all of it is in the patch",
            );
            return;
        }
        let (account, started) = (self.account.spent, self.started.clone());
        *self = Self::new(started);
        self.account.spent = account;
    }
}
