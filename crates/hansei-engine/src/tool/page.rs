//! Some lines of a file, however large it is: read from its beginning, and no more of it kept than is shown.

use std::io::BufRead;

use hansei_core::text_edit::{Undecodable, looks_binary, seems};
use hansei_workspace::beneath::PlainFile;

use super::error::undecodable;
use super::{Code, ToolError};

/// As much of a file as is gone through to find a line.
const MOST_SEARCHED: u64 = 1 << 28;
/// As much of one line as is shown.
const LONGEST_LINE: usize = 4096;
/// As much as is shown at once.
const MOST_SHOWN: usize = 256 * 1024;
/// Lines that are shown at once, where nobody asked for a number.
pub(super) const USUAL_LINES: usize = 2000;

/// Lines of a file.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The lines, without their endings; long ones are cut, and say so.
    pub lines: Vec<String>,
    /// The number of the first, counted from 1.
    pub first: usize,
    /// How many the file has; none where it is too large to go through.
    pub total: Option<usize>,
}

impl Page {
    /// The number of the last line on the page.
    pub fn last(&self) -> usize {
        self.first + self.lines.len() - usize::from(!self.lines.is_empty())
    }

    /// What is not on the page, for whoever reads on.
    pub fn note(&self, how_to_go_on: &str) -> Option<String> {
        let last = self.last();
        match self.total {
            Some(total) if last >= total => None,
            Some(total) => Some(format!("[lines {} to {last} of {total}; {how_to_go_on}]", self.first)),
            None => Some(format!("[lines {} to {last} of a very large file; {how_to_go_on}]", self.first)),
        }
    }
}

/// Reads `most` lines from line `first` on.
pub(super) fn read(
    file: PlainFile,
    path: &dyn std::fmt::Display,
    first: usize,
    most: usize,
) -> Result<Page, ToolError> {
    let system = |error: std::io::Error| ToolError::new(Code::System, format!("{path}: {error}"));
    let mut reader = std::io::BufReader::with_capacity(64 * 1024, file);
    let mut page = Page { first, ..Page::default() };
    let beginning = reader.fill_buf().map_err(system)?;
    if looks_binary(beginning) {
        let offset = beginning.iter().position(|byte| *byte == 0).unwrap_or_default();
        return Err(undecodable(path, &Undecodable::Binary { offset }));
    }
    if seems(beginning).starts_with("UTF-") {
        return Err(undecodable(path, &Undecodable::Encoding { seems: seems(beginning), line: 1 }));
    }
    let (mut searched, mut number, mut shown) = (0, 0, 0);
    let mut line = Line::default();
    loop {
        let wanted = number + 1 >= first && page.lines.len() < most && shown < MOST_SHOWN;
        let read = line.read(&mut reader, wanted).map_err(system)?;
        if read == 0 {
            page.total = Some(number);
            break;
        }
        number += 1;
        searched += read;
        if wanted {
            let begin = searched - read;
            let text = line.text(number == 1).map_err(|why| undecodable(path, &why.at(number, begin)))?;
            shown += text.len();
            page.lines.push(text);
        }
        if searched > MOST_SEARCHED {
            break;
        }
    }
    Ok(page)
}

/// One line on its way in.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    left_out: u64,
}

enum NotText {
    Nul(usize),
    Other(&'static str),
}

impl NotText {
    /// What it is in the line with this number, which begins at this offset.
    fn at(&self, line: usize, begin: u64) -> Undecodable {
        match self {
            Self::Nul(at) => Undecodable::Binary { offset: usize::try_from(begin).unwrap_or_default() + at },
            Self::Other(seems) => Undecodable::Encoding { seems, line },
        }
    }
}

impl Line {
    /// Reads to the end of the line, keeping its beginning if it is wanted, and gives how many bytes it took.
    fn read(&mut self, reader: &mut impl BufRead, wanted: bool) -> std::io::Result<u64> {
        self.bytes.clear();
        self.left_out = 0;
        let mut taken = 0;
        loop {
            let part = reader.fill_buf()?;
            if part.is_empty() {
                return Ok(taken);
            }
            let end = part.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let length = end.unwrap_or(part.len());
            if wanted {
                let kept = length.min(LONGEST_LINE + 2 - self.bytes.len().min(LONGEST_LINE + 2));
                self.bytes.extend_from_slice(&part[..kept]);
                self.left_out += (length - kept) as u64;
            }
            reader.consume(length);
            taken += length as u64;
            if end.is_some() || taken > MOST_SEARCHED {
                return Ok(taken);
            }
        }
    }

    fn text(&self, is_first: bool) -> Result<String, NotText> {
        let mut bytes = &self.bytes[..];
        if is_first {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        bytes = bytes.strip_suffix(b"\n").map_or(bytes, |rest| rest.strip_suffix(b"\r").unwrap_or(rest));
        if let Some(at) = self.bytes.iter().position(|byte| *byte == 0) {
            return Err(NotText::Nul(at));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if self.left_out == 0 => Ok(text.to_owned()),
            Ok(text) => Ok(cut(text, self.left_out)),
            // Cut in the middle of a character.
            Err(error) if self.left_out > 0 && error.error_len().is_none() => {
                let whole = &bytes[..error.valid_up_to()];
                Ok(cut(&String::from_utf8_lossy(whole), self.left_out))
            }
            Err(_) => Err(NotText::Other(seems(bytes))),
        }
    }
}

fn cut(text: &str, left_out: u64) -> String {
    format!("{text}[… {left_out} more bytes in this line]")
}
