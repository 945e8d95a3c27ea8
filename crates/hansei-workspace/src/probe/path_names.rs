//! What a name in an expression means: a parameter, something that was assigned, or a definition of another file.

use super::definitions::{Assignment, Source};
use super::expressions::Expr;
use super::path_text::{Base, Piece, Value};
use super::path_values::{FunctionId, Paths, Place};
use super::tokens::{Dialect, Kind, Part};
use super::tree::{base, join, parent, stem, under, upwards};

impl Paths<'_> {
    /// The parameter of the innermost function that has this name.
    pub(super) fn parameter(&self, name: &str, place: Place) -> Option<Value> {
        let source = &self.sources[place.file];
        let function = &source.functions[source.function_at(place.at)?];
        let at = function.parameters.iter().position(|one| one.name == name)?;
        let piece = if function.parameters[at].is_rest { Piece::Rest(at) } else { Piece::Parameter(at) };
        Some(Value { base: Base::Free, pieces: vec![piece] })
    }

    /// What the name was last given: in the functions around, in the file, or in the file that it is taken from.
    pub(super) fn assigned(&self, name: &str, place: Place) -> Option<(&Assignment, Place)> {
        let source = &self.sources[place.file];
        for function in source.functions_at(place.at) {
            let body = &source.functions[function].body;
            let inside = |one: &&Assignment| {
                body.contains(&one.at)
                    && source.function_at(one.at) == Some(function)
                    && (one.at < place.at || one.is_each)
            };
            if let Some(found) = source.assigned_to(name).filter(inside).max_by_key(|one| one.at) {
                return Some((found, Place { file: place.file, at: found.at }));
            }
            if source.functions[function].parameters.iter().any(|one| one.name == name) {
                return None;
            }
        }
        let known = self.constants.get(name)?;
        let here: Vec<&(usize, usize)> = known.iter().filter(|(file, _)| *file == place.file).collect();
        let chosen = match here.as_slice() {
            [only] => Some(**only),
            [] => self.imported(name, place.file, known),
            // Given anew at the top: what stands last before.
            several => several
                .iter()
                .rev()
                .find(|(file, which)| {
                    let one = &self.sources[*file].assignments[*which];
                    one.at < place.at || one.is_each
                })
                .map(|one| **one),
        }?;
        let assignment = &self.sources[chosen.0].assignments[chosen.1];
        Some((assignment, Place { file: chosen.0, at: assignment.at }))
    }

    /// The definition that a bare name of another file means: in its package, or in a file that it imports.
    fn imported<T: Copy>(&self, name: &str, file: usize, known: &[(usize, T)]) -> Option<(usize, T)> {
        let own = &self.sources[file];
        let mut fitting = known.iter().filter(|(other, _)| {
            let other = &self.sources[*other];
            other.dialect == own.dialect
                && match own.dialect {
                    Dialect::Go | Dialect::Java if parent(&other.path) == parent(&own.path) => true,
                    Dialect::Go => false,
                    Dialect::C => true,
                    _ => imports(own, name),
                }
        });
        let first = fitting.next()?;
        if fitting.next().is_none() {
            return Some(*first);
        }
        // Several: the one in a file that the text names.
        let named = |path: &str| own.imported.contains(stem(path));
        let mut named = known.iter().filter(|(other, _)| named(&self.sources[*other].path) && *other != file);
        let first = named.next()?;
        named.next().is_none().then_some(*first)
    }

    /// What stands behind a key in the rows around: `file: "a.json"`, `"file": "a.json"`.
    pub(super) fn keyed(&self, key: &str, place: Place) -> Vec<Value> {
        let source = &self.sources[place.file];
        let whole = 0..source.tokens.len();
        let around = source.functions_at(place.at).last().map(|which| source.functions[*which].body.clone());
        let behind = |range: std::ops::Range<usize>| -> Vec<Value> {
            let tokens =
                &source.tokens[range.start.min(source.tokens.len())..range.end.min(source.tokens.len())];
            let rows = tokens.windows(3).filter_map(|three| {
                let is_key = match &three[0].kind {
                    Kind::Name(name) => name == key,
                    Kind::String(parts) => matches!(parts.as_slice(), [Part::Text(text)] if text == key),
                    _ => false,
                };
                match &three[2].kind {
                    Kind::String(parts) if is_key && three[1].is(":") => match parts.as_slice() {
                        [Part::Text(text)] => Some(Value::text(text)),
                        _ => None,
                    },
                    _ => None,
                }
            });
            rows.take(40).collect()
        };
        let mut found = around.map(behind).unwrap_or_default();
        if found.is_empty() {
            found = behind(whole);
        }
        if found.is_empty() { vec![Value::unknown()] } else { found }
    }

    /// The folder of a package of the project.
    pub(super) fn package_folder(&self, name: &str, file: &str) -> Option<String> {
        let path = name.replace('.', "/");
        let mut roots = upwards(parent(file)).flat_map(|root| [root.to_owned(), under(root, "src")]);
        roots.find_map(|root| join(&root, &path).filter(|folder| self.ground.tree.has_folder(folder)))
    }

    /// The constant that `module.NAME` means.
    pub(super) fn constant_of(&self, expr: &Expr, file: usize) -> Option<(usize, usize)> {
        let chain = expr.chain()?;
        let [.., of, name] = chain.as_slice() else { return None };
        self.owned(of, file, self.constants.get(*name)?)
    }

    /// The definition in the module, package or class that this word means in this file.
    fn owned<T: Copy>(&self, of: &str, file: usize, known: &[(usize, T)]) -> Option<(usize, T)> {
        let own = &self.sources[file];
        if matches!(of, "self" | "this" | "cls" | "Self" | "exports") || of == stem(&own.path) {
            return known.iter().find(|(other, _)| *other == file).copied();
        }
        let wanted = own.aliases.get(of).map_or(of, String::as_str);
        let mut fitting = known.iter().filter(|(other, _)| {
            let other = &self.sources[*other];
            let folder = base(parent(&other.path));
            other.dialect == own.dialect
                && (stem(&other.path) == wanted && own.dialect != Dialect::Go
                    || folder == wanted
                        && (own.dialect == Dialect::Go
                            || matches!(stem(&other.path), "index" | "__init__" | "mod" | "lib")))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(*first)
    }

    /// The function that is called.
    pub(super) fn function(&self, called: &Expr, file: usize) -> Option<FunctionId> {
        let known = self.functions.get(called.last_name())?;
        match called {
            Expr::Name(name) => {
                let mut here = known.iter().filter(|(other, _)| *other == file);
                match (here.next(), here.next()) {
                    (Some(only), None) => Some(*only),
                    (Some(_), Some(_)) => None,
                    _ => self.imported(name, file, known),
                }
            }
            Expr::Field(of, _) => self.owned(of.last_name(), file, known),
            _ => None,
        }
    }
}

/// Whether the file takes this name from elsewhere.
fn imports(source: &Source, name: &str) -> bool {
    source.imported.contains(name)
}
