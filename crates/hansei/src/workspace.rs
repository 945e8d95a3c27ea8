//! The workspace a command speaks of.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansei_hook::Environment;
use hansei_record::places::Places;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use crate::failure::Failure;

/// A workspace and where its records lie.
#[derive(Debug)]
pub struct Workspace {
    /// Where it is.
    pub layout: Layout,
    /// Where its records lie.
    pub places: Places,
    /// The process's environment.
    pub environment: Environment,
}

impl Workspace {
    /// The workspace at `folder`, or here.
    pub fn at(folder: Option<&Path>) -> Result<Self, Failure> {
        let environment = Environment::of_process();
        let folder: PathBuf = match folder {
            Some(folder) => environment.folder.join(folder),
            None => environment.folder.clone(),
        };
        if !folder.is_dir() {
            return Err(Failure::usage(format!("{} is not a folder", folder.display())));
        }
        let layout = Layout::of(&folder);
        let places =
            Places::new(layout.home(), environment.reflections.clone(), environment.self_report.clone());
        Ok(Self { layout, places, environment })
    }

    /// Who works here: as git knows them, else as the machine does.
    pub fn user(&self) -> String {
        let deadline = Instant::now() + Duration::from_secs(5);
        let git = Git::new(self.layout.root(), deadline).ok();
        let ask = |key| {
            let said = git.as_ref()?.ask_maybe(&["config", "--get", key]).ok()??;
            let said = String::from_utf8_lossy(&said).trim().to_owned();
            Some(said).filter(|said| !said.is_empty())
        };
        let of_machine = || ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
        match (ask("user.name"), ask("user.email")) {
            (Some(name), Some(email)) => format!("{name} <{email}>"),
            (Some(known), None) | (None, Some(known)) => known,
            (None, None) => of_machine().unwrap_or_else(|| "unknown".to_owned()),
        }
    }
}
