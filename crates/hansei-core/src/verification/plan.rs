//! The plan: which commands are run, where, and why.

use super::admission;
use super::contents::{Contents, join, upwards};
use super::definitions::{self, Restored};
use super::ecosystem::{CheckRow, Ecosystem, Reads};
use super::packages::{self, Package};
use super::weakened::{self, Weakened};
use super::{manifest, scripts};

/// What is asked for beside what the workspace itself shows.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The table of ecosystems.
    pub ecosystems: Vec<Ecosystem>,
    /// Commands of a Spec.
    pub spec: Vec<String>,
    /// Commands that a human put in place of the detected ones, and where they stand.
    pub own: Option<(Vec<String>, String)>,
    /// The workspace's own folder, as text.
    pub root: String,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whether this is about code.
    pub task: Task,
    /// The checks, in the order in which they are run.
    pub checks: Vec<PlannedCheck>,
    /// Files of the base commit that are put back for the run.
    pub restored: Vec<Restored>,
    /// What the work took away from its own checks.
    pub weakened: Vec<Weakened>,
}

/// Whether a task is about code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// The detected checks run, and a Spec's beside them.
    Coding,
    /// A Spec's commands are the only check: there is nothing to detect, or only prose changed.
    NotCoding,
}

/// Who asked for a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The workspace shows that it belongs there.
    Detected,
    /// A human's own settings.
    Settings,
    /// A Spec.
    Spec,
}

/// One command, and what is known about it before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCheck {
    /// Who asked for it.
    pub source: Source,
    /// The command line.
    pub line: String,
    /// The same without stopping at the first failure.
    pub thorough: Option<String>,
    /// Where it runs, relative to the root; empty for the root.
    pub folder: String,
    /// The program that it needs.
    pub tool: Option<Tool>,
    /// Scripts that the command calls: a failure may be hidden in them.
    pub calls: Vec<String>,
    /// Whether the runner always says what it ran.
    pub speaks: bool,
    /// Why it is there.
    pub why: String,
    /// Whether it is run.
    pub todo: Todo,
}

/// A program that a check needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// How to get it.
    pub install: String,
}

/// What is done with a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Todo {
    /// It is run.
    Run,
    /// There is nothing to run, for this reason.
    Nothing(String),
    /// It must not be run, for this reason.
    Reject(String),
}

/// Plans a verification.
pub fn plan(contents: &Contents, asked: &Asked) -> Plan {
    let found = packages::find(contents, &asked.ecosystems);
    let changed = contents.changed.as_ref().filter(|changed| !changed.is_empty());
    let only_prose = changed.is_some_and(|changed| changed.iter().all(|path| packages::is_prose(path)));
    // Where a Spec says how prose is checked, code that nobody touched is not asked; without one, it is.
    let is_prose = only_prose && !asked.spec.is_empty();
    let is_code = asked.own.is_some() || !(found.is_empty() || is_prose);
    let task = if is_code { Task::Coding } else { Task::NotCoding };
    let mut checks = Vec::new();
    match &asked.own {
        Some((lines, place)) => checks.extend(lines.iter().map(|line| own(line, place))),
        None if is_code => {
            for at in packages::concerned(&found, contents) {
                detected(&found[at], contents, &mut checks);
            }
        }
        None => {}
    }
    checks.extend(asked.spec.iter().map(|line| of_spec(line, task, &asked.root)));
    let restored = definitions::restored(contents);
    let mut weakened = definitions::changes(contents);
    weakened.extend(weakened::find(contents, &found));
    Plan { task, checks, restored, weakened }
}

fn own(line: &str, place: &str) -> PlannedCheck {
    PlannedCheck {
        source: Source::Settings,
        line: line.to_owned(),
        thorough: None,
        folder: String::new(),
        tool: None,
        calls: Vec::new(),
        speaks: false,
        why: format!("[checks] in {place} stands in place of what is detected"),
        todo: Todo::Run,
    }
}

fn of_spec(line: &str, task: Task, root: &str) -> PlannedCheck {
    let why = match task {
        Task::Coding => "the Spec asks for it, beside what is detected",
        Task::NotCoding => "the Spec asks for it",
    };
    PlannedCheck {
        source: Source::Spec,
        line: line.to_owned(),
        thorough: None,
        folder: String::new(),
        tool: None,
        calls: Vec::new(),
        speaks: false,
        why: why.to_owned(),
        todo: admission::refusal(line, root).map_or(Todo::Run, Todo::Reject),
    }
}

