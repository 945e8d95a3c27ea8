//! The command line: what there is to ask, and who answers.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands;
use crate::failure::{Answer, Failure};

/// Your agent says done. Hansei checks.
#[derive(Debug, Parser)]
#[command(
    name = "hansei",
    version,
    disable_help_subcommand = true,
    after_help = "`hansei help --all` lists every command.\nExit codes: 0 fine, 1 the answer is \"no\", 2 wrong use, 3 something is missing."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(hide = true)]
    Demo(commands::demo::Arguments),
    Lookback(commands::lookback::Arguments),
    Install(commands::install::Arguments),
    Review(commands::review::Arguments),
    Log(commands::log::Arguments),
    Digest(commands::digest::Arguments),
    Risk(commands::risk::Arguments),
    Run(commands::run::Arguments),
    Doctor(commands::doctor::Arguments),
    #[command(hide = true)]
    Runs(commands::runs::Arguments),
    #[command(hide = true)]
    Resume(commands::resume::Arguments),
    #[command(hide = true)]
    Approve(commands::approve::Arguments),
    #[command(hide = true)]
    Reject(commands::reject::Arguments),
    #[command(hide = true)]
    Show(commands::show::Arguments),
    #[command(hide = true)]
    Index(commands::index::Arguments),
    #[command(hide = true)]
    Receipt(commands::receipt::Arguments),
    #[command(hide = true)]
    Stats(commands::stats::Arguments),
    #[command(hide = true)]
    Uninstall(commands::uninstall::Arguments),
    #[command(hide = true)]
    Init(commands::init::Arguments),
    #[command(hide = true)]
    Off(commands::off::Arguments),
    #[command(hide = true)]
    On(commands::on::Arguments),
    #[command(hide = true)]
    Wrong(commands::wrong::Arguments),
    #[command(hide = true)]
    Sessions(commands::sessions::Arguments),
    #[command(hide = true)]
    Export(commands::export::Arguments),
    #[command(hide = true)]
    Judge(commands::judge::Arguments),
    #[command(hide = true)]
    Stuck(commands::stuck::Arguments),
    #[command(hide = true)]
    Nudge(commands::nudge::Arguments),
    #[command(hide = true)]
    Watch(commands::watch::Arguments),
    #[command(hide = true)]
    Eval(commands::eval::Arguments),
    #[command(hide = true)]
    Experiment(commands::experiment::Arguments),
    #[command(hide = true)]
    Outcome(commands::outcome::Arguments),
    #[command(hide = true)]
    Gate(commands::gate::Arguments),
    #[command(hide = true)]
    Sandbox(commands::sandbox::Arguments),
    #[command(hide = true)]
    Tool(commands::tool::Arguments),
    #[command(hide = true)]
    Verify(commands::verify::Arguments),
    #[command(hide = true)]
    Trust(commands::trust::Arguments),
    #[command(hide = true)]
    Unblock(commands::unblock::Arguments),
    #[command(hide = true)]
    Probe(commands::probe::Arguments),
    #[command(hide = true)]
    Decisions(commands::decisions::Arguments),
    #[command(hide = true)]
    SelfReport(commands::self_report::Arguments),
    #[command(hide = true)]
    Redact(commands::redact::Arguments),
    #[command(hide = true)]
    Schema(commands::schema::Arguments),
    #[command(hide = true)]
    Config(commands::config::Arguments),
    #[command(hide = true)]
    Hook(commands::hook::Arguments),
    #[command(hide = true)]
    Mcp(commands::mcp::Arguments),
    #[command(hide = true)]
    ModelServer(commands::model_server::Arguments),
    #[command(hide = true)]
    Completions(commands::completions::Arguments),
    #[command(hide = true)]
    Help(HelpArguments),
}

/// Explain Hansei or one of its commands.
///
/// Example: hansei help risk
#[derive(Debug, clap::Args)]
struct HelpArguments {
    /// List every command.
    #[arg(long)]
    all: bool,
    /// The command to explain.
    command: Option<String>,
}

/// Parses the command line and runs the command.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            let calls_a_hook = std::env::args_os().nth(1) == Some(OsString::from("hook"));
            // An agent may read exit code 2 as "do not stop": a hook never says that by mistake.
            return if error.use_stderr() && !calls_a_hook { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let code = cli.command.answer().unwrap_or_else(|failure| failure.report());
    hansei_workspace::sandbox::tidy();
    code
}

