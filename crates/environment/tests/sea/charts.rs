//! Sea beds from GeoTIFFs.

use std::path::PathBuf;

use ironbird_environment::sea::geotiff::{MOST_PIXELS, Raster};
use ironbird_kernel::Parameter;
use ironbird_test_rig::{seconds, text};
use serde_json::Value;

use crate::points::Source;
use crate::python::{data, numbers, rows, run};

const REAL: &str = "F00788_SR_8m.tif";

/// A file, a band of it, and an origin near it.
type Job = (PathBuf, u32, [f64; 2]);

/// Compares files with what the reference says of them. Returns for each how many pixels with data and
/// how many points there were.
fn compare(jobs: &[Job]) -> Vec<(usize, usize)> {
    let mut arguments = Vec::new();
    for (file, band, [latitude, longitude]) in jobs {
        arguments.push(file.to_string_lossy().into_owned());
        arguments.push(band.to_string());
        arguments.extend([latitude.to_string(), longitude.to_string()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let folder = tempfile::tempdir().unwrap();
    let references = run("charts", &arguments, folder.path());
    let references = references.as_array().unwrap();
    assert_eq!(references.len(), jobs.len());
    jobs.iter().zip(references).map(|(job, reference)| compare_one(job, reference)).collect()
}

/// Compares all pixels, the places of pixels, and points between them.
fn compare_one((file, band, origin): &Job, reference: &Value) -> (usize, usize) {
    let (band, origin, name) = (*band, *origin, file.display());

    let bytes = std::fs::read(file).unwrap();
    let raster = Raster::read(&bytes, band, MOST_PIXELS).unwrap_or_else(|e| panic!("{name}: {e}"));
    let pixels = numbers(&reference["pixels"]);
    let [height, width] = raster.shape();
    assert_eq!(pixels.len(), height * width, "{name}");
    for (index, expected) in pixels.iter().enumerate() {
        let (row, column) = (index / width, index % width);
        let pixel = raster.pixel(row, column);
        // A number in JSON may come back with its last bit changed.
        let same = match (pixel, expected) {
            (Some(pixel), Some(expected)) => (pixel - expected).abs() <= 4e-16 * expected.abs(),
            (pixel, expected) => pixel.is_none() && expected.is_none(),
        };
        assert!(same, "{name}: {row}, {column}: {pixel:?}, {expected:?}");
    }

    let source = Source::file("sea-bed.geotiff", file, origin)
        .with("band", Parameter::Integer(i64::from(band)));
    let bilinear = source.with("interpolation", text("bilinear"));

    // At its centre a pixel has its own value, also beside a gap, where its neighbours are held.
    let nodes: Vec<[f64; 4]> = rows(&reference["nodes"]);
    let places: Vec<[f64; 3]> = nodes.iter().map(|&[n, e, d, _]| [n, e, d]).collect();
    for smooth in [&source, &bilinear] {
        let seen = smooth.with("outside", text("hold")).beds(&places);
        for ((depth, _, height), [_, _, down, value]) in seen.iter().zip(&nodes) {
            assert!((depth + value).abs() < 1e-5, "{name}: {depth} and {value}");
            assert_eq!(*height, depth - down);
        }
    }

    let points: Vec<[f64; 9]> = rows(&reference["points"]);
    let places: Vec<[f64; 3]> = points.iter().map(|point| [point[0], point[1], point[2]]).collect();
    for (source, from) in [(&bilinear, 3), (&source, 6)] {
        if places.is_empty() {
            continue;
        }
        for ((depth, slope, _), point) in source.beds(&places).iter().zip(&points) {
            let [value, north, east] = [point[from], point[from + 1], point[from + 2]];
            assert!((depth + value).abs() < 1e-6, "{name}: {depth} and {value}");
            let off = (slope[0] + north).abs().max((slope[1] + east).abs());
            // The reference takes differences over 2 cm.
            assert!(off < 1e-6, "{name}: {slope:?} and {north}, {east}");
        }
    }
    (pixels.iter().flatten().count(), points.len())
}

#[test]
fn a_survey_of_noaa_is_as_rasterio_and_numpy_see_it() {
    let Some(file) = data(REAL) else { return };
    let origin = [48.155, -122.67];
    let counts = compare(&[(file.clone(), 1, origin), (file, 2, origin)]);
    assert_eq!(counts, [(179 * 179 - 25_504, 300); 2]);
}

#[test]
fn files_of_all_forms_are_read_and_others_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let written = run("write_charts", &[], folder.path());
    let good = written["good"].as_object().unwrap();
    assert!(good.len() >= 30);
    let job = |(name, place): (&String, &Value)| {
        let origin = numbers(&place[1]);
        let file = folder.path().join(name).with_extension("tif");
        (file, place[0].as_u64().unwrap() as u32, [origin[0].unwrap(), origin[1].unwrap()])
    };
    let jobs: Vec<Job> = good.iter().map(job).collect();
    for ((pixels, points), (file, ..)) in compare(&jobs).into_iter().zip(&jobs) {
        assert!(pixels > 1000 && points == 300, "{}: {pixels} {points}", file.display());
    }
    for (name, expected) in written["bad"].as_object().unwrap() {
        let file = folder.path().join(name).with_extension("tif");
        let message = Source::file("sea-bed.geotiff", &file, [48.0, -4.5]).refusal();
        assert!(message.starts_with("parameter \"file\": "), "{name}: {message}");
        assert!(message.contains(expected.as_str().unwrap()), "{name}: {message}");
    }
    let file = folder.path().join("one-band.tif");
    let source = Source::file("sea-bed.geotiff", &file, [48.0, -4.5]);
    let message = source.with("band", Parameter::Integer(2)).refusal();
    assert!(message.contains("it has no band 2: it has 1"), "{message}");
}

#[test]
fn what_a_chart_does_not_cover_ends_the_run_or_is_held() {
    let folder = tempfile::tempdir().unwrap();
    run("write_charts", &[], folder.path());
    let file = folder.path().join("sparse.tif");
    let source = Source::file("sea-bed.geotiff", &file, [47.847, -4.333]);
    let message = source.failure("sea-bed.at", [5000.0, 0.0, 10.0], seconds(0.0));
    assert!(message.contains("the sea bed is not known at north 5000.000 m"), "{message}");
    assert!(message.contains("of a raster of 80 columns and 64 rows"), "{message}");
    let message = source.failure("sea-bed.at", [100_000.0, 9_000_000.0, 0.0], seconds(0.0));
    assert!(message.contains("too far from the meridian -3° E of UTM zone 30"), "{message}");
    let message = source.failure("sea-bed.at", [0.0, f64::NAN, 10.0], seconds(0.0));
    assert!(message.contains("there is no latitude and longitude there"), "{message}");
    // A tile that was never written.
    let raster = Raster::read(&std::fs::read(&file).unwrap(), 1, MOST_PIXELS).unwrap();
    assert_eq!((raster.pixel(0, 0), raster.pixel(63, 79)), (None, None));
    let message = source.failure("sea-bed.at", [-192.0, -28.0, 10.0], seconds(0.0));
    assert!(message.contains("do not all have data"), "{message}");

    let held = source.with("outside", text("hold"));
    let seen = held.beds(&[[5000.0, -5000.0, 10.0], [-5000.0, 5000.0, 10.0]]);
    // The corners of the only tiles that were written: from -80 m to -20 m.
    for ((depth, slope, _), expected) in seen.into_iter().zip([80.0, 20.0]) {
        assert!((depth - expected).abs() < 1e-9, "{depth}");
        assert_eq!(slope, [0.0; 2]);
    }
}

#[test]
fn depths_may_count_downwards() {
    let folder = tempfile::tempdir().unwrap();
    run("write_charts", &[], folder.path());
    let file = folder.path().join("u8.tif");
    let up = Source::file("sea-bed.geotiff", &file, [47.847, -4.333]);
    let down = up.with("positive", text("down"));
    let place = [[-250.0, -50.0, 0.0]];
    let ((depth, slope, _), (other, other_slope, _)) = (down.beds(&place)[0], up.beds(&place)[0]);
    assert!(depth > 30.0);
    assert_eq!((depth, slope), (-other, other_slope.map(|slope| -slope)));
}

#[test]
fn the_slope_of_the_smooth_bed_has_no_jumps_and_that_of_the_bilinear_one_has() {
    let Some(file) = data(REAL) else { return };
    let source = Source::file("sea-bed.geotiff", &file, [48.155, -122.67]);
    let path: Vec<[f64; 3]> =
        (0..40_000).map(|i| [-100.0, -100.0 + i as f64 * 5e-3, 0.0]).collect();
    let held = source.with("outside", text("hold"));
    let jump = |source: &Source<'_>| {
        let seen = source.beds(&path);
        let jumps = seen.windows(2).map(|pair| (pair[1].1[1] - pair[0].1[1]).abs());
        jumps.fold(0.0, f64::max)
    };
    let (smooth, rough) = (jump(&held), jump(&held.with("interpolation", text("bilinear"))));
    assert!(smooth < 0.01 && rough > 0.05, "{smooth} {rough}");
}
