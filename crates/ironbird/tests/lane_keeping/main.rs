//! The study of `examples/lane-keeping`: what it shows with ideal timing, and what delay costs.

#[path = "../study/mod.rs"]
mod study;

use ironbird_runner::How;
use study::{Ran, open_study};

/// The study with this many milliseconds between software and car.
fn delayed(milliseconds: u32) -> Ran {
    let link = format!(
        "car.in.steering={{ from = \"software.actuation.steering\", latency = \"{milliseconds} ms\" }}"
    );
    let study = open_study("lane-keeping", "lane-keeping", &[&link]);
    assert_eq!(study.warnings.0.len(), 0, "{}", study.warnings);
    study.run(0, 0)
}

/// How far the car came from the middle of its lane, in m.
fn peak(ran: &Ran) -> f64 {
    ran.numbers("camera.offset").into_iter().fold(0.0, |peak: f64, offset| peak.max(offset.abs()))
}

#[test]
fn with_ideal_timing_all_requirements_hold() {
    let study = open_study("lane-keeping", "lane-keeping", &[]);
    assert_eq!(study.warnings.0.len(), 0, "{}", study.warnings);
    let ran = study.run(0, 0);
    ran.holds();
    let peak = peak(&ran);
    assert!((0.015..0.035).contains(&peak), "{peak} m");
}

#[test]
fn the_more_delay_the_further_the_car_strays_until_it_leaves_its_lane() {
    let runs = [0, 40, 80, 120].map(delayed);
    let peaks = runs.each_ref().map(peak);
    println!("peak offsets with 0, 40, 80, 120 ms: {peaks:.3?} m");
    for pair in peaks.windows(2) {
        assert!(pair[1] > 1.2 * pair[0], "{peaks:?}");
    }
    // Half a lane, without half a car.
    assert!(peaks[2] < 0.1, "{peaks:?}");
    assert!(peaks[3] > (3.5 - 1.85) / 2.0, "{peaks:?}");
}

#[test]
fn another_solver_drives_the_same_way() {
    let by = |method: &str| {
        // The quantum of a place must not grow with the way that was driven.
        let method = format!("car.solver.method={method}");
        let sets = [
            method.as_str(),
            "car.solver.absolute=1e-6",
            "car.solver.relative=1e-8",
            "software.detector.noise=0 m",
        ];
        open_study("lane-keeping", "lane-keeping", &sets).run(0, 0).numbers("camera.offset")
    };
    let (runge_kutta, quantized) = (by("dopri5"), by("qss3"));
    assert_eq!(runge_kutta.len(), quantized.len());
    for (a, b) in runge_kutta.into_iter().zip(quantized) {
        assert!((a - b).abs() < 1e-4, "{a} m, {b} m");
    }
}

/// The study with the same programs on real computers, over three repetitions of noise and execution times.
fn on_computers(name: &str, seed: u64) -> (Ran, f64) {
    let study = open_study("lane-keeping", name, &[&format!("seed={seed}")]);
    assert_eq!(study.warnings.0.len(), 0, "{}", study.warnings);
    let ran = study.run(0, 0);
    let peak = peak(&ran);
    (ran, peak)
}

#[test]
fn real_computers_cost_accuracy_and_an_overloaded_one_costs_the_lane() {
    for seed in [1, 2, 3] {
        let (_, ideal) = on_computers("lane-keeping", seed);
        let (real, real_peak) = on_computers("real-schedule", seed);
        let (_, overloaded) = on_computers("overloaded", seed);
        println!("seed {seed}: peak offsets {ideal:.4}, {real_peak:.4}, {overloaded:.4} m");
        real.holds();
        assert!(real_peak > 1.1 * ideal, "{real_peak} m, {ideal} m");
        assert!(overloaded > (3.5 - 1.85) / 2.0, "{overloaded} m");
    }
}

#[test]
fn the_simulation_computer_drives_the_same_way_to_the_last_bit() {
    let study = open_study("lane-keeping", "real-schedule", &["duration=5 s"]);
    let reference = study.run(0, 0).outcomes.hash;
    let apart = study.run_with(How { computer: true, ..How::default() });
    assert_eq!(apart.outcomes.hash, reference);
    assert_eq!(apart.outcomes.computed.expect("a report").tasks.len(), 4);
}