fn detected(package: &Package<'_>, contents: &Contents, checks: &mut Vec<PlannedCheck>) {
    for row in &package.ecosystem.checks {
        let mut check = PlannedCheck {
            source: Source::Detected,
            line: row.line.clone(),
            thorough: row.thorough.clone(),
            folder: package.folder.clone(),
            tool: Some(Tool { name: row.tool.clone(), install: row.install.clone() }),
            calls: Vec::new(),
            speaks: row.speaks,
            why: match &package.manifest {
                Some(manifest) => format!("{}: {manifest}", package.ecosystem.name),
                None => format!(
                    "{}: there are .py files and no manifest of anything else",
                    package.ecosystem.name
                ),
            },
            todo: Todo::Run,
        };
        wrap(&mut check, row, package, contents);
        match package.ecosystem.reads {
            Reads::Node => node(&mut check, package, contents),
            Reads::Maven => modules(&mut check, package, contents),
            Reads::Make => make(&mut check, package, contents),
            _ => {}
        }
        checks.push(check);
    }
}

/// A wrapper script in the package or above it takes the program's place.
fn wrap(check: &mut PlannedCheck, row: &CheckRow, package: &Package<'_>, contents: &Contents) {
    let Some(wrapper) = &row.wrapper else { return };
    let Some((levels, _)) =
        upwards(&package.folder).enumerate().find(|(_, folder)| contents.knows(&join(folder, wrapper)))
    else {
        return;
    };
    let path =
        if levels == 0 { format!("./{wrapper}") } else { format!("{}{wrapper}", "../".repeat(levels)) };
    for line in std::iter::once(&mut check.line).chain(&mut check.thorough) {
        *line = line.replacen(row.tool.as_str(), &path, 1);
    }
    // Wrappers of Java's tools fetch the tool itself; what they need is Java.
    check.tool = Some(Tool {
        name: "java".to_owned(),
        install: "install a JDK: apt-get install default-jdk-headless".to_owned(),
    });
}

/// The package's test script, called by the manager whose lock file lies there.
fn node(check: &mut PlannedCheck, package: &Package<'_>, contents: &Contents) {
    let Some(script) = scripts::test_script(&package.read.scripts) else {
        let now = package.manifest.as_deref().and_then(|path| contents.text_now(path)).unwrap_or_default();
        let now = manifest::read(Reads::Node, now);
        // A package that gets its first tests names them for the first time.
        if let Some(script) = scripts::test_script(&now.scripts) {
            check.calls = scripts::reached(&now.scripts, "test");
            check.why = format!("{}, whose new test script is `{script}`", check.why);
            manager(check, package, contents);
        } else {
            check.todo = Todo::Nothing("package.json has no test script".to_owned());
        }
        return;
    };
    check.calls = scripts::reached(&package.read.scripts, "test");
    check.why = format!("{}, whose test script is `{script}`", check.why);
    manager(check, package, contents);
}

fn manager(check: &mut PlannedCheck, package: &Package<'_>, contents: &Contents) {
    const MANAGERS: &[(&str, &[&str], &str, &str)] = &[
        ("pnpm", &["pnpm-lock.yaml"], "pnpm test", "install pnpm: npm install --global pnpm"),
        ("yarn", &["yarn.lock"], "yarn test", "install Yarn: npm install --global yarn"),
        ("bun", &["bun.lock", "bun.lockb"], "bun run test", "install Bun: npm install --global bun"),
        ("npm", &["package-lock.json", "npm-shrinkwrap.json"], "npm test", "install Node.js with npm"),
    ];
    let named = package.read.manager.as_deref().and_then(|named| named.split('@').next());
    let by_name = MANAGERS.iter().find(|row| Some(row.0) == named);
    let locked = || {
        upwards(&package.folder).find_map(|folder| {
            MANAGERS.iter().find(|row| row.1.iter().any(|lock| contents.knows(&join(folder, lock))))
        })
    };
    if let Some((name, _, line, install)) = by_name.or_else(locked).filter(|row| row.0 != "npm") {
        (*line).clone_into(&mut check.line);
        check.tool = Some(Tool { name: (*name).to_owned(), install: (*install).to_owned() });
    }
}

/// Of many modules those that changed, what they need, and what needs them: Maven knows which these are.
fn modules(check: &mut PlannedCheck, package: &Package<'_>, contents: &Contents) {
    let Some(modules) = packages::changed_modules(package, contents) else { return };
    let chosen = format!(" -pl {} -am -amd test", modules.join(","));
    for line in std::iter::once(&mut check.line).chain(&mut check.thorough) {
        if let Some(rest) = line.strip_suffix(" test") {
            *line = format!("{rest}{chosen}");
        }
    }
    check.why = format!("{}, of whose modules {} changed", check.why, modules.join(", "));
}

fn make(check: &mut PlannedCheck, package: &Package<'_>, contents: &Contents) {
    let text = package.manifest.as_deref().and_then(|path| contents.defining(path)).unwrap_or_default();
    if !manifest::make_targets(text).any(|target| target == "test") {
        "make check".clone_into(&mut check.line);
    }
}
