//! Lines that belong together: a sentence may go over several, and what it decides is not on one of them alone.

/// Lines that follow each other, as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The numbers of its lines.
    pub(super) lines: Vec<u32>,
    pub(super) text: String,
}

/// Joins lines with neighbouring numbers, except where one begins an element, a heading or a row.
pub(super) fn paragraphs<'a>(lines: impl IntoIterator<Item = (u32, &'a str)>) -> Vec<Paragraph> {
    let mut joined: Vec<Paragraph> = Vec::new();
    for (number, text) in lines {
        let begins = text.starts_with(['-', '*', '#', '|']) || text.starts_with(|c: char| c.is_ascii_digit());
        match joined.last_mut() {
            Some(last) if last.lines.last().is_some_and(|line| line + 1 == number) && !begins => {
                last.text.push(' ');
                last.text.push_str(text);
                last.lines.push(number);
            }
            _ => joined.push(Paragraph { lines: vec![number], text: text.to_owned() }),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined_and_elements_are_not() {
        let lines = [(1, "We use"), (2, "sqlite."), (4, "Later"), (5, "- one"), (6, "goes on"), (7, "- two")];
        let told: Vec<(u32, String)> =
            paragraphs(lines).into_iter().map(|joined| (joined.lines[0], joined.text)).collect();
        let expected = [(1, "We use sqlite."), (4, "Later"), (5, "- one goes on"), (7, "- two")];
        assert_eq!(told, expected.map(|(line, text)| (line, text.to_owned())));
    }
}
