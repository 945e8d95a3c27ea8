//! Scripts of the model: what they say is given in every wire format.

use hansei_model_server::answer::{ErrorsGiven, Spoken, decide};
use hansei_model_server::request::Asked;
use hansei_model_server::script::Script;
use hansei_model_server::wire::{Format, Turn};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "script", run: check, samples: corpus::none };

/// Every wire format.
pub(super) const FORMATS: [Format; 4] = [Format::Anthropic, Format::Chat, Format::Responses, Format::Gemini];

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let script: Script = match text.parse() {
        Ok(script) => script,
        Err(error) => {
            assert!(!error.message.is_empty());
            return;
        }
    };
    let mut given = ErrorsGiven::default();
    for turn in 0..3 {
        let asked = Asked { turn, ..Asked::default() };
        for format in FORMATS {
            answer(&script, &asked, format, &mut given);
        }
    }
}

/// Answers `asked` as the server does.
pub(super) fn answer(script: &Script, asked: &Asked, format: Format, given: &mut ErrorsGiven) {
    let Ok(answer) = decide(script, asked, "", given) else { return };
    given.count(&answer);
    match &answer.spoken {
        Spoken::Error(error) => drop(format.error(error)),
        Spoken::Turn { parts, usage, ends } => {
            let turn = Turn { number: 1, model: &asked.model, parts, usage: *usage, stop: ends.stop };
            assert!(format.whole(turn).is_object());
            assert!(!format.events(turn).is_empty(), "a stream says at least that it ends");
        }
    }
}
