//! What whoever reads P1's figures should keep in mind.

use hansei_core::experiment::registration::Calibration;
use hansei_stats::power;
use hansei_stats::ranking::DeLong;
use hansei_stats::scores::Ranked;

use super::intake::Refused;

/// From this share of tied pairs on, an area says more about the ties than about the order.
const MANY_TIES: f64 = 0.1;

/// About rows that were left out.
pub fn of_rows(refused: &Refused, in_no_group: u64) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(first) = refused.first.first() {
        let (rows, were) = if refused.count == 1 { ("row", "was") } else { ("rows", "were") };
        said.push(format!(
            "{} {rows} {were} left out: line {} {}{}",
            refused.count,
            first.line,
            first.why,
            if refused.count > 1 { ", and others" } else { "" }
        ));
    }
    if in_no_group > 0 {
        said.push(format!("{in_no_group} answers belong to groups beyond those that are shown"));
    }
    said
}

/// About the answers.
pub fn of_answers(all: Ranked<'_>, thresholds: &Calibration) -> Vec<String> {
    let high = thresholds.high;
    let confident = all.at_least(high);
    let mut said = Vec::new();
    match (all.positives(), all.negatives()) {
        (0, 0) => return vec!["there are no answers".to_owned()],
        (_, 0) => said.push("every answer is right: there is nothing to tell apart".to_owned()),
        (0, _) => said.push("every answer is wrong: there is nothing to tell apart".to_owned()),
        _ => {}
    }
    let constant = |ranked: Ranked<'_>| ranked.ties().take(2).count() == 1;
    if all.count() > 1 && constant(all) {
        said.push("every answer has the same confidence, which then tells nothing apart".to_owned());
    } else if confident.count() > 1 && constant(confident) {
        said.push(format!("every confidence of {high} or more is the same, and tells nothing apart"));
    } else if let Some(tied) = tied_pairs(confident).filter(|tied| *tied >= MANY_TIES) {
        said.push(format!(
            "{:.0} % of the pairs of a right and a wrong answer with a confidence of {high} or more are tied, and count half",
            tied * 100.0
        ));
    }
    said.extend(of_power(confident, thresholds));
    if DeLong::of(confident).is_ok_and(|found| found.standard_error == 0.0) && !constant(confident) {
        said.push(
            "right and wrong answers are apart altogether, so the interval has no width: it is surer than the data"
                .to_owned(),
        );
    }
    said
}

/// Whether there are enough answers.
fn of_power(confident: Ranked<'_>, thresholds: &Calibration) -> Option<String> {
    let Calibration { high, chance, worth_telling, power, .. } = *thresholds;
    let (right, wrong) = (confident.positives(), confident.negatives());
    let told = power::detectable(right, wrong, power);
    if told.is_some_and(|told| told <= worth_telling) {
        return None;
    }
    let told = match told {
        Some(told) => format!("tell an AUC of {told:.2} or more from {chance}"),
        None => format!("tell no AUC from {chance}"),
    };
    let needed = confident.share().ok().and_then(|share| power::needed(worth_telling, share, power));
    let needed = needed.map_or_else(String::new, |needed| {
        format!("; for an AUC of {worth_telling} it takes about {needed} with this share of right ones")
    });
    Some(format!(
        "few answers: {right} right and {wrong} wrong ones with a confidence of {high} or more {told} with a power of {:.0} %{needed}",
        power * 100.0
    ))
}

/// About looking at many groups.
pub fn of_groups(groups: usize) -> Option<String> {
    (groups > 1).then(|| {
        format!("{groups} groups are each looked at alone: of twenty, one stands out by chance; they decide nothing")
    })
}

/// The share of pairs of a right and a wrong answer with the same confidence.
fn tied_pairs(ranked: Ranked<'_>) -> Option<f64> {
    let pairs = u128::from(ranked.positives()) * u128::from(ranked.negatives());
    let tied: u128 = ranked.ties().map(|tie| u128::from(tie.positives) * u128::from(tie.negatives)).sum();
    #[allow(clippy::cast_precision_loss, reason = "a share for people to read")]
    (pairs > 0).then(|| tied as f64 / pairs as f64)
}
