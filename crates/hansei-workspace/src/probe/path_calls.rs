//! What calls make of paths: joins, folders of paths, formatted texts, defaults of variables; and what hands a path on.

use super::expressions::{Argument, Expr};
use super::path_text::{Base, Value};
use super::path_values::{Paths, Place, crossed};
use super::tokens::Dialect;
use super::tree::{parent, under, upwards};

/// Calls that hand on the path that they are given.
const HAND_ON: &[&str] = &[
    "str", "String", "abspath", "realpath", "normpath", "fspath", "fileURLToPath", "pathToFileURL", "Clean",
    "Abs", "FromSlash", "ToSlash", "new", "from", "toString", "valueOf", "normalize",
];
/// Calls that hand on the path that they are made on.
const STAY: &[&str] = &[
    "resolve", "absolute", "as_posix", "to_path_buf", "clone", "to_owned", "to_string", "unwrap", "expect",
    "as_path", "to_str", "as_str", "into", "toAbsolutePath", "normalize", "toFile", "toPath", "toString",
    "expanduser", "as_ref", "display", "canonicalize", "to_string_lossy", "into_owned", "strip", "trim",
];

impl Paths<'_> {
    /// What a call gives.
    pub(super) fn call(&self, called: &Expr, given: &[Argument], place: Place, depth: usize) -> Vec<Value> {
        // A function of the project comes before those that are known.
        let function = self.function(called, place.file).filter(|(file, which)| {
            !self.sources[*file].functions[*which].body.contains(&place.at) || *file != place.file
        });
        if let Some(function) = function {
            let results = self.returned(function, depth);
            return results
                .iter()
                .flat_map(|result| self.filled(result, function, given, place, depth))
                .collect();
        }
        let found =
            self.begun(called, given, place, depth).or_else(|| self.changed(called, given, place, depth));
        found.unwrap_or_else(|| vec![Value::unknown()])
    }

    fn argument(&self, given: &[Argument], at: usize, place: Place, depth: usize) -> Vec<Value> {
        given
            .get(at)
            .map_or_else(|| vec![Value::unknown()], |one| self.evaluate(&one.value, place, depth + 1))
    }

    /// Calls that a path begins with.
    fn begun(&self, called: &Expr, given: &[Argument], place: Place, depth: usize) -> Option<Vec<Value>> {
        let source = &self.sources[place.file];
        let first = given.first().map(|one| &one.value);
        Some(match (owner_of(called), called.last_name()) {
            ("path" | "filepath" | "posixpath", "join" | "Join")
            | ("path", "resolve")
            | ("" | "pathlib", "Path" | "PurePath" | "PosixPath")
            | ("Path" | "Paths", "of" | "get")
            | ("", "File" | "FileInputStream" | "FileReader" | "join" | "resolve") => {
                self.all_joined(given, place, depth)
            }
            ("" | "resources", "files") if source.dialect == Dialect::Python => {
                let package = match first {
                    Some(Expr::Name(name)) if name.starts_with("__") => parent(&source.path).to_owned(),
                    Some(Expr::Literal(name)) => self.package_folder(name, &source.path)?,
                    _ => return None,
                };
                vec![Value::folder(&package)]
            }
            (_, "concat!") => {
                given.iter().fold(vec![Value { base: Base::Free, pieces: Vec::new() }], |left, one| {
                    crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::plus)
                })
            }
            (_, "env!") if matches!(first, Some(Expr::Literal(name)) if name == "CARGO_MANIFEST_DIR") => {
                let mut folders = upwards(parent(&source.path));
                vec![Value::folder(
                    folders.find(|folder| self.ground.tree.has(&under(folder, "Cargo.toml")))?,
                )]
            }
            (_, "format!" | "Sprintf" | "Sprint") | ("String", "format") => {
                let (first, rest) = given.split_first()?;
                let rest: Vec<Expr> = rest.iter().map(|one| one.value.clone()).collect();
                self.formatted(&first.value, &rest, place, depth)
            }
            ("process" | "Path", "cwd") | ("os", "getcwd" | "Getwd") | ("env", "current_dir") => {
                vec![Value { base: Base::Working, pieces: Vec::new() }]
            }
            ("System", "getProperty") if matches!(first, Some(Expr::Literal(name)) if name == "user.dir") => {
                vec![Value { base: Base::Working, pieces: Vec::new() }]
            }
            (
                "os" | "env" | "process" | "environ" | "System",
                "getenv" | "get" | "var" | "getOrDefault" | "getProperty",
            ) => {
                let asking = Expr::Call(Box::new(called.clone()), given.to_vec());
                let is_unset =
                    asked_variable(&asking).is_some_and(|name| !self.ground.environment.contains_key(name));
                self.evaluate(&given.get(1).filter(|_| is_unset)?.value, place, depth + 1)
            }
            _ => return None,
        })
    }

    /// Calls that make another path of one.
    fn changed(&self, called: &Expr, given: &[Argument], place: Place, depth: usize) -> Option<Vec<Value>> {
        let dialect = self.sources[place.file].dialect;
        let of = || match called {
            Expr::Field(of, _) => self.evaluate(of, place, depth + 1),
            _ => vec![Value::unknown()],
        };
        let name = called.last_name();
        Some(match (owner_of(called), name) {
            (_, "format" | "formatted") if matches!(dialect, Dialect::Python | Dialect::Java) => {
                let Expr::Field(text, _) = called else { return None };
                let rest: Vec<Expr> = given.iter().map(|one| one.value.clone()).collect();
                self.formatted(text, &rest, place, depth)
            }
            ("path" | "filepath", "dirname" | "Dir") | ("", "dirname") => {
                self.argument(given, 0, place, depth).iter().map(Value::parent).collect()
            }
            (_, "URL") if given.len() == 2 => {
                let from: Vec<Value> =
                    self.argument(given, 1, place, depth).iter().map(Value::seen_from).collect();
                crossed(&from, &self.argument(given, 0, place, depth), Value::joined)
            }
            (_, "joinpath" | "with_name" | "join" | "resolve" | "child")
                if !given.is_empty() && dialect != Dialect::JavaScript =>
            {
                let start = if name == "with_name" { of().iter().map(Value::parent).collect() } else { of() };
                given.iter().fold(start, |left, one| {
                    crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::joined)
                })
            }
            (_, "with_suffix") => crossed(&of(), &self.argument(given, 0, place, depth), Value::ending),
            (_, "with_extension") => {
                let bare = self.argument(given, 0, place, depth);
                crossed(&of(), &crossed(&[Value::text(".")], &bare, Value::plus), Value::ending)
            }
            (_, "parent" | "getParent" | "getParentFile") if given.is_empty() => {
                of().iter().map(Value::parent).collect()
            }
            (_, "collect") => self.collected(called, place, depth)?,
            _ if HAND_ON.contains(&name) && !given.is_empty() => self.argument(given, 0, place, depth),
            _ if STAY.contains(&name) => of(),
            _ => return None,
        })
    }

    /// A path out of its parts, as Rust collects it: `[a, b].iter().collect()`.
    fn collected(&self, called: &Expr, place: Place, depth: usize) -> Option<Vec<Value>> {
        let Expr::Field(iterated, _) = called else { return None };
        let Expr::Call(iter, _) = iterated.as_ref() else { return None };
        let Expr::Field(parts, _) = iter.as_ref() else { return None };
        let Expr::List(parts) = parts.as_ref() else { return None };
        let given: Vec<Argument> =
            parts.iter().map(|part| Argument { name: None, value: part.clone(), is_spread: false }).collect();
        Some(self.all_joined(&given, place, depth))
    }

    pub(super) fn all_joined(&self, given: &[Argument], place: Place, depth: usize) -> Vec<Value> {
        let start = vec![Value { base: Base::Free, pieces: Vec::new() }];
        given.iter().filter(|one| one.name.is_none()).fold(start, |left, one| {
            crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::joined)
        })
    }

    /// A text with places to fill in: `%s`, `{}`, `{name}`, `{0}`.
    pub(super) fn formatted(&self, text: &Expr, given: &[Expr], place: Place, depth: usize) -> Vec<Value> {
        let Expr::Literal(text) = text else { return vec![Value::unknown()] };
        let mut all = vec![Value { base: Base::Free, pieces: Vec::new() }];
        let (mut next, mut rest) = (0, text.as_str());
        while !rest.is_empty() {
            let mark = rest.find(['%', '{']).unwrap_or(rest.len());
            all = crossed(&all, &[Value::text(&rest[..mark])], Value::plus);
            rest = &rest[mark..];
            if rest.is_empty() {
                break;
            }
            // A number with zeros before it, or a text cut to a length, is another text.
            let is_plain = rest.starts_with("%s") || rest.starts_with("%d") || rest.starts_with("%v");
            let is_shaped = |inner: &str| {
                inner.split_once(':').is_some_and(|(_, shape)| !shape.is_empty() && shape != "?")
            };
            if rest.starts_with('%') && !is_plain {
                return vec![Value::unknown()];
            }
            let (length, inner) = if rest.starts_with('%') {
                (2, "")
            } else {
                let end = rest.find('}').unwrap_or(rest.len() - 1);
                (end + 1, rest.get(1..end).unwrap_or_default())
            };
            let name = inner.split([':', '!']).next().unwrap_or_default();
            let filled = if is_shaped(inner) {
                next += usize::from(name.is_empty());
                None
            } else if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
                let at = name.parse().unwrap_or(next);
                next += 1;
                given.get(at).map(|one| self.evaluate(one, place, depth + 1))
            } else {
                Some(self.name(name, place, depth + 1))
            };
            all = crossed(&all, &filled.unwrap_or_else(|| vec![Value::unknown()]), Value::plus);
            rest = rest.get(length..).unwrap_or_default();
        }
        all
    }

    /// What is taken when the first is absent: a variable that is not set gives its default.
    pub(super) fn or_else(&self, left: &Expr, right: &Expr, place: Place, depth: usize) -> Vec<Value> {
        match asked_variable(left) {
            Some(name) if !self.ground.environment.contains_key(name) => {
                self.evaluate(right, place, depth + 1)
            }
            _ => vec![Value::unknown()],
        }
    }
}

/// The last name before the one that is called: empty where there is nothing before it.
pub(super) fn owner_of(called: &Expr) -> &str {
    match called {
        Expr::Field(of, _) if of.last_name().is_empty() => "?",
        Expr::Field(of, _) => of.last_name(),
        _ => "",
    }
}

/// The variable that an expression asks for.
fn asked_variable(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Field(of, name) if of.last_name() == "env" => Some(name),
        Expr::Call(_, given) => match given.first().map(|one| &one.value) {
            Some(Expr::Literal(name))
                if name
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit()) =>
            {
                Some(name)
            }
            _ => None,
        },
        _ => None,
    }
}
