//! `hansei self-report`: what only the agent can say about its work, left for its next stop.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::reflection::{MostLikelyWrong, UnitInterval};
use hansei_core::self_report::SelfReport;
use hansei_core::surface::Surface;
use hansei_record::places::SelfReportPlace;
use hansei_record::self_report;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;

/// Leave a self-report for the next stop: what the agent knows that the change does not show.
///
/// Example: hansei self-report --confidence 0.7 --wrong-surface auth --wrong "token refresh races" \
///            --not-in-diff "the staging database was migrated by hand"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[group(required = true, multiple = true, args = ["confidence", "wrong_surface", "wrong", "not_in_diff"])]
pub struct Arguments {
    /// How sure you are that the work is right, from 0 to 1.
    #[arg(long, value_name = "0..1", allow_hyphen_values = true)]
    confidence: Option<String>,
    /// The part most likely wrong: auth, data, infra, ui, build, test, docs or none.
    #[arg(long, value_name = "SURFACE", requires = "wrong")]
    wrong_surface: Option<String>,
    /// How it would be wrong.
    #[arg(long, value_name = "TEXT", requires = "wrong_surface")]
    wrong: Option<String>,
    /// What you know that the change does not show.
    #[arg(long, value_name = "TEXT")]
    not_in_diff: Option<String>,
    /// The session this belongs to [default: whichever stops next].
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print {path, report}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let report = SelfReport {
        session_id: arguments.session.clone(),
        confidence: arguments.confidence.as_deref().map(confidence).transpose()?,
        most_likely_wrong: match (&arguments.wrong_surface, &arguments.wrong) {
            (Some(surface), Some(description)) => {
                Some(MostLikelyWrong { surface: known_surface(surface)?, description: description.clone() })
            }
            _ => None,
        },
        known_not_in_diff: arguments.not_in_diff.clone(),
    };
    // The parser counts `--json` and `--session` as something to say.
    if report.confidence.is_none() && report.most_likely_wrong.is_none() && report.known_not_in_diff.is_none()
    {
        return Err(
            Failure::usage("--confidence, --wrong or --not-in-diff is required").hint("nothing was written")
        );
    }
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let place = workspace.places.self_report()?;
    let path = match &place {
        SelfReportPlace::Named(path) => path.clone(),
        SelfReportPlace::Usual(folder, name) => folder.path().join(name),
    };
    self_report::write(&place, &report)
        .map_err(|error| Failure::environment(format!("{} cannot be written: {error}", path.display())))?;
    if arguments.json {
        terminal::print_json(&json!({ "path": path.to_string_lossy(), "report": report }))?;
    } else {
        terminal::print(&format!(
            "noted for the next stop in {}\n",
            terminal::one_line(&path.to_string_lossy())
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn confidence(text: &str) -> Result<UnitInterval, Failure> {
    let number: Option<f64> = text.trim().parse().ok();
    number.and_then(|number| UnitInterval::try_from(number).ok()).ok_or_else(|| {
        Failure::usage(format!("--confidence takes a number from 0 to 1, not {text:?}"))
            .hint("nothing was written")
    })
}

fn known_surface(name: &str) -> Result<Surface, Failure> {
    Surface::from_name(name).ok_or_else(|| {
        Failure::usage(format!(
            "--wrong-surface takes {}, not {name:?}",
            Surface::ALL.map(Surface::name).join(", ")
        ))
        .hint("nothing was written")
    })
}
