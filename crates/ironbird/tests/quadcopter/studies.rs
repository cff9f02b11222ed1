//! What each study shows: sweeps whose requirements hold, and bugs that only the faulty build has, and only under the
//! condition that brings them out.

use ironbird_record::Status;

use crate::study::open_study;

/// Every scenario of a study, in its first repetition, holds.
fn all_hold(name: &str) {
    all_repetitions_hold(name, 1);
}

fn all_repetitions_hold(name: &str, repetitions: u64) {
    let study = open_study("quadcopter", name, &[]);
    for (number, scenario) in study.experiment.scenarios.iter().enumerate() {
        for repetition in 0..repetitions {
            let ran = study.run(number, repetition);
            assert!(!ran.outcomes.verdicts.is_empty());
            for verdict in &ran.outcomes.verdicts {
                let place = (name, &scenario.name, repetition);
                assert_eq!(verdict.status, Status::Passed, "{place:?}: {verdict:?}");
            }
        }
    }
}

/// Of the four scenarios of a bug only the faulty build under the condition fails, which is the last one.
fn only_the_faulty_build_fails(name: &str) {
    let study = open_study("quadcopter", name, &[]);
    assert_eq!(study.experiment.scenarios.len(), 4);
    let fails: Vec<bool> = (0..4)
        .map(|number| {
            let verdicts = study.run(number, 0).outcomes.verdicts;
            verdicts.iter().any(|verdict| verdict.status != Status::Passed)
        })
        .collect();
    assert_eq!(fails, [false, false, false, true], "{name}");
}

#[test]
fn the_loop_rate_and_the_altitude_follow_the_clock_of_the_processor() {
    all_hold("figure-7");
}

#[test]
fn noise_of_the_sensors_shows_in_flight() {
    all_hold("sensor-noise");
}

#[test]
fn a_radio_of_low_bandwidth_delays_orders() {
    all_hold("radio-bandwidth");
}

#[test]
fn a_clock_that_drifts_and_bits_that_flip_are_survived_or_told() {
    all_hold("drifting-clock");
    all_hold("bit-flips");
}

/// `IRONBIRD_SEEDS` says with how many seeds.
#[test]
fn in_wind_and_turbulence_it_keeps_its_place_its_square_and_its_attitude() {
    let seeds = std::env::var("IRONBIRD_SEEDS").ok().and_then(|text| text.parse().ok());
    all_repetitions_hold("windy", seeds.unwrap_or(1));
}

#[test]
fn too_little_memory_breaks_the_faulty_build_only() {
    only_the_faulty_build_fails("bug-low-memory");
}

#[test]
fn a_fix_without_height_breaks_the_faulty_build_only() {
    only_the_faulty_build_fails("bug-gps-2d");
}

#[test]
fn short_failures_of_the_compass_break_the_faulty_build_only() {
    only_the_faulty_build_fails("bug-compass");
}

#[test]
fn wind_that_cancels_the_motion_breaks_the_faulty_build_only() {
    only_the_faulty_build_fails("bug-groundspeed");
}
