//! Whether a sentence decides for a name: tells to use it, rather than mentions it, warns of it or takes it away.

use super::file_kind::holds;
use super::names::Name;
use super::reasons::without_reasons;
use super::wanted::is_wanted;

/// The nearest of these before a name decides what the sentence does with it.
const FOR: &str = "use uses using used add adds adding install installs introduce introducing introduces reintroduce \
    reintroducing adopt adopts adopting bring restore restoring import importing call calling calls \
    choose chose chosen choosing pick implement enable enabling put create creating write build wire run \
    running execute include require requires option select selected revive get deploy set prefer apply \
    leverage embed integrate backed invoke declare declared define defined mark configure turn go bundle make made pull ship become becomes \
    serve rely host start try trying";
/// These join a name to what is done with it.
const JOINING: &str = "to with via through by on into in as under inside";
/// Beginnings of what is done.
const DOING: &str = "cach stor keep put sav mov switch migrat port persist send writ fetch implement replac connect quer \
    load pars build serv hold handl rely relies depend bas rewrit convert upgrad return go use add creat \
    schedul queue render valid serializ sign encrypt hash log deploy run format read wrap share authent \
    generat retr mak do speed swap chang manag hook publish process session commit push describ provision defin declar monitor trac measur test bundl packag compil draw search index \
    orchestrat pass invok skip \
    call kept held sent built written made done ran sit live restor split break extract turn adopt introduc";
/// Labels behind which nothing is chosen.
const NO_CHOICE: &str = "dismissed alternatives alternative risks risk background history see note context todo why example compare options ruled \
    discarded declined problem issue reason consequences consequence pros cons status date owner owners deciders drivers evidence \
    relation";
/// What is behind `for` takes the place of something.
const EXCHANGING: &str = "swap replac exchang trad substitut chang";
const AGAINST: &str = "remove removes removing removed drop drops dropping dropped delete deletes deleting replace replaces \
    replacing replaced reject rejects rejected rejecting forbid forbids ban bans banned uninstall \
    deprecate deprecates eliminate unlike except against from of without off considered considering \
    evaluated than over why not never no avoid avoids avoiding like about mention mentions document \
    verify ensure check confirm";
/// What a sentence undoes, whatever it speaks of.
const UNDOING: &str = "remove removes removing removed drop drops dropping dropped delete replace reject rejects rejected forbid forbids";
/// Before what decides for it, these turn it round.
pub(super) const TURNING: &str = "evaluate investigate whether discuss if question not never no don't dont won't cannot can't shouldn't mustn't doesn't without avoid avoids avoiding \
    stop stopped reject rejected rejects instead rather forbid forbids forbidden forbidding considered \
    consider evaluated compare compared isn't aren't nobody nothing neither nor longer ban bans prevent \
    prevents refuse ensure verify check similar unlike against remove removing attempt attempts tempting \
    prohibit prohibits away";
const BEHIND_AGAINST: &str = "removal replacement deprecation ban rejection rejected not forbidden banned deprecated removed replaced disallowed prohibited dropped stays \
    remains never no";
const BEHIND_FOR: &str = "for as will backs handles stores becomes again client based backed";

/// Whether a text tells to use `name`.
pub(super) fn decides_for(text: &str, name: &Name) -> bool {
    // `Spring Boot` was kept as one word.
    let spaced = (!name.quoted && name.text.contains('-')).then(|| name.text.replace('-', " "));
    clauses(text).any(|clause| {
        clause_decides_for(clause, &name.text)
            || spaced.as_ref().is_some_and(|name| clause_decides_for(clause, name))
    })
}

/// Whether nothing is chosen in a line that begins with a label: `Context: today we use redis`.
pub(super) fn is_labelled_otherwise(label: &str) -> bool {
    let lower = label.to_lowercase();
    words(&lower).iter().any(|word| holds(NO_CHOICE, word) || holds(TURNING, word) || holds(AGAINST, word))
}

/// Clauses of a text, so that what one of them denies is not denied in the next.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n', ';', '!', '?'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split(" but "))
        .flat_map(|part| part.split(", then "))
        .flat_map(|part| part.split(" and then "))
        .flat_map(without_reasons)
}

