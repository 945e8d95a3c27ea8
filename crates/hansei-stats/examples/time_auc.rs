//! Times the AUC of arrays in memory, for `experiments/statistics/speed.py`: takes a file of 64-bit floats and one of
//! bytes, 0 or 1, and prints the area and the seconds that it took without reading them.

use std::error::Error;
use std::time::Instant;

use hansei_stats::ranking::auc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scores, labels] = arguments.as_slice() else { return Err("usage: time_auc SCORES LABELS".into()) };
    let bytes = std::fs::read(scores)?;
    let (chunks, _) = bytes.as_chunks();
    let scores: Vec<f64> = chunks.iter().map(|chunk| f64::from_ne_bytes(*chunk)).collect();
    let labels: Vec<bool> = std::fs::read(labels)?.iter().map(|byte| *byte == 1).collect();
    let start = Instant::now();
    let area = auc(scores.iter().copied().zip(labels.iter().copied()))?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{{\"auc\": {area}, \"seconds\": {seconds}}}");
    Ok(())
}
