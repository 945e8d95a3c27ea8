//! The detectors of what was executed. They share one reading of the session.

use super::course::{Course, CourseDetector};
use super::{Findings, Situation};
use super::{failed_check, masked_check, passed_check, red_before, stale_check};

const DETECTORS: &[CourseDetector] = &[
    failed_check::detect,
    red_before::detect,
    stale_check::detect,
    masked_check::detect,
    passed_check::detect,
];

pub(super) fn detect(situation: &Situation<'_>, findings: &mut Findings) {
    let course = Course::of(situation);
    for detector in DETECTORS {
        detector(&course, findings);
    }
}
