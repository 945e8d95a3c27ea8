//! Whether an agent's user has allowed our hooks to run. Read only: nobody but the user gives trust.

use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::hooks_file::Found;

/// How far hooks are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trusted {
    /// They may run.
    Yes,
    /// Nobody was asked yet, or said no.
    No,
    /// They were trusted and are not the same any more.
    Changed,
    /// The user switched them off.
    SwitchedOff,
}

impl Trusted {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Changed => "changed",
            Self::SwitchedOff => "switched off",
        }
    }
}

/// What Codex's `config.toml` says of one of our hooks in the settings file `file`.
pub fn codex_hook(config: &str, file: &Path, hook: &Found) -> Trusted {
    let Ok(config) = toml_edit::Document::parse(config) else {
        return Trusted::No;
    };
    let key = format!("{}:{}:{}:{}", file.display(), snake_case(&hook.event), hook.group, hook.handler);
    let state = config.get("hooks").and_then(|hooks| hooks.get("state")?.get(&key));
    let Some(state) = state else {
        return Trusted::No;
    };
    if state.get("enabled").and_then(toml_edit::Item::as_bool) == Some(false) {
        return Trusted::SwitchedOff;
    }
    match state.get("trusted_hash").and_then(toml_edit::Item::as_str) {
        None => Trusted::No,
        Some(hash) if hash == codex_hash(hook) => Trusted::Yes,
        Some(_) => Trusted::Changed,
    }
}

/// Whether Codex's `config.toml` trusts the project at `root`, without which it reads none of its settings.
pub fn codex_project(config: &str, root: &Path) -> bool {
    let Ok(config) = toml_edit::Document::parse(config) else {
        return false;
    };
    let level =
        |root: &str| Some(config.get("projects")?.get(root)?.get("trust_level")?.as_str()? == "trusted");
    level(&root.display().to_string()).unwrap_or_default()
}

/// The hash by which Codex recognises a hook that it was told to trust.
fn codex_hash(hook: &Found) -> String {
    use std::fmt::Write as _;
    // Keys in alphabetical order, as Codex sorts them before it hashes.
    let identity = json!({
        "event_name": snake_case(&hook.event),
        "hooks": [{
            "async": false,
            "command": hook.command,
            "timeout": hook.timeout.unwrap_or(600),
            "type": "command",
        }],
    });
    let mut hash = "sha256:".to_owned();
    for byte in Sha256::digest(identity.to_string()) {
        // Writing to a String cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Whether Gemini CLI's `trustedFolders.json` trusts `root` or a folder around it. The nearest rule counts.
pub fn gemini_folder(folders: &str, root: &Path) -> bool {
    let Ok(Value::Object(folders)) = serde_json::from_str(folders) else {
        return false;
    };
    let rule = |folder: &Path| folders.get(folder.to_str()?)?.as_str();
    for folder in root.ancestors() {
        match rule(folder) {
            Some("TRUST_FOLDER") => return true,
            Some("DO_NOT_TRUST") if folder == root => return false,
            // Trusts the folder around the one that it names.
            Some("TRUST_PARENT") if folder == root => return true,
            _ => {}
        }
        let beside = |(path, rule): (&String, &Value)| {
            rule == "TRUST_PARENT" && Path::new(path).parent() == Some(folder)
        };
        if folders.iter().any(beside) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::reflection::Mode;

    fn hook() -> Found {
        Found {
            event: "SubagentStop".to_owned(),
            command: "hansei hook codex subagent-stop --mode solo".to_owned(),
            timeout: Some(60),
            mode: Mode::Solo,
            group: 1,
            handler: 0,
            range: 0..0,
        }
    }

    #[test]
    fn codex_trusts_a_hook_by_place_and_content() {
        let file = Path::new("/home/me/.codex/hooks.json");
        let state =
            |rest: &str| format!("[hooks.state.\"/home/me/.codex/hooks.json:subagent_stop:1:0\"]\n{rest}\n");
        let hash = codex_hash(&hook());
        for (config, expected) in [
            (String::new(), Trusted::No),
            ("not toml =".to_owned(), Trusted::No),
            (state(""), Trusted::No),
            (state(&format!("trusted_hash = \"{hash}\"")), Trusted::Yes),
            (state("trusted_hash = \"sha256:0\""), Trusted::Changed),
            (state(&format!("enabled = false\ntrusted_hash = \"{hash}\"")), Trusted::SwitchedOff),
        ] {
            assert_eq!(codex_hook(&config, file, &hook()), expected, "{config}");
        }
        assert!(codex_project("[projects.\"/a\"]\ntrust_level = \"trusted\"\n", Path::new("/a")));
        assert!(!codex_project("[projects.\"/a\"]\ntrust_level = \"untrusted\"\n", Path::new("/a")));
    }

    #[test]
    fn gemini_trusts_folders_and_what_is_in_them() {
        for (rules, trusted) in [
            ("{}", false),
            ("not json", false),
            (r#"{"/srv/project": "TRUST_FOLDER"}"#, true),
            (r#"{"/srv": "TRUST_FOLDER"}"#, true),
            (r#"{"/srv/other": "TRUST_PARENT"}"#, true),
            (r#"{"/srv": "TRUST_FOLDER", "/srv/project": "DO_NOT_TRUST"}"#, false),
            (r#"{"/elsewhere": "TRUST_FOLDER"}"#, false),
        ] {
            assert_eq!(gemini_folder(rules, Path::new("/srv/project")), trusted, "{rules}");
        }
    }
}
