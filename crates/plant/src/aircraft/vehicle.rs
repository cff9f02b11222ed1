//! A fixed-wing aircraft as forces.
//!
//! Forces, servos and propulsion are those of `plant.aircraft`, but for the density of the air, which is that of the
//! surroundings. The Mach number still takes the speed of sound of the standard atmosphere, with `down = 0` at sea
//! level.

use ironbird_component::scenery::Body;
use ironbird_kinematics::{Attitude, Channel, RigidMotion, Wrench};
use nalgebra::{Matrix3, Vector3};

use super::dynamics::{Deflections, Situation};
use super::file::Aircraft;
use super::look::{self, Names};
use super::propulsion::Shaft;
use super::servos::{Commands, Limits, SERVOS};
use super::trim::{TrimError, Wanted};
use super::vector::{add, cross, subtract};
use crate::vehicle::{Inertia, Surroundings, Vehicle};

/// Its numbers: the servos, the speed of the shaft, the state of charge.
const NAMES: [&str; SERVOS + 2] =
    ["servo_0", "servo_1", "servo_2", "servo_3", "motor_speed", "charge"];
const MOTOR_SPEED: usize = SERVOS;
const CHARGE: usize = SERVOS + 1;

/// The ports that its look names.
const LOOK: Names<'static> =
    Names { servos: ["servo_0", "servo_1", "servo_2"], motor_speed: "motor_speed" };

/// How many commands it takes: aileron, elevator, rudder, flap, throttle.
const COMMANDS: usize = 5;

/// An aircraft whose body someone else moves.
#[derive(Clone, Debug)]
pub struct AircraftVehicle {
    craft: Aircraft,
    inertia: Inertia,
    names: Vec<String>,
    commands: Vec<Channel>,
    start: [f64; NAMES.len()],
}

impl AircraftVehicle {
    /// An aircraft that starts with its servos in the middle, its motor at rest and its battery full.
    pub fn new(craft: Aircraft) -> Self {
        let [xx, yy, zz, xz] = craft.airframe.mass.inertia();
        let inertia = Inertia {
            mass: craft.airframe.mass.mass,
            tensor: Matrix3::new(xx, 0.0, -xz, 0.0, yy, 0.0, -xz, 0.0, zz),
            added: None,
        };
        let limits = craft.servos.limits;
        let surface = |name: &str, Limits { low, high }: Limits, doc| Channel {
            name: name.into(),
            unit: "rad",
            range: (low.min(0.0), high.max(0.0)),
            rest: 0.0,
            doc,
        };
        let commands = vec![
            surface("aileron", limits[0], "positive rolls to starboard"),
            surface("elevator", limits[1], "positive pitches the nose down"),
            surface("rudder", limits[2], "positive turns the nose to port"),
            surface("flap", limits[3], "positive increases lift"),
            Channel {
                name: "throttle".into(),
                unit: "1",
                range: (0.0, 1.0),
                rest: 0.0,
                doc: "what drives the propeller",
            },
        ];
        let mut start = [0.0; NAMES.len()];
        start[CHARGE] = 1.0;
        let names = NAMES.map(str::to_owned).into();
        AircraftVehicle { craft, inertia, names, commands, start }
    }

    /// An aircraft that starts in steady flight to the north from the place below which `wanted.height` counts,
    /// with the motion and the commands of that flight.
    pub fn trimmed(
        craft: Aircraft,
        wanted: &Wanted,
    ) -> Result<(Self, RigidMotion, [f64; COMMANDS]), TrimError> {
        let trim = craft.trim(wanted)?;
        let attitude = Attitude::from_euler(0.0, trim.pitch, 0.0).quaternion();
        let motion = RigidMotion {
            position: Vector3::new(0.0, 0.0, -wanted.height),
            velocity: attitude * Vector3::from(trim.velocity),
            attitude,
            rates: Vector3::zeros(),
        };
        let [aileron, elevator, rudder, flap] = trim.deflections;
        let commands = [aileron, elevator, rudder, flap, trim.throttle];
        let mut vehicle = AircraftVehicle::new(craft);
        vehicle.start[..SERVOS].copy_from_slice(&vehicle.craft.servo_positions(&trim));
        vehicle.start[MOTOR_SPEED] = trim.motor_speed;
        vehicle.start[CHARGE] = wanted.charge;
        Ok((vehicle, motion, commands))
    }

