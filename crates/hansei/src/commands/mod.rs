//! One file a command.

pub mod completions;
pub mod config;
pub mod demo;
mod demo_stop;
pub mod doctor;
mod doctor_judge;
pub mod export;
pub mod hook;
pub mod init;
pub mod install;
pub mod judge;
pub mod log;
pub mod lookback;
pub mod model_server;
pub mod off;
pub mod on;
pub mod redact;
pub mod review;
pub mod risk;
pub mod schema;
pub mod self_report;
pub mod session_page;
pub mod sessions;
pub mod show;
pub mod switch;
pub mod uninstall;
pub mod wrong;
