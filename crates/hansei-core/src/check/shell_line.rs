//! The structure of a shell command line: which command runs after, beside, inside or instead of which.
//!
//! Only what decides about exit codes is kept. The nesting is bounded, so that no line can exhaust the stack; what lies
//! deeper is read without structure, as commands one after the other.

use super::shell_words::{Token, Word, tokens};
use super::step::Step;
use super::{windows, words};

/// Deeper nesting than anybody writes.
const DEEPEST: usize = 24;

/// Commands that run one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct List(pub(super) Vec<Item>, pub(super) Depth);

/// Whether the structure of a list is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Depth {
    #[default]
    Known,
    /// It lies deeper than is read.
    TooDeep,
}

/// One of them.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) chain: Vec<(Link, Pipeline)>,
    pub(super) background: bool,
}

/// What must have happened before for a pipeline of a chain to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// It is the first.
    First,
    /// `&&`: success.
    And,
    /// `||`: failure.
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, Default)]
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) stages: Vec<Command>,
}

#[derive(Debug, Clone)]
pub(super) enum Command {
    Simple(Simple),
    /// `( … )`
    Subshell(List),
    /// `{ … }`
    Group(List),
    /// Conditions with their bodies, and the body for none of them.
    If(Vec<(List, List)>, Option<List>),
    /// `while`, `until`, `for`, `select`: a condition, where there is one, and a body.
    Loop(Option<List>, List),
    Case(Vec<List>),
    /// A definition: its body does not run here.
    Function(List),
}

/// A command without structure of its own.
#[derive(Debug, Clone, Default)]
pub(super) struct Simple {
    /// Assignments and words, quotes taken off, as they stand.
    pub(super) words: Vec<Word>,
    /// The body of its here-document.
    pub(super) heredoc: Option<String>,
    /// What runs inside its words before it.
    pub(super) substitutions: Vec<List>,
    /// What it means for the line's exit code; set once the words have been recognised.
    pub(super) step: Step,
}

/// Reads `line`.
pub(super) fn parse(line: &str) -> List {
    let meant = if windows::speaks_powershell(line) {
        windows::of_powershell(line)
    } else if line.contains("%ERRORLEVEL%") {
        windows::of_cmd(line)
    } else {
        String::new()
    };
    let line = if meant.is_empty() { line } else { &meant };
    let mut parser = Parser { line, tokens: tokens(line), at: 0, depth: 0 };
    let mut all = List::default();
    while parser.at < parser.tokens.len() {
        all.0.append(&mut parser.list(&[]).0);
        // A closing word that nothing opened.
        parser.at += 1;
    }
    all
}

