//! The files of a project that something calls as programs: scripts, Makefiles, manifests, settings of tools, and code.

use std::collections::BTreeMap;

use hansei_core::check::commands;

use super::class_path::said;
use super::ground::Ground;
use super::node_packages::packages;
use super::pattern::Pattern;
use super::script_files::Scripts;
use super::source_text::{Language, code};
use super::tree::{base, join, parent, under, upwards};

/// Starts a process.
static STARTS: Pattern = Pattern::new(
    r"\bsubprocess\.\w+\(|\bos\.(?:system|exec\w+|spawn\w+|popen)\(|\bcreate_subprocess_\w+\(|\bexecFile(?:Sync)?\(|\bexecSync\(|\bspawn(?:Sync)?\(|\bexeca?\(|\bexec\.Command(?:Context)?\(|\bCommand::new\(|\bProcessBuilder\(|getRuntime\(\)\.exec\(|\bpopen\(|\bsystem\(|\bexecv\w*\(|\bexecl\w*\(|\bposix_spawn\w*\(",
);
/// Hands the file to a program of its own.
static HANDS_ON: Pattern = Pattern::new(
    r#"["'](?:/usr)?(?:/bin/)?(?:env|bash|sh|dash|zsh|python3?|node|ruby|perl|deno|bun|php)["' ]|sys\.executable|process\.execPath|\bfork\(|\bshell\s*=\s*True"#,
);
static LITERAL: Pattern =
    Pattern::new(r#"["'`]([\w./ -]*[\w-]+(?:\.(?:sh|bash|py|pl|rb|js|mjs|exe|bin))?)["'`]"#);

const CODE: &[&str] =
    &[".py", ".js", ".ts", ".go", ".rs", ".java", ".rb", ".php", ".mjs", ".cjs", ".c", ".cpp", ".kt"];

/// Every file that is called as a program, with where.
pub(super) fn called(ground: &Ground<'_>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    by_lines(ground, &mut found);
    by_scripts(ground, &mut found);
    by_npm(ground, &mut found);
    by_cargo(ground, &mut found);
    by_code(ground, &mut found);
    found
}

fn by_lines(ground: &Ground<'_>, found: &mut BTreeMap<String, String>) {
    let tree = &ground.tree;
    for line in ground.shell_lines() {
        // A script that makes its files executable first knows what it does.
        if line.text.contains("chmod") || line.before.contains("chmod") {
            continue;
        }
        let mut folder = line.folder.clone();
        for command in commands(&line.text) {
            let program = command.word(0);
            if let Some(changed) = command.folder.as_deref().and_then(|changed| join(&line.folder, changed)) {
                folder = changed;
            }
            if program.contains('/') && !program.starts_with(['/', '$', '~']) {
                let roots = [folder.as_str(), "", tree.scope()];
                let path = roots.iter().filter_map(|root| join(root, program)).find(|path| tree.has(path));
                if let Some(path) = path {
                    found.entry(path).or_insert_with(|| line.place.clone());
                }
            }
        }
    }
}

/// What scripts and Makefiles call by way of their variables.
fn by_scripts(ground: &Ground<'_>, found: &mut BTreeMap<String, String>) {
    for script in &ground.scripts().all {
        let lines = said(ground, script);
        if lines.iter().any(|(_, line)| line.contains("chmod")) {
            continue;
        }
        for (number, line) in lines.iter() {
            let line = line.trim_start_matches(['@', '-', '+', ' ', '\t']);
            for command in commands(line) {
                let program = command.word(0);
                if !program.contains('/') || program.contains('=') {
                    continue;
                }
                let places = Scripts::places(&ground.tree, script, program);
                if let Some(path) = places.into_iter().find(|it| ground.tree.has(it)) {
                    found.entry(path).or_insert_with(|| format!("{}:{number}", script.path));
                }
            }
        }
    }
}

/// What npm finds in `node_modules/.bin` for the scripts of a manifest.
fn by_npm(ground: &Ground<'_>, found: &mut BTreeMap<String, String>) {
    for package in packages(&ground.tree) {
        for (script, line) in package.scripts() {
            for command in commands(line) {
                let program = if command.program() == "npx" { command.word(1) } else { command.word(0) };
                if program.is_empty() || program.contains('/') {
                    continue;
                }
                let link =
                    upwards(package.folder()).map(|it| under(it, &format!("node_modules/.bin/{program}")));
                if let Some(path) = link.into_iter().find(|it| ground.tree.has(it)) {
                    let place = format!("{} (script {script})", package.place(&format!("\"{script}\":")));
                    found.entry(path).or_insert(place);
                }
            }
        }
    }
}

/// Programs that the settings of Cargo name by their path.
fn by_cargo(ground: &Ground<'_>, found: &mut BTreeMap<String, String>) {
    static NAMED: Pattern = Pattern::new(
        r#"^\s*(?:runner|linker|rustc-wrapper|rustc-workspace-wrapper|rustc)\s*=\s*\[?\s*["']([\w./-]+/[\w.-]+)"#,
    );
    for folder in upwards(ground.tree.scope()) {
        for name in [".cargo/config.toml", ".cargo/config"] {
            let path = under(folder, name);
            let Some(text) = ground.tree.text(&path) else { continue };
            for hit in NAMED.all(&text) {
                if let Some(target) = join(folder, hit.group(1)).filter(|it| ground.tree.has(it)) {
                    found.entry(target).or_insert_with(|| format!("{path}:{}", hit.line()));
                }
            }
        }
    }
}

/// What code starts as a process, by a path that it puts together.
fn by_code(ground: &Ground<'_>, found: &mut BTreeMap<String, String>) {
    let tree = &ground.tree;
    for file in tree.examined(CODE) {
        let Some(text) = tree.text(&file.path) else { continue };
        if text.contains("chmod")
            || text.contains("set_permissions")
            || text.contains("setExecutable")
            || !STARTS.is_in(&text)
        {
            continue;
        }
        let language = if file.path.ends_with(".py") || file.path.ends_with(".rb") {
            Language::Hash
        } else {
            Language::C
        };
        let code = code(&text, language);
        let starts: Vec<usize> = STARTS.all(&code).iter().map(super::pattern::Hit::line).collect();
        let hands_on = HANDS_ON.is_in(&code);
        for hit in LITERAL.all(&code) {
            let named = hit.group(1);
            let direct = named.contains('/');
            let roots = ["", tree.scope(), parent(&file.path)];
            let mut path =
                roots.iter().filter(|_| direct).filter_map(|root| join(root, named)).find(|it| tree.has(it));
            if path.is_none() && !named.contains('/') && named.contains('.') {
                // A name that is joined to its folder: one file of that name, and its folder is named as well.
                let mut same =
                    tree.files().iter().filter(|it| base(&it.path) == named && tree.is_examined(&it.path));
                path = same.next().filter(|_| same.next().is_none()).map(|it| it.path.clone());
                path = path.filter(|it| parent(it).is_empty() || code.contains(base(parent(it))));
            }
            let Some(path) = path else { continue };
            let is_plain = starts.contains(&hit.line()) && named.starts_with("./");
            let is_script =
                tree.text(&path).is_some_and(|text| text.starts_with("#!") && !text.starts_with("#!["));
            let is_source = CODE.iter().any(|it| path.ends_with(it)) && !direct;
            if is_plain || (is_script && !hands_on && !is_source) {
                found.entry(path).or_insert_with(|| format!("{}:{}", file.path, hit.line()));
            }
        }
    }
}
