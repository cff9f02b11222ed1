//! Vehicles side by side have the bits that they have alone.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::multirotor::{Drive, Multirotor, MultirotorParts, Rotor};
use ironbird_plant::vehicle::abreast::Rider;
use ironbird_plant::vehicle::integrate::{Change, Held, SolvedInertia};
use ironbird_plant::vehicle::number::LANES;
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use proptest::prelude::*;

fn quadrotor() -> Multirotor {
    let rotor = Rotor {
        at: Vector3::new(0.0, 0.0, -0.06),
        thrust: 8.5e-6,
        torque: 1.4e-7,
        fastest: 1000.0,
        radius: 0.12,
        inertia: 2e-5,
        ..Rotor::default()
    };
    let tensor = Matrix3::from_diagonal(&Vector3::new(0.024, 0.021, 0.044));
    Multirotor::new(MultirotorParts {
        name: "quadrotor".into(),
        source: String::new(),
        inertia: Inertia { mass: 2.0, tensor, added: None },
        rotors: rotor.ring(4, 0.25, 0.7),
        drive: Drive::Speed,
        linear_drag: Vector3::zeros(),
        quadratic_drag: Vector3::zeros(),
        rain_area: 0.01,
        trim: Vector3::zeros(),
        warming: None,
    })
    .unwrap()
}

/// A vehicle somewhere, high up or near the ground, that tumbles.
#[derive(Clone, Debug)]
struct Flyer {
    motion: RigidMotion,
    own: [f64; 4],
    commands: [f64; 4],
    around: Surroundings,
    change: Change,
    known: bool,
}

impl Flyer {
    fn bits(&self) -> Vec<u64> {
        let RigidMotion { position, velocity, attitude, rates } = &self.motion;
        let motion = position.iter().chain(velocity).chain(&attitude.coords).chain(rates);
        let felt = self.change.acceleration;
        let felt = felt.linear.iter().chain(&felt.angular).copied().collect::<Vec<_>>();
        motion.chain(&self.own).chain(&felt).map(|number| number.to_bits()).collect()
    }
}

fn numbers<const N: usize>(range: std::ops::Range<f64>) -> impl Strategy<Value = [f64; N]> {
    prop::collection::vec(range, N).prop_map(|all| all.try_into().unwrap())
}

fn flyer() -> impl Strategy<Value = Flyer> {
    let command = prop_oneof![8 => -100.0..1200.0, 1 => Just(0.0), 1 => Just(f64::NAN)];
    let commands = prop::collection::vec(command, 4).prop_map(|all| all.try_into().unwrap());
    let height = prop_oneof![Just(f64::INFINITY), 0.0..0.5, 0.0..20.0];
    let parts = (numbers::<9>(-9.0..9.0), numbers::<3>(-3.0..3.0), numbers::<4>(0.0..900.0));
    (parts, commands, height, 0.5..1.4, any::<bool>()).prop_map(
        |((m, angles, own), commands, height, density, known)| Flyer {
            motion: RigidMotion {
                position: Vector3::new(m[0], m[1], m[2]),
                velocity: Vector3::new(m[3], m[4], m[5]),
                attitude: UnitQuaternion::from_euler_angles(angles[0], angles[1], angles[2]),
                rates: Vector3::new(m[6], m[7], m[8]),
            },
            own,
            commands,
            around: Surroundings { height, density, ..Surroundings::default() },
            change: Change::default(),
            known,
        },
    )
}

proptest! {
    #[test]
    fn four_abreast_have_the_bits_of_each_alone(
        flyers in prop::collection::vec(flyer(), LANES),
        steps in 1..20,
    ) {
        let craft = quadrotor();
        let mass = SolvedInertia::new(craft.inertia()).unwrap();
        let (mut abreast, mut alone) = (flyers.clone(), flyers);
        for step in 0..steps {
            for flyer in &mut alone {
                let Flyer { motion, own, commands, around, change, .. } = flyer;
                let held = Held { commands, around };
                craft.advance(&mass, motion, own, &held, 1e-3, None);
                craft.change(&mass, motion, own, &held, change);
            }
            // What is known of the begin of a step is the change that was felt at the end of the one before.
            let mut riders = abreast.iter_mut().map(|flyer| {
                let Flyer { motion, own, commands, around, change, known } = flyer;
                let known = *known && step > 0;
                Rider { motion, own, held: Held { commands, around }, change, known }
            });
            let mut riders = std::array::from_fn(|_| riders.next().unwrap());
            prop_assert!(craft.advance_abreast(&mass, &mut riders, 1e-3));
            prop_assert!(craft.change_abreast(&mass, &mut riders));
            for (one, other) in alone.iter().zip(&abreast) {
                prop_assert_eq!(one.bits(), other.bits());
            }
        }
    }
}

#[test]
fn in_rain_each_goes_alone() {
    let craft = quadrotor();
    let mass = SolvedInertia::new(craft.inertia()).unwrap();
    let around = Surroundings { rain: 5.0, ..Surroundings::default() };
    let mut flyers = [(); LANES].map(|()| Flyer {
        motion: RigidMotion::default(),
        own: [0.0; 4],
        commands: [0.0; 4],
        around,
        change: Change::default(),
        known: false,
    });
    let before = flyers.each_ref().map(Flyer::bits);
    let mut riders = flyers.each_mut().map(|flyer| {
        let Flyer { motion, own, commands, around, change, known } = flyer;
        Rider { motion, own, held: Held { commands, around }, change, known: *known }
    });
    assert!(!craft.advance_abreast(&mass, &mut riders, 1e-3));
    assert_eq!(flyers.each_ref().map(Flyer::bits), before);
}
