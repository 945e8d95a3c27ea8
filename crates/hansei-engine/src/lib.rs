//! Carries out what an agent or a run asks for. What should be done is decided in `hansei-core`; files and programs are
//! reached through `hansei-workspace` alone.

pub mod acp;
pub mod rescue;
pub mod run;
pub mod tool;
pub mod verification;
