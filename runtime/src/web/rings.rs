//! `/api/calls/{invite}/rings` and `/api/rings`: each ring of a call, from due to arrived, how even they were, and whether the
//! chosen interval works.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::Id;
use crate::clock::rfc3339;
use crate::ids::InviteId;
use crate::store::{Arrival, Device, RangCall, Rings, SentRing};

/// One ring at one device. What has not happened, or is not known, is null.
#[derive(Debug, Default, Serialize)]
struct RingView {
    sequence: u32,
    due_at_ms: Option<i64>,
    /// When it was handed to the connection.
    sent_at_ms: Option<i64>,
    /// When the push service had answered, or was given up.
    answered_at_ms: Option<i64>,
    outcome: Option<&'static str>,
    /// What the push service answered.
    status: Option<u16>,
    /// When it arrived, by the device's clock.
    arrived_at_ms: Option<i64>,
    /// When the device's report of that came, by the server's.
    reported_at_ms: Option<i64>,
    worker: Option<String>,
    kind: Option<String>,
}

/// Times of many like things, in milliseconds.
#[derive(Debug, PartialEq, Serialize)]
struct Spread {
    count: usize,
    min_ms: i64,
    median_ms: i64,
    max_ms: i64,
    /// From the first quarter to the third: how far apart the middle half lies.
    spread_ms: i64,
}

impl Spread {
    fn of(times: impl Iterator<Item = i64>) -> Option<Self> {
        let mut times: Vec<i64> = times.collect();
        times.sort_unstable();
        let at = |share: usize| times.get((times.len() - 1) * share / 4).copied();
        let (&min_ms, &max_ms) = (times.first()?, times.last()?);
        Some(Self { count: times.len(), min_ms, median_ms: at(2)?, max_ms, spread_ms: at(3)? - at(1)? })
    }
}

/// How even the rings were. Null where there is nothing to tell it by.
#[derive(Debug, Serialize)]
struct Figures {
    sent_after_due: Option<Spread>,
    accepted_after_sent: Option<Spread>,
    /// By two clocks, the device's and the server's.
    arrived_after_due: Option<Spread>,
    /// By the server's clock alone, with the way of the report.
    reported_after_due: Option<Spread>,
    /// Between one arrival and the next, by the device's clock: what the person hears.
    between_arrivals: Option<Spread>,
}

#[derive(Debug, Serialize)]
struct DeviceView {
    device: String,
    /// Null once the device was revoked.
    name: Option<String>,
    rings: Vec<RingView>,
    figures: Figures,
}

#[derive(Debug, Serialize)]
pub(super) struct Told {
    invite: String,
    devices: Vec<DeviceView>,
    /// Over all devices.
    figures: Figures,
}

pub(super) async fn show(State(app): State<App>, who: Who, Id(invite): Id) -> Result<Json<Told>, ApiError> {
    let (store, invite) = (&app.gateway.store, InviteId::from_text(invite));
    if let Some(push) = &app.push {
        // What was answered a moment ago belongs to it.
        push.settled().await;
    }
    let rings = store.rings(who.person.clone(), invite.clone()).await?;
    if rings.sent.is_empty() && rings.arrived.is_empty() {
        return Err(ApiError::not_found("call that rang"));
    }
    let devices = store.devices(who.person).await?;
    Ok(Json(Told::new(&invite, &gather(rings), &devices)))
}

impl Told {
    fn new(invite: &InviteId, gathered: &Gathered, devices: &[Device]) -> Self {
        let view = |(device, rings): (&String, &Vec<RingView>)| DeviceView {
            device: device.clone(),
            name: devices.iter().find(|known| known.id.as_str() == device).map(|known| known.name.clone()),
            figures: Figures::of(std::iter::once(rings.as_slice())),
            rings: rings.iter().map(RingView::copy).collect(),
        };
        Self {
            invite: invite.to_string(),
            devices: gathered.iter().map(view).collect(),
            figures: Figures::of(gathered.values().map(Vec::as_slice)),
        }
    }
}

/// How many calls are told of.
const CALLS: i64 = 12;
/// How many gaps between arrivals there have to be before anything is said of them.
const FEW: usize = 4;

