//! Where nunjucks and minijinja write the same thing differently: `.length` is a property there and a filter here, and
//! `===` is `==`. A filter that is not known is found here, even where it is never
//! reached. What one could blow up memory with before anybody can count is refused.

use super::TemplateError;
use super::filters::KNOWN;

/// The most `+` in one template: each may double a text.
const MOST_PLUS: usize = 24;

/// `template` as minijinja reads it. Text outside tags, strings and comments stay as they are.
pub fn translate(template: &str) -> Result<String, TemplateError> {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    let mut plus = 0;
    while let Some(at) = ["{{", "{%", "{#"].iter().filter_map(|tag| rest.find(tag)).min() {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let close = match &tag[..2] {
            "{{" => "}}",
            "{%" => "%}",
            _ => "#}",
        };
        let end = if close == "#}" { tag.find(close) } else { end_of_tag(tag, close) };
        let Some(end) = end.map(|end| end + 2) else {
            // An unfinished tag: minijinja says so.
            out.push_str(tag);
            return Ok(out);
        };
        let inside = &tag[..end];
        if close == "#}" {
            out.push_str(inside);
        } else {
            out.push_str(&translate_tag(inside, &mut plus)?);
        }
        rest = &tag[end..];
        if close == "%}" && word_of(inside) == "raw" {
            let raw = end_of_raw(rest);
            out.push_str(&rest[..raw]);
            rest = &rest[raw..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn word_of(tag: &str) -> &str {
    tag.trim_start_matches(['{', '%', '-', ' ', '\t', '\n']).split([' ', '%', '-']).next().unwrap_or_default()
}

/// Where the `endraw` tag begins.
fn end_of_raw(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find("{%") {
        if word_of(&text[from + at..]) == "endraw" {
            return from + at;
        }
        from += at + 2;
    }
    text.len()
}

/// Where the tag closes, looking past strings.
fn end_of_tag(tag: &str, close: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in tag.char_indices().skip(2) {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if tag[at..].starts_with(close) => return Some(at),
            None => {}
        }
    }
    None
}

fn translate_tag(tag: &str, plus: &mut usize) -> Result<String, TemplateError> {
    let mut out = String::with_capacity(tag.len() + 8);
    let mut quote = None;
    let mut escaped = false;
    let mut skip = 0;
    for (at, c) in tag.char_indices() {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        if let Some(open) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == open {
                quote = None;
            }
            out.push(c);
            continue;
        }
        let rest = &tag[at..];
        if let Some(name) = not_ours(rest, &out) {
            return Err(TemplateError(format!("template: {name} is not supported")));
        }
        if c == '"' || c == '\'' {
            quote = Some(c);
        } else if c == '~' || c == '*' {
            return Err(TemplateError(format!("template: the operator {c} is not supported")));
        } else if c == '|' {
            let name = rest[1..].trim_start();
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            if !KNOWN.contains(&&name[..end]) {
                return Err(TemplateError(format!("template: the filter {} is not supported", &name[..end])));
            }
        } else if c == '+' {
            *plus += 1;
            if *plus > MOST_PLUS {
                return Err(TemplateError(format!("template: more than {MOST_PLUS} times +")));
            }
        } else if rest.starts_with("===") || rest.starts_with("!==") {
            out.push_str(if c == '!' { "!=" } else { "==" });
            skip = 2;
            continue;
        } else if let Some(after) = rest.strip_prefix(".length") {
            let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(');
            if ends && !is_loop(&out) {
                out.push_str("|js_length");
                skip = ".length".len() - 1;
                continue;
            }
        }
        out.push(c);
    }
    Ok(out)
}

/// Names that promptfoo gives a meaning that we do not: they would silently be empty.
fn not_ours(rest: &str, before: &str) -> Option<&'static str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    if before.ends_with(|c: char| word(c) || c == '.') {
        return None;
    }
    ["env", "_conversation"].into_iter().find(|name| {
        rest.strip_prefix(name).is_some_and(|after| {
            let dereferenced = after.starts_with(['.', '[']);
            if *name == "env" { dereferenced } else { !after.starts_with(word) }
        })
    })
}

/// Whether what comes before is the loop's own variable.
fn is_loop(before: &str) -> bool {
    before
        .strip_suffix("loop")
        .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_tags_is_translated() {
        for (written, read) in [
            ("a.length {{ a.length }}", "a.length {{ a|js_length }}"),
            ("{{ a.b.length > 3 }}{{ a.lengths }}", "{{ a.b|js_length > 3 }}{{ a.lengths }}"),
            ("{{ '.length' }}{{ \"}}.length\" }}", "{{ '.length' }}{{ \"}}.length\" }}"),
            ("{% if a === 'x === y' %}{{ loop.length }}", "{% if a == 'x === y' %}{{ loop.length }}"),
            ("{% raw %}{{ a.length }}{% endraw %}", "{% raw %}{{ a.length }}{% endraw %}"),
            ("{# a.length #}{{ a !== b }}", "{# a.length #}{{ a != b }}"),
            ("{{ unfinished", "{{ unfinished"),
            ("{{ my_env.x }}{{ a.env.x }}{{ env }}", "{{ my_env.x }}{{ a.env.x }}{{ env }}"),
            ("ü {{ 'ü'.length }}", "ü {{ 'ü'|js_length }}"),
        ] {
            assert_eq!(translate(written).unwrap(), read);
        }
        for refused in [
            "{{ env.HOME }}",
            "{% for m in _conversation %}",
            "{{ a | nope }}",
            "{{ a ~ a }}",
            "{{ 'a' * 1000000000 }}",
            &"{{ a + a }}".repeat(25),
        ] {
            assert!(translate(refused).is_err(), "{refused}");
        }
    }
}
