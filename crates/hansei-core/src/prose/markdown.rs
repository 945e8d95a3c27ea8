//! Markdown taken apart: paragraphs, headings, list items and rows of tables as sentences; code blocks and quotations left
//! out. A line that is only wrapped goes on in the next.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::lexicon;
use super::plain_text::{sentences_of, untagged, with_quotations_apart, without_code, without_quotations};
use super::words::words_of;

/// The longest text that is read, from its end: what counts is said last.
const LONGEST: usize = 16 * 1024;
/// The most sentences that are kept.
const MOST: usize = 400;
/// A line of so many letters may have been wrapped before a word with a capital.
const WRAPPED: usize = 60;
/// The longest line that can be a heading without being marked as one.
const TITLE: usize = 90;
/// A line of so many words that leads to something says something itself.
const STATEMENT: usize = 9;

/// A text as sentences.
#[derive(Debug, Clone, Default)]
pub struct Prose {
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
    /// How the text ends.
    pub end: End,
    /// Commands and code in fenced blocks, one entry a block.
    pub blocks: Vec<Block>,
    /// The places of lines that lead to a list or a block and are no headings by themselves.
    leads: Vec<usize>,
}

/// A fenced block of code.
#[derive(Debug, Clone)]
pub struct Block {
    /// What is in it.
    pub text: String,
    /// How many sentences stand before it.
    pub after: usize,
}

/// A sentence, a heading, or one item of a list.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// As written, without the marks of lists, headings and emphasis.
    pub text: String,
    /// Its words, see `words`.
    pub words: Vec<String>,
    /// What it is part of.
    pub form: Form,
    /// The place of the heading it stands under, or of the line that leads to its list.
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
    /// A heading, or a line that stands for one: bold, or ending in a colon before something else.
    Heading,
    /// An item of a list.
    Item,
    /// An item with an empty box.
    Unticked,
    /// An item with a ticked box.
    Ticked,
    /// A row of a table. The first of a table is its header.
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
    /// Takes the end of `text` apart.
    pub fn read(text: &str) -> Self {
        let cut = text.ceil_char_boundary(text.len().saturating_sub(LONGEST));
        let cut = if cut == 0 { 0 } else { text[cut..].find('\n').map_or(cut, |end| cut + end + 1) };
        let fences = text[..cut].lines().filter(|line| line.trim_start().starts_with("```")).count();
        // A cut inside of a block leaves a block.
        if fences % 2 == 1 {
            Self::whole(&format!("```\n{}", &text[cut..]))
        } else {
            Self::whole(&text[cut..])
        }
    }

    /// Takes all of `text` apart.
    pub fn whole(text: &str) -> Self {
        let text = &with_quotations_apart(text);
        let mut reader = Reader::default();
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            reader.take(event, &text[range.start..], range.len());
            if reader.prose.sentences.len() >= MOST {
                break;
            }
        }
        reader.flush();
        reader.prose.end = end_of(text, reader.open_block);
        reader.prose
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

    /// Whether the sentence at `place` stands under a heading that was written as one, and not only below a line that leads
    /// to a list.
    pub fn is_under_heading(&self, place: usize) -> bool {
        let above = self.sentences.get(place).and_then(|sentence| sentence.under);
        above.is_some_and(|above| !self.leads.contains(&above) || self.is_under_heading(above))
    }
}

/// Marks within a text that is collected: where emphasis begins and ends, and a line that is no longer indented as its
/// item is.
const BOLD: char = '\u{1}';
const PLAIN: char = '\u{2}';
const LAZY: char = '\u{3}';

