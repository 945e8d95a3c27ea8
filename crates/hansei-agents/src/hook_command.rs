//! The command that an agent's settings call: built so that it never changes by itself, and recognised again later.
//!
//! The text of a command must stay the same across our upgrades, because Codex drops its trust in a hook that changed.

use std::path::Path;

use hansei_core::reflection::Mode;

use crate::Scope;

/// The program as a settings file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// `hansei`, wherever the search path finds it.
    OnPath,
    /// A path that stays the same when Hansei is upgraded.
    At(String),
}

impl Program {
    /// The program as a word of a shell command.
    fn word(&self) -> String {
        match self {
            Self::OnPath => "hansei".to_owned(),
            Self::At(path) => quoted(path),
        }
    }

    /// The program as a plugin starts it.
    pub fn path(&self) -> &str {
        match self {
            Self::OnPath => "hansei",
            Self::At(path) => path,
        }
    }
}

/// The name of a mode on the command line.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Off => "off",
        Mode::Solo => "solo",
        Mode::Orchestrated => "orchestrated",
    }
}

/// The command for one event of an agent.
pub fn hook_command(program: &Program, agent: &str, event: &str, mode: Mode, scope: Scope) -> String {
    let mode = mode_name(mode);
    match scope {
        Scope::User => format!("{} hook {agent} {event} --mode {mode}", program.word()),
        // A project's settings are shared: whoever has no Hansei must not notice. The payload is read to its end,
        // because an agent may complain about a hook that did not listen.
        Scope::Project => format!(
            "sh -c 'if command -v hansei >/dev/null 2>&1; then exec hansei hook {agent} {event} --mode {mode}; else cat >/dev/null; fi'"
        ),
    }
}

/// Whether `command` is one of ours for `agent`, and in which mode.
pub fn recognise(command: &str, agent: &str) -> Option<Mode> {
    let (program, call) = command.split_once(&format!(" hook {agent} "))?;
    if !program.contains("hansei") {
        return None;
    }
    let mode = call.split_once("--mode ").map_or("", |(_, mode)| mode);
    let end = mode.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(mode.len());
    Some(Mode::from_name(&mode[..end]))
}

/// `text` as one word of a shell command.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@');
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Whether a path names a version in one of its folders, so that an upgrade would move the program.
pub fn is_versioned(path: &Path) -> bool {
    path.components().any(|component| {
        let name = component.as_os_str().to_string_lossy();
        let digits = name.rsplit(['-', '@', 'v']).next().unwrap_or_default();
        digits.contains('.')
            && digits
                .split('.')
                .take(2)
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_and_recognised() {
        for (program, scope, expected) in [
            (Program::OnPath, Scope::User, "hansei hook codex stop --mode solo"),
            (
                Program::At("/opt/bin/hansei".into()),
                Scope::User,
                "/opt/bin/hansei hook codex stop --mode solo",
            ),
            (
                Program::At("/home/a b/it's/hansei".into()),
                Scope::User,
                r"'/home/a b/it'\''s/hansei' hook codex stop --mode solo",
            ),
        ] {
            let command = hook_command(&program, "codex", "stop", Mode::Solo, scope);
            assert_eq!(command, expected);
            assert_eq!(recognise(&command, "codex"), Some(Mode::Solo));
            assert_eq!(recognise(&command, "gemini"), None);
        }
        let project = hook_command(&Program::OnPath, "codex", "stop", Mode::Orchestrated, Scope::Project);
        assert_eq!(recognise(&project, "codex"), Some(Mode::Orchestrated));
        assert_eq!(recognise("other hook codex stop --mode solo", "codex"), None);
        assert_eq!(recognise("hansei hook codex stop", "codex"), Some(Mode::Off));
    }

    #[test]
    fn versioned_paths_are_known() {
        for (path, versioned) in [
            ("/usr/local/bin/hansei", false),
            ("/home/me/.cargo/bin/hansei", false),
            ("/opt/hansei/1.2.3/bin/hansei", true),
            ("/opt/hansei-0.1.0/hansei", true),
            ("/opt/hansei@2.0/hansei", true),
            ("/opt/v1.4/hansei", true),
            ("/srv/node.js/hansei", false),
        ] {
            assert_eq!(is_versioned(Path::new(path)), versioned, "{path}");
        }
    }
}
