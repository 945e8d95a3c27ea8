//! `hansei index`: brings the index up to date with the logs, and checks it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hansei_store::Counts;
use hansei_store::catch_up::CaughtUp;
use serde_json::{Value, json};

use crate::failure::{Answer, Failure};
use crate::index::{Index, home_of, is_on_server, opted_in, user_folder};
use crate::terminal;
use crate::workspace::Workspace;

/// Bring the index over the logs up to date, so that `hansei log` can search.
///
/// The index is .hansei/index.db, or the team's PostgreSQL server (store.url in your own
/// config.toml). The logs are the truth: an index that is deleted is built again, equal.
///
/// Example: hansei index --check
/// Example: hansei index --user --add ~/work/project
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Arguments {
    /// Your own index, over all workspaces that you opted in.
    #[arg(long, conflicts_with = "repo")]
    user: bool,
    /// Opt a workspace in [default: the one here]
    #[arg(long, value_name = "DIR", requires = "user", num_args = 0..=1, default_missing_value = ".")]
    add: Option<PathBuf>,
    /// Take a workspace out again [default: the one here]
    #[arg(long, value_name = "DIR", requires = "user", num_args = 0..=1, default_missing_value = ".")]
    remove: Option<PathBuf>,
    /// Compare the index with one that is built anew; exit 1 if they differ.
    #[arg(long)]
    check: bool,
    /// Delete the index and build it again.
    #[arg(long)]
    rebuild: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let (homes, removed) = if arguments.user {
        workspaces(arguments, &workspace)?
    } else {
        (vec![home_of(workspace.layout.home())], None)
    };
    let open = || {
        if arguments.user { Index::of_user(&workspace.environment) } else { Index::of_workspace(&workspace) }
    };
    if arguments.rebuild {
        delete(arguments.user, &workspace)?;
    }
    let mut index = open()?;
    let start = Instant::now();
    let mut read = Vec::new();
    for home in &homes {
        read.push((index.name_of(home), index.catch_up(home, &workspace.environment)?));
    }
    let took = start.elapsed();
    if let Some(home) = &removed {
        index.forget(home)?;
    }
    let counts = count(&mut index, &read)?;
    let differing = if arguments.check { Some(check(&mut index, &homes, &read, &workspace)?) } else { None };
    if arguments.json {
        terminal::print_json(&as_json(&index, &read, took, &counts, differing.as_deref()))?;
    } else {
        print(&index, &read, took, &counts, differing.as_deref());
    }
    let is_equal = differing.is_none_or(|differing| differing.is_empty());
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The workspaces that are opted in, after the change that was asked for, and the one that was taken out.
fn workspaces(
    arguments: &Arguments,
    workspace: &Workspace,
) -> Result<(Vec<PathBuf>, Option<PathBuf>), Failure> {
    let environment = &workspace.environment;
    let mut list = opted_in(environment)?;
    let named = |folder: &Path| home_of(&environment.folder.join(folder));
    let (mut changed, mut removed) = (false, None);
    if let Some(folder) = &arguments.add {
        let folder = environment.folder.join(folder);
        if !folder.is_dir() {
            return Err(Failure::usage(format!("{} is not a folder", folder.display())));
        }
        changed |= list.add(&named(&folder));
    }
    if let Some(folder) = &arguments.remove {
        let home = named(folder);
        if !list.remove(&home) {
            return Err(Failure::usage(format!("{} is not opted in", home.display())));
        }
        changed = true;
        removed = Some(home);
    }
    if changed {
        list.write(&user_folder(environment)?)?;
    }
    Ok((list.workspaces, removed))
}

/// Removes the file of the index, with what SQLite keeps beside it.
fn delete(user: bool, workspace: &Workspace) -> Result<(), Failure> {
    if is_on_server(&workspace.environment)? {
        return Err(Failure::usage(
            "the team's server is its log, and is not built again from this machine's files",
        ));
    }
    let folder =
        if user { user_folder(&workspace.environment)? } else { workspace.places.own()?.path().to_owned() };
    let Ok(folder) = hansei_record::folder::Folder::existing(&folder) else { return Ok(()) };
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        folder.remove(name)?;
    }
    Ok(())
}

fn count(index: &mut Index, read: &[(String, CaughtUp)]) -> Result<Counts, Failure> {
    let mut all = Counts::default();
    for (name, _) in read {
        let counts = index.store.counts(Some(name))?;
        all.streams += counts.streams;
        all.events += counts.events;
        all.malformed += counts.malformed;
        all.sessions += counts.sessions;
        all.reflections += counts.reflections;
        all.verdicts += counts.verdicts;
        all.runs += counts.runs;
        all.outcomes += counts.outcomes;
    }
    Ok(all)
}

