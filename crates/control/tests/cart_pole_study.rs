//! The study of `examples/cart-pole`, wired by hand: what its requirements say holds and fails as its
//! files promise.

use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, Run, real, seconds, text};

/// The pole leans by 3 degrees at first; at 5 s somebody pushes the cart with this force for 0.1 s.
fn balance(controller: u64, push: f64) -> Run {
    let mut rig = Rig::of(&[
        ironbird_control::register,
        ironbird_plant::register,
        ironbird_sensors::register,
    ]);
    rig.add(
        "cart",
        "plant.cart-pole",
        &[("initial_angle", real(3.0_f64.to_radians())), ("solver.method", text("dopri5"))],
    );
    let (encoders, filter) = (Some(Rate::hz(200)), ("filter", real(0.02)));
    rig.add_at(
        "x",
        "sensor.linear-encoder",
        encoders,
        &[("resolution", real(50e-6)), filter.clone()],
    );
    let resolution = ("resolution", real(0.09_f64.to_radians()));
    rig.add_at("a", "sensor.rotary-encoder", encoders, &[resolution, filter]);
    rig.add_at(
        "controller",
        "control.state-feedback",
        Some(Rate::hz(controller)),
        &[
            ("gain.position", real(-22.91)),
            ("gain.velocity", real(-22.04)),
            ("gain.angle", real(-113.9)),
            ("gain.angular_velocity", real(-26.12)),
            ("limit", real(20.0)),
        ],
    );
    rig.link("cart.position", "x.measured");
    rig.link("cart.angle", "a.measured");
    rig.link("x.reading", "controller.position");
    rig.link("x.speed", "controller.velocity");
    rig.link("a.reading", "controller.angle");
    rig.link("a.speed", "controller.angular_velocity");
    rig.link("controller.force", "cart.force");
    rig.set(seconds(5.0), "cart.push", real(push));
    rig.set(seconds(5.1), "cart.push", real(0.0));
    rig.run(seconds(12.0), &["cart.position", "cart.angle", "controller.force"])
}

/// The largest magnitude of an output between two times.
fn largest(run: &Run, output: &str, from: f64, until: f64) -> f64 {
    let (low, high) = run.track(output).range(seconds(from), seconds(until), 0.001);
    low.abs().max(high.abs())
}

#[test]
fn at_100_hz_the_pole_stands_and_the_cart_comes_back() {
    let run = balance(100, 20.0);
    let tilt = largest(&run, "cart.angle", 0.0, 12.0).to_degrees();
    assert!((5.0..9.0).contains(&tilt), "{tilt} deg");
    let stray = largest(&run, "cart.position", 8.0, 12.0);
    assert!(stray < 0.02, "{stray} m");
    // It recovers from more than 3 degrees within 2 s.
    let settled = largest(&run, "cart.angle", 7.0, 12.0).to_degrees();
    assert!(settled < 0.7, "{settled} deg");
}

#[test]
fn at_8_hz_the_pole_falls_over() {
    let tilt = largest(&balance(8, 20.0), "cart.angle", 0.0, 12.0).to_degrees();
    assert!(tilt > 90.0, "{tilt} deg");
}

#[test]
fn the_push_is_felt_from_its_instant_on_and_not_before() {
    let [with, without] = [20.0, 0.0].map(|push| balance(100, push).track("cart.position"));
    assert_eq!(with.at(seconds(4.999)), without.at(seconds(4.999)));
    let moved = with.at(seconds(5.005)) - without.at(seconds(5.005));
    // x = F t² / 2 M', with M' = M + m - 3/4 m the mass that the motor feels.
    assert!((moved - 20.0 * 0.005 * 0.005 / 2.0 / 1.025).abs() < 1e-6, "{moved} m");
}
