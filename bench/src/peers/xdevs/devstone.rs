//! DEVStone with the models xDEVS itself exports, so that nobody else's wiring slows it down.
//!
//! Those models count their transitions but keep the numbers private. Before the first measured
//! run the same wiring, written with counters that can be read ([`super::counted`]), is therefore
//! run once at full size and held against the closed forms.

use xdevs::devstone::{HI, HO, HOmod, LI};
use xdevs::modeling::Coupled;
use xdevs::simulation::RootCoordinator;

use super::counted;
use crate::live_heap;
use crate::measure::by_thread_cpu_time;
use crate::row::{Sample, Side};
use ironbird_workloads::devstone::{Devstone, Wiring};

/// Runs of a DEVStone model: transitions by CPU time, without the building.
pub fn devstone(model: Devstone) -> Side {
    let mut is_verified = false;
    Box::new(move || {
        if !is_verified {
            assert_eq!(counted::run(model), model.tally(), "xdevs miscounts {model:?}");
            is_verified = true;
        }
        let mut root = RootCoordinator::new(build(model));
        by_thread_cpu_time(|| {
            hot_devstone(&mut root);
            model.transitions()
        })
    })
}

/// Live heap bytes of a DEVStone model that was built and has not run.
pub fn built_memory(model: Devstone) -> Side {
    Box::new(move || {
        let (built, bytes) = live_heap::bytes_of(|| RootCoordinator::new(build(model)));
        drop(built);
        Sample { work: model.atomics() as f64, cost: bytes as f64 }
    })
}

/// Live heap bytes of a DEVStone model after its run: the ports' buffers, which xDEVS allocates
/// with their first message, are there too.
pub fn memory_after_run(model: Devstone) -> Side {
    Box::new(move || {
        let (ran, bytes) = live_heap::bytes_of(|| {
            let mut root = RootCoordinator::new(build(model));
            hot_devstone(&mut root);
            root
        });
        drop(ran);
        Sample { work: model.atomics() as f64, cost: bytes as f64 }
    })
}

/// Builds and runs a model; the loop to count instructions in is [`hot_devstone`].
pub fn devstone_workload(model: Devstone) -> u64 {
    hot_devstone(&mut RootCoordinator::new(build(model)));
    model.transitions()
}

#[inline(never)]
fn hot_devstone(root: &mut RootCoordinator<Coupled>) {
    root.simulate(f64::INFINITY);
}

fn build(model: Devstone) -> Coupled {
    let (width, depth) = (model.width as usize, model.depth as usize);
    match model.wiring {
        Wiring::Li => LI::create(width, depth, 0, 0),
        Wiring::Hi => HI::create(width, depth, 0, 0),
        Wiring::Ho => HO::create(width, depth, 0, 0),
        Wiring::HoMod => HOmod::create(width, depth, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wiring_counts_to_its_closed_form() {
        for wiring in [Wiring::Li, Wiring::Hi, Wiring::Ho, Wiring::HoMod] {
            for (width, depth) in [(1, 1), (1, 5), (2, 2), (3, 7), (7, 3), (8, 8)] {
                let model = Devstone { wiring, width, depth };
                assert_eq!(counted::run(model), model.tally(), "{model:?}");
            }
        }
    }

    #[test]
    fn a_run_reports_all_transitions_and_some_time() {
        let model = Devstone::square(Wiring::Hi, 10);
        let sample = devstone(model)();
        assert_eq!(sample.work, model.transitions() as f64);
        assert!(sample.cost > 0.0);
    }

    #[test]
    fn memory_grows_in_the_run() {
        let model = Devstone::square(Wiring::Hi, 10);
        let (built, ran) = (built_memory(model)(), memory_after_run(model)());
        assert_eq!(built.work, 82.0);
        assert!(built.cost > 82.0 * 100.0, "{built:?}");
        assert!(ran.cost > built.cost, "{ran:?}");
    }
}
