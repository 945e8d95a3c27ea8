//! Whether a probability means what it says.

const BINS: usize = 10;

/// The expected calibration error over ten bins of equal width: by how much, on average, a probability is off the share
/// that came true among those near it. None without a probability.
pub fn expected_error(predicted: &[(f64, bool)]) -> Option<f64> {
    let mut gaps = [0.0_f64; BINS];
    let mut count = 0.0;
    for (probability, came_true) in predicted {
        gaps[bin(*probability)] += probability - f64::from(u8::from(*came_true));
        count += 1.0;
    }
    (count > 0.0).then(|| gaps.iter().map(|gap| gap.abs()).sum::<f64>() / count)
}

/// The bin of a probability; one that is none goes to the nearest end.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float becomes the nearest bin")]
fn bin(probability: f64) -> usize {
    ((probability * 10.0) as usize).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_off_by_what_its_share_differs() {
        for (predicted, error) in [
            (&[(1.0, true), (0.0, false)][..], Some(0.0)),
            (&[(1.0, false), (0.0, true)], Some(1.0)),
            // Two near 0.8, of which one came true: 0.3 off; one at 0.25 that did not: 0.25 off.
            (&[(0.8, true), (0.8, false), (0.25, false)], Some((0.6 + 0.25) / 3.0)),
            // Within one bin, errors in opposite directions cancel.
            (&[(0.55, true), (0.55, false)], Some(0.05)),
            (&[], None),
        ] {
            let found = expected_error(predicted);
            match (found, error) {
                (Some(found), Some(error)) => {
                    assert!((found - error).abs() < 1e-12, "{predicted:?}: {found}");
                }
                _ => assert_eq!(found, error),
            }
        }
    }
}
