//! Settings of the index, which stand only in the user's own file: they name a host.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where the index is. Nothing set keeps it in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// The address of the team's PostgreSQL server, which then is log and index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl StoreSettings {
    /// Each key with its value, where it is set. An address holds a login, so only its scheme is shown.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        let scheme = |url: &String| url.split_once("://").map_or("…", |(scheme, _)| scheme).to_owned();
        vec![("url", self.url.as_ref().map(|url| json!(format!("{}://…", scheme(url)))))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_holds_no_login() {
        for url in ["postgresql://me:fake-secret@db.example/team", "host=db.example password=fake-secret"] {
            let shown = format!("{:?}", StoreSettings { url: Some(url.into()) }.rows());
            assert!(shown.contains("://…") && !shown.contains("fake-secret"), "{shown}");
        }
    }
}
