//! Paths that manifests, configurations and scripts name, and that lead nowhere.

use hansei_core::check::{PlainCommand, commands};
use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::node_packages::{Package, is_built, packages, relaxed};
use super::pattern::Pattern;
use super::tree::{Presence, base, join, parent, under};

static COPY: Pattern = Pattern::new(r"^(?:COPY|ADD)\s+(?:--[\w=.:-]+\s+)*([^\s\[$*?-][^\s$*?]*)\s+\S+\s*$");
static FROM_STAGE: Pattern = Pattern::new(r"--from=");
static INCLUDED: Pattern = Pattern::new(
    r"^-r\s+(\S+)|^-c\s+(\S+)|^--requirement[ =](\S+)|^--constraint[ =](\S+)|^-e\s+(\.{1,2}/[\w./-]+)|^(\.{1,2}/[\w./-]+)\s*$",
);
static COMPOSE_FILE: Pattern = Pattern::new(
    r#"^\s*(?:env_file:|dockerfile:|context:|build:|-)\s+['"]?(\.{1,2}/[\w./-]+|[\w.-]*\.env|Dockerfile[\w.-]*)['"]?\s*$"#,
);
static SETTING_PATH: Pattern = Pattern::new(r"^\s*(testpaths|DJANGO_SETTINGS_MODULE)\s*=\s*([^\n#]+)");

pub(super) fn probe(ground: &Ground<'_>) {
    for package in packages(&ground.tree) {
        entries(ground, &package);
    }
    typescript(ground);
    scripts(ground);
    docker(ground);
    requirements(ground);
    test_settings(ground);
    jest(ground);
    local_packages(ground);
}

fn absent(ground: &Ground<'_>, path: &str) -> bool {
    matches!(ground.tree.presence(path), Presence::Absent | Presence::OtherCase(_))
}

/// Suspects a path that leads nowhere; one that differs in case only is told as that.
fn suspect(ground: &Ground<'_>, who: &str, path: &str, place: &str, strength: Strength) {
    if let Presence::OtherCase(real) = ground.tree.presence(path) {
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{who} names {path}, which differs from {real} only in case"),
                place.to_owned(),
                format!("write {real}"),
            )
            .strength(Strength::Certain)
            .naming([path.to_owned(), base(path).to_owned()]),
        );
        return;
    }
    let mut same = ground
        .tree
        .files()
        .iter()
        .filter(|file| base(&file.path) == base(path) && ground.tree.is_examined(&file.path));
    let other = same.next().map(|file| file.path.clone());
    let fix = ground.restored(path).unwrap_or_else(|| match &other {
        Some(other) => format!("name {other} instead, or move it to {path}"),
        None => format!("create {path}, or correct {}", place.split(" (").next().unwrap_or(place)),
    });
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{who} names {path}, which does not exist"),
            place.to_owned(),
            fix,
        )
        .strength(strength)
        .naming([path.to_owned(), base(path).to_owned()]),
    );
}

/// `main`, `module`, `types`, `bin`, `exports` and `files` of a package.
fn entries(ground: &Ground<'_>, package: &Package) {
    let mut named: Vec<(String, String)> = Vec::new();
    for key in ["main", "module", "types", "typings", "browser", "bin", "exports", "imports"] {
        if let Some(value) = package.manifest.get(key) {
            collect(key, value, &mut named);
        }
    }
    let starts_itself = package.scripts().any(|(_, line)| {
        line.split(['&', ';', '|']).any(|one| matches!(one.trim(), "node ." | "electron ." | "node ./"))
    });
    for (key, path) in named {
        let relative = path.trim_start_matches("./");
        let Some(target) = join(package.folder(), relative).filter(|_| !path.contains('*')) else { continue };
        let completed = [".js", ".json", ".node", "/index.js", ".cjs", ".mjs"]
            .iter()
            .any(|ending| ground.tree.has(&format!("{target}{ending}")));
        if !absent(ground, &target) || (completed && key == "main") {
            continue;
        }
        let is_made = (is_built(relative) || relative.ends_with(".d.ts")) && package.builds();
        let is_default = key == "main" && matches!(relative, "index.js") && !starts_itself;
        let strength = if is_made || is_default || ground.is_ignored(&target) {
            Strength::Hinted
        } else if key == "main" && !starts_itself {
            Strength::Possible
        } else {
            Strength::Likely
        };
        suspect(ground, &format!("{} ({key})", package.path), &target, &package.place(&path), strength);
    }
}

fn collect(key: &str, value: &Value, named: &mut Vec<(String, String)>) {
    match value {
        Value::String(path)
            if path.starts_with('.') || (key != "exports" && key != "imports" && key != "browser") =>
        {
            named.push((key.to_owned(), path.clone()));
        }
        Value::Object(map) => map.values().for_each(|inner| collect(key, inner, named)),
        _ => {}
    }
}

