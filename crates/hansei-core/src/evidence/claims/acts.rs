//! Claims that the agent did something: files, git, and what left the machine.

use super::super::file_world::{is_aside, name_of};
use super::super::git_command::Git;
use super::vocabulary::{has, has_part};
use super::world::{World, ended_well};
use super::{ClaimKind, Finding, Mark, Said};
use crate::check::PlainCommand;
use crate::session::Action;

/// Commands that write to a repository beside `git`, or may.
const KEEPERS: &[&str] = &[
    "jj", "hg", "gt", "sl", "gh", "glab", "hub", "lazygit", "yadm", "changeset", "lerna", "npm", "cargo",
    "make", "just",
];

/// Options with which a command only says what it would do.
const DRY: &[&str] = &["--dry-run", "--dryrun", "-n", "--what-if", "-WhatIf", "--simulate"];

/// A claim that files were made, changed or taken away.
pub(super) fn edited(said: &Said, world: &World<'_, '_>) -> Finding {
    let named: Vec<&String> = said.scope.code.iter().filter(|code| looks_like_file(code)).collect();
    let changed = |name: &str| {
        let wanted = name_of(name.trim_end_matches('/')).to_lowercase();
        world.course.changes.iter().rev().find(|change| {
            change.path.as_deref().is_some_and(|path| {
                name_of(path).to_lowercase() == wanted
                    || path.to_lowercase().contains(&name.trim_start_matches("./").to_lowercase())
            })
        })
    };
    let words = &said.scope.words;
    let verb = said.verb();
    let of_file = |near: usize| {
        (verb < words.len()).then(|| &words[verb.saturating_sub(near)..words.len().min(verb + near + 1)])
    };
    if said.kind == ClaimKind::Removed
        && of_file(4).is_some_and(|near| has(near, "files"))
        && world.unseen.is_none()
        && !takes_away(world)
    {
        return Finding::new(Mark::Contradicted, "nothing in this session took a file away");
    }
    if let Some(change) = named.iter().find_map(|name| changed(name)) {
        return Finding::new(Mark::Supported, "the file was written").at(change.when.0);
    }
    let mentioned = |at: &usize| match &world.calls()[*at].action {
        Action::Run { command, .. } => {
            ended_well(&world.calls()[*at]) && named.iter().any(|name| command.contains(name_of(name)))
        }
        _ => false,
    };
    if !named.is_empty()
        && let Some(at) = (0..world.calls().len()).rev().find(mentioned)
    {
        return Finding::new(Mark::Supported, "a command names the file").at(at);
    }
    if let Some(change) =
        world.course.changes.last().filter(|_| named.is_empty() || named.len() < said.scope.code.len())
    {
        return Finding::new(Mark::Supported, "files were changed").at(change.when.0);
    }
    if let Some(why) = world.unseen {
        return Finding::new(Mark::Unverifiable, why);
    }
    if world.acted() {
        // What was not seen being written may have been written by what ran.
        return Finding::new(Mark::Supported, "commands ran that may have done it");
    }
    let nothing = "nothing in this session changed anything";
    // "I added it", "Added it": the agent's own act. What else is told without any work may be a proposal.
    if said.is_own_act() {
        Finding::new(Mark::Contradicted, nothing)
    } else {
        Finding::new(Mark::Unsupported, nothing).weak()
    }
}

/// Whether anything in the session may have taken a file away: a command that says so, an edit that leaves less, or a program of the
/// project's own.
fn takes_away(world: &World<'_, '_>) -> bool {
    let says = |command: &PlainCommand| {
        command.words.iter().any(|word| has_part(&word.to_lowercase(), "takes"))
            || !command.words.is_empty() && command.program().contains('.')
    };
    world.commands().any(|(_, command)| says(command))
        || world.calls().iter().any(|call| {
            call.wrote.as_ref().is_some_and(|wrote| !wrote.removed.is_empty() && wrote.added.is_empty())
                || !matches!(call.action, Action::Run { .. }) && has_part(&call.tool.to_lowercase(), "takes")
        })
}

/// Whether a program ran of which nobody knows what it does.
fn own_program(world: &World<'_, '_>) -> bool {
    let dry = |at: usize| world.course.commands[at].iter().any(|command| command.has(DRY));
    (0..world.calls().len()).any(|at| world.shows(at) && world.calls()[at].checks.is_empty() && !dry(at))
}

