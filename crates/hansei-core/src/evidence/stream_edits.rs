//! What a command writes into files, read from its words: the text that goes, and the text that comes.
//!
//! Stream editors (`sed -i`, `perl -pi`, `ed`), redirections (`echo`, `printf`, `cat`, `tee`), scripts that replace or
//! write (`python -c`, a here-document), patches, and what removes or moves. Patterns stand for the text they match.

use super::git_command::Git;
use crate::check::PlainCommand;
use crate::decision_memory::{Change, LineSide};

/// Programs that take a script among their arguments, or from what they are fed.
const INTERPRETERS: &[&str] = &[
    "python", "python3", "node", "ruby", "perl", "bun", "deno", "php", "mix", "elixir", "pwsh", "powershell",
    "lua", "tsx",
];

/// What happened to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Write {
    pub(super) path: String,
    pub(super) removed: String,
    pub(super) added: String,
    pub(super) how: How,
}

/// How it happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum How {
    /// One text in the place of another.
    #[default]
    Replaces,
    /// The same, and what goes is a pattern.
    Matches,
    /// The whole file; what was there before is not said.
    Whole,
    /// The same, and it says now what another file says.
    Copies(String),
    /// At the end.
    Appends,
    /// The file is gone.
    Removes,
    /// It has another name now.
    Moves(String),
    /// It is as git has it, in this version if one is named.
    Restores(Option<String>),
}

/// What `command` writes. `line` is the whole line that it stands in, `piped` what the command before it prints.
pub(super) fn writes(command: &PlainCommand, line: &str, piped: &str) -> Vec<Write> {
    let operands: Vec<&str> = command
        .arguments()
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with('-') && !word.is_empty())
        .collect();
    let each = |paths: &[&str], (removed, added): (String, String), how: &How| -> Vec<Write> {
        let write = |path: &&str| Write {
            path: (*path).to_owned(),
            removed: removed.clone(),
            added: added.clone(),
            how: how.clone(),
        };
        paths.iter().map(write).collect()
    };
    let nothing = || (String::new(), String::new());
    let mut found = match command.program() {
        "sed" | "gsed" | "perl" | "ruby" if in_place(command) => {
            let flagged = command.arguments().windows(2).filter(|pair| is_script_flag(&pair[0]));
            let scripts: Vec<&str> = flagged.map(|pair| pair[1].as_str()).collect();
            let files: Vec<&str> = operands.iter().copied().filter(|word| !scripts.contains(word)).collect();
            let (script, files) = match (scripts.as_slice(), files.split_first()) {
                ([], Some((script, files))) => ((*script).to_owned(), files),
                _ => (scripts.join("\n"), files.as_slice()),
            };
            let texts =
                Some(replaced_in(&script)).filter(|(gone, came)| !gone.is_empty() || !came.is_empty());
            each(files, texts.unwrap_or_else(|| pairs(&script)), &How::Matches)
        }
        "ed" | "ex" => {
            let script = command.fed.as_deref().unwrap_or(piped);
            each(&operands, replaced_in(script), &How::Matches)
        }
        program if INTERPRETERS.contains(&program) => script_of(command).map_or_else(Vec::new, by_script),
        "rm" | "unlink" => each(&operands, nothing(), &How::Removes),
        "mv" => moved(&operands),
        "cp" | "install" if operands.len() == 2 => {
            each(&operands[1..], nothing(), &How::Copies(operands[0].to_owned()))
        }
        "cp" | "install" if operands.len() > 1 => {
            each(&operands[operands.len() - 1..], nothing(), &How::Whole)
        }
        "truncate" => each(&operands, nothing(), &How::Appends),
        "tee" | "sponge" => {
            let how = if command.has(&["-a", "--append"]) { How::Appends } else { How::Whole };
            let text = command.fed.as_deref().unwrap_or(piped);
            each(&operands, (String::new(), text.to_owned()), &how)
        }
        "npm" | "pnpm" | "yarn" if command.word(1) == "pkg" && command.word(2) == "set" => {
            let tasks = command.words[3..]
                .iter()
                .map(|task| task.replacen("scripts.", "\"", 1).replacen('=', "\": \"", 1));
            each(&["package.json"], (String::new(), tasks.collect::<Vec<_>>().join("\n")), &How::Matches)
        }
        "patch" => by_patch(command.fed.as_deref().unwrap_or(piped)),
        "git" => by_git(command, piped),
        _ => Vec::new(),
    };
    if command.program() != "tee" && !INTERPRETERS.contains(&command.program()) || found.is_empty() {
        let passes_on = matches!(command.program(), "cat" | "sponge") && command.fed.is_none();
        let text = if passes_on { piped.to_owned() } else { printed(command) };
        // What another program makes of its arguments is somewhere in them.
        let arguments = command.arguments().join("\n");
        let (gone, text) = match command.program() {
            "sed" | "gsed" | "perl" => replaced_in(&arguments),
            "awk" | "gawk" | "ruby" => pairs(&arguments),
            _ if text.is_empty() && !passes_on => (String::new(), arguments),
            _ => (String::new(), text),
        };
        for path in command.writes.iter().filter(|path| !path.starts_with("/dev/")) {
            let appends = line.contains(&format!(">> {path}")) || line.contains(&format!(">>{path}"));
            let how = if appends { How::Appends } else { How::Whole };
            found.extend(each(&[path], (gone.clone(), text.clone()), &how));
        }
    }
    found
}

