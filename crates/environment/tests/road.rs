//! A road has the geometry that its file says, and shows it to a vehicle.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use ironbird_kernel::Rate;
use ironbird_kinematics::LaneMarks;
use ironbird_solvers::Trajectory;
use ironbird_test_rig::{Rig, Run, real, seconds, text};

const STRAIGHT: &str = "[[piece]]\nkind = \"straight\"\nlength = \"100 m\"\n";

fn arc(length: f64, radius: f64) -> String {
    format!("[[piece]]\nkind = \"arc\"\nlength = \"{length} m\"\nradius = \"{radius} m\"\n")
}

fn clothoid(length: f64) -> String {
    format!("[[piece]]\nkind = \"clothoid\"\nlength = \"{length} m\"\n")
}

/// What a vehicle at these places (north, east, heading), 50 of them a second, has of a road.
fn drive(pieces: &str, places: &[[f64; 3]]) -> Run {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("road.toml");
    std::fs::write(&file, format!("width = \"3.5 m\"\n{pieces}")).expect("it can be written");
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("road", "road.lane", &[("file", text(file.to_str().expect("a name")))]);
    rig.add_at("at", "road.at", Some(Rate::hz(50)), &[("vehicle_width", real(1.5))]);
    rig.bind("at.source", "road");
    for (k, name) in ["north", "east", "heading"].into_iter().enumerate() {
        let value = |(tick, place): (usize, &[f64; 3])| {
            (seconds(0.02 * tick as f64), Trajectory::constant(place[k]))
        };
        rig.script(name, &places.iter().enumerate().map(value).collect::<Vec<_>>());
        rig.link(&format!("{name}.out"), &format!("at.{name}"));
    }
    let outputs = [
        "at.offset",
        "at.heading_error",
        "at.curvature",
        "at.distance",
        "at.clearance",
        "at.marks",
    ];
    rig.run(seconds(0.02 * (places.len() - 1) as f64), &outputs)
}

/// The only number that an output shows.
fn shown(run: &Run, output: &str) -> f64 {
    let numbers = run.numbers(output);
    assert_eq!(numbers.len(), 1, "{output}");
    numbers[0]
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted}");
}

#[test]
fn beside_a_straight_it_shows_offset_and_heading() {
    let run = drive(STRAIGHT, &[[40.0, -0.7, 0.1]]);
    near(shown(&run, "at.offset"), -0.7);
    near(shown(&run, "at.heading_error"), 0.1);
    near(shown(&run, "at.distance"), 40.0);
    near(shown(&run, "at.clearance"), 1.0 - 0.7);
}

#[test]
fn in_a_curve_the_offset_is_along_the_radius() {
    // About the centre at north 0 m, east 100 m, an eighth of a turn on, 2 m inside.
    let inside = 98.0 * libm::sin(FRAC_PI_4);
    let run = drive(&arc(200.0, 100.0), &[[inside, 100.0 - inside, 0.0]]);
    near(shown(&run, "at.offset"), 2.0);
    near(shown(&run, "at.distance"), 100.0 * FRAC_PI_4);
    near(shown(&run, "at.heading_error"), -FRAC_PI_4);
    near(shown(&run, "at.curvature"), 0.01);
    // To port it is the mirror image.
    let run = drive(&arc(200.0, -100.0), &[[inside, inside - 100.0, 0.0]]);
    near(shown(&run, "at.offset"), -2.0);
    near(shown(&run, "at.curvature"), -0.01);
}

#[test]
fn a_clothoid_ends_where_the_integrals_of_fresnel_end() {
    // From 0 to 1/100 m over 80 m: ψ = g s²/2 with g = 1/8000 m², as power series.
    let (length, growth) = (80.0, 1.0 / 8000.0);
    let (mut north, mut east) = (0.0, 0.0);
    let half = growth * length * length / 2.0;
    let mut term = length;
    for k in 0..30 {
        let (sign, order) = (if k % 4 < 2 { 1.0 } else { -1.0 }, f64::from(2 * k + 1));
        if k % 2 == 0 {
            north += sign * term / order
        } else {
            east += sign * term / order
        }
        term *= half / f64::from(k + 1);
    }
    let pieces = format!("{}{}", clothoid(length), arc(50.0, 100.0));
    let run = drive(&pieces, &[[north, east, half]]);
    near(shown(&run, "at.offset"), 0.0);
    near(shown(&run, "at.distance"), length);
    near(shown(&run, "at.heading_error"), 0.0);
}

