//! From the name of a provider to somebody who can be asked, or to what is missing for that.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hansei_eval::provider::{Echo, Exec, Provider, ProviderError, ProviderName};
use hansei_eval::suite::ProviderEntry;
use hansei_record::judge_settings::JudgeSettings;
use hansei_record::settings::Layers;
use serde_json::Value;

use super::model::ModelProvider;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// Makes providers.
pub struct Factory {
    /// Whether a file may name a program to start.
    allow_exec: bool,
    current: PathBuf,
    /// The user's own settings of a model: its key and address hold for models of the same provider.
    settings: JudgeSettings,
}

impl Factory {
    /// With the user's own settings. What a repository says is not asked.
    pub fn new(allow_exec: bool, current: &Path) -> Result<Self, Failure> {
        let user = Workspace::at(None)?.environment.user_settings;
        let settings = Layers::load(None, user.as_deref())?.judge().0;
        Ok(Self { allow_exec, current: current.to_owned(), settings })
    }

    /// One that the user named.
    pub fn named(&self, name: &str) -> Result<Arc<dyn Provider>, Failure> {
        let parsed: ProviderName = name.parse().map_err(Failure::usage)?;
        self.ready(&parsed, &Value::Null, &self.current, "the command line")
    }

    /// One that a file names. Its programs start in the file's folder, if they may start at all.
    pub fn entry(&self, entry: &ProviderEntry, folder: &Path) -> Result<Arc<dyn Provider>, Failure> {
        if matches!(entry.name, ProviderName::Exec(_)) && !self.allow_exec {
            let what = format!("{}: {} would start a program that the file names", entry.place, entry.name);
            return Err(Failure::usage(what)
                .hint("look at it, then give --allow-exec, or name it yourself with --provider"));
        }
        self.ready(&entry.name, &entry.config, folder, &entry.place)
    }

    fn ready(
        &self,
        name: &ProviderName,
        config: &Value,
        folder: &Path,
        place: &str,
    ) -> Result<Arc<dyn Provider>, Failure> {
        let provider: Arc<dyn Provider> = match name {
            ProviderName::Native(native) => Arc::new(*native),
            ProviderName::Echo => Arc::new(Echo),
            ProviderName::Exec(command) => Arc::new(Exec::new(command, folder.to_owned(), config.clone())),
            ProviderName::Model(model) => Arc::new(
                ModelProvider::new(model, config, &self.settings)
                    .map_err(|what| Failure::usage(format!("{place}: {what}")))?,
            ),
        };
        match provider.ready() {
            Ok(()) => Ok(provider),
            Err(ProviderError::Missing(what) | ProviderError::Failed(what)) => {
                Err(Failure::environment(format!("{place}: {name}: {what}")).hint(super::MISSING))
            }
        }
    }
}
