//! Modules of Python itself that the Python at hand does not have.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::python_modules::Own;
use super::python_world::World;

/// Judges an import of one of Python's own modules.
pub(super) fn own_module(ground: &Ground<'_>, world: &World, module: &str, known: Own, place: &str) {
    let (Own::GoneSince(minor) | Own::CameWith(minor)) = known else { return };
    if world.has_installed(module) == Some(true) {
        return;
    }
    let Some(version) = super::toolchain::project_python(ground, world) else { return };
    let (is_three, has) = (version.numbers.first() == Some(&3), version.numbers.get(1).copied().unwrap_or(0));
    let is_absent = match known {
        Own::GoneSince(_) => has >= minor,
        _ => has < minor,
    };
    if !is_three || !is_absent {
        return;
    }
    // `setuptools` brings its own `distutils`.
    if module == "distutils" && world.has_installed("setuptools") == Some(true) {
        return;
    }
    let (what, fix) = match known {
        Own::GoneSince(_) => (
            format!("the module {module:?} was taken out of Python 3.{minor}, and this is Python {version}"),
            format!("replace {module}, or use a Python before 3.{minor}"),
        ),
        _ => (
            format!("the module {module:?} came with Python 3.{minor}, and this is Python {version}"),
            format!("use Python 3.{minor} or newer"),
        ),
    };
    ground.suspect(
        Suspicion::new(Probe::Toolchain, what, format!("{place} imports it"), fix)
            .strength(Strength::Certain)
            .naming([module.to_owned()]),
    );
}
