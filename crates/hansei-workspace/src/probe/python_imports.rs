//! Python imports of the project's own modules: absent, in another folder, in another case, or without the name.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::python_modules::{Own, own};
use super::python_source::{Import, imports, lines};
use super::python_world::{Resolved, World, holds_python};
use super::tree::{Presence, Tree, base, is_test, parent, under, upwards};

pub(super) fn probe(ground: &Ground<'_>) {
    let manifests = ["pyproject.toml", "Pipfile", "requirements.txt"];
    let is_declared = manifests.iter().any(|name| ground.tree.named(name).next().is_some());
    if !is_declared && ground.tree.examined(&[".py"]).next().is_none() {
        return;
    }
    let world = ground.python();
    let mut modules = Vec::new();
    for file in ground.tree.examined(&[".py"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for import in imports(&lines(&text)) {
            if import.around.lets_imports_fail() {
                continue;
            }
            let at = At { ground, world, file: &file.path, import: &import };
            if import.level > 0 {
                at.relative();
            } else if let Some(module) = at.absolute() {
                modules.push((module, format!("{}:{}", file.path, import.line), import.around.in_function));
            }
        }
    }
    super::python_dependencies::probe(ground, world, &modules);
}

/// One import of one file.
struct At<'a> {
    ground: &'a Ground<'a>,
    world: &'a World,
    file: &'a str,
    import: &'a Import,
}

