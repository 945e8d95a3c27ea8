//! Java: modules and parents that a build names, classes of the project's own packages, public classes in files of another name,
//! and libraries that nobody declares.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{base, join, parent, stem, under};

static MODULE: Pattern = Pattern::new(r"<module>\s*([^<\s]+)\s*</module>");
static RELATIVE_PARENT: Pattern = Pattern::new(r"<relativePath>\s*([^<\s]+)\s*</relativePath>");
static DEPENDENCY: Pattern = Pattern::new(r"<dependency>([^§]*?)</dependency>");
static ARTIFACT: Pattern = Pattern::new(r"<artifactId>\s*([^<\s]+)\s*</artifactId>");
static INCLUDED: Pattern = Pattern::new(r#"(?:^|\n)\s*include\s*\(?\s*((?:['"]:?[\w:.-]+['"]\s*,?\s*)+)\)?"#);
static QUOTED: Pattern = Pattern::new(r#"['"]:?([\w:.-]+)['"]"#);
static IMPORT: Pattern = Pattern::new(r"^import\s+(static\s+)?([\w.]+)(\.\*)?\s*;");
static PACKAGE: Pattern = Pattern::new(r"^package\s+([\w.]+)\s*;");
static PUBLIC: Pattern = Pattern::new(
    r"^public\s+(?:final\s+|abstract\s+|sealed\s+|non-sealed\s+|strictfp\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)",
);

/// Packages of well-known libraries, and a word that their declaration holds.
const LIBRARIES: &[(&str, &str, &str)] = &[
    ("org.junit.jupiter.", "junit", "org.junit.jupiter:junit-jupiter"),
    ("org.junit.", "junit", "junit:junit"),
    ("org.mockito.", "mockito", "org.mockito:mockito-core"),
    ("org.assertj.", "assertj", "org.assertj:assertj-core"),
    ("org.slf4j.", "slf4j", "org.slf4j:slf4j-api"),
    ("com.google.gson.", "gson", "com.google.code.gson:gson"),
    ("com.fasterxml.jackson.", "jackson", "com.fasterxml.jackson.core:jackson-databind"),
    ("org.apache.commons.lang3.", "commons-lang3", "org.apache.commons:commons-lang3"),
    ("org.apache.commons.io.", "commons-io", "commons-io:commons-io"),
    ("com.google.common.", "guava", "com.google.guava:guava"),
    ("lombok.", "lombok", "org.projectlombok:lombok"),
    ("org.hamcrest.", "hamcrest", "org.hamcrest:hamcrest"),
    ("okhttp3.", "okhttp", "com.squareup.okhttp3:okhttp"),
];

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.named("pom.xml") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        pom(ground, &file.path, &text);
    }
    for name in ["settings.gradle", "settings.gradle.kts"] {
        for file in ground.tree.named(name) {
            let Some(text) = ground.tree.text(&file.path) else { continue };
            gradle(ground, &file.path, &code(&text, Language::C));
        }
    }
    for wrapper in ground.tree.named("gradlew") {
        let jar = under(parent(&wrapper.path), "gradle/wrapper/gradle-wrapper.jar");
        if !ground.tree.has(&jar) {
            missing(
                ground,
                &format!("{} needs {jar}", wrapper.path),
                &wrapper.path,
                "gradle wrapper",
                &["gradle-wrapper.jar", "GradleWrapperMain"],
            );
        }
    }
    sources(ground);
}

fn missing(ground: &Ground<'_>, what: &str, place: &str, fix: &str, names: &[&str]) {
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{what}, which does not exist"),
            place.to_owned(),
            fix.to_owned(),
        )
        .strength(Strength::Certain)
        .naming(names.iter().copied()),
    );
}

fn pom(ground: &Ground<'_>, path: &str, text: &str) {
    let folder = parent(path);
    let there = |target: &str| ground.tree.has(target) || ground.tree.has(&under(target, "pom.xml"));
    for hit in MODULE.all(text) {
        let named = hit.group(1);
        if let Some(target) = join(folder, named).filter(|target| !there(target) && !named.contains('$')) {
            missing(
                ground,
                &format!("{path} names the module {named:?} at {target}/pom.xml"),
                &format!("{path}:{}", hit.line()),
                &format!("take {named} out of <modules> in {path}, or create {target}/pom.xml"),
                &[named],
            );
        }
    }
    for hit in RELATIVE_PARENT.all(text) {
        let named = hit.group(1);
        if let Some(target) = join(folder, named).filter(|target| !there(target)) {
            missing(
                ground,
                &format!("{path} names its parent at {target}"),
                &format!("{path}:{}", hit.line()),
                &format!("correct <relativePath> in {path}"),
                &[named, "Non-resolvable parent POM"],
            );
        }
    }
    let managed = text.contains("<parent>") || text.contains("<dependencyManagement>");
    for hit in DEPENDENCY.all(text) {
        let inside = hit.group(1);
        if !managed && !inside.contains("<version>") {
            let artifact = ARTIFACT.first(inside).map(|hit| hit.group(1).to_owned()).unwrap_or_default();
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("the dependency {artifact:?} in {path} has no version, and nothing manages one"),
                    format!("{path}:{}", hit.line()),
                    format!("add <version> to {artifact} in {path}"),
                )
                .strength(Strength::Certain)
                .naming([artifact, "'dependencies.dependency.version'".to_owned()]),
            );
        }
    }
}

