//! What the mixer gives, and gives up first.

use ironbird_control::multirotor::{Demand, Mixer, Mode, MultirotorPilot};
use ironbird_plant::multirotor::{Multirotor, MultirotorParts, Rotor};
use nalgebra::Vector3;

use crate::{EXAMPLES, craft};

/// Thrust and moments that rotors give at squares of speeds.
fn given(parts: &MultirotorParts, squares: &[f64]) -> (f64, Vector3<f64>) {
    let mut sum = (0.0, Vector3::zeros());
    for (rotor, square) in parts.rotors.iter().zip(squares) {
        let (force, moment) = rotor.effect();
        sum.0 -= force.z * square;
        sum.1 += moment * *square;
    }
    sum
}

#[test]
fn within_its_means_all_is_given() {
    for file in EXAMPLES {
        let craft = craft(file);
        let parts = craft.parts();
        let weight = parts.inertia.mass * 9.80665;
        let arm = parts.rotors[0].at.xy().norm();
        let moment = Vector3::new(0.02, -0.03, 0.001) * (weight * arm);
        let (squares, thrust) = Mixer::new(parts).unwrap().mix(&Demand { thrust: weight, moment });
        let (lift, turned) = given(parts, &squares);
        assert!((lift / weight - 1.0).abs() < 1e-9 && thrust == weight, "{file}");
        assert!((turned - moment).norm() < 1e-9 * moment.norm(), "{file}: {turned} {moment}");
    }
}

#[test]
fn yaw_is_given_up_first_and_roll_last() {
    let craft = craft("multirotor/x500.toml");
    let parts = craft.parts();
    let mixer = Mixer::new(parts).unwrap();
    let fastest = parts.rotors[0].fastest;
    let full: f64 = parts.rotors.iter().map(|rotor| rotor.thrust * fastest * fastest).sum();
    // All the thrust there is, and some roll and yaw.
    let moment = Vector3::new(1.0, 0.0, 0.5);
    let (squares, thrust) = mixer.mix(&Demand { thrust: full, moment });
    let (lift, turned) = given(parts, &squares);
    assert!((turned.x - 1.0).abs() < 1e-9 && turned.y.abs() < 1e-9, "roll is given: {turned}");
    assert!(turned.z.abs() < 1e-9, "there is no room for yaw: {turned}");
    assert!(thrust < full && (lift - thrust).abs() < 1e-9, "thrust makes room");
    // More roll than there is: as much as can be, without yaw.
    let (squares, _) =
        mixer.mix(&Demand { thrust: 0.5 * full, moment: Vector3::new(50.0, 0.0, 0.5) });
    let (_, turned) = given(parts, &squares);
    assert!(turned.x > 2.0 && turned.x < 50.0 && turned.y.abs() < 1e-9, "{turned}");
    for (square, rotor) in squares.iter().zip(&parts.rotors) {
        assert!(*square >= 0.0 && *square <= rotor.fastest * rotor.fastest * (1.0 + 1e-12));
    }
}

#[test]
fn rotors_that_cannot_steer_are_refused() {
    let mut parts = craft("multirotor/x500.toml").parts().clone();
    let ring = |rotor: Rotor, count| rotor.ring(count, 0.2, 0.0);
    let rotor = Rotor { torque: 2e-7, ..Rotor::default() };
    for rotors in
        [ring(rotor, 1), ring(rotor, 3), ring(Rotor { torque: 0.0, ..rotor }, 4), vec![rotor; 4]]
    {
        parts.rotors = rotors;
        let craft = Multirotor::new(parts.clone()).unwrap();
        let refused = MultirotorPilot::new(&craft, Mode::Position).unwrap_err();
        assert!(refused.contains("lift, roll, pitch and yaw"), "{refused}");
    }
    parts.rotors = ring(rotor, 6);
    assert!(MultirotorPilot::new(&Multirotor::new(parts).unwrap(), Mode::Position).is_ok());
}
