//! Proportions and their intervals, paired tests, ranking and calibration.
//!
//! Arithmetic only: nothing here reads, prints or knows what the numbers are about.

pub mod calibration;
pub mod paired;
pub mod proportion;
pub mod ranking;
