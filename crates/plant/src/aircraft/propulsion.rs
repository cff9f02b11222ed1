//! Motor, propeller and battery.
//!
//! ```text
//! brushless motor behind a speed controller with duty d (the throttle), K = 1 / kv:
//!   I   = (d V0 - K w) / (R + d² Rb)  >= 0        current of the motor; d I is that of the battery
//!   Qm  = K (I - I0),  Q0 = K I0                  torque, that of friction
//!   w'  = (Qm - Qp) / J
//! propeller, n = w / 2 pi:
//!   T   = rho n² D⁴ CT(Va / n D),  P = rho n³ D⁵ CP(Va / n D),  Qp = P / w
//! or T(w, Va) and P(w, Va) from a table for one density, scaled with the density
//! battery:
//!   s'  = -d I / C
//! ```
//!
//! An empty battery (s = 0) and a failed engine drive nothing; the propeller goes on to turn in the wind.
//!
//! R. W. Beard, T. W. McLain, "Small Unmanned Aircraft" (2012), 4.3, for the simplest kind: T = 1/2 rho
//! S C ((k d)² - Va²), without a motor of its own.

use std::f64::consts::TAU;

use ironbird_solvers::Number;

use super::table::{Grid, Line};
use super::vector::Vector;

/// What drives an aircraft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Propulsion {
    /// How thrust comes about.
    pub kind: Kind,
    /// Where the thrust acts, from the centre of mass: forward, starboard, down.
    pub position: Vector<f64>,
    /// The motor, where the kind has one.
    pub motor: Motor,
    /// Where its energy comes from.
    pub battery: Option<Battery>,
}

/// How thrust comes about.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    /// Not at all: a glider.
    #[default]
    None,
    /// A propeller by its coefficients.
    Propeller {
        /// D, m.
        diameter: f64,
        /// CT over the advance ratio.
        thrust: Line,
        /// CP over the advance ratio.
        power: Line,
    },
    /// A propeller by its maker's tables over shaft speed (rad/s) and airspeed (m/s).
    ThrustTable {
        /// N.
        thrust: Grid,
        /// W.
        power: Grid,
        /// The density of the tables, kg/m³.
        density: f64,
    },
    /// The book's: a disc that throws air backwards at the speed k d.
    Disc {
        /// S C, m².
        area: f64,
        /// k, m/s.
        constant: f64,
    },
}

/// A brushless motor and what turns with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    /// K, V s/rad = N m/A.
    pub constant: f64,
    /// R, Ohm.
    pub resistance: f64,
    /// I0, A.
    pub no_load_current: f64,
    /// J of motor and propeller, kg m².
    pub inertia: f64,
}

/// A battery.
#[derive(Clone, Debug, PartialEq)]
pub struct Battery {
    /// V0 over the state of charge, V.
    pub open_circuit: Line,
    /// Rb, Ohm.
    pub resistance: f64,
    /// C, As.
    pub capacity: f64,
}

/// What propulsion does at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Drive<N> {
    /// Forward, N.
    pub thrust: N,
    /// What the shaft does to the airframe about the forward axis, N m.
    pub torque: N,
    /// Angular momentum of what turns, about the forward axis, N m s.
    pub momentum: N,
    /// w'
    pub speed_rate: N,
    /// s'
    pub charge_rate: N,
}

impl<N: Number> Drive<N> {
    /// The thrust as a vector in the body.
    #[inline]
    pub fn along(&self) -> Vector<N> {
        [self.thrust, N::constant(0.0), N::constant(0.0)]
    }

    fn none() -> Self {
        let zero = N::constant(0.0);
        Drive { thrust: zero, torque: zero, momentum: zero, speed_rate: zero, charge_rate: zero }
    }
}

/// What propulsion depends on.
#[derive(Clone, Copy, Debug)]
pub struct Flow<N> {
    /// kg/m³.
    pub density: N,
    /// Speed of the air along the axis of the propeller, m/s.
    pub airspeed: N,
    /// Motor and battery.
    pub shaft: Shaft<N>,
}

/// The state of motor and battery.
#[derive(Clone, Copy, Debug)]
pub struct Shaft<N> {
    /// From 0 to 1.
    pub throttle: N,
    /// rad/s.
    pub motor_speed: N,
    /// State of charge, 1 when full.
    pub charge: N,
    /// Whether nothing follows the throttle.
    pub failed: bool,
}

