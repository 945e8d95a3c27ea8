//! Proportions and their intervals, paired tests, ranking and calibration.
//!
//! Arithmetic only: nothing here reads, prints or knows what the numbers are about.

pub mod calibration;
pub mod normal;
pub mod paired;
pub mod power;
pub mod proportion;
pub mod ranking;
pub mod risk_coverage;
pub mod scores;
pub mod undefined;

/// A count as a number to divide by.
#[allow(clippy::cast_precision_loss, reason = "exact up to 2^53, which nobody counts")]
fn number(count: u64) -> f64 {
    count as f64
}
