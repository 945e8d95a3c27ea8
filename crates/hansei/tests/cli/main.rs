//! Everything through the front door: the built program, real git, real files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod action;
mod capture;
mod concurrency;
mod doctor;
mod evals;
mod experiment_board_history;
mod experiment_calibration;
mod experiment_git_history;
mod gate;
mod hostile;
mod index;
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
mod outcome;
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