impl At<'_> {
    fn tree(&self) -> &Tree {
        &self.ground.tree
    }

    fn place(&self) -> String {
        format!("{}:{}", self.file, self.import.line)
    }

    fn strength(&self) -> Strength {
        if self.import.around.in_function { Strength::Likely } else { Strength::Certain }
    }

    fn relative(&self) {
        let (tree, import) = (self.tree(), self.import);
        let own_folder = parent(self.file);
        let scope = tree.scope().trim_end_matches('/');
        if own_folder == scope
            && !tree.has(&under(own_folder, "__init__.py"))
            && base(self.file) != "__init__.py"
        {
            self.ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!(
                        "{} imports relatively, but its folder is no package: there is no __init__.py",
                        self.file
                    ),
                    format!("{} imports {}{}", self.place(), ".".repeat(import.level), import.module),
                    format!(
                        "import {} without the leading dot, or move the file into a package",
                        import.module
                    ),
                )
                .naming(["attempted relative import"]),
            );
        }
        let Some(folder) = upwards(own_folder).nth(import.level - 1).map(str::to_owned) else { return };
        if import.module.is_empty() {
            self.names_of_package(&folder);
            return;
        }
        match World::resolve(tree, &import.module, std::slice::from_ref(&folder)) {
            Resolved::Absent { found, within } => self.absent(&folder, found, &within),
            resolved => self.names(&resolved),
        }
    }

    /// Judges an absolute import; gives its first name where it is none of the project's own modules.
    fn absolute(&self) -> Option<String> {
        let (tree, import) = (self.tree(), self.import);
        let top = import.module.split('.').next().unwrap_or_default();
        let roots = self.world.roots(tree, self.file);
        let resolved = World::resolve(tree, &import.module, &roots);
        if let Resolved::Absent { found: 0, .. } = resolved {
            let known = own(top);
            if known != Own::No {
                super::python_toolchain::own_module(self.ground, self.world, top, known, &self.place());
                return None;
            }
            if self.world.has_installed(top) == Some(true) {
                return None;
            }
            if self.other_case(top, &roots) || self.elsewhere(top) {
                return None;
            }
            return Some(top.to_owned());
        }
        if own(top) == Own::Always {
            self.shadows(top, &resolved);
            return None;
        }
        if self.world.has_installed(top) == Some(true) {
            return None;
        }
        match resolved {
            Resolved::Absent { found, within } => self.absent("", found, &within),
            resolved => {
                self.only_above(top);
                self.only_in_source_folder(top);
                self.only_beside(top);
                self.names(&resolved);
            }
        }
        None
    }

    /// A module of a package that is there, and is itself not.
    fn absent(&self, folder: &str, found: usize, within: &str) {
        let (tree, import) = (self.tree(), self.import);
        let parts: Vec<&str> = import.module.split('.').collect();
        let shown = format!("{}{}", ".".repeat(import.level), import.module);
        let missing = parts.get(found).copied().unwrap_or_default();
        if let Some(module) = within.strip_suffix(".py") {
            // A name behind a plain module is an attribute, unless it is imported as a module.
            self.ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("the module {shown:?} does not exist: {module}.py is a file, not a package"),
                    format!("{} imports it", self.place()),
                    format!("import {missing} from where it is defined, or make {module} a package"),
                )
                .strength(self.strength())
                .naming([import.module.clone(), missing.to_owned()]),
            );
            return;
        }
        let init = tree.text(&under(within, "__init__.py")).unwrap_or_default();
        if found > 0 && ["__path__", "sys.modules", "__getattr__"].iter().any(|trick| init.contains(trick)) {
            return;
        }
        let wanted = under(if within.is_empty() { folder } else { within }, missing);
        for candidate in [format!("{wanted}.py"), wanted.clone()] {
            if let Presence::OtherCase(real) = tree.presence(&candidate) {
                self.differs_in_case(&shown, &real);
                return;
            }
        }
        let file = format!("{wanted}.py");
        if self.is_made_by_build(&file) {
            self.not_generated(&shown, missing, &file);
            return;
        }
        let fix =
            self.ground.restored(&file).or_else(|| self.ground.restored(&format!("{wanted}/__init__.py")));
        let lies = similar(tree, missing, self.file);
        let fix = fix.unwrap_or_else(|| match &lies {
            Some(other) => format!("import it from where it lies ({other}), or move that file to {file}"),
            None => format!("create {file}, or correct the import in {}", self.place()),
        });
        let where_it_is =
            lies.map(|other| format!("; a module of that name lies at {other}")).unwrap_or_default();
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the module {shown:?} does not exist: there is no {file}"),
                format!("{} imports it{where_it_is}", self.place()),
                fix,
            )
            .strength(self.strength())
            .naming([import.module.clone(), missing.to_owned()]),
        );
    }

    /// A module that something of the project makes when it is told to, and nobody did.
    fn not_generated(&self, shown: &str, missing: &str, file: &str) {
        let Some(maker) = super::generated_modules::made_by_hand(self.ground, file, self.file) else {
            return;
        };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the module {shown:?} was not generated: there is no {file}"),
                format!("{} imports it, {maker} makes it", self.place()),
                format!("run {maker}"),
            )
            .naming([self.import.module.clone(), missing.to_owned()]),
        );
    }

    fn is_made_by_build(&self, file: &str) -> bool {
        let name = base(file);
        let generated = ["_version.py", "version.py"].contains(&name)
            || ["_pb2.py", "_pb2_grpc.py", "_ui.py", "_rc.py"].iter().any(|ending| name.ends_with(ending));
        generated && self.ground.restored(file).is_none() || self.ground.is_ignored(file)
    }

    fn differs_in_case(&self, shown: &str, real: &str) {
        self.ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("the import {shown:?} differs from the file {real} only in case"),
                format!("{} imports it", self.place()),
                format!("write the import as the file is called, or rename {real}"),
            )
            .strength(Strength::Certain)
            .naming([self.import.module.clone(), shown.to_owned()]),
        );
    }

    fn other_case(&self, top: &str, roots: &[String]) -> bool {
        let candidates = roots.iter().flat_map(|root| [under(root, &format!("{top}.py")), under(root, top)]);
        for candidate in candidates {
            if let Presence::OtherCase(real) = self.tree().presence(&candidate)
                && (real.ends_with(".py") || self.tree().has(&format!("{real}/__init__.py")))
                && !self.world.declared.iter().any(|it| super::python_requirements::brings(&it.name, top))
            {
                self.differs_in_case(top, &real);
                return true;
            }
        }
        false
    }

    /// A module that lies in the project where Python does not look.
    fn elsewhere(&self, top: &str) -> bool {
        let tree = self.tree();
        if self.world.declared.iter().any(|it| super::python_requirements::brings(&it.name, top)) {
            return false;
        }
        let as_file = format!("/{top}.py");
        let as_package = format!("/{top}/__init__.py");
        let found = tree.files().iter().find(|file| {
            tree.is_examined(&file.path)
                && (file.path.ends_with(&as_file) || file.path.ends_with(&as_package))
        });
        let Some(found) = found else { return false };
        // Where the path is changed, what lies in the project is the project's.
        if self.world.changes_path {
            return true;
        }
        let folder = found.path.trim_end_matches(&as_package).trim_end_matches(&as_file);
        // A package inside a package is not meant to be found by its short name.
        let meant = folder.replace('/', ".");
        let fix = if tree.has(&under(folder, "__init__.py")) {
            format!("import {meant}.{top}, its full name")
        } else {
            format!(
                "put {folder} on the path: PYTHONPATH={folder}, or pythonpath = [\"{folder}\"] in pyproject.toml"
            )
        };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the module {top:?} is not on the path: it lies in {folder}/"),
                format!("{} imports it, {} is where it lies", self.place(), found.path),
                fix,
            )
            .strength(self.strength())
            .naming([top.to_owned()]),
        );
        true
    }

    /// A module that lies above the folder in which everything is started: told when the error misses it.
    fn only_above(&self, top: &str) {
        let tree = self.tree();
        let scope = tree.scope().trim_end_matches('/');
        if scope.is_empty()
            || !self.ground.hint.missing_modules().iter().any(|name| name.split('.').next() == Some(top))
        {
            return;
        }
        let holds = |folder: &&str| {
            tree.has(&under(folder, &format!("{top}.py"))) || holds_python(tree, &under(folder, top))
        };
        let Some(above) = upwards(parent(scope)).find(holds).filter(|_| !holds(&scope)) else { return };
        let depth = |path: &str| path.split('/').filter(|part| !part.is_empty()).count();
        let up = "../".repeat(depth(scope) - depth(above));
        self.ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!("the module {top:?} lies above this folder, in {up}"),
                format!("{} imports it", self.place()),
                format!("cd {up} and start it there"),
            )
            .strength(Strength::Hinted)
            .naming([top.to_owned()]),
        );
    }

    /// Tests that import from `src/` where nothing puts it on the path and nothing can be installed.
    fn only_in_source_folder(&self, top: &str) {
        let tree = self.tree();
        if !is_test(self.file) || self.world.changes_path {
            return;
        }
        let Some(project) = upwards(parent(self.file)).find(|folder| {
            let source = under(folder, "src");
            tree.has(&under(&source, &format!("{top}.py"))) || holds_python(tree, &under(&source, top))
        }) else {
            return;
        };
        let source = under(project, "src");
        let direct = |folder: &str| {
            tree.has(&under(folder, &format!("{top}.py"))) || holds_python(tree, &under(folder, top))
        };
        if self.world.extra.contains(&source)
            || upwards(parent(self.file)).any(direct)
            || parent(self.file).starts_with(&source)
        {
            return;
        }
        let installable = ["setup.py", "setup.cfg", "pyproject.toml"].iter().any(|name| {
            tree.text(&under(project, name)).is_some_and(|text| {
                *name == "setup.py"
                    || text.contains("[project]")
                    || text.contains("poetry")
                    || text.contains("[metadata]")
            })
        });
        let own_environment = self.world.installed.as_ref().filter(|installed| installed.is_own);
        let is_linked = own_environment.is_some_and(|it| {
            it.modules.iter().any(|name| name.ends_with(".pth"))
                || it.packages.values().any(|version| version.numbers == [0])
        });
        if is_linked
            || (installable
                && own_environment.is_none()
                && !self.ground.hint.missing_modules().contains(&top))
        {
            return;
        }
        let fix = if installable {
            "pip install -e .".to_owned()
        } else {
            "add pythonpath = [\"src\"] under [tool.pytest.ini_options] in pyproject.toml, or run with PYTHONPATH=src".to_owned()
        };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the module {top:?} is not on the path: it lies in {source}/ and nothing puts that on the path"),
                format!("{} imports it", self.place()),
                fix,
            )
            .naming([top.to_owned()]),
        );
    }

    /// A file of the project's that takes the place of one of Python's own modules.
    fn shadows(&self, top: &str, resolved: &Resolved) {
        let tree = self.tree();
        let Resolved::File(path) = resolved else { return };
        let folder = parent(path);
        let is_on_path = folder == parent(self.file) || folder == tree.scope().trim_end_matches('/');
        let Some(theirs) = tree.text(path).filter(|_| is_on_path && !tree.has(&under(folder, "__init__.py")))
        else {
            return;
        };
        let Some(ours) = tree.text(self.file).filter(|_| self.file != path && self.import.module == top)
        else {
            return;
        };
        let called = format!("{top}.");
        let used = ours.match_indices(&called).filter_map(|(at, _)| {
            let is_whole = !ours[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let rest = &ours[at + called.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            is_whole.then(|| rest[..end].to_owned())
        });
        let mut wanted =
            self.import.names.iter().cloned().chain(used).filter(|name| !name.is_empty() && name != "*");
        let Some(missing) = wanted.find(|name| !has_word(&theirs, name)) else { return };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{path} shadows Python's standard module {top:?}, and has no {missing:?}"),
                format!("{} imports it", self.place()),
                format!("rename {path}"),
            )
            .strength(Strength::Certain)
            .naming([top.to_owned(), missing]),
        );
    }

    /// A module that is found only from its own folder, though the importing file is used as part of a package.
    fn only_beside(&self, top: &str) {
        let tree = self.tree();
        let folder = parent(self.file);
        let is_package = tree.has(&under(folder, "__init__.py"));
        if !is_package
            || folder.is_empty()
            || self.world.changes_path
            || self.world.extra.iter().any(|it| it == folder)
        {
            return;
        }
        let others: Vec<String> =
            self.world.roots(tree, self.file).into_iter().filter(|root| root != folder).collect();
        if !matches!(World::resolve(tree, top, &others), Resolved::Absent { found: 0, .. }) {
            return;
        }
        let package = base(folder);
        let stem = super::tree::stem(self.file);
        let ways = [
            format!("from {package}.{stem} import"),
            format!("import {package}.{stem}"),
            format!("from {package} import {stem}"),
            format!("-m {package}.{stem}"),
        ];
        let user = tree
            .files()
            .iter()
            .filter(|file| parent(&file.path) != folder && tree.is_examined(&file.path))
            .find(|file| {
                let asks = [".py", ".sh", ".toml", "Makefile", "Dockerfile"]
                    .iter()
                    .any(|ending| file.path.ends_with(ending));
                asks && tree
                    .text(&file.path)
                    .is_some_and(|text| ways.iter().any(|way| text.contains(way.as_str())))
            });
        let Some(user) = user else { return };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{} imports {top:?}, which is found only from inside {folder}/, and {} uses it as part of the package {package}", self.file, user.path),
                self.place(),
                format!("write from {package} import {top}, or from . import {top}"),
            )
            .naming([top.to_owned()]),
        );
    }

    /// The names that are taken from a module or package.
    fn names(&self, resolved: &Resolved) {
        match resolved {
            Resolved::File(file) => {
                let Some(text) = self.tree().text(file) else { return };
                for name in &self.import.names {
                    self.name_in(name, file, &text);
                }
            }
            Resolved::Package(folder) => self.names_of_package(folder),
            Resolved::Compiled | Resolved::Absent { .. } => {}
        }
    }

    fn names_of_package(&self, folder: &str) {
        let tree = self.tree();
        let init = under(folder, "__init__.py");
        let text = tree.text(&init);
        for name in &self.import.names {
            let one = [name.clone()];
            if matches!(World::resolve(tree, &one[0], &[folder.to_owned()]), Resolved::Absent { .. }) {
                match &text {
                    Some(text) => self.name_in(name, &init, text),
                    None if name != "*" && !tree.has(&init) && !self.other_case_in(name, folder) => {
                        self.ground.suspect(
                            Suspicion::new(
                                Probe::Imports,
                                format!("{name:?} cannot be imported from {folder}/: there is no {name}.py and no __init__.py that defines it"),
                                format!("{} imports it", self.place()),
                                format!("create {}.py, or {init} that defines {name}", under(folder, name)),
                            )
                            .strength(self.strength())
                            .naming([name.clone()]),
                        );
                    }
                    None => {}
                }
            }
        }
    }

    fn other_case_in(&self, name: &str, folder: &str) -> bool {
        if let Presence::OtherCase(real) = self.tree().presence(&under(folder, &format!("{name}.py"))) {
            self.differs_in_case(name, &real);
            return true;
        }
        false
    }

    fn name_in(&self, name: &str, file: &str, text: &str) {
        let dynamic =
            ["import *", "__getattr__", "globals()", "setattr(", "exec(", "vars()", "locals()", "namedtuple"];
        if name == "*"
            || name.starts_with("__")
            || has_word(text, name)
            || dynamic.iter().any(|it| text.contains(it))
        {
            return;
        }
        if self.other_case_in(name, parent(file)) && base(file) == "__init__.py" {
            return;
        }
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{name:?} cannot be imported from {file}: nothing there has that name"),
                format!("{} imports it", self.place()),
                format!("define {name} in {file}, or import the name that is meant"),
            )
            .strength(self.strength())
            .naming([name.to_owned()]),
        );
    }
}

/// A module of the same name somewhere else in the project.
fn similar(tree: &Tree, name: &str, importer: &str) -> Option<String> {
    let (as_file, as_package) = (format!("{name}.py"), format!("/{name}/__init__.py"));
    let mut files = tree.files().iter().filter(|file| file.path != importer);
    files
        .find(|file| base(&file.path) == as_file || file.path.ends_with(&as_package))
        .map(|file| file.path.clone())
}
