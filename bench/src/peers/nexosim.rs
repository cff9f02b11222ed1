//! NeXosim (`nexosim` 1.0.0), an asynchronous discrete-event engine, on one thread.

use std::cell::Cell;
use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::simulation::{Mailbox, SimInit, Simulation};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

use crate::measure::by_thread_cpu_time;
use crate::row::Side;
use ironbird_workloads::timers::Increments;
use ironbird_workloads::timers::Timers;

thread_local! {
    /// Firings of the simulation on this thread: with one thread NeXosim runs on its caller's.
    static FIRED: Cell<u64> = const { Cell::new(0) };
}

/// NeXosim's own default for the messages that a model's mailbox holds.
const DEFAULT_MAILBOX: usize = 16;

/// Runs of a population of timers: firings by CPU time, without building and starting. Mailboxes
/// are as the documentation makes them.
pub fn timers(timers: Timers) -> Side {
    run(timers, DEFAULT_MAILBOX)
}

/// The same with the smallest mailboxes there are: the population takes less memory.
pub fn tuned_timers(timers: Timers) -> Side {
    run(timers, 1)
}

fn run(timers: Timers, mailbox: usize) -> Side {
    Box::new(move || {
        let mut bench = SimInit::with_num_threads(1);
        for timer in 0..timers.count {
            let model = Timer { increments: Increments::new(timer.into()) };
            // A timer has at most one message waiting; a larger mailbox only costs memory.
            bench = bench.add_model(model, Mailbox::with_capacity(mailbox), &timer.to_string());
        }
        let mut simulation = bench.init(MonotonicTime::EPOCH).expect("timers start");
        run_until(&mut simulation, timers.start_ns());
        FIRED.set(0);
        let sample = by_thread_cpu_time(|| {
            run_until(&mut simulation, timers.end_ns());
            FIRED.get()
        });
        assert_eq!(FIRED.get(), timers.firings_in_ns(), "nexosim lost or invented firings");
        sample
    })
}

/// Runs what happens before `until_ns`; `step_until` would include that instant.
fn run_until(simulation: &mut Simulation, until_ns: u64) {
    if until_ns > 0 {
        let last = MonotonicTime::EPOCH + Duration::from_nanos(until_ns - 1);
        simulation.step_until(last).expect("timers run");
    }
}

/// Fires and schedules itself again after the next increment.
#[derive(Serialize, Deserialize)]
struct Timer {
    increments: Increments,
}

#[Model]
impl Timer {
    #[nexosim(init)]
    async fn init(&mut self, context: &Context<Self>) {
        self.rearm(context);
    }

    #[nexosim(schedulable)]
    fn fire(&mut self, _: (), context: &Context<Self>) {
        FIRED.set(FIRED.get() + 1);
        self.rearm(context);
    }

    fn rearm(&mut self, context: &Context<Self>) {
        let wait = Duration::from_nanos(self.increments.next_ns());
        context
            .schedule_event(wait, schedulable!(Self::fire), ())
            .expect("increments are positive");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_as_often_as_their_increments_say() {
        let case = Timers::firing(50, 500, 1_000);
        assert_eq!(timers(case)().work, case.firings_in_ns() as f64);
    }
}
