//! Rovers on wheels as forces.
//!
//! ```text
//!   left, right        ┐             ┌─ motor ──► spin ┐
//!   or speed, steering ┴─ steering ──┴─ axis ──────────┴─► slip ─► tyre ┐
//!   ground: height and normal ─────────► load of each wheel ────────────┴─► force and moment
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `wheel.rs` | where a wheel touches, how it turns, its motor |
//! | `tyre.rs` | friction: combined slip, standstill, rain |
//! | `steering.rs` | differential, and Ackermann's geometry |
//! | `file.rs`, `presets/` | rovers from files, and some published ones |
//!
//! Numbers of its own: for each wheel with friction its speed, the bending of its bristles along and across and,
//! with a motor, the integral of that; and the angle of the steering.

mod file;
mod steering;
mod tyre;
mod wheel;

use ironbird_component::scenery::{Body, BodyKind, Reading, Wheel as WheelLook};
use ironbird_document::Problem;
use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::Vector3;

use crate::vehicle::{Inertia, Surroundings, Vehicle};
pub use steering::{Rack, Steering};
pub use tyre::{Grip, Tyre};
use wheel::{Ground, resistance};
pub use wheel::{Motor, Wheel};

/// What a rover is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// What resists acceleration, with the wheels.
    pub inertia: Inertia,
    /// As many as [`MOST_STATES`](crate::vehicle::MOST_STATES) lets there be.
    pub wheels: Vec<Wheel>,
    /// The same for all wheels.
    pub tyre: Tyre,
    /// The same for all driven wheels.
    pub motor: Motor,
    /// How it is steered.
    pub steering: Steering,
    /// Area times drag coefficient in air, m².
    pub drag_area: f64,
}

/// A rover.
#[derive(Clone, Debug)]
pub struct Rover {
    parts: Parts,
    /// Where the numbers of each wheel begin.
    first: Vec<Option<usize>>,
    /// J_e of each wheel, 0 where no motor drives it.
    driven: Vec<f64>,
    names: Vec<String>,
    commands: Vec<Channel>,
    /// How far the springs give way under the weight, m.
    sag: f64,
}

impl Rover {
    /// A rover of these parts, or what is wrong with them.
    pub fn new(parts: Parts) -> Result<Self, String> {
        let motors = parts.wheels.iter().filter(|wheel| wheel.is_driven).count();
        if motors == 0 {
            return Err("a rover has at least one driven wheel".into());
        }
        if let Some(wheel) = parts.wheels.iter().find(|w| w.is_driven && !w.has_friction) {
            let [x, y, _] = <[f64; 3]>::from(wheel.place);
            return Err(format!("the wheel at {x} m, {y} m is driven, but has no friction"));
        }
        let mut first = Vec::new();
        let mut names = Vec::new();
        let mut driven = Vec::new();
        for (n, wheel) in parts.wheels.iter().enumerate() {
            first.push(wheel.has_friction.then_some(names.len()));
            let square = wheel.radius * wheel.radius;
            let moved = wheel.inertia + parts.inertia.mass * square / motors as f64;
            driven.push(if wheel.is_driven { moved } else { 0.0 });
            let own = ["speed", "bend_along", "bend_across", "motor_integral"];
            let own = match (wheel.has_friction, wheel.is_driven) {
                (false, _) => &own[..0],
                (true, false) => &own[..3],
                (true, true) => &own[..],
            };
            names.extend(own.iter().map(|name| format!("wheel_{n}_{name}")));
        }
        if matches!(parts.steering, Steering::Ackermann(_)) {
            names.push("steering".into());
        }
        if names.len() > crate::vehicle::MOST_STATES {
            return Err(format!(
                "{} wheels have {} numbers of their own: a vehicle may have {} at most; leave \
                 wheels out, or let some be without friction",
                parts.wheels.len(),
                names.len(),
                crate::vehicle::MOST_STATES
            ));
        }
        let springs: f64 = parts.wheels.iter().map(|wheel| wheel.spring).sum();
        let sag = parts.inertia.mass * ironbird_kinematics::STANDARD_GRAVITY / springs;
        let widest = parts.wheels.iter().filter(|wheel| wheel.is_driven);
        let widest = widest.fold(0.0, |widest: f64, wheel| widest.max(wheel.radius));
        let turning = parts.motor.speed;
        let commands = steering::channels(&parts.steering, turning, turning * widest);
        Ok(Rover { parts, first, driven, names, commands, sag })
    }

    /// The skid-steered r1_rover of PX4's models: 21.7 kg, four driven wheels.
    pub fn r1() -> Result<Self, Problem> {
        file::preset("r1-rover", include_str!("presets/r1-rover.toml"))
    }

