//! `hansei sandbox`: runs any command under the rules that verification and an agent's shell run under.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use hansei_hook::Environment;
use hansei_workspace::sandbox::{self, How, Request, Streams};

use crate::failure::{Answer, Failure};
use crate::{confinement, interruption};

/// Run a command that may write the workspace and has no network.
///
/// It sees the workspace, system programs and toolchains; your home, the temporary folders and
/// everything that listens on this machine are hidden. In the workspace `.git`, Hansei's records and
/// the settings of agents, editors and shells are read-only. All its processes end with it.
/// The exit code is the command's own, 124 when its time was over.
///
/// Examples:
///   hansei sandbox -- cargo test
///   hansei sandbox --workspace ~/src/project --timeout 60 -- sh -c 'make && ./check'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The folder that may be written [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// The longest that it may run, in seconds [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// The most memory of all its processes together, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// The most processes and threads together [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..))]
    processes: Option<u32>,
    /// Print how it ended as JSON, with its output, instead of passing the output on.
    #[arg(long)]
    json: bool,
    /// The command and its arguments.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Answer {
    let environment = Environment::of_process();
    let folder = arguments
        .workspace
        .as_ref()
        .map_or(environment.folder.clone(), |given| environment.folder.join(given));
    if !folder.is_dir() {
        return Err(Failure::usage(format!("{} is not a folder", folder.display())));
    }
    let mut request = Request::new(folder, arguments.command.clone());
    confinement::apply(&confinement::settings(&environment)?, &mut request);
    let limits = &mut request.limits;
    limits.time = arguments.timeout.map_or(limits.time, Duration::from_secs);
    limits.memory = arguments.memory.map_or(limits.memory, |mebibytes| mebibytes.saturating_mul(1 << 20));
    limits.processes = arguments.processes.unwrap_or(limits.processes);
    if !arguments.json {
        request.streams = Streams::Passed;
    }
    interruption::end_what_runs();
    let ended = sandbox::run(&request);
    if let Some(code) = interruption::asked() {
        return Ok(ExitCode::from(code));
    }
    let ended = ended?;
    if arguments.json {
        crate::terminal::print_json(&serde_json::json!({
            "ended": name(ended.how),
            "exit_code": ended.how.code(),
            "output": ended.output.text(),
            "wanted_network": ended.how != How::Exited(0) && sandbox::wanted_network(&ended.output.text()),
            "seconds": ended.took.as_secs_f64(),
        }))?;
    } else if let Some(reason) = reason(ended.how, &request) {
        anstream::eprintln!("hansei: {reason}");
    }
    Ok(ExitCode::from(u8::try_from(ended.how.code()).unwrap_or(1)))
}

fn name(how: How) -> &'static str {
    match how {
        How::Exited(_) => "exited",
        How::Signalled(_) => "signalled",
        How::TimedOut => "timed_out",
        How::OutOfMemory => "out_of_memory",
        How::TooManyProcesses => "too_many_processes",
    }
}

/// Why it did not end by itself.
fn reason(how: How, request: &Request) -> Option<String> {
    let limits = &request.limits;
    match how {
        How::Exited(_) | How::Signalled(_) => None,
        How::TimedOut => Some(format!("its time of {} s was over (--timeout)", limits.time.as_secs())),
        How::OutOfMemory => {
            Some(format!("it wanted more than {} MiB of memory (--memory)", limits.memory >> 20))
        }
        How::TooManyProcesses => {
            Some(format!("it wanted more than {} processes (--processes)", limits.processes))
        }
    }
}
