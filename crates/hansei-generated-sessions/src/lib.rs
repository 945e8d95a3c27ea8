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

pub use records::{each_record, messages};

use random::Random;
use story::{Story, Truth, story};

/// Where sessions work unless somebody says otherwise.
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

/// Where and when a session takes place.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The folder.
    pub cwd: String,
    /// The branch.
    pub branch: String,
    /// The start: milliseconds after 1970.
    pub start: i64,
}

impl Scene {
    fn absolute(&self, path: &str) -> String {
        format!("{}/{path}", self.cwd)
    }
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
    let scene = Scene { cwd: CWD.to_owned(), branch: "main".to_owned(), start };
    write_in(home, agent, story, random, &scene)
}

/// The same in a scene of one's own. A longer telling of the same story, from the same seed, takes the place of a shorter one.
pub fn write_in(
    home: &Path,
    agent: &str,
    story: &Story,
    random: &mut Random,
    scene: &Scene,
) -> io::Result<String> {
    match agent {
        "claude-code" => claude_code::write(home, story, random, scene),
        "codex" => codex::write(home, story, random, scene),
        "gemini" => gemini::write(home, story, random, scene),
        "opencode" => opencode::write(home, opencode::OPENCODE, story, random, scene),
        "kilo" => opencode::write(home, opencode::KILO, story, random, scene),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// `text` with `before` in front of every line, which is given its number from 1.
fn each_line(text: &str, before: impl Fn(usize) -> String) -> String {
    text.lines().enumerate().flat_map(|(at, line)| [before(at + 1), format!("{line}\n")]).collect()
}

fn lines_to(file: &Path) -> io::Result<io::BufWriter<fs::File>> {
    Ok(io::BufWriter::with_capacity(256 * 1024, fs::File::create(file)?))
}
