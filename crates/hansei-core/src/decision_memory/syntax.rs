//! What of a file is code, what is text in quotes, and what is comment, line by line, for the comment styles of the common
//! languages. Enough to tell a use from a mention; not a parser.

use super::comment_style::{Pages, Syntax, Tripled, leader, syntax_of};

/// What a stretch of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Code,
    /// Between quotes, without them.
    Text,
    Comment,
}

/// A line in its stretches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReadLine {
    pub(super) stretches: Vec<(Stretch, String)>,
}

impl ReadLine {
    /// The comment of the line, and whether it holds one at all.
    pub(super) fn comment(&self) -> Option<String> {
        let parts: Vec<&str> = self.of(Stretch::Comment).collect();
        (!parts.is_empty()).then(|| parts.concat())
    }

    /// The stretches of a kind.
    pub(super) fn of(&self, kind: Stretch) -> impl Iterator<Item = &str> {
        self.stretches.iter().filter(move |(stretch, _)| *stretch == kind).map(|(_, text)| text.as_str())
    }

    /// The code of the line, texts left out.
    pub(super) fn code(&self) -> String {
        self.of(Stretch::Code).collect::<Vec<_>>().join(" ")
    }

    /// The line without its comment; texts stand in quotes again.
    pub(super) fn without_comment(&self) -> String {
        let mut whole = String::new();
        for (kind, text) in &self.stretches {
            match kind {
                Stretch::Code => whole.push_str(text),
                Stretch::Text => {
                    whole.push('"');
                    whole.push_str(text);
                    whole.push('"');
                }
                Stretch::Comment => {}
            }
        }
        whole
    }

    /// Whether there is anything but comment in it.
    pub(super) fn does_something(&self) -> bool {
        self.stretches.iter().any(|(stretch, text)| *stretch != Stretch::Comment && !text.trim().is_empty())
    }
}

/// What is open at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Open {
    Nothing,
    Block(&'static str),
    /// Three quotes; a comment when they began a line.
    Tripled(&'static str, Stretch),
    /// A text that goes over lines, up to this quote.
    Text(char),
    /// Documentation up to a line that begins so.
    Page(&'static str),
    /// A text up to a line that is this word.
    Heredoc(String),
    /// Nothing behind it is read as code.
    End,
}

/// The word that ends a piece of code.
pub(super) fn last_word(code: &str) -> &str {
    let is_outside = |c: char| !(c.is_alphanumeric() || c == '_');
    code.rsplit(is_outside).next().unwrap_or_default()
}

/// Reads the lines of a file, from its beginning.
pub(super) fn read_lines<'a>(path: &str, lines: impl IntoIterator<Item = &'a str>) -> Vec<ReadLine> {
    let lines: Vec<&str> = lines.into_iter().collect();
    let syntax = syntax_of(path, &lines);
    let mut open = Open::Nothing;
    lines.into_iter().map(|line| read_line(&syntax, line, &mut open)).collect()
}

const LONGEST_LINE: usize = 4_000;

fn read_line(syntax: &Syntax, line: &str, open: &mut Open) -> ReadLine {
    let line = &line[..line.floor_char_boundary(LONGEST_LINE)];
    let mut read = ReadLine::default();
    if let Some(comment) = whole_comment(syntax, line, open) {
        read.put(Stretch::Comment, comment);
        return read;
    }
    if let Open::Heredoc(end) = open {
        let ends = line.trim().trim_end_matches([';', ',', ')']) == *end;
        read.put(if ends { Stretch::Code } else { Stretch::Text }, if ends { "" } else { line });
        if ends {
            *open = Open::Nothing;
        }
        return read;
    }
    let mut rest = line;
    let mut code = String::new();
    while !rest.is_empty() {
        let (end, kind, close) = match open {
            Open::Nothing => {
                match next_mark(syntax, rest, line.len() - rest.len(), line) {
                    None => {
                        code.push_str(rest);
                        break;
                    }
                    Some(Mark::Comment(at, marker)) => {
                        code.push_str(&rest[..at]);
                        read.put(Stretch::Code, &code);
                        code.clear();
                        read.put(Stretch::Comment, &rest[at + marker..]);
                        return read;
                    }
                    Some(Mark::Open(at, length, what)) => {
                        code.push_str(&rest[..at]);
                        *open = what;
                        rest = &rest[at + length..];
                    }
                    Some(Mark::Text(at, length)) => {
                        code.push_str(&rest[..at]);
                        read.put(Stretch::Code, &code);
                        code.clear();
                        read.put(Stretch::Text, &rest[at + 1..at + 1 + length]);
                        rest = &rest[at + 2 + length..];
                    }
                }
                if *open != Open::Nothing {
                    read.put(Stretch::Code, &code);
                    code.clear();
                    if rest.is_empty() && !matches!(open, Open::Text(_)) {
                        read.put(Stretch::Comment, "");
                    }
                }
                continue;
            }
            Open::Block(close) => (rest.find(*close), Stretch::Comment, close.len()),
            Open::Tripled(close, kind) => (rest.find(*close), *kind, close.len()),
            Open::Text(quote) => (closing(rest, *quote), Stretch::Text, 1),
            Open::Page(_) | Open::Heredoc(_) | Open::End => (None, Stretch::Comment, 0),
        };
        let Some(at) = end else {
            read.put(kind, rest);
            return read;
        };
        read.put(kind, &rest[..at]);
        rest = &rest[at + close..];
        *open = Open::Nothing;
    }
    read.put(Stretch::Code, &code);
    if let Some(end) = heredoc(line).filter(|_| syntax.heredocs && *open == Open::Nothing) {
        *open = Open::Heredoc(end);
    }
    read
}

/// The word that ends the text which a line begins: `puts <<~USAGE`.
fn heredoc(line: &str) -> Option<String> {
    let (_, behind) = line.split_once("<<")?;
    let word = behind.trim_start_matches(['<', '~', '-', '"', '\'']);
    let end = word.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(word.len());
    (end >= 2).then(|| word[..end].to_owned())
}

/// What a line says that is comment as a whole: in documentation that lines of their own begin and end, behind the end of a
/// program, or behind a mark that begins a line of a file of unknown kind.
fn whole_comment<'a>(syntax: &Syntax, line: &'a str, open: &mut Open) -> Option<&'a str> {
    if let Open::Page(end) = open {
        if line.starts_with(*end) {
            *open = Open::Nothing;
        }
        return Some(line);
    }
    if *open == Open::Nothing && syntax.pages != Pages::Nowhere {
        if matches!(line.trim_end(), "__END__" | "__DATA__") {
            *open = Open::End;
        } else if let Some(end) = syntax.pages.begun_by(line) {
            *open = Open::Page(end);
            return Some(line);
        }
    }
    if *open == Open::End {
        return Some(line);
    }
    let led = *open == Open::Nothing && syntax.is_unknown;
    led.then(|| leader(line)).flatten().map(|length| &line[length..])
}