/// A call with its rings.
#[derive(Debug, Serialize)]
struct CallView {
    #[serde(flatten)]
    rings: Told,
    reason: String,
    state: &'static str,
    created_at: String,
    created_at_ms: i64,
    /// From one ring to the next, as it was set then.
    interval_ms: i64,
}

/// Whether the interval that is set now works: over the calls that rang with it.
#[derive(Debug, PartialEq, Serialize)]
struct Verdict {
    interval_ms: i64,
    /// How many rings the push services took.
    accepted: usize,
    /// How many of them a device reported.
    arrived: usize,
    between_arrivals: Option<Spread>,
    code: Code,
}

/// What is said of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Code {
    /// Nothing rang with it.
    None,
    /// Rings were taken, and none reported.
    Silent,
    /// Too few to say.
    Few,
    /// Some were swallowed on the way.
    Lost,
    /// They arrive unevenly.
    Uneven,
    /// It works.
    Works,
}

#[derive(Debug, Serialize)]
pub(super) struct All {
    verdict: Verdict,
    /// Newest first.
    calls: Vec<CallView>,
    now_ms: i64,
}

/// The last calls that rang on a device, and whether the interval works.
pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<All>, ApiError> {
    let store = &app.gateway.store;
    if let Some(push) = &app.push {
        push.settled().await;
    }
    let ways = app.gateway.ringer.ways(&who.person).await?;
    let devices = store.devices(who.person.clone()).await?;
    let (mut calls, mut same) = (Vec::new(), Vec::new());
    for RangCall { invite, reason, created_ms, interval_ms, state } in
        store.rang_calls(who.person.clone(), CALLS).await?
    {
        let gathered = gather(store.rings(who.person.clone(), invite.clone()).await?);
        calls.push(CallView {
            rings: Told::new(&invite, &gathered, &devices),
            reason,
            state: state.word(),
            created_at: rfc3339(created_ms),
            created_at_ms: created_ms,
            interval_ms,
        });
        if interval_ms == ways.interval_ms {
            same.extend(gathered.into_values());
        }
    }
    let verdict = Verdict::of(ways.interval_ms, &same);
    Ok(Json(All { verdict, calls, now_ms: app.gateway.clock.now_ms() }))
}

impl Verdict {
    /// `bursts` are the rings of each call at each device.
    fn of(interval_ms: i64, bursts: &[Vec<RingView>]) -> Self {
        let rings = || bursts.iter().flatten();
        let taken = |ring: &&RingView| ring.status.is_some_and(|status| (200..300).contains(&status));
        let accepted = rings().filter(taken).count();
        let arrived = rings().filter(taken).filter(|ring| ring.arrived_at_ms.is_some()).count();
        let between_arrivals = Figures::of(bursts.iter().map(Vec::as_slice)).between_arrivals;
        // A quarter of the interval is what a person does not hear.
        let even = |spread: &Spread| {
            let slack = interval_ms / 4;
            spread.spread_ms <= slack && (spread.median_ms - interval_ms).abs() <= slack
        };
        let code = match &between_arrivals {
            _ if accepted == 0 => Code::None,
            _ if arrived == 0 => Code::Silent,
            Some(spread) if spread.count >= FEW => match even(spread) {
                _ if arrived * 10 < accepted * 9 => Code::Lost,
                true => Code::Works,
                false => Code::Uneven,
            },
            _ => Code::Few,
        };
        Self { interval_ms, accepted, arrived, between_arrivals, code }
    }
}

/// The rings of each device, in order.
type Gathered = BTreeMap<String, Vec<RingView>>;