/// What `tsconfig.json` names.
fn typescript(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        if !((name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")) {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        let Ok(config) = relaxed(&text) else { continue };
        let folder = parent(&file.path);
        let place = |part: &str| {
            format!(
                "{}:{}",
                file.path,
                text.lines().position(|line| line.contains(part)).map_or(1, |at| at + 1)
            )
        };
        let extended = match config.get("extends") {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![one.as_str()],
            _ => Vec::new(),
        };
        for one in extended.into_iter().filter(|one| one.starts_with('.')) {
            if let Some(target) = join(folder, one)
                .filter(|target| absent(ground, target) && absent(ground, &format!("{target}.json")))
            {
                suspect(ground, &format!("{} (extends)", file.path), &target, &place(one), Strength::Certain);
            }
        }
        let options = config.get("compilerOptions");
        let base_url = options.and_then(|it| it.get("baseUrl")?.as_str());
        if let Some(target) = base_url.and_then(|it| join(folder, it)).filter(|target| absent(ground, target))
        {
            suspect(
                ground,
                &format!("{} (baseUrl)", file.path),
                &target,
                &place("baseUrl"),
                Strength::Likely,
            );
        }
        let from = base_url.and_then(|it| join(folder, it)).unwrap_or_else(|| folder.to_owned());
        for (pattern, targets) in options.and_then(|it| it.get("paths")?.as_object()).into_iter().flatten() {
            let targets: Vec<String> = targets
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .filter_map(|it| join(&from, it))
                .collect();
            let reach = |target: &String| {
                let fixed = target.split('*').next().unwrap_or_default().trim_end_matches('/');
                let whole = if target.contains('*') { fixed.to_owned() } else { target.clone() };
                !absent(ground, &whole)
                    || [".ts", ".tsx", ".d.ts", ".js"]
                        .iter()
                        .any(|ending| ground.tree.has(&format!("{whole}{ending}")))
                    || whole.contains("node_modules")
                    || is_built(&whole)
            };
            let used = tree.examined(&[".ts", ".tsx", ".js", ".jsx"]).any(|source| {
                let head = pattern.split('*').next().unwrap_or_default();
                tree.text(&source.path).is_some_and(|text| {
                    text.contains(&format!("'{head}")) || text.contains(&format!("\"{head}"))
                })
            });
            if !targets.is_empty() && !targets.iter().any(reach) && used {
                suspect(
                    ground,
                    &format!("{} (paths {pattern:?})", file.path),
                    &targets[0],
                    &place(pattern),
                    Strength::Certain,
                );
            }
        }
        let references = config
            .get("references")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|it| it.get("path")?.as_str());
        let files =
            config.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for one in references.chain(files) {
            if let Some(target) = join(folder, one).filter(|target| absent(ground, target)) {
                suspect(ground, &file.path, &target, &place(one), Strength::Certain);
            }
        }
    }
}

/// Files that command lines give to an interpreter.
fn scripts(ground: &Ground<'_>) {
    for line in ground.shell_lines() {
        if line.before.contains("cd ")
            || line.text.contains("mktemp")
            || (line.text.contains('>') && !line.text.contains("2>&1"))
        {
            continue;
        }
        for command in commands(&line.text) {
            let Some(named) = file_of(&command) else { continue };
            let odd = named.contains(['$', '*', '{', '`', '~', '<', '?', '%', '(', ':', '\\', '['])
                || named.starts_with('/')
                || named.starts_with('-');
            if odd {
                continue;
            }
            let folder = command
                .folder
                .as_deref()
                .and_then(|changed| join(&line.folder, changed))
                .unwrap_or_else(|| line.folder.clone());
            // A folder that does not exist is told by another probe.
            if !ground.tree.has_folder(&folder) {
                continue;
            }
            let places = [folder.as_str(), "", ground.tree.scope(), line.folder.as_str()];
            let targets: Vec<String> = places.iter().filter_map(|place| join(place, named)).collect();
            let completed = |target: &String| {
                [".js", ".ts", ".mjs", ".cjs", "/index.js", ".json"]
                    .iter()
                    .any(|ending| ground.tree.has(&format!("{target}{ending}")))
            };
            if targets.is_empty()
                || !targets.iter().all(|target| absent(ground, target))
                || targets.iter().any(completed)
            {
                continue;
            }
            let target = &targets[0];
            let is_made = is_built(named)
                || ground.is_ignored(target)
                || line.before.contains(base(named))
                || is_made_in_project(ground, named);
            let strength = if is_made && !line.is_failing { Strength::Hinted } else { Strength::Likely };
            suspect(
                ground,
                line.place.split(':').next().unwrap_or("a script"),
                target,
                &line.place,
                strength,
            );
        }
    }
}