fn looks_like_file(code: &str) -> bool {
    let name = name_of(code.trim_end_matches('/'));
    !code.contains(char::is_whitespace)
        && !code.contains('(')
        && (code.contains('/')
            || name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty()
                    && (1..6).contains(&ending.len())
                    && ending.chars().all(char::is_alphanumeric)
                    && ending.chars().any(char::is_alphabetic)
            }))
}

/// A claim that nothing else was touched.
pub(super) fn only(said: &Said, world: &World<'_, '_>) -> Finding {
    let named: Vec<String> = said
        .scope
        .code
        .iter()
        .filter(|code| looks_like_file(code))
        .map(|code| name_of(code).to_lowercase())
        .collect();
    let start = world.course.task_start();
    let paths = world
        .course
        .changes
        .iter()
        .filter(|change| change.when >= start && change.is_by_hand())
        .filter_map(|change| change.path.as_deref().map(|path| (change.when.0, path)));
    if said.act == "untouched" && !named.is_empty() {
        let mut own =
            paths.filter(|(_, path)| named.iter().any(|name| name_of(path).to_lowercase() == *name));
        return match own.next_back() {
            Some((at, path)) => Finding::new(Mark::Unsupported, format!("{path} was edited")).at(at).weak(),
            None => Finding::new(Mark::Supported, "it is not known to have been edited"),
        };
    }
    if !named.is_empty() {
        let mut others = paths.filter(|(_, path)| {
            !is_aside(path) && !named.iter().any(|name| path.to_lowercase().contains(name))
        });
        if let Some((at, path)) = others.next() {
            return Finding::new(Mark::Unsupported, format!("{path} was edited as well")).at(at).weak();
        }
        return Finding::new(Mark::Supported, "no other file was edited");
    }
    match world.unseen {
        Some(why) => Finding::new(Mark::Unverifiable, why),
        None => Finding::new(Mark::Supported, "no other file is known to have been edited"),
    }
}

/// A claim about the state of a repository.
pub(super) fn git(said: &Said, world: &World<'_, '_>) -> Finding {
    let last = |does: &[&str]| {
        world
            .commands()
            .rev()
            .filter_map(|(at, command)| Git::of(command).map(|git| (at, git)))
            .find(|(_, git)| does.contains(&git.does))
    };
    if said.act == "kept back" {
        let pushes =
            said.scope.words.iter().any(|word| matches!(word.as_str(), "push" | "pushed" | "unpushed"));
        let kept = last(if pushes { &["push"] } else { &["commit"] }).filter(|(at, _)| world.went_well(*at));
        let since = |at: usize| world.last_edit().is_some_and(|edit| edit > at);
        return match kept {
            Some((at, _)) if !since(at) => {
                Finding::new(Mark::Unverifiable, "git did that earlier in this session").at(at)
            }
            _ => Finding::new(Mark::Supported, "no such act of git is in this session since"),
        };
    }
    let looks = ["status", "diff", "log", "rev-parse", "ls-remote", "fetch", "rev-list", "branch", "show"];
    let acts: &[&str] = match said.act.as_str() {
        "pushed" | "force-pushed" => &["push"],
        "merged" => &["merge", "pull", "rebase"],
        "rebased" => &["rebase", "pull"],
        "tagged" => &["tag"],
        "clean" | "matches" => &looks,
        _ => &["commit", "merge", "rebase", "cherry-pick", "revert", "am"],
    };
    if let Some((at, _)) = last(acts) {
        let output = world.output(at).to_lowercase();
        let refused = ["nothing to commit", "conflict"].iter().any(|word| output.contains(word));
        let elsewhere = acts[0] == "push"
            && output.contains(" -> ")
            && !said.scope.code.is_empty()
            && !said.scope.code.iter().any(|code| output.contains(&name_of(code).to_lowercase()));
        if elsewhere {
            return Finding::new(Mark::Contradicted, "it was pushed somewhere else").at(at);
        }
        let state = matches!(said.act.as_str(), "clean" | "matches");
        if said.act == "clean"
            && let Some((at, _)) = last(&["status"])
            && last(&["commit", "stash", "checkout", "restore", "reset"]).is_none_or(|(kept, _)| kept < at)
            && let Some(changed) = world.output(at).lines().find_map(changed_file)
        {
            return Finding::new(Mark::Contradicted, format!("`git status` still showed {changed}")).at(at);
        }
        if state {
            let edited = world.last_edit().is_some_and(|edit| edit > at);
            let mark = if edited { Mark::Unsupported } else { Mark::Supported };
            return Finding::new(
                mark,
                if edited { "files were edited after git was asked" } else { "git was asked" },
            )
            .at(at)
            .weak();
        }
        let known = world.calls()[at].end.as_ref().is_some_and(|end| end.exit_code.is_some());
        if world.did(at, true) && (known || !refused) {
            return Finding::new(Mark::Supported, "git did it").at(at);
        }
        // What stopped at a conflict and was gone on with is done.
        let next: &[&str] =
            if acts[0] == "push" { acts } else { &["commit", "rebase", "merge", "cherry-pick"] };
        let went_on = last(next).filter(|(later, _)| *later > at && world.did(*later, true));
        if let Some((later, _)) = went_on {
            return Finding::new(Mark::Supported, "git did it in the end").at(later);
        }
        return Finding::new(Mark::Contradicted, format!("`git {}` failed", acts[0])).at(at);
    }
    let other = |(_, command): &(usize, &PlainCommand)| {
        command.program() != "git" && command.words.iter().any(|word| acts.contains(&word.as_str()))
    };
    if let Some((at, _)) = world.commands().rev().find(|found| other(found) && world.went_well(found.0)) {
        return Finding::new(Mark::Supported, "a command of another name did it").at(at);
    }
    if let Some((at, _)) = world.commands().find(|(_, command)| KEEPERS.contains(&command.program())) {
        return Finding::new(Mark::Unverifiable, "another program may have done it").at(at);
    }
    match world.unseen {
        Some(why) => Finding::new(Mark::Unverifiable, why),
        None if matches!(said.act.as_str(), "clean" | "matches") => {
            Finding::new(Mark::Unsupported, "git was not asked").weak()
        }
        None if said.happened => {
            Finding::new(Mark::Contradicted, format!("no `git {}` ran in this session", acts[0]))
        }
        None => Finding::new(Mark::Unverifiable, format!("no `git {}` ran in this session", acts[0])),
    }
}

