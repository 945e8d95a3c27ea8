//! Files that a shell script reads or calls, seen from its own folder: absent, or called otherwise.

use std::collections::BTreeMap;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, join, parent, under, upwards};

/// A variable that is the folder of the script, or one above: `here=$(cd "$(dirname "$0")/.." && pwd)`.
static HERE: Pattern = Pattern::new(
    r#"^[ \t]*(?:readonly[ \t]+|export[ \t]+|local[ \t]+|declare[ \t]+-r[ \t]+)?(\w+)=["']?\$\((?:cd[ \t]+(?:--[ \t]+|-P[ \t]+)?)?["']?(?:\$\()?dirname[ \t]+(?:--[ \t]+)?["']?\$(?:0|\{0\}|\{?BASH_SOURCE(?:\[0\])?\}?)["']?\)?(/[./]*)?["']?"#,
);
/// A folder below such a variable: `conf="$here/conf"`.
static BELOW: Pattern =
    Pattern::new(r#"^[ \t]*(?:readonly[ \t]+|export[ \t]+)?(\w+)=["']?\$\{?(\w+)\}?/([\w./-]+)["']?[ \t]*$"#);
/// What is read or run: the word behind the command.
static READ: Pattern = Pattern::new(
    r#"(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]*(?:exec[ \t]+)?(source|\.|cat|bash|sh|python3|python|node|perl|awk[ \t]+-f|sed[ \t]+-f|psql[ \t]+-f|head|tail|sort|wc|envsubst[ \t]*<|cp)[ \t]+(?:-[\w]+[ \t]+)*["']?\$(?:\{(\w+)\}|(\w+))/([\w./-]+)"#,
);
/// What is read seen from the working folder.
static RELATIVE: Pattern = Pattern::new(
    r#"(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]*(?:source|\.|cat|bash|sh|python3|python|node)[ \t]+["']?([\w-][\w.-]*/[\w./-]+)"#,
);
static GIVEN: Pattern = Pattern::new(r#"[^<]<[ \t]*["']?\$()(?:\{(\w+)\}|(\w+))/([\w./-]+)"#);
static RUN: Pattern = Pattern::new(
    r#"(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]*(?:exec[ \t]+)?()["']?\$(?:\{(\w+)\}|(\w+))/([\w./-]+)["']?(?:[ \t]|$)"#,
);

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path) && file.size < 128 << 10) {
        let name = base(&file.path);
        let by_name = name.ends_with(".sh") || name.ends_with(".bash");
        if !by_name && name.contains('.') {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        let is_shell = text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("sh"));
        if by_name || is_shell {
            script(ground, &file.path, &code(&text, Language::Hash));
        }
    }
}

/// A script that looks from the working folder, and is started in one that does not hold what it reads.
fn from_elsewhere(ground: &Ground<'_>, path: &str, text: &str) {
    let scope = ground.tree.scope().trim_end_matches('/');
    for hit in RELATIVE.all(text) {
        let named = hit.group(1);
        let goes = text[..hit.start()].lines().any(|line| line.contains("cd ") || line.contains("pushd "));
        let is_at =
            |folder: &str| join(folder, named).is_none_or(|target| ground.tree.presence(&target).may_be());
        let number = text[..hit.end()].matches('\n').count() + 1;
        let line = text.lines().nth(number - 1).unwrap_or_default();
        if goes || is_at(scope) || is_asked(text, line, named, number) {
            continue;
        }
        let mut folders = upwards(parent(scope)).filter(|_| !scope.is_empty());
        let above = folders.find(|root| join(root, named).is_some_and(|target| ground.tree.has(&target)));
        let Some(above) = above else {
            // A script in the folder that is examined is started here, and nowhere it finds this.
            let sources = ["source ", ". "].iter().any(|way| hit.group(0).trim_start().starts_with(way));
            let is_here = parent(path) == scope && sources;
            if let Some(target) = join(scope, named).filter(|_| is_here && !is_at(parent(path))) {
                judge(ground, path, number, &target, named, text);
            }
            continue;
        };
        let folder = if above.is_empty() { "the top folder" } else { above };
        ground.suspect(
            Suspicion::new(
                Probe::WrongFolder,
                format!("{path} reads {named:?} from the working folder; started in {scope} it is not there, it lies in {folder}"),
                format!("{path}:{number}"),
                format!("start it in {folder}, or begin the script with cd \"$(dirname \"$0\")/...\""),
            )
            .naming([named.to_owned(), base(named).to_owned()]),
        );
    }
}

