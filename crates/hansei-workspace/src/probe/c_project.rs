//! C and C++: headers that are included, and sources, folders and files that `CMake` and make name.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, join, parent, under};

static INCLUDE: Pattern = Pattern::new(r#"^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)""#);
static CONDITION: Pattern = Pattern::new(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif|define)\b[ \t]*(\w*)");
static TARGET: Pattern =
    Pattern::new(r"(?:^|\n)[ \t]*(add_executable|add_library|target_sources)\s*\(([^)]*)\)");
static SUBFOLDER: Pattern = Pattern::new(r"(?:^|\n)[ \t]*(add_subdirectory|include)\s*\(\s*([^\s)$]+)");
static SYSTEM_HEADER: Pattern = Pattern::new(r"fatal error: ([\w./+-]+): No such file or directory");

const SOURCES: &[&str] = &[".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".hxx", ".m", ".mm"];

pub(super) fn probe(ground: &Ground<'_>) {
    if ground.tree.examined(SOURCES).next().is_none() && ground.tree.named("CMakeLists.txt").next().is_none()
    {
        return;
    }
    let builds = Builds::of(ground);
    for file in ground.tree.examined(SOURCES) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        includes(ground, &builds, &file.path, &text);
    }
    for file in ground.tree.named("CMakeLists.txt") {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        cmake(ground, &builds, &file.path, &text);
    }
    for name in ["Makefile", "makefile", "GNUmakefile"] {
        for file in ground.tree.named(name) {
            let Some(text) = ground.tree.text(&file.path) else { continue };
            make(ground, &file.path, &text);
        }
    }
    for hit in SYSTEM_HEADER.all(&ground.hint.error) {
        let header = hit.group(1);
        let inside = ground.tree.files().iter().any(|file| file.path.ends_with(header));
        if !inside {
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("the header {header:?} is nowhere in the project nor on the compiler's path"),
                    "the error says so".to_owned(),
                    format!("install the library that brings {header} (apt-file search {header})"),
                )
                .naming([header.to_owned()]),
            );
        }
    }
}

/// The texts that say how the project is built.
struct Builds {
    text: String,
    /// There is a way of building that we can read.
    is_plain: bool,
}

impl Builds {
    fn of(ground: &Ground<'_>) -> Self {
        let mut text = String::new();
        let mut is_plain = false;
        let mut odd = false;
        for file in ground.tree.files() {
            let name = base(&file.path);
            let plain = matches!(name, "CMakeLists.txt" | "Makefile" | "makefile" | "GNUmakefile")
                || name.ends_with(".mk");
            odd |= matches!(
                name,
                "meson.build"
                    | "configure.ac"
                    | "SConstruct"
                    | "BUILD"
                    | "BUILD.bazel"
                    | "binding.gyp"
                    | "build.rs"
                    | "setup.py"
                    | "wscript"
                    | "xmake.lua"
                    | "conanfile.py"
                    | "configure"
                    | "Kconfig"
            );
            if plain || name.ends_with(".cmake") || name.ends_with(".sh") {
                text.push_str(&ground.tree.text(&file.path).unwrap_or_default());
                text.push('\n');
                is_plain |= plain;
            }
        }
        Self { text, is_plain: is_plain && !odd }
    }
}

