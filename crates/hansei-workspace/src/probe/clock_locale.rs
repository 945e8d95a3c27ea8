//! The clock and the times of files, where they decide.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};

/// Files from the future by more than this are not from a clock that is a little off.
const AHEAD: i64 = 3600;
/// The first second of 2020 and of 2100.
const SANE: std::ops::Range<i64> = 1_577_836_800..4_102_444_800;

pub(super) fn probe(ground: &Ground<'_>) {
    if !SANE.contains(&ground.now) {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the system's clock is wrong: it is {} seconds after 1970", ground.now),
                "the system's clock".to_owned(),
                "timedatectl set-ntp true, or date --set".to_owned(),
            )
            .strength(Strength::Certain)
            .naming(["certificate", "not yet valid", "expired"]),
        );
        return;
    }
    future_files(ground);
    super::time_zones::probe(ground);
    super::locales::probe(ground);
    super::encodings::probe(ground);
}

/// Whether a file lies where builds write: what is too new there is never built again.
fn is_built(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "build" | "out" | "dist" | "target" | "obj" | "generated"))
}

fn future_files(ground: &Ground<'_>) {
    let ahead = ground.tree.files().iter().filter(|file| {
        file.modified > ground.now + AHEAD
            && file.path.starts_with(ground.tree.scope())
            && (ground.tree.is_examined(&file.path) || is_built(&file.path))
    });
    let ahead: Vec<_> = ahead.collect();
    let Some(first) = ahead.first() else { return };
    let hours = (first.modified - ground.now) / 3600;
    let more = if ahead.len() > 1 { format!(" and {} more", ahead.len() - 1) } else { String::new() };
    ground.suspect(
        Suspicion::new(
            Probe::ClockLocale,
            format!("{}{more} was written in the future ({hours} hours ahead): tools that compare times build wrongly", first.path),
            ahead.iter().take(3).map(|file| file.path.as_str()).collect::<Vec<_>>().join(", "),
            format!("touch {}", ahead.iter().take(5).map(|file| file.path.as_str()).collect::<Vec<_>>().join(" ")),
        )
        .naming(["clock skew", "Clock skew", "modification time", "future"]),
    );
}
