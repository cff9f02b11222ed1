//! What a drone says of its velocity, acceleration and angular velocity are the derivatives of its
//! place, velocity and attitude, and a checkpoint changes nothing.

use ironbird_kernel::{Checkpoint, Duration, Options, Simulation, Time};
use ironbird_kinematics::Motion;
use ironbird_test_rig::{Rig, real, seconds, text};

use crate::surroundings::{Written, add_current, drone, rig, write};

const ERRORS: [&str; 4] = [
    "auditor.position_error",
    "auditor.velocity_error",
    "auditor.attitude_error",
    "auditor.distance_error",
];

/// Bends to both sides, dives and climbs, and speeds that differ; some 5 km.
fn winding() -> Written {
    let mut lines = String::from("north, east, depth, speed\n");
    for k in 0..24 {
        let side = if k % 2 == 0 { 0 } else { 120 };
        let (depth, speed) = (20 + 5 * (k % 3), 2.5 + 0.25 * f64::from(k % 3));
        lines += &format!("{}, {side}, {depth}, {speed}\n", 180 * k);
    }
    write(&lines)
}

fn audit(mut rig: Rig, until: f64) -> [f64; 4] {
    rig.add("auditor", "test.auditor", &[]);
    rig.link("drone.motion", "auditor.motion");
    let run = rig.run(seconds(until), &ERRORS);
    let worst = ERRORS.map(|error| run.numbers(error).into_iter().fold(0.0, f64::max));
    println!("off by {worst:?} (m, m/s, rad, m): {:?}", run.outcome);
    assert!(run.numbers(ERRORS[0]).len() as f64 > until - 1.0, "{:?}", run.outcome);
    worst
}

#[test]
fn half_an_hour_of_spline_in_a_current_is_consistent() {
    let mut rig = drone("drone.spline", &winding(), &[]);
    add_current(&mut rig, [0.2, -0.3, 0.02], [0.3, 0.2, 0.01], 600.0);
    let [position, velocity, attitude, distance] = audit(rig, 1800.0);
    // What is left is the trapezoidal rule, where the jerk jumps at the start of a change of speed.
    assert!(
        position < 1e-9 && velocity < 2e-6 && attitude < 1e-7,
        "{position} {velocity} {attitude}"
    );
    assert!(distance < 1e-5, "{distance}");
}

#[test]
fn half_an_hour_of_lines_and_arcs_in_a_current_is_consistent_but_for_the_jumps_of_curvature() {
    let settings = [("turns", text("corners")), ("turn_radius", real(40.0))];
    let mut rig = drone("drone.lines-and-arcs", &winding(), &settings);
    add_current(&mut rig, [0.2, -0.3, 0.0], [0.3, 0.2, 0.0], 600.0);
    let [position, velocity, attitude, _] = audit(rig, 1800.0);
    // At each jump half a step is integrated with the wrong acceleration, v²/r = 0.2 m/s², and the wrong
    // rate of turn, v/r = 0.08 rad/s.
    assert!(
        position < 1e-6 && velocity < 1e-3 && attitude < 1e-3,
        "{position} {velocity} {attitude}"
    );
}

#[test]
fn a_drone_above_a_sea_bed_is_consistent() {
    let mission = write("north, east, height, speed\n0,0,10,2.5\n2000,300,15,2\n4000,0,10,2.5\n");
    let mut rig = drone("drone.spline", &mission, &[]);
    rig.add("bed", "test.bed", &[]);
    rig.link_previous("drone.motion", "bed.motion");
    rig.link("bed.depth", "drone.sea_bed");
    let [position, velocity, attitude, _] = audit(rig, 1500.0);
    assert!(
        position < 1e-9 && velocity < 1e-6 && attitude < 1e-6,
        "{position} {velocity} {attitude}"
    );
}

#[test]
fn a_log_is_consistent() {
    let mut log = String::from("time, north, east, down, roll, pitch, yaw\n");
    let mut time = 0.0;
    for k in 0..400 {
        let x = f64::from(k);
        let (sin, cos) = libm::sincos(0.05 * x);
        log += &format!(
            "{time}, {}, {}, {}, {}, {}, {}\n",
            100.0 * sin,
            100.0 * cos,
            20.0 + 2.0 * sin,
            5.0 * sin,
            -3.0 * cos,
            90.0 - 2.9 * x
        );
        // Unequal steps, and a gap now and then.
        time += 1.0 + 0.3 * libm::sin(12.9 * x) + if k % 50 == 49 { 3.0 } else { 0.0 };
    }
    let log = write(&log);
    let mut rig = rig();
    rig.add("drone", "drone.log", &[log.file()]);
    let [position, velocity, attitude, distance] = audit(rig, 400.0);
    assert!(
        position < 1e-9 && velocity < 1e-5 && attitude < 1e-6,
        "{position} {velocity} {attitude}"
    );
    assert!(distance < 1e-4, "{distance}");
}

fn all_at_once() -> (Rig, [Written; 2]) {
    let mission =
        write("north, east, height, speed\n0,0,10,2.5\n200,30,15,2\n400,0,10,3\n600,10,9,2\n");
    let log =
        write("time, north, east, down\n0,0,0,5\n10,20,3,5\n21,40,0,6\n35,60,0,5\n500,900,80,9\n");
    let mut rig = drone("drone.spline", &mission, &[]);
    add_current(&mut rig, [0.2, -0.3, 0.02], [0.3, 0.2, 0.01], 60.0);
    rig.add("bed", "test.bed", &[]);
    rig.link_previous("drone.motion", "bed.motion");
    rig.link("bed.depth", "drone.sea_bed");
    rig.add("lines", "drone.lines-and-arcs", &[("turns", text("corners"))]);
    rig.bind("lines.mission", "mission");
    rig.link("bed.depth", "lines.sea_bed");
    rig.add("log", "drone.log", &[log.file(), ("max_gap", real(500.0))]);
    (rig, [mission, log])
}

const OUTPUTS: [(&str, &str); 3] = [("drone", "motion"), ("lines", "motion"), ("log", "motion")];

#[test]
fn a_checkpoint_on_the_way_changes_no_bit() {
    let (middle, end) = (seconds(73.0005), seconds(320.0) + Duration::EPSILON);
    let run = |simulation: &mut Simulation, until: Time| {
        for (component, port) in OUTPUTS {
            simulation.record(component, port).unwrap();
        }
        println!("{:?}", simulation.run_until(until).unwrap());
    };
    let motions = |simulation: &Simulation| {
        OUTPUTS.map(|(component, port)| {
            let samples: Vec<(Time, Motion)> = simulation.samples(component, port).unwrap();
            samples.into_iter().filter(|(time, _)| *time > middle).collect::<Vec<_>>()
        })
    };
    let (rig, _files) = all_at_once();
    let mut through = Simulation::new(rig.into_graph(), Options::default()).unwrap();
    run(&mut through, end);

    let (rig, _files) = all_at_once();
    let mut first = Simulation::new(rig.into_graph(), Options::default()).unwrap();
    run(&mut first, middle);
    let saved = first.checkpoint().unwrap().to_bytes();
    let (rig, _files) = all_at_once();
    let saved = Checkpoint::from_bytes(&saved).unwrap();
    let mut second = Simulation::restore(rig.into_graph(), Options::default(), &saved).unwrap();
    run(&mut second, end);

    let (expected, found) = (motions(&through), motions(&second));
    for (expected, found) in expected.iter().zip(&found) {
        assert!(expected.len() > 200_000, "{}", expected.len());
        assert!(expected == found);
    }
}
