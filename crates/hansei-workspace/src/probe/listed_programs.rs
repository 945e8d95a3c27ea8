//! Programs of the project that its settings or its code list by name, and of which one cannot be run while the others can.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::tree::{File, base, parent};
use super::variables::CODE;

const SETTINGS: &[&str] = &[".json", ".yaml", ".yml", ".toml", ".ini", ".conf", ".cfg"];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let texts = |endings: &'static [&'static str]| {
        tree.examined(endings)
            .filter(|file| file.size < 64 << 10)
            .filter_map(|file| Some((file.path.as_str(), tree.text(&file.path)?)))
    };
    let settings: Vec<_> = texts(SETTINGS).collect();
    let code: Vec<_> = texts(CODE).collect();
    let scripts: Vec<&File> = tree
        .files()
        .iter()
        .filter(|file| {
            tree.is_examined(&file.path) && file.size < 256 << 10 && begins_with_program(ground, file)
        })
        .collect();
    let folders: BTreeSet<&str> = scripts.iter().map(|file| parent(&file.path)).collect();
    for folder in folders {
        let here = || scripts.iter().copied().filter(|file| parent(&file.path) == folder);
        let of_settings = settings.iter().map(|(path, text)| (path, text, false));
        let of_code = code.iter().map(|(path, text)| (path, text, true));
        for (path, text, is_code) in of_settings.chain(of_code) {
            let names = |name: &str| {
                if is_code {
                    ['"', '\''].iter().any(|quote| text.contains(&format!("{quote}{name}{quote}")))
                } else {
                    has_word(text, name)
                }
            };
            let listed: Vec<&File> = here().filter(|file| names(base(&file.path))).collect();
            let can = listed.iter().find(|file| file.mode & 0o111 != 0);
            let Some(can) = can else { continue };
            for file in listed.iter().filter(|file| file.mode & 0o111 == 0) {
                tell(ground, file, path, can);
            }
        }
    }
}

fn begins_with_program(ground: &Ground<'_>, file: &File) -> bool {
    // Reading every file for two bytes would be a long walk: such files are called so, or have no ending.
    let name = base(&file.path);
    let may_be =
        !name.contains('.') || [".sh", ".py", ".pl", ".rb", ".js"].iter().any(|it| name.ends_with(it));
    may_be && ground.tree.text(&file.path).is_some_and(|text| text.starts_with("#!"))
}

fn tell(ground: &Ground<'_>, file: &File, settings: &str, other: &File) {
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{} is not executable, and {settings} lists it among programs that are", file.path),
            format!("its mode is {:o}; {} can be run", file.mode & 0o777, other.path),
            format!("chmod +x {}", file.path),
        )
        .naming([file.path.clone(), base(&file.path).to_owned(), "permission denied".to_owned()]),
    );
}
