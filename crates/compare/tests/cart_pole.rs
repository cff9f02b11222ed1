//! A model beside logs that were made with it, so that the truth is known.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ironbird::component::Registry;
use ironbird_compare::{CompareError, Setup, compare, identify};

/// Nobody holds the pole upright: the cart is pulled as the log says, and the pole swings below it.
const EXPERIMENT: &str = r#"
ironbird = 1
title = "Cart and pole"
duration = "10 s"

[system.cart]
type = "plant.cart-pole"
initial_angle = "3.1 rad"
solver.method = "dopri5"
"#;

struct Study {
    folder: tempfile::TempDir,
    registry: Registry,
}

impl Study {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cart.toml"), EXPERIMENT).unwrap();
        Study { folder, registry: ironbird::registry().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, contents: &str) -> PathBuf {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }

    fn open(&self, comparison: &str, log: &Path) -> Result<Setup, CompareError> {
        Setup::open(&self.write("comparison.toml", comparison), log, &self.registry)
    }

    /// A log of the equations of the cart with other values, integrated here by a method of its own, with
    /// noise of a size.
    fn log(&self, name: &str, (mass, friction): (f64, f64), noise: f64, phase: f64) -> PathBuf {
        let (pole, half, hinge, gravity) = (0.1, 0.5, 2e-6, 9.81);
        let force = |t: f64| 4.0 * libm::sin(std::f64::consts::TAU * 0.35 * t + phase);
        let slope = |s: [f64; 4], force: f64| {
            let [_, v, angle, rate] = s;
            let (sin, cos, total) = (libm::sin(angle), libm::cos(angle), mass + pole);
            let pushed = (force + pole * half * rate * rate * sin - friction * v) / total;
            let turn = (gravity * sin - cos * pushed - hinge * rate / (pole * half))
                / (half * (4.0 / 3.0 - pole * cos * cos / total));
            let speed =
                (force + pole * half * (rate * rate * sin - turn * cos) - friction * v) / total;
            [v, speed, rate, turn]
        };
        let mut state = [0.0, 0.0, 3.1, 0.0];
        let mut text = String::from("# made by a test\nt_ms,F,x,angle_deg\n");
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut normal = || {
            // The sum of twelve uniform numbers has a deviation of one.
            (0..12)
                .map(|_| {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    (random >> 11) as f64 / (1u64 << 53) as f64
                })
                .sum::<f64>()
                - 6.0
        };
        for step in 0..=1000u32 {
            let time = f64::from(step) * 0.01;
            let held = force(time);
            let shown =
                [state[0] + noise * normal(), state[2].to_degrees() + 57.3 * noise * normal()];
            writeln!(text, "{},{held},{},{}", step * 10, shown[0], shown[1]).unwrap();
            for _ in 0..10 {
                let h = 0.001;
                let add =
                    |a: [f64; 4], b: [f64; 4], f: f64| std::array::from_fn(|i| a[i] + f * b[i]);
                let k1 = slope(state, held);
                let k2 = slope(add(state, k1, h / 2.0), held);
                let k3 = slope(add(state, k2, h / 2.0), held);
                let k4 = slope(add(state, k3, h), held);
                state = std::array::from_fn(|i| {
                    state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
                });
            }
        }
        self.write(name, &text)
    }
}

const COMPARISON: &str = r#"
experiment = "cart.toml"
sample = "20 ms"

[log]
time = "t_ms"
time_unit = "ms"

[columns]
force = "F: N"
position = "x: m"
angle = { column = "angle_deg", unit = "deg", angle = true }
away = { expression = "abs(position)" }

[drive]
"cart.force" = "force"

[[compare]]
name = "position"
signal = "cart.position"
column = "position"

[[compare]]
name = "angle"
signal = "cart.angle"
column = "angle"
unit = "deg"

[[require]]
of = "position"
measure = "max"
at_most = "1 mm"

[[require]]
of = "angle"
measure = "95 %"
at_most = "0.05 deg"
"#;

#[test]
fn a_model_with_the_values_of_the_log_follows_it() {
    let study = Study::new();
    let log = study.log("true.csv", (1.0, 0.1), 0.0, 0.0);
    let comparison = compare(&study.open(COMPARISON, &log).unwrap()).unwrap();
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.signals[0].all.count, 501);
    let text = comparison.text();
    assert!(text.contains("position") && text.contains("passed"), "{text}");
    let page = comparison.to_html();
    assert!(page.contains("angle: model minus log") && page.contains("class=\"bar\""));
}

