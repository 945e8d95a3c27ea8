//! What a changed file is to a reviewer, by its path: lines of a lock file or a translation say nothing about how likely
//! a bug is, lines of a test little.
//!
//! This is not the surface, which says what a bug would cost: a test of the login is on the auth surface and a test
//! here. `experiments/likelihood/kinds.py` has the same table; the weights were found with it.

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Code that is run, or that what is run is made from.
    Source,
    /// Tests and what they read, examples, benchmarks.
    Test,
    /// Anything that no table names: configuration, build files, data.
    Other,
    /// Text for people.
    Docs,
    /// Written by a program or copied from elsewhere: lock files, snapshots, vendored code.
    Generated,
    /// The same text in another language.
    Translation,
}

const GENERATED_FOLDERS: [&str; 14] = [
    "vendor", "vendored", "node_modules", "third_party", "third-party", "thirdparty", "extern", "external",
    "deps", "dist", "generated", "__snapshots__", "gen", "bower_components",
];
const GENERATED_NAMES: [&str; 6] = [
    "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "gradle.lockfile",
    "package.resolved",
];
const GENERATED_ENDS: [&str; 15] = [
    ".lock", ".snap", ".ambr", ".map", ".pb.go", ".pb.h", ".pb.cc", ".g.dart", ".designer.cs", "_pb2.py",
    "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi", ".min.js", ".min.css",
];
const TRANSLATION_FOLDERS: [&str; 7] =
    ["locale", "locales", "i18n", "l10n", "translation", "translations", "lang"];
const TRANSLATION_EXTENSIONS: [&str; 7] = ["po", "pot", "mo", "arb", "strings", "xlf", "ftl"];
const DOCS_FOLDERS: [&str; 9] = [
    "doc", "docs", "documentation", "man", "website", "changelog", "changelogs", "releasenotes",
    "release-notes",
];
const DOCS_EXTENSIONS: [&str; 10] =
    ["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "tex", "texi", "txt", "pod"];
const DOCS_BEGINNINGS: [&str; 12] = [
    "changes", "changelog", "news", "authors", "license", "licence", "copying", "readme", "notice",
    "contributors", "codeowners", "maintainers",
];
const TEST_FOLDERS: [&str; 18] = [
    "test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test-data", "fixture", "fixtures",
    "e2e", "benchmark", "benchmarks", "example", "examples", "sample", "samples", "it",
];
const TEST_WORDS: [&str; 5] = ["test", "tests", "spec", "specs", "bench"];
const TEST_CAPITALS: [&str; 6] = ["Test", "Tests", "Spec", "IT", "TestCase", "TestBase"];
const SOURCE_EXTENSIONS: &str = " c cc cpp cxx c++ m mm h hh hpp hxx inl ipp tcc rs go py pyx pxd rb rake erb haml slim java kt kts \
    scala sc groovy clj cljs cljc cs fs fsx vb swift dart js jsx mjs cjs ts tsx mts cts vue svelte coffee php phtml pl pm \
    lua r jl ex exs erl hrl hs ml mli elm nim zig d pas f f90 f95 for asm s sol sql sh bash zsh fish ps1 bat cmd tcl vim \
    el lisp scm rkt awk jsp aspx cshtml razor ejs hbs twig cu cl glsl hlsl wgsl metal proto thrift g4 y l ll td idl \
    webidl v sv vhd vhdl css scss sass less styl html htm xhtml mako jinja jinja2 j2 tmpl tpl ";

impl FileKind {
    /// What the file at `path` is.
    pub fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let lower = path.to_lowercase();
        let mut folders: Vec<&str> = lower.split('/').collect();
        let lower_name = folders.pop().unwrap_or_default();
        let extension = lower_name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let in_any = |names: &[&str]| folders.iter().any(|folder| names.contains(folder));
        if in_any(&GENERATED_FOLDERS)
            || GENERATED_NAMES.contains(&lower_name)
            || GENERATED_ENDS.iter().any(|end| lower_name.ends_with(end))
            || ["_generated.", "-generated.", ".generated."].iter().any(|mark| lower_name.contains(mark))
        {
            Self::Generated
        } else if in_any(&TRANSLATION_FOLDERS)
            || TRANSLATION_EXTENSIONS.contains(&extension)
            || lower_name == "strings.json"
        {
            Self::Translation
        } else if in_any(&TEST_FOLDERS)
            || folders.iter().any(|folder| folder.ends_with("-tests") || folder.ends_with("-test"))
            || is_test_name(name)
        {
            Self::Test
        } else if in_any(&DOCS_FOLDERS)
            || DOCS_EXTENSIONS.contains(&extension)
            || DOCS_BEGINNINGS.iter().any(|beginning| lower_name.starts_with(beginning))
        {
            Self::Docs
        } else if !extension.is_empty() && SOURCE_EXTENSIONS.contains(&format!(" {extension} ")) {
            Self::Source
        } else {
            Self::Other
        }
    }

    /// Whether its lines say nothing about the likelihood of a bug.
    pub fn is_neutral(self) -> bool {
        matches!(self, Self::Docs | Self::Generated | Self::Translation)
    }
}

/// `test_x.py`, `x_test.go`, `x.spec.ts`, `XTest.java`, `conftest.py`.
fn is_test_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let last_word = stem.rsplit(['.', '_', '-']).next().unwrap_or(stem);
    let has_end = |end: &&str| {
        stem.strip_suffix(end)
            .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()))
    };
    stem.starts_with("test_")
        || stem == "conftest"
        || stem == "test"
        || stem == "tests"
        || (last_word.len() < stem.len() && TEST_WORDS.contains(&last_word))
        || TEST_CAPITALS.iter().any(has_end)
}
