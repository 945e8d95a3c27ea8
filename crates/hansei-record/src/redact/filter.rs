//! The keyword filter: which rules are looked at, and where.
//!
//! Every keyword is known by its first four bytes (a shorter one by what may
//! follow it). A bit set over the hash of each four-byte window, folded to
//! lower case, is a compile-time constant: no start-up cost, and positions
//! do not wait for one another as the states of an automaton would.

use super::seg::{Class, Rule, Seg};
use super::special::{Act, SPECIAL, Special};
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

/// One four-byte window of a keyword.
#[derive(Clone, Copy)]
struct Entry {
    gram: u32,
    keyword: u16,
    next: u16,
}

const WORD_BITS: u32 = 13;
const WORDS: usize = 1 << WORD_BITS;
const HEADS: usize = WORDS;
const NONE: u16 = u16::MAX;
const FOLD: u32 = 0x2020_2020;
const FOLD8: u64 = 0x2020_2020_2020_2020;

const fn hash(gram: u32) -> u32 {
    gram.wrapping_mul(0x9E37_79B1)
}

/// The word of a hash in the filter, and its bit there.
const fn place(hash: u32) -> (usize, u32) {
    ((hash >> (32 - WORD_BITS)) as usize, (hash >> 13) & 63)
}

const fn bucket(hash: u32) -> usize {
    (hash >> (32 - WORD_BITS)) as usize
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

/// The sets of the first four bytes of a keyword.
const fn window(head: &str, segs: &[Seg], follow: Class) -> [Class; 4] {
    let mut out = [follow; 4];
    let mut n = 0;
    let head = head.as_bytes();
    while n < 4 && n < head.len() {
        out[n] = Class(1 << head[n]);
        n += 1;
    }
    let mut s = 0;
    while n < 4 && s < segs.len() {
        match segs[s] {
            Seg::Lit(lit) => {
                let lit = lit.as_bytes();
                let mut i = 0;
                while n < 4 && i < lit.len() {
                    out[n] = Class(1 << lit[i]);
                    n += 1;
                    i += 1;
                }
            }
            Seg::Run(class, min, _) => {
                let mut i = 0;
                while n < 4 && i < min {
                    out[n] = class;
                    n += 1;
                    i += 1;
                }
            }
            #[allow(clippy::panic)]
            Seg::Alt(_) | Seg::Opt(_) => panic!("a short keyword needs a plain run after it"),
        }
        s += 1;
    }
    assert!(n == 4 || segs.is_empty(), "a short keyword needs a longer run after it");
    out
}

/// Distinct folded bytes of a set.
const fn folded(class: Class) -> Class {
    let mut out = 0u128;
    let mut b = 0u8;
    while b < 128 {
        if class.has(b) {
            out |= 1 << (b | 0x20);
        }
        b += 1;
    }
    Class(out)
}

const fn window_of(k: usize) -> [Class; 4] {
    let w = match KEYWORDS_CONST[k] {
        Keyword::Token(rule, head) => window(head, rule.segs, Class(0)),
        Keyword::Special(_, word) => {
            let at = k - (KEYWORDS_LEN - SPECIAL.len());
            let special: &Special = &SPECIAL[at];
            window(word, &[], special.follow)
        }
    };
    [folded(w[0]), folded(w[1]), folded(w[2]), folded(w[3])]
}

#[allow(clippy::large_const_arrays)]
const KEYWORDS_CONST: [Keyword; KEYWORDS_LEN] = list_keywords();

const fn count_entries() -> usize {
    let mut n = 0;
    let mut k = 0;
    while k < KEYWORDS_LEN {
        let w = window_of(k);
        let mut each = 1;
        let mut i = 0;
        while i < 4 {
            each *= w[i].0.count_ones() as usize;
            i += 1;
        }
        n += each;
        k += 1;
    }
    n
}

const ENTRIES_LEN: usize = count_entries();

struct Tables {
    bits: [u64; WORDS],
    heads: [u16; HEADS],
    entries: [Entry; ENTRIES_LEN],
}

static FILTER: Tables = build();

// Built at compile time: the arrays never see the stack.
#[allow(clippy::cast_possible_truncation, clippy::large_stack_arrays, clippy::many_single_char_names)]
const fn build() -> Tables {
    let mut t = Tables {
        bits: [0; WORDS],
        heads: [NONE; HEADS],
        entries: [Entry { gram: 0, keyword: 0, next: NONE }; ENTRIES_LEN],
    };
    let mut n = 0;
    let mut k = KEYWORDS_LEN;
    while k > 0 {
        k -= 1;
        let w = window_of(k);
        let mut first = w[0].0;
        while first != 0 {
            let mut gram = first.trailing_zeros();
            first &= first - 1;
            let mut second = w[1].0;
            while second != 0 {
                gram = gram & 0xFF | second.trailing_zeros() << 8;
                second &= second - 1;
                let mut third = w[2].0;
                while third != 0 {
                    gram = gram & 0xFFFF | third.trailing_zeros() << 16;
                    third &= third - 1;
                    let mut fourth = w[3].0;
                    while fourth != 0 {
                        gram = gram & 0xFF_FFFF | fourth.trailing_zeros() << 24;
                        fourth &= fourth - 1;
                        let h = hash(gram);
                        let (word, bit) = place(h);
                        t.bits[word] |= 1 << bit;
                        let head = bucket(h);
                        t.entries[n] = Entry { gram, keyword: k as u16, next: t.heads[head] };
                        t.heads[head] = n as u16;
                        n += 1;
                    }
                }
            }
        }
    }
    t
}

#[inline]
fn may_hit(gram: u32) -> u64 {
    let (word, bit) = place(hash(gram));
    FILTER.bits[word] >> bit
}

/// Calls `found` for every keyword of `text`, with its place.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn each_hit(text: &[u8], mut found: impl FnMut(usize, &'static Keyword)) {
    // Eight places at a time: three bytes more than that are looked at.
    let mut base = 0;
    while let Some((low, high)) =
        text.get(base..base + 12).and_then(|b| Some((b.first_chunk::<8>()?, b.last_chunk::<8>()?)))
    {
        let low = u64::from_le_bytes(*low) | FOLD8;
        let high = u64::from_le_bytes(*high) | FOLD8;
        let mut any = 0;
        for i in 0..4 {
            any |= may_hit((low >> (8 * i)) as u32) | may_hit((high >> (8 * i)) as u32);
        }
        if any & 1 == 1 {
            let mut places = 0;
            for i in 0..4 {
                places |= (may_hit((low >> (8 * i)) as u32) & 1) << i;
                places |= (may_hit((high >> (8 * i)) as u32) & 1) << (i + 4);
            }
            while places != 0 {
                let i = places.trailing_zeros();
                places &= places - 1;
                let half = if i < 4 { low } else { high };
                look_up((half >> (8 * (i & 3))) as u32, text, base + i as usize, &mut found);
            }
        }
        base += 8;
    }
    for (i, w) in text[base..].windows(4).enumerate() {
        let gram = u32::from_le_bytes([w[0], w[1], w[2], w[3]]) | FOLD;
        if may_hit(gram) & 1 == 1 {
            look_up(gram, text, base + i, &mut found);
        }
    }
}

/// The keywords at a place where the filter says there may be one.
#[inline(never)]
fn look_up(gram: u32, text: &[u8], at: usize, found: &mut impl FnMut(usize, &'static Keyword)) {
    let mut e = FILTER.heads[bucket(hash(gram))];
    while let Some(entry) = FILTER.entries.get(usize::from(e)) {
        if entry.gram == gram {
            let keyword = &KEYWORDS[usize::from(entry.keyword)];
            let (word, exact) = match keyword {
                Keyword::Token(_, head) => (head.as_bytes(), true),
                Keyword::Special(_, word) => (word.as_bytes(), false),
            };
            let here = text.get(at..at + word.len()).unwrap_or_default();
            if (exact && here == word) || (!exact && here.eq_ignore_ascii_case(word)) {
                found(at, keyword);
            }
        }
        e = entry.next;
    }
}