impl ReadLine {
    fn put(&mut self, stretch: Stretch, text: &str) {
        if stretch != Stretch::Code || !text.is_empty() {
            self.stretches.push((stretch, text.to_owned()));
        }
    }
}

enum Mark {
    /// A comment to the end of the line: where, and how long its marker is.
    Comment(usize, usize),
    /// Something that may go over lines.
    Open(usize, usize, Open),
    /// A text that ends on the line: where its quote is, and how long it is.
    Text(usize, usize),
}

fn next_mark(syntax: &Syntax, rest: &str, from: usize, line: &str) -> Option<Mark> {
    let mut at = 0;
    while at < rest.len() {
        let tail = &rest[at..];
        let first = tail.chars().next()?;
        let before = line[..from + at].chars().next_back();
        let at_start = line[..from + at].trim().is_empty();
        if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| tail.starts_with(quotes))
            && syntax.tripled != Tripled::Nowhere
            && before != Some('@')
        {
            let documents = syntax.tripled == Tripled::Documenting && documents(&line[..from + at]);
            let kind = if documents { Stretch::Comment } else { Stretch::Text };
            return Some(Mark::Open(at, 3, Open::Tripled(quotes, kind)));
        }
        for (open, close) in syntax.block {
            if tail.starts_with(open) {
                return Some(Mark::Open(at, open.len(), Open::Block(close)));
            }
        }
        for marker in syntax.line {
            // `http://` and `a#b` are no comments; a word must begin the line.
            let word =
                marker.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '@' | ':' | '\'' | '"'));
            let fits = match *marker {
                "//" => before != Some(':'),
                "#" => before.is_none_or(|c| c.is_whitespace() || matches!(c, ';' | ')' | '}' | ',')),
                "%" => before != Some('\\') && (at_start || before.is_some_and(char::is_whitespace)),
                _ => !word || at_start,
            };
            if fits && tail.starts_with(marker) && !(*marker == "#" && at_start && is_directive(tail, syntax))
            {
                return Some(Mark::Comment(at, marker.len()));
            }
        }
        if syntax.quotes.contains(&first) {
            let inside = &tail[1..];
            match closing(inside, first) {
                _ if syntax.long && matches!(before, Some('\\' | '?')) => {}
                Some(length) => return Some(Mark::Text(at, length)),
                None if first == '`' || syntax.long => {
                    return Some(Mark::Open(at, 1, Open::Text(first)));
                }
                None => {}
            }
        }
        at += first.len_utf8();
    }
    None
}

