//! Interleaved timing of several commands.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Something that can be run and timed.
pub struct Subject<'a> {
    /// Its name in the report.
    pub name: &'a str,
    /// One run.
    pub run: Box<dyn FnMut() -> Result<()> + 'a>,
}

impl<'a> Subject<'a> {
    /// A named thing to time.
    pub fn new(name: &'a str, run: impl FnMut() -> Result<()> + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Runs all subjects in turn, `rounds` times after a warm-up, and prints each median with its ratio to the first.
pub fn compare(title: &str, rounds: usize, subjects: &mut [Subject<'_>]) -> Result<()> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::with_capacity(rounds); subjects.len()];
    for round in 0..rounds + 3 {
        for (subject, times) in subjects.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (subject.run)()?;
            if round >= 3 {
                times.push(start.elapsed());
            }
        }
    }
    println!("{title}");
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for (subject, median) in subjects.iter().zip(&medians) {
        println!("  {:<52}{:>9.2} ms {:>7.2} x", subject.name, median * 1e3, median / medians[0]);
    }
    Ok(())
}

/// The middle one, in seconds.
pub fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}
