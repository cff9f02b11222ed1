//! Sea currents from S-111 files.

use std::path::Path;

use ironbird_environment::sea::s111::{MOST_NODES, SurfaceCurrents};
use ironbird_test_rig::{seconds, text};

use crate::points::Source;
use crate::python::{data, numbers, rows, run};

const REAL: &str = "111US00_DBOFS_20260320T18Z_US4DE1BB.h5";
const ORIGIN: [f64; 2] = [38.9, -75.4];

fn read(file: &Path) -> SurfaceCurrents {
    SurfaceCurrents::read(std::fs::read(file).unwrap(), MOST_NODES).unwrap()
}

/// Compares every node of every time; returns how many have data.
fn compare(currents: &SurfaceCurrents, expected: &[Option<f64>], tolerance: f64) -> usize {
    let [times, rows, columns] = currents.shape();
    assert_eq!(expected.len(), 2 * times * rows * columns);
    let mut known = 0;
    let mut expected = expected.chunks_exact(2);
    for time in 0..times {
        for row in 0..rows {
            for column in 0..columns {
                let node = currents.node(time, row, column);
                match expected.next().unwrap() {
                    [Some(north), Some(east)] => {
                        let [n, e] = node.expect("h5py finds data there");
                        let off = (n - north).abs().max((e - east).abs());
                        assert!(off < tolerance, "{time} {row} {column}: {n} {e}, {north} {east}");
                        known += 1;
                    }
                    _ => assert_eq!(node, None, "{time} {row} {column}"),
                }
            }
        }
    }
    known
}

#[test]
fn a_forecast_of_noaa_has_the_nodes_that_h5py_finds() {
    let Some(file) = data(REAL) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = file.to_string_lossy();
    let start = "2026-03-21T03:30:00Z";
    let reference = run("forecasts", &[&path, "38.9", "-75.4", start], folder.path());
    let currents = read(&file);
    assert_eq!(currents.shape(), [48, 53, 53]);
    let known = compare(&currents, &numbers(&reference["nodes"]), 1e-15);
    assert!(known > 900, "{known}");
    let places = reference["places"].as_array().unwrap();
    let (latitudes, longitudes) = (numbers(&places[0]), numbers(&places[1]));
    assert_eq!(currents.place(52, 51), [latitudes[52].unwrap(), longitudes[51].unwrap()]);
}

#[test]
fn between_nodes_and_times_a_forecast_is_as_numpy_interpolates_it() {
    let Some(file) = data(REAL) else { return };
    for start in ["2026-03-20T19:00:10Z", "2026-03-21T03:30:00Z", "2026-03-22T17:59:30Z"] {
        let folder = tempfile::tempdir().unwrap();
        let path = file.to_string_lossy();
        let reference = run("forecasts", &[&path, "38.9", "-75.4", start], folder.path());
        let points: Vec<[f64; 3]> = rows(&reference["points"]);
        let velocities: Vec<[f64; 3]> = rows(&reference["velocities"]);
        let expected: Vec<[f64; 6]> = rows(&reference["expected"]);
        assert_eq!(points.len(), 200);
        let source = Source::file("sea-current.s111", &file, ORIGIN).with("start", text(start));
        let seen = source.currents(&points, &velocities);
        for (index, ([velocity, acceleration], expected)) in seen.iter().zip(expected).enumerate() {
            for axis in 0..3 {
                let off = velocity[axis] - expected[axis];
                assert!(off.abs() < 1e-10, "{start} {index} {axis}: {off}");
                // Differences of numbers of some 10 cm/s over a second.
                let off = acceleration[axis] - expected[axis + 3];
                assert!(off.abs() < 1e-9, "{start} {index} {axis}: {off}");
            }
        }
    }
}

#[test]
fn files_of_all_forms_are_read_alike_and_others_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let written = run("write_forecasts", &[], folder.path());
    let nodes = numbers(&written["nodes"]);
    let good = written["good"].as_array().unwrap();
    assert!(good.len() >= 9);
    for name in good {
        let name = name.as_str().unwrap();
        let currents = read(&folder.path().join(name).with_extension("h5"));
        // Speeds and directions of 32 bits.
        compare(&currents, &nodes, 1e-6);
    }
    let bad = written["bad"].as_object().unwrap();
    assert!(bad.len() >= 25);
    for (name, expected) in bad {
        let file = folder.path().join(name).with_extension("h5");
        let message = Source::file("sea-current.s111", &file, [48.0, -4.5]).refusal();
        let expected = expected.as_str().unwrap();
        assert!(message.starts_with("parameter \"file\": "), "{name}: {message}");
        assert!(message.contains(expected), "{name}: {message}");
    }
}

#[test]
fn what_a_forecast_does_not_cover_ends_the_run_or_is_held() {
    let folder = tempfile::tempdir().unwrap();
    run("write_forecasts", &[], folder.path());
    let file = folder.path().join("f64.h5");
    let currents = read(&file);
    let source = Source::file("sea-current.s111", &file, [48.0, -4.5]);
    let fails = |position, until| source.failure("sea-current.at", position, until);

    let south = fails([-100.0, 100.0, 0.0], seconds(0.0));
    assert!(south.contains("the sea current is not known at north -100.000 m"), "{south}");
    assert!(south.contains("47.999101° N"), "{south}");
    assert!(south.contains("its file covers 48.000000° N, 4.500000° W to 48.030000° N"), "{south}");
    assert!(south.contains("give its source outside = \"hold\""), "{south}");

    // The cell whose corner at the north-east has no data.
    let gap = fails([2800.0, 5500.0, 0.0], seconds(0.0));
    assert!(gap.contains("not all four corners of its cell"), "{gap}");
    assert!(gap.contains("at 2026-03-20T19:00:00Z"), "{gap}");

    let nowhere = fails([f64::NAN, 0.0, 0.0], seconds(0.0));
    assert!(nowhere.contains("there is no latitude and longitude there"), "{nowhere}");

    let early = source.with("start", text("2026-03-20T18:59:59Z"));
    let message = early.refusal();
    assert!(message.contains("parameter \"start\": it is 2026-03-20T18:59:59Z"), "{message}");
    let message = source.with("start", text("noon")).refusal();
    assert!(message.contains("parameter \"start\": \"noon\" is no date and time"), "{message}");

    let late = source.with("start", text("2026-03-20T20:59:59.999Z"));
    let message = late.failure("sea-current.at", [500.0, 500.0, 0.0], seconds(0.01));
    assert!(message.contains("it is 2026-03-20T21:00:00.001Z then"), "{message}");

    // Held: the corner node where it is known, the nearest node where it is not, the last record.
    let held = source.with("outside", text("hold"));
    let [south, gap] = [[-9000.0, -9000.0, 0.0], [90_000.0, 6050.0, 0.0]];
    let seen = held.currents(&[south, gap], &[[1.0, 1.0, 0.0]]);
    let close = |seen: [f64; 3], [n, e]: [f64; 2]| {
        // True north turns on the way there.
        (seen[0] - n).abs() < 2e-3 && (seen[1] - e).abs() < 2e-3
    };
    assert!(close(seen[0][0], currents.node(0, 0, 0).unwrap()), "{seen:?}");
    // A row is 1.11 km and a column 1.49 km: the node to the south is nearer than that to the west.
    assert!(close(seen[1][0], currents.node(0, 2, 4).unwrap()), "{seen:?}");
    let last = held.with("start", text("2027-01-01T00:00:00Z"));
    let seen = last.currents(&[south], &[[1.0, 1.0, 0.0]]);
    assert!(close(seen[0][0], currents.node(2, 0, 0).unwrap()), "{seen:?}");
}
