//! A JavaScript or TypeScript file: which modules it asks for, and which of them it can do without.

use super::pattern::Pattern;
use super::source_text::{Language, bare, code};

static FROM: Pattern =
    Pattern::new(r#"\b(import|export)\s+(type\s+)?([\w$*{},\s]*?)\s*\bfrom\s*['"]([^'"\n]+)['"]"#);
static PLAIN: Pattern = Pattern::new(r#"\bimport\s*['"]([^'"\n]+)['"]"#);
static CALL: Pattern = Pattern::new(
    r#"\b(require|import|require\.resolve|jest\.mock|jest\.unmock|jest\.requireActual|vi\.mock|vi\.importActual|mock\.module)\s*\(\s*['"]([^'"\n]+)['"]\s*([,)])"#,
);
static TRY: Pattern = Pattern::new(r"\btry\s*\{");

/// How a module is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// `import` or `export … from`.
    Import,
    /// `require(…)`.
    Require,
    /// `import(…)`.
    Later,
    /// `jest.mock(…)` and the like.
    Mock,
}

/// A module that is asked for.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) module: String,
    pub(super) asked: Asked,
    /// The names that are taken from it.
    pub(super) names: Vec<String>,
    pub(super) line: usize,
    /// Nothing breaks without it: a type, a `try`, a `.catch`, a virtual mock.
    pub(super) is_optional: bool,
}

/// Every module that the file asks for.
pub(super) fn requests(text: &str) -> Vec<Request> {
    let (code, bare) = (code(text, Language::JavaScript), bare(text, Language::JavaScript));
    let tries = tries(&bare);
    let in_try = |at: usize| tries.iter().any(|(from, to)| (*from..*to).contains(&at));
    let mut found = Vec::new();
    for hit in FROM.all(&code) {
        let names = hit.group(3);
        let types_only = !hit.group(2).is_empty() && !names.trim_start().starts_with(',');
        found.push(Request {
            module: hit.group(4).to_owned(),
            asked: Asked::Import,
            names: taken(names),
            line: hit.line(),
            is_optional: types_only,
        });
    }
    for hit in PLAIN.all(&code) {
        found.push(Request {
            module: hit.group(1).to_owned(),
            asked: Asked::Import,
            names: Vec::new(),
            line: hit.line(),
            is_optional: false,
        });
    }
    for hit in CALL.all(&code) {
        let asked = match hit.group(1) {
            "require" => Asked::Require,
            "import" | "require.resolve" => Asked::Later,
            _ => Asked::Mock,
        };
        let after = code.get(hit.end()..).unwrap_or_default();
        let rest: String = after.chars().take(400).collect();
        let caught = rest.trim_start().starts_with(".catch")
            || (asked == Asked::Mock && rest.contains("virtual: true"));
        let line_start = code[..hit.start()].rfind('\n').map_or(0, |at| at + 1);
        let before = &code[line_start..hit.start()];
        let expects =
            ["throws(", "rejects(", "expect(()", "expect(async"].iter().any(|word| before.contains(word));
        let names =
            before.rsplit_once('{').filter(|_| asked == Asked::Require && before.trim_end().ends_with('='));
        found.push(Request {
            module: hit.group(2).to_owned(),
            asked,
            names: names.map_or_else(Vec::new, |(_, names)| taken(&format!("{{{names}"))),
            line: hit.line(),
            is_optional: in_try(hit.start()) || caught || before.contains("typeof ") || expects,
        });
    }
    found
}

/// The names between the braces of an import: `{ a, b as c, type D }` gives `a` and `b`.
fn taken(names: &str) -> Vec<String> {
    let Some((_, inside)) = names.split_once('{') else { return Vec::new() };
    let inside = inside.split('}').next().unwrap_or_default();
    inside
        .split(',')
        .map(str::trim)
        .filter(|name| !name.starts_with("type "))
        .filter_map(|name| name.split([' ', ':', '=', '\n']).next())
        .filter(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        })
        .map(str::to_owned)
        .collect()
}

/// Where the blocks of `try` begin and end.
fn tries(bare: &str) -> Vec<(usize, usize)> {
    TRY.all(bare)
        .iter()
        .map(|hit| {
            let mut depth = 0_i64;
            let from = hit.end() - 1;
            let end = bare[from..].bytes().position(|byte| {
                depth += i64::from(byte == b'{') - i64::from(byte == b'}');
                depth == 0
            });
            (from, end.map_or(bare.len(), |end| from + end))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read_and_what_is_optional_is_told() {
        let text = "import a, { b, c as d } from './a';\nimport type { T } from './t';\nimport 'side';\nexport * from \
                    \"./e\";\nconst { f, g: h } = require('./f');\ntry { require('fast') } catch {}\n// \
                    require('no')\nawait import('./late').catch(() => 0);\njest.mock('./m');\nimport {\n  x,\n  y\n} from \
                    'pkg/sub';\n";
        let told: Vec<String> = requests(text)
            .iter()
            .map(|it| {
                format!("{}:{}{}", it.module, it.names.join("+"), if it.is_optional { "?" } else { "" })
            })
            .collect();
        assert_eq!(
            told,
            ["./a:b+c", "./t:T?", "./e:", "pkg/sub:x+y", "side:", "./f:f+g", "fast:?", "./late:?", "./m:"]
        );
    }
}
