//! Figures of ranking held against their definitions, on generated scores with many ties.
#![allow(clippy::unwrap_used, missing_docs)]

use hansei_stats::ranking::{DeLong, auc};
use hansei_stats::scores::Sorted;
use proptest::prelude::*;

/// Few distinct values, so that most scores tie, beside ones that rarely do.
fn scored() -> impl Strategy<Value = Vec<(f64, bool)>> {
    let score = prop_oneof![
        (0..5_i32).prop_map(|step| f64::from(step) / 4.0),
        0.0..1.0_f64,
        Just(-0.0),
        Just(0.5 + 1e-9),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
    ];
    prop::collection::vec((score, any::<bool>()), 0..60)
}

fn of(scored: &[(f64, bool)], kind: bool) -> Vec<f64> {
    scored.iter().filter(|(_, label)| *label == kind).map(|(score, _)| *score).collect()
}

fn wins(good: f64, bad: f64) -> f64 {
    if good > bad {
        1.0
    } else if good < bad {
        0.0
    } else {
        0.5
    }
}

#[allow(clippy::cast_precision_loss)]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[allow(clippy::cast_precision_loss)]
fn sample_variance(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

proptest! {
    #[test]
    fn the_area_is_the_share_of_won_pairs(scored in scored()) {
        let (good, bad) = (of(&scored, true), of(&scored, false));
        let pairs: Vec<f64> = good.iter().flat_map(|g| bad.iter().map(|b| wins(*g, *b))).collect();
        match auc(scored.iter().copied()) {
            Ok(area) => prop_assert!((area - mean(&pairs)).abs() < 1e-12),
            Err(_) => prop_assert!(pairs.is_empty()),
        }
    }

    #[test]
    fn only_the_order_counts(scored in scored()) {
        let moved = |score: f64| if score.is_finite() { score.mul_add(3.0, -7.0).atan() } else { score };
        let area = auc(scored.iter().copied());
        prop_assert_eq!(area, auc(scored.iter().map(|(score, label)| (moved(*score), *label))));
    }

    #[test]
    fn turned_labels_or_turned_scores_turn_the_area(scored in scored()) {
        let Ok(area) = auc(scored.iter().copied()) else { return Ok(()) };
        let labels = auc(scored.iter().map(|(score, label)| (*score, !label))).unwrap();
        let scores = auc(scored.iter().map(|(score, label)| (-score, *label))).unwrap();
        prop_assert!((area + labels - 1.0).abs() < 1e-12 && (area + scores - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_standard_error_is_delongs(scored in scored()) {
        let sorted = Sorted::of(scored.iter().copied()).unwrap();
        let (good, bad) = (of(&scored, true), of(&scored, false));
        let Ok(found) = DeLong::of(sorted.ranked()) else {
            prop_assert!(good.len() < 2 || bad.len() < 2);
            return Ok(());
        };
        let beaten: Vec<f64> = good.iter().map(|g| mean(&bad.iter().map(|b| wins(*g, *b)).collect::<Vec<_>>())).collect();
        let by: Vec<f64> = bad.iter().map(|b| mean(&good.iter().map(|g| wins(*g, *b)).collect::<Vec<_>>())).collect();
        #[allow(clippy::cast_precision_loss)]
        let variance = sample_variance(&beaten) / good.len() as f64 + sample_variance(&by) / bad.len() as f64;
        prop_assert!((found.standard_error - variance.sqrt()).abs() < 1e-12, "{:?} {}", found, variance.sqrt());
        prop_assert!((found.auc - mean(&beaten)).abs() < 1e-12);
    }

    #[test]
    fn a_part_is_ranked_like_its_scores_alone(scored in scored(), threshold in -0.5..1.5_f64) {
        let sorted = Sorted::of(scored.iter().copied()).unwrap();
        let part = scored.iter().copied().filter(|(score, _)| *score >= threshold);
        prop_assert_eq!(hansei_stats::ranking::area(sorted.ranked().at_least(threshold)), auc(part));
    }
}
