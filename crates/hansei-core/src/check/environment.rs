//! What a machine lacks, as tools tell it: no network, no Docker, no JDK. Whoever's check fails for that, and who says so, did
//! nothing wrong.

const SIGNS: &str = include_str!("environment.txt");

/// How many lines of an output tell of something that the machine lacks, and that `words` speak of.
pub(crate) fn told<'a>(lines: impl IntoIterator<Item = &'a str>, words: &str) -> usize {
    let words = words.to_lowercase();
    let spoken = |lacks: &str| lacks.split(' ').any(|word| words.contains(word));
    lines.into_iter().filter(|line| sign(line).is_some_and(spoken)).count()
}

/// What the machine lacks by the word of this line, as people call it.
pub(crate) fn sign(line: &str) -> Option<&'static str> {
    let line = line.to_ascii_lowercase();
    let mut signs = SIGNS.lines().filter_map(|sign| sign.split_once(" = "));
    signs.find(|(_, says)| line.len() < 2000 && line.contains(says)).map(|(lacks, _)| lacks)
}
