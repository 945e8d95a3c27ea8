//! Putting an item into a JSON file and taking it out again, without touching any other byte.
//!
//! An item is a member of an object or an element of a list. It goes behind its last sibling, laid out as that one is.

use std::ops::Range;

use super::json_document::{Document, Kind, Node};
use super::{EditError, Insertion, newline_of};

/// Puts an empty object into a text that holds no value yet.
pub fn insert_root(text: &str) -> (String, Insertion) {
    let newline = newline_of(text);
    let begins_a_line = text.trim_start_matches('\u{feff}').is_empty() || text.ends_with('\n');
    let lead = if begins_a_line { "" } else { newline };
    let insertion = Insertion {
        inside: None,
        key: None,
        lead: lead.to_owned(),
        item: "{}".to_owned(),
        tail: newline.to_owned(),
    };
    (format!("{text}{lead}{}{}", insertion.item, insertion.tail), insertion)
}

/// Puts the member `key` with the value `value` behind the last one of the object at `path`.
pub fn insert_member(
    text: &str,
    path: &[String],
    key: &str,
    value: &str,
) -> Result<(String, Insertion), EditError> {
    append(text, path, Some(key), format!("{}: {value}", serde_json::Value::from(key)))
}

/// Puts `element` behind the last one of the list at `path`.
pub fn append_element(text: &str, path: &[String], element: &str) -> Result<(String, Insertion), EditError> {
    append(text, path, None, element.to_owned())
}

fn append(
    text: &str,
    path: &[String],
    key: Option<&str>,
    item: String,
) -> Result<(String, Insertion), EditError> {
    let document = Document::parse(text)?;
    let container = document
        .get(path)
        .ok_or_else(|| EditError::at(text, text.len(), format!("there is no {}", path.join("."))))?;
    let fits = match container.kind {
        Kind::Object(_) => key.is_some(),
        Kind::Array(_) => key.is_none(),
        Kind::Text(_) | Kind::Other => false,
    };
    let Some(siblings) = container.items().filter(|_| fits) else {
        let kind = if key.is_some() { "an object" } else { "a list" };
        return Err(EditError::at(
            text,
            container.range.start,
            format!("{:?} is not {kind}", path.join(".")),
        ));
    };
    let (comma, at, lead, tail) = match siblings.last() {
        Some(last) => behind(text, &document, container, last),
        None => within_empty(text, &document, container),
    };
    let mut edited = text.to_owned();
    let ending = if comma == Comma::Trailing { "," } else { "" };
    edited.insert_str(at, &format!("{lead}{item}{tail}{ending}"));
    if let Comma::At(end) = comma {
        edited.insert(end, ',');
    }
    let inside = Some(path.to_vec());
    Ok((edited, Insertion { inside, key: key.map(ToOwned::to_owned), lead, item, tail }))
}

/// Where the comma goes that sets the new item apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comma {
    /// Nowhere.
    None,
    /// At this place, behind the last sibling.
    At(usize),
    /// Behind the new item, as behind the last sibling.
    Trailing,
}

fn behind(
    text: &str,
    document: &Document,
    container: &Node,
    last: &Range<usize>,
) -> (Comma, usize, String, String) {
    let rest = last.end..container.range.end;
    let trailing = document.comma_in(rest.clone());
    let mut at = trailing.as_ref().map_or(last.end, |comma| comma.end);
    let mut needs_line = false;
    // A comment on the sibling's line speaks of the sibling.
    for (comment, takes_line) in document.comments_in(rest) {
        if comment.start >= at && !text[at..comment.start].contains('\n') {
            (at, needs_line) = (comment.end, takes_line);
        }
    }
    let before = &text[..last.start];
    let space = &before[before.trim_end().len()..];
    let lead = if space.contains('\n') || needs_line {
        format!("{}{}", newline_of(text), indentation(text, last.start))
    } else if text.contains('\n') {
        " ".to_owned()
    } else {
        space.to_owned()
    };
    (if trailing.is_some() { Comma::Trailing } else { Comma::At(last.end) }, at, lead, String::new())
}

fn within_empty(text: &str, document: &Document, container: &Node) -> (Comma, usize, String, String) {
    let inside = container.range.start + 1..container.range.end - 1;
    let comments = document.comments_in(inside.clone());
    let at = comments.last().map_or(inside.start, |(comment, _)| comment.end);
    // A file on one line stays on one line, unless there is nothing in it whose style could be kept.
    let on_one_line = !text.trim_end().contains('\n') && container.range.start > first_byte(text);
    if on_one_line {
        return (Comma::None, at, String::new(), String::new());
    }
    let (newline, own) = (newline_of(text), indentation(text, container.range.start));
    let lead = format!("{newline}{own}{}", indentation_unit(text));
    let tail = if text[at..inside.end].contains('\n') { String::new() } else { format!("{newline}{own}") };
    (Comma::None, at, lead, tail)
}

