//! The project's own instructions to agents, from the root of the work tree. No link is followed and not much is read.

use std::path::Path;

use hansei_agents::Adapter;
use hansei_core::evidence::Instructions;
use hansei_record::folder::Folder;

const FILES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONTRIBUTING.md"];
const LARGEST: u64 = 128 * 1024;

/// What the files say that are there.
pub(crate) fn read(root: &Path) -> Vec<Instructions> {
    let Ok(folder) = Folder::existing(root) else { return Vec::new() };
    let read = |file: &&str| {
        let text = String::from_utf8_lossy(&folder.read(file, LARGEST).ok()?).into_owned();
        Some(Instructions { file: (*file).to_owned(), text })
    };
    FILES.iter().filter_map(read).collect()
}

/// Those that the agent reads by itself: the first of its own that is there, and what that takes in by a line `@FILE`.
pub(crate) fn read_by<'i>(adapter: &Adapter, all: &'i [Instructions]) -> Vec<&'i Instructions> {
    let Some(own) = adapter.instructions.iter().find_map(|file| all.iter().find(|one| one.file == *file))
    else {
        return Vec::new();
    };
    let names = |line: &str, file: &str| {
        line.trim().strip_prefix('@').is_some_and(|path| path.strip_prefix("./").unwrap_or(path) == file)
    };
    let taken_in =
        |one: &&Instructions| one.file != own.file && own.text.lines().any(|line| names(line, &one.file));
    std::iter::once(own).chain(all.iter().filter(taken_in)).collect()
}

#[cfg(test)]
mod tests {
    use hansei_agents::adapter_named;

    use super::*;

    #[test]
    fn each_agent_reads_its_own() {
        let all = |files: &[(&str, &str)]| -> Vec<Instructions> {
            let one =
                |(file, text): &(&str, &str)| Instructions { file: (*file).into(), text: (*text).into() };
            files.iter().map(one).collect()
        };
        let every =
            all(&[("AGENTS.md", "a"), ("CLAUDE.md", "c"), ("GEMINI.md", "g"), ("CONTRIBUTING.md", "x")]);
        let imports =
            all(&[("AGENTS.md", "a"), ("CLAUDE.md", "# Rules\n@AGENTS.md\n"), ("CONTRIBUTING.md", "x")]);
        let mentions = all(&[("AGENTS.md", "a"), ("CLAUDE.md", "See AGENTS.md.")]);
        let (general, none) = (all(&[("AGENTS.md", "a")]), all(&[("CONTRIBUTING.md", "x")]));
        for (agent, there, read) in [
            ("claude-code", &every, vec!["CLAUDE.md"]),
            ("claude-code", &imports, vec!["CLAUDE.md", "AGENTS.md"]),
            ("claude-code", &mentions, vec!["CLAUDE.md"]),
            ("claude-code", &general, vec!["AGENTS.md"]),
            ("codex", &every, vec!["AGENTS.md"]),
            ("gemini", &every, vec!["GEMINI.md"]),
            ("opencode", &every, vec!["AGENTS.md"]),
            ("kilo", &none, vec![]),
        ] {
            let adapter = adapter_named(agent).unwrap();
            let names: Vec<&str> = read_by(adapter, there).iter().map(|one| one.file.as_str()).collect();
            assert_eq!(names, read, "{agent}");
        }
    }
}
