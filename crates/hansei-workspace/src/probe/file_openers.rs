//! The calls that open files, in each language: which of what they are given is the path, and whether it is read or written.

use super::expressions::{Argument, Expr};
use super::file_reads::How;
use super::path_calls::owner_of;
use super::path_text::{Base, Piece, Value};
use super::path_values::{Paths, Place};
use super::tokens::Dialect;
use super::tree::{join, parent};

/// Which part of a call is the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The first that is given.
    First,
    /// Everything that is given.
    Every,
    /// What the call is made on.
    Receiver,
    /// The first, read or written as a mode says.
    ByMode,
    /// The first is read and the second written.
    FromTo,
}

/// A way to open a file: the language, what stands before the name (anything where empty), the names, the path, and how.
type Way = (Dialect, &'static [&'static str], &'static [&'static str], Part, How);

const NONE: &[&str] = &[""];
const WAYS: &[Way] = &[
    (Dialect::Python, &["", "io", "gzip", "codecs"], &["open"], Part::ByMode, How::Text),
    (Dialect::Python, &[], &["open", "read_text"], Part::Receiver, How::Text),
    (Dialect::Python, &[], &["read_bytes"], Part::Receiver, How::Plain),
    (
        Dialect::Python,
        &["pd", "pandas", "np", "numpy", "ET", "etree", "ElementTree"],
        &[
            "read_csv", "read_json", "read_excel", "read_parquet", "read_table", "load", "loadtxt",
            "genfromtxt", "parse",
        ],
        Part::First,
        How::Plain,
    ),
    (Dialect::Python, &["shutil"], &["copy", "copyfile", "copy2"], Part::FromTo, How::Plain),
    (Dialect::Python, &[], &["write_text", "write_bytes", "mkdir", "touch"], Part::Receiver, How::Write),
    (
        Dialect::Python,
        &[],
        &["makedirs", "connect", "to_csv", "FileHandler", "RotatingFileHandler", "savez"],
        Part::First,
        How::Write,
    ),
    (
        Dialect::JavaScript,
        &[],
        &["readFileSync", "readFile", "createReadStream", "readJsonSync", "readJson", "openSync"],
        Part::First,
        How::Plain,
    ),
    (
        Dialect::JavaScript,
        &[],
        &[
            "writeFileSync", "writeFile", "appendFile", "appendFileSync", "createWriteStream", "mkdirSync",
            "mkdir", "outputJson", "writeJson", "writeJsonSync", "outputFile", "outputFileSync",
        ],
        Part::First,
        How::Write,
    ),
    (Dialect::JavaScript, &[], &["copyFile", "copyFileSync"], Part::FromTo, How::Plain),
    (Dialect::JavaScript, NONE, &["require"], Part::First, How::Plain),
    (Dialect::Go, &["os", "ioutil"], &["ReadFile", "Open"], Part::First, How::Plain),
    (Dialect::Go, &[], &["ParseFiles"], Part::Every, How::Plain),
    (
        Dialect::Go,
        &["os", "ioutil"],
        &["WriteFile", "Create", "MkdirAll", "Mkdir", "OpenFile"],
        Part::First,
        How::Write,
    ),
    (Dialect::Rust, &["fs", "File"], &["read_to_string", "read", "open"], Part::First, How::Plain),
    (Dialect::Rust, NONE, &["read_to_string", "include_str!"], Part::First, How::Plain),
    (
        Dialect::Rust,
        &["fs", "File"],
        &["write", "create", "create_dir_all", "create_dir"],
        Part::First,
        How::Write,
    ),
    (
        Dialect::Java,
        &["Files"],
        &["readString", "readAllLines", "readAllBytes", "lines", "newBufferedReader", "newInputStream"],
        Part::First,
        How::Plain,
    ),
    (Dialect::Java, NONE, &["FileReader", "FileInputStream", "Scanner"], Part::First, How::Plain),
    (Dialect::Java, &[], &["getResource", "getResourceAsStream"], Part::First, How::Resource),
    (Dialect::Java, &["ResourceBundle"], &["getBundle"], Part::First, How::Resource),
    (
        Dialect::Java,
        &["Files"],
        &["write", "writeString", "newBufferedWriter", "newOutputStream", "createDirectories", "createFile"],
        Part::First,
        How::Write,
    ),
    (Dialect::Java, NONE, &["FileWriter", "FileOutputStream", "PrintWriter"], Part::First, How::Write),
    (Dialect::C, NONE, &["fopen"], Part::ByMode, How::Plain),
];

/// Whether a call of this name may open a file.
pub(super) fn may_open(name: &str) -> bool {
    WAYS.iter().any(|(_, _, names, _, _)| names.iter().any(|one| one.trim_end_matches('!') == name))
}

