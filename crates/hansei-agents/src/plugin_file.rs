//! The plugin for OpenCode and Kilo: one small file, with the agent, the program and the mode filled in.

use hansei_core::reflection::Mode;

use crate::Scope;
use crate::hook_command::{Program, mode_name};

const TEMPLATE: &str = include_str!("../../../integrations/opencode/hansei.js");
/// Every version of the plugin begins like this.
const SIGNATURE: &str = "// Hansei's plugin";

/// The plugin as it is written for `agent`.
pub fn content(agent: &str, program: &Program, mode: Mode, scope: Scope) -> String {
    // A project's files are shared: only the name fits everybody's machine.
    let program = if scope == Scope::Project { "hansei" } else { program.path() };
    let text = |value: &str| serde_json::Value::from(value).to_string();
    TEMPLATE
        .replace("const AGENT = \"opencode\"", &format!("const AGENT = {}", text(agent)))
        .replace("const PROGRAM = \"hansei\"", &format!("const PROGRAM = {}", text(program)))
        .replace("const MODE = \"solo\"", &format!("const MODE = {}", text(mode_name(mode))))
}

/// The mode of a plugin file, if the file is ours.
pub fn recognise(content: &str) -> Option<Mode> {
    if !content.starts_with(SIGNATURE) {
        return None;
    }
    let mode = content.lines().find_map(|line| line.strip_prefix("const MODE = \"")?.split('"').next());
    Some(Mode::from_name(mode.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blanks_are_filled_and_found_again() {
        let program = Program::At("/home/a \"b\"/hansei".to_owned());
        let filled = content("kilo", &program, Mode::Orchestrated, Scope::User);
        for line in [
            r#"const AGENT = "kilo""#,
            r#"const PROGRAM = "/home/a \"b\"/hansei""#,
            r#"const MODE = "orchestrated""#,
        ] {
            assert!(filled.contains(line), "{line}");
        }
        assert_eq!(recognise(&filled), Some(Mode::Orchestrated));
        assert!(
            content("kilo", &program, Mode::Solo, Scope::Project).contains(r#"const PROGRAM = "hansei""#)
        );
        assert_eq!(recognise(TEMPLATE), Some(Mode::Solo));
        assert_eq!(recognise("export const Other = 1\n"), None);
    }
}
