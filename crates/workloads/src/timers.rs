//! N independent exponential timers: sparse activity, where an engine without an event queue pays
//! for every model at every event.
//!
//! Every timer starts at 0 and fires after each of its [`Increments`]. Because increments are
//! memoryless the population is in its steady state from the start, and because they are the same
//! for everyone, how often the timers fire in a span of time is known exactly beforehand.

use ironbird_kernel::{
    Atomic, Context, Duration, Graph, GraphError, Inputs, Model, Outputs, Ports, RandomStream,
};
use serde::{Deserialize, Serialize};

/// A population of timers and the span in which it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Timers {
    /// How many there are.
    pub count: u32,
    /// What runs before the measurement, from time 0, in nanoseconds.
    pub warm_up_ns: u64,
    /// What is measured, in nanoseconds; each timer fires once in 1,000,000 of them on average.
    pub measured_ns: u64,
}

impl Timers {
    /// A population that fires about `warm_up` times before the measurement and `measured` times
    /// in it.
    pub fn firing(count: u32, warm_up: u64, measured: u64) -> Self {
        let lasting = |events: u64| events * 1_000_000 / u64::from(count);
        Timers { count, warm_up_ns: lasting(warm_up), measured_ns: lasting(measured) }
    }

    /// When the measurement starts, in nanoseconds.
    pub fn start_ns(&self) -> u64 {
        self.warm_up_ns
    }

    /// When it ends; what happens at this instant no longer counts.
    pub fn end_ns(&self) -> u64 {
        self.warm_up_ns + self.measured_ns
    }

    /// How often timers that count in picoseconds fire in the measured span.
    pub fn firings(&self) -> u64 {
        self.firings_with(Increments::next_ps, 1000)
    }

    /// How often timers that count in nanoseconds fire in the measured span.
    pub fn firings_in_ns(&self) -> u64 {
        self.firings_with(Increments::next_ns, 1)
    }

    fn firings_with(&self, next: fn(&mut Increments) -> u64, ticks_per_ns: u64) -> u64 {
        let measured = self.start_ns() * ticks_per_ns..self.end_ns() * ticks_per_ns;
        let firings = |timer: u32| {
            let mut increments = Increments::new(timer.into());
            let mut now = next(&mut increments);
            let mut firings = 0;
            while now < measured.end {
                firings += u64::from(measured.contains(&now));
                now += next(&mut increments);
            }
            firings
        };
        (0..self.count).map(firings).sum()
    }

    /// The population on our kernel.
    pub fn graph(&self) -> Result<Graph, GraphError> {
        let mut graph = Graph::new();
        for number in 0..self.count {
            graph.add(graph.root(), &format!("timer[{number}]"), Timer::new(number.into()))?;
        }
        Ok(graph)
    }
}

/// The stream of increments of one timer: exponential with a mean of 1 ms, the same numbers for us
/// and for every peer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Increments(RandomStream);

/// Mean of the increments in picoseconds: 1 ms.
const MEAN_PS: f64 = 1e9;

impl Increments {
    /// The stream of timer number `timer`, at its start.
    pub fn new(timer: u64) -> Self {
        Increments(RandomStream::from_key(timer))
    }

    /// The next increment in whole picoseconds, at least one.
    #[inline]
    pub fn next_ps(&mut self) -> u64 {
        ((self.0.exponential() * MEAN_PS) as u64).max(1)
    }

    /// The next increment rounded to whole nanoseconds, at least one.
    #[inline]
    pub fn next_ns(&mut self) -> u64 {
        ((self.next_ps() + 500) / 1000).max(1)
    }
}

/// Fires after each of its increments, and tells nobody.
struct Timer {
    increments: Increments,
    next: Duration,
}

impl Timer {
    fn new(number: u64) -> Self {
        let mut increments = Increments::new(number);
        let next = Duration::from_ps(increments.next_ps());
        Timer { increments, next }
    }
}

impl Model for Timer {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Atomic for Timer {
    fn time_advance(&self) -> Duration {
        self.next
    }

    fn output(&mut self, _: &mut Outputs<'_>) {}

    fn internal(&mut self, _: &mut Context<'_>) {
        self.next = Duration::from_ps(self.increments.next_ps());
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_population_fires_about_as_often_as_asked() {
        let timers = Timers::firing(1_000, 10_000, 40_000);
        let firings = timers.firings() as f64;
        assert!((firings / 40_000.0 - 1.0).abs() < 0.02, "{firings}");
    }

    #[test]
    fn warm_up_and_measurement_add_up() {
        let parts = Timers::firing(100, 2_000, 3_000);
        let before = Timers { warm_up_ns: 0, measured_ns: parts.warm_up_ns, ..parts };
        let whole = Timers { warm_up_ns: 0, measured_ns: parts.end_ns(), ..parts };
        assert_eq!(before.firings() + parts.firings(), whole.firings());
    }
}