/// What was read so far.
#[derive(Debug, Default)]
struct Reader {
    prose: Prose,
    /// The text of the block that is being read, line by line.
    text: String,
    /// The heading that holds now.
    heading: Option<usize>,
    /// The headings that held outside of the lists that are open.
    outside: Vec<Option<usize>>,
    /// The form of the item that is open, until its first text is read.
    item: Option<Form>,
    /// The last sentence of a paragraph or an item that ends in a colon.
    lead: Option<usize>,
    quoted: usize,
    pictured: usize,
    block: Option<String>,
    open_block: bool,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, from: &str, length: usize) {
        match event {
            Event::Start(Tag::BlockQuote(_)) => {
                self.begin();
                self.quoted += 1;
            }
            Event::End(TagEnd::BlockQuote(_)) => self.quoted -= 1,
            _ if self.quoted > 0 => {}
            Event::Start(Tag::Image { .. }) => self.pictured += 1,
            Event::End(TagEnd::Image) => self.pictured -= 1,
            _ if self.pictured > 0 => {}
            Event::Start(Tag::CodeBlock(kind)) => {
                self.begin();
                self.block = Some(String::new());
                let lines = from[..length].trim_end().lines();
                let last = lines.clone().next_back().unwrap_or_default().trim_start_matches(['>', ' ']);
                let closed = last.starts_with("```") || last.starts_with("~~~");
                self.open_block = matches!(kind, CodeBlockKind::Fenced(_)) && lines.count() > 1 && !closed;
            }
            Event::End(TagEnd::CodeBlock) => {
                let text = self.block.take().unwrap_or_default();
                self.prose.blocks.push(Block { text, after: self.prose.sentences.len() });
            }
            Event::Text(text) => match &mut self.block {
                Some(block) => block.push_str(&text),
                None => self.text.extend(text.chars().map(|c| if c == '`' { '\'' } else { c })),
            },
            Event::Code(code) => {
                self.text.push('`');
                self.text.push_str(&code.replace('`', "'"));
                self.text.push('`');
            }
            Event::SoftBreak => {
                self.text.push('\n');
                let next = from.split_once('\n').map_or("", |(_, next)| next);
                if self.item_depth() > 0 && !next.starts_with([' ', '\t']) {
                    self.text.push(LAZY);
                }
            }
            Event::HardBreak => self.text.push_str("\n\n"),
            Event::Html(html) => self.text.push_str(&untagged(&html)),
            Event::TaskListMarker(ticked) => {
                self.item = Some(if ticked { Form::Ticked } else { Form::Unticked });
            }
            // Underscores are parts of names more often than emphasis.
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) if from.starts_with('_') => {
                self.text.push_str("__");
            }
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) if from.starts_with('_') => {
                self.text.push('_');
            }
            Event::Start(Tag::Strong) => self.text.push(BOLD),
            Event::End(TagEnd::Strong) => self.text.push(PLAIN),
            Event::Start(Tag::List(_)) => {
                self.begin();
                self.outside.push(self.heading);
            }
            Event::End(TagEnd::List(_)) => {
                self.flush();
                self.heading = self.outside.pop().flatten();
                self.item = None;
            }
            Event::Start(Tag::Item) => {
                self.begin();
                self.heading = self.outside.last().copied().flatten();
                self.item = Some(Form::Item);
            }
            Event::End(TagEnd::TableCell) => self.text.push_str(", "),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                let row = std::mem::take(&mut self.text);
                self.push(row.trim_end_matches(", "), Form::Row, self.heading);
            }
            Event::End(TagEnd::Heading(level)) => {
                let marked = from.starts_with('#') || matches!(level, HeadingLevel::H1);
                // A rule directly below a sentence makes no heading of it.
                if marked || self.text.len() < TITLE && !self.text.ends_with(['.', '!', '?']) {
                    let title = std::mem::take(&mut self.text);
                    self.title(&title);
                } else {
                    self.flush();
                }
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::HtmlBlock | Tag::Table(_)) => {
                self.begin();
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::HtmlBlock) => self.flush(),
            _ => {}
        }
    }

    fn item_depth(&self) -> usize {
        self.outside.len()
    }

    /// A block begins: what stands before it is over, and a line with a colon leads to it.
    fn begin(&mut self) {
        self.flush();
        let Some(lead) = self.lead.take() else { return };
        let sentence = &mut self.prose.sentences[lead];
        if sentence.form == Form::Paragraph && !sentence.asks && sentence.words.len() < STATEMENT {
            sentence.form = Form::Heading;
        }
        self.prose.leads.push(lead);
        self.heading = Some(lead);
    }

    /// Adds what was collected.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        self.lead = None;
        let before = self.prose.sentences.len();
        for line in logical_lines(&text) {
            let lazy = line.starts_with(LAZY);
            let plain = line.replace([LAZY, BOLD, PLAIN], "");
            let (mut form, rest) = form_of(plain.trim());
            if rest.starts_with("$ ") {
                continue;
            }
            if rest.starts_with('|') {
                self.push(&rest.trim_matches('|').replace('|', ", "), Form::Row, self.heading);
                continue;
            }
            let item = self.item.take();
            if form == Form::Paragraph
                && let Some(item) = item
            {
                form = item;
            } else if form == Form::Paragraph && self.item_depth() == 0 && is_bold(&line) {
                self.title(rest);
                continue;
            }
            // Running text after a list is no longer part of it.
            let outside = form == Form::Paragraph && (lazy || self.item_depth() == 0);
            let under = self.heading.filter(|place| !outside || is_marked(&self.prose, *place));
            self.push(rest, form, under);
        }
        let ends = text.trim_end_matches([PLAIN, ' ', '\n']).ends_with(':');
        self.lead = self.prose.sentences.len().checked_sub(1).filter(|last| ends && *last >= before);
    }

    fn title(&mut self, title: &str) {
        let place = self.prose.sentences.len();
        self.push(&title.replace([BOLD, PLAIN, '\n'], " "), Form::Heading, None);
        if place < self.prose.sentences.len() {
            self.heading = Some(place);
        }
    }

    fn push(&mut self, text: &str, form: Form, under: Option<usize>) {
        let text = without_quotations(&text.replace([LAZY, BOLD, PLAIN], ""));
        let whole = [text.as_str()];
        let split = sentences_of(&text);
        let parts = if matches!(form, Form::Row | Form::Heading) { &whole[..] } else { &split };
        for part in parts {
            let plain = part.trim();
            let (bare, code) = without_code(plain);
            let words = words_of(&bare);
            if words.is_empty()
                || !words.iter().any(|word| word.chars().any(char::is_alphanumeric)) && code.is_empty()
            {
                continue;
            }
            let asks = plain.trim_end_matches(['*', '_', ')', '"', ' ']).ends_with(['?', '？']);
            let text = plain.to_owned();
            self.prose.sentences.push(Sentence { text, words, form, under, asks, code });
        }
    }
}

