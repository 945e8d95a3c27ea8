//! Commands that run another command: `timeout 60 …`, `docker compose exec web …`, `uv run …`, `bash -c '…'`.
//!
//! They are data: how the wrapper is called, which of its options take a value, how many words stand before the command,
//! and whether it hands on the command's exit code.

use super::recognise::program_name;
use super::shell_words::Word;
use super::step::is_assignment;
use super::windows;

/// A wrapper.
struct Wrapper {
    /// The words it is called with, the program first.
    called: &'static [&'static str],
    /// Options that take the next word as their value.
    valued: &'static [&'static str],
    /// Words of its own before the command.
    operands: usize,
    hands_on: HandsOn,
}

/// What becomes of the exit code of the command inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HandsOn {
    /// It is the wrapper's.
    Code,
    /// It is lost.
    Nothing,
    /// It is the wrapper's, but only after this option does a command follow at all.
    After(&'static str),
}

const fn plain(called: &'static [&'static str], valued: &'static [&'static str]) -> Wrapper {
    Wrapper { called, valued, operands: 0, hands_on: HandsOn::Code }
}

const fn behind(
    called: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { called, valued, operands, hands_on: HandsOn::Code }
}

const fn swallowing(called: &'static [&'static str], valued: &'static [&'static str]) -> Wrapper {
    Wrapper { called, valued, operands: 0, hands_on: HandsOn::Nothing }
}

const fn after(called: &'static [&'static str], option: &'static str) -> Wrapper {
    Wrapper { called, valued: &[], operands: 0, hands_on: HandsOn::After(option) }
}

#[rustfmt::skip]
const CONTAINER: &[&str] = &[
    "-e", "--env", "-v", "--volume", "-w", "--workdir", "-u", "--user", "-p", "--publish", "--name", "--network",
    "--net", "-f", "--file", "--env-file", "--entrypoint", "--mount", "--platform", "-m", "--memory", "--cpus",
    "--shm-size", "-h", "--hostname", "--add-host", "-l", "--label", "--profile", "--project-name", "--index",
    "--ulimit", "--gpus",
];

