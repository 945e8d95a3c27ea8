//! Attempts to leave the sandbox. Each is data in `tests/attacks/corpus/`, is first shown to work without the defence, and
//! then tried inside. A tenth of them runs every time, all with `HANSEI_TEST_LONG=1`.

use std::path::Path;
use std::process::Command;

use crate::support::HANSEI;

#[test]
fn nobody_leaves_the_sandbox() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
    let part = if std::env::var_os("HANSEI_TEST_LONG").is_some() { "1" } else { "10" };
    let output = Command::new("python3")
        .arg(folder.join("run.py"))
        .args(["--target", HANSEI, "--one-in", part])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaints}");
    let summary = said.lines().find(|line| line.starts_with("SUMMARY ")).expect("a summary");
    assert!(summary.contains(" breached 0 ") && summary.contains(" unproven 0"), "{said}");
    println!("{summary}");
}
