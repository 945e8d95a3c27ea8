//! C and C++: libraries and headers of the system that a build asks for and this machine does not have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::base;

static LINKED: Pattern = Pattern::new(r"(?:^|\s)-l([A-Za-z][\w+.-]*)");
static SEARCHED: Pattern = Pattern::new(r"(?:^|\s)-L\s*(\S+)");
static ASKED: Pattern = Pattern::new(r"\bpkg-config\s+(?:--\S+\s+)*([A-Za-z][\w+.-]*)");
static INCLUDE: Pattern = Pattern::new(r"^[ \t]*#[ \t]*include[ \t]*<([\w./+-]+\.(?:h|hpp|hh))>");
static CONDITION: Pattern = Pattern::new(r"^[ \t]*#[ \t]*(?:if|ifdef|elif|else)\b");
static COMPILES: Pattern = Pattern::new(r"(?:^|[\s;&|(@/])(?:cc|gcc|g\+\+|clang|clang\+\+|c99|ld)\s");

pub(super) fn probe(ground: &Ground<'_>) {
    let sources = [".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"];
    if ground.tree.examined(&sources).next().is_none() || ground.is_published {
        return;
    }
    let folders = folders();
    if folders.is_empty() {
        return;
    }
    let mut is_plain = false;
    for script in &ground.scripts().all {
        let lines = said(ground, script);
        let text = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
        is_plain |=
            text.contains("$(CC)") || text.contains('\u{1}') && script.is_make || COMPILES.is_in(&text);
        for (number, line) in lines.iter() {
            let place = format!("{}:{number}", script.path);
            let optional = ["||", "ifdef", "if ", "wildcard", "exists"].iter().any(|it| line.contains(it));
            if optional {
                continue;
            }
            let is_linking = COMPILES.is_in(line)
                || line.contains('\u{1}')
                || line.contains("LIBS")
                || line.contains("LDFLAGS");
            if is_linking {
                libraries(ground, &folders, line, &text, &place);
            }
            descriptions(ground, &folders, line, &place);
        }
    }
    if is_plain {
        headers(ground, &sources);
    }
}

/// The folders of libraries.
fn folders() -> Vec<PathBuf> {
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut all: Vec<PathBuf> =
        ["/usr/lib", "/lib", "/usr/local/lib", "/usr/lib64", "/lib64"].iter().map(PathBuf::from).collect();
    all.extend(["/usr/lib", "/lib", "/usr/local/lib"].iter().map(|it| Path::new(it).join(&triple)));
    let compilers =
        std::fs::read_dir(Path::new("/usr/lib/gcc").join(&triple)).into_iter().flatten().flatten();
    all.extend(compilers.map(|entry| entry.path()));
    all.retain(|it| it.is_dir());
    all
}

fn libraries(ground: &Ground<'_>, folders: &[PathBuf], line: &str, text: &str, place: &str) {
    for hit in LINKED.all(line) {
        let name = hit.group(1);
        let files = [format!("lib{name}.so"), format!("lib{name}.a")];
        let is_system = folders.iter().any(|folder| files.iter().any(|file| folder.join(file).exists()));
        let is_own = ground.tree.files().iter().any(|it| files.iter().any(|file| base(&it.path) == file))
            || files.iter().any(|file| text.contains(file.as_str()))
            || text.contains(&format!("lib{name}"));
        let elsewhere = SEARCHED
            .all(text)
            .iter()
            .any(|hit| hit.group(1).starts_with('/') || hit.group(1).contains('\u{1}'));
        let is_builtin = matches!(
            name,
            "c" | "m" | "pthread" | "dl" | "rt" | "util" | "gcc" | "gcc_s" | "stdc++" | "atomic" | "ws2_32"
        );
        if is_system || is_own || elsewhere || is_builtin {
            continue;
        }
        absent(
            ground,
            &format!("links the library {name} (-l{name})"),
            place,
            &format!("apt-get install lib{name}-dev, or what your system calls it"),
            &[name, &format!("-l{name}")],
        );
    }
}

fn descriptions(ground: &Ground<'_>, folders: &[PathBuf], line: &str, place: &str) {
    for hit in ASKED.all(line) {
        let file = format!("{}.pc", hit.group(1));
        let more = ground.variable("PKG_CONFIG_PATH").unwrap_or_default();
        let mut all = folders
            .iter()
            .map(|it| it.join("pkgconfig"))
            .chain([PathBuf::from("/usr/share/pkgconfig")])
            .chain(more.split(':').map(PathBuf::from));
        let is_own = ground.tree.files().iter().any(|it| base(&it.path) == file);
        if !is_own && !all.any(|folder| folder.join(&file).exists()) {
            absent(
                ground,
                &format!("asks pkg-config for {}", hit.group(1)),
                place,
                &format!("install the package that brings {file}"),
                &[hit.group(1), &file],
            );
        }
    }
}

fn absent(ground: &Ground<'_>, what: &str, place: &str, fix: &str, names: &[&str]) {
    let path = place.split(':').next().unwrap_or(place);
    ground.suspect(
        Suspicion::new(
            Probe::Dependencies,
            format!("{path} {what}, which this machine does not have"),
            place,
            fix,
        )
        .strength(Strength::Likely)
        .naming(names.iter().copied()),
    );
}

/// Headers in angle brackets that are nowhere.
fn headers(ground: &Ground<'_>, sources: &[&str]) {
    let tree = &ground.tree;
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut roots: Vec<PathBuf> =
        vec!["/usr/include".into(), format!("/usr/include/{triple}").into(), "/usr/local/include".into()];
    for parent in ["/usr/include/c++".to_owned(), format!("/usr/lib/gcc/{triple}")] {
        let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
        roots.extend(entries.flat_map(|entry| [entry.path(), entry.path().join("include")]));
    }
    if !roots[0].join("stdio.h").exists() {
        return;
    }
    let built: String = tree
        .files()
        .iter()
        .filter(|it| {
            matches!(base(&it.path), "Makefile" | "makefile" | "CMakeLists.txt") || it.path.ends_with(".mk")
        })
        .filter_map(|it| tree.text(&it.path))
        .fold(String::new(), |all, it| all + &it);
    if built.contains("pkg-config")
        || built.contains("find_package")
        || built.contains("-I/")
        || built.contains("--sysroot")
        || built.contains("CROSS")
    {
        return;
    }
    let own: BTreeSet<&str> = tree.files().iter().map(|it| base(&it.path)).collect();
    for file in tree.examined(sources) {
        let Some(text) = tree.text(&file.path).filter(|_| !tree.is_over()) else { continue };
        let other = [
            "windows", "win32", "android", "darwin", "macos", "bsd", "dragonfly", "solaris", "aix", "hpux",
            "ios",
        ];
        let name = base(&file.path).to_lowercase();
        if other.iter().any(|it| name.contains(it)) {
            continue;
        }
        let code = code(&text, Language::C);
        let conditions = CONDITION.all(&code).len();
        // The guard of a header is one; more than that depends on the system.
        if conditions > usize::from(file.path.ends_with(".h") || file.path.ends_with(".hpp")) {
            continue;
        }
        for hit in INCLUDE.all(&code) {
            let named = hit.group(1);
            let is_own = own.contains(base(named));
            if is_own || roots.iter().any(|root| root.join(named).exists()) {
                continue;
            }
            absent(
                ground,
                &format!("includes <{named}>"),
                &format!("{}:{}", file.path, hit.line()),
                &format!("install the library that brings {named} (apt-file search {named})"),
                &[named],
            );
        }
    }
}
