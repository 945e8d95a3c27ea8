//! Java without a build tool and without libraries: what is imported is Java's own, or lies in the project.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{base, stem};

static IMPORT: Pattern = Pattern::new(r"^import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;");
static PACKAGE: Pattern = Pattern::new(r"^package\s+([\w.]+)\s*;");
/// The beginnings of what Java itself has.
const OWN: &[&str] =
    &["java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.", "org.xml.", "org.ietf.", "netscape."];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let brings = |name: &str| {
        matches!(
            name,
            "pom.xml"
                | "build.gradle"
                | "build.gradle.kts"
                | "build.xml"
                | "BUILD"
                | "BUILD.bazel"
                | "build.sbt"
        ) || name.ends_with(".jar")
            || name.ends_with(".class")
    };
    let has_libraries = ground.variable("CLASSPATH").is_some()
        || tree.files().iter().any(|file| brings(base(&file.path)))
        || ground.shell_lines().iter().any(|line| {
            line.text.contains(".jar") || line.text.contains("mvn") || line.text.contains("curl")
        });
    if has_libraries {
        return;
    }
    let mut classes: BTreeSet<String> = BTreeSet::new();
    let mut packages: BTreeSet<String> = BTreeSet::new();
    let sources: Vec<_> = tree.files().iter().filter(|file| file.path.ends_with(".java")).collect();
    for file in &sources {
        let Some(text) = tree.text(&file.path) else { return };
        let package = PACKAGE.first(&text).map(|hit| hit.group(1).to_owned()).unwrap_or_default();
        classes.insert(format!("{package}.{}", stem(&file.path)));
        packages.insert(package);
    }
    for file in sources.iter().filter(|file| tree.is_examined(&file.path)) {
        let Some(text) = tree.text(&file.path) else { continue };
        for hit in IMPORT.all(&text) {
            let named = hit.group(2);
            // A class, one inside it, or something static of it.
            let mut prefixes = named.match_indices('.').map(|(at, _)| &named[..at]).chain([named]);
            let is_known = OWN.iter().any(|own| named.starts_with(own))
                || prefixes.any(|prefix| classes.contains(prefix))
                || (!hit.group(3).is_empty() && packages.contains(named));
            // What is in a package that is there is told elsewhere.
            let package = named.rsplit_once('.').map_or("", |(package, _)| package);
            if is_known || packages.contains(package) {
                continue;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!(
                        "the import {named:?} leads nowhere: no source and no library of the project has it"
                    ),
                    format!("{}:{}", file.path, hit.line()),
                    format!(
                        "create the class, put its library on the class path, or correct the import in {}",
                        file.path
                    ),
                )
                .strength(Strength::Certain)
                .naming([named.to_owned(), package.to_owned()]),
            );
        }
    }
}
