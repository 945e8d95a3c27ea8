//! JavaScript of eval files: an engine with nothing but the language, for a short while and in little memory.
//!
//! There is no `require`, no `import`, no `process`, no timer and no console: whoever asks for them gets an error.

use std::time::{Duration, Instant};

use rquickjs::promise::MaybePromise;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Function, Module, Runtime, Value as JsValue};
use serde_json::Value;

/// The longest that one script may take.
const TIME: Duration = Duration::from_secs(2);
/// The most that one script may hold.
const MEMORY: usize = 64 << 20;
const STACK: usize = 256 << 10;

/// What a script gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// `true` or `false`.
    Bool(bool),
    /// A number, which may be none.
    Number(f64),
    /// Anything else that can be written as JSON.
    Json(Value),
    /// What cannot: `undefined`, a function, a symbol.
    Nothing(&'static str),
}

/// Why a script gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScriptError(String);

/// A file with a function in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    /// Its text.
    pub source: String,
    /// The exported function, where it is not the only one.
    pub function: Option<String>,
}

/// Calls the function with this body and these parameters. Arguments that are not given are `undefined`.
pub fn call_body(body: &str, parameters: &[&str], arguments: &[Value]) -> Result<Outcome, ScriptError> {
    within_limits(|ctx| {
        let make: Function<'_> = ctx.eval("(body, names) => new Function(...JSON.parse(names), body)")?;
        let function: Function<'_> = make.call((body, Value::from(parameters).to_string()))?;
        call(ctx, &function, arguments)
    })
}

/// Calls the function that a file exports, as CommonJS or as a module.
pub fn call_file(file: &ScriptFile, arguments: &[Value]) -> Result<Outcome, ScriptError> {
    within_limits(|ctx| {
        let exported: JsValue<'_> = if file.source.contains("module.exports") {
            let load: Function<'_> = ctx.eval(
                "(source) => { const module = { exports: {} }; new Function('module', 'exports', source)(module, module.exports); return module.exports; }",
            )?;
            load.call((file.source.as_str(),))?
        } else {
            let (module, done) = Module::declare(ctx.clone(), "assertion", file.source.as_str())?.eval()?;
            done.finish::<()>()?;
            module.namespace()?.into_value()
        };
        let pick: Function<'_> = ctx.eval(
            "(exported, name) => { const f = name ? (exported[name] ?? exported.default?.[name]) : (typeof exported === 'function' ? exported : exported.default); if (typeof f !== 'function') throw new Error('the file exports no function' + (name ? ' ' + name : '')); return f; }",
        )?;
        let function: Function<'_> = pick.call((exported, file.function.as_deref().unwrap_or_default()))?;
        call(ctx, &function, arguments)
    })
}

/// Whether `pattern` matches somewhere in `text`, by JavaScript's rules.
pub fn matches(pattern: &str, text: &str) -> Result<bool, ScriptError> {
    let arguments = [Value::from(pattern), Value::from(text)];
    match call_body("return new RegExp(pattern).test(text)", &["pattern", "text"], &arguments)? {
        Outcome::Bool(matched) => Ok(matched),
        other => Err(ScriptError(format!("the pattern gave {other:?}"))),
    }
}

fn call<'js>(ctx: &Ctx<'js>, function: &Function<'js>, arguments: &[Value]) -> rquickjs::Result<Outcome> {
    let apply: Function<'_> = ctx.eval("(f, json) => f(...JSON.parse(json))")?;
    let arguments = Value::from(arguments).to_string();
    let given: MaybePromise<'_> = apply.call((function.clone(), arguments))?;
    let given: JsValue<'_> = given.finish()?;
    if let Some(flag) = given.as_bool() {
        return Ok(Outcome::Bool(flag));
    }
    if let Some(number) = given.as_number() {
        return Ok(Outcome::Number(number));
    }
    let kind = given.type_name();
    match ctx.json_stringify(given)? {
        Some(json) => {
            Ok(serde_json::from_str(&json.to_string()?).map_or(Outcome::Nothing(kind), Outcome::Json))
        }
        None => Ok(Outcome::Nothing(kind)),
    }
}

fn within_limits<T>(work: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<T>) -> Result<T, ScriptError> {
    let unusable = |error: rquickjs::Error| ScriptError(format!("the script engine does not start: {error}"));
    let runtime = Runtime::new().map_err(unusable)?;
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    let deadline = Instant::now() + TIME;
    runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() > deadline)));
    let context = Context::full(&runtime).map_err(unusable)?;
    context.with(|ctx| {
        let result = work(&ctx).catch(&ctx);
        result.map_err(|error| {
            if Instant::now() > deadline {
                return ScriptError(format!("the script did not finish within {} s", TIME.as_secs()));
            }
            ScriptError(words(&error))
        })
    })
}

