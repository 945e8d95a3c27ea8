//! Scripts of a folder that another script starts one after another: each has to be executable.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{base, parent};

static LOOP: Pattern =
    Pattern::new(r#"\bfor\s+(\w+)\s+in\s+[^;\n]*?([\w.-]+)["']?/["']?\*(\.\w+)?["']?\s*(?:;|$)"#);
static PARTS: Pattern = Pattern::new(r#"\brun-parts\s+[^\n]*?([\w.-]+)/?["']?\s*$"#);

pub(super) fn probe(ground: &Ground<'_>) {
    for script in &ground.scripts().all {
        let Some(text) = ground.tree.text(&script.path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for hit in LOOP.all(&text) {
            let variable = hit.group(1);
            let starts = [format!("\"${variable}\""), format!("\"${{{variable}}}\""), format!("${variable}")];
            let body = lines.iter().skip(hit.line()).take(10).take_while(|line| line.trim() != "done");
            let is_started = body.map(|line| line.trim_start()).any(|line| {
                starts.iter().any(|start| {
                    line.strip_prefix(start.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ';', '|', '>']))
                })
            });
            if is_started {
                idle(ground, hit.group(2), hit.group(3), &format!("{}:{}", script.path, hit.line()));
            }
        }
        for hit in PARTS.all(&text) {
            idle(ground, hit.group(1), "", &format!("{}:{}", script.path, hit.line()));
        }
    }
}

/// Scripts in a folder of that name that are not executable.
fn idle(ground: &Ground<'_>, folder: &str, ending: &str, place: &str) {
    let tree = &ground.tree;
    let of_it =
        tree.files().iter().filter(|file| base(parent(&file.path)) == folder && file.path.ends_with(ending));
    for file in of_it.filter(|file| file.mode & 0o111 == 0) {
        if tree.text(&file.path).is_some_and(|text| text.starts_with("#!")) {
            ground.suspect(
                Suspicion::new(
                    Probe::Permissions,
                    format!("{} is not executable, and is started", file.path),
                    format!("{place} starts every file of {folder}/; its mode is {:04o}", file.mode & 0o7777),
                    format!("chmod +x {}", file.path),
                )
                .strength(Strength::Certain)
                .naming([file.path.clone(), base(&file.path).to_owned()]),
            );
        }
    }
}
