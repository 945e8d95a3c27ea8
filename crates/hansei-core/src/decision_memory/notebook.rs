//! The code of a notebook: what its code cells hold as source, line by line. Its prose and what it printed are none.

/// Each line of a notebook as the code it holds; empty for every other line.
pub(super) fn code_of(lines: &[&str]) -> Vec<String> {
    let mut is_code = false;
    let mut in_source = false;
    let read = |line: &&str| {
        let text = line.trim();
        if let Some(kind) = text.strip_prefix("\"cell_type\":") {
            is_code = kind.contains("code");
        }
        let source = text.strip_prefix("\"source\":").map(|source| source.trim().trim_start_matches('['));
        in_source |= source.is_some();
        let code = if is_code && in_source { cell_line(source.unwrap_or(text)) } else { String::new() };
        if text.starts_with(']') || source.is_some_and(|source| !source.is_empty()) {
            in_source = false;
        }
        code
    };
    lines.iter().map(read).collect()
}

/// A line of code out of a text of JSON.
fn cell_line(line: &str) -> String {
    let inside = line.trim().trim_end_matches([',', ']']);
    let inside = inside.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    inside.trim_end_matches("\\n").replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_cells_hold_code() {
        let text = r#"{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "like seaborn\n"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [
    { "text": [ "seaborn\n" ] }
   ],
   "source": [
    "import a\n",
    "print(\"b[0]\")"
   ]
  },
  {
   "cell_type": "code",
   "source": "import c"
  }
 ]
}"#;
        let lines: Vec<&str> = text.lines().collect();
        let code: Vec<String> = code_of(&lines).into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(code, ["import a", "print(\"b[0]\")", "import c"]);
    }
}
