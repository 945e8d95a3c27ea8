//! What a hook call takes from its process: read once, at the edge.

use std::ffi::OsString;
use std::path::PathBuf;

use hansei_agents::transcript::Homes;
use hansei_agents::{adapter_named, project_variable};
use hansei_record::settings;

/// The environment of a hook call. A variable that is set but empty counts as not set.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The folder the process runs in.
    pub folder: PathBuf,
    /// Where the agent says that its session was started.
    pub project: Option<PathBuf>,
    /// `REFLECTION_DIR`: where reflections go.
    pub reflections: Option<PathBuf>,
    /// `REFLECTION_INPUT`: where the self-report is.
    pub self_report: Option<PathBuf>,
    /// `REFLECTION_AGENT`: the agent's name in records.
    pub agent: Option<String>,
    /// `REFLECTION_TASK_REF`: the task's name in records.
    pub task_ref: Option<String>,
    /// The user's own settings file.
    pub user_settings: Option<PathBuf>,
    /// Where agents keep their files.
    pub homes: Homes,
    /// What the agent's variables say about whether a human is there.
    pub attended: Option<bool>,
    /// `HANSEI_CHILD`: Hansei itself started the session.
    pub child: bool,
    /// `REFLECTION_DEBUG`: say each step of a decision.
    pub debug: bool,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let path = |name: &str| set(name).map(PathBuf::from);
        let text = |name: &str| set(name).map(|value: OsString| value.to_string_lossy().into_owned());
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Self {
            project: None,
            reflections: path("REFLECTION_DIR").map(|dir| folder.join(dir)),
            self_report: path("REFLECTION_INPUT").map(|file| folder.join(file)),
            agent: text("REFLECTION_AGENT"),
            task_ref: text("REFLECTION_TASK_REF"),
            user_settings: settings::user_file(path("XDG_CONFIG_HOME"), path("HOME")),
            homes: Homes {
                home: path("HOME").unwrap_or_default(),
                claude: path("CLAUDE_CONFIG_DIR"),
                codex: path("CODEX_HOME"),
                data: path("XDG_DATA_HOME"),
            },
            attended: None,
            child: set("HANSEI_CHILD").is_some(),
            debug: set("REFLECTION_DEBUG").is_some_and(|value| value != "0"),
            folder,
        }
    }

    /// What it says to a hook of `agent`.
    #[must_use]
    pub fn called_by(self, agent: Option<&str>) -> Self {
        let project = agent.and_then(project_variable).and_then(std::env::var_os);
        let variable = |name: &str| std::env::var(name).ok();
        let attended =
            agent.and_then(adapter_named).and_then(|adapter| (adapter.attendance.variables)(&variable));
        Self { project: project.map(PathBuf::from), attended, ..self }
    }
}
