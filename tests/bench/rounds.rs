//! Candidates that take turns.

use std::time::{Duration, Instant};

const ROUNDS: usize = 41;
const ROUND: Duration = Duration::from_millis(30);

/// One of those compared.
pub(crate) struct Candidate<'c> {
    name: &'static str,
    work: Box<dyn FnMut() + 'c>,
}

impl<'c> Candidate<'c> {
    /// Work that handles every item once.
    pub(crate) fn new(name: &'static str, work: impl FnMut() + 'c) -> Self {
        Self { name, work: Box::new(work) }
    }
}

/// Prints the median time an item, and how it stands to the first candidate's.
pub(crate) fn report(title: &str, items: usize, mut candidates: Vec<Candidate<'_>>) {
    let repeats: Vec<u32> = candidates
        .iter_mut()
        .map(|candidate| {
            let start = Instant::now();
            let mut done = 0;
            while start.elapsed() < ROUND {
                (candidate.work)();
                done += 1;
            }
            done
        })
        .collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(ROUNDS); candidates.len()];
    for _ in 0..ROUNDS {
        for ((candidate, repeats), times) in candidates.iter_mut().zip(&repeats).zip(&mut times) {
            let start = Instant::now();
            for _ in 0..*repeats {
                (candidate.work)();
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(*repeats) / items as f64);
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let medians: Vec<f64> = times.iter_mut().map(median).collect();
    println!("  {title}");
    for (candidate, time) in candidates.iter().zip(&medians) {
        println!("    {:<50} {:>9.1} ns   {:>6.2} x", candidate.name, time * 1e9, time / medians[0]);
    }
    println!();
}
