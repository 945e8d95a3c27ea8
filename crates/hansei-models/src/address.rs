//! Where a provider is asked.

use std::net::IpAddr;

use reqwest::Url;

use crate::Unavailable;
use crate::provider::Provider;

/// A base address that ends in a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address(Url);

impl Address {
    /// The address that the user names in `setting`, or the provider's own.
    pub(crate) fn of(provider: Provider, given: Option<&str>, setting: &str) -> Result<Self, Unavailable> {
        let bad = |text: String| Err(Unavailable::Settings(text));
        let Some(text) = given.or(provider.base_url()) else {
            return bad(format!("{setting} is needed for {}", provider.name()));
        };
        let Ok(mut url) = Url::parse(text) else {
            return bad(format!("{setting} is not an address such as http://127.0.0.1:8080/v1"));
        };
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return bad(format!("{setting} must begin with https:// or http://"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return bad(format!(
                "{setting} must hold no user, password or query; give a key with key_env or key_command"
            ));
        }
        let path = match url.path() {
            "" | "/" => format!("/{}", provider.path()),
            path if path.ends_with('/') => path.to_owned(),
            path => format!("{path}/"),
        };
        url.set_path(&path);
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// The whole address.
    pub(crate) fn url(&self) -> &str {
        self.0.as_str()
    }

    /// The host and port, for messages.
    pub(crate) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether it is this machine.
    pub(crate) fn is_here(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Whether what is sent there can be read on the way.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE_URL: &str = "judge.base_url";

    #[test]
    fn addresses_are_completed() {
        for (provider, given, url, here) in [
            (Provider::Anthropic, None, "https://api.anthropic.com/v1/", false),
            (Provider::Compatible, Some("http://127.0.0.1:8080"), "http://127.0.0.1:8080/v1/", true),
            (Provider::Compatible, Some("http://[::1]:8080/v1"), "http://[::1]:8080/v1/", true),
            (Provider::Gemini, Some("http://localhost:1/"), "http://localhost:1/v1beta/", true),
            (
                Provider::OpenAi,
                Some("https://gateway.example/team/a"),
                "https://gateway.example/team/a/",
                false,
            ),
            (Provider::Ollama, None, "http://127.0.0.1:11434/v1/", true),
            (Provider::OpenAi, Some("https://localhost.example"), "https://localhost.example/v1/", false),
        ] {
            let address = Address::of(provider, given, BASE_URL).unwrap();
            assert_eq!((address.url(), address.is_here()), (url, here));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for given in [
            "nonsense",
            "ftp://x/",
            "file:///etc/passwd",
            "https://me:fake-secret@x/",
            "https://x/?key=fake-secret",
        ] {
            let message = Address::of(Provider::OpenAi, Some(given), BASE_URL).unwrap_err().to_string();
            assert!(message.contains("judge.base_url") && !message.contains("fake-secret"), "{message}");
        }
        assert!(Address::of(Provider::Compatible, None, BASE_URL).is_err());
    }
}
