//! Ctrl-C and its kin, for commands that start others: what was started is ended, and what was put up is taken down.

use std::sync::atomic::{AtomicI32, Ordering};

use hansei_workspace::bounded_process;

static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The signals that ask a program to end.
const SIGNALS: [i32; 3] =
    [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];

/// From now on a signal that asks us to end ends us together with what we started: for commands that only look, and
/// leave nothing to be taken down.
pub fn end_with_what_runs() {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(SIGNALS) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            bounded_process::end_running();
            std::process::exit(128 + signal);
        }
    });
}

/// From now on a signal that asks us to end ends what we started instead, and is remembered.
pub fn end_what_runs() {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(SIGNALS) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // A second one of a kind means it: whoever waits for nothing that was started would not hear the first.
            if SIGNAL.swap(signal, Ordering::SeqCst) == signal {
                std::process::exit(128 + signal);
            }
            bounded_process::end_running();
        }
    });
}

/// The exit code that a signal asks for, if one came.
pub fn asked() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
    }
}
