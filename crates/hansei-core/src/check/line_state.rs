//! How far a command line has gone in thought: one state for each way in which it can have gone.

/// What became of the watched check so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Watched {
    NotRun,
    Passed,
    Failed,
}

/// One way in which the line can have gone so far. `true` stands for a code other than zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) failed: bool,
    pub(super) first_of_pipe_failed: bool,
    pub(super) kept: Option<bool>,
    pub(super) exited: bool,
    pub(super) watched: Watched,
}

impl State {
    /// Before the first command.
    pub(super) const START: Self = Self {
        failed: false,
        first_of_pipe_failed: false,
        kept: None,
        exited: false,
        watched: Watched::NotRun,
    };
}

/// Runs the states that have not left the script.
pub(super) fn alive(states: &[State], run: impl FnOnce(&[State]) -> Vec<State>) -> Vec<State> {
    let (mut gone, running): (Vec<State>, Vec<State>) = states.iter().partition(|state| state.exited);
    gone.extend(run(&running));
    unique(gone)
}

/// The same with the code zero, but for those that have left the script.
pub(super) fn succeeded(states: &[State]) -> Vec<State> {
    states.iter().map(|state| State { failed: state.failed && state.exited, ..*state }).collect()
}

/// Each state once, so that their number stays bounded.
pub(super) fn unique(mut states: Vec<State>) -> Vec<State> {
    states.sort_unstable();
    states.dedup();
    states
}