fn words(error: &CaughtError<'_>) -> String {
    match error {
        CaughtError::Exception(exception) => {
            let message = exception.message().unwrap_or_default();
            let name = exception.get::<_, String>("name").unwrap_or_default();
            if name.is_empty() || name == "Error" { message } else { format!("{name}: {message}") }
        }
        CaughtError::Value(value) => match value.as_string().and_then(|text| text.to_string().ok()) {
            Some(text) => text,
            None => format!("it threw a {}", value.type_name()),
        },
        CaughtError::Error(rquickjs::Error::WouldBlock) => {
            "it waits for something that never comes".to_owned()
        }
        CaughtError::Error(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn body(code: &str) -> Result<Outcome, ScriptError> {
        call_body(code, &["output", "context"], &[json!("out"), json!({ "vars": { "n": 2 } })])
    }

    #[test]
    fn scripts_give_what_they_return() {
        for (code, outcome) in [
            ("return output === 'out'", Outcome::Bool(true)),
            ("return context.vars.n / 4", Outcome::Number(0.5)),
            (
                "return { pass: true, score: 1, reason: 'r' }",
                Outcome::Json(json!({ "pass": true, "score": 1, "reason": "r" })),
            ),
            ("const x = 1;", Outcome::Nothing("undefined")),
            ("return Promise.resolve(false)", Outcome::Bool(false)),
            ("return (async () => { await null; return 3 })()", Outcome::Number(3.0)),
            ("return [1, 'a']", Outcome::Json(json!([1, "a"]))),
        ] {
            assert_eq!(body(code), Ok(outcome), "{code}");
        }
    }

    #[test]
    fn a_script_reaches_nothing_outside() {
        for (code, part) in [
            ("return require('fs')", "require is not defined"),
            ("return process.env", "process is not defined"),
            ("return fetch('http://127.0.0.1')", "fetch is not defined"),
            ("return import('fs')", ""),
            ("return std.open('/etc/passwd')", "std is not defined"),
            ("return Deno", "Deno is not defined"),
            ("throw new Error('no')", "no"),
            ("throw 'text'", "text"),
            ("return new Promise(() => {})", "never comes"),
            ("return (", "SyntaxError"),
        ] {
            let error = body(code).unwrap_err().to_string();
            assert!(error.contains(part), "{code}: {error}");
        }
    }

    #[test]
    fn a_script_ends_in_time_and_in_memory() {
        assert!(body("while (true) {}").unwrap_err().to_string().contains("did not finish"));
        assert!(body("try { while (true) {} } catch { return true }").is_err(), "it cannot be caught");
        assert!(body("const a = []; while (true) a.push('x'.repeat(100000) + a.length)").is_err());
        assert!(body("const f = () => f() + 1; return f()").is_err());
        assert!(matches("(a+)+$", &("a".repeat(40) + "b")).is_err(), "a pattern that never ends");
    }

    #[test]
    fn files_export_a_function_either_way() {
        let file = |source: &str, function: Option<&str>| ScriptFile {
            source: source.to_owned(),
            function: function.map(ToOwned::to_owned),
        };
        for (file, outcome) in [
            (file("module.exports = (output) => output.length", None), Ok(Outcome::Number(3.0))),
            (file("module.exports = { a: () => 1, b: () => true }", Some("b")), Ok(Outcome::Bool(true))),
            (file("export default (output, context) => context.n > 0", None), Ok(Outcome::Bool(true))),
            (file("export function check() { return 0.25 }", Some("check")), Ok(Outcome::Number(0.25))),
            (file("module.exports = 3", None), Err("exports no function")),
            (file("import fs from 'fs'; export default () => true", None), Err("")),
        ] {
            let called = call_file(&file, &[json!("abc"), json!({ "n": 1 })]);
            match outcome {
                Ok(outcome) => assert_eq!(called, Ok(outcome), "{file:?}"),
                Err(part) => assert!(called.unwrap_err().to_string().contains(part), "{file:?}"),
            }
        }
    }

    #[test]
    fn patterns_are_javascripts() {
        for (pattern, text, matched) in [
            ("^a.c$", "abc", true),
            (r"(?<=x)\d+", "x12", true),
            (r"\bfoo\b", "food", false),
            ("(?=b)c", "bc", false),
        ] {
            assert_eq!(matches(pattern, text), Ok(matched), "{pattern}");
        }
        assert!(matches("(", "x").is_err());
    }
}
