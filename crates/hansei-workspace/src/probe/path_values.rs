//! What an expression is as a path: names, joins, and calls are followed through the whole project.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::definitions::Source;
use super::expressions::{Argument, Expr, expression};
use super::ground::Ground;
use super::path_text::{Base, Piece, Value};
use super::tokens::Dialect;
use super::tree::{base, parent, under, upwards};

/// The most values that one expression may have, and how far names are followed.
const MOST: usize = 40;
const DEEPEST: usize = 14;

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) at: usize,
}

/// A function: its file, and which of it.
pub(super) type FunctionId = (usize, usize);

/// The sources of a project, and what their expressions are.
#[derive(Debug)]
pub(super) struct Paths<'g> {
    pub(super) ground: &'g Ground<'g>,
    pub(super) sources: Vec<Source>,
    pub(super) functions: BTreeMap<String, Vec<FunctionId>>,
    pub(super) constants: BTreeMap<String, Vec<(usize, usize)>>,
    given: RefCell<BTreeMap<FunctionId, Vec<Value>>>,
}

impl<'g> Paths<'g> {
    pub(super) fn new(ground: &'g Ground<'g>, sources: Vec<Source>) -> Self {
        let mut functions: BTreeMap<String, Vec<FunctionId>> = BTreeMap::new();
        let mut constants: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for (file, source) in sources.iter().enumerate() {
            for (which, function) in source.functions.iter().enumerate() {
                functions.entry(function.name.clone()).or_default().push((file, which));
            }
            for (which, assignment) in source.assignments.iter().enumerate() {
                if source.function_at(assignment.at).is_none() {
                    constants.entry(assignment.name.clone()).or_default().push((file, which));
                }
            }
        }
        Self { ground, sources, functions, constants, given: RefCell::default() }
    }

    /// Everything that the expression may be.
    pub(super) fn values(&self, expr: &Expr, place: Place) -> Vec<Value> {
        self.evaluate(expr, place, 0)
    }

    fn evaluate(&self, expr: &Expr, place: Place, depth: usize) -> Vec<Value> {
        if depth > DEEPEST {
            return vec![Value::unknown()];
        }
        let deeper = |expr: &Expr| self.evaluate(expr, place, depth + 1);
        let mut values = match expr {
            Expr::Literal(text) => vec![Value::text(text)],
            Expr::Text(pieces) => {
                let start = vec![Value { base: Base::Free, pieces: Vec::new() }];
                pieces.iter().fold(start, |left, piece| crossed(&left, &deeper(piece), Value::plus))
            }
            Expr::Name(name) => self.name(name, place, depth),
            Expr::Binary('+', left, right) => crossed(&deeper(left), &deeper(right), Value::plus),
            Expr::Binary('/', left, right) => crossed(&deeper(left), &deeper(right), Value::joined),
            Expr::Binary('%', left, right) => {
                let given: Vec<Expr> = match right.as_ref() {
                    Expr::List(list) => list.clone(),
                    one => vec![one.clone()],
                };
                self.formatted(left, &given, place, depth)
            }
            Expr::Binary('|', left, right) => self.or_else(left, right, place, depth),
            Expr::Index(of, index) => match (of.as_ref(), index.as_ref()) {
                (_, Expr::Literal(key)) => self.keyed(key, place),
                (Expr::Field(of, name), Expr::Number(up)) if name == "parents" => deeper(of)
                    .iter()
                    .map(|value| (0..=*up).fold(value.clone(), |it, _| it.parent()))
                    .collect(),
                _ => vec![Value::unknown()],
            },
            Expr::Field(of, name) => self.field(of, name, place, depth),
            Expr::Call(called, given) => self.call(called, given, place, depth),
            _ => vec![Value::unknown()],
        };
        values.truncate(MOST);
        values
    }

