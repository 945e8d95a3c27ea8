//! A team in `hansei run`: whether one is asked for, whether there can be one here, and where its trees lie.

use std::path::{Path, PathBuf};

use hansei_core::run::team::{DEFAULT, routed};
use hansei_core::run::{Mode, Run, Started};
use hansei_workspace::team_trees::{self, TeamTrees};

use super::crew::{self, Manner};
use crate::failure::Failure;
use crate::user_cache;
use crate::workspace::Workspace;

/// A team that somebody asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// The name of its template.
    pub template: String,
    /// What it is to do.
    pub task: String,
}

/// The team that a mode, an option or the task itself asks for, if one does.
pub fn asked(mode: Mode, option: Option<&str>, task: &str) -> Result<Option<Asked>, Failure> {
    let routed = routed(task);
    let in_task = routed.and_then(|routed| routed.template);
    if !matches!(mode, Mode::PlanExec | Mode::TeamCollab) && (option.is_some() || routed.is_some()) {
        let mode = mode.name();
        return Err(Failure::usage(format!("a team does not work in the mode {mode}; leave --mode away")));
    }
    let template = match (option, in_task) {
        (Some(option), Some(named)) if option != named => {
            return Err(Failure::usage(format!("--team {option} and @team:{named} are two teams; keep one")));
        }
        (Some(named), _) | (None, Some(named)) => named,
        (None, None) if routed.is_some() || mode == Mode::TeamCollab => DEFAULT,
        (None, None) => return Ok(None),
    };
    let task = routed.map_or(task, |routed| routed.task);
    if task.is_empty() {
        return Err(Failure::usage("the task is empty").hint("say behind @team what is to be done"));
    }
    Ok(Some(Asked { template: template.to_owned(), task: task.to_owned() }))
}

/// Fails where the team of a run cannot work here. Nobody is put in its place.
pub fn is_possible(workspace: &Workspace, started: &Started, manner: &Manner) -> Result<(), Failure> {
    let Some(template) = &started.team else { return Ok(()) };
    // What is on record may have come with a repository.
    template.clone().checked().map_err(|problem| Failure::usage(format!("the team on record: {problem}")))?;
    if matches!(workspace.layout, hansei_workspace::layout::Layout::Missing { .. }) {
        return Err(Failure::environment("a team needs a git repository, and there is none here")
            .hint("git init, and commit what is there; or let one agent do it, without --team and @team"));
    }
    if started.base.is_none() {
        return Err(Failure::environment("a team needs a commit to begin from, and there is none here")
            .hint("commit what is there; or let one agent do it, without --team and @team"));
    }
    team_trees::ready(workspace.layout.root())
        .map_err(|error| Failure::environment(error.to_string()).hint("install a newer git"))?;
    if folder().is_none() {
        return Err(Failure::environment(
            "a team needs a place for its trees, and neither HOME nor XDG_CACHE_HOME is set",
        ));
    }
    let run = Run::new(started.clone());
    for role in &template.roles {
        let Some(part) = run.assignment(&role.name, &[], 0) else { continue };
        if part.agent.is_none() && part.model.is_empty() {
            return Err(Failure::usage(format!(
                "the role {} works with our own agent and names no model",
                role.name
            )));
        }
        crew::speaker(&part, manner).map_err(|failure| {
            failure.about(&format!("the role {} of the team {}", role.name, template.name))
        })?;
    }
    Ok(())
}

/// The trees of a run's team, or why there are none. The run's name is that of its log: what the log says may be anything.
pub fn trees(run: &str, started: &Started, root: &Path) -> Result<TeamTrees, String> {
    let folder = folder().ok_or("there is no place for its trees")?;
    let base = started.base.as_deref().ok_or("there is no commit to begin from")?;
    TeamTrees::prepare(&folder, run, root, base).map_err(|error| error.to_string())
}

/// Removes what teams left whose process was killed.
pub fn tidy() {
    if let Some(folder) = folder().filter(|folder| folder.is_dir()) {
        team_trees::sweep(&folder);
    }
}

/// Where the trees of teams lie: in the user's cache folder, which no repository can name.
fn folder() -> Option<PathBuf> {
    Some(user_cache::here()?.folder().join("teams"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_which_team() {
        use Mode::{DirectChat, PlanExec, TeamCollab};
        for (mode, option, task, expected) in [
            (PlanExec, None, "mend it", Ok(None)),
            (PlanExec, None, "@team mend it", Ok(Some((DEFAULT, "mend it")))),
            (PlanExec, None, "@team:pair mend it", Ok(Some(("pair", "mend it")))),
            (PlanExec, Some("pair"), "mend it", Ok(Some(("pair", "mend it")))),
            (PlanExec, Some("pair"), "@team mend it", Ok(Some(("pair", "mend it")))),
            (PlanExec, Some("pair"), "@team:pair mend it", Ok(Some(("pair", "mend it")))),
            (PlanExec, Some("pair"), "@team:standard mend it", Err("two teams")),
            (TeamCollab, None, "mend it", Ok(Some((DEFAULT, "mend it")))),
            (TeamCollab, None, "@team:pair mend it", Ok(Some(("pair", "mend it")))),
            (PlanExec, None, "@team", Err("empty")),
            (DirectChat, None, "@team mend it", Err("direct_chat")),
            (DirectChat, Some("pair"), "mend it", Err("direct_chat")),
        ] {
            match (asked(mode, option, task), expected) {
                (Ok(asked), Ok(expected)) => {
                    let expected = expected
                        .map(|(template, task)| Asked { template: template.into(), task: task.into() });
                    assert_eq!(asked, expected, "{mode:?} {option:?} {task}");
                }
                (Err(failure), Err(part)) => assert!(failure.message().contains(part), "{task}"),
                (asked, _) => panic!("{mode:?} {option:?} {task}: {asked:?}"),
            }
        }
    }
}
