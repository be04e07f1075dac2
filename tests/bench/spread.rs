//! Times of many like things, as a spread.

use std::time::Duration;

/// Collected times.
#[derive(Default)]
pub(crate) struct Spread {
    times: Vec<Duration>,
    took: Duration,
}

impl Spread {
    pub(crate) fn add(&mut self, times: Vec<Duration>) {
        self.times.extend(times);
    }

    /// Adds to the time in which all of them were done.
    pub(crate) fn took(&mut self, time: Duration) {
        self.took += time;
    }

    /// How many a second.
    pub(crate) fn rate(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }

    pub(crate) fn print(&mut self, name: &str) {
        self.times.sort_unstable();
        let at = |share: f64| {
            let place = ((self.times.len() as f64 * share) as usize).min(self.times.len() - 1);
            self.times[place].as_secs_f64() * 1e3
        };
        println!(
            "    {name:<44} {:>8.0} /s   p50 {:>8.2} ms   p99 {:>8.2} ms   max {:>8.2} ms",
            self.rate(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
