//! The same flight under every solver.

use ironbird_kernel::{Graph, Parameter};
use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, real, text};

use super::flight::{Flown, fly, ms, rig};

/// Twenty seconds of the Ultra Stick with power and servos that lag; aileron, elevator and throttle change at
/// 50 Hz, with a pulse of each.
fn flight(solver: &[(&str, Parameter)]) -> Rig {
    let mut settings =
        vec![("initial.trim_airspeed", real(17.0)), ("initial.about_trim", Parameter::Bool(true))];
    settings.extend(solver.iter().cloned());
    let mut rig = rig("ultra-stick-25e", &settings);
    let pulses = [("aileron", 0.03, 2.0), ("elevator", -0.04, 6.0), ("throttle", 0.2, 10.0)];
    for (name, size, from) in pulses {
        let value = |k: u64| {
            let time = 0.02 * k as f64;
            let pulse = if (from..from + 1.0).contains(&time) { size } else { 0.0 };
            pulse + 0.005 * libm::sin(3.0 * time)
        };
        let values: Vec<_> = (0..1_000).map(|k| (ms(20 * k), value(k))).collect();
        rig.script(name, &values);
        rig.link(&format!("{name}.out"), &format!("plane.{name}"));
    }
    rig
}

fn flown(method: &str, tolerance: f64) -> Flown {
    let mut solver = vec![("solver.method", text(method))];
    match method {
        "rk4" => solver.push(("solver.step", real(tolerance))),
        _ => {
            solver.push(("solver.absolute", real(tolerance)));
            solver.push(("solver.relative", real(tolerance)));
        }
    }
    fly(flight(&solver), ms(20_000))
}

/// How far (m) two flights are apart at the most, looked at ten times a second.
fn apart(one: &Flown, other: &Flown) -> f64 {
    let distance = |time: u64| {
        let names = ["north", "east", "down"];
        let (a, b) = (one.states(names, ms(time)), other.states(names, ms(time)));
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    (0..=200).map(|k| distance(100 * k)).fold(0.0, f64::max)
}

#[test]
fn every_solver_flies_the_same_path_as_a_precise_reference() {
    let reference = flown("dopri5", 1e-12);
    // The bound (m) at each of two tolerances (or steps, s): it falls with the tolerance.
    let bounds = [
        ("dopri5", 1e-6, 2e-3, 1e-9, 1e-5),
        ("rk4", 0.01, 1e-3, 0.005, 5e-5),
        ("qss2", 1e-4, 0.2, 1e-5, 0.02),
        ("qss3", 1e-5, 0.01, 1e-7, 2e-4),
        ("liqss2", 1e-4, 0.2, 1e-5, 0.02),
    ];
    let mut failed = Vec::new();
    for (method, coarse, loose, fine, tight) in bounds {
        let [first, second] =
            [coarse, fine].map(|tolerance| apart(&flown(method, tolerance), &reference));
        println!("{method}: {first:.2e} m at {coarse}, {second:.2e} m at {fine}");
        if !(first < loose && second < tight && second < first) {
            failed.push(format!("{method}: {first} m, {second} m"));
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_run_goes_on_after_a_checkpoint_with_the_same_bits() {
    for method in ["qss3", "liqss2", "rk4", "dopri5"] {
        let graph = || -> Graph { flight(&[("solver.method", text(method))]).into_graph() };
        assert_goes_on_after_a_checkpoint(graph, ms(5_010), ms(8_000));
    }
}
