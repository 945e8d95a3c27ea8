//! What the agent's last words say: which sentences claim, admit, announce, ask or hand over.

use crate::prose::{Concept, End, Form, Hit, Prose, Sentence, Stance};

/// The last words, read by meaning. Sentences are named by their places.
#[derive(Debug, Clone)]
pub struct Speech {
    /// The words themselves.
    pub prose: Prose,
    /// The phrases of each sentence.
    hits: Vec<Vec<(Hit, Stance)>>,
    /// Whether the words are in a language that we read.
    pub understood: bool,
}

/// Words that every English text of some length holds.
const ENGLISH: &[&str] = &[
    "the", "is", "are", "to", "and", "of", "i", "it", "you", "in", "for", "with", "this", "that", "have",
    "all", "now", "not", "done", "a", "was", "on", "no", "be", "has", "will", "can", "fixed", "added",
    "please", "complete", "updated", "should", "me", "let", "which", "what",
];

impl Speech {
    /// Reads the agent's last words.
    pub fn read(text: &str) -> Self {
        let prose = Prose::read(text);
        let hits = prose.sentences.iter().map(Sentence::hits).collect();
        let words: Vec<&str> =
            prose.sentences.iter().flat_map(|sentence| sentence.words.iter().map(String::as_str)).collect();
        let plain = words.iter().filter(|word| word.chars().any(char::is_alphabetic)).count();
        let english = words.iter().filter(|word| ENGLISH.contains(word)).count();
        let foreign_letters = text.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
        let understood = plain == 0
            || (english * 12 >= plain || plain < 12)
                && foreign_letters * 12 < text.chars().filter(|c| c.is_alphabetic()).count().max(1);
        Self { prose, hits, understood }
    }

    /// Whether there are no words at all.
    pub fn is_empty(&self) -> bool {
        self.prose.end == End::Empty
    }

    /// The sentence at `place`.
    pub fn sentence(&self, place: usize) -> &Sentence {
        &self.prose.sentences[place]
    }

    /// Whether the sentence at `place` holds `concept`, however it is meant.
    pub fn holds(&self, place: usize, concept: Concept) -> bool {
        self.understood && self.hits[place].iter().any(|(hit, _)| hit.concept == concept)
    }

    /// Whether the sentence at `place` asserts `concept`.
    pub fn asserts_at(&self, place: usize, concept: Concept) -> bool {
        let asserted = |(hit, how): &(Hit, Stance)| hit.concept == concept && *how == Stance::Asserted;
        self.understood && self.hits[place].iter().any(asserted)
    }

    /// The places of sentences that assert `concept`, headings left out.
    pub fn asserting(&self, concept: Concept) -> Vec<usize> {
        self.places().filter(|place| self.asserts_at(*place, concept)).collect()
    }

