//! There and back between all frames: nothing is lost, at any latitude.

mod places;

use ironbird_kinematics::{Attitude, Ellipsoid, Geodetic, Mounting, TangentPlane, Utm};
use nalgebra::{Vector2, Vector3};
use places::{Numbers, places};
use proptest::prelude::*;

/// From the deepest sea to 1000 km above it, in metres.
const HEIGHTS: [f64; 5] = [-11e3, -100.0, 0.0, 1e4, 1e6];

/// What a round trip may lose, in metres.
const LIMIT: f64 = 2e-8;

/// What two places are apart, in metres; by their coordinates, so that an error of the way to
/// Earth-centred ones cannot hide. The meridians meet at the poles.
fn apart(a: Geodetic, b: Geodetic) -> f64 {
    let turn = (a.longitude - b.longitude).abs();
    let turn = turn.min((turn - std::f64::consts::TAU).abs());
    let radius = 6.4e6 + a.height.abs();
    let north = radius * (a.latitude - b.latitude);
    let east = radius * libm::cos(a.latitude) * turn;
    Vector3::new(north, east, a.height - b.height).norm()
}

#[test]
fn from_geodetic_to_earth_centred_and_back() {
    let mut most = 0.0;
    for place in places(&HEIGHTS, 100_000) {
        let error = apart(place, Geodetic::from_ecef(place.to_ecef()));
        assert!(error < LIMIT, "{place:?}: {error:e} m");
        most = f64::max(most, error);
    }
    println!("at most {most:e} m");
}

/// Up there the last digit of a longitude is worth 2e-8 m.
#[test]
fn from_geodetic_to_earth_centred_and_back_as_high_as_satellites() {
    let mut most = 0.0;
    for place in places(&[1e6, 2e7, 4e7], 100_000) {
        let error = apart(place, Geodetic::from_ecef(place.to_ecef()));
        assert!(error < 5e-8, "{place:?}: {error:e} m");
        most = f64::max(most, error);
    }
    println!("at most {most:e} m");
}

#[test]
fn from_earth_centred_to_north_east_down_and_back_from_origins_everywhere() {
    let mut numbers = Numbers(5);
    for origin in places(&HEIGHTS[..4], 20_000) {
        let plane = TangentPlane::at(origin);
        let ecef = numbers.place([-11e3, 1e6]).to_ecef();
        let error = (plane.to_ecef(plane.from_ecef(ecef)) - ecef).norm();
        assert!(error < LIMIT, "{origin:?}, {ecef}: {error:e} m");
    }
}

/// A vector seen by a sensor, and what the driver makes of it.
fn to_sensor_and_back(attitude: Attitude, mounting: &Mounting, ned: Vector3<f64>) -> Vector3<f64> {
    let seen = mounting.to_sensor() * attitude.to_body(ned);
    attitude.to_ned(mounting.to_body() * seen)
}

fn mounting(numbers: &mut Numbers) -> Mounting {
    let [roll, pitch, yaw] = [(); 3].map(|()| numbers.between(-180.0, 180.0));
    Mounting { roll, pitch, yaw }
}

/// What is lost on the way from a place through all frames to a sensor, and back.
fn lost_on_the_way(place: Geodetic, plane: &TangentPlane, numbers: &mut Numbers) -> f64 {
    let (attitude, mounting) = (numbers.attitude(), mounting(numbers));
    let ned = plane.from_ecef(place.to_ecef());
    let back = to_sensor_and_back(attitude, &mounting, ned);
    apart(place, Geodetic::from_ecef(plane.to_ecef(back)))
}

#[test]
fn from_geodetic_through_all_frames_to_a_sensor_and_back_up_to_1000_km_from_the_origin() {
    let mut numbers = Numbers(6);
    let mut most = 0.0;
    for origin in places(&HEIGHTS[..4], 50_000) {
        let plane = TangentPlane::at(origin);
        let reach = libm::exp(numbers.between(0.0, libm::log(5.7e5)));
        let ned = Vector3::from_fn(|_, _| numbers.between(-reach, reach));
        let place = plane.to_geodetic(ned);
        let error = lost_on_the_way(place, &plane, &mut numbers);
        assert!(error < LIMIT, "{place:?} from {origin:?}: {error:e} m");
        most = f64::max(most, error);
    }
    println!("at most {most:e} m");
}

