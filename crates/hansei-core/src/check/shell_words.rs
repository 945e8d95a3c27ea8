//! Cuts a shell command line into words and operators, tolerantly.
//!
//! Quotes are taken off, comments are dropped, of redirections only the files that are written stay, the bodies of here-documents are set aside, and the text of
//! every `$(…)`, backtick and process substitution is kept for its own reading. Nothing is expanded. A line that no shell
//! would accept still gives tokens: what an agent typed is read, never refused. One pass over the bytes.

use std::ops::Range;

use super::shell_ends::{closing_parenthesis, next_char};

/// A word with its quotes taken off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether any part was quoted: a quoted `then` is no keyword.
    pub(super) quoted: bool,
    /// The commands inside `$(…)`, backticks and `<(…)`.
    pub(super) substitutions: Vec<String>,
    /// The files that redirections beside it write.
    pub(super) writes: Vec<String>,
}

/// Whether the backslash between `text` and `rest` parts folders of a Windows path rather than taking a meaning away: the word
/// begins with a drive or a dot, or is a program of Windows.
fn parts_folders(text: &str, rest: &str) -> bool {
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    let next = word[1..].strip_prefix(".bin").unwrap_or(&word[1..]).bytes().next();
    let drive = text.len() >= 2 && text.as_bytes()[1] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
    let program =
        [".exe", ".cmd", ".bat", ".ps1", "\\Scripts\\", "\\.bin\\"].iter().any(|sign| word.contains(sign));
    next.is_some_and(|next| next.is_ascii_alphanumeric() || next == b'\\')
        && (drive
            || matches!(text, "." | "..")
            || text.ends_with("/.bin")
            || text.ends_with("/Scripts")
            || text.starts_with('.') && text.contains('/')
            || program && !text.is_empty())
}

