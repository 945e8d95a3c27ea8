//! The judge's model as the user's settings name it. Where there is none, nothing is asked; where the settings cannot be
//! used, asking says why, and the evidence decides alone.

use std::path::Path;
use std::time::Duration;

use hansei_core::evidence::{Evidence, Instructions, Situation};
use hansei_core::verdict::advisor::{Advisor, Opinion, Question, Unavailable, combine, is_open};
use hansei_core::verdict::{Autonomy, Judgement, Policy};
use hansei_hook::SecondOpinion;
use hansei_models::{Budget, ModelAdvisor, ProviderModel};
use hansei_record::judge_settings::JudgeSettings;
use hansei_record::redact::redact;
use hansei_record::settings::Layers;

use crate::{provider_key, user_cache};

/// The judge's model, or why its settings cannot be used.
#[derive(Debug)]
pub struct Configured(Result<Box<ModelAdvisor>, Unavailable>);

impl Advisor for Configured {
    fn opinion(&self, question: &Question) -> Result<Opinion, Unavailable> {
        self.0.as_ref().map_err(Unavailable::clone)?.opinion(question)
    }
}

impl Configured {
    /// Its opinion on the task of a silent session. The same question within a minute is not asked twice.
    pub fn on_silence(
        &self,
        situation: &Situation<'_>,
        evidence: &[Evidence],
    ) -> Result<Opinion, Unavailable> {
        let question = Question::new(situation, evidence, Autonomy::Auto, &|text| redact(text).into_owned());
        self.opinion(&question)
    }
}

/// At a stop it is asked within its budget, about what evidence leaves open.
impl SecondOpinion for Configured {
    fn budget(&self) -> Duration {
        self.0.as_ref().map(|advisor| advisor.budget.time).unwrap_or_default()
    }

    fn is_wanted(&self, situation: &Situation<'_>, judgement: &Judgement, evidence: &[Evidence]) -> bool {
        is_open(situation, judgement, evidence)
    }

    fn weigh(
        &self,
        situation: &Situation<'_>,
        rules: &[&Instructions],
        evidence: &[Evidence],
        policy: Policy,
        judgement: &Judgement,
    ) -> Result<Judgement, String> {
        let clean = |text: &str| redact(text).into_owned();
        let question = Question::new(situation, evidence, policy.autonomy, &clean).under(rules, &clean);
        let opinion = self.opinion(&question).map_err(|unavailable| unavailable.reason)?;
        Ok(combine(judgement.clone(), &opinion, evidence))
    }
}

/// The advisor of the user's own settings: a repository cannot name one. Settings that cannot be read name none.
pub fn of_user(settings: Option<&Path>) -> Option<Configured> {
    let layers = Layers::load(None, settings).ok()?;
    configured(&layers.judge().0)
}

/// The advisor that settings name, if they name one. Nothing is started, looked up or asked yet.
pub fn configured(settings: &JudgeSettings) -> Option<Configured> {
    let model = settings.model.as_deref()?;
    Some(Configured(advisor(settings, model).map_err(|reason| Unavailable { reason })))
}

fn advisor(settings: &JudgeSettings, model: &str) -> Result<Box<ModelAdvisor>, String> {
    let key = provider_key::source("judge", settings.key_env.as_ref(), settings.key_command.as_ref())?;
    let usual = Budget::default();
    let budget = Budget {
        time: settings.timeout_seconds.map_or(usual.time, Duration::from_secs),
        max_tokens: settings.max_tokens.unwrap_or(usual.max_tokens),
        max_usd: settings.max_usd,
        ..usual
    };
    let cache = user_cache::here();
    let model = ProviderModel {
        model: model.parse().map_err(|bad| format!("judge.model: {bad}"))?,
        base_url: settings.base_url.clone(),
        key,
        cache: cache.clone(),
    };
    Ok(Box::new(ModelAdvisor { model, budget, cache }))
}
