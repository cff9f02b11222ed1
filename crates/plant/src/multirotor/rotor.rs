//! A rotor: where it is, how it turns, and what it does to the body.
//!
//! ```text
//! force    F = (k_T ω² n - ω (c_d v⊥ + c_i v∥)) ρ/ρ₀        at its place; the first part times the ground effect
//! moment   M = (-s k_M ω² n - ω c_r v⊥) ρ/ρ₀ - s J ω' n - s J ω Ω × n
//! motor    ω' = (ω_wanted - ω) / τ                           τ up or τ down
//! ```
//!
//! n is the direction of its thrust, v its velocity through the air and v∥, v⊥ the parts along and across n, Ω the
//! angular velocity of the body, ρ₀ = 1.225 kg/m³; s is 1 for a rotor that turns counter-clockwise as seen from
//! where its thrust points to, -1 for a clockwise one.
//!
//! k_T ω² and k_M ω²: momentum theory of a hovering rotor. c_d (drag of the rotor, "H-force") and c_r (rolling moment):
//! P. Martin, E. Salaün, The True Role of Accelerometer Feedback in Quadrotor Control, ICRA 2010; with these names they
//! are in Gazebo's MulticopterMotorModel. c_i: thrust falls with the speed of the inflow, linearly about hovering
//! (J. G. Leishman, Principles of Helicopter Aerodynamics, 2006, 2.14 and 3.2). The last terms of M are the reaction to
//! a rotor's acceleration and its gyroscopic moment.

use nalgebra::Vector3;

/// How a rotor turns, as seen from where its thrust points to: from above, for most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// As the hands of a clock: the body is turned counter-clockwise.
    Clockwise,
    /// Against the hands of a clock: the body is turned clockwise, which is a positive yaw.
    #[default]
    CounterClockwise,
}

impl Turns {
    /// s of the module: 1 for counter-clockwise.
    pub fn sign(self) -> f64 {
        match self {
            Turns::Clockwise => -1.0,
            Turns::CounterClockwise => 1.0,
        }
    }

    /// The other way round.
    pub fn opposite(self) -> Self {
        match self {
            Turns::Clockwise => Turns::CounterClockwise,
            Turns::CounterClockwise => Turns::Clockwise,
        }
    }
}

/// One rotor with its motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotor {
    /// Its hub, from the centre of mass, in m: forward, starboard, down.
    pub at: Vector3<f64>,
    /// The direction of its thrust, of length 1.
    pub axis: Vector3<f64>,
    /// How it turns.
    pub turns: Turns,
    /// Thrust over the square of its speed at 1.225 kg/m³, in N s²/rad².
    pub thrust: f64,
    /// Torque of its drag over the square of its speed, in N m s²/rad².
    pub torque: f64,
    /// Moment of inertia of all that turns, about its axis, in kg m².
    pub inertia: f64,
    /// Force against air that crosses its disk, over its speed and that of the air, in N s²/m.
    pub drag: f64,
    /// Moment about the direction of air that crosses its disk, over the same, in N s².
    pub rolling: f64,
    /// Thrust lost over its speed and that of the air against its thrust, in N s²/m.
    pub inflow: f64,
    /// Radius of its disk in m, for the ground effect; where it is zero, the ground has none.
    pub radius: f64,
    /// Time constant of its motor while the speed rises, in s.
    pub rise: f64,
    /// Time constant while the speed falls, in s.
    pub fall: f64,
    /// Its highest speed in rad/s.
    pub fastest: f64,
}

/// A small ideal one: thrust upwards from the centre of mass.
impl Default for Rotor {
    fn default() -> Self {
        Rotor {
            at: Vector3::zeros(),
            axis: -Vector3::z(),
            turns: Turns::default(),
            thrust: 1e-5,
            torque: 0.0,
            inertia: 0.0,
            drag: 0.0,
            rolling: 0.0,
            inflow: 0.0,
            radius: 0.0,
            rise: 0.02,
            fall: 0.02,
            fastest: 1000.0,
        }
    }
}

impl Rotor {
    /// `count` such rotors in a ring about the centre of mass, clockwise as seen from above, that turn in turns.
    ///
    /// The first lies in the direction `first` (from forward to starboard, in rad) and turns as this one does, all
    /// `arm` from the axis downwards and as high as this one.
    pub fn ring(&self, count: usize, arm: f64, first: f64) -> Vec<Rotor> {
        let place = |number: usize| {
            let angle = first + core::f64::consts::TAU * number as f64 / count as f64;
            // What is meant to lie on an axis does.
            let exact = |part: f64| if part.abs() < 1e-12 { 0.0 } else { part };
            let (north, east) = (exact(libm::cos(angle)), exact(libm::sin(angle)));
            let turns = if number.is_multiple_of(2) { self.turns } else { self.turns.opposite() };
            let at = Vector3::new(arm * north, arm * east, self.at.z);
            Rotor { at, turns, ..*self }
        };
        (0..count).map(place).collect()
    }

    /// Force and moment about the centre of mass over the square of its speed, at 1.225 kg/m³.
    pub fn effect(&self) -> (Vector3<f64>, Vector3<f64>) {
        let force = self.thrust * self.axis;
        let moment = self.at.cross(&force) - self.turns.sign() * self.torque * self.axis;
        (force, moment)
    }

    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        let above = [
            ("thrust", self.thrust),
            ("max_speed", self.fastest),
            ("rise", self.rise),
            ("fall", self.fall),
        ];
        for (name, value) in above {
            if !(value > 0.0 && value.is_finite()) {
                return Err(format!("\"{name}\" must be above zero"));
            }
        }
        let known = [
            ("torque", self.torque),
            ("inertia", self.inertia),
            ("drag", self.drag),
            ("rolling_moment", self.rolling),
            ("inflow", self.inflow),
            ("radius", self.radius),
        ];
        for (name, value) in known {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!("\"{name}\" must be zero or more"));
            }
        }
        let at = self.at.iter().all(|part| part.is_finite());
        let unit = (self.axis.norm() - 1.0).abs() < 1e-9;
        if !at || !unit {
            return Err("a rotor needs a place and an axis of length 1".into());
        }
        Ok(())
    }
}
