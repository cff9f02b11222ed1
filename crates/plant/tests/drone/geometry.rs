//! Lines and arcs have the lengths and directions of a drawing; splines go through all way-points.

use std::f64::consts::PI;

use ironbird_kernel::Time;
use ironbird_kinematics::Motion;
use ironbird_test_rig::{Setting, real, seconds, text};

use crate::surroundings::{Written, drone, refused_start, write};

const FAST: Setting<'static> = ("acceleration", ironbird_kernel::Parameter::Real(10.0));

fn fly(type_name: &str, mission: &Written, settings: &[Setting<'_>], until: f64) -> Vec<Motion> {
    let run = drone(type_name, mission, settings).run(seconds(until), &["drone.motion"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    assert!(samples.len() as f64 > until * 999.0, "{:?}", run.outcome);
    samples.into_iter().map(|(_, motion)| motion).collect()
}

fn near(motion: &Motion, place: [f64; 3]) -> f64 {
    let [n, e, d] = motion.position;
    let level = libm::hypot(n - place[0], e - place[1]);
    libm::hypot(level, d - place[2])
}

/// Two lines of 100 m, 20 m apart.
fn survey() -> Written {
    write("north, east, depth, speed\n0,0,10,1\n100,0,10,1\n100,20,10,1\n0,20,10,1\n")
}

#[test]
fn parallel_lines_are_joined_by_a_semicircle_whose_diameter_is_their_distance() {
    let track = fly("drone.lines-and-arcs", &survey(), &[FAST], 260.0);
    let end = track.last().unwrap();
    assert!((end.distance - (200.0 + 10.0 * PI)).abs() < 1e-9, "{}", end.distance);
    assert!(near(end, [0.0, 20.0, 10.0]) < 1e-9);
    // At 1 m/s the middle of the turn comes after 100 m and a quarter of a circle.
    let middle = &track[115_708];
    assert!((middle.distance - (100.0 + 5.0 * PI)).abs() < 1e-3);
    assert!(near(middle, [110.0, 10.0, 10.0]) < 1e-3);
    for motion in track.iter().filter(|motion| motion.position[0] > 100.0) {
        let [n, e, _] = motion.position;
        assert!((libm::hypot(n - 100.0, e - 10.0) - 10.0).abs() < 1e-12);
        let [vn, ve, _] = motion.velocity;
        assert!((vn * (n - 100.0) + ve * (e - 10.0)).abs() < 1e-12, "along the circle");
        let rate = motion.angular_velocity[2];
        assert!((rate - 0.1).abs() < 1e-12, "to starboard at v/r: {rate}");
    }
}

#[test]
fn a_slanted_end_of_a_survey_draws_the_shorter_line_longer() {
    let mission =
        write("north, east, depth, speed\n0,0,10,1\n90,0,10,1\n110,-20,10,1\n0,-20,10,1\n");
    let track = fly("drone.lines-and-arcs", &mission, &[FAST], 300.0);
    let end = track.last().unwrap();
    assert!((end.distance - (110.0 + 10.0 * PI + 110.0)).abs() < 1e-9, "{}", end.distance);
    let northmost = track.iter().map(|motion| motion.position[0]).fold(0.0, f64::max);
    assert!((northmost - 120.0).abs() < 1e-6, "{northmost}");
}

#[test]
fn a_corner_is_cut_by_an_arc_that_touches_both_legs() {
    let mission = write("north, east, depth, speed\n0,0,10,1\n100,0,10,1\n100,100,10,1\n");
    let settings = [FAST, ("turns", text("corners")), ("turn_radius", real(20.0))];
    let track = fly("drone.lines-and-arcs", &mission, &settings, 220.0);
    let end = track.last().unwrap();
    assert!((end.distance - (80.0 + 10.0 * PI + 80.0)).abs() < 1e-9, "{}", end.distance);
    let nearest = track.iter().map(|motion| near(motion, [100.0, 0.0, 10.0]));
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    assert!((nearest - 20.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-6, "{nearest}");
    let mut before = &track[0];
    for motion in &track {
        let turn: f64 = (0..3).map(|k| (motion.velocity[k] - before.velocity[k]).abs()).sum();
        assert!(turn < 1e-4 + 0.011, "the direction never jumps: {turn}");
        before = motion;
    }
}

#[test]
fn depth_changes_smoothly_from_way_point_to_way_point() {
    let mission = write("north, east, depth, speed\n0,0,10,1\n100,0,30,1\n");
    let track = fly("drone.lines-and-arcs", &mission, &[FAST], 120.0);
    assert!(near(&track[0], [0.0, 0.0, 10.0]) < 1e-12 && track[0].velocity[2] == 0.0);
    assert!(near(&track[50_000], [50.0, 0.0, 20.0]) < 1e-9);
    let pitch = track[50_000].attitude.to_euler()[1];
    // The middle of 10 x³ - 15 x⁴ + 6 x⁵ has the slope 1.875.
    assert!((pitch + libm::atan(1.875 * 20.0 / 100.0)).abs() < 1e-9, "{pitch}");
    assert!(near(track.last().unwrap(), [100.0, 0.0, 30.0]) < 1e-9);
}

#[test]
fn a_spline_goes_through_all_way_points() {
    let places = [[0.0, 0.0, 10.0], [80.0, 30.0, 12.0], [120.0, -40.0, 20.0], [60.0, -90.0, 5.0]];
    let mut lines = String::from("north, east, depth, speed\n");
    for [north, east, depth] in places {
        lines += &format!("{north}, {east}, {depth}, 2\n");
    }
    let track = fly("drone.spline", &write(&lines), &[], 200.0);
    for place in places {
        let nearest = track.iter().map(|motion| near(motion, place)).fold(f64::INFINITY, f64::min);
        assert!(nearest < 2e-3, "{place:?}: {nearest} m");
    }
    assert!(near(track.last().unwrap(), places[3]) < 1e-9);
    let mut before = &track[0];
    for motion in &track {
        let jump = |of: fn(&Motion) -> [f64; 3]| {
            let (now, then) = (of(motion), of(before));
            (0..3).map(|k| (now[k] - then[k]).abs()).fold(0.0, f64::max)
        };
        assert!(jump(|m| m.acceleration) < 1e-3 && jump(|m| m.angular_velocity) < 1e-3);
        before = motion;
    }
}

#[test]
fn a_spline_of_two_way_points_is_a_straight_line() {
    let mission = write("north, east, depth, speed\n0,0,10,5\n300,400,10,5\n");
    let track = fly("drone.spline", &mission, &[FAST], 60.0);
    for motion in &track {
        assert!((motion.position[1] * 3.0 - motion.position[0] * 4.0).abs() < 1e-10);
        assert_eq!(motion.angular_velocity, [0.0; 3]);
    }
    assert!(near(&track[60_000], [180.0, 240.0, 10.0]) < 1e-10);
}

fn refusal(mission: &str, settings: &[Setting<'_>]) -> String {
    refused_start(drone("drone.lines-and-arcs", &write(mission), settings))
}

#[test]
fn turns_that_cannot_be_drawn_are_refused() {
    let three = refusal("north,east,depth,speed\n0,0,9,1\n100,0,9,1\n100,50,9,1\n", &[]);
    assert!(three.contains("has 3 way-points; add one, or set turns"), "{three}");
    let ahead = refusal("north,east,depth,speed\n0,0,9,1\n50,0,9,1\n60,20,9,1\n90,20,9,1\n", &[]);
    assert!(
        ahead.contains("no arc joins the line that ends at the way-point of line 3"),
        "{ahead}"
    );
    let corners = [("turns", text("corners")), ("turn_radius", real(60.0))];
    let tight = refusal("north,east,depth,speed\n0,0,9,1\n50,0,9,1\n50,90,9,1\n", &corners);
    assert!(
        tight.contains(
            "turns of radius 60 m take 60.000 m of the 50.000 m between the way-points of lines 2 and \
             3; a turn_radius of at most 50.000 m fits there"
        ),
        "{tight}"
    );
    let back = refusal("north,east,depth,speed\n0,0,9,1\n50,0,9,1\n20,0,9,1\n", &corners);
    assert!(back.contains("at the way-point of line 3 the mission goes back"), "{back}");
}
