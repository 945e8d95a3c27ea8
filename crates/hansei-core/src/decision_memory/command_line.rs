//! Whether a line runs a program: in scripts, in recipes, in the instructions of an image, in the steps of a pipeline.

use super::file_kind::{base_name, extension, holds};
use super::place::Place;

/// Programs that every system has. Who rejects the framework `Echo` does not mean these.
const EVERYWHERE: &str = "echo test time find cut split join watch expect screen install sort head tail read set env top date less more \
    cat cp mv rm ls cd sh bash export source alias true false wait trap kill ps id who yes tee tr wc uniq paste fold link at \
    batch bc dd df du ed ex fc file getopt hash jobs local let shift sleep type ulimit umask unset until while for case";
/// Keys whose values are commands.
const RUNNING_KEYS: &str =
    "run script before_script after_script command commands cmd entrypoint args exec shell";
/// Words in front of a command.
const LEADING: &str = "sudo exec time then do else if while ! nohup env command -";

/// Whether a line runs `program`.
pub(super) fn runs(place: &Place<'_>, program: &str) -> bool {
    !holds(EVERYWHERE, program) && command_of(place).is_some_and(|command| starts(&command, program))
}

/// The command of a line, if it holds one.
fn command_of(place: &Place<'_>) -> Option<String> {
    let line = place.read().without_comment();
    let text = line.trim();
    let name = base_name(place.path);
    let continued = place.above().last().is_some_and(|above| above.trim_end().ends_with('\\'));
    if name.starts_with("dockerfile") || name.starts_with("containerfile") || extension(&name) == "dockerfile"
    {
        let text = text.strip_prefix("HEALTHCHECK ").unwrap_or(text);
        let run = ["RUN ", "CMD ", "ENTRYPOINT "].iter().find_map(|word| text.strip_prefix(word));
        return run.map(str::to_owned).or_else(|| continued.then(|| text.to_owned()));
    }
    match extension(&name) {
        "sh" | "bash" | "zsh" | "fish" | "bat" | "cmd" | "ps1" => Some(text.to_owned()),
        "yml" | "yaml" => in_pipeline(place, text),
        "mk" => line.starts_with('\t').then(|| text.to_owned()),
        _ if holds("makefile justfile", &name) => {
            line.starts_with(['\t', ' ']).then(|| text.trim_start_matches(['@', '-']).to_owned())
        }
        _ if name == "procfile" => text.split_once(':').map(|(_, command)| command.to_owned()),
        _ => None,
    }
}

/// The value of a key that runs something, or a line below such a key.
fn in_pipeline(place: &Place<'_>, text: &str) -> Option<String> {
    let item = text.trim_start_matches("- ");
    if let Some((key, value)) = item.split_once(':')
        && holds(RUNNING_KEYS, key.trim())
    {
        return Some(value.trim().to_owned());
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(place.line());
    let is_key_above = |line: &&&str| {
        // An element may stand as far to the left as its key.
        let beside = indent(line) == own && text.starts_with("- ") && !line.trim_start().starts_with("- ");
        !line.trim().is_empty() && (indent(line) < own || beside)
    };
    let above = place.above().iter().rev().find(is_key_above)?;
    let (key, value) = above.trim().trim_start_matches("- ").split_once(':')?;
    let opens = matches!(value.trim(), "" | "|" | ">" | "|-" | ">-");
    (opens && holds(RUNNING_KEYS, key.trim())).then(|| item.to_owned())
}

/// Whether one of the commands in a line is the program, by its own name or as a module of Python.
fn starts(command: &str, program: &str) -> bool {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '[' | ']' | ',' | '`' | '(' | ')');
    command.split(['|', ';', '&']).flat_map(|part| part.split("$(")).any(|segment| {
        let mut words = segment.split(is_mark).filter(|word| !word.is_empty()).skip_while(|word| {
            holds(LEADING, word) || word.starts_with("--") || word.contains('=') && !word.starts_with('-')
        });
        let first = words.next().unwrap_or_default();
        let called = first.rsplit('/').next().unwrap_or(first).trim_start_matches('@');
        let as_module =
            called.starts_with("python") && words.next() == Some("-m") && words.next() == Some(program);
        called == program || as_module
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::file_kind::kind_of;
    use crate::decision_memory::syntax::read_lines;

    #[test]
    fn what_runs_is_told_from_what_is_named() {
        for (path, text, program, run) in [
            ("Dockerfile", "RUN poetry install", "poetry", true),
            ("Dockerfile", "CMD [\"poetry\", \"run\", \"app\"]", "poetry", true),
            ("Dockerfile", "RUN --mount=type=cache,target=/c cd /a && poetry install", "poetry", true),
            ("Dockerfile", "RUN pip install x \\\n && poetry build", "poetry", true),
            ("Dockerfile", "RUN python3 -m poetry build", "poetry", true),
            ("Dockerfile", "LABEL note=\"poetry\"", "poetry", false),
            ("Dockerfile", "COPY poetry /srv/poetry", "poetry", false),
            ("a.sh", "sudo CI=1 poetry lock", "poetry", true),
            ("a.sh", "cat poetry", "poetry", false),
            ("a.sh", "echo hello", "echo", false),
            ("Makefile", "\tpoetry build", "poetry", true),
            ("Makefile", "poetry: build", "poetry", false),
            ("ci.yml", "  - run: poetry build", "poetry", true),
            ("ci.yml", "  run: |\n    set -e\n    poetry build", "poetry", true),
            ("ci.yml", "script:\n- poetry build", "poetry", true),
            ("ci.yml", "topics:\n- poetry readings", "poetry", false),
            ("ci.yml", "about: poetry", "poetry", false),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let reads = read_lines(path, lines.iter().copied());
            let at = lines.len() - 1;
            let place = Place { path, kind: kind_of(path), lines: &lines, reads: &reads, at };
            assert_eq!(runs(&place, program), run, "{path}: {text}");
        }
    }
}
