//! Files of arguments that commands of Java are given as `@file`: sources and folders that they name, and that do not exist.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{Presence, base, join};

static GIVEN: Pattern = Pattern::new(r#"\b(?:javac|java|javadoc)\b[^\n;|&]*?\s"?@([\w./-]+)"?"#);
static TEMPORARY: Pattern = Pattern::new(r#"-Djava\.io\.tmpdir=["']?([\w./-]+)"#);

pub(super) fn probe(ground: &Ground<'_>) {
    for line in ground.shell_lines() {
        // Scripts often go to the top first.
        let folders = [line.folder.as_str(), "", ground.tree.scope().trim_end_matches('/')];
        for hit in GIVEN.all(&line.text) {
            let named = hit.group(1);
            let file =
                folders.iter().filter_map(|folder| join(folder, named)).find(|path| ground.tree.has(path));
            match file {
                Some(file) => in_file(ground, &file, &folders, &line.place),
                // What the script itself puts together is there when it is needed.
                None if line.before.contains(named) => {}
                None => absent(ground, named, &line.place, &format!("{} hands it to Java", line.place)),
            }
        }
        temporary(ground, &line.text, &folders, &line.place, &line.before);
    }
    // Files of options that scripts read in ways of their own.
    for file in ground.tree.files().iter().filter(|file| ground.tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let is_ours = name.contains("jvm") || name.contains("java");
        let is_list = [".options", ".config", "opts"].iter().any(|ending| name.ends_with(ending));
        if let Some(text) = ground.tree.text(&file.path).filter(|_| is_ours && is_list) {
            temporary(ground, &text, &["", ground.tree.scope().trim_end_matches('/')], &file.path, "");
        }
    }
}

fn in_file(ground: &Ground<'_>, file: &str, folders: &[&str], caller: &str) {
    let Some(text) = ground.tree.text(file) else { return };
    for (at, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", at + 1);
        let named = line.trim().trim_matches('"');
        if named.ends_with(".java") && !named.starts_with(['/', '#', '-']) {
            let lies = folders
                .iter()
                .filter_map(|folder| join(folder, named))
                .any(|path| ground.tree.presence(&path).may_be());
            if !lies {
                absent(
                    ground,
                    named,
                    &place,
                    &format!("{place} lists it, and {caller} compiles what is listed"),
                );
            }
        }
        temporary(ground, line, folders, &place, "");
        super::java_toolchain::compiled_for(ground, line, &place);
    }
}

fn absent(ground: &Ground<'_>, named: &str, place: &str, evidence: &str) {
    let other = ground.tree.files().iter().find(|file| base(&file.path) == base(named));
    let fix = other.map_or_else(
        || format!("create {named}, or correct {place}"),
        |other| format!("write {} in {place}: there it lies", other.path),
    );
    ground.suspect(
        Suspicion::new(Probe::Imports, format!("{named} does not exist"), evidence.to_owned(), fix)
            .strength(Strength::Certain)
            .naming([named.to_owned(), base(named).to_owned()]),
    );
}

/// A folder for temporary files that is not there.
fn temporary(ground: &Ground<'_>, text: &str, folders: &[&str], place: &str, before: &str) {
    for hit in TEMPORARY.all(text) {
        let named = hit.group(1);
        let is_absent = if named.starts_with('/') {
            std::fs::metadata(named).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        } else {
            let mut paths = folders.iter().filter_map(|folder| join(folder, named));
            paths.all(|path| ground.tree.presence(&path) == Presence::Absent)
        };
        if !is_absent || (before.contains("mkdir") && before.contains(named)) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("java.io.tmpdir is {named}, a folder that does not exist"),
                place.to_owned(),
                format!("mkdir -p {named}"),
            )
            .strength(Strength::Certain)
            .naming([named.to_owned(), "java.io.tmpdir".to_owned()]),
        );
    }
}
