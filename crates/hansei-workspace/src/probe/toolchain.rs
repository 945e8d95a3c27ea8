//! Versions that the project asks for, against those of the programs at hand.

use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::python_world::World;
use super::tree::{parent, under, upwards};
use super::version::{Dialect, Version, satisfies};

static REQUIRES_PYTHON: Pattern =
    Pattern::new(r#"^\s*(?:requires-python|python_requires|python)\s*=\s*['"]?([<>=!~^\d][^'"\n#]*)"#);
static GO_DIRECTIVE: Pattern = Pattern::new(r"^go\s+(\d+\.\d+(?:\.\d+)?)");
static TOOLCHAIN_DIRECTIVE: Pattern = Pattern::new(r"^toolchain\s+go(\d\S*)");
static CMAKE_MINIMUM: Pattern = Pattern::new(r"cmake_minimum_required\s*\(\s*VERSION\s+(\d+(?:\.\d+)*)");

pub(super) fn probe(ground: &Ground<'_>) {
    node(ground);
    python(ground);
    rust(ground);
    go(ground);
    super::java_toolchain::probe(ground);
    cmake(ground);
    tool_versions(ground);
    others(ground);
}

/// The file of this name in the examined folder or above it.
fn nearest(ground: &Ground<'_>, name: &str) -> Option<(String, std::rc::Rc<str>)> {
    upwards(ground.tree.scope()).find_map(|folder| {
        let path = under(folder, name);
        let text = ground.tree.text(&path)?;
        Some((path, text))
    })
}

fn mismatch(ground: &Ground<'_>, program: &str, wanted: &str, found: &Version, place: &str, fix: String) {
    ground.suspect(
        Suspicion::new(
            Probe::Toolchain,
            format!(
                "{program} {found} is on PATH, and {} asks for {wanted}",
                place.split(':').next().unwrap_or(place)
            ),
            place.to_owned(),
            fix,
        )
        .strength(Strength::Certain)
        .naming([program.to_owned(), wanted.to_owned()]),
    );
}

fn line_of(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).map_or(1, |at| at + 1)
}

fn node(ground: &Ground<'_>) {
    let mut asked: Vec<(String, String, bool)> = Vec::new();
    for name in [".nvmrc", ".node-version"] {
        if let Some((path, text)) = nearest(ground, name) {
            let wanted = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
            let wanted = wanted.unwrap_or_default().trim_start_matches('v').to_owned();
            let named = [
                ("lts/hydrogen", "18"),
                ("lts/iron", "20"),
                ("lts/jod", "22"),
                ("lts/krypton", "24"),
                ("lts/gallium", "16"),
            ];
            let wanted = named
                .iter()
                .find(|(name, _)| *name == wanted.to_lowercase())
                .map_or(wanted, |(_, it)| (*it).to_owned());
            asked.push((wanted, format!("{path}:1"), true));
        }
    }
    for file in ground.tree.named("package.json") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Ok(manifest) = serde_json::from_str::<Value>(&text) else { continue };
        let place = |key: &str| format!("{}:{}", file.path, line_of(&text, key));
        if let Some(range) = manifest.pointer("/engines/node").and_then(Value::as_str) {
            asked.push((range.to_owned(), place("\"engines\""), false));
        }
        if let Some(range) = manifest.pointer("/volta/node").and_then(Value::as_str) {
            asked.push((range.to_owned(), place("\"volta\""), false));
        }
        let manager = manifest.get("packageManager").and_then(Value::as_str);
        if let Some((manager, wanted)) = manager.and_then(|it| it.split_once('@'))
            && matches!(manager, "pnpm" | "yarn" | "bun")
            && !ground.programs.is_there(manager)
        {
            let scripts = manifest.get("scripts").and_then(Value::as_object).into_iter().flatten();
            let calls =
                |line: &str| hansei_core::check::commands(line).iter().any(|it| it.program() == manager);
            let caller = scripts.into_iter().find(|(_, line)| line.as_str().is_some_and(calls));
            let evidence = match caller {
                Some((script, _)) => format!("{}, the script {script} calls it", place("\"packageManager\"")),
                None => place("\"packageManager\""),
            };
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("{} asks for {manager} {wanted}, and there is no {manager} on PATH", file.path),
                    evidence,
                    format!("corepack enable {manager} (or npm install --global {manager})"),
                )
                .strength(if caller.is_some() { Strength::Certain } else { Strength::Hinted })
                .naming([manager.to_owned()]),
            );
        }
        for tool in ["npm", "pnpm", "yarn"] {
            let range = manifest.pointer(&format!("/engines/{tool}")).and_then(Value::as_str);
            let found = range.and_then(|_| ground.programs.version(tool));
            if let (Some(range), Some(found)) = (range, found)
                && satisfies(&found, range, Dialect::Npm) == Some(false)
            {
                mismatch(
                    ground,
                    tool,
                    range,
                    &found,
                    &place("\"engines\""),
                    format!("npm install --global {tool}@\"{range}\""),
                );
            }
        }
    }
    if asked.is_empty() {
        return;
    }
    let Some(found) = ground.programs.version("node") else { return };
    for (range, place, is_exact) in asked {
        let fits = if is_exact {
            Version::find(&range)
                .filter(|_| range.starts_with(|c: char| c.is_ascii_digit()))
                .map(|wanted| found.begins_with(&wanted))
        } else {
            satisfies(&found, &range, Dialect::Npm)
        };
        if fits == Some(false) {
            let install = Version::find(&range).map_or(range.clone(), |version| version.to_string());
            mismatch(
                ground,
                "node",
                &range,
                &found,
                &place,
                format!("nvm install {install} && nvm use {install}"),
            );
        }
    }
}

