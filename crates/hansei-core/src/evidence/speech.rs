//! What the agent's last words say: which sentences claim, admit, announce, ask or hand over.

use crate::check::read_command;
use crate::prose::words::CODE;
use crate::prose::{self, Concept, End, Form, Hit, Prose, Sentence, Stance};

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

impl Speech {
    /// Reads the agent's last words.
    pub fn read(text: &str) -> Self {
        let prose = Prose::read(text);
        let mut hits: Vec<Vec<(Hit, Stance)>> = prose.sentences.iter().map(Sentence::hits).collect();
        let words: Vec<&str> =
            prose.sentences.iter().flat_map(|sentence| sentence.words.iter().map(String::as_str)).collect();
        let plain = words.iter().filter(|word| word.chars().any(char::is_alphabetic)).count();
        let english = words.iter().filter(|word| prose::is(word, "english")).count();
        let foreign_letters = text.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
        let abroad = hits.iter().flatten().any(|(hit, _)| hit.abroad);
        let understood = plain == 0
            || (english * 12 >= plain && english > 0 || plain < 12 && !abroad)
                && foreign_letters * 12 < text.chars().filter(|c| c.is_alphabetic()).count().max(1);
        for row in &mut hits {
            row.retain(|(hit, _)| hit.abroad != understood);
        }
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
        self.hits[place].iter().any(|(hit, _)| hit.concept == concept)
    }

    /// The place of the word where the sentence at `place` begins to hold `concept`.
    pub fn start_of(&self, place: usize, concept: Concept) -> Option<usize> {
        self.hits[place].iter().filter(|(hit, _)| hit.concept == concept).map(|(hit, _)| hit.start).min()
    }

    /// Whether the sentence at `place` asserts `concept`.
    pub fn asserts_at(&self, place: usize, concept: Concept) -> bool {
        let asserted = |(hit, how): &(Hit, Stance)| hit.concept == concept && *how == Stance::Asserted;
        self.hits[place].iter().any(asserted)
    }

    /// The phrases by which the sentence at `place` asserts `concept`.
    pub fn asserted(&self, place: usize, concept: Concept) -> impl Iterator<Item = Hit> + '_ {
        let asserted = move |(hit, how): &&(Hit, Stance)| hit.concept == concept && *how == Stance::Asserted;
        self.hits[place].iter().filter(asserted).map(|(hit, _)| *hit)
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
        self.heading(place).is_some_and(|above| self.holds(above, concept) || self.is_under(above, concept))
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
        self.places().any(claimed) || self.heads_done()
    }

    fn heads_done(&self) -> bool {
        let heading = |place: &usize| self.prose.sentences[*place].form == Form::Heading;
        (0..self.prose.sentences.len()).filter(heading).any(|place| {
            self.asserts_at(place, Concept::Done)
                && !self.holds(place, Concept::Remains)
                && !self.holds(place, Concept::NextSteps)
        })
    }

    /// Whether the words tell that something fails, could not be run or was not.
    pub fn tells_of_failing(&self) -> bool {
        let told = [Concept::Unable, Concept::Unverified, Concept::Dismisses, Concept::Hedges];
        (0..self.prose.sentences.len()).any(|place| {
            self.asserts_at(place, Concept::Fails) || told.iter().any(|concept| self.holds(place, *concept))
        })
    }

    /// Whether the words tell that a check was not run, or could not be.
    pub fn tells_unchecked(&self) -> bool {
        self.places().any(|place| self.holds(place, Concept::Unverified))
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
        let passing = self.claims_passing();
        let done = self.claims_done();
        let admits = |place: &usize| {
            let sentence = self.sentence(*place);
            let lasts = sentence.has("lasting");
            let mended = passing.iter().any(|pass| pass > place);
            self.asserted(*place, Concept::Fails).any(|hit| self.is_of_now(*place, hit))
                && !sentence.has("past-behind")
                && !self.holds(*place, Concept::AsAsked)
                && (lasts || !self.holds(*place, Concept::Passes) && !supposes_one(sentence))
                && (lasts || sentence.has("present") && !mended || passing.is_empty() && !done)
        };
        self.places().filter(admits).collect()
    }

    /// Whether a phrase of failing tells how a check or the work is now, and not how a program behaves when something fails,
    /// nor what was mended.
    fn is_of_now(&self, place: usize, hit: Hit) -> bool {
        let sentence = self.sentence(place);
        let inside = &sentence.words[hit.start..hit.end];
        let next = sentence.words.get(hit.end).map_or("", String::as_str);
        let (start, clause) = sentence.clause_at(hit.start);
        let explained =
            prose::any(&clause[..hit.start - start], "relative") || prose::any(inside, "relative");
        // A piece of code that fails is a check, or it is a part of the program.
        let named = !inside.iter().any(|word| word == CODE)
            || sentence.code.iter().any(|code| {
                !read_command(code).checks.is_empty()
                    || code.to_lowercase().contains("test")
                    || code.contains("spec")
            });
        // "Failures that my change introduced" tells of them, and mends none.
        let told_of = matches!(next, "that" | "which");
        let mended = self
            .asserted(place, Concept::Done)
            .any(|done| done.start >= hit.end && !told_of || done.start >= start && done.end <= hit.start);
        // A program fails with a message by design; a check that fails with one fails.
        let designed =
            prose::is(next, "fail-modes") && !(next == "with" && prose::any(inside, "check-nouns"));
        named && !explained && !designed && (!mended || sentence.has("lasting"))
    }

    /// The sentence at `place`, short enough to be quoted.
    pub fn quote(&self, place: usize) -> String {
        let text = &self.prose.sentences[place].text;
        let short: String = text.chars().take(140).collect();
        if short.len() < text.len() { format!("“{short}…”") } else { format!("“{short}”") }
    }
}

