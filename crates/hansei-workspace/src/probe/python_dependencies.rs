//! Python packages: what the code imports, what the project declares, what its lock fixes and what is installed.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::python_requirements::{Requirement, brings, distributions, installable, normal};
use super::python_world::{Installed, World};
use super::tree::{base, is_test, parent};
use super::version::{Dialect, Version, satisfies};

/// The largest metadata of an installed package that is read.
const LARGEST_METADATA: u64 = 256 << 10;

/// Judges what is imported and not the project's own: name, place, and whether only inside a function.
pub(super) fn probe(ground: &Ground<'_>, world: &World, modules: &[(String, String, bool)]) {
    imported(ground, world, modules);
    let Some(installed) = &world.installed else {
        locks(ground, world);
        conflicts(ground, world);
        return;
    };
    let judged = installed.is_own || only_lists(world);
    if judged {
        versions(ground, world, installed);
    }
    if installed.is_own {
        check_installed(ground, installed);
    }
    locks(ground, world);
    conflicts(ground, world);
}

/// Whether the project is declared by nothing but requirements files: then no tool keeps an environment elsewhere.
fn only_lists(world: &World) -> bool {
    world.declared.iter().all(|it| base(&it.file).ends_with(".txt"))
}

/// Whether something of the tree is called like a module that a test imports, or the test writes one of that name.
fn is_brought_along(ground: &Ground<'_>, file: &str, module: &str) -> bool {
    let lies = |path: &str| base(path) == module || base(path).strip_suffix(".py") == Some(module);
    let is_written = ground.tree.text(file).is_some_and(|text| {
        [format!("\"{module}"), format!("'{module}"), format!("/{module}")]
            .iter()
            .any(|it| text.contains(it.as_str()))
    });
    is_written
        || ground.tree.folders().iter().any(|path| lies(path))
        || ground.tree.files().iter().any(|it| lies(&it.path))
}

/// Whether a file of the module lies in a folder that some code puts on Python's search path.
fn is_on_a_path(ground: &Ground<'_>, module: &str) -> bool {
    let tree = &ground.tree;
    let name = format!("{module}.py");
    let folders: Vec<&str> = tree
        .files()
        .iter()
        .filter(|file| base(&file.path) == name)
        .map(|file| base(parent(&file.path)))
        .chain(tree.folders().iter().filter(|path| base(path) == module).map(|path| base(parent(path))))
        .collect();
    !folders.is_empty()
        && tree
            .examined(&[".py", ".pth", ".cfg", ".toml", ".ini"])
            .filter_map(|file| tree.text(&file.path))
            .any(|text| {
                let mut lines =
                    text.lines().filter(|line| line.contains("sys.path") || line.contains("pythonpath"));
                lines.any(|line| folders.iter().any(|folder| super::hint::has_word(line, folder)))
            })
}

fn is_installed(installed: &Installed, requirement: &str) -> bool {
    installed.packages.contains_key(requirement)
        || installed.modules.iter().any(|module| distributions(module).iter().any(|name| name == requirement))
}

fn imported(ground: &Ground<'_>, world: &World, modules: &[(String, String, bool)]) {
    let declared_somewhere = !world.declared.is_empty();
    let any_installed = world.installed.as_ref().is_some_and(|installed| {
        world.declared.iter().any(|it| !it.is_vague && is_installed(installed, &it.name))
    });
    let missed = ground.hint.missing_modules();
    for (module, place, in_function) in modules {
        let declaring = world.declared.iter().find(|it| brings(&it.name, module));
        let wanted = installable(module);
        let strength = if *in_function { Strength::Possible } else { Strength::Likely };
        let is_missed = missed.iter().any(|name| name.split('.').next() == Some(module));
        let Some(declaring) = declaring else {
            let is_tool =
                matches!(module.as_str(), "pytest" | "setuptools" | "pip" | "wheel" | "nox" | "invoke");
            let in_lock = lock_texts(ground).iter().any(|(_, text)| {
                distributions(module).iter().any(|name| text.to_lowercase().contains(&format!("\"{name}\"")))
            });
            if ((is_tool || in_lock) && !is_missed) || is_on_a_path(ground, module) {
                continue;
            }
            // Where nothing is declared at all, only what is not installed can be missed.
            let (what, fix) = if declared_somewhere {
                (
                    format!("the package {wanted:?} is imported, and nothing declares it"),
                    format!("add {wanted} to {}, and pip install {wanted}", manifest(world)),
                )
            } else {
                (
                    format!("the package {wanted:?} is imported and not installed"),
                    format!("pip install {wanted}"),
                )
            };
            if !declared_somewhere && world.installed.is_none() && !is_missed {
                continue;
            }
            // Where the project is something else, its scripts in Python are run by whoever has what they need.
            let here = ground.tree.scope().trim_end_matches('/');
            let is_another = [
                "Cargo.toml", "package.json", "go.mod", "pom.xml", "CMakeLists.txt", "Gemfile",
                "composer.json", "build.gradle",
            ]
            .iter()
            .any(|name| ground.tree.has(&super::tree::under(here, name)));
            let (file, _) = place.rsplit_once(':').unwrap_or((place, ""));
            // A test may bring the module along, and who runs a script beside the project has what it needs.
            if *in_function && is_test(file) && is_brought_along(ground, file, module) {
                continue;
            }
            let is_beside =
                parent(file).split('/').any(|part| matches!(part, "scripts" | "tools" | "hack" | "contrib"));
            let is_weak = (is_another && !declared_somewhere) || is_beside;
            let strength = if is_weak { Strength::Hinted } else { strength };
            ground.suspect(
                Suspicion::new(Probe::Dependencies, what, format!("{place} imports {module}"), fix)
                    .strength(strength)
                    .naming([module.clone(), wanted]),
            );
            continue;
        };
        // Declared and not there: a fault where others of the project are there, or where an error says so.
        let Some(installed) = &world.installed else { continue };
        let partial = any_installed && (installed.is_own || only_lists(world));
        let empty_own = installed.is_own && !any_installed;
        if !partial && !is_missed && !empty_own {
            continue;
        }
        if declaring.is_optional && !is_missed && !installed.is_own {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!(
                    "the package {:?} is declared and imported, but not installed in {}",
                    declaring.name, installed.place
                ),
                format!("{place} imports {module}, {} declares it", declaring.place),
                install(declaring),
            )
            .strength(if is_missed { Strength::Certain } else { strength })
            .naming([declaring.name.clone(), module.clone()]),
        );
    }
}

