//! Requests in the providers' wire formats, each read as all of them and answered.

use std::sync::LazyLock;

use hansei_model_server::answer::ErrorsGiven;
use hansei_model_server::script::Script;

use super::script::{FORMATS, answer};
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "wire_request", run: check, samples: corpus::none };

static SCRIPT: LazyLock<Script> = LazyLock::new(|| {
    let tools = "
steps:
  - text: One.
    tools:
      - { name: shell, input: { command: ls } }
      - { name: write, input: { path: a, content: b } }
      - { name: edit, input: { path: a, old: b, new: c } }
      - { name: read, input: { path: a } }
      - { name: todo, input: { items: [{ text: a, status: pending }] } }
      - { name: task, input: { prompt: p, agent: a } }
  - error: { status: 529, times: 1 }
  - { thinking: Two., tool: { name: apply_patch, input: { text: p } } }
";
    tools.parse().expect("the script is one")
});

fn check(bytes: &[u8]) {
    let Ok(body) = serde_json::from_slice(bytes) else { return };
    for format in FORMATS {
        let asked = format.read(&body);
        assert!(asked.turn <= bytes.len() && asked.tools.len() <= bytes.len());
        answer(&SCRIPT, &asked, format, &mut ErrorsGiven::default());
    }
}