/// Below this speed of the shaft (rad/s) a propeller does nothing.
const STANDSTILL: f64 = 1.0;

impl Propulsion {
    /// Whether it has a shaft whose speed is a state.
    pub fn has_motor(&self) -> bool {
        matches!(self.kind, Kind::Propeller { .. } | Kind::ThrustTable { .. })
    }

    /// Thrust (N) and power at the shaft (W).
    fn propeller<N: Number>(&self, flow: &Flow<N>) -> (N, N) {
        let zero = N::constant(0.0);
        match &self.kind {
            Kind::None => (zero, zero),
            Kind::Disc { area, constant } => {
                let out = flow.shaft.throttle * *constant;
                let difference = out * out - flow.airspeed * flow.airspeed;
                let thrust = flow.density * difference * (0.5 * area);
                (thrust, thrust * (out + flow.airspeed) * 0.5)
            }
            _ if flow.shaft.motor_speed.value() < STANDSTILL => (zero, zero),
            Kind::Propeller { diameter, thrust, power } => {
                let turns = flow.shaft.motor_speed * (1.0 / TAU);
                let tip = turns * *diameter;
                let advance = flow.airspeed / tip;
                // rho n² D²
                let pressure = flow.density * tip * tip;
                let square = diameter * diameter;
                (
                    pressure * thrust.at(advance) * square,
                    pressure * tip * power.at(advance) * square,
                )
            }
            Kind::ThrustTable { thrust, power, density } => {
                let scale = flow.density * (1.0 / density);
                let at = |table: &Grid| table.at(flow.shaft.motor_speed, flow.airspeed) * scale;
                (at(thrust), at(power))
            }
        }
    }

    /// Whether anything follows the throttle.
    fn works<N: Number>(&self, shaft: &Shaft<N>) -> bool {
        let is_empty = self.battery.is_some() && shaft.charge.value() <= 0.0;
        !shaft.failed && !is_empty
    }

    /// What it does.
    #[inline]
    pub fn drive<N: Number>(&self, flow: &Flow<N>) -> Drive<N> {
        let works = self.works(&flow.shaft);
        // A disc that nothing drives neither pulls nor brakes.
        if matches!(self.kind, Kind::None) || (!works && !self.has_motor()) {
            return Drive::none();
        }
        let (thrust, power) = self.propeller(flow);
        if !self.has_motor() {
            let charge_rate = self.drained(flow, power);
            return Drive { thrust, charge_rate, ..Drive::none() };
        }
        let Motor { constant, resistance, no_load_current, inertia } = self.motor;
        let (voltage, inner) = match &self.battery {
            Some(battery) => (battery.open_circuit.at(flow.shaft.charge), battery.resistance),
            None => (N::constant(0.0), 0.0),
        };
        let duty = if works { flow.shaft.throttle } else { N::constant(0.0) };
        let driving = duty * voltage - flow.shaft.motor_speed * constant;
        let current = match driving.value() > 0.0 {
            true => driving / (duty * duty * inner + resistance),
            // The speed controller does not brake.
            false => N::constant(0.0),
        };
        // Friction holds a shaft that stands, and does not turn it backwards.
        let turns = flow.shaft.motor_speed.value() > STANDSTILL;
        let friction = if turns { constant * no_load_current } else { 0.0 };
        let shaft = current * constant - friction;
        let load = if turns { power / flow.shaft.motor_speed } else { N::constant(0.0) };
        let charge_rate = match &self.battery {
            Some(battery) => duty * current * (-1.0 / battery.capacity),
            None => N::constant(0.0),
        };
        Drive {
            thrust,
            torque: -shaft,
            momentum: flow.shaft.motor_speed * inertia,
            speed_rate: (shaft - load) * (1.0 / inertia),
            charge_rate,
        }
    }

    /// s' of a battery that delivers this power without losses.
    fn drained<N: Number>(&self, flow: &Flow<N>, power: N) -> N {
        match &self.battery {
            Some(battery) if power.value() > 0.0 => {
                power / battery.open_circuit.at(flow.shaft.charge) * (-1.0 / battery.capacity)
            }
            _ => N::constant(0.0),
        }
    }
}