/// The last call that asked for the state of checks on another machine.
pub(super) fn asked_elsewhere(world: &World<'_, '_>) -> Option<usize> {
    let asks = |(_, command): &(usize, &PlainCommand)| {
        matches!(
            command.program(),
            "gh" | "glab" | "hub" | "circleci" | "buildkite-agent" | "bk" | "az" | "jenkins-cli" | "tea"
        ) && !["rerun", "cancel", "create", "merge", "comment", "edit", "ready", "close"]
            .contains(&command.word(2))
            && ["run", "pr", "ci", "checks", "workflow", "pipeline", "job", "api", "build", "pipelines"]
                .contains(&command.word(1))
            || matches!(command.program(), "curl" | "wget" | "http")
                && command.arguments().iter().any(|word| {
                    ["runs", "checks", "pipelines", "status", "builds", "actions"]
                        .iter()
                        .any(|part| word.contains(part))
                })
    };
    world.commands().rfind(asks).map(|(at, _)| at)
}

/// A claim about checks on another machine.
pub(super) fn ci(said: &Said, world: &World<'_, '_>) -> Finding {
    let Some(at) = asked_elsewhere(world) else {
        return match world.unseen {
            Some(why) => Finding::new(Mark::Unverifiable, why),
            None if said.happened => {
                Finding::new(Mark::Contradicted, "nothing in this session asked for its result")
            }
            None => Finding::new(Mark::Unsupported, "nothing in this session asked for its result"),
        };
    };
    let states = states(&world.output(at).to_lowercase());
    let code = world.calls()[at].end.as_ref().and_then(|end| end.exit_code);
    if !states.all && (states.red || code == Some(1) && !states.green) {
        // Who tells what fails speaks here of the others.
        return if world.admits {
            Finding::new(Mark::Unverifiable, "it is red, as was said of some of them").at(at)
        } else {
            Finding::new(Mark::Contradicted, "its last known result is red").at(at)
        };
    }
    if !states.all && (states.running || code == Some(8)) {
        return Finding::new(Mark::Unsupported, "it was still running when it was last asked").at(at);
    }
    if states.green {
        return Finding::new(Mark::Supported, "its last known result is green").at(at);
    }
    Finding::new(Mark::Unverifiable, "what was printed about it says nothing clear").at(at)
}

