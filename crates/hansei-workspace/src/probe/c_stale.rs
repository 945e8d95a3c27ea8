//! What a C or C++ build made and will not make again: libraries that another Makefile builds, and objects whose headers changed.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::pattern::Pattern;
use super::script_files::{Script, Scripts};
use super::stale_build::is_older;
use super::tree::{File, base, join, parent, stem, under};

static INCLUDE: Pattern = Pattern::new(r#"^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)""#);
static LINKED: Pattern = Pattern::new(r"(?:^|\s)-l([\w+.-]+)");
static MEMBER: Pattern = Pattern::new(r"([\w.+-]{1,15})/\s+\d+\s+\d+\s+\d+\s+\d+\s+\d+\s*`");

const SOURCES: &[&str] = &[".c", ".cc", ".cpp", ".cxx"];
/// The largest archive that is looked into.
const LARGEST: u64 = 8 << 20;

pub(super) fn probe(ground: &Ground<'_>) {
    let built: Vec<&File> = ground
        .tree
        .files()
        .iter()
        .filter(|file| file.path.starts_with(ground.tree.scope()))
        .filter(|file| [".a", ".o", ".so"].iter().any(|it| file.path.ends_with(it)))
        .take(2_000)
        .collect();
    if built.is_empty() {
        return;
    }
    for file in &built {
        if file.path.ends_with(".o") {
            object(ground, file);
        } else {
            library(ground, file);
        }
    }
}

/// Every word that a Makefile's rules say about what is needed, and what its recipes link.
fn words(ground: &Ground<'_>, script: &Script) -> (BTreeSet<String>, BTreeSet<String>, BTreeSet<String>) {
    let scripts = ground.scripts();
    let read = |text: &str| scripts.readings(&ground.tree, script, text).join(" ");
    let (mut targets, mut needs, mut linked) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let places = |word: &str| Scripts::places(&ground.tree, script, word);
    for rule in &script.rules {
        targets.extend(read(&rule.targets).split_whitespace().flat_map(places));
        needs.extend(read(&rule.needs).split_whitespace().flat_map(places));
        for (_, line) in &rule.recipe {
            let line = scripts.recipe(&ground.tree, script, rule, line).join(" ");
            linked.extend(LINKED.all(&line).iter().map(|hit| hit.group(1).to_owned()));
            needs.extend(
                line.split_whitespace()
                    .filter(|it| it.ends_with(".a") || it.ends_with(".so"))
                    .flat_map(places),
            );
        }
    }
    if !script.is_make {
        for (_, line) in &script.lines {
            let line = read(line);
            linked.extend(LINKED.all(&line).iter().map(|hit| hit.group(1).to_owned()));
            needs.extend(
                line.split_whitespace()
                    .filter(|it| it.ends_with(".a") || it.ends_with(".so"))
                    .flat_map(places),
            );
        }
    }
    (targets, needs, linked)
}

/// A library that one build links and another one makes.
fn library(ground: &Ground<'_>, file: &File) {
    let name = stem(&file.path).strip_prefix("lib").unwrap_or(stem(&file.path));
    let mut user = None;
    for script in &ground.scripts().all {
        let (targets, needs, linked) = words(ground, script);
        if !needs.contains(&file.path) && !linked.contains(name) {
            continue;
        }
        // Whoever makes it knows when it is old; so does whoever calls another make.
        let calls = script.lines.iter().any(|(_, line)| {
            line.contains("$(MAKE)") || line.contains("${MAKE}") || line.contains("make -C")
        });
        if targets.contains(&file.path) || calls {
            continue;
        }
        user.get_or_insert_with(|| script.path.clone());
    }
    let Some(user) = user else { return };
    let newer = sources_of(ground, file).into_iter().find(|source| is_older(ground, file, source));
    if let Some(source) = newer {
        ground.suspect(
            Suspicion::new(
                Probe::StaleBuild,
                format!(
                    "{} is older than {}, and {user} links it without building it",
                    file.path, source.path
                ),
                format!("it was written {} seconds before its source", source.modified - file.modified),
                rebuild(ground, file),
            )
            .naming([
                file.path.clone(),
                base(&file.path).to_owned(),
                "undefined reference".to_owned(),
            ]),
        );
    }
}

/// The Makefile that has a rule for the file.
fn maker<'a>(ground: &'a Ground<'_>, file: &File) -> Option<&'a Script> {
    ground.scripts().all.iter().filter(|it| it.is_make).find(|it| words(ground, it).0.contains(&file.path))
}

fn rebuild(ground: &Ground<'_>, file: &File) -> String {
    match maker(ground, file) {
        Some(script) if parent(&script.path).is_empty() => format!("make {}", file.path),
        Some(script) => format!("make -C {}", parent(&script.path)),
        None => format!("rm {}, and build again", file.path),
    }
}

/// What a library is made from: what its rule needs, else the sources of its members.
fn sources_of<'a>(ground: &'a Ground<'_>, file: &File) -> Vec<&'a File> {
    let tree = &ground.tree;
    let mut all = Vec::new();
    if let Some(script) = maker(ground, file) {
        let (_, needs, _) = words(ground, script);
        let is_source = |path: &str| SOURCES.iter().chain(&[".h", ".hpp"]).any(|it| path.ends_with(it));
        all.extend(needs.iter().filter(|it| is_source(it)).filter_map(|it| tree.file(it)));
    }
    let bytes =
        tree.bytes(&file.path, LARGEST).filter(|bytes| bytes.starts_with(b"!<arch>")).unwrap_or_default();
    let text: String =
        bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { ' ' }).collect();
    let near = parent(parent(&file.path));
    for hit in MEMBER.all(&text) {
        let member = stem(hit.group(1)).to_owned();
        all.extend(
            tree.examined(SOURCES)
                .filter(|it| stem(&it.path) == member && (near.is_empty() || it.path.starts_with(near))),
        );
    }
    all
}

