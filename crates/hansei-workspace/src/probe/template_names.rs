//! Templates that code or other templates name, and that no folder of templates holds.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, is_test, parent, stem, under};

static IN_PYTHON: Pattern = Pattern::new(
    r#"\b(?:render_template|get_template|render_to_string|TemplateResponse|render)\s*\(\s*(?:self\.)?(?:[a-z_]+\s*,\s*)?(?:name\s*=\s*)?['"]([\w./-]+\.(?:html|htm|txt|xml|j2|jinja|jinja2|md))['"]"#,
);
static IN_JAVASCRIPT: Pattern =
    Pattern::new(r#"\b(?:res|reply|ctx|response)\.(?:render|view)\s*\(\s*['"]([\w./-]+)['"]"#);
static IN_TEMPLATE: Pattern =
    Pattern::new(r#"\{%-?\s*(?:extends|include|import|from)\s+['"]([\w./-]+)['"]\s*(ignore\s+missing)?"#);
/// Endings of what JavaScript renders.
const VIEWS: &[&str] = &["ejs", "pug", "hbs", "handlebars", "njk", "mustache", "liquid", "html", "eta"];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let in_templates = |path: &str| {
        parent(path)
            .split('/')
            .any(|part| matches!(part, "templates" | "template" | "views" | "layouts" | "partials"))
    };
    let templates: Vec<&str> =
        tree.files().iter().map(|file| file.path.as_str()).filter(|path| in_templates(path)).collect();
    if templates.is_empty() {
        return;
    }
    for file in tree.files().iter().filter(|file| {
        tree.is_examined(&file.path) || (in_templates(&file.path) && file.path.starts_with(tree.scope()))
    }) {
        // Tests choose their templates themselves, documentation those of its tools.
        if is_test(&file.path) || file.path.split('/').any(|part| part == "docs") {
            continue;
        }
        let ending = file.path.rsplit('.').next().unwrap_or_default();
        let (pattern, language) = match ending {
            "py" => (&IN_PYTHON, Some(Language::Python)),
            "js" | "ts" | "mjs" | "cjs" => (&IN_JAVASCRIPT, Some(Language::JavaScript)),
            "html" | "j2" | "jinja" | "jinja2" | "njk" if in_templates(&file.path) => (&IN_TEMPLATE, None),
            _ => continue,
        };
        let Some(text) = tree.text(&file.path) else { continue };
        let text = language.map_or_else(|| text.to_string(), |language| code(&text, language));
        for hit in pattern.all(&text) {
            let named = hit.group(1);
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
            let forgiven = !hit.group(2).is_empty()
                || text.contains("TemplateNotFound")
                || text.contains("TemplateDoesNotExist");
            // What others bring along has their name before it.
            let foreign = ["admin/", "registration/", "django/", "rest_framework/", "bootstrap"]
                .iter()
                .any(|one| named.starts_with(one));
            let folder = parent(named);
            let of_others =
                !folder.is_empty() && !templates.iter().any(|path| parent(path).ends_with(folder));
            if forgiven || foreign || of_others || line.contains("aises") {
                continue;
            }
            judge(ground, &templates, &file.path, hit.line(), named);
        }
    }
}

fn judge(ground: &Ground<'_>, templates: &[&str], file: &str, line: usize, named: &str) {
    let by_view = !base(named).contains('.');
    let fits = |path: &&&str| {
        if by_view {
            let bare = path
                .rsplit_once('.')
                .filter(|(_, ending)| VIEWS.contains(ending))
                .map_or("", |(bare, _)| bare);
            bare.ends_with(&format!("/{named}"))
        } else {
            path.ends_with(&format!("/{named}"))
        }
    };
    let same_kind = templates.iter().find(|path| {
        if by_view {
            VIEWS.contains(&path.rsplit('.').next().unwrap_or_default())
        } else {
            path.rsplit('.').next() == named.rsplit('.').next()
        }
    });
    let Some(example) = same_kind.filter(|_| templates.iter().find(fits).is_none()) else { return };
    let ending = if by_view { example.rsplit_once('.').map_or("", |(_, ending)| ending) } else { "" };
    let shown = if by_view { format!("{named}.{ending}") } else { named.to_owned() };
    let root = parent(example)
        .split('/')
        .scan(String::new(), |path, part| {
            *path = under(path, part);
            Some((path.clone(), part))
        })
        .find(|(_, part)| matches!(*part, "templates" | "template" | "views" | "layouts" | "partials"))
        .map_or_else(|| parent(example).to_owned(), |(path, _)| path);
    let target = under(&root, &shown);
    let other =
        templates.iter().find(|path| path.to_lowercase().ends_with(&format!("/{}", shown.to_lowercase())));
    let (probe, cause) = match (ground.tree.presence(&target), other) {
        (Presence::OtherCase(real), _) => (
            Probe::FileCase,
            format!("{file} names the template {shown:?}, which differs from {real} only in case"),
        ),
        (_, Some(real)) => (
            Probe::FileCase,
            format!("{file} names the template {shown:?}, which differs from {real} only in case"),
        ),
        _ => (Probe::Config, format!("the template {shown} does not exist, and {file} names it")),
    };
    let mut alike = templates.iter().filter(|path| stem(path).len().abs_diff(stem(&shown).len()) <= 1);
    let alike = alike.find(|path| stem(path).chars().next() == stem(&shown).chars().next());
    let fix = match alike {
        Some(real) => format!("create {target}, or name {real}"),
        None => format!("create {target}, or correct {file}:{line}"),
    };
    ground.suspect(
        Suspicion::new(probe, cause, format!("{file}:{line}"), fix).naming([named.to_owned(), shown]),
    );
}
