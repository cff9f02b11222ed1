//! Depth, heading, speed and height are held.

use std::f64::consts::FRAC_PI_2;

use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds, text};

use crate::closed_loop::{ballasted, height, highest, motions, settled, vehicle};

fn depths(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.position[2]).collect()
}

fn headings(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.attitude.to_euler()[2]).collect()
}

#[test]
fn from_the_surface_to_5_m_it_settles_without_much_overshoot() {
    for (speed, longest) in [(1.54, 25.0), (2.5, 15.0)] {
        let settings = [("depth", real(5.0)), ("speed", real(speed))];
        let depth = depths(&motions(vehicle(0.1, [0.0; 3], &settings), 240.0));
        let (time, most, last) = (settled(&depth, 5.0, 0.25), highest(&depth), depth[24_000]);
        println!("at {speed} m/s: within 0.25 m after {time:.1} s, at most {most:.2} m");
        assert!(time < longest && most < 5.25, "{speed} m/s: {time} s, {most} m");
        assert!((last - 5.0).abs() < 0.005, "{last} m");
    }
}

#[test]
fn on_a_long_way_down_the_pitch_is_at_its_limit() {
    let settings = [("depth", real(40.0)), ("limit.pitch", real(10.0))];
    let moved = motions(vehicle(5.0, [0.0; 3], &settings), 60.0);
    let pitch: Vec<f64> = moved.iter().map(|m| -m.attitude.to_euler()[1].to_degrees()).collect();
    let (most, time) = (highest(&pitch), settled(&pitch, 10.0, 0.5));
    assert!(most < 16.0 && time < 20.0, "{most} deg, {time} s");
}

#[test]
fn a_quarter_turn_settles_without_much_overshoot_and_keeps_the_depth() {
    for side in [1.0, -1.0] {
        let mut rig = vehicle(10.0, [0.0; 3], &[("depth", real(10.0))]);
        rig.set(seconds(60.0), "autopilot.heading", real(side * 90.0));
        let moved = motions(rig, 180.0);
        let turn: Vec<f64> =
            headings(&moved)[6000..].iter().map(|heading| side * heading).collect();
        let (time, most) = (settled(&turn, FRAC_PI_2, 0.05), highest(&turn).to_degrees());
        println!("to {} deg: within 3 deg after {time:.1} s, at most {most:.1} deg", side * 90.0);
        assert!(time < 20.0 && most < 92.0, "{time} s, {most} deg");
        assert_eq!(settled(&depths(&moved)[6000..], 10.0, 0.3), 0.0, "the depth is kept");
    }
}

#[test]
fn it_turns_the_short_way_round() {
    let mut rig = vehicle(10.0, [0.0; 3], &[("depth", real(10.0)), ("heading", real(170.0))]);
    rig.set(seconds(60.0), "autopilot.heading", real(-170.0));
    let moved = motions(rig, 100.0);
    let least = moved[6000..].iter().map(|m| m.attitude.to_euler()[2].abs().to_degrees());
    let least = least.fold(f64::INFINITY, f64::min);
    assert!(least > 165.0, "it passes {least} deg");
    let last = moved[10_000].attitude.to_euler()[2].to_degrees();
    assert!((last + 170.0).abs() < 0.5, "{last} deg");
}

#[test]
fn straight_ahead_cruise_revolutions_give_three_knots() {
    // A little less than 1.54 m/s: it goes at an angle to hold its buoyancy down.
    let rig = vehicle(10.0, [0.0; 3], &[("depth", real(10.0))]);
    let speed = rig.run(seconds(120.0), &["remus.water_speed"]).numbers("remus.water_speed");
    let last = speed.last().unwrap();
    assert!((1.45..1.55).contains(last), "{last} m/s");
}

#[test]
fn it_follows_the_sea_bed_at_its_height() {
    let settings = [("vertical", text("height")), ("above_bed", real(6.0))];
    let moved = motions(vehicle(10.0, [0.0; 3], &settings), 240.0);
    let heights: Vec<f64> = moved.iter().map(|m| height(m.position)).collect();
    let time = settled(&heights, 6.0, 0.3);
    assert!(time < 25.0, "{time} s");
    assert!((heights[24_000] - 6.0).abs() < 0.01, "{} m", heights[24_000]);
}

#[test]
fn too_slow_for_its_fins_it_comes_up_and_with_less_buoyancy_it_does_not() {
    let depth = |buoyancy: f64| {
        let settings = [("depth", real(5.0)), ("speed", real(1.1))];
        depths(&motions(ballasted(buoyancy, 5.0, [0.0; 3], &settings), 300.0))[30_000]
    };
    assert!(depth(306.0) < 1.0, "{} m", depth(306.0));
    assert!((depth(302.3) - 5.0).abs() < 0.1, "{} m", depth(302.3));
}
