//! Nunjucks-style templates, rendered with minijinja so that they say what promptfoo makes of them.
//!
//! Filters, tests and methods are a list of our own: one that is not on it is an error that names it. Lengths, loops and
//! sizes are bounded, because a template is somebody else's text.

mod dialect;
mod filters;
mod methods;
mod prompt;
mod values;

pub use prompt::{check_prompt, render_prompt, resolve};

use std::io::Write;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

/// The longest text that a template, a filter or a method makes.
const LONGEST: usize = 8 << 20;
/// The most steps that one template takes.
const FUEL: u64 = 2_000_000;

/// Why a template cannot be rendered: what it uses, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(pub(crate) String);

/// Renders `template` with `vars`. What is not defined is empty, as in promptfoo.
pub fn render(template: &str, vars: &Map<String, Value>) -> Result<String, TemplateError> {
    if !has_tags(template) {
        return Ok(template.to_owned());
    }
    let source = dialect::translate(template)?;
    let environment = environment();
    let compiled = environment.template_from_str(&source).map_err(|error| words(&error))?;
    let mut out = Bounded(Vec::new());
    compiled.render_captured_to(values::context(vars), &mut out).map_err(|error| words(&error))?;
    String::from_utf8(out.0).map_err(|error| TemplateError(error.to_string()))
}

/// Checks that `template` can be read, and uses no filter, test or tag that is not known. Nothing is rendered.
pub fn check(template: &str) -> Result<(), TemplateError> {
    if !has_tags(template) {
        return Ok(());
    }
    let source = dialect::translate(template)?;
    environment().template_from_str(&source).map(drop).map_err(|error| words(&error))
}

fn has_tags(template: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|tag| template.contains(tag))
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
        environment.set_syntax(syntax);
    }
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(50);
    environment.set_formatter(values::format);
    environment.set_unknown_method_callback(methods::call);
    filters::register(&mut environment);
    environment
}

fn words(error: &minijinja::Error) -> TemplateError {
    let what = match error.kind() {
        ErrorKind::OutOfFuel => "it takes too many steps".to_owned(),
        ErrorKind::WriteFailure => format!("it makes more than {} MiB", LONGEST >> 20),
        _ => error.detail().map_or_else(|| error.to_string(), |detail| format!("{}: {detail}", error.kind())),
    };
    TemplateError(match error.line() {
        Some(line) => format!("template line {line}: {what}"),
        None => format!("template: {what}"),
    })
}

/// A text that does not grow without end.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