    /// The elements of a list.
    fn elements(&self, expr: &Expr, place: Place, depth: usize) -> Vec<Value> {
        if depth > DEEPEST {
            return vec![Value::unknown()];
        }
        match expr {
            Expr::List(list) => list.iter().flat_map(|one| self.evaluate(one, place, depth + 1)).collect(),
            Expr::Name(name) => match self.assigned(name, place) {
                Some((assignment, place)) if !assignment.is_each => {
                    self.elements(&assignment.value, place, depth + 1)
                }
                _ => vec![Value::unknown()],
            },
            Expr::Field(..) => match self.constant_of(expr, place.file) {
                Some((file, which)) => {
                    let assignment = &self.sources[file].assignments[which];
                    self.elements(&assignment.value, Place { file, at: assignment.at }, depth + 1)
                }
                None => vec![Value::unknown()],
            },
            Expr::Call(called, given) => match called.as_ref() {
                Expr::Name(name)
                    if matches!(name.as_str(), "sorted" | "list" | "tuple" | "set" | "reversed") =>
                {
                    given.first().map_or_else(Vec::new, |one| self.elements(&one.value, place, depth + 1))
                }
                Expr::Name(name) if name == "vec!" => {
                    given.iter().flat_map(|one| self.evaluate(&one.value, place, depth + 1)).collect()
                }
                Expr::Field(of, name)
                    if matches!(
                        name.as_str(),
                        "iter" | "into_iter" | "stream" | "copied" | "values" | "slice"
                    ) =>
                {
                    self.elements(of, place, depth + 1)
                }
                Expr::Field(_, name) if matches!(name.as_str(), "of" | "asList" | "freeze") => {
                    let all = given.iter().flat_map(|one| match &one.value {
                        list @ Expr::List(_) => self.elements(list, place, depth + 1),
                        other => self.evaluate(other, place, depth + 1),
                    });
                    all.collect()
                }
                _ => vec![Value::unknown()],
            },
            _ => vec![Value::unknown()],
        }
    }

    fn name(&self, name: &str, place: Place, depth: usize) -> Vec<Value> {
        let source = &self.sources[place.file];
        match name {
            "__file__" | "__filename" => {
                return vec![Value::folder(parent(&source.path)).joined(&Value::text(base(&source.path)))];
            }
            "__dirname" | "__DIR__" => return vec![Value::folder(parent(&source.path))],
            _ => {}
        }
        if let Some((assignment, found)) = self.assigned(name, place) {
            // A name that takes what it already is would be followed for ever.
            let values = if assignment.is_each {
                self.elements(&assignment.value, found, depth + 1)
            } else {
                self.evaluate(&assignment.value, found, depth + 1)
            };
            return self.pushed(name, values, found, place, depth);
        }
        vec![self.parameter(name, place).unwrap_or_else(Value::unknown)]
    }

    fn field(&self, of: &Expr, name: &str, place: Place, depth: usize) -> Vec<Value> {
        if matches!(of, Expr::Name(own) if matches!(own.as_str(), "self" | "this" | "cls")) {
            let source = &self.sources[place.file];
            let own = format!(".{name}");
            let owned = source.assigned_to(&own);
            let shared = source.assigned_to(name).filter(|one| source.function_at(one.at).is_none());
            let mut given = owned.chain(shared);
            return match (given.next(), given.next()) {
                (Some(only), None) => {
                    let found = Place { file: place.file, at: only.at };
                    // What a constructor is given is not known where it is used.
                    let values = self.evaluate(&only.value, found, depth + 1);
                    let open = values.iter().any(Value::is_open);
                    if open { vec![Value::unknown()] } else { values }
                }
                _ => vec![Value::unknown()],
            };
        }
        match name {
            "parent" => return self.evaluate(of, place, depth + 1).iter().map(Value::parent).collect(),
            "dirname" if matches!(of, Expr::Field(_, meta) if meta == "meta") => {
                return vec![Value::folder(parent(&self.sources[place.file].path))];
            }
            "url" | "filename" if matches!(of, Expr::Field(_, meta) if meta == "meta") => {
                return self.name("__file__", place, depth + 1);
            }
            _ => {}
        }
        let field = Expr::Field(Box::new(of.clone()), name.to_owned());
        match self.constant_of(&field, place.file) {
            Some((file, which)) => {
                let assignment = &self.sources[file].assignments[which];
                self.evaluate(&assignment.value, Place { file, at: assignment.at }, depth + 1)
            }
            None if matches!(of, Expr::Name(row) if self.assigned(row, place).is_some_and(|found| found.0.is_each)) => {
                self.keyed(name, place)
            }
            None => vec![Value::unknown()],
        }
    }

