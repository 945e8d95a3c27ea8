//! The advisor over a provider: choice of a fast model, caches, opinions.

use std::path::Path;

use hansei_core::evidence::Situation;
use hansei_core::session::{HumanVia, Session, SessionEvent, What};
use hansei_core::verdict::Autonomy;
use hansei_core::verdict::advisor::{Advisor as _, Question};
use hansei_models::{Model as _, ModelAdvisor, ProviderModel, Unavailable};
use hansei_record::cache::Cache;

use crate::{KEY, model, patient, prompt, saying, serving};

const NO: &str = r#"Sure! ```json
{"complete":false,"severity":"HIGH","requires_human_action":false,"feedback":"Run the tests.","missing":["a test run"],"next_actions":[],"confidence":0.8}
```"#;

fn question(words: &str) -> Question {
    let event = |what| SessionEvent { at: None, id: None, what };
    let session = Session::fold(&[
        event(What::HumanSaid { text: "Fix the parser.".to_owned(), via: HumanVia::Prompt }),
        event(What::Said { text: words.to_owned() }),
        event(What::Stopped),
    ]);
    Question::new(&Situation::of(&session), &[], Autonomy::Auto, &str::to_owned)
}

fn advisor(model: ProviderModel, folder: &Path) -> ModelAdvisor {
    let cache = Some(Cache::at(folder.join("cache")));
    ModelAdvisor { model: ProviderModel { cache: cache.clone(), ..model }, budget: patient(), cache }
}

#[test]
fn an_opinion_is_read_and_kept_for_the_same_question_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = saying(NO);
    let advisor = advisor(model("anthropic/claude-haiku-4-5", &server.url()), folder.path());
    let first = advisor.opinion(&question("Done.")).unwrap();
    assert!(!first.complete && first.missing == ["a test run"]);
    assert_eq!(advisor.opinion(&question("Done.")).as_ref(), Ok(&first));
    assert_eq!(server.requests().len(), 1);
    advisor.opinion(&question("All done.")).unwrap();
    assert_eq!(server.requests().len(), 2);
    for file in std::fs::read_dir(folder.path().join("cache")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains(KEY) && !text.contains("Fix the parser."), "{text}");
    }
}

#[test]
fn what_is_no_opinion_is_unavailable_and_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (text, part) in [
        (":", "answered nothing"),
        ("I cannot do that.", "refused"),
        ("The task looks complete to me.", "no verdict"),
        (r#"{"complete": true, "severity": "LOW", "missing": ["docs"]}"#, "contradicts itself"),
    ] {
        let server = saying(text);
        let advisor = advisor(model("openai/gpt-4o-mini", &server.url()), folder.path());
        for _ in 0..2 {
            let error = advisor.opinion(&question("Done.")).unwrap_err();
            assert!(error.reason.contains(part), "{text}: {error}");
        }
        assert_eq!(server.stop().len(), 2, "{text}");
    }
}

#[test]
fn a_broken_cache_only_costs_another_question() {
    let folder = tempfile::tempdir().unwrap();
    // A file where the cache's folder should be.
    std::fs::write(folder.path().join("cache"), "in the way").unwrap();
    let server = saying(NO);
    let advisor = advisor(model("gemini", &server.url()), folder.path());
    let error = advisor.opinion(&question("Done.")).unwrap_err();
    assert!(error.reason.contains("offers no fast model"), "{error}");
}

#[test]
fn a_fast_model_is_chosen_from_what_is_offered_and_the_choice_is_kept() {
    for (provider, offered, paths) in [
        ("anthropic", "claude-haiku-4-5-20251001", ["/v1/models", "/v1/messages", "/v1/messages"]),
        ("openai", "gpt-4o-mini", ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]),
        (
            "gemini",
            "gemini-2.5-flash",
            [
                "/v1beta/models",
                "/v1beta/models/gemini-2.5-flash:generateContent",
                "/v1beta/models/gemini-2.5-flash:generateContent",
            ],
        ),
        ("compatible", "whatever", ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = serving(&format!("model: {offered}\nsteps:\n  - text: fine\n"));
        let mut asked = model(provider, &server.url());
        asked.cache = Some(Cache::at(folder.path().to_owned()));
        for _ in 0..2 {
            assert_eq!(asked.ask(&prompt(), &patient()).unwrap().model, offered, "{provider}");
        }
        let requests = server.stop();
        let seen: Vec<&str> = requests.iter().map(|r| r.path.split('?').next().unwrap()).collect();
        assert_eq!(seen, paths, "{provider}");
    }
    let server = serving("model: claude-opus-9\nsteps:\n  - text: fine\n");
    let error = model("anthropic", &server.url()).ask(&prompt(), &patient()).unwrap_err();
    assert!(matches!(error, Unavailable::Settings(_)), "{error:?}");
}
