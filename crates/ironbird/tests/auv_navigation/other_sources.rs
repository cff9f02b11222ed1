//! Data from elsewhere: logs, forecasts, charts, and a vehicle with dynamics of its own.

use super::studies::study;

#[test]
fn a_logged_mission_is_navigated_again() {
    let ran = study("replayed").run(0, 0);
    ran.holds();
    let largest = ran.largest("analysis.position.total");
    assert!(largest > 0.0 && largest < 0.5, "{largest} m");
}

#[test]
fn sources_are_chosen_by_a_switch_and_by_bindings() {
    let study = study("sources");
    let [model, forecast, switched] = ["model", "forecast", "switched"].map(|name| {
        let ran = study.run(study.scenario(name), 0);
        ran.holds();
        ran
    });
    let at = |samples: &[(f64, Vec<f64>)], seconds: f64| {
        samples.iter().find(|(time, _)| *time == seconds).expect("recorded").1.clone()
    };
    let [of_model, of_forecast, of_switched] =
        [&model, &forecast, &switched].map(|ran| ran.samples("drone.current.current"));
    // 0.25 m/s and a sinusoid of 0.1 m/s in 20 min, towards 70 degrees.
    let speed = |v: &[f64]| libm::hypot(v[0], v[1]);
    let wave = 0.25 + 0.1 * libm::sin(std::f64::consts::TAU * 60.0 / 1200.0);
    assert!((speed(&at(&of_model, 60.0)) - wave).abs() < 1e-12);
    // The forecast of the tide half an hour after its first time, at the fourth place north and east.
    let phase = std::f64::consts::TAU / 12.42;
    let strength = 0.30 - 0.01 * 4.0 + 0.005 * 4.0;
    let east = strength * (1.0 + libm::cos(phase)) / 2.0;
    let north = 0.5 * strength * libm::sin(phase) / 2.0;
    let seen = at(&of_forecast, 0.0);
    assert!((seen[1] - east).abs() < 2e-4 && (seen[0] - north).abs() < 2e-4, "{seen:?}");
    // The log has 0.1056 m/s north and 0.2902 m/s east at two minutes.
    assert_eq!(at(&of_switched, 60.0), at(&of_model, 60.0));
    let logged = at(&of_switched, 121.0);
    assert!((logged[0] - 0.1056).abs() < 1e-3 && (logged[1] - 0.2902).abs() < 1e-3, "{logged:?}");
    assert_ne!(at(&of_switched, 300.0), at(&of_model, 300.0));
    // The chart lies deeper than the model, and falls away.
    let bed = at(&forecast.samples("drone.sea-bed.depth"), 1.0)[0];
    assert!((74.0..=92.0).contains(&bed), "{bed} m");
}

#[test]
fn a_remus_takes_the_place_of_the_trajectory_by_one_line() {
    let study = study("remus");
    assert_eq!(study.experiment.scenarios[study.scenario("remus")].initial.len(), 1);
    let ran = study.run(study.scenario("remus"), 0);
    ran.holds();
    // On the third line, half an hour of current and turns later, it is still where it is to be.
    let track = ran.samples("drone.adapter.position");
    let (_, place) = track.iter().find(|(time, _)| *time == 760.0).expect("recorded");
    assert!((place[1] - 40.0).abs() < 3.0, "{place:?}");
    assert!((place[2] - 18.0).abs() < 0.5, "{place:?}");
}
