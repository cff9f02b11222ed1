//! One right-hand side under every solver, in the whole stack.

use super::study::{Ran, open_study};

fn coverage(method: &str, tolerances: [&str; 2]) -> Ran {
    let sets = [
        format!("system.plane.solver.method={method}"),
        format!("system.plane.solver.absolute={}", tolerances[0]),
        format!("system.plane.solver.relative={}", tolerances[1]),
    ];
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let ran = open_study("fixed-wing", "coverage", &sets).run(0, 0);
    ran.holds();
    ran
}

/// The largest distance between two flights at the same instants, in m, and between their arrivals, in s.
fn apart(one: &Ran, other: &Ran) -> (f64, f64) {
    let (a, b) = (one.samples("view.position"), other.samples("view.position"));
    assert_eq!(a.len(), b.len());
    let distance =
        |p: &[f64], q: &[f64]| p.iter().zip(q).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
    let far = a.iter().zip(&b).map(|((_, p), (_, q))| distance(p, q)).fold(0.0, f64::max);
    let arrivals = |ran: &Ran| -> Vec<f64> {
        ran.samples("mission.arrival.arrived").into_iter().map(|(time, _)| time).collect()
    };
    let (a, b) = (arrivals(one), arrivals(other));
    assert_eq!(a.len(), b.len());
    (far, a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max))
}

#[test]
fn the_whole_mission_is_the_same_under_every_solver() {
    let reference = coverage("dopri5", ["1e-10", "1e-10"]);
    // The default: arrivals are located, by two solvers that share no step, within a microsecond.
    let (far, late) = apart(&reference, &open_study("fixed-wing", "coverage", &[]).run(0, 0));
    println!("rk4: {far:.2e} m, {late:.2e} s");
    assert!(far < 1e-4 && late < 1e-6, "{far} {late}");
    for (method, tolerances, bound) in [
        ("dopri5", ["1e-6", "1e-6"], 1e-3),
        ("qss2", ["1e-3", "1e-4"], 1.0),
        ("qss3", ["1e-4", "1e-4"], 1.0),
        ("liqss2", ["1e-4", "1e-4"], 1.0),
    ] {
        let (far, late) = apart(&reference, &coverage(method, tolerances));
        println!("{method}: {far:.2e} m, {late:.2e} s");
        assert!(far < bound, "{method}: {far} m");
    }
}
