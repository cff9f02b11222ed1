//! The car corners, responds and coasts as the theory of the single-track model says.

use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, Run, Setting, real, seconds, text};
use nalgebra::Complex;

const OUTPUTS: [&str; 7] = [
    "car.north",
    "car.east",
    "car.heading",
    "car.lateral_velocity",
    "car.yaw_rate",
    "car.wheel_angle",
    "car.speed",
];
const GRAVITY: f64 = 9.80665;
const MASS: f64 = 1573.0;
const INERTIA: f64 = 2873.0;
const FRONT: f64 = 1.1;
const REAR: f64 = 1.58;
const STIFFNESS: f64 = 160e3;
const WHEELBASE: f64 = FRONT + REAR;

/// A car with this steering angle wanted, in wind (north, east) on a banked road.
fn car(steering: f64, [wind, bank]: [f64; 2], settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    let mut all = vec![
        ("solver.method", text("dopri5")),
        ("solver.absolute", real(1e-10)),
        ("solver.relative", real(1e-10)),
    ];
    all.extend_from_slice(settings);
    for (name, value) in [("driver", steering), ("wind", wind), ("road", bank)] {
        rig.script(name, &[(seconds(0.0), value)]);
    }
    rig.add("car", "plant.car", &all);
    rig.link("driver.out", "car.steering");
    rig.link("wind.out", "car.wind_east");
    rig.link("road.out", "car.bank");
    rig
}

/// The linear model of the book: no limit of grip, no air, a quick rack.
fn linear(speed: f64, steering: f64) -> Rig {
    let settings = [
        ("initial.speed", real(speed)),
        ("tyres.grip", real(1e3)),
        ("tyres.kinematic_below", real(0.01)),
        ("air.area", real(0.0)),
        ("rack.time_constant", real(0.005)),
        ("rack.rate_limit", real(1e3)),
    ];
    car(steering, [0.0; 2], &settings)
}

fn at(run: &Run, output: &str, time: f64) -> f64 {
    run.track(output).at(seconds(time))
}

/// a1 and a0 of s² + a1 s + a0, whose roots are the poles of lateral velocity and yaw rate at a speed.
fn characteristic(speed: f64) -> [f64; 2] {
    let v_by_v = -2.0 * STIFFNESS / (MASS * speed);
    let v_by_r = -speed - STIFFNESS * (FRONT - REAR) / (MASS * speed);
    let r_by_v = -STIFFNESS * (FRONT - REAR) / (INERTIA * speed);
    let r_by_r = -STIFFNESS * (FRONT * FRONT + REAR * REAR) / (INERTIA * speed);
    [-(v_by_v + r_by_r), v_by_v * r_by_r - v_by_r * r_by_v]
}

#[test]
fn steady_cornering_needs_the_steering_angle_of_the_understeer_gradient() {
    let understeer = MASS / WHEELBASE * (REAR / STIFFNESS - FRONT / STIFFNESS);
    for speed in [5.0, 15.0, 25.0, 40.0] {
        let run = linear(speed, 1e-3).run(seconds(10.0), &OUTPUTS);
        let yaw_rate = at(&run, "car.yaw_rate", 10.0);
        let wanted = WHEELBASE * yaw_rate / speed + understeer * speed * yaw_rate;
        assert!((wanted / 1e-3 - 1.0).abs() < 1e-5, "{speed} m/s: {wanted} rad");
        // The sideslip of the rear axle carries its share of the mass.
        let slip = at(&run, "car.lateral_velocity", 10.0) / speed;
        let theory =
            REAR * yaw_rate / speed - FRONT * MASS / (STIFFNESS * WHEELBASE) * speed * yaw_rate;
        assert!((slip - theory).abs() < 1e-8, "{speed} m/s: {slip} rad, not {theory} rad");
    }
}

#[test]
fn the_yaw_rate_answers_a_step_of_the_steering_as_its_transfer_function() {
    // r(s)/δ(s) = (b1 s + b0) / (s² + a1 s + a0), behind the lag 1/(T s + 1) of the rack, in partial
    // fractions: r(t) = δ (G(0) + Σ residue e^(p t)).
    let (speed, lag, step) = (25.0, 0.005, 1e-4);
    let [a1, a0] = characteristic(speed);
    let b1 = FRONT * STIFFNESS / INERTIA;
    let b0 = STIFFNESS * STIFFNESS * WHEELBASE / (MASS * INERTIA * speed);
    let turning = (a0 - a1 * a1 / 4.0).sqrt();
    let poles = [
        Complex::new(-a1 / 2.0, turning),
        Complex::new(-a1 / 2.0, -turning),
        Complex::new(-1.0 / lag, 0.0),
    ];
    let response = |time: f64| {
        let mut sum = b0 / a0;
        for (k, pole) in poles.iter().enumerate() {
            let [first, second] = [1, 2].map(|other| pole - poles[(k + other) % 3]);
            let (sin, cos) = libm::sincos(pole.im * time);
            let fades = Complex::new(cos, sin) * libm::exp(pole.re * time);
            sum += ((pole * b1 + b0) / (pole * first * second * lag) * fades).re;
        }
        step * sum
    };
    let run = linear(speed, step).run(seconds(2.0), &OUTPUTS);
    let settled = response(10.0);
    for k in 1..200 {
        let time = f64::from(k) * 0.01;
        let off = at(&run, "car.yaw_rate", time) - response(time);
        assert!(off.abs() < 1e-5 * settled, "{off} of {settled} rad/s at {time} s");
    }
}

