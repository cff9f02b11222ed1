//! Roll, pitch and yaw.

use ironbird_kernel::Time;
use ironbird_test_rig::{Rig, real, seconds};

use crate::stack::{after, at, furthest, range, stabilised, types};

const LEVEL: [(Time, f64); 1] = [(Time::ZERO, 0.0)];
/// The pitch of level flight at 17 m/s.
const TRIMMED: [(Time, f64); 1] = [(Time::ZERO, 0.053)];

/// Roll and pitch follow these demands.
fn demanded(roll: &[(Time, f64)], pitch: &[(Time, f64)]) -> Rig {
    let mut rig = stabilised(&[]);
    rig.script("bank", roll);
    rig.script("nose", pitch);
    rig.link("bank.out", "roll.demand");
    rig.link("nose.out", "pitch.demand");
    rig
}

/// A bank of 0.6 rad after 5 s.
fn turning() -> Rig {
    demanded(&[(Time::ZERO, 0.0), (seconds(5.0), 0.6)], &TRIMMED)
}

#[test]
fn a_step_of_roll_is_followed_with_the_time_constant() {
    let run = turning().run(seconds(10.0), &["plane.roll"]);
    // After one time constant of 0.5 s, 63 % are done.
    assert!((at(&run, "plane.roll", 5.5) / 0.6 - 0.632).abs() < 0.05);
    assert!((at(&run, "plane.roll", 6.5) / 0.6 - 0.95).abs() < 0.05);
    assert!(range(&run.numbers("plane.roll"))[1] < 0.6 * 1.05);
}

#[test]
fn a_step_of_pitch_is_followed_with_the_time_constant() {
    let nose = [(Time::ZERO, 0.053), (seconds(5.0), 0.153)];
    let run = demanded(&LEVEL, &nose).run(seconds(8.0), &["plane.pitch"]);
    assert!(((at(&run, "plane.pitch", 5.5) - 0.053) / 0.1 - 0.632).abs() < 0.1);
    assert!((at(&run, "plane.pitch", 7.9) - 0.153).abs() < 0.01);
    assert!(range(&after(&run, "plane.pitch", 5.0))[1] < 0.158);
}

/// p in a turn is -ψ' sin θ and not zero: the rate loop trades that for an angle of τ p.
#[test]
fn a_steady_turn_holds_its_bank_but_for_the_roll_rate_that_it_has() {
    let run = turning().run(seconds(40.0), &["plane.roll"]);
    let turn_rate = 9.80665 / 17.15 * libm::tan(0.61);
    let expected = 0.6 + 0.5 * turn_rate * libm::sin(0.053);
    assert!((at(&run, "plane.roll", 40.0) - expected).abs() < 1e-3);
}

#[test]
fn the_nose_stays_up_in_a_turn_by_the_pitch_rate_of_the_turn() {
    let run = turning().run(seconds(12.0), &["plane.pitch"]);
    assert!(furthest(&after(&run, "plane.pitch", 5.0), 0.053) < 0.007);
    let mut without = turning();
    without.set(Time::ZERO, "pitch.roll_compensation", real(0.0));
    let run = without.run(seconds(12.0), &["plane.pitch"]);
    assert!(range(&after(&run, "plane.pitch", 5.0))[0] < 0.053 - 0.05);
}

#[test]
fn a_warped_wing_is_held_level_by_the_integral() {
    let mut rig = demanded(&LEVEL, &TRIMMED);
    rig.set(seconds(2.0), "plane.warp", real(0.05));
    let run = rig.run(seconds(20.0), &["plane.roll", "roll.aileron"]);
    assert!(range(&run.numbers("plane.roll"))[1] > 0.05);
    assert!(furthest(&after(&run, "plane.roll", 15.0), 0.0) < 0.003);
    assert!((at(&run, "roll.aileron", 20.0) + 0.05).abs() < 0.003);
}