impl Command {
    fn answer(self) -> Answer {
        match self {
            Self::Demo(arguments) => commands::demo::run(&arguments),
            Self::Install(arguments) => commands::install::run(&arguments),
            Self::Uninstall(arguments) => commands::uninstall::run(&arguments),
            Self::Init(arguments) => commands::init::run(&arguments),
            Self::Review(arguments) => commands::review::run(&arguments),
            Self::Log(arguments) => commands::log::run(&arguments),
            Self::Show(arguments) => commands::show::run(&arguments),
            Self::Index(arguments) => commands::index::run(&arguments),
            Self::Digest(arguments) => commands::digest::run(&arguments),
            Self::Receipt(arguments) => commands::receipt::run(&arguments),
            Self::Stats(arguments) => commands::stats::run(&arguments),
            Self::Risk(arguments) => commands::risk::run(&arguments),
            Self::Run(arguments) => commands::run::run(&arguments),
            Self::Runs(arguments) => commands::runs::run(&arguments),
            Self::Resume(arguments) => commands::resume::run(&arguments),
            Self::Approve(arguments) => commands::approve::run(&arguments),
            Self::Reject(arguments) => commands::reject::run(&arguments),
            Self::Doctor(arguments) => commands::doctor::run(&arguments),
            Self::Lookback(arguments) => commands::lookback::run(&arguments),
            Self::Off(arguments) => commands::off::run(&arguments),
            Self::On(arguments) => commands::on::run(&arguments),
            Self::Wrong(arguments) => commands::wrong::run(&arguments),
            Self::Sessions(arguments) => commands::sessions::run(&arguments),
            Self::Export(arguments) => commands::export::run(&arguments),
            Self::Judge(arguments) => commands::judge::run(&arguments),
            Self::Stuck(arguments) => commands::stuck::run(&arguments),
            Self::Nudge(arguments) => commands::nudge::run(&arguments),
            Self::Watch(arguments) => commands::watch::run(&arguments),
            Self::Eval(arguments) => commands::eval::run(&arguments),
            Self::Experiment(arguments) => commands::experiment::run(&arguments),
            Self::Outcome(arguments) => commands::outcome::run(&arguments),
            Self::Gate(arguments) => commands::gate::run(&arguments),
            Self::Sandbox(arguments) => commands::sandbox::run(&arguments),
            Self::Tool(arguments) => commands::tool::run(&arguments),
            Self::Verify(arguments) => commands::verify::run(&arguments),
            Self::Trust(arguments) => commands::trust::run(&arguments),
            Self::Unblock(arguments) => commands::unblock::run(&arguments),
            Self::Probe(arguments) => commands::probe::run(&arguments),
            Self::Decisions(arguments) => commands::decisions::run(&arguments),
            Self::SelfReport(arguments) => commands::self_report::run(&arguments),
            Self::Redact(arguments) => commands::redact::run(&arguments),
            Self::Schema(arguments) => commands::schema::run(&arguments),
            Self::Config(arguments) => commands::config::run(&arguments),
            Self::Hook(_) => Ok(ExitCode::SUCCESS),
            Self::Mcp(arguments) => commands::mcp::run(&arguments),
            Self::ModelServer(arguments) => commands::model_server::run(&arguments),
            Self::Completions(arguments) => Ok(commands::completions::run(&arguments, &mut Cli::command())),
            Self::Help(arguments) => help(&arguments),
        }
    }
}

fn help(arguments: &HelpArguments) -> Answer {
    let mut cli = Cli::command();
    if arguments.all {
        cli = cli.mut_subcommands(|command| command.hide(false)).after_help("");
    }
    if let Some(name) = &arguments.command {
        let Some(command) = cli.find_subcommand(name) else {
            return Err(Failure::usage(format!("there is no command {name:?}"))
                .hint("`hansei help --all` lists them"));
        };
        let mut command = command.clone().bin_name(format!("hansei {name}"));
        let _ = command.print_long_help();
        return Ok(ExitCode::SUCCESS);
    }
    let _ = cli.print_help();
    Ok(ExitCode::SUCCESS)
}
