//! The keyword filter: which rules are looked at, and where.
//!
//! Every keyword is known by two windows of four bytes, one for even and one
//! for odd places of the text, so that only every other place is looked at.
//! The windows are the rarest the keyword has; a short one borrows from what
//! stands before it or must follow. A bit set over their hashes, folded to
//! lower case, is a compile-time constant: no start-up cost, and places do
//! not wait for one another as the states of an automaton would.

use super::keywords::{Act, SPECIAL, Special};
use super::segment::{Class, Rule, Seg};
use super::{table_ai, table_cloud, table_code, table_saas};

/// All tables of token formats.
pub const TABLES: [&[Rule]; 4] = [table_code::RULES, table_ai::RULES, table_cloud::RULES, table_saas::RULES];

/// A keyword and what it brings up.
#[derive(Clone, Copy)]
pub enum Keyword {
    /// A keyword of a token format, in its exact case.
    Token(&'static Rule, &'static str),
    /// A keyword of any case with a hand-written reader.
    Special(Act, &'static str),
}

const WORD_BITS: u32 = 14;
const WORDS: usize = 1 << WORD_BITS;

/// Folds letters to lower case, and all else to seven bits: the filter may
/// take one byte for another, the keyword is compared afterwards.
const fn fold(bytes: u64) -> u64 {
    (bytes | 0x2020_2020_2020_2020) & 0x7F7F_7F7F_7F7F_7F7F
}

const fn hash(gram: u32) -> u32 {
    gram.wrapping_mul(0x9E37_79B1)
}

/// The word of a hash in the filter, and its two bits there.
const fn place(hash: u32) -> (usize, u32, u32) {
    ((hash >> (32 - WORD_BITS)) as usize, (hash >> 13) & 63, (hash >> 7) & 63)
}

const fn count_keywords() -> usize {
    let mut n = SPECIAL.len();
    let mut t = 0;
    while t < TABLES.len() {
        let mut r = 0;
        while r < TABLES[t].len() {
            n += TABLES[t][r].heads.len();
            r += 1;
        }
        t += 1;
    }
    n
}

const KEYWORDS_LEN: usize = count_keywords();

/// All keywords.
pub static KEYWORDS: [Keyword; KEYWORDS_LEN] = list_keywords();

#[allow(clippy::large_stack_arrays)]
const fn list_keywords() -> [Keyword; KEYWORDS_LEN] {
    let mut out = [Keyword::Special(Act::Url, ""); KEYWORDS_LEN];
    let mut n = 0;
    let mut t = 0;
    while t < TABLES.len() {
        let mut r = 0;
        while r < TABLES[t].len() {
            let rule = &TABLES[t][r];
            let mut h = 0;
            while h < rule.heads.len() {
                out[n] = Keyword::Token(rule, rule.heads[h]);
                n += 1;
                h += 1;
            }
            r += 1;
        }
        t += 1;
    }
    let mut s = 0;
    while s < SPECIAL.len() {
        out[n] = Keyword::Special(SPECIAL[s].act, SPECIAL[s].word);
        n += 1;
        s += 1;
    }
    out
}

/// Longest part of a keyword that windows are taken from.
const SPAN: usize = 16;
/// All bytes after folding: there are 64 of them.
const ANY_BYTE: Class = Class(0xFFFF_FFFF << 32 | 0xFFFF_FFFF << 96);

/// What a keyword looks like: the byte before it, its own bytes, and those
/// that must follow a short one.
const fn pattern(k: usize) -> [Class; SPAN + 1] {
    let mut out = [ANY_BYTE; SPAN + 1];
    let mut n = 1;
    let word = match KEYWORDS_CONST[k] {
        Keyword::Token(_, word) | Keyword::Special(_, word) => word.as_bytes(),
    };
    while n <= SPAN && n <= word.len() {
        out[n] = folded(Class(1 << word[n - 1]));
        n += 1;
    }
    match KEYWORDS_CONST[k] {
        Keyword::Token(rule, _) => {
            let mut s = 0;
            while n <= SPAN && s < rule.segs.len() {
                let Seg::Run(class, min, _) = rule.segs[s] else { break };
                let mut i = 0;
                while n <= SPAN && i < min {
                    out[n] = folded(class);
                    n += 1;
                    i += 1;
                }
                s += 1;
            }
        }
        Keyword::Special(..) => {
            let special: &Special = &SPECIAL[k - (KEYWORDS_LEN - SPECIAL.len())];
            if n <= SPAN && special.follow.0 != 0 {
                out[n] = folded(special.follow);
            }
        }
    }
    out
}

/// How rare a byte is in text, roughly.
#[allow(clippy::cast_possible_truncation)]
const fn rarity(byte: u32) -> u32 {
    match byte as u8 {
        b'a' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' | b' ' | b'"' | b':' | b'/' => 0,
        b'0'..=b'9' | b'j' | b'k' | b'q' | b'w' | b'x' | b'z' | b'?' | b'&' | b'$' => 2,
        _ => 1,
    }
}

/// The window of a keyword that starts at an even or odd place of its
/// pattern: the one of fewest spellings, and of those the rarest.
const fn window_of(k: usize, parity: usize) -> ([Class; 4], usize) {
    let pattern = pattern(k);
    let (mut best, mut best_spellings, mut best_rank) = (parity, usize::MAX, 0);
    let mut at = parity;
    while at + 4 <= SPAN {
        let (mut spellings, mut rank, mut i) = (1, 0, at);
        while i < at + 4 {
            let set = pattern[i].0;
            spellings *= set.count_ones() as usize;
            if set.is_power_of_two() {
                rank += rarity(set.trailing_zeros());
            }
            i += 1;
        }
        if spellings < best_spellings || (spellings == best_spellings && rank > best_rank) {
            best = at;
            best_spellings = spellings;
            best_rank = rank;
        }
        at += 2;
    }
    assert!(best_spellings <= 4096, "a short keyword needs a narrow run after it");
    ([pattern[best], pattern[best + 1], pattern[best + 2], pattern[best + 3]], best)
}

/// The bytes of a set as the filter sees them.
const fn folded(class: Class) -> Class {
    Class((class.0 | class.0 << 32) & ANY_BYTE.0)
}

#[allow(clippy::large_const_arrays)]
const KEYWORDS_CONST: [Keyword; KEYWORDS_LEN] = list_keywords();

const fn count_entries() -> usize {
    let mut n = 0;
    let mut w = 0;
    while w < WINDOWS.len() {
        n += spellings(WINDOWS[w].0);
        w += 1;
    }
    n
}

/// A window of every keyword for even places, and one for odd places.
#[allow(long_running_const_eval, clippy::large_const_arrays)]
const WINDOWS: [([Class; 4], usize); KEYWORDS_LEN * 2] = {
    let mut out = [([Class(0); 4], 0); KEYWORDS_LEN * 2];
    let mut k = 0;
    while k < KEYWORDS_LEN * 2 {
        out[k] = window_of(k / 2, k % 2);
        k += 1;
    }
    out
};

#[allow(long_running_const_eval)]
const ENTRIES_LEN: usize = count_entries();

struct Tables {
    /// Two bits for every window.
    bits: [u64; WORDS],
    /// Where the windows of a bucket start; the next bucket says where they end.
    starts: [u16; WORDS + 1],
    /// The windows, bucket by bucket.
    grams: [u32; ENTRIES_LEN],
    /// The keyword of each window, and how far into its pattern it starts.
    owners: [(u16, u16); ENTRIES_LEN],
}

#[allow(long_running_const_eval)]
static FILTER: Tables = build();

/// The `n`th spelling of a window.
const fn spelling(sets: [Class; 4], mut n: usize) -> u32 {
    let mut gram = 0;
    let mut i = 0;
    while i < 4 {
        let mut left = sets[i].0;
        let mut skip = n % left.count_ones() as usize;
        n /= left.count_ones() as usize;
        while skip > 0 {
            left &= left - 1;
            skip -= 1;
        }
        gram |= left.trailing_zeros() << (8 * i);
        i += 1;
    }
    gram
}

const fn spellings(sets: [Class; 4]) -> usize {
    let mut n = 1;
    let mut i = 0;
    while i < 4 {
        n *= sets[i].0.count_ones() as usize;
        i += 1;
    }
    n
}

// Built at compile time: the arrays never see the stack.
#[allow(clippy::cast_possible_truncation, clippy::large_stack_arrays)]
const fn build() -> Tables {
    let mut out = Tables {
        bits: [0; WORDS],
        starts: [0; WORDS + 1],
        grams: [0; ENTRIES_LEN],
        owners: [(0, 0); ENTRIES_LEN],
    };
    // Count, add up, fill: the counts end as the starts.
    let mut w = 0;
    while w < WINDOWS.len() {
        let mut n = 0;
        while n < spellings(WINDOWS[w].0) {
            let (word, one, other) = place(hash(spelling(WINDOWS[w].0, n)));
            out.bits[word] |= 1 << one | 1 << other;
            out.starts[word] += 1;
            n += 1;
        }
        w += 1;
    }
    let mut word = 1;
    while word <= WORDS {
        out.starts[word] += out.starts[word - 1];
        word += 1;
    }
    // From the last window on, so that each bucket ends in the order of the keywords.
    while w > 0 {
        w -= 1;
        let (sets, offset) = WINDOWS[w];
        let mut n = 0;
        while n < spellings(sets) {
            let gram = spelling(sets, n);
            let (word, _, _) = place(hash(gram));
            out.starts[word] -= 1;
            let at = out.starts[word] as usize;
            out.grams[at] = gram;
            out.owners[at] = ((w / 2) as u16, offset as u16);
            n += 1;
        }
    }
    out
}

#[inline]
fn may_hit(gram: u32) -> u64 {
    let (word, one, other) = place(hash(gram));
    let bits = FILTER.bits[word];
    (bits >> one) & (bits >> other)
}

/// Calls `found` for every keyword of `text`, with its place.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn each_hit(text: &[u8], mut found: impl FnMut(usize, &'static Keyword)) {
    // Every keyword has a window for even and one for odd places, so that
    // only every other place is looked at: four of eight bytes.
    let mut base = 0;
    while let Some((low, high)) =
        text.get(base..base + 12).and_then(|b| Some((b.first_chunk::<8>()?, b.last_chunk::<8>()?)))
    {
        let low = fold(u64::from_le_bytes(*low));
        let high = fold(u64::from_le_bytes(*high));
        let grams = [low as u32, (low >> 16) as u32, high as u32, (high >> 16) as u32];
        let any = may_hit(grams[0]) | may_hit(grams[1]) | may_hit(grams[2]) | may_hit(grams[3]);
        if any & 1 == 1 {
            for (i, gram) in grams.into_iter().enumerate() {
                if may_hit(gram) & 1 == 1 {
                    look_up(gram, text, base + 2 * i, &mut found);
                }
            }
        }
        base += 8;
    }
    while let Some(bytes) = text.get(base..).and_then(|rest| rest.first_chunk::<4>()) {
        let gram = fold(u64::from(u32::from_le_bytes(*bytes))) as u32;
        if may_hit(gram) & 1 == 1 {
            look_up(gram, text, base, &mut found);
        }
        base += 2;
    }
}

/// The keywords at a place where the filter says there may be one.
#[inline(never)]
fn look_up(gram: u32, text: &[u8], at: usize, found: &mut impl FnMut(usize, &'static Keyword)) {
    let (word, _, _) = place(hash(gram));
    let (from, to) = (usize::from(FILTER.starts[word]), usize::from(FILTER.starts[word + 1]));
    for (entry, _) in FILTER.grams[from..to].iter().enumerate().filter(|(_, other)| **other == gram) {
        let (keyword, offset) = FILTER.owners[from + entry];
        let keyword = &KEYWORDS[usize::from(keyword)];
        let (word, exact) = match keyword {
            Keyword::Token(_, head) => (head.as_bytes(), true),
            Keyword::Special(_, word) => (word.as_bytes(), false),
        };
        if let Some(start) = (at + 1).checked_sub(usize::from(offset))
            && let Some(here) = text.get(start..start + word.len())
            && ((exact && here == word) || (!exact && here.eq_ignore_ascii_case(word)))
        {
            found(start, keyword);
        }
    }
}
