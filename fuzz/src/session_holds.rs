//! What holds for the events of any session, wherever they were read.

use hansei_agents::atif::{self, Whose};
use hansei_agents::messages::{self, Shape};
use hansei_core::report::lookback::stops;
use hansei_core::session::{Session, SessionEvent};

/// The most that the fold keeps of a text, and of a command's output.
const LONGEST_TEXT: usize = 4096;
const LONGEST_OUTPUT: usize = 2048;

/// Folding ends and stays within bounds, looking back ends, and exports can be imported again: a trajectory as the same
/// events.
pub(crate) fn check(events: &[SessionEvent]) {
    let session = Session::fold(events);
    for call in &session.calls {
        if let Some(end) = &call.end {
            assert!(end.output.head.len() + end.output.tail.len() <= LONGEST_OUTPUT, "{call:?}");
        }
    }
    for (task, turn) in session.turns() {
        for excerpt in [&task.request, &turn.last_words, &turn.sent_back].into_iter().flatten() {
            assert!(excerpt.head.len() + excerpt.tail.len() <= LONGEST_TEXT, "{excerpt:?}");
        }
        assert!(turn.calls.end <= session.calls.len(), "{turn:?}");
    }
    assert!(stops(&session).len() <= session.turns().count());

    let whose = Whose { agent: "codex", session: "s" };
    let trajectory = atif::export(events, whose).to_string();
    let again = atif::import(trajectory.as_bytes()).expect("our own trajectory is one");
    assert_eq!(again, events, "imported from {trajectory}");
    for shape in [Shape::OpenAi, Shape::Anthropic] {
        let exported = messages::export(events, shape, whose).to_string();
        messages::import(exported.as_bytes()).expect("our own messages are some");
    }
}
