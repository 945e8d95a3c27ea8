//! Calls that wait for something: asking again is what they are for.

use crate::check::PlainCommand;
use crate::evidence::course::Course;
use crate::evidence::file_world::ending_of;

/// Whether the call at `at` waits for something that happens elsewhere.
pub(super) fn is_polling(course: &Course<'_>, at: usize) -> bool {
    let tool = course.situation.session.calls[at].tool.to_ascii_lowercase();
    ["output", "wait", "poll", "status", "monitor"].iter().any(|word| tool.contains(word))
        || course.commands[at].iter().any(waits)
}

fn waits(command: &PlainCommand) -> bool {
    let first = command.word(1);
    match command.program() {
        "sleep" | "watch" | "journalctl" | "ping" | "nc" | "ps" | "top" | "uptime" | "date" | "lsof"
        | "pgrep" | "jobs" | "wait" | "curl" | "wget" | "http" | "squeue" | "ss" | "netstat"
        | "nvidia-smi" | "df" | "flyctl" => true,
        "tail" | "cat" | "head" | "less" | "grep" | "rg" => command
            .arguments()
            .iter()
            .any(|word| word == "-f" || matches!(ending_of(word), "log" | "out") || word.contains("/logs/")),
        "gh" | "glab" => {
            matches!(first, "run" | "pr" | "workflow" | "ci" | "api" | "mr")
                && command.has(&["watch", "view", "list", "checks", "status"])
                || first == "api"
        }
        "kubectl" | "oc" | "helm" | "argocd" => {
            matches!(first, "get" | "describe" | "logs" | "rollout" | "wait" | "status" | "app")
        }
        "docker" | "podman" => command.has(&["ps", "logs", "inspect", "wait", "stats"]),
        "systemctl" | "service" | "supervisorctl" | "pm2" => {
            command.has(&["status", "is-active", "list", "logs"])
        }
        "aws" | "gcloud" | "az" => command.words.iter().any(|word| {
            word.starts_with("describe")
                || word.starts_with("wait")
                || word.starts_with("get")
                || word == "list"
        }),
        "git" => matches!(first, "fetch" | "ls-remote" | "pull"),
        "terraform" => first == "show",
        _ => false,
    }
}
