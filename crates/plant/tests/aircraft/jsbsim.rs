//! The same aircraft, the same inputs, another flight simulator: JSBSim flies our aircraft files for 20 s,
//! power off, with its own equations of motion and its own reading of the tables.

use std::path::Path;

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{python, real, text};

use super::flight::{AIRCRAFT, AIRSPEEDS, Flown, file_of, fly, ms, rig};

/// Deflections in rad, each held from its time (s) on.
const ELEVATOR: [(f64, f64); 4] = [(0.0, -0.05), (2.0, -0.09), (3.0, -0.01), (4.0, -0.05)];
const AILERON: [(f64, f64); 4] = [(0.0, 0.0), (5.0, 0.04), (6.0, -0.04), (7.0, 0.0)];
const RUDDER: [(f64, f64); 3] = [(0.0, 0.0), (9.0, 0.05), (10.0, 0.0)];

/// time, alpha, beta, phi, theta, psi, V, north, east, height
fn jsbsim(aircraft: &str, airspeed: f64) -> Vec<[f64; 10]> {
    let steps = |values: &[(f64, f64)]| -> Vec<[f64; 2]> {
        values.iter().map(|(time, value)| [*time, *value]).collect()
    };
    let run = serde_json::json!({
        "step": 0.0005, "end": 20.0, "every": 0.5,
        "initial": { "u": airspeed, "height": 500.0 },
        "deflections": {
            "elevator": steps(&ELEVATOR), "aileron": steps(&AILERON), "rudder": steps(&RUDDER)
        },
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jsbsim/to_jsbsim.py");
    let arguments = [file_of(aircraft).display().to_string(), run.to_string()];
    let printed = String::from_utf8(python(script, &arguments)).unwrap();
    let numbers = |line: &str| -> Option<[f64; 10]> {
        let cells: Vec<f64> = line.split(',').map_while(|cell| cell.trim().parse().ok()).collect();
        cells.get(..10).map(|row| row.try_into().unwrap())
    };
    printed.lines().filter_map(numbers).collect()
}

fn ours(aircraft: &str, airspeed: f64) -> Flown {
    let settings: [(&str, Parameter); 8] = [
        ("ideal_servos", Parameter::Bool(true)),
        ("solver.method", text("rk4")),
        ("solver.step", real(0.002)),
        ("initial.position[0]", real(0.0)),
        ("initial.position[1]", real(0.0)),
        ("initial.position[2]", real(-500.0)),
        ("initial.velocity[0]", real(airspeed)),
        ("initial.velocity[1]", real(0.0)),
    ];
    let mut all = settings.to_vec();
    all.push(("propelled", Parameter::Bool(false)));
    all.push(("initial.velocity[2]", real(0.0)));
    let mut rig = rig(aircraft, &all);
    for (name, values) in [("elevator", &ELEVATOR[..]), ("aileron", &AILERON), ("rudder", &RUDDER)]
    {
        let script: Vec<(Time, f64)> =
            values.iter().map(|(time, value)| (ms((time * 1e3) as u64), *value)).collect();
        rig.script(name, &script);
        rig.link(&format!("{name}.out"), &format!("plane.{name}"));
    }
    fly(rig, ms(20_000))
}

#[test]
fn twenty_seconds_open_loop_end_where_jsbsim_ends() {
    for (aircraft, airspeed) in AIRCRAFT.into_iter().zip(AIRSPEEDS) {
        let (theirs, ours) = (jsbsim(aircraft, airspeed), ours(aircraft, airspeed));
        assert_eq!(theirs.len(), 41, "{aircraft}");
        let mut worst = [0.0_f64; 3];
        for [time, alpha, beta, phi, theta, psi, speed, north, east, height] in theirs {
            let at = ms((time * 1e3).round() as u64);
            let [w, x, y, z] = ours.states(["qw", "qx", "qy", "qz"], at);
            let [roll, pitch, yaw] = Attitude { w, x, y, z }.to_euler();
            let [u, v, w] = ours.states(["u", "v", "w"], at);
            let own_alpha = libm::atan2(w, u);
            let own_beta = libm::atan2(v, libm::hypot(u, w));
            let off = |a: f64, b: f64| libm::remainder(a - b, std::f64::consts::TAU).abs();
            let angles = [
                off(roll, phi),
                off(pitch, theta),
                off(yaw, psi),
                off(own_alpha, alpha),
                off(own_beta, beta),
            ];
            let angle = angles.into_iter().fold(0.0, f64::max).to_degrees();
            let speed = (libm::sqrt(u * u + v * v + w * w) - speed).abs();
            let place = ours.states(["north", "east", "down"], at);
            let far = [place[0] - north, place[1] - east, place[2] + height];
            let far = far.iter().map(|part| part * part).sum::<f64>().sqrt();
            for (worst, now) in worst.iter_mut().zip([angle, speed, far]) {
                *worst = worst.max(now);
            }
        }
        let [angle, speed, place] = worst;
        println!("{aircraft}: within {angle:.4} deg, {speed:.5} m/s, {place:.4} m");
        assert!(angle < 0.2 && speed < 0.1 && place < 1.0, "{aircraft}: {worst:?}");
    }
}
