//! Rust: modules and included files, paths in `Cargo.toml`, members of a workspace, crates that nobody declares, and the lock.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;
use toml::{Table, Value};

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, join, parent, stem, under, upwards};
use super::version::{Dialect, Version, satisfies};

static MODULE: Pattern = Pattern::new(r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;");
static INCLUDED: Pattern =
    Pattern::new(r#"\b(include_str|include_bytes|include)!\s*\(\s*"([^"\n]+)"\s*,?\s*\)"#);
static USED: Pattern = Pattern::new(r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+(?:::)?([a-z_]\w*)::");
static DEFINED: Pattern = Pattern::new(r"\b(?:mod|extern\s+crate|as|macro_rules!)\s+(\w+)");

pub(super) fn probe(ground: &Ground<'_>) {
    let is_published = ground.is_published;
    for file in ground.tree.examined(&[".rs"]).filter(|file| !is_published && is_of_a_target(&file.path)) {
        if let Some(text) = ground.tree.text(&file.path) {
            modules(ground, &file.path, &text);
        }
    }
    for file in ground.tree.named("Cargo.toml") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Ok(table) = text.parse::<Table>() else { continue };
        let manifest = Manifest { ground, path: &file.path, text: &text, table: &table };
        if !is_published {
            manifest.paths();
            manifest.members();
        }
        manifest.inherited();
        manifest.features();
        super::rust_lock::probe(&manifest);
        manifest.vendored();
        if !is_published {
            manifest.crates();
        }
    }
}

/// Whether a file is one that Cargo builds by its place: other Rust files may be data.
fn is_of_a_target(path: &str) -> bool {
    let folder = parent(path);
    let beside = |folder: &str| ["tests", "benches", "examples", "src"].contains(&base(folder));
    folder.split('/').any(|part| part == "src")
        || beside(folder)
        || base(path) == "build.rs"
        || (matches!(base(path), "main.rs" | "mod.rs") && beside(parent(folder)))
}

fn modules(ground: &Ground<'_>, path: &str, text: &str) {
    let code = code(text, Language::Rust);
    let lines: Vec<&str> = code.lines().collect();
    let (folder, name) = (parent(path), stem(path));
    let is_root = matches!(name, "mod" | "lib" | "main")
        || ["bin", "tests", "examples", "benches"].contains(&base(folder))
        || base(path) == "build.rs";
    let inner = if is_root { folder.to_owned() } else { under(folder, name) };
    for hit in MODULE.all(&code) {
        let before = lines[hit.line().saturating_sub(4)..hit.line() - 1].join("\n");
        let attributes: String = before.rsplit([';', '}']).next().unwrap_or_default().to_owned();
        if attributes.contains("#[cfg") || hit.group(0).starts_with("    ") {
            continue;
        }
        let module = hit.group(1);
        let candidates = match attributes.split_once("#[path") {
            Some((_, rest)) => {
                let named = rest.split('"').nth(1).unwrap_or_default();
                join(folder, named).into_iter().collect()
            }
            // A file that some target names as its root finds its modules beside it.
            None => vec![
                under(&inner, &format!("{module}.rs")),
                under(&inner, &format!("{module}/mod.rs")),
                under(folder, &format!("{module}.rs")),
                under(folder, &format!("{module}/mod.rs")),
            ],
        };
        if candidates.is_empty() || candidates.iter().any(|it| ground.tree.has(it)) {
            continue;
        }
        absent(
            ground,
            &candidates[..candidates.len().min(2)],
            &format!("the module {module:?}"),
            &format!("{path}:{} declares it", hit.line()),
            module,
        );
    }
    for hit in INCLUDED.all(&code) {
        let named = hit.group(2);
        if let Some(target) = join(folder, named)
            && !ground.tree.presence(&target).may_be()
            && !lines[hit.line().saturating_sub(4)..hit.line() - 1].iter().any(|line| line.contains("#[cfg"))
        {
            absent(
                ground,
                &[target],
                &format!("the file {named:?}"),
                &format!("{path}:{} includes it", hit.line()),
                named,
            );
        }
    }
}

fn absent(ground: &Ground<'_>, candidates: &[String], what: &str, evidence: &str, name: &str) {
    for candidate in candidates {
        if let Presence::OtherCase(real) = ground.tree.presence(candidate) {
            ground.suspect(
                Suspicion::new(
                    Probe::FileCase,
                    format!("{what} differs from {real} only in case"),
                    evidence.to_owned(),
                    format!("git mv {real} {candidate}, or write the name as the file has it"),
                )
                .strength(Strength::Certain)
                .naming([name.to_owned(), candidate.clone()]),
            );
            return;
        }
    }
    let fix = candidates
        .iter()
        .find_map(|it| ground.restored(it))
        .unwrap_or_else(|| format!("create {}, or correct the name", candidates[0]));
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{what} does not exist: there is no {}", candidates[0]),
            evidence.to_owned(),
            fix,
        )
        .strength(Strength::Certain)
        .naming([name.to_owned(), candidates[0].clone()]),
    );
}

