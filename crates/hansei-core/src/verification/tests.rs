//! Tables of workspaces and what is run in them, and of results and what they mean.

mod admissions;
mod plans;
mod results;
