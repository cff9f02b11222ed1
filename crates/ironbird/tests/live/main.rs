//! The studies of `examples/live`: with nobody at the sticks, with somebody, and with a model of a person.

#[path = "../study/mod.rs"]
mod study;

use std::sync::Arc;

use ironbird_experiment::Source;
use ironbird_experiment::commands::{CommandReader, TimedCommand};
use ironbird_record::Status;
use ironbird_runner::How;
use study::{Ran, Study, folder, open_study};

fn open(name: &str, sets: &[&str]) -> Study {
    let study = open_study("live", name, sets);
    assert_eq!(study.warnings.0.len(), 0, "{}", study.warnings);
    study
}

fn read(study: &Study, source: &Arc<Source>) -> Vec<TimedCommand> {
    let registry = ironbird::registry().expect("all types have names of their own");
    let reader = CommandReader::new(&study.experiment, 0, &registry);
    reader.read_file(source).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A run of a study to which this is done.
fn driven(name: &str, commands: &str) -> Ran {
    let study = open(name, &[]);
    let commands = read(&study, &Source::built_in("commands", commands));
    study.run_with(How { commands, ..How::default() })
}

fn session() -> Ran {
    let study = open("fly", &[]);
    let source = Source::read(&folder("live").join("fly.commands.toml")).expect("it is there");
    let commands = read(&study, &source);
    study.run_with(How { commands, ..How::default() })
}

/// A vehicle's place at a time: north, east, down.
fn place(ran: &Ran, signal: &str, time: f64) -> [f64; 3] {
    let samples = ran.samples(signal);
    let (_, place) = samples.iter().rfind(|(at, _)| *at <= time + 1e-9).expect("it had begun");
    [place[0], place[1], place[2]]
}

fn status(ran: &Ran, requirement: &str) -> Status {
    let found = ran.outcomes.verdicts.iter().find(|verdict| verdict.name == requirement);
    found.expect("a requirement of this name").status
}

#[test]
fn with_nobody_at_the_sticks_the_quadrotor_hovers_and_the_rover_stands() {
    let (fly, drive) = (open("fly", &[]).run(0, 0), open("drive", &[]).run(0, 0));
    fly.holds();
    drive.holds();
    for (time, place) in fly.samples("world.quad.position") {
        let away = libm::hypot(libm::hypot(place[0], place[1]), place[2] + 2.0);
        assert!(away < 0.3, "{away} m away at {time} s");
    }
    let [north, east, _] = place(&drive, "world.rover.position", 120.0);
    assert!(north.abs() < 0.02 && east.abs() < 0.02, "{north} {east}");
}

#[test]
fn the_flight_of_the_commands_goes_through_the_gate_and_turns_back() {
    let ran = session();
    ran.holds();
    let track = ran.samples("world.quad.position");
    let (_, gate) = track.iter().find(|(_, place)| place[0] > 9.0).expect("it comes to the gate");
    assert!(gate[1].abs() < 2.0 && (-4.8..-1.0).contains(&gate[2]), "{gate:?}");
    let [farthest, _, _] = place(&ran, "world.quad.position", 11.5);
    let [last, _, _] = place(&ran, "world.quad.position", 20.0);
    assert!(farthest > 12.0 && last < farthest - 6.0, "there {farthest} m, back {last} m");
}

#[test]
fn a_quadrotor_without_its_radio_goes_on_as_it_was_told_last() {
    let ran = session();
    // The stick was let go at 14 s; the radio was lost from 13 s to 16 s.
    let stick = |time: f64| {
        let samples = ran.samples("sticks.pitch");
        samples.iter().rfind(|(at, _)| *at <= time).expect("it had begun").1[0]
    };
    assert!(stick(15.9) > 0.5 && stick(16.1) == 0.0, "{} {}", stick(15.9), stick(16.1));
    let north = |time: f64| place(&ran, "world.quad.position", time)[0];
    assert!(north(14.5) - north(15.9) > 2.5, "{} {}", north(14.5), north(15.9));
    assert!((north(19.0) - north(20.0)).abs() < 0.1, "it stops once it hears again");
}

#[test]
fn what_was_done_is_done_again_to_the_same_bits() {
    let once = session().outcomes.hash;
    assert_eq!(session().outcomes.hash, once);
    assert_ne!(open("fly", &[]).run(0, 0).outcomes.hash, once);
}

#[test]
fn a_stuck_throttle_and_a_compass_that_is_off_show_in_the_flight() {
    let up = "[[command]]\ntime = \"1 s\"\nset = { sticks.throttle = 0.5 }\n";
    let stuck = "[[command]]\ntime = \"3 s\"\nfault = { \"the throttle is stuck\" = true }\n";
    let let_go = "[[command]]\ntime = \"4 s\"\nset = { sticks.throttle = 0 }\n";
    let higher = |commands: &[&str]| {
        let ran = driven("fly", &commands.concat());
        let down = |time: f64| place(&ran, "world.quad.position", time)[2];
        down(4.5) - down(6.0)
    };
    assert!(higher(&[up, let_go]) < 0.2);
    assert!(higher(&[up, stuck, let_go]) > 0.8);

    let off = "[[command]]\ntime = \"1 s\"\nfault = { \"the compass is off\" = true }\n";
    let ran = driven("fly", off);
    let attitudes = ran.samples("world.quad.attitude");
    let [w, x, y, z] = attitudes.last().unwrap().1[..] else { panic!("a quaternion") };
    let heading = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)).to_degrees();
    assert!((heading - 30.0).abs() < 1.0, "{heading} deg");
}

#[test]
fn a_model_of_a_person_follows_the_target_until_it_reacts_too_late() {
    open("operator", &[]).run(0, 0).holds();
    let slow = open("operator", &["north.reaction=1.5 s"]).run(0, 0);
    assert_eq!(status(&slow, "it follows the target"), Status::Failed);
    assert_eq!(status(&slow, "it keeps its height"), Status::Passed);
}

#[test]
fn another_seed_is_another_hand_that_follows_as_well() {
    let study = open("operator", &[]);
    let sticks = |seed: u64| {
        let ran = study.run_with(How { seed: Some(seed), ..How::default() });
        ran.holds();
        ran.numbers("north.stick")
    };
    assert!(sticks(5) != sticks(6), "each seed has a hand of its own");
}

#[test]
fn a_rover_drives_round_a_barrel_or_into_it() {
    let command = |time: f64, does: &str| format!("[[command]]\ntime = \"{time} s\"\n{does}\n");
    let go = command(1.0, "set = { sticks.throttle = 1 }");
    let stop = command(8.0, "set = { sticks.throttle = 0 }");
    let straight = driven("drive", &[go.as_str(), &stop].concat());
    assert_eq!(status(&straight, "it touches nothing"), Status::Failed);
    // A turn to the right before the barrel, and one back beside it.
    let turns: String = [(1.0, 1.0), (2.0, 0.0), (3.0, -1.0), (4.0, 0.0)]
        .map(|(time, yaw)| command(time, &format!("set = {{ sticks.yaw = {yaw} }}")))
        .concat();
    let round = driven("drive", &[go, turns, stop].concat());
    round.holds();
    let [north, east, _] = place(&round, "world.rover.position", 8.0);
    assert!(north > 6.0 && east > 1.0, "{north} {east}");
}
