//! Which commands of a Spec are refused.

use crate::verification::admission::refusal;

#[test]
fn commands_that_leave_the_workspace_are_refused() {
    for line in [
        "cat ../../etc/passwd",
        "cat ./a/../../b",
        "cd ..",
        "cd .. && pytest",
        "(cd ..; ls)",
        "cd",
        "cd -",
        "cd \"$HOME\"",
        "cd $X && ls",
        "cat /etc/passwd",
        "cat '/etc/passwd'",
        "cat \"/etc\"/passwd",
        "cat </etc/passwd",
        "cat < ../secret",
        "echo x > /etc/x",
        "echo x >> ../x",
        "cat ~/.ssh/id_rsa",
        "cat $HOME/.ssh/id_rsa",
        "bash -c 'cat ../x'",
        "sh -c \"cat /etc/shadow\"",
        "pytest --rootdir=/",
        "pytest --rootdir=../other",
        "echo $(cat ../../x)",
        "cat .'.'/x",
        "cat .\"./x\"",
        "tar -C / -cf x.tar etc",
        "/opt/evil/run",
        "PYTHONPATH=../x pytest",
        "LD_PRELOAD=/tmp/x.so pytest",
        "pytest && cat /proc/self/environ",
        "ls /project-evil",
        "cat file:///etc/passwd",
        "sqlite3 sqlite:////etc/x",
        "curl http://localhost/x -o /etc/x",
        "curl --config=http://localhost,/etc/x",
        "curl http://localhost/x > /etc/x",
        "",
        "  ",
    ] {
        assert!(refusal(line, "/project").is_some(), "{line}");
    }
}

#[test]
fn commands_that_stay_inside_are_not() {
    for line in [
        "pytest -q",
        "test -f out/report.md",
        "grep -q '^# Result' report.md",
        "cd web && npm test",
        "go test ./...",
        "cat ./a/b...c",
        "git diff main..HEAD --stat",
        "pytest > /dev/null",
        "pytest 2>&1 | tail -5",
        "/usr/bin/env python3 check.py",
        "/bin/sh check.sh",
        "awk '/error/ { exit 1 }' log.txt",
        "sed -n '/^a/,/^b/p' file",
        "cat /project/file",
        "python3 -c 'print(1 / 2)'",
        "seq 1 3",
        "curl -fsS http://localhost:8080/health",
        "curl 'https://example.org/a?path=/x&b=1' | grep -q ok",
        "pytest --base-url=https://example.org/app",
        "API=http://127.0.0.1:8000/v1 npm test",
        "git ls-remote https://github.com/o/r",
    ] {
        assert_eq!(refusal(line, "/project"), None, "{line}");
    }
}
