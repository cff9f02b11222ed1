//! The quadrotor of the example flies as its equations say.

use std::path::PathBuf;

use ironbird_kernel::Rate;
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, seconds, text};
use tempfile::TempDir;

use crate::{compile, example, rig};

/// Speeds at which the four rotors are commanded from these times on, in s and rad/s: it climbs, pitches, rolls,
/// yaws and tumbles.
const FLIGHT: [(f64, [f64; 4]); 5] = [
    (0.0, [800.0, 800.0, 800.0, 800.0]),
    (1.0, [790.0, 780.0, 790.0, 780.0]),
    (2.0, [760.0, 775.0, 772.0, 763.0]),
    (3.2, [700.0, 900.0, 850.0, 720.0]),
    (4.4, [0.0, 1200.0, 300.0, 500.0]),
];

fn system(library: &TempDir, rate: u64) -> Rig {
    let so = library.path().join("quadrotor.so");
    compile(&example("quadrotor.c"), &so);
    let show = |path: PathBuf| text(path.to_str().unwrap());
    let settings = [("file", show(so)), ("description", show(example("quadrotor.toml")))];
    let mut rig = rig();
    rig.add_at("quad", "foreign.generated-c", Some(Rate::hz(rate)), &settings);
    rig.script("armed", &[(seconds(0.0), true)]);
    rig.link("armed.out", "quad.armed");
    for motor in 0..4 {
        let name = format!("m{motor}");
        rig.script(&name, &FLIGHT.map(|(time, speeds)| (seconds(time), speeds[motor])));
        rig.link(&format!("{name}.out"), &format!("quad.motors[{motor}]"));
    }
    rig
}

/// Position, velocity, attitude, rates, speeds of the rotors.
type State = [f64; 17];

/// The equations of the example, in their own words.
fn derivative(x: &State, commands: &[f64; 4]) -> State {
    const MASS: f64 = 2.064308;
    const INERTIA: [f64; 3] = [0.021667, 0.021667, 0.04];
    const PLACES: [(f64, f64, f64); 4] =
        [(0.174, 0.174, 1.0), (-0.174, -0.174, 1.0), (0.174, -0.174, -1.0), (-0.174, 0.174, -1.0)];
    let q = nalgebra::Quaternion::new(x[6], x[7], x[8], x[9]);
    let rates = nalgebra::Vector3::new(x[10], x[11], x[12]);
    let mut dx = [0.0; 17];
    let (mut force, mut moment) = (nalgebra::Vector3::zeros(), nalgebra::Vector3::zeros());
    for (i, (forward, starboard, turn)) in PLACES.into_iter().enumerate() {
        let speed = x[13 + i];
        let thrust = nalgebra::Vector3::new(0.0, 0.0, -8.54858e-6 * speed * speed);
        force += thrust;
        moment += nalgebra::Vector3::new(forward, starboard, 0.0).cross(&thrust);
        moment.z -= turn * 0.016 * thrust.z;
        let command = commands[i].clamp(0.0, 1000.0);
        dx[13 + i] = (command - speed) / if command > speed { 0.0125 } else { 0.025 };
    }
    // Within a step the length of q differs from 1 by very little, which both leave as it is.
    let turned = nalgebra::UnitQuaternion::new_unchecked(q).transform_vector(&force);
    let acceleration = turned / MASS + nalgebra::Vector3::new(0.0, 0.0, 9.80665);
    let inertia = nalgebra::Vector3::from(INERTIA);
    let turning = (moment - rates.cross(&inertia.component_mul(&rates))).component_div(&inertia);
    let dq = q * nalgebra::Quaternion::from_imag(rates) * 0.5;
    dx[..3].copy_from_slice(&x[3..6]);
    dx[3..6].copy_from_slice(acceleration.as_slice());
    dx[6..10].copy_from_slice(&[dq.w, dq.i, dq.j, dq.k]);
    dx[10..13].copy_from_slice(turning.as_slice());
    dx
}

/// One step of a millisecond by the fourth-order Runge-Kutta method.
fn step(x: &mut State, commands: &[f64; 4]) {
    const H: f64 = 0.001;
    let moved = |by: f64, slope: &State| std::array::from_fn(|i| x[i] + by * slope[i]);
    let a = derivative(x, commands);
    let b = derivative(&moved(0.5 * H, &a), commands);
    let c = derivative(&moved(0.5 * H, &b), commands);
    let d = derivative(&moved(H, &c), commands);
    let next: State =
        std::array::from_fn(|i| x[i] + H / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    *x = next;
    let length = x[6..10].iter().map(|q| q * q).sum::<f64>().sqrt();
    x[6..10].iter_mut().for_each(|q| *q /= length);
}

#[test]
fn the_c_code_flies_as_the_same_equations_in_rust() {
    let folder = TempDir::new().unwrap();
    let outputs = ["quad.position", "quad.velocity", "quad.attitude", "quad.rates"];
    let run = system(&folder, 1_000).run(seconds(5.0), &outputs);
    let [position, velocity, rates] =
        ["quad.position", "quad.velocity", "quad.rates"].map(|name| run.samples::<[f64; 3]>(name));
    let attitude = run.samples::<Attitude>("quad.attitude");
    assert_eq!(position.len(), 5_001);
    let mut x = [0.0; 17];
    x[6] = 1.0;
    let mut worst: f64 = 0.0;
    for tick in 0..=5_000 {
        let q = attitude[tick].1;
        let shown = [position[tick].1, velocity[tick].1].concat();
        let shown = [&shown[..], &[q.w, q.x, q.y, q.z], &rates[tick].1].concat();
        let errors = shown.iter().zip(&x).map(|(ours, twin)| (ours - twin).abs());
        worst = errors.fold(worst, f64::max);
        let now = tick as f64 * 0.001;
        let (_, commands) = FLIGHT.iter().rfind(|(from, _)| *from <= now).unwrap();
        step(&mut x, commands);
    }
    assert!(worst < 1e-9, "{worst}");
    let climbed = -position[1_000].1[2];
    assert!((0.1..0.4).contains(&climbed), "{climbed}");
    assert!(rates[5_000].1.iter().all(|rate| rate.abs() > 0.1), "it tumbles at the end");
}

#[test]
fn with_a_component_of_250_hz_the_model_still_steps_at_1_khz() {
    let folder = TempDir::new().unwrap();
    // Commands change when both see it: inputs hold between the steps of the component.
    let fine = system(&folder, 1_000).run(seconds(5.0), &["quad.position"]);
    let coarse = system(&folder, 250).run(seconds(5.0), &["quad.position"]);
    let places = |run: &Run| -> Vec<[f64; 3]> {
        run.samples::<[f64; 3]>("quad.position").iter().map(|(_, place)| *place).collect()
    };
    let (fine, coarse) = (places(&fine), places(&coarse));
    assert_eq!(coarse.len(), 1_251);
    assert_eq!(coarse, fine.into_iter().step_by(4).collect::<Vec<_>>());
}

#[test]
fn it_goes_on_after_a_checkpoint() {
    let folder = TempDir::new().unwrap();
    assert_goes_on_after_a_checkpoint(
        || system(&folder, 250).into_graph(),
        seconds(1.3),
        seconds(2.5),
    );
}
