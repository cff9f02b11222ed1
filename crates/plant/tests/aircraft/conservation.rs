//! What physics keeps: free fall, angular momentum, energy, mirror images, a uniform wind, the length of the
//! quaternion.

use std::path::PathBuf;

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{Rig, Setting, real, text};
use nalgebra::Vector3;

use super::flight::{Flown, fly, list, ms, rig};

const GRAVITY: f64 = 9.80665;

/// An aircraft of 2 kg with these coefficients and nothing else, in a folder of its own.
fn bare(lift: &str, drag: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bare.toml");
    let text = format!(
        r#"
name = "bare"
source = "this test"
[mass]
mass = "2 kg"
ixx = "0.1 kg*m^2"
iyy = "0.2 kg*m^2"
izz = "0.25 kg*m^2"
ixz = "0.03 kg*m^2"
[reference]
area = "0.5 m^2"
span = "2 m"
chord = "0.25 m"
[aerodynamics]
lift = {lift}
drag = {drag}
side = []
roll = []
pitch = []
yaw = []
[servos]
time_constant = "0.05 s"
rate_limit = "300 deg/s"
"#
    );
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

fn precise() -> Vec<(String, Parameter)> {
    let settings = [
        ("solver.method", text("dopri5")),
        ("solver.absolute", real(1e-12)),
        ("solver.relative", real(1e-12)),
    ];
    settings.map(|(name, value)| (name.to_owned(), value)).into()
}

fn fly_bare(file: &std::path::Path, start: &[[(String, Parameter); 3]], end: Time) -> Flown {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    let mut all = precise();
    all.push(("file".into(), text(&file.display().to_string())));
    all.extend(start.iter().flatten().cloned());
    let all: Vec<Setting<'_>> =
        all.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    rig.add("plane", "plant.aircraft", &all);
    fly(rig, end)
}

fn attitude(flown: &Flown, at: Time) -> Attitude {
    let [w, x, y, z] = flown.states(["qw", "qx", "qy", "qz"], at);
    Attitude { w, x, y, z }
}

#[test]
fn without_air_it_falls_by_half_g_t_squared() {
    let (_folder, file) = bare("[]", "[]");
    let start = [
        list("initial.velocity", [20.0, -5.0, -30.0]),
        list("initial.position", [7.0, 8.0, -500.0]),
        list("initial.attitude", [0.5, -0.3, 2.0]),
        list("initial.rates", [1.0, -2.0, 0.7]),
    ];
    let flown = fly_bare(&file, &start, ms(10_000));
    for time in [0_u64, 1_000, 2_500, 10_000] {
        let t = 1e-3 * time as f64;
        let expected = [7.0 + 20.0 * t, 8.0 - 5.0 * t, -500.0 - 30.0 * t + 0.5 * GRAVITY * t * t];
        for (name, expected) in ["north", "east", "down"].into_iter().zip(expected) {
            let found = flown.state(name, ms(time));
            assert!((found - expected).abs() < 1e-7, "{name} after {t} s: {found}, not {expected}");
        }
    }
}

#[test]
fn without_air_it_tumbles_with_constant_angular_momentum_and_energy() {
    let (_folder, file) = bare("[]", "[]");
    // About the middle one of the principal axes, which is unstable: it turns over again and again.
    let start = [list("initial.rates", [0.01, 6.0, 0.0]), list("initial.velocity", [0.0; 3])];
    let flown = fly_bare(&file, &start, ms(20_000));
    let of = |at: Time| {
        let [p, q, r] = flown.states(["p", "q", "r"], at);
        let momentum = Vector3::new(0.1 * p - 0.03 * r, 0.2 * q, 0.25 * r - 0.03 * p);
        let energy = 0.5 * momentum.dot(&Vector3::new(p, q, r));
        (attitude(&flown, at).to_ned(momentum), energy)
    };
    let (momentum, energy) = of(ms(0));
    let mut lowest: f64 = 6.0;
    for time in (0..=20_000).step_by(100) {
        let (now, later) = of(ms(time));
        assert!((now - momentum).norm() < 1e-8 * momentum.norm(), "after {time} ms: {now}");
        assert!((later / energy - 1.0).abs() < 1e-8, "after {time} ms: {later}");
        lowest = lowest.min(flown.state("q", ms(time)));
    }
    assert!(lowest < -5.9, "it turned over: {lowest}");
}

#[test]
fn the_quaternion_keeps_its_length() {
    let (_folder, file) = bare("[]", "[]");
    let start = [list("initial.rates", [3.0, 6.0, -4.0]), list("initial.velocity", [0.0; 3])];
    let flown = fly_bare(&file, &start, ms(20_000));
    for time in (0..=20_000).step_by(500) {
        let Attitude { w, x, y, z } = attitude(&flown, ms(time));
        let length = (w * w + x * x + y * y + z * z).sqrt();
        assert!((length - 1.0).abs() < 1e-10, "after {time} ms: {length}");
    }
}

/// Kinetic and potential energy of the 2 kg of `bare`, which does not turn.
fn energy(flown: &Flown, at: Time) -> f64 {
    let [u, v, w, down] = flown.states(["u", "v", "w", "down"], at);
    u * u + v * v + w * w - 2.0 * GRAVITY * down
}

#[test]
fn lift_does_no_work() {
    let (_folder, file) = bare(r#"[{ value = 0.3 }, { value = 4, times = ["alpha"] }]"#, "[]");
    let start =
        [list("initial.velocity", [15.0, 1.0, 2.0]), list("initial.attitude", [0.3, 0.1, 0.0])];
    let flown = fly_bare(&file, &start, ms(10_000));
    let first = energy(&flown, ms(0));
    let turned = (flown.state("u", ms(10_000)) - flown.state("u", ms(0))).abs();
    for time in (0..=10_000).step_by(250) {
        let now = energy(&flown, ms(time));
        assert!((now - first).abs() < 1e-8 * first, "after {time} ms: {now}, not {first}");
    }
    assert!(turned > 1.0, "it flies a curve: {turned}");
}

#[test]
fn energy_falls_by_the_work_of_drag() {
    let (_folder, file) = bare("[{ value = 0.3 }]", "[{ value = 0.05 }]");
    let start = [list("initial.velocity", [15.0, 1.0, 2.0]), list("initial.position", [0.0; 3])];
    let flown = fly_bare(&file, &start, ms(5_000));
    // D V = 1/2 rho V³ S CD, by Simpson's rule.
    let power = |at: Time| {
        let [u, v, w, down] = flown.states(["u", "v", "w", "down"], at);
        let height = -down * 6_356_766.0 / (6_356_766.0 - down);
        let density = 1.225 * libm::pow(1.0 - 0.0065 * height / 288.15, 4.255_876);
        let speed = (u * u + v * v + w * w).sqrt();
        0.5 * density * speed * speed * speed * 0.5 * 0.05
    };
    let mut work = 0.0;
    for start in (0..5_000).step_by(10) {
        let sum = power(ms(start)) + 4.0 * power(ms(start + 5)) + power(ms(start + 10));
        work += sum * 0.01 / 6.0;
    }
    let lost = energy(&flown, ms(0)) - energy(&flown, ms(5_000));
    assert!(work > 20.0 && (lost / work - 1.0).abs() < 1e-6, "{lost} J lost, work {work} J");
}

/// A flight of the Aerosonde, whose coefficients and propulsion are symmetric, with aileron and rudder of this
/// sign.
fn swerving(sign: f64) -> Flown {
    let mut settings = precise();
    settings.push(("initial.trim_airspeed".into(), real(25.0)));
    settings.push(("initial.about_trim".into(), Parameter::Bool(true)));
    let settings: Vec<Setting<'_>> =
        settings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut rig = rig("aerosonde", &settings);
    let inputs = [
        ("aileron", sign * 0.05, 0),
        ("rudder", sign * -0.03, 2_000),
        ("elevator", -0.02, 500),
        ("wind_east", sign * 3.0, 3_000),
    ];
    for (name, value, from) in inputs {
        rig.script(name, &[(ms(0), 0.0), (ms(from), value), (ms(from + 1_500), 0.0)]);
        rig.link(&format!("{name}.out"), &format!("plane.{name}"));
    }
    fly(rig, ms(8_000))
}

#[test]
fn mirrored_inputs_give_the_mirrored_flight() {
    let (one, other) = (swerving(1.0), swerving(-1.0));
    let same = ["north", "down", "u", "w", "qw", "qy", "q", "charge"];
    let opposite = ["east", "v", "qx", "qz", "p", "r"];
    for time in (0..=8_000).step_by(500) {
        for name in same {
            let (a, b) = (one.state(name, ms(time)), other.state(name, ms(time)));
            assert!((a - b).abs() < 1e-12 * a.abs().max(1.0), "{name} after {time} ms: {a}, {b}");
        }
        for name in opposite {
            let (a, b) = (one.state(name, ms(time)), other.state(name, ms(time)));
            assert!((a + b).abs() < 1e-12 * a.abs().max(1.0), "{name} after {time} ms: {a}, {b}");
        }
    }
    assert!(one.state("east", ms(8_000)).abs() > 20.0, "it swerves");
}

/// A flight of the Ultra Stick in a wind that is there from the start.
fn in_wind(wind: [f64; 3]) -> Flown {
    let mut settings = precise();
    settings.push(("initial.trim_airspeed".into(), real(17.0)));
    settings.push(("initial.about_trim".into(), Parameter::Bool(true)));
    settings.extend(list("initial.trim_wind", wind));
    settings.extend(list("initial.position", [0.0, 0.0, -100.0]));
    let settings: Vec<Setting<'_>> =
        settings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut rig = rig("ultra-stick-25e", &settings);
    for (name, value) in ["wind_north", "wind_east", "wind_down"].into_iter().zip(wind) {
        rig.script(name, &[(ms(0), value)]);
        rig.link(&format!("{name}.out"), &format!("plane.{name}"));
    }
    rig.script("aileron", &[(ms(0), 0.0), (ms(1_000), 0.03), (ms(2_000), 0.0)]);
    rig.link("aileron.out", "plane.aileron");
    fly(rig, ms(10_000))
}

#[test]
fn a_steady_wind_only_carries_the_flight_along() {
    let (calm, wind) = (in_wind([0.0; 3]), [4.0, -7.0, 0.0]);
    let windy = in_wind(wind);
    for time in (0..=10_000).step_by(500) {
        let (at, t) = (ms(time), 1e-3 * time as f64);
        for (name, wind) in ["north", "east", "down"].into_iter().zip(wind) {
            let moved = windy.state(name, at) - calm.state(name, at);
            assert!((moved - wind * t).abs() < 1e-6, "{name} after {t} s: {moved}");
        }
        let air = |flown: &Flown, wind: [f64; 3]| {
            let body = Vector3::from(flown.states(["u", "v", "w"], at));
            body - attitude(flown, at).to_body(Vector3::from(wind))
        };
        let off = (air(&calm, [0.0; 3]) - air(&windy, wind)).norm();
        assert!(off < 1e-7, "after {t} s: {off} m/s");
    }
}
