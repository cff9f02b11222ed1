//! A whole mission: controller, iterator, planner, arrival, and a vehicle that follows legs.

use ironbird_control::mission::{Cell, StateEntered};
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::planner::{Kept, kept};
use crate::stub::{mission, register};

/// Four by three cells of 50 m, north-east of home.
fn area() -> Kept {
    kept("north, east\n100, 100\n300, 100\n300, 250\n100, 250\n")
}

fn rig(machine: &str, area: &Kept, low_at: &str) -> Rig {
    let mut rig = Rig::of(&[register]);
    rig.add("mission", "mission.controller", &[("machine", text(&mission(machine)))]);
    rig.add("cells", "mission.iterator", &[("area", text(&area.name))]);
    rig.add("planner", "mission.path-planner", &[]);
    rig.add("arrival", "mission.arrival", &[("radius", real(10.0))]);
    rig.add("vehicle", "test.vehicle", &[]);
    rig.add("battery", "test.clicker", &[("times", text(low_at))]);
    let links = [
        ("mission.has_next", "cells.has_next"),
        ("mission.go_next", "cells.go_next"),
        ("mission.rtl", "planner.rtl"),
        ("cells.yes_next", "mission.yes_next"),
        ("cells.no_next", "mission.no_next"),
        ("cells.go", "planner.go"),
        ("planner.leg", "vehicle.leg"),
        ("planner.target", "arrival.target"),
        ("planner.target_north", "arrival.target_north"),
        ("planner.target_east", "arrival.target_east"),
        ("vehicle.position", "planner.position"),
        ("vehicle.velocity", "planner.velocity"),
        ("vehicle.north", "arrival.north"),
        ("vehicle.east", "arrival.east"),
        ("arrival.arrived", "mission.arrived"),
        ("battery.click", "mission.low_bat"),
    ];
    links.iter().for_each(|(from, to)| rig.link(from, to));
    rig
}

const OUTPUTS: [&str; 5] =
    ["mission.entered", "mission.go_next", "cells.go", "arrival.arrived", "vehicle.position"];

fn last_state(run: &Run) -> String {
    let entered = run.samples::<StateEntered>("mission.entered");
    String::from_utf8(entered.last().expect("a state").1.name.to_vec()).expect("a name")
}

fn farthest_from_home(run: &Run, from: f64) -> f64 {
    let positions = run.samples::<[f64; 3]>("vehicle.position");
    let late = positions.iter().filter(|(time, _)| *time >= seconds(from));
    late.fold(0.0, |far, (_, [north, east, _])| f64::max(far, libm::hypot(*north, *east)))
}

#[test]
fn a_grid_of_four_by_three_is_covered_with_one_go_for_each_cell_and_ends_at_home() {
    let area = area();
    let run = rig("cover.toml", &area, "").run(seconds(600.0), &OUTPUTS);
    let cells: Vec<u32> = run.samples::<Cell>("cells.go").iter().map(|(_, c)| c.number).collect();
    assert_eq!(cells, [1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12]);
    assert_eq!(run.samples::<u32>("mission.go_next").len(), 12);
    // Each cell, and home.
    let arrived = run.samples::<u32>("arrival.arrived");
    assert_eq!(arrived.len(), 13);
    let positions = run.samples::<[f64; 3]>("vehicle.position");
    for ((time, _), (_, cell)) in arrived.iter().zip(run.samples::<Cell>("cells.go")) {
        let after = positions.partition_point(|(at, _)| at <= time);
        let [north, east, _] = positions[after - 1].1;
        let off = libm::hypot(north - cell.north, east - cell.east);
        assert!(off < 10.0 + 0.5, "cell {} at {off} m", cell.number);
    }
    assert_eq!(last_state(&run), "returning");
    let home = arrived.last().expect("home").0.as_secs_f64();
    assert!(home < 400.0, "{home}");
    assert!(farthest_from_home(&run, home) < 140.0);
}

#[test]
fn a_low_battery_ends_the_mission_at_home() {
    let area = area();
    let run = rig("cover.toml", &area, "60").run(seconds(300.0), &OUTPUTS);
    let cells = run.samples::<Cell>("cells.go").len();
    assert!((2..12).contains(&cells), "{cells}");
    assert_eq!(last_state(&run), "returning");
    assert!(farthest_from_home(&run, 150.0) < 140.0);
}

#[test]
fn a_mission_goes_on_after_a_checkpoint() {
    let area = area();
    let graph = || rig("cover.toml", &area, "90").into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(40.0), seconds(150.0));
}
