//! The atmosphere beside the tables of the standard, and beside a Python package.

use ironbird_environment::air::{Air, StandardAtmosphere};
use ironbird_test_rig::{Rig, python, real, seconds, text};

/// Geometric height (m), temperature (K), pressure (Pa), density (kg/m^3), speed of sound (m/s) in table I of
/// the US Standard Atmosphere, 1976.
const TABLE: [[f64; 5]; 7] = [
    [0.0, 288.150, 1.01325e5, 1.2250, 340.294],
    [1_000.0, 281.651, 8.9876e4, 1.1117, 336.435],
    [5_000.0, 255.676, 5.4048e4, 7.3643e-1, 320.545],
    [11_000.0, 216.774, 2.2700e4, 3.6480e-1, 295.154],
    [15_000.0, 216.650, 1.2111e4, 1.9476e-1, 295.069],
    [20_000.0, 216.650, 5.5293e3, 8.8910e-2, 295.069],
    [30_000.0, 226.509, 1.1970e3, 1.8410e-2, 301.709],
];

fn row(air: Air) -> [f64; 4] {
    [air.temperature, air.pressure, air.density, air.speed_of_sound]
}

#[test]
fn it_is_the_table_of_the_standard_to_one_unit_of_its_last_digit() {
    let standard = StandardAtmosphere::default();
    for [height, expected @ ..] in TABLE {
        let found = row(standard.at_geometric(height).unwrap());
        // Five digits, six for temperatures and the speed of sound.
        for (column, tolerance) in [4.7e-6, 9e-5, 9e-5, 3.4e-6].into_iter().enumerate() {
            let error = (found[column] / expected[column] - 1.0).abs();
            assert!(error < tolerance, "{height} m: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn it_is_that_of_the_package_ambiance() {
    let heights: Vec<f64> = (-4..=80).map(|km| f64::from(km) * 1000.0 + 123.0).collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/air/by_ambiance.py");
    let arguments: Vec<String> = heights.iter().map(f64::to_string).collect();
    let rows: Vec<[f64; 4]> = serde_json::from_slice(&python(script, &arguments)).unwrap();
    assert_eq!(rows.len(), heights.len());
    let standard = StandardAtmosphere::default();
    for (height, expected) in heights.into_iter().zip(rows) {
        let found = row(standard.at_geometric(height).unwrap());
        for column in 0..4 {
            let error = (found[column] / expected[column] - 1.0).abs();
            // Its layers begin at pressures of six digits.
            assert!(error < 1e-5, "{height} m: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn warmer_air_is_thinner_and_stays_in_balance() {
    let warm = StandardAtmosphere::new(20.0, 100_000.0);
    for height in [100.0, 9_000.0, 15_000.0, 25_000.0] {
        let at = |height: f64| warm.at_geopotential(height).unwrap();
        let (below, here, above) = (at(height - 1.0), at(height), at(height + 1.0));
        // dp/dH = -ρ g
        let gradient = (above.pressure - below.pressure) / 2.0;
        assert!((gradient / (-9.80665 * here.density) - 1.0).abs() < 1e-6, "{height} m");
        let standard = StandardAtmosphere::default().at_geopotential(height).unwrap();
        assert!((here.temperature - standard.temperature - 20.0).abs() < 1e-12);
    }
    let ground = warm.at_geometric(0.0).unwrap();
    assert_eq!(ground.pressure, 100_000.0);
    assert!((ground.density - 100_000.0 / (287.05287 * 308.15)).abs() < 1e-6);
}

#[test]
fn there_is_none_below_minus_5_km_nor_above_84_852_km() {
    let standard = StandardAtmosphere::default();
    for height in [-5_000.1, 84_852.1, f64::NAN, f64::INFINITY] {
        assert_eq!(standard.at_geopotential(height), None);
    }
    assert!(standard.at_geopotential(-5_000.0).is_some());
    assert!(standard.at_geopotential(84_852.0).is_some());
}

#[test]
fn the_component_shows_the_air_at_its_height() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    let settings = [("elevation", real(400.0)), ("heights", text("geopotential"))];
    rig.add("air", "environment.atmosphere", &settings);
    rig.script("height", &[(seconds(0.0), 0.0), (seconds(1.0), 600.0)]);
    rig.link("height.out", "air.height");
    let run = rig.run(seconds(2.0), &["air.density", "air.pressure"]);
    let standard = StandardAtmosphere::default();
    let density = run.numbers("air.density");
    assert_eq!(density[0], standard.at_geopotential(400.0).unwrap().density);
    let air = standard.at_geopotential(1000.0).unwrap();
    assert_eq!(*density.last().unwrap(), air.density);
    assert_eq!(*run.numbers("air.pressure").last().unwrap(), air.pressure);
}

#[test]
fn a_height_without_air_ends_the_run() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("air", "environment.atmosphere", &[]);
    rig.script("height", &[(seconds(0.0), 0.0), (seconds(1.0), 9e4)]);
    rig.link("height.out", "air.height");
    let failure = rig.failure(seconds(2.0));
    assert!(failure.contains("at a height of 90000 m above sea level"), "{failure}");
}

#[test]
fn air_below_absolute_zero_is_refused() {
    let rig = Rig::of(&[ironbird_environment::register]);
    let refusal = rig.refusal("environment.atmosphere", &[("temperature_offset", real(-200.0))]);
    assert!(refusal.contains("must stay above 0 K"), "{refusal}");
    let refusal = rig.refusal("environment.atmosphere", &[("sea_level_pressure", real(0.0))]);
    assert!(refusal.contains("sea_level_pressure"), "{refusal}");
}
