//! Fins and propellers follow their commands late and within limits.

use ironbird_kernel::Time;
use ironbird_test_rig::{Rig, Setting, real, seconds};

/// What an actuator shows at 100 Hz for a constant command.
fn shown(kind: &str, output: &str, settings: &[Setting<'_>], command: f64) -> Vec<f64> {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    rig.script("wish", &[(Time::ZERO, command)]);
    rig.add("it", kind, settings);
    rig.link("wish.out", "it.command");
    rig.run(seconds(2.0), &[output]).numbers(output)
}

#[test]
fn a_fin_goes_at_its_rate_to_its_limit_and_no_further() {
    let angles = shown("actuator.fin", "it.deflection", &[], 1.0);
    let degrees: Vec<f64> = angles.iter().map(|x| x.to_degrees()).collect();
    assert!((degrees[10] - 6.0).abs() < 1e-9, "60 deg/s for 0.1 s: {}", degrees[10]);
    assert!(degrees.iter().all(|x| *x <= 13.6) && degrees[200] > 13.599, "{}", degrees[200]);
}

#[test]
fn a_fin_without_lag_and_hurry_is_where_it_is_wanted() {
    let quick = [("time_constant", real(0.0)), ("rate_limit", real(1e6))];
    let angles = shown("actuator.fin", "it.deflection", &quick, -0.1);
    assert_eq!(angles[1..], [-0.1; 200]);
}

#[test]
fn a_propeller_lags_and_stays_within_its_limits() {
    let lag = [("rate_limit", real(1e9)), ("time_constant", real(0.5))];
    let turns = shown("actuator.propeller", "it.revolutions", &lag, 1000.0);
    assert!((turns[50] - 1000.0 * (1.0 - libm::exp(-1.0))).abs() < 0.01, "{}", turns[50]);
    let turns = shown("actuator.propeller", "it.revolutions", &[("initial", real(500.0))], -1000.0);
    assert!(turns[0] == 500.0 && turns[200] < 10.0 && turns.iter().all(|n| *n >= 0.0));
    let turns = shown("actuator.propeller", "it.revolutions", &[], 9e9);
    assert!((turns[200] - 2500.0).abs() < 20.0, "{}", turns[200]);
}

#[test]
fn a_command_that_is_no_number_ends_the_run() {
    for kind in ["actuator.fin", "actuator.propeller"] {
        let mut rig = Rig::of(&[ironbird_plant::register]);
        rig.script("wish", &[(Time::ZERO, f64::NAN)]);
        rig.add("it", kind, &[]);
        rig.link("wish.out", "it.command");
        let told = format!("{:?}", rig.run(seconds(1.0), &[]).outcome);
        assert!(told.contains("must be a number"), "{told}");
    }
}
