//! Java: modules and parents that a build names, classes of the project's own packages, public classes in files of another name,
//! and libraries that nobody declares.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{File, base, join, parent, stem, under};

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
    properties(ground, path, text);
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

/// Versions by a property that nobody defines.
fn properties(ground: &Ground<'_>, path: &str, text: &str) {
    static USED: Pattern = Pattern::new(r"<version>\s*\$\{([\w.-]+)\}\s*</version>");
    let own = ["project.", "revision", "sha1", "changelist", "env.", "settings.", "pom.", "parent."];
    let all = ground
        .tree
        .named("pom.xml")
        .filter_map(|file| ground.tree.text(&file.path))
        .fold(String::new(), |all, it| all + &it);
    // A parent from elsewhere may define it.
    let is_whole =
        !text.contains("<parent>") || text.contains("<relativePath>") && !text.contains("spring-boot");
    for hit in USED.all(text).iter().filter(|_| is_whole) {
        let name = hit.group(1);
        if own.iter().any(|it| name.starts_with(it)) || all.contains(&format!("<{name}>")) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!("{path} takes a version from the property {name:?}, which nothing defines"),
                format!("{path}:{}", hit.line()),
                format!("add <{name}> to <properties>"),
            )
            .strength(Strength::Certain)
            .naming([name.to_owned()]),
        );
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

/// The project's Java files, and what their builds declare.
struct Sources<'a> {
    ground: &'a Ground<'a>,
    files: Vec<&'a File>,
    /// The packages and the classes of the project.
    packages: BTreeSet<String>,
    classes: BTreeSet<String>,
    builds: String,
    /// Dependencies may come from somewhere that we do not read.
    inherits: bool,
    has_other_languages: bool,
}

fn sources(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let files: Vec<_> = tree.examined(&[".java"]).collect();
    let is_build =
        |name: &str| matches!(name, "pom.xml" | "build.gradle" | "build.gradle.kts" | "libs.versions.toml");
    let builds = tree.files().iter().filter(|file| is_build(base(&file.path)));
    let builds = builds.filter_map(|file| tree.text(&file.path)).fold(String::new(), |all, text| all + &text);
    let elsewhere = ["<parent>", "starter", "platform(", "fileTree", "systemPath", "import</scope>"];
    let mut all = Sources {
        ground,
        packages: BTreeSet::new(),
        classes: BTreeSet::new(),
        inherits: elsewhere.iter().any(|it| builds.contains(it)),
        builds,
        has_other_languages: tree.examined(&[".kt", ".scala", ".groovy"]).next().is_some(),
        files,
    };
    for file in &all.files {
        let Some(text) = tree.text(&file.path) else { continue };
        let Some(package) = PACKAGE.first(&text).map(|hit| hit.group(1).to_owned()) else { continue };
        all.classes.insert(format!("{package}.{}", stem(&file.path)));
        all.packages.insert(package);
    }
    for file in &all.files {
        let Some(text) = tree.text(&file.path) else { continue };
        let code = code(&text, Language::C);
        public_class(ground, &file.path, &code);
        for hit in IMPORT.all(&code) {
            let place = format!("{}:{} imports it", file.path, hit.line());
            if !all.library(hit.group(2), &place) {
                all.own_class(hit.group(2), !hit.group(1).is_empty(), !hit.group(3).is_empty(), &place);
            }
        }
    }
}

/// A public class must stand in a file of its name.
fn public_class(ground: &Ground<'_>, path: &str, code: &str) {
    let Some(hit) = PUBLIC.first(code).filter(|hit| hit.group(1) != stem(path)) else { return };
    let is_case = hit.group(1).eq_ignore_ascii_case(stem(path));
    let wanted = under(parent(path), &format!("{}.java", hit.group(1)));
    ground.suspect(
        Suspicion::new(
            if is_case { Probe::FileCase } else { Probe::Imports },
            format!("the public class {:?} stands in {path}, and must stand in {wanted}", hit.group(1)),
            format!("{path}:{}", hit.line()),
            format!("git mv {path} {wanted}"),
        )
        .strength(Strength::Certain)
        .naming([hit.group(1).to_owned()]),
    );
}

impl Sources<'_> {
    /// Whether an import is of a library that we know; one that nobody declares is suspected.
    fn library(&self, name: &str, place: &str) -> bool {
        let Some((_, word, artifact)) = LIBRARIES.iter().find(|(prefix, _, _)| name.starts_with(prefix))
        else {
            return false;
        };
        let is_own = self.packages.iter().any(|it| name.starts_with(&format!("{it}.")));
        if !self.builds.is_empty() && !self.builds.contains(word) && !self.inherits && !is_own {
            self.ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("{name} is imported, and no build file declares {artifact}"),
                    place.to_owned(),
                    format!("add {artifact} to the dependencies"),
                )
                .strength(Strength::Certain)
                .naming([name.to_owned(), name.rsplit_once('.').map_or(name, |it| it.0).to_owned()]),
            );
        }
        true
    }

    /// A class of one of the project's own packages must be there.
    fn own_class(&self, name: &str, is_static: bool, is_all: bool, place: &str) {
        // The class: the part up to the first name with a capital.
        let parts: Vec<&str> = name.split('.').collect();
        let is_class = |part: &&str| part.starts_with(|c: char| c.is_ascii_uppercase());
        let Some(at) = parts.iter().position(is_class) else { return };
        let (package, class) = (parts[..at].join("."), parts[..=at].join("."));
        let is_known = self.classes.contains(&class) || (is_all && !is_static && at + 1 == parts.len());
        if !self.packages.contains(&package) || is_known || self.has_other_languages {
            return;
        }
        let kinds = ["class ", "interface ", "enum ", "record "].map(|kind| format!("{kind}{}", parts[at]));
        let is_declared =
            self.files.iter().filter_map(|file| self.ground.tree.text(&file.path)).any(|text| {
                text.contains(&format!("package {package};"))
                    && kinds.iter().any(|kind| has_word(&text, kind))
            });
        if is_declared {
            return;
        }
        let lies = self.classes.iter().find(|it| it.rsplit('.').next() == Some(parts[at]));
        let fix = match lies {
            Some(lies) => format!("import {lies}"),
            None => format!("create {}, or correct the import", parts[at]),
        };
        self.ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the class {class} does not exist in the project's own package {package}"),
                place.to_owned(),
                fix,
            )
            .strength(Strength::Certain)
            .naming([parts[at].to_owned()]),
        );
    }
}
