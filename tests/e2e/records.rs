//! What Hansei tells about the sessions that an agent left, asked for as a person would.

use std::path::PathBuf;
use std::process::Command;

use hansei_agents::transcript::Homes;
use serde_json::Value;

use crate::world::{Ran, World};

/// A session as `hansei sessions` lists it and `hansei show` tells it.
pub struct Told {
    /// What `hansei show --session` says.
    pub shown: Value,
    /// What happened in its log, by kind.
    pub log: Vec<String>,
    /// The reflections of it that `hansei log` lists.
    pub reflections: Vec<Value>,
}

impl Told {
    /// The session whose first task has these words.
    pub fn about(world: &World, task: &str) -> Self {
        let listed = json(&world.hansei(&["sessions", "--json"]));
        let asked = |row: &&Value| row["task"].as_str().is_some_and(|said| said.contains(task));
        let rows: Vec<&Value> = listed.as_array().unwrap().iter().filter(asked).collect();
        assert_eq!(rows.len(), 1, "one session about {task:?}: {listed:#}");
        let id = rows[0]["id"].as_str().unwrap().to_owned();
        let shown = json(&world.hansei(&["show", "--session", &id, "--json"]));
        let all = json(&world.hansei(&["log", "--json"]));
        let of_it = |reflection: &&Value| reflection["session_id"] == id.as_str();
        let reflections = all.as_array().unwrap().iter().filter(of_it).cloned().collect();
        let log = world.read(&format!(".hansei/log/{id}.jsonl")).unwrap_or_default();
        let kind = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["event"].as_str().or(line["kind"].as_str()).unwrap().to_owned()
        };
        Self { shown, log: log.lines().map(kind).collect(), reflections }
    }

    /// How often `kind` stands in the log.
    pub fn count(&self, kind: &str) -> usize {
        self.log.iter().filter(|logged| *logged == kind).count()
    }

    /// The last turn of the last task.
    pub fn last_turn(&self) -> &Value {
        let task = self.shown["tasks"].as_array().unwrap().last().unwrap();
        task["turns"].as_array().unwrap().last().unwrap()
    }

    /// Every call of the session that does `what`.
    pub fn calls(&self, what: &str) -> Vec<&Value> {
        let tasks = self.shown["tasks"].as_array().unwrap().iter();
        let turns = tasks.flat_map(|task| task["turns"].as_array().unwrap());
        let calls = turns.flat_map(|turn| turn["calls"].as_array().unwrap());
        calls.filter(|call| call["action"]["does"] == what).collect()
    }
}

impl std::fmt::Display for Told {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}\n{:#}\n{:#?}", self.log, self.shown, self.reflections)
    }
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"))
}

/// Everything that agents left here can be exported: the reference validator accepts it, redacted, and what is not
/// redacted comes back as the very events that were read.
pub fn every_session_can_be_exported(world: &World) {
    let homes = Homes { home: world.home.clone(), ..Homes::default() };
    let sessions = hansei_agents::sessions(&homes, None);
    assert!(!sessions.is_empty());
    let mut files: Vec<PathBuf> = Vec::new();
    for session in &sessions {
        let export = |more: &[&str]| {
            let ran = world.hansei(&[&["export", &session.id, "--format", "atif"], more].concat());
            assert_eq!(ran.code, Some(0), "{ran}");
            ran.stdout
        };
        let file = world.home.join(format!("export-{}.json", files.len()));
        world.write(&file, &export(&[]));
        files.push(file);
        let mut events = Vec::new();
        hansei_agents::read(session, &mut |event| events.push(event)).unwrap();
        let imported = hansei_agents::atif::import(export(&["--unredacted"]).as_bytes()).unwrap();
        assert_eq!(imported, events, "{} {}", session.agent, session.id);
    }
    let python =
        std::env::var_os("HANSEI_TEST_HARBOR").expect("run ./scripts/test, which installs the validator");
    let script = "import sys
from harbor.utils.trajectory_validator import TrajectoryValidator
validator = TrajectoryValidator()
for file in sys.argv[1:]:
    if not validator.validate(file):
        sys.exit(f'{file}: {validator.get_errors()}')";
    let validated = Ran::of(Command::new(python).arg("-c").arg(script).args(&files));
    assert_eq!(validated.code, Some(0), "{validated}");
}
