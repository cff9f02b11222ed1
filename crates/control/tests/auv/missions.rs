//! Missions are followed, also in a current.

use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds};

use crate::closed_loop::{guided, height, mission, motions};

/// The largest distance from the line north from the origin, from this time (s) on.
fn furthest(moved: &[Motion], from: usize) -> f64 {
    moved[100 * from..].iter().fold(0.0, |most, m| m.position[1].abs().max(most))
}

#[test]
fn in_a_current_across_it_comes_back_to_the_line() {
    let moved = motions(guided(0, [0.0, 0.3, 0.0], &[]), 300.0);
    let (pushed, left) = (furthest(&moved, 0), furthest(&moved, 200));
    let heading = moved[30_000].attitude.to_euler()[2].to_degrees();
    println!("pushed {pushed:.2} m, left {left:.3} m, heading {heading:.1} deg");
    assert!(pushed > 1.0 && pushed < 3.0, "{pushed} m");
    assert!(left < 0.01, "{left} m from the line");
    assert!((heading + 11.5).abs() < 1.0, "{heading} deg");
}

#[test]
fn without_the_integral_it_stays_beside_the_line() {
    let moved = motions(guided(0, [0.0, 0.3, 0.0], &[("integral_gain", real(0.0))]), 300.0);
    let left = moved[30_000].position[1];
    assert!((1.5..3.0).contains(&left), "{left} m");
}

#[test]
fn way_points_are_passed_in_order_and_then_it_stops() {
    let rig = guided(1, [0.0, 0.2, 0.0], &[]);
    let watched = ["remus.motion", "guidance.waypoint", "guidance.finished", "autopilot.propeller"];
    let run = rig.run(seconds(600.0), &watched);
    let motions = run.samples::<Motion>("remus.motion");
    let numbers = run.samples::<u32>("guidance.waypoint");
    for (before, waypoint) in mission(1).waypoints.iter().enumerate() {
        let (number, place) = (before as u32 + 1, [waypoint.north, waypoint.east, waypoint.level]);
        let (passed, _) = numbers.iter().find(|(_, n)| *n >= number).expect("it is passed");
        let at = motions.iter().find(|(time, _)| time >= passed).unwrap().1.position;
        let apart = libm::hypot(at[0] - place[0], at[1] - place[1]);
        assert!(apart < 4.0, "way-point {number} is passed {apart} m away at {at:?}");
        assert!((at[2] - place[2]).abs() < 0.2, "{at:?}");
    }
    assert!(run.samples::<bool>("guidance.finished").last().unwrap().1);
    assert_eq!(run.numbers("autopilot.propeller").last(), Some(&0.0));
}

#[test]
fn a_way_point_above_the_bed_is_reached_at_that_height() {
    let moved = motions(guided(2, [0.0; 3], &[]), 190.0);
    let last = moved.last().unwrap();
    let height = height(last.position);
    assert!((height - 6.0).abs() < 0.1, "{height} m at {:?}", last.position);
}
