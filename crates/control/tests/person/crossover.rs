//! An operator and a vehicle that answers a stick with a speed, in a closed loop: the crossover model.
//!
//! ```text
//!                        T_L s + 1  V
//! L(s) = K e^-τs ─ · ─── ───────── ─           V: speed at full stick
//!                        T_N s + 1  s
//! ```

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, real, seconds};

use crate::{assert_near, rig};

/// Numbers of a loop: gain K, lead T_L, reaction τ. The lag T_N is 0.1 s, and V is 1.
#[derive(Clone, Copy)]
struct Loop {
    gain: f64,
    lead: f64,
    reaction: f64,
}

const LAG: f64 = 0.1;
/// Steps per second: many, so that sampling adds no more than 1 ms to the reaction.
const RATE: u64 = 1000;

impl Loop {
    /// |L|.
    fn size(&self, frequency: f64) -> f64 {
        let part = |time: f64| libm::hypot(1.0, time * frequency);
        self.gain * part(self.lead) / part(LAG) / frequency
    }

    /// Where |L| is 1.
    fn crossover(&self) -> f64 {
        let (mut low, mut high) = (1e-3, 1e3);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if self.size(middle) > 1.0 { low = middle } else { high = middle }
        }
        low
    }

    /// How far the phase is above half a turn where |L| is 1.
    fn phase_margin(&self) -> f64 {
        let at = self.crossover();
        FRAC_PI_2 - self.reaction * at + libm::atan(self.lead * at) - libm::atan(LAG * at)
    }

    /// The operator behind `wanted.out`, and the vehicle.
    fn close(&self, mut rig: Rig, beginning: f64) -> Rig {
        let rate = Some(Rate::hz(RATE));
        let settings = [
            ("gain", real(self.gain)),
            ("lead", real(self.lead)),
            ("reaction", real(self.reaction)),
            ("lag", real(LAG)),
        ];
        rig.add_at("operator", "person.operator", rate, &settings);
        // Backward, and read a step later: the vehicle moves by a stick that is held over the step.
        let settings =
            [("rule", ironbird_test_rig::text("backward")), ("initial", real(beginning))];
        rig.add_at("vehicle", "block.integrator", rate, &settings);
        rig.link("wanted.out", "operator.wanted");
        rig.link("operator.stick", "vehicle.in");
        rig.link_previous("vehicle.out", "operator.seen");
        rig
    }
}

#[test]
fn the_loop_crosses_over_where_the_model_says_and_with_its_phase_margin() {
    // With a lead that cancels the lag the open loop is the crossover model itself.
    let pure = Loop { gain: 3.0, lead: LAG, reaction: 0.2 };
    assert_near(pure.crossover(), 3.0, 1e-9);
    assert_near(pure.phase_margin(), FRAC_PI_2 - 0.6, 1e-9);
    let loops = [
        pure,
        Loop { gain: 2.5, lead: 0.0, reaction: 0.25 },
        Loop { gain: 2.0, lead: 0.3, reaction: 0.15 },
    ];
    for closed in loops {
        let frequency = closed.crossover();
        let mut rig = rig();
        let wave = [("amplitude", real(0.05)), ("frequency", real(frequency / TAU))];
        rig.add_at("wanted", "block.sine", Some(Rate::hz(RATE)), &wave);
        let period = TAU / frequency;
        let (from, until) = (20.0 * period, 30.0 * period);
        let outputs = ["wanted.out", "vehicle.out"];
        let run = closed.close(rig, 0.0).run(seconds(until), &outputs);
        let (wanted, place) = (run.numbers("wanted.out"), run.numbers("vehicle.out"));
        // Fourier coefficients of what is seen and of the error, over ten periods.
        let (mut seen_part, mut error_part) = ([0.0; 2], [0.0; 2]);
        for n in (from * RATE as f64) as usize..(until * RATE as f64) as usize {
            let (sine, cosine) = libm::sincos(frequency * n as f64 / RATE as f64);
            let seen = place[n - 1];
            let error = wanted[n] - seen;
            for (part, value) in [(&mut seen_part, seen), (&mut error_part, error)] {
                part[0] += value * cosine;
                part[1] -= value * sine;
            }
        }
        let size = |[re, im]: [f64; 2]| libm::hypot(re, im);
        let phase = |[re, im]: [f64; 2]| libm::atan2(im, re);
        assert_near(size(seen_part) / size(error_part), 1.0, 0.01);
        let margin = PI + libm::remainder(phase(seen_part) - phase(error_part), TAU);
        assert_near(margin, closed.phase_margin(), 0.02);
    }
}

#[test]
fn a_reaction_as_long_as_the_phase_margin_allows_is_where_the_loop_begins_to_swing_up() {
    let quick = Loop { gain: 2.0, lead: 0.0, reaction: 0.0 };
    let longest = quick.phase_margin() / quick.crossover();
    let grows = |reaction: f64| {
        let mut rig = rig();
        rig.script("wanted", &[(seconds(0.0), 0.0)]);
        let run = Loop { reaction, ..quick }.close(rig, 1e-3).run(seconds(60.0), &["vehicle.out"]);
        let place = run.numbers("vehicle.out");
        let largest = |part: &[f64]| part.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let half = place.len() / 2;
        largest(&place[half..]) > largest(&place[half / 2..half])
    };
    assert_near(longest, 0.7, 0.01);
    assert!(!grows(0.97 * longest));
    assert!(grows(1.03 * longest));
}