/// A vector as long as the Earth is thick has a last digit of 2e-9 m, and is turned eight times.
#[test]
fn from_geodetic_through_all_frames_to_a_sensor_and_back_with_the_origin_anywhere_on_earth() {
    let mut numbers = Numbers(6);
    let mut most = 0.0;
    for place in places(&HEIGHTS[..4], 50_000) {
        let plane = TangentPlane::at(numbers.place([-11e3, 1e4]));
        let error = lost_on_the_way(place, &plane, &mut numbers);
        assert!(error < 2.5e-8, "{place:?} from {:?}: {error:e} m", plane.origin());
        most = f64::max(most, error);
    }
    println!("at most {most:e} m");
}

#[test]
fn a_place_outside_of_a_zone_is_refused_with_what_is_wrong() {
    let zone = Utm::from_epsg(32631).expect("31 north");
    let error = zone.project(Geodetic::from_degrees(10.0, 40.0, 0.0)).expect_err("too far");
    let far = error.to_string();
    assert_eq!(
        far,
        "10.000000° N 40.000000° E lies too far from the meridian 3° E of UTM zone 31: at most 20° are \
         mapped"
    );
    let beyond = Geodetic { latitude: 2.0, ..Geodetic::default() };
    assert!(zone.project(beyond).is_err());
    let nowhere = Geodetic { latitude: f64::NAN, ..Geodetic::default() };
    assert!(zone.project(nowhere).is_err());
    for coordinates in [
        [4e6, 0.0],
        [5e5, 1.01e7],
        [5e5, -1.01e7],
        [f64::NAN, 0.0],
        [2.9e6, 9e6],
        [0.0, f64::INFINITY],
    ] {
        let error = zone.place(coordinates).expect_err("no place").to_string();
        assert!(error.ends_with("lies too far outside of UTM zone 31"), "{error}");
    }
}

#[test]
fn epsg_codes_name_zones() {
    let zone = |code| Utm::from_epsg(code).map(|utm| (utm.zone(), utm.is_south()));
    assert_eq!(zone(32601), Some((1, false)));
    assert_eq!(zone(32760), Some((60, true)));
    assert_eq!(zone(26910), Some((10, false)));
    assert_eq!(zone(25832), Some((32, false)));
    for none in [0, 4326, 32600, 32661, 32700, 32799, 26924, 25827, 3857, u32::MAX] {
        assert_eq!(zone(none), None, "{none}");
    }
    // NAD83 is on another ellipsoid: a tenth of a millimetre in the north of zone 10.
    let place = Geodetic::from_degrees(80.0, -123.0, 0.0);
    let [nad83, wgs84] = [26910, 32610].map(|code| Utm::from_epsg(code).unwrap().project(place));
    let apart = nad83.unwrap()[1] - wgs84.unwrap()[1];
    assert!(apart.abs() > 1e-5 && apart.abs() < 1e-3, "{apart}");
}

#[test]
fn the_directions_of_a_map_are_its_differences() {
    let ellipsoid = Ellipsoid::WGS84;
    let zone = Utm::from_epsg(32633).expect("33 north");
    let step = 1e-5;
    for (latitude, longitude) in [(0.9, 0.31), (-0.4, 0.2), (1.4, 0.25), (0.1, 0.55)] {
        let at = |up: f64, right: f64| {
            let (latitude, longitude) = (latitude + step * up, longitude + step * right);
            let place = zone.map(Geodetic { latitude, longitude, height: 0.0 }).expect("near");
            (Vector2::from(place.coordinates), place)
        };
        let sine = libm::sin(latitude);
        let root = (1.0 - ellipsoid.eccentricity_squared() * sine * sine).sqrt();
        let across = ellipsoid.semi_major / root;
        let along = across * (1.0 - ellipsoid.eccentricity_squared()) / (root * root);
        let northwards = (at(1.0, 0.0).0 - at(-1.0, 0.0).0) / (2.0 * step * along);
        let eastwards =
            (at(0.0, 1.0).0 - at(0.0, -1.0).0) / (2.0 * step * across * libm::cos(latitude));
        let here = at(0.0, 0.0).1;
        assert!((northwards - Vector2::from(here.northwards)).norm() < 1e-9, "{northwards}");
        assert!((eastwards - Vector2::from(here.eastwards())).norm() < 1e-9, "{eastwards}");
    }
}

