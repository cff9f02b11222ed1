//! The Ultra Stick beside its recorded flight, where the log is at hand: in `../shared/data` beside the
//! project, or in the folder that `IRONBIRD_DATA` names.

use std::path::{Path, PathBuf};

use ironbird_compare::{Comparison, Setup, compare};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn comparison(file: &str) -> Option<Comparison> {
    let data = std::env::var_os("IRONBIRD_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| project().join("../shared/data"));
    let log = data.join("flights/thor75/thor75_auto_50hz.csv.gz");
    if !log.is_file() {
        println!("skipped: there is no {}", log.display());
        return None;
    }
    let file = project().join("examples/fixed-wing/thor75").join(file);
    let setup = Setup::open(&file, &log, &ironbird::registry().unwrap()).unwrap();
    Some(compare(&setup).unwrap())
}

#[test]
fn the_model_flies_within_twelve_metres_of_the_flown_path() {
    let Some(comparison) = comparison("closed-loop.toml") else { return };
    assert!(comparison.holds(), "{}", comparison.text());
    let path = comparison.path.as_ref().unwrap();
    assert!(path.straight.max < 12.0 && path.turning.max < 12.0);
    assert!(path.turning.count > 1000, "there are turns");
    assert!(path.over_time.last().unwrap().0 > 500.0, "all of the flight is compared");
    let page = comparison.to_html();
    assert!(page.contains("Flown path and path of the model"));
}

#[test]
fn the_model_predicts_a_second_of_flight() {
    let Some(comparison) = comparison("open-loop.toml") else { return };
    assert!(comparison.holds(), "{}", comparison.text());
    assert_eq!(comparison.starts.len(), 292);
    for signal in comparison.signals.iter().filter(|s| s.name.ends_with("rate") || s.name == "yaw")
    {
        assert!(signal.all.rms < signal.held.rms, "{} is predicted", signal.name);
    }
}
