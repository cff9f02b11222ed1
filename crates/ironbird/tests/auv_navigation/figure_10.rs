//! The paper's Figures 10 and 11: a velocity log that is turned by 15 degrees, and falls silent.

use super::studies::{study, turn_and_size, with};

#[test]
fn the_event_after_the_end_of_figure_10_is_a_warning() {
    let study = study("figure-10");
    let warnings = study.warnings.to_string();
    assert!(
        warnings.contains("\"the engine weakens\" is after the end of the run at 1800 s"),
        "{warnings}"
    );
    assert_eq!(study.experiment.scenarios[0].repeat, 10);
}

#[test]
fn the_track_of_figure_10_is_turned_in_every_repetition_and_none_is_like_another() {
    let study = study("figure-10");
    let mut hashes = Vec::new();
    for repetition in [0, 9] {
        let ran = study.run(0, repetition);
        ran.holds();
        let last = ran.samples("navigation.function.position").pop().expect("it was recorded");
        assert_eq!(last.0, 1800.0);
        hashes.push(ran.outcomes.hash);
    }
    assert_ne!(hashes[0], hashes[1]);
}

#[test]
fn in_an_hour_the_engine_weakens_after_45_minutes() {
    let study = with("figure-10", &["record.DronePosition.every=1s"]);
    let ran = study.run(study.scenario("hour"), 0);
    ran.holds();
    let (turn, size) = turn_and_size(&ran);
    assert!((turn + 15.0).abs() < 0.8 && (size - 1.0).abs() < 0.01, "{turn} degrees, {size}");
    let way = ran.samples("drone.adapter.distance");
    let at = |seconds: f64| way.iter().find(|(time, _)| *time == seconds).expect("recorded").1[0];
    assert!((at(2700.0) - 6750.0).abs() < 0.01, "{}", at(2700.0));
    assert!((at(3600.0) - at(2710.0) - 2.0 * 890.0).abs() < 0.01, "{}", at(3600.0));
}

#[test]
fn a_misaligned_velocity_log_turns_the_track_by_its_angle() {
    let ran = study("misaligned").run(0, 0);
    ran.holds();
    let (turn, size) = turn_and_size(&ran);
    // Mounted 15 degrees to starboard, it sees the ground come 15 degrees from port. Half a degree is the
    // drift of the gyroscope.
    assert!((turn + 15.0).abs() < 0.8, "turned by {turn} degrees");
    assert!((size - 1.0).abs() < 0.01, "{size} times as large");
}

#[test]
fn a_misaligned_velocity_log_is_off_by_the_chord_of_its_angle() {
    // With ideal sensors nothing but the misalignment is left.
    let study = with("spline-in-current", &["sensors.dvl.mounting.mounting.yaw=15deg"]);
    let ran = study.run(0, 0);
    let (turn, size) = turn_and_size(&ran);
    // It is turned about its own vertical axis, which is tilted while the vehicle dives.
    assert!((turn + 15.0).abs() < 0.1 && (size - 1.0).abs() < 1e-3, "{turn} {size}");
    let chord = 2.0 * libm::sin(7.5f64.to_radians());
    let errors = ran.samples("analysis.position.total");
    let mut farthest = 0.0f64;
    for ((_, place), (_, error)) in ran.samples("drone.adapter.position").iter().zip(&errors) {
        let away = libm::hypot(place[0], place[1]);
        assert!((error[0] - chord * away).abs() < 0.2 + 2e-3 * away, "{error:?} at {away} m");
        farthest = farthest.max(away);
    }
    assert!(farthest > 400.0);
}

#[test]
fn a_silent_velocity_log_is_off_by_what_the_vehicle_has_slowed_down() {
    let ran = study("dvl-drop-out").run(0, 0);
    ran.holds();
    let speed = |at: &[f64]| libm::hypot(at[0], at[1]);
    let velocities = ran.samples("drone.adapter.velocity");
    let held = speed(&velocities.iter().find(|(time, _)| *time == 10.0).expect("recorded").1);
    // The driver is stopped before its step at 10 s and goes on with that at 10.5 s.
    let silent: Vec<f64> = velocities
        .iter()
        .filter(|(time, _)| (10.0..10.5).contains(time))
        .map(|(_, v)| speed(v))
        .collect();
    assert_eq!(silent.len(), 50);
    let gone = silent.iter().sum::<f64>() * 0.01;
    let too_far = held * 0.5 - gone;
    let total = ran.samples("analysis.position.total");
    let at = |seconds: f64| total.iter().find(|(time, _)| *time == seconds).expect("recorded").1[0];
    assert!(too_far > 0.01, "the vehicle has gone {too_far} m less far");
    assert!((at(10.49) - too_far).abs() < 0.05 * too_far, "{} m, predicted {too_far} m", at(10.49));
    // Then a straight line between the last sample and the next takes the place of what was held.
    let back = speed(&velocities.iter().find(|(time, _)| *time == 10.5).expect("recorded").1);
    let line = (0.25 * (held + back) - gone).abs();
    assert!((at(60.0) - line).abs() < 0.05 * line, "{} m, predicted {line} m", at(60.0));
}
