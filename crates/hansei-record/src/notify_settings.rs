//! Settings of what happens while nobody looks: how a person is told, and after which silence a session is looked at.
//! They stand only in the user's own file: they run a program, name a host, and decide how soon an agent is driven on.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Value, json};

/// How a person is told that a run needs them. Nothing set tells nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotifySettings {
    /// With the desktop's own notifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desktop: Option<bool>,
    /// The program, and its arguments, that gets the notice as JSON on standard input. There is no shell unless it is
    /// named here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// The address that the notice is posted to as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
}

impl NotifySettings {
    /// Whether there is any way to tell a person.
    pub fn is_empty(&self) -> bool {
        self.desktop != Some(true) && self.command.is_none() && self.webhook.is_none()
    }

    /// Each key with its value, where it is set. An address often is a secret by itself, and so may an argument be.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        let host =
            |url: &str| url.split_once("://").map(|(scheme, rest)| format!("{scheme}://{}/…", host_of(rest)));
        let program = |words: &Vec<String>| match words.as_slice() {
            [] => json!([]),
            [program] => json!([program]),
            [program, ..] => json!([program, "…"]),
        };
        vec![
            ("desktop", self.desktop.map(|value| json!(value))),
            ("command", self.command.as_ref().map(program)),
            (
                "webhook",
                self.webhook.as_deref().map(|url| json!(host(url).unwrap_or_else(|| "…".to_owned()))),
            ),
        ]
    }
}

fn host_of(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// The longest silence that may be asked for.
const LONGEST: u64 = 24 * 3600;

/// When a silent session is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StuckSettings {
    /// After how many seconds of silence.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "seconds")]
    pub after_seconds: Option<u64>,
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let seconds = u64::deserialize(deserializer)?;
    if (1..=LONGEST).contains(&seconds) {
        return Ok(Some(seconds));
    }
    Err(D::Error::custom(format!("{seconds} is not a number of seconds from 1 to {LONGEST}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_holds_no_secret() {
        let settings = NotifySettings {
            desktop: None,
            command: Some(vec!["notify".into(), "fake-secret".into()]),
            webhook: Some("https://me:fake-secret@x.example/fake-secret?t=fake-secret".into()),
        };
        let shown = format!("{:?}", settings.rows());
        assert!(shown.contains("https://x.example/…") && shown.contains("notify"), "{shown}");
        assert!(!shown.contains("fake-secret"), "{shown}");
        assert!(!settings.is_empty() && NotifySettings::default().is_empty());
    }
}