#[test]
fn roll_and_pitch_stay_stable_with_three_times_the_gains() {
    let mut rig = turning();
    for (gain, value) in [
        ("roll.p", 0.15),
        ("roll.i", 0.45),
        ("pitch.p", 0.3),
        ("pitch.i", 1.5),
        ("yaw.damping", 0.18),
    ] {
        rig.set(Time::ZERO, gain, real(value));
    }
    let run = rig.run(seconds(30.0), &["plane.roll", "plane.pitch", "plane.sideslip"]);
    assert!(furthest(&after(&run, "plane.roll", 25.0), 0.61) < 0.005);
    assert!(furthest(&after(&run, "plane.pitch", 25.0), 0.053) < 0.005);
    assert!(furthest(&after(&run, "plane.sideslip", 25.0), 0.0) < 0.01);
}

#[test]
fn a_turn_is_flown_without_slip() {
    let run = turning().run(seconds(30.0), &["plane.sideslip"]);
    assert!(furthest(&after(&run, "plane.sideslip", 5.0), 0.0) < 0.04);
    assert!(furthest(&after(&run, "plane.sideslip", 20.0), 0.0) < 0.005);
}

#[test]
fn the_yaw_damper_takes_the_swing_out_of_a_gust_from_the_side() {
    let swing = |damping: f64| {
        let mut rig = demanded(&LEVEL, &TRIMMED);
        rig.set(Time::ZERO, "yaw.damping", real(damping));
        rig.set(seconds(5.0), "plane.wind[1]", real(-2.0));
        let run = rig.run(seconds(10.0), &["plane.sideslip"]);
        range(&after(&run, "plane.sideslip", 5.0))
    };
    let ([undershoot, gust], [undamped, _]) = (swing(0.06), swing(0.0));
    assert!((gust - libm::atan(2.0 / 17.0)).abs() < 0.01, "{gust}");
    // Without the damper it swings back by a quarter of the gust.
    assert!(undamped < -0.2 * gust, "{undamped}");
    assert!(undershoot > 0.5 * undamped, "{undershoot} {undamped}");
}

/// The yaw controller alone, with a lateral specific force and a yaw rate that are constant.
fn rudder(lateral: f64, yaw_rate: f64, gains: &[(&str, f64)]) -> Vec<f64> {
    let mut rig = types();
    let gains: Vec<_> = gains.iter().map(|(name, value)| (*name, real(*value))).collect();
    rig.add("yaw", "control.yaw", &gains);
    rig.script("attitude", &[(Time::ZERO, ironbird_kinematics::Attitude::default())]);
    rig.script("turns", &[(Time::ZERO, [0.0; 3]), (seconds(0.01), [0.0, 0.0, yaw_rate])]);
    rig.script("force", &[(Time::ZERO, [0.0, lateral, -9.81])]);
    rig.script("airspeed", &[(Time::ZERO, 17.0)]);
    rig.link("attitude.out", "yaw.attitude");
    rig.link("turns.out", "yaw.angular_velocity");
    rig.link("force.out", "yaw.specific_force");
    rig.link("airspeed.out", "yaw.airspeed");
    rig.run(seconds(10.0), &["yaw.rudder"]).numbers("yaw.rudder")
}

#[test]
fn a_yaw_to_starboard_is_damped_to_port_until_it_is_washed_out() {
    let deflections = rudder(0.0, 0.5, &[("integral", 0.0)]);
    let (first, last) = (range(&deflections)[1], deflections[deflections.len() - 1]);
    assert!((first - 0.06 * 0.5).abs() < 1e-3, "{first}");
    assert!((last / first - libm::exp(-2.0)).abs() < 0.01, "{last}");
}

#[test]
fn wind_from_starboard_turns_the_nose_to_starboard() {
    // The fuselage is pushed to port; 10 s of 0.06 · 1 · 0.1 · 0.5 per s.
    let deflections = rudder(-0.5, 0.0, &[]);
    let last = deflections[deflections.len() - 1];
    assert!((last + 0.03).abs() < 1e-3, "{last}");
}

#[test]
fn the_integral_of_slip_keeps_to_its_limit() {
    let deflections = rudder(-5.0, 0.0, &[("integrator_limit", 5.0)]);
    assert!((range(&deflections)[0] + 5.0_f64.to_radians()).abs() < 1e-12);
}
