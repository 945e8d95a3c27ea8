//! Files that are opened by a literal path, in languages whose expressions are not taken apart: Ruby, PHP, Kotlin, C++.

use super::ground::Ground;
use super::made_files::Made;
use super::opened_files::{DATA, Opened, is_plain, judge};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{join, parent, upwards};

/// Calls that read the file of a literal path; the path is the first group that took part.
static READS: [Pattern; 4] = [
    Pattern::new(
        r#"\b(?:File\.read|File\.open|YAML\.load_file|YAML\.safe_load_file|JSON\.load_file|IO\.read|CSV\.read|file_get_contents|parse_ini_file|simplexml_load_file)\s*\(?\s*['"]([^'"\n]+)['"]\s*\)?"#,
    ),
    Pattern::new(r#"\bifstream\s+\w+\s*[({]\s*"([^"\n]+)"\s*[)}]"#),
    Pattern::new(
        r#"\bFile\s*\(\s*"([^"\n]+)"\s*\)\s*\.(?:readText|readLines|inputStream|reader|bufferedReader)"#,
    ),
    Pattern::new(
        r#"\b(?:config|cfg|parser|cp|conf)\w*\.read\s*\(\s*\[?['"]([^'"\n]+\.(?:ini|cfg|conf))['"]"#,
    ),
];
const READ_BY: [&[&str]; 4] = [&["rb", "php"], &["cpp", "cc", "cxx"], &["kt"], &["py"]];
/// A path seen from the file itself.
static FROM_FILE: Pattern = Pattern::new(r#"(?:__DIR__|__dir__)\s*[.,]\s*['"]([^'"\n]+)['"]"#);

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[".rb", ".php", ".cpp", ".cc", ".cxx", ".kt", ".py"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        let ending = file.path.rsplit('.').next().unwrap_or_default();
        let language = match ending {
            "rb" => Language::Hash,
            "py" => Language::Python,
            _ => Language::C,
        };
        let code = code(&text, language);
        let here = parent(&file.path);
        let mut all = Vec::new();
        for (pattern, _) in READS.iter().zip(READ_BY).filter(|(_, who)| who.contains(&ending)) {
            for hit in pattern.all(&code) {
                let named = hit.first_from(1).to_owned();
                let roots = [ground.tree.scope().trim_end_matches('/')].into_iter().chain(upwards(here));
                let candidates = roots.filter_map(|root| join(root, &named)).collect();
                all.push((named, candidates, hit.line()));
            }
        }
        for hit in FROM_FILE.all(&code).iter().filter(|_| matches!(ending, "rb" | "php")) {
            let named = hit.group(1).trim_start_matches('/').to_owned();
            let candidates = join(here, &named).into_iter().collect();
            all.push((named, candidates, hit.line()));
        }
        for (named, candidates, line) in all {
            let opened = Opened { named, candidates, file: &file.path, line, helper: None };
            let is_data = is_plain(&opened.named) && DATA.iter().any(|ending| opened.named.ends_with(ending));
            if is_data && !is_guarded(line, &code) {
                judge(ground, &opened, &Made::default(), &|| false);
            }
        }
    }
}

/// Whether the absence does no harm: it is asked about first, caught, or the line writes.
fn is_guarded(line: usize, code: &str) -> bool {
    let lines: Vec<&str> = code.lines().collect();
    let at = line - 1;
    let line = lines.get(at).copied().unwrap_or_default();
    let around = lines[at.saturating_sub(6)..(at + 3).min(lines.len())].join("\n");
    let asks = [
        "exist", "isfile", "is_file", "isFile", "ENOENT", "NotFound", "rescue", "catch", "except", "raise",
        "chdir",
    ];
    let writes = ["write", "'w'", "\"w\"", "'a'", "\"a\"", "'wb'", "\"wb\"", "unlink", "touch", "save"];
    asks.iter().any(|it| around.contains(it)) || writes.iter().any(|it| line.contains(it))
}
