//! Where agents keep their files, read once from the environment.

use std::path::PathBuf;

use hansei_agents::transcript::{Found, Homes};

use crate::failure::Failure;

/// The homes of agents for this user.
pub fn of_user() -> Homes {
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Homes {
        home: path("HOME").unwrap_or_default(),
        claude: path("CLAUDE_CONFIG_DIR"),
        codex: path("CODEX_HOME"),
        data: path("XDG_DATA_HOME"),
    }
}

/// The agent called `name`.
pub fn known_agent(name: &str) -> Result<String, String> {
    let names = hansei_agents::ADAPTERS.map(|adapter| adapter.name);
    if names.contains(&name) { Ok(name.to_owned()) } else { Err(format!("there are {}", names.join(", "))) }
}

/// The session on disk with this id, or the only one whose id begins so; `last` is the newest.
pub fn find(id: &str, agent: Option<&str>) -> Result<Found, Failure> {
    let mut all = hansei_agents::sessions(&of_user(), agent);
    if id == "last" && !all.is_empty() {
        return Ok(all.swap_remove(0));
    }
    if let Some(place) = all.iter().position(|found| found.id == id) {
        return Ok(all.swap_remove(place));
    }
    let mut matching: Vec<Found> = all.into_iter().filter(|found| found.id.starts_with(id)).collect();
    match matching.len() {
        1 => Ok(matching.swap_remove(0)),
        0 => Err(Failure::usage(format!("there is no session {id:?} on this disk"))
            .hint("`hansei sessions` lists them")),
        several => {
            Err(Failure::usage(format!("{several} sessions begin with {id:?}")).hint("give more of its id"))
        }
    }
}
