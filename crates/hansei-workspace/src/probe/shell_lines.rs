//! The command lines of a project: its scripts in `package.json`, its Makefiles, its shell scripts, its workflows; each with the
//! folder that it runs in.

use super::ground::Ground;
use super::node_packages::packages;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{base, parent};

static RUN_STEP: Pattern = Pattern::new(r"^\s*(?:-\s+)?run:\s*([^|>\n][^\n]*)$");

/// A command line of the project.
#[derive(Debug)]
pub(super) struct ShellLine {
    /// As written.
    pub(super) text: String,
    /// Its file and line.
    pub(super) place: String,
    /// The folder that it runs in.
    pub(super) folder: String,
    /// It is the command that fails.
    pub(super) is_failing: bool,
    /// What stands before it in the same script.
    pub(super) before: String,
}

/// Every command line that is known.
pub(super) fn shell_lines(ground: &Ground<'_>) -> Vec<ShellLine> {
    let tree = &ground.tree;
    let scope = tree.scope().trim_end_matches('/').to_owned();
    let mut all = Vec::new();
    let mut push = |text: &str, place: String, folder: &str, before: String| {
        all.push(ShellLine {
            text: text.to_owned(),
            place,
            folder: folder.to_owned(),
            is_failing: false,
            before,
        });
    };
    for package in packages(tree) {
        for (name, line) in package.scripts() {
            push(
                line,
                format!("{} (script {name})", package.place(&format!("\"{name}\":"))),
                package.folder(),
                String::new(),
            );
        }
    }
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let in_workflow = file.path.starts_with(".github/workflows/");
        let kind = match name {
            "Makefile" | "makefile" | "GNUmakefile" => 'm',
            "Procfile" => 'p',
            _ if name.ends_with(".sh") || name.ends_with(".bash") => 's',
            _ if in_workflow && (name.ends_with(".yml") || name.ends_with(".yaml")) => 'w',
            _ => continue,
        };
        let Some(text) = tree.text(&file.path) else { continue };
        let place = |line: usize| format!("{}:{line}", file.path);
        match kind {
            'm' => {
                for (at, line) in text.lines().enumerate() {
                    if let Some(recipe) = line.strip_prefix('\t') {
                        let recipe = recipe.trim_start_matches(['@', '-', '+', ' ']);
                        push(recipe, place(at + 1), parent(&file.path), String::new());
                    }
                }
            }
            'p' => {
                for (at, line) in text.lines().enumerate() {
                    if let Some((_, command)) = line.split_once(':') {
                        push(command.trim(), place(at + 1), parent(&file.path), String::new());
                    }
                }
            }
            'w' => {
                for hit in RUN_STEP.all(&text) {
                    push(hit.group(1).trim(), place(hit.line()), "", String::new());
                }
            }
            _ => {
                let code = code(&text, Language::Hash);
                let mut before = String::new();
                for (at, line) in code.lines().enumerate() {
                    if line.trim().is_empty() {
                        continue;
                    }
                    push(line.trim(), place(at + 1), parent(&file.path), before.clone());
                    if before.len() < 4_000 {
                        before.push_str(line);
                        before.push('\n');
                    }
                }
            }
        }
    }
    if !ground.hint.command.is_empty() {
        all.push(ShellLine {
            text: ground.hint.command.clone(),
            place: "the command".to_owned(),
            folder: scope,
            is_failing: true,
            before: String::new(),
        });
    }
    all
}
