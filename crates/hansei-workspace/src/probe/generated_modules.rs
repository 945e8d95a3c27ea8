//! Modules that something of the project makes: who does, and whether that happens by itself.

use super::ground::Ground;
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{base, stem};

static TARGET: Pattern = Pattern::new(r"^([\w./-]+)\s*:([^=\n]*)$");
static SCRIPT: Pattern = Pattern::new(r#""([\w:.-]+)"\s*:\s*"([^"\n]*)""#);

/// What has to be run by hand to make the module; nothing where nobody makes it, or it is made by itself.
pub(super) fn made_by_hand(ground: &Ground<'_>, path: &str, importer: &str) -> Option<String> {
    let tree = &ground.tree;
    let name = stem(path);
    let writes = ["write", "\"w\"", "'w'", "-o ", "--out", "Create(", "dump"];
    let writes_it = |text: &str| {
        text.lines().any(|line| has_word(line, name) && writes.iter().any(|way| line.contains(way)))
    };
    let endings = [".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".go", ".rs", ".pl", ".rb"];
    let maker = tree
        .examined(&endings)
        .find(|file| file.path != importer && tree.text(&file.path).is_some_and(|text| writes_it(&text)));
    let words: Vec<&str> = maker.map(|file| base(&file.path)).into_iter().chain([base(path)]).collect();
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let is_make = matches!(base(&file.path), "Makefile" | "makefile" | "GNUmakefile" | "justfile");
        let is_package = base(&file.path) == "package.json";
        let Some(text) = tree.text(&file.path).filter(|_| is_make || is_package) else { continue };
        let told = if is_make { by_make(&text, &words) } else { by_package(&text, &words) };
        if let Some((how, by_itself)) = told {
            return (!by_itself).then_some(how);
        }
    }
    let maker = &maker?.path;
    let by_script = ground.shell_lines().iter().any(|line| {
        !line.is_failing && !line.place.starts_with(maker.as_str()) && has_word(&line.text, base(maker))
    });
    (!by_script).then(|| maker.clone())
}

/// The target whose recipe speaks of one of the words, and whether another target asks for it.
fn by_make(text: &str, words: &[&str]) -> Option<(String, bool)> {
    let speaks = |line: &str| words.iter().any(|word| line.contains(word));
    let at = text.lines().position(|line| !line.starts_with('#') && speaks(line))?;
    let rules = TARGET.all(text);
    let own = rules.iter().rev().find(|hit| hit.line() <= at + 1)?;
    let target = own.group(1);
    // What stands in the first rule, or before others, is made on the way.
    let first = rules.iter().find(|hit| !hit.group(1).starts_with('.'))?.group(1) == target;
    let asked = rules.iter().any(|hit| has_word(hit.group(2), target) && !hit.group(1).starts_with('.'));
    let runs_more = text.lines().skip(own.line()).take_while(|line| line.starts_with('\t')).count() > 1;
    Some((format!("make {target}"), first || asked || runs_more))
}

fn by_package(text: &str, words: &[&str]) -> Option<(String, bool)> {
    let scripts = SCRIPT.all(text);
    let own = scripts.iter().find(|hit| words.iter().any(|word| hit.group(2).contains(word)))?;
    let name = own.group(1);
    let by_npm = name.starts_with("pre")
        || name.starts_with("post")
        || matches!(name, "prepare" | "build" | "test" | "start" | "install" | "dev");
    let asked = scripts.iter().any(|hit| hit.group(1) != name && has_word(hit.group(2), name));
    Some((format!("npm run {name}"), by_npm || asked))
}
