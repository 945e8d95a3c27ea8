//! Markdown taken apart: paragraphs, headings and list items as sentences; code blocks, quotations and tables left out.

use super::words::words_of;

/// The longest text that is read, from its end: what counts is said last.
const LONGEST: usize = 16 * 1024;
/// The most sentences that are kept.
const MOST: usize = 400;

/// A text as sentences.
#[derive(Debug, Clone, Default)]
pub struct Prose {
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
    /// How the text ends.
    pub end: End,
    /// Commands and code in fenced blocks, one entry a block.
    pub blocks: Vec<String>,
}

/// A sentence, a heading, or one item of a list.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// As written, without the marks of lists and headings.
    pub text: String,
    /// Its words, see `words`.
    pub words: Vec<String>,
    /// What it is part of.
    pub form: Form,
    /// The place of the heading it stands under.
    pub under: Option<usize>,
    /// Whether it is a question.
    pub asks: bool,
    /// The code in it.
    pub code: Vec<String>,
}

/// What a sentence is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Running text.
    Paragraph,
    /// A heading, or a line that stands for one: bold, or ending in a colon before a list.
    Heading,
    /// An item of a list.
    Item,
    /// An item with an empty box.
    Unticked,
    /// An item with a ticked box.
    Ticked,
    /// A row of a table.
    Row,
}

/// How a text ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// There is no text.
    #[default]
    Empty,
    /// With a whole sentence.
    Whole,
    /// With a colon: something was to follow.
    Colon,
    /// In the middle of a sentence.
    Broken,
    /// Inside a block of code.
    OpenBlock,
}

impl Prose {
    /// Takes `text` apart.
    pub fn read(text: &str) -> Self {
        let text = &text[text.ceil_char_boundary(text.len().saturating_sub(LONGEST))..];
        let mut prose = Self { end: end_of(text), ..Self::default() };
        let mut fence: Option<String> = None;
        let mut heading = None;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let trimmed = line.trim();
            if let Some(block) = &mut fence {
                if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                    prose.blocks.push(std::mem::take(block));
                    fence = None;
                } else {
                    block.push_str(line);
                    block.push('\n');
                }
                continue;
            }
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                fence = Some(String::new());
                continue;
            }
            if trimmed.is_empty() || trimmed.starts_with('>') || trimmed.starts_with("$ ") || is_rule(trimmed)
            {
                continue;
            }
            if trimmed.starts_with('|') {
                let row = trimmed.trim_matches('|').replace('|', ", ");
                if row.chars().any(char::is_alphanumeric) && prose.sentences.len() < MOST {
                    prose.add(&row, Form::Row, heading);
                }
                continue;
            }
            if prose.sentences.len() >= MOST {
                break;
            }
            let (form, rest) = form_of(trimmed);
            let leads = rest.ends_with(':')
                && lines.peek().is_some_and(|next| !matches!(form_of(next.trim()).0, Form::Paragraph))
                || rest.ends_with(':') && lines.peek().is_some_and(|next| next.trim().is_empty());
            let bold =
                rest.starts_with("**") && rest.trim_end_matches(':').ends_with("**") && rest.len() < 90;
            if form == Form::Heading || (form == Form::Paragraph && (leads || bold)) {
                // A line before a list often holds a whole sentence and only then the one that leads.
                let (said, title) = match rest.rfind(". ") {
                    Some(end) if form != Form::Heading => (&rest[..=end], &rest[end + 1..]),
                    _ => ("", rest),
                };
                prose.add(said, Form::Paragraph, heading);
                heading = Some(prose.sentences.len());
                prose.add(title, Form::Heading, None);
                if form != Form::Heading && heading == Some(prose.sentences.len()) {
                    heading = None;
                }
            } else {
                // Running text after a list is no longer part of it.
                let under = if form == Form::Paragraph && !line.starts_with(' ') {
                    heading.filter(|place| is_marked(&prose, *place))
                } else {
                    heading
                };
                prose.add(rest, form, under);
            }
        }
        prose
    }

    /// The last sentences, at most `count`, headings left out.
    pub fn last(&self, count: usize) -> impl Iterator<Item = (usize, &Sentence)> {
        let kept = self
            .sentences
            .iter()
            .enumerate()
            .filter(|(_, sentence)| !matches!(sentence.form, Form::Heading | Form::Row));
        let total = kept.clone().count();
        kept.skip(total.saturating_sub(count))
    }

    fn add(&mut self, text: &str, form: Form, under: Option<usize>) {
        let text = without_quotations(text);
        for part in sentences_of(&text) {
            let plain = part.replace("**", "").replace("__", "");
            let plain = plain.trim();
            let (bare, code) = without_code(plain);
            let words = words_of(&bare);
            if words.is_empty() {
                continue;
            }
            let asks = plain.trim_end_matches(['*', '_', ')', '"', ' ']).ends_with(['?', '？']);
            self.sentences.push(Sentence { text: plain.to_owned(), words, form, under, asks, code });
        }
    }
}

