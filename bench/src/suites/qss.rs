//! Quantised-state integration on one thread.

use std::sync::Once;

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Block, Method, Settings, Solver};
use ironbird_workloads::continuous::{Advection, Buck};
use ironbird_workloads::timers::Timers;

use crate::ours;
use crate::peers::binaryheap;
use crate::row::{Figure, Row, always_there};

/// The steps of qss-solver 4.3.0 on the same instance.
const REFERENCE_STEPS: u64 = 807_546;
const CELLS: usize = 20_000;
const SECOND: Time = Time::from_ps(Duration::from_secs(1).as_ps());
const HUNDRED_PERIODS: Time = Time::from_ps(Duration::from_ms(10).as_ps());

/// A LIQSS2 step (requantise, update the influenced states, reschedule them) beside one bare hold
/// of a binary heap with 1,024 entries, of which it needs several; and whole runs of LIQSS2 beside
/// whole runs of Dormand-Prince.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            name: "liqss2-advection-20000",
            peer: "binaryheap-1024",
            missing: always_there,
            figure: Figure::NanosecondsPer("step"),
            ours: ours::liqss2_steps(CELLS, REFERENCE_STEPS + REFERENCE_STEPS / 10),
            theirs: binaryheap::timers(Timers::firing(1_024, 1_024, 500_000)),
        },
        advection_row(),
        buck_row(),
    ]
}

fn advection() -> Advection {
    Advection { cells: CELLS }
}

fn settings(method: Method, tolerance: f64) -> Settings {
    Settings::new(method).tolerance(tolerance, tolerance)
}

/// Dormand-Prince is held by stability to some 12,200 steps at any tolerance. It gets the one at
/// which it is fastest: from 1e-2 on it rejects so many steps that it takes longer. LIQSS2 is at
/// the end of the run no less exact, which is checked once. (While the front travels, its cells
/// are where LIQSS2 errs most: by 7e-2 in one of them, where Dormand-Prince at this tolerance errs by
/// 1e-2 and at 1e-2 by 4e-1.)
fn advection_row() -> Row {
    let (ours, theirs) = (settings(Method::Liqss2, 1e-3), settings(Method::Dopri5, 1e-3));
    let compared = Once::new();
    let check = move |_: &Solver<Advection>| {
        compared.call_once(|| {
            let exact = states(advection(), settings(Method::Dopri5, 1e-9), SECOND);
            let error = |settings| {
                let found = states(advection(), settings, SECOND);
                found.iter().zip(&exact).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
            };
            let (our_error, their_error) = (error(ours), error(theirs));
            assert!(our_error <= their_error, "LIQSS2 errs by {our_error}, not {their_error}");
        });
    };
    Row {
        name: "liqss2-vs-dopri",
        peer: "dopri5",
        missing: always_there,
        figure: Figure::PerSecond("run"),
        ours: ours::solved(advection, ours, SECOND, |_| ()),
        theirs: ours::solved(advection, theirs, SECOND, check),
    }
}

/// Again the tolerance at which Dormand-Prince is fastest; at 1e-2, where it is as exact as LIQSS2
/// (1.3e-2 of 24 V), it takes nine times as long, because it rejects three steps of four.
fn buck_row() -> Row {
    Row {
        name: "liqss2-vs-dopri-buck",
        peer: "dopri5",
        missing: always_there,
        figure: Figure::PerSecond("run"),
        ours: ours::solved(Buck::default, settings(Method::Liqss2, 1e-3), HUNDRED_PERIODS, |_| ()),
        theirs: ours::solved(
            Buck::default,
            settings(Method::Dopri5, 1e-5),
            HUNDRED_PERIODS,
            |_| (),
        ),
    }
}

fn states<B: Block>(block: B, settings: Settings, at: Time) -> Vec<f64> {
    let mut solver = Solver::new(block, settings).expect("the settings are in range");
    solver.run(at).expect("the block is well behaved");
    let sample = |state| solver.sample(state, at).expect("the run has come this far");
    (0..solver.block().states()).map(sample).collect()
}
