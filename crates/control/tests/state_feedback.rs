//! State feedback: a weighted sum with a limit, about a target.

use ironbird_test_rig::{Rig, real, seconds};

/// The force for position 1 m, velocity 2 m/s, angle 3 rad, angular velocity 4 rad/s, at 0 s, and
/// after the target has moved to -1 m at 5 ms.
fn forces(limit: f64) -> Vec<f64> {
    let mut rig = Rig::of(&[ironbird_control::register]);
    let gains = ["position", "velocity", "angle", "angular_velocity"];
    for (name, value) in gains.iter().zip([1.0, 2.0, 3.0, 4.0]) {
        rig.script(name, &[(seconds(0.0), value)]);
    }
    rig.add(
        "controller",
        "control.state-feedback",
        &[
            ("gain.position", real(1.0)),
            ("gain.velocity", real(10.0)),
            ("gain.angle", real(-100.0)),
            ("gain.angular_velocity", real(0.5)),
            ("limit", real(limit)),
        ],
    );
    for name in gains {
        rig.link(&format!("{name}.out"), &format!("controller.{name}"));
    }
    rig.set(seconds(0.005), "controller.target", real(-1.0));
    rig.run(seconds(0.01), &["controller.force"]).numbers("controller.force")
}

#[test]
fn the_force_is_minus_the_weighted_sum() {
    assert_eq!(forces(1000.0), [-(1.0 + 20.0 - 300.0 + 2.0), -(2.0 + 20.0 - 300.0 + 2.0)]);
}

#[test]
fn the_force_stays_within_its_limit() {
    assert_eq!(forces(5.0), [5.0, 5.0]);
}

#[test]
fn every_gain_must_be_given() {
    let rig = Rig::of(&[ironbird_control::register]);
    let refused = rig.refusal("control.state-feedback", &[("gain.position", real(1.0))]);
    assert!(refused.contains("gain.velocity"), "{refused}");
}
