//! What a command finds in a sandbox that stays, what it can leave there, and whom it cannot reach.

use super::super::cgroup::Group;
use super::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A workspace; none where there are no control groups, because then nothing stands.
fn workspace() -> Option<(tempfile::TempDir, Request)> {
    let folder = tempfile::tempdir().unwrap();
    let request = Request::new(folder.path().canonicalize().unwrap(), Vec::new());
    let Some(_) = Group::new(&request.limits) else {
        assert!(Waiting::new(&request).is_err());
        return None;
    };
    Some((folder, request))
}

/// What a command came to in walls that stand, and whether they stay.
fn call(waiting: &mut Waiting, request: &Request, command: &str) -> (i32, String, bool) {
    let order = Order { command: command.to_owned(), time: Duration::from_mins(1), answer: channel().0 };
    assert!(waiting.holds(request));
    let ended = waiting.carry_out(&order, request).unwrap().unwrap();
    (ended.how.code(), ended.output.text(), waiting.is_as_new())
}

fn ordinary(request: &Request, command: &str) -> (i32, String) {
    let command = ["bash", "-c", command].map(Into::into).into();
    let ended = super::super::run(&Request { command, ..request.clone() }).unwrap();
    (ended.how.code(), ended.output.text())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn each_command_finds_what_it_would_have_found() {
    let Some((folder, request)) = workspace() else { return };
    let long = format!("echo {}", "x".repeat(100_000));
    let commands = [
        "echo \"$0 $# $- $SHLVL $PPID $PWD ${OLDPWD-} ${REPLY-} $BASH_EXECUTION_STRING\"; exit 7",
        "{ export -p; declare -p; } | grep -vE 'RANDOM|EPOCH|SECONDS|BASHPID| _='; ulimit -a",
        "cd /proc/$$/fd && ls; ls /proc/self/fd; cat /proc/self/limits",
        "grep -E 'Sig(Blk|Ign|Cgt)|Cap|Seccomp|NoNewPrivs' /proc/self/status; readlink /proc/self/fd/0; umask",
        "ps -ef 2> /dev/null | wc -l; read -r line; echo \"[$line]\"",
        "printf '%s' 'a\\b\u{1}\u{7f}\u{e4}\t'\n\n# the end \n\n",
        "echo 'not closed",
        "kill -9 $$",
        "kill -INT $$",
        "exit 137",
        "",
        "seq 100000; dd if=/dev/null oflag=nonblock status=none",
        "seq 100000",
        "cat <<'END'\n\\x  y\nEND",
        &long,
    ];
    let mut waiting = Waiting::new(&request).unwrap();
    for command in commands {
        let (code, output, stays) = call(&mut waiting, &request, command);
        let output = output.replace("bash: eval: ", "bash: -c: ");
        let usual = ordinary(&request, command);
        assert!((code, &output) == (usual.0, &usual.1) && stays, "{command}: {code} {output}\n{usual:?}");
    }
    drop(waiting);
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn nobody_outlives_a_command_and_nobody_gets_at_the_first_process() {
    let Some((_folder, request)) = workspace() else { return };
    let mut waiting = Waiting::new(&request).unwrap();
    let attacks = [
        "sleep 1000 & setsid sleep 1000 & (trap '' TERM HUP; nohup sleep 1000 &) ; echo",
        "kill -9 1; kill -STOP 1; kill -TERM 1; kill -HUP 1; kill -USR1 1; kill -QUIT 1; kill -ALRM 1; echo",
        "trap '' INT; kill -INT 1; kill -INT 0; sleep 0.1; kill -INT 1; echo",
        "kill -9 -1 2> /dev/null; echo",
        "trap : TERM; kill -TERM 0; kill -QUIT 0; echo",
        "for number in 6 7 8 9; do echo 0 >&$number; echo 0 > /proc/1/fd/$number; done 2> /dev/null; echo",
        "ls -A /proc/1; cat /proc/1/environ /proc/1/mem 2> /dev/null; echo",
        "for number in $(seq 300); do sleep 1000 & done 2> /dev/null; echo",
    ];
    for attack in attacks {
        assert_eq!(call(&mut waiting, &request, attack), (0, "\n".to_owned(), true), "{attack}");
        let others = "for one in /proc/[0-9]*; do test -d $one/fd && echo $(< $one/comm); done";
        assert_eq!(call(&mut waiting, &request, others).1, "bash\n", "after {attack}");
    }
}

#[test]
fn walls_stay_only_where_a_command_left_nothing() {
    let leaving = [
        ("touch /tmp/x", 0),
        ("mkdir -p /run/a/b", 0),
        ("echo > ~/.x", 0),
        ("echo x > /dev/shm/x", 0),
        ("ipcmk -M 100 > /dev/null", 0),
        ("ipcmk -S 1 > /dev/null", 0),
        ("ipcmk -Q > /dev/null", 0),
        ("head -c 2G /dev/zero | tail > /dev/null; exit 1", 137),
    ];
    for (command, code) in leaving {
        let Some((_folder, request)) = workspace() else { return };
        let mut waiting = Waiting::new(&request).unwrap();
        assert!(call(&mut waiting, &request, "touch here /tmp/x; rm /tmp/x").2);
        let (ended, output, stays) = call(&mut waiting, &request, command);
        assert_eq!((ended, stays), (code, false), "{command}: {output}");
    }
}

#[test]
fn a_command_is_not_let_into_a_folder_that_is_another_now() {
    let Some((folder, mut request)) = workspace() else { return };
    request.folder = "sub".into();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let mut waiting = Waiting::new(&request).unwrap();
    assert_eq!(call(&mut waiting, &request, "mv ../sub ../old; mkdir ../sub").0, 0);
    let order = Order { command: "touch x".into(), time: Duration::from_mins(1), answer: channel().0 };
    assert!(waiting.carry_out(&order, &request).is_none());
    assert!(entries(&folder.path().join("old")).is_empty());
}

#[test]
fn what_stands_in_is_no_change() {
    let Some((folder, request)) = workspace() else { return };
    for step in [["init", "--quiet"], ["config", "core.hooksPath"]] {
        let waiting = Waiting::new(&request).unwrap();
        assert!(waiting.begun.inside().unwrap().still_holds(&request), "before {step:?}");
        drop(waiting);
        let git = std::process::Command::new("git").current_dir(folder.path()).args(step).arg(".").status();
        assert!(git.is_ok_and(|status| status.success()));
    }
}

#[test]
fn what_is_never_used_leaves_nothing() {
    let Some((folder, request)) = workspace() else { return };
    drop(Waiting::new(&request).unwrap());
    assert!(entries(folder.path()).is_empty());
    drop(Standing::new(&request));
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn what_changed_since_the_walls_were_put_up_is_guarded_all_the_same() {
    type Change = (&'static str, fn(&Path));
    let changes: &[Change] = &[
        ("a protected name that is new", |tree| fs::create_dir(tree.join(".vscode")).unwrap()),
        ("a folder that stood in, made again", |tree| {
            fs::remove_dir(tree.join(".claude")).unwrap();
            fs::create_dir(tree.join(".claude")).unwrap();
        }),
        ("a file that was replaced", |tree| {
            fs::write(tree.join("new"), "").unwrap();
            fs::rename(tree.join("new"), tree.join("hansei.toml")).unwrap();
        }),
        ("a folder that was filled", |tree| fs::write(tree.join(".codex/mine"), "").unwrap()),
    ];
    let attack = "for name in .vscode/x .claude/x hansei.toml .codex/x .codex/mine; do (echo x >> $name) 2> /dev/null \
                  && echo written $name; done; true";
    for (change, make) in changes {
        let Some((folder, request)) = workspace() else { return };
        fs::write(folder.path().join("hansei.toml"), "").unwrap();
        let standing = Standing::new(&request);
        let time = Duration::from_mins(1);
        assert_eq!(standing.run("true", time).unwrap().unwrap().how, How::Exited(0));
        make(folder.path());
        standing.expect();
        let ended = standing.run(attack, time).unwrap().unwrap();
        assert_eq!((ended.how, ended.output.text().as_str()), (How::Exited(0), ""), "{change}");
    }
}

#[test]
fn time_is_counted_from_the_call() {
    let Some((_folder, request)) = workspace() else { return };
    let standing = Standing::new(&request);
    let call = |command: &str, milliseconds| {
        let ended = standing.run(command, Duration::from_millis(milliseconds)).unwrap().unwrap();
        (ended.how, ended.output.text())
    };
    assert_eq!(call("true", 60_000), (How::Exited(0), String::new()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(call("echo quick", 299), (How::Exited(0), "quick\n".to_owned()));
    assert_eq!(call("echo slow; sleep 60", 500), (How::TimedOut, "slow\n".to_owned()));
    assert_eq!(call("touch /tmp/x", 60_000).0, How::Exited(0));
    assert_eq!(call("ls /tmp", 60_000), (How::Exited(0), String::new()), "another sandbox");
}
