//! From a command line to its checks and to what the line's exit code tells about each.

use std::borrow::Cow;

use super::mask_reason::reason;
use super::masked_exit::{STEPS, told};
use super::shell_line::{Command, Depth, Item, Link, List, Pipeline, Simple, parse};
use super::shell_words::Word;
use super::step::{Step, is_assignment, shell_options, step_of};
use super::wrapper::{self, Inside};
use super::{Check, CheckKind, Ecosystem, ExitMeaning, MaskReason, arguments, hint, recognise, variables};

/// A line with more checks than this is generated; the rest is left out.
const MOST: usize = 100;
/// The same, for commands of any kind.
const MOST_COMMANDS: usize = 2000;
/// Scripts within scripts that are followed.
const DEEPEST: usize = 6;

/// What a command line holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandReading {
    /// The checks in the order in which they stand, each with what the line's exit code tells about it.
    pub checks: Vec<(Check, ExitMeaning)>,
}

/// A command of a line, without its wrappers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainCommand {
    /// The program and its arguments, quotes taken off.
    pub words: Vec<String>,
    /// `NAME=value` before it.
    pub assignments: Vec<String>,
    /// The files that its redirections write.
    pub writes: Vec<String>,
    /// The here-document that it reads.
    pub fed: Option<String>,
    /// The folder that the line changed to before it, as written.
    pub folder: Option<String>,
    /// How many checks of the line stand before it.
    pub checks_before: usize,
}

impl PlainCommand {
    /// The program's name without its folder.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |word| recognise::program_name(word))
    }

    /// The word at `place`; the program stands at 0.
    pub fn word(&self, place: usize) -> &str {
        self.words.get(place).map_or("", String::as_str)
    }

    /// What follows the program.
    pub fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Whether one of the arguments is one of `options`.
    pub fn has(&self, options: &[&str]) -> bool {
        self.arguments().iter().any(|word| options.contains(&word.as_str()))
    }
}

/// Every command of a line, in the order in which they stand, those inside scripts and substitutions included.
pub fn commands(line: &str) -> Vec<PlainCommand> {
    let mut reader = Reader { gathers: true, ..Reader::default() };
    reader.list(&mut parse(line), 0);
    reader.commands
}

/// Whether a command of the line may fail while the line ends with zero, and how. Checks and all other commands count,
/// but for those that only ask (`test -f x`) and those that do not fail in ordinary use.
pub fn hides_failure(line: &str) -> Option<MaskReason> {
    let mut reader = Reader { gathers: true, counts_all: true, ..Reader::default() };
    let mut list = parse(line);
    reader.list(&mut list, 0);
    let mut steps = STEPS;
    (0..reader.checks.len()).find_map(|number| match told(&list, number, &mut steps) {
        None => Some(MaskReason::Unread),
        Some(told) if told.by_zero => None,
        Some(_) => Some(reason(&list, number).unwrap_or(MaskReason::FollowedBy)),
    })
}

/// Reads a command line.
pub fn read_command(line: &str) -> CommandReading {
    read_in_steps(line, &mut STEPS.clone())
}

/// Reads a command line in so many steps, which are taken off.
pub(super) fn read_in_steps(line: &str, steps: &mut usize) -> CommandReading {
    if !hint::may_hold_check(line) {
        return CommandReading::default();
    }
    let mut reader = Reader::default();
    let mut list = parse(line);
    reader.list(&mut list, 0);
    let mut meaning = |number: usize| {
        let Some(told) = told(&list, number, steps) else { return ExitMeaning::Masked(MaskReason::Unread) };
        match told.printed_after {
            _ if told.by_zero && told.by_non_zero => ExitMeaning::Own,
            _ if told.by_zero => ExitMeaning::Shared,
            Some(before) => ExitMeaning::Printed(before),
            None if told.zero_after.is_some() => {
                ExitMeaning::PrintedShared(told.zero_after.unwrap_or_default())
            }
            None => ExitMeaning::Masked(reason(&list, number).unwrap_or(MaskReason::FollowedBy)),
        }
    };
    let checks =
        reader.checks.into_iter().enumerate().map(|(number, check)| (check, meaning(number))).collect();
    CommandReading { checks }
}

#[derive(Debug, Default)]
struct Reader {
    checks: Vec<Check>,
    folder: Option<String>,
    /// The variables that were set before.
    settings: Vec<String>,
    /// What the commands before in the pipe are, as text.
    fed: String,
    /// Whether all commands are of interest, not only checks.
    gathers: bool,
    /// Whether every command that can fail counts as a check.
    counts_all: bool,
    commands: Vec<PlainCommand>,
}

impl Reader {
    fn list(&mut self, list: &mut List, depth: usize) {
        for item in &mut list.0 {
            for (_, pipeline) in &mut item.chain {
                let piped = pipeline.stages.len() > 1;
                for command in &mut pipeline.stages {
                    self.command(command, depth);
                    if let Command::Simple(simple) = command
                        && piped
                    {
                        self.fed = [&self.fed, &*texts(&simple.words).join(" "), " | "].concat();
                    }
                }
                self.fed.clear();
            }
        }
    }

