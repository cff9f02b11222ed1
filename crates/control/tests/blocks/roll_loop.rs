//! A roll controller made of blocks only, in a closed loop with a sampled aircraft, is bit for bit what
//! its difference equations are. `examples/blocks/roll-controller.toml` is the same controller.

use ironbird_kernel::Rate;
use ironbird_test_rig::{real, seconds, text};

use crate::rig;

const RATE: f64 = 50.0;
const PERIOD: f64 = 1.0 / RATE;
const SECONDS: f64 = 20.0;

/// The aileron at every step, by hand.
fn by_hand() -> Vec<f64> {
    let (mut integral, mut rate_state, mut roll, mut rate) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut shown = Vec::new();
    for k in 0..=(SECONDS * RATE) as u32 {
        let t = f64::from(k) / RATE;
        let demand = if t >= 10.0 { -0.6 } else { 0.5 };
        let rate_demand = (2.0 * (demand - roll)).clamp(-1.0, 1.0);
        let error = rate_demand - rate;
        if k > 0 {
            integral = (integral + error * PERIOD).clamp(-0.3, 0.3);
        }
        let sum = 0.127 * rate_demand + 0.05 * error + 0.3 * integral;
        let aileron = sum.clamp(-0.35, 0.35);
        shown.push(aileron);
        // The aircraft: rate = 2.2 / (z - 0.72) aileron, roll = its integral; both are read a step later.
        let next = rate_state;
        rate_state = 2.2 * aileron - -0.72 * next;
        rate = next;
        if k > 0 {
            roll += rate * PERIOD;
        }
    }
    shown
}

/// The same by blocks.
fn by_blocks() -> Vec<f64> {
    let mut rig = rig();
    let mut add = |name: &str, block: &str, settings: &[ironbird_test_rig::Setting<'_>]| {
        rig.add_at(name, block, Some(Rate::hz(50)), settings);
    };
    let jump = [("time", real(10.0)), ("before", real(0.5)), ("after", real(-0.6))];
    add("demand", "block.step", &jump);
    add("error", "block.sum", &[("signs", text("+-"))]);
    add("lead", "block.gain", &[("gain", real(2.0))]);
    add("rate-demand", "block.saturation", &[("lowest", real(-1.0)), ("highest", real(1.0))]);
    add("rate-error", "block.sum", &[("signs", text("+-"))]);
    add("forward", "block.gain", &[("gain", real(0.127))]);
    add("proportional", "block.gain", &[("gain", real(0.05))]);
    add("integral", "block.integrator", &[("lowest", real(-0.3)), ("highest", real(0.3))]);
    add("integral-gain", "block.gain", &[("gain", real(0.3))]);
    add("sum", "block.sum", &[("signs", text("+++"))]);
    add("aileron", "block.saturation", &[("lowest", real(-0.35)), ("highest", real(0.35))]);
    let aircraft = [("numerator", text("2.2")), ("denominator", text("1, -0.72"))];
    add("rate", "block.discrete-transfer-function", &aircraft);
    add("roll", "block.integrator", &[]);
    for (from, to) in [
        ("demand.out", "error.a"),
        ("error.out", "lead.in"),
        ("lead.out", "rate-demand.in"),
        ("rate-demand.out", "rate-error.a"),
        ("rate-demand.out", "forward.in"),
        ("rate-error.out", "proportional.in"),
        ("rate-error.out", "integral.in"),
        ("integral.out", "integral-gain.in"),
        ("forward.out", "sum.a"),
        ("proportional.out", "sum.b"),
        ("integral-gain.out", "sum.c"),
        ("sum.out", "aileron.in"),
        ("aileron.out", "rate.in"),
        ("rate.out", "roll.in"),
    ] {
        rig.link(from, to);
    }
    rig.link_previous("roll.out", "error.b");
    rig.link_previous("rate.out", "rate-error.b");
    rig.run(seconds(SECONDS), &["aileron.out"]).numbers("aileron.out")
}

#[test]
fn a_controller_of_blocks_is_its_difference_equations_bit_for_bit() {
    let (blocks, hand) = (by_blocks(), by_hand());
    let bits = |numbers: &[f64]| -> Vec<u64> { numbers.iter().map(|x| x.to_bits()).collect() };
    assert_eq!(blocks.len(), 1001);
    assert_eq!(bits(&blocks), bits(&hand));
    // It is at rest at both demands, and was at its limit in between.
    assert!(
        blocks[499].abs() < 1e-6 && blocks[1000].abs() < 1e-6,
        "{} {}",
        blocks[499],
        blocks[1000]
    );
    assert!(blocks.iter().any(|aileron| *aileron < -0.15));
}