/// Whether the heading at `place` was written as one, and not only as a line that leads to a list.
fn is_marked(prose: &Prose, place: usize) -> bool {
    prose
        .sentences
        .get(place)
        .is_some_and(|heading| heading.form == Form::Heading && !heading.text.ends_with(':'))
}

/// The lines of a paragraph, where those that are only wrapped are put together again.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut ended = true;
    for line in text.split('\n') {
        let bare = line.trim_matches([LAZY, ' ', '\t', BOLD]);
        if bare.is_empty() {
            ended = true;
            continue;
        }
        match lines.last_mut() {
            Some(before) if !ended && !is_bold(line) && goes_on(before, bare, line.starts_with(LAZY)) => {
                before.push(' ');
                before.push_str(line.trim_matches([LAZY, ' ', '\t']));
            }
            _ => lines.push(line.trim().to_owned()),
        }
        ended = false;
    }
    lines
}

/// Whether `next` is the rest of the line `before`. Below a short item a line that is not indented is none.
fn goes_on(before: &str, next: &str, lazy: bool) -> bool {
    let first = next.chars().next().unwrap_or(' ');
    let marked = form_of(next).0 != Form::Paragraph || next.starts_with('|') || next.starts_with("$ ");
    !(marked || is_bold(before) || before.ends_with(':'))
        && (first.is_lowercase() && !lazy || first.is_alphanumeric() && before.chars().count() >= WRAPPED)
}

/// Whether a whole line stands in bold letters, as a heading does.
fn is_bold(line: &str) -> bool {
    let line = line.trim_start_matches([LAZY, ' ']).trim_end_matches([':', ' ']);
    line.starts_with(BOLD) && line.find(PLAIN).is_some_and(|end| end + 1 == line.len()) && line.len() < TITLE
}

/// The form of a line with a mark that Markdown does not know, and the line without its mark.
fn form_of(line: &str) -> (Form, &str) {
    let marks = [
        ("[ ]", Form::Unticked),
        ("[x]", Form::Ticked),
        ("[X]", Form::Ticked),
        ("☐", Form::Unticked),
        ("☑", Form::Ticked),
        ("• ", Form::Item),
        ("– ", Form::Item),
    ];
    let marked = marks.iter().find_map(|(mark, form)| Some((*form, line.strip_prefix(mark)?.trim_start())));
    marked.unwrap_or((Form::Paragraph, line))
}

