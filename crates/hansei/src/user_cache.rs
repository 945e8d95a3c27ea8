//! The cache folder of whoever runs the program.

use std::path::PathBuf;

use hansei_record::cache::Cache;

/// The user's cache; none where neither a cache folder nor a home is named.
pub fn here() -> Option<Cache> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Cache::of_user(folder("XDG_CACHE_HOME"), folder("HOME"))
}