    fn command(&mut self, command: &mut Command, depth: usize) {
        match command {
            Command::Simple(simple) => self.simple(simple, depth),
            Command::Group(list) | Command::Function(list) => self.list(list, depth),
            Command::Subshell(list) => self.in_its_own_folder(list, depth),
            Command::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.list(condition, depth);
                    self.list(body, depth);
                }
                if let Some(body) = otherwise {
                    self.list(body, depth);
                }
            }
            Command::Loop(condition, body) => {
                if let Some(condition) = condition {
                    self.list(condition, depth);
                }
                self.list(body, depth);
            }
            Command::Case(bodies) => bodies.iter_mut().for_each(|body| self.list(body, depth)),
        }
    }

    fn in_its_own_folder(&mut self, list: &mut List, depth: usize) {
        let (folder, settings) = (self.folder.clone(), self.settings.clone());
        let fed = std::mem::take(&mut self.fed);
        self.list(list, depth);
        (self.folder, self.settings, self.fed) = (folder, settings, fed);
    }

    fn simple(&mut self, simple: &mut Simple, depth: usize) {
        if depth < DEEPEST {
            for text in simple.words.iter().flat_map(|word| &word.substitutions) {
                // Most substitutions ask git or the date for something.
                if self.gathers || hint::may_hold_check(text) {
                    let mut inside = parse(text);
                    self.in_its_own_folder(&mut inside, depth + 1);
                    simple.substitutions.push(inside);
                }
            }
        }
        let assignments = simple.words.iter().take_while(|word| is_assignment(&word.text)).count();
        let words = &simple.words[assignments..];
        if let [program, folder, ..] = words
            && matches!(program.text.as_str(), "cd" | "pushd")
        {
            self.folder = Some(folder.text.clone());
        }
        let before = self.settings.len();
        let exports = words.first().is_none_or(|word| matches!(word.text.as_str(), "export" | "declare"));
        self.set(&simple.words[..if exports { simple.words.len() } else { assignments }]);
        let checks_before = self.checks.len();
        simple.step = self
            .check_in(words, depth)
            .or_else(|| self.fed_script(words, simple.heredoc.as_deref(), depth))
            .unwrap_or_else(|| step_of(&simple.words));
        if self.counts_all && matches!(simple.step, Step::Any) && self.checks.len() < MOST {
            let asks = |word: &Word| matches!(word.text.as_str(), "[" | "[[" | "test" | "((");
            if let Some(program) = words.first().filter(|program| !asks(program)) {
                let command = Check::of(CheckKind::Test, Ecosystem::Other, "command", Vec::new());
                self.checks.push(Check { text: program.text.clone(), ..command });
                simple.step = Step::Check(self.checks.len() - 1);
            }
        }
        if !exports {
            self.settings.truncate(before);
        }
        if simple.words.iter().any(|word| !word.writes.is_empty()) {
            self.checks[checks_before..].iter_mut().for_each(|check| check.into_file = true);
        }
        if self.gathers {
            self.gather(simple, checks_before);
        }
    }

    /// Takes the variables among `words` that decide something.
    fn set(&mut self, words: &[Word]) {
        let bearing = words.iter().filter(|word| is_assignment(&word.text) && variables::bears(&word.text));
        self.settings.extend(bearing.map(|word| word.text.clone()));
    }

    fn gather(&mut self, simple: &Simple, checks_before: usize) {
        if self.commands.len() >= MOST_COMMANDS {
            return;
        }
        let assignments = simple.words.iter().take_while(|word| is_assignment(&word.text)).count();
        let Some(words) = innermost(&simple.words[assignments..]) else { return };
        let before = simple.words.len() - words.len();
        self.commands.push(PlainCommand {
            words: words.iter().map(|word| word.text.clone()).collect(),
            assignments: simple.words[..before]
                .iter()
                .filter(|word| is_assignment(&word.text))
                .map(|word| word.text.clone())
                .collect(),
            writes: simple.words.iter().flat_map(|word| word.writes.iter().cloned()).collect(),
            fed: simple.heredoc.clone(),
            folder: self.folder.clone(),
            checks_before,
        });
    }

    /// The step of `words` if a check is in them, however it is wrapped.
    fn check_in(&mut self, words: &[Word], depth: usize) -> Option<Step> {
        if words.is_empty() || depth >= DEEPEST || self.checks.len() >= MOST {
            return None;
        }
        let wrapped = match wrapper::unwrap(words) {
            Some(Inside::Words { words: inside, code_lost }) => {
                self.set(&words[..words.len() - inside.len()]);
                let known = self.checks.len();
                let step = self.check_in(inside, depth + 1);
                if let Some(check) = self.checks.get_mut(known) {
                    check.scope.extend(handed_over(words, inside, &self.fed));
                }
                step.map(|step| if code_lost { Step::Swallows(alone(step)) } else { step })
            }
            Some(Inside::Script { text, options }) => {
                let known = self.checks.len();
                let step = self.script(&text, options, depth);
                // Another machine has another tree.
                if let Some(host) = wrapper::host(words) {
                    for check in &mut self.checks[known..] {
                        check.folder =
                            Some(format!("ssh:{host}/{}", check.folder.take().unwrap_or_default()));
                    }
                }
                step
            }
            None => None,
        };
        wrapped.or_else(|| {
            let texts = texts(words);
            let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
            let check = recognise::check(&texts)?;
            let handed: Vec<&str> = self.settings.iter().flat_map(|set| variables::handed(set)).collect();
            if arguments::runs_nothing(texts[0], &handed) {
                return None;
            }
            self.checks.push(Check { folder: self.folder.clone(), settings: self.settings.clone(), ..check });
            Some(Step::Check(self.checks.len() - 1))
        })
    }

    fn script(&mut self, text: &str, options: &[Word], depth: usize) -> Option<Step> {
        if !self.gathers && !hint::may_hold_check(text) {
            return None;
        }
        let known = self.checks.len();
        let mut script = parse(text);
        self.in_its_own_folder(&mut script, depth + 1);
        if self.checks.len() == known {
            return None;
        }
        let mut whole = alone(shell_options(options));
        whole.0.append(&mut script.0);
        Some(Step::Script(whole))
    }

    /// `bash <<EOF`, `echo … | base64 -d | sh`: what the shell is fed is the script.
    fn fed_script(&mut self, words: &[Word], heredoc: Option<&str>, depth: usize) -> Option<Step> {
        let program = wrapper::name(words.first()?);
        let alone = words[1..].iter().all(|word| word.text.starts_with('-'));
        (matches!(program, "bash" | "sh" | "zsh") && alone && depth < DEEPEST).then_some(())?;
        let piped = || self.fed.strip_suffix(" | ").and_then(piped_text);
        let text = heredoc.map(ToOwned::to_owned).or_else(piped)?;
        self.script(&text, &words[1..], depth)
    }
}

