//! Files whose rights a program looks at itself: keys that others may read, and hooks that must be executable.

use std::cell::OnceCell;

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::script_files::Scripts;
use super::source_text::{Language, code};
use super::tree::{File, base, is_test, parent, stem};

/// Looks at the rights of a file.
static LOOKS: Pattern = Pattern::new(
    r"\bst_mode\b|\bS_IMODE\b|\.mode\b\s*\)?\s*&|\bMode\(\)|\bpermissions\(\)|\bmode\(\)|getPosixFilePermissions|PosixFilePermission\b|\bstat\s+(?:-L\s+)?(?:-c|--format|-f)|-perm\b|\bfilemode\(",
);
/// Wants nobody else to have any, by name or by number.
static PRIVATE: Pattern = Pattern::new(
    r"\bS_IRWX[GO]\b|\bS_I[RWX](?:GRP|OTH)\b|(?:GROUP|OTHERS)_(?:READ|WRITE)|rw-------|r--------",
);
static NUMBER: Pattern =
    Pattern::new(r"(?:^|[^\w.])0?o?0?(?:[0-7]?77|[467]00)(?:[^\w]|$)|-perm\s+[-/+]?0?[0-7]+");
static ENDS: Pattern = Pattern::new(
    r"\braise\b|\bthrow\b|\bpanic|\bexit\b|\bErr\(|\bErrorf\(|errors\.New|[Ff]atal|\bdie\b|\babort|\bfail\w*|\brefus|\bsys\.exit|\breturn\s+(?:-1|NULL|false|1)\b|\bbail!|\bperror|\bstderr",
);
/// Takes some of the rights out, by a name.
static MASKED: Pattern = Pattern::new(r"(?:[mM]ode|Perm|permissions)\w*(?:\(\))?\)?\s*&\s*[\w(]");
static ERROR: Pattern = Pattern::new(r"\breturn\b[^\n;]*\b[eE]rr\w+");
static SECRET: Pattern = Pattern::new(
    r"key|secret|token|cred|passw|private|id_rsa|id_ed25519|netrc|vault|\.pem$|\.p12$|\.pfx$|\.jks$|\.pgpass",
);
static WANTS_RUN: Pattern = Pattern::new(
    r"\bX_OK\b|\bS_IX(?:USR|GRP|OTH)\b|\b0o?0?111\b|\bisExecutable\(|\bcanExecute\(|\b0o?0?100\b",
);
static IDENTITY: Pattern = Pattern::new(r#"\b(?:ssh|scp|sftp|rsync)\b[^\n]*?\s-i\s*["']?([^\s"']+)"#);

const CODE: &[&str] = &[
    ".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs", ".java", ".c", ".cpp", ".h", ".rb", ".php", ".kt",
    ".sh",
];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let mut files: Vec<&str> = tree.examined(CODE).map(|it| it.path.as_str()).chain(scripts).collect();
    files.sort_unstable();
    files.dedup();
    let keys: OnceCell<Vec<&File>> = OnceCell::new();
    let idle: OnceCell<Vec<&File>> = OnceCell::new();
    for path in files.into_iter().filter(|path| !is_test(path) && !tree.is_over()) {
        let Some(text) = tree.text(path).filter(|text| ENDS.is_in(text)) else { continue };
        if let Some(hit) = LOOKS.all(&text).into_iter().find(|hit| refuses(&text, hit.line())) {
            let keys = keys.get_or_init(|| candidates(ground));
            for key in keys.iter().take(20) {
                open_key(ground, key, &format!("{path}:{} looks at the mode of such files", hit.line()));
            }
        }
        let language =
            if path.ends_with(".py") || path.ends_with(".rb") { Language::Hash } else { Language::C };
        let plain = code(&text, language);
        if let Some(hit) = WANTS_RUN.first(&plain) {
            let place = format!("{path}:{} wants it executable", hit.line());
            hooks(ground, idle.get_or_init(|| idle_scripts(ground)), &plain, &place);
        }
    }
    identities(ground);
}

/// Whether a look at the rights, and what is near it, ends where others have any.
fn refuses(text: &str, line: usize) -> bool {
    let near: Vec<&str> = text.lines().skip(line.saturating_sub(4)).take(10).collect();
    let near = near.join("\n");
    let masks = PRIVATE.is_in(&near)
        || NUMBER.is_in(&near)
        || (MASKED.is_in(&near) && (PRIVATE.is_in(text) || NUMBER.is_in(text)));
    masks && (ENDS.is_in(&near) || ERROR.is_in(&near))
}

