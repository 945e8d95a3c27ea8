//! The patterns that the floor is specified with. They decide before any other built-in pattern, so that extending the
//! floor to further stacks can never change the verdict on a path that one of these matches.
//!
//! As specified each is a case-sensitive regular expression searched anywhere in the path. All of them are plain text
//! but for a dot that stands for any character, written here as `?`.

use crate::surface::Surface;

/// The patterns of one surface.
pub(super) const fn patterns(surface: Surface) -> &'static [&'static str] {
    match surface {
        Surface::Auth => &["auth", "login", "session", "token", "permission", "rbac", "credential", "secret"],
        Surface::Data => &["migration", "prisma", "schema", ".sql", "entity", "repository", "seed"],
        Surface::Infra => {
            &["docker", ".woodpecker", "compose", "traefik", "deploy", "helm", "k8s", "terraform"]
        }
        Surface::Build => &["package?json", "tsconfig", "turbo?json", "pnpm-", ".config.", "eslint", "vite"],
        Surface::Ui => &[".tsx", ".css", "components/", "apps/web/"],
        Surface::Test => &[".spec.", ".test.", "__tests__/"],
        Surface::Docs => &[".md", "docs/"],
        Surface::None => &[],
    }
}

/// Whether a specified pattern of `surface` matches `path`.
pub(super) fn matches(surface: Surface, path: &str) -> bool {
    patterns(surface).iter().any(|pattern| found_in(pattern, path))
}

fn found_in(pattern: &str, path: &str) -> bool {
    match pattern.split_once('?') {
        None => path.contains(pattern),
        Some((before, after)) => path.match_indices(before).any(|(at, _)| {
            let mut rest = path[at + before.len()..].chars();
            rest.next().is_some_and(|any| any != '\n') && rest.as_str().starts_with(after)
        }),
    }
}
