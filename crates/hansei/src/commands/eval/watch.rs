//! A run while it is under way: a line of progress on a terminal, and results that a Ctrl-C does not lose.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use hansei_eval::result::CaseResult;
use hansei_model_server::TerminationSignals;
use hansei_record::eval_results;
use hansei_workspace::bounded_process;

use super::record;

/// Whether a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It did.
    Complete,
    /// The user ended it.
    Interrupted,
}

/// What is done so far.
pub struct Watch {
    done: Arc<Mutex<Vec<CaseResult>>>,
    all: usize,
    terminal: bool,
}

impl Watch {
    /// Watches a run of `all` answers, whose results belong into `beside`.
    pub fn start(all: usize, beside: PathBuf, started: Instant) -> Self {
        let done: Arc<Mutex<Vec<CaseResult>>> = Arc::default();
        // Without signals a Ctrl-C just ends the program, as it does everywhere else.
        if let Ok(signals) = TerminationSignals::listen() {
            let done = Arc::clone(&done);
            std::thread::spawn(move || {
                signals.wait();
                bounded_process::end_all();
                let results = done.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = record(&results, started.elapsed(), Ending::Interrupted)
                    .map_err(|_| ())
                    .and_then(|record| eval_results::write(&beside, &record).map_err(|_| ()));
                if let Ok(file) = kept {
                    anstream::eprintln!("\n{} of {all} results are in {}", results.len(), file.display());
                }
                std::process::exit(130);
            });
        }
        Self { done, all, terminal: std::io::stderr().is_terminal() }
    }

    /// One more is done.
    pub fn done(&self, result: &CaseResult) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.push(result.clone());
        if self.terminal {
            let failed = done.iter().filter(|result| !result.success()).count();
            let _ = write!(std::io::stderr(), "\r{} of {}, {failed} failed", done.len(), self.all);
        }
    }

    /// All are done.
    pub fn end(&self) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
