//! Writers that are killed: another process, ended with SIGKILL at moments that a fixed seed chooses.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use hansei_store::StreamName;
use hansei_store::catch_up::WhenGone;

use crate::backend::{Backend, dump, event, open_address};
use crate::files::{Files, line, read_folder};

const STORE: &str = "HANSEI_TEST_STORE";
const FROM: &str = "HANSEI_TEST_FROM";
const FOLDER: &str = "HANSEI_TEST_FOLDER";

/// Events of one commit.
const TOGETHER: u64 = 3;

fn kills() -> u32 {
    if std::env::var_os("HANSEI_TEST_LONG").is_some() { 200 } else { 20 }
}

/// A small generator with a fixed seed (xorshift): the same moments on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// Starts one of the processes below.
pub fn child(what: &str, backend: &Backend) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", what, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(STORE, backend.address()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[test]
#[ignore = "the process that is killed; other tests start it"]
fn writer() {
    let mut store = open_address(&std::env::var(STORE).unwrap());
    let mut number: u64 = std::env::var(FROM).unwrap().parse().unwrap();
    loop {
        let keys: Vec<String> = (number..number + TOGETHER).map(|number| format!("k{number}")).collect();
        let events = keys.iter().map(|key| event(key)).collect();
        store.append(StreamName::new("w", "team"), events).unwrap();
        number += TOGETHER;
        println!("\nacknowledged {number}");
    }
}

#[test]
#[ignore = "the process that is killed; other tests start it"]
fn reader() {
    let mut store = open_address(&std::env::var(STORE).unwrap());
    println!("\nacknowledged 0");
    read_folder(std::env::var(FOLDER).unwrap().as_ref(), store.as_mut(), WhenGone::Forget).unwrap();
}

/// Waits for so many acknowledgements and then some, kills the process, and gives the last that it printed.
fn kill(mut child: Child, dice: &mut Dice) -> Option<u64> {
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = None;
    let enough = dice.roll(6);
    let mut seen = 0;
    while seen <= enough {
        let Some(Ok(text)) = output.next() else { break };
        if let Some(number) = text.strip_prefix("acknowledged ") {
            acknowledged = number.parse().ok();
            seen += 1;
        }
    }
    std::thread::sleep(Duration::from_micros(dice.roll(4000)));
    child.kill().unwrap();
    child.wait().unwrap();
    // What it printed before it died was acknowledged too.
    let rest =
        output.map_while(Result::ok).filter_map(|text| text.strip_prefix("acknowledged ")?.parse().ok());
    rest.last().or(acknowledged)
}

#[test]
fn a_killed_writer_loses_nothing_acknowledged_and_doubles_nothing() {
    for backend in Backend::both() {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let stream = StreamName::new("w", "team");
        let mut from = 0;
        let mut store = backend.open();
        for round in 0..kills() {
            // Each begins a little before the last acknowledgement, so that some keys are sent again.
            let mut command = child("killed::writer", &backend);
            let writer = command.env(FROM, from.to_string()).spawn().unwrap();
            let acknowledged = kill(writer, &mut dice).expect("the writer wrote");
            let all = store.events(&stream, 0, 1_000_000).unwrap();
            let key = |event: &hansei_store::EventRow| {
                let line: serde_json::Value = serde_json::from_slice(&event.body).unwrap();
                line["key"].as_str().unwrap().to_owned()
            };
            let keys: BTreeSet<String> = all.iter().map(key).collect();
            assert_eq!(keys.len(), all.len(), "{} round {round}: nothing is doubled", backend.name());
            for number in 0..acknowledged {
                let is_there = keys.contains(&format!("k{number}"));
                assert!(is_there, "{} round {round}: k{number} was acknowledged", backend.name());
            }
            assert_eq!(all.len() as u64 % TOGETHER, 0, "{}: a commit is there or not", backend.name());
            assert!(all.iter().zip(1..).all(|(event, position)| event.position == position));
            from = acknowledged.saturating_sub(2 * TOGETHER);
        }
        assert!(from > u64::from(kills()), "{}: the writers got somewhere", backend.name());
    }
}

#[test]
fn a_killed_reader_leaves_an_index_that_is_read_on_exactly_once() {
    let files = Files::new();
    for session in 0..6 {
        let lines: String = (0..6000)
            .map(|n| line("2026-11-15T10:00:00Z", &format!(r#""kind":"counted","n":{n}"#)))
            .collect();
        files.append(&format!("s{session}"), lines.as_bytes());
    }
    let anew = Backend::sqlite();
    let mut fresh = anew.open();
    files.read(fresh.as_mut());
    let expected = dump(fresh.as_mut());
    for backend in Backend::both() {
        let mut dice = Dice(0x2545_f491_4f6c_dd1d);
        drop(backend.open());
        for _ in 0..kills() / 4 {
            let mut command = child("killed::reader", &backend);
            let reader = command.env(FOLDER, files.path()).spawn().unwrap();
            kill(reader, &mut dice);
        }
        let mut store = backend.open();
        files.read(store.as_mut());
        assert_eq!(dump(store.as_mut()), expected, "{}", backend.name());
    }
}