/// The version of Python that the project is run with.
pub(super) fn project_python(ground: &Ground<'_>, world: &World) -> Option<Version> {
    let own = world.installed.as_ref().and_then(|installed| installed.version.clone());
    chosen_by_pyenv(ground).or(own).or_else(|| ground.programs.python().map(|python| python.version))
}

/// The version that pyenv takes for this folder.
fn chosen_by_pyenv(ground: &Ground<'_>) -> Option<Version> {
    let (_, text) = nearest(ground, ".python-version")?;
    let wanted = text.lines().next()?.trim().to_owned();
    pyenv_versions(ground)
        .into_iter()
        .find(|there| Version::find(&wanted).is_some_and(|wanted| there.begins_with(&wanted)))
}

fn pyenv_versions(ground: &Ground<'_>) -> Vec<Version> {
    let root = ground.variable("PYENV_ROOT").map(std::path::PathBuf::from);
    let root = root.or_else(|| ground.variable("HOME").map(|home| std::path::Path::new(home).join(".pyenv")));
    let Some(root) = root else { return Vec::new() };
    let entries = std::fs::read_dir(root.join("versions")).into_iter().flatten().flatten();
    entries.filter_map(|entry| Version::find(entry.file_name().to_str()?)).collect()
}

/// Whether there is a program whose name carries its version, and that is no mere stand-in of a version manager.
pub(super) fn has_versioned(ground: &Ground<'_>, program: &str) -> bool {
    if !ground.programs.is_there(program) {
        return false;
    }
    let stands_in =
        ground.programs.find(program).is_some_and(|it| is_shim(&it)) && program.starts_with("python");
    let Some(wanted) = Version::find(program).filter(|_| stands_in) else { return true };
    let root = ground.variable("PYENV_ROOT").map(std::path::PathBuf::from);
    let root = root.or_else(|| ground.variable("HOME").map(|home| std::path::Path::new(home).join(".pyenv")));
    let global = || std::fs::read_to_string(root?.join("version")).ok();
    let chosen = ground.variable("PYENV_VERSION").map(|it| it.replace(':', "\n"));
    let chosen = chosen.or_else(|| nearest(ground, ".python-version").map(|(_, text)| text.to_string()));
    let chosen = chosen.or_else(global).unwrap_or_default();
    chosen.split_whitespace().filter_map(Version::find).any(|there| there.begins_with(&wanted))
}

/// Whether a program only stands for those that a version manager has, or has not.
fn is_shim(program: &std::path::Path) -> bool {
    program.parent().is_some_and(|folder| folder.ends_with("shims"))
}

