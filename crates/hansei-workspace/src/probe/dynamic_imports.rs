//! Imports that are put together: folders on `sys.path`, modules that are imported by a name in a list, computed `require`s.

use hansei_core::escalation::Probe;

use super::expressions::{Argument, Expr, chain};
use super::file_reads::{Reads, calls_of};
use super::ground::{Ground, Suspicion};
use super::path_calls::owner_of;
use super::path_text::Base;
use super::path_values::Place;
use super::python_source;
use super::tokens::Dialect;
use super::tree::{Presence, is_test, join, under, upwards};

/// What is imported by an expression and is not there.
pub(super) fn judge(ground: &Ground<'_>, reads: &Reads<'_>) {
    for (file, source) in reads.paths.sources.iter().enumerate() {
        if !ground.tree.is_examined(&source.path)
            || !matches!(source.dialect, Dialect::Python | Dialect::JavaScript)
        {
            continue;
        }
        for at in 0..source.tokens.len() {
            let name = source.tokens[at].name();
            let begins = match source.dialect {
                Dialect::Python => {
                    matches!(name, "sys" | "site" | "importlib" | "import_module" | "__import__")
                }
                _ => matches!(name, "require" | "import"),
            };
            if !begins || at > 0 && source.tokens[at - 1].is(".") {
                continue;
            }
            let whole = chain(&source.tokens, at, source.dialect);
            for (called, given) in calls_of(&whole) {
                let place = Place { file, at };
                let line = source.tokens[at].line;
                if source.dialect == Dialect::Python {
                    python(ground, reads, called, given, place, line);
                } else if called.last_name() == name {
                    javascript(ground, reads, given, place, line);
                }
            }
        }
    }
}

fn python(
    ground: &Ground<'_>,
    reads: &Reads<'_>,
    called: &Expr,
    given: &[Argument],
    place: Place,
    line: usize,
) {
    let source = &reads.paths.sources[place.file];
    let text = ground.tree.text(&source.path).unwrap_or_default();
    match (owner_of(called), called.last_name()) {
        ("path", "insert" | "append") | ("site", "addsitedir") => {
            let folder = given.last().map(|one| reads.paths.values(&one.value, place)).unwrap_or_default();
            let [value] = folder.as_slice() else { return };
            let (Base::Folder(base), Some(below)) = (&value.base, value.known()) else { return };
            let Some(path) = join(base, below.trim_start_matches('/')) else { return };
            let nearby = text
                .lines()
                .skip(line.saturating_sub(4))
                .take(4)
                .any(|line| line.contains("exists") || line.contains("isdir"));
            if ground.tree.presence(&path).may_be() || nearby || ground.is_ignored(&path) {
                return;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!(
                        "{} puts {path} on the path of modules, and there is no such folder",
                        source.path
                    ),
                    format!("{}:{line}", source.path),
                    format!("correct the folder in {}:{line}", source.path),
                )
                .naming([path.clone()]),
            );
        }
        ("importlib" | "", "import_module") | ("", "__import__") => {
            let Some(first) = given.first() else { return };
            for value in reads.paths.values(&first.value, place) {
                let Some(module) = value.known().filter(|_| value.base == Base::Free) else { continue };
                python_module(ground, &source.path, &text, &module, line);
            }
        }
        _ => {}
    }
}

fn python_module(ground: &Ground<'_>, file: &str, text: &str, module: &str, line: usize) {
    let tree = &ground.tree;
    let plain = module.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
    let (Some((package, _)), true) = (module.rsplit_once('.'), plain && !module.starts_with('.')) else {
        return;
    };
    let roots: Vec<String> =
        upwards(super::tree::parent(file)).flat_map(|root| [root.to_owned(), under(root, "src")]).collect();
    let caught =
        python_source::lines(text).iter().any(|one| one.number == line && one.around.lets_imports_fail())
            || text.contains("find_spec");
    let (path, folder) = (module.replace('.', "/"), package.replace('.', "/"));
    let has = |root: &String| {
        let path = under(root, &path);
        tree.has(&format!("{path}.py")) || tree.has_folder(&path)
    };
    let home = roots.iter().find(|root| tree.has_folder(&under(root, &folder)));
    let Some(home) = home.filter(|_| !roots.iter().any(has) && !caught && !is_test(file)) else { return };
    let wanted = format!("{}.py", under(home, &path));
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("the module {module:?} does not exist: there is no {wanted}"),
            format!("{file}:{line} imports it by its name"),
            ground.restored(&wanted).unwrap_or_else(|| {
                format!("create {wanted}, or correct the name that is imported in {file}")
            }),
        )
        .naming([module.to_owned()]),
    );
}

fn javascript(ground: &Ground<'_>, reads: &Reads<'_>, given: &[Argument], place: Place, line: usize) {
    let source = &reads.paths.sources[place.file];
    let tree = &ground.tree;
    let Some(first) = given.first() else { return };
    // What is written out is looked at with the other imports.
    if matches!(first.value, Expr::Literal(_)) {
        return;
    }
    let text = tree.text(&source.path).unwrap_or_default();
    let caught = text
        .lines()
        .skip(line.saturating_sub(4))
        .take(7)
        .any(|line| line.contains("try {") || line.contains("catch") || line.contains("exists"));
    for value in reads.paths.values(&first.value, place) {
        let Some(below) = value.known() else { continue };
        let path = match &value.base {
            Base::Folder(base) => join(base, below.trim_start_matches('/')),
            Base::Free if below.starts_with('.') => join(super::tree::parent(&source.path), &below),
            _ => None,
        };
        let Some(path) = path.filter(|path| !path.contains("node_modules") && !caught) else { continue };
        let endings = ["", ".js", ".json", ".cjs", ".mjs", ".ts", ".node", "/index.js", "/index.ts"];
        if endings.iter().any(|ending| tree.presence(&format!("{path}{ending}")).may_be())
            || ground.is_ignored(&path)
        {
            continue;
        }
        let other = endings.iter().find_map(|ending| match tree.presence(&format!("{path}{ending}")) {
            Presence::OtherCase(real) => Some(real),
            _ => None,
        });
        let (probe, cause) = match other {
            Some(real) => (
                Probe::FileCase,
                format!("{} requires {path}, which differs from {real} only in case", source.path),
            ),
            None => (Probe::Imports, format!("{} requires {path}, which does not exist", source.path)),
        };
        let place = format!("{}:{line}", source.path);
        ground.suspect(
            Suspicion::new(
                probe,
                cause,
                place,
                format!("create {path}.js, or correct the name in {}", source.path),
            )
            .naming([path.clone(), super::tree::base(&path).to_owned()]),
        );
    }
}
