//! What people read: folds over sessions and over our own events.

pub mod claim;
pub mod lookback;
