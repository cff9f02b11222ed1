//! A multirotor as forces.
//!
//! The sum of what its rotors do (`rotor.rs`, near the ground `ground_effect.rs`), the drag of its body and the momentum
//! of rain. The body's drag along each of its axes is
//!
//! ```text
//! F = -(b₁ + b₂ |v| ρ/ρ₀) v
//! ```
//!
//! Pressure drag goes with the density and the square of the speed. What is linear in the speed is friction, μ v L by
//! its dimensions, and does not depend on the density (G. K. Batchelor, An Introduction to Fluid Dynamics, 1967, 4.9).
//!
//! The trim is a moment that is always there: of rotors that have worn each in its own way, of a battery that sits askew.
//!
//! Where all rotors point up, lie in one plane and are alike (most vehicles), the parts linear in the speeds are taken
//! from sums Σω, Σωx, Σωy, Σωx², Σωxy, Σωy² over rotors: with z the height of the plane and a = (c_d, c_d, c_i)
//!
//! ```text
//! F = -Σ ω a∘(v + Ω × p)                 M = -Σ ω p × (a∘(v + Ω × p))                 p = (x, y, z)
//! ```

use ironbird_component::scenery::{Body, BodyKind, Reading, Rotor as RotorLook};
use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::{Vector2, Vector3};

use super::drive::Drive;
use super::four::{Air, Four, FourAbreast};
use super::ground_effect::ground_effect;
use super::rain;
use super::rotor::{Rotor, Turns};
use super::warming::{WARMTH, Warmed, Warming};
use crate::rain::film_mass;
use crate::vehicle::abreast::{self, Riders};
use crate::vehicle::integrate::{Held, SolvedInertia};
use crate::vehicle::{Inertia, Surroundings, Vehicle};

/// Rotors that a multirotor may have at most.
pub const MOST_ROTORS: usize = 16;

/// Density of air to which coefficients of rotors and drag belong, in kg/m³.
pub(super) const STANDARD_DENSITY: f64 = 1.225;

/// All that is said of a multirotor.
#[derive(Clone, Debug, PartialEq)]
pub struct MultirotorParts {
    /// Its name.
    pub name: String,
    /// Where its numbers come from.
    pub source: String,
    /// Mass and inertia, rotors included.
    pub inertia: Inertia,
    /// Its rotors.
    pub rotors: Vec<Rotor>,
    /// What commands mean.
    pub drive: Drive,
    /// Drag of the body over its speed along each axis, in N s/m; the same in thin air.
    pub linear_drag: Vector3<f64>,
    /// Drag over the square of it at 1.225 kg/m³, in N s²/m².
    pub quadratic_drag: Vector3<f64>,
    /// Area that it shows to rain, in m².
    pub rain_area: f64,
    /// A moment that always acts on it, in N m, in the body.
    pub trim: Vector3<f64>,
    /// How motors slow down as they grow warm; none of those that do not.
    pub warming: Option<Warming>,
}

/// A multirotor as forces.
#[derive(Clone, Debug)]
pub struct Multirotor {
    parts: MultirotorParts,
    commands: Vec<Channel>,
    states: Vec<String>,
    motors: Vec<Motor>,
    /// Factor of a command beside the voltage, and the polynomial of speeds.
    scale: f64,
    curve: [f64; 3],
    drags: bool,
    trims: bool,
    warming: Option<Warmed>,
    alike: Option<Plane>,
    /// The short way: four rotors that are alike, in air that does not matter to them.
    four: Option<Four>,
}

/// What is needed of each rotor at each evaluation.
#[derive(Clone, Copy, Debug)]
struct Motor {
    /// Over the square of its speed: force down, moments.
    squared: [f64; 4],
    /// Over its speed: 1, x, y and angular momentum along the axis of thrust.
    first: [f64; 4],
    /// Over its speed: x², x y, y².
    second: [f64; 4],
    faster: f64,
    slower: f64,
    fastest: f64,
}

/// What drives all motors.
#[derive(Clone, Copy)]
struct Supply {
    /// Makes a command what the curve of speeds is over.
    scale: f64,
    /// The part of their speed that warm motors still reach.
    left: f64,
}

/// What rotors that are alike share.
#[derive(Clone, Copy, Debug)]
struct Plane {
    down: f64,
    radius: f64,
    drag: f64,
    rolling: f64,
    inflow: f64,
    /// Whether air that crosses or passes the disks matters.
    crosses: bool,
}

