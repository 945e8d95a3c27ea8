//! A JSON file with comments and trailing commas, as positions in its text.

use std::ops::Range;

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::EditError;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed text.
#[derive(Debug)]
pub struct Document {
    root: Option<Node>,
    tokens: Vec<(Mark, Range<usize>)>,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// An object: each member with its key and where the whole member stands.
    Object(Vec<Member>),
    /// A list.
    Array(Vec<Node>),
    /// A text.
    Text(String),
    /// Anything else.
    Other,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its key.
    pub key: String,
    /// Where key and value stand.
    pub range: Range<usize>,
    /// Its value.
    pub value: Node,
}

/// The tokens that matter for taking things in and out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Comma,
    LineComment,
    BlockComment,
    Other,
}

impl Document {
    /// Parses `text`. Comments and trailing commas are taken; nothing else beyond JSON is.
    pub fn parse(text: &str) -> Result<Self, EditError> {
        let skipped = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(&text[skipped..], &collect, &options).map_err(|error| {
            EditError::at(text, error.range().start + skipped, error.kind().to_string().to_lowercase())
        })?;
        let tokens = parsed.tokens.unwrap_or_default().into_iter().map(|token| {
            let mark = match token.token {
                Token::Comma => Mark::Comma,
                Token::CommentLine(_) => Mark::LineComment,
                Token::CommentBlock(_) => Mark::BlockComment,
                _ => Mark::Other,
            };
            (mark, token.range.start + skipped..token.range.end + skipped)
        });
        Ok(Self { tokens: tokens.collect(), root: parsed.value.as_ref().map(|value| node(value, skipped)) })
    }

    /// The value that the file holds, if it holds any.
    pub fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }

    /// The value at a path of keys. Where a key is there twice, the last counts, as it does for the agents.
    pub fn get(&self, path: &[String]) -> Option<&Node> {
        path.iter().try_fold(self.root.as_ref()?, |node, key| Some(&node.member(key)?.value))
    }

    /// The comma within `range`, if there is one.
    pub(super) fn comma_in(&self, range: Range<usize>) -> Option<Range<usize>> {
        self.within(range).find(|(mark, _)| *mark == Mark::Comma).map(|(_, at)| at.clone())
    }

    /// Whether there is a comment within `range`.
    pub(super) fn has_comment_in(&self, range: Range<usize>) -> bool {
        self.within(range).any(|(mark, _)| matches!(mark, Mark::LineComment | Mark::BlockComment))
    }

    /// The comments within `range`: where each stands, and whether it takes the rest of its line.
    pub(super) fn comments_in(&self, range: Range<usize>) -> Vec<(Range<usize>, bool)> {
        let comments = self.within(range).filter_map(|(mark, at)| match mark {
            Mark::LineComment => Some((at.clone(), true)),
            Mark::BlockComment => Some((at.clone(), false)),
            Mark::Comma | Mark::Other => None,
        });
        comments.collect()
    }

    /// The tokens that stand wholly within `range`.
    fn within(&self, range: Range<usize>) -> impl Iterator<Item = &(Mark, Range<usize>)> {
        let first = self.tokens.partition_point(|(_, at)| at.start < range.start);
        self.tokens[first..].iter().take_while(move |(_, at)| at.end <= range.end)
    }
}

impl Node {
    /// The last member called `key`, if this is an object that has one.
    pub fn member(&self, key: &str) -> Option<&Member> {
        match &self.kind {
            Kind::Object(members) => members.iter().rev().find(|member| member.key == key),
            _ => None,
        }
    }

    /// The text that the member `key` holds.
    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.member(key)?.value.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if this is a list.
    pub fn elements(&self) -> &[Self] {
        match &self.kind {
            Kind::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Where the members or elements stand.
    pub(super) fn items(&self) -> Option<Vec<Range<usize>>> {
        match &self.kind {
            Kind::Object(members) => Some(members.iter().map(|member| member.range.clone()).collect()),
            Kind::Array(elements) => Some(elements.iter().map(|element| element.range.clone()).collect()),
            Kind::Text(_) | Kind::Other => None,
        }
    }
}

fn node(value: &Value<'_>, skipped: usize) -> Node {
    let kind = match value {
        Value::Object(object) => Kind::Object(
            object
                .properties
                .iter()
                .map(|property| Member {
                    key: match &property.name {
                        ObjectPropName::String(name) => name.value.to_string(),
                        ObjectPropName::Word(name) => name.value.to_owned(),
                    },
                    range: property.start() + skipped..property.end() + skipped,
                    value: node(&property.value, skipped),
                })
                .collect(),
        ),
        Value::Array(array) => {
            Kind::Array(array.elements.iter().map(|element| node(element, skipped)).collect())
        }
        Value::StringLit(text) => Kind::Text(text.value.to_string()),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => Kind::Other,
    };
    Node { range: value.start() + skipped..value.end() + skipped, kind }
}
