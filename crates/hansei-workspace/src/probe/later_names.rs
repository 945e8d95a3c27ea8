//! Names of Python's and Node's own libraries that came later than what is at hand, or have gone since.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::version::Version;

/// What came with a minor version of Python 3.
static CAME: [(u64, Pattern); 5] = [
    (14, Pattern::new(r"^\s*(?:from|import)\s+(?:annotationlib|compression|string\.templatelib)\b")),
    (
        13,
        Pattern::new(
            r"\bfrom\s+(?:warnings\s+import\s+[^\n]*\bdeprecated|typing\s+import\s+[^\n]*\b(?:ReadOnly|TypeIs)|copy\s+import\s+[^\n]*\breplace|queue\s+import\s+[^\n]*\bShutDown)\b|\bcopy\.replace\(",
        ),
    ),
    (
        12,
        Pattern::new(
            r"\bfrom\s+(?:itertools\s+import\s+[^\n]*\bbatched|typing\s+import\s+[^\n]*\boverride|collections\.abc\s+import\s+[^\n]*\bBuffer)\b|\bitertools\.batched\(|^type\s+[A-Z]\w*(?:\[[^\]\n]*\])?\s*=|^\s*(?:async\s+)?def\s+\w+\[\w|^class\s+\w+\[\w",
        ),
    ),
    (
        11,
        Pattern::new(
            r"\bfrom\s+(?:enum\s+import\s+[^\n]*\bStrEnum|typing\s+import\s+[^\n]*\b(?:Self|assert_never|LiteralString|Never)|datetime\s+import\s+[^\n]*\bUTC)\b|\bdatetime\.UTC\b|\basyncio\.TaskGroup\(|^\s*except\*",
        ),
    ),
    (
        10,
        Pattern::new(
            r"^\s*match\s+[\w.()\[\], ]+:\s*$|\bitertools\.pairwise\(|\bfrom\s+itertools\s+import\s+[^\n]*\bpairwise\b",
        ),
    ),
];
/// What is gone since a minor version of Python 3.
static GONE: [(u64, Pattern); 4] = [
    (
        10,
        Pattern::new(
            r"\bcollections\.(?:Mapping|MutableMapping|Iterable|Callable|Sequence|Hashable|OrderedMapping)\b|\bfrom\s+collections\s+import\s+[^\n]*\b(?:Mapping|MutableMapping|Iterable|Callable|Sequence)\b|\bfractions\.gcd\(",
        ),
    ),
    (
        11,
        Pattern::new(
            r"\binspect\.(?:getargspec|formatargspec)\(|@asyncio\.coroutine\b|\bbinascii\.(?:b2a|a2b)_hqx\b",
        ),
    ),
    (
        12,
        Pattern::new(
            r"\bself\.(?:assertEquals|assertRegexpMatches|assertNotEquals|failUnless)\(|\bpkgutil\.ImpImporter\b|\bssl\.wrap_socket\(|\bconfigparser\.SafeConfigParser\b|\basyncore\.|\blocale\.format\(",
        ),
    ),
    (13, Pattern::new(r"\bunittest\.makeSuite\(|\blocale\.resetlocale\(|\bre\.template\(")),
];
/// What came with a major or minor version of Node.
static CAME_NODE: [(u64, u64, Pattern); 6] = [
    (24, 0, Pattern::new(r"\bRegExp\.escape\(|\bnew URLPattern\(|\bError\.isError\(")),
    (22, 5, Pattern::new(r#"['"]node:sqlite['"]"#)),
    (
        22,
        0,
        Pattern::new(
            r"\bArray\.fromAsync\(|\bPromise\.withResolvers\(|\bfs(?:Promises|p)?\.glob(?:Sync)?\(|\bIterator\.from\(|\bimport\s*\{[^}]*\bglob(?:Sync)?\b[^}]*\}\s*from\s*['\x22](?:node:)?fs(?:/promises)?['\x22]|\.(?:isSubsetOf|symmetricDifference|isDisjointFrom)\(|\bnode\s+--run\b|--experimental-strip-types",
        ),
    ),
    (21, 0, Pattern::new(r"\b(?:Object|Map)\.groupBy\(")),
    (
        20,
        0,
        Pattern::new(r"\.(?:toSorted|toReversed|toSpliced)\(|\bimport\.meta\.dirname\b|\.toWellFormed\("),
    ),
    (18, 0, Pattern::new(r#"['"]node:test['"]|\.findLast(?:Index)?\("#)),
];

pub(super) fn probe(ground: &Ground<'_>) {
    python(ground);
    node(ground);
}

fn python(ground: &Ground<'_>) {
    if ground.tree.examined(&[".py"]).next().is_none() {
        return;
    }
    let world = ground.python();
    let Some(found) = super::toolchain::project_python(ground, world) else { return };
    let (true, has) = (found.numbers.first() == Some(&3), found.numbers.get(1).copied().unwrap_or(0)) else {
        return;
    };
    for file in ground.tree.examined(&[".py"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        // Who looks at the version, or tries, knows both.
        if text.contains("version_info") || ground.tree.is_over() {
            continue;
        }
        let code = code(&text, Language::Python);
        let rules = CAME.iter().map(|(minor, pattern)| (*minor > has, *minor, pattern, true));
        let gone = GONE.iter().map(|(minor, pattern)| (*minor <= has, *minor, pattern, false));
        for (_, minor, pattern, came) in rules.chain(gone).filter(|(is_wrong, ..)| *is_wrong) {
            let Some(hit) = pattern.first(&code) else { continue };
            let at = hit.line() - 1;
            let lines: Vec<&str> = code.lines().collect();
            let before = lines[at.saturating_sub(3)..at].join("\n");
            if before.contains("try:")
                || before.contains("hasattr")
                || before.contains("except")
                || before.contains("TYPE_CHECKING")
            {
                continue;
            }
            let shown: String = hit.group(0).trim().chars().take(60).collect();
            let (what, fix) = if came {
                (
                    format!("{shown:?} came with Python 3.{minor}, and this is Python {found}"),
                    format!("use Python 3.{minor} or newer"),
                )
            } else {
                (
                    format!("{shown:?} is gone since Python 3.{minor}, and this is Python {found}"),
                    format!("replace it, or use a Python before 3.{minor}"),
                )
            };
            told(ground, what, &format!("{}:{}", file.path, hit.line()), fix, &shown);
        }
    }
}

fn node(ground: &Ground<'_>) {
    let endings = [".js", ".mjs", ".cjs", ".ts", "package.json"];
    if ground.tree.examined(&endings[..3]).next().is_none() {
        return;
    }
    let Some(found) = ground.programs.version("node") else { return };
    let reaches =
        |major: u64, minor: u64| found.reaches(&Version { numbers: vec![major, minor], is_early: false });
    for file in ground.tree.examined(&endings) {
        let Some(text) = ground.tree.text(&file.path).filter(|_| !file.path.ends_with(".min.js")) else {
            continue;
        };
        if ground.tree.is_over() {
            return;
        }
        let code = code(&text, Language::C);
        for (major, minor, pattern) in CAME_NODE.iter().filter(|(major, minor, _)| !reaches(*major, *minor)) {
            let Some(hit) = pattern.first(&code) else { continue };
            let line = code.lines().nth(hit.line() - 1).unwrap_or_default();
            let name = hit.group(0).trim().trim_end_matches('(').to_owned();
            let around =
                code.lines().skip(hit.line().saturating_sub(4)).take(5).collect::<Vec<_>>().join("\n");
            let is_tried = ["typeof", "try", "catch", "??", "?.", "||", "polyfill", " if (", "skip"]
                .iter()
                .any(|it| around.contains(it));
            let is_own = text.contains(&format!("{name} =")) || line.trim_start().starts_with('*');
            if is_tried || is_own {
                continue;
            }
            told(
                ground,
                format!("{name:?} came with Node {major}.{minor}, and this is Node {found}"),
                &format!("{}:{}", file.path, hit.line()),
                format!("nvm install {major} && nvm use {major}"),
                &name,
            );
        }
    }
}

fn told(ground: &Ground<'_>, what: String, place: &str, fix: String, name: &str) {
    let last = name.rsplit([' ', '.', ':']).next().unwrap_or(name).trim_matches(['\'', '"', '(']).to_owned();
    ground.suspect(
        Suspicion::new(Probe::Toolchain, what, format!("{place} uses it"), fix)
            .strength(Strength::Likely)
            .naming([name.to_owned(), last]),
    );
}
