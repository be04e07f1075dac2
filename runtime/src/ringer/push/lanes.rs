//! One push at a time to one device. A ring that is overtaken by the next one while it waits is dropped: late, it would
//! only be a second buzz in the same moment.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::ids::DeviceId;

#[derive(Debug, Default)]
pub(super) struct Lanes(Mutex<HashMap<DeviceId, Arc<Lane>>>);

#[derive(Debug, Default)]
struct Lane {
    /// Which ring came last.
    newest: AtomicU64,
    busy: Arc<tokio::sync::Mutex<()>>,
}

/// A ring's place in its lane.
pub(super) struct Place {
    lanes: Arc<Lanes>,
    device: DeviceId,
    lane: Arc<Lane>,
    number: u64,
}

impl Lanes {
    /// A place behind what is on its way to the device.
    pub(super) fn enter(self: &Arc<Self>, device: &DeviceId) -> Place {
        let mut lanes = self.lanes();
        let lane = Arc::clone(lanes.entry(device.clone()).or_default());
        // Counted while the map is held: a lane that nobody is in can go.
        let number = lane.newest.fetch_add(1, Ordering::SeqCst) + 1;
        Place { lanes: Arc::clone(self), device: device.clone(), lane, number }
    }

    fn lanes(&self) -> MutexGuard<'_, HashMap<DeviceId, Arc<Lane>>> {
        // The map is whole whatever panicked beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits until the device's last push is over; nothing where the ring was overtaken meanwhile.
    pub(super) async fn turn(&self) -> Option<OwnedMutexGuard<()>> {
        let turn = Arc::clone(&self.lane.busy).lock_owned().await;
        (!self.is_overtaken()).then_some(turn)
    }

    /// Whether another ring to the device has come since.
    pub(super) fn is_overtaken(&self) -> bool {
        self.lane.newest.load(Ordering::SeqCst) != self.number
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lanes = self.lanes.lanes();
        // The map's own and this one: nobody else is in it.
        if Arc::strong_count(&self.lane) == 2 {
            lanes.remove(&self.device);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_overtaken_is_dropped_and_what_is_last_goes() {
        let lanes = Arc::new(Lanes::default());
        let device = DeviceId::from_text("d");
        let first = lanes.enter(&device);
        let turn = first.turn().await.unwrap();
        let second = lanes.enter(&device);
        let third = lanes.enter(&device);
        let other = lanes.enter(&DeviceId::from_text("e"));
        assert!(other.turn().await.is_some(), "another device's lane is free");
        let (overtaken, last) = tokio::join!(second.turn(), async {
            drop(turn);
            third.turn().await
        });
        assert!(overtaken.is_none() && last.is_some());
        assert!(first.is_overtaken() && !third.is_overtaken());
        drop((first, second, other, last));
        assert_eq!(lanes.lanes().len(), 1);
        drop(third);
        assert!(lanes.lanes().is_empty());
    }
}
