//! Our side of every row. A side builds its model, then measures the run alone with the clock its
//! peers use, and asserts what is known beforehand.

use std::sync::Arc;

use ironbird_kernel::{Duration, Options, Outcome, Placement, Simulation, Time};
use ironbird_solvers::{Block, Method, Settings, Solver};
use ironbird_workloads::chain::{Chain, Kept};
use ironbird_workloads::continuous::Advection;
use ironbird_workloads::devstone::{self, Devstone, Relay};
use ironbird_workloads::phold::Phold;
use ironbird_workloads::timers::Timers;

use crate::live_heap;
use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::{Sample, Side};

fn build_devstone(model: Devstone) -> Simulation {
    let graph = devstone::graph(model).expect("DEVStone is well formed");
    Simulation::new(graph, Options::default()).expect("DEVStone is well formed")
}

/// The loop in which instructions are counted.
#[inline(never)]
fn hot_run(simulation: &mut Simulation, until: Time) {
    let outcome = simulation.run_until(until).expect("nothing changes while it runs");
    assert_eq!(outcome, Outcome::Reached(until));
}

fn run_devstone(simulation: &mut Simulation, model: Devstone) -> u64 {
    hot_run(simulation, Time::from_ps(1));
    let (statistics, tally) = (simulation.statistics(), model.tally());
    // The seeder's own transition comes on top.
    assert_eq!(statistics.internal, tally.internal + 1);
    assert_eq!(statistics.external, tally.external);
    model.transitions()
}

/// Runs of a DEVStone model: transitions by CPU time.
pub fn devstone(model: Devstone) -> Side {
    Box::new(move || {
        let mut simulation = build_devstone(model);
        by_thread_cpu_time(|| run_devstone(&mut simulation, model))
    })
}

/// Builds and runs a DEVStone model; its transitions.
pub fn devstone_workload(model: Devstone) -> u64 {
    run_devstone(&mut build_devstone(model), model)
}

/// Live heap of a DEVStone model per atomic, less the models themselves and the letters of names:
/// what the engine adds.
fn devstone_bytes(model: Devstone, ran: bool) -> Sample {
    let (simulation, bytes) = live_heap::bytes_of(|| {
        let mut simulation = build_devstone(model);
        if ran {
            run_devstone(&mut simulation, model);
        }
        simulation
    });
    let names: usize = simulation.graph().names().map(str::len).sum();
    let models = (model.atomics() as usize + 1) * size_of::<Relay>();
    Sample { work: model.atomics() as f64, cost: (bytes - names - models) as f64 }
}

/// Live heap bytes of a DEVStone model that was built and has not run.
pub fn devstone_built_memory(model: Devstone) -> Side {
    Box::new(move || devstone_bytes(model, false))
}

/// Live heap bytes of a DEVStone model after its run.
pub fn devstone_memory_after_run(model: Devstone) -> Side {
    Box::new(move || devstone_bytes(model, true))
}

fn instant(nanoseconds: u64) -> Time {
    Time::ZERO + Duration::from_ns(nanoseconds)
}

fn warm_timers(timers: Timers) -> Simulation {
    let graph = timers.graph().expect("timers are well formed");
    let mut simulation = Simulation::new(graph, Options::default()).expect("well formed");
    simulation.run_until(instant(timers.start_ns())).expect("nothing changes while it runs");
    simulation
}

/// Runs of a population of timers: firings by CPU time.
pub fn timers(timers: Timers) -> Side {
    let expected = timers.firings();
    Box::new(move || {
        let mut simulation = warm_timers(timers);
        let before = simulation.statistics().internal;
        let sample = by_thread_cpu_time(|| {
            hot_run(&mut simulation, instant(timers.end_ns()));
            expected
        });
        assert_eq!(simulation.statistics().internal - before, expected);
        sample
    })
}

/// Builds and runs a population of timers; its firings.
pub fn timers_workload(timers: Timers) -> u64 {
    let mut simulation = warm_timers(timers);
    hot_run(&mut simulation, instant(timers.end_ns()));
    timers.firings()
}

