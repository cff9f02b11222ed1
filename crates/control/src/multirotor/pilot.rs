//! The inner loop of a multirotor.
//!
//! ```text
//! v* = k_p (p* - p)                                       limited in size
//! a* = k_v (v* - v + k_vi ∫ (v* - v))
//! f* = m (a* - g)                                         upwards, tilted no more than the limit
//! R* from the directions of f* and yaw*                   T = f* · up of the body
//! Ω* = 2 k_θ sgn(w) (x, y, z)        (w, x, y, z) = q⁻¹ q*
//! M  = J (k_ω (Ω* - Ω + k_ωi ∫ (Ω* - Ω))) + Ω × J Ω
//! ```
//!
//! Cascade and quaternion error: D. Brescianini, M. Hehn, R. D'Andrea, Nonlinear Quadrocopter Attitude Control, ETH
//! Zürich, 2013. Integrals stop where what they lead to is limited.

use ironbird_kinematics::{Channel, RigidMotion, STANDARD_GRAVITY};
use ironbird_plant::multirotor::{Drive, Multirotor};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::gains::Gains;
use super::mixer::{Demand, Mixer};
use crate::inner_loop::InnerLoop;

/// What a pilot is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Where to be: north, east, down, yaw.
    #[default]
    Position,
    /// How fast to move: velocity north, east, down; yaw.
    Velocity,
    /// Roll, pitch, yaw, and thrust over weight.
    Attitude,
}

/// Flies a multirotor.
#[derive(Clone, Debug)]
pub struct MultirotorPilot {
    mode: Mode,
    gains: Gains,
    mass: f64,
    tensor: Matrix3<f64>,
    mixer: Mixer,
    drive: Drive,
    voltage: f64,
    fastest: Vec<f64>,
    most_thrust: f64,
    set_points: Vec<Channel>,
}

/// Integrals: of velocity in m, of rates in rad.
const STATES: usize = 6;
/// What integrals can be at most: in m/s over the velocity, in rad/s over the rates.
const MOST_INTEGRAL: [f64; 2] = [3.0, 1.0];

impl MultirotorPilot {
    /// The pilot of a vehicle, with gains that follow from its motors.
    pub fn new(craft: &Multirotor, mode: Mode) -> Result<Self, String> {
        let gains = Gains::of(craft.parts());
        MultirotorPilot::with_gains(craft, mode, gains)
    }

    /// The same with other gains.
    pub fn with_gains(craft: &Multirotor, mode: Mode, gains: Gains) -> Result<Self, String> {
        let parts = craft.parts();
        let most = |rotor: &ironbird_plant::multirotor::Rotor| {
            -rotor.axis.z * rotor.thrust * rotor.fastest * rotor.fastest
        };
        let voltage = if let Drive::Pwm { voltage, .. } = parts.drive { voltage } else { 1.0 };
        Ok(MultirotorPilot {
            mode,
            gains,
            mass: parts.inertia.mass,
            tensor: parts.inertia.tensor,
            mixer: Mixer::new(parts)?,
            drive: parts.drive,
            voltage,
            fastest: parts.rotors.iter().map(|rotor| rotor.fastest).collect(),
            most_thrust: parts.rotors.iter().map(most).sum(),
            set_points: channels(mode),
        })
    }

    /// Its gains.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// The force that the rotors are to give, in north, east, down, from a wanted velocity.
    fn wanted_force(
        &self,
        period: f64,
        velocity: &Vector3<f64>,
        wanted: &Vector3<f64>,
        integral: &mut Vector3<f64>,
    ) -> Vector3<f64> {
        let Gains { velocity: gain, velocity_integral, tilt, .. } = self.gains;
        let behind = wanted - velocity;
        let kept = *integral;
        *integral += behind * (period * velocity_integral);
        for part in integral.iter_mut() {
            *part = part.clamp(-MOST_INTEGRAL[0], MOST_INTEGRAL[0]);
        }
        let weight = self.mass * STANDARD_GRAVITY;
        let mut force = (behind + *integral) * (gain * self.mass);
        // Upwards: from a third of the weight, so that there is something to tilt, to nearly all there is.
        let up = (weight - force.z).clamp(weight / 3.0, (0.9 * self.most_thrust).max(weight / 3.0));
        if up != weight - force.z {
            integral.z = kept.z;
        }
        let aside = force.xy().norm();
        let most = tilt * up;
        if aside > most {
            force.x *= most / aside;
            force.y *= most / aside;
            (integral.x, integral.y) = (kept.x, kept.y);
        }
        Vector3::new(force.x, force.y, -up)
    }

    /// Rates that lead to an attitude.
    fn wanted_rates(&self, from: &UnitQuaternion<f64>, to: &UnitQuaternion<f64>) -> Vector3<f64> {
        let turn = from.inverse() * to;
        let side = if turn.w < 0.0 { -2.0 } else { 2.0 };
        let rates = turn.imag() * (side * self.gains.attitude);
        let [level, vertical] = self.gains.turning;
        let (tilting, yawing) = (rates.xy().norm(), rates.z.clamp(-vertical, vertical));
        let less = if tilting > level { level / tilting } else { 1.0 };
        Vector3::new(rates.x * less, rates.y * less, yawing)
    }
}

