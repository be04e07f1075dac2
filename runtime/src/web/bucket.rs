//! Token buckets, one a key, in bounded memory, without a clock of their own.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use super::limits::Rate;

/// How many keys are remembered: twice as many at most, one generation and the one before it.
const GENERATION: usize = 8192;

/// A bucket for each key. A bucket is one number: the moment at which it is full again. One whose key was not seen while
/// a whole generation of others was is forgotten, which fills it: who can send from so many addresses needs no waiting.
#[derive(Debug)]
pub(super) struct Buckets<K> {
    rate: Rate,
    generations: Mutex<Generations<K>>,
}

#[derive(Debug)]
struct Generations<K> {
    young: HashMap<K, i64>,
    old: HashMap<K, i64>,
}

impl<K: Eq + Hash> Buckets<K> {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, generations: Mutex::new(Generations { young: HashMap::new(), old: HashMap::new() }) }
    }

    /// Takes one from the key's bucket; where it is empty, says in how many milliseconds it is not.
    pub(super) fn take(&self, key: K, now_ms: i64) -> Result<(), i64> {
        let full = self.rate.every_ms.saturating_mul(i64::from(self.rate.burst));
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let known = generations.young.get(&key).or_else(|| generations.old.get(&key)).copied();
        // A clock that was set back must not shut anybody out for longer than a whole bucket.
        let full_at = known.unwrap_or(now_ms).clamp(now_ms, now_ms.saturating_add(full));
        let after = full_at.saturating_add(self.rate.every_ms);
        let wait = after - now_ms - full;
        if wait > 0 {
            return Err(wait);
        }
        if generations.young.len() >= GENERATION && !generations.young.contains_key(&key) {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(key, after);
        Ok(())
    }

    #[cfg(test)]
    fn remembered(&self) -> usize {
        let generations = self.generations.lock().unwrap();
        generations.young.len() + generations.old.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RATE: Rate = Rate { burst: 3, every_ms: 1_000 };

    #[test]
    fn a_burst_and_then_one_each_so_often() {
        let buckets = Buckets::new(RATE);
        for _ in 0..3 {
            assert_eq!(buckets.take("a", 0), Ok(()));
        }
        assert_eq!(buckets.take("a", 0), Err(1_000));
        assert_eq!(buckets.take("a", 999), Err(1));
        assert_eq!(buckets.take("b", 0), Ok(()), "another key has a bucket of its own");
        assert_eq!(buckets.take("a", 1_000), Ok(()));
        assert_eq!(buckets.take("a", 1_000), Err(1_000));
        assert_eq!(buckets.take("a", -1_000_000), Err(1_000), "a clock set back shuts nobody out for long");
    }

    #[test]
    fn memory_is_bounded() {
        let buckets = Buckets::new(RATE);
        for key in 0..100_000 {
            assert_eq!(buckets.take(key, 0), Ok(()));
        }
        assert!(buckets.remembered() <= 2 * GENERATION);
    }

    proptest! {
        /// Whatever comes when: no more pass than the burst and one for each period that went by, and who waits as long
        /// as they were told passes.
        #[test]
        fn never_more_than_the_rate(steps in proptest::collection::vec(0..2_500_i64, 1..200)) {
            let buckets = Buckets::new(RATE);
            let (mut now, mut passed) = (0, 0);
            for step in steps {
                now += step;
                match buckets.take((), now) {
                    Ok(()) => passed += 1,
                    Err(wait) => {
                        prop_assert!(wait > 0 && wait <= RATE.every_ms);
                        now += wait;
                        prop_assert_eq!(buckets.take((), now), Ok(()));
                        passed += 1;
                    }
                }
                prop_assert!(passed <= i64::from(RATE.burst) + now / RATE.every_ms);
            }
        }
    }
}
