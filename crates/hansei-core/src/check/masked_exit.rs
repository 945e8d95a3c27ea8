//! Whether the exit code of a whole command line is a check's own.
//!
//! The line is run in thought, once a check, with every command free to succeed or fail. What can come out is a small set
//! of states: the line's code and what became of the check. The code is the check's own when zero always goes with
//! success and anything else with failure.

use super::line_state::{State, Watched, alive, succeeded, unique};
use super::shell_line::{Command, Depth, Item, Link, List, Pipeline, Simple};
use super::step::{Code, Step};

/// How many steps in thought a whole line may take, for all of its checks together. A loop is gone through twice, so loops
/// in loops double with each; what people write takes a few hundred.
pub(super) const STEPS: usize = 20_000;

/// What the exit code of the line tells about one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// Zero means that the check passed.
    pub(super) by_zero: bool,
    /// Anything else means that the check failed.
    pub(super) by_non_zero: bool,
    /// The line prints the check's own code after this text.
    pub(super) printed_after: Option<String>,
    /// The line prints a code after this text that is zero only where the check passed.
    pub(super) zero_after: Option<String>,
}

/// What the exit code of `line` tells about the check numbered `check`, in at most `steps` steps, which are taken off. None
/// when they do not suffice.
pub(super) fn told(line: &List, check: usize, steps: &mut usize) -> Option<Told> {
    let mut shell = Shell { check, steps: *steps, ..Shell::default() };
    let ends = shell.list(line, &[State::START]);
    *steps = shell.steps;
    if *steps == 0 {
        return None;
    }
    let all = |failed: bool, watched: Watched| {
        ends.iter().filter(|end| end.failed == failed).all(|end| end.watched == watched)
    };
    Some(Told {
        by_zero: all(false, Watched::Passed),
        by_non_zero: all(true, Watched::Failed),
        printed_after: shell.printed_after,
        zero_after: shell.zero_after,
    })
}

#[derive(Debug, Clone, Default)]
struct Shell {
    check: usize,
    /// How many steps are left.
    steps: usize,
    errexit: bool,
    pipefail: bool,
    /// The code of a condition ends no script under `set -e`.
    conditions: usize,
    kept_as: String,
    printed_after: Option<String>,
    zero_after: Option<String>,
}

impl Shell {
    fn list(&mut self, list: &List, states: &[State]) -> Vec<State> {
        let mut states = states.to_vec();
        for item in &list.0 {
            if list.1 == Depth::TooDeep {
                self.steps = 0;
            }
            if self.steps == 0 {
                break;
            }
            states = alive(&states, |running| self.item(item, running));
        }
        states
    }

    fn item(&mut self, item: &Item, states: &[State]) -> Vec<State> {
        if item.background {
            let mut inside = self.inside(|shell| shell.chain(&item.chain, states));
            for state in &mut inside {
                state.failed = false;
            }
            return unique(inside);
        }
        self.chain(&item.chain, states)
    }

    fn chain(&mut self, chain: &[(Link, Pipeline)], states: &[State]) -> Vec<State> {
        let mut states = states.to_vec();
        for (number, (link, pipeline)) in chain.iter().enumerate() {
            let last = number + 1 == chain.len();
            states = alive(&states, |running| {
                let (run, skip): (Vec<_>, Vec<_>) = running.iter().partition(|state| match link {
                    Link::First => true,
                    Link::And => !state.failed,
                    Link::Or => state.failed,
                });
                self.conditions += usize::from(!last || pipeline.negated);
                let mut after = self.pipeline(pipeline, &run);
                self.conditions -= usize::from(!last || pipeline.negated);
                if last && self.errexit && self.conditions == 0 && !pipeline.negated {
                    for state in &mut after {
                        state.exited |= state.failed;
                    }
                }
                after.extend(skip);
                after
            });
        }
        states
    }

