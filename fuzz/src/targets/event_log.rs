//! A session's log as others left it: it is read, the next event goes on a line of its own, and the index's fold of it can be
//! put aside at any line.

use std::time::Duration;

use hansei_core::event::{Event, ReadLine, read_line};
use hansei_core::report::summary::Summary;
use hansei_record::folder::Folder;
use hansei_record::log::{SessionLog, WhenCapturing, read};

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target {
    name: "event_log",
    run: check,
    samples: || corpus::files(&["crates/hansei/tests/golden/0.1.0/hansei/log"]),
};

fn check(bytes: &[u8]) {
    let (mut whole, mut resumed) = (Summary::default(), Summary::default());
    for line in bytes.split(|byte| *byte == b'\n') {
        let seen = whole.apply(line);
        resumed.apply(line);
        let kept = serde_json::to_vec(&resumed).expect("a summary can be written");
        resumed = serde_json::from_slice(&kept).expect("a summary can be read");
        if let ReadLine::Known(known) = read_line(line) {
            assert!(seen.kind.is_some(), "what is known is an event");
            let written = serde_json::to_vec(&known).expect("an event can be written");
            assert_eq!(read_line(&written), ReadLine::Known(known));
        }
    }
    assert_eq!(resumed, whole);
    let path = scratch::folder("log");
    scratch::write(&path.join("s.jsonl"), bytes);
    let folder = Folder::existing(&path).expect("the folder is there");
    let before = read(&folder, "s").expect("the log can be read");
    let mut log =
        SessionLog::lock(&folder, "s", WhenCapturing::Wait, Duration::ZERO).expect("nobody else is here");
    let attempt = log.ledger().next_attempt();
    log.append(Event::CaptureStarted { attempt }).expect("an event can be appended");
    drop(log);
    let after = read(&folder, "s").expect("the log can be read");
    assert_eq!(after.len(), before.len() + 1, "what was there is still read, and one more");
    assert_eq!(after[..before.len()], before);
    let text = std::fs::read(path.join("s.jsonl")).expect("the log can be read");
    assert!(text.starts_with(bytes), "nothing that was there is changed");
}
