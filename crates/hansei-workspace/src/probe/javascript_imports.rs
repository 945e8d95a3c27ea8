//! Imports of JavaScript and TypeScript: files that are absent or called otherwise, names that a file does not have, and
//! packages that nobody declares or installs.

use hansei_core::escalation::Probe;

use super::exported_names::hides;
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::javascript_source::{Asked, Request, requests};
use super::node_packages::{
    BUNDLERS, Package, above, has_modules, installed, installed_manifest, is_built, is_plugged, package,
    package_name,
};
use super::tree::{Presence, Tree, base, is_test, join, parent, under};
use super::ts_paths::{Aliases, aliases};

/// Endings that are tried behind a path, in this order.
const ENDINGS: &[&str] = &[
    ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".json", ".node", ".vue",
    ".svelte", ".wasm",
];
/// Sources.
const SOURCES: &[&str] = &[".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"];
/// Modules that Node has itself.
const OWN: &[&str] = &[
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
    "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module",
    "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
    "string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi",
    "worker_threads", "zlib", "test", "sqlite", "electron", "vscode", "bun",
];

/// What a path leads to.
enum Led {
    To(String),
    OtherCase(String),
    Nowhere,
    /// A folder whose manifest names a main file that is absent: the manifest and that file.
    BrokenMain(String, String),
    Unknown,
}

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.examined(SOURCES) {
        if ground.tree.is_over() || file.path.ends_with(".d.ts") || base(&file.path).contains(".min.") {
            continue;
        }
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let asked = requests(&text);
        if asked.is_empty() {
            continue;
        }
        let at = At {
            ground,
            file: &file.path,
            packages: above(&ground.tree, &file.path),
            aliases: aliases(&ground.tree, &file.path),
        };
        at.kind_of_module(&asked, &text);
        for request in asked.iter().filter(|request| !request.is_optional) {
            at.judge(request);
        }
    }
}

struct At<'a> {
    ground: &'a Ground<'a>,
    file: &'a str,
    packages: Vec<Package>,
    aliases: Aliases,
}