/// What a command prints, as far as its words say.
pub(super) fn printed(command: &PlainCommand) -> String {
    match command.program() {
        "echo" | "printf" => {
            let words = command
                .arguments()
                .iter()
                .filter(|word| !matches!(word.as_str(), "-e" | "-n" | "%s" | "%s\\n"));
            words.map(|word| word.replace("\\n", "\n")).collect::<Vec<_>>().join(" ")
        }
        _ => command.fed.clone().unwrap_or_default(),
    }
}

/// Whether a stream editor changes the files that it reads.
pub(super) fn in_place(command: &PlainCommand) -> bool {
    command.arguments().iter().any(|word| {
        word.starts_with("--in-place")
            || word.starts_with('-')
                && !word.starts_with("--")
                && !word.starts_with("-M")
                && word.contains('i')
    })
}

fn is_script_flag(word: &str) -> bool {
    matches!(word, "--expression" | "-e")
        || word.starts_with('-') && !word.starts_with("--") && word.ends_with('e')
}

fn moved(operands: &[&str]) -> Vec<Write> {
    let Some((to, from)) = operands.split_last() else { return Vec::new() };
    let name = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_owned();
    let into = to.ends_with('/')
        || from.len() > 1
        || !name(to).contains('.') && from.iter().any(|path| name(path).contains('.'));
    let target = |path: &str| {
        if into { format!("{}/{}", to.trim_end_matches('/'), name(path)) } else { (*to).to_owned() }
    };
    from.iter()
        .map(|path| Write { path: (*path).to_owned(), how: How::Moves(target(path)), ..Write::default() })
        .collect()
}

fn by_git(command: &PlainCommand, piped: &str) -> Vec<Write> {
    let Some(git) = Git::of(command) else { return Vec::new() };
    let operands: Vec<&str> = git.operands().map(String::as_str).collect();
    let write = |path: &str, how: How| Write { path: path.to_owned(), how, ..Write::default() };
    match git.does {
        "rm" if !git.has(&["--cached"]) => operands.iter().map(|path| write(path, How::Removes)).collect(),
        "mv" => moved(&operands),
        "apply" | "am" => by_patch(command.fed.as_deref().unwrap_or(piped)),
        "restore" if !git.has(&["--staged"]) => {
            let source = git.rest.windows(2).find(|pair| matches!(pair[0].as_str(), "-s" | "--source"));
            let source = source.map(|pair| pair[1].clone());
            let source = source.or_else(|| {
                git.rest.iter().find_map(|word| Some(word.strip_prefix("--source=")?.to_owned()))
            });
            let paths = operands.iter().filter(|path| source.as_deref() != Some(**path));
            paths.map(|path| write(path, How::Restores(source.clone()))).collect()
        }
        "checkout" => {
            let dashes = git.rest.iter().position(|word| word == "--");
            let (version, paths) = match (dashes, operands.split_first()) {
                (Some(0), _) => (None, operands.as_slice()),
                (Some(_), Some((first, paths))) => (Some((*first).to_owned()), paths),
                // A word with a dot or a slash and an ending is a file, one without a version.
                (None, Some((first, paths))) if !paths.is_empty() && !first.contains('.') => {
                    (Some((*first).to_owned()), paths)
                }
                (None, Some((first, []))) if !first.contains('.') => return Vec::new(),
                _ => (None, operands.as_slice()),
            };
            paths.iter().map(|path| write(path, How::Restores(version.clone()))).collect()
        }
        _ => Vec::new(),
    }
}

/// What a unified diff does to each of its files.
pub(super) fn by_patch(diff: &str) -> Vec<Write> {
    let Ok(change) = Change::read(diff) else { return Vec::new() };
    let write = |file: crate::decision_memory::FileChange| {
        let how = if file.new_path.is_none() { How::Removes } else { How::Replaces };
        let path = file.new_path.clone().or_else(|| file.old_path.clone())?;
        Some(Write { path, removed: file.text(LineSide::Removed), added: file.text(LineSide::Added), how })
    };
    change.files.into_iter().filter_map(write).collect()
}