#[test]
fn the_poles_are_mapped_too() {
    let zone = Utm::from_epsg(32633).expect("33 north");
    for degrees in [90.0, -90.0] {
        let pole = Geodetic::from_degrees(degrees, 15.0, 0.0);
        let back = zone.place(zone.project(pole).expect("a pole")).expect("a pole");
        assert!(apart(pole, back) < LIMIT, "{back:?}");
        let scale = Vector2::from(zone.map(pole).expect("a pole").northwards).norm();
        // The central meridian, which has one scale, leads there.
        assert!((scale - 0.9996).abs() < 1e-9, "{scale}");
    }
}

#[test]
fn a_place_at_the_centre_of_the_earth_is_finite() {
    for ecef in [Vector3::zeros(), Vector3::new(1e-3, 0.0, 1e-9), Vector3::new(0.0, 0.0, -1.0)] {
        let place = Geodetic::from_ecef(ecef);
        assert!(place.is_on_earth(), "{place:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_place_comes_back_from_its_earth_centred_coordinates(
        latitude in -90.0..=90.0_f64, longitude in -180.0..=180.0_f64, height in -11e3..1e6_f64,
    ) {
        let place = Geodetic::from_degrees(latitude, longitude, height);
        prop_assert!(apart(place, Geodetic::from_ecef(place.to_ecef())) < LIMIT);
    }

    #[test]
    fn any_earth_centred_place_outside_of_the_core_comes_back(
        x in -5e7..5e7_f64, y in -5e7..5e7_f64, z in -5e7..5e7_f64,
    ) {
        let ecef = Vector3::new(x, y, z);
        prop_assume!(ecef.norm() > 1e6);
        let error = (Geodetic::from_ecef(ecef).to_ecef() - ecef).norm();
        prop_assert!(error < 1.5e-15 * ecef.norm() + 1e-8, "{error:e}");
    }

    #[test]
    fn the_height_is_that_of_the_geodetic_place(
        north in -1e6..1e6_f64, east in -1e6..1e6_f64, down in -1e5..1e4_f64,
        latitude in -90.0..=90.0_f64,
    ) {
        let plane = TangentPlane::at(Geodetic::from_degrees(latitude, 7.0, 0.0));
        let ned = Vector3::new(north, east, down);
        prop_assert_eq!(plane.height(ned), plane.to_geodetic(ned).height);
    }

    #[test]
    fn a_turned_vector_keeps_its_length_and_comes_back(
        roll in -180.0..180.0_f64, pitch in -90.0..90.0_f64, yaw in -180.0..180.0_f64,
        x in -1e4..1e4_f64, y in -1e4..1e4_f64, z in -1e4..1e4_f64,
    ) {
        let (v, mounting) = (Vector3::new(x, y, z), Mounting { roll, pitch, yaw });
        let attitude = Attitude::from_euler(roll.to_radians(), pitch.to_radians(), yaw.to_radians());
        // Some twenty roundings, each of half a unit in the last place of the length at most.
        let rounding = 10.0 * f64::EPSILON * v.norm();
        prop_assert!((attitude.to_ned(v).norm() - v.norm()).abs() < rounding);
        // A sensor that is mounted like this stands to the body as the body to the level frame.
        prop_assert!((mounting.to_body() * v - attitude.to_ned(v)).norm() < 2.0 * rounding);
        prop_assert!((to_sensor_and_back(attitude, &mounting, v) - v).norm() < LIMIT);
    }

    #[test]
    fn any_place_near_a_zone_comes_back_from_its_map(
        zone in 1..=60_u8, south: bool, latitude in -90.0..=90.0_f64, from_meridian in -19.9..19.9_f64,
    ) {
        let utm = Utm::new(zone, south, Ellipsoid::WGS84).expect("a zone");
        let longitude = utm.meridian().to_degrees() + from_meridian;
        let place = Geodetic::from_degrees(latitude, longitude, 0.0);
        let back = utm.place(utm.project(place).expect("near")).expect("near");
        let error = apart(place, back);
        prop_assert!(error < if from_meridian.abs() < 3.5 { LIMIT } else { 1e-7 }, "{error:e}");
    }
}
