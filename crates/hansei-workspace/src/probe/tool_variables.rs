//! Variables and settings that name a tool, a toolchain or a folder of one, where that is not there.

use std::path::Path;

use hansei_core::escalation::Probe;

use super::class_path::said;
use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{base, under, upwards};

/// Variables that name a folder which must be there, the endings of files that it concerns, and what it is.
const FOLDERS: &[(&str, &[&str], &str)] = &[
    ("JAVA_HOME", &[".java", ".kt", ".gradle", "pom.xml"], "the JDK"),
    ("GOROOT", &[".go"], "Go"),
    ("GOTMPDIR", &[".go"], "Go's temporary files"),
    ("VIRTUAL_ENV", &[".py"], "the virtual environment"),
    ("PYTHONHOME", &[".py"], "Python's own modules"),
    ("NODE_PATH", &[".js", ".mjs", ".cjs"], "shared modules"),
    ("ANDROID_HOME", &[".gradle", ".kts"], "the Android SDK"),
    ("PKG_CONFIG_LIBDIR", &[".c", ".cpp"], "descriptions of libraries"),
];
/// Variables that name a program, and the endings of files that it concerns.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("CC", &[".c", ".cpp", ".rs", ".go"]),
    ("CXX", &[".cpp", ".cc", ".cxx"]),
    ("RUSTC", &[".rs"]),
    ("RUSTC_WRAPPER", &[".rs"]),
    ("CARGO_BUILD_RUSTC_WRAPPER", &[".rs"]),
    ("LD", &[".c", ".cpp"]),
    ("AR", &[".c", ".cpp"]),
];

