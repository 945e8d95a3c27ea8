//! Locks and numbers of processes that a program left behind, and files that it writes and may not.

use std::path::Path;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{File, base, is_test, stem};

/// Refuses to go on where a file is there.
static EXCLUSIVE: Pattern = Pattern::new(
    r#"O_EXCL|create_new\(|CREATE_NEW|["']w?x\+?["']|flag:\s*['"]wx|noclobber|\.touch\(exist_ok\s*=\s*False|mkdir\s+["'$]|\bkill\s+-0|os\.kill\(|process\.kill\(|already running|is running|another instance|\blocked\b"#,
);
static ENDS: Pattern = Pattern::new(
    r"\braise\b|\bthrow\b|\bpanic|\bexit\b|\bErr\(|\bErrorf\(|errors\.New|[Ff]atal|\bdie\b|\babort|O_EXCL|create_new|CREATE_NEW|wx",
);
static WRITES: Pattern = Pattern::new(
    r#"open\([^)\n]*["'](?:[wa]b?\+?|r\+b?)["']|\.write_text\(|\.write_bytes\(|writeFile|appendFile|createWriteStream|os\.Create\(|O_WRONLY|O_RDWR|O_APPEND|os\.WriteFile\(|File::create\(|OpenOptions|FileWriter\(|Files\.write|FileOutputStream\(|sqlite3\.connect\(|fopen\([^)\n]*"[wa]"#,
);

const CODE: &[&str] =
    &[".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs", ".java", ".rb", ".php", ".c", ".sh", ".kt"];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| file.path.starts_with(tree.scope())) {
        let name = base(&file.path);
        let is_lock = [".lock", ".lck", ".pid"].iter().any(|it| name.ends_with(it))
            || matches!(name, "lock" | "LOCK" | "pid");
        // Locks of package managers are no locks of this kind.
        let is_list = name.starts_with(|c: char| c.is_ascii_uppercase())
            || [
                "yarn", "poetry", "composer", "uv", "pdm", "flake", "mix", "pubspec", "bun", "deno",
                "requirements", "package-lock", "pixi",
            ]
            .contains(&stem(name));
        if is_lock && !is_list && file.size < 256 {
            left(ground, file);
        }
        let is_data = [
            ".db", ".sqlite", ".sqlite3", ".log", ".csv", ".json", ".txt", ".dat", ".state", ".jsonl",
            ".toml", ".ini",
        ];
        if file.mode & 0o222 == 0
            && file.mode & 0o170_000 == 0o100_000
            && is_data.iter().any(|it| name.ends_with(it))
        {
            read_only(ground, file);
        }
    }
}

/// The file of the code that names this one and matches the pattern.
fn user(ground: &Ground<'_>, file: &File, pattern: &Pattern) -> Option<String> {
    let tree = &ground.tree;
    let name = base(&file.path);
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let mut all = tree.examined(CODE).map(|it| it.path.as_str()).chain(scripts);
    all.find_map(|path| {
        let text = tree.text(path).filter(|_| !is_test(path))?;
        let named = has_word(&text, name) || stem(name).len() > 3 && has_word(&text, stem(name));
        (named && pattern.is_in(&text)).then(|| path.to_owned())
    })
}

fn left(ground: &Ground<'_>, file: &File) {
    let Some(path) = user(ground, file, &EXCLUSIVE) else { return };
    let Some(text) = ground.tree.text(&path).filter(|text| ENDS.is_in(text)) else { return };
    let content = ground.tree.text(&file.path).unwrap_or_default();
    let number: String =
        content.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let lives = !number.is_empty() && Path::new("/proc").join(&number).exists();
    // Who looks whether the process lives takes a dead one's lock away.
    let looks =
        ["kill -0", "os.kill", "/proc/", "process.kill", "pid_exists"].iter().any(|it| text.contains(it));
    if lives || (looks && !number.is_empty()) || ground.is_tracked(&file.path) {
        return;
    }
    ground.suspect(
        Suspicion::new(
            Probe::StaleBuild,
            format!("{} was left behind, and {path} does not go on while it is there", file.path),
            if number.is_empty() {
                "nothing says that its owner still runs".to_owned()
            } else {
                format!("there is no process {number}")
            },
            format!("make sure that nothing runs, then rm {}", file.path),
        )
        .naming([
            file.path.clone(),
            base(&file.path).to_owned(),
            "lock".to_owned(),
            "already running".to_owned(),
        ]),
    );
}

fn read_only(ground: &Ground<'_>, file: &File) {
    let Some(path) = user(ground, file, &WRITES) else { return };
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{} may only be read, and {path} writes it", file.path),
            format!("its mode is {:o}", file.mode & 0o777),
            format!("chmod u+w {}", file.path),
        )
        .naming([
            file.path.clone(),
            base(&file.path).to_owned(),
            "Permission denied".to_owned(),
            "readonly database".to_owned(),
        ]),
    );
}