fn includes(ground: &Ground<'_>, builds: &Builds, path: &str, text: &str) {
    let code = code(text, Language::C);
    let conditions = CONDITION.all(&code);
    // The guard of a header is no condition.
    let guard = conditions.iter().zip(conditions.iter().skip(1)).next().is_some_and(|(one, two)| {
        one.group(1) == "ifndef" && two.group(1) == "define" && one.group(2) == two.group(2)
    });
    for hit in INCLUDE.all(&code) {
        let named = hit.group(1);
        let depth: i64 = conditions
            .iter()
            .take_while(|it| it.start() < hit.start())
            .map(|it| match it.group(1) {
                "endif" => -1,
                "define" => 0,
                _ => 1,
            })
            .sum();
        if depth > i64::from(guard) {
            continue;
        }
        let Some(beside) = join(parent(path), named) else { continue };
        if ground.tree.presence(&beside).may_be() {
            continue;
        }
        let place = format!("{path}:{}", hit.line());
        let ending = format!("/{named}");
        let found: Vec<&str> = ground
            .tree
            .files()
            .iter()
            .map(|file| file.path.as_str())
            .filter(|it| *it == named || it.ends_with(&ending))
            .collect();
        let relative = named.trim_start_matches("../");
        let is_made = builds.text.contains(base(named))
            || ["config.h", "version.h", "export.h"].iter().any(|it| base(named).ends_with(it))
            || [".pb.h", ".moc", "_autogen.h", ".grpc.pb.h"].iter().any(|it| named.ends_with(it))
            || named.starts_with("ui_")
            || ground.tree.files().iter().any(|file| base(&file.path) == format!("{}.in", base(named)));
        let lower = named.to_lowercase();
        let other_case = ground.tree.files().iter().map(|file| file.path.as_str()).find(|it| {
            let it = it.to_lowercase();
            it == lower || it.ends_with(&format!("/{lower}"))
        });
        if found.is_empty() {
            if let Some(real) = other_case.filter(|_| !is_made) {
                ground.suspect(
                    Suspicion::new(
                        Probe::FileCase,
                        format!("the include {named:?} differs from {real} only in case"),
                        place,
                        format!("write the include as the file is called, or rename {real}"),
                    )
                    .strength(Strength::Certain)
                    .naming([named.to_owned()]),
                );
                continue;
            }
            let system = ["/usr/include", "/usr/local/include"]
                .iter()
                .any(|root| std::path::Path::new(root).join(relative).exists());
            let outside = builds.text.contains("find_package")
                || builds.text.contains("FetchContent")
                || builds.text.contains("pkg_check")
                || builds.text.contains("pkg-config")
                || builds.text.contains("ExternalProject");
            if is_made || system || (outside && named.contains('/')) || !builds.is_plain {
                continue;
            }
            let same = ground
                .tree
                .files()
                .iter()
                .find(|file| base(&file.path) == base(named))
                .map(|file| file.path.clone());
            let fix = ground.restored(&beside).unwrap_or_else(|| {
                same.as_ref().map_or_else(
                    || format!("create {named}, or correct the include"),
                    |other| format!("include {other:?} as seen from {path}"),
                )
            });
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("the header {named:?} does not exist"),
                    format!("{place} includes it"),
                    fix,
                )
                .strength(Strength::Certain)
                .naming([named.to_owned(), base(named).to_owned()]),
            );
            continue;
        }
        reachable(ground, builds, named, &found, &place);
    }
}

/// A header that is there, where no include path leads.
fn reachable(ground: &Ground<'_>, builds: &Builds, named: &str, found: &[&str], place: &str) {
    let lines: Vec<&str> = builds
        .text
        .lines()
        .filter(|line| {
            line.contains("-I")
                || line.contains("include_directories")
                || line.contains("INCLUDE")
                || line.contains("CFLAGS")
                || line.contains("CPPFLAGS")
                || line.contains("target_sources")
        })
        .collect();
    let all_settings = builds.text.replace(['(', ')', '"', '\n', '\t'], " ");
    let led = found.iter().any(|it| {
        let folder = it.strip_suffix(named).unwrap_or_default().trim_end_matches('/');
        let last = base(folder);
        if folder.is_empty() || last.is_empty() {
            return lines
                .iter()
                .any(|line| line.contains("-I.") || line.contains("SOURCE_DIR") || line.contains(" ."))
                || all_settings.contains("CMAKE_INCLUDE_CURRENT_DIR")
                || all_settings.contains("target_include_directories")
                || all_settings.contains("include_directories");
        }
        all_settings.split([' ', '/', '=', ':']).any(|word| {
            word == last
                || word == format!("-I{last}")
                || word.trim_start_matches("-I").trim_start_matches("./") == last
        }) || all_settings.contains(&format!("/{last}"))
            || all_settings.contains("file GLOB")
            || all_settings.contains("$(wildcard")
            || (all_settings.contains("CMAKE_CURRENT_SOURCE_DIR")
                && ground.tree.has(&under(folder, "CMakeLists.txt")))
    });
    if led || !builds.is_plain {
        return;
    }
    let folder = found[0].strip_suffix(named).unwrap_or_default().trim_end_matches('/');
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("the header {named:?} lies in {folder}/, and no include path leads there"),
            format!("{place} includes it, {} is where it lies", found[0]),
            format!("target_include_directories(<target> PRIVATE {folder}), or CFLAGS += -I{folder}"),
        )
        .naming([named.to_owned(), base(named).to_owned()]),
    );
}

