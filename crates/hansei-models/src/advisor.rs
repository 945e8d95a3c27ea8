//! The advisor: turns a question into a prompt, asks the model, and reads its opinion.

use std::time::{Duration, SystemTime};

use hansei_core::verdict::advisor::{self, Advisor, Opinion, Prompt, Question, parse, prompt};
use hansei_record::cache::{Cache, CacheName};

use crate::budget::Budget;
use crate::client::ProviderModel;
use crate::{Model, Reply};

/// How long an answer holds for the same question: hooks of one stop come together.
const KEPT: Duration = Duration::from_mins(1);

/// A model as advisor.
#[derive(Debug, Clone)]
pub struct ModelAdvisor {
    /// The model that is asked.
    pub model: ProviderModel,
    /// What a question may take.
    pub budget: Budget,
    /// Where answers are kept for a short while.
    pub cache: Option<Cache>,
}

impl Advisor for ModelAdvisor {
    fn opinion(&self, question: &Question) -> Result<Opinion, advisor::Unavailable> {
        let prompt = prompt(question);
        let place = self.place(&prompt);
        let kept: Option<Reply> =
            self.cache.as_ref().and_then(|cache| cache.get(&place, KEPT, SystemTime::now()));
        if let Some(opinion) = kept.and_then(|reply| parse(&reply.text).ok()) {
            return Ok(opinion);
        }
        let reply = self.model.ask(&prompt, &self.budget)?;
        let opinion = parse(&reply.text)?;
        // Only what could be used is kept, so that a bad answer is not given twice.
        if let Some(cache) = &self.cache {
            let _ = cache.put(&place, &reply, SystemTime::now());
        }
        Ok(opinion)
    }
}

impl ModelAdvisor {
    /// Where the answer to a prompt is kept: the digest of everything that shapes it.
    fn place(&self, prompt: &Prompt) -> CacheName {
        let model = self.model.model.name.as_deref().unwrap_or_default();
        let base_url = self.model.base_url.as_deref().unwrap_or_default();
        let schema = prompt.json_schema.to_string();
        let provider = self.model.model.provider.name();
        CacheName::new("evaluation", &[provider, model, base_url, &prompt.system, &prompt.user, &schema])
    }
}
