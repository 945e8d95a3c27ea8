//! Small texts with a form of their own: moments, paths, ids, versions, commands, plugins, routes and claims.

use hansei_agents::hook_command::{Program, hook_command, is_versioned, quoted, recognise};
use hansei_agents::version::Version;
use hansei_agents::{Scope, event_named, plugin_file};
use hansei_core::evidence::claims_anything;
use hansei_core::reflection::Mode;
use hansei_core::risk::Floor;
use hansei_core::timestamp::Timestamp;
use hansei_core::{path_text, session_name};
use hansei_model_server::route::route;
use hansei_record::clock;

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "names", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    assert_eq!(path_text::decode(&path_text::encode(bytes)), bytes, "the bytes of a path come back");
    let text = String::from_utf8_lossy(bytes).into_owned();
    let name = session_name::safe(&text);
    assert!(
        !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && !name.contains(['/', '\0']),
        "{name}"
    );
    if let Ok(moment) = Timestamp::try_from(text.clone()) {
        assert!(
            moment.compact().bytes().all(|byte| byte.is_ascii_digit() || b"TZ".contains(&byte)),
            "{moment}"
        );
        clock::local(&moment);
        clock::seconds_between(Some(&moment), Some(&clock::at(std::time::SystemTime::UNIX_EPOCH)));
    }
    if let Some(version) = Version::find(&text) {
        assert_eq!(Version::find(&version.to_string()), Some(version));
    }
    commands(&text);
    claims_anything(&text);
    Floor::default().evaluate(&text.lines().collect::<Vec<_>>());
    let (path, query) = text.split_once('?').unwrap_or((&text, ""));
    for method in ["GET", "POST"] {
        route(method, path, query);
    }
    for agent in ["codex", "kilo", "another"] {
        event_named(agent, &text);
    }
}

/// Whatever our program's path is, the command and the plugin that name it are known as ours again.
fn commands(path: &str) {
    recognise(path, "codex");
    is_versioned(std::path::Path::new(path));
    plugin_file::recognise(path);
    let quotes = quoted(path).replace(r"'\''", "");
    assert_eq!(quotes.matches('\'').count() % 2, 0, "quotes are closed");
    // A folder that is called like our own arguments is left to who has one.
    if path.contains(" hook ") {
        return;
    }
    let program = Program::At(format!("{path}/hansei"));
    let command = hook_command(&program, "codex", "stop", Mode::Orchestrated, Scope::User);
    assert_eq!(recognise(&command, "codex"), Some(Mode::Orchestrated), "{command}");
    let plugin = plugin_file::content("kilo", &program, Mode::Orchestrated, Scope::User);
    assert_eq!(plugin_file::recognise(&plugin), Some(Mode::Orchestrated), "{plugin}");
}
