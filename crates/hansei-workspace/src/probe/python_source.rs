//! A Python file, line by line: what it imports, and what stands around each line that makes a failure harmless.

use std::collections::BTreeMap;

use super::source_text::{Language, bare, code};

/// What encloses a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// The headers of the `except` clauses of every `try` around it.
    pub(super) caught: Vec<String>,
    /// It stands in an `except`, `else` or `finally`: what is done instead.
    pub(super) is_instead: bool,
    /// The conditions around it.
    pub(super) conditions: Vec<String>,
    /// It stands in a function.
    pub(super) in_function: bool,
    /// The class around it, with its bases.
    pub(super) class: Option<String>,
}

impl Around {
    /// Whether an exception of one of these kinds is caught here.
    pub(super) fn catches(&self, kinds: &[&str]) -> bool {
        self.caught.iter().any(|header| {
            let kind = header.trim_start_matches("except").trim();
            kind.starts_with(':') || kind.contains("Exception") || kinds.iter().any(|one| kind.contains(one))
        }) || self.conditions.iter().any(|with| with.contains("suppress(") || with.contains("raises("))
    }

    /// Whether a failing import does no harm here.
    pub(super) fn lets_imports_fail(&self) -> bool {
        self.catches(&["ImportError", "ModuleNotFoundError"])
            || self.is_instead
            || self.conditions.iter().any(|one| {
                ["TYPE_CHECKING", "version_info", "platform", "os.name", "find_spec"]
                    .iter()
                    .any(|it| one.contains(it))
            })
    }
}

/// A line with what encloses it.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) indent: usize,
    /// Without comments, strings as they are.
    pub(super) code: String,
    /// Without comments and strings.
    pub(super) bare: String,
    pub(super) around: Around,
}

/// An import.
#[derive(Debug)]
pub(super) struct Import {
    /// What follows `import` or `from`, without its dots.
    pub(super) module: String,
    /// How many dots stand before it.
    pub(super) level: usize,
    /// What is taken from it; empty for a plain `import`.
    pub(super) names: Vec<String>,
    pub(super) line: usize,
    pub(super) around: Around,
}

struct Block {
    indent: usize,
    kind: Kind,
}

enum Kind {
    Try(Vec<String>),
    Instead,
    Condition(String),
    Function,
    Class(String),
}

/// The lines of a file.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let (with, without) = (code(text, Language::Python), bare(text, Language::Python));
    let plain: Vec<&str> = without.lines().collect();
    let mut open: Vec<Block> = Vec::new();
    let mut lines = Vec::new();
    let mut depth = 0_i64;
    let mut asked: BTreeMap<usize, String> = BTreeMap::new();
    for (at, (code, bare)) in with.lines().zip(&plain).enumerate() {
        let content = bare.trim();
        let continues = depth > 0;
        depth += opened(bare);
        let indent = bare.len() - bare.trim_start().len();
        if !content.is_empty() && !continues {
            open.retain(|block| block.indent < indent);
        }
        if !content.is_empty() {
            lines.push(Line {
                number: at + 1,
                indent,
                code: code.to_owned(),
                bare: (*bare).to_owned(),
                around: around(&open),
            });
        }
        if !continues && let Some(kind) = block(content, indent, &plain[at + 1..]) {
            // What stands in an `else` depends on the same condition.
            let kind = match kind {
                Kind::Condition(text) => {
                    let before = asked.get(&indent).filter(|_| text.starts_with("el"));
                    let whole = before.map_or_else(|| text.clone(), |before| format!("{text} {before}"));
                    asked.insert(indent, whole.clone());
                    Kind::Condition(whole)
                }
                other => other,
            };
            open.push(Block { indent, kind });
        }
    }
    lines
}

fn opened(bare: &str) -> i64 {
    bare.bytes().map(|byte| i64::from(b"([{".contains(&byte)) - i64::from(b")]}".contains(&byte))).sum()
}