#[test]
fn a_model_with_other_values_is_found_out() {
    let study = Study::new();
    let log = study.log("heavy.csv", (1.2, 0.1), 0.0, 0.0);
    let comparison = compare(&study.open(COMPARISON, &log).unwrap()).unwrap();
    assert!(!comparison.holds());
    assert!(comparison.signals[0].all.max > 0.05, "{}", comparison.text());
    assert_eq!(comparison.json()["verdicts"][0]["status"], "failed");
}

#[test]
fn hidden_values_are_found_within_five_percent_and_help_on_another_log() {
    let study = Study::new();
    let hidden = (1.37, 0.42);
    let log = study.log("flight.csv", hidden, 0.005, 0.0);
    let other = study.log("other.csv", hidden, 0.005, 1.0);
    let fit = format!(
        "{COMPARISON}\n[[fit]]\nparameter = \"cart.cart_mass\"\nmin = \"0.3 kg\"\nmax = \"5 kg\"\n\
         [[fit]]\nname = \"friction\"\nparameter = \"cart.cart_friction\"\nmin = 0\n"
    );
    let (setup, score) = (study.open(&fit, &log).unwrap(), study.open(&fit, &other).unwrap());
    let mut heard = Vec::new();
    let found = identify(&[&setup], &[&score], |progress| heard.push(progress)).unwrap();
    let starts = heard.iter().filter(|progress| progress.iteration == 0).count();
    assert_eq!(starts, 2, "two rounds: {heard:?}");
    for pair in heard.windows(2).filter(|pair| pair[0].round == pair[1].round) {
        assert!(pair[1].iteration == pair[0].iteration + 1 && pair[1].cost < pair[0].cost);
    }
    assert_eq!(heard.last().unwrap().cost, found.costs.1);
    for (parameter, truth) in found.parameters.iter().zip([hidden.0, hidden.1]) {
        let error = (parameter.value / truth - 1.0).abs();
        assert!(error < 0.05, "{}\n{}", found.text(), parameter.name);
        let deviation = parameter.deviation.unwrap();
        assert!((parameter.value - truth).abs() < 5.0 * deviation, "{}", found.text());
    }
    assert!(found.costs.1 < 0.1 * found.costs.0, "{}", found.text());
    for score in &found.scores {
        assert!(score.after < 0.5 * score.before, "{}", found.text());
    }
    assert!(found.toml.contains("[system.\"cart\"]\ncart_mass = \"1.3"), "{}", found.toml);
    // The file is one that an experiment extends.
    study.write("found.toml", &found.toml);
    let extended = COMPARISON.replace("\"cart.toml\"", "\"extended.toml\"");
    study.write("extended.toml", "ironbird = 1\nextends = [\"cart.toml\", \"found.toml\"]\n");
    let after = compare(&study.open(&extended, &log).unwrap()).unwrap();
    assert!((after.signals[0].all.rms - found.scores[0].after).abs() < 1e-9);
}

#[test]
fn parameters_that_do_the_same_are_pointed_out() {
    let study = Study::new();
    let log = study.log("flight.csv", (1.2, 0.1), 0.001, 0.0);
    let fit = format!(
        "{COMPARISON}\n[[fit]]\nparameter = \"cart.cart_mass\"\nmin = 0.3\nmax = 5\n\
         [[fit]]\nparameter = \"cart.hinge_friction\"\nmin = 0\nmax = 1e-5\n\
         [[fit]]\nparameter = \"cart.gravity\"\nmin = 5\nmax = 15\n\
         [[fit]]\nparameter = \"cart.half_length\"\nmin = 0.2\nmax = 1.5\n"
    );
    let found = identify(&[&study.open(&fit, &log).unwrap()], &[], |_| {}).unwrap();
    let pairs: Vec<_> = found.alike.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
    assert!(pairs.contains(&("cart.gravity", "cart.half_length")), "{}", found.text());
}

#[test]
fn windows_start_with_the_state_of_the_log() {
    let study = Study::new();
    let log = study.log("true.csv", (1.0, 0.1), 0.0, 0.0);
    let windows = format!(
        "{COMPARISON}\n[windows]\nlength = \"0.5 s\"\nevery = \"0.25 s\"\n\n[initial]\n\
         \"cart.initial_position\" = \"position\"\n\"cart.initial_angle\" = \"angle\"\n"
    );
    let comparison = compare(&study.open(&windows, &log).unwrap()).unwrap();
    assert_eq!(comparison.starts.len(), 39);
    let angle = &comparison.signals[1];
    assert_eq!(angle.windows.len(), 39);
    assert!(angle.growth[0].1 < 1e-9, "the start is that of the log");
    // The cart-pole cannot start with a velocity, so the errors grow.
    assert!(angle.growth[25].1 > angle.growth[5].1);
    assert!(comparison.csv().lines().count() == 1 + 2 * 39);
}

