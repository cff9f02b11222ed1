//! The model of an operator alone: what it does about an error, and when.

use ironbird_kernel::{Rate, Time};
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::{assert_near, rig};

/// An operator who sees nothing move and is told what to want, from these times on.
fn told(wanted: &[(f64, f64)], settings: &[Setting<'_>]) -> Rig {
    let script: Vec<(Time, f64)> = wanted.iter().map(|(at, x)| (seconds(*at), *x)).collect();
    let mut rig = rig();
    rig.script("wanted", &script);
    rig.script("seen", &[(seconds(0.0), 0.0)]);
    rig.add_at("operator", "person.operator", Some(Rate::hz(50)), settings);
    rig.link("wanted.out", "operator.wanted");
    rig.link("seen.out", "operator.seen");
    rig
}

/// Times and sticks of two seconds.
fn sticks(wanted: &[(f64, f64)], settings: &[Setting<'_>]) -> Vec<(f64, f64)> {
    let run = told(wanted, settings).run(seconds(2.0), &["operator.stick"]);
    let samples = run.samples::<f64>("operator.stick").into_iter();
    samples.map(|(time, stick)| (time.as_secs_f64(), stick)).collect()
}

#[test]
fn a_step_is_answered_after_the_reaction_time_as_the_equations_say() {
    // The second reaction time lies between two steps, which are 20 ms apart.
    for reaction in [0.2, 0.213] {
        for lead in [0.0, 0.05, 0.3] {
            let settings = [
                ("gain", real(0.1)),
                ("lead", real(lead)),
                ("reaction", real(reaction)),
                ("lag", real(0.1)),
            ];
            let (begins, size) = (0.1, 2.0);
            for (time, stick) in sticks(&[(0.0, 0.0), (begins, size)], &settings) {
                let since = time - begins - reaction;
                let expected = if since < -1e-9 {
                    0.0
                } else {
                    0.1 * size * (1.0 + (lead / 0.1 - 1.0) * libm::exp(-since / 0.1))
                };
                assert!((stick - expected).abs() < 1e-12, "{stick}, not {expected}, at {time} s");
            }
        }
    }
}

#[test]
fn without_a_reaction_time_a_lead_acts_in_the_same_step() {
    let settings = [("gain", real(0.1)), ("lead", real(0.2)), ("reaction", real(0.0))];
    let shown = sticks(&[(0.0, 0.0), (0.5, 1.0)], &settings);
    assert_eq!(shown[24], (0.48, 0.0));
    assert_near(shown[25].1, 0.2, 1e-12);
}

/// The stick at `end` seconds by a fourth-order Runge-Kutta method of small steps, from errors and their times.
fn integrated(errors: &[(f64, f64)], [gain, lead, lag]: [f64; 3], end: f64) -> f64 {
    let held = |time: f64| {
        let seen = errors.iter().rev().find(|(from, _)| *from <= time + 1e-9);
        seen.map_or(0.0, |(_, error)| *error)
    };
    let (mut x, step) = (0.0, 1e-3);
    for n in 0..(end / step).round() as u32 {
        // Errors change at multiples of the step only.
        let error = held(f64::from(n) * step);
        let slope = |x: f64| (error - x) / lag;
        let a = slope(x);
        let b = slope(x + 0.5 * step * a);
        let c = slope(x + 0.5 * step * b);
        let d = slope(x + step * c);
        x += step / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    gain * (x + lead * (held(end) - x) / lag)
}

#[test]
fn an_error_that_wanders_is_answered_as_a_numerical_solution_says() {
    let wanted = [0.4, -1.0, 2.5, 2.0, -3.0, 0.1, 1.2].map(|x: f64| x * 0.3);
    let wanted: Vec<(f64, f64)> =
        wanted.iter().enumerate().map(|(n, x)| (0.22 * n as f64, *x)).collect();
    let settings =
        [("gain", real(0.3)), ("lead", real(0.25)), ("reaction", real(0.153)), ("lag", real(0.12))];
    let delayed: Vec<(f64, f64)> = wanted.iter().map(|(time, x)| (time + 0.153, *x)).collect();
    for (time, stick) in sticks(&wanted, &settings) {
        let expected = integrated(&delayed, [0.3, 0.25, 0.12], time);
        assert!((stick - expected).abs() < 1e-9, "{stick}, not {expected}, at {time} s");
    }
}

#[test]
fn the_stick_ends_at_its_stops_and_small_errors_are_overlooked() {
    let steady = |error: f64| {
        let settings = [("gain", real(2.0)), ("threshold", real(0.1))];
        sticks(&[(0.0, error)], &settings).last().unwrap().1
    };
    assert_eq!([steady(5.0), steady(-5.0)], [1.0, -1.0]);
    assert_eq!([steady(0.1), steady(-0.09)], [0.0, 0.0]);
    assert_near(steady(0.3), 0.4, 1e-6);
    assert_near(steady(-0.3), -0.4, 1e-6);
}

#[test]
fn a_shorter_reaction_time_forgets_nothing_and_turns_no_time_back() {
    let script: Vec<(f64, f64)> = (0..50).map(|n| (0.02 * f64::from(n), f64::from(n))).collect();
    // A lead as long as the lag: the stick is the error of then.
    let settings =
        [("gain", real(0.01)), ("reaction", real(0.4)), ("lag", real(0.05)), ("lead", real(0.05))];
    let mut rig = told(&script, &settings);
    rig.set(seconds(0.5), "operator.reaction", real(0.1));
    let shown = rig.run(seconds(1.2), &["operator.stick"]).numbers("operator.stick");
    assert!(shown.windows(2).all(|pair| pair[0] <= pair[1]), "{shown:?}");
    // Behind by 0.4 s before, by 0.1 s once the errors of before are through.
    assert_near(shown[24], 0.01 * 4.0, 1e-6);
    assert_near(shown[45], 0.01 * 40.0, 1e-6);
}

/// The remnant alone, over a long time.
fn remnant(name: &str) -> Vec<f64> {
    let mut rig = rig();
    rig.script("nothing", &[(seconds(0.0), 0.0)]);
    let settings = [("gain", real(1.0)), ("remnant", real(0.1)), ("remnant_time", real(0.3))];
    rig.add(name, "person.operator", &settings);
    rig.link("nothing.out", &format!("{name}.wanted"));
    rig.link("nothing.out", &format!("{name}.seen"));
    let stick = format!("{name}.stick");
    rig.run(seconds(2000.0), &[&stick]).numbers(&stick)
}

#[test]
fn the_remnant_has_its_size_and_its_time_and_is_of_each_operator() {
    let shown = remnant("left");
    let mean_of = |lag: usize| {
        let pairs = shown.iter().zip(&shown[lag..]);
        pairs.map(|(a, b)| a * b).sum::<f64>() / (shown.len() - lag) as f64
    };
    assert_near(mean_of(0).sqrt(), 0.1, 0.005);
    // 15 steps of 20 ms are its time.
    assert_near(mean_of(15) / mean_of(0), libm::exp(-1.0), 0.06);
    assert_eq!(shown, remnant("left"));
    assert_ne!(shown, remnant("right"));
}

#[test]
fn an_operator_goes_on_after_a_checkpoint() {
    let graph = || {
        let settings = [("gain", real(0.5)), ("remnant", real(0.1)), ("lead", real(0.2))];
        let mut rig = rig();
        rig.add("wave", "block.sine", &[("frequency", real(0.7))]);
        rig.add("still", "block.constant", &[("value", real(0.2))]);
        rig.add("operator", "person.operator", &settings);
        rig.link("wave.out", "operator.wanted");
        rig.link("still.out", "operator.seen");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(1.11), seconds(4.0));
}

#[test]
fn nonsense_is_refused() {
    let refusal =
        |setting: Setting<'_>| rig().refusal("person.operator", &[("gain", real(1.0)), setting]);
    for (name, value) in [("lag", 0.0), ("reaction", -0.1), ("threshold", -1.0)] {
        let refused = refusal((name, real(value)));
        assert!(refused.contains(&format!("\"{name}\"")), "{refused}");
    }
    let refused = refusal(("unit", text("metre")));
    assert!(refused.starts_with("parameter \"unit\": "), "{refused}");
}
