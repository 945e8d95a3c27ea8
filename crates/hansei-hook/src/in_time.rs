//! Work that may not end in time, done beside the call: who waits goes on without it, and it ends with the process.

use std::sync::mpsc;
use std::time::Duration;

/// As much as a program's first thread has: sessions nest as deep as anybody likes.
const STACK: usize = 16 * 1024 * 1024;

/// What `work` gives, if it does so within `patience`. Where no time is left, nothing is begun.
pub(crate) fn within<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if patience.is_zero() {
        return None;
    }
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody may be waiting any more.
        let _ = sender.send(work());
    });
    worker.ok()?;
    receiver.recv_timeout(patience).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_longer_than_is_good() {
        assert_eq!(within(Duration::from_mins(1), || 7), Some(7));
        let forever = || std::thread::sleep(Duration::from_mins(10));
        assert_eq!(within(Duration::from_millis(5), forever), None);
        assert_eq!(within(Duration::ZERO, || 7), None);
    }
}