/// How `text` ends.
fn end_of(text: &str, open_block: bool) -> End {
    let trimmed = text.trim_end();
    let Some(line) = trimmed.lines().last().map(str::trim) else { return End::Empty };
    if open_block {
        return End::OpenBlock;
    }
    if line.starts_with("```")
        || line.starts_with("~~~")
        || line.starts_with(['|', '>'])
        || line.ends_with('`')
    {
        return End::Whole;
    }
    let listed = line.starts_with(['#', '-', '*', '+']) && !line.starts_with("**")
        || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(['.', ')'])
        || form_of(line).0 != Form::Paragraph;
    let bare = line.trim_end_matches(['*', '_', ')', '"', '”', ']']);
    let Some(last) = bare.chars().last() else { return End::Whole };
    match last {
        ':' => End::Colon,
        '.' | '!' | '?' | '。' | '！' | '？' | '…' => {
            if bare.ends_with("...") && !listed {
                End::Broken
            } else {
                End::Whole
            }
        }
        ',' | '-' | '—' | '(' | '{' | '[' => End::Broken,
        _ if listed || line.len() != bare.len() => End::Whole,
        last if !last.is_alphanumeric() => End::Whole,
        // Short lines stand for themselves; a long one that ends on a word that never ends a sentence was cut.
        _ => {
            let words = words_of(bare);
            let dangling = words.last().is_some_and(|word| lexicon::is(word, "dangling"));
            // "… since the last": of what?
            let open = words.len() > 12
                && words.ends_with(&["the".to_owned(), words[words.len() - 1].clone()])
                && words.last().is_some_and(|word| lexicon::is(word, "attributes"));
            if (dangling || open) && words.len() > 2 { End::Broken } else { End::Whole }
        }
    }
}
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
            "h result\np<0 all done\np<0 see `\n|<0 nor , this\nh<0 next steps ;\n-<4 wire it\no<4 open\nx<4 closed\np bye"
        );
        assert_eq!(shape("**Summary**\nDone e.g. v1.2 works."), "h summary\np<0 done e.g v1.2 works");
    }

    #[test]
    fn blocks_are_known() {
        for (text, shaped) in [
            (
                "The tests pass on every platform that we have a runner of its own\nfor, and lint is clean.",
                "p the tests pass on every platform that we have a runner of its own for , and lint is clean",
            ),
            ("Tests pass ✅\nBuild green ✅", "p tests pass ✓\np build green ✓"),
            ("- one\n  goes on\n- two", "- one goes on\n- two"),
            ("- one\nAll done.", "- one\np all done"),
            ("- Deploy:\n  - run it\n- Test it", "- deploy ;\n-<0 run it\n- test it"),
            ("Left:\n\n1. **Docs**: none\n2. `x` of y", "h left ;\n-<0 docs ; none\n-<0 ` of y"),
            ("| a | b |\n|---|---|\n| One. Two | pass |\n\nDone.", "| a , b\n| one two , pass\np done"),
            ("All tests pass.\n---\nDone.", "p all tests pass\np done"),
            ("> they fail\nThey pass.", "p they pass"),
            ("<details>\n<summary>Log</summary>\nAll fine.\n</details>", "p log\np all fine"),
            ("See [the docs](https://a.b/c) and ![x](y.png).", "p see the docs and"),
            ("Now let me run them:", "p now let me run them ;"),
        ] {
            assert_eq!(shape(text), shaped, "{text}");
        }
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
            (
                "I keep a counter in the loop and only commit when two seconds have passed since the last",
                End::Broken,
            ),
            ("I updated the parser and", End::Broken),
            ("Next I will change the", End::Broken),
            ("First, I'll look at…", End::Whole),
            ("Working on it...", End::Broken),
            ("Fixed in `a.rs`", End::Whole),
            ("- one\n- two", End::Whole),
            ("See:\n```\nx\n```", End::Whole),
            ("```md\n```sh\nx\n```\n```", End::Whole),
            ("Covers `--agent` and `--agent=`", End::Whole),
            ("See:\n```\nx", End::OpenBlock),
        ] {
            assert_eq!(Prose::read(text).end, end, "{text:?}");
        }
    }
}
