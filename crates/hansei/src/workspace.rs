//! The workspace a command speaks of.

use std::path::{Path, PathBuf};

use hansei_hook::Environment;
use hansei_record::places::Places;
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
}
