//! What cannot work is said.

use ironbird_kernel::{Options, Simulation};
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::closed_loop::{guided, types, vehicle};

#[test]
fn guidance_by_a_mission_needs_set_points() {
    let rig = vehicle(5.0, [0.0; 3], &[("guidance", text("mission"))]);
    let told = format!("{:?}", rig.run(seconds(1.0), &[]).outcome);
    assert!(told.contains("link it to a guidance.line-of-sight"), "{told}");
}

#[test]
fn missions_that_lead_nowhere_are_refused_before_the_start() {
    for (number, reason) in [
        (3, "the mission has no way-points"),
        (4, "way-point 1 of the mission has a speed of 0 m/s: it must be above 0 m/s"),
        (5, "way-point 0 of the mission is at [NaN, 0.0, 5.0] m: it must be at numbers"),
    ] {
        let graph = guided(number, [0.0; 3], &[]).into_graph();
        let told = match Simulation::new(graph, Options::default()) {
            Err(error) => error.to_string(),
            Ok(mut simulation) => format!("{:?}", simulation.run_until(seconds(1.0))),
        };
        assert!(told.contains(reason), "{told}");
    }
}

#[test]
fn wrong_parameters_are_refused() {
    let rig = types();
    assert_eq!(
        rig.refusal("autopilot.auv", &[("limit.lowest_revolutions", real(2600.0))]),
        "\"limit.lowest_revolutions\" (2600 rpm) must not be above \"limit.highest_revolutions\" (2500 rpm)"
    );
    let refused = rig.refusal("autopilot.auv", &[("guidance", text("misson"))]);
    assert!(refused.contains("mission"), "{refused}");
    let refused = rig.refusal("guidance.line-of-sight", &[("look_ahead", real(0.0))]);
    assert!(refused.contains("look_ahead"), "{refused}");
}

#[test]
fn a_saved_mission_goes_on_to_the_same_bits() {
    let graph = || guided(1, [0.0, 0.2, 0.0], &[]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(160.05), seconds(200.0));
}
