//! Whether Hansei works in an agent: what is there, what is wrong with it, and what mends it.
//!
//! Looks only. Trust in particular is the user's to give: what is missing is told, never granted.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hansei_core::reflection::Mode;
use hansei_record::settings_file;

use crate::hook_command::mode_name;
use crate::hooks_file::Found;
use crate::install::{Ground, InstallError, found_in, recorded, registration};
use crate::setup::{Trust, Way};
use crate::trust::{self, Trusted};
use crate::version::Version;
use crate::{Adapter, Scope, plugin_file};

/// What is known of an agent from outside its settings.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Whether its program is on the search path.
    pub program: bool,
    /// Its version, if it said one.
    pub version: Option<Version>,
    /// Whether a plain `hansei` finds a program.
    pub hansei_on_path: bool,
    /// Whether the hooks are called.
    pub firing: Firing,
}

/// Whether hooks that are installed are called, by what is known of this workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Firing {
    /// A stop was captured.
    Yes,
    /// None was, and none could have been: the agent has not worked here since.
    #[default]
    NotYet,
    /// None was, although the agent worked here since.
    Never {
        /// How many of its sessions began since and came to a stop.
        sessions: usize,
    },
}

impl Firing {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::NotYet => "not_yet",
            Self::Never { .. } => "never",
        }
    }
}

/// Hooks of ours in one scope.
#[derive(Debug)]
pub struct Installation {
    /// The scope.
    pub scope: Scope,
    /// The file they are in.
    pub file: PathBuf,
    /// Their mode.
    pub mode: Mode,
    /// The events they are for, as the agent names them; none for a plugin.
    pub events: Vec<String>,
    /// Whether the agent may run them.
    pub trusted: Trusted,
    /// Whether somebody changed them since they were installed.
    pub modified: bool,
}

/// Our MCP server in an agent's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The scope.
    pub scope: Scope,
    /// The file it is in.
    pub file: PathBuf,
    /// The program that it is started with.
    pub program: String,
}

/// Something that is wrong, and what mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub what: String,
    /// The command or step that mends it.
    pub repair: String,
}

