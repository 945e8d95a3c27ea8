//! The folder that commands run in: no manifest where one is expected, and one below or above.

use std::collections::BTreeSet;

use hansei_core::check::{PlainCommand, commands};
use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::shell_lines::ShellLine;
use super::tree::{Presence, base, join, parent, under, upwards};

/// What a program needs in its folder, and whether it looks above by itself.
const NEEDS: &[(&[&str], &[&str], bool)] = &[
    (&["npm", "yarn", "pnpm", "npx", "bun"], &["package.json"], true),
    (&["cargo"], &["Cargo.toml"], true),
    (&["go"], &["go.mod", "go.work"], true),
    (&["mvn"], &["pom.xml"], false),
    (&["gradle"], &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"], false),
    (&["make"], &["Makefile", "makefile", "GNUmakefile"], false),
    (&["bundle", "rake"], &["Gemfile", "Rakefile"], true),
    (&["composer"], &["composer.json"], false),
    (&["poetry", "uv", "pdm"], &["pyproject.toml"], true),
];
/// What makes a folder a project.
const MANIFESTS: &[&str] = &[
    "package.json", "Cargo.toml", "go.mod", "go.work", "pom.xml", "build.gradle", "build.gradle.kts",
    "settings.gradle", "Makefile", "makefile", "CMakeLists.txt", "pyproject.toml", "setup.py", "setup.cfg",
    "requirements.txt", "Pipfile", "Gemfile", "composer.json", "deno.json", "meson.build", "tox.ini",
    "pytest.ini",
];
/// What tells how a project is put together at its top.
const ORGANISED: &[&str] = &[
    "justfile", "Taskfile.yml", "docker-compose.yml", "compose.yml", "docker-compose.yaml", "compose.yaml",
    "Dockerfile", "Tiltfile", "WORKSPACE", "MODULE.bazel", "nx.json", "lerna.json", "pnpm-workspace.yaml",
    "flake.nix",
];

pub(super) fn probe(ground: &Ground<'_>) {
    for line in ground.shell_lines() {
        changes_folder(ground, line);
        needs_manifest(ground, line);
    }
    nothing_here(ground);
}

/// A script that goes into a folder that does not exist.
fn changes_folder(ground: &Ground<'_>, line: &ShellLine) {
    let made = |folder: &str| {
        let all = format!("{}\n{}", line.before, line.text);
        all.contains("mkdir")
            || all.contains("clone")
            || all.contains("tar ")
            || all.contains("unzip")
            || all.contains("git worktree")
            || folder.contains(['$', '*', '`', '~', '('])
    };
    // Where a script stands when it begins is the caller's choice, unless it goes to its own folder first.
    let places = [line.folder.as_str(), "", ground.tree.scope()];
    for command in commands(&line.text) {
        let program = command.program();
        let after = |option: &str| {
            command
                .arguments()
                .iter()
                .position(|word| word == option)
                .and_then(|at| command.arguments().get(at + 1))
        };
        let wanted = match program {
            "cd" | "pushd" if command.words.len() == 2 => Some(command.word(1)),
            "make" | "npm" | "yarn" | "pnpm" | "git" | "go" => ["-C", "--prefix", "--dir", "--cwd"]
                .iter()
                .find_map(|option| after(option))
                .map(String::as_str),
            _ => None,
        };
        let Some(wanted) =
            wanted.filter(|wanted| !wanted.starts_with(['/', '-']) && !wanted.is_empty() && !made(wanted))
        else {
            continue;
        };
        let paths: Vec<String> = places.iter().filter_map(|place| join(place, wanted)).collect();
        // What lies outside the project is not known.
        if paths.len() < places.len() {
            continue;
        }
        let is_absent =
            |path: &String| matches!(ground.tree.presence(path), Presence::Absent | Presence::OtherCase(_));
        let changed = line.before.lines().any(|line| line.trim_start().starts_with("cd "))
            || command.folder.as_ref().is_some_and(|folder| folder != wanted);
        if paths.is_empty() || !paths.iter().all(is_absent) || changed || line.text.contains("||") {
            continue;
        }
        let lies = ground.tree.folders().iter().find(|folder| base(folder) == base(wanted)).cloned();
        let fix = lies.as_ref().map_or_else(
            || format!("correct the folder in {}", line.place),
            |other| format!("use {other} in {}", line.place),
        );
        ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!(
                    "{} goes into the folder {wanted:?}, which does not exist",
                    line.place.split(':').next().unwrap_or("a script")
                ),
                format!("{}: {}", line.place, line.text.chars().take(120).collect::<String>()),
                fix,
            )
            .naming([wanted.to_owned(), "No such file or directory".to_owned()]),
        );
    }
}

