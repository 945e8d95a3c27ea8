//! What in a workspace no tool and no command may write: what runs programs, or says what an agent may do.
//!
//! One table, for the tools that edit files and for the sandbox. Names are compared as the most forgiving file system
//! would compare them, on every system: a tree may lie on a disk that ignores case, and what is refused too much here
//! is a name that nobody gives a file in good faith.

use std::path::{Component, Path};

/// What a protected name stands for, for whoever has to create it before it can be guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A folder, with everything below it.
    Folder,
}

/// Where a name is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In the root of the workspace alone.
    Root,
    /// In every folder of it.
    Anywhere,
}

/// A protected name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protected {
    /// The name.
    pub name: &'static str,
    /// What it is when it is there.
    pub kind: Kind,
    /// Where it is protected.
    pub place: Where,
    /// Whether it may not be created in the sandbox either. Each such name costs every command a little, so not for what
    /// programs ask about before they obey it, or look for in a home alone.
    pub never_new: bool,
}

const fn file(name: &'static str) -> Protected {
    Protected { name, kind: Kind::File, place: Where::Root, never_new: true }
}

const fn folder(name: &'static str) -> Protected {
    Protected { name, kind: Kind::Folder, place: Where::Root, never_new: true }
}

/// The same, where it may be created.
const fn if_there(row: Protected) -> Protected {
    Protected { never_new: false, ..row }
}

/// Every protected name. `.git` is one in every folder: a repository inside the workspace runs its hooks as well.
pub const PROTECTED: &[Protected] = &[
    Protected { name: ".git", kind: Kind::Folder, place: Where::Anywhere, never_new: true },
    folder(".hansei"),
    file("hansei.toml"),
    folder(".claude"),
    folder(".codex"),
    folder(".gemini"),
    folder(".opencode"),
    file("opencode.json"),
    file("opencode.jsonc"),
    folder(".kilo"),
    folder(".kilocode"),
    file("kilo.json"),
    file("kilo.jsonc"),
    file(".mcp.json"),
    folder(".mosaic"),
    folder(".reflection"),
    if_there(folder(".vscode")),
    if_there(folder(".idea")),
    if_there(folder(".cursor")),
    if_there(file(".envrc")),
    if_there(file(".gitconfig")),
    file(".bashrc"),
    file(".bash_profile"),
    file(".bash_login"),
    if_there(file(".bash_logout")),
    file(".profile"),
    file(".zshrc"),
    file(".zshenv"),
    file(".zprofile"),
    file(".zlogin"),
    if_there(file(".zlogout")),
];

/// Whether a path, relative to the root of the workspace, is a protected name or lies below one.
///
/// It looks at the path alone. Whoever may have come through a link asks twice: about the path as it was written, and
/// about where it led. A path that does not stay below the root by its spelling is protected as well.
pub fn is_protected(relative: &Path) -> bool {
    let mut depth = 0;
    for component in relative.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => {
                let name = folded(&name.to_string_lossy());
                let here =
                    |row: &&Protected| (depth == 0 || row.place == Where::Anywhere) && row.name == name;
                // What Windows calls a folder `.git` where it also keeps short names.
                if name == "git~1" || PROTECTED.iter().any(|row| here(&row)) {
                    return true;
                }
                depth += 1;
            }
            _ => return true,
        }
    }
    false
}

/// A name as a file system sees it that ignores case, characters that are not drawn (HFS+) and dots and spaces at the
/// end and what follows a colon (NTFS).
fn folded(name: &str) -> String {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    let drawn = name.chars().filter(|character| !is_ignored(*character));
    // Up and down again, so that letters with two small forms (`ſ`, `s`) become one.
    let text: String = drawn.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    text.trim_end_matches(['.', ' ']).to_owned()
}

fn is_ignored(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_the_most_forgiving_file_system_would() {
        let protected = [
            ".git",
            ".git/config",
            "./.git/hooks/pre-commit",
            "vendor/lib/.git/config",
            ".GIT/config",
            ".Git",
            ".git.",
            ".git ",
            ".git . .",
            ".git::$INDEX_ALLOCATION/config",
            "git~1/config",
            ".g\u{200c}it/config",
            ".hansei/log/s.jsonl",
            "hansei.toml",
            "HANSEI.TOML",
            "han\u{17f}ei.toml",
            ".\u{212a}ilo/x",
            ".claude/settings.json",
            ".mcp.json",
            ".envrc",
            ".bashrc",
            "../x",
            "/x",
            "a/../.git",
        ];
        for path in protected {
            assert!(is_protected(Path::new(path)), "{path:?}");
        }
        let free = [
            "",
            ".",
            "src/main.rs",
            ".gitignore",
            ".github/workflows/ci.yml",
            "git/config",
            "src/hansei.toml",
            "docs/.claude/x",
            "a.git/config",
            ".gitattributes",
            "my.envrc",
            "sub/.bashrc",
        ];
        for path in free {
            assert!(!is_protected(Path::new(path)), "{path:?}");
        }
    }

    #[test]
    fn every_name_of_the_table_is_protected() {
        for row in PROTECTED {
            let path = Path::new(row.name);
            assert!(is_protected(path) && is_protected(&path.join("below")), "{}", row.name);
            assert_eq!(is_protected(&Path::new("sub").join(row.name)), row.place == Where::Anywhere);
        }
    }
}
