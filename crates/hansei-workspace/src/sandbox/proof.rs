//! Whether the walls hold here, shown by running against each of them.
//!
//! Every line of the script tries what must not work; the few things that need a command of their own follow. What
//! cannot be tried on this machine is not called proven.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{How, Refusal, Request, run};

/// One protection, and what came of the attempt against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What is protected.
    pub protection: &'static str,
    /// What was tried.
    pub tried: &'static str,
    /// Whether it held.
    pub holds: bool,
}

/// Attempts inside one command, in shell: whichever succeeds has broken its wall.
const ATTEMPTS: &[(&str, &str, &str)] = &[
    ("network", "to find an interface beside the loopback", "tail -n +3 /proc/net/dev | grep -v '^ *lo:'"),
    ("local ports", "to find a port that is open outside", "grep -i \":$PORT \" /proc/net/tcp"),
    ("home", "to see an entry of the home folder", "test -e \"$IN_HOME\""),
    ("temporary files", "to see a temporary file of others", "test -e \"$IN_TEMP\""),
    ("services", "to find anything in /run", "test -n \"$(ls -A /run)\""),
    ("environment", "to read a variable that is not passed on", "test -n \"$(printenv \"$VARIABLE\")\""),
    ("descriptors", "to use a file that was left open", "test -e /proc/self/fd/$NUMBER"),
    (
        "repository",
        "to move .git away, and to write its configuration",
        "mv .git away || echo x >> .git/config",
    ),
    ("settings", "to create settings that are not there yet", "echo x > hansei.toml || mkdir .claude/hooks"),
    ("system files", "to write /usr, /etc and the root", "touch /usr/x || touch /etc/x || touch /x"),
    ("capabilities", "to find one left", "grep -E '^Cap(Eff|Prm|Bnd|Amb):.*[1-9a-f]' /proc/self/status"),
    ("namespaces", "to make a user namespace", "unshare --user true"),
    ("system calls", "to find them unfiltered", "! grep '^Seccomp:.*2' /proc/self/status"),
    ("kernel settings", "to open one for writing", "sh -c ': >> /proc/sys/kernel/domainname'"),
];

/// Tries every wall. A refusal means that there is no sandbox here at all.
pub fn prove() -> Result<Vec<Proof>, Refusal> {
    let failed = |source| Refusal::Failed { program: "the proof".to_owned(), source };
    let folder = tempfile::tempdir().map_err(failed)?;
    let workspace = folder.path().join("workspace");
    let mut proofs = attempts(folder.path(), &workspace).map_err(failed)??;
    let request =
        |script: &str| Request::new(workspace.clone(), ["sh", "-c", script].map(Into::into).to_vec());

    let mut many = request("for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 5 & done");
    many.limits.processes = 8;
    proofs.push(Proof {
        protection: "number of processes",
        tried: "to start more than allowed",
        holds: run(&many)?.how == How::TooManyProcesses,
    });
    let mut large = request("head -c 128M /dev/zero | tail -c 128M > /dev/null");
    large.limits.memory = 64 << 20;
    proofs.push(Proof {
        protection: "memory",
        tried: "to use more than allowed",
        holds: run(&large)?.how == How::OutOfMemory,
    });
    let mut long = request("trap '' TERM; sleep 60");
    long.limits.time = Duration::from_millis(300);
    proofs.push(Proof {
        protection: "time",
        tried: "to run for longer than allowed",
        holds: run(&long)?.how == How::TimedOut,
    });
    // A number that nobody else waits for, so that it can be found again.
    let mark = format!("{}.{}", 86_400, std::process::id());
    run(&request(&format!("setsid sleep {mark} & sleep 0.1")))?;
    proofs.push(Proof { protection: "end", tried: "to leave a process behind", holds: !is_running(&mark) });
    Ok(proofs)
}

fn attempts(folder: &Path, workspace: &Path) -> io::Result<Result<Vec<Proof>, Refusal>> {
    fs::create_dir_all(workspace.join(".git"))?;
    fs::write(workspace.join(".git/config"), "")?;
    let outside = folder.join("outside");
    fs::write(&outside, "")?;
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    // Deliberately without the flag that closes it when another program starts.
    let left_open = rustix::fs::open(&outside, rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())?;
    let number = std::os::fd::AsRawFd::as_raw_fd(&left_open);
    let home = std::env::var_os("HOME").unwrap_or_default();
    let entry = fs::read_dir(&home).ok().and_then(|mut entries| {
        entries.find_map(|entry| entry.ok().filter(|entry| entry.path().is_file()).map(|entry| entry.path()))
    });
    let variable = std::env::vars().map(|(name, _)| name).find(|name| {
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && !is_passed_on(name)
    });

    let mut script = String::new();
    for (name, _, attempt) in ATTEMPTS {
        // Writing to a String cannot fail.
        let _ = writeln!(
            script,
            "if ( {attempt} ) > /dev/null 2>&1; then echo 'broken {name}'; else echo 'held {name}'; fi"
        );
    }
    let mut request = Request::new(workspace.to_owned(), ["sh", "-c", &script].map(Into::into).to_vec());
    request.variables = vec![
        ("PORT".into(), format!("{port:04X}").into()),
        ("IN_HOME".into(), entry.unwrap_or_else(|| "/nothing".into()).into()),
        ("IN_TEMP".into(), outside.into()),
        ("VARIABLE".into(), variable.unwrap_or_else(|| "NOTHING".to_owned()).into()),
        ("NUMBER".into(), number.to_string().into()),
    ];
    Ok(run(&request).map(|ended| {
        let said = ended.output.text();
        let held = |name: &str| said.lines().any(|line| line == format!("held {name}"));
        let proof = |(protection, tried, _): &(&'static str, &'static str, &'static str)| Proof {
            protection,
            tried,
            holds: held(protection),
        };
        ATTEMPTS.iter().map(proof).collect()
    }))
}

fn is_passed_on(name: &str) -> bool {
    let given = std::iter::once((name.into(), "1".into()));
    let passed = super::environment::variables(given, &[], Path::new("/"));
    passed.iter().any(|(known, _)| known == name)
}

/// Whether somebody has `mark` among its arguments.
fn is_running(mark: &str) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|argument| argument == mark.as_bytes()))
}
