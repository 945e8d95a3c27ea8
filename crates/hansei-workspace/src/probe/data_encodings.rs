//! Files whose bytes are not what their reader takes them for: another encoding, or a mark at the beginning.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::file_reads::{How, Read, Reads};
use super::ground::{Ground, Strength, Suspicion};
use super::opened_files::{Opened, near, opened};
use super::tokens::Dialect;
use super::tree::{base, is_test};

/// The largest file whose bytes are looked at.
const LARGEST: u64 = 512 << 10;

/// Files that are read as something that they are not.
pub(super) fn judge(ground: &Ground<'_>, reads: &Reads<'_>) {
    let mut told: BTreeSet<String> = BTreeSet::new();
    for read in reads.all.iter().filter(|read| read.how != How::Write) {
        let Some(opened) = opened(ground, reads, read) else { continue };
        let Some(path) = opened.candidates.iter().find(|path| ground.tree.has(path)) else { continue };
        let lower = path.to_lowercase();
        let meant = ["bom", "latin", "utf", "cp12", "encod", "invalid", "bad", "binary"]
            .iter()
            .any(|word| lower.contains(word));
        if meant || told.contains(path) || !ground.tree.is_examined(opened.file) {
            continue;
        }
        let Some(bytes) = ground.tree.bytes(path, LARGEST).filter(|bytes| !bytes.is_ascii()) else {
            continue;
        };
        let dialect = reads.paths.sources[read.file].dialect;
        let around = near(ground, &opened);
        if around.contains("Unicode") || read.options.iter().any(|(name, _)| name == "errors") {
            continue;
        }
        if let Some((what, fix)) = wrong(dialect, read, &around, &bytes) {
            told.insert(path.clone());
            tell(ground, &opened, path, what, fix);
        }
    }
}

/// What is wrong with the bytes for this reader, and what to do.
fn wrong(dialect: Dialect, read: &Read, around: &str, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let marked = bytes.starts_with(b"\xef\xbb\xbf");
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let option =
        |wanted: &str| read.options.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let call = option("call").unwrap_or_default();
    let given = read.options.iter().map(|(_, value)| value.to_lowercase().replace(['-', '_'], ""));
    let given: Vec<String> = given.collect();
    let says = |words: &[&str]| given.iter().any(|value| words.contains(&value.as_str()));
    let parses_json = ["json.load", "JSON.parse", "serde_json", "json.Unmarshal", "json.NewDecoder"]
        .iter()
        .any(|way| around.contains(way));
    let strict = match dialect {
        Dialect::Python => {
            read.how == How::Text
                && !says(&["latin1", "iso88591", "cp1252", "cp437", "utf16", "windows1252", "iso885915"])
        }
        Dialect::Rust => call == "read_to_string",
        Dialect::Java => {
            matches!(call, "readString" | "readAllLines" | "lines" | "newBufferedReader")
                && !says(&["iso88591", "usascii", "utf16", "forname"])
        }
        _ => false,
    };
    if wide && (strict || parses_json) {
        return Some(("is UTF-16, and is read as UTF-8", "iconv -f UTF-16 -t UTF-8"));
    }
    if strict && says(&["ascii", "usascii"]) {
        return Some(("holds more than ASCII, and is read as ASCII", "read it as UTF-8, or rewrite it:"));
    }
    if strict && std::str::from_utf8(bytes).is_err() {
        return Some(("is not UTF-8, and is read as UTF-8", "iconv -f ISO-8859-1 -t UTF-8"));
    }
    let by_name = dialect == Dialect::Python && (around.contains("DictReader") || around.contains("tomllib"));
    let takes_mark =
        says(&["utf8sig"]) || around.contains("ufeff") || around.contains("uFEFF") || call == "require";
    if marked && (parses_json || by_name) && !takes_mark {
        return Some((
            "begins with a byte order mark (BOM), which its reader does not pass over",
            "sed -i '1s/^\\xEF\\xBB\\xBF//'",
        ));
    }
    None
}

fn tell(ground: &Ground<'_>, opened: &Opened<'_>, path: &str, what: &str, fix: &str) {
    let probe = if is_test(opened.file) { Probe::Fixtures } else { Probe::Config };
    ground.suspect(
        Suspicion::new(
            probe,
            format!("{path} {what}"),
            format!("{}:{} reads it", opened.file, opened.line),
            format!("{fix} {path}"),
        )
        .strength(Strength::Likely)
        .naming([path.to_owned(), base(path).to_owned(), "codec".to_owned(), "UTF-8".to_owned()]),
    );
}