/// The attitude whose upward axis points along a force, with a heading.
fn attitude_along(force: &Vector3<f64>, yaw: f64) -> UnitQuaternion<f64> {
    // The force is never without its upward part.
    let down = -force.normalize();
    let (sine, cosine) = libm::sincos(yaw);
    let starboard = down.cross(&Vector3::new(cosine, sine, 0.0)).normalize();
    let forward = starboard.cross(&down);
    let turned = Matrix3::from_columns(&[forward, starboard, down]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned))
}

/// A vector cut to a length.
fn no_longer(vector: Vector3<f64>, [level, vertical]: [f64; 2]) -> Vector3<f64> {
    let aside = vector.xy().norm();
    let less = if aside > level { level / aside } else { 1.0 };
    Vector3::new(vector.x * less, vector.y * less, vector.z.clamp(-vertical, vertical))
}

fn channels(mode: Mode) -> Vec<Channel> {
    let channel = |name: &str, unit, most: f64, rest, doc| Channel {
        name: name.into(),
        unit,
        range: (-most, most),
        rest,
        doc,
    };
    let yaw = channel("yaw", "rad", 1e6, 0.0, "Heading, from north to east.");
    match mode {
        Mode::Position => vec![
            channel("north", "m", 1e7, 0.0, "Place to the north."),
            channel("east", "m", 1e7, 0.0, "Place to the east."),
            channel("down", "m", 1e7, 0.0, "Place downwards."),
            yaw,
        ],
        Mode::Velocity => vec![
            channel("velocity_north", "m/s", 1e3, 0.0, "Velocity to the north."),
            channel("velocity_east", "m/s", 1e3, 0.0, "Velocity to the east."),
            channel("velocity_down", "m/s", 1e3, 0.0, "Velocity downwards."),
            yaw,
        ],
        Mode::Attitude => vec![
            channel("roll", "rad", 1.4, 0.0, "Roll: starboard down."),
            channel("pitch", "rad", 1.4, 0.0, "Pitch: nose up."),
            yaw,
            Channel {
                range: (0.0, 10.0),
                ..channel("thrust", "1", 10.0, 1.0, "Thrust over weight.")
            },
        ],
    }
}

impl InnerLoop for MultirotorPilot {
    fn set_points(&self) -> &[Channel] {
        &self.set_points
    }

    fn states(&self) -> usize {
        STATES
    }

    fn step(
        &self,
        period: f64,
        motion: &RigidMotion,
        set_points: &[f64],
        own: &mut [f64],
        commands: &mut [f64],
    ) {
        let mut told = [0.0; 4];
        for ((told, channel), given) in told.iter_mut().zip(&self.set_points).zip(set_points) {
            *told = channel.limit(*given);
        }
        let [velocity_part, rates_part] =
            [0, 3].map(|at| Vector3::new(own[at], own[at + 1], own[at + 2]));
        let (mut slow, mut fast) = (velocity_part, rates_part);
        let (force, attitude) = if self.mode == Mode::Attitude {
            let [roll, pitch, yaw, thrust] = told;
            let attitude = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
            (thrust * self.mass * STANDARD_GRAVITY, attitude)
        } else {
            let told_vector = Vector3::new(told[0], told[1], told[2]);
            let velocity = if self.mode == Mode::Position {
                no_longer((told_vector - motion.position) * self.gains.position, self.gains.speed)
            } else {
                told_vector
            };
            let force = self.wanted_force(period, &motion.velocity, &velocity, &mut slow);
            let up = motion.to_ned(&-Vector3::z());
            (force.dot(&up).max(0.0), attitude_along(&force, told[3]))
        };
        let wanted = self.wanted_rates(&motion.attitude, &attitude);
        let behind = wanted - motion.rates;
        fast += behind * (period * self.gains.rates_integral);
        for part in fast.iter_mut() {
            *part = part.clamp(-MOST_INTEGRAL[1], MOST_INTEGRAL[1]);
        }
        let angular = (behind + fast) * self.gains.rates;
        let momentum = self.tensor * motion.rates;
        let moment = self.tensor * angular + motion.rates.cross(&momentum);
        let (squares, _) = self.mixer.mix(&Demand { thrust: force, moment });
        let count = self.mixer.rotors();
        let voltage = commands.get(count).copied().filter(|v| *v > 0.0).unwrap_or(self.voltage);
        let each = commands.iter_mut().zip(&squares[..count]).zip(&self.fastest);
        for ((command, square), fastest) in each {
            *command = self.drive.command(square.sqrt(), *fastest, voltage);
        }
        own[..3].copy_from_slice(slow.as_slice());
        own[3..6].copy_from_slice(fast.as_slice());
    }
}
