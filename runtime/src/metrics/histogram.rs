//! Observations in buckets.

use std::sync::atomic::{AtomicU64, Ordering};

/// How much finer than one the sum is kept.
const PARTS: f64 = 1e6;

/// A histogram with `N` upper bounds, the last bucket without one.
#[derive(Debug)]
pub struct Histogram<const N: usize> {
    bounds: [f64; N],
    /// How many stand in each bucket alone; those over every bound are in `over`.
    buckets: [AtomicU64; N],
    over: AtomicU64,
    /// In millionths.
    sum: AtomicU64,
}

impl<const N: usize> Histogram<N> {
    /// An empty histogram over ascending bounds.
    #[must_use]
    pub const fn new(bounds: [f64; N]) -> Self {
        Self {
            bounds,
            buckets: [const { AtomicU64::new(0) }; N],
            over: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }

    /// Counts a value, which is not negative.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float casts to the nearest"
    )]
    pub fn observe(&self, value: f64) {
        let bucket = self.bounds.iter().position(|bound| value <= *bound);
        bucket.map_or(&self.over, |place| &self.buckets[place]).fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add((value * PARTS) as u64, Ordering::Relaxed);
    }

    /// For each bound how many are at most it, then how many there are, then their sum.
    #[expect(clippy::cast_precision_loss, reason = "a sum for people")]
    pub(super) fn read(&self) -> (Vec<(f64, u64)>, u64, f64) {
        let mut upto = 0;
        let mut cumulative = Vec::with_capacity(N);
        for (bound, bucket) in self.bounds.iter().zip(&self.buckets) {
            upto += bucket.load(Ordering::Relaxed);
            cumulative.push((*bound, upto));
        }
        let count = upto + self.over.load(Ordering::Relaxed);
        (cumulative, count, self.sum.load(Ordering::Relaxed) as f64 / PARTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_under_their_bounds() {
        let histogram = Histogram::new([1.0, 2.0]);
        for value in [0.5, 1.0, 1.5, 2.5] {
            histogram.observe(value);
        }
        assert_eq!(histogram.read(), (vec![(1.0, 2), (2.0, 3)], 4, 5.5));
    }
}
