//! `hansei trust`: says that a repository's settings file may name commands.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_record::folder::Folder;
use hansei_record::settings::{Layers, WORKSPACE_FILE, read_file};
use hansei_record::trusted::Trusted;
use serde_json::json;

use super::verify::trusted_folder;
use crate::failure::{Answer, Failure};
use crate::inside_agent::refuse;
use crate::terminal;
use crate::workspace::Workspace;

/// Trust a hansei.toml as it is now: its checks take the place of those that are detected.
///
/// The trust is in this content: whoever changes the file loses it. Refused inside an agent's own
/// shell.
///
/// Example: hansei trust
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The file [default: hansei.toml at the root of the workspace]
    file: Option<PathBuf>,
    /// Print {file, commands}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(None)?;
    refuse("trust", &workspace)?;
    let file = match &arguments.file {
        Some(file) => workspace.environment.folder.join(file),
        None => workspace.layout.root().join(WORKSPACE_FILE),
    };
    let file = file.canonicalize().map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
    if file.file_name().is_none_or(|name| name != WORKSPACE_FILE) {
        return Err(Failure::usage(format!("{} is not a {WORKSPACE_FILE}", file.display())));
    }
    let text = read_file(&file)?.unwrap_or_default();
    let layers = Layers::load(Some((&file, &text)), None)?;
    let commands = layers.workspace_checks().map(|(checks, _)| checks.commands).unwrap_or_default();
    let folder = trusted_folder()
        .ok_or_else(|| Failure::environment("HOME is not set, so nobody knows where records lie"))?;
    let mut trusted = Trusted::read(&folder);
    trusted.add(&file, &text);
    let folder = Folder::named_by_user(&folder)?;
    trusted.write(&folder)?;
    if arguments.json {
        terminal::print_json(&json!({ "file": file, "commands": commands }))?;
    } else {
        terminal::print(&format!(
            "trusted as it is now: {}\n",
            terminal::one_line(&file.display().to_string())
        ));
        for command in commands {
            terminal::print(&format!("  verified with: {}\n", terminal::one_line(&command)));
        }
    }
    Ok(ExitCode::SUCCESS)
}
