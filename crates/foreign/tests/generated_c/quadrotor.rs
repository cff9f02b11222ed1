//! The quadrotor of the example flies as its equations say.

use std::path::PathBuf;

use ironbird_kernel::Rate;
use ironbird_kinematics::{Attitude, RigidMotion};
use ironbird_plant::multirotor::{Drive, Multirotor, MultirotorParts, Rotor, Turns};
use ironbird_plant::vehicle::integrate::{Held, SolvedInertia, step};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, seconds, text};
use nalgebra::{Matrix3, Vector3};
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

/// The same vehicle as the native model has it.
fn native() -> Multirotor {
    let rotor = |forward: f64, starboard: f64, turns: Turns| Rotor {
        at: Vector3::new(forward, starboard, 0.0),
        turns,
        thrust: 8.54858e-6,
        torque: 0.016 * 8.54858e-6,
        rise: 0.0125,
        fall: 0.025,
        fastest: 1000.0,
        ..Rotor::default()
    };
    let moments = Vector3::new(0.021667, 0.021667, 0.04);
    Multirotor::new(MultirotorParts {
        name: "quadrotor".into(),
        source: "the example".into(),
        inertia: Inertia { mass: 2.064308, tensor: Matrix3::from_diagonal(&moments), added: None },
        rotors: vec![
            rotor(0.174, 0.174, Turns::CounterClockwise),
            rotor(-0.174, -0.174, Turns::CounterClockwise),
            rotor(0.174, -0.174, Turns::Clockwise),
            rotor(-0.174, 0.174, Turns::Clockwise),
        ],
        drive: Drive::Speed,
        linear_drag: Vector3::zeros(),
        quadratic_drag: Vector3::zeros(),
        rain_area: 0.0,
        trim: Vector3::zeros(),
        warming: None,
    })
    .unwrap()
}

#[test]
fn the_c_code_flies_as_the_native_model() {
    let folder = TempDir::new().unwrap();
    let outputs = ["quad.position", "quad.velocity", "quad.attitude", "quad.rates"];
    let run = system(&folder, 1_000).run(seconds(5.0), &outputs);
    let [position, velocity, rates] =
        ["quad.position", "quad.velocity", "quad.rates"].map(|name| run.samples::<[f64; 3]>(name));
    let attitude = run.samples::<Attitude>("quad.attitude");
    assert_eq!(position.len(), 5_001);
    let craft = native();
    let mass = SolvedInertia::new(craft.inertia()).unwrap();
    let (mut motion, mut speeds) = (RigidMotion::default(), [0.0; 4]);
    let around = Surroundings::default();
    let mut worst: f64 = 0.0;
    for tick in 0..=5_000 {
        let q = attitude[tick].1;
        let shown = [position[tick].1, velocity[tick].1].concat();
        let shown = [&shown[..], &[q.w, q.x, q.y, q.z], &rates[tick].1].concat();
        let turned = Attitude::from(motion.attitude);
        let twin: Vec<f64> = motion.position.iter().chain(&motion.velocity).copied().collect();
        let turned = [turned.w, turned.x, turned.y, turned.z];
        let twin = [&twin[..], &turned, motion.rates.as_slice()].concat();
        let errors = shown.iter().zip(&twin).map(|(ours, twin)| (ours - twin).abs());
        worst = errors.fold(worst, f64::max);
        let now = tick as f64 * 0.001;
        let (_, commands) = FLIGHT.iter().rfind(|(from, _)| *from <= now).unwrap();
        let held = Held { commands, around: &around };
        step(&craft, &mass, &mut motion, &mut speeds, &held, 1e-3, None);
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
