//! `hansei decisions`: what was decided here and what was rejected, whether a change or a plan goes against it, and how a
//! decision is revised.

mod page;
pub mod source;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use hansei_core::decision_memory::{BaseUses, Change, Memory, Violation, check_change, check_plan, revise};
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;
pub use page::violations as violations_page;
use source::{Source, given};

/// Remember what was decided and what was rejected, and hold changes and plans against it.
///
/// Decisions stand in the repository: `[DEF:id:ADR]` blocks, @RATIONALE: and @REJECTED: in comments
/// of any language, and ADR folders (docs/adr, docs/decisions). Names in back quotes behind
/// @REJECTED: are what may not come back. Only a document that supersedes a decision and gives new
/// evidence lifts it.
///
/// Examples:
///   hansei decisions
///   hansei decisions show ADR-0003
///   hansei decisions check --staged
///   hansei decisions check --plan plan.md --json
///   hansei decisions revise ADR-0003 --evidence "p99 is 80 ms without it, 9 ms with it"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the decisions of the work tree.
    ///
    /// Example: hansei decisions list --json
    List,
    /// Show one decision: its id, its number, or its file.
    ///
    /// Example: hansei decisions show ADR-0003
    Show {
        /// Which.
        id: String,
    },
    /// Say what a change or a plan does against the decisions of its base (exit 1 when it does).
    ///
    /// Without a form it compares the work tree, untracked files included, with HEAD. Decisions are
    /// read from the base, so that nobody deletes one to be allowed.
    ///
    /// Example: hansei decisions check --base main --json
    #[command(verbatim_doc_comment)]
    Check(CheckArguments),
    /// Write the bounded packet that proposes to revise a decision by new evidence.
    ///
    /// Example: hansei decisions revise ADR-0003 --evidence "the bug was fixed in version 4"
    Revise {
        /// Which.
        id: String,
        /// What is known now that was not known then; may be given several times.
        #[arg(long, value_name = "TEXT", required = true)]
        evidence: Vec<String>,
    },
}

#[derive(Debug, clap::Args)]
struct CheckArguments {
    /// What is staged, against HEAD.
    #[arg(long, conflicts_with_all = ["base", "diff", "plan"])]
    staged: bool,
    /// The index that is committed, as git names it to its hooks.
    #[arg(long, value_name = "FILE", requires = "staged", hide = true)]
    index: Option<PathBuf>,
    /// Everything since the work tree grew from REV.
    #[arg(long, value_name = "REV", conflicts_with_all = ["diff", "plan"])]
    base: Option<String>,
    /// A unified diff from a file, or from standard input with `-`, against HEAD.
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    diff: Option<PathBuf>,
    /// A plan in words from a file, or from standard input with `-`.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Answer {
    crate::interruption::end_with_what_runs();
    let workspace = Workspace::at(None)?;
    let source = Source::of(&workspace)?;
    match &arguments.what {
        None | Some(What::List) => {
            let memory = source.now()?;
            if arguments.json {
                terminal::print_json(&memory)?;
            } else {
                terminal::print(&page::list(&memory));
            }
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Show { id }) => {
            let memory = source.now()?;
            let decision = named(&memory, id)?;
            if arguments.json {
                terminal::print_json(decision)?;
            } else {
                terminal::print(&page::decision(decision));
            }
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Check(form)) => {
            let found = check(&source, form)?;
            if arguments.json {
                terminal::print_json(&json!({ "violations": found }))?;
            } else {
                terminal::print(&page::violations(&found));
            }
            Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
        Some(What::Revise { id, evidence }) => {
            let memory = source.now()?;
            let packet = revise(named(&memory, id)?, evidence).map_err(|error| {
                Failure::usage(error.to_string()).hint("say it with --evidence, in a sentence")
            })?;
            if arguments.json {
                terminal::print_json(&packet)?;
            } else {
                terminal::print(&terminal::visible(&packet.text()));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn named<'a>(memory: &'a Memory, id: &str) -> Result<&'a hansei_core::decision_memory::Decision, Failure> {
    memory.called(id).ok_or_else(|| {
        Failure::usage(format!("there is no decision {id:?} here")).hint("`hansei decisions` lists them")
    })
}

fn check(source: &Source, form: &CheckArguments) -> Result<Vec<Violation>, Failure> {
    if let Some(plan) = &form.plan {
        let text = given(plan, "--plan")?;
        if text.contains('\0') {
            return Err(Failure::usage("--plan: it is no text in UTF-8"));
        }
        let name = if plan == Path::new("-") { "-".to_owned() } else { plan.to_string_lossy().into_owned() };
        return Ok(check_plan(&source.for_a_plan()?, &name, &text));
    }
    let (base, change) = match (&form.diff, &form.base) {
        (Some(diff), _) => {
            let text = given(diff, "--diff")?;
            let mut change = Change::read(&text)
                .map_err(|error| Failure::usage(format!("--diff {}: {error}", diff.display())))?;
            let base = source.head()?;
            source.complete(base.as_deref(), &mut change)?;
            (base, change)
        }
        (None, Some(revision)) => {
            let base = source.grown_from(revision)?;
            let change = source.work_tree_since(Some(&base))?;
            (Some(base), change)
        }
        (None, None) if form.staged => {
            let base = source.head()?;
            let change = source.staged_since(base.as_deref(), form.index.as_deref())?;
            (base, change)
        }
        (None, None) => {
            let base = source.head()?;
            let change = source.work_tree_since(base.as_deref())?;
            (base, change)
        }
    };
    let memory = source.at(base.as_deref())?;
    let uses: BaseUses = source.uses(base.as_deref(), &memory)?;
    Ok(check_change(&memory, &change, &uses))
}