/// The files that a call opens.
pub(super) fn opened(
    paths: &Paths<'_>,
    called: &Expr,
    given: &[Argument],
    place: Place,
) -> Vec<(Value, How)> {
    let dialect = paths.sources[place.file].dialect;
    let (owner, name) = (owner_of(called), called.last_name());
    let way = WAYS.iter().find(|(language, owners, names, part, _)| {
        let on_something = *part != Part::Receiver || matches!(called, Expr::Field(..));
        *language == dialect
            && (owners.is_empty() || owners.contains(&owner))
            && names.contains(&name)
            && on_something
    });
    let Some((_, _, _, part, how)) = way else { return Vec::new() };
    let of = |expr: Option<&Expr>, how: How| -> Vec<(Value, How)> {
        expr.map_or_else(Vec::new, |expr| {
            paths.values(expr, place).into_iter().map(|value| (value, how)).collect()
        })
    };
    let at = |which: usize| given.get(which).filter(|one| !one.is_spread).map(|one| &one.value);
    let mut all = match part {
        Part::First => of(at(0).filter(|first| name != "Scanner" || is_file(first)), *how),
        Part::Every => (0..given.len()).flat_map(|which| of(at(which), *how)).collect(),
        Part::ByMode => of(at(0), by_mode(dialect, mode(given, 1))),
        Part::FromTo => {
            let mut both = of(at(0), How::Plain);
            both.extend(of(at(1), How::Write));
            both
        }
        Part::Receiver => {
            let receiver = if let Expr::Field(receiver, _) = called { Some(receiver.as_ref()) } else { None };
            let how = if name == "open" { by_mode(dialect, mode(given, 0)) } else { *how };
            of(receiver.filter(|_| name != "open" || mode(given, 0).len() <= 3), how)
        }
    };
    match name {
        "require" | "include_str!" => {
            for (value, _) in &mut all {
                *value = imported(paths, value, place);
            }
            all.retain(|(value, _)| value.base != Base::Free);
        }
        "getBundle" => {
            for (value, _) in &mut all {
                if let Some(name) = value.known() {
                    *value = Value::text(&format!("/{}.properties", name.replace('.', "/")));
                }
            }
        }
        "getResource" | "getResourceAsStream" if asks_loader(called) => {
            for (value, _) in &mut all {
                value.pieces.insert(0, Piece::Text("/".to_owned()));
            }
        }
        _ => {}
    }
    all
}

/// The mode that a file is opened in; one that is not known may write.
fn mode(given: &[Argument], which: usize) -> &str {
    let named = given.iter().find(|one| one.name.as_deref() == Some("mode"));
    let placed = || given.get(which).filter(|one| one.name.is_none() && !one.is_spread);
    match named.or_else(placed).map(|one| &one.value) {
        None => "r",
        Some(Expr::Literal(mode)) => mode.as_str(),
        Some(_) => "w",
    }
}

fn by_mode(dialect: Dialect, mode: &str) -> How {
    if mode.contains(['w', 'a', 'x', '+']) {
        How::Write
    } else if mode.contains('b') || dialect != Dialect::Python {
        How::Plain
    } else {
        How::Text
    }
}

/// Whether a scanner is given a file and no text.
fn is_file(expr: &Expr) -> bool {
    matches!(expr, Expr::Call(called, _) if called.last_name() == "File" || matches!(owner_of(called), "Path" | "Paths"))
}

/// Whether a class loader is asked: it begins at the root of the class path.
fn asks_loader(called: &Expr) -> bool {
    let Expr::Field(receiver, _) = called else { return false };
    match receiver.as_ref() {
        Expr::Call(called, _) => called.last_name().ends_with("ClassLoader"),
        Expr::Name(name) => name.to_lowercase().contains("loader"),
        _ => false,
    }
}

/// Data that is imported as a module: a path seen from the file, where it is there. What is absent is told with the imports.
pub(super) fn imported(paths: &Paths<'_>, value: &Value, place: Place) -> Value {
    let here = parent(&paths.sources[place.file].path);
    let known = value.known().filter(|text| is_seen_from_here(paths, place, text));
    match known.and_then(|text| join(here, &text)).filter(|path| paths.ground.tree.has(path)) {
        Some(path) => Value { base: Base::Folder(String::new()), pieces: vec![Piece::Text(path)] },
        None => value.clone(),
    }
}

/// In JavaScript data begins with a dot; in Rust any text is seen from the file.
fn is_seen_from_here(paths: &Paths<'_>, place: Place, text: &str) -> bool {
    match paths.sources[place.file].dialect {
        Dialect::Rust => true,
        _ => text.starts_with('.') && text.ends_with(".json"),
    }
}
