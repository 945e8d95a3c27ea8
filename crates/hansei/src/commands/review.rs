//! `hansei review`: is a session's work really done? Verdict, evidence, risk and self-report on one screen, without hooks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hansei_agents::transcript::Found;
use hansei_core::evidence::{Class, Evidence, Found as Looked, Place, Proof, Situation, look};
use hansei_core::reflection::Reflection;
use hansei_core::session::{Action, Call, Session};
use hansei_core::verdict::{self, Autonomy, Judgement, Policy};
use hansei_record::redacted::Redacted;
use serde_json::{Value, json};

use super::log::reflections;
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{explained, homes, terminal};

/// The most pieces of evidence that are listed.
const MOST: usize = 12;

/// Review a session: is its work really done, what speaks for it and what against.
///
/// The exit code is the answer: 0 complete, 1 not.
///
/// Example: hansei review last
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The session's id or the beginning of it, or `last`.
    #[arg(default_value = "last")]
    session: String,
    /// For `last`: only of those that worked in this folder or below it.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let below = arguments.cwd.as_deref().filter(|_| arguments.session == "last");
    let (found, session) = if let Some(folder) = below {
        newest_below(folder)?
    } else {
        let found = homes::find(&arguments.session, None)?;
        let session = super::sessions::read(&found)
            .ok_or_else(|| Failure::environment(format!("{} cannot be read", found.file.display())))?;
        (found, session)
    };
    let situation = Situation::of(&session);
    let looked = look(&situation);
    let attended = session.circumstances.attended.unwrap_or(true);
    let autonomy = if attended { Autonomy::Ask } else { Autonomy::Auto };
    let judgement = verdict::judge(&situation, &looked.evidence, Policy { attended, autonomy })
        .ordered(&looked.evidence, looked.shape.as_ref());
    let reflection = reflection_of(&found);
    if arguments.json {
        let shown = as_json(&found, &judgement, &looked, reflection.as_ref());
        terminal::print_json(Redacted::new(&shown).map_err(std::io::Error::from)?.value())?;
    } else {
        terminal::print(&page(&found, &session, &judgement, &looked, reflection.as_ref()));
    }
    Ok(ExitCode::from(u8::from(!judgement.verdict.complete)))
}

/// The newest session that worked in `folder` or below it.
fn newest_below(folder: &Path) -> Result<(Found, Session), Failure> {
    let wrong = |error| Failure::usage(format!("--cwd {}: {error}", folder.display()));
    let below = std::fs::canonicalize(folder).map_err(wrong)?;
    let all = hansei_agents::sessions(&homes::of_user(), None).into_iter();
    let mut readable = all.filter_map(|found| super::sessions::read(&found).map(|session| (found, session)));
    let inside = |session: &Session| {
        session.circumstances.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(&below))
    };
    readable.find(|(_, session)| inside(session)).ok_or_else(|| {
        Failure::usage(format!("no session on this disk worked in {}", below.display()))
            .hint("`hansei sessions` lists all of them")
    })
}

/// The newest reflection of this session in the workspace here, if there is one.
fn reflection_of(found: &Found) -> Option<Reflection> {
    let workspace = Workspace::at(None).ok()?;
    let all = reflections(&workspace).ok()?;
    all.into_iter()
        .filter_map(|stored| stored.reflection.ok())
        .find(|reflection| reflection.session_id == found.id)
}

fn as_json(found: &Found, judgement: &Judgement, looked: &Looked, reflection: Option<&Reflection>) -> Value {
    json!({
        "session": found.id,
        "agent": found.agent,
        "verdict": judgement.verdict,
        "ending": judgement.standing,
        "p_complete": judgement.p_complete,
        "proof": Proof::of(&looked.claims),
        "claims": looked.claims,
        "unrecognised": looked.unrecognised,
        "evidence": looked.evidence,
        "risk": reflection.map(|reflection| &reflection.risk),
        "confidence": reflection.and_then(|reflection| reflection.confidence),
        "most_likely_wrong": reflection.and_then(|reflection| reflection.most_likely_wrong.as_ref()),
        "known_not_in_diff": reflection.and_then(|reflection| reflection.known_not_in_diff.as_ref()),
    })
}

