//! Deterministic looks into the blind zones of a project: what fails though the code is right.
//!
//! One file a probe. Each looks at files, variables and the machine, never at what a model thinks, and says nothing unless
//! it can name the thing and what mends it. The project is hostile: nothing of it is run, no link leads out of it, and all
//! reading is bounded in size and time. Values of variables are never shown, only their names.

#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a name that differs in case is another name here, and that is one of the faults that are looked for"
)]

mod argument_files;
mod c_project;
mod c_stale;
mod c_system;
mod called_programs;
mod class_path;
mod clock_locale;
mod config_syntax;
mod data_encodings;
mod data_endings;
mod dates;
mod declared_variables;
mod definitions;
mod disk;
mod dynamic_imports;
mod encodings;
mod entered_folders;
mod exported_names;
mod expressions;
mod file_case;
mod file_modes;
mod file_openers;
mod file_reads;
mod flow;
mod functions;
mod generated_modules;
mod git_branch;
mod git_owner;
mod git_state;
mod go_embeds;
mod go_project;
mod go_workspace;
mod ground;
mod hint;
mod ignore_file;
mod java_classes;
mod java_imports;
mod java_toolchain;
mod javascript_imports;
mod javascript_source;
mod jvm_project;
mod later_names;
mod left_locks;
mod line_endings;
mod listed_programs;
mod locales;
mod looped_scripts;
mod made_files;
mod mock_targets;
mod named_among_siblings;
mod named_by_error;
mod named_classes;
mod named_in_folder;
mod named_paths;
mod node_dependencies;
mod node_packages;
mod node_stale;
mod opened_files;
mod opened_literals;
mod outer_root;
mod path_calls;
mod path_names;
mod path_text;
mod path_values;
mod pattern;
mod permissions;
mod port;
mod programs;
mod pytest_decorators;
mod pytest_setup;
mod python_dependencies;
mod python_imports;
mod python_modules;
mod python_requirements;
mod python_shadows;
mod python_source;
mod python_toolchain;
mod python_world;
mod read_guards;
mod resource_roots;
mod ruby_php_project;
mod rust_lock;
mod rust_project;
mod script_files;
mod script_values;
mod search_paths;
mod set_variables;
mod settings_paths;
mod settings_variables;
mod shell_files;
mod shell_lines;
mod sibling_files;
mod source_layout;
mod source_text;
mod stale_build;
mod stale_copies;
mod stale_products;
mod started_in;
mod subpath_imports;
mod tagged_fields;
mod template_names;
mod time_zones;
mod tokens;
mod tool_variables;
mod toolchain;
mod tree;
mod ts_paths;
mod variable_flow;
mod variables;
mod version;
mod version_checks;
mod wrong_folder;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

pub use hansei_core::escalation::{Finding, Probe};

use ground::Ground;
use hint::Hint;
use programs::Programs;
use tree::Tree;

/// The longest that all probes together may look.
const LIMIT: Duration = Duration::from_secs(12);

/// Where to look, and what is known of the failure.
#[derive(Debug)]
pub struct Look<'a> {
    /// The repository's root, or the folder itself: nothing outside it is read.
    pub root: &'a Path,
    /// The folder that is examined, at or below the root.
    pub folder: &'a Path,
    /// The command that fails.
    pub command: Option<&'a str>,
    /// What it printed.
    pub error: Option<&'a str>,
    /// The environment that it runs in.
    pub environment: &'a [(String, String)],
}

/// What a look gave.
#[derive(Debug)]
pub struct Looked {
    /// What was found, strongest first.
    pub findings: Vec<Finding>,
    /// Whether every probe had its time; otherwise nothing found means little.
    pub is_whole: bool,
}

/// Looks into every blind zone. What is found comes strongest first.
pub fn look(asked: &Look<'_>) -> Vec<Finding> {
    look_whole(asked).findings
}

/// The same, and whether the time was enough.
pub fn look_whole(look: &Look<'_>) -> Looked {
    let deadline = Instant::now() + LIMIT;
    let (Ok(root), Ok(folder)) = (look.root.canonicalize(), look.folder.canonicalize()) else {
        return Looked { findings: Vec::new(), is_whole: false };
    };
    let environment: BTreeMap<&str, &str> =
        look.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let root = if folder.starts_with(&root) && folder != root {
        root
    } else if folder.join(".git").exists() {
        folder.clone()
    } else {
        outer_root::outer_root(&folder, environment.get("HOME").copied())
    };
    let search_path = environment.get("PATH").map(OsString::from).unwrap_or_default();
    let ground = Ground::new(
        Tree::walk(&root, &folder, deadline),
        Hint::new(look.command, look.error),
        Programs::new(search_path, &root),
        environment,
        deadline,
    );
    for probe in PROBES {
        if ground.tree.is_over() {
            break;
        }
        probe(&ground);
    }
    let is_whole = !ground.tree.is_over();
    Looked { findings: ground.findings(), is_whole }
}

/// Every probe, the cheap ones first.
const PROBES: &[fn(&Ground<'_>)] = &[
    disk::probe,
    git_state::probe,
    line_endings::probe,
    data_endings::probe,
    file_case::probe,
    clock_locale::probe,
    dates::probe,
    port::probe,
    permissions::probe,
    file_modes::probe,
    listed_programs::probe,
    looped_scripts::probe,
    wrong_folder::probe,
    entered_folders::probe,
    config_syntax::probe,
    toolchain::probe,
    tool_variables::probe,
    later_names::probe,
    version_checks::probe,
    named_paths::probe,
    search_paths::probe,
    shell_files::probe,
    node_dependencies::probe,
    python_imports::probe,
    source_layout::probe,
    python_shadows::probe,
    javascript_imports::probe,
    subpath_imports::probe,
    stale_build::probe,
    c_stale::probe,
    stale_products::probe,
    stale_copies::probe,
    left_locks::probe,
    opened_files::probe,
    sibling_files::probe,
    settings_paths::probe,
    named_among_siblings::probe,
    template_names::probe,
    variables::probe,
    pytest_setup::probe,
    rust_project::probe,
    go_project::probe,
    go_embeds::probe,
    go_workspace::probe,
    c_project::probe,
    c_system::probe,
    jvm_project::probe,
    argument_files::probe,
    class_path::probe,
    java_classes::probe,
    java_imports::probe,
    named_classes::probe,
    ruby_php_project::probe,
    named_by_error::probe,
];