    /// The places of all sentences but headings.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.prose.sentences.len())
            .filter(|place| !matches!(self.prose.sentences[*place].form, Form::Heading | Form::Row))
    }

    /// The places of the last sentences, at most `count`, headings left out.
    pub fn last(&self, count: usize) -> Vec<usize> {
        self.prose.last(count).map(|(place, _)| place).collect()
    }

    /// The heading above the sentence at `place`, by its place.
    pub fn heading(&self, place: usize) -> Option<usize> {
        self.prose.sentences[place].under
    }

    /// Whether the sentence stands under a heading, or leads a list, that holds `concept`.
    pub fn is_under(&self, place: usize, concept: Concept) -> bool {
        self.heading(place).is_some_and(|heading| self.holds(heading, concept))
    }

    /// Whether the words claim that work is done.
    pub fn claims_done(&self) -> bool {
        let claimed = |place: usize| {
            self.asserts_at(place, Concept::Done)
                && !self.asserts_at(place, Concept::Remains)
                && !self.asserts_at(place, Concept::Fails)
                && self.prose.sentences[place].form != Form::Unticked
                && !self.is_under(place, Concept::NextSteps)
                && !self.is_under(place, Concept::Plans)
        };
        self.understood && (self.places().any(claimed) || self.heads_done())
    }

    fn heads_done(&self) -> bool {
        let heading = |place: &usize| self.prose.sentences[*place].form == Form::Heading;
        (0..self.prose.sentences.len()).filter(heading).any(|place| {
            self.asserts_at(place, Concept::Done)
                && !self.holds(place, Concept::Remains)
                && !self.holds(place, Concept::NextSteps)
        })
    }

    /// Sentences that claim that a check passes.
    pub fn claims_passing(&self) -> Vec<usize> {
        let mut claims: Vec<usize> = (0..self.prose.sentences.len())
            .filter(|place| {
                self.asserts_at(*place, Concept::Passes) && !self.asserts_at(*place, Concept::Fails)
            })
            .filter(|place| !self.is_under(*place, Concept::NextSteps))
            .collect();
        claims.retain(|place| self.prose.sentences[*place].form != Form::Unticked);
        claims
    }

    /// Sentences that admit that something fails now. A story that ends well admits nothing.
    pub fn admits_failing(&self) -> Vec<usize> {
        let admitted: Vec<usize> = self
            .places()
            .filter(|place| self.asserts_at(*place, Concept::Fails) && !self.prose.sentences[*place].asks)
            .collect();
        let passing = self.claims_passing();
        let says = |place: usize, list: &[&str]| {
            self.prose.sentences[place].words.iter().any(|word| list.contains(&word.as_str()))
        };
        let lasting =
            |place: usize| says(place, &["still", "remain", "remains", "currently", "yet", "keeps"]);
        let present = |place: usize| {
            says(place, &["fail", "fails", "failing", "not", "red", "broken", "are", "is", "✗"])
        };
        // "I tried it with a failing test" speaks of one, and admits nothing.
        let any = |place: usize| {
            let words = &self.prose.sentences[place].words;
            words.windows(2).any(|pair| {
                matches!(
                    pair[0].as_str(),
                    "a" | "an" | "any" | "one" | "each" | "every" | "no" | "if" | "when"
                ) && matches!(
                    pair[1].as_str(),
                    "failing" | "failed" | "broken" | "red" | "failure" | "error" | "crash"
                )
            })
        };
        let told = |place: usize| {
            says(place, &["before", "once", "earlier", "previously", "baseline", "initially"])
                || self.holds(place, Concept::AsAsked)
        };
        admitted
            .into_iter()
            .filter(|place| !any(*place) || lasting(*place))
            .filter(|place| !told(*place) && (!self.holds(*place, Concept::Passes) || lasting(*place)))
            .filter(|place| {
                let mended = passing.iter().any(|pass| pass > place);
                lasting(*place) || present(*place) && !mended || passing.is_empty() && !self.claims_done()
            })
            .collect()
    }

    /// The sentence at `place`, short enough to be quoted.
    pub fn quote(&self, place: usize) -> String {
        let text = &self.prose.sentences[place].text;
        let short: String = text.chars().take(140).collect();
        if short.len() < text.len() { format!("“{short}…”") } else { format!("“{short}”") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_being_done() {
        for (text, claims) in [
            ("All done.", true),
            ("The parser is fixed and all tests pass.", true),
            ("I've added the flag and updated the docs.", true),
            ("Implemented the login page. Let me know if you want changes.", true),
            ("## Summary\n- Added `foo`\n- Removed `bar`", true),
            ("I will add the flag next.", false),
            ("The flag is not implemented yet.", false),
            ("It should be fixed once the server restarts.", false),
            ("Is it done?", false),
            ("> All done", false),
            ("```\nall tests passed\n```", false),
            ("", false),
        ] {
            assert_eq!(Speech::read(text).claims_done(), claims, "{text}");
        }
    }

    #[test]
    fn claims_of_passing_checks() {
        for (text, claims) in [
            ("All tests pass.", true),
            ("The build is green and clippy is clean.", true),
            ("Everything compiles without errors.", true),
            ("12 passed, 0 failed — the whole suite passes now.", true),
            ("✅ All 42 tests passing", true),
            ("The tests do not pass yet.", false),
            ("The tests should pass now.", false),
            ("Run the tests to see whether they pass.", false),
            ("Once the tests pass we can merge.", false),
            ("Two tests fail.", false),
            ("No tests were run.", false),
        ] {
            assert_eq!(!Speech::read(text).claims_passing().is_empty(), claims, "{text}");
        }
    }

    #[test]
    fn admissions_of_failure() {
        for (text, admits) in [
            ("Two tests still fail.", true),
            ("The tests do not pass yet.", true),
            ("I fixed the first bug, but test_b is failing.", true),
            ("The build is broken because of a missing header.", true),
            ("The tests were failing because of a typo; I fixed it and now all tests pass.", false),
            ("No failing tests remain.", false),
            ("All tests pass with no errors, warnings or failures.", false),
            ("I added a test that checks what happens when the upload fails.", false),
            ("Done. 12 passed, 0 failed.", false),
        ] {
            assert_eq!(!Speech::read(text).admits_failing().is_empty(), admits, "{text}");
        }
    }

    #[test]
    fn other_languages_are_not_read() {
        for (text, understood) in [
            (
                "Ich habe den Fehler im Parser behoben, und alle Tests laufen jetzt wieder ohne Probleme durch.",
                false,
            ),
            ("He corregido el error y todas las pruebas de integración pasan sin problemas.", false),
            ("すべてのテストが通りました。", false),
            ("Done.", true),
            ("Fixed `a.rs`", true),
            ("The fix is in place and the tests are green.", true),
        ] {
            assert_eq!(Speech::read(text).understood, understood, "{text}");
        }
    }
}
