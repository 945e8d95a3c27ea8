//! Built files of npm packages that are older than their sources, or lack one, and that something loads.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::node_packages::{Package, packages};
use super::stale_build::is_older;
use super::tree::{File, base, is_test, under};

pub(super) fn probe(ground: &Ground<'_>) {
    let all = packages(&ground.tree);
    for package in &all {
        node(ground, package, &all);
        emitted(ground, package);
    }
}

const ENDINGS: [&str; 9] = [".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs", ".cts", ".coffee"];

/// What the package builds and its scripts or tests load, against its sources.
fn node(ground: &Ground<'_>, package: &Package, all: &[Package]) {
    let tree = &ground.tree;
    let folder = package.folder();
    let built: Vec<String> = ["dist", "build", "lib", "out"]
        .iter()
        .map(|name| under(folder, name))
        .filter(|path| tree.has_folder(path))
        .collect();
    let sources = under(folder, "src");
    if built.is_empty() || !tree.has_folder(&sources) {
        return;
    }
    for output in built {
        let name = base(&output);
        let builds_first = |line: &str| {
            ["tsc", "build", "webpack", "rollup", "esbuild", "tsup", "babel", "vite"]
                .iter()
                .any(|tool| has_word(line, tool))
        };
        let loads = package.scripts().find(|(script, line)| {
            let hooked =
                package.scripts().any(|(other, line)| other == format!("pre{script}") && builds_first(line));
            let runs = line.contains(&format!("{name}/"))
                && ["node ", "nodemon ", "jest ", "mocha "].iter().any(|program| line.contains(program));
            runs && !builds_first(line) && !hooked
        });
        let main = ["main", "module", "bin", "exports"].iter().find_map(|key| {
            let named = package.manifest.get(key)?;
            let begins = |it: &str| it.trim_start_matches("./").starts_with(&format!("{name}/"));
            let is_there = match named.as_str() {
                Some(named) => begins(named),
                None => named.to_string().split('"').any(begins),
            };
            is_there.then_some(*key)
        });
        let own = package.manifest.get("name").and_then(serde_json::Value::as_str).unwrap_or("\u{1}");
        let by_name = [format!("'{own}'"), format!("\"{own}\""), format!("'{own}/"), format!("\"{own}/")];
        let tested = tree
            .examined(&[".js", ".ts", ".mjs", ".cjs"])
            .filter(|file| is_test(&file.path) || !file.path.starts_with(&format!("{sources}/")))
            .find(|file| {
                let inside = file.path.starts_with(&format!("{folder}/")) || folder.is_empty();
                // Another package of the project loads it by its name.
                let sibling = !inside && all.len() > 1 && main.is_some();
                (inside || sibling)
                    && tree.text(&file.path).is_some_and(|text| {
                        let is_named = main.is_some() && by_name.iter().any(|it| text.contains(it.as_str()));
                        if sibling {
                            return is_named;
                        }
                        is_named
                            || text.contains(&format!("/{name}/"))
                            || text.contains(&format!("/{name}'"))
                            || text.contains(&format!("/{name}\""))
                            || (main.is_some()
                                && ["'..'", "\"..\"", "'../'", "'../..'", "'.'"]
                                    .iter()
                                    .any(|it| text.contains(it)))
                    })
            });
        let tested_is_built = package
            .scripts()
            .any(|(script, line)| (script == "pretest" || script == "test") && builds_first(line));
        let (loader, place) = match (loads, tested) {
            (Some((script, _)), _) => {
                (format!("the script {script}"), package.place(&format!("\"{script}\":")))
            }
            (None, Some(test)) if !tested_is_built => (test.path.clone(), test.path.clone()),
            (None, None) if main.is_some() => (package.path.clone(), package.place(main.unwrap_or("main"))),
            _ => continue,
        };
        let begins = format!("{output}/");
        for file in tree.files().iter().filter(|file| {
            file.path.starts_with(&begins)
                && [".js", ".mjs", ".cjs"].iter().any(|ending| file.path.ends_with(ending))
        }) {
            let relative = file.path.strip_prefix(&begins).unwrap_or_default();
            let bare = relative.rsplit_once('.').map_or(relative, |(bare, _)| bare);
            let source = ENDINGS.iter().find_map(|ending| tree.file(&format!("{sources}/{bare}{ending}")));
            if let Some(source) = source.filter(|source| is_older(ground, file, source)) {
                ground.suspect(
                    Suspicion::new(
                        Probe::StaleBuild,
                        format!("{} is older than {}, and {loader} loads it", file.path, source.path),
                        format!(
                            "{place}; {} was written {} seconds before its source",
                            file.path,
                            source.modified - file.modified
                        ),
                        build_command(package),
                    )
                    .naming([file.path.clone(), relative.to_owned()]),
                );
                break;
            }
        }
    }
}

/// What `tsc` believes to have written, by the file that it keeps for that.
fn emitted(ground: &Ground<'_>, package: &Package) {
    let tree = &ground.tree;
    let is_own =
        |file: &&File| super::tree::parent(&file.path) == package.folder() || package.folder().is_empty();
    let infos = tree.files().iter().filter(|file| file.path.ends_with(".tsbuildinfo")).filter(is_own);
    for info in infos {
        let Some(settings) = tree.text(&under(super::tree::parent(&info.path), "tsconfig.json")) else {
            continue;
        };
        let output = settings.split("\"outDir\"").nth(1).and_then(|rest| rest.split('"').nth(1));
        let Some(output) = output.and_then(|it| super::tree::join(super::tree::parent(&info.path), it))
        else {
            continue;
        };
        if info.path.starts_with(&format!("{output}/"))
            || tree.has_folder(&output)
            || settings.contains("noEmit\": true")
        {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::StaleBuild,
                format!(
                    "{} says that all is built, and {output} is not there: tsc writes nothing again",
                    info.path
                ),
                info.path.clone(),
                format!("rm {} && npx tsc --build", info.path),
            )
            .naming([output.clone(), base(&info.path).to_owned()]),
        );
    }
}

fn build_command(package: &Package) -> String {
    let script = ["build", "compile", "prepare"]
        .iter()
        .find(|name| package.scripts().any(|(script, _)| script == **name));
    script.map_or_else(|| "build it again".to_owned(), |name| format!("npm run {name}"))
}
