//! Our frames, maps and gravity beside those of pyproj and pymap3d, and closed formulas.
//!
//! `IRONBIRD_PYTHON` names a Python with the packages pyproj and pymap3d; `./test` makes one.

mod places;

use ironbird_kinematics::{Earth, Ellipsoid, Geodetic, TangentPlane, Utm};
use ironbird_test_rig::python;
use nalgebra::Vector3;
use places::{Numbers, places};

/// From the deepest sea to beyond all satellites, in metres.
const HEIGHTS: [f64; 6] = [-11e3, -10.0, 0.0, 1e4, 4e5, 4e7];

/// What the reference makes of rows of numbers.
fn reference(what: &str, rows: &[[f64; 8]]) -> Vec<Vector3<f64>> {
    let folder = std::env::temp_dir().join(format!("ironbird-{what}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, target) = (folder.join("in"), folder.join("out"));
    let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(&source, bytes).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference.py");
    python(script, &[what.as_ref(), source.as_os_str(), target.as_os_str()]);
    let bytes = std::fs::read(&target).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let number = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap());
    let found: Vec<Vector3<f64>> = bytes
        .chunks_exact(24)
        .map(|row| Vector3::from_iterator(row.chunks_exact(8).map(number)))
        .collect();
    assert_eq!(found.len(), rows.len());
    found
}

/// A row of these numbers and zeros.
fn row(numbers: &[f64]) -> [f64; 8] {
    std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0))
}

fn angles(place: Geodetic) -> [f64; 3] {
    [place.latitude, place.longitude, place.height]
}

/// The largest of these errors, each as a multiple of what is allowed; where it is; printed.
fn worst(what: &str, errors: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut most, mut most_error) = (0.0, 0.0);
    for (error, allowed) in errors {
        assert!(error.is_finite(), "{what}: {error}");
        most = f64::max(most, error / allowed);
        most_error = f64::max(most_error, error);
    }
    println!("{what}: at most {most_error:e}, {most:.3} of what is allowed");
    most
}

/// 2e-8 m up to 1000 km above the ground; beyond, the resolution of numbers of this size.
fn allowed(ecef: &Vector3<f64>) -> f64 {
    f64::max(2e-8, 1.5e-15 * ecef.norm())
}

#[test]
fn earth_centred_places_are_those_of_pyproj() {
    let places = places(&HEIGHTS, 20_000);
    let rows: Vec<_> = places.iter().map(|place| row(&angles(*place))).collect();
    let errors = places.iter().zip(reference("to_ecef", &rows)).map(|(place, theirs)| {
        let ours = place.to_ecef();
        ((ours - theirs).norm(), allowed(&ours))
    });
    assert!(worst("geodetic to ECEF", errors) < 1.0);
}

/// The way back of both packages is an approximation: at 400 km it is off by millimetres, at
/// 40,000 km by metres. So up there their exact way there is used to test our way back.
#[test]
fn latitude_longitude_and_height_are_those_of_which_pyproj_made_earth_centred_places() {
    let places = places(&HEIGHTS, 20_000);
    let rows: Vec<_> = places.iter().map(|place| row(&angles(*place))).collect();
    let errors = places.iter().zip(reference("to_ecef", &rows)).map(|(place, theirs)| {
        let ours = Geodetic::from_ecef(theirs);
        ((ours.to_ecef() - place.to_ecef()).norm(), allowed(&theirs))
    });
    assert!(worst("ECEF of pyproj to geodetic", errors) < 1.0);
}

#[test]
fn latitude_longitude_and_height_near_the_surface_are_those_of_pymap3d_and_pyproj() {
    // pyproj does not iterate.
    for (what, limit) in [("to_geodetic_pymap3d", 2e-8), ("to_geodetic", 1e-5)] {
        let places = places(&[-11e3, -100.0, 1e4], 20_000);
        let ecef: Vec<Vector3<f64>> = places.iter().map(|place| place.to_ecef()).collect();
        let rows: Vec<_> = ecef.iter().map(|ecef| row(ecef.as_slice())).collect();
        let errors = ecef.iter().zip(reference(what, &rows)).map(|(ecef, theirs)| {
            let [latitude, longitude, height] = theirs.into();
            let theirs = Geodetic { latitude, longitude, height };
            let ours = Geodetic::from_ecef(*ecef);
            ((ours.to_ecef() - theirs.to_ecef()).norm(), limit)
        });
        assert!(worst(what, errors) < 1.0);
    }
}

#[test]
fn north_east_and_down_are_those_of_pymap3d_from_origins_everywhere() {
    let mut numbers = Numbers(7);
    let origins = places(&[-5e3, 0.0, 9e3], 3_000);
    let pairs: Vec<(Geodetic, Geodetic)> = origins
        .iter()
        .flat_map(|origin| {
            let near = Geodetic { latitude: origin.latitude * 0.999, ..*origin };
            [(numbers.place([-11e3, 1e6]), *origin), (near, *origin)]
        })
        .collect();
    let rows: Vec<_> = pairs
        .iter()
        .map(|(place, origin)| row(&[angles(*place), angles(*origin)].concat()))
        .collect();
    let errors = pairs.iter().zip(reference("to_ned", &rows)).map(|((place, origin), theirs)| {
        let ours = TangentPlane::at(*origin).from_geodetic(*place);
        ((ours - theirs).norm(), 2e-8)
    });
    assert!(worst("geodetic to NED", errors) < 1.0);
}

