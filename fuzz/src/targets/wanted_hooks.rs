//! The hooks that installing puts into an agent's settings.

use hansei_agents::hook_command::{Program, hook_command};
use hansei_agents::hooks_file::Wanted;
use hansei_agents::setup::Way;
use hansei_agents::{Adapter, Scope};
use hansei_core::reflection::Mode;

/// The hooks for `adapter`, none where it takes a plugin.
pub(super) fn wanted(adapter: &Adapter, mode: Mode) -> Vec<Wanted> {
    let Way::Hooks(hooks) = &adapter.setup.way else { return Vec::new() };
    let program = Program::At("/opt/a \"b\"/hansei".to_owned());
    let wanted = hooks.events.iter().map(|hook| {
        let command = hook_command(&program, adapter.name, hook.event, mode, Scope::User);
        let literal = serde_json::Value::from(command.as_str()).to_string();
        let handler = (hooks.handler)(&literal, hook.seconds);
        Wanted { event: hook.name, command, handler, seconds: hook.seconds }
    });
    wanted.collect()
}