/// The tables in which the index differs from one that is built anew.
fn check(
    index: &mut Index,
    homes: &[PathBuf],
    read: &[(String, CaughtUp)],
    workspace: &Workspace,
) -> Result<Vec<String>, Failure> {
    let folder = tempfile::tempdir()?;
    let mut anew = index.anew(folder.path())?;
    let mut differing = Vec::new();
    for (home, (name, _)) in homes.iter().zip(read) {
        anew.catch_up(home, &workspace.environment)?;
        let [ours, theirs] = [tables(index, name)?, tables(&mut anew, name)?];
        let all = ours.keys().chain(theirs.keys()).collect::<std::collections::BTreeSet<_>>();
        differing.extend(
            all.into_iter()
                .filter(|table| ours.get(*table) != theirs.get(*table))
                .map(|table| format!("{name}: {table}")),
        );
    }
    Ok(differing)
}

/// What each table holds: how many rows, and a number that changes with any of them.
fn tables(index: &mut Index, workspace: &str) -> Result<BTreeMap<String, (u64, u64)>, Failure> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut tables: BTreeMap<String, (u64, DefaultHasher)> = BTreeMap::new();
    let taken = index.store.dump(Some(workspace), &mut |line| {
        let table = line.split('"').nth(1).unwrap_or_default();
        let (rows, hasher) = tables.entry(table.to_owned()).or_default();
        *rows += 1;
        line.hash(hasher);
    });
    taken?;
    Ok(tables.into_iter().map(|(table, (rows, hasher))| (table, (rows, hasher.finish()))).collect())
}

fn per_second(events: u64, took: Duration) -> Option<u64> {
    let milliseconds = u64::try_from(took.as_millis()).ok()?;
    (events > 0 && milliseconds > 0).then(|| events.saturating_mul(1000) / milliseconds)
}

fn sum(read: &[(String, CaughtUp)], part: impl Fn(&CaughtUp) -> u64) -> u64 {
    read.iter().map(|(_, read)| part(read)).sum()
}

fn as_json(
    index: &Index,
    read: &[(String, CaughtUp)],
    took: Duration,
    counts: &Counts,
    differing: Option<&[String]>,
) -> Value {
    let events = sum(read, |read| read.events);
    let mut answer = json!({
        "place": index.store.place(),
        "workspaces": read.iter().map(|(name, read)| json!({ "workspace": name, "read": read })).collect::<Vec<_>>(),
        "new_events": events,
        "seconds": took.as_secs_f64(),
        "events_per_second": per_second(events, took),
        "holds": counts,
    });
    if let Some(differing) = differing {
        answer["check"] = json!({ "equal": differing.is_empty(), "differs": differing });
    }
    answer
}

fn print(
    index: &Index,
    read: &[(String, CaughtUp)],
    took: Duration,
    counts: &Counts,
    differing: Option<&[String]>,
) {
    let line = |text: &str| terminal::print(&format!("{}\n", terminal::visible(text)));
    line(index.store.place());
    for (name, read) in read {
        let mut said = vec![format!("{} new event{}", read.events, if read.events == 1 { "" } else { "s" })];
        let others = [
            (read.records, "records read"),
            (read.logs_replaced, "logs replaced"),
            (read.malformed, "lines that are no events"),
            (read.forgotten, "gone"),
        ];
        let others = others.into_iter().filter(|(number, _)| *number > 0);
        said.extend(others.map(|(number, what)| format!("{number} {what}")));
        line(&format!("{name}: {}", said.join(", ")));
    }
    if read.is_empty() {
        line("no workspace is opted in: `hansei index --user --add` in one does it");
    }
    if let Some(rate) = per_second(sum(read, |read| read.events), took) {
        line(&format!("{rate} events/s"));
    }
    line(&format!(
        "holds {} events of {} logs, {} sessions, {} reflections, {} verdicts, {} runs, {} outcomes",
        counts.events,
        counts.streams,
        counts.sessions,
        counts.reflections,
        counts.verdicts,
        counts.runs,
        counts.outcomes
    ));
    match differing {
        None => {}
        Some([]) => line("equal to one that is built anew"),
        Some(differing) => {
            line("differs from one that is built anew:");
            for table in differing {
                line(&format!("  {table}"));
            }
            line("`hansei index --rebuild` builds it again");
        }
    }
}
