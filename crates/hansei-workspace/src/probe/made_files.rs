//! Files that the project makes itself: by its code, its scripts, its Makefile.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::file_reads::{How, Reads};
use super::ground::Ground;
use super::opened_files::Opened;
use super::path_text::Piece;
use super::tree::{base, parent};

/// What the code makes itself.
#[derive(Default)]
pub(super) struct Made {
    names: Vec<String>,
    /// What is known of each name that was asked for.
    known: RefCell<BTreeMap<String, bool>>,
}

impl Made {
    pub(super) fn of(reads: &Reads<'_>) -> Self {
        let mut names = Vec::new();
        for write in reads.all.iter().filter(|read| read.how == How::Write) {
            // Files that tests write anew when they are told to are there before.
            let (file, line) = write.within.unwrap_or((write.file, write.line));
            let words = ["update", "regen", "bless", "overwrite", "rewrite", "renew"];
            let renewed = reads.paths.sources[file].tokens.iter().any(|token| {
                let name = token.name().to_lowercase();
                token.line + 4 >= line && token.line <= line && words.iter().any(|word| name.contains(word))
            });
            if renewed {
                continue;
            }
            if let Some(path) = write.value.known() {
                names.push(path);
                continue;
            }
            // A folder that files with other names are written to.
            if let Some(Piece::Text(text)) = write.value.pieces.first()
                && let Some((folder, _)) = text.rsplit_once('/')
            {
                names.push(format!("{folder}/"));
            }
            if let Some(Piece::Text(text)) = write.value.pieces.last()
                && let Some((_, name)) = text.rsplit_once('/')
            {
                names.push(name.to_owned());
            }
        }
        names.retain(|name| name.len() > 2 && name != "./");
        Self { names, known: RefCell::default() }
    }
}

/// Whether some code or script of the project makes the file.
pub(super) fn is_written(ground: &Ground<'_>, opened: &Opened<'_>, made: &Made) -> bool {
    let name = base(&opened.named);
    let folder = format!("{}/", parent(&opened.named));
    let by_code = made.names.iter().any(|made| base(made) == name || (folder.len() > 1 && *made == folder));
    if by_code {
        return true;
    }
    *made.known.borrow_mut().entry(name.to_owned()).or_insert_with(|| is_made_by_line(ground, name))
}

/// Whether a line of code or of a script makes a file of this name.
fn is_made_by_line(ground: &Ground<'_>, name: &str) -> bool {
    let tree = &ground.tree;
    let marks = [
        "write", "unlink", "remove", "rmtree", "'w'", "\"w\"", "'wb'", "\"wb\"", "os.Create", "File::create",
        "dump", "to_csv", "save", "outFile",
    ];
    let in_code =
        [".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".java", ".rb", ".php", ".c", ".cpp", ".kt"];
    let by_line = tree.examined(&in_code).filter_map(|file| tree.text(&file.path)).any(|text| {
        text.contains(name)
            && text.lines().any(|line| line.contains(name) && marks.iter().any(|mark| line.contains(mark)))
    });
    let shell = [">", "cp ", "touch", "curl", "wget", "-o ", "tee ", "mv ", "--out", "dest"];
    let scripts = [
        ".sh", ".bash", "Makefile", ".mk", "package.json", "CMakeLists.txt", ".yml", "Dockerfile", "justfile",
    ];
    by_line
        || tree.examined(&scripts).filter_map(|file| tree.text(&file.path)).any(|text| {
            text.contains(name)
                && text.lines().any(|line| {
                    // A target of make is made.
                    let is_target = line.split_once(':').is_some_and(|(target, _)| {
                        !line.starts_with(['\t', ' ', '#'])
                            && target.split_whitespace().any(|one| base(one) == name)
                    });
                    line.contains(name) && (is_target || shell.iter().any(|mark| line.contains(mark)))
                })
        })
}
