//! Variables that fields of a structure in Go name in their tags, in the ways of well-known packages or of the project itself.

use super::ground::Ground;
use super::pattern::Pattern;

/// A field of a structure with its tags.
static FIELD: Pattern = Pattern::new(r"^\s*\w+\s+[^`\n]+`([^`\n]*)`");
/// Code that reads a variable by what a tag says, perhaps behind a prefix.
static READS: Pattern =
    Pattern::new(r#"os\.(?:LookupEnv|Getenv)\(\s*(?:(\w+|"[^"\n]*")\s*\+\s*)?[\w.()]*\.Get\("(\w+)"\)"#);
/// Code that sees by a tag that the variable must be there.
static ASKS: Pattern = Pattern::new(r#"\.Get\("(\w+)"\)\s*==\s*"(\w+)""#);

/// How tags say which variable a field takes, and that it must be there.
pub(super) struct Way {
    prefix: String,
    /// The tag with the name.
    name: String,
    /// The tag that demands it, with its value.
    must: (String, String),
}

impl Way {
    fn of(prefix: &str, name: &str, must: (&str, &str)) -> Self {
        Self {
            prefix: prefix.to_owned(),
            name: name.to_owned(),
            must: (must.0.to_owned(), must.1.to_owned()),
        }
    }

    fn known() -> Vec<Self> {
        ["env", "envconfig"].into_iter().map(|name| Self::of("", name, ("required", "true"))).collect()
    }
}

/// Every way that the project has.
pub(super) fn ways(ground: &Ground<'_>) -> Vec<Way> {
    let mut all = Way::known();
    for file in ground.tree.examined(&[".go"]) {
        if let Some(text) = ground.tree.text(&file.path).filter(|text| text.contains(".Get(\"")) {
            all.extend(own(&text));
        }
    }
    all
}

/// The project's own way, where a file reads variables by tags.
fn own(text: &str) -> Option<Way> {
    let (reads, asks) = (READS.first(text)?, ASKS.first(text)?);
    let given = reads.group(1);
    let prefix = match given.strip_prefix('"') {
        Some(quoted) => quoted.trim_end_matches('"'),
        None if given.is_empty() => "",
        None => text.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            let is_it = name.split_whitespace().any(|word| word.trim_end_matches(':') == given);
            value.trim().strip_prefix('"').filter(|_| is_it)?.strip_suffix('"')
        })?,
    };
    Some(Way::of(prefix, reads.group(2), (asks.group(1), asks.group(2))))
}

/// Each variable that a field of this text demands, with its line.
pub(super) fn each(text: &str, ways: &[Way], mut take: impl FnMut(&str, usize)) {
    for (at, line) in text.lines().enumerate() {
        let Some(field) = FIELD.first(line) else { continue };
        let tags = field.group(1);
        for way in ways {
            let Some(named) = tag(tags, &way.name) else { continue };
            let mut options = named.split(',');
            let name = options.next().unwrap_or_default().trim();
            let is_asked_for = tag(tags, &way.must.0) == Some(way.must.1.as_str())
                || options.clone().any(|option| matches!(option.trim(), "required" | "notEmpty"))
                || tag(tags, "validate").is_some_and(|rules| rules.starts_with("required"));
            let has_default = ["default", "envDefault"].iter().any(|key| tag(tags, key).is_some())
                || options.any(|option| option.trim().starts_with("default="));
            if is_asked_for && !has_default && !name.is_empty() {
                take(&format!("{}{name}", way.prefix), at + 1);
                break;
            }
        }
    }
}

/// The value of one tag among several.
fn tag<'a>(tags: &'a str, key: &str) -> Option<&'a str> {
    let begin = format!("{key}:\"");
    let at = tags
        .match_indices(&begin)
        .find(|(at, _)| *at == 0 || tags[..*at].ends_with(char::is_whitespace))
        .map(|(at, _)| at + begin.len())?;
    tags[at..].split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_demand_a_variable() {
        let own = own(
            "const pre = \"MILL_\"\nv, ok := os.LookupEnv(pre + field.Tag.Get(\"key\"))\nif !ok && field.Tag.Get(\"needed\") == \"always\" {\n",
        );
        let ways: Vec<Way> = Way::known().into_iter().chain(own).collect();
        for (tags, expected) in [
            (r#"env:"A_KEY,required""#, "A_KEY"),
            (r#"env:"A_KEY""#, ""),
            (r#"json:"key" envconfig:"A_KEY" required:"true""#, "A_KEY"),
            (r#"env:"A_KEY,required" envDefault:"x""#, ""),
            (r#"env:"A_KEY" validate:"required,url""#, "A_KEY"),
            (r#"key:"STONE" needed:"always""#, "MILL_STONE"),
            (r#"key:"STONE" needed:"never""#, ""),
        ] {
            let mut seen = String::new();
            each(&format!("\tKey string `{tags}`\n"), &ways, |name, _| seen.push_str(name));
            assert_eq!(seen, expected, "{tags}");
        }
    }
}