/// "I tried it with a failing test" speaks of one, and admits nothing.
fn supposes_one(sentence: &Sentence) -> bool {
    sentence.words.windows(2).any(|pair| prose::is(&pair[0], "any-one") && prose::is(&pair[1], "failing-one"))
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
            ("`cargo test` fails in two places.", true),
            ("Status: implementation complete. Tests: failing (see above).", true),
            ("I fixed the first. The second remains: the test fails with the same message.", true),
            ("I added it. The run ends with failures that my change introduced.", true),
            ("Added it. The parser fails with a clear message.", false),
            ("The error persists, so the change did not resolve it.", true),
            ("The function still fails gracefully.", false),
            ("The failed release calls `publish.yml`.", false),
            ("Added a warning when `json.Marshal` fails.", false),
            ("`TestInstall` failing - updated its expectations.", false),
            ("It shows why `SliceFromLine` does not work for JSON.", false),
        ] {
            assert_eq!(!Speech::read(text).admits_failing().is_empty(), admits, "{text}");
        }
    }

    #[test]
    fn other_languages_are_read_as_far_as_the_lexicon_goes() {
        for (text, concept, asserts) in [
            ("Ich habe den Fehler behoben, alle Tests sind grün.", Concept::Passes, true),
            ("Die Tests sind nicht grün.", Concept::Passes, false),
            ("Die Tests schlagen noch fehl.", Concept::Fails, true),
            ("Corrigé, tous les tests passent.", Concept::Passes, true),
            ("Listo, todas las pruebas pasan.", Concept::Passes, true),
            ("Corrigido, todos os testes passam.", Concept::Passes, true),
            ("已修复，测试全部通过。", Concept::Passes, true),
            ("测试未通过。", Concept::Passes, false),
            ("修正しました。すべてのテストが通りました。", Concept::Done, true),
            ("수정했습니다. 테스트가 모두 통과했습니다.", Concept::Passes, true),
            ("Als Nächstes kümmere ich mich um den OrderController.", Concept::Announces, true),
            ("¿Quieres que proceda con la actualización?", Concept::Permission, false),
        ] {
            let speech = Speech::read(text);
            assert!(!speech.understood, "{text}");
            assert_eq!(!speech.asserting(concept).is_empty(), asserts, "{text}");
        }
    }

    #[test]
    fn other_languages_are_told_from_english() {
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