    /// The rover_differential of PX4's models: 8 kg, two driven wheels, two casters.
    pub fn differential() -> Result<Self, Problem> {
        file::preset("rover-differential", include_str!("presets/rover-differential.toml"))
    }

    /// The rover_ackermann of PX4's models: 3.2 kg, four driven wheels, the front ones steered.
    pub fn ackermann() -> Result<Self, Problem> {
        file::preset("rover-ackermann", include_str!("presets/rover-ackermann.toml"))
    }

    /// What it is made of.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The height of its centre of mass above level ground at which the springs carry its weight, in m.
    pub fn resting_height(&self) -> f64 {
        let wheels = &self.parts.wheels;
        let springs: f64 = wheels.iter().map(|wheel| wheel.spring).sum();
        let reach = |wheel: &Wheel| wheel.spring * (wheel.place.z + wheel.radius);
        wheels.iter().map(reach).sum::<f64>() / springs - self.sag
    }

    /// The speed that is wanted of a wheel, rad/s.
    #[inline]
    fn wanted(&self, wheel: &Wheel, commands: &[f64], turned: (f64, f64)) -> f64 {
        let told = |n: usize| self.commands[n].limit(commands[n]);
        match &self.parts.steering {
            Steering::Differential if wheel.place.y < 0.0 => told(0),
            Steering::Differential => told(1),
            Steering::Ackermann(rack) => rack.speed(wheel, turned) * told(0) / wheel.radius,
        }
    }
}

impl Vehicle for Rover {
    fn inertia(&self) -> &Inertia {
        &self.parts.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn states(&self) -> &[String] {
        &self.names
    }

    fn look(&self) -> Body {
        let steers = matches!(self.parts.steering, Steering::Ackermann(_));
        let wheels = self.parts.wheels.iter().map(|wheel| WheelLook {
            position: wheel.place.into(),
            radius: wheel.radius,
            steer: (steers && wheel.is_steered).then(|| Reading::output("steering")),
        });
        Body { kind: BodyKind::Rover, wheels: wheels.collect(), ..Body::default() }
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        let parts = &self.parts;
        let ground = Ground {
            normal: motion.to_body(&around.ground_normal),
            clearance: -around.height * around.ground_normal.z,
        };
        let velocity = motion.to_body(&motion.velocity);
        let air = motion.to_body(&around.wind) - velocity;
        let mut wrench = Wrench::default();
        wrench.force += air * (0.5 * around.density * parts.drag_area * air.norm());
        let mut turned = (0.0, 1.0);
        if let Steering::Ackermann(rack) = &parts.steering {
            let last = own.len() - 1;
            turned = libm::sincos(own[last]);
            rates[last] = rack.turning(self.commands[1].limit(commands[1]), own[last]);
        }
        for (n, wheel) in parts.wheels.iter().enumerate() {
            let axis = match &parts.steering {
                Steering::Ackermann(rack) if wheel.is_steered => rack.axis(wheel, turned),
                _ => Vector3::y(),
            };
            let contact = wheel.contact(&ground, &axis, &velocity, &motion.rates, self.sag);
            if let Some(contact) = &contact {
                wrench.push(ground.normal * contact.load, &contact.point);
            }
            let Some(first) = self.first[n] else { continue };
            let (spin, bend) = (own[first], [own[first + 1], own[first + 2]]);
            let rolling = spin * wheel.radius;
            // What the ground does to the turning of the wheel, N m.
            let mut load = 0.0;
            let bending = match &contact {
                None => Tyre::straighten(bend),
                Some(contact) => {
                    let slip = [contact.velocity[0] - rolling, contact.velocity[1]];
                    let grip = parts.tyre.grip(slip, bend, rolling, around.rain);
                    let [along, across] = grip.force.map(|part| part * contact.load);
                    let force = contact.along * along + contact.across * across;
                    wrench.push(force, &contact.point);
                    let resists = resistance(wheel, &parts.tyre, contact.load, rolling);
                    wrench.moment += axis * resists;
                    load = wheel.radius * along + resists;
                    grip.rates
                }
            };
            let mut torque = 0.0;
            if wheel.is_driven {
                let wanted = self.wanted(wheel, commands, turned);
                let [drive, integral] =
                    parts.motor.torque(wanted, spin, own[first + 3], self.driven[n]);
                (torque, rates[first + 3]) = (drive, integral);
            }
            let spin_rate = (torque - load) / wheel.inertia;
            rates[first] = spin_rate;
            rates[first + 1..first + 3].copy_from_slice(&bending);
            // The wheel turns about -axis: what its angular momentum gains or is turned by, the body loses.
            wrench.moment += axis * (wheel.inertia * spin_rate)
                + motion.rates.cross(&axis) * (wheel.inertia * spin);
        }
        wrench
    }
}