/// An object that make takes for new: its header is newer, and no rule says so.
fn object(ground: &Ground<'_>, file: &File) {
    let tree = &ground.tree;
    let mut same = tree.examined(SOURCES).filter(|it| stem(&it.path) == stem(&file.path));
    let Some(source) = same.next().filter(|_| same.next().is_none()) else { return };
    let makers: Vec<&Script> = ground.scripts().all.iter().filter(|it| it.is_make).collect();
    let text = makers.iter().filter_map(|it| tree.text(&it.path)).fold(String::new(), |all, it| all + &it);
    let tracks = ["-MMD", "-MD", "-MM", "makedepend", "depend:", "cmake"].iter().any(|it| text.contains(it));
    if makers.is_empty()
        || tracks
        || is_older(ground, file, source)
        || tree.has(&file.path.replace(".o", ".d"))
    {
        return;
    }
    let newer = headers(ground, source).into_iter().find(|header| is_older(ground, file, header));
    if let Some(header) = newer.filter(|it| !text.contains(base(&it.path)) && !text.contains("*.h")) {
        ground.suspect(
            Suspicion::new(
                Probe::StaleBuild,
                format!(
                    "{} is older than {}, which {} includes, and no rule of make says so",
                    file.path, header.path, source.path
                ),
                format!(
                    "{} was written {} seconds before the header",
                    file.path,
                    header.modified - file.modified
                ),
                format!("rm {}, and make; or let the compiler write the rules (-MMD)", file.path),
            )
            .naming([
                file.path.clone(),
                base(&file.path).to_owned(),
                base(&header.path).to_owned(),
            ]),
        );
    }
}

/// The project's own headers that a source includes, also by way of others.
fn headers<'a>(ground: &'a Ground<'_>, source: &'a File) -> Vec<&'a File> {
    let tree = &ground.tree;
    let mut found: Vec<&File> = Vec::new();
    let mut open = vec![source];
    while let Some(next) = open.pop() {
        let Some(text) = tree.text(&next.path) else { continue };
        for hit in INCLUDE.all(&text) {
            let beside = join(parent(&next.path), hit.group(1)).and_then(|it| tree.file(&it));
            let ending = under("", hit.group(1));
            let header =
                beside.or_else(|| tree.files().iter().find(|it| it.path.ends_with(&format!("/{ending}"))));
            if let Some(header) =
                header.filter(|it| !found.iter().any(|known| known.path == it.path) && found.len() < 100)
            {
                found.push(header);
                open.push(header);
            }
        }
    }
    found
}
