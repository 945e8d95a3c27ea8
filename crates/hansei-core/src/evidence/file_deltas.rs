//! What a task did to each file, whatever it was done with: what was there before the session and is gone, and what is
//! new. Lines that the session wrote itself and took away again are neither.
//!
//! Where the work tree's own diff against the session's base is at hand, it outranks what the calls suggest.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::took_effect;
use super::course::Course;
use super::file_world::{is_absolute, is_test_file, name_of, placed};
use super::git_command::Git;
use super::reading::only_looks;
use super::stream_edits::{How, Write, by_script, printed, writes};
use super::test_text::test_names;
use super::weakened_tests::holds_expectations;
use crate::check::CheckResult;
use crate::decision_memory::{Change, LineSide};
use crate::session::{Action, AnswerEnd, Call};

/// Stands between lines that do not follow each other.
pub(super) const BREAK: &str = "\u{0}";

/// What a task did to a file.
#[derive(Debug, Clone, Default)]
pub(super) struct FileDelta {
    pub(super) path: String,
    /// The newest call that changed it.
    pub(super) at: usize,
    /// Whether it was there before the session.
    pub(super) existed: bool,
    /// Whether it is gone, or has a name under which nobody looks for it.
    pub(super) removed: bool,
    /// The version of git that it was put back to, where it had not been touched before.
    pub(super) restored: Option<String>,
    /// Lines of before the session that are gone.
    pub(super) gone: Vec<String>,
    /// Lines that are new, with a [`BREAK`] between those that do not follow each other.
    pub(super) came: Vec<String>,
    /// Tests of before the session that are gone, and new ones.
    pub(super) tests_gone: Vec<String>,
    pub(super) tests_came: Vec<String>,
    /// Whether something of it is not known: a text that was cut, or a file that was written anew.
    pub(super) in_part: bool,
}

impl FileDelta {
    /// The lines that are gone, as a text.
    pub(super) fn gone_text(&self) -> String {
        self.gone.join("\n")
    }

