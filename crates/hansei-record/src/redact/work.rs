//! Counts the bytes that readers visit, so that tests can tell linear from
//! square work without a clock. Outside of tests it does nothing.

#[cfg(test)]
thread_local! {
    static VISITED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that `bytes` bytes were visited.
#[inline]
pub fn visit(bytes: usize) {
    #[cfg(test)]
    VISITED.with(|v| v.set(v.get() + bytes));
    #[cfg(not(test))]
    let _ = bytes;
}

/// How many bytes were visited since the last reset.
#[cfg(test)]
pub fn visited() -> usize {
    VISITED.with(std::cell::Cell::get)
}

/// Starts to count anew.
#[cfg(test)]
pub fn reset() {
    VISITED.with(|v| v.set(0));
}
