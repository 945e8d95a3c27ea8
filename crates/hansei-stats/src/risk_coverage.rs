//! What goes wrong if only the most confident are relied on: the share of errors among them, by how many they are.

use crate::number;
use crate::scores::Ranked;
use crate::undefined::Undefined;

/// Relying on every score from `score` on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The lowest score that is relied on.
    pub score: f64,
    /// The share that is relied on.
    pub coverage: f64,
    /// The share of errors among those.
    pub risk: f64,
}

/// The curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its area: the mean risk over all coverages. Within a tie, which has no order, its errors are spread evenly.
    pub area: f64,
    /// Its points from the least coverage to all. A tie is relied on as a whole, so there is none within one.
    pub points: Vec<Point>,
}

/// The curve of `ranked`, with about `most` points: all of them where there are no more, else one for each step of
/// coverage of that size, and always both ends.
pub fn curve(ranked: Ranked<'_>, most: u32) -> Result<Curve, Undefined> {
    let all = ranked.count();
    if all == 0 {
        return Err(Undefined::Empty);
    }
    let step = number(all) / f64::from(most.max(1));
    let (mut relied, mut errors) = (all, ranked.negatives());
    let mut risks = 0.0;
    let mut points: Vec<Point> = Vec::new();
    let mut next = number(all);
    for tie in ranked.ties() {
        let last = tie.count() == relied;
        if number(relied) <= next || last {
            let risk = number(errors) / number(relied);
            points.push(Point { score: tie.score, coverage: number(relied) / number(all), risk });
            next = number(relied) - step;
        }
        relied -= tie.count();
        errors -= tie.negatives;
        let rate = number(tie.negatives) / number(tie.count());
        risks += (1..=tie.count())
            .map(|place| (number(errors) + number(place) * rate) / number(relied + place))
            .sum::<f64>();
    }
    points.reverse();
    Ok(Curve { area: risks / number(all), points })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Sorted;

    #[test]
    fn errors_among_the_most_confident() {
        let sorted = Sorted::of([(0.9, true), (0.8, false), (0.8, true), (0.1, false)]).unwrap();
        let curve = curve(sorted.ranked(), 100).unwrap();
        let points: Vec<(f64, f64, f64)> =
            curve.points.iter().map(|point| (point.score, point.coverage, point.risk)).collect();
        assert_eq!(points, [(0.9, 0.25, 0.0), (0.8, 0.75, 1.0 / 3.0), (0.1, 1.0, 0.5)]);
        // Half an error after two, one after three, two after four.
        assert!((curve.area - (0.0 + 0.25 + 1.0 / 3.0 + 0.5) / 4.0).abs() < 1e-15, "{curve:?}");
    }

    #[test]
    fn a_constant_score_relies_on_all_or_nothing() {
        let sorted = Sorted::of((0..10).map(|i| (0.9, i < 7))).unwrap();
        let curve = curve(sorted.ranked(), 5).unwrap();
        assert_eq!(curve.points.len(), 1);
        assert!((curve.area - 0.3).abs() < 1e-12);
        assert_eq!(super::curve(Sorted::default().ranked(), 5), Err(Undefined::Empty));
    }

    #[test]
    fn many_scores_make_few_points() {
        let sorted = Sorted::of((0..10_000).map(|i| (f64::from(i), i % 3 > 0))).unwrap();
        let curve = curve(sorted.ranked(), 100).unwrap();
        assert!((100..=102).contains(&curve.points.len()), "{}", curve.points.len());
        let coverages: Vec<f64> = curve.points.iter().map(|point| point.coverage).collect();
        assert!(coverages.is_sorted() && coverages[0] <= 1e-4 && coverages.last() == Some(&1.0));
    }
}