fn python(ground: &Ground<'_>) {
    let fixed = nearest(ground, ".python-version");
    let mut asked = Vec::new();
    for name in ["pyproject.toml", "setup.cfg", "setup.py", "Pipfile"] {
        for file in ground.tree.named(name) {
            let Some(text) = ground.tree.text(&file.path) else { continue };
            if let Some(hit) = REQUIRES_PYTHON.first(&text) {
                asked.push((
                    hit.group(1).trim().trim_end_matches(',').to_owned(),
                    format!("{}:{}", file.path, hit.line()),
                ));
            }
        }
    }
    if fixed.is_none() && asked.is_empty() {
        return;
    }
    let world = ground.python();
    let own = world.installed.as_ref().filter(|it| it.is_own).and_then(|it| it.version.clone());
    let on_path = ground.programs.python().map(|python| python.version);
    if let Some((path, text)) = &fixed
        && let Some(wanted) =
            text.lines().map(str::trim).find(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        && let (Some(version), Some(found)) = (Version::find(wanted), own.clone().or(on_path.clone()))
    {
        let is_there = found.begins_with(&version)
            || pyenv_versions(ground).iter().any(|there| there.begins_with(&version))
            || ground.programs.find(&format!("python{}", version.short(2))).is_some_and(|it| !is_shim(&it));
        if !is_there {
            mismatch(
                ground,
                "Python",
                wanted,
                &found,
                &format!("{path}:1"),
                format!("pyenv install {wanted}"),
            );
        }
    }
    let chosen = own.or_else(|| chosen_by_pyenv(ground)).or(on_path);
    for (range, place) in asked {
        let Some(found) = &chosen else { continue };
        if satisfies(found, &range, Dialect::Python) == Some(false) {
            let install = Version::find(&range).map_or(range.clone(), |version| version.to_string());
            mismatch(
                ground,
                "Python",
                &range,
                found,
                &place,
                format!("pyenv install {install} && pyenv local {install}"),
            );
        }
    }
}

fn rust(ground: &Ground<'_>) {
    for name in ["rust-toolchain.toml", "rust-toolchain"] {
        let Some((path, text)) = nearest(ground, name) else { continue };
        let table = text.parse::<toml::Table>().ok();
        let channel = table
            .as_ref()
            .and_then(|table| table.get("toolchain")?.get("channel")?.as_str().map(str::to_owned));
        let channel = channel.unwrap_or_else(|| text.lines().next().unwrap_or_default().trim().to_owned());
        if ground.is_published || channel.is_empty() || channel.contains(['[', '=', ' ']) {
            continue;
        }
        let home = ground.variable("RUSTUP_HOME").map(std::path::PathBuf::from);
        let home =
            home.or_else(|| ground.variable("HOME").map(|home| std::path::Path::new(home).join(".rustup")));
        let toolchains: Vec<String> = home
            .and_then(|home| std::fs::read_dir(home.join("toolchains")).ok())
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        let begins = |name: &String| {
            name == &channel
                || name.starts_with(&format!("{channel}-"))
                || name.starts_with(&format!("{channel}."))
        };
        let found = ground.programs.version("rustc");
        let same = found.as_ref().zip(Version::find(&channel)).is_some_and(|(found, wanted)| {
            channel.starts_with(|c: char| c.is_ascii_digit()) && found.begins_with(&wanted)
        });
        if toolchains.iter().any(begins) || same {
            continue;
        }
        let is_number = channel.starts_with(|c: char| c.is_ascii_digit());
        if let Some(found) =
            found.filter(|_| is_number || !toolchains.is_empty() && channel.starts_with("nightly"))
        {
            let place = format!("{path}:{}", line_of(&text, &channel));
            mismatch(
                ground,
                "rustc",
                &channel,
                &found,
                &place,
                format!("rustup toolchain install {channel}"),
            );
        }
    }
    for file in ground.tree.named("Cargo.toml") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Ok(table) = text.parse::<toml::Table>() else { continue };
        let package = table.get("package").or_else(|| table.get("workspace")?.get("package"));
        let of = |key: &str| package.and_then(|package| package.get(key)?.as_str());
        let wanted = of("rust-version").map(|it| (it.to_owned(), "rust-version"));
        let edition = of("edition").and_then(|edition| match edition {
            "2024" => Some(("1.85".to_owned(), "edition")),
            "2021" => Some(("1.56".to_owned(), "edition")),
            _ => None,
        });
        for (wanted, key) in wanted.into_iter().chain(edition) {
            let (Some(version), Some(found)) = (Version::find(&wanted), ground.programs.version("rustc"))
            else {
                continue;
            };
            if !found.reaches(&version)
                && nearest(ground, "rust-toolchain.toml").is_none()
                && nearest(ground, "rust-toolchain").is_none()
            {
                let place = format!("{}:{}", file.path, line_of(&text, key));
                mismatch(ground, "rustc", &wanted, &found, &place, "rustup update stable".to_owned());
            }
        }
    }
}