/// Whether three quotes behind `before` begin documentation: nothing stands there, or an attribute that is called so.
fn documents(before: &str) -> bool {
    let before = before.trim();
    let attribute = before.trim_end_matches(['s', 'S']).trim_end_matches('~').trim_end();
    let is_attribute = attribute.starts_with(['@', '-']) && last_word(attribute).ends_with("doc");
    matches!(before, "" | "r" | "u" | "b" | "f") || is_attribute
}

/// `#include` and `#[derive]` where a file of unknown kind may be one of C's or Rust's.
fn is_directive(tail: &str, syntax: &Syntax) -> bool {
    syntax.line.len() > 1
        && ["#include", "#define", "#if", "#endif", "#[", "#!", "#pragma"]
            .iter()
            .any(|start| tail.starts_with(start))
}

fn closing(inside: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_every_style_are_told_from_code() {
        for (path, line, code, comment) in [
            ("a.rs", "let x = 1; // note", "let x = 1; ", Some(" note")),
            ("a.rs", "let u = \"http://x\"; // n", "let u =  ; ", Some(" n")),
            ("a.rs", "fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}", None),
            ("a.js", "x = 'a // b' /* c */ + y", "x =     + y", Some(" c ")),
            ("a.py", "x = 1  # note", "x = 1  ", Some(" note")),
            ("a.py", "\"\"\"Says.\"\"\"", "", Some("Says.")),
            ("a.py", "x = '#no'", "x = ", None),
            ("a.sql", "select 1 -- note", "select 1 ", Some(" note")),
            ("a.lua", "-- note", "", Some(" note")),
            ("a.el", "(f) ; note", "(f) ", Some(" note")),
            ("a.tex", "word % note", "word ", Some(" note")),
            ("a.erl", "%% note", "", Some("% note")),
            ("a.bat", "REM note", "", Some("note")),
            ("a.vb", "' note", "", Some(" note")),
            ("a.vim", "\" note", "", Some(" note")),
            ("a.html", "<b> <!-- note --> </b>", "<b>   </b>", Some(" note ")),
            ("a.ml", "let x = 1 (* note *)", "let x = 1 ", Some(" note ")),
            ("a.yml", "a: b # note", "a: b ", Some(" note")),
            ("a.yml", "a: b#c", "a: b#c", None),
            ("Dockerfile", "# note", "", Some(" note")),
            ("a.ini", "; note", "", Some(" note")),
            ("a.json", "{\"a\": \"// b\"}", "{ :  }", None),
            ("go.mod", "x v1 // indirect", "x v1 ", Some(" indirect")),
            ("requirements.txt", "x==1  # note", "x==1  ", Some(" note")),
        ] {
            let read = &read_lines(path, [line])[0];
            assert_eq!((read.code().as_str(), read.comment().as_deref()), (code, comment), "{path}: {line}");
        }
    }

    #[test]
    fn texts_over_lines_are_texts() {
        for (path, text, code) in [
            ("a.rb", "puts <<~USAGE\n  run it\nUSAGE\nrun", &["puts <<~USAGE", "", "", "run"][..]),
            ("a.php", "$a = <<<TXT\nrun it\nTXT;\nrun();", &["$a = <<<TXT", "", "", "run();"]),
            ("a.rb", "list << ITEM\nrun", &["list << ITEM", "run"]),
            ("a.kt", "val a = \"\"\"\nrun it\n\"\"\"\nrun()", &["val a = ", "", "", "run()"]),
            ("a.cs", "var a = @\"\"\"x\"\" y\";\nrun();", &["var a = @ ;", "run();"]),
            ("a.el", "(f \"one\nrun\")\n(run)", &["(f ", ")", "(run)"]),
        ] {
            let read: Vec<String> = read_lines(path, text.lines()).iter().map(ReadLine::code).collect();
            assert_eq!(read, code, "{path}: {text}");
        }
    }

    #[test]
    fn what_goes_over_lines_is_followed() {
        let read = |path: &str, text: &str| -> Vec<bool> {
            read_lines(path, text.lines()).iter().map(ReadLine::does_something).collect()
        };
        assert_eq!(read("a.c", "/* one\n two\n three */ x();\ny();"), [false, false, true, true]);
        assert_eq!(
            read("a.py", "def f():\n  \"\"\"Says\n  more\n  \"\"\"\n  g()"),
            [true, false, false, false, true]
        );
        assert_eq!(read("a.py", "q = \"\"\"select\n1\"\"\"\ng()"), [true, true, true]);
        assert_eq!(read("a.pl", "=pod\n\nx\n\n=cut\ny;"), [false, false, false, false, false, true]);
        assert_eq!(read("a.rb", "=begin\nx\n=end\ny\n__END__\nz"), [false, false, false, true, false, false]);
        assert_eq!(read("a.clj", "(a \\\" b) ; x\n; y"), [true, false]);
        assert_eq!(read("a.html", "<!-- a\nb -->\n<p>"), [false, false, true]);
    }
}
