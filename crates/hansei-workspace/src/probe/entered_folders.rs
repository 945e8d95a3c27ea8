//! Folders that scripts go into and compilers look into, with the values of variables and loops put in, and that do not exist.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::script_files::{Scripts, UNKNOWN};
use super::tree::{Presence, base};

static ENTERS: Pattern =
    Pattern::new(r#"(?:^|[;&|(]\s*|\bthen\s+|\bdo\s+)\s*(?:cd|pushd)\s+["']?([^\s"';|&)]+)"#);
static LOOKS: Pattern = Pattern::new(r#"(?:^|[\s="'])-(?:I|L|isystem )\s*([\w][\w./-]*)"#);
/// What makes folders, or asks whether they are there.
const MAKES: &[&str] = &[
    "mkdir", "install -d", "git clone", "[ -d", "test -d", "[ ! -d", "|| true", "|| exit 0", "tar ", "unzip",
    "submodule",
];

pub(super) fn probe(ground: &Ground<'_>) {
    for script in &ground.scripts().all {
        let lines = ground.scripts().said(&ground.tree, script);
        let whole: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        for (number, line) in lines.iter() {
            let enters =
                ENTERS.all(line).into_iter().map(|hit| (hit.group(1), Probe::WrongFolder, "goes into"));
            let looks = LOOKS.all(line).into_iter().map(|hit| (hit.group(1), Probe::Imports, "looks into"));
            for (named, probe, does) in enters.chain(looks) {
                let is_vague = named.contains(UNKNOWN)
                    || named.contains(['$', '*', '~', '`'])
                    || named.starts_with(['-', '.'])
                    || !named.contains('/');
                let folder = named.trim_end_matches('/');
                let is_made = || {
                    whole.iter().any(|line| {
                        MAKES.iter().any(|mark| line.contains(mark)) && line.contains(base(folder))
                    })
                };
                if is_vague || is_made() {
                    continue;
                }
                let places = Scripts::places(&ground.tree, script, folder);
                let is_absent = |place: &String| {
                    matches!(ground.tree.presence(place), Presence::Absent | Presence::OtherCase(_))
                };
                if places.is_empty()
                    || !places.iter().all(is_absent)
                    || places.iter().any(|place| ground.is_ignored(place))
                {
                    continue;
                }
                let other = ground.tree.folders().iter().find(|other| base(other) == base(folder));
                let seen = format!("{}:{number}", script.path);
                ground.suspect(
                    Suspicion::new(
                        probe,
                        format!("{} {does} the folder {folder:?}, which does not exist", script.path),
                        seen.clone(),
                        other.map_or_else(
                            || format!("correct the folder in {seen}"),
                            |other| format!("use {other} in {seen}"),
                        ),
                    )
                    .strength(Strength::Likely)
                    .naming([folder.to_owned(), base(folder).to_owned()]),
                );
            }
        }
    }
}
