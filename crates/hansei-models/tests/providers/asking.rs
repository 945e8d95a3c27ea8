//! What is sent to each provider, and what comes back.

use std::time::Duration;

use hansei_models::{Budget, Model as _, Unavailable};

use crate::{KEY, MODELS, model, patient, prompt, saying, serving};

#[test]
fn each_provider_is_asked_in_its_own_format_and_understood() {
    for (name, path) in MODELS {
        let server = saying("{\"complete\": true}");
        let reply = model(name, &server.url()).ask(&prompt(), &patient()).unwrap();
        assert_eq!(reply.text, "{\"complete\": true}", "{name}");
        assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (1000, 200), "{name}");
        // A server on this machine costs nothing.
        assert_eq!(reply.cost_usd, Some(0.0), "{name}");
        let requests = server.stop();
        assert_eq!(requests.len(), 1, "{name}");
        assert_eq!(requests[0].path.split('?').next(), Some(path), "{name}");
        let body = requests[0].body.to_string();
        for part in ["You judge.", "Is it done?", "additionalProperties", "1024"] {
            // Gemini's dialect of schemas has no such word.
            let absent = name.starts_with("gemini") && part == "additionalProperties";
            assert!(absent || body.contains(part), "{name} was not told {part}: {body}");
        }
        assert!(!body.contains(KEY), "{name}");
    }
}

#[test]
fn errors_of_a_provider_are_told_in_our_own_words() {
    for (name, _) in MODELS {
        for (status, part) in [
            (400, "status 400"),
            (401, "is the key right?"),
            (403, "is the key right?"),
            (404, "is the model's name right?"),
            (429, "its limit is reached"),
            (500, "status 500"),
            (529, "status 529"),
        ] {
            let script = format!("steps:\n  - error: {{ status: {status}, message: 'bad key {KEY}' }}\n");
            let server = serving(&script);
            let error = model(name, &server.url()).ask(&prompt(), &patient()).unwrap_err();
            assert!(
                matches!(&error, Unavailable::Status { status: s, .. } if *s == status),
                "{name}: {error:?}"
            );
            let told = format!("{error} {error:?}");
            assert!(told.contains(part) && !told.contains(KEY), "{name}: {told}");
            // Nothing is tried again: the stop would wait for it.
            assert_eq!(server.stop().len(), 1, "{name}");
        }
    }
}

#[test]
fn an_empty_answer_is_no_answer() {
    for (name, _) in MODELS {
        for text in ["", "  \n"] {
            let server = saying(text);
            let error = model(name, &server.url()).ask(&prompt(), &patient()).unwrap_err();
            assert!(
                matches!(error, Unavailable::Empty | Unavailable::NotAnAnswer { .. }),
                "{name} {text:?}: {error:?}"
            );
        }
    }
}

#[test]
fn a_model_that_hangs_is_left_when_the_time_is_up() {
    for (name, _) in MODELS {
        let server = serving("steps:\n  - delay_ms: 600000\n    text: late\n");
        let budget = Budget { time: Duration::from_secs(1), ..Budget::default() };
        let error = model(name, &server.url()).ask(&prompt(), &budget).unwrap_err();
        assert_eq!(error, Unavailable::TimedOut { seconds: 1 }, "{name}");
    }
}

#[test]
fn what_could_cost_too_much_is_not_asked() {
    let mut model = model("anthropic/claude-haiku-4-5", "https://gateway.invalid");
    let budget = Budget { max_usd: Some(0.0001), ..Budget::default() };
    let error = model.ask(&prompt(), &budget).unwrap_err();
    assert!(matches!(error, Unavailable::Budget(_)), "{error:?}");
    // The key's command is not run either.
    model.key = hansei_models::KeySource::Command(hansei_models::KeyCommand(vec!["false".to_owned()]));
    assert!(matches!(model.ask(&prompt(), &budget).unwrap_err(), Unavailable::Budget(_)));
}

#[test]
fn a_second_look_has_no_chance_in_it_where_the_model_takes_a_temperature() {
    let temperatures = |name: &str, script: &str| {
        let server = serving(script);
        let reply = model(name, &server.url()).ask_while(&prompt(), &patient(), &|| false);
        let seen: Vec<Option<f64>> =
            server.stop().iter().map(|request| request.body["temperature"].as_f64()).collect();
        (reply.map(|reply| reply.text).ok(), seen)
    };
    let yes = || Some("yes".to_owned());
    let refused = "steps:\n  - error: { status: 400, message: no temperature }\n  - text: yes\n";
    for (name, script, expected) in [
        ("anthropic/claude-sonnet-4-5", "steps:\n  - text: yes\n", (yes(), vec![Some(0.0)])),
        ("compatible/org/model", "steps:\n  - text: yes\n", (yes(), vec![Some(0.0)])),
        // One that thinks takes none; one of which nothing is known says so.
        ("openai/gpt-5.4-mini", "steps:\n  - text: yes\n", (yes(), vec![None])),
        ("compatible/org/model", refused, (yes(), vec![Some(0.0), None])),
        ("compatible/org/model", "steps:\n  - error: { status: 500, message: x }\n", (None, vec![Some(0.0)])),
    ] {
        assert_eq!(temperatures(name, script), expected, "{name}");
    }
}
