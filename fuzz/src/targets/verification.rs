//! A workspace's files, now and at its base: from them to a plan, whatever they say; and outputs, to a result.
//!
//! The bytes are files, each a line with its path, then its text up to a NUL; every second one stands at the base.

use std::collections::BTreeMap;

use hansei_core::verification::{
    Asked, Contents, End, Texts, admission, built_in, definitions, excerpt, judge, plan,
};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "verification", run, samples: corpus::none };

const MOST: usize = 4000;

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut files: BTreeMap<String, Texts> = BTreeMap::new();
    for (number, part) in text.split('\0').enumerate() {
        let (path, text) = part.split_once('\n').unwrap_or((part, ""));
        let texts = files.entry(path.to_owned()).or_default();
        let side = if number % 2 == 0 { &mut texts.now } else { &mut texts.base };
        *side = Some(text.to_owned());
    }
    let of = |has: fn(&Texts) -> bool| {
        files.iter().filter(move |(_, texts)| has(texts)).map(|(path, _)| path.clone())
    };
    let mut contents = Contents {
        now: of(|texts| texts.now.is_some()).collect(),
        base: Some(of(|texts| texts.base.is_some()).collect()),
        texts: BTreeMap::new(),
        changed: Some(of(|texts| texts.now != texts.base).collect()),
    };
    let ecosystems = built_in();
    for path in definitions::wanted(&contents, &ecosystems) {
        let texts = files[&path].clone();
        contents.texts.insert(path, texts);
    }
    let spec = vec![text.clone().into_owned()];
    let planned = plan(&contents, &Asked { ecosystems, spec, own: None, root: "/project".to_owned() });
    assert_eq!(planned.restored.is_empty(), definitions::restored(&contents).is_empty());
    for check in &planned.checks {
        for code in [0, 1, 5, 127] {
            let judged = judge(check, &check.line, &End::Exited(code), &text);
            let short = excerpt(&text, &judged.failing, MOST);
            assert!(short.chars().count() <= MOST, "an excerpt is bounded");
        }
    }
    // Whatever a line says, one that climbs out is refused.
    assert!(admission::refusal(&format!("cat ../x; {text}"), "/project").is_some());
}
