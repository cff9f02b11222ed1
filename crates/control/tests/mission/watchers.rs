//! Arrival, discovery and an empty battery, each at its exact time.

use ironbird_kernel::{Parameter, Time};
use ironbird_solvers::{Method, Trajectory};
use ironbird_test_rig::{
    Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text,
};

use crate::stub::register;

fn line(from: f64, slope: f64) -> Trajectory {
    Trajectory { start: Time::ZERO, coefficients: [from, slope, 0.0, 0.0] }
}

/// A signal that is a straight line over time.
fn straight(rig: &mut Rig, name: &str, from: f64, slope: f64) {
    rig.script(name, &[(Time::ZERO, line(from, slope))]);
}

fn times(run: &Run, output: &str) -> Vec<f64> {
    run.samples::<u32>(output).iter().map(|(time, _)| time.as_secs_f64()).collect()
}

/// What goes north at 17 m/s on a line 6 m east of the targets, which are set one after the other.
fn arrival(targets: &[(f64, f64)]) -> Rig {
    arrival_by("qss2", targets)
}

fn arrival_by(method: &str, targets: &[(f64, f64)]) -> Rig {
    let mut rig = Rig::of(&[register]);
    straight(&mut rig, "north", 0.0, 17.0);
    straight(&mut rig, "east", 6.0, 0.0);
    rig.script("target_east", &[(Time::ZERO, 0.0)]);
    let north: Vec<(Time, f64)> = targets.iter().map(|(at, to)| (seconds(*at), *to)).collect();
    rig.script("target_north", &north);
    let number = targets.iter().zip(1..).map(|((at, _), n)| (seconds(*at), f64::from(n)));
    rig.script("target", &number.collect::<Vec<_>>());
    let settings = [("radius", real(10.0)), ("solver.method", text(method))];
    rig.add("watch", "mission.arrival", &settings);
    for input in ["north", "east", "target_north", "target_east", "target"] {
        rig.link(&format!("{input}.out"), &format!("watch.{input}"));
    }
    rig
}

#[test]
fn arrival_is_announced_when_the_vehicle_crosses_the_radius() {
    // 10² = 6² + 8²: it arrives 8 m before the target.
    let run = arrival(&[(0.0, 178.0)]).run(seconds(30.0), &["watch.arrived"]);
    let [at] = times(&run, "watch.arrived")[..] else { panic!("it arrives once") };
    assert!((at - 10.0).abs() <= 2e-12, "{at}");
}

#[test]
fn the_time_of_arrival_does_not_depend_on_the_solver() {
    for method in Method::ALL {
        let run = arrival_by(method.name(), &[(0.0, 178.0)]).run(seconds(30.0), &["watch.arrived"]);
        let [at] = times(&run, "watch.arrived")[..] else { panic!("{method:?}: it arrives once") };
        assert!((at - 10.0).abs() <= 1e-9, "{method:?}: {at}");
    }
}

#[test]
fn each_target_is_reached_once_and_one_that_is_near_at_once() {
    // The second is set while it is near the first, and lies near as well; the third is behind.
    let targets = [(0.0, 178.0), (10.5, 180.0), (11.0, 0.0)];
    let run = arrival(&targets).run(seconds(30.0), &["watch.arrived"]);
    let times = times(&run, "watch.arrived");
    assert_eq!(times.len(), 2, "{times:?}");
    assert!((times[0] - 10.0).abs() <= 2e-12 && times[1] == 10.5, "{times:?}");
}

#[test]
fn what_begins_at_its_target_has_arrived() {
    let run = arrival(&[(0.0, 1.0)]).run(seconds(30.0), &["watch.arrived"]);
    assert_eq!(times(&run, "watch.arrived"), [0.0]);
}

#[test]
fn a_watch_goes_on_after_a_checkpoint() {
    let graph = || arrival(&[(0.0, 178.0), (10.5, 300.0)]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(9.0), seconds(30.0));
}

#[test]
fn what_is_hidden_is_found_once_or_each_time() {
    let detector = |once: bool| {
        let mut rig = Rig::of(&[register]);
        // Forth and back: within 30 m of 100 m from 70 s to 130 s, and again from 270 s.
        let back = Trajectory { start: seconds(200.0), coefficients: [200.0, -1.0, 0.0, 0.0] };
        rig.script("north", &[(Time::ZERO, line(0.0, 1.0)), (seconds(200.0), back)]);
        straight(&mut rig, "east", 0.0, 0.0);
        let hidden = [("hidden[0]", real(100.0)), ("hidden[1]", real(0.0))];
        let settings = [hidden[0].clone(), hidden[1].clone(), ("once", Parameter::Bool(once))];
        rig.add("eye", "mission.detector", &settings);
        rig.link("north.out", "eye.north");
        rig.link("east.out", "eye.east");
        times(&rig.run(seconds(400.0), &["eye.found"]), "eye.found")
    };
    assert!((detector(true)[0] - 70.0).abs() <= 2e-12);
    assert_eq!(detector(true).len(), 1);
    let often = detector(false);
    assert!(often.len() == 2 && (often[1] - 270.0).abs() <= 2e-12, "{often:?}");
}