#[test]
fn its_poles_are_those_of_the_book_at_any_speed() {
    // What is left to the steady state obeys e(t+2h) - 2 e^(-a h) c e(t+h) + e^(-2 a h) e(t) = 0, with
    // a = a1/2, and c the cosine or hyperbolic cosine of the other half of the poles.
    for speed in [5.0, 15.0, 25.0, 40.0] {
        let [a1, a0] = characteristic(speed);
        let (a, apart, h) = (a1 / 2.0, a1 * a1 / 4.0 - a0, 0.05);
        let c =
            if apart > 0.0 { libm::cosh(apart.sqrt() * h) } else { libm::cos((-apart).sqrt() * h) };
        let run = linear(speed, 1e-4).run(seconds(10.0), &OUTPUTS);
        let left = |t: f64| at(&run, "car.yaw_rate", t) - at(&run, "car.yaw_rate", 10.0);
        let decay = libm::exp(-a * h);
        // The rack has settled at 0.1 s, and the rest is still there.
        let t = 0.1;
        let [first, second, third] = [left(t), left(t + h), left(t + 2.0 * h)];
        let wrong = third - 2.0 * decay * c * second + decay * decay * first;
        assert!(first.abs() > 1e-6, "{speed} m/s: nothing left to look at");
        assert!(wrong.abs() < 1e-4 * first.abs(), "{speed} m/s: {wrong} of {first}");
    }
    // An understeering car oscillates when it is fast, and does not when it is slow.
    let oscillates = |speed: f64| {
        let [a1, a0] = characteristic(speed);
        a1 * a1 / 4.0 < a0
    };
    assert!(!oscillates(5.0) && oscillates(15.0));
}

#[test]
fn without_steering_it_goes_straight_for_ever() {
    let run = car(0.0, [0.0; 2], &[]).run(seconds(600.0), &OUTPUTS);
    for output in ["car.east", "car.heading", "car.lateral_velocity", "car.yaw_rate"] {
        assert_eq!(at(&run, output, 600.0), 0.0, "{output}");
    }
    assert!((at(&run, "car.north", 600.0) - 15e3).abs() < 1e-6);
    assert_eq!(at(&run, "car.speed", 600.0), 25.0);
}

#[test]
fn left_and_right_are_mirror_images() {
    let [right, left] = [0.05, -0.05].map(|angle| car(angle, [0.0; 2], &[]));
    let [right, left] = [right, left].map(|rig| rig.run(seconds(5.0), &OUTPUTS));
    assert!(at(&right, "car.east", 5.0) > 20.0);
    assert_eq!(at(&right, "car.north", 5.0), at(&left, "car.north", 5.0));
    for output in ["car.east", "car.heading", "car.lateral_velocity", "car.yaw_rate"] {
        assert_eq!(at(&right, output, 5.0), -at(&left, output, 5.0), "{output}");
    }
}

#[test]
fn slowly_it_moves_as_the_kinematic_model() {
    for speed in [0.3_f64, 1.0, 3.0] {
        let run = car(0.3, [0.0; 2], &[("initial.speed", real(speed))]).run(seconds(5.0), &OUTPUTS);
        let yaw_rate = at(&run, "car.yaw_rate", 5.0);
        let kinematic = speed * libm::tan(0.3) / WHEELBASE;
        assert!((yaw_rate / kinematic - 1.0).abs() < 0.01, "{yaw_rate}, not {kinematic} rad/s");
        let lateral = at(&run, "car.lateral_velocity", 5.0) / (REAR * kinematic);
        assert!((lateral - 1.0).abs() < 0.03, "{speed} m/s: {lateral}");
    }
}

#[test]
fn a_car_at_rest_stays_there_whatever_the_steering() {
    let free = [("speed_mode", text("free")), ("initial.speed", real(0.0))];
    let run = car(0.5, [0.0; 2], &free).run(seconds(10.0), &OUTPUTS);
    for output in ["car.north", "car.east", "car.heading", "car.speed"] {
        assert_eq!(at(&run, output, 10.0), 0.0, "{output}");
    }
    assert!((at(&run, "car.wheel_angle", 10.0) - 0.5).abs() < 1e-9);
}

#[test]
fn no_steering_turns_it_faster_than_its_tyres_grip() {
    let run = car(0.6, [0.0; 2], &[("tyres.grip", real(0.5))]).run(seconds(5.0), &OUTPUTS);
    let across = 25.0 * at(&run, "car.yaw_rate", 5.0);
    assert!((0.3 * GRAVITY..0.5 * GRAVITY).contains(&across), "{across} m/s²");
}