/// Takes out the item at `place` among the items of the container at `path`, with what came with it.
pub fn remove_item(
    text: &str,
    path: &[String],
    place: usize,
    insertion: Option<&Insertion>,
) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let container = document.get(path);
    let (Some(container), Some(items)) = (container, container.and_then(Node::items)) else {
        return Ok(text.to_owned());
    };
    Ok(remove_from(text, &document, container, &items, place, insertion))
}

pub(crate) fn remove_from(
    text: &str,
    document: &Document,
    container: &Node,
    items: &[Range<usize>],
    place: usize,
    insertion: Option<&Insertion>,
) -> String {
    let Some(item) = items.get(place) else {
        return text.to_owned();
    };
    let previous = place.checked_sub(1).map_or(container.range.start + 1, |previous| items[previous].end);
    let next = items.get(place + 1).map_or(container.range.end - 1, |next| next.start);
    let comma_before = document.comma_in(previous..item.start);
    let comma_after = document.comma_in(item.end..next);
    let mut start = lead_start(text, previous, item.start, insertion);
    let mut end = item.end;
    let mut cuts = Vec::new();
    match (&comma_after, comma_before) {
        (Some(after), _) if document.has_comment_in(item.end..after.start) => cuts.push(after.clone()),
        (Some(after), _) => end = after.end,
        (None, Some(before)) => cuts.push(before),
        (None, None) => {}
    }
    if items.len() == 1 {
        let rest = &text[end..container.range.end - 1];
        end += match insertion {
            Some(insertion) if rest.starts_with(&insertion.tail) => insertion.tail.len(),
            None if rest.trim().is_empty() => rest.len(),
            _ => 0,
        };
    }
    let comments = document.comments_in(previous..item.start);
    if let Some((comment, true)) = comments.last()
        && !text[comment.end..start].contains('\n')
        && !text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n')
    {
        // The line break before ours ends a comment that would swallow what follows.
        start = item.start;
    }
    cuts.push(start..end);
    without(text, cuts)
}

/// Takes out the empty object that [`insert_root`] put in, if nothing was put into it.
pub fn remove_root(text: &str, insertion: &Insertion) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let Some(root) = document.root().filter(|root| is_empty(&document, root)) else {
        return Ok(text.to_owned());
    };
    let start = root.range.start;
    let lead = if text[..start].ends_with(&insertion.lead) { insertion.lead.len() } else { 0 };
    let tail = if text[root.range.end..].starts_with(&insertion.tail) { insertion.tail.len() } else { 0 };
    Ok([&text[..start - lead], &text[root.range.end + tail..]].concat())
}

/// Takes out the member `key` of the object at `inside`, if it is an empty object or list.
pub(crate) fn remove_member_if_empty(
    text: &str,
    inside: &[String],
    key: &str,
    insertion: Option<&Insertion>,
) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let Some(Node { kind: Kind::Object(members), .. }) = document.get(inside) else {
        return Ok(text.to_owned());
    };
    match members.iter().rposition(|member| member.key == key) {
        Some(place) if is_empty(&document, &members[place].value) => {
            remove_item(text, inside, place, insertion)
        }
        _ => Ok(text.to_owned()),
    }
}

/// Whether a container holds neither an item nor a comment.
pub(crate) fn is_empty(document: &Document, node: &Node) -> bool {
    node.items().is_some_and(|items| items.is_empty()) && !document.has_comment_in(node.range.clone())
}

/// Where the white space begins that was put in before an item.
fn lead_start(text: &str, previous: usize, item: usize, insertion: Option<&Insertion>) -> usize {
    let before = &text[previous..item];
    let space = before.len() - before.trim_end().len();
    match insertion {
        // Without white space of its own it was put in where there was none: what is there now is somebody else's layout.
        Some(insertion)
            if before.ends_with(&insertion.lead) && (!insertion.lead.is_empty() || space == 0) =>
        {
            item - insertion.lead.len()
        }
        // Somebody laid it out anew: the line break and the indentation go, other lines stay.
        _ => match before[before.len() - space..].rfind('\n') {
            Some(newline) => {
                let start = item - space + newline;
                if text[..start].ends_with('\r') { start - 1 } else { start }
            }
            None => item - space,
        },
    }
}

fn without(text: &str, mut cuts: Vec<Range<usize>>) -> String {
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.start));
    let mut left = text.to_owned();
    for cut in cuts {
        left.replace_range(cut, "");
    }
    left
}

/// The white space at the beginning of the line that `at` is on.
fn indentation(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(first_byte(text), |newline| newline + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// One step of indentation, as the first indented line has it.
fn indentation_unit(text: &str) -> &str {
    let mut indented = text.lines().filter_map(|line| {
        let rest = line.trim_start_matches([' ', '\t']);
        (rest.len() < line.len() && !rest.is_empty()).then(|| &line[..line.len() - rest.len()])
    });
    match indented.next() {
        Some(unit) if unit.starts_with('\t') => "\t",
        Some(unit) if unit.len() <= 8 => unit,
        _ => "  ",
    }
}

fn first_byte(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}
