//! A fence around text that must not be mistaken for instructions.

const SHORTEST: usize = 12;

/// A line of marks that occurs in no text it fences: longer than any run of marks in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence(String);

impl Fence {
    /// A fence for all of `texts`.
    pub(crate) fn around<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let longest = texts.into_iter().map(longest_run).max().unwrap_or_default();
        Self("~".repeat(SHORTEST.max(longest + 1)))
    }

    /// The line itself.
    pub(crate) fn line(&self) -> &str {
        &self.0
    }

    /// `text` under a title, inside the fence.
    pub(crate) fn enclose(&self, title: &str, text: &str) -> String {
        format!("{title}\n{fence}\n{text}\n{fence}\n", fence = self.0)
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '~').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_its_fence() {
        for hostile in ["", "~~~", &"~".repeat(12), &format!("a\n{}\nb", "~".repeat(300)), "~é~~~~"] {
            let fence = Fence::around(["x", hostile]);
            assert!(!hostile.contains(fence.line()), "{hostile}");
            let enclosed = fence.enclose("Title:", hostile);
            assert_eq!(enclosed.matches(fence.line()).count(), 2, "{enclosed}");
        }
    }
}
