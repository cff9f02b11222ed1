//! The mapping missions: figures 7 and 8 of the paper, and wind.

use super::study::{Ran, open_study};

/// The radius within which a cell counts as reached, in the file.
const RADIUS: f64 = 15.0;

/// The middles of the cells of the field.
fn cells() -> Vec<[f64; 2]> {
    let north = (0..5).map(|k| 175.0 + 50.0 * f64::from(k));
    north.flat_map(|n| (0..4).map(move |k| [n, 125.0 + 50.0 * f64::from(k)])).collect()
}

/// The trace of states of the mission, without the time at its end.
fn states(ran: &Ran) -> String {
    let [trace] = &ran.outcomes.traces[..] else { panic!("{:?}", ran.outcomes.traces) };
    assert_eq!(trace.component, "mission.controller");
    let text = trace.text();
    text.rsplit_once(" at ").expect("a time").0.to_owned()
}

/// One go.next for each cell, each cell reached, and home at the end.
fn covers_the_field(ran: &Ran) {
    ran.holds();
    let cells = cells();
    assert_eq!(ran.samples("mission.controller.go_next").len(), cells.len());
    // All cells, and home.
    assert_eq!(ran.samples("mission.arrival.arrived").len(), cells.len() + 1);
    let track = ran.samples("view.position");
    for [north, east] in cells {
        let distances =
            track.iter().map(|(_, place)| libm::hypot(place[0] - north, place[1] - east));
        let nearest = distances.fold(f64::INFINITY, f64::min);
        assert!(nearest < RADIUS, "{nearest} m from the cell at {north}, {east}");
    }
    let (_, last) = track.last().expect("it flew");
    let rounds = "20 x (ask > asked > go > going) > ask > asked > return > returning";
    assert_eq!(states(ran), rounds);
    // It circles at home.
    assert!(libm::hypot(last[0], last[1]) < 160.0, "{last:?}");
}

#[test]
fn the_field_is_covered_with_one_go_next_for_each_cell() {
    let ran = open_study("fixed-wing", "coverage", &[]).run(0, 0);
    covers_the_field(&ran);
    // The report shows the path over the cells.
    let report = ironbird_runner::report(&ran.recording, &[], None).expect("a report");
    let [map] = &report.maps[..] else { panic!("{} maps", report.maps.len()) };
    let names: Vec<&str> = map.tracks.iter().map(|track| track.name.as_str()).collect();
    assert_eq!(names, ["view.position", "mission.cells.go"]);
    let mut gone: Vec<[f64; 2]> = map.tracks[1].points.iter().map(|&(e, n)| [n, e]).collect();
    gone.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    assert_eq!(gone, cells());
}

#[test]
fn the_field_is_covered_in_twenty_kinds_of_turbulence() {
    let study = open_study("fixed-wing", "windy", &[]);
    for repetition in 0..20 {
        covers_the_field(&study.run(0, repetition));
    }
}

#[test]
fn the_field_is_covered_with_the_errors_of_real_sensors() {
    let study = open_study("fixed-wing", "noisy", &[]);
    for repetition in 0..3 {
        covers_the_field(&study.run(0, repetition));
    }
}

#[test]
fn a_low_battery_sends_the_aircraft_home_at_the_instant_at_which_it_is_low() {
    let ran = open_study("fixed-wing", "low-battery", &[]).run(0, 0);
    ran.holds();
    let low = ran.samples("mission.battery.low");
    assert_eq!(low.len(), 1);
    let at = low[0].0;
    let charge = ran.samples("plane.charge");
    let after = charge.iter().position(|(time, _)| *time > at).expect("it flew on");
    let ((t0, c0), (t1, c1)) = (&charge[after - 1], &charge[after]);
    let crossed = t0 + (t1 - t0) * (c0[0] - 0.333) / (c0[0] - c1[0]);
    // Between two samples the charge falls nearly in a straight line.
    assert!((crossed - at).abs() < 20e-6, "{crossed} {at}");
    // It turns home at once: no cell is gone to afterwards.
    let goes = ran.samples("mission.controller.go_next");
    assert!(goes.len() < 20 && goes.iter().all(|(time, _)| *time < at));
    let rounds = format!("{} x (ask > asked > go > going) > return > returning", goes.len());
    assert_eq!(states(&ran), rounds);
}

#[test]
fn a_scripted_low_battery_comes_at_its_instant() {
    let sets = ["system.mission.battery.low_at=77.7 s", "system.plane.initial.charge=1"];
    let ran = open_study("fixed-wing", "low-battery", &sets).run(0, 0);
    ran.holds();
    let low = ran.samples("mission.battery.low");
    assert_eq!(low.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [77.7]);
}
