//! The templates that a user has: those that come with the program, and their own in `teams/*.yaml` beside `config.toml`.
//!
//! A repository has none: what experts are told decides what is done in the user's name.

use std::path::{Path, PathBuf};

use hansei_core::run::team::{BUILT_IN, Template};
use hansei_record::folder::{Folder, read_named_by_user};

use crate::failure::Failure;

/// The largest template that is read.
const LARGEST: u64 = 1 << 20;

/// The template called `name`. One of the user's goes before one of the same name that comes with the program.
pub fn named(name: &str, user_settings: Option<&Path>) -> Result<Template, Failure> {
    let own = own(user_settings);
    if let Some((_, file)) = own.iter().find(|(own, _)| own == name) {
        return read(name, file);
    }
    if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
        return Template::of_yaml(text).map_err(|problem| Failure::environment(format!("{name}: {problem}")));
    }
    let mut known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    known.extend(own.iter().map(|(name, _)| name.as_str()));
    known.sort_unstable();
    known.dedup();
    let place = folder(user_settings).map_or_else(String::new, |folder| {
        format!(
            "write one of your own as {}",
            folder.join(format!("{}.yaml", if name.is_empty() { "NAME" } else { name })).display()
        )
    });
    Err(Failure::usage(format!("there is no team {name:?}; there are {}", known.join(", "))).hint(place))
}

fn folder(user_settings: Option<&Path>) -> Option<PathBuf> {
    Some(user_settings?.parent()?.join("teams"))
}

/// The user's own templates by the names of their files.
fn own(user_settings: Option<&Path>) -> Vec<(String, PathBuf)> {
    let Some(folder) = folder(user_settings) else { return Vec::new() };
    let names = Folder::existing(&folder).and_then(|folder| folder.names()).unwrap_or_default();
    let mut found: Vec<(String, PathBuf)> = names
        .into_iter()
        .filter_map(|file| {
            let name = file.strip_suffix(".yaml").or_else(|| file.strip_suffix(".yml"))?.to_owned();
            Some((name, folder.join(file)))
        })
        .collect();
    found.sort();
    found
}

fn read(name: &str, file: &Path) -> Result<Template, Failure> {
    let bad = |problem: String| Failure::usage(format!("{}: {problem}", file.display()));
    let text = read_named_by_user(file, LARGEST).map_err(|error| bad(error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| bad("not UTF-8".to_owned()))?;
    let template = Template::of_yaml(&text).map_err(|problem| bad(problem.to_string()))?;
    if template.name != name {
        return Err(bad(format!("it is called {:?} inside; name it like its file", template.name)));
    }
    Ok(template)
}