/// What the commands of a stream editor take out and put in.
fn replaced_in(script: &str) -> (String, String) {
    let (mut removed, mut added) = (String::new(), String::new());
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        let next = &rest[c.len_utf8()..];
        rest = match c {
            's' | 'y' if next.starts_with(|c: char| c.is_ascii_punctuation()) => {
                let Some((pattern, text, after)) = substitution(next) else { return (removed, added) };
                push(&mut removed, &plain(pattern));
                push(&mut added, &filled(text, pattern));
                after.trim_start_matches(|c: char| c.is_ascii_alphanumeric())
            }
            '/' => {
                let Some((pattern, after)) = delimited(next, '/') else { return (removed, added) };
                let does = after
                    .trim_start_matches(|c: char| !c.is_ascii_alphabetic() && !matches!(c, '/' | '\n' | ';'));
                let telling = pattern.contains(char::is_alphanumeric);
                if telling && (does.starts_with(['d', 'c']) || after.starts_with(',')) {
                    push(&mut removed, &plain(pattern));
                }
                after
            }
            // "3i text", "1,3c\", "$a text"
            'i' | 'a' | 'c' if next.starts_with(['\\', ' ', '\n']) => {
                let text = next.trim_start_matches(['\\', ' ', '\n']);
                let end = text.find("\n.\n").unwrap_or(text.len());
                push(&mut added, &text[..end].replace("\\n", "\n"));
                &text[end..]
            }
            _ => next,
        };
    }
    (removed, added)
}

fn push(to: &mut String, text: &str) {
    to.push_str(text);
    to.push('\n');
}

/// Pattern and text of a substitution, and what follows it; `s{…}{…}` has two pairs of marks.
fn substitution(text: &str) -> Option<(&str, &str, &str)> {
    let mark = text.chars().next()?;
    let close = match mark {
        '{' => '}',
        '(' => ')',
        '[' => ']',
        mark => mark,
    };
    let (pattern, rest) = delimited(&text[mark.len_utf8()..], close)?;
    let rest = if close == mark { rest } else { rest.trim_start().strip_prefix(mark)? };
    let (text, after) = delimited(rest, close)?;
    Some((pattern, text, after))
}

fn delimited(text: &str, close: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            c if c == close && !escaped => return Some((&text[..at], &text[at + c.len_utf8()..])),
            _ => escaped = false,
        }
    }
    None
}

/// A pattern as the text that it stands for, its escapes and anchors taken off.
fn plain(pattern: &str) -> String {
    let mut text = String::new();
    let mut chars = pattern.trim_start_matches('^').chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('s') => text.push(' '),
                Some('b' | '(' | ')' | 'w' | 'd' | 'K') if pattern.contains("\\b") => {}
                Some(c) => text.push(c),
                None => {}
            },
            c => text.push(c),
        }
    }
    text
}

/// A replacement with what it repeats of the pattern filled in.
fn filled(text: &str, pattern: &str) -> String {
    let whole = plain(pattern);
    // A mark that is escaped is a letter, unless all of them are: the basic way of writing groups.
    let basic =
        !pattern.starts_with('(') && pattern.contains("\\(") && !pattern.replace("\\(", "").contains('(');
    let group = if basic {
        pattern.split_once("\\(").and_then(|(_, rest)| rest.split_once("\\)")).map_or("", |(group, _)| group)
    } else {
        let open = pattern.match_indices('(').map(|(at, _)| at).find(|at| !pattern[..*at].ends_with('\\'));
        open.and_then(|open| delimited(&pattern[open + 1..], ')')).map_or("", |(group, _)| group)
    };
    let text = text.replace("\\&", "\u{0}").replace("$&", &whole).replace('&', &whole).replace('\u{0}', "&");
    let text = text.replace("\\1", group).replace("$1", group).replace("${1}", group);
    plain(&text)
}

fn script_of(command: &PlainCommand) -> Option<&str> {
    let takes = ["-c", "-e", "-r", "--eval", "-Command", "-command"];
    let inline = command.arguments().windows(2).find(|pair| takes.contains(&pair[0].as_str()));
    command.fed.as_deref().or(inline.map(|pair| pair[1].as_str()))
}

/// What stands in `script` behind each `call`.
fn after<'s>(script: &'s str, call: &str) -> impl Iterator<Item = &'s str> {
    script.match_indices(call).map(|(at, call)| &script[at + call.len()..])
}

