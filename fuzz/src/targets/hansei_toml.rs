//! `hansei.toml`, which comes with a repository.

use std::path::Path;

use hansei_record::settings::{Layers, WORKSPACE_FILE};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "hansei_toml", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let Ok(layers) = Layers::load(Some((Path::new(WORKSPACE_FILE), bytes)), None) else { return };
    assert!((0.0..=1.0).contains(&layers.threshold().0.get()));
    let Ok(floor) = layers.floor(None) else { return };
    for path in ["src/auth/login.rs", "README.md", "", "a\nb"] {
        let verdict = floor.evaluate(&[path]);
        assert_eq!(verdict.surface, floor.surface_of(path));
    }
}