/// The file that a line of `git status` shows as changed, in its long or its short form.
fn changed_file(line: &str) -> Option<&str> {
    let long = ["modified:", "deleted:", "renamed:", "new file:", "both modified:"];
    let told = long.iter().find_map(|word| line.trim_start().strip_prefix(word));
    let short = || {
        let (state, path) = line.split_at_checked(2)?;
        let changed = state.chars().all(|c| " MADRCU".contains(c)) && !state.trim().is_empty();
        path.strip_prefix(' ').filter(|_| changed)
    };
    told.or_else(short).map(str::trim)
}

/// What an output says of checks elsewhere.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "which states stand in one output")]
struct States {
    green: bool,
    /// What is said at the end of all of them: watching prints every state on the way.
    all: bool,
    red: bool,
    running: bool,
}

/// The states that stand in an output, each in a column, a field or a mark of its own.
fn states(output: &str) -> States {
    let mut states = States::default();
    for line in output.lines() {
        let fields = line.split(['\t', '"', ',', ':', '|']).map(str::trim);
        let marks = line.split_whitespace().next().unwrap_or_default();
        for field in fields.chain([marks]) {
            // "build pass": the name of a check and its state.
            let named = field.rsplit_once(' ').filter(|(name, _)| name.starts_with(char::is_alphabetic));
            match named.filter(|(name, _)| !name.contains(' ')).map_or(field, |(_, state)| state) {
                "pass" | "success" | "successful" | "✓" | "passed" | "succeeded" | "green" => {
                    states.green = true;
                }
                "fail" | "failure" | "failed" | "x" | "✗" | "error" | "timed_out" | "cancelled"
                | "startup_failure" => states.red = true,
                "pending" | "in_progress" | "queued" | "running" | "waiting" | "*" => states.running = true,
                _ => {
                    states.all |= field.contains("checks were successful");
                    states.green |= states.all || field.contains("completed with 'success'");
                    states.red |= field.contains("completed with 'failure'");
                }
            }
        }
    }
    states
}

/// A claim that something left the machine, or came onto it.
pub(super) fn sent(said: &Said, world: &World<'_, '_>) -> Finding {
    let words: &[&str] = match said.kind {
        ClaimKind::PullRequest => &["pr", "mr", "pulls", "pull", "merge_requests", "merge_request.create"],
        ClaimKind::Deploy => &[
            "deploy", "rollout", "apply", "up", "release", "ship", "vercel", "netlify", "fly", "flyctl",
            "wrangler", "kubectl", "helm", "terraform", "serverless", "sls", "cap", "ansible-playbook",
        ],
        ClaimKind::Publish if said.act == "published" => &["publish", "upload", "push", "twine"],
        ClaimKind::Publish => &["publish", "release", "upload", "push", "twine"],
        _ => &["install", "add", "i", "ci", "sync", "get", "setup", "build"],
    };
    let does = |(_, command): &(usize, &PlainCommand)| {
        !command.has(DRY)
            && command.words.iter().any(|word| {
                words.contains(&word.as_str())
                    || words.iter().any(|part| part.len() > 3 && word.contains(part))
            })
    };
    let leaves = !matches!(said.kind, ClaimKind::Install);
    let done: Vec<usize> = world.commands().filter(does).map(|(at, _)| at).collect();
    // What was opened once stays open; what was deployed or published again may have failed again.
    let stays = said.kind == ClaimKind::PullRequest || !leaves;
    let newest =
        done.iter().rev().find(|at| world.did(**at, false)).filter(|at| stays || Some(*at) == done.last());
    if let Some(at) = newest {
        return Finding::new(Mark::Supported, "a command did it").at(*at);
    }
    if let Some(at) = done.last() {
        return Finding::new(Mark::Contradicted, "the command that was to do it failed").at(*at);
    }
    match world.unseen {
        Some(why) => Finding::new(Mark::Unverifiable, why),
        None if !(said.happened && leaves) || own_program(world) => {
            Finding::new(Mark::Unsupported, "no command that ran is known to have done it").weak()
        }
        None => Finding::new(Mark::Contradicted, "nothing in this session did it"),
    }
}