/// The rings of each device, in order, sent and arrived side by side.
fn gather(rings: Rings) -> Gathered {
    let mut devices: BTreeMap<String, BTreeMap<u32, RingView>> = BTreeMap::new();
    let mut place = |device: &str, sequence: u32, fill: &dyn Fn(&mut RingView)| {
        let view = devices.entry(device.to_owned()).or_default().entry(sequence).or_default();
        view.sequence = sequence;
        fill(view);
    };
    for SentRing { device, sequence, due_ms, sent_ms, answered_ms, outcome, status, .. } in &rings.sent {
        place(device.as_str(), *sequence, &|view| {
            view.due_at_ms = Some(*due_ms);
            view.sent_at_ms = *sent_ms;
            view.answered_at_ms = *answered_ms;
            view.outcome = Some(outcome.word());
            view.status = *status;
        });
    }
    for Arrival { device, sequence, worker, kind, arrived_ms, reported_ms, .. } in &rings.arrived {
        place(device.as_str(), *sequence, &|view| {
            view.arrived_at_ms = Some(*arrived_ms);
            view.reported_at_ms = Some(*reported_ms);
            view.worker = Some(worker.clone());
            view.kind = Some(kind.clone());
        });
    }
    devices.into_iter().map(|(device, rings)| (device, rings.into_values().collect())).collect()
}

impl RingView {
    fn copy(&self) -> Self {
        Self { worker: self.worker.clone(), kind: self.kind.clone(), ..*self }
    }
}

impl Figures {
    fn of<'r>(devices: impl Iterator<Item = &'r [RingView]>) -> Self {
        let devices: Vec<&[RingView]> = devices.collect();
        let all = || devices.iter().copied().flatten();
        let between = |from: fn(&RingView) -> Option<i64>, to: fn(&RingView) -> Option<i64>| {
            Spread::of(all().filter_map(|ring| Some(to(ring)? - from(ring)?)))
        };
        let accepted = |ring: &RingView| {
            ring.status.filter(|status| (200..300).contains(status)).and(ring.answered_at_ms)
        };
        let steps = devices.iter().flat_map(|rings| {
            let arrived: Vec<i64> = rings.iter().filter_map(|ring| ring.arrived_at_ms).collect();
            arrived.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).collect::<Vec<_>>()
        });
        Self {
            sent_after_due: between(|ring| ring.due_at_ms, |ring| ring.sent_at_ms),
            accepted_after_sent: between(|ring| ring.sent_at_ms, accepted),
            arrived_after_due: between(|ring| ring.due_at_ms, |ring| ring.arrived_at_ms),
            reported_after_due: between(|ring| ring.due_at_ms, |ring| ring.reported_at_ms),
            between_arrivals: Spread::of(steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_its_median_its_ends_and_its_middle_half() {
        assert_eq!(Spread::of(std::iter::empty()), None);
        let one = Spread { count: 1, min_ms: 7, median_ms: 7, max_ms: 7, spread_ms: 0 };
        assert_eq!(Spread::of([7].into_iter()), Some(one));
        let five = Spread { count: 5, min_ms: -1, median_ms: 3, max_ms: 90, spread_ms: 3 };
        assert_eq!(Spread::of([5, -1, 90, 2, 3].into_iter()), Some(five));
    }

    fn burst(arrivals: &[Option<i64>]) -> Vec<RingView> {
        let ring = |(sequence, arrived): (usize, &Option<i64>)| RingView {
            sequence: u32::try_from(sequence).unwrap(),
            status: Some(201),
            arrived_at_ms: *arrived,
            ..RingView::default()
        };
        arrivals.iter().enumerate().map(ring).collect()
    }

    #[test]
    fn an_interval_works_where_rings_arrive_whole_and_even() {
        let every = |ms: &[i64]| ms.iter().map(|ms| Some(*ms)).collect::<Vec<_>>();
        for (arrivals, code) in [
            (vec![], Code::None),
            (vec![None, None], Code::Silent),
            (every(&[0, 2000]), Code::Few),
            (every(&[0, 2010, 4080, 6020, 8100, 10_050]), Code::Works),
            (every(&[0, 2000, 6900, 7000, 8000, 12_000]), Code::Uneven),
            (every(&[0, 3700, 7400, 11_100, 14_800, 18_500]), Code::Uneven),
            ([every(&[0, 2000, 4000, 6000, 8000]), vec![None; 5]].concat(), Code::Lost),
        ] {
            let found = Verdict::of(2000, &[burst(&arrivals)]);
            assert_eq!(found.code, code, "{arrivals:?}: {found:?}");
        }
    }
}