/// Whether another command line writes the file.
fn is_made_in_project(ground: &Ground<'_>, named: &str) -> bool {
    ground.shell_lines().iter().any(|line| {
        (line.text.contains('>')
            || line.text.contains("-o ")
            || line.text.contains("cp ")
            || line.text.contains("curl")
            || line.text.contains("wget"))
            && line.text.contains(base(named))
    })
}

/// The file of the project that a command runs or reads.
fn file_of(command: &PlainCommand) -> Option<&str> {
    let words = command.arguments();
    let first = words.iter().find(|word| !word.starts_with('-')).map(String::as_str);
    let looks = |word: &&str, endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match command.program() {
        "node" | "nodemon" | "ts-node" | "tsx" | "bun"
            if !command.has(&[
                "-e", "-p", "--eval", "--test", "run", "test", "-r", "--import", "--require", "--loader",
            ]) =>
        {
            first.filter(|word| looks(word, &[".js", ".ts", ".mjs", ".cjs"]))
        }
        "python" | "python3" if !command.has(&["-c", "-m", "-"]) => {
            first.filter(|word| word.ends_with(".py"))
        }
        "bash" | "sh" | "zsh" | "source" | "." if !command.has(&["-c"]) => {
            first.filter(|word| word.ends_with(".sh"))
        }
        "ruby" => first.filter(|word| word.ends_with(".rb")),
        "php" => first.filter(|word| word.ends_with(".php")),
        "go" if command.word(1) == "run" => {
            words.get(1).map(String::as_str).filter(|word| word.ends_with(".go"))
        }
        "pip" | "pip3" => {
            let at = words.iter().position(|word| word == "-r" || word == "-c" || word == "--requirement")?;
            words.get(at + 1).map(String::as_str)
        }
        "pytest" => first
            .filter(|word| word.contains('/') || word.ends_with(".py"))
            .map(|word| word.split("::").next().unwrap_or(word)),
        "docker" if command.word(1) == "build" => {
            let at = words.iter().position(|word| word == "-f" || word == "--file")?;
            words.get(at + 1).map(String::as_str)
        }
        _ => {
            let program = command.word(0);
            (program.starts_with("./") || program.starts_with("../"))
                .then_some(program)
                .filter(|it| it.ends_with(".sh") || it.ends_with(".py") || it.ends_with(".js"))
        }
    }
}

fn docker(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let Some(text) = tree.text(&file.path).filter(|_| name == "Dockerfile" || name.contains("compose.y"))
        else {
            continue;
        };
        let folder = parent(&file.path);
        if name == "Dockerfile" {
            for hit in COPY.all(&text) {
                let source = hit.group(1).trim_end_matches('/');
                let Some(target) = join(folder, source).filter(|_| !FROM_STAGE.is_in(hit.group(0))) else {
                    continue;
                };
                let from_root = join("", source).is_some_and(|target| !absent(ground, &target));
                if absent(ground, &target)
                    && !from_root
                    && !is_built(source)
                    && !source.contains("://")
                    && !ground.is_ignored(&target)
                    && !source.contains("target")
                {
                    suspect(
                        ground,
                        &file.path,
                        &target,
                        &format!("{}:{}", file.path, hit.line()),
                        Strength::Likely,
                    );
                }
            }
        } else {
            for hit in COMPOSE_FILE.all(&text) {
                let named = hit.group(1);
                let whole = hit.group(0).trim_start();
                let under_env = whole.starts_with('-')
                    && text
                        .lines()
                        .take(hit.line() - 1)
                        .collect::<Vec<_>>()
                        .iter()
                        .rev()
                        .find(|line| !line.trim_start().starts_with('-'))
                        .is_some_and(|line| line.trim() == "env_file:");
                if whole.starts_with('-') && !under_env || whole.starts_with("dockerfile") {
                    continue;
                }
                if let Some(target) = join(folder, named).filter(|target| absent(ground, target)) {
                    suspect(
                        ground,
                        &file.path,
                        &target,
                        &format!("{}:{}", file.path, hit.line()),
                        Strength::Likely,
                    );
                }
            }
        }
    }
}

/// Requirements files that include others.
fn requirements(ground: &Ground<'_>) {
    for file in ground
        .tree
        .examined(&[".txt", ".in"])
        .filter(|file| file.path.contains("requirements") || file.path.contains("constraints"))
    {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for hit in INCLUDED.all(&text) {
            let named = hit.first_from(1);
            if let Some(target) = join(parent(&file.path), named)
                .filter(|target| absent(ground, target) && !named.contains("://"))
            {
                suspect(
                    ground,
                    &file.path,
                    &target,
                    &format!("{}:{}", file.path, hit.line()),
                    Strength::Certain,
                );
            }
        }
    }
}

