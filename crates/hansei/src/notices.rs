//! Tells a person who is elsewhere, in the ways that their own settings name: the desktop, a program, a webhook. Each at
//! the same time, and all of them within [`LIMIT`]: a hook may be waiting.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use hansei_core::notice::Notice;
use hansei_record::cache::CacheName;
use hansei_record::notify_settings::NotifySettings;
use hansei_record::redacted::Redacted;
use hansei_record::settings::Layers;
use hansei_workspace::bounded_process;
use hansei_workspace::program::{self, Workspace};

use crate::user_cache;

/// The longest that telling takes.
pub const LIMIT: Duration = Duration::from_secs(2);

/// How long it is remembered that something was told. A session that has been silent for longer is nobody's any more.
pub const REMEMBERED: Duration = Duration::from_mins(55);

/// How telling went, by the names of the ways.
#[derive(Debug, Default)]
pub struct Told {
    /// Those that worked.
    pub ways: Vec<String>,
    /// Those that did not, and why.
    pub failed: Vec<String>,
}

/// The ways that the user's own file names; none where it cannot be read.
pub fn of_user(settings: Option<&Path>) -> NotifySettings {
    Layers::load(None, settings).map(|layers| layers.notify().0).unwrap_or_default()
}

/// Tells `notice` about this stop, unless somebody did: a hook and `hansei watch` may both see it.
pub fn tell_once(settings: &NotifySettings, notice: &Notice, stop: &str) -> Option<Told> {
    let cache = user_cache::here();
    let about = notice.event.words();
    let name = CacheName::new("notice", &[&notice.agent, &notice.session, about, stop]);
    let now = SystemTime::now();
    if cache.as_ref().is_some_and(|cache| cache.get::<bool>(&name, REMEMBERED, now).is_some()) {
        return None;
    }
    // Remembered first: to be told nothing once is better than to be told for ever.
    if let Some(cache) = cache {
        let _ = cache.put(&name, &true, now);
    }
    Some(tell(settings, notice))
}

/// Tells `notice`, with every secret taken out.
fn tell(settings: &NotifySettings, notice: &Notice) -> Told {
    let Ok(redacted) = Redacted::new(notice) else { return Told::default() };
    let json = redacted.value().to_string();
    let text = |key: &str| redacted.value()[key].as_str().unwrap_or_default().to_owned();
    let title = format!("Hansei: {} {}", text("agent"), notice.event.words());
    let line = text("line");
    let deadline = Instant::now() + LIMIT;
    let mut told = Told::default();
    std::thread::scope(|scope| {
        let mut ways = Vec::new();
        if settings.desktop == Some(true) {
            ways.push(("desktop", scope.spawn(|| desktop(&title, &line, deadline))));
        }
        if let Some(words) = &settings.command {
            ways.push(("command", scope.spawn(|| command(words, &json, deadline))));
        }
        if let Some(address) = &settings.webhook {
            ways.push(("webhook", scope.spawn(|| hansei_models::post_json(address, json.clone(), LIMIT))));
        }
        for (way, result) in ways {
            match result.join().unwrap_or_else(|_| Err("it broke".to_owned())) {
                Ok(()) => told.ways.push(way.to_owned()),
                Err(reason) => told.failed.push(format!("{way}: {reason}")),
            }
        }
    });
    told
}

fn command(words: &[String], json: &str, deadline: Instant) -> Result<(), String> {
    let [program, arguments @ ..] = words else { return Err("notify.command is empty".to_owned()) };
    let program = program::find(program, Workspace::Here).map_err(|error| error.to_string())?;
    ran(Command::new(program).args(arguments), json.as_bytes(), deadline)
}

/// The desktop's own program for it: what it is called differs, and it may be missing.
fn desktop(title: &str, line: &str, deadline: Instant) -> Result<(), String> {
    if let Ok(program) = program::find("notify-send", Workspace::Here) {
        // What follows is never an option, whatever an agent said.
        return ran(Command::new(program).args(["--app-name=Hansei", "--", title, line]), b"", deadline);
    }
    if let Ok(program) = program::find("osascript", Workspace::Here) {
        let script =
            "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
        return ran(Command::new(program).args(["-e", script, title, line]), b"", deadline);
    }
    Err("neither notify-send nor osascript is here".to_owned())
}

fn ran(command: &mut Command, input: &[u8], deadline: Instant) -> Result<(), String> {
    let finished =
        bounded_process::run_with_input(command, input, deadline).map_err(|error| error.to_string())?;
    if finished.status.success() { Ok(()) } else { Err(finished.status.to_string()) }
}