impl At<'_> {
    fn place(&self, request: &Request) -> String {
        format!("{}:{}", self.file, request.line)
    }

    /// Whether Node takes the file for an ES module.
    fn is_module(&self) -> bool {
        let kind = self.packages.first().and_then(|it| it.manifest.get("type")?.as_str());
        self.file.ends_with(".mjs") || (self.file.ends_with(".js") && kind == Some("module"))
    }

    /// Whether something else than Node finds modules here.
    fn is_bundled(&self) -> bool {
        let mut scripts = self.packages.iter().flat_map(Package::scripts);
        self.packages.iter().any(|it| it.declares_one_of(BUNDLERS))
            || self.ground.tree.files().iter().any(|file| base(&file.path).contains(".config."))
            || scripts.any(|(_, line)| BUNDLERS.iter().any(|tool| has_word(line, tool)))
    }

    /// `require` does not exist in an ES module.
    fn kind_of_module(&self, asked: &[Request], text: &str) {
        let Some(request) = asked.iter().find(|it| it.asked == Asked::Require && !it.is_optional) else {
            return;
        };
        let has_own = ["createRequire", "function require", "const require", "import.meta.require"]
            .iter()
            .any(|it| text.contains(it));
        if !self.is_module() || has_own || self.is_bundled() {
            return;
        }
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{} calls require(), and Node takes it for an ES module, which has none", self.file),
                format!(
                    "{}, \"type\": \"module\" in {}",
                    self.place(request),
                    self.packages.first().map_or("", |it| &it.path)
                ),
                format!("write import, or rename {} to end in .cjs", self.file),
            )
            .strength(Strength::Certain)
            .naming(["require is not defined"]),
        );
    }

    fn judge(&self, request: &Request) {
        let module = request.module.split(['?', '!']).next().unwrap_or_default();
        if module.is_empty() || module.contains("${") || request.module.contains('!') {
            return;
        }
        if module.starts_with("./") || module.starts_with("../") || module == "." || module == ".." {
            if let Some(path) = join(parent(self.file), module) {
                self.follow(request, module, &path);
            }
        } else if let Some(targets) = self.aliases.targets(module) {
            self.aliased(request, module, &targets);
        } else {
            self.bare(request, module);
        }
    }

    fn follow(&self, request: &Request, module: &str, path: &str) {
        match lead(&self.ground.tree, path, self.is_typescript()) {
            Led::To(target) => {
                self.needs_ending(request, module, path, &target);
                self.names(request, &target);
            }
            Led::OtherCase(real) => self.ground.suspect(
                Suspicion::new(
                    Probe::FileCase,
                    format!("the import {module:?} differs from the file {real} only in case"),
                    format!("{} asks for it", self.place(request)),
                    format!("write the import as the file is called, or rename {real}"),
                )
                .strength(Strength::Certain)
                .naming([module.to_owned(), path.to_owned()]),
            ),
            Led::Nowhere => self.nowhere(request, module, path),
            Led::BrokenMain(manifest, main) => {
                let builds = package(&self.ground.tree, &manifest).is_some_and(|it| it.builds());
                let fix = if builds {
                    format!("run the build of {manifest} (npm run build)")
                } else {
                    format!("correct \"main\" in {manifest}, or create {main}")
                };
                self.ground.suspect(
                    Suspicion::new(
                        Probe::Imports,
                        format!("{manifest} names the main file {main:?}, which does not exist"),
                        format!("{} asks for {module:?}", self.place(request)),
                        fix,
                    )
                    .naming([
                        join(parent(&manifest), &main).unwrap_or_default(),
                        module.to_owned(),
                        main,
                    ]),
                );
            }
            Led::Unknown => {}
        }
    }

    fn nowhere(&self, request: &Request, module: &str, path: &str) {
        let ground = self.ground;
        let builds = self.packages.iter().any(Package::builds);
        let restored =
            ENDINGS.iter().chain(&[""]).find_map(|ending| ground.restored(&format!("{path}{ending}")));
        let is_made = restored.is_none()
            && ((is_built(path) && builds)
                || ground.is_ignored(path)
                || ground.is_ignored(&format!("{path}.js")));
        let strength = match (is_made, request.asked) {
            (true, _)
                if builds || super::generated_modules::made_by_hand(ground, path, self.file).is_none() =>
            {
                Strength::Hinted
            }
            (true, _) | (_, Asked::Later) => Strength::Likely,
            _ => Strength::Certain,
        };
        let of_tests = ["fixture", "testdata", "__mocks__", "test-data"];
        let is_fixture = is_test(self.file)
            && (path.ends_with(".json") || of_tests.iter().any(|word| path.contains(word)));
        let (probe, what) = if is_fixture && request.asked != Asked::Mock {
            (Probe::Fixtures, format!("the fixture {module:?} leads to no file: there is no {path}"))
        } else if request.asked == Asked::Mock {
            (Probe::Fixtures, format!("the mock of {module:?} names a file that does not exist"))
        } else {
            (Probe::Imports, format!("the import {module:?} leads to no file: there is no {path}"))
        };
        let lies = self.similar(module);
        let fix = restored.unwrap_or_else(|| match (&lies, is_made) {
            (_, true) => "npm run build".to_owned(),
            (Some(other), _) => format!("import it from where it lies ({other})"),
            (None, _) => format!("create {path}, or correct the path in {}", self.place(request)),
        });
        let lies = lies.map(|other| format!("; a file of that name lies at {other}")).unwrap_or_default();
        ground.suspect(
            Suspicion::new(probe, what, format!("{} asks for it{lies}", self.place(request)), fix)
                .strength(strength)
                .naming([module.to_owned(), path.to_owned(), base(path).to_owned()]),
        );
    }

    fn similar(&self, module: &str) -> Option<String> {
        let wanted = base(module).split('.').next().unwrap_or_default();
        let mut files = self.ground.tree.examined(SOURCES).filter(|file| file.path != self.file);
        let found = files.find(|file| {
            base(&file.path).split('.').next() == Some(wanted) && wanted != "index" && !wanted.is_empty()
        });
        found.map(|file| file.path.clone())
    }

    fn is_typescript(&self) -> bool {
        ["ts", "tsx", "mts", "cts", "vue", "svelte"]
            .iter()
            .any(|ending| self.file.ends_with(&format!(".{ending}")))
    }

    /// Node itself completes no path in an ES module.
    fn needs_ending(&self, request: &Request, module: &str, path: &str, target: &str) {
        let (is_module, bundled) = (self.is_module(), self.is_bundled());
        let completed = target != path && !self.is_typescript();
        let by_import = matches!(request.asked, Asked::Import | Asked::Later);
        if is_module && completed && !bundled && by_import && !target.ends_with(".ts") {
            let said = target.strip_prefix(path).unwrap_or(target);
            self.ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!(
                        "the import {module:?} leaves out {said:?}: Node completes no path in an ES module"
                    ),
                    format!("{} asks for it, {target} is meant", self.place(request)),
                    format!("write {module}{said}"),
                )
                .strength(Strength::Certain)
                .naming([module.to_owned(), path.to_owned()]),
            );
        }
    }

    /// Names that the file nowhere mentions.
    fn names(&self, request: &Request, target: &str) {
        if request.names.is_empty()
            || [".json", ".node", ".vue", ".svelte", ".wasm", ".d.ts"]
                .iter()
                .any(|ending| target.ends_with(ending))
        {
            return;
        }
        let Some(text) = self.ground.tree.text(target) else { return };
        let passes_on = [
            "export *",
            "module.exports = require",
            "Object.assign(",
            "__exportStar",
            "module.exports = {\n  ...",
            "...",
        ];
        if passes_on.iter().any(|it| text.contains(it)) || target.contains("node_modules") {
            return;
        }
        for name in request.names.iter().filter(|name| *name != "default" && !has_word(&text, name)) {
            let (probe, fix) = if is_built(target) && self.packages.iter().any(Package::builds) {
                (Probe::StaleBuild, "npm run build".to_owned())
            } else {
                (Probe::Imports, format!("export {name} from {target}, or import the name that is meant"))
            };
            self.ground.suspect(
                Suspicion::new(
                    probe,
                    format!("{name:?} cannot be imported from {target}: nothing there has that name"),
                    format!("{} asks for it", self.place(request)),
                    fix,
                )
                .strength(Strength::Certain)
                .naming([name.clone()]),
            );
        }
    }

    fn aliased(&self, request: &Request, module: &str, targets: &[String]) {
        let tree = &self.ground.tree;
        if targets.iter().any(|target| !matches!(lead(tree, target, true), Led::Nowhere | Led::OtherCase(_)))
        {
            return;
        }
        if installed(tree, parent(self.file), package_name(module)).is_some() {
            return;
        }
        if let Some(target) = targets.first() {
            self.follow(request, module, target);
        }
    }

    /// A path below an installed package that the package does not let others import.
    fn hidden(&self, request: &Request, module: &str, name: &str, package: &std::path::Path) {
        let subpath = format!(".{}", &module[name.len()..]);
        let Some(manifest) = installed_manifest(package).filter(|it| hides(it, &subpath)) else { return };
        if !matches!(request.asked, Asked::Import | Asked::Require) || self.is_typescript() {
            return;
        }
        let version = manifest["version"].as_str().unwrap_or_default();
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the package {name:?} does not export {subpath:?}, and {module:?} is imported"),
                format!("{} asks for it; {name} {version} lists what it exports", self.place(request)),
                format!("add {subpath:?} to \"exports\" of {name}, or import what it exports"),
            )
            .strength(Strength::Certain)
            .naming([module.to_owned(), subpath]),
        );
    }

    fn bare(&self, request: &Request, module: &str) {
        let name = package_name(module);
        let known = module.starts_with("node:") || module.starts_with("bun:") || OWN.contains(&name);
        let is_url = module.contains(':')
            || module.starts_with('/')
            || module.starts_with('#')
            || module.starts_with('~');
        let odd = module.starts_with("@/")
            || module.starts_with('$')
            || module.starts_with("virtual")
            || name.starts_with('_');
        let (Some(own), false) = (self.packages.first(), known || is_url || odd) else { return };
        let tree = &self.ground.tree;
        let folder = parent(self.file);
        if let Some(package) = installed(tree, folder, name) {
            self.hidden(request, module, name, &package);
            return;
        }
        if is_plugged(tree, folder) || !is_package_name(name) {
            return;
        }
        let is_own_name =
            self.packages.iter().any(|it| it.manifest.get("name").and_then(|it| it.as_str()) == Some(name));
        let in_workspace = super::node_packages::packages(tree)
            .iter()
            .any(|it| it.manifest.get("name").and_then(|it| it.as_str()) == Some(name));
        let resolved_elsewhere = ["deno.json", "deno.jsonc", "import_map.json"]
            .iter()
            .any(|file| tree.has(&under(own.folder(), file)));
        if is_own_name || resolved_elsewhere || self.aliases.may_be_alias(name, tree) {
            return;
        }
        let types = format!("@types/{}", name.trim_start_matches('@').replace('/', "__"));
        let declaring = self.packages.iter().find_map(|it| Some((it, it.range(name)?)));
        let missed = self.ground.hint.missing_modules().iter().any(|it| package_name(it) == name);
        let partial = has_modules(tree, folder);
        match declaring {
            Some((_, (kind, _)))
                if kind == "optionalDependencies" || (kind == "peerDependencies" && !missed) => {}
            Some((package, _)) if partial || missed => self.ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("the package {name:?} is declared and imported, but not installed"),
                    format!(
                        "{} asks for it, {} declares it",
                        self.place(request),
                        package.place(&format!("\"{name}\""))
                    ),
                    install(tree, package.folder()),
                )
                .strength(Strength::Certain)
                .naming([name.to_owned()]),
            ),
            Some(_) => {}
            None if in_workspace => self.ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!(
                        "the workspace package {name:?} is imported, and {} does not declare it",
                        own.path
                    ),
                    format!("{} asks for it", self.place(request)),
                    format!("add \"{name}\": \"*\" to the dependencies in {}, then npm install", own.path),
                )
                .strength(if partial || missed { Strength::Likely } else { Strength::Hinted })
                .naming([name.to_owned()]),
            ),
            None if self.packages.iter().any(|it| it.range(&types).is_some()) => {}
            None => {
                // Jest brings its own, and what is served to a browser as it is was put together elsewhere.
                let is_served = parent(self.file)
                    .split('/')
                    .any(|part| matches!(part, "static" | "public" | "assets" | "vendor"));
                let is_brought =
                    name == "@jest/globals" && self.packages.iter().any(|it| it.range("jest").is_some());
                if is_served || is_brought {
                    return;
                }
                let is_tool = is_test(self.file)
                    && matches!(name, "vitest" | "mocha" | "chai" | "@jest/globals" | "ava" | "tap");
                let strength = if is_tool || self.file.contains(".config.") {
                    Strength::Possible
                } else {
                    Strength::Likely
                };
                self.ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!("the package {name:?} is imported, and {} does not declare it", own.path),
                        format!("{} asks for it", self.place(request)),
                        format!("npm install {name}"),
                    )
                    .strength(strength)
                    .naming([name.to_owned()]),
                );
            }
        }
    }
}