#[test]
fn the_rack_turns_no_faster_and_no_further_than_it_can() {
    let run = car(2.0, [0.0; 2], &[("initial.speed", real(1.0))]).run(seconds(4.0), &OUTPUTS);
    let wheel = |time: f64| at(&run, "car.wheel_angle", time);
    let fastest = (wheel(0.2) - wheel(0.1)) / 0.1;
    assert!((0.52..=0.55).contains(&fastest), "{fastest} rad/s");
    assert!((wheel(4.0) - 0.6).abs() < 1e-6, "{} rad", wheel(4.0));
}

#[test]
fn a_crosswind_and_a_bank_push_it_to_the_side() {
    // ½ ρ A c_y V v_a, with 25 m/s ahead and 10 m/s of wind to the east.
    let push = 0.5 * 1.225 * 2.2 * 2.3 * libm::hypot(25.0, 10.0) * 10.0 / MASS;
    let early = 1e-4;
    let run = car(0.0, [10.0, 0.0], &[]).run(seconds(early), &OUTPUTS);
    let pushed = at(&run, "car.lateral_velocity", early) / early;
    assert!((pushed / push - 1.0).abs() < 2e-3, "{pushed} m/s², not {push} m/s²");
    // The wind turns the nose away from it.
    assert!(at(&run, "car.yaw_rate", early) > 0.0);
    let run = car(0.0, [0.0, 0.05], &[]).run(seconds(early), &OUTPUTS);
    let slid = at(&run, "car.lateral_velocity", early) / early;
    assert!((slid / (GRAVITY * libm::sin(0.05)) - 1.0).abs() < 2e-3, "{slid} m/s²");
}

#[test]
fn coasting_it_loses_speed_to_air_and_tyres() {
    let free = [("speed_mode", text("free")), ("initial.speed", real(30.0))];
    let run = car(0.0, [0.0; 2], &free).run(seconds(100.0), &OUTPUTS);
    // u' = -(k u² + c): u = sqrt(c/k) tan(atan(u0 sqrt(k/c)) - t sqrt(k c)).
    let (k, c) = (0.5 * 1.225 * 2.2 * 0.3 / MASS, 0.012 * GRAVITY);
    let tangent = libm::atan(30.0 * (k / c).sqrt()) - 100.0 * (k * c).sqrt();
    let theory = (c / k).sqrt() * libm::tan(tangent);
    let speed = at(&run, "car.speed", 100.0);
    assert!((speed - theory).abs() < 1e-3, "{speed} m/s, not {theory} m/s");
}

#[test]
fn the_view_shows_the_acceleration_of_a_curve_and_its_jerk() {
    let mut rig = linear(25.0, 1e-2);
    rig.add_at("view", "car.view", Some(Rate::hz(100)), &[]);
    for name in ["north", "east", "heading", "lateral_velocity", "yaw_rate", "speed"] {
        rig.link(&format!("car.{name}"), &format!("view.{name}"));
    }
    let outputs = ["view.lateral_acceleration", "view.lateral_jerk", "car.yaw_rate"];
    let run = rig.run(seconds(5.0), &outputs);
    let (acceleration, jerk) =
        (run.numbers("view.lateral_acceleration"), run.numbers("view.lateral_jerk"));
    let across = 25.0 * at(&run, "car.yaw_rate", 5.0);
    let shown = acceleration.last().expect("it was shown");
    assert!((shown - across).abs() < 1e-4 * across, "{shown} m/s², not {across} m/s²");
    assert!(jerk.last().expect("it was shown").abs() < 1e-3);
    let gained: f64 = jerk.iter().map(|jerk| 0.01 * jerk).sum();
    assert!((gained - (shown - acceleration[0])).abs() < 1e-9);
}

#[test]
fn quantized_states_come_to_the_same_result() {
    let precise = car(0.02, [5.0, 0.0], &[]).run(seconds(2.0), &OUTPUTS);
    let quantized = [("solver.method", text("qss3")), ("solver.absolute", real(1e-6))];
    let quantized = car(0.02, [5.0, 0.0], &quantized).run(seconds(2.0), &OUTPUTS);
    // The speed is held: a quantized state that never changes is shown once, before anybody listens.
    for output in OUTPUTS.into_iter().filter(|output| *output != "car.speed") {
        let (a, b) = (at(&precise, output, 2.0), at(&quantized, output, 2.0));
        assert!((a - b).abs() < 1e-3, "{output}: {a}, {b}");
    }
}

#[test]
fn a_car_without_mass_is_refused() {
    assert_eq!(
        Rig::of(&[ironbird_plant::register]).refusal("plant.car", &[("chassis.mass", real(0.0))]),
        "parameter \"chassis.mass\": 0 kg is not allowed: it must be above 0 kg"
    );
}