static LINKER: Pattern =
    Pattern::new(r#"^\s*(linker|rustc-wrapper|rustc|runner)\s*=\s*\[?\s*["']([\w.+-]+)["' ]"#);
static TARGET: Pattern = Pattern::new(r#"^\s*target\s*=\s*["']([\w.-]+)["']"#);
static LD: Pattern = Pattern::new(r"-fuse-ld=([\w.-]+)");
/// A program whose name carries its version.
static VERSIONED: Pattern = Pattern::new(
    r"^(?:python\d+\.\d+|pypy\d[\d.]*|gcc-\d+|g\+\+-\d+|clang(?:\+\+)?-\d+|go\d+\.\d[\d.]*|node\d+|java\d+|javac\d+|ruby\d\.\d|php\d\.\d|lua\d\.\d|llvm-[a-z]+-\d+)$",
);
static FEATURE: Pattern = Pattern::new(r"^#!\[feature\(([\w, ]+)\)\]");
static STANDARD: Pattern = Pattern::new(r"-std=((?:c|gnu)(?:\+\+)?(?:\d\d|\dx))\b");

pub(super) fn probe(ground: &Ground<'_>) {
    folders(ground);
    programs(ground);
    cargo(ground);
    versioned(ground);
    nightly(ground);
    go_flags(ground);
    standards(ground);
}

fn concerns(ground: &Ground<'_>, endings: &[&str]) -> bool {
    ground.tree.files().iter().any(|file| {
        ground.tree.is_examined(&file.path) && endings.iter().any(|ending| file.path.ends_with(ending))
    })
}

fn missing(ground: &Ground<'_>, probe: Probe, what: String, place: String, fix: String, names: &[&str]) {
    ground.suspect(
        Suspicion::new(probe, what, place, fix).strength(Strength::Certain).naming(names.iter().copied()),
    );
}

fn folders(ground: &Ground<'_>) {
    for (name, endings, what) in FOLDERS {
        let Some(value) = ground.variable(name).filter(|_| concerns(ground, endings)) else { continue };
        let all: Vec<&str> = value.split(':').filter(|it| it.starts_with('/')).collect();
        if all.is_empty() || all.iter().any(|it| Path::new(it).is_dir()) {
            continue;
        }
        let strength = if *name == "NODE_PATH" || *name == "VIRTUAL_ENV" {
            Strength::Possible
        } else {
            Strength::Likely
        };
        ground.suspect(
            Suspicion::new(
                Probe::Toolchain,
                format!("the variable {name} leads to a folder that does not exist ({what})"),
                format!("{name} in the environment"),
                format!("unset {name}, or set it to a folder that is there"),
            )
            .strength(strength)
            .naming([(*name).to_owned(), (*value).to_owned()]),
        );
    }
}

fn programs(ground: &Ground<'_>) {
    for (name, endings) in PROGRAMS {
        let Some(value) = ground.variable(name).filter(|_| concerns(ground, endings)) else { continue };
        let program = value.split_whitespace().next().unwrap_or_default();
        let is_there = if program.contains('/') {
            Path::new(program).exists()
        } else {
            ground.programs.is_there(program)
        };
        if !is_there {
            missing(
                ground,
                Probe::Toolchain,
                format!("the variable {name} names a program that is not there"),
                format!("{name} in the environment"),
                format!("install that program, or unset {name}"),
                &[name, program],
            );
        }
    }
    let toolchain = ground.variable("RUSTUP_TOOLCHAIN").filter(|_| concerns(ground, &[".rs"]));
    let home = ground.variable("RUSTUP_HOME").map(str::to_owned);
    let home = home.or_else(|| ground.variable("HOME").map(|home| format!("{home}/.rustup")));
    if let (Some(wanted), Some(home)) = (toolchain, home) {
        let folder = Path::new(&home).join("toolchains");
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut names = names.filter_map(|entry| entry.file_name().into_string().ok()).peekable();
        let any = names.peek().is_some();
        if any
            && !names.any(|it| it == wanted || it.starts_with(&format!("{wanted}-")))
            && !wanted.starts_with('/')
        {
            missing(
                ground,
                Probe::Toolchain,
                "the variable RUSTUP_TOOLCHAIN asks for a toolchain that is not installed".to_owned(),
                "RUSTUP_TOOLCHAIN in the environment".to_owned(),
                "rustup toolchain install it, or unset RUSTUP_TOOLCHAIN".to_owned(),
                &["RUSTUP_TOOLCHAIN", wanted],
            );
        }
    }
}

/// Linkers, wrappers and targets in Cargo's settings.
fn cargo(ground: &Ground<'_>) {
    for folder in upwards(ground.tree.scope()) {
        for name in [".cargo/config.toml", ".cargo/config"] {
            let path = under(folder, name);
            let Some(text) = ground.tree.text(&path) else { continue };
            let absent = |program: &str, line: usize, what: &str| {
                missing(
                    ground,
                    Probe::Toolchain,
                    format!("{path} names the {what} {program:?}, which is not on PATH"),
                    format!("{path}:{line}"),
                    format!("install {program}, or take it out of {path}"),
                    &[program],
                );
            };
            let mut section = "";
            for (at, line) in text.lines().enumerate() {
                if line.starts_with('[') {
                    section = line;
                }
                // What is meant for another system does not matter here.
                let is_ours = !section.starts_with("[target.")
                    || section.contains(std::env::consts::ARCH) && section.contains(std::env::consts::OS)
                    || section.contains("cfg(");
                if line.trim_start().starts_with('#') || !is_ours {
                    continue;
                }
                if let Some(hit) = LINKER.first(line).filter(|hit| !ground.programs.is_there(hit.group(2))) {
                    absent(hit.group(2), at + 1, hit.group(1));
                }
                if let Some(hit) = LD.first(line) {
                    let names = [format!("ld.{}", hit.group(1)), hit.group(1).to_owned()];
                    if !names.iter().any(|it| ground.programs.is_there(it))
                        && !line.contains("linker-features")
                    {
                        absent(hit.group(1), at + 1, "linker");
                    }
                }
                if let Some(hit) =
                    TARGET.first(line).filter(|hit| section == "[build]" && !hit.group(1).ends_with(".json"))
                {
                    installed_target(ground, hit.group(1), &format!("{path}:{}", at + 1));
                }
            }
        }
    }
}

fn installed_target(ground: &Ground<'_>, target: &str, place: &str) {
    let home = ground.variable("RUSTUP_HOME").map(str::to_owned);
    let home = home.or_else(|| ground.variable("HOME").map(|home| format!("{home}/.rustup")));
    let Some(home) = home else { return };
    let toolchains: Vec<_> =
        std::fs::read_dir(Path::new(&home).join("toolchains")).into_iter().flatten().flatten().collect();
    let has = toolchains.iter().any(|it| it.path().join("lib/rustlib").join(target).is_dir());
    if !toolchains.is_empty() && !has {
        missing(
            ground,
            Probe::Toolchain,
            format!(
                "{} builds for {target}, which is not installed",
                place.split(':').next().unwrap_or(place)
            ),
            place.to_owned(),
            format!("rustup target add {target}"),
            &[target],
        );
    }
}

/// Programs of a certain version that scripts, Makefiles and first lines call.
fn versioned(ground: &Ground<'_>) {
    let absent = |program: &str, place: String| {
        if VERSIONED.is_in(program) && !super::toolchain::has_versioned(ground, program) {
            missing(
                ground,
                Probe::Toolchain,
                format!(
                    "{} calls {program}, and there is no {program} on PATH",
                    place.split(':').next().unwrap_or("a script")
                ),
                place,
                format!("install {program}, or call the version that is there"),
                &[program],
            );
        }
    };
    for script in &ground.scripts().all {
        // A script that installs or goes into a container brings its tools.
        if script.lines.iter().any(|(_, line)| line.contains("apt-get") || line.contains("docker")) {
            continue;
        }
        for (number, line) in said(ground, script).iter() {
            // What is looked for first is optional.
            let guarded = ["command -v", "which ", "type ", "hash ", "||", "if ", "wildcard", "for "]
                .iter()
                .any(|it| line.contains(it));
            // So is what stands before a bracket: a case of several.
            let is_case = line.find(')').is_some_and(|at| !line[..at].contains('('));
            if guarded || is_case {
                continue;
            }
            for command in hansei_core::check::commands(line.trim_start_matches(['@', '-', '+', ' ', '\t'])) {
                absent(command.word(0), format!("{}:{number}", script.path));
            }
        }
    }
    for package in super::node_packages::packages(&ground.tree) {
        for (script, line) in package.scripts().filter(|(_, line)| !line.contains("||")) {
            for command in hansei_core::check::commands(line) {
                absent(command.word(0), package.place(&format!("\"{script}\":")));
            }
        }
    }
    for file in ground.tree.examined(&[".py", ".rb", ".php", ".pl"]).filter(|file| file.mode & 0o111 != 0) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Some(first) = text.lines().next().and_then(|it| it.strip_prefix("#!")) else { continue };
        for word in first.split_whitespace() {
            absent(base(word), format!("{}:1", file.path));
        }
    }
}

/// Features of Rust that only a nightly compiler has.
fn nightly(ground: &Ground<'_>) {
    if ground.variable("RUSTC_BOOTSTRAP").is_some() || ground.is_published {
        return;
    }
    for file in ground.tree.examined(&["src/lib.rs", "src/main.rs", "build.rs"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let Some(hit) = FEATURE.first(&text) else { continue };
        let fixed = ["rust-toolchain.toml", "rust-toolchain"]
            .iter()
            .any(|name| upwards(super::tree::parent(&file.path)).any(|it| ground.tree.has(&under(it, name))));
        if let Some(found) = ground.programs.version("rustc").filter(|it| !it.is_early && !fixed) {
            missing(
                ground,
                Probe::Toolchain,
                format!(
                    "{} uses the feature {} of a nightly compiler, and rustc {found} is a stable one",
                    file.path,
                    hit.group(1)
                ),
                format!("{}:{}", file.path, hit.line()),
                "rustup override set nightly, or do without the feature".to_owned(),
                &[hit.group(1), "E0554"],
            );
        }
    }
}

/// What the variable GOFLAGS tells every call of go.
fn go_flags(ground: &Ground<'_>) {
    let Some(flags) = ground.variable("GOFLAGS").filter(|it| it.contains("-mod=vendor")) else { return };
    for file in ground.tree.named("go.mod") {
        let vendor = under(super::tree::parent(&file.path), "vendor");
        let requires = ground.tree.text(&file.path).is_some_and(|text| text.contains("require"));
        if requires && !ground.tree.has_folder(&vendor) {
            missing(
                ground,
                Probe::Dependencies,
                format!("the variable GOFLAGS asks for {vendor}, which does not exist"),
                format!("{} requires modules, GOFLAGS in the environment", file.path),
                "go mod vendor, or unset GOFLAGS".to_owned(),
                &["GOFLAGS", "vendor", flags],
            );
        }
    }
}

/// Standards of C and C++ that the compiler at hand does not know by that name.
fn standards(ground: &Ground<'_>) {
    for script in
        ground.scripts().all.iter().filter(|it| it.lines.iter().any(|(_, line)| line.contains("-std=")))
    {
        for (number, line) in &script.lines {
            for hit in STANDARD.all(line) {
                let named = hit.group(1).replace("gnu", "c");
                let since = match named.as_str() {
                    "c23" | "c++26" | "c++2c" => 14,
                    "c++23" => 11,
                    "c2x" => 9,
                    "c++20" | "c++2b" => 10,
                    _ => continue,
                };
                let Some(found) = ground.programs.version("gcc") else { continue };
                if found.numbers.first().is_some_and(|it| *it < since) {
                    missing(
                        ground,
                        Probe::Toolchain,
                        format!(
                            "{} asks for -std={}, which gcc knows from {since} on, and this is gcc {found}",
                            script.path,
                            hit.group(1)
                        ),
                        format!("{}:{number}", script.path),
                        format!("install gcc {since}, or ask for an older standard"),
                        &[hit.group(1), "unrecognized command-line option"],
                    );
                }
            }
        }
    }
}