fn page(
    found: &Found,
    session: &Session,
    judgement: &Judgement,
    looked: &Looked,
    reflection: Option<&Reflection>,
) -> String {
    let verdict = &judgement.verdict;
    let situation = Situation::of(session);
    let word = match (verdict.complete, verdict.requires_human_action) {
        (true, _) => "complete",
        (false, true) => "not complete, and the human is next",
        (false, false) => "not complete",
    };
    // Writing to a String cannot fail.
    let proof = match Proof::of(&looked.claims) {
        Some(Proof::Verified) => "; every claim is verified",
        Some(Proof::Contradicted) => "; a claim is contradicted",
        Some(Proof::Unproven) => "; not every claim is proven",
        None => "; nothing is claimed",
    };
    let mut page = format!("{word}{proof}\n\n");
    let _ = writeln!(page, "session   {} ({})", terminal::one_line(&found.id), found.agent);
    let _ = writeln!(page, "asked     {}", terminal::short(&situation.request(), 100));
    let _ = writeln!(page, "said      {}", terminal::short(&situation.last_words(), 100));
    let claims = (serde_json::to_value(&looked.claims), serde_json::to_value(&looked.unrecognised));
    let explained = explained::claims(&claims.0.unwrap_or_default(), &claims.1.unwrap_or_default());
    if !explained.is_empty() {
        let _ = write!(page, "\nclaims\n{explained}");
    }
    let (against, other): (Vec<&Evidence>, Vec<&Evidence>) =
        looked.evidence.iter().partition(|found| found.kind.class() != Class::Circumstance);
    for (title, list) in [("against it", against), ("beside it", other)] {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(page, "\n{title}");
        for found in list.iter().take(MOST) {
            let _ = writeln!(
                page,
                "  {}  [{}]",
                terminal::short(&found.text, 160),
                pointer(found.place, session)
            );
        }
        if list.len() > MOST {
            let _ = writeln!(page, "  and {} more: --json lists them all", list.len() - MOST);
        }
    }
    if !verdict.next_actions.is_empty() {
        let _ = writeln!(page, "\nnext");
        for action in &verdict.next_actions {
            let _ = writeln!(page, "  {action}");
        }
    }
    if let Some(reflection) = reflection {
        let _ = writeln!(
            page,
            "\nrisk      {} {:.2}, {} files changed",
            reflection.risk.surface,
            reflection.risk.score.get(),
            reflection.files_changed.len()
        );
        if let Some(confidence) = reflection.confidence {
            let _ = writeln!(page, "confident {:.2}", confidence.get());
        }
        if let Some(wrong) = &reflection.most_likely_wrong {
            let _ =
                writeln!(page, "wrong?    {}: {}", wrong.surface, terminal::short(&wrong.description, 100));
        }
        if let Some(aside) = &reflection.known_not_in_diff {
            let _ = writeln!(page, "not shown {}", terminal::short(aside, 100));
        }
    }
    page
}

/// Where something was seen, for a person to look it up.
fn pointer(place: Place, session: &Session) -> String {
    match place {
        Place::Call(at) => {
            let what = session.calls.get(at).map(what).unwrap_or_default();
            format!("call {}{what}", at + 1)
        }
        Place::LastWords => "last words".to_owned(),
        Place::Request => "request".to_owned(),
        Place::Todos => "list of things to do".to_owned(),
        Place::Instructions => "instructions".to_owned(),
        Place::Session => "session".to_owned(),
    }
}

fn what(call: &Call) -> String {
    match &call.action {
        Action::Run { command, .. } => format!(": {}", terminal::short(command, 40)),
        Action::Edit { paths } => {
            paths.first().map(|path| format!(": {}", terminal::short(path, 40))).unwrap_or_default()
        }
        _ => String::new(),
    }
}
