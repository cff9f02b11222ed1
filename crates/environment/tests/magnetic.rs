//! The magnetic field beside published values, and beside the Python package pygeomag.

use std::process::Command;

use ironbird_environment::magnetic::{LocalField, field, field_ecef};
use ironbird_kinematics::{Geodetic, TangentPlane};
use nalgebra::Vector3;

/// Year, height (km), latitude, longitude (deg), and the field in nT: some of NOAA's WMM2025_TEST_VALUES.txt.
const PUBLISHED: [[f64; 7]; 6] = [
    [2025.0, 0.0, 80.0, 0.0, 6521.6, 145.9, 54791.5],
    [2025.0, 0.0, 0.0, 120.0, 39677.8, -109.6, -10580.2],
    [2025.0, 0.0, -80.0, 240.0, 6117.5, 15751.9, -52022.5],
    [2025.0, 100.0, 0.0, 120.0, 37688.6, -96.2, -10152.1],
    [2027.5, 0.0, 80.0, 0.0, 6500.8, 294.5, 54869.4],
    [2027.5, 0.0, -80.0, 240.0, 6200.7, 15730.3, -51783.7],
];

fn nanotesla([year, height, latitude, longitude]: [f64; 4]) -> Vector3<f64> {
    field(Geodetic::from_degrees(latitude, longitude, height * 1e3), year) * 1e9
}

#[test]
fn the_field_is_that_of_the_published_test_values() {
    for [year, height, latitude, longitude, north, east, down] in PUBLISHED {
        let ours = nanotesla([year, height, latitude, longitude]);
        let off = ours - Vector3::new(north, east, down);
        assert!(off.amax() < 0.06, "{year} {height} {latitude} {longitude}: {ours}");
    }
}

#[test]
fn the_field_is_that_of_pygeomag() {
    let mut places = Vec::new();
    for latitude in [-88.0, -60.0, -31.5, 0.0, 10.0, 47.3, 65.0, 85.0] {
        for longitude in [-179.0, -70.2, 0.0, 8.5, 100.0] {
            places.push([2026.4, 0.4, latitude, longitude]);
            places.push([2029.0, 30.0, latitude, longitude]);
        }
    }
    let script = "import sys\n\
        try:\n    import pygeomag\nexcept ImportError:\n    sys.exit(77)\n\
        model = pygeomag.GeoMag(base_year=2025)\n\
        for line in sys.argv[1:]:\n    \
            year, height, latitude, longitude = map(float, line.split())\n    \
            r = model.calculate(glat=latitude, glon=longitude, alt=height, time=year)\n    \
            print(repr(r.x), repr(r.y), repr(r.z))\n";
    let python = std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into());
    let lines = places.iter().map(|[a, b, c, d]| format!("{a} {b} {c} {d}"));
    let output = Command::new(python).arg("-c").arg(script).args(lines).output();
    let output = match output {
        Ok(output) if output.status.code() != Some(77) => output,
        _ => return println!("skipped: a Python with pygeomag is needed (IRONBIRD_PYTHON)"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), places.len());
    for (place, row) in places.into_iter().zip(rows) {
        let ours = nanotesla(place);
        let theirs = Vector3::new(row[0], row[1], row[2]);
        assert!((ours - theirs).amax() < 0.01, "{place:?}: {ours} {theirs}");
    }
}

#[test]
fn at_the_poles_the_field_is_a_number() {
    for latitude in [-90.0, 90.0] {
        let [at, near] = [latitude, latitude * (1.0 - 1e-7)]
            .map(|degrees| nanotesla([2026.0, 0.0, degrees, 30.0]));
        assert!((at - near).amax() < 0.1, "{at} {near}");
    }
    let axis = field_ecef(Vector3::new(0.0, 0.0, 6.4e6), 2026.0);
    assert!(axis.iter().all(|part| part.is_finite()), "{axis}");
}

#[test]
fn around_a_place_the_field_is_nearly_linear() {
    let origin = Geodetic::from_degrees(47.4, 8.5, 500.0);
    let (local, plane) = (LocalField::around(origin, 2026.0), TangentPlane::at(origin));
    assert!((local.at_origin - field(origin, 2026.0)).norm() < 1e-15);
    for ned in
        [Vector3::new(10e3, 0.0, 0.0), Vector3::new(-5e3, 8e3, -2e3), Vector3::new(0.0, 0.0, -10e3)]
    {
        let exact = plane.direction_from_ecef(field_ecef(plane.to_ecef(ned), 2026.0));
        let off = (local.at(&ned) - exact).norm() * 1e9;
        assert!(off < 1.0, "{ned}: {off} nT");
    }
    // It is no constant: the field falls by some 20 nT a kilometre upwards.
    let up = (local.at(&Vector3::new(0.0, 0.0, -1e3)).norm() - local.at_origin.norm()) * 1e9;
    assert!((-30.0..-15.0).contains(&up), "{up}");
}
