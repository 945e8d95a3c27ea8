//! Drawings: as SVG for a file, as block characters for a terminal. The same numbers give the same bytes.

pub mod bars;
pub mod blocks;
pub mod plane;
pub mod svg;
