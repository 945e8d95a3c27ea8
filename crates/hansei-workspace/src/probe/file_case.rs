//! Names in one folder that differ only in case: on half of all machines they are one file.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::tree::base;

/// Endings of what is imported or built.
const SOURCES: &[&str] = &[
    ".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".rs", ".go", ".java", ".kt", ".c", ".cc", ".cpp",
    ".h", ".hpp", ".rb", ".php", ".json", ".yaml", ".yml", ".toml",
];

pub(super) fn probe(ground: &Ground<'_>) {
    for twins in ground.tree.twins() {
        let [one, other, ..] = twins.as_slice() else { continue };
        let is_source =
            SOURCES.iter().any(|ending| one.ends_with(ending)) || base(one).eq_ignore_ascii_case("makefile");
        if !is_source
            || !ground.tree.is_examined(one)
            || one.rsplit_once('/').map(|it| it.0) != other.rsplit_once('/').map(|it| it.0)
        {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{one} and {other} differ only in case"),
                format!("{one}, {other}"),
                format!("keep one of them: git mv {other} to another name, or git rm it"),
            )
            .strength(Strength::Possible)
            .naming([one.clone(), other.clone(), base(one).to_owned(), base(other).to_owned()]),
        );
    }
}