fn manifest(world: &World) -> String {
    let first = world.declared.iter().find(|it| !is_test(&it.file));
    first.map_or("requirements.txt", |it| it.file.as_str()).to_owned()
}

fn install(requirement: &Requirement) -> String {
    match base(&requirement.file) {
        "pyproject.toml" => "pip install -e .".to_owned(),
        "Pipfile" => "pipenv install".to_owned(),
        name if name.ends_with(".txt") => format!("pip install -r {}", requirement.file),
        _ => format!("pip install {}", requirement.name),
    }
}

/// Installed versions outside the range that is asked for, and what is missing beside others.
fn versions(ground: &Ground<'_>, world: &World, installed: &Installed) {
    let plain = || world.declared.iter().filter(|it| !it.is_vague && !it.is_optional);
    let any = plain().any(|it| is_installed(installed, &it.name));
    for requirement in plain() {
        match installed.packages.get(&requirement.name) {
            // An editable install has no version of its own.
            Some(version)
                if version.numbers != [0]
                    && satisfies(version, &requirement.range, Dialect::Python) == Some(false) =>
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!(
                            "{} {version} is installed, and {} asks for {}{}",
                            requirement.name, requirement.file, requirement.name, requirement.range
                        ),
                        format!("{}, installed in {}", requirement.place, installed.place),
                        format!("pip install \"{}{}\"", requirement.name, requirement.range),
                    )
                    .naming([requirement.name.clone()]),
                );
            }
            None if any
                && installed.is_own
                && !is_for_development(&requirement.file)
                && !is_installed(installed, &requirement.name) =>
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!(
                            "the package {:?} is declared and not installed in {}, where others are",
                            requirement.name, installed.place
                        ),
                        format!("{} declares it", requirement.place),
                        install(requirement),
                    )
                    .naming([requirement.name.clone()]),
                );
            }
            _ => {}
        }
    }
}

/// Whether a list is of what only developers need: who runs the project may do without all of it.
fn is_for_development(file: &str) -> bool {
    let words =
        ["dev", "develop", "development", "test", "tests", "testing", "lint", "doc", "docs", "ci", "bench"];
    file.split(['/', '-', '_', '.']).any(|part| words.contains(&part))
}

/// What installed packages ask of each other.
fn check_installed(ground: &Ground<'_>, installed: &Installed) {
    for folder in &installed.folders {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().take(2_000) {
            let file = entry.path().join("METADATA");
            if file.metadata().map_or(true, |meta| meta.len() > LARGEST_METADATA) || ground.tree.is_over() {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let field =
                |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
            let (owner, version) = (field("Name:"), field("Version:"));
            for asked in text
                .lines()
                .take_while(|line| !line.is_empty())
                .filter_map(|line| line.strip_prefix("Requires-Dist:"))
            {
                let (asked, marker) = asked.split_once(';').unwrap_or((asked, ""));
                let end = asked.trim().find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c));
                let (name, range) = asked.trim().split_at(end.unwrap_or(asked.trim().len()));
                let range = range.trim().trim_matches(['(', ')']);
                if !marker.is_empty() || range.starts_with('[') {
                    continue;
                }
                let Some(there) = installed.packages.get(&normal(name)) else { continue };
                if satisfies(there, range, Dialect::Python) == Some(false) {
                    ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!("{owner} {version} needs {name}{range}, and {name} {there} is installed"),
                            format!("{}: METADATA of {owner}", installed.place),
                            format!("pip install \"{name}{range}\""),
                        )
                        .naming([name.to_owned(), owner.to_owned()]),
                    );
                }
            }
        }
    }
}

