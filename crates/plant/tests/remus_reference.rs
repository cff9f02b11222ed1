//! The equations of the REMUS 100 beside an independent computation in Python (numpy), in the matrix
//! form of Fossen with Euler angles: `remus_reference.py`.
//!
//! `IRONBIRD_PYTHON` names a Python with numpy; `./test` makes one.

use ironbird_kinematics::Attitude;
use ironbird_plant::remus::{ATTITUDE, Hull, Inputs, POSITION, State, VELOCITY, advance, attitude};
use ironbird_test_rig::python;
use nalgebra::Vector3;
use serde_json::{Value, json};

const CASES: usize = 400;

/// Numbers from -1 to 1 (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| size * self.next())
    }
}

fn reference(jobs: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (jobs_path, results_path) =
        (folder.path().join("jobs.json"), folder.path().join("results.json"));
    std::fs::write(&jobs_path, jobs.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/remus_reference.py");
    python(script, &[&jobs_path, &results_path]);
    serde_json::from_slice(&std::fs::read(&results_path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A state with this attitude (roll, pitch, yaw), ν and depth.
fn state(euler: [f64; 3], nu: &[f64], depth: f64) -> State {
    let q = Attitude::from_euler(euler[0], euler[1], euler[2]);
    let mut state = State::zeros();
    state[POSITION + 2] = depth;
    state.fixed_rows_mut::<4>(ATTITUDE).copy_from_slice(&[q.w, q.x, q.y, q.z]);
    state.fixed_rows_mut::<6>(VELOCITY).copy_from_slice(nu);
    state
}

#[test]
fn accelerations_at_random_states_are_those_of_an_independent_computation() {
    let mut random = Random(11);
    let mut cases = Vec::new();
    for case in 0..CASES {
        let euler = [3.1 * random.next(), 1.3 * random.next(), 3.1 * random.next()];
        let nu = [random.vector(2.5), random.vector(1.5)].concat();
        // A quarter of them at the surface.
        let depth = if case % 4 == 0 { random.next() } else { 20.0 };
        let inputs = Inputs {
            rudder: 0.3 * random.next(),
            stern: 0.3 * random.next(),
            propeller: 2500.0 * random.next(),
            current: random.vector(1.5).into(),
            current_acceleration: random.vector(0.5).into(),
            ..Inputs::default()
        };
        cases.push((euler, nu, depth, inputs));
    }
    let rows: Vec<Vec<f64>> = cases
        .iter()
        .map(|(euler, nu, depth, i)| {
            let rest = [*depth, i.rudder, i.stern, i.propeller];
            let water = [i.current, i.current_acceleration];
            let water = water.iter().flat_map(|v| v.iter().copied());
            euler.iter().chain(nu).copied().chain(rest).chain(water).collect()
        })
        .collect();
    let found = reference(&json!({ "states": rows, "turns": [] }));
    let expected = found["rates"].as_array().unwrap();
    assert_eq!(expected.len(), CASES);
    let hull = Hull::default();
    for ((euler, nu, depth, inputs), expected) in cases.iter().zip(expected) {
        let expected = numbers(expected);
        let rate = hull.rate(&state(*euler, nu, *depth), inputs);
        let ours: Vec<f64> =
            (0..6).map(|n| rate[VELOCITY + n]).chain((0..3).map(|n| rate[POSITION + n])).collect();
        let size = expected[..6].iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for (ours, theirs) in ours.iter().zip(&expected) {
            assert!(
                (ours - theirs).abs() <= 1e-9 * size,
                "{ours} {theirs} at {euler:?} {nu:?} {inputs:?}"
            );
        }
        // The attitude a moment before and after, by the rates of the Euler angles.
        let h = 1e-5;
        let moved = |h: f64| {
            let at = |n: usize| euler[n] + h * expected[9 + n];
            let q = Attitude::from_euler(at(0), at(1), at(2));
            [q.w, q.x, q.y, q.z]
        };
        let (before, after, now) = (moved(-h), moved(h), moved(0.0));
        for n in 0..4 {
            // from_euler may choose the opposite quaternion for an angle beyond half a turn; it is the
            // same attitude, and continuous here.
            assert!((after[n] - now[n]).abs() < 0.01);
            let theirs = (after[n] - before[n]) / (2.0 * h);
            assert!((rate[ATTITUDE + n] - theirs).abs() < 1e-7, "{} {theirs}", rate[ATTITUDE + n]);
        }
    }
}

#[test]
fn a_long_turn_ends_in_the_steady_one_that_an_independent_computation_solves_for() {
    // Rudder and stern planes in rad, revolutions in rpm.
    let turns = [[0.0698, 0.0, 1525.0], [-0.15, 0.0, 1525.0], [-0.15, 0.05, 2000.0]];
    let found = reference(&json!({ "states": [], "turns": turns }));
    for (turn, expected) in turns.iter().zip(found["turns"].as_array().unwrap()) {
        let expected = numbers(expected);
        let inputs =
            Inputs { rudder: turn[0], stern: turn[1], propeller: turn[2], ..Inputs::default() };
        let start = state([0.0; 3], &[1.5, 0.0, 0.0, 0.0, 0.0, 0.0], 1e4);
        let hull = Hull::default();
        let end = advance(&hull, start, &inputs, 400.0, 40_000);
        for n in 0..6 {
            let (ours, theirs) = (end[VELOCITY + n], expected[n]);
            assert!((ours - theirs).abs() < 1e-6, "{turn:?}: {n} is {ours}, not {theirs}");
        }
        // Over ground: yaw rate and radius by differences over 10 ms.
        let later = advance(&hull, end, &inputs, 0.01, 1);
        let yaw = |state: &State| {
            let q = attitude(state);
            Attitude { w: q.w, x: q.i, y: q.j, z: q.k }.to_euler()[2]
        };
        let way: Vector3<f64> = (later - end).fixed_rows::<3>(POSITION).into();
        let turned = yaw(&later) - yaw(&end);
        let (yaw_rate, radius) = (turned / 0.01, libm::hypot(way.x, way.y) / turned.abs());
        assert!((yaw_rate - expected[8]).abs() < 1e-5, "{turn:?}: {yaw_rate} rad/s");
        assert!((radius / expected[9] - 1.0).abs() < 1e-4, "{turn:?}: radius {radius} m");
        println!("{turn:?}: {:.2} deg/s, radius {radius:.2} m", yaw_rate.to_degrees());
    }
}
