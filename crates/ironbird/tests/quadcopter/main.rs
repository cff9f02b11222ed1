//! The studies of `examples/quadcopter`: whole drones, from their firmware to the ground station.

#[path = "../study/mod.rs"]
mod study;

mod checkpoint;
mod debugger;
mod studies;

use ironbird_kernel::Sharing;
use ironbird_runner::How;
use study::{names, open_study};

#[test]
fn every_study_is_well_formed() {
    let parts = ["drone", "one-drone", "in-processes", "plane"];
    let names = names("quadcopter");
    let is_world = |name: &str| name.starts_with("world-") || name.ends_with("-world");
    for name in names.iter().filter(|name| !is_world(name) && !parts.contains(&&***name)) {
        let study = open_study("quadcopter", name, &[]);
        assert_eq!(study.warnings.0.len(), 0, "{name}: {}", study.warnings);
    }
}

#[test]
fn the_firmware_flies_a_square_and_lands_softly() {
    let ran = open_study("quadcopter", "flight", &[]).run(0, 0);
    ran.holds();
    let velocity = ran.samples("world.drone[0].velocity");
    let position = ran.samples("world.drone[0].position");
    // The last time that it is higher than half a metre: what follows is the touch-down.
    let low = position.iter().rposition(|(_, at)| at[2] < -0.5).expect("it flew");
    let sink = velocity[low..].iter().map(|(_, v)| v[2]).fold(0.0, f64::max);
    assert!(sink < 0.7, "it touches down with {sink} m/s");
    let busy = ran.largest("drone[0].computer.busy");
    assert!(busy > 0.01 && busy < 0.2, "busy for {busy} of the time");
}

#[test]
fn placement_does_not_show_in_signals_or_registers() {
    let sets = ["duration=4 s"];
    let once = open_study("quadcopter", "flight-2", &sets).run(0, 0);
    let registers = once.numbers("drone[1].computer.registers");
    assert!(registers.last() != registers.first(), "its registers change");
    for partitions in [2, 3] {
        let how = How { partitions, sharing: Sharing::Always, ..How::default() };
        let other = open_study("quadcopter", "flight-2", &sets).run_with(how);
        assert_eq!(other.outcomes.statistics.placement.partitions, partitions);
        assert_eq!(other.outcomes.hash, once.outcomes.hash, "{partitions} partitions");
    }
}
