//! Path aliases: `paths` and `baseUrl` of the nearest `tsconfig.json`, and names that a bundler may give a meaning to.

use super::node_packages::relaxed;
use super::tree::{Tree, base, join, parent, under, upwards};

/// The aliases that hold for a file.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// Patterns with at most one `*`, and the paths that they stand for, seen from the root.
    paths: Vec<(String, Vec<String>)>,
    base_url: Option<String>,
    /// A configuration could not be followed, so that any name may be an alias.
    is_unclear: bool,
}

impl Aliases {
    /// The paths that a module may stand for.
    pub(super) fn targets(&self, module: &str) -> Option<Vec<String>> {
        for (pattern, targets) in &self.paths {
            let rest = match pattern.split_once('*') {
                Some((head, tail)) => module.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)),
                None => (pattern == module).then_some(""),
            };
            if let Some(rest) = rest.filter(|_| pattern != "*") {
                return Some(targets.iter().map(|target| target.replacen('*', rest, 1)).collect());
            }
        }
        None
    }

    /// Whether a bare name may mean a file after all.
    pub(super) fn may_be_alias(&self, name: &str, tree: &Tree) -> bool {
        let below = |folder: &String| {
            let path = under(folder, name);
            tree.has_folder(&path)
                || ["ts", "tsx", "js", "jsx"].iter().any(|ending| tree.has(&format!("{path}.{ending}")))
        };
        if self.is_unclear || self.base_url.as_ref().is_some_and(below) {
            return true;
        }
        // A bundler's own configuration that speaks of the name.
        let quoted = [
            format!("'{name}'"),
            format!("\"{name}\""),
            format!("'^{name}"),
            format!("\"^{name}"),
            format!(" {name}:"),
        ];
        tree.files()
            .iter()
            .filter(|file| base(&file.path).contains("config.") || base(&file.path).starts_with(".babelrc"))
            .filter_map(|file| tree.text(&file.path))
            .any(|text| text.contains("alias") && quoted.iter().any(|name| text.contains(name.as_str())))
    }
}

/// The aliases of the nearest configuration above a file.
pub(super) fn aliases(tree: &Tree, file: &str) -> Aliases {
    for folder in upwards(parent(file)) {
        for name in ["tsconfig.json", "jsconfig.json"] {
            let path = under(folder, name);
            if tree.has(&path) {
                return read(tree, &path, 0);
            }
        }
    }
    Aliases::default()
}

fn read(tree: &Tree, path: &str, depth: usize) -> Aliases {
    let unclear = || Aliases { is_unclear: true, ..Aliases::default() };
    let Some(text) = tree.text(path).filter(|_| depth < 5) else { return unclear() };
    let Ok(config) = relaxed(&text) else { return unclear() };
    let folder = parent(path);
    let mut found = match config.get("extends").and_then(|it| it.as_str()) {
        Some(extended) if extended.starts_with('.') => {
            let target = join(folder, extended).unwrap_or_default();
            let target = if tree.has(&target) { target } else { format!("{target}.json") };
            if tree.has(&target) { read(tree, &target, depth + 1) } else { Aliases::default() }
        }
        _ => Aliases::default(),
    };
    let options = config.get("compilerOptions");
    let base_url = options.and_then(|it| it.get("baseUrl")?.as_str());
    if let Some(base_url) = base_url {
        found.base_url = join(folder, base_url);
    }
    let from = base_url.and_then(|it| join(folder, it)).unwrap_or_else(|| folder.to_owned());
    if let Some(paths) = options.and_then(|it| it.get("paths")?.as_object()) {
        found.paths = paths
            .iter()
            .map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(|it| it.as_str());
                (pattern.clone(), targets.filter_map(|target| join(&from, target)).collect())
            })
            .collect();
        // The longest pattern is the closest.
        found.paths.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.len()));
    }
    found
}