fn around(open: &[Block]) -> Around {
    let mut around = Around::default();
    for block in open {
        match &block.kind {
            Kind::Try(headers) => around.caught.extend(headers.iter().cloned()),
            Kind::Instead => around.is_instead = true,
            Kind::Condition(text) => around.conditions.push(text.clone()),
            Kind::Function => around.in_function = true,
            Kind::Class(bases) => around.class = Some(bases.clone()),
        }
    }
    around
}

fn block(content: &str, indent: usize, after: &[&str]) -> Option<Kind> {
    let word = content.split([' ', ':', '(']).next().unwrap_or_default();
    Some(match word {
        "try" => {
            let mut headers = Vec::new();
            for line in after.iter().filter(|line| !line.trim().is_empty()) {
                let deeper = line.len() - line.trim_start().len();
                let text = line.trim();
                if deeper < indent || (deeper == indent && !is_clause(text)) {
                    break;
                }
                if deeper == indent && text.starts_with("except") {
                    headers.push(text.to_owned());
                }
            }
            Kind::Try(headers)
        }
        "except" | "finally" => Kind::Instead,
        "if" | "elif" | "else" | "while" | "with" => Kind::Condition(content.to_owned()),
        "def" | "async" => Kind::Function,
        "class" => Kind::Class(content.to_owned()),
        _ => return None,
    })
}

fn is_clause(text: &str) -> bool {
    text.starts_with("except")
        || text.starts_with("else")
        || text.starts_with("finally")
        || text.starts_with(')')
}

/// What the file imports.
pub(super) fn imports(lines: &[Line]) -> Vec<Import> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for statement in line.bare.split(';') {
            let statement = statement.trim();
            let statement = match statement.split_once(": ") {
                Some((head, tail)) if head.starts_with("if ") || head == "try" => tail.trim(),
                _ => statement,
            };
            if let Some(rest) = statement.strip_prefix("import ") {
                for module in rest.split(',') {
                    let module = module.split_whitespace().next().unwrap_or_default();
                    push(&mut found, line, module, Vec::new());
                }
            } else if let Some((module, names)) =
                statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import"))
            {
                let names = if names.trim_start().starts_with('(') && !names.contains(')') {
                    let rest = lines[at + 1..].iter().map(|line| line.bare.as_str());
                    let mut all = names.to_owned();
                    for more in rest.take(200) {
                        all.push(',');
                        all.push_str(more);
                        if more.contains(')') {
                            break;
                        }
                    }
                    all
                } else {
                    let next = lines.get(at + 1).filter(|_| names.trim_end().ends_with('\\'));
                    format!("{names},{}", next.map_or("", |line| &line.bare))
                };
                let names = names.split(')').next().unwrap_or_default();
                let names = names
                    .split([',', '(', '\\'])
                    .filter_map(|name| name.split_whitespace().next())
                    .map(str::to_owned)
                    .collect();
                push(&mut found, line, module.trim(), names);
            }
        }
    }
    found
}

fn push(found: &mut Vec<Import>, line: &Line, module: &str, names: Vec<String>) {
    let level = module.bytes().take_while(|byte| *byte == b'.').count();
    let module = &module[level..];
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    if module.chars().all(plain) && (level > 0 || !module.is_empty()) {
        found.push(Import {
            module: module.to_owned(),
            level,
            names,
            line: line.number,
            around: line.around.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_with_what_stands_around_them() {
        let text = "\"\"\"import no\"\"\"\nimport os, a.b as c\nfrom .x import (y,\n    z as w,\n)\ntry:\n    import \
                    fast\nexcept ImportError:\n    fast = None\nif TYPE_CHECKING:\n    from t import T\ndef f():\n    \
                    import late\nfrom . import sub\n";
        let imports = imports(&lines(text));
        let told: Vec<String> = imports
            .iter()
            .map(|it| {
                let mark = if it.around.lets_imports_fail() { "?" } else { "" };
                format!("{}{}:{}:{}{mark}", ".".repeat(it.level), it.module, it.names.join("+"), it.line)
            })
            .collect();
        assert_eq!(told, ["os::2", "a.b::2", ".x:y+z:3", "fast::7?", "t:T:11?", "late::13", ".:sub:14"]);
    }
}
