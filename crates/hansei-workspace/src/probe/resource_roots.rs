//! Where the resources of Java programs lie.

use super::ground::Ground;
use super::tree::{base, is_test, join, parent, under};

/// Where a resource of the class path may lie; nothing where the class path is not known.
pub(super) fn resources(ground: &Ground<'_>, file: &str, named: &str) -> Option<Vec<String>> {
    let tree = &ground.tree;
    let mut roots: Vec<&str> = tree
        .folders()
        .iter()
        .map(String::as_str)
        .filter(|folder| {
            matches!(base(folder), "resources" | "resource" | "res") && tree.is_own(&under(folder, "x"))
        })
        .collect();
    roots.sort_by_key(|root| usize::from(is_test(&under(root, "x")) != is_test(file)));
    let package_root = source_root(ground, file);
    // Sources are on the class path where somebody puts them there.
    if let Some(root) = package_root {
        let is_root = |word: &str| word.trim_end_matches("/.").trim_end_matches('/') == root;
        let put = ground.shell_lines().iter().any(|line| {
            let mut words = line.text.split([' ', '"', '\'', '=']);
            let copied = ["cp ", "rsync ", "install "].iter().any(|word| line.text.starts_with(word))
                && words.clone().any(is_root);
            let on_path = words
                .any(|word| matches!(word, "-cp" | "-classpath" | "--class-path" | "CLASSPATH"))
                && words.next().is_some_and(|entries| entries.split(':').any(is_root));
            copied || on_path
        });
        let built = ["pom.xml", "build.gradle", "build.gradle.kts"]
            .iter()
            .any(|name| tree.named(name).next().is_some());
        if !built && (put || roots.is_empty()) {
            roots.push(root);
        }
    }
    // With no such folder at all it is not known what is put beside the classes.
    if roots.is_empty() || !roots.iter().any(|root| matches!(base(root), "resources" | "resource" | "res")) {
        return None;
    }
    let relative = named.trim_start_matches('/');
    let package = package_root.and_then(|root| parent(file).strip_prefix(root)).unwrap_or_default();
    // Who asks a class loader begins at the root, too, and that does not always show.
    let all = roots.iter().flat_map(|root| {
        let from_package =
            (!named.starts_with('/')).then(|| join(&under(root, package.trim_matches('/')), relative));
        from_package.flatten().into_iter().chain(join(root, relative))
    });
    Some(all.collect())
}

/// The folder that the packages of a Java file begin in.
fn source_root<'f>(ground: &Ground<'_>, file: &'f str) -> Option<&'f str> {
    let text = ground.tree.text(file)?;
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package "))?;
    let folders = package.trim_end_matches(';').trim().replace('.', "/");
    parent(file).strip_suffix(&folders).map(|root| root.trim_end_matches('/'))
}
