//! Depth, heading, speed and height are held.

use std::f64::consts::FRAC_PI_2;

use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds, text};

use crate::closed_loop::{highest, motions, settled, vehicle};

fn depths(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.position[2]).collect()
}

fn headings(motions: &[Motion]) -> Vec<f64> {
    motions.iter().map(|motion| motion.attitude.to_euler()[2]).collect()
}

#[test]
fn from_the_surface_to_5_m_it_settles_without_much_overshoot() {
    let moved = motions(vehicle(0.1, [0.0; 3], &[("depth", real(5.0))]), 240.0);
    let depth = depths(&moved);
    let (time, most) = (settled(&depth, 5.0, 0.25), highest(&depth));
    println!(
        "depth 0 to 5 m: within 0.25 m after {time:.1} s, at most {most:.2} m, at last {:.4} m",
        depth[24_000]
    );
    for k in (0..6000).step_by(200) {
        println!(
            "{} {:.3} pitch {:.2} speed {:.2}",
            k / 100,
            depth[k],
            moved[k].attitude.to_euler()[1].to_degrees(),
            moved[k].velocity[0]
        );
    }
    assert!(time < 60.0 && most < 6.0, "{time} s, {most} m");
    assert!((depth[24_000] - 5.0).abs() < 0.02, "{}", depth[24_000]);
}

#[test]
fn a_quarter_turn_to_starboard_settles_without_much_overshoot() {
    let mut rig = vehicle(10.0, [0.0; 3], &[("depth", real(10.0))]);
    rig.set(seconds(60.0), "autopilot.heading", real(90.0));
    let moved = motions(rig, 180.0);
    let heading = headings(&moved);
    assert!(settled(&heading[..6000], 0.0, 0.1) < 30.0);
    let turn = &heading[6000..];
    let (time, most) = (settled(turn, FRAC_PI_2, 0.05), highest(turn).to_degrees());
    println!(
        "heading 0 to 90 deg: within 3 deg after {time:.1} s, at most {most:.1} deg, last {:.2}",
        turn.last().unwrap().to_degrees()
    );
    for k in (0..6000).step_by(200) {
        println!(
            "{} {:.3} r {:.2} depth {:.2} speed {:.2}",
            k / 100,
            turn[k].to_degrees(),
            moved[6000 + k].angular_velocity[2].to_degrees(),
            moved[6000 + k].position[2],
            moved[6000 + k].velocity[0]
        );
    }
    assert!(time < 45.0 && most < 100.0, "{time} s, {most} deg");
    let sunk = settled(&depths(&moved)[3000..], 10.0, 1.0);
    assert_eq!(sunk, 0.0, "the depth stays within 1 m in the turn");
}

#[test]
fn straight_ahead_cruise_revolutions_give_three_knots() {
    let rig = vehicle(10.0, [0.0; 3], &[("depth", real(10.0))]);
    let speed = rig.run(seconds(120.0), &["remus.water_speed"]).numbers("remus.water_speed");
    let last = speed.last().unwrap();
    println!("{last} m/s");
    assert!((last - 1.5).abs() < 0.06, "{last} m/s");
}

#[test]
fn it_follows_the_sea_bed_at_its_height() {
    let settings = [("vertical", text("height")), ("above_bed", real(6.0))];
    let moved = motions(vehicle(10.0, [0.0; 3], &settings), 240.0);
    let height: Vec<f64> =
        moved.iter().map(|m| 20.0 + m.position[0] / 50.0 - m.position[2]).collect();
    println!("{}", settled(&height, 6.0, 0.3));
    println!("{}", height[24_000]);
    assert!(settled(&height, 6.0, 0.3) < 90.0, "{height:?}");
}
