//! Runs told as tables: what the model says and what the checks say, and how the run goes.

mod endings;
mod ladder;
mod properties;
mod resuming;
mod reviews;
mod told;