fn build_chain(chain: Chain) -> (Simulation, Arc<Kept>) {
    let graph = chain.graph().expect("the chain is well formed");
    let mut simulation = Simulation::new(graph, Options::default()).expect("well formed");
    let kept = Arc::new(Kept::default());
    simulation.observe(vec![chain.tap()], kept.clone()).expect("the chain has this output");
    let (at, action) = chain.change();
    simulation.schedule(at, action).expect("the change lies ahead");
    (simulation, kept)
}

/// Builds and runs a chain; its steps.
pub fn chain_workload(chain: Chain) -> u64 {
    hot_run(&mut build_chain(chain).0, chain.end());
    chain.steps()
}

/// Runs PHOLD on a number of partitions, which must really be used: job visits by wall time.
pub fn phold(phold: Phold, windows: u64, partitions: usize) -> Side {
    Box::new(move || {
        let (mut simulation, until) = build_phold(phold, windows, partitions);
        by_wall_time(|| {
            hot_run(&mut simulation, until);
            simulation.statistics().external
        })
    })
}

/// The same with nothing to do: synchronisations, over both partitions, by wall time.
pub fn synchronisations(phold: Phold, windows: u64) -> Side {
    Box::new(move || {
        let (mut simulation, until) = build_phold(phold, windows, 2);
        by_wall_time(|| {
            hot_run(&mut simulation, until);
            // Each partition needs the other's promise once in every window.
            2 * windows
        })
    })
}

fn build_phold(phold: Phold, windows: u64, partitions: usize) -> (Simulation, Time) {
    let graph = phold.graph().expect("PHOLD is well formed");
    let halves = [("left".to_owned(), 0), ("right".to_owned(), partitions - 1)];
    let placement = Placement::Explicit(halves.into_iter().collect());
    let options = Options { placement, ..Options::default() };
    let simulation = Simulation::new(graph, options).expect("PHOLD is well formed");
    assert_eq!(simulation.statistics().placement.partitions, partitions);
    (simulation, Time::from_ps(phold.latency.as_ps() * windows))
}

/// Differential equations solved to an instant, at a method's own step or quantum: runs by CPU
/// time. What `check` says of the solver afterwards is not measured.
pub fn solved<B: Block + 'static>(
    block: fn() -> B,
    settings: Settings,
    until: Time,
    check: impl Fn(&Solver<B>) + 'static,
) -> Side {
    Box::new(move || {
        let mut solver = Solver::new(block(), settings).expect("the settings are in range");
        let sample = by_thread_cpu_time(|| {
            solver.run(until).expect("the block is well behaved");
            1
        });
        check(&solver);
        sample
    })
}

/// The loop in which instructions are counted.
#[inline(never)]
fn hot_liqss2(solver: &mut Solver<Advection>, until: Time) -> u64 {
    solver.run(until).expect("advection is well behaved");
    solver.statistics().steps
}

fn build_liqss2(cells: usize) -> Solver<Advection> {
    let settings = Settings::new(Method::Liqss2).tolerance(1e-3, 1e-3);
    Solver::new(Advection { cells }, settings).expect("the settings are in range")
}

/// Runs of LIQSS2 through a front that travels for a second: requantisations by CPU time, of which
/// there may be at most `most`.
pub fn liqss2_steps(cells: usize, most: u64) -> Side {
    Box::new(move || {
        let mut solver = build_liqss2(cells);
        let mut steps = 0;
        let sample = by_thread_cpu_time(|| {
            steps = hot_liqss2(&mut solver, instant(1_000_000_000));
            steps
        });
        assert!(steps <= most, "{steps} requantisations, at most {most} are due");
        sample
    })
}

/// The same with few cells; its requantisations.
pub fn liqss2_workload(cells: usize) -> u64 {
    hot_liqss2(&mut build_liqss2(cells), instant(1_000_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_workloads::devstone::Wiring;

    #[test]
    fn the_engine_adds_less_than_200_bytes_to_an_atomic() {
        let sample = devstone_bytes(Devstone::square(Wiring::Hi, 200), false);
        assert!(sample.cost_of_one() < 200.0, "{} bytes", sample.cost_of_one());
    }
}
