//! `package.json` files: what each declares, where its packages lie, and JSON as tools of this world write it.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::tree::{Tree, base, parent, under, upwards};
use super::version::Version;

/// A `package.json`.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub(super) path: String,
    pub(super) text: Rc<str>,
    pub(super) manifest: Rc<Value>,
}

/// How a dependency is declared.
pub(super) const DECLARED: [&str; 4] =
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/// What brings its own way of finding modules, so that Node's rules do not hold.
pub(super) const BUNDLERS: &[&str] = &[
    "vite", "webpack", "rollup", "esbuild", "parcel", "next", "nuxt", "@babel/core", "babel-jest", "ts-node",
    "tsx", "typescript", "jest", "vitest", "react-scripts", "@sveltejs/kit", "svelte", "astro", "tsup",
    "snowpack", "@remix-run/dev", "gatsby", "expo", "react-native", "@angular/cli", "@swc/core", "esm",
    "bun-types", "metro", "browserify", "@rspack/core", "turbopack", "microbundle", "unbuild",
    "@vue/cli-service", "esm-loader",
];

impl Package {
    /// The folder of the package.
    pub(super) fn folder(&self) -> &str {
        parent(&self.path)
    }

    /// An object of the manifest.
    pub(super) fn object(&self, key: &str) -> Option<&Map<String, Value>> {
        self.manifest.get(key)?.as_object()
    }

    /// The range that is declared for a package, and where.
    pub(super) fn range(&self, name: &str) -> Option<(&'static str, &str)> {
        DECLARED.iter().find_map(|kind| Some((*kind, self.object(kind)?.get(name)?.as_str()?)))
    }

    /// A place in the manifest: its path and the line that holds `part`.
    pub(super) fn place(&self, part: &str) -> String {
        let line = self.text.lines().position(|line| line.contains(part)).map_or(1, |at| at + 1);
        format!("{}:{line}", self.path)
    }

    /// The scripts.
    pub(super) fn scripts(&self) -> impl Iterator<Item = (&str, &str)> {
        let scripts = self.object("scripts").into_iter().flatten();
        scripts.filter_map(|(name, line)| Some((name.as_str(), line.as_str()?)))
    }

    /// Whether something builds files into the package.
    pub(super) fn builds(&self) -> bool {
        self.scripts().any(|(name, line)| {
            ["build", "prepare", "prepack", "prepublishOnly", "compile", "postinstall", "generate"]
                .contains(&name)
                || name.starts_with("build:")
                || ["tsc", "rollup", "webpack", "tsup", "esbuild", "vite build", "babel "]
                    .iter()
                    .any(|tool| line.contains(tool))
        })
    }

    /// Whether one of these is declared.
    pub(super) fn declares_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.range(name).is_some())
    }
}

/// The manifest at a path.
pub(super) fn package(tree: &Tree, path: &str) -> Option<Package> {
    let text = tree.text(path)?;
    let manifest: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    manifest.is_object().then(|| Package { path: path.to_owned(), text, manifest: Rc::new(manifest) })
}

/// Every manifest of the project's own.
pub(super) fn packages(tree: &Tree) -> Vec<Package> {
    tree.named("package.json").filter_map(|file| package(tree, &file.path)).collect()
}

/// The manifests at and above a file, the nearest first.
pub(super) fn above(tree: &Tree, file: &str) -> Vec<Package> {
    upwards(parent(file)).filter_map(|folder| package(tree, &under(folder, "package.json"))).collect()
}

/// The folder in which an installed package lies, as Node looks for it: in every `node_modules` upwards, beyond the root too.
pub(super) fn installed(tree: &Tree, from: &str, name: &str) -> Option<std::path::PathBuf> {
    let begin = tree.root().join(from);
    begin.ancestors().map(|folder| folder.join("node_modules").join(name)).find(|folder| folder.is_dir())
}

/// The version of an installed package, from its manifest.
pub(super) fn installed_manifest(folder: &std::path::Path) -> Option<Value> {
    let file = folder.join("package.json");
    (file.metadata().ok()?.len() < 1 << 20).then_some(())?;
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// The version in a manifest.
pub(super) fn version_of(manifest: &Value) -> Option<Version> {
    Version::find(manifest.get("version")?.as_str()?)
}

/// The name of the package that a module belongs to: `a/b` is of `a`, `@s/a/b` of `@s/a`.
pub(super) fn package_name(module: &str) -> &str {
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
    &module[..end]
}

/// Whether packages lie in the folder or above it, the project's root being the last.
pub(super) fn has_modules(tree: &Tree, folder: &str) -> bool {
    upwards(folder).any(|folder| {
        let modules = under(folder, "node_modules");
        tree.has_folder(&modules) && tree.names_in(&modules, 50).iter().any(|name| !name.starts_with('.'))
    })
}

/// Whether Yarn's plug and play takes the place of `node_modules`.
pub(super) fn is_plugged(tree: &Tree, folder: &str) -> bool {
    upwards(folder).any(|folder| tree.has(&under(folder, ".pnp.cjs")) || tree.has(&under(folder, ".pnp.js")))
}

/// JSON with comments and trailing commas, as `tsconfig.json` has it.
pub(super) fn relaxed(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(&plain_json(text))
}

/// The text with comments and trailing commas blanked out.
pub(super) fn plain_json(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = rest.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(rest.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match (c, rest.peek()) {
            ('/', Some('/')) => {
                while rest.peek().is_some_and(|c| *c != '\n') {
                    rest.next();
                }
            }
            ('/', Some('*')) => {
                rest.next();
                let mut last = ' ';
                for c in rest.by_ref() {
                    if c == '\n' {
                        out.push(c);
                    }
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ('}' | ']', _) => {
                let kept = out.trim_end().strip_suffix(',').map(str::len);
                if let Some(kept) = kept {
                    out.replace_range(kept..=kept, " ");
                }
                out.push(c);
            }
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

/// Whether a path lies in a folder that builds fill.
pub(super) fn is_built(path: &str) -> bool {
    let folders = [
        "dist", "build", "out", "lib", "es", "esm", "cjs", "generated", ".next", "_build", "pkg", "umd",
        "types",
    ];
    path.split('/').any(|part| folders.contains(&part))
        || base(path).contains("generated")
        || base(path).contains(".gen.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_comments_is_read() {
        let text = "\u{feff}{ // a\n \"b\": [1, 2, /* c */], \"d\": \"//\", }";
        assert_eq!(relaxed(text).unwrap(), serde_json::json!({ "b": [1, 2], "d": "//" }));
        assert!(relaxed("{ \"a\": 1 \"b\": 2 }").is_err());
        for (module, name) in [("a/b/c", "a"), ("@s/a/b", "@s/a"), ("a", "a"), ("@s/a", "@s/a")] {
            assert_eq!(package_name(module), name);
        }
    }
}
