//! Where Python looks: the project's own modules, what is installed, and what the project declares.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::ground::Ground;
use super::pattern::Pattern;
use super::python_requirements::{Requirement, declared, normal};
use super::tree::{Tree, base, parent, under, upwards};
use super::version::Version;

static PYTHON_PATH: Pattern =
    Pattern::new(r"(?:^|[^\w])(?:pythonpath|python_paths|mypy_path)\s*=\s*([^\n]*)");

/// What an environment has.
#[derive(Debug)]
pub(super) struct Installed {
    /// Distributions by name, with their versions.
    pub(super) packages: BTreeMap<String, Version>,
    /// What can be imported.
    pub(super) modules: BTreeSet<String>,
    /// Where.
    pub(super) place: String,
    /// It is the project's own.
    pub(super) is_own: bool,
    /// The folders of packages.
    pub(super) folders: Vec<PathBuf>,
    /// The Python that uses it.
    pub(super) version: Option<Version>,
}

/// All that decides whether an import works.
#[derive(Debug)]
pub(super) struct World {
    pub(super) declared: Vec<Requirement>,
    pub(super) installed: Option<Installed>,
    /// Folders that settings or variables put on the path.
    pub(super) extra: Vec<String>,
    /// Something in the project changes the path in a way that we do not follow.
    pub(super) changes_path: bool,
}

/// What a module's name leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// A source file.
    File(String),
    /// A folder of modules.
    Package(String),
    /// Something that was compiled.
    Compiled,
    /// Nothing; the part of the name that could be found, and where that lies.
    Absent { found: usize, within: String },
}

impl World {
    pub(super) fn of(ground: &Ground<'_>) -> Self {
        let tree = &ground.tree;
        let mut extra: Vec<String> = Vec::new();
        for file in tree.files() {
            if !matches!(base(&file.path), "pyproject.toml" | "pytest.ini" | "setup.cfg" | "tox.ini" | ".env")
            {
                continue;
            }
            let Some(text) = tree.text(&file.path) else { continue };
            for hit in PYTHON_PATH.all(&text) {
                let listed = hit.group(1).split(['[', ']', ',', '"', '\'', ' ', ':']);
                let names = listed.filter(|name| !name.is_empty());
                extra.extend(names.filter_map(|name| super::tree::join(parent(&file.path), name)));
            }
        }
        extra.extend(super::search_paths::given_to_python(ground));
        for entry in ground.variable("PYTHONPATH").into_iter().flat_map(|path| path.split(':')) {
            let entry = tree.root().join(tree.scope()).join(entry);
            if let Ok(below) = entry.canonicalize().unwrap_or(entry).strip_prefix(tree.root()) {
                extra.extend(below.to_str().map(str::to_owned));
            }
        }
        let hints = ["sys.path", "site.addsitedir", "PYTHONPATH", "--import-mode", "pytest_plugins"];
        let changes_path = tree
            .files()
            .iter()
            .filter(|file| {
                let name = base(&file.path);
                name.ends_with(".py")
                    || name.ends_with("akefile")
                    || name.ends_with(".sh")
                    || matches!(name, "tox.ini" | "justfile" | ".envrc" | "package.json" | "Taskfile.yml")
            })
            .filter_map(|file| tree.text(&file.path))
            .any(|text| hints[..3].iter().any(|hint| text.contains(hint)));
        Self { declared: declared(tree), installed: installed(ground), extra, changes_path }
    }

    /// The folders from which a file's imports may be found.
    pub(super) fn roots(&self, tree: &Tree, file: &str) -> Vec<String> {
        let mut roots: Vec<String> = self.extra.clone();
        for folder in upwards(parent(file)) {
            roots.push(folder.to_owned());
            for source in ["src", "lib", "python"] {
                let source = under(folder, source);
                if tree.has_folder(&source) {
                    roots.push(source);
                }
            }
        }
        roots.push(tree.scope().trim_end_matches('/').to_owned());
        roots.sort();
        roots.dedup();
        roots
    }

    /// Follows a dotted name from one of the folders; the one that leads furthest counts.
    pub(super) fn resolve(tree: &Tree, dotted: &str, roots: &[String]) -> Resolved {
        let mut best = Resolved::Absent { found: 0, within: String::new() };
        // Python takes a package before a mere folder of that name, wherever they lie.
        let first = dotted.split('.').find(|part| !part.is_empty()).unwrap_or_default();
        let is_package = |root: &&String| {
            tree.has(&under(&under(root, first), "__init__.py"))
                || tree.has(&under(root, &format!("{first}.py")))
        };
        let any_package = roots.iter().any(|root| is_package(&root));
        for root in roots.iter().filter(|root| !any_package || is_package(root)) {
            match follow(tree, dotted, root) {
                Resolved::Absent { found, within } => {
                    if let Resolved::Absent { found: known, .. } = best
                        && found > known
                    {
                        best = Resolved::Absent { found, within };
                    }
                }
                other => return other,
            }
        }
        best
    }

    /// Whether the module can be imported from what is installed; unknown without an environment.
    pub(super) fn has_installed(&self, module: &str) -> Option<bool> {
        self.installed.as_ref().map(|installed| installed.modules.contains(module))
    }
}

