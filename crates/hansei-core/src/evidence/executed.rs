//! The detectors of what was executed, and of loops. They share one reading of the session.

use super::course::{Course, CourseDetector};
use super::{Findings, Situation};
use super::{
    background, bypassed_gate, committed_secret, demanded_check, failed_check, forbidden_act,
    forbidden_by_request, loops, lost_data, masked_check, passed_check, red_before, stale_check, tool_error,
    weakened_tests,
};

const DETECTORS: &[CourseDetector] = &[
    failed_check::detect,
    red_before::detect,
    stale_check::detect,
    masked_check::detect,
    passed_check::detect,
    demanded_check::detect,
    forbidden_act::detect,
    committed_secret::detect,
    forbidden_by_request::detect,
    lost_data::detect,
    weakened_tests::detect,
    bypassed_gate::detect,
    tool_error::detect,
    background::detect,
];

pub(super) fn detect(situation: &Situation<'_>, findings: &mut Findings) {
    let course = Course::of(situation);
    for detector in DETECTORS.iter().chain(loops::DETECTORS) {
        detector(&course, findings);
    }
}
