//! Current and sea bed.

use ironbird_kernel::Time;
use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds};

use crate::surroundings::{add_current, drone, refused_start, write};

const NORTH: &str = "north, east, depth, speed\n0,0,10,2\n1000,0,10,2\n";

#[test]
fn a_crabbing_drone_heads_into_a_current_from_abeam_and_keeps_its_track() {
    let mut rig = drone("drone.lines-and-arcs", &write(NORTH), &[]);
    add_current(&mut rig, [0.0, 0.5, 0.0], [0.0; 3], 60.0);
    let run = rig.run(seconds(100.0), &["drone.motion"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    for (time, motion) in &samples {
        assert!((motion.position[0] - 2.0 * time.as_secs_f64()).abs() < 1e-9);
        assert_eq!(motion.position[1], 0.0);
        let [roll, pitch, yaw] = motion.attitude.to_euler();
        // Through the water it makes √(2² + 0.5²) m/s, of which 0.5 m/s are against the current.
        let crab = -libm::asin(0.5 / (4.25_f64).sqrt());
        assert!((yaw - crab).abs() < 1e-12 && roll == 0.0 && pitch == 0.0, "{yaw}");
    }
}

#[test]
fn a_current_against_which_the_track_cannot_be_held_ends_the_run() {
    let end = |current: [f64; 3], limit: f64| {
        let mut rig = drone("drone.spline", &write(NORTH), &[("max_water_speed", real(limit))]);
        add_current(&mut rig, current, [0.0; 3], 60.0);
        format!("{:?}", rig.run(seconds(10.0), &[]).outcome)
    };
    let against = end([-1.5, 0.0, 0.0], 3.0);
    assert!(
        against.contains(
            "0.0 m along the path the current of [-1.5, 0, 0] m/s is too strong to hold the track at \
             2.000 m/s over ground: the drone would need 3.500 m/s through the water"
        ),
        "{against}"
    );
    let along = end([2.5, 0.0, 0.0], 3.0);
    assert!(along.contains("it carries the drone along faster than that"), "{along}");
    let unknown = end([f64::MAX, 0.0, 0.0], 3.0);
    assert!(unknown.contains("too strong"), "{unknown}");
}

#[test]
fn a_height_above_a_wavy_bed_is_kept() {
    let mission = write("north, east, height, speed\n0,0,10,2\n3000,0,10,2\n");
    let mut rig = drone("drone.lines-and-arcs", &mission, &[("bed_time_constant", real(1.0))]);
    rig.add("bed", "test.bed", &[]);
    rig.link_previous("drone.motion", "bed.motion");
    rig.link("bed.depth", "drone.sea_bed");
    let run = rig.run(seconds(600.0), &["drone.height"]);
    let heights = run.numbers("drone.height");
    // A wave of 3 m and 500 m, at 2 m/s, goes up and down by at most 0.075 m/s; three seconds behind.
    let worst = heights.iter().map(|height| (height - 10.0).abs()).fold(0.0, f64::max);
    assert!((0.2..0.23).contains(&worst), "{worst}");
}

#[test]
fn heights_without_a_sea_bed_are_refused_at_the_start() {
    let mission = write("north, east, height, speed\n0,0,10,2\n3000,0,10,2\n");
    let refused = refused_start(drone("drone.spline", &mission, &[]));
    assert!(refused.contains("says heights above the sea bed: link \"sea_bed\" to"), "{refused}");
}

#[test]
fn a_bed_that_nobody_knows_ends_the_run() {
    let mission = write("north, east, height, speed\n0,0,10,2\n3000,0,10,2\n");
    let mut rig = drone("drone.spline", &mission, &[]);
    rig.script("bed", &[(seconds(0.0), 40.0), (seconds(5.0), f64::NAN)]);
    rig.link("bed.out", "drone.sea_bed");
    let outcome = format!("{:?}", rig.run(seconds(10.0), &[]).outcome);
    assert!(outcome.contains("the depth of the sea bed is not known here"), "{outcome}");
}
