//! What proptest turns and shrinks: how large and how varied a random system is.

use proptest::prelude::*;

/// How large and how varied a random system is.
#[derive(Clone, Debug)]
pub struct Knobs {
    pub seed: u64,
    pub atomics: usize,
    pub periodics: usize,
    pub run_aheads: usize,
    pub composites: usize,
    /// Links to each event input, at most.
    pub fan_in: u64,
    /// Share of links without latency, in percent.
    pub immediate_percent: u64,
    /// Share of stretches with an interposer, in percent.
    pub disturbed_percent: u64,
    pub fields: usize,
    pub actions: usize,
    pub monitors: usize,
    /// Whether a monitor may end the run.
    pub stops: bool,
    /// Whether several links may join the same two ports.
    pub parallel: bool,
}

pub fn knobs() -> impl Strategy<Value = Knobs> {
    let sizes = (0..9usize, 0..5usize, 0..4usize, 0..5usize, 1..4u64);
    let shares =
        (prop::sample::select(vec![0, 5, 10, 25, 60]), prop::sample::select(vec![0, 0, 25]));
    let events = (0..3usize, 0..7usize, 0..3usize);
    (any::<u64>(), sizes, shares, events).prop_map(
        |(
            seed,
            (atomics, periodics, run_aheads, composites, fan_in),
            shares,
            (fields, actions, monitors),
        )| {
            let (immediate_percent, disturbed_percent) = shares;
            Knobs {
                seed,
                atomics: atomics.max(usize::from(periodics + run_aheads == 0)),
                periodics,
                run_aheads,
                composites,
                fan_in,
                immediate_percent,
                disturbed_percent,
                fields,
                actions,
                monitors,
                stops: false,
                parallel: true,
            }
        },
    )
}