/// A command whose manifest is not where it runs.
fn needs_manifest(ground: &Ground<'_>, line: &ShellLine) {
    let in_script = line.place.contains("(script ") || line.place.contains("akefile") || line.is_failing;
    if !in_script {
        return;
    }
    for command in commands(&line.text) {
        let program = command.program();
        let Some((_, manifests, searches)) =
            NEEDS.iter().find(|(programs, _, _)| programs.contains(&program))
        else {
            continue;
        };
        let elsewhere = [
            "-C", "--prefix", "--dir", "--cwd", "--manifest-path", "-f", "--file", "--makefile", "--global",
            "-g", "--version", "init", "create", "new", "install",
        ];
        let told = command
            .arguments()
            .iter()
            .any(|word| elsewhere.iter().any(|it| word == it || word.starts_with(&format!("{it}="))));
        if told && !(line.is_failing && command.has(&["install"])) {
            continue;
        }
        let folder = match &command.folder {
            Some(changed) => match join(&line.folder, changed) {
                Some(folder) if ground.tree.has_folder(&folder) => folder,
                _ => continue,
            },
            None => line.folder.clone(),
        };
        let has = |folder: &str| manifests.iter().any(|name| ground.tree.has(&under(folder, name)));
        let outside = || {
            let begin = ground.tree.root().join(&folder);
            begin.ancestors().skip(1).any(|folder| manifests.iter().any(|name| folder.join(name).is_file()))
        };
        if has(&folder)
            || (*searches && (upwards(&folder).any(has) || outside()))
            || manifests.contains(&"go.mod") && !line.is_failing && !needs_module(ground, line, &command)
        {
            continue;
        }
        if program == "make" && !line.is_failing {
            continue;
        }
        let mut others = ground
            .tree
            .files()
            .iter()
            .filter(|file| manifests.contains(&base(&file.path)) && ground.tree.is_examined(&file.path));
        let shown = if folder.is_empty() { "this folder" } else { folder.as_str() };
        let Some(other) = others.next().map(|file| parent(&file.path).to_owned()) else {
            if line.is_failing {
                ground.suspect(
                    Suspicion::new(
                        Probe::WrongFolder,
                        format!(
                            "{program} needs {} in {shown}, and there is none anywhere in the project",
                            manifests[0]
                        ),
                        line.place.clone(),
                        format!("run it in the folder of a {}", manifests[0]),
                    )
                    .naming([manifests[0]]),
                );
            }
            continue;
        };
        let target = if other.is_empty() { ".".to_owned() } else { other };
        ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!("{program} needs {} in {shown}, and it lies in {target}", manifests[0]),
                format!("{}: {}", line.place, line.text.chars().take(120).collect::<String>()),
                format!("cd {target} && {}", command.words.join(" ")),
            )
            .strength(Strength::Certain)
            .naming([manifests[0], program]),
        );
    }
}

/// Whether Go looks at packages of a module here, in a recipe of make.
fn needs_module(ground: &Ground<'_>, line: &ShellLine, command: &PlainCommand) -> bool {
    let works = matches!(command.word(1), "build" | "test" | "vet" | "run");
    let local = command.arguments().iter().any(|word| word == "." || word.starts_with("./"));
    let files = command.arguments().iter().any(|word| word.ends_with(".go") || word.contains('@'));
    let old = ground.variable("GO111MODULE").is_some() || line.text.contains("GO111MODULE");
    line.place.contains("akefile") && works && local && !files && !old
}

/// No manifest here, and exactly one project below; or one above that nobody looks for.
fn nothing_here(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let here = tree.scope().trim_end_matches('/');
    let has_any = |folder: &str| MANIFESTS.iter().any(|name| tree.has(&under(folder, name)));
    if has_any(here) {
        return;
    }
    let organised = ORGANISED.iter().any(|name| tree.has(&under(here, name)))
        || [".github", "scripts", "bin", ".gitlab-ci.yml", ".circleci"]
            .iter()
            .any(|name| tree.presence(&under(here, name)).may_be());
    let direct = |path: &str| parent(path) == here;
    let sources = [".py", ".js", ".ts", ".go", ".rs", ".java", ".c", ".cpp", ".rb", ".php", ".sh"];
    let has_sources = tree
        .files()
        .iter()
        .any(|file| direct(&file.path) && sources.iter().any(|ending| file.path.ends_with(ending)));
    let projects: BTreeSet<&str> = tree
        .files()
        .iter()
        .filter(|file| {
            file.path.starts_with(tree.scope())
                && MANIFESTS.contains(&base(&file.path))
                && tree.is_examined(&file.path)
        })
        .map(|file| parent(&file.path))
        .collect();
    let outermost: Vec<&&str> = projects
        .iter()
        .filter(|one| !projects.iter().any(|other| *one != other && one.starts_with(&format!("{other}/"))))
        .collect();
    if let ([only], false, false) = (outermost.as_slice(), organised, has_sources) {
        let manifest = MANIFESTS.iter().find(|name| tree.has(&under(only, name))).unwrap_or(&"manifest");
        let seen = only.strip_prefix(tree.scope()).unwrap_or(only);
        ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!("there is no project in this folder: its {manifest} lies in {seen}/"),
                under(only, manifest),
                format!("cd {seen}"),
            )
            .strength(Strength::Likely)
            .naming([*manifest]),
        );
        return;
    }
    if here.is_empty() || !projects.is_empty() {
        return;
    }
    let stays =
        ["Makefile", "pom.xml", "CMakeLists.txt", "requirements.txt", "composer.json", "build.gradle"];
    let above = upwards(parent(here))
        .find_map(|folder| Some((folder, stays.iter().find(|name| tree.has(&under(folder, name)))?)));
    let is_source = here.split('/').any(|part| matches!(part, "src" | "lib" | "app" | "include"));
    if let Some((folder, manifest)) = above.filter(|_| !is_source) {
        let up =
            "../".repeat(here.split('/').count() - folder.split('/').filter(|part| !part.is_empty()).count());
        ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!(
                    "there is no project in this folder: the {manifest} lies above, in {}",
                    up.trim_end_matches('/')
                ),
                under(folder, manifest),
                format!("cd {}", up.trim_end_matches('/')),
            )
            .strength(Strength::Hinted)
            .naming([*manifest]),
        );
    }
}
