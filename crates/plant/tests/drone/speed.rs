//! How fast a drone goes, how it changes that, and how it stops.

use ironbird_kernel::{Rate, Time};
use ironbird_kinematics::Motion;
use ironbird_test_rig::{Rig, real, seconds};

use crate::surroundings::{add_current, drone, refused_start, rig, write};

fn speeds(rig: Rig, until: f64) -> Vec<f64> {
    let run = rig.run(seconds(until), &["drone.motion"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    let speed = |motion: &Motion| libm::hypot(motion.velocity[0], motion.velocity[1]);
    samples.iter().map(|(_, motion)| speed(motion)).collect()
}

const LONG: &str = "north, east, depth, speed\n0,0,10,1.5\n9000,0,10,1.5\n";

#[test]
fn a_new_speed_is_reached_smoothly_while_running() {
    let settings = [("speed", real(2.5)), ("acceleration", real(0.1))];
    let mut rig = drone("drone.lines-and-arcs", &write(LONG), &settings);
    rig.set(seconds(100.0), "drone.speed", real(2.0));
    let speeds = speeds(rig, 200.0);
    assert!(speeds[..100_000].iter().all(|speed| *speed == 2.5));
    // 1.5 · 0.5 m/s / 0.1 m/s² = 7.5 s.
    assert!(speeds[107_600..].iter().all(|speed| *speed == 2.0));
    for pair in speeds.windows(2) {
        assert!((pair[1] - pair[0]).abs() <= 0.1e-3 * (1.0 + 1e-9));
    }
    assert!((speeds[103_750] - 2.25).abs() < 1e-3);
}

#[test]
fn without_a_speed_the_way_points_say_it() {
    let mission =
        write("north, east, depth, speed\n0,0,10,1\n100,0,10,2\n300,0,10,1.5\n900,0,10,9\n");
    let speeds = speeds(drone("drone.spline", &mission, &[]), 300.0);
    assert!(speeds[..100_000].iter().all(|speed| (speed - 1.0).abs() < 1e-8));
    let settled = |from: usize, to: usize, speed: f64| {
        speeds[from..to].iter().all(|s| (s - speed).abs() < 1e-8)
    };
    assert!(settled(110_000, 195_000, 2.0) && settled(210_000, 300_000, 1.5));
}

#[test]
fn at_the_end_it_stops_where_the_mission_does_and_says_so() {
    let mission = write("north, east, depth, speed\n0,0,10,2\n200,0,10,2\n");
    let mut rig = drone("drone.lines-and-arcs", &mission, &[]);
    // With a current that would carry it on, and another from abeam: it keeps its heading.
    add_current(&mut rig, [0.5, 0.5, 0.0], [0.0; 3], 60.0);
    let run = rig.run(seconds(150.0), &["drone.motion", "drone.finished"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    let (_, end) = samples.last().unwrap();
    assert!((end.position[0] - 200.0).abs() < 1e-9 && end.velocity == [0.0; 3], "{end:?}");
    let yaw = |motion: &Motion| motion.attitude.to_euler()[2];
    assert!((yaw(end) - yaw(&samples[10].1)).abs() < 1e-12);
    let finished: Vec<(Time, bool)> = run.samples("drone.finished");
    let (when, last) = finished.last().unwrap();
    // 185 m at 2 m/s, then 15 m at half of it.
    assert!(*last && (when.as_secs_f64() - 107.5).abs() < 0.01, "{when:?}");
}

#[test]
fn a_mission_too_short_to_stop_in_is_refused() {
    let mission = write("north, east, depth, speed\n0,0,10,2\n10,0,10,2\n");
    let outcome = refused_start(drone("drone.lines-and-arcs", &mission, &[]));
    assert!(
        outcome.contains("the mission is 10.0 m long, but from 2 m/s it takes 15.0 m to stop"),
        "{outcome}"
    );
}

#[test]
fn twenty_kilometres_straight_are_where_they_should_be() {
    let mission = write("north, east, depth, speed\n0,0,50,5\n12500,16000,50,5\n");
    let mut rig = rig();
    rig.add("mission", "mission.waypoints", &[mission.file()]);
    rig.add_at("drone", "drone.spline", Some(Rate::hz(1)), &[]);
    rig.bind("drone.mission", "mission");
    let run = rig.run(seconds(4000.0), &["drone.motion"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    let (_, end) = samples.last().unwrap();
    let length = libm::hypot(12_500.0, 16_000.0);
    let off = libm::hypot(
        end.position[0] - 12_500.0 * 20_000.0 / length,
        end.position[1] - 16_000.0 * 20_000.0 / length,
    );
    assert!(off < 1e-9, "{off}");
}
