//! Reads the payload from standard input, within a size and a time.

use std::io::Read;
use std::time::{Duration, Instant};

/// The largest payload that is parsed: our plugin sends whole sessions, which it keeps below this.
pub(crate) const LARGEST: usize = 16 * 1024 * 1024;

/// How long an agent may take to close its end when nothing is read from it.
const DRAIN: Duration = Duration::from_secs(1);

/// What came in.
#[derive(Debug)]
pub(crate) enum Input {
    /// Everything, or what had come by the deadline.
    Whole(Vec<u8>),
    /// More than [`LARGEST`]; the rest was drained unread.
    TooLarge,
}

/// Reads standard input until its end or `deadline`.
pub(crate) fn read(deadline: Instant) -> Input {
    let mut kept = Vec::new();
    let mut too_large = false;
    each_chunk(deadline, |chunk| {
        if kept.len() + chunk.len() <= LARGEST {
            kept.extend_from_slice(chunk);
        } else {
            too_large = true;
        }
    });
    if too_large { Input::TooLarge } else { Input::Whole(kept) }
}

/// Reads standard input away, so that the writer's pipe does not break.
pub fn drain() {
    each_chunk(Instant::now() + DRAIN, |_| ());
}

fn each_chunk(deadline: Instant, mut take: impl FnMut(&[u8])) {
    let mut stdin = std::io::stdin().lock();
    let mut buffer = [0; 16 * 1024];
    while ready(&stdin, deadline) {
        match stdin.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => take(&buffer[..count]),
        }
    }
}

/// Waits until there is something to read (or the end), at most until `deadline`. A terminal has nothing to say.
#[cfg(unix)]
fn ready(stdin: &std::io::StdinLock<'_>, deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = rustix::event::Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(1),
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    !rustix::termios::isatty(stdin)
        && poll(&mut [PollFd::new(stdin, PollFlags::IN)], Some(&timeout)).unwrap_or(0) > 0
}

#[cfg(not(unix))]
fn ready(_: &std::io::StdinLock<'_>, deadline: Instant) -> bool {
    use std::io::IsTerminal as _;
    !std::io::stdin().is_terminal() && Instant::now() < deadline
}