/// Paths and modules in the settings of pytest.
fn test_settings(ground: &Ground<'_>) {
    for name in ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"] {
        for file in ground.tree.named(name) {
            let Some(text) = ground.tree.text(&file.path) else { continue };
            for hit in SETTING_PATH.all(&text) {
                let place = format!("{}:{}", file.path, hit.line());
                let listed: Vec<&str> = hit
                    .group(2)
                    .split(['[', ']', '"', '\'', ',', ' ', '\r'])
                    .filter(|it| !it.is_empty())
                    .collect();
                for one in listed {
                    if hit.group(1) == "testpaths" {
                        if let Some(target) = join(parent(&file.path), one)
                            .filter(|target| absent(ground, target) && !one.contains('*'))
                        {
                            suspect(
                                ground,
                                &format!("{} (testpaths)", file.path),
                                &target,
                                &place,
                                Strength::Likely,
                            );
                        }
                    } else {
                        let path = one.replace('.', "/");
                        let exists = ["", "src"].iter().any(|root| {
                            let path = under(&under(parent(&file.path), root), &path);
                            let path = path.trim_start_matches('/').to_owned();
                            ground.tree.has(&format!("{path}.py"))
                                || ground.tree.has(&format!("{path}/__init__.py"))
                        });
                        if !exists {
                            suspect(
                                ground,
                                &format!("{} (DJANGO_SETTINGS_MODULE)", file.path),
                                &format!("{path}.py"),
                                &place,
                                Strength::Likely,
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Files that the settings of Jest and Vitest name.
fn jest(ground: &Ground<'_>) {
    static NAMED: Pattern = Pattern::new(
        r#"['"]?(setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|testEnvironment|resolver|snapshotResolver|preset|include|files|exclude)['"]?\s*:\s*(\[[^\]]*\]|['"][^'"]+['"])"#,
    );
    static STRING: Pattern = Pattern::new(r#"['"]((?:<rootDir>|\.)/[^'"]+)['"]"#);
    let tree = &ground.tree;
    let files = tree.files().iter().filter(|file| tree.is_examined(&file.path));
    for file in files {
        let name = base(&file.path);
        if !(name.starts_with("jest.config")
            || name.starts_with("vitest.config")
            || name.starts_with("vite.config")
            || name == "package.json")
        {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        let text = if name == "package.json" {
            text[text.find("\"jest\"").unwrap_or(text.len())..].to_owned()
        } else {
            text.to_string()
        };
        for hit in
            NAMED.all(&text).iter().filter(|hit| !matches!(hit.group(1), "include" | "exclude" | "files"))
        {
            for one in STRING.all(hit.group(2)) {
                let named = one.group(1).replace("<rootDir>/", "./");
                let Some(target) = join(parent(&file.path), &named) else { continue };
                let completed = ["", ".js", ".ts", ".cjs", ".mjs"]
                    .iter()
                    .any(|ending| !absent(ground, &format!("{target}{ending}")));
                if !completed && !named.contains(['*', '$']) {
                    suspect(
                        ground,
                        &format!("{} ({})", file.path, hit.group(1)),
                        &target,
                        &file.path,
                        Strength::Certain,
                    );
                }
            }
        }
    }
}

/// Packages that are declared by a path.
fn local_packages(ground: &Ground<'_>) {
    static PATH: Pattern = Pattern::new(r#"\bpath\s*=\s*"(\.[^"\n]*)""#);
    for package in packages(&ground.tree) {
        for (_, range) in
            super::node_packages::DECLARED.iter().filter_map(|kind| package.object(kind)).flatten()
        {
            let named =
                range.as_str().and_then(|it| it.strip_prefix("file:").or_else(|| it.strip_prefix("link:")));
            let Some(named) = named else { continue };
            if let Some(target) = join(package.folder(), named).filter(|target| absent(ground, target)) {
                suspect(ground, &package.path, &target, &package.place(named), Strength::Certain);
            }
        }
    }
    for file in ground.tree.named("pyproject.toml") {
        let Some(text) =
            ground.tree.text(&file.path).filter(|text| text.contains("poetry") || text.contains("tool.uv"))
        else {
            continue;
        };
        for hit in PATH.all(&text) {
            if let Some(target) =
                join(parent(&file.path), hit.group(1)).filter(|target| absent(ground, target))
            {
                suspect(
                    ground,
                    &file.path,
                    &target,
                    &format!("{}:{}", file.path, hit.line()),
                    Strength::Certain,
                );
            }
        }
    }
}