    /// What is taken when the first is absent: a variable that is not set gives its default.
    fn or_else(&self, left: &Expr, right: &Expr, place: Place, depth: usize) -> Vec<Value> {
        match asked_variable(left) {
            Some(name) if !self.ground.environment.contains_key(name) => {
                self.evaluate(right, place, depth + 1)
            }
            _ => vec![Value::unknown()],
        }
    }

    fn call(&self, called: &Expr, given: &[Argument], place: Place, depth: usize) -> Vec<Value> {
        let value = |at: usize| {
            given
                .get(at)
                .map_or_else(|| vec![Value::unknown()], |one| self.evaluate(&one.value, place, depth + 1))
        };
        let of = || match called {
            Expr::Field(of, _) => self.evaluate(of, place, depth + 1),
            _ => vec![Value::unknown()],
        };
        let source = &self.sources[place.file];
        let dialect = source.dialect;
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
        let last = called.last_name();
        let owner = owner_of(called);
        match (owner, last) {
            ("path" | "filepath" | "posixpath", "join" | "Join")
            | ("path", "resolve")
            | ("" | "pathlib", "Path" | "PurePath" | "PosixPath")
            | ("Path" | "Paths", "of" | "get")
            | ("", "File" | "FileInputStream" | "FileReader" | "join" | "resolve") => {
                self.all_joined(given, place, depth)
            }
            ("" | "resources", "files") if dialect == Dialect::Python => {
                let package = match given.first().map(|one| &one.value) {
                    Some(Expr::Name(name)) if name.starts_with("__") => Some(parent(&source.path).to_owned()),
                    Some(Expr::Literal(name)) => self.package_folder(name, &source.path),
                    _ => None,
                };
                package.map_or_else(|| vec![Value::unknown()], |folder| vec![Value::folder(&folder)])
            }
            (_, "concat!") => {
                given.iter().fold(vec![Value { base: Base::Free, pieces: Vec::new() }], |left, one| {
                    crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::plus)
                })
            }
            (_, "env!") => match given.first().map(|one| &one.value) {
                Some(Expr::Literal(name)) if name == "CARGO_MANIFEST_DIR" => {
                    let folder = upwards(parent(&source.path))
                        .find(|folder| self.ground.tree.has(&under(folder, "Cargo.toml")));
                    folder.map_or_else(|| vec![Value::unknown()], |folder| vec![Value::folder(folder)])
                }
                _ => vec![Value::unknown()],
            },
            (_, "format!" | "Sprintf" | "Sprint") | ("String", "format") => match given.split_first() {
                Some((first, rest)) => {
                    let rest: Vec<Expr> = rest.iter().map(|one| one.value.clone()).collect();
                    self.formatted(&first.value, &rest, place, depth)
                }
                None => vec![Value::unknown()],
            },
            (_, "format" | "formatted") if matches!(dialect, Dialect::Python | Dialect::Java) => {
                let Expr::Field(text, _) = called else { return vec![Value::unknown()] };
                let rest: Vec<Expr> = given.iter().map(|one| one.value.clone()).collect();
                self.formatted(text, &rest, place, depth)
            }
            ("process", "cwd") | ("os", "getcwd" | "Getwd") | ("Path", "cwd") | ("env", "current_dir") => {
                vec![Value { base: Base::Working, pieces: Vec::new() }]
            }
            (
                "os" | "env" | "process" | "environ" | "System",
                "getenv" | "get" | "var" | "getOrDefault" | "getProperty",
            ) => {
                let asking = Expr::Call(Box::new(called.clone()), given.to_vec());
                let asked = asked_variable(&asking);
                match (asked, given.get(1)) {
                    (Some(name), Some(default)) if !self.ground.environment.contains_key(name) => {
                        self.evaluate(&default.value, place, depth + 1)
                    }
                    _ => vec![Value::unknown()],
                }
            }
            ("path" | "filepath", "dirname" | "Dir") | ("", "dirname") => {
                value(0).iter().map(Value::parent).collect()
            }
            (_, "URL") if given.len() == 2 => {
                let from: Vec<Value> = value(1).iter().map(Value::seen_from).collect();
                crossed(&from, &value(0), Value::joined)
            }
            (_, "joinpath" | "with_name" | "join" | "resolve" | "child")
                if !given.is_empty() && (dialect != Dialect::JavaScript) =>
            {
                let start = if last == "with_name" { of().iter().map(Value::parent).collect() } else { of() };
                given.iter().fold(start, |left, one| {
                    crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::joined)
                })
            }
            (_, "parent" | "getParent" | "getParentFile") if given.is_empty() => {
                of().iter().map(Value::parent).collect()
            }
            (_, "collect") => match called {
                // A path out of its parts, as Rust collects it.
                Expr::Field(list, _) => {
                    let Expr::Call(inner, _) = list.as_ref() else { return vec![Value::unknown()] };
                    let Expr::Field(list, _) = inner.as_ref() else { return vec![Value::unknown()] };
                    let Expr::List(parts) = list.as_ref() else { return vec![Value::unknown()] };
                    let given: Vec<Argument> = parts
                        .iter()
                        .map(|part| Argument { name: None, value: part.clone(), is_spread: false })
                        .collect();
                    self.all_joined(&given, place, depth)
                }
                _ => vec![Value::unknown()],
            },
            // What hands on the path that it is given.
            (
                _,
                "str" | "String" | "abspath" | "realpath" | "normpath" | "fspath" | "fileURLToPath"
                | "pathToFileURL" | "Clean" | "Abs" | "FromSlash" | "ToSlash" | "new" | "from" | "toString"
                | "valueOf" | "normalize",
            ) if !given.is_empty() => value(0),
            (
                _,
                "resolve" | "absolute" | "as_posix" | "to_path_buf" | "clone" | "to_owned" | "to_string"
                | "unwrap" | "expect" | "as_path" | "to_str" | "as_str" | "into" | "toAbsolutePath"
                | "normalize" | "toFile" | "toPath" | "toString" | "expanduser" | "as_ref" | "display"
                | "canonicalize" | "to_string_lossy" | "into_owned" | "strip" | "trim",
            ) => of(),
            _ => vec![Value::unknown()],
        }
    }

    fn all_joined(&self, given: &[Argument], place: Place, depth: usize) -> Vec<Value> {
        let start = vec![Value { base: Base::Free, pieces: Vec::new() }];
        given.iter().filter(|one| one.name.is_none()).fold(start, |left, one| {
            crossed(&left, &self.evaluate(&one.value, place, depth + 1), Value::joined)
        })
    }

    /// What a function gives back, with its parameters open.
    fn returned(&self, id: FunctionId, depth: usize) -> Vec<Value> {
        if let Some(known) = self.given.borrow().get(&id) {
            return known.clone();
        }
        // Who calls itself gives nothing that is known.
        self.given.borrow_mut().insert(id, vec![Value::unknown()]);
        let source = &self.sources[id.0];
        let function = &source.functions[id.1];
        let mut results: Vec<Value> = Vec::new();
        if let Some(value) = &function.value {
            results.extend(self.evaluate(
                value,
                Place { file: id.0, at: function.body.end.saturating_sub(1) },
                depth + 1,
            ));
        }
        for at in function.body.clone() {
            if source.tokens.get(at).is_some_and(|token| token.name() == "return")
                && source.function_at(at) == Some(id.1)
            {
                let (value, _) = expression(&source.tokens[..function.body.end], at + 1, source.dialect);
                results.extend(self.evaluate(&value, Place { file: id.0, at }, depth + 1));
            }
        }
        results.retain(|value| {
            !value.pieces.contains(&Piece::Unknown) && !(value.pieces.is_empty() && value.base == Base::Free)
        });
        results.dedup();
        let results = if results.len() == 1 { results } else { vec![Value::unknown()] };
        self.given.borrow_mut().insert(id, results.clone());
        results
    }

    /// A value of a function with what a call gives it.
    pub(super) fn filled(
        &self,
        value: &Value,
        id: FunctionId,
        given: &[Argument],
        place: Place,
        depth: usize,
    ) -> Vec<Value> {
        let function = &self.sources[id.0].functions[id.1];
        let argument = |at: usize| -> Vec<Value> {
            let parameter = function.parameters.get(at);
            let named = given.iter().find(|one| {
                one.name.is_some() && one.name.as_deref() == parameter.map(|it| it.name.as_str())
            });
            let found = named.or_else(|| given.get(at).filter(|one| one.name.is_none()));
            match (found, parameter.and_then(|it| it.default.as_ref())) {
                (Some(one), _) if one.is_spread => vec![Value::unknown()],
                (Some(one), _) => self.evaluate(&one.value, place, depth + 1),
                (None, Some(default)) => {
                    self.evaluate(default, Place { file: id.0, at: function.body.start }, depth + 1)
                }
                (None, None) => vec![Value::unknown()],
            }
        };
        let mut all = vec![Value { base: value.base.clone(), pieces: Vec::new() }];
        for piece in &value.pieces {
            let next = match piece {
                Piece::Parameter(at) => argument(*at),
                Piece::Rest(at) => self.all_joined(given.get(*at..).unwrap_or_default(), place, depth),
                other => vec![Value { base: Base::Free, pieces: vec![other.clone()] }],
            };
            all = crossed(&all, &next, Value::plus);
        }
        all
    }

    /// A text with places to fill in: `%s`, `{}`, `{name}`, `{0}`.
    fn formatted(&self, text: &Expr, given: &[Expr], place: Place, depth: usize) -> Vec<Value> {
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
            let (length, inner) = if rest.starts_with('%') {
                (2, "")
            } else {
                let end = rest.find('}').unwrap_or(rest.len() - 1);
                (end + 1, rest.get(1..end).unwrap_or_default())
            };
            let name = inner.split([':', '!']).next().unwrap_or_default();
            let filled = if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
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

    /// A path that grows: `path.push("x")` between its name and its use.
    fn pushed(&self, name: &str, values: Vec<Value>, from: Place, to: Place, depth: usize) -> Vec<Value> {
        let source = &self.sources[to.file];
        if source.dialect != Dialect::Rust || from.file != to.file || from.at >= to.at {
            return values;
        }
        let mut values = values;
        for at in from.at..to.at.saturating_sub(3) {
            let called = |word: &str| {
                source.tokens[at].name() == name
                    && source.tokens[at + 1].is(".")
                    && source.tokens[at + 2].name() == word
                    && source.tokens[at + 3].is("(")
            };
            if called("push") {
                let (part, _) = expression(&source.tokens, at + 4, source.dialect);
                values = crossed(
                    &values,
                    &self.evaluate(&part, Place { file: to.file, at }, depth + 1),
                    Value::joined,
                );
            } else if called("pop") {
                values = values.iter().map(Value::parent).collect();
            }
        }
        values
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

fn crossed(left: &[Value], right: &[Value], with: fn(Value, &Value) -> Value) -> Vec<Value> {
    left.iter().flat_map(|one| right.iter().map(move |other| with(one.clone(), other))).take(MOST).collect()
}
