//! One world of tools: how a workspace shows that it belongs to it, and which commands check it.

/// A row of the table of ecosystems. Users add rows of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ecosystem {
    /// Its name, as people know it.
    pub name: String,
    /// Names of the files that make a folder a package of it; `*.csproj` stands for any name with that ending.
    pub files: Vec<String>,
    /// Which of several such folders is checked.
    pub reach: Reach,
    /// What is read of those files.
    pub reads: Reads,
    /// What is run in the package's folder.
    pub checks: Vec<CheckRow>,
}

/// Which folders count when packages lie within each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Each by itself.
    Each,
    /// Only the outermost, whose commands cover those inside.
    Outermost,
}

/// What is read of a manifest beside that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// `Cargo.toml`
    Cargo,
    /// `package.json`
    Node,
    /// `pyproject.toml`
    Python,
    /// `go.mod`
    Go,
    /// `pom.xml`
    Maven,
    /// A `Makefile`, which counts only with a target `test` or `check`.
    Make,
    /// `deno.json`
    Deno,
}

/// A command that checks a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRow {
    /// The command line.
    pub line: String,
    /// The same without stopping at the first failure, where that is another line: whoever compares failures needs all.
    pub thorough: Option<String>,
    /// The program that it needs.
    pub tool: String,
    /// A script in the package or above it that is used instead of the program where it is there.
    pub wrapper: Option<String>,
    /// How to get the program.
    pub install: String,
    /// Whether the runner always says what it ran. An exit code of zero without a word from it is then no pass.
    pub speaks: bool,
}

impl Ecosystem {
    /// Whether a file of this name is one of its manifests.
    pub fn has_manifest(&self, name: &str) -> bool {
        self.files.iter().any(|file| match file.strip_prefix('*') {
            Some(ending) => name.len() > ending.len() && name.ends_with(ending),
            None => file == name,
        })
    }
}