/// Whether the heading at `place` was written as one, and not only as a line that leads to a list.
fn is_marked(prose: &Prose, place: usize) -> bool {
    prose.sentences.get(place).is_some_and(|heading| !heading.text.ends_with(':'))
}

fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_'))
}

/// The form of a line, and the line without its mark.
fn form_of(line: &str) -> (Form, &str) {
    if line.starts_with('#') {
        return (Form::Heading, line.trim_start_matches('#').trim());
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = (1..4).contains(&digits) && line[digits..].starts_with([')', '.']) && {
        line[digits + 1..].starts_with(' ')
    };
    let rest = if numbered {
        line[digits + 1..].trim_start()
    } else if let Some(rest) = ["- ", "* ", "+ ", "• ", "– "].iter().find_map(|mark| line.strip_prefix(mark))
    {
        rest.trim_start()
    } else {
        let boxed = ticked(line);
        return boxed.unwrap_or((Form::Paragraph, line));
    };
    ticked(rest).unwrap_or((Form::Item, rest))
}

fn ticked(line: &str) -> Option<(Form, &str)> {
    let marks = [
        ("[ ]", Form::Unticked),
        ("[x]", Form::Ticked),
        ("[X]", Form::Ticked),
        ("☐", Form::Unticked),
        ("☑", Form::Ticked),
    ];
    marks.iter().find_map(|(mark, form)| line.strip_prefix(mark).map(|rest| (*form, rest.trim_start())))
}

/// The sentences of a line. A dot inside a word, a number or a file name ends none.
fn sentences_of(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut code = false;
    let bytes = line.as_bytes();
    for (place, letter) in line.char_indices() {
        if letter == '`' {
            code = !code;
        }
        let ends = match letter {
            '.' | '!' | '?' => {
                let after = bytes.get(place + 1).copied().unwrap_or(b' ');
                let follows = matches!(after, b' ' | b'"' | b')' | b'*') || after == b'`';
                let abbreviated = letter == '.'
                    && ["e.g", "i.e", "etc", "vs", "cf", "approx"]
                        .iter()
                        .any(|short| line[..place].to_ascii_lowercase().ends_with(short));
                !code && follows && !abbreviated
            }
            '。' | '！' | '？' => true,
            _ => false,
        };
        if ends {
            let end = place + letter.len_utf8();
            sentences.push(line[start..end].trim());
            start = end;
        }
    }
    sentences.push(line[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// `text` without what it quotes: three words and more between quotation marks are somebody else's.
fn without_quotations(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['"', '“']) {
        let open = rest[start..].chars().next().unwrap_or('"');
        let inside = start + open.len_utf8();
        let Some(end) = rest[inside..].find(['"', '”']).map(|end| inside + end) else { break };
        let close = rest[end..].chars().next().map_or(1, char::len_utf8);
        plain.push_str(&rest[..start]);
        if rest[inside..end].split_whitespace().count() < 3 {
            plain.push_str(&rest[inside..end]);
        } else {
            plain.push_str(" “…” ");
        }
        rest = &rest[end + close..];
    }
    plain.push_str(rest);
    plain
}

/// `text` with every piece of inline code as one mark, and the pieces.
fn without_code(text: &str) -> (String, Vec<String>) {
    let mut parts = text.split('`');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let mut code = Vec::new();
    while let Some(inside) = parts.next() {
        code.push(inside.to_owned());
        plain.push_str(" ` ");
        plain.push_str(parts.next().unwrap_or_default());
    }
    (plain, code)
}

/// How `text` ends.
fn end_of(text: &str) -> End {
    let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    let trimmed = text.trim_end();
    let Some(line) = trimmed.lines().last().map(str::trim) else { return End::Empty };
    if fences % 2 == 1 {
        return End::OpenBlock;
    }
    if line.starts_with("```") || line.starts_with('|') {
        return End::Whole;
    }
    let (form, rest) = form_of(line);
    let bare = rest.trim_end_matches(['*', '_', '`', ')', '"', '”', ']']);
    let Some(last) = bare.chars().last() else { return End::Whole };
    match last {
        ':' => End::Colon,
        '.' | '!' | '?' | '。' | '！' | '？' | '…' => {
            if bare.ends_with("...") && form == Form::Paragraph { End::Broken } else { End::Whole }
        }
        ',' | '-' | '—' | '(' | '=' | '{' | '[' => End::Broken,
        _ if form != Form::Paragraph || rest.len() != bare.len() => End::Whole,
        last if !last.is_alphanumeric() => End::Whole,
        // Short lines stand for themselves; a long one that ends on a word that never ends a sentence was cut.
        _ => {
            let words = words_of(bare);
            let dangling = words.last().is_some_and(|word| DANGLING.contains(&word.as_str()));
            if dangling && words.len() > 2 { End::Broken } else { End::Whole }
        }
    }
}

/// Words that no English sentence ends on.
const DANGLING: &[&str] = &[
    "the", "a", "an", "and", "or", "but", "to", "of", "for", "with", "because", "since", "from", "by", "is",
    "are", "was", "were", "be", "will", "that", "which", "if", "when", "while", "into", "its", "my", "your",
    "their", "our", "this", "these", "as", "at", "then", "so", "i", "we", "it", "should", "would", "could",
    "can", "not", "also", "let", "have", "has", "need", "now", "next",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let prose = Prose::read(text);
        let line = |sentence: &Sentence| {
            let mark = match sentence.form {
                Form::Paragraph => "p",
                Form::Heading => "h",
                Form::Item => "-",
                Form::Unticked => "o",
                Form::Ticked => "x",
                Form::Row => "|",
            };
            let under = sentence.under.map(|place| format!("<{place}")).unwrap_or_default();
            format!("{mark}{under} {}", sentence.words.join(" "))
        };
        prose.sentences.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn markdown_is_taken_apart() {
        let text = "# Result\nAll done. See `a.rs`.\n\n```\nnot this\n```\n> nor this\n| nor | this |\n\nNext steps:\n1. Wire it\n- [ ] open\n- [x] closed\n\nBye.";
        assert_eq!(
            shape(text),
            "h result\np<0 all done\np<0 see `\n|<0 nor , this\nh next steps ;\n-<4 wire it\no<4 open\nx<4 closed\np bye"
        );
        assert_eq!(shape("**Summary**\nDone e.g. v1.2 works."), "h summary\np<0 done e.g v1.2 works");
    }

    #[test]
    fn ends() {
        for (text, end) in [
            ("", End::Empty),
            ("  \n", End::Empty),
            ("Done.", End::Whole),
            ("Done", End::Whole),
            ("All 12 tests pass ✅", End::Whole),
            ("Now let me run the tests:", End::Colon),
            ("I updated the parser and", End::Broken),
            ("Next I will change the", End::Broken),
            ("First, I'll look at…", End::Whole),
            ("Working on it...", End::Broken),
            ("Fixed in `a.rs`", End::Whole),
            ("- one\n- two", End::Whole),
            ("See:\n```\nx\n```", End::Whole),
            ("See:\n```\nx", End::OpenBlock),
        ] {
            assert_eq!(Prose::read(text).end, end, "{text:?}");
        }
    }
}
