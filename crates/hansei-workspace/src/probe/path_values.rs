//! What an expression is as a path: names, joins, and calls are followed through the whole project.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::definitions::Source;
use super::expressions::{Argument, Expr, expression};
use super::ground::Ground;
use super::path_text::{Base, Piece, Value};
use super::tokens::{Dialect, Kind, Part, Token};
use super::tree::{base, parent};

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

    pub(super) fn evaluate(&self, expr: &Expr, place: Place, depth: usize) -> Vec<Value> {
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
            Expr::Number(number) => vec![Value::text(&number.to_string())],
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
                (Expr::Name(_), Expr::Number(which)) => {
                    let all = self.elements(of, place, depth + 1);
                    vec![all.get(*which).cloned().unwrap_or_else(Value::unknown)]
                }
                (Expr::Name(_), Expr::Name(_)) => self.elements(of, place, depth + 1),
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

    pub(super) fn name(&self, name: &str, place: Place, depth: usize) -> Vec<Value> {
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

    /// What a function gives back, with its parameters open.
    pub(super) fn returned(&self, id: FunctionId, depth: usize) -> Vec<Value> {
        if let Some(known) = self.given.borrow().get(&id) {
            return known.clone();
        }
        // Who calls itself gives nothing that is known.
        self.given.borrow_mut().insert(id, vec![Value::unknown()]);
        let source = &self.sources[id.0];
        let function = &source.functions[id.1];
        // A variable that is set takes the place of what the function would give otherwise.
        let is_set = |token: &Token| match &token.kind {
            Kind::String(parts) => {
                matches!(parts.as_slice(), [Part::Text(name)] if self.ground.variable(name).is_some())
            }
            _ => false,
        };
        if source.tokens[function.body.clone()].iter().any(is_set) {
            return vec![Value::unknown()];
        }
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
            !(value.pieces.contains(&Piece::Unknown) || value.pieces.is_empty() && value.base == Base::Free)
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

pub(super) fn crossed(left: &[Value], right: &[Value], with: fn(Value, &Value) -> Value) -> Vec<Value> {
    left.iter().flat_map(|one| right.iter().map(move |other| with(one.clone(), other))).take(MOST).collect()
}