#[test]
fn beyond_its_ends_it_goes_on_straight() {
    let quarter = arc(100.0 * FRAC_PI_2, 100.0);
    let run = drive(&quarter, &[[-30.0, 0.2, 0.0]]);
    near(shown(&run, "at.distance"), -30.0);
    near(shown(&run, "at.offset"), 0.2);
    near(shown(&run, "at.curvature"), 0.0);
    let run = drive(&quarter, &[[100.0, 125.0, FRAC_PI_2]]);
    near(shown(&run, "at.distance"), 100.0 * FRAC_PI_2 + 25.0);
    near(shown(&run, "at.offset"), 0.0);
}

#[test]
fn the_marks_lie_on_the_lane_ahead() {
    let run = drive(&arc(300.0, 200.0), &[[0.0, 0.3, 0.0]]);
    let (_, marks) = run.samples::<LaneMarks>("at.marks")[0];
    assert!(marks.valid);
    for k in 0..LaneMarks::POINTS {
        let angle = (5.0 + 5.0 * k as f64) / 200.0;
        near(marks.ahead[k], 200.0 * libm::sin(angle));
        near(marks.across[k], 200.0 * (1.0 - libm::cos(angle)) - 0.3);
    }
}

#[test]
fn where_a_road_meets_itself_a_vehicle_stays_on_its_part() {
    // 100 m, a full circle back to the same place, and 100 m further.
    let pieces = format!("{STRAIGHT}{}{STRAIGHT}", arc(100.0 * PI, 50.0));
    let place = |s: f64| {
        let turned = ((s - 100.0) / 50.0).clamp(0.0, 2.0 * PI);
        let (sin, cos) = libm::sincos(turned);
        let straight = s.min(100.0) + (s - 100.0 - 100.0 * PI).max(0.0);
        [straight + 50.0 * sin, 50.0 * (1.0 - cos), turned]
    };
    let places: Vec<[f64; 3]> = (0..500).map(|s| place(f64::from(s))).collect();
    let run = drive(&pieces, &places);
    for (s, distance) in run.numbers("at.distance").into_iter().enumerate() {
        assert!((distance - s as f64).abs() < 1e-6, "{distance} m instead of {s} m");
    }
    for error in run.numbers("at.heading_error") {
        assert!(error.abs() < 1e-6, "{error} rad");
    }
}

#[test]
fn what_is_no_road_is_refused_with_its_place() {
    let refusal = |content: &str| {
        let folder = tempfile::tempdir().expect("there is room");
        let file = folder.path().join("road.toml");
        std::fs::write(&file, content).expect("it can be written");
        let rig = Rig::of(&[ironbird_environment::register]);
        rig.refusal("road.lane", &[("file", text(file.to_str().expect("a name")))])
    };
    let road = |pieces: &str| refusal(&format!("width = \"3.5 m\"\n{pieces}"));
    for (found, wanted) in [
        (refusal(STRAIGHT), "width"),
        (refusal(&format!("width = \"0 m\"\n{STRAIGHT}")), "\"width\" must be above zero"),
        (road(""), "piece"),
        (road(&arc(10.0, 0.0)), "\"radius\" must be 1 m or more"),
        (road(&arc(-1.0, 50.0)), "\"length\" must be above zero"),
        (road(&arc(1e300, 1.0)), "the road is too long, or turns too often"),
        (road(&format!("{}{}", clothoid(9.0), clothoid(9.0))), "has another one beside it"),
        (road("[[piece]]\nkind = \"spiral\"\nlength = \"1 m\"\n"), "\"spiral\" is no piece"),
        (road(&format!("{STRAIGHT}radius = \"9 m\"\n")), "radius"),
        (road("[[piece]]\nkind = \"straight\"\nlength = \"1 kg\"\n"), "kg"),
        (road("[[piece"), "road.toml"),
    ] {
        assert!(found.contains(wanted), "{found}\ndoes not say: {wanted}");
    }
    let found = road("[[piece]]\nkind = \"spiral\"\nlength = \"1 m\"\n");
    assert!(found.contains("road.toml") && found.contains('3'), "{found}");
}

#[test]
fn a_camera_that_sees_nothing_is_refused() {
    let rig = Rig::of(&[ironbird_environment::register]);
    let found = rig.refusal("road.at", &[("nearest", real(50.0))]);
    assert!(found.contains("nearest = 50 m must be below farthest = 40 m"), "{found}");
}