fn cmake(ground: &Ground<'_>, builds: &Builds, path: &str, text: &str) {
    let plain: String = code(text, Language::Hash);
    let folder = parent(path);
    let variables = ["${CMAKE_CURRENT_SOURCE_DIR}/", "${PROJECT_SOURCE_DIR}/", "${CMAKE_SOURCE_DIR}/"];
    for hit in TARGET.all(&plain).into_iter().filter(|hit| !is_conditional(&plain, hit.start())) {
        let begin = hit.line() + usize::from(hit.group(0).starts_with('\n'));
        for (at, line) in hit.group(2).lines().enumerate() {
            for word in line.split_whitespace().map(|word| word.trim_matches('"')) {
                let named =
                    variables.iter().fold(word.to_owned(), |word, variable| word.replace(variable, ""));
                if !SOURCES.iter().any(|ending| named.ends_with(ending))
                    || named.contains('$')
                    || named.starts_with('/')
                {
                    continue;
                }
                let Some(target) = join(folder, &named) else { continue };
                let made = builds.text.contains("add_custom_command")
                    && builds.text.matches(base(&named)).count() > 1
                    || builds.text.contains(&format!("configure_file({named}"))
                    || builds.text.contains(&format!("{named}.in"));
                absent(
                    ground,
                    &target,
                    &format!("{path} builds {named:?}"),
                    &format!("{path}:{}", begin + at),
                    made,
                );
            }
        }
    }
    for hit in SUBFOLDER.all(&plain).into_iter().filter(|hit| !is_conditional(&plain, hit.start())) {
        let named = hit.group(2).trim_matches('"');
        let begin = hit.line() + usize::from(hit.group(0).starts_with('\n'));
        let is_file = hit.group(1) == "include";
        if named.contains('$') || (is_file && !named.ends_with(".cmake")) {
            continue;
        }
        let Some(target) = join(folder, named) else { continue };
        let target = if is_file { target } else { under(&target, "CMakeLists.txt") };
        absent(ground, &target, &format!("{path} names {named:?}"), &format!("{path}:{begin}"), false);
    }
}

/// Whether a place of a `CMakeLists.txt` stands in an `if`.
fn is_conditional(text: &str, at: usize) -> bool {
    static IF: Pattern = Pattern::new(r"^[ \t]*(if|endif|function|endfunction|macro|endmacro)\s*\(");
    let depth: i64 =
        IF.all(&text[..at]).iter().map(|hit| if hit.group(1).starts_with("end") { -1 } else { 1 }).sum();
    depth > 0
}

fn absent(ground: &Ground<'_>, target: &str, what: &str, place: &str, is_made: bool) {
    match ground.tree.presence(target) {
        Presence::OtherCase(real) => ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{what}, which differs from {real} only in case"),
                place.to_owned(),
                format!("write {real}"),
            )
            .strength(Strength::Certain)
            .naming([target.to_owned(), base(target).to_owned()]),
        ),
        Presence::Absent if !is_made => {
            let same = ground
                .tree
                .files()
                .iter()
                .find(|file| base(&file.path) == base(target) && base(target) != "CMakeLists.txt")
                .map(|file| file.path.clone());
            let fix = ground.restored(target).unwrap_or_else(|| {
                same.map_or_else(
                    || {
                        format!(
                            "create {target}, or take it out of {}",
                            place.split(':').next().unwrap_or(place)
                        )
                    },
                    |other| format!("name {other} instead"),
                )
            });
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("{what}, and there is no {target}"),
                    place.to_owned(),
                    fix,
                )
                .strength(Strength::Certain)
                .naming([target.to_owned(), base(target).to_owned()]),
            );
        }
        _ => {}
    }
}

/// Sources that a Makefile names.
fn make(ground: &Ground<'_>, path: &str, text: &str) {
    let plain = code(text, Language::Hash).replace("\\\n", "  ");
    for (at, line) in plain.lines().enumerate() {
        if let Some(included) = line.strip_prefix("include ") {
            for named in
                included.split_whitespace().filter(|it| !it.contains(['$', '*']) && !it.starts_with('/'))
            {
                if let Some(target) = join(parent(path), named) {
                    let made = plain.lines().any(|line| line.starts_with(&format!("{named}:")))
                        || named.ends_with(".d");
                    absent(
                        ground,
                        &target,
                        &format!("{path} includes {named:?}"),
                        &format!("{path}:{}", at + 1),
                        made,
                    );
                }
            }
            continue;
        }
        let value = if line.starts_with('\t') || line.contains("$(shell") {
            continue;
        } else if let Some((_, value)) = line.split_once('=') {
            value
        } else if let Some((_, prerequisites)) = line.split_once(':') {
            prerequisites
        } else {
            continue;
        };
        for named in value.split_whitespace() {
            let is_source = [".c", ".cc", ".cpp", ".cxx", ".s"].iter().any(|ending| named.ends_with(ending))
                || (named.ends_with(".h") && line.contains(':') && !line.contains('='));
            if !is_source
                || named.contains(['$', '%', '*', '(', ':', '\'', '"'])
                || named.starts_with(['/', '-', '.'])
            {
                continue;
            }
            let Some(target) = join(parent(path), named) else { continue };
            let made = plain.lines().any(|line| {
                line.starts_with(&format!("{named}:"))
                    || (line.starts_with('%') && line.contains(':'))
                        && named.ends_with(".c")
                        && line.contains("%.c:")
            }) || plain.contains("VPATH")
                || plain.contains("vpath");
            let by_prefix = plain.contains("addprefix")
                || plain.contains("patsubst")
                    && !ground.tree.has(&target)
                    && ground.tree.files().iter().any(|file| base(&file.path) == base(named));
            absent(
                ground,
                &target,
                &format!("{path} builds {named:?}"),
                &format!("{path}:{}", at + 1),
                made || by_prefix,
            );
        }
    }
}
