//! The Crazyflie beside its recorded flights (examples/crazyflie), where the logs are at hand. Two of them are in
//! `../shared/data` beside the project, or in the folder that `IRONBIRD_DATA` names; all are in the folder
//! `datasets/dataset` of syediu/nanobench-iros2026, which `IRONBIRD_NANOBENCH` names.

#[path = "crazyflie/recordings.rs"]
mod recordings;

use std::path::{Path, PathBuf};

use ironbird_compare::{Comparison, Setup, Several, compare, identify};
use recordings::fitted_and_unseen;

const CIRCLE: &str = "B2_circle_slow_rep1.csv";
const FIGURE_8: &str = "B3_figure8_fast_rep2.csv";
const VERTICAL: &str = "vertical acceleration";

/// So many of 60 flights that were not fitted to are wrong by more than 0.25 m/s² in the vertical.
const BEYOND: usize = 16;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn open(file: &str, log: &Path) -> Setup {
    let file = project().join("examples/crazyflie").join(file);
    Setup::open(&file, log, &ironbird::registry().unwrap()).unwrap()
}

/// One of the two flights.
fn setup(file: &str, log: &str) -> Option<Setup> {
    let data = std::env::var_os("IRONBIRD_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| project().join("../shared/data"));
    let log = data.join("flights/crazyflie").join(log);
    if !log.is_file() {
        println!("skipped: there is no {}", log.display());
        return None;
    }
    Some(open(file, &log))
}

/// The ten flights of the fit, and all others that can be used.
fn all_flights() -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let Some(folder) = std::env::var_os("IRONBIRD_NANOBENCH").map(PathBuf::from) else {
        println!(
            "skipped: IRONBIRD_NANOBENCH does not name datasets/dataset of nanobench-iros2026"
        );
        return None;
    };
    let (fitted, unseen) = fitted_and_unseen(&folder);
    assert!(fitted.len() == 10 && unseen.len() >= 40, "{} and {}", fitted.len(), unseen.len());
    Some((fitted, unseen))
}

fn check(comparison: &Comparison, windows: usize) {
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.starts.len(), windows);
    let named = |name: &str| comparison.signals.iter().find(|signal| signal.name == name).unwrap();
    let vertical = named(VERTICAL);
    // Who holds the acceleration of the start knows it; from what it is there, the model predicts how it changes.
    let samples = vertical.errors.len() / windows;
    let changes = vertical.errors.chunks(samples).flat_map(|errors| {
        let first = errors[0];
        errors.iter().map(move |error| (error - first) * (error - first))
    });
    let changes = (changes.sum::<f64>() / vertical.errors.len() as f64).sqrt();
    assert!(changes < vertical.held.rms, "{changes}, held {} m/s²", vertical.held.rms);
    for name in ["roll", "pitch", "yaw", "velocity north", "velocity east", "velocity down"] {
        assert!(named(name).all.rms.is_finite(), "{name} is reported");
    }
}

#[test]
fn a_flight_that_was_fitted_to_is_predicted() {
    let Some(setup) = setup("flights.toml", CIRCLE) else { return };
    check(&compare(&setup).unwrap(), 96);
}

#[test]
fn a_flight_that_was_not_fitted_to_is_predicted() {
    let Some(setup) = setup("flights.toml", FIGURE_8) else { return };
    let comparison = compare(&setup).unwrap();
    check(&comparison, 168);
    let pitch = comparison.signals.iter().find(|signal| signal.name == "pitch").unwrap();
    assert!(pitch.all.rms < 5.0, "{} {}", pitch.all.rms, pitch.unit);
}

#[test]
fn half_of_a_flight_says_what_the_other_half_does() {
    for log in [CIRCLE, FIGURE_8] {
        let Some(setup) = setup("halves.toml", log) else { return };
        let found = identify(&[&setup], &[], |_| {}).unwrap();
        let rest = |name: &str| {
            found.scores.iter().find(|score| !score.fitted && score.signal == name).unwrap()
        };
        let vertical = rest(VERTICAL);
        assert!(vertical.after < 0.17, "{}", found.text());
        // The trim is what the rates were wrong by.
        let roll = rest("roll rate");
        assert!(roll.after < 0.5 * roll.before, "{}", found.text());
    }
}

