//! What people read: folds over sessions and over our own events.

pub mod account;
pub mod digest;
pub mod lookback;
pub mod receipt;
pub mod receipt_markdown;
pub mod stats;
pub mod summary;
