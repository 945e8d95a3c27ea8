//! Sessions of five agents in the formats in which those leave them on disk, each with a known truth about its end.
//!
//! For tests and measurements: the same seed writes the same sessions. A [`story::Story`] belongs to no agent; one file an
//! agent turns it into what that agent would have written.

mod check_line;
mod claude_code;
mod clock;
mod codex;
mod gemini;
mod opencode;
pub mod random;
mod records;
pub mod runner;
pub mod story;
mod words;

use std::path::Path;
use std::{fs, io};

pub use records::each_record;

use random::Random;
use story::{Story, Truth, story};

/// Where all sessions work.
const CWD: &str = "/home/dev/shop";
/// The agents, by our names for them.
pub const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini", "opencode", "kilo"];
/// When the first session starts: milliseconds after 1970.
const FIRST_START: i64 = 1_794_000_000_000;

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The same seed gives the same sessions.
    pub seed: u64,
    /// How many sessions, of all agents in turn.
    pub sessions: usize,
    /// How much text each holds at least. What is written is about twice as long.
    pub bytes: usize,
}

/// A session that was written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The agent.
    pub agent: &'static str,
    /// The agent's id for it.
    pub id: String,
    /// The truth about its end.
    pub truth: Truth,
    /// Which of the ways to get there.
    pub case: String,
}

/// Writes sessions where the agents of a user with this `home` would have left them.
pub fn write(home: &Path, plan: Plan) -> io::Result<Vec<Written>> {
    let mut random = Random::new(plan.seed);
    let mut written = Vec::with_capacity(plan.sessions);
    for number in 0..plan.sessions {
        let truth = Truth::ALL[(number / AGENTS.len()) % Truth::ALL.len()];
        let story = story(&mut random, truth, plan.bytes);
        let agent = AGENTS[number % AGENTS.len()];
        let id = write_one(home, agent, &story, &mut random, number)?;
        written.push(Written { agent, id, truth, case: story.case });
    }
    Ok(written)
}

/// Writes one story as the session of `agent`, one of [`AGENTS`], and gives the id.
pub fn write_one(
    home: &Path,
    agent: &str,
    story: &Story,
    random: &mut Random,
    number: usize,
) -> io::Result<String> {
    let start = FIRST_START + i64::try_from(number).unwrap_or_default() * 60_000;
    match agent {
        "claude-code" => claude_code::write(home, story, random, start),
        "codex" => codex::write(home, story, random, start),
        "gemini" => gemini::write(home, story, random, start),
        "opencode" => opencode::write(home, opencode::OPENCODE, story, random, start),
        "kilo" => opencode::write(home, opencode::KILO, story, random, start),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn absolute(path: &str) -> String {
    format!("{CWD}/{path}")
}

fn lines_to(file: &Path) -> io::Result<io::BufWriter<fs::File>> {
    Ok(io::BufWriter::with_capacity(256 * 1024, fs::File::create(file)?))
}
