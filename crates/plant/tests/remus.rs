//! The REMUS 100 as a component: how it answers to fins, propeller, current and the surface.

use ironbird_kernel::Time;
use ironbird_kinematics::Motion;
use ironbird_test_rig::{Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

const MOTION: &str = "remus.motion";

/// A vehicle with these constant inputs.
fn rig(settings: &[Setting<'_>], inputs: &[(&str, f64)]) -> Rig {
    let mut rig = Rig::of(&[ironbird_plant::register]);
    rig.add("remus", "drone.remus-100", settings);
    for (name, value) in inputs {
        rig.script(name, &[(Time::ZERO, *value)]);
        rig.link(&format!("{name}.out"), &format!("remus.{name}"));
    }
    rig
}

fn run(settings: &[Setting<'_>], inputs: &[(&str, f64)], until: f64) -> Vec<Motion> {
    motions(&rig(settings, inputs).run(seconds(until), &[MOTION]))
}

fn motions(run: &Run) -> Vec<Motion> {
    run.samples::<Motion>(MOTION).into_iter().map(|(_, motion)| motion).collect()
}

/// Settings, and this place to begin at.
fn at<'a>(place: [f64; 3], others: &[Setting<'a>]) -> Vec<Setting<'a>> {
    let names = ["initial.position[0]", "initial.position[1]", "initial.position[2]"];
    let place = names.into_iter().zip(place.map(real));
    place.chain(others.iter().cloned()).collect()
}

#[test]
fn without_propeller_and_as_heavy_as_water_it_rests() {
    let shown = run(&at([1.0, 2.0, 10.0], &[("buoyancy", real(299.0))]), &[], 100.0);
    let last = shown.last().unwrap();
    assert_eq!((last.position, last.velocity), ([1.0, 2.0, 10.0], [0.0; 3]));
    assert_eq!((last.acceleration, last.angular_velocity), ([0.0; 3], [0.0; 3]));
}

#[test]
fn a_positive_rudder_turns_to_port_and_a_negative_one_to_starboard() {
    for side in [1.0, -1.0] {
        let settings = at([0.0, 0.0, 50.0], &[("initial.speed", real(1.5))]);
        let shown = run(&settings, &[("rudder", side * 0.1), ("propeller", 1525.0)], 5.0);
        let heading = shown.last().unwrap().attitude.to_euler()[2];
        assert!(-side * heading > 0.3, "{heading} rad");
        assert!(shown.last().unwrap().position[1] * -side > 0.0, "it goes to that side");
    }
}

#[test]
fn positive_stern_planes_dive_and_negative_ones_rise() {
    for side in [1.0, -1.0] {
        let settings = [("initial.speed", real(1.5)), ("buoyancy", real(299.0))];
        let settings = at([0.0, 0.0, 50.0], &settings);
        let shown = run(&settings, &[("stern", side * 0.07), ("propeller", 1525.0)], 5.0);
        let pitch: Vec<f64> = shown.iter().map(|m| m.attitude.to_euler()[1]).collect();
        let (quarter, last) = (side * pitch[50], side * pitch[500]);
        // 4 deg of the planes: some degrees after half a second, tens of degrees in the end.
        assert!(
            (-0.1..-0.005).contains(&quarter) && (-1.0..-0.15).contains(&last),
            "{quarter} {last}"
        );
        let sunk = shown.last().unwrap().position[2] - 50.0;
        assert!(side * sunk > 0.3, "{sunk} m");
    }
}

#[test]
fn velocity_is_the_derivative_of_position_and_acceleration_that_of_velocity() {
    let settings = [("initial.speed", real(1.2)), ("initial.heading", real(40.0))];
    let settings = at([0.0, 0.0, 9.0], &settings);
    let inputs = [("rudder", 0.1), ("stern", -0.1), ("propeller", 1800.0)];
    let shown = run(&settings, &inputs, 10.0);
    for three in shown.windows(3).skip(1) {
        let [before, now, after] = three else { panic!("three") };
        for n in 0..3 {
            let velocity = (after.position[n] - before.position[n]) / 0.02;
            let acceleration = (after.velocity[n] - before.velocity[n]) / 0.02;
            assert!((velocity - now.velocity[n]).abs() < 1e-4, "{velocity} {now:?}");
            assert!((acceleration - now.acceleration[n]).abs() < 2e-3, "{acceleration} {now:?}");
        }
        let turn = before.attitude.quaternion().inverse() * after.attitude.quaternion();
        for n in 0..3 {
            let rate = turn.scaled_axis()[n] / 0.02;
            assert!((rate - now.angular_velocity[n]).abs() < 1e-3, "{rate} {now:?}");
        }
    }
    let way: f64 = shown.windows(2).map(|two| distance(&two[0], &two[1])).sum();
    assert!((shown.last().unwrap().distance - way).abs() < 1e-3 * way);
}