fn follow(tree: &Tree, dotted: &str, root: &str) -> Resolved {
    let mut folder = root.to_owned();
    let parts: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
    for (at, part) in parts.iter().enumerate() {
        let path = under(&folder, part);
        let is_last = at + 1 == parts.len();
        if [".py", ".pyi"].iter().any(|ending| tree.has(&format!("{path}{ending}")))
            && !tree.has(&format!("{path}/__init__.py"))
        {
            // What lies behind a plain module is an attribute of it.
            return if is_last {
                Resolved::File(format!("{path}.py"))
            } else {
                Resolved::Absent { found: at + 1, within: format!("{path}.py") }
            };
        }
        if is_compiled(tree, &folder, part) {
            return Resolved::Compiled;
        }
        if !tree.has_folder(&path) || !holds_python(tree, &path) {
            return Resolved::Absent { found: at, within: folder };
        }
        folder = path;
    }
    Resolved::Package(folder)
}

fn is_compiled(tree: &Tree, folder: &str, name: &str) -> bool {
    let begins = under(folder, &format!("{name}."));
    let mut compiled = tree.files().iter().filter(|file| file.path.starts_with(&begins));
    compiled.any(|file| [".so", ".pyd", ".pyx", ".c", ".rs"].iter().any(|ending| file.path.ends_with(ending)))
}

/// Whether a folder may be a package: some Python file lies in it or below.
pub(super) fn holds_python(tree: &Tree, folder: &str) -> bool {
    let begins = format!("{folder}/");
    tree.files().iter().any(|file| {
        file.path.starts_with(&begins)
            && (file.path.ends_with(".py") || file.path.ends_with(".pyi") || file.path.ends_with(".so"))
    })
}

/// The environment that the project uses: its own, the active one, else that of the Python on the search path.
fn installed(ground: &Ground<'_>) -> Option<Installed> {
    let tree = &ground.tree;
    let mut places: Vec<(PathBuf, bool)> = Vec::new();
    for folder in upwards(tree.scope()) {
        for name in [".venv", "venv", "env", ".env", "virtualenv"] {
            places.push((tree.root().join(under(folder, name)), true));
        }
    }
    if let Some(active) = ground.variable("VIRTUAL_ENV") {
        let active = PathBuf::from(active);
        let is_own = active.starts_with(tree.root());
        places.insert(0, (active, is_own));
    }
    for (place, is_own) in places {
        let Some(settings) = settings(&place.join("pyvenv.cfg")) else { continue };
        let folders: Vec<PathBuf> = ["lib", "lib64"]
            .iter()
            .flat_map(|lib| std::fs::read_dir(place.join(lib)).into_iter().flatten().flatten())
            .map(|entry| entry.path().join("site-packages"))
            .filter(|folder| folder.is_dir())
            .collect();
        let shown = place.strip_prefix(tree.root()).unwrap_or(&place).display().to_string();
        let version = settings.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            matches!(key.trim(), "version" | "version_info").then(|| Version::find(value))?
        });
        let mut found = list(&folders, shown, is_own, version);
        if settings.replace(' ', "").contains("include-system-site-packages=true") {
            let system = ground.programs.python().map(|python| python.folders).unwrap_or_default();
            let more = list(&system, String::new(), false, None);
            found.modules.extend(more.modules);
            for (name, version) in more.packages {
                found.packages.entry(name).or_insert(version);
            }
        }
        return Some(found);
    }
    let python = ground.programs.python()?;
    let mut folders: Vec<PathBuf> = python
        .folders
        .iter()
        .filter(|folder| folder.ends_with("site-packages") || folder.ends_with("dist-packages"))
        .cloned()
        .collect();
    let users = ground.variable("HOME").map(|home| {
        PathBuf::from(home).join(format!(".local/lib/python{}/site-packages", python.version.short(2)))
    });
    folders.extend(users.filter(|folder| folder.is_dir()));
    for entry in ground.variable("PYTHONPATH").into_iter().flat_map(|path| path.split(':')) {
        folders.push(tree.root().join(tree.scope()).join(entry));
    }
    let name = format!("the Python {} on PATH", python.version);
    Some(list(&folders, name, false, Some(python.version)))
}

fn settings(file: &Path) -> Option<String> {
    (file.metadata().ok()?.len() < 64 << 10).then_some(())?;
    std::fs::read_to_string(file).ok()
}

fn list(folders: &[PathBuf], place: String, is_own: bool, version: Option<Version>) -> Installed {
    let mut found = Installed {
        packages: BTreeMap::new(),
        modules: BTreeSet::new(),
        place,
        is_own,
        folders: folders.to_vec(),
        version,
    };
    for folder in folders {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().take(20_000) {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = name.strip_suffix(".dist-info").or_else(|| name.strip_suffix(".egg-info"));
            if let Some(named) = kind {
                let (package, version) = named.split_once('-').unwrap_or((named, "0"));
                let version = version.split("-py").next().unwrap_or(version);
                if let Some(version) = Version::find(version) {
                    found.packages.insert(normal(package), version);
                }
            } else if let Some(link) = name.strip_suffix(".egg-link") {
                found.packages.insert(normal(link), Version { numbers: vec![0], is_early: false });
            } else if let Some(pth) = name.strip_suffix(".pth").filter(|name| !name.starts_with("distutils-"))
            {
                found.modules.insert(format!("{pth}.pth"));
            } else {
                found.modules.insert(name.split('.').next().unwrap_or(&name).to_owned());
            }
        }
    }
    found
}
