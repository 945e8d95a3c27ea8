//! Receipts that came from elsewhere, and the verdicts that reports read: whatever they hold, the page keeps its form.

use hansei_core::evidence::claims_of_stops;
use hansei_core::report::account::RecordedVerdict;
use hansei_core::report::receipt::Receipt;
use hansei_core::report::receipt_markdown::{Reruns, markdown};
use hansei_core::session::{HumanVia, Session, SessionEvent, What};

use crate::Target;

pub(crate) const TARGET: Target = Target { name: "receipt", run: check, samples: Vec::new };

fn check(bytes: &[u8]) {
    let _ = serde_json::from_slice::<RecordedVerdict>(bytes);
    if let Ok(receipt) = Receipt::from_json(bytes) {
        let written = serde_json::to_vec(&receipt).expect("a receipt can be written");
        assert_eq!(Receipt::from_json(&written).expect("and read again"), receipt);
        for line in markdown(&receipt, None, &Reruns::NotAsked).lines().filter(|line| line.starts_with('|')) {
            let bars =
                line.char_indices().filter(|(at, c)| *c == '|' && !line[..*at].ends_with('\\')).count();
            assert_eq!(bars, 4, "{line}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
    }
    let text = String::from_utf8_lossy(bytes);
    let event = |what: What| SessionEvent { at: None, id: None, what };
    let asked = What::HumanSaid { text: "do it".to_owned(), via: HumanVia::Prompt };
    let session = Session::fold(&[event(asked), event(What::Said { text: text.into_owned() })]);
    for claim in claims_of_stops(&session).into_iter().flat_map(|(_, claims)| claims) {
        assert!(!claim.quote.is_empty() && !claim.because.is_empty(), "{claim:?}");
    }
}
