//! Holds one claim against what happened, by its type.

use super::world::World;
use super::{ClaimKind, Finding, Said, acts, results};

/// How a claim stands.
pub(super) fn hold(said: &Said, world: &World<'_, '_>) -> Finding {
    match said.kind {
        ClaimKind::Tests
        | ClaimKind::Build
        | ClaimKind::Lint
        | ClaimKind::Types
        | ClaimKind::Format
        | ClaimKind::Command => results::result(said, world),
        ClaimKind::Count => results::count(said, world),
        ClaimKind::Coverage => results::coverage(said, world),
        ClaimKind::Fixed => results::fixed(said, world),
        ClaimKind::Ran => results::ran(said, world),
        ClaimKind::Ci => acts::ci(said, world),
        ClaimKind::Created | ClaimKind::Changed | ClaimKind::Removed => acts::edited(said, world),
        ClaimKind::Only => acts::only(said, world),
        ClaimKind::Git => acts::git(said, world),
        ClaimKind::PullRequest | ClaimKind::Deploy | ClaimKind::Publish | ClaimKind::Install => {
            acts::sent(said, world)
        }
    }
}