/// All that is known of Hansei in an agent.
#[derive(Debug)]
pub struct Examination {
    /// Our hooks, one entry a scope.
    pub installations: Vec<Installation>,
    /// Where our MCP server is registered.
    pub servers: Vec<Registration>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Examines an agent's settings in all of `grounds`.
pub fn examine(adapter: &'static Adapter, grounds: &[Ground], seen: &Seen) -> Examination {
    let mut found = Examination { installations: Vec::new(), servers: Vec::new(), problems: Vec::new() };
    for ground in grounds {
        for file in adapter.setup.files(ground.scope, &ground.user, &ground.project) {
            look_into(adapter, ground, &file, seen, &mut found);
        }
        if let Some((file, program)) = registration(adapter, ground) {
            found.problems.extend(unstartable(adapter, ground.scope, &program, seen));
            found.servers.push(Registration { scope: ground.scope, file, program });
        }
    }
    if found.installations.is_empty() {
        return found;
    }
    let (title, name, setup) = (adapter.setup.title, adapter.name, &adapter.setup);
    let mut problem = |what: String, repair: String| found.problems.push(Problem { what, repair });
    if !seen.program {
        problem(
            format!("`{}` is not on your PATH", setup.program),
            format!("install {title}, or run `hansei uninstall {name}`"),
        );
    }
    if let Some(version) = seen.version.filter(|version| *version < setup.oldest) {
        problem(
            format!(
                "{title} {version} is older than {}, the oldest whose hooks are known to work",
                setup.oldest
            ),
            format!("run `{}`", setup.update),
        );
    }
    if let [first, second, ..] = found.installations.as_slice()
        && first.scope != second.scope
    {
        problem(
            "it is installed in user and in project scope, so every stop is told twice".to_owned(),
            format!("run `hansei uninstall {name}` to leave it to the project"),
        );
    }
    if let Firing::Never { sessions } = seen.firing {
        let times = if sessions == 1 { "once".to_owned() } else { format!("{sessions} times") };
        problem(
            format!("{title} worked here {times} since the hooks were installed, and no stop was captured"),
            format!("run `hansei install {name}` again, start {title} anew and let it do a task"),
        );
    }
    found
}

/// What keeps the agent from starting our server.
fn unstartable(adapter: &Adapter, scope: Scope, program: &str, seen: &Seen) -> Option<Problem> {
    let path = Path::new(program);
    let is_there = if path.is_absolute() { path.exists() } else { seen.hansei_on_path };
    let install = format!("hansei install --mcp {} --scope {}", adapter.name, scope.name());
    (!is_there).then(|| Problem {
        what: format!("{} would start `{program} mcp`, and that program is not there", adapter.setup.title),
        repair: format!("run `{install}`, or put hansei on your PATH"),
    })
}

/// When the hooks were last put into an agent's settings, as far as the files tell: nothing before it is theirs.
pub fn installed_at(adapter: &Adapter, grounds: &[Ground]) -> Option<SystemTime> {
    let files = grounds.iter().flat_map(|ground| {
        let files = adapter.setup.files(ground.scope, &ground.user, &ground.project);
        files.into_iter().filter(|file| {
            let text = settings_file::read(file).ok().flatten().unwrap_or_default();
            match &adapter.setup.way {
                Way::Plugin { .. } => plugin_file::recognise(&text).is_some(),
                Way::Hooks(_) => found_in(file, &text, adapter.name).is_ok_and(|found| !found.is_empty()),
            }
        })
    });
    files.filter_map(|file| std::fs::metadata(file).ok()?.modified().ok()).max()
}

fn look_into(adapter: &Adapter, ground: &Ground, file: &Path, seen: &Seen, all: &mut Examination) {
    let install = match ground.scope {
        Scope::User => format!("hansei install {}", adapter.name),
        Scope::Project => format!("hansei install {} --scope project", adapter.name),
    };
    let mut problem = |what: String, repair: String| all.problems.push(Problem { what, repair });
    let text = match settings_file::read(file) {
        Ok(Some(text)) => text,
        Ok(None) => return,
        Err(error) => return problem(format!("{}: {error}", file.display()), "mend the file".to_owned()),
    };
    let commands: Vec<String>;
    let (mode, hooks) = match &adapter.setup.way {
        Way::Plugin { .. } => match plugin_file::recognise(&text) {
            Some(mode) => {
                commands = vec![text];
                (mode, Vec::new())
            }
            None => return,
        },
        Way::Hooks(_) => match found_in(file, &text, adapter.name) {
            Ok(found) => {
                commands = found.iter().map(|hook| hook.command.clone()).collect();
                match found.first() {
                    Some(hook) => (hook.mode, found),
                    None => return,
                }
            }
            Err(error) => {
                let broken = InstallError::Settings { file: file.to_owned(), error };
                return problem(
                    broken.to_string(),
                    format!("mend the file there: {} may read none of it", adapter.setup.title),
                );
            }
        },
    };
    let events: Vec<String> = hooks.iter().map(|hook| hook.event.clone()).collect();
    let entry = recorded(&ground.records).ok().and_then(|records| records.entry(adapter.name, file).cloned());
    let modified = entry.is_some_and(|entry| {
        let missing = |command: &String| !commands.contains(command);
        entry.ours.iter().any(missing) || commands.len() != entry.ours.len()
    });
    let mixed = hooks.iter().any(|hook| hook.mode != mode);
    let observe = if mode == Mode::Orchestrated { " --observe" } else { "" };
    if modified || mixed {
        problem(
            format!("somebody changed Hansei's part of {}", file.display()),
            format!("run `{install}{observe}`"),
        );
    } else if let Way::Hooks(known) = &adapter.setup.way {
        let of_version: Vec<&str> = known.known_to(seen.version).map(|hook| hook.name).collect();
        let missing: Vec<&str> =
            of_version.iter().copied().filter(|name| !events.iter().any(|event| event == name)).collect();
        if !missing.is_empty() {
            problem(
                format!("there is no hook for {}", missing.join(", ")),
                format!("run `{install}{observe}`"),
            );
        }
        let unknown: Vec<&String> =
            events.iter().filter(|event| !of_version.contains(&event.as_str())).collect();
        if let (Some(version), Some(first)) = (seen.version, unknown.first()) {
            let (title, scope) = (adapter.setup.title, ground.scope.name());
            let uninstall = format!("hansei uninstall {} --scope {scope}", adapter.name);
            problem(
                format!(
                    "{title} {version} does not know the event {first} and may ignore all hooks because of it"
                ),
                format!("run `{uninstall}`, then `{install}{observe}`"),
            );
        }
    }
    if mode == Mode::Off {
        problem(
            format!("the mode in {} is none, so nothing happens", file.display()),
            format!("run `{install}`"),
        );
    }
    if let Some(gone) = commands.iter().find_map(|command| missing_program(command, seen)) {
        problem(
            format!("the hooks call {gone}, which is not there"),
            format!("install it there, or run `{install}{observe}`"),
        );
    }
    let trusted = trust_in(adapter, ground, file, &hooks);
    if let Some((what, repair)) = distrust(adapter, ground, trusted) {
        problem(what, repair);
    }
    all.installations.push(Installation {
        scope: ground.scope,
        file: file.to_owned(),
        mode,
        events,
        trusted,
        modified,
    });
}

/// The program of a command (or plugin), if it is not there.
fn missing_program(command: &str, seen: &Seen) -> Option<String> {
    let program = match command.lines().find_map(|line| line.strip_prefix("const PROGRAM = ")) {
        Some(literal) => serde_json::from_str(literal).unwrap_or_default(),
        None => match command.strip_prefix('\'') {
            Some(rest) => rest.split("' hook ").next()?.replace(r"'\''", "'"),
            None => command.split(" hook ").next()?.to_owned(),
        },
    };
    if program.starts_with('/') {
        (!Path::new(&program).exists()).then_some(program)
    } else {
        // By name, also from within `sh -c`.
        (!seen.hansei_on_path).then(|| "`hansei` on your PATH".to_owned())
    }
}

fn trust_in(adapter: &Adapter, ground: &Ground, file: &Path, hooks: &[Found]) -> Trusted {
    let read = |file: PathBuf| settings_file::read(&file).ok().flatten().unwrap_or_default();
    let folder = (adapter.setup.user_folder)(&ground.user);
    match adapter.setup.trust {
        Trust::NotNeeded => Trusted::Yes,
        Trust::EachHook => {
            let config = read(folder.join("config.toml"));
            if ground.scope == Scope::Project && !trust::codex_project(&config, &ground.project) {
                return Trusted::No;
            }
            let each = hooks.iter().map(|hook| trust::codex_hook(&config, file, hook));
            each.reduce(|worst, next| if worst == Trusted::Yes { next } else { worst }).unwrap_or(Trusted::No)
        }
        Trust::ProjectFolder if ground.scope == Scope::User => Trusted::Yes,
        Trust::ProjectFolder => {
            let folders = read(folder.join("trustedFolders.json"));
            if trust::gemini_folder(&folders, &ground.project) { Trusted::Yes } else { Trusted::No }
        }
    }
}

fn distrust(adapter: &Adapter, ground: &Ground, trusted: Trusted) -> Option<(String, String)> {
    let (title, program) = (adapter.setup.title, adapter.setup.program);
    let approve = match (adapter.setup.trust, ground.scope) {
        (Trust::ProjectFolder, _) => format!("start `{program}` in this folder and trust it"),
        (_, Scope::User) => format!("start `{program}`, open /hooks and trust Hansei's hooks"),
        (_, Scope::Project) => {
            format!("start `{program}` in this folder, trust it, open /hooks and trust Hansei's hooks")
        }
    };
    let what = match trusted {
        Trusted::Yes => return None,
        Trusted::No => format!("{title} does not trust the hooks yet, so it skips them without a word"),
        Trusted::Changed => {
            format!("{title} trusted other hooks than these, so it skips them without a word")
        }
        Trusted::SwitchedOff => format!("the hooks are switched off in {title}"),
    };
    let repair = match trusted {
        Trusted::SwitchedOff => format!("start `{program}`, open /hooks and switch them on"),
        _ => approve,
    };
    Some((what, repair))
}

/// A mode as a person reads it.
pub fn mode_said(mode: Mode) -> String {
    match mode {
        Mode::Solo => "solo (acts)".to_owned(),
        Mode::Orchestrated => "orchestrated (observes)".to_owned(),
        Mode::Off => mode_name(mode).to_owned(),
    }
}
