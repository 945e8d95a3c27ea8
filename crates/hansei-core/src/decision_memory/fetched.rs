//! Where things are fetched from: images of a registry, and repositories that are taken in as submodules.

use super::file_kind::{base_name, holds};
use super::import::occurrences;
use super::keeping_out::stands_in;
use super::place::Place;

/// Places of code, where a path is a repository and no image.
const CODE_HOSTS: &str = "github.com gitlab.com bitbucket.org codeberg.org sr.ht";

/// Whether what stands before a name is a registry and the folders in it: `docker.io/library/`, `${REGISTRY}/`.
pub(super) fn is_in_registry(before: &str) -> bool {
    let Some(before) = before.strip_suffix('/') else { return false };
    if before.ends_with('}') {
        return true;
    }
    let is_outside = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | '(' | ',');
    let whole = before.rsplit(is_outside).next().unwrap_or_default();
    let address = match whole.split_once("://") {
        Some(("oci" | "docker", address)) => address,
        Some(_) => return false,
        None => whole,
    };
    let host = address.split('/').next().unwrap_or_default();
    let is_host = host.contains('.') && !host.starts_with('.') || host.contains(':') || host == "localhost";
    is_host && !holds(CODE_HOSTS, host)
}

/// Whether a text is the address of an image that is called `name`, in a registry.
pub(super) fn is_image(text: &str, name: &str) -> bool {
    occurrences(text, name, true).any(|at| {
        let behind = text[at + name.len()..].chars().next();
        is_in_registry(&text[..at]) && behind.is_none_or(|c| matches!(c, ':' | '@' | '"' | '\''))
    })
}

/// Whether a text is the address of an image with its version, as programs write it too.
pub(super) fn is_image_with_version(text: &str, name: &str) -> bool {
    let versioned = |at: usize| text[at + name.len()..].starts_with([':', '@']);
    is_image(text, name) && occurrences(text, name, true).any(versioned)
}

/// Keys whose value is the address of something that is fetched. What is called `url` may as well be for people.
const FETCHING_KEYS: &str = "repo git source src uses remote";
/// Keys below which things are listed by their names, because they are wanted.
const ASKING_KEYS: &str = "roles collections dependencies packages plugins extensions addons apt yum dnf package pip npm gem homebrew snap \
    apk pacman zypper";

/// Whether a line of settings fetches the repository `name` from its address.
pub(super) fn is_fetched(code: &str, name: &str) -> bool {
    let Some((key, value)) = code.split_once([':', '=']) else { return false };
    let key = key.trim().trim_start_matches("- ").trim();
    let address = value.trim().trim_matches(['"', '\'']).trim_end_matches('/');
    let last = address.rfind('/').unwrap_or(0);
    let version = address[last..].find(['@', '#', '?']).map_or(address.len(), |at| last + at);
    let address = &address[..version];
    let address = address.strip_suffix(".git").unwrap_or(address);
    let is_it = address.strip_suffix(name).is_some_and(|before| before.ends_with('/'));
    holds(FETCHING_KEYS, key) && is_it
}

/// Whether `name: x` is an element of what is wanted, and not only called so: a role, a package to be installed.
pub(super) fn is_asked_for(place: &Place<'_>) -> bool {
    let key_of =
        |line: &str| line.trim().trim_start_matches("- ").split(':').next().unwrap_or_default().to_owned();
    let asks = |above: &str| key_of(above).rsplit('.').next().is_some_and(|key| holds(ASKING_KEYS, key));
    let around = place.above().iter().rev().take(3).chain(place.below().iter().take(3));
    let is_absent = |line: &&str| line.trim().trim_start_matches("- ").starts_with("state: absent");
    let named = place.line().trim().trim_start_matches("- ").starts_with("name:");
    named && stands_in(place, &asks) && !around.into_iter().any(is_absent)
}

/// Whether a line of `.gitmodules` takes in the repository `name`, by its address or the folder it comes to.
pub(super) fn is_submodule(place: &Place<'_>, name: &str) -> bool {
    if base_name(place.path) != ".gitmodules" {
        return false;
    }
    let line = place.read().without_comment();
    let Some((key, value)) = line.split_once('=') else { return false };
    let plain = |text: &str| text.trim().trim_matches('"').trim_end_matches('/').to_lowercase();
    let (value, name) = (plain(value), plain(name));
    let value = value.strip_suffix(".git").unwrap_or(&value);
    let ends =
        value.strip_suffix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', ':']));
    matches!(key.trim(), "path" | "url") && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_fetched_or_shown() {
        for (code, name, fetched) in [
            ("  - repo: https://github.com/psf/black", "psf/black", true),
            ("source: git@github.com:psf/black.git", "black", true),
            ("repo: https://github.com/psf/black-tools", "psf/black", false),
            ("homepage: https://github.com/psf/black", "psf/black", false),
            ("repo: black", "black", false),
        ] {
            assert_eq!(is_fetched(code, name), fetched, "{code}");
        }
    }

    #[test]
    fn registries_are_told_from_folders() {
        for (text, name, image) in [
            ("docker.io/bitnami/redis", "bitnami/redis", true),
            ("registry.example:5000/mirror/bitnami/redis:7", "bitnami/redis", true),
            ("localhost/redis@sha256:1", "redis", true),
            ("{{ .Values.registry }}/bitnami/redis:7", "bitnami/redis", true),
            ("${REGISTRY}/redis:7", "redis", true),
            ("oci://registry.example/charts/redis", "redis", true),
            ("docker.io/bitnami/redis-exporter", "bitnami/redis", false),
            ("docker.io/acmebitnami/redis", "bitnami/redis", false),
            ("https://charts.example/bitnami/redis", "bitnami/redis", false),
            ("github.com/bitnami/redis", "bitnami/redis", false),
            ("conf/redis", "redis", false),
            ("./redis", "redis", false),
        ] {
            assert_eq!(is_image(text, name), image, "{text}");
        }
    }
}