fn gradle(ground: &Ground<'_>, path: &str, text: &str) {
    if text.contains("projectDir") {
        return;
    }
    for hit in INCLUDED.all(text) {
        for one in QUOTED.all(hit.group(1)) {
            let target = under(parent(path), &one.group(1).replace(':', "/"));
            if !ground.tree.has_folder(&target) {
                missing(
                    ground,
                    &format!("{path} includes {:?} at {target}", one.group(1)),
                    path,
                    &format!("create {target}, or take it out of {path}"),
                    &[one.group(1)],
                );
            }
        }
    }
}

fn sources(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut classes: BTreeSet<String> = BTreeSet::new();
    let files: Vec<_> = tree.examined(&[".java"]).collect();
    for file in &files {
        let Some(text) = tree.text(&file.path) else { continue };
        let Some(package) = PACKAGE.first(&text).map(|hit| hit.group(1).to_owned()) else { continue };
        own.insert(package.clone());
        classes.insert(format!("{package}.{}", stem(&file.path)));
    }
    let other_languages = tree.examined(&[".kt", ".scala", ".groovy"]).next().is_some();
    let builds: String = tree
        .files()
        .iter()
        .filter(|file| {
            matches!(base(&file.path), "pom.xml" | "build.gradle" | "build.gradle.kts" | "libs.versions.toml")
        })
        .filter_map(|file| tree.text(&file.path))
        .fold(String::new(), |all, text| all + &text);
    let inherits = builds.contains("<parent>")
        || builds.contains("starter")
        || builds.contains("platform(")
        || builds.contains("fileTree")
        || builds.contains("systemPath")
        || builds.contains("import</scope>");
    for file in &files {
        let Some(text) = tree.text(&file.path) else { continue };
        let code = code(&text, Language::C);
        if let Some(hit) = PUBLIC.first(&code)
            && hit.group(1) != stem(&file.path)
            && !matches!(stem(&file.path), "package-info" | "module-info")
        {
            let is_case = hit.group(1).eq_ignore_ascii_case(stem(&file.path));
            let wanted = under(parent(&file.path), &format!("{}.java", hit.group(1)));
            ground.suspect(
                Suspicion::new(
                    if is_case { Probe::FileCase } else { Probe::Imports },
                    format!(
                        "the public class {:?} stands in {}, and must stand in {wanted}",
                        hit.group(1),
                        file.path
                    ),
                    format!("{}:{}", file.path, hit.line()),
                    format!("git mv {} {wanted}", file.path),
                )
                .strength(Strength::Certain)
                .naming([hit.group(1).to_owned()]),
            );
        }
        for hit in IMPORT.all(&code) {
            let name = hit.group(2);
            let place = format!("{}:{} imports it", file.path, hit.line());
            if let Some((_, word, artifact)) =
                LIBRARIES.iter().find(|(prefix, _, _)| name.starts_with(prefix))
            {
                if !builds.is_empty()
                    && !builds.contains(word)
                    && !inherits
                    && !own.iter().any(|it| name.starts_with(&format!("{it}.")))
                {
                    ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!("{name} is imported, and no build file declares {artifact}"),
                            place,
                            format!("add {artifact} to the dependencies"),
                        )
                        .strength(Strength::Certain)
                        .naming([name.to_owned(), name.rsplit_once('.').map_or(name, |it| it.0).to_owned()]),
                    );
                }
                continue;
            }
            let is_static = !hit.group(1).is_empty();
            let is_all = !hit.group(3).is_empty();
            // The class: the part up to the first name with a capital.
            let parts: Vec<&str> = name.split('.').collect();
            let Some(at) = parts.iter().position(|part| part.starts_with(|c: char| c.is_ascii_uppercase()))
            else {
                continue;
            };
            let (package, class) = (parts[..at].join("."), parts[..=at].join("."));
            if !own.contains(&package)
                || classes.contains(&class)
                || other_languages
                || (is_all && !is_static && at + 1 == parts.len())
            {
                continue;
            }
            let folder_has = files.iter().any(|other| {
                tree.text(&other.path).is_some_and(|text| {
                    text.contains(&format!("package {package};"))
                        && ["class ", "interface ", "enum ", "record "]
                            .iter()
                            .any(|kind| super::hint::has_word(&text, &format!("{kind}{}", parts[at])))
                })
            });
            if folder_has {
                continue;
            }
            let lies = classes.iter().find(|it| it.rsplit('.').next() == Some(parts[at]));
            let fix = lies.map_or_else(
                || format!("create {}, or correct the import", parts[at]),
                |lies| format!("import {lies}"),
            );
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("the class {class} does not exist in the project's own package {package}"),
                    place,
                    fix,
                )
                .strength(Strength::Certain)
                .naming([parts[at].to_owned()]),
            );
        }
    }
}
