//! Shell commands one after another in the same workspace: while one runs, the sandbox of the next is put up.

use std::sync::{Mutex, PoisonError};

use super::{Ended, Prepared, Refusal, Request, run};

/// At most one sandbox that waits for the next command, and those before it that are still being taken down.
///
/// The first command is run in the ordinary way: nobody knows yet that there will be more.
#[derive(Debug, Default)]
pub struct Ahead {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: Option<Next>,
    used: Vec<Prepared>,
}

#[derive(Debug)]
struct Next {
    /// What it was put up for.
    request: Request,
    prepared: Prepared,
}

impl Ahead {
    /// Runs a command, as [`run()`] does.
    pub fn run(&self, request: &Request) -> Result<Ended, Refusal> {
        let [bash, option, text] = request.command.as_slice() else { return run(request) };
        let Some(text) = text.to_str().filter(|_| bash == "bash" && option == "-c") else {
            return run(request);
        };
        let Some(mut taken) = self.take(request) else {
            let ended = run(request);
            self.prepare(request);
            return ended;
        };
        self.prepare(request);
        let ended = taken.run(text, request.limits.time);
        self.state().used.push(taken);
        // A long command outlives what was prepared beside it.
        if self.state().next.as_ref().is_some_and(|next| next.prepared.is_down()) {
            self.prepare(request);
        }
        ended
    }

    /// Takes down what waits. Whoever looks at the tree itself does so first: while a sandbox stands, empty folders stand
    /// in for missing names.
    pub fn rest(&self) {
        drop(std::mem::take(&mut *self.state()));
    }

    fn take(&self, request: &Request) -> Option<Prepared> {
        let next = self.state().next.take()?;
        next.request.differs_in_command_alone(request).then_some(next.prepared)
    }

    fn prepare(&self, request: &Request) {
        let mut state = self.state();
        state.used.retain(|used| !used.is_down());
        let prepared = Prepared::new(request);
        state.next = Some(Next { request: request.clone(), prepared });
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn commands_follow_each_other_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let ahead = Ahead::default();
        let call = |command: &str, mark: &str| {
            let mut request =
                Request::new(folder.path().into(), ["bash", "-c", command].map(Into::into).into());
            request.variables = vec![("MARK".into(), mark.into())];
            ahead.run(&request).unwrap().output.text()
        };
        let entries = || fs::read_dir(folder.path()).unwrap().count();
        for number in 0..4 {
            let command =
                "echo x >> kept; test -e /tmp/x && echo again; touch /tmp/x; wc -l < kept; echo $MARK";
            assert_eq!(call(command, "a"), format!("{}\na\n", number + 1));
        }
        assert_eq!(call("echo $MARK", "b"), "b\n", "another request has a sandbox of its own");
        ahead.rest();
        assert_eq!(entries(), 1, "whoever looks at the tree sees none of our folders");
        assert_eq!(call("echo last", "b"), "last\n");
        drop(ahead);
        assert_eq!(entries(), 1);
    }
}