fn distance(a: &Motion, b: &Motion) -> f64 {
    let squares = (0..3).map(|n| (a.position[n] - b.position[n]) * (a.position[n] - b.position[n]));
    squares.sum::<f64>().sqrt()
}

#[test]
fn left_alone_it_floats_up_and_lies_at_the_surface() {
    // As much under water as carries it: f = W / B, so that z = (f - 1/2) d.
    let floating = (299.0 / 306.0 - 0.5) * 0.191;
    for start in [3.0, -1.0] {
        let last = run(&at([0.0, 0.0, start], &[]), &[], 120.0).pop().unwrap();
        // Drag goes with the square of the speed, so that the last bobbing takes long to die away.
        assert!((last.position[2] - floating).abs() < 0.01, "from {start} m: {last:?}");
        assert!(last.velocity[2].abs() < 0.03, "{last:?}");
    }
}

#[test]
fn above_the_water_it_falls() {
    let shown = run(&at([0.0, 0.0, -5.0], &[]), &[], 0.0);
    // Weight against mass and added mass.
    let expected = 299.0 / (299.0 / 9.81 + 35.5 - 1.93 * 1.93 / (3.45 + 4.88));
    assert!((shown[0].acceleration[2] - expected).abs() < 0.01, "{:?}", shown[0]);
}

#[test]
fn far_from_the_origin_the_surface_is_that_of_the_ellipsoid() {
    let settings =
        [("earth.model", ironbird_test_rig::text("wgs84")), ("earth.origin.latitude", real(48.0))];
    let last = run(&at([20_000.0, 0.0, 33.0], &settings), &[], 120.0).pop().unwrap();
    assert!((last.position[2] - 31.4 - 0.09).abs() < 0.1, "{last:?}");
    // It hangs along the normal there, 0.18 deg from that of the origin.
    let pitch = last.attitude.to_euler()[1].to_degrees();
    assert!((pitch + 0.18).abs() < 0.05, "{pitch} deg");
}

#[test]
fn more_sub_steps_change_less_than_their_order_says() {
    let end = |sub_steps: i64| {
        let settings = [
            ("sub_steps", ironbird_kernel::Parameter::Integer(sub_steps)),
            ("initial.speed", real(1.5)),
        ];
        run(&at([0.0, 0.0, 50.0], &settings), &[("rudder", 0.1), ("propeller", 1525.0)], 20.0)
            .pop()
            .unwrap()
    };
    let apart = distance(&end(1), &end(10));
    assert!(apart > 0.0 && apart < 1e-5, "{apart} m after 20 s");
}

#[test]
fn a_saved_run_goes_on_to_the_same_bits() {
    let graph = || {
        let settings = at([0.0, 0.0, 5.0], &[("initial.speed", real(1.5))]);
        let mut rig = rig(&settings, &[("stern", 0.05)]);
        rig.script("command", &[(Time::ZERO, 0.1), (seconds(3.0), -0.2)]);
        rig.script("wanted", &[(Time::ZERO, 1525.0)]);
        rig.add("fin", "actuator.fin", &[]);
        rig.add("motor", "actuator.propeller", &[]);
        rig.link("command.out", "fin.command");
        rig.link("wanted.out", "motor.command");
        rig.link("fin.deflection", "remus.rudder");
        rig.link("motor.revolutions", "remus.propeller");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(3.005), seconds(6.0));
}

#[test]
fn an_input_that_is_no_number_ends_the_run_and_is_named() {
    let run = rig(&[], &[("stern", f64::NAN)]).run(seconds(1.0), &[]);
    let told = format!("{:?}", run.outcome);
    assert!(told.contains("the input \\\"stern\\\" is NaN: it must be a number"), "{told}");
}

#[test]
fn wrong_parameters_are_refused() {
    let rig = Rig::of(&[ironbird_plant::register]);
    let refused = rig.refusal("drone.remus-100", &[("weight", real(0.0))]);
    assert!(refused.contains("weight") && refused.contains("100"), "{refused}");
    let refused = rig.refusal("drone.remus-100", &[("initial.speed", real(30.0))]);
    assert!(refused.contains("initial.speed"), "{refused}");
    assert_eq!(
        rig.refusal("actuator.propeller", &[("lowest", real(3000.0))]),
        "\"lowest\" (3000 rpm) must not be above \"highest\" (2500 rpm)"
    );
}