/// What the parser reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// A here-document; its body is the text at this range of the line.
    Heredoc(Range<usize>),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
    /// `;`
    Semicolon,
    /// `;;` and its relatives, which end a branch of `case`.
    EndOfBranch,
    /// `&`
    Background,
    Newline,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// The tokens of `line`.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        line,
        bytes: line.as_bytes(),
        at: 0,
        tokens: Vec::new(),
        pending: Vec::new(),
        loose: Vec::new(),
    };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    line: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Here-documents whose bodies begin after the next newline: the token, the end word, whether tabs are stripped.
    pending: Vec<(usize, String, bool)>,
    /// Files that a redirection writes before the first word of its command.
    loose: Vec<String>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, token: Token, used: usize) {
        self.tokens.push(token);
        self.at += used;
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'\\', b'\n') => self.at += 2,
                (b'\n', _) => {
                    self.push(Token::Newline, 1);
                    self.heredoc_bodies();
                }
                (b'#', _) => {
                    self.at = self.line[self.at..].find('\n').map_or(self.bytes.len(), |n| self.at + n);
                }
                (b'&', b'&') => self.push(Token::And, 2),
                (b'&', b'>') => {
                    self.at += 1;
                    self.redirection();
                }
                (b'&', _) => self.push(Token::Background, 1),
                (b'|', b'|') => self.push(Token::Or, 2),
                (b'|', b'&') => self.push(Token::Pipe, 2),
                (b'|', _) => self.push(Token::Pipe, 1),
                (b';', b';' | b'&') => self.push(Token::EndOfBranch, 2),
                (b';', _) => self.push(Token::Semicolon, 1),
                (b'(', _) => self.push(Token::Open, 1),
                (b')', _) => self.push(Token::Close, 1),
                (b'<' | b'>', b'(') => {
                    self.push_word();
                }
                (b'<' | b'>', _) => self.redirection(),
                (b'0'..=b'9', _) if self.is_numbered_redirection() => {
                    while self.peek(0).is_ascii_digit() {
                        self.at += 1;
                    }
                    self.redirection();
                }
                _ => self.push_word(),
            }
        }
    }

    fn push_word(&mut self) {
        let mut word = self.word();
        word.writes.append(&mut self.loose);
        self.tokens.push(Token::Word(word));
    }

    fn is_numbered_redirection(&self) -> bool {
        // Descriptors have one or two digits; a longer look ahead would make a line of digits quadratic.
        (1..=2).any(|n| {
            matches!(self.peek(n), b'<' | b'>') && (0..n).all(|digit| self.peek(digit).is_ascii_digit())
        })
    }

    /// At `<` or `>`: drops the operator and its target, but for a file that is written.
    fn redirection(&mut self) {
        let heredoc = self.line[self.at..].starts_with("<<") && self.peek(2) != b'<';
        if heredoc {
            self.at += 2;
            let strip = self.peek(0) == b'-';
            self.at += usize::from(strip);
            self.blanks();
            let end = self.word().text;
            self.pending.push((self.tokens.len(), end, strip));
            self.tokens.push(Token::Heredoc(0..0));
            return;
        }
        let mut writes = false;
        while matches!(self.peek(0), b'<' | b'>' | b'|' | b'&') {
            writes |= self.peek(0) == b'>';
            self.at += 1;
        }
        self.blanks();
        if !matches!(self.peek(0), b'\n' | b';' | b'|' | b'&' | b')' | 0) {
            let target = self.word().text;
            // `2>&1` names a descriptor, not a file.
            if writes && !target.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
                self.written(target);
            }
        }
    }

    fn written(&mut self, target: String) {
        match self.tokens.last_mut() {
            Some(Token::Word(word)) => word.writes.push(target),
            _ => self.loose.push(target),
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn heredoc_bodies(&mut self) {
        for (token, end, strip) in std::mem::take(&mut self.pending) {
            let start = self.at;
            let mut stop = self.bytes.len();
            while self.at < self.bytes.len() {
                let line_start = self.at;
                let length = self.line[self.at..].find('\n');
                let text =
                    length.map_or(&self.line[line_start..], |n| &self.line[line_start..line_start + n]);
                self.at = length.map_or(self.bytes.len(), |n| line_start + n + 1);
                let text = text.trim_end_matches('\r');
                if (if strip { text.trim_start_matches('\t') } else { text }) == end {
                    stop = line_start;
                    break;
                }
            }
            if let Some(place) = self.tokens.get_mut(token) {
                *place = Token::Heredoc(start..stop);
            }
        }
    }

    /// Reads one word; always moves on when there is a byte left.
    fn word(&mut self) -> Word {
        let mut word = Word::default();
        let began = self.at;
        let mut plain = self.at;
        while self.at < self.bytes.len() {
            let used = match self.peek(0) {
                b'\'' | b'"' | b'\\' | b'`' => true,
                b'$' => matches!(self.peek(1), b'(' | b'{' | b'\'' | b'"'),
                b'<' | b'>' if self.peek(1) == b'(' => true,
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
                _ => false,
            };
            if !used {
                self.at += 1;
                continue;
            }
            word.text.push_str(&self.line[plain..self.at]);
            self.special(&mut word);
            plain = self.at;
        }
        word.text.push_str(&self.line[plain..self.at]);
        if self.at == began {
            self.at = next_char(self.line, self.at);
        }
        word
    }

    /// At a byte with a meaning inside a word.
    fn special(&mut self, word: &mut Word) {
        match (self.peek(0), self.peek(1)) {
            (b'\\', b'\n') => self.at += 2,
            // `.\venv\Scripts\pytest.exe`, `C:\proj`
            (b'\\', _) if parts_folders(&word.text, &self.line[self.at..]) => {
                word.text.push('/');
                self.at += 1;
            }
            (b'\\', _) => {
                word.quoted = true;
                let end = next_char(self.line, self.at + 1);
                word.text.push_str(self.line.get(self.at + 1..end).unwrap_or_default());
                self.at = end;
            }
            (b'\'', _) => self.single_quoted(word, 1),
            (b'$', b'\'') => self.single_quoted(word, 2),
            (b'$', b'"') => {
                self.at += 1;
                self.double_quoted(word);
            }
            (b'"', _) => self.double_quoted(word),
            (b'`', _) => {
                let start = self.at + 1;
                let end = self.line[start..].find('`').map_or(self.bytes.len(), |n| start + n);
                self.substitution(word, start..end, end + 1);
            }
            (b'$', b'{') => {
                let end = self.line[self.at..].find('}').map_or(self.bytes.len(), |n| self.at + n + 1);
                word.text.push_str(&self.line[self.at..end]);
                self.at = end;
            }
            _ => {
                let start = self.at + 2;
                let end = closing_parenthesis(self.line, start);
                self.substitution(word, start..end, end + 1);
            }
        }
    }

    fn single_quoted(&mut self, word: &mut Word, opening: usize) {
        word.quoted = true;
        let start = self.at + opening;
        let end = self.line[start..].find('\'').map_or(self.bytes.len(), |n| start + n);
        word.text.push_str(&self.line[start..end]);
        self.at = (end + 1).min(self.bytes.len());
    }

    fn double_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        self.at += 1;
        let mut plain = self.at;
        while self.at < self.bytes.len() && self.peek(0) != b'"' {
            let used = match self.peek(0) {
                b'\\' => matches!(self.peek(1), b'"' | b'\\' | b'$' | b'`' | b'\n'),
                b'`' => true,
                b'$' => self.peek(1) == b'(',
                _ => false,
            };
            if !used {
                self.at += 1;
                continue;
            }
            word.text.push_str(&self.line[plain..self.at]);
            self.special(word);
            plain = self.at;
        }
        word.text.push_str(&self.line[plain..self.at]);
        self.at = (self.at + 1).min(self.bytes.len());
    }

    fn substitution(&mut self, word: &mut Word, inside: Range<usize>, after: usize) {
        let text = &self.line[inside];
        // `$((1 + 2))` is arithmetic: nothing runs in it.
        if !text.starts_with('(') {
            word.substitutions.push(text.to_owned());
        }
        word.text.push_str("$()");
        self.at = after.min(self.bytes.len());
    }
}