/// A battery of 100 kJ that a flight north at 20 m/s empties by 100 W, in a wind to the north and east.
fn battery(settings: &[Setting<'_>], north: [f64; 2], charge: [f64; 2], wind: [f64; 2]) -> Rig {
    let mut rig = Rig::of(&[register]);
    straight(&mut rig, "north", north[0], north[1]);
    straight(&mut rig, "east", 0.0, 0.0);
    straight(&mut rig, "charge", charge[0], charge[1]);
    rig.script("wind_north", &[(Time::ZERO, wind[0])]);
    rig.script("wind_east", &[(Time::ZERO, wind[1])]);
    let base = [
        ("capacity", real(100.0)),
        ("cruise_power", real(100.0)),
        ("cruise_airspeed", real(20.0)),
        ("reserve", real(0.1)),
    ];
    let settings: Vec<Setting<'_>> = base.iter().chain(settings).cloned().collect();
    rig.add("battery", "mission.battery-monitor", &settings);
    for input in ["charge", "north", "east", "wind_north", "wind_east"] {
        rig.link(&format!("{input}.out"), &format!("battery.{input}"));
    }
    rig
}

/// When it is low, and when it is critical.
fn warnings(rig: Rig) -> [Vec<f64>; 2] {
    let run = rig.run(seconds(1200.0), &["battery.low", "battery.critical"]);
    [times(&run, "battery.low"), times(&run, "battery.critical")]
}

fn assert_once(times: &[f64], expected: f64) {
    assert!(times.len() == 1 && (times[0] - expected).abs() <= 2e-12, "{times:?}, not {expected}");
}

#[test]
fn a_battery_is_low_at_its_threshold_and_critical_when_it_no_longer_reaches_home() {
    // 1 - t/1000 falls to 0.3 at 700 s. Home is t away: (0.9 - t/1000) 100 kJ = 100 W t at 450 s.
    let [low, critical] = warnings(battery(&[], [0.0, 20.0], [1.0, -1e-3], [0.0, 0.0]));
    assert_once(&low, 700.0);
    assert_once(&critical, 450.0);
}

#[test]
fn wind_ahead_makes_the_way_home_longer_and_wind_across_a_little() {
    // Homeward is south. Against 10 m/s to the north it makes 10 m/s: 900 - t = 2 t.
    let [_, critical] = warnings(battery(&[], [0.0, 20.0], [1.0, -1e-3], [10.0, 0.0]));
    assert_once(&critical, 300.0);
    // With 12 m/s across it makes 16 m/s: 900 - t = 1.25 t.
    let [_, critical] = warnings(battery(&[], [0.0, 20.0], [1.0, -1e-3], [0.0, 12.0]));
    assert_once(&critical, 400.0);
    // With 5 m/s astern it makes 25 m/s: 900 - t = 0.8 t.
    let [_, critical] = warnings(battery(&[], [0.0, 20.0], [1.0, -1e-3], [-5.0, 0.0]));
    assert_once(&critical, 500.0);
}

#[test]
fn against_a_wind_that_is_too_strong_it_is_critical_at_once() {
    let [low, critical] = warnings(battery(&[], [100.0, 0.0], [1.0, 0.0], [20.5, 0.0]));
    assert_eq!((low, critical), (vec![], vec![0.0]));
    // Downwind of home from 50 s on: before, the wind carries it there.
    let [_, critical] = warnings(battery(&[], [-1000.0, 20.0], [1.0, 0.0], [25.0, 0.0]));
    assert!(critical.len() == 1 && (critical[0] - 50.0).abs() < 1e-3, "{critical:?}");
}

#[test]
fn a_battery_that_begins_low_or_critical_is_announced_at_once_and_once() {
    let [low, critical] = warnings(battery(&[], [0.0, 1.0], [0.2, -1e-4], [0.0, 0.0]));
    assert_eq!(low, [0.0]);
    // (0.1 - t/10000) 100 kJ = 100 W t/20: 10000 = 15 t.
    assert_once(&critical, 10_000.0 / 15.0);
    let [low, critical] = warnings(battery(&[], [0.0, 1.0], [0.05, 0.0], [0.0, 0.0]));
    assert_eq!((low, critical), (vec![0.0], vec![0.0]));
}

#[test]
fn a_battery_can_be_low_at_a_scripted_time() {
    let scripted = [("low_at", real(123.456))];
    let [low, _] = warnings(battery(&scripted, [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]));
    assert_eq!(low, [123.456]);
    // Whichever is first.
    let late = [("low_at", real(900.0))];
    let [low, _] = warnings(battery(&late, [0.0, 0.0], [1.0, -1e-3], [0.0, 0.0]));
    assert_once(&low, 700.0);
}

#[test]
fn a_battery_monitor_goes_on_after_a_checkpoint() {
    let graph = || battery(&[], [0.0, 20.0], [1.0, -1e-3], [0.0, 5.0]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(420.0), seconds(800.0));
}
