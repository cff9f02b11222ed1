//! What a partition needs of its peers, whether they are threads of this process or other processes.

use std::time::Instant;

use super::agreement::Halted;
use crate::engine::{ChannelPlan, Engine};
use crate::outcome::Fault;
use crate::time::{Duration, Time};

/// A peer is gone, so that this partition cannot go on. Which thread died is found out when all are
/// back; which process did is known at once.
#[derive(Debug)]
pub(crate) struct Bereft(pub Option<Fault>);

/// What peers say before a round.
pub(crate) struct Prospect {
    /// The earliest instant at which something could still arrive, and from whom.
    pub bound: Time,
    pub awaited: usize,
    /// Whether something has arrived since the last look.
    pub arrived: bool,
}

/// The others of a stretch. The order of calls in a round: look, send, promise, commit, wait.
pub(crate) trait Peers {
    /// Rounds without an event of its own after which a partition says that it is idle.
    const PATIENCE: u32;

    /// The stretch ends before this instant; a halt anywhere brings it forward.
    fn end(&self) -> Time;

    /// Reads what the others promise, and then takes in what has arrived.
    fn look(&mut self, engine: &mut Engine) -> Result<Prospect, Bereft>;

    /// Sends what has to go to other partitions, as far as there is room.
    fn send(&mut self, engine: &mut Engine) -> Result<(), Bereft>;

    /// Tells each receiver what it can rely on.
    fn promise(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft>;

    /// Says what this partition will not take back: nothing arrives here before `bound`.
    fn commit(&mut self, engine: &mut Engine, bound: Time);

    /// Waits until the others promise more than `bound`, or something else has changed.
    fn wait(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft>;

    /// The least latency of anything that is sent from here.
    fn least_outgoing(&self) -> Duration;

    /// Says that nothing happens here before `next`, unless something arrives.
    fn register(&mut self, next: Time);

    /// Takes back what was registered: something happens here.
    fn deregister(&mut self);

    /// Whether all are to meet in order to pause.
    fn is_to_pause(&self) -> bool;

    /// Whether the stretch has an end on the wall: then this partition says now and then what time it is.
    fn is_timed(&self) -> bool {
        false
    }

    /// What time it is.
    fn look_at(&self, _clock: Instant) {}

    /// Waits until all have stopped, and agrees on the latest position as the place to pause.
    fn meet(&mut self, engine: &mut Engine, position: Time) -> Result<Option<Time>, Bereft>;

    /// Ends the stretch for all just after the halt. Others need what was sent before it to get as
    /// far themselves.
    fn halt(&mut self, engine: &mut Engine, halted: Halted) -> Result<(), Bereft>;

    /// There is nothing more to be had from this stretch.
    fn abort(&mut self, bereft: Bereft);

    /// As if this partition had vanished: its ends break off without a word. For tests.
    fn vanish(&mut self, engine: &mut Engine);

    /// This partition is through. Others may still send what arrives after the end, so this stays
    /// until all are.
    fn finish(&mut self, engine: &mut Engine) -> Result<(), Bereft>;
}

/// What a partition knows of its own future when it promises.
pub(crate) struct Outlook {
    own: Time,
    bound: Time,
    floor: Time,
    acted: Time,
}

impl Outlook {
    pub fn new(engine: &mut Engine, bound: Time) -> Self {
        let own = engine.floor();
        let floor = own.min(bound);
        Outlook { own, bound, floor, acted: engine.next_unforeseen(floor) }
    }

    /// The earliest arrival of anything that is still to be sent through a channel.
    pub fn earliest(&self, engine: &Engine, plan: &ChannelPlan) -> Time {
        let mut earliest = plan.from_others.map_or(Time::NEVER, |latency| self.own + latency);
        if let Some(latency) = plan.through {
            earliest = earliest.min(self.bound + latency);
        }
        for (&ticker, &latency) in &plan.from_tickers {
            let tick = engine.calendar.next_tick(ticker as usize);
            earliest = earliest.min(tick.min(self.acted).max(self.floor) + latency);
        }
        earliest
    }
}

/// The least latency of a channel.
pub(crate) fn least_latency(plan: &ChannelPlan) -> Duration {
    let latencies = plan.from_tickers.values().chain(&plan.from_others);
    latencies.copied().min().unwrap_or(Duration::ZERO)
}