fn go(ground: &Ground<'_>) {
    for file in ["go.mod", "go.work"].iter().flat_map(|name| ground.tree.named(name)) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Some(hit) = GO_DIRECTIVE.first(&text) else { continue };
        let hit = TOOLCHAIN_DIRECTIVE.first(&text).unwrap_or(hit);
        let (Some(wanted), Some(found)) = (Version::find(hit.group(1)), ground.programs.version("go")) else {
            continue;
        };
        // From 1.21 on, Go fetches the toolchain that a module names, unless it is told not to.
        let fetches = found.reaches(&Version { numbers: vec![1, 21], is_early: false })
            && ground.variable("GOTOOLCHAIN") != Some("local");
        if !found.reaches(&wanted) && (!fetches || ground.hint.says(&["toolchain", "requires go"])) {
            let place = format!("{}:{}", file.path, hit.line());
            let fix = format!(
                "install Go {wanted} or newer (https://go.dev/dl), or lower the go line in {}",
                file.path
            );
            mismatch(ground, "go", hit.group(1), &found, &place, fix);
        }
    }
}

fn cmake(ground: &Ground<'_>) {
    for file in ground.tree.named("CMakeLists.txt") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Some(hit) = CMAKE_MINIMUM.first(&text) else { continue };
        let (Some(wanted), Some(found)) = (Version::find(hit.group(1)), ground.programs.version("cmake"))
        else {
            continue;
        };
        if !found.reaches(&wanted) {
            let place = format!("{}:{}", file.path, hit.line());
            mismatch(
                ground,
                "cmake",
                hit.group(1),
                &found,
                &place,
                format!("pip install \"cmake>={wanted}\""),
            );
        }
    }
}

/// `.tool-versions` of asdf and mise.
fn tool_versions(ground: &Ground<'_>) {
    let names = [".tool-versions", "mise.toml", ".mise.toml"];
    for (path, text) in names.iter().filter_map(|name| nearest(ground, name)) {
        asked_tools(ground, &path, &text);
    }
}

fn asked_tools(ground: &Ground<'_>, path: &str, text: &str) {
    for (at, line) in text.lines().enumerate() {
        let line = line.replace(['=', '"', '\''], " ");
        let mut words = line.split_whitespace();
        let (Some(tool), Some(wanted)) = (words.next(), words.next()) else { continue };
        let program = match tool {
            "nodejs" | "node" => "node",
            "golang" | "go" => "go",
            "rust" => "rustc",
            "ruby" => "ruby",
            "php" => "php",
            "cmake" => "cmake",
            "python" => "python3",
            _ => continue,
        };
        let (Some(version), Some(found)) = (Version::find(wanted), ground.programs.version(program)) else {
            continue;
        };
        if wanted.starts_with(|c: char| c.is_ascii_digit()) && !found.begins_with(&version) {
            mismatch(
                ground,
                program,
                wanted,
                &found,
                &format!("{path}:{}", at + 1),
                format!("asdf install {tool} {wanted}"),
            );
        }
    }
}

/// Ruby and PHP, and programs that an error misses.
fn others(ground: &Ground<'_>) {
    if let Some((path, text)) = nearest(ground, ".ruby-version")
        && let Some(wanted) = Version::find(&text)
        && let Some(found) = ground.programs.version("ruby")
        && !found.begins_with(&wanted)
    {
        mismatch(
            ground,
            "ruby",
            &wanted.to_string(),
            &found,
            &format!("{path}:1"),
            format!("rbenv install {wanted}"),
        );
    }
    for file in ground.tree.named("composer.json") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Ok(manifest) = serde_json::from_str::<Value>(&text) else { continue };
        let Some(range) = manifest.pointer("/require/php").and_then(Value::as_str) else { continue };
        if let Some(found) = ground.programs.version("php")
            && satisfies(&found, &range.replace('|', "||").replace("||||", "||"), Dialect::Npm) == Some(false)
        {
            mismatch(
                ground,
                "php",
                range,
                &found,
                &format!("{}:{}", file.path, line_of(&text, "\"php\"")),
                format!("install PHP {range}"),
            );
        }
    }
    for program in ground.hint.absent_programs() {
        let local = format!("node_modules/.bin/{program}");
        let in_manifest = upwards(ground.tree.scope()).any(|folder| ground.tree.has(&under(folder, &local)));
        if !ground.programs.is_there(program) && !in_manifest && parent(program).is_empty() {
            ground.suspect(
                Suspicion::new(
                    Probe::Toolchain,
                    format!("the program {program:?} is not on PATH"),
                    "the error says so, and no folder of PATH holds it".to_owned(),
                    format!("install {program}, or put its folder on PATH"),
                )
                .naming([program.to_owned()]),
            );
        }
    }
}
