//! The cart-pole keeps its energy, swings with the right period and feels a push.

use std::f64::consts::{PI, TAU};

use ironbird_test_rig::{Rig, Run, Setting, real, seconds, text};

const OUTPUTS: [&str; 4] =
    ["cart.position", "cart.velocity", "cart.angle", "cart.angular_velocity"];

/// Without friction, solved precisely, with this force on the cart.
fn cart_pole(force: f64, settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    let mut all = vec![
        ("cart_friction", real(0.0)),
        ("hinge_friction", real(0.0)),
        ("solver.method", text("dopri5")),
        ("solver.absolute", real(1e-9)),
        ("solver.relative", real(1e-9)),
    ];
    all.extend_from_slice(settings);
    rig.script("motor", &[(seconds(0.0), force)]);
    rig.add("cart", "plant.cart-pole", &all);
    rig.link("motor.out", "cart.force");
    rig
}

/// M v²/2 + m ((v + l ω cos θ)² + (l ω sin θ)²)/2 + (m l²/3) ω²/2 + m g l cos θ: a uniform pole of
/// length 2 l has the moment of inertia m l²/3 about its centre.
fn energy(run: &Run, at: f64) -> f64 {
    let [_, v, theta, omega] = OUTPUTS.map(|output| run.track(output).at(seconds(at)));
    let (cart, pole, l, g) = (1.0, 0.1, 0.5, 9.81);
    let (sin, cos) = libm::sincos(theta);
    let (across, up) = (v + l * omega * cos, l * omega * sin);
    cart * v * v / 2.0
        + pole * (across * across + up * up) / 2.0
        + pole * l * l / 3.0 * omega * omega / 2.0
        + pole * g * l * cos
}

#[test]
fn without_friction_it_keeps_its_energy_while_the_pole_goes_round() {
    let run = cart_pole(0.0, &[("initial_angle", real(0.1))]).run(seconds(20.0), &OUTPUTS);
    let first = energy(&run, 0.0);
    for at in 1..=200 {
        let now = energy(&run, f64::from(at) * 0.1);
        assert!((now - first).abs() < 1e-5, "{now} J instead of {first} J");
    }
    let (_, highest) = run.track("cart.angle").range(seconds(0.0), seconds(20.0), 0.01);
    assert!(highest > 6.0, "the pole never came down: {highest} rad");
}

#[test]
fn friction_takes_energy() {
    let rig = cart_pole(0.0, &[("initial_angle", real(0.1)), ("cart_friction", real(0.5))]);
    let run = rig.run(seconds(20.0), &OUTPUTS);
    assert!(energy(&run, 20.0) < energy(&run, 0.0) - 0.1);
}

#[test]
fn without_friction_and_force_the_centre_of_mass_stays_where_it_is() {
    let run = cart_pole(0.0, &[("initial_angle", real(0.5))]).run(seconds(5.0), &OUTPUTS);
    let centre = |at: f64| {
        let [x, _, theta, _] = OUTPUTS.map(|output| run.track(output).at(seconds(at)));
        1.1 * x + 0.1 * 0.5 * libm::sin(theta)
    };
    assert!((centre(5.0) - centre(0.0)).abs() < 1e-6);
}

#[test]
fn a_hanging_pole_swings_with_the_period_of_small_angles() {
    let start = PI - 0.001;
    let rig = cart_pole(0.0, &[("initial_angle", real(start))]);
    // (4/3 - m/(M+m)) l θ'' = -g θ about the lower equilibrium.
    let period = TAU / (9.81 / (0.5 * (4.0 / 3.0 - 0.1 / 1.1_f64))).sqrt();
    let angle = rig.run(seconds(2.0 * period), &OUTPUTS).track("cart.angle");
    let swing = |periods: f64| (angle.at(seconds(periods * period)) - PI) / -0.001;
    assert!((swing(1.0) - 1.0).abs() < 1e-4 && (swing(0.5) + 1.0).abs() < 1e-4);
    assert!(swing(0.25).abs() < 1e-3 && swing(0.75).abs() < 1e-3);
}

#[test]
fn an_upright_pole_falls_with_the_exponential_of_small_angles() {
    let rig = cart_pole(0.0, &[("initial_angle", real(1e-5))]);
    let rate = (9.81 / (0.5 * (4.0 / 3.0 - 0.1 / 1.1_f64))).sqrt();
    let angle = rig.run(seconds(1.0), &OUTPUTS).track("cart.angle");
    let grown = angle.at(seconds(1.0)) / 1e-5;
    assert!((grown / libm::cosh(rate) - 1.0).abs() < 1e-4, "{grown}");
}

#[test]
fn a_push_acts_like_the_force_of_the_motor_from_its_instant_on() {
    let by_motor = cart_pole(3.0, &[]).run(seconds(0.5), &OUTPUTS);
    let mut rig = cart_pole(0.0, &[]);
    rig.set(seconds(0.25), "cart.push", real(3.0));
    let by_hand = rig.run(seconds(0.75), &OUTPUTS);
    for output in OUTPUTS {
        assert_eq!(by_hand.track(output).at(seconds(0.2)), 0.0);
        let (motor, hand) =
            (by_motor.track(output).at(seconds(0.5)), by_hand.track(output).at(seconds(0.75)));
        assert!((motor - hand).abs() < 1e-6, "{output}: {motor}, {hand}");
    }
}

#[test]
fn quantized_states_come_to_the_same_result() {
    let precise = cart_pole(1.0, &[]).run(seconds(1.0), &OUTPUTS);
    let quantized = [("solver.method", text("qss3")), ("solver.absolute", real(1e-6))];
    let quantized = cart_pole(1.0, &quantized).run(seconds(1.0), &OUTPUTS);
    for output in OUTPUTS {
        let (a, b) =
            (precise.track(output).at(seconds(1.0)), quantized.track(output).at(seconds(1.0)));
        assert!((a - b).abs() < 1e-3, "{output}: {a}, {b}");
    }
}

#[test]
fn a_pole_without_mass_is_refused() {
    assert_eq!(
        Rig::of(&[ironbird_plant::register])
            .refusal("plant.cart-pole", &[("pole_mass", real(0.0))]),
        "parameter \"pole_mass\": 0 kg is not allowed: it must be above 0 kg"
    );
}