fn lock_texts(ground: &Ground<'_>) -> Vec<(String, std::rc::Rc<str>)> {
    ["poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock"]
        .iter()
        .flat_map(|name| ground.tree.named(name))
        .filter_map(|file| Some((file.path.clone(), ground.tree.text(&file.path)?)))
        .collect()
}

/// What a lock fixes, against what the manifest asks for.
fn locks(ground: &Ground<'_>, world: &World) {
    let locks = lock_texts(ground);
    for (path, text) in &locks {
        let Some(fixed) = fixed(path, text) else { continue };
        let (owner, update) = match base(path) {
            "Pipfile.lock" => ("Pipfile", "pipenv lock"),
            "uv.lock" => ("pyproject.toml", "uv lock"),
            "pdm.lock" => ("pyproject.toml", "pdm lock"),
            _ => ("pyproject.toml", "poetry lock"),
        };
        let folder = super::tree::parent(path);
        let manifest = super::tree::under(folder, owner);
        let group_ranges = world.declared.iter().filter(|it| it.file == manifest && !it.is_vague);
        for requirement in group_ranges {
            let is_build = requirement.is_optional && !fixed.contains_key(&requirement.name);
            match fixed.get(&requirement.name) {
                None if !is_build => ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!("{path} lacks {:?}, which {manifest} declares", requirement.name),
                        requirement.place.clone(),
                        update.to_owned(),
                    )
                    .naming([requirement.name.clone(), base(path).to_owned()]),
                ),
                Some(version) if satisfies(version, &requirement.range, Dialect::Python) == Some(false) => {
                    ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!(
                                "{path} fixes {} {version}, and {manifest} asks for {}",
                                requirement.name, requirement.range
                            ),
                            requirement.place.clone(),
                            update.to_owned(),
                        )
                        .naming([requirement.name.clone(), base(path).to_owned()]),
                    );
                }
                _ => {}
            }
        }
    }
    let owners: BTreeSet<&str> = locks.iter().map(|(path, _)| base(path)).collect();
    let at_root = locks
        .iter()
        .filter(|(path, _)| super::tree::parent(path) == ground.tree.scope().trim_end_matches('/'));
    if owners.len() > 1 && at_root.count() > 1 {
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!(
                    "two locks of different managers: {}",
                    owners.iter().copied().collect::<Vec<_>>().join(" and ")
                ),
                locks.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>().join(", "),
                "keep the lock of the manager that is used, and delete the other".to_owned(),
            )
            .strength(Strength::Possible),
        );
    }
}

fn fixed(path: &str, text: &str) -> Option<BTreeMap<String, Version>> {
    if base(path) == "Pipfile.lock" {
        let lock: serde_json::Value = serde_json::from_str(text).ok()?;
        let sections = ["default", "develop"].iter().filter_map(|key| lock.get(key)?.as_object());
        return Some(
            sections
                .flatten()
                .filter_map(|(name, entry)| {
                    Some((normal(name), Version::find(entry.get("version")?.as_str()?)?))
                })
                .collect(),
        );
    }
    let table: toml::Table = text.parse().ok()?;
    let packages = table.get("package")?.as_array()?;
    let entry = |package: &toml::Value| {
        Some((normal(package.get("name")?.as_str()?), Version::find(package.get("version")?.as_str()?)?))
    };
    Some(packages.iter().filter_map(entry).collect())
}

/// The same package fixed at two versions in lists that are installed together.
fn conflicts(ground: &Ground<'_>, world: &World) {
    let mut fixed: BTreeMap<&str, &Requirement> = BTreeMap::new();
    let lists = world.declared.iter().filter(|it| {
        !it.is_vague
            && !it.is_optional
            && base(&it.file).ends_with(".txt")
            && it.range.starts_with("==")
            && !it.range.contains(',')
    });
    for requirement in lists {
        let known = *fixed.entry(&requirement.name).or_insert(requirement);
        let same_folder = super::tree::parent(&known.file) == super::tree::parent(&requirement.file);
        let includes = |one: &str, other: &str| {
            one == other
                || ground.tree.text(one).is_some_and(|text| {
                    text.lines().any(|line| {
                        line.trim_start().starts_with('-') && line.trim_end().ends_with(base(other))
                    })
                })
        };
        let together = includes(&known.file, &requirement.file) || includes(&requirement.file, &known.file);
        if known.range != requirement.range && same_folder && together {
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("{} is fixed twice: {} and {}", requirement.name, known.range, requirement.range),
                    format!("{} and {}", known.place, requirement.place),
                    format!("keep one of the two lines for {}", requirement.name),
                )
                .naming([requirement.name.clone()]),
            );
        }
    }
}