/// What the replacements of a script take out and put in.
fn pairs(script: &str) -> (String, String) {
    let (mut removed, mut added) = (String::new(), String::new());
    for (call, is_pattern) in [
        (".replace(", false),
        (".replaceAll(", false),
        (".Replace(", false),
        ("str_replace(", false),
        ("sub(", true),
        ("-replace ", true),
        ("preg_replace(", true),
        ("gsub!(", true),
    ] {
        for rest in after(script, call) {
            let bare = rest.trim_start();
            let regex = bare.strip_prefix('/').and_then(|bare| delimited(bare, '/'));
            let from =
                regex.map(|(from, rest)| (from.to_owned(), rest.trim_start_matches(char::is_alphabetic)));
            let from = from.or_else(|| argument(script, rest));
            let to =
                from.as_ref().and_then(|(_, rest)| argument(script, rest.trim_start().strip_prefix(',')?));
            if let (Some((from, _)), Some((to, _))) = (from, to) {
                let is_pattern = is_pattern || regex.is_some();
                push(&mut removed, &if is_pattern { plain(&from) } else { from.clone() });
                push(&mut added, &if is_pattern { filled(&to, &from) } else { to });
            }
        }
    }
    (removed, added)
}

/// What a script for an interpreter does: it replaces one literal by another in the files it names, writes them anew, or
/// removes them.
pub(super) fn by_script(script: &str) -> Vec<Write> {
    let is_path = |text: &str| {
        let name = text.rsplit('/').next().unwrap_or(text);
        (2..200).contains(&text.len())
            && !text.contains(|c: char| c.is_whitespace() || "(*<{[,".contains(c))
            && (name.trim_matches('.').contains('.') || name.starts_with('.') && name.len() > 2)
    };
    let (removed, added) = pairs(script);
    let mut whole = String::new();
    let write = [
        "write(", "write_text(", "writeFileSync(", "writeFile(", "writelines([", "File.write(",
        "File.write!(", "writeTextFileSync(", "file_put_contents(", "WriteAllText(", "Set-Content ",
        "Out-File ",
    ];
    for rest in write.iter().flat_map(|call| after(script, call)) {
        let first = argument(script, rest);
        let second =
            first.as_ref().and_then(|(_, rest)| argument(script, rest.trim_start().strip_prefix(',')?));
        let text = second.or(first).map(|(text, _)| text).filter(|text| !is_path(text));
        if let Some(text) = text {
            push(&mut whole, &text);
        }
    }
    let modes =
        |letter: char| ['"', '\''].iter().any(|mark| script.contains(&format!("{mark}{letter}{mark}")));
    let writes = write.iter().any(|call| script.contains(call))
        || script.contains("write_bytes")
        || modes('w')
        || modes('a');
    let (how, added) = match (removed.is_empty(), modes('a') || script.contains("Add-Content")) {
        (false, _) => (How::Matches, added),
        (true, true) => (How::Appends, whole),
        (true, false) => (How::Whole, whole),
    };
    let mut found: Vec<Write> = Vec::new();
    let mut rest = script;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let Some((path, behind)) = literal(&rest[at..]) else { break };
        let gone = ["remove(", "unlink(", "rmSync(", "unlinkSync(", "rmtree("];
        let gone = gone.iter().any(|call| rest[..at].ends_with(call)) || behind.starts_with(").unlink");
        if is_path(&path) && gone {
            found.push(Write { path, how: How::Removes, ..Write::default() });
        } else if is_path(&path) && writes {
            found.push(Write { path, removed: removed.clone(), added: added.clone(), how: how.clone() });
        }
        rest = behind;
    }
    found
}

/// What an argument at the beginning of `text` says, and what follows: a literal, or a name that was given one.
fn argument<'s>(script: &'s str, text: &'s str) -> Option<(String, &'s str)> {
    let text = text.trim_start();
    let bare =
        text.strip_prefix(['r', 'b', 'f']).filter(|bare| bare.starts_with(['"', '\''])).unwrap_or(text);
    literal(bare).or_else(|| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').filter(|end| *end > 0)?;
        let given = script.match_indices(&text[..end]).filter_map(|(at, name)| {
            let value = script[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
            literal(value.strip_prefix(['r', 'b', 'f']).unwrap_or(value))
        });
        given.last().map(|(value, _)| (value, &text[end..]))
    })
}

/// The quoted text at the beginning of `text`, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let mark = text.get(..1).filter(|mark| matches!(*mark, "\"" | "'" | "`"))?;
    let long = mark.repeat(3);
    let mark = if text.starts_with(&long) { long.as_str() } else { mark };
    let body = &text[mark.len()..];
    let ends = |at: &usize| body[..*at].chars().rev().take_while(|c| *c == '\\').count() % 2 == 0;
    let end = body.match_indices(mark).map(|(at, _)| at).find(ends)?;
    let plain = body[..end].replace("\\n", "\n").replace("\\\"", "\"").replace("\\'", "'");
    Some((plain, &body[end + mark.len()..]))
}
