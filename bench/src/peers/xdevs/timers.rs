//! Independent timers as atomics of one flat coupled model.

use std::cell::Cell;
use std::rc::Rc;

use xdevs::modeling::{Atomic, Component, Coupled};
use xdevs::simulation::Simulator;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;
use ironbird_workloads::timers::Increments;
use ironbird_workloads::timers::Timers;

/// Runs of a population of timers: firings by CPU time, without building and starting.
pub fn timers(timers: Timers) -> Side {
    Box::new(move || {
        let fired = Rc::new(Cell::new(0));
        let mut flat = Coupled::new("timers");
        for timer in 0..timers.count {
            flat.add_component(Box::new(Timer::new(timer, &fired)));
        }
        let first = flat.start(0.0);
        let start = run_until(&mut flat, first, timers.start_ns());
        fired.set(0);
        let sample = by_thread_cpu_time(|| {
            run_until(&mut flat, start, timers.end_ns());
            fired.get()
        });
        assert_eq!(fired.get(), timers.firings(), "xdevs lost or invented firings");
        sample
    })
}

/// The loop of `RootCoordinator::simulate`, which would start the model anew at each call.
/// Returns the time of the next event.
fn run_until(flat: &mut Coupled, mut next: f64, until_ns: u64) -> f64 {
    let until = (until_ns * 1000) as f64;
    while next < until {
        flat.collection(next);
        next = flat.transition(next);
    }
    next
}

/// Fires and waits for the next increment. Time is in picoseconds: whole numbers that `f64` adds
/// without rounding.
struct Timer {
    component: Component,
    increments: Increments,
    wait: f64,
    fired: Rc<Cell<u64>>,
}

impl Timer {
    fn new(timer: u32, fired: &Rc<Cell<u64>>) -> Self {
        let mut increments = Increments::new(timer.into());
        let wait = increments.next_ps() as f64;
        let component = Component::new(&timer.to_string());
        Timer { component, increments, wait, fired: Rc::clone(fired) }
    }
}

impl Atomic for Timer {
    #[inline]
    fn get_component(&self) -> &Component {
        &self.component
    }

    #[inline]
    fn get_component_mut(&mut self) -> &mut Component {
        &mut self.component
    }

    #[inline]
    fn lambda(&self) {}

    #[inline]
    fn delta_int(&mut self) {
        self.fired.set(self.fired.get() + 1);
        self.wait = self.increments.next_ps() as f64;
    }

    #[inline]
    fn delta_ext(&mut self, _elapsed: f64) {}

    #[inline]
    fn ta(&self) -> f64 {
        self.wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_as_often_as_their_increments_say() {
        let case = Timers::firing(50, 500, 1_000);
        assert_eq!(timers(case)().work, case.firings() as f64);
    }
}