    /// What its file says.
    pub fn craft(&self) -> &Aircraft {
        &self.craft
    }
}

impl Vehicle for AircraftVehicle {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn states(&self) -> &[String] {
        &self.names
    }

    fn look(&self) -> Body {
        look::body(&self.craft, &LOOK)
    }

    fn start(&self, own: &mut [f64]) {
        own.copy_from_slice(&self.start);
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        let Aircraft { airframe, servos, .. } = &self.craft;
        let told = |n: usize| self.commands[n].limit(commands[n]);
        let surfaces =
            Deflections { aileron: told(0), elevator: told(1), rudder: told(2), flap: told(3) };
        let wanted = servos.commanded(&Commands { surfaces, ruddervators: [0.0; 2] });
        let positions = match servos.lags() {
            true => [own[0], own[1], own[2], own[3]],
            false => wanted,
        };
        let attitude = motion.attitude.quaternion();
        let at = Situation {
            down: motion.position.z,
            velocity: motion.to_body(&motion.velocity).into(),
            attitude: [attitude.w, attitude.i, attitude.j, attitude.k],
            rates: motion.rates.into(),
            wind: around.wind.into(),
            gust: [0.0; 3],
            deflections: servos.deflections(positions),
            shaft: Shaft {
                throttle: told(4),
                motor_speed: own[MOTOR_SPEED],
                charge: own[CHARGE],
                failed: false,
            },
            gravity: around.gravity.z,
        };
        let loads = airframe.loads(&at, around.density);
        for (n, wanted) in wanted.into_iter().enumerate() {
            rates[n] = servos.rate(wanted, own[n]);
        }
        rates[MOTOR_SPEED] = loads.drive.speed_rate;
        rates[CHARGE] = loads.drive.charge_rate;
        let spinning = cross(at.rates, [loads.drive.momentum, 0.0, 0.0]);
        let moment = subtract(airframe.driven(loads.moment, &loads.drive), spinning);
        Wrench { force: add(loads.air, loads.drive.along()).into(), moment: moment.into() }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ironbird_component::{Place, Settings};
    use ironbird_kernel::{Parameter, RandomStream};
    use ironbird_solvers::{Block, Point};

    use super::super::{
        AILERON, Aircraft as Component, DOWN, ELEVATOR, FIRST_SERVO, FLAP, INPUTS, P, QW, RUDDER,
        STATES, THROTTLE, U, WIND, atmosphere,
    };
    use super::*;
    use nalgebra::UnitQuaternion;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fixed-wing/aircraft");

    struct At {
        states: [f64; STATES],
        inputs: [f64; INPUTS],
    }

    impl Point<f64> for At {
        fn x(&self, state: usize) -> f64 {
            self.states[state]
        }
        fn u(&self, input: usize) -> f64 {
            self.inputs[input]
        }
        fn time(&self) -> f64 {
            0.0
        }
    }

    fn block(name: &str) -> Component {
        let mut settings = Settings::default();
        settings.insert("file".into(), Parameter::Text(format!("{name}.toml")));
        let place = Place { folder: Path::new(FOLDER) };
        ironbird_component::derive::create(&settings, &place).unwrap()
    }

    fn vehicle(name: &str) -> AircraftVehicle {
        let file = Path::new(FOLDER).join(format!("{name}.toml"));
        AircraftVehicle::new(Aircraft::read(&file, "").unwrap())
    }

    /// v' in the body with ω × v taken off, ω', and the rates of its own numbers.
    fn changes(
        vehicle: &AircraftVehicle,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
    ) -> Vec<f64> {
        let mut rates = [0.0; NAMES.len()];
        let wrench = vehicle.forces(motion, own, commands, around, &mut rates);
        let inertia = vehicle.inertia();
        let velocity = motion.to_body(&motion.velocity);
        let linear = wrench.force / inertia.mass + motion.to_body(&around.gravity)
            - motion.rates.cross(&velocity);
        let gyroscopic = motion.rates.cross(&(inertia.tensor * motion.rates));
        let angular = inertia.tensor.try_inverse().unwrap() * (wrench.moment - gyroscopic);
        [linear.as_slice(), angular.as_slice(), &rates].concat()
    }

    #[test]
    fn accelerations_are_those_of_the_block() {
        let mut random = RandomStream::from_key(7);
        let mut next = |size: f64| size * (2.0 * random.uniform() - 1.0);
        for name in ["aerosonde", "rascal-110", "ultra-stick-25e", "v-tail"] {
            let (block, vehicle) = (block(name), vehicle(name));
            for _ in 0..200 {
                let attitude = UnitQuaternion::from_euler_angles(next(3.0), next(1.5), next(3.0));
                let body = Vector3::new(20.0 + next(8.0), next(4.0), next(4.0));
                let motion = RigidMotion {
                    position: Vector3::new(next(10.0), next(10.0), -100.0 + next(90.0)),
                    velocity: attitude * body,
                    attitude,
                    rates: Vector3::new(next(1.0), next(1.0), next(1.0)),
                };
                let own = [next(0.3), next(0.3), next(0.3), 0.0, 300.0 + next(290.0), 0.6];
                let commands = [next(0.6), next(0.6), next(0.6), 0.0, 0.5 + next(0.5)];
                let around = Surroundings {
                    wind: Vector3::new(next(5.0), next(5.0), next(2.0)),
                    density: atmosphere::density(-motion.position.z),
                    ..Surroundings::default()
                };
                let mut at = At { states: [0.0; STATES], inputs: [0.0; INPUTS] };
                at.states[DOWN] = motion.position.z;
                at.states[U..U + 3].copy_from_slice(body.as_slice());
                let q = attitude.quaternion();
                at.states[QW..QW + 4].copy_from_slice(&[q.w, q.i, q.j, q.k]);
                at.states[P..P + 3].copy_from_slice(motion.rates.as_slice());
                at.states[FIRST_SERVO..].copy_from_slice(&own);
                for (n, input) in [AILERON, ELEVATOR, RUDDER, FLAP, THROTTLE].iter().enumerate() {
                    at.inputs[*input] = vehicle.commands()[n].limit(commands[n]);
                }
                at.inputs[WIND..WIND + 3].copy_from_slice(around.wind.as_slice());
                let states = (U..U + 3).chain(P..P + 3).chain(FIRST_SERVO..STATES);
                let ours = changes(&vehicle, &motion, &own, &commands, &around);
                for (state, ours) in states.zip(ours) {
                    let blocks = block.derivative(state, &at);
                    let near = 1e-11 * blocks.abs().max(10.0);
                    assert!((ours - blocks).abs() < near, "{name} {state}: {ours} {blocks}");
                }
            }
        }
    }

    #[test]
    fn trimmed_flight_is_steady() {
        let craft = vehicle("aerosonde").craft().clone();
        let wanted = Wanted {
            airspeed: 30.0,
            height: 200.0,
            path_angle: 0.0,
            gravity: Surroundings::default().gravity.z,
            charge: 1.0,
        };
        let (vehicle, motion, commands) = AircraftVehicle::trimmed(craft, &wanted).unwrap();
        let mut own = [0.0; NAMES.len()];
        vehicle.start(&mut own);
        let density = atmosphere::density(200.0);
        let around = Surroundings { density, ..Surroundings::default() };
        let all = changes(&vehicle, &motion, &own, &commands, &around);
        // All but the charge.
        assert!(all[..11].iter().all(|change| change.abs() < 1e-8), "{all:?}");
    }
}
