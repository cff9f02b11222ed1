//! The room cools, warms and pays for its heat as the equations say.

use ironbird_solvers::Trajectory;
use ironbird_test_rig::{Rig, Setting, hours, real, seconds, text};

/// A room that is heated with this power, at 0 degC outside.
fn room(watts: f64, settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    rig.script("heating", &[(hours(0.0), watts)]);
    rig.script("outside", &[(hours(0.0), Trajectory::constant(0.0))]);
    rig.add("room", "plant.room", settings);
    rig.link("heating.out", "room.heating");
    rig.link("outside.out", "room.outside");
    rig
}

#[test]
fn air_alone_cools_exponentially() {
    for (method, tolerance) in [("qss2", 1e-4), ("liqss2", 1e-4), ("dopri5", 1e-8)] {
        let rig = room(
            0.0,
            &[
                ("air_capacity", real(200e3)),
                ("window_conductance", real(20.0)),
                ("surface_conductance", real(0.0)),
                ("solver.method", text(method)),
                ("solver.absolute", real(tolerance)),
                ("solver.relative", real(0.0)),
            ],
        );
        let temperature = rig.run(hours(6.0), &["room.temperature"]).track("room.temperature");
        for hour in 1..=6 {
            let hour = f64::from(hour);
            let exact = 20.0 * libm::exp(-3600.0 * hour / 10_000.0);
            let shown = temperature.at(hours(hour));
            assert!((shown - exact).abs() < 1e-3, "{method} at {hour} h: {shown}, exact {exact}");
        }
    }
}

#[test]
fn about_630_watts_keep_the_default_room_at_20_degrees() {
    let end = hours(1000.0);
    let rig = room(634.0, &[("solver.method", text("dopri5"))]);
    let run = rig.run(end, &["room.temperature", "room.energy"]);
    // In equilibrium the walls are a resistance between the surfaces and the outside.
    let conductance = 12.5 + 1.0 / (1.0 / 455.0 + 1.0 / 20.0);
    let temperature = run.track("room.temperature").at(end);
    assert!((temperature - 634.0 / conductance).abs() < 1e-3, "{temperature}");
    assert!((temperature - 20.0).abs() < 0.1, "{temperature}");
    let energy = run.track("room.energy").at(end);
    assert!((energy - 634.0 * 3600.0 * 1000.0).abs() < 1.0, "{energy} J");
}

#[test]
fn guests_warm_the_room_from_the_moment_they_come() {
    let mut rig = room(0.0, &[("solver.method", text("dopri5"))]);
    rig.set(hours(1.0), "room.gains", real(1000.0));
    let temperature = rig.run(hours(2.0), &["room.temperature"]).track("room.temperature");
    let power =
        |from: f64| 200e3 * (temperature.at(seconds(from + 1.0)) - temperature.at(seconds(from)));
    let gained = power(3600.0) - power(3599.0);
    assert!((gained - 1000.0).abs() < 10.0, "{gained} W");
}

#[test]
fn impossible_rooms_are_refused() {
    let rig = Rig::of(&[ironbird_plant::register]);
    assert_eq!(
        rig.refusal("plant.room", &[("air_capacity", real(0.0))]),
        "parameter \"air_capacity\": 0 J/K is not allowed: it must be above 0 J/K"
    );
    assert_eq!(
        rig.refusal("plant.room", &[("initial_temperature", real(-300.0))]),
        "parameter \"initial_temperature\": -300 degC is not allowed: it must be at least -273.15 degC"
    );
}
