//! The path planner, with a vehicle that follows its legs.

use ironbird_kernel::Parameter;
use ironbird_kinematics::Leg;
use ironbird_test_rig::{
    Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text,
};

use crate::stub::register;

/// A file that lives as long as this does.
pub struct Kept {
    _folder: tempfile::TempDir,
    pub name: String,
}

pub fn kept(content: &str) -> Kept {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file.csv");
    std::fs::write(&file, content).expect("it can be written");
    Kept { name: file.to_string_lossy().into_owned(), _folder: folder }
}

/// A vehicle at the origin that is sent to a cell after 1 s, and commanded at these times.
fn rig(cell: &Kept, settings: &[Setting<'_>], commands: &[(&str, &str)]) -> Rig {
    let mut rig = Rig::of(&[register]);
    rig.add("vehicle", "test.vehicle", &[]);
    rig.add("planner", "mission.path-planner", settings);
    rig.add(
        "cells",
        "mission.iterator",
        &[("cells", text(&cell.name)), ("order", text("as-given"))],
    );
    rig.add("asks", "test.clicker", &[("times", text("0.5"))]);
    rig.add("goes", "test.clicker", &[("times", text("1"))]);
    rig.link("asks.click", "cells.has_next");
    rig.link("goes.click", "cells.go_next");
    rig.link("cells.go", "planner.go");
    rig.link("vehicle.position", "planner.position");
    rig.link("vehicle.velocity", "planner.velocity");
    rig.link("planner.leg", "vehicle.leg");
    for (command, times) in commands {
        let name = format!("at-{command}");
        rig.add(&name, "test.clicker", &[("times", text(times))]);
        rig.link(&format!("{name}.click"), &format!("planner.{command}"));
    }
    rig
}

const OUTPUTS: [&str; 5] =
    ["vehicle.position", "planner.leg", "planner.target", "planner.planned", "planner.blocked"];

/// The least and the greatest distance from a place, from a time on.
fn distances(run: &Run, from: f64, place: [f64; 2]) -> (f64, f64) {
    let positions = run.samples::<[f64; 3]>("vehicle.position");
    let after = positions.iter().filter(|(time, _)| *time >= seconds(from));
    let off = after.map(|(_, [north, east, _])| libm::hypot(north - place[0], east - place[1]));
    off.fold((f64::INFINITY, 0.0), |(low, high), x| (low.min(x), f64::max(high, x)))
}

#[test]
fn it_leads_to_the_cell_and_circles_there() {
    let cell = kept("north, east, height\n300, 200, 150\n");
    let run = rig(&cell, &[], &[]).run(seconds(120.0), &OUTPUTS);
    assert!(distances(&run, 0.0, [300.0, 200.0]).0 < 3.0);
    // A circle of 65 m through the cell.
    let (_, farthest) = distances(&run, 60.0, [300.0, 200.0]);
    assert!((120.0..140.0).contains(&farthest), "{farthest}");
    let legs = run.samples::<Leg>("planner.leg");
    let first = legs.iter().find(|(_, leg)| leg.valid).expect("a leg");
    // It is planned with the position that comes next, and goes up from 100 m to 150 m.
    assert_eq!((first.0, first.1.from[2], first.1.speed), (seconds(1.0), -100.0, 17.0));
    assert!(legs.iter().any(|(_, leg)| leg.to[2] == -150.0));
    for pair in legs.windows(2).filter(|pair| pair[0].1.to != pair[1].1.to) {
        assert_ne!(pair[0].1.number, pair[1].1.number, "another leg has another number");
    }
}

#[test]
fn every_way_point_is_at_most_its_spacing_from_the_one_before() {
    let cell = kept("north, east\n300, 200\n");
    let run = rig(&cell, &[("spacing", real(30.0))], &[]).run(seconds(200.0), &OUTPUTS);
    for (_, leg) in run.samples::<Leg>("planner.leg").iter().filter(|(_, leg)| leg.valid) {
        let length = libm::hypot(leg.to[0] - leg.from[0], leg.to[1] - leg.from[1]);
        assert!(length <= 30.0 + 5.0, "{length}");
    }
}

#[test]
fn minimum_distance_is_shorter_than_parallel() {
    let cell = kept("north, east\n50, 400\n");
    let planned = |mode: &str| {
        let run = rig(&cell, &[("arrival", text(mode))], &[]).run(seconds(2.0), &OUTPUTS);
        run.numbers("planner.planned").last().copied().expect("a plan")
    };
    let (parallel, shortest) = (planned("parallel"), planned("minimum-distance"));
    assert!(shortest < parallel - 20.0, "{shortest} {parallel}");
}

#[test]
fn rtl_leads_home_and_abort_circles_or_holds_the_course() {
    let cell = kept("north, east\n2000, 0\n");
    let home = [("home[0]", real(-200.0)), ("home[1]", real(100.0))];
    let run = rig(&cell, &home, &[("rtl", "20")]).run(seconds(150.0), &OUTPUTS);
    assert!(distances(&run, 20.0, [-200.0, 100.0]).0 < 3.0);
    assert!(distances(&run, 100.0, [-200.0, 100.0]).1 < 140.0);
    let run = rig(&cell, &[], &[("abort", "20")]).run(seconds(100.0), &OUTPUTS);
    assert!(distances(&run, 20.0, [340.0, 0.0]).1 < 150.0);
    assert_eq!(run.numbers("planner.target").last(), Some(&0.0));
    let hold = [("on_abort", text("hold-course"))];
    let run = rig(&cell, &hold, &[("abort", "20")]).run(seconds(300.0), &OUTPUTS);
    let (_, [north, east, _]) = *run.samples::<[f64; 3]>("vehicle.position").last().expect("one");
    assert!((north - 300.0 * 17.0).abs() < 5.0 && east.abs() < 1.0, "{north} {east}");
}

#[test]
fn no_way_leads_through_a_zone() {
    let cell = kept("north, east\n600, 0\n");
    let zone = kept("zone, north, east\n1, 250, -100\n1, 250, 120\n1, 350, 120\n1, 350, -100\n");
    let through = rig(&cell, &[], &[]).run(seconds(60.0), &OUTPUTS);
    let inside = |run: &Run| {
        let positions = run.samples::<[f64; 3]>("vehicle.position");
        positions.iter().any(|(_, [north, east, _])| {
            (250.0..350.0).contains(north) && (-100.0..120.0).contains(east)
        })
    };
    assert!(inside(&through), "without the zone it goes straight through");
    let run = rig(&cell, &[("no_fly_zones", text(&zone.name))], &[]).run(seconds(90.0), &OUTPUTS);
    assert!(!inside(&run));
    assert!(distances(&run, 0.0, [600.0, 0.0]).0 < 3.0);
    assert!(run.samples::<u32>("planner.blocked").is_empty());
}

#[test]
fn a_cell_in_a_zone_is_blocked_and_the_vehicle_circles() {
    let cell = kept("north, east\n600, 0\n");
    let zone = kept("zone, north, east\n7, 550, -50\n7, 550, 50\n7, 650, 50\n7, 650, -50\n");
    let settings = [("no_fly_zones", text(&zone.name)), ("on_abort", text("hold-course"))];
    let run = rig(&cell, &settings, &[]).run(seconds(90.0), &OUTPUTS);
    let blocked = run.samples::<u32>("planner.blocked");
    assert_eq!(blocked, [(seconds(1.0), 1)]);
    assert!(distances(&run, 0.0, [17.0, 0.0]).1 < 150.0);
}

#[test]
fn a_planner_goes_on_after_a_checkpoint() {
    let cell = kept("north, east\n300, 200\n");
    let zone = kept("zone, north, east\n1, 50, -100\n1, 50, 20\n1, 90, 20\n1, 90, -100\n");
    let settings: [(&str, Parameter); 1] = [("no_fly_zones", text(&zone.name))];
    let graph = || rig(&cell, &settings, &[("rtl", "30")]).into_graph();
    for middle in [0.7, 15.0, 29.99, 60.0] {
        assert_goes_on_after_a_checkpoint(graph, seconds(middle), seconds(90.0));
    }
}