/// Files that look like secrets and that the project names.
fn candidates<'a>(ground: &'a Ground<'_>) -> Vec<&'a File> {
    let tree = &ground.tree;
    let secrets = tree.files().iter().filter(|file| file.mode & 0o077 != 0 && tree.is_examined(&file.path));
    let secrets = secrets.filter(move |file| {
        let name = base(&file.path);
        let folder = base(parent(&file.path)).to_lowercase();
        let is_code = CODE.iter().any(|it| name.ends_with(it));
        let aside =
            [".md", ".pub", ".crt", ".cer", ".csr", ".example", ".sample", ".lock", ".template", ".dist"];
        let is_secret = SECRET.is_in(&name.to_lowercase())
            || (SECRET.is_in(&folder)
                && !name.to_uppercase().starts_with("README")
                && !name.starts_with('.'));
        file.path.starts_with(tree.scope())
            && file.mode & 0o170_000 == 0o100_000
            && is_secret
            && !is_code
            && !is_test(&file.path)
            && !aside.iter().any(|it| name.ends_with(it))
    });
    secrets.take(24).filter(|file| is_named(ground, file)).collect()
}

/// Whether code or settings of the project name the file.
fn is_named(ground: &Ground<'_>, file: &File) -> bool {
    let tree = &ground.tree;
    let names = [base(&file.path), stem(&file.path)];
    tree.files()
        .iter()
        .filter(|other| other.path != file.path && other.size < 256 << 10 && tree.is_examined(&other.path))
        .filter(|other| !is_test(&other.path) && !other.path.ends_with(".md"))
        .filter_map(|other| tree.text(&other.path))
        .any(|text| names.iter().any(|name| name.len() > 2 && has_word(&text, name)))
}

fn open_key(ground: &Ground<'_>, key: &File, place: &str) {
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{} may be read or written by others than its owner, which is refused", key.path),
            format!("its mode is {:o}; {place}", key.mode & 0o777),
            format!("chmod 600 {}", key.path),
        )
        .naming([
            key.path.clone(),
            base(&key.path).to_owned(),
            "permissions".to_owned(),
            "PermissionError".to_owned(),
            "mode".to_owned(),
        ]),
    );
}

/// Scripts that are not executable.
fn idle_scripts<'a>(ground: &'a Ground<'_>) -> Vec<&'a File> {
    let tree = &ground.tree;
    let files =
        tree.files().iter().filter(|file| file.mode & 0o111 == 0 && file.mode & 0o170_000 == 0o100_000);
    let files = files.filter(|file| file.path.starts_with(tree.scope()) && file.size < 256 << 10);
    let may_be = |file: &&File| {
        let name = base(&file.path);
        !name.contains('.') || [".sh", ".bash", ".py", ".pl", ".rb"].iter().any(|it| name.ends_with(it))
    };
    let is_script = |text: std::rc::Rc<str>| text.starts_with("#!") && !text.starts_with("#![");
    files.filter(may_be).filter(|file| tree.text(&file.path).is_some_and(is_script)).take(200).collect()
}

/// Scripts that the code starts only where they are executable.
fn hooks(ground: &Ground<'_>, scripts: &[&File], text: &str, place: &str) {
    for file in scripts {
        let (name, folder) = (base(&file.path), base(parent(&file.path)));
        let quoted = |word: &str| text.contains(&format!("\"{word}")) || text.contains(&format!("'{word}"));
        let by_folder = !folder.is_empty() && quoted(folder) && is_hook_folder(folder);
        if !has_word(text, name) && !by_folder {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Permissions,
                format!("{} is not executable", file.path),
                format!("its mode is {:o}; {place}", file.mode & 0o777),
                format!("chmod +x {}", file.path),
            )
            .naming([file.path.clone(), name.to_owned(), "executable".to_owned()]),
        );
    }
}

fn is_hook_folder(name: &str) -> bool {
    ["hook", "plugin", "handler", "script", "task", "check", "step", "probe", ".d"]
        .iter()
        .any(|it| name.contains(it))
}

/// Keys that are given to ssh, which refuses those that others can read.
fn identities(ground: &Ground<'_>) {
    for script in &ground.scripts().all {
        for (number, line) in said(ground, script).iter() {
            if line.contains("chmod") {
                return;
            }
            let Some(hit) = IDENTITY.first(line) else { continue };
            for place in Scripts::places(&ground.tree, script, hit.group(1)) {
                if let Some(key) = ground.tree.file(&place).filter(|it| it.mode & 0o077 != 0) {
                    open_key(ground, key, &format!("{}:{number} gives it to ssh", script.path));
                }
            }
        }
    }
}
