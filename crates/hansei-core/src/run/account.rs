//! What a run has used, and whether there is something left.

use serde::{Deserialize, Serialize};

use super::budget::{Limits, Quotas, Used};
use super::conversation::Spent;
use super::event::Terms;

/// What was used of what there is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
    quotas: Option<Quotas>,
    max_steps: u32,
    limits: Limits,
    pub(super) used: Used,
    pub(super) spent: Spent,
}

impl Account {
    pub(super) fn of(terms: &Terms) -> Self {
        Self {
            quotas: terms.quotas,
            max_steps: terms.max_steps,
            limits: terms.limits,
            used: Used::default(),
            spent: Spent::default(),
        }
    }

    /// Takes in what a call of a model took.
    pub(super) fn pay(&mut self, spent: &Spent) {
        self.spent.add(spent);
    }

    /// Whether tokens and money are left.
    pub(super) fn may_talk(&self) -> bool {
        let tokens = self.spent.input_tokens.saturating_add(self.spent.output_tokens);
        self.limits.tokens.is_none_or(|most| tokens < most)
            && self.limits.usd.is_none_or(|most| self.spent.usd.unwrap_or_default() < most)
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self, seconds: u64) -> bool {
        self.limits.seconds.is_some_and(|most| seconds >= most)
    }

    /// The time that is left, where there is a limit.
    pub(super) fn seconds_left(&self, seconds: u64) -> Option<u64> {
        self.limits.seconds.map(|most| most.saturating_sub(seconds))
    }

    /// Turns of work that are left. Where there is a verification at the end, one step is kept for it.
    pub(super) fn thinks_left(&self) -> u32 {
        let kept = u32::from(self.quotas.is_some_and(|quotas| quotas.verify > self.used.verify));
        let in_all = self.max_steps.saturating_sub(self.used.total()).saturating_sub(kept);
        self.quotas.map_or(in_all, |quotas| quotas.think.saturating_sub(self.used.think).min(in_all))
    }

    pub(super) fn may_think(&self) -> bool {
        self.thinks_left() > 0
    }

    pub(super) fn may_verify(&self) -> bool {
        self.quotas.is_some_and(|quotas| self.used.verify < quotas.verify)
            && self.used.total() < self.max_steps
    }

    /// Whether there is room for a new beginning: a step of work and a verification, with so many steps more.
    pub(super) fn may_begin_anew(&self, more: u32) -> bool {
        self.may_talk() && self.max_steps.saturating_add(more).saturating_sub(self.used.total()) >= 2
    }

    /// A new beginning has as many turns of work as the first had, and a verification; it may take so many steps more in all.
    pub(super) fn begin_anew(&mut self, think: u32, more: u32) {
        self.max_steps = self.max_steps.saturating_add(more);
        if let Some(quotas) = &mut self.quotas {
            quotas.think = self.used.think.saturating_add(think);
            quotas.verify = quotas.verify.max(self.used.verify.saturating_add(1));
        }
    }

    pub(super) fn may_reflect(&self) -> bool {
        self.quotas.is_some_and(|quotas| self.used.reflect < quotas.reflect)
            && self.used.total() < self.max_steps
    }
}