/// The words with the commands inside them written out: the same text stands for the same selection, as far as anybody knows.
fn texts(words: &[Word]) -> Vec<Cow<'_, str>> {
    let text = |word: &Word| {
        word.substitutions
            .iter()
            .fold(word.text.clone(), |text, inside| text.replacen("$()", &format!("$({inside})"), 1))
    };
    words
        .iter()
        .map(
            |word| {
                if word.substitutions.is_empty() {
                    Cow::Borrowed(&*word.text)
                } else {
                    Cow::Owned(text(word))
                }
            },
        )
        .collect()
}

/// The selection that `xargs` and its like hand to the command inside: what they are fed with, as text.
fn handed_over(words: &[Word], inside: &[Word], fed: &str) -> Option<String> {
    match wrapper::name(&words[0]) {
        "xargs" | "parallel" => Some(format!("$({})", fed.trim_end_matches(" | "))),
        "find" | "fd" => {
            let before = words.iter().take_while(|word| !word.text.starts_with("-exec") && word.text != "-x");
            inside
                .iter()
                .any(|word| word.text == "{}")
                .then(|| format!("$({})", texts(&before.cloned().collect::<Vec<_>>()).join(" ")))
        }
        _ => None,
    }
}

/// What a pipe prints, where it stands in the line itself.
fn piped_text(pipe: &str) -> Option<String> {
    let (said, rest) = pipe.split_once(" | ").map_or((pipe, ""), |(said, rest)| (said, rest));
    let (program, text) = said.split_once(' ')?;
    matches!(program, "echo" | "printf").then_some(())?;
    match rest {
        "" => Some(text.to_owned()),
        "base64 -d" | "base64 --decode" | "base64 -D" => of_base64(text),
        _ => None,
    }
}

/// The text that `encoded` is in base 64.
fn of_base64(encoded: &str) -> Option<String> {
    let (mut bits, mut known, mut bytes) = (0_u32, 0, Vec::new());
    for letter in encoded.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = ((bits << 6) | u32::from(value)) & 0xffff;
        known += 6;
        if known >= 8 {
            known -= 8;
            bytes.extend(u8::try_from((bits >> known) & 0xff));
        }
    }
    String::from_utf8(bytes).ok()
}

/// The words of the command inside all wrappers; none for a script, whose commands were read one by one.
fn innermost(mut words: &[Word]) -> Option<&[Word]> {
    for _ in 0..DEEPEST {
        match wrapper::unwrap(words) {
            Some(Inside::Words { words: inside, .. }) => words = inside,
            Some(Inside::Script { .. }) => return None,
            None => break,
        }
    }
    Some(words)
}

/// A list of one step.
fn alone(step: Step) -> List {
    let stages = vec![Command::Simple(Simple { step, ..Simple::default() })];
    List(
        vec![Item { chain: vec![(Link::First, Pipeline { negated: false, stages })], background: false }],
        Depth::Known,
    )
}