fn script(ground: &Ground<'_>, path: &str, text: &str) {
    from_elsewhere(ground, path, text);
    let mut folders: BTreeMap<&str, String> = BTreeMap::new();
    for hit in HERE.all(text) {
        if let Some(folder) = join(parent(path), hit.group(2).trim_start_matches('/')) {
            folders.insert(hit.group(1), folder);
        }
    }
    for hit in BELOW.all(text) {
        if let Some(folder) = folders.get(hit.group(2)).and_then(|folder| join(folder, hit.group(3))) {
            folders.insert(hit.group(1), folder);
        }
    }
    if folders.is_empty() {
        return;
    }
    for pattern in [&READ, &GIVEN, &RUN] {
        for hit in pattern.all(text) {
            let variable = if hit.group(2).is_empty() { hit.group(3) } else { hit.group(2) };
            let Some(folder) = folders.get(variable) else { continue };
            let named = hit.group(4).trim_end_matches(['.', '/']);
            let Some(target) = join(folder, named) else { continue };
            // The pattern is anchored before the command: the line is where the word stands.
            let number = text[..hit.end()].matches('\n').count() + usize::from(!hit.group(0).ends_with('\n'));
            let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
            if !is_asked(text, line, named, number) {
                judge(ground, path, number, &target, named, text);
            }
        }
    }
}

/// Whether the script asks for the file first, or gets along without it.
fn is_asked(text: &str, line: &str, named: &str, number: usize) -> bool {
    let before: Vec<&str> = text.lines().take(number.saturating_sub(1)).collect();
    let near = &before[before.len().saturating_sub(4)..];
    let asks = |line: &str| {
        ["[ -", "[[ -", "test -", "if "].iter().any(|way| line.contains(way)) && line.contains(base(named))
    };
    line.contains("||")
        || line.contains("2>/dev/null")
        || asks(line)
        || near.iter().any(|line| asks(line) && !line.contains("exit"))
}

fn judge(ground: &Ground<'_>, path: &str, number: usize, target: &str, named: &str, text: &str) {
    let presence = ground.tree.presence(target);
    if presence.may_be() || named.contains("node_modules") || named.contains("venv") {
        return;
    }
    let place = format!("{path}:{number}");
    if let Presence::OtherCase(real) = presence {
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{path} names {target}, which differs from {real} only in case"),
                place,
                format!("write {real} as it is called"),
            )
            .strength(Strength::Certain)
            .naming([target.to_owned(), base(target).to_owned()]),
        );
        return;
    }
    // What a script writes, builds or fetches comes later.
    let name = base(target);
    let makes = |line: &str| {
        let last = line.split_whitespace().next_back().unwrap_or_default();
        let redirected = line.rsplit_once('>').is_some_and(|(_, behind)| behind.contains(name));
        let copied =
            ["cp ", "mv ", "ln ", "install "].iter().any(|way| line.contains(way)) && last.contains(name);
        let other = ["-o ", "touch", "mkdir", "curl", "wget", "tee ", "make", "tar "];
        line.contains(name) && (redirected || copied || other.iter().any(|way| line.contains(way)))
    };
    let made = text.lines().any(makes)
        || ground.shell_lines().iter().any(|line| !line.place.starts_with(path) && makes(&line.text))
        || ground.is_ignored(target)
        || parent(target)
            .split('/')
            .any(|part| matches!(part, "build" | "dist" | "target" | "out" | "bin" | "var" | "tmp"))
            && !ground.tree.has_folder(parent(target));
    if made {
        return;
    }
    let lies = ground.tree.files().iter().find(|file| base(&file.path) == name).map(|file| file.path.clone());
    let fix = ground.restored(target).unwrap_or_else(|| match &lies {
        Some(lies) => format!("name {lies} in {place}, or move it to {target}"),
        None => format!("create {target}, or correct {place}"),
    });
    ground.suspect(
        Suspicion::new(Probe::Imports, format!("{path} names {target}, which does not exist"), place, fix)
            .naming([target.to_owned(), name.to_owned(), under("", named)]),
    );
}
