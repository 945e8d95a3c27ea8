//! Classes that Java finds by name, and that are not there: providers of services (`META-INF/services`), the main class of a jar.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{base, parent};

/// The main class, in a manifest and in the files of builds.
static MAIN: Pattern = Pattern::new(
    r#"(?:^Main-Class:\s*|<mainClass>\s*|\bmainClass(?:Name)?\s*(?:=|\.set\()\s*["'])([\w$]+(?:\.[\w$]+)+)"#,
);
const SOURCES: &[&str] = &[".java", ".kt", ".scala", ".groovy"];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let services = tree.files().iter().filter(|file| {
        parent(&file.path).ends_with("META-INF/services") && tree.is_own(&file.path) && file.size < 64 << 10
    });
    for service in services {
        let Some(text) = tree.text(&service.path) else { continue };
        for (at, line) in text.lines().enumerate() {
            let class = line.split('#').next().unwrap_or_default().trim();
            if is_missing(ground, class) {
                tell(ground, &service.path, at + 1, class);
            }
        }
    }
    let manifests = tree.files().iter().filter(|file| {
        let name = base(&file.path).to_lowercase();
        let is_one = name.ends_with(".mf") || name == "pom.xml" || name.starts_with("build.gradle");
        is_one && tree.is_own(&file.path) && file.size < 256 << 10
    });
    for manifest in manifests {
        let Some(text) = tree.text(&manifest.path) else { continue };
        for hit in MAIN.all(&text).into_iter().filter(|hit| is_missing(ground, hit.group(1))) {
            tell(ground, &manifest.path, hit.line(), hit.group(1));
        }
    }
}

/// Whether a class belongs to a package of the project's own sources, and none of them declares it.
fn is_missing(ground: &Ground<'_>, class: &str) -> bool {
    let tree = &ground.tree;
    let Some((package, name)) = class.rsplit_once('.') else { return false };
    let name = name.split('$').next().unwrap_or(name);
    let folder = format!("/{}", package.replace('.', "/"));
    let in_package =
        tree.examined(SOURCES).filter(|file| format!("/{}", parent(&file.path)).ends_with(&folder));
    let texts: Vec<_> = in_package.filter_map(|file| tree.text(&file.path)).collect();
    !texts.is_empty() && !texts.iter().any(|text| has_word(text, name))
}

fn tell(ground: &Ground<'_>, service: &str, line: usize, class: &str) {
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{service} names the class {class}, which no source declares"),
            format!("{service}:{line}"),
            format!("write the class as it is called now in {service}:{line}"),
        )
        .strength(Strength::Certain)
        .naming([class.to_owned(), base(service).to_owned()]),
    );
}