impl Multirotor {
    /// Checks and prepares it.
    pub fn new(parts: MultirotorParts) -> Result<Self, String> {
        SolvedInertia::new(&parts.inertia).map_err(|problem| problem.to_string())?;
        let count = parts.rotors.len();
        if !(1..=MOST_ROTORS).contains(&count) {
            return Err(format!("{count} rotors: there must be 1 to {MOST_ROTORS}"));
        }
        for (number, rotor) in parts.rotors.iter().enumerate() {
            rotor.check().map_err(|why| format!("rotor {}: {why}", number + 1))?;
        }
        parts.drive.check()?;
        let drag = parts.linear_drag.iter().chain(&parts.quadratic_drag);
        if !drag.chain([&parts.rain_area]).all(|part| *part >= 0.0 && part.is_finite()) {
            return Err("drag and area must be zero or more".into());
        }
        if !parts.trim.iter().all(|part| part.is_finite()) {
            return Err("the trim must be three numbers".into());
        }
        let warming = parts.warming.map(|warming| warming.of(&parts)).transpose()?;
        let (scale, curve) = parts.drive.polynomial();
        let drags =
            parts.linear_drag != Vector3::zeros() || parts.quadratic_drag != Vector3::zeros();
        let trims = parts.trim != Vector3::zeros();
        let mut states: Vec<String> = (1..=count).map(|number| format!("speed_{number}")).collect();
        states.extend(warming.map(|_| WARMTH.to_owned()));
        Ok(Multirotor {
            commands: parts.drive.channels(parts.rotors.iter().map(|rotor| rotor.fastest)),
            states,
            motors: parts.rotors.iter().map(Motor::of).collect(),
            scale,
            curve,
            drags,
            trims,
            warming,
            alike: Plane::of(&parts.rotors),
            four: (!drags && !trims).then(|| Four::of(&parts)).flatten(),
            parts,
        })
    }

    /// All that is said of it.
    pub fn parts(&self) -> &MultirotorParts {
        &self.parts
    }

    /// The speeds at which its motors settle with such commands, as warm as they are, written to its states.
    pub fn settled(&self, commands: &[f64], own: &mut [f64]) {
        let supply = self.supply(commands, own);
        for ((speed, motor), command) in own.iter_mut().zip(&self.motors).zip(commands) {
            *speed = self.wanted(*command, supply, motor.fastest);
        }
    }

    #[inline(always)]
    fn supply(&self, commands: &[f64], own: &[f64]) -> Supply {
        let battery = commands.get(self.motors.len()).copied().unwrap_or(0.0);
        let left = match (&self.warming, own.get(self.motors.len())) {
            (Some(warming), Some(warmth)) => warming.left(*warmth),
            _ => 1.0,
        };
        Supply { scale: self.scale * self.parts.drive.felt(battery), left }
    }

    /// The speed that a command asks for; none for what is no number.
    #[inline(always)]
    fn wanted(&self, command: f64, supply: Supply, fastest: f64) -> f64 {
        let x = command * supply.scale;
        let [a0, a1, a2] = self.curve;
        let speed = if x > 0.0 { a0 + x * (a1 + x * a2) } else { 0.0 };
        (speed * supply.left).max(0.0).min(fastest)
    }

    /// How fast the speed of a motor changes.
    #[inline(always)]
    fn motor_rate(&self, motor: &Motor, speed: f64, command: f64, supply: Supply) -> f64 {
        let behind = self.wanted(command, supply, motor.fastest) - speed;
        behind * if behind > 0.0 { motor.faster } else { motor.slower }
    }