/// A `Cargo.toml`.
pub(super) struct Manifest<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) path: &'a str,
    text: &'a str,
    pub(super) table: &'a Table,
}

/// The tables of dependencies of a manifest, for every target.
pub(super) fn dependencies(table: &Table) -> Vec<(&'static str, &Table)> {
    let mut all = Vec::new();
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = table
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table);
    for owner in std::iter::once(table).chain(targets) {
        all.extend(kinds.iter().filter_map(|kind| Some((*kind, owner.get(*kind)?.as_table()?))));
    }
    all
}

impl Manifest<'_> {
    pub(super) fn place(&self, part: &str) -> String {
        let line = self.text.lines().position(|line| line.contains(part)).map_or(1, |at| at + 1);
        format!("{}:{line}", self.path)
    }

    pub(super) fn folder(&self) -> &str {
        parent(self.path)
    }

    /// The workspace that the package belongs to: its manifest's path and content.
    pub(super) fn workspace(&self) -> Option<(String, Table)> {
        if self.table.contains_key("workspace") {
            return Some((self.path.to_owned(), self.table.clone()));
        }
        let named = self.table.get("package").and_then(|it| it.get("workspace")?.as_str());
        let above: Vec<String> = match named {
            Some(named) => join(self.folder(), named).into_iter().collect(),
            None => upwards(self.folder()).map(str::to_owned).collect(),
        };
        above.into_iter().find_map(|folder| {
            let path = under(&folder, "Cargo.toml");
            let table = self.ground.tree.text(&path)?.parse::<Table>().ok()?;
            table.contains_key("workspace").then_some((path, table))
        })
    }

    fn missing(&self, what: &str, target: &str, part: &str, names: &[&str]) {
        let fix = self.ground.restored(target).unwrap_or_else(|| {
            let mut same = self.ground.tree.files().iter().filter(|file| {
                base(parent(&file.path)) == base(parent(target)) && base(&file.path) == base(target)
            });
            same.next().map_or_else(
                || format!("correct the path in {}, or create {target}", self.path),
                |other| format!("name {} instead", parent(&other.path)),
            )
        });
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{what}, and there is no {target}"),
                self.place(part),
                fix,
            )
            .strength(Strength::Certain)
            .naming(names.iter().map(|name| (*name).to_owned()).chain([target.to_owned()])),
        );
    }

    fn paths(&self) {
        let has = |target: &str| self.ground.tree.presence(target).may_be();
        let mut tables = dependencies(self.table);
        let shared = self.table.get("workspace").and_then(|it| it.get("dependencies")?.as_table());
        tables.extend(shared.map(|table| ("workspace.dependencies", table)));
        let patched = self
            .table
            .get("patch")
            .and_then(Value::as_table)
            .into_iter()
            .flat_map(Table::values)
            .filter_map(Value::as_table);
        tables.extend(patched.map(|table| ("patch", table)));
        for (_, table) in tables {
            for (name, value) in table {
                let Some(path) = value.get("path").and_then(Value::as_str) else { continue };
                let Some(target) = join(self.folder(), path).map(|it| under(&it, "Cargo.toml")) else {
                    if self.ground.tree.leads_nowhere(self.folder(), path) {
                        self.missing(
                            &format!("{} depends on {name:?} by the path {path:?}", self.path),
                            &format!("{path}/Cargo.toml"),
                            path,
                            &[name],
                        );
                    }
                    continue;
                };
                if !has(&target) {
                    self.missing(
                        &format!("{} depends on {name:?} by the path {path:?}", self.path),
                        &target,
                        path,
                        &[name],
                    );
                } else if let Some(other) =
                    self.ground.tree.text(&target).and_then(|text| text.parse::<Table>().ok())
                {
                    let called =
                        other.get("package").and_then(|it| it.get("name")?.as_str()).unwrap_or_default();
                    let wanted = value.get("package").and_then(Value::as_str).unwrap_or(name);
                    if !called.is_empty() && called != wanted {
                        self.ground.suspect(
                            Suspicion::new(
                                Probe::Dependencies,
                                format!("{} depends on {wanted:?} by the path {path:?}, and the package there is called {called:?}", self.path),
                                self.place(path),
                                format!("write {called} = {{ path = {path:?} }}, or package = {called:?}"),
                            )
                            .strength(Strength::Certain)
                            .naming([wanted.to_owned(), called.to_owned()]),
                        );
                    } else {
                        super::rust_lock::path_version(self, name, value, &target, &other);
                    }
                }
            }
        }
        for kind in ["bin", "test", "bench", "example"] {
            for target in self.table.get(kind).and_then(Value::as_array).into_iter().flatten() {
                let named = target.get("path").and_then(Value::as_str);
                if let Some(path) = named.and_then(|it| join(self.folder(), it)).filter(|it| !has(it)) {
                    self.missing(
                        &format!("{} names a [[{kind}]] at {:?}", self.path, named.unwrap_or_default()),
                        &path,
                        named.unwrap_or_default(),
                        &[],
                    );
                }
            }
        }
        let library = self.table.get("lib").and_then(|it| it.get("path")?.as_str());
        if let Some(path) = library.and_then(|it| join(self.folder(), it)).filter(|it| !has(it)) {
            self.missing(
                &format!("{} names its library at {:?}", self.path, library.unwrap_or_default()),
                &path,
                library.unwrap_or_default(),
                &[],
            );
        }
        let build = self.table.get("package").and_then(|it| it.get("build")?.as_str());
        if let Some(path) = build.and_then(|it| join(self.folder(), it)).filter(|it| !has(it)) {
            self.missing(
                &format!("{} names the build script {:?}", self.path, build.unwrap_or_default()),
                &path,
                "build",
                &[],
            );
        }
        let is_package = self.table.contains_key("package");
        let roots = ["src/lib.rs", "src/main.rs", "src/bin"].map(|it| under(self.folder(), it));
        let named =
            ["bin", "lib", "test", "example", "bench"].iter().any(|kind| self.table.contains_key(*kind));
        if is_package && !named && !roots.iter().any(|it| has(it)) {
            self.missing(
                &format!("{} has no target", self.path),
                &roots[0],
                "[package]",
                &["no targets specified"],
            );
        }
    }

    fn members(&self) {
        let Some(workspace) = self.table.get("workspace").and_then(Value::as_table) else {
            self.is_member();
            return;
        };
        for member in
            workspace.get("members").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            if let Some(target) = join(self.folder(), member).filter(|_| !member.contains(['*', '?', '['])) {
                let manifest = under(&target, "Cargo.toml");
                if !self.ground.tree.presence(&manifest).may_be() {
                    self.missing(
                        &format!("{} names the member {member:?}", self.path),
                        &manifest,
                        member,
                        &[member],
                    );
                }
            }
        }
    }

    /// A package below a workspace that does not know it.
    fn is_member(&self) {
        let Some((root, table)) = self.workspace().filter(|_| self.table.contains_key("package")) else {
            return;
        };
        let below = self.folder().strip_prefix(parent(&root)).unwrap_or_default().trim_start_matches('/');
        let listed = |key: &str| -> Vec<String> {
            let list = table.get("workspace").and_then(|it| it.get(key)?.as_array()).into_iter().flatten();
            list.filter_map(Value::as_str)
                .map(|it| it.trim_start_matches("./").trim_end_matches('/').to_owned())
                .collect()
        };
        let covers = |pattern: &String| match pattern.split_once('*') {
            Some((head, _)) => below.starts_with(head),
            None => below == pattern,
        };
        let excluded = listed("exclude")
            .iter()
            .any(|it| below == it || below.starts_with(&format!("{it}/")) || it.contains('*'));
        // Packages that members depend on by a path belong to it as well.
        let texts = self
            .ground
            .tree
            .named("Cargo.toml")
            .filter_map(|file| Some((parent(&file.path).to_owned(), self.ground.tree.text(&file.path)?)));
        let depended = texts.into_iter().any(|(folder, text)| {
            text.split("path = \"").skip(1).any(|rest| {
                rest.split('"').next().and_then(|it| join(&folder, it)).as_deref() == Some(self.folder())
            })
        });
        let is_here = self.ground.tree.scope().trim_end_matches('/') == self.folder()
            || !["doc", "guide", "example", "sample", "test", "bench", "book"]
                .iter()
                .any(|word| below.contains(word));
        if !excluded && !depended && !listed("members").iter().any(covers) {
            self.ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("{} lies below the workspace {root}, which does not list it", self.path),
                    format!("members in {root}"),
                    format!("add {below:?} to members in {root} (or to exclude)"),
                )
                // It is only missed by who works there.
                .strength(if is_here { Strength::Likely } else { Strength::Hinted })
                .naming(["believes it's in a workspace", below]),
            );
        }
    }

    /// `x.workspace = true` where the workspace has no x.
    fn inherited(&self) {
        for (_, table) in dependencies(self.table) {
            for (name, _) in table
                .iter()
                .filter(|(_, value)| value.get("workspace").and_then(Value::as_bool) == Some(true))
            {
                let Some((root, workspace)) = self.workspace() else { continue };
                let there =
                    workspace.get("workspace").and_then(|it| it.get("dependencies")?.get(name)).is_some();
                if !there {
                    self.ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!(
                                "{} takes {name:?} from the workspace, and {root} does not have it",
                                self.path
                            ),
                            self.place(name),
                            format!("add {name} to [workspace.dependencies] in {root}"),
                        )
                        .strength(Strength::Certain)
                        .naming([name.clone()]),
                    );
                }
            }
        }
    }

    /// Features that name what is not there.
    fn features(&self) {
        let declared: BTreeSet<&String> =
            dependencies(self.table).into_iter().flat_map(|(_, table)| table.keys()).collect();
        let Some(features) = self.table.get("features").and_then(Value::as_table) else { return };
        for (feature, parts) in features {
            for part in parts.as_array().into_iter().flatten().filter_map(Value::as_str) {
                let named = part.strip_prefix("dep:").unwrap_or(part);
                let (owner, inner) = named
                    .split_once('/')
                    .map_or((named, false), |(owner, _)| (owner.trim_end_matches('?'), true));
                let known = declared.iter().any(|it| *it == owner)
                    || (!inner && !part.starts_with("dep:") && features.contains_key(owner));
                if !known {
                    self.ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!("the feature {feature:?} of {} names {owner:?}, which is neither a dependency nor a feature", self.path),
                            self.place(part),
                            format!("add {owner} to the dependencies of {}, or correct the feature", self.path),
                        )
                        .strength(Strength::Certain)
                        .naming([owner.to_owned(), feature.clone()]),
                    );
                }
            }
        }
    }

    /// What lies in the folder that takes the registry's place.
    fn vendored(&self) {
        let tree = &self.ground.tree;
        let found = upwards(self.folder()).find_map(|folder| {
            let path = under(folder, ".cargo/config.toml");
            let table = tree.text(&path)?.parse::<Table>().ok()?;
            let sources = table.get("source")?.as_table()?;
            let replaced = sources.get("crates-io")?.get("replace-with")?.as_str()?;
            join(folder, sources.get(replaced)?.get("directory")?.as_str()?)
        });
        let Some(vendor) = found.filter(|it| tree.has_folder(it)) else { return };
        let names = tree.names_in(&vendor, 5_000);
        for (_, table) in dependencies(self.table) {
            for (name, value) in table {
                let elsewhere =
                    ["path", "git", "workspace", "registry"].iter().any(|key| value.get(key).is_some());
                let range = value.as_str().or_else(|| value.get("version")?.as_str());
                let Some(range) = range.filter(|_| !elsewhere) else { continue };
                let called = value.get("package").and_then(Value::as_str).unwrap_or(name);
                let has: Vec<Version> = names
                    .iter()
                    .filter(|it| *it == called || it.starts_with(&format!("{called}-")))
                    .filter_map(|it| {
                        let manifest =
                            tree.text(&format!("{vendor}/{it}/Cargo.toml"))?.parse::<Table>().ok()?;
                        let package = manifest.get("package")?;
                        (package.get("name")?.as_str()? == called).then_some(())?;
                        Version::find(package.get("version")?.as_str()?)
                    })
                    .collect();
                if has.iter().any(|it| it.is_early || satisfies(it, range, Dialect::Cargo) != Some(false)) {
                    continue;
                }
                let shown: Vec<String> = has.iter().map(Version::to_string).collect();
                let what = if shown.is_empty() {
                    format!("{vendor} takes the place of crates.io, and {called} is not in it")
                } else {
                    format!("{vendor} has {called} {}, and {} asks for {range}", shown.join(", "), self.path)
                };
                self.ground.suspect(
                    Suspicion::new(Probe::Dependencies, what, self.place(name), "cargo vendor".to_owned())
                        .strength(Strength::Certain)
                        .naming([called.to_owned(), vendor.clone()]),
                );
            }
        }
    }

    /// Crates that the code uses and the manifest does not declare.
    fn crates(&self) {
        let Some(package) = self.table.get("package").and_then(|it| it.get("name")?.as_str()) else { return };
        let library = self.table.get("lib").and_then(|it| it.get("name")?.as_str()).unwrap_or(package);
        let mut known: BTreeSet<String> =
            ["std", "core", "alloc", "crate", "self", "super", "proc_macro", "test"]
                .map(str::to_owned)
                .into();
        known.extend([library, package].map(|it| it.replace('-', "_")));
        known.extend(
            dependencies(self.table)
                .into_iter()
                .flat_map(|(_, table)| table.keys())
                .map(|it| it.replace('-', "_")),
        );
        let begins = if self.folder().is_empty() { String::new() } else { format!("{}/", self.folder()) };
        let inner: Vec<String> = self
            .ground
            .tree
            .named("Cargo.toml")
            .map(|file| format!("{}/", parent(&file.path)))
            .filter(|it| it.len() > begins.len() && it.starts_with(&begins))
            .collect();
        let files: Vec<_> = self
            .ground
            .tree
            .examined(&[".rs"])
            .filter(|file| {
                file.path.starts_with(&begins) && !inner.iter().any(|it| file.path.starts_with(it.as_str()))
            })
            .collect();
        let mut used: Vec<(String, String)> = Vec::new();
        for file in &files {
            let Some(text) = self.ground.tree.text(&file.path) else { continue };
            let code = code(&text, Language::Rust);
            known.extend(DEFINED.all(&code).iter().map(|hit| hit.group(1).to_owned()));
            // What is brought into scope can be used by its last name.
            for line in code.lines().filter(|line| {
                line.trim_start().starts_with("use ") || line.trim_start().starts_with("pub use ")
            }) {
                let all: Vec<&str> = line
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .filter(|it| !it.is_empty())
                    .collect();
                known.extend(all.iter().skip_while(|it| **it != "use").skip(2).map(|it| (*it).to_owned()));
            }
            for hit in USED.all(&code) {
                let before = code.lines().nth(hit.line().saturating_sub(2)).unwrap_or_default();
                if !before.contains("#[cfg") && !hit.group(0).starts_with("    ") {
                    used.push((hit.group(1).to_owned(), format!("{}:{}", file.path, hit.line())));
                }
            }
        }
        // A library may be called otherwise than its package: `x-rs` and `rust-x` are libraries called `x`.
        let has_other_name = |name: &str| {
            known
                .iter()
                .any(|it| it.strip_prefix(name) == Some("_rs") || it.strip_suffix(name) == Some("rust_"))
        };
        for (name, place) in
            used.into_iter().filter(|(name, _)| !known.contains(name) && !has_other_name(name))
        {
            let beside =
                files.iter().any(|file| stem(&file.path) == name || base(parent(&file.path)) == name);
            if beside {
                continue;
            }
            self.ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("the crate {name:?} is used, and {} does not declare it", self.path),
                    format!("{place} uses it"),
                    format!("cargo add {}", name.replace('_', "-")),
                )
                .strength(Strength::Certain)
                .naming([name]),
            );
        }
    }
}
