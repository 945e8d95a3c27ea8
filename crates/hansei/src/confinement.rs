//! How commands are locked in here: the usual limits, or what the user's own settings say.

use std::path::PathBuf;
use std::time::Duration;

use hansei_hook::Environment;
use hansei_record::sandbox_settings::SandboxSettings;
use hansei_record::settings::Layers;
use hansei_workspace::sandbox::{Refusal, Request};

use crate::failure::Failure;

/// The user's settings of the sandbox. A repository has no say in them.
pub fn settings(environment: &Environment) -> Result<SandboxSettings, Failure> {
    Ok(Layers::load(None, environment.user_settings.as_deref())?.sandbox().0)
}

/// Puts the user's settings into a request.
pub fn apply(settings: &SandboxSettings, request: &mut Request) {
    let limits = &mut request.limits;
    limits.memory = settings.memory_mib.map_or(limits.memory, |mebibytes| mebibytes.saturating_mul(1 << 20));
    limits.processes = settings.processes.unwrap_or(limits.processes);
    limits.time = settings.seconds.map_or(limits.time, Duration::from_secs);
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let readable = settings
        .readable
        .iter()
        .map(|path| path.strip_prefix("~").map_or(path.clone(), |rest| home.join(rest)));
    request.readable.extend(readable);
    request.passed_on.extend(settings.environment.iter().cloned());
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoSandbox { install, .. } => {
                let hint = format!("{install}\n      or say --no-sandbox where you trust the command");
                Self::environment(refusal.to_string()).hint(hint)
            }
            Refusal::BadRequest(message) => Self::usage(message),
            Refusal::Failed { .. } => Self::environment(refusal.to_string()),
        }
    }
}