fn refusal(study: &Study, comparison: &str, log: &Path) -> String {
    match study.open(comparison, log).and_then(|setup| compare(&setup).map(drop)) {
        Ok(()) => panic!("it was accepted"),
        Err(CompareError::Experiment(problems)) => problems.render(false, 100),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_in_the_comparison_file_are_named() {
    let study = Study::new();
    let log = study.log("true.csv", (1.0, 0.1), 0.0, 0.0);
    let with = |from: &str, to: &str| refusal(&study, &COMPARISON.replace(from, to), &log);
    let cases = [
        (with("column = \"position\"", "column = \"positoin\""), "did you mean \"position\"?"),
        (with("x: m", "x_: m"), "there is no column \"x_\"; did you mean \"x\"?"),
        (with("x: m", "x: m/s"), "the column is in m/s, the model in m"),
        (with("cart.position", "cart.positon"), "did you mean \"cart.position\"?"),
        (with("\"cart.force\"", "\"cart.fource\""), "fource"),
        (with("abs(position)", "abs(positon)"), "columns.away"),
        (with("measure = \"max\"", "measure = \"most\""), "it is one of \"rms\""),
        (with("at_most = \"1 mm\"", "at_most = \"1 s\""), "at_most"),
        (with("sample =", "smaple ="), "did you mean \"sample\"?"),
        (with("sample = \"20 ms\"", "sample = 0.02"), "write it in quotes, with the unit"),
        (with("sample = \"20 ms\"", "sample = [\"20 ms\"]"), "a text is needed here"),
        (with("experiment = \"cart.toml\"", ""), "\"experiment\" is missing"),
        (with("sample = \"20 ms\"", "sample = \"0 s\""), "sample"),
        (with("cart.toml", "carts.toml"), "carts.toml"),
        (with("time_unit = \"ms\"", "time_unit = \"h\""), "log.time_unit = \"h\": it is one of"),
        (
            with("[drive]", "[initial]\n\"cart.pole\" = \"angle\"\n[drive]"),
            "has no parameter \"pole\"",
        ),
        (
            with("[drive]", "[windows]\nlength = \"1 h\"\n[drive]"),
            "does not fit into 10 s of the log",
        ),
        (
            with("sample = \"20 ms\"", "sample = \"1 ps\""),
            "1 windows of 10000000000001 samples are more than 10000000 samples in all",
        ),
        (
            with("[drive]", "[windows]\nlength = \"1 s\"\nevery = \"1 ps\"\n[drive]"),
            "9000000000001 windows of 51 samples are more than 10000000 samples in all",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}\nexpected: {expected}");
    }
}

#[test]
fn the_unit_of_time_counts_without_the_name_of_its_column() {
    let study = Study::new();
    let log = study.log("true.csv", (1.0, 0.1), 0.0, 0.0);
    let text = std::fs::read_to_string(&log).unwrap().replace("t_ms", "time_s");
    let log = study.write("unnamed.csv", &text);
    let unnamed = COMPARISON.replace("time = \"t_ms\"\n", "");
    let comparison = compare(&study.open(&unnamed, &log).unwrap()).unwrap();
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.signals[0].all.count, 501, "10 s, not 10000 s");
    let unknown = unnamed.replace("time_unit = \"ms\"", "time_unit = \"parsec\"");
    let message = refusal(&study, &unknown, &log);
    assert!(message.contains("log.time_unit = \"parsec\": it is one of \"s\""), "{message}");
}

#[test]
fn a_parameter_that_is_fitted_twice_is_refused() {
    let study = Study::new();
    let log = study.log("true.csv", (1.0, 0.1), 0.0, 0.0);
    let fit = "[[fit]]\nparameter = \"cart.cart_mass\"\n";
    let twice = format!("{COMPARISON}\n{fit}{fit}name = \"mass\"\n");
    let error =
        identify(&[&study.open(&twice, &log).unwrap()], &[], |_| {}).unwrap_err().to_string();
    assert!(
        error.ends_with("fit \"mass\": it is there twice: write one [[fit]] for it"),
        "{error}"
    );
}

#[test]
fn numbers_that_are_none_are_refused_with_their_time() {
    let study = Study::new();
    let log = study.write("nan.csv", "t_ms,F,x,angle_deg\n0,1,0,0\n20,NaN,0,0\n40,1,0,0\n");
    let message = refusal(&study, COMPARISON, &log);
    assert!(message.contains("column \"F\": it is NaN at 0.02 s of the log"), "{message}");
    let log = study.write("back.csv", "t_ms,F,x,angle_deg\n20,1,0,0\n0,1,0,0\n");
    assert!(refusal(&study, COMPARISON, &log).contains("times must not go back"));
}