fn clause_decides_for(clause: &str, name: &str) -> bool {
    let (lower, wanted) = (clause.to_lowercase(), name.to_lowercase());
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut from = 0;
    while let Some(at) = lower[from..].find(&wanted).map(|at| at + from) {
        let end = at + wanted.len();
        from = end;
        let before = lower[..at].chars().next_back();
        let behind = lower[end..].chars().next();
        let dotted = behind == Some('.') && is_file_name(&lower[end + 1..]);
        if before.is_some_and(|c| in_word(c) || c == '/' || c == '@')
            || (behind.is_some_and(in_word) && !wanted.ends_with('/'))
            || (dotted && !wanted.contains('.'))
        {
            continue;
        }
        if stands_for(&lower[..at], &lower[end..]) {
            return true;
        }
    }
    false
}

/// Whether what stands behind a name and a dot makes it the name of a file, as in `redis.conf`; `redis.set_many` and
/// `redis.get(…)` are uses.
fn is_file_name(behind: &str) -> bool {
    let end = behind.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(behind.len());
    let (word, rest) = behind.split_at(end);
    !word.is_empty() && word.len() <= 5 && !word.contains('_') && !rest.starts_with('(')
}

pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|word| !word.is_empty())
        .collect()
}

fn stands_for(before: &str, behind: &str) -> bool {
    let said = words(before);
    let after = words(behind);
    if after.iter().take(4).any(|word| holds(BEHIND_AGAINST, word))
        && !after.iter().take(3).any(|word| *word == "longer")
    {
        return false;
    }
    let turned = |until: usize| said[until.saturating_sub(6)..until].iter().any(|word| holds(TURNING, word));
    for at in (0..said.len()).rev().take(7) {
        let word = said[at];
        // `sent over x` takes a way; `preferred over x` passes it by.
        let carried = word == "over"
            && at > 0
            && ["sen", "stream", "publish", "deliver", "talk", "speak", "serv", "expos"]
                .iter()
                .any(|stem| said[at - 1].starts_with(stem));
        if holds(AGAINST, word) {
            // `instead of x`, `rather than x`, `from x to y`; but `on top of x`, `the use of x`.
            let top = word == "of"
                && at > 0
                && matches!(
                    said[at - 1],
                    "top"
                        | "use"
                        | "instance"
                        | "means"
                        | "favour"
                        | "favor"
                        | "help"
                        | "basis"
                        | "form"
                        | "combination"
                        | "mix"
                        | "set"
                        | "couple"
                        | "copy"
                        | "version"
                );
            if !top && !carried {
                return false;
            }
        }
        if carried {
            return !turned(at);
        }
        let exchanged = word == "for"
            && said[..at].iter().any(|verb| EXCHANGING.split_whitespace().any(|stem| verb.starts_with(stem)));
        if exchanged {
            return !turned(at);
        }
        let joins = holds(JOINING, word)
            && said[..at]
                .iter()
                .any(|verb| holds(FOR, verb) || DOING.split_whitespace().any(|stem| verb.starts_with(stem)));
        if holds(FOR, word) || joins {
            return !turned(at);
        }
    }
    // `Persistence: Redis with backups`, `New dependencies: redis, lxml`
    if let Some((label, listed)) = before.rsplit_once(':') {
        let (label, listed) = (words(label), words(listed));
        let is_other = |word: &&str| holds(TURNING, word) || holds(AGAINST, word) || holds(NO_CHOICE, word);
        // A sentence behind a colon gives a reason.
        let tells = after.first().is_some_and(|word| {
            holds("is was are were would will has had needs does can cannot could", word)
        });
        if !tells && (1..=4).contains(&label.len()) && listed.len() <= 3 && !label.iter().any(is_other) {
            return true;
        }
    }
    // `Where do sessions live? In Redis.`
    if let [only] = said.as_slice()
        && holds(JOINING, only)
    {
        return true;
    }
    // `Redis for the cache`, `Redis will be used`
    (said.is_empty() && after.first().is_some_and(|word| holds(BEHIND_FOR, word)))
        || is_wanted(before, &after)
}

/// Whether a text asks for something, rather than tells how things are.
pub(super) fn asks(text: &str) -> bool {
    clauses(text).any(|clause| {
        let lower = clause.to_lowercase();
        let said = words(&lower);
        let commands = said.first().is_some_and(|word| holds(FOR, word) && !word.ends_with("ing"));
        commands || said.iter().any(|word| holds(ASKING, word))
    })
}

/// Words of somebody who asks for something.
const ASKING: &str = "should must need needs needed require requires required necessary let's instead only switch shall ought \
    allow allowed fine ok okay safe permitted acceptable longer could would better";

