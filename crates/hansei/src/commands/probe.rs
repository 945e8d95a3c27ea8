//! `hansei probe`: what is wrong around the code, before anybody thinks about the code.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_record::redact::redact;
use hansei_workspace::layout::Layout;
use hansei_workspace::probe::{Finding, Look, look_whole};
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::{given_file, terminal};

/// The largest output of a failing command that is read.
const LARGEST_ERROR: u64 = 64 << 20;

/// Look for a failure's cause around the code: paths, variables, dependencies, versions, ports.
///
/// Deterministic probes, no model: imports and paths, configuration and environment variables,
/// dependencies (manifest, lock, installed), toolchain versions, fixtures and mocks, stale build
/// output, the wrong folder, ports in use, permissions, clock and locale, file-name case, line
/// endings, the state of git, a full disk. Nothing of the project is run. Exits 1 when something
/// was found, strongest first.
///
/// Examples:
///   hansei probe
///   npm test 2>&1 | hansei probe --command "npm test" --error - --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The project's folder [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// The command that fails: ranks what is found.
    #[arg(long, value_name = "CMD")]
    command: Option<String>,
    /// A file with what the command printed, or `-` for standard input: ranks what is found.
    #[arg(long, value_name = "FILE")]
    error: Option<PathBuf>,
    /// Print {findings: [{probe, cause, evidence, fix}]}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    crate::interruption::end_with_what_runs();
    let here = std::env::current_dir()?;
    let folder = arguments.workspace.as_ref().map_or_else(|| here.clone(), |folder| here.join(folder));
    if !folder.is_dir() {
        return Err(Failure::usage(format!("{} is not a folder", folder.display())));
    }
    let folder = folder.canonicalize()?;
    let error = match &arguments.error {
        Some(file) => {
            Some(String::from_utf8_lossy(&given_file::bytes("--error", file, LARGEST_ERROR)?).into_owned())
        }
        None => None,
    };
    let environment: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let layout = Layout::of(&folder);
    let looked = look_whole(&Look {
        root: layout.root(),
        folder: &folder,
        command: arguments.command.as_deref(),
        error: error.as_deref(),
        environment: &environment,
    });
    let findings: Vec<Finding> = looked.findings.iter().map(redacted).collect();
    if !looked.is_whole {
        anstream::eprintln!(
            "hansei: the time was up before every probe had looked; a smaller --workspace helps"
        );
    }
    if arguments.json {
        terminal::print_json(&json!({ "findings": findings }))?;
    } else {
        terminal::print(&page(&findings));
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Evidence quotes the project's own lines, which may hold anything.
pub fn redacted(finding: &Finding) -> Finding {
    let clean = |text: &str| redact(text).into_owned();
    Finding {
        probe: finding.probe,
        cause: clean(&finding.cause),
        evidence: clean(&finding.evidence),
        fix: clean(&finding.fix),
    }
}

fn page(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "nothing found around the code\n".to_owned();
    }
    let told = findings.iter().map(|finding| {
        format!(
            "{}: {}\n  seen  {}\n  fix   {}\n",
            finding.probe.name(),
            terminal::one_line(&finding.cause),
            terminal::one_line(&finding.evidence),
            terminal::one_line(&finding.fix),
        )
    });
    told.collect::<Vec<_>>().concat()
}
