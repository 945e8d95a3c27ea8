//! What reached the model: kept for tests, and on demand written as one file a request.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

/// A request and what it got.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recorded {
    /// The HTTP method.
    pub method: String,
    /// The path and the query, without credentials.
    pub path: String,
    /// The headers, without credentials.
    pub headers: Map<String, Value>,
    /// The body, as JSON where it is.
    pub body: Value,
    /// How many turns the assistant had had; nothing where no conversation was sent.
    pub step: Option<usize>,
    /// What answered, and how.
    pub answered_with: Value,
}

/// Words in names of headers and parameters that carry credentials.
const CREDENTIALS: [&str; 6] = ["auth", "key", "token", "cookie", "secret", "password"];

fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CREDENTIALS.iter().any(|word| name.contains(word))
}

/// The headers that carry no credentials.
pub fn harmless_headers<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Map<String, Value> {
    headers
        .filter(|(name, _)| !is_credential(name))
        .map(|(name, value)| (name.to_owned(), Value::String(String::from_utf8_lossy(value).into_owned())))
        .collect()
}

/// The path with the parameters that carry no credentials.
pub fn harmless_path(path: &str, query: &str) -> String {
    let named = |pair: &&str| !is_credential(pair.split_once('=').map_or(*pair, |(name, _)| name));
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).filter(named).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// A folder of numbered records.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    last: u32,
}

impl Folder {
    /// Opens the folder, creating it. Records that lie there already are kept and counted on from.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(path)?;
        let mut last = 0;
        for entry in std::fs::read_dir(path)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            last = last.max(number.unwrap_or_default());
        }
        Ok(Self { path: path.to_owned(), last })
    }

    /// Writes the next record. Whoever lists the folder never sees half of one.
    pub fn write(&mut self, recorded: &Recorded) -> std::io::Result<()> {
        self.last += 1;
        let hidden = self.path.join(format!(".{:04}.tmp", self.last));
        std::fs::write(&hidden, serde_json::to_vec_pretty(recorded)?)?;
        std::fs::rename(hidden, self.path.join(format!("{:04}.json", self.last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_left_out() {
        let sent =
            ["authorization", "x-api-key", "X-Goog-Api-Key", "cookie", "user-agent", "anthropic-version"];
        let kept = harmless_headers(sent.iter().map(|name| (*name, b"v".as_slice())));
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["user-agent", "anthropic-version"]);
        assert_eq!(harmless_path("/p", "key=secret&alt=sse"), "/p?alt=sse");
        assert_eq!(harmless_path("/p", "key=secret"), "/p");
    }

    #[test]
    fn records_are_numbered_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let recorded = Recorded {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            headers: Map::new(),
            body: Value::Null,
            step: None,
            answered_with: Value::Null,
        };
        Folder::open(&path).unwrap().write(&recorded).unwrap();
        Folder::open(&path).unwrap().write(&recorded).unwrap();
        let mut names: Vec<_> =
            std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["0001.json", "0002.json"]);
    }
}
