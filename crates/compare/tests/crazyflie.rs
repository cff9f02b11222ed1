//! The Crazyflie beside its recorded flights, where the logs are at hand: in `../shared/data` beside the project, or
//! in the folder that `IRONBIRD_DATA` names.

use std::path::{Path, PathBuf};

use ironbird_compare::{Comparison, Setup, compare, identify};

const CIRCLE: &str = "B2_circle_slow_rep1.csv";
const FIGURE_8: &str = "B3_figure8_fast_rep2.csv";

/// What the vertical acceleration may be wrong by, in m/s².
const BOUND: f64 = 0.25;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn setup(file: &str, log: &str) -> Option<Setup> {
    let data = std::env::var_os("IRONBIRD_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| project().join("../shared/data"));
    let log = data.join("flights/crazyflie").join(log);
    if !log.is_file() {
        println!("skipped: there is no {}", log.display());
        return None;
    }
    let file = project().join("examples/crazyflie").join(file);
    Some(Setup::open(&file, &log, &ironbird::registry().unwrap()).unwrap())
}

fn check(comparison: &Comparison, windows: usize) {
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.starts.len(), windows);
    let named = |name: &str| comparison.signals.iter().find(|signal| signal.name == name).unwrap();
    let vertical = named("vertical acceleration");
    assert!(vertical.all.rms < BOUND, "{} m/s² rms", vertical.all.rms);
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
fn the_model_predicts_the_vertical_acceleration_of_the_flight_it_was_identified_from() {
    let Some(setup) = setup("slow-circle.toml", CIRCLE) else { return };
    check(&compare(&setup).unwrap(), 90);
}

#[test]
fn the_model_predicts_the_vertical_acceleration_of_another_flight() {
    let Some(setup) = setup("fast-figure-8.toml", FIGURE_8) else { return };
    let comparison = compare(&setup).unwrap();
    check(&comparison, 165);
    // The trim in pitch differs little between the flights, that in roll much.
    let pitch = comparison.signals.iter().find(|signal| signal.name == "pitch").unwrap();
    assert!(pitch.all.rms < 5.0, "{} {}", pitch.all.rms, pitch.unit);
}

#[test]
fn each_flight_is_predicted_by_what_the_other_says_of_mass_and_motors() {
    let (Some(circle), Some(figure_8)) =
        (setup("identify.toml", CIRCLE), setup("identify.toml", FIGURE_8))
    else {
        return;
    };
    let masses = [(&circle, &figure_8), (&figure_8, &circle)].map(|(own, other)| {
        let found = identify(own, &[other], |_| {}).unwrap();
        assert_eq!(found.scores.len(), 2);
        for score in &found.scores {
            assert!(score.after < BOUND, "{}", found.text());
        }
        let mass = found.parameters.iter().find(|parameter| parameter.name == "mass.mass").unwrap();
        assert!(!mass.at_bound && mass.deviation.unwrap() < 0.2, "{}", found.text());
        mass.value
    });
    assert!((masses[0] / masses[1] - 1.0).abs() < 0.01, "{masses:?} g");
    // The vehicle has that of the circle.
    assert!((masses[0] - 50.3).abs() < 0.05, "{masses:?} g");
}
