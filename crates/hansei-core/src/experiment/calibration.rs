//! P1: whether confidence tells right from wrong where it is high, decided from what was counted there.

use super::registration::Calibration;
use super::{Measured, Status};

/// The answers that an agent was confident of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confident {
    /// How many of them were right.
    pub right: u64,
    /// How many were wrong.
    pub wrong: u64,
    /// How often a right one was held with more confidence than a wrong one, equal confidence counting half; none where
    /// one of the two is missing.
    pub auc: Option<f64>,
    /// Its interval of 95 %, lower end first; none where there are fewer than two of either.
    pub interval: Option<[f64; 2]>,
}

/// Whether P1 is given up, by the confident ones among so many answers.
pub fn decide(confident: &Confident, answers: u64, thresholds: &Calibration) -> Measured {
    let Calibration { high, chance, fewest_of_each, .. } = *thresholds;
    let (right, wrong) = (confident.right, confident.wrong);
    let (status, why) = match confident.interval {
        Some([low, _]) if right >= fewest_of_each && wrong >= fewest_of_each => {
            if low > chance {
                (Status::Pass, format!("the interval is above {chance}, the AUC of a coin"))
            } else {
                (Status::Killed, format!("the interval reaches {chance}, the AUC of a coin, or is under it"))
            }
        }
        _ => {
            let why = format!(
                "among answers with a confidence of {high} or more, {right} were right and {wrong} wrong: at least \
                 {fewest_of_each} of each are needed"
            );
            (Status::NotEnoughData, why)
        }
    };
    Measured { status, figure: confident.auc, interval: confident.interval, n: answers, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_end_decides() {
        let thresholds = Calibration {
            kill: String::new(),
            high: 0.8,
            chance: 0.5,
            fewest_of_each: 10,
            worth_telling: 0.6,
            power: 0.8,
        };
        for (right, wrong, interval, status) in [
            (10, 10, Some([0.51, 0.9]), Status::Pass),
            (10, 10, Some([0.5, 0.9]), Status::Killed),
            (10, 10, Some([0.4, 0.6]), Status::Killed),
            // Worse than a coin is not what is looked for either.
            (500, 500, Some([0.1, 0.3]), Status::Killed),
            (10, 10, Some([1.0, 1.0]), Status::Pass),
            (9, 100, Some([0.9, 0.99]), Status::NotEnoughData),
            (100, 9, Some([0.2, 0.3]), Status::NotEnoughData),
            (100, 0, None, Status::NotEnoughData),
            (0, 0, None, Status::NotEnoughData),
        ] {
            let confident = Confident { right, wrong, auc: interval.map(|[low, _]| low), interval };
            let measured = decide(&confident, 2000, &thresholds);
            assert_eq!(measured.status, status, "{confident:?}: {}", measured.why);
            assert_eq!(measured.n, 2000);
        }
    }
}