struct Parser<'a> {
    line: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The unquoted word at hand, if a word is.
    fn keyword(&self) -> &str {
        match self.peek() {
            Some(Token::Word(word)) if !word.quoted => &word.text,
            _ => "",
        }
    }

    fn took(&mut self, keyword: &str) -> bool {
        let here = self.keyword() == keyword;
        self.at += usize::from(here);
        here
    }

    /// Commands up to a closing parenthesis or one of `ends`, which is left standing.
    fn list(&mut self, ends: &[&str]) -> List {
        let mut items = Vec::new();
        if self.depth == DEEPEST {
            return self.flat();
        }
        self.depth += 1;
        loop {
            while matches!(self.peek(), Some(Token::Semicolon | Token::Newline | Token::Background)) {
                self.at += 1;
            }
            match self.peek() {
                None | Some(Token::Close | Token::EndOfBranch) => break,
                Some(_) if ends.contains(&self.keyword()) => break,
                Some(_) => {}
            }
            let before = self.at;
            let chain = self.chain(ends);
            let background = matches!(self.peek(), Some(Token::Background));
            if self.at == before {
                self.at += 1;
            }
            items.push(Item { chain, background });
        }
        self.depth -= 1;
        List(items, Depth::Known)
    }

    /// All that is left, as commands one after the other.
    fn flat(&mut self) -> List {
        let mut items = Vec::new();
        while let Some(token) = self.peek() {
            if !matches!(token, Token::Word(_)) || words::is(self.keyword(), "keywords") {
                self.at += 1;
                continue;
            }
            let pipeline = Pipeline { negated: false, stages: vec![Command::Simple(self.simple())] };
            items.push(Item { chain: vec![(Link::First, pipeline)], background: false });
        }
        List(items, Depth::TooDeep)
    }

    fn chain(&mut self, ends: &[&str]) -> Vec<(Link, Pipeline)> {
        let mut chain = vec![(Link::First, self.pipeline(ends))];
        loop {
            let link = match self.peek() {
                Some(Token::And) => Link::And,
                Some(Token::Or) => Link::Or,
                _ => return chain,
            };
            self.after_operator();
            chain.push((link, self.pipeline(ends)));
        }
    }

    fn after_operator(&mut self) {
        self.at += 1;
        while matches!(self.peek(), Some(Token::Newline)) {
            self.at += 1;
        }
    }

    fn pipeline(&mut self, ends: &[&str]) -> Pipeline {
        let mut negated = false;
        while self.took("!") {
            negated = !negated;
        }
        let mut stages = vec![self.command(ends)];
        while matches!(self.peek(), Some(Token::Pipe)) {
            self.after_operator();
            stages.push(self.command(ends));
        }
        Pipeline { negated, stages }
    }

    fn command(&mut self, ends: &[&str]) -> Command {
        if matches!(self.peek(), Some(Token::Open)) {
            self.at += 1;
            let inside = self.list(&[]);
            self.closed();
            return Command::Subshell(inside);
        }
        let keyword = self.keyword();
        if ends.contains(&keyword) {
            return Command::Simple(Simple::default());
        }
        match keyword {
            "{" => {
                self.at += 1;
                let inside = self.list(&["}"]);
                self.took("}");
                Command::Group(inside)
            }
            "if" => self.branches(),
            "while" | "until" => {
                self.at += 1;
                let condition = self.list(&["do"]);
                self.loop_body(Some(condition))
            }
            "for" | "select" => {
                while self.at < self.tokens.len() && self.keyword() != "do" {
                    self.at += 1;
                }
                self.loop_body(None)
            }
            "case" => self.case(),
            "function" => {
                self.at += 2;
                self.definition()
            }
            _ if matches!(self.tokens.get(self.at + 1), Some(Token::Open))
                && matches!(self.tokens.get(self.at + 2), Some(Token::Close)) =>
            {
                self.at += 1;
                self.definition()
            }
            _ => Command::Simple(self.simple()),
        }
    }

    fn closed(&mut self) {
        if matches!(self.peek(), Some(Token::Close)) {
            self.at += 1;
        }
    }

    fn branches(&mut self) -> Command {
        let mut arms = Vec::new();
        while matches!(self.keyword(), "if" | "elif") {
            self.at += 1;
            let condition = self.list(&["then"]);
            self.took("then");
            arms.push((condition, self.list(&["elif", "else", "fi"])));
        }
        let otherwise = self.took("else").then(|| self.list(&["fi"]));
        self.took("fi");
        Command::If(arms, otherwise)
    }

    fn loop_body(&mut self, condition: Option<List>) -> Command {
        self.took("do");
        let body = self.list(&["done"]);
        self.took("done");
        Command::Loop(condition, body)
    }

    fn case(&mut self) -> Command {
        let mut bodies = Vec::new();
        while self.at < self.tokens.len() && self.keyword() != "in" {
            self.at += 1;
        }
        self.took("in");
        while self.at < self.tokens.len() && self.keyword() != "esac" {
            while self.at < self.tokens.len() && !matches!(self.peek(), Some(Token::Close)) {
                if self.keyword() == "esac" {
                    break;
                }
                self.at += 1;
            }
            self.closed();
            bodies.push(self.list(&["esac"]));
            if !matches!(self.peek(), Some(Token::Word(_))) {
                self.at += 1;
            }
        }
        self.took("esac");
        Command::Case(bodies)
    }

    /// After the name of a function.
    fn definition(&mut self) -> Command {
        while matches!(self.peek(), Some(Token::Open | Token::Close | Token::Newline)) {
            self.at += 1;
        }
        if self.took("{") {
            let body = self.list(&["}"]);
            self.took("}");
            return Command::Function(body);
        }
        Command::Function(List::default())
    }

    fn simple(&mut self) -> Simple {
        let mut simple = Simple::default();
        let test = self.keyword() == "[[";
        let mut open = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Word(word) => simple.words.push(word.clone()),
                Token::Heredoc(range) => simple.heredoc = self.line.get(range.clone()).map(str::to_owned),
                // An array, or something that is no shell at all.
                Token::Open => open += 1,
                Token::Close if open > 0 => open -= 1,
                // `[[ a && b ]]` is one command.
                Token::And | Token::Or if test => {}
                Token::Newline if open > 0 => {}
                _ => break,
            }
            self.at += 1;
            if test && simple.words.last().is_some_and(|word| word.text == "]]") {
                break;
            }
        }
        simple
    }
}