    /// Rotors that point up in one plane, and are alike.
    #[expect(clippy::too_many_arguments, reason = "all that acts on rotors")]
    #[inline(always)]
    fn plane(
        &self,
        plane: &Plane,
        air: &Vector3<f64>,
        turning: &Vector3<f64>,
        own: &[f64],
        commands: &[f64],
        rates: &mut [f64],
        around: &Surroundings,
    ) -> Wrench {
        let [mut squared, mut first, mut second] = [[0.0; 4]; 3];
        let mut reaction = 0.0;
        let supply = self.supply(commands, own);
        let each = self.motors.iter().zip(own).zip(commands).zip(rates);
        for (((motor, speed), command), rate) in each {
            *rate = self.motor_rate(motor, *speed, *command, supply);
            let square = speed * speed;
            for (sum, part) in squared.iter_mut().zip(&motor.squared) {
                *sum += part * square;
            }
            if plane.crosses {
                for n in 0..4 {
                    first[n] += motor.first[n] * speed;
                    second[n] += motor.second[n] * speed;
                }
            } else {
                first[3] += motor.first[3] * speed;
            }
            reaction += motor.first[3] * *rate;
        }
        let denser = around.density * (1.0 / STANDARD_DENSITY);
        let grown = denser * ground_effect(plane.radius, around.height - plane.down);
        if !plane.crosses {
            let (w, spin) = (turning, first[3]);
            return Wrench {
                force: Vector3::new(0.0, 0.0, squared[0] * grown),
                moment: Vector3::new(
                    squared[1] * grown + w.y * spin,
                    squared[2] * grown - w.x * spin,
                    denser * squared[3] + reaction,
                ),
            };
        }
        let ([s, sx, sy, spin], [xx, xy, yy, _]) = (first, second);
        let (z, w) = (plane.down, turning);
        // Σω (v + Ω × p), and the same across the axis times x and y; along it times x and y.
        let across =
            Vector2::new(s * (air.x + w.y * z) - w.z * sy, s * (air.y - w.x * z) + w.z * sx);
        let along = s * air.z + w.x * sy - w.y * sx;
        let along_y = sy * air.z + w.x * yy - w.y * xy;
        let along_x = sx * air.z + w.x * xy - w.y * xx;
        let across_yx = sx * (air.y - w.x * z) + w.z * xx - sy * (air.x + w.y * z) + w.z * yy;
        let [drag, rolling, inflow] = [plane.drag, plane.rolling, plane.inflow].map(|c| denser * c);
        Wrench {
            force: Vector3::new(
                -drag * across.x,
                -drag * across.y,
                squared[0] * grown - inflow * along,
            ),
            moment: Vector3::new(
                squared[1] * grown - inflow * along_y + (drag * z) * across.y - rolling * across.x
                    + w.y * spin,
                squared[2] * grown + inflow * along_x
                    - (drag * z) * across.x
                    - rolling * across.y
                    - w.x * spin,
                denser * squared[3] - drag * across_yx + reaction,
            ),
        }
    }

    #[inline(never)]
    fn rain(&self, motion: &RigidMotion, around: &Surroundings) -> Vector3<f64> {
        let down = around.gravity.try_normalize(0.0).unwrap_or_else(Vector3::z);
        let area = self.parts.rain_area;
        let mut force = rain::force(around.rain, area, &motion.velocity, &around.wind, &down);
        // The water on it weighs; it is too little to resist acceleration.
        force += around.gravity * film_mass(around.rain, area);
        motion.to_body(&force)
    }

    /// Rotors of any kind.
    #[inline(never)]
    fn one_by_one(
        &self,
        air: &Vector3<f64>,
        turning: &Vector3<f64>,
        own: &[f64],
        commands: &[f64],
        rates: &mut [f64],
        around: &Surroundings,
    ) -> Wrench {
        let mut wrench = Wrench::default();
        let supply = self.supply(commands, own);
        let each = self.motors.iter().zip(own).zip(commands).zip(rates.iter_mut());
        for (((motor, speed), command), rate) in each {
            *rate = self.motor_rate(motor, *speed, *command, supply);
        }
        let denser = around.density * (1.0 / STANDARD_DENSITY);
        for ((rotor, turns), rate) in self.parts.rotors.iter().zip(own).zip(rates.iter()) {
            let Rotor { at, axis, .. } = rotor;
            let through = air + turning.cross(at);
            let along = axis * through.dot(axis);
            let across = through - along;
            let (speed, square) = (denser * turns, denser * turns * turns);
            let grown = ground_effect(rotor.radius, around.height - at.z);
            let thrust = axis * (rotor.thrust * square * grown);
            wrench.push(thrust - (across * rotor.drag + along * rotor.inflow) * speed, at);
            let sign = rotor.turns.sign();
            let momentum = sign * rotor.inertia;
            wrench.moment -= axis * (sign * rotor.torque * square + momentum * rate)
                + across * (rotor.rolling * speed)
                + turning.cross(axis) * (momentum * turns);
        }
        wrench
    }
}

impl Motor {
    fn of(rotor: &Rotor) -> Self {
        let (force, moment) = rotor.effect();
        let (x, y) = (rotor.at.x, rotor.at.y);
        Motor {
            squared: [force.z, moment.x, moment.y, moment.z],
            first: [1.0, x, y, rotor.turns.sign() * rotor.inertia],
            second: [x * x, x * y, y * y, 0.0],
            faster: 1.0 / rotor.rise,
            slower: 1.0 / rotor.fall,
            fastest: rotor.fastest,
        }
    }
}