/// Whether a sentence tells to do what a rejection without names describes: nearly all of its words, and no denial. Of a few
/// words all must stand together.
pub(super) fn does_what_was_rejected(text: &str, rejected: &str) -> bool {
    let head = [", because", " because", " since ", " - ", " — ", ": ", "; ", ". ", ", as ", " ("]
        .iter()
        .filter_map(|stop| rejected.find(stop))
        .min();
    let stems = |text: &str| -> Vec<String> {
        words(&text.to_lowercase())
            .into_iter()
            .filter(|word| word.len() > 3)
            .map(|word| word.chars().take(if word.len() > 6 { 6 } else { 4 }).collect())
            .collect()
    };
    let wanted = stems(&rejected[..head.unwrap_or(rejected.len())]);
    let shares = |said: &[String], word: &String| {
        said.iter().any(|known| known.starts_with(word.as_str()) || word.starts_with(known.as_str()))
    };
    clauses(text).any(|clause| {
        let said = stems(clause);
        let lower = clause.to_lowercase();
        let all = words(&lower);
        let denied = all.iter().any(|word| holds(TURNING, word) || holds(UNDOING, word));
        let together = match wanted.as_slice() {
            [] => false,
            [only] => {
                rejected.split_whitespace().count() == 1
                    && only.len() >= 6
                    && shares(&said, only)
                    && decides(&all)
            }
            [_, _] => {
                said.windows(2).any(|pair| wanted.iter().all(|word| shares(pair, word))) && decides(&all)
            }
            _ => wanted.iter().filter(|word| shares(&said, word)).count() * 10 >= wanted.len() * 9,
        };
        together && !denied
    })
}

/// Whether somebody does something in these words.
fn decides(said: &[&str]) -> bool {
    said.iter().any(|word| holds(FOR, word) || DOING.split_whitespace().any(|stem| word.starts_with(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_for_a_name_or_is_not() {
        let name = Name::plain("redis");
        for (text, is_for) in [
            ("Use redis for the cache", true),
            ("1. Add `redis` to requirements.txt", true),
            ("We will switch to Redis.", true),
            ("Cache the pages with redis", true),
            ("Sessions move from sqlite to redis", true),
            ("Redis for sessions", true),
            ("Replace sqlite with redis", true),
            ("Build it on top of redis", true),
            ("pip install redis", true),
            ("Do not use redis", false),
            ("Avoid using redis here", false),
            ("Remove redis from the compose file", false),
            ("Replace redis with sqlite", false),
            ("Use sqlite instead of redis", false),
            ("Use sqlite rather than redis", false),
            ("Migrate from redis to sqlite", false),
            ("redis stays rejected (ADR-3)", false),
            ("We considered redis", false),
            ("Use redis-mock in the tests", false),
            ("Make sure that we never bring back redis", false),
            ("Write down why redis was rejected", false),
            ("Cache in memory, without redis", false),
            ("See the notes about redis", false),
            ("Use sqlite, because it holds as well as redis", false),
            (
                "Chosen option: \"a table\", because ADR-2 holds here as well, and redis would be a second store",
                false,
            ),
            ("Events are sent over redis", true),
            ("We prefer sqlite over redis", false),
            ("Because reads dominate, cache them with redis", true),
            ("Drop sqlite because it locks, and use redis", true),
            ("redis should be used", true),
            ("call redis.set_many(rows)", true),
            ("use redis.conf as the name", false),
            ("try redis", true),
            ("the table cannot; redis is needed", true),
            ("redis is fine now", true),
            ("redis is no longer forbidden", true),
            ("only redis can hold so many", true),
            ("allow redis again", true),
            ("the job needs redis", true),
            ("redis should not be used", false),
            ("redis is not needed", false),
            ("redis must be avoided", false),
            ("redis should stay out", false),
            ("redis is slow here", false),
            ("nobody needs redis", false),
            ("it is unclear whether redis is needed", false),
            ("the job ran before redis was rejected", false),
        ] {
            assert_eq!(decides_for(text, &name), is_for, "{text}");
        }
    }

    #[test]
    fn what_a_rejection_without_names_describes() {
        let rejected = "storing passwords in plain text, because of audits";
        assert!(does_what_was_rejected("Store the passwords as plain text for now", rejected));
        assert!(!does_what_was_rejected("Never store passwords as plain text", rejected));
        assert!(!does_what_was_rejected("Store the names in a table", rejected));
    }
}