    fn pipeline(&mut self, pipeline: &Pipeline, states: &[State]) -> Vec<State> {
        let mut after = if let [only] = pipeline.stages.as_slice() {
            let mut after = self.command(only, states);
            for state in &mut after {
                if !state.exited {
                    state.first_of_pipe_failed = state.failed;
                }
            }
            after
        } else {
            self.piped(&pipeline.stages, states)
        };
        if pipeline.negated {
            for state in after.iter_mut().filter(|state| !state.exited) {
                state.failed = !state.failed;
            }
        }
        unique(after)
    }

    fn piped(&mut self, commands: &[Command], states: &[State]) -> Vec<State> {
        // Each state with the codes of the first stage and of the worst so far.
        let mut open: Vec<(State, bool, bool)> = states.iter().map(|state| (*state, false, false)).collect();
        for (number, stage) in commands.iter().enumerate() {
            let mut next = Vec::new();
            for (state, first, worst) in open {
                for after in self.inside(|shell| shell.command(stage, &[state])) {
                    let first = if number == 0 { after.failed } else { first };
                    next.push((after, first, worst || after.failed));
                    // Whoever writes into a pipe that nobody reads any more is killed: with `pipefail` that shows.
                    if stops_reading(stage) && number > 0 {
                        next.push((after, first, true));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            open = next;
        }
        open.into_iter()
            .map(|(state, first, worst)| State {
                failed: if self.pipefail { worst } else { state.failed },
                first_of_pipe_failed: first,
                ..state
            })
            .collect()
    }

    fn command(&mut self, command: &Command, states: &[State]) -> Vec<State> {
        self.steps = self.steps.saturating_sub(1 + states.len());
        match command {
            Command::Simple(simple) => self.simple(simple, states),
            Command::Subshell(list) => self.inside(|shell| shell.list(list, states)),
            Command::Group(list) => self.list(list, states),
            Command::If(arms, otherwise) => self.branches(arms, otherwise.as_ref(), states),
            Command::Loop(condition, body) => self.rounds(condition.as_ref(), body, states),
            Command::Case(bodies) => {
                let mut after = succeeded(states);
                for body in bodies {
                    after.extend(self.list(body, states));
                }
                unique(after)
            }
            Command::Function(_) => succeeded(states),
        }
    }

    fn branches(&mut self, arms: &[(List, List)], otherwise: Option<&List>, states: &[State]) -> Vec<State> {
        let mut undecided = states.to_vec();
        let mut after = Vec::new();
        for (condition, body) in arms {
            self.conditions += 1;
            let tried = self.list(condition, &undecided);
            self.conditions -= 1;
            let (gone, tried): (Vec<State>, Vec<State>) = tried.into_iter().partition(|state| state.exited);
            let (no, yes): (Vec<State>, Vec<State>) = tried.into_iter().partition(|state| state.failed);
            after.extend(gone);
            after.extend(self.list(body, &yes));
            undecided = no;
        }
        after.extend(match otherwise {
            Some(body) => self.list(body, &undecided),
            None => succeeded(&undecided),
        });
        unique(after)
    }

    fn rounds(&mut self, condition: Option<&List>, body: &List, states: &[State]) -> Vec<State> {
        let mut after = succeeded(states);
        let mut round = states.to_vec();
        // Twice shows all that any number of rounds can: a check that failed once and passed later counts as failed.
        for _ in 0..2 {
            if let Some(condition) = condition {
                self.conditions += 1;
                round = self.list(condition, &round);
                self.conditions -= 1;
                after.extend(succeeded(&round));
            }
            round = self.list(body, &round);
            after.extend(&round);
        }
        unique(after)
    }

    fn simple(&mut self, simple: &Simple, states: &[State]) -> Vec<State> {
        let mut states = states.to_vec();
        for substitution in &simple.substitutions {
            states = self.inside(|shell| shell.list(substitution, &states));
        }
        let each = |change: &dyn Fn(State) -> State| states.iter().map(|state| change(*state)).collect();
        match &simple.step {
            Step::Check(number) if *number == self.check => {
                let ran = |state: &State, failed: bool| State {
                    failed,
                    watched: if failed { Watched::Failed } else { state.watched.max(Watched::Passed) },
                    ..*state
                };
                states.iter().flat_map(|state| [ran(state, false), ran(state, true)]).collect()
            }
            Step::Any | Step::Check(_) => states
                .iter()
                .flat_map(|state| [false, true].map(|failed| State { failed, ..*state }))
                .collect(),
            Step::Assigns if !simple.substitutions.is_empty() => states,
            Step::Succeeds | Step::Assigns => succeeded(&states),
            Step::Fails => each(&|state| State { failed: true, ..state }),
            Step::Options { errexit, pipefail } => {
                self.errexit = errexit.unwrap_or(self.errexit);
                self.pipefail = pipefail.unwrap_or(self.pipefail);
                succeeded(&states)
            }
            Step::Keeps(code, name) => {
                let kept = states
                    .iter()
                    .flat_map(|state| {
                        self.values(code, *state).into_iter().map(|kept| State {
                            kept: Some(kept),
                            failed: false,
                            ..*state
                        })
                    })
                    .collect();
                self.kept_as.clone_from(name);
                kept
            }
            Step::Exits(code) => {
                self.with_code(code, &states, |state, failed| State { failed, exited: true, ..state })
            }
            Step::Compares(code, zero) => {
                self.with_code(code, &states, |state, failed| State { failed: failed == *zero, ..state })
            }
            Step::Prints(code, before) => {
                let own = states.iter().all(|state| {
                    let expected = state.watched == Watched::Failed;
                    state.watched != Watched::NotRun && self.values(code, *state) == [expected]
                });
                let zero = |state: &State| self.values(code, *state).contains(&false);
                let passed = states.iter().all(|state| !zero(state) || state.watched == Watched::Passed);
                if own && !states.is_empty() {
                    self.printed_after = Some(before.clone());
                } else if passed && !states.is_empty() {
                    self.zero_after = Some(before.clone());
                }
                succeeded(&states)
            }
            Step::Script(list) => self.inside(|shell| shell.list(list, &states)),
            Step::Swallows(list) => {
                let inside = self.inside(|shell| shell.list(list, &states));
                inside
                    .iter()
                    .flat_map(|state| [false, true].map(|failed| State { failed, ..*state }))
                    .collect()
            }
        }
    }

    /// The values that `code` can have in `state`.
    fn values(&self, code: &Code, state: State) -> Vec<bool> {
        match code {
            Code::Zero => vec![false],
            Code::NonZero => vec![true],
            Code::Last => vec![state.failed],
            Code::FirstOfPipe => vec![state.first_of_pipe_failed],
            Code::Kept(name) if *name == self.kept_as => {
                state.kept.map_or_else(|| vec![false, true], |kept| vec![kept])
            }
            Code::Kept(_) => vec![false, true],
        }
    }

    fn with_code(&self, code: &Code, states: &[State], change: impl Fn(State, bool) -> State) -> Vec<State> {
        states
            .iter()
            .flat_map(|state| self.values(code, *state).into_iter().map(|value| change(*state, value)))
            .collect()
    }

    /// What runs in a process of its own: its options and its `exit` stay there.
    fn inside(&mut self, run: impl FnOnce(&mut Self) -> Vec<State>) -> Vec<State> {
        let (errexit, pipefail) = (self.errexit, self.pipefail);
        let mut states = run(self);
        (self.errexit, self.pipefail) = (errexit, pipefail);
        for state in &mut states {
            state.exited = false;
        }
        unique(states)
    }
}

fn stops_reading(stage: &Command) -> bool {
    matches!(stage, Command::Simple(simple) if simple.words.first().is_some_and(|word| word.text == "head"))
}