    /// The lines that are new, as a text.
    pub(super) fn came_text(&self) -> String {
        self.came.iter().filter(|line| *line != BREAK).map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// A file while its changes are added up.
#[derive(Debug, Default)]
struct Sum {
    delta: FileDelta,
    own: Vec<String>,
    /// What a filter left out when it wrote a file of the session's own.
    left_out: String,
    own_tests: BTreeSet<String>,
    in_task: bool,
}

/// What the current task did to each file.
pub(super) fn file_deltas(course: &Course<'_>) -> Vec<FileDelta> {
    let start = course.task_start().0;
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut acts = false;
    for (at, call) in course.situation.session.calls.iter().enumerate() {
        acts |= at >= start && may_write(call);
        for mut write in written(course, at, call) {
            // Where the session's folder is not known, one tool says a path from it and another from the root.
            let same = |(known, sum): &(&String, &Sum)| {
                is_end_of(known, &write.path) && (is_absolute(known) || !sum.delta.existed)
                    || is_end_of(&write.path, known) && is_absolute(&write.path)
            };
            if let Some((known, _)) = sums.iter().find(same).filter(|_| !sums.contains_key(&write.path)) {
                write.path.clone_from(known);
            }
            let path = write.path.clone();
            let known = sums.contains_key(&path);
            let sum = sums.entry(path).or_default();
            if !known {
                sum.delta.path.clone_from(&write.path);
                sum.delta.existed = existed(course, at, &write);
            }
            // What another file says now, by a copy or by a move over it.
            let (from, to) = match &write.how {
                How::Moves(to) => (write.path.clone(), to.clone()),
                How::Copies(from) => (from.clone(), write.path.clone()),
                _ => (String::new(), String::new()),
            };
            if let Some(source) = sums.get(&from) {
                let (existed_there, text) = (source.delta.existed, source.own.join("\n"));
                let removed = source.left_out.clone();
                if existed_there || text.is_empty() && removed.is_empty() {
                    let to = sums.entry(to).or_default();
                    to.delta.existed |= existed_there;
                    to.delta.in_part = true;
                } else {
                    let how = if removed.is_empty() { How::Whole } else { How::Matches };
                    let over = Write { path: to.clone(), removed, added: text, how };
                    let existed = existed(course, at, &over) || is_read_before(call, &to);
                    let sum = sums.entry(to.clone()).or_default();
                    sum.delta.existed |= existed;
                    sum.delta.path = to;
                    sum.add(at, over, at >= start);
                    continue;
                }
            }
            if let Some(sum) = sums.get_mut(&write.path) {
                sum.add(at, write, at >= start);
            }
        }
    }
    match course.situation.changed.filter(|_| acts && !moves_the_base(course)) {
        Some(change) => of_diff(change, &sums, course.situation.session.calls.len().saturating_sub(1)),
        None => sums.into_values().filter(|sum| sum.in_task).map(|sum| sum.delta).collect(),
    }
}

impl Sum {
    fn add(&mut self, at: usize, write: Write, in_task: bool) {
        let delta = &mut self.delta;
        delta.at = at;
        self.in_task |= in_task;
        let (mut gone, mut came) = unlike(&write.removed, &write.added);
        delta.in_part |= is_cut(&write.removed) || is_cut(&write.added);
        match write.how {
            How::Restores(version) => {
                let fresh = self.own.is_empty() && delta.gone.is_empty();
                let untouched = fresh && delta.came.is_empty() && !delta.removed;
                let path = std::mem::take(&mut delta.path);
                *self = Self { in_task: self.in_task, ..Self::default() };
                self.delta = FileDelta {
                    path,
                    at,
                    existed: true,
                    restored: untouched.then(|| version.unwrap_or_else(|| "HEAD".to_owned())),
                    ..FileDelta::default()
                };
                return;
            }
            How::Removes => {
                delta.removed = delta.existed && in_task;
                return;
            }
            How::Moves(to) => {
                delta.removed = delta.existed && in_task && !is_test_file(&to);
                return;
            }
            How::Whole | How::Copies(_) => {
                self.left_out.clone_from(&write.removed);
                delta.in_part |= delta.existed;
                self.own.clear();
                delta.came.clear();
            }
            How::Matches => {
                // A pattern that the session's own lines match is about them.
                gone.retain(|pattern| !self.own.iter().any(|own| own.contains(pattern.as_str())));
            }
            How::Replaces | How::Appends => {}
        }
        delta.removed = false;
        let names = |text: &str| test_names(text).into_iter().collect::<BTreeSet<_>>();
        let (before, after) = (names(&write.removed), names(&write.added));
        for name in before.difference(&after) {
            if !self.own_tests.remove(name) && in_task && delta.existed {
                delta.tests_gone.push(name.clone());
            }
            delta.tests_came.retain(|came| came != name);
        }
        for name in after.difference(&before) {
            match delta.tests_gone.iter().position(|gone| gone == name) {
                Some(place) => drop(delta.tests_gone.remove(place)),
                None if in_task => {
                    self.own_tests.insert(name.clone());
                    delta.tests_came.push(name.clone());
                }
                None => drop(self.own_tests.insert(name.clone())),
            }
        }
        for line in gone {
            if let Some(place) = self.own.iter().position(|own| *own == line) {
                self.own.remove(place);
                if let Some(place) = delta.came.iter().position(|came| *came == line) {
                    delta.came.remove(place);
                }
            } else if in_task && delta.existed {
                delta.gone.push(line);
            }
        }
        came.retain(|line| match delta.gone.iter().position(|gone| gone == line) {
            Some(place) => {
                delta.gone.remove(place);
                false
            }
            None => true,
        });
        self.own.extend(came.iter().filter(|line| *line != BREAK).cloned());
        if in_task {
            delta.came.extend(came);
            delta.came.push(BREAK.to_owned());
        }
    }
}

/// The lines of each of two texts that the other lacks; where a line of both stood, those that are new are apart.
fn unlike(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let (mut gone, mut came) = (lines(before), Vec::new());
    for line in lines(after) {
        match gone.iter().position(|gone| *gone == line) {
            Some(place) => {
                gone.remove(place);
                came.push(BREAK.to_owned());
            }
            None => came.push(line),
        }
    }
    (gone, came)
}

/// Whether a text was cut before it came here, so that nothing follows from what it lacks.
fn is_cut(text: &str) -> bool {
    text.len() >= 6 * 1024
        || text.contains("characters cut ...]")
        || text.contains("[truncated")
        || text.contains("... truncated")
}

/// What a call wrote into files.
fn written(course: &Course<'_>, at: usize, call: &Call) -> Vec<Write> {
    let root = course.root();
    match (&call.action, &call.wrote) {
        (Action::Edit { paths }, Some(wrote))
            if call.end.as_ref().is_some_and(|end| end.end == AnswerEnd::Done) =>
        {
            let how = if wrote.whole { How::Whole } else { How::Replaces };
            if wrote.files.len() < 2 {
                let path = paths.first().map(|path| placed(path, None, root));
                let whole =
                    |path| Write { path, removed: wrote.removed.clone(), added: wrote.added.clone(), how };
                return path.map(whole).into_iter().collect();
            }
            let ends = wrote.files.iter().skip(1).map(|(_, added, removed)| (*added, *removed));
            let parts = wrote.files.iter().zip(ends.chain([(wrote.added.len(), wrote.removed.len())]));
            let part = |text: &str, from: usize, to: usize| text.get(from..to).unwrap_or_default().to_owned();
            parts
                .map(|((path, added, removed), (added_end, removed_end))| Write {
                    path: placed(path, None, root),
                    added: part(&wrote.added, *added, added_end),
                    removed: part(&wrote.removed, *removed, removed_end),
                    how: How::Replaces,
                })
                .collect()
        }
        (Action::Run { command: line, .. }, _) if took_effect(call, &course.commands[at]) => {
            let mut piped = String::new();
            let mut found = Vec::new();
            for command in &course.commands[at] {
                let place = |path: &str| placed(path, command.folder.as_deref(), root);
                for write in writes(command, line, &piped) {
                    found.extend(looped(line, &write.path).into_iter().map(|path| Write {
                        path: place(&path),
                        how: match &write.how {
                            How::Moves(to) => How::Moves(place(to)),
                            How::Copies(from) => How::Copies(place(from)),
                            how => how.clone(),
                        },
                        ..write.clone()
                    }));
                }
                if command.program() != "cat" || command.fed.is_some() {
                    piped = printed(command);
                }
            }
            // A line of PowerShell is a script of its own.
            if ["Set-Content", "Out-File", "Add-Content"].iter().any(|write| line.contains(write)) {
                found.extend(
                    by_script(line)
                        .into_iter()
                        .map(|write| Write { path: placed(&write.path, None, root), ..write }),
                );
            }
            found
        }
        _ => Vec::new(),
    }
}

/// The files that a loop's variable stands for: `for f in a.ts b.ts; do sed -i … $f; done`.
fn looped(line: &str, path: &str) -> Vec<String> {
    let name = path.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
    let files = name.and_then(|name| {
        let (_, rest) = line.split_once(&format!("for {name} in "))?;
        let files = rest.split([';', '\n']).next()?;
        (!files.contains(['$', '`'])).then(|| files.split_whitespace().map(str::to_owned).collect())
    });
    files.unwrap_or_else(|| vec![path.to_owned()])
}

/// Whether `path`, seen from the root, ends with all of `end`, seen from elsewhere.
fn is_end_of(path: &str, end: &str) -> bool {
    !is_absolute(end) && path.strip_suffix(end).is_some_and(|rest| rest.ends_with('/') && end.contains('/'))
}

/// Whether a command line names a file before it puts another in its place: it reads it.
fn is_read_before(call: &Call, path: &str) -> bool {
    let Action::Run { command, .. } = &call.action else { return false };
    let over = ["mv ", "cp "].iter().filter_map(|program| command.rfind(program)).max();
    over.is_some_and(|over| command[..over].contains(name_of(path)))
}

/// Whether a file was there before the session, as the first call that changes it and those before tell.
pub(super) fn existed(course: &Course<'_>, at: usize, write: &Write) -> bool {
    match write.how {
        How::Replaces if !write.removed.trim().is_empty() => return true,
        How::Matches | How::Restores(_) | How::Appends => return true,
        _ => {}
    }
    let name = name_of(&write.path);
    let says = |text: &str| {
        let mut places = text.match_indices(name);
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        places.any(|(at, _)| {
            apart(text[..at].chars().next_back()) && apart(text[at + name.len()..].chars().next())
        })
    };
    let calls = &course.situation.session.calls[..at];
    // Nobody but a check that finds it there speaks of it.
    let failed = course.checks.runs.iter().filter(|ran| ran.call < at && ran.result == CheckResult::Failed);
    let mut output = failed.filter_map(|ran| calls[ran.call].end.as_ref());
    let aside = write.path.starts_with("/tmp/");
    if !aside && output.any(|end| says(&end.output.text())) {
        return true;
    }
    let first =
        calls.iter().position(|call| matches!(&call.action, Action::Run { command, .. } if says(command)));
    match first.map(|first| &calls[first]) {
        // Who reads it, or checks it, finds it there.
        Some(call) => match &call.action {
            Action::Run { command, .. } => {
                let well = call.end.as_ref().is_some_and(|end| end.exit_code.is_none_or(|code| code == 0));
                (well && only_looks(command) || !call.checks.is_empty()) && !command.contains('>')
            }
            _ => false,
        },
        // What a red test compares with was there before.
        None if holds_expectations(&write.path)
            && course.checks.runs.iter().any(|ran| ran.call < at && ran.result == CheckResult::Failed) =>
        {
            true
        }
        // A file of which nobody spoke was there when it could be removed, unless somebody unseen made it.
        None => {
            matches!(write.how, How::Removes | How::Moves(_))
                && !calls.iter().any(|call| matches!(call.action, Action::Other | Action::Delegate { .. }))
        }
    }
}

fn may_write(call: &Call) -> bool {
    match &call.action {
        Action::Edit { .. } | Action::Other | Action::Delegate { .. } => true,
        Action::Run { command, .. } => !only_looks(command),
        _ => false,
    }
}

/// Whether the session took in what others wrote, so that a diff against its base is not its own work alone.
fn moves_the_base(course: &Course<'_>) -> bool {
    course.effective().filter_map(|(_, command)| Git::of(command)).any(|git| {
        matches!(git.does, "pull" | "merge" | "rebase" | "cherry-pick" | "am" | "revert" | "stash" | "switch")
            || git.does == "reset" && git.has(&["--hard"])
            || git.changes_to().is_some()
    })
}

/// The changes of the work tree since the session began.
fn of_diff(change: &Change, sums: &BTreeMap<String, Sum>, last: usize) -> Vec<FileDelta> {
    let delta = |file: &crate::decision_memory::FileChange| {
        let path = file.old_path.clone().or_else(|| file.new_path.clone())?;
        let (before, after) = (file.text(LineSide::Removed), file.text(LineSide::Added));
        let names = |text: &str| test_names(text).into_iter().collect::<BTreeSet<_>>();
        let (old, new) = (names(&before), names(&after));
        let (mut gone, mut came) = (Vec::new(), Vec::new());
        for line in &file.lines {
            match line.side {
                LineSide::Removed => gone.push(line.text.trim().to_owned()),
                LineSide::Added => came.push(line.text.trim().to_owned()),
                LineSide::Kept => came.push(BREAK.to_owned()),
            }
        }
        came.dedup();
        let seen = sums.get(&path);
        let hidden = |to: &String| is_test_file(&path) && !is_test_file(to);
        Some(FileDelta {
            at: seen.map_or(last, |sum| sum.delta.at),
            existed: file.old_path.is_some(),
            removed: file.new_path.as_ref().is_none_or(hidden),
            tests_gone: old.difference(&new).cloned().collect(),
            tests_came: new.difference(&old).cloned().collect(),
            restored: None,
            in_part: false,
            path,
            gone,
            came,
        })
    };
    change.files.iter().filter_map(delta).collect()
}
