//! A loop of dynamic calls over the components of a chain, written by hand: what is left of an
//! engine when everything but the calls is gone.

use std::hint::black_box;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;
use ironbird_workloads::chain::{CHANGED_SETPOINT, Chain, SETPOINT, TICKS_PER_KEPT, lagged};

/// A component of the chain; the signals of all of them lie in one slice.
trait Stepper {
    fn step(&mut self, signals: &mut [f64]);
    fn set_setpoint(&mut self, _: f64) {}
}

struct Driven {
    y: usize,
    setpoint: f64,
    value: f64,
}

impl Stepper for Driven {
    fn step(&mut self, signals: &mut [f64]) {
        self.value = lagged(self.value, self.setpoint);
        signals[self.y] = self.value;
    }

    fn set_setpoint(&mut self, setpoint: f64) {
        self.setpoint = setpoint;
    }
}

struct Lag {
    u: usize,
    y: usize,
    value: f64,
}

impl Stepper for Lag {
    fn step(&mut self, signals: &mut [f64]) {
        self.value = lagged(self.value, signals[self.u]);
        signals[self.y] = self.value;
    }
}

fn build(chain: Chain) -> Vec<Box<dyn Stepper>> {
    let mut components: Vec<Box<dyn Stepper>> =
        vec![Box::new(Driven { y: 0, setpoint: SETPOINT, value: 0.0 })];
    components.extend((1..chain.length).map(|y| {
        let lag: Box<dyn Stepper> = Box::new(Lag { u: y - 1, y, value: 0.0 });
        lag
    }));
    // Nobody knows what is behind the dynamic calls.
    black_box(components)
}

/// Runs of a chain: component steps by CPU time.
pub fn chain(chain: Chain) -> Side {
    let expected = chain.kept();
    Box::new(move || {
        let mut components = build(chain);
        let mut kept = Vec::new();
        let sample = by_thread_cpu_time(|| {
            hot_dyn_loop(&mut components, chain, &mut kept);
            chain.steps()
        });
        assert_eq!(kept, expected, "the loop by hand miscalculates");
        sample
    })
}

/// Builds and runs a chain; its steps. The loop to count instructions in is [`hot_dyn_loop`].
pub fn chain_workload(chain: Chain) -> u64 {
    let mut kept = Vec::new();
    hot_dyn_loop(&mut build(chain), chain, &mut kept);
    black_box(kept);
    chain.steps()
}

#[inline(never)]
fn hot_dyn_loop(components: &mut [Box<dyn Stepper>], chain: Chain, kept: &mut Vec<f64>) {
    let mut signals = vec![0.0; components.len()];
    for tick in 0..chain.ticks {
        if tick == chain.changed_tick() {
            components[0].set_setpoint(CHANGED_SETPOINT);
        }
        for component in &mut *components {
            component.step(&mut signals);
        }
        if tick.is_multiple_of(TICKS_PER_KEPT) {
            kept.extend(signals.last());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_makes_all_steps_and_keeps_what_is_known_beforehand() {
        let case = Chain { length: 8, ticks: 1_000 };
        assert_eq!(chain(case)().work, 8_000.0);
    }
}
