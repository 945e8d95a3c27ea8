//! What a typeset document loads: packages, classes, environments and files that its commands name, and the commands
//! themselves. What its prose says is none.

use super::names::Name;
use super::place::Place;

/// Lines that the argument of one command goes over, at most.
const LONGEST_ARGUMENT: usize = 12;

/// Whether a line loads what is called `name`.
pub(super) fn loads(place: &Place<'_>, name: &Name) -> bool {
    let line = place.read().without_comment();
    let wanted = name.text.trim_start_matches('\\');
    let stem = wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem);
    let is_it = |item: &str| matches!(item.trim(), item if item == wanted || item == stem && name.is_path());
    let from = place.at.saturating_sub(LONGEST_ARGUMENT);
    let above: String =
        place.reads[from..place.at].iter().map(|read| read.without_comment() + "\n").collect();
    let still_open =
        commands(&above).last().is_some_and(|command| command.is_open && is_loading(command.word));
    let goes_on = still_open && line.split('}').next().is_some_and(|rest| rest.split(',').any(is_it));
    goes_on
        || commands(&line).any(|command| {
            command.word == wanted && !name.is_path()
                || is_loading(command.word) && command.argument.split(',').any(is_it)
        })
}

/// Whether the argument of a command names what is loaded or begun.
fn is_loading(command: &str) -> bool {
    let lower = command.to_lowercase();
    ["use", "require", "load"].iter().any(|start| lower.starts_with(start))
        || matches!(lower.as_str(), "documentclass" | "begin" | "input" | "include")
}

struct Command<'a> {
    word: &'a str,
    /// Its first argument, without the options before it.
    argument: &'a str,
    /// Whether the argument does not end here.
    is_open: bool,
}

fn commands(text: &str) -> impl Iterator<Item = Command<'_>> {
    text.match_indices('\\').filter_map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, mut behind) = rest.split_at(end);
        behind = behind.trim_start_matches('*').trim_start();
        if let Some(options) = behind.strip_prefix('[') {
            behind = options.split_once(']').map_or("", |(_, behind)| behind).trim_start();
        }
        let inside = behind.strip_prefix('{');
        let argument = inside.and_then(|inside| inside.split('}').next()).unwrap_or_default();
        let is_open = inside.is_some_and(|inside| !inside.contains('}'));
        (!word.is_empty()).then_some(Command { word, argument, is_open })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::file_kind::FileKind;
    use crate::decision_memory::syntax::read_lines;

    #[test]
    fn what_is_loaded_is_told_from_what_is_said() {
        for (name, text, loaded) in [
            ("minted", "\\usepackage[newfloat]{minted}", true),
            ("minted", "\\RequirePackage{xcolor, minted}", true),
            ("minted", "\\begin{minted}[autogobble]{python}", true),
            ("minted", "\\usepackage{%\n  xcolor,\n  minted}", true),
            ("\\mintinline", "so \\mintinline{c}{x} is", true),
            ("beamer", "\\documentclass[aspectratio=169]{beamer}", true),
            ("old/intro.tex", "\\input{old/intro}", true),
            ("minted", "\\end{minted}", false),
            ("minted", "coins were minted in \\emph{minted}", false),
            ("minted", "\\begin{figure}{minted}", false),
            ("minted", "\\usepackage{xcolor}\nminted", false),
            ("minted", "\\usepackage{xcolor} % minted", false),
            ("python", "\\begin{minted}{python}", false),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let reads = read_lines("a.tex", lines.iter().copied());
            let at = lines.len() - 1;
            let place = Place { path: "a.tex", kind: FileKind::Typeset, lines: &lines, reads: &reads, at };
            assert_eq!(loads(&place, &Name::quoted(name).unwrap()), loaded, "{text}");
        }
    }
}