#[test]
fn directions_are_those_of_pymap3d() {
    let mut numbers = Numbers(8);
    let origins = places(&[0.0], 2_000);
    let vectors: Vec<Vector3<f64>> =
        origins.iter().map(|_| Vector3::from_fn(|_, _| numbers.between(-10.0, 10.0))).collect();
    let rows: Vec<_> = vectors
        .iter()
        .zip(&origins)
        .map(|(v, origin)| row(&[v.x, v.y, v.z, origin.latitude, origin.longitude]))
        .collect();
    let theirs = reference("direction_to_ned", &rows);
    let errors = vectors.iter().zip(&origins).zip(theirs).map(|((v, origin), theirs)| {
        ((TangentPlane::at(*origin).direction_from_ecef(*v) - theirs).norm(), 1e-14)
    });
    assert!(worst("directions", errors) < 1.0);
}

#[test]
fn gravity_is_that_of_the_closed_formula_at_every_height() {
    let places = places(&HEIGHTS, 20_000);
    let ecef: Vec<Vector3<f64>> = places.iter().map(|place| place.to_ecef()).collect();
    let rows: Vec<_> = ecef.iter().map(|ecef| row(ecef.as_slice())).collect();
    let plane = TangentPlane::at(Geodetic::from_degrees(43.0, 6.0, 0.0));
    let earth = Earth::Wgs84(plane);
    let errors = ecef.iter().zip(reference("gravity", &rows)).map(|(ecef, theirs)| {
        let ours = earth.gravity(plane.from_ecef(*ecef));
        ((ours - plane.direction_from_ecef(theirs)).norm(), 1e-10)
    });
    assert!(worst("gravity", errors) < 1.0);
}

/// Places up to so many degrees from the middle of every zone: as they are, and as rows for the
/// reference.
fn in_zones(reach: f64) -> Vec<(Utm, [f64; 3], Geodetic)> {
    let mut numbers = Numbers(9);
    let mut all = Vec::new();
    for zone in 1..=60_u8 {
        for (south, grs80) in [(false, false), (true, false), (false, true)] {
            let ellipsoid = if grs80 { Ellipsoid::GRS80 } else { Ellipsoid::WGS84 };
            let utm = Utm::new(zone, south, ellipsoid).expect("a zone");
            let meridian = 6.0 * f64::from(zone) - 183.0;
            let flags = [f64::from(zone), f64::from(u8::from(south)), f64::from(u8::from(grs80))];
            for k in 0..60 {
                let latitude = match k {
                    0 => 0.0,
                    1 => 84.0,
                    2 => -80.0,
                    _ => numbers.between(-80.0, 84.0),
                };
                let from_meridian = match k {
                    3 => 0.0,
                    4 => reach,
                    _ => numbers.between(-reach, reach),
                };
                let place = Geodetic::from_degrees(latitude, meridian + from_meridian, 0.0);
                all.push((utm, flags, place));
            }
        }
    }
    all
}

#[test]
fn utm_coordinates_are_those_of_pyproj() {
    for (reach, limit) in [(3.5, 2e-8), (19.9, 1e-6)] {
        let all = in_zones(reach);
        let rows: Vec<_> = all
            .iter()
            .map(|(_, [zone, south, grs80], place)| {
                row(&[place.latitude, place.longitude, *zone, *south, *grs80])
            })
            .collect();
        let errors = all.iter().zip(reference("utm", &rows)).map(|((utm, _, place), theirs)| {
            let [easting, northing] = utm.project(*place).expect("it is near the zone");
            let error = libm::hypot(easting - theirs.x, northing - theirs.y);
            (error, limit)
        });
        assert!(worst(&format!("UTM within {reach}°"), errors) < 1.0);
    }
}

#[test]
fn places_of_utm_coordinates_are_those_of_pyproj() {
    let all = in_zones(3.5);
    let coordinates: Vec<[f64; 2]> =
        all.iter().map(|(utm, _, place)| utm.project(*place).expect("it is near")).collect();
    let rows: Vec<_> = all
        .iter()
        .zip(&coordinates)
        .map(|((_, [zone, south, grs80], _), [e, n])| row(&[*e, *n, *zone, *south, *grs80]))
        .collect();
    let theirs = reference("from_utm", &rows);
    let errors = all.iter().zip(&coordinates).zip(theirs).map(|(((utm, _, _), en), theirs)| {
        let ours = utm.place(*en).expect("it is near the zone");
        let theirs = Geodetic { latitude: theirs.x, longitude: theirs.y, height: 0.0 };
        ((ours.to_ecef() - theirs.to_ecef()).norm(), 2e-8)
    });
    assert!(worst("places of UTM coordinates", errors) < 1.0);
}
