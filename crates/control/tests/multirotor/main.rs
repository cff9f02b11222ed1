//! The pilot of multirotors flies those of the examples, with a small integrator of this test around both.

mod flights;
mod mixing;

use std::path::Path;

use ironbird_control::InnerLoop;
use ironbird_control::multirotor::{Mode, MultirotorPilot};
use ironbird_kinematics::RigidMotion;
use ironbird_plant::multirotor::Multirotor;
use ironbird_plant::vehicle::integrate::{Held, SolvedInertia, step};
use ironbird_plant::vehicle::{Surroundings, Vehicle};

const EXAMPLES: [&str; 3] =
    ["multirotor/x500.toml", "multirotor/iris.toml", "crazyflie/crazyflie-2.1.toml"];

fn craft(file: &str) -> Multirotor {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Multirotor::read(&project.join("examples").join(file), "").unwrap()
}

/// A vehicle with its pilot.
struct Flight {
    craft: Multirotor,
    pilot: MultirotorPilot,
    mass: SolvedInertia,
    motion: RigidMotion,
    own: Vec<f64>,
    integrals: Vec<f64>,
    commands: Vec<f64>,
    around: Surroundings,
}

impl Flight {
    /// Hovering at the origin, its motors as fast as that needs.
    fn new(file: &str, mode: Mode) -> Self {
        let craft = craft(file);
        let pilot = MultirotorPilot::new(&craft, mode).unwrap();
        let parts = craft.parts();
        let lift: f64 = parts.rotors.iter().map(|rotor| rotor.thrust).sum();
        let hover = (parts.inertia.mass * 9.80665 / lift).sqrt();
        // Behind the speeds of the motors, what else it has, as cold motors.
        let mut own = vec![0.0; craft.states().len()];
        own[..parts.rotors.len()].fill(hover);
        Flight {
            mass: SolvedInertia::new(craft.inertia()).unwrap(),
            motion: RigidMotion::default(),
            own,
            integrals: vec![0.0; pilot.states()],
            commands: craft.commands().iter().map(|channel| channel.rest).collect(),
            around: Surroundings::default(),
            pilot,
            craft,
        }
    }

    /// The pilot at 250 Hz, the body at 1 kHz; `seen` is shown every step.
    fn fly(&mut self, seconds: f64, set_points: [f64; 4], mut seen: impl FnMut(f64, &RigidMotion)) {
        let steps = (seconds * 250.0).round() as u32;
        for n in 0..steps {
            let (motion, commands) = (&self.motion, &mut self.commands);
            self.pilot.step(0.004, motion, &set_points, &mut self.integrals, commands);
            for _ in 0..4 {
                let Flight { craft, mass, motion, own, commands, around, .. } = self;
                step(&*craft, mass, motion, own, &Held { commands, around }, 1e-3, None);
            }
            seen(f64::from(n + 1) * 0.004, &self.motion);
        }
    }

    fn tilt(&self) -> f64 {
        libm::acos(self.motion.to_ned(&nalgebra::Vector3::z()).z.clamp(-1.0, 1.0))
    }
}
