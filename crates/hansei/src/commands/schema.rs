//! `hansei schema`: the published formats.

use std::process::ExitCode;

use hansei_core::schema::{Format, typescript};

use crate::failure::{Answer, Failure};
use crate::terminal;

/// Print the JSON Schema of a record, or list the records there are.
///
/// Example: hansei schema reflection.v1
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The record, such as reflection.v1.
    name: Option<String>,
    /// Print zod schemas and TypeScript types of all records instead.
    #[arg(long, conflicts_with = "name")]
    typescript: bool,
    /// Print the list as JSON; a schema always is.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let names = Format::ALL.map(Format::name);
    if arguments.typescript {
        let module = typescript().map_err(|error| Failure::environment(error.to_string()))?;
        terminal::print(&module);
    } else if let Some(name) = &arguments.name {
        let format = Format::from_name(name).ok_or_else(|| {
            Failure::usage(format!("there is no schema {name:?}"))
                .hint(format!("there are {}", names.join(", ")))
        })?;
        terminal::print_json(&format.json_schema())?;
    } else if arguments.json {
        terminal::print_json(&names)?;
    } else {
        terminal::print(&format!("{}\n", names.join("\n")));
    }
    Ok(ExitCode::SUCCESS)
}
