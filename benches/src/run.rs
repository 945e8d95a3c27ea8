//! What a step of `hansei run` costs: the same script of `echo K` through the shell tool, with a model that answers at
//! once, for Hansei (sandbox and durable events on), Claude Code, Codex, Gemini CLI, and a bare loop that posts the
//! request and spawns the command and does nothing else. `-- run [--rounds N] [--hansei PROGRAM]`.
//!
//! A step is the slope between a short and a long script, so that start-up is not in it; the time of a script of one
//! step is measured by itself.

mod agents;
mod bare_loop;
mod process;
mod world;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use hansei_model_server::{ModelServer, Options};

pub use bare_loop::bare_loop;

use crate::argument;
use crate::timing::median;
use agents::Agent;
use process::{Ended, timed, watched};
use world::World;

/// How often everybody works through every script, unless `--rounds` says otherwise.
const ROUNDS: usize = 7;
/// A script of one step, a short and a long one.
const LENGTHS: [usize; 3] = [ONE, SHORT, LONG];
const ONE: usize = 1;
const SHORT: usize = 5;
const LONG: usize = 50;

/// What everybody is asked.
pub const TASK: &str = "Run the commands.";

/// What one subject took.
struct Measured {
    name: &'static str,
    /// The times of the scripts of each length.
    times: [Vec<Duration>; LENGTHS.len()],
    /// The most memory that one of its processes had, in bytes.
    peak: u64,
}

/// Measures everybody in turn and prints the table.
pub fn steps(hansei: &Path) -> Result<()> {
    let rounds: usize = argument("--rounds").map_or(Ok(ROUNDS), |rounds| rounds.parse())?;
    ensure!(rounds > 0, "--rounds must be at least 1");
    let mut subjects = Vec::new();
    for agent in agents::all(hansei)? {
        subjects.push((World::new(&agent)?, agent, [const { Vec::new() }; LENGTHS.len()]));
    }
    let mut measured = Vec::new();
    // The first round is a warm-up: agents write their settings and caches.
    for round in 0..=rounds {
        for (place, length) in LENGTHS.into_iter().enumerate() {
            for (world, agent, times) in &mut subjects {
                let took = work(agent, world, length, timed)?.time;
                if round > 0 {
                    times[place].push(took);
                }
            }
        }
    }
    for (world, agent, times) in subjects {
        let peak = work(&agent, &world, LONG, watched)?.peak;
        measured.push(Measured { name: agent.name, times, peak });
    }
    print!("{}", table(&mut measured, rounds)?);
    Ok(())
}

/// One run of a script of `length` steps. It counts only when every step reached the model.
fn work(
    agent: &Agent,
    world: &World,
    length: usize,
    run: fn(&mut std::process::Command) -> std::io::Result<Ended>,
) -> Result<Ended> {
    let model = ModelServer::start(script(length).parse()?, Options::default())?;
    let mut command = (agent.command)(&agent.program, world, &model.url());
    let ended = run(world.listens(&mut command)?)?;
    eprintln!("{:<14}{length:>4} steps{:>11.1} ms", agent.name, ended.time.as_secs_f64() * 1e3);
    let requests = model.stop();
    let asked = |step: usize| requests.iter().any(|request| request.step == Some(step));
    ensure!(
        ended.is_success && (0..=length).all(asked),
        "{} did not work through {length} steps ({} requests):\n{}",
        agent.name,
        requests.len(),
        world.said()
    );
    Ok(ended)
}

/// Steps that differ, so that nobody takes them for a loop.
fn script(length: usize) -> String {
    let mut script = "steps:\n".to_owned();
    for step in 1..=length {
        // Writing to a String cannot fail.
        let _ = writeln!(
            script,
            "  - {{ text: Step {step}., tool: {{ name: shell, input: {{ command: echo {step} }} }} }}"
        );
    }
    script + "  - text: All commands ran.\n"
}

struct Row {
    name: &'static str,
    /// Milliseconds.
    step: f64,
    one_step: f64,
    start: f64,
    megabytes: f64,
}

fn table(measured: &mut [Measured], rounds: usize) -> Result<String> {
    let mut rows = Vec::new();
    for Measured { name, times, peak } in measured {
        let [one, short, long] = times.each_mut().map(|times| median(times) * 1e3);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (steps, megabytes) = ((LONG - SHORT) as f64, *peak as f64 / 1e6);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let before = SHORT as f64;
        let step = (long - short) / steps;
        rows.push(Row { name, step, one_step: one, start: short - before * step, megabytes });
    }
    let find = |name| rows.iter().find(|row| row.name == name).context("a subject is missing");
    let (bare, own) = (find(agents::BARE_LOOP)?, find(agents::HANSEI)?);
    let mut text = format!(
        "{LONG} steps of `echo K` through the shell tool, a model that answers at once, medians of {rounds} rounds\n\
         {:<14}{:>11}{:>13}{:>10}{:>14}{:>12}{:>10}\n",
        "", "ms a step", "x bare loop", "x hansei", "ms, one step", "ms, start", "peak MB"
    );
    for row in &rows {
        writeln!(
            text,
            "{:<14}{:>11.2}{:>13.2}{:>10.2}{:>14.1}{:>12.1}{:>10.1}",
            row.name,
            row.step,
            row.step / bare.step,
            row.step / own.step,
            row.one_step,
            row.start,
            row.megabytes
        )?;
    }
    let others = rows.iter().filter(|row| ![agents::BARE_LOOP, agents::HANSEI].contains(&row.name));
    let fastest = others.min_by(|a, b| a.step.total_cmp(&b.step)).context("nobody to compare with")?;
    writeln!(
        text,
        "a step of the fastest other agent, {}, is {:.1} of ours",
        fastest.name,
        fastest.step / own.step
    )?;
    Ok(text)
}