/// How the packages of a folder are installed, by its lock.
pub(super) fn install(tree: &Tree, folder: &str) -> String {
    let has = |name: &str| super::tree::upwards(folder).any(|folder| tree.has(&under(folder, name)));
    let line = if has("pnpm-lock.yaml") {
        "pnpm install"
    } else if has("yarn.lock") {
        "yarn install"
    } else if has("bun.lockb") || has("bun.lock") {
        "bun install"
    } else if has("package-lock.json") {
        "npm ci"
    } else {
        "npm install"
    };
    line.to_owned()
}

fn is_package_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| {
            !scope.is_empty() && name.chars().all(plain) && scope.chars().all(plain)
        }),
        None => name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_lowercase()),
    }
}

fn lead(tree: &Tree, path: &str, typescript: bool) -> Led {
    match tree.presence(path) {
        Presence::File if !path.is_empty() => return Led::To(path.to_owned()),
        Presence::Unknown => return Led::Unknown,
        _ => {}
    }
    let mut other = None;
    let mut candidates: Vec<String> = ENDINGS.iter().map(|ending| format!("{path}{ending}")).collect();
    for (written, meant) in [
        (".js", ".ts"),
        (".js", ".tsx"),
        (".jsx", ".tsx"),
        (".mjs", ".mts"),
        (".cjs", ".cts"),
        (".js", ".d.ts"),
    ] {
        if let Some(stem) = path.strip_suffix(written).filter(|_| typescript || !tree.has(path)) {
            candidates.push(format!("{stem}{meant}"));
        }
    }
    if tree.has_folder(path) {
        let manifest = under(path, "package.json");
        if let Some(package) = package(tree, &manifest)
            && let Some(main) = package.manifest.get("main").and_then(|main| main.as_str())
        {
            let wanted = join(path, main).unwrap_or_default();
            if let Led::To(target) = lead(tree, &wanted, typescript) {
                return Led::To(target);
            }
            if !ENDINGS.iter().any(|ending| tree.has(&under(path, &format!("index{ending}")))) {
                return Led::BrokenMain(manifest, main.to_owned());
            }
        }
        candidates.extend(ENDINGS.iter().map(|ending| under(path, &format!("index{ending}"))));
    }
    for candidate in candidates {
        match tree.presence(&candidate) {
            Presence::File => return Led::To(candidate),
            Presence::OtherCase(real) => {
                other.get_or_insert(real);
            }
            _ => {}
        }
    }
    if let Presence::OtherCase(real) = tree.presence(path) {
        return Led::OtherCase(real);
    }
    other.map_or(Led::Nowhere, Led::OtherCase)
}
