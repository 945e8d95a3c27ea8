//! Shell commands one after another in the same workspace, in a sandbox that stands between them.

use std::sync::{Mutex, PoisonError};

#[cfg(not(target_os = "linux"))]
use super::elsewhere::Standing;
#[cfg(target_os = "linux")]
use super::standing::Standing;
use super::{Ended, Refusal, Request, run};

/// At most one sandbox that waits for the next command, and those before it that are still being taken down.
#[derive(Debug, Default)]
pub struct Ahead {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: Option<Next>,
    used: Vec<Standing>,
}

#[derive(Debug)]
struct Next {
    /// What it was put up for.
    request: Request,
    standing: Standing,
}

impl Ahead {
    /// Runs a command, as [`run()`] does.
    pub fn run(&self, request: &Request) -> Result<Ended, Refusal> {
        let [bash, option, text] = request.command.as_slice() else { return run(request) };
        let text = text.to_str().filter(|text| bash == "bash" && option == "-c" && !text.contains('\0'));
        let Some(text) = text else { return run(request) };
        let next = self.take(request).unwrap_or_else(|| {
            let standing = Standing::new(request);
            Next { request: request.clone(), standing }
        });
        let ended = next.standing.run(text, request.limits.time);
        self.keep(next);
        ended.unwrap_or_else(|| run(request))
    }

    /// Says that a command comes within moments.
    pub fn expect(&self) {
        if let Some(next) = &self.state().next {
            next.standing.expect();
        }
    }

    /// Takes down what waits. Whoever looks at the tree itself does so first: while a sandbox stands, empty folders stand
    /// in for missing names.
    pub fn rest(&self) {
        drop(std::mem::take(&mut *self.state()));
    }

    fn take(&self, request: &Request) -> Option<Next> {
        let serves =
            |next: &mut Next| next.request.differs_in_command_alone(request) && !next.standing.is_down();
        self.state().next.take_if(serves)
    }

    fn keep(&self, next: Next) {
        let mut state = self.state();
        state.used.retain(|used| !used.is_down());
        let before = state.next.replace(next);
        // Taking it down takes a while.
        state.used.extend(before.map(|mut before| {
            before.standing.send_away();
            before.standing
        }));
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