#[rustfmt::skip]
const WRAPPERS: &[Wrapper] = &[
    behind(&["timeout"], &["-k", "-s", "--kill-after", "--signal"], 1), behind(&["gtimeout"], &["-k", "-s"], 1),
    plain(&["time"], &["-f", "-o", "--format", "--output"]), plain(&["nice"], &["-n"]),
    plain(&["ionice"], &["-c", "-n"]), plain(&["sudo"], &["-u", "-g", "-C", "-D", "-h", "-p"]),
    plain(&["doas"], &["-u"]), plain(&["env"], &["-u", "-C", "--chdir"]), plain(&["command"], &[]),
    plain(&["builtin"], &[]), plain(&["exec"], &["-a"]), plain(&["nohup"], &[]), plain(&["setsid"], &[]),
    plain(&["stdbuf"], &["-o", "-e", "-i"]), plain(&["unbuffer"], &[]), plain(&["caffeinate"], &["-t"]),
    plain(&["chronic"], &[]),
    plain(&["xvfb-run"], &["-s", "-n", "-e", "-f", "-p", "--server-args", "--server-num"]),
    plain(&["dbus-run-session"], &[]), behind(&["taskset"], &[], 1), behind(&["flock"], &["-w", "-E"], 1),
    plain(&["systemd-run"], &["-p", "--unit"]), plain(&["strace"], &["-o", "-e", "-p", "-s"]),
    plain(&["valgrind"], &[]), plain(&["perf", "stat"], &["-e", "-r"]), plain(&["ccache"], &[]),
    plain(&["bear"], &["--output"]), plain(&["scan-build"], &["-o"]), plain(&["winpty"], &[]),
    plain(&["xargs"], &["-n", "-P", "-I", "-L", "-d", "-a", "-s", "--max-args", "--max-procs"]),
    plain(&["noglob"], &[]), plain(&["npx"], &["-p", "--package"]), plain(&["bunx"], &[]), plain(&["pnpx"], &[]),
    plain(&["npm", "exec"], &["-w", "--workspace", "-p"]), plain(&["pnpm", "exec"], &["--filter", "-C"]),
    plain(&["pnpm", "dlx"], &[]), plain(&["yarn", "exec"], &[]), plain(&["yarn", "dlx"], &["-p"]),
    plain(&["yarn", "run", "-T"], &[]), plain(&["bun", "x"], &[]), plain(&["cross-env"], &[]),
    plain(&["dotenv"], &["-e", "-f"]), plain(&["c8"], &["-r", "--reporter", "-o"]),
    plain(&["nyc"], &["--reporter", "-r"]), plain(&["env-cmd"], &["-f"]),
    plain(&["uv", "run"], &["-p", "--python", "--with", "--extra", "--group", "--project", "--directory",
        "--package", "--env-file"]),
    plain(&["uvx"], &["--from", "--with", "-p", "--python"]), plain(&["uv", "tool", "run"], &["--from", "--with"]),
    plain(&["poetry", "run"], &[]), plain(&["pipenv", "run"], &[]), plain(&["pdm", "run"], &["-p"]),
    plain(&["rye", "run"], &[]), plain(&["pixi", "run"], &["-e", "--environment"]),
    plain(&["pipx", "run"], &["--spec"]), plain(&["hatch", "run"], &["-e"]),
    plain(&["conda", "run"], &["-n", "-p", "--name", "--prefix"]), plain(&["mamba", "run"], &["-n", "-p"]),
    plain(&["micromamba", "run"], &["-n", "-p"]),
    plain(&["coverage", "run"], &["--source", "--rcfile", "--omit", "--include"]), plain(&["bundle", "exec"], &[]),
    plain(&["rbenv", "exec"], &[]), plain(&["pyenv", "exec"], &[]), plain(&["asdf", "exec"], &[]),
    plain(&["rvm", "default", "do"], &[]), plain(&["spring"], &[]), plain(&["bin/spring"], &[]),
    plain(&["nvm", "exec"], &[]), after(&["mise", "exec"], "--"), after(&["mise", "x"], "--"),
    after(&["nix", "develop"], "-c"), after(&["nix", "develop"], "--command"), after(&["nix", "shell"], "-c"),
    after(&["nix", "shell"], "--command"), after(&["devbox", "run"], "--"), after(&["doppler", "run"], "--"),
    after(&["op", "run"], "--"), after(&["infisical", "run"], "--"), after(&["kubectl", "exec"], "--"),
    after(&["oc", "exec"], "--"), after(&["dotnet-coverage", "collect"], "--"), behind(&["direnv", "exec"], &[], 1),
    after(&["sops", "exec-env"], "--"), behind(&["docker", "compose", "run"], CONTAINER, 1),
    behind(&["docker", "compose", "exec"], CONTAINER, 1), behind(&["docker-compose", "run"], CONTAINER, 1),
    behind(&["docker-compose", "exec"], CONTAINER, 1), behind(&["podman", "run"], CONTAINER, 1),
    behind(&["podman", "exec"], CONTAINER, 1), behind(&["docker", "run"], CONTAINER, 1),
    behind(&["docker", "exec"], CONTAINER, 1), behind(&["docker", "container", "run"], CONTAINER, 1),
    plain(&["rustup", "run"], &[]), plain(&["./vendor/bin/sail"], &[]), plain(&["sail"], &[]),
    plain(&["ddev", "exec"], &["-s", "-d"]), plain(&["lando"], &[]),
    swallowing(&["watch"], &["-n", "--interval", "-d"]), swallowing(&["entr"], &[]),
    swallowing(&["watchexec"], &["-w", "-e"]), swallowing(&["nodemon"], &["-w", "-e", "--watch", "--ext"]),
    swallowing(&["parallel"], &["-j"]), after(&["cargo", "watch"], "--"),
];

/// The shells that take a script as an argument.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"];

/// What a wrapper holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside<'a> {
    /// The words of another command; whether its code is lost.
    Words { words: &'a [Word], code_lost: bool },
    /// A script, and the words among which options of the shell may stand.
    Script { text: String, options: &'a [Word] },
}

/// What `words` wrap, if they are a wrapper. Leading assignments must have been taken off.
pub(super) fn unwrap(words: &[Word]) -> Option<Inside<'_>> {
    let program = name(words.first()?);
    if SHELLS.contains(&program) {
        return shell(words);
    }
    match program {
        "cmd" => {
            let at =
                words.iter().position(|word| word.text.trim_start_matches('/').eq_ignore_ascii_case("c"))?;
            return Some(Inside::Script { text: windows::of_cmd(&joined(&words[at + 1..])), options: &[] });
        }
        "pwsh" | "powershell" => {
            let is = |word: &Word| ["-command", "-c"].contains(&&*word.text.to_lowercase());
            let at = words.iter().position(is)?;
            return Some(Inside::Script {
                text: windows::of_powershell(&joined(&words[at + 1..])),
                options: &[],
            });
        }
        "wsl" => return in_wsl(words),
        // `command -v pytest` only asks where it is.
        "command" if words.get(1).is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) => {
            return None;
        }
        "eval" => return Some(Inside::Script { text: joined(&words[1..]), options: &[] }),
        "ssh" => return remote(words),
        "su" | "runuser" | "script" | "nix-shell" => {
            return script_after(words, &["-c", "--command", "--run"]);
        }
        "find" | "fd" => return found(words),
        _ => {}
    }
    WRAPPERS.iter().filter(|wrapper| wrapper.called[0] == program).find_map(|wrapper| held(wrapper, words))
}

