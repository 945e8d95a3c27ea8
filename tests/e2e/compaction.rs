//! What an agent hears after its context was compacted: the word that is on record, with the next request of its model.

use hansei_model_server::Recorded;
use serde_json::Value;

use crate::world::{World, story};

/// The nudge of the only compaction of `session` is in the first of `requests` that come after it, and on record before.
pub fn the_nudge_reached_the_next_request(world: &World, session: &str, requests: &[&Recorded]) -> String {
    let log = world.read(&format!(".hansei/log/{session}.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let nudged: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "nudged").collect();
    assert_eq!(nudged.len(), 1, "once a compaction: {log}");
    assert_eq!(nudged[0]["because"], "compaction", "{log}");
    let text = nudged[0]["text"].as_str().unwrap();
    assert!(text.starts_with("[Hansei] The context was compacted"), "{text}");
    let written = Value::from(text).to_string();
    let first = requests.first().expect("the model is asked again").body.to_string();
    assert!(first.contains(written.trim_matches('"')), "{text}\nis not in\n{first}");
    text.to_owned()
}

/// How many of the requests hold a text.
pub fn holding<'a>(requests: &'a [Recorded], text: &str) -> Vec<&'a Recorded> {
    let written = Value::from(text).to_string();
    let written = written.trim_matches('"');
    let found: Vec<&Recorded> =
        requests.iter().filter(|request| request.body.to_string().contains(written)).collect();
    assert!(!found.is_empty(), "{text} is in none of\n{}", story(requests));
    found
}