#[test]
fn one_set_of_numbers_predicts_flights_that_were_not_fitted() {
    let Some((_, unseen)) = all_flights() else { return };
    let comparisons: Vec<Comparison> =
        unseen.iter().map(|log| compare(&open("flights.toml", log)).unwrap()).collect();
    let beyond = comparisons.iter().filter(|comparison| !comparison.holds()).count();
    let several = Several { comparisons };
    println!("{}", several.text());
    let overall = several.overall();
    let vertical = overall.iter().find(|overall| overall.signal == VERTICAL).unwrap();
    // What holds today; 0.21 m/s² over all errors and six flights beyond 0.25 m/s² are not reached (README.md).
    assert!(vertical.median.0 < 0.19, "{vertical:?}");
    assert!(vertical.pooled.0 < 0.225, "{vertical:?}");
    assert!(beyond <= BEYOND, "{beyond} flights are beyond 0.25 m/s²");
}

#[test]
fn ten_flights_say_what_the_vehicle_file_says_and_by_how_much_masses_differ() {
    let Some((fitted, unseen)) = all_flights() else { return };
    let logs: Vec<Setup> = fitted.iter().map(|log| open("identify.toml", log)).collect();
    let found = identify(&logs.iter().collect::<Vec<_>>(), &[], |_| {}).unwrap();
    println!("{}", found.text());
    let file = [45.9, 43.7, 74.0, 0.82, 0.0169];
    for (parameter, says) in found.parameters.iter().zip(file) {
        assert!((parameter.value / says - 1.0).abs() < 0.01, "{}", found.text());
    }
    // The mass alone, of each flight that was not fitted to.
    let text = std::fs::read_to_string(project().join("examples/crazyflie/identify.toml")).unwrap();
    let experiment = project().join("examples/crazyflie/flight.toml");
    let text = text.replace("\"flight.toml\"", &format!("{experiment:?}"));
    let (head, fits) = text.split_once("[[fit]]").unwrap();
    let alone = format!("{head}[[fit]]{}", fits.split("[[fit]]").next().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mass.toml");
    std::fs::write(&file, alone).unwrap();
    let registry = ironbird::registry().unwrap();
    let masses: Vec<f64> = unseen
        .iter()
        .map(|log| {
            let setup = Setup::open(&file, log, &registry).unwrap();
            identify(&[&setup], &[], |_| {}).unwrap().parameters[0].value
        })
        .collect();
    let mean = masses.iter().sum::<f64>() / masses.len() as f64;
    let squares: f64 = masses.iter().map(|mass| (mass - mean) * (mass - mean)).sum();
    let spread = (squares / (masses.len() - 1) as f64).sqrt();
    let told = found.parameters[0].deviation.unwrap();
    println!("masses {mean} g, spread {spread} g, told {told} g");
    assert!((0.5..2.0).contains(&(told / spread)), "told {told} g, spread {spread} g");
}

#[test]
fn with_mass_lags_and_trim_of_its_first_half_the_second_half_of_a_flight_is_predicted() {
    let Some((_, unseen)) = all_flights() else { return };
    let second_half = |log: &PathBuf| {
        let found = identify(&[&open("halves.toml", log)], &[], |_| {}).unwrap();
        let mut rest = found.scores.iter().filter(|score| !score.fitted);
        let vertical = rest.find(|score| score.signal == VERTICAL).unwrap();
        println!("{} {} m/s²", vertical.log, vertical.after);
        vertical.after
    };
    // Each takes some seconds.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut after: Vec<f64> = std::thread::scope(|scope| {
        let chunks = unseen.chunks(unseen.len().div_ceil(threads));
        let all: Vec<_> = chunks
            .map(|logs| scope.spawn(move || logs.iter().map(second_half).collect::<Vec<_>>()))
            .collect();
        all.into_iter().flat_map(|some| some.join().unwrap()).collect()
    });
    after.sort_by(f64::total_cmp);
    let median = 0.5 * (after[(after.len() - 1) / 2] + after[after.len() / 2]);
    assert!(median < 0.17, "{median} m/s²");
}