/// The name of a program without its folder, so that `/usr/bin/timeout` is `timeout`.
pub(super) fn name(word: &Word) -> &str {
    let text = word.text.as_str();
    program_name(text.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(text))
}

/// `wsl -d Ubuntu -e cargo test`, `wsl bash -lc '…'`
fn in_wsl(words: &[Word]) -> Option<Inside<'_>> {
    let rest = &words[1..];
    let options = skipped_options(rest, &["-d", "--distribution", "-u", "--user", "--cd", "--shell-type"]);
    inner(&rest[options..], false)
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn held<'a>(wrapper: &Wrapper, words: &'a [Word]) -> Option<Inside<'a>> {
    let mut rest = &words[1..];
    for expected in &wrapper.called[1..] {
        rest = &rest[skipped_options(rest, wrapper.valued)..];
        rest = rest.strip_prefix_word(expected)?;
    }
    if let HandsOn::After(option) = wrapper.hands_on {
        let at = rest.iter().position(|word| word.text == option)?;
        return inner(&rest[at + 1..], false);
    }
    let options = skipped_options(rest, wrapper.valued);
    let detached = wrapper.operands > 0
        && rest[..options].iter().any(|word| matches!(word.text.as_str(), "-d" | "--detach"));
    let mut rest = &rest[options..];
    for _ in 0..wrapper.operands {
        rest = rest.get(1..)?;
    }
    if rest.first().is_some_and(|word| word.text == "--") {
        rest = &rest[1..];
    }
    inner(rest, detached || wrapper.hands_on == HandsOn::Nothing)
}

fn inner(words: &[Word], code_lost: bool) -> Option<Inside<'_>> {
    let assignments = words.iter().take_while(|word| is_assignment(&word.text)).count();
    let words = &words[assignments..];
    (!words.is_empty()).then_some(Inside::Words { words, code_lost })
}

/// How many words at the beginning are options, their values, and assignments.
fn skipped_options(words: &[Word], valued: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            return at + 1;
        }
        if !(text.starts_with('-') && text.len() > 1 || is_assignment(text) || text.starts_with('+')) {
            break;
        }
        at += if valued.contains(&text) { 2 } else { 1 };
    }
    at.min(words.len())
}

trait StripWord {
    fn strip_prefix_word(&self, expected: &str) -> Option<&Self>;
}

impl StripWord for [Word] {
    fn strip_prefix_word(&self, expected: &str) -> Option<&Self> {
        self.split_first().filter(|(first, _)| first.text == expected).map(|(_, rest)| rest)
    }
}

/// `bash -euo pipefail -c '…'`
fn shell(words: &[Word]) -> Option<Inside<'_>> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !text.starts_with(['-', '+']) {
            return None;
        }
        if !text.starts_with("--") && text.contains('c') {
            // `-o pipefail` may still stand between `-c` and the script only in theory.
            return Some(Inside::Script { text: words.get(at + 1)?.text.clone(), options: &words[1..=at] });
        }
        at += if text.ends_with('o') { 2 } else { 1 };
    }
    None
}

/// The machine that `ssh` names, if `words` are one.
pub(super) fn host(words: &[Word]) -> Option<&str> {
    (name(words.first()?) == "ssh")
        .then(|| words.get(host_at(words)).map(|word| word.text.as_str()))
        .flatten()
}

fn host_at(words: &[Word]) -> usize {
    1 + skipped_options(&words[1..], &["-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R"])
}

fn remote(words: &[Word]) -> Option<Inside<'_>> {
    let rest = words.get(host_at(words) + 1..)?;
    (!rest.is_empty()).then(|| Inside::Script { text: joined(rest), options: &[] })
}

fn script_after<'a>(words: &'a [Word], options: &[&str]) -> Option<Inside<'a>> {
    let at = words.iter().position(|word| options.contains(&word.text.as_str()))?;
    Some(Inside::Script { text: words.get(at + 1)?.text.clone(), options: &[] })
}

/// `find … -exec check {} \;` succeeds whatever the check says; with `+` the code is handed on.
fn found(words: &[Word]) -> Option<Inside<'_>> {
    let at = words.iter().position(|word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-x"))?;
    let rest = &words[at + 1..];
    let end = rest.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(rest.len());
    let code_lost = rest.get(end).is_some_and(|word| word.text == ";");
    inner(&rest[..end], code_lost)
}
