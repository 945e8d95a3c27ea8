//! Everything through the front door: the built program, real git, real files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod action;
mod capture;
mod concurrency;
mod doctor;
mod evals;
mod hostile;
mod install;
mod invariants;
mod judge;
mod judge_model;
mod likelihood;
mod look;
mod lookback;
mod model_server;
mod night;
mod notices;
mod nudge;
mod own_cases;
mod plugin;
mod redact;
mod reports;
mod risk;
mod schemas;
mod self_report;
mod sessions;
mod stop;
mod stuck;
mod support;
mod watch;
