//! The Crazyflie beside its recorded flights, where the logs are at hand: in `../shared/data` beside the project, or
//! in the folder that `IRONBIRD_DATA` names.

use std::path::{Path, PathBuf};

use ironbird_compare::{Comparison, Setup, compare};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn comparison(file: &str, log: &str) -> Option<Comparison> {
    let data = std::env::var_os("IRONBIRD_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| project().join("../shared/data"));
    let log = data.join("flights/crazyflie").join(log);
    if !log.is_file() {
        println!("skipped: there is no {}", log.display());
        return None;
    }
    let file = project().join("examples/crazyflie").join(file);
    let setup = Setup::open(&file, &log, &ironbird::registry().unwrap()).unwrap();
    Some(compare(&setup).unwrap())
}

fn check(comparison: &Comparison, windows: usize) {
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.starts.len(), windows);
    let named = |name: &str| comparison.signals.iter().find(|signal| signal.name == name).unwrap();
    let vertical = named("vertical acceleration");
    assert!(vertical.all.rms < 0.25, "{} m/s² rms", vertical.all.rms);
    assert!(vertical.all.rms < vertical.held.rms, "it is predicted");
    for name in ["roll", "pitch", "yaw", "velocity north", "velocity east", "velocity down"] {
        assert!(named(name).all.rms.is_finite(), "{name} is reported");
    }
}

#[test]
fn the_model_predicts_the_vertical_acceleration_of_the_flight_it_was_identified_from() {
    let Some(comparison) = comparison("slow-circle.toml", "B2_circle_slow_rep1.csv") else {
        return;
    };
    check(&comparison, 90);
}

#[test]
fn the_model_predicts_the_vertical_acceleration_of_another_flight() {
    let Some(comparison) = comparison("fast-figure-8.toml", "B3_figure8_fast_rep2.csv") else {
        return;
    };
    check(&comparison, 140);
}