impl Plane {
    fn of(rotors: &[Rotor]) -> Option<Self> {
        let first = rotors.first()?;
        let alike = |rotor: &Rotor| {
            let of = |r: &Rotor| (r.at.z, r.axis, r.drag, r.rolling, r.inflow, r.radius);
            of(rotor) == of(first)
        };
        let shared = Plane {
            down: first.at.z,
            radius: first.radius,
            drag: first.drag,
            rolling: first.rolling,
            inflow: first.inflow,
            crosses: [first.drag, first.rolling, first.inflow] != [0.0; 3],
        };
        (first.axis == -Vector3::z() && rotors.iter().all(alike)).then_some(shared)
    }
}

impl Vehicle for Multirotor {
    fn inertia(&self) -> &Inertia {
        &self.parts.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn look(&self) -> Body {
        let rotors = self.parts.rotors.iter().zip(&self.states).map(|(rotor, speed)| RotorLook {
            position: rotor.at.into(),
            radius: rotor.radius,
            turns: if rotor.turns == Turns::Clockwise { 1 } else { -1 },
            speed: Some(Reading::output(speed)),
        });
        let reach = |axis: usize| {
            let hubs = self.parts.rotors.iter().map(|rotor| rotor.at[axis].abs() + rotor.radius);
            2.0 * hubs.fold(0.05, f64::max)
        };
        Body {
            kind: BodyKind::Multirotor,
            size: [reach(0), reach(1), 0.3 * reach(0)],
            rotors: rotors.collect(),
            ..Body::default()
        }
    }

    #[inline(always)]
    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        if let (Some(four), true) = (&self.four, around.rain == 0.0)
            && let (Ok(own), Ok(commands), Ok(rates)) =
                (own.try_into(), <[f64; 4]>::try_from(commands), rates.try_into())
        {
            let Surroundings { density, height, .. } = *around;
            let air = Air { commands, density, height };
            let (down, moment) = four.forces(&motion.rates, own, &air, rates);
            return Wrench { force: Vector3::new(0.0, 0.0, down), moment };
        }
        self.all_forces(motion, own, commands, around, rates)
    }

    #[inline(never)]
    fn advance_abreast(&self, mass: &SolvedInertia, riders: &mut Riders<'_>, h: f64) -> bool {
        let Some(flight) = self.abreast(mass, riders) else { return false };
        abreast::step::<4>(&flight, riders, h);
        true
    }

    #[inline(never)]
    fn change_abreast(&self, mass: &SolvedInertia, riders: &mut Riders<'_>) -> bool {
        let Some(flight) = self.abreast(mass, riders) else { return false };
        abreast::change::<4>(&flight, riders);
        true
    }
}

impl Multirotor {
    /// The short way for several: where each would take it alone.
    #[inline(always)]
    fn abreast<'a>(
        &'a self,
        mass: &'a SolvedInertia,
        riders: &Riders<'_>,
    ) -> Option<FourAbreast<'a>> {
        let (four, body) = (self.four.as_ref()?, mass.principal()?);
        let dry = riders.iter().all(|rider| {
            let Held { commands, around } = rider.held;
            around.rain == 0.0 && commands.len() == 4 && rider.own.len() == 4
        });
        dry.then(|| four.abreast(body, riders))
    }

    /// Whatever it is made of, and whatever the air does.
    #[inline(never)]
    fn all_forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        let needs_air = self.drags || self.alike.is_none_or(|plane| plane.crosses);
        let air = match needs_air {
            true => motion.to_body(&(motion.velocity - around.wind)),
            false => Vector3::zeros(),
        };
        let turning = &motion.rates;
        let mut wrench = match &self.alike {
            Some(plane) => self.plane(plane, &air, turning, own, commands, rates, around),
            None => self.one_by_one(&air, turning, own, commands, rates, around),
        };
        if self.drags {
            let MultirotorParts { linear_drag, quadratic_drag, .. } = &self.parts;
            let denser = around.density * (1.0 / STANDARD_DENSITY);
            let drag = linear_drag + quadratic_drag.component_mul(&air.abs()) * denser;
            wrench.force -= drag.component_mul(&air);
        }
        if around.rain > 0.0 {
            wrench.force += self.rain(motion, around);
        }
        if self.trims {
            wrench.moment += self.parts.trim;
        }
        let count = self.motors.len();
        if let (Some(warming), Some(warmth)) = (&self.warming, own.get(count)) {
            rates[count] = warming.rate(*warmth, &own[..count]);
        }
        wrench
    }
}
