//! What sensors on bodies see.
//!
//! | file | holds |
//! |---|---|
//! | `fan.rs` | the angles of beams |
//! | `noise.rs` | the errors of a measurement |
//! | `reading.rs` | what each kind measures |

mod fan;
mod noise;
mod reading;

use nalgebra::{Isometry3, Vector3};

pub use fan::Fan;
pub use noise::Noise;
pub(crate) use noise::NoiseState;
pub(crate) use reading::{Reading, View, air_at, read};

/// A sensor on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorPlan {
    /// Its name; that of its port.
    pub name: String,
    /// How often it measures, in Hz; at every step of the world where it is infinite.
    pub rate: f64,
    /// The link of an articulated body that it is on; 0 on all others.
    pub link: usize,
    /// Where it is on the body, from the centre of mass, or in the frame of its link where that is not the first; and
    /// how it is turned.
    pub pose: Isometry3<f64>,
    /// What it measures.
    pub kind: SensorKind,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// Angular velocity in rad/s, about its own axes.
    Gyroscope([Noise; 3]),
    /// Specific force in m/s², along its own axes, at its place: what turns, feels it.
    Accelerometer([Noise; 3]),
    /// The magnetic field in T, along its own axes.
    Magnetometer([Noise; 3]),
    /// Place in m: north, east, down.
    Position([Noise; 3]),
    /// Velocity over ground in m/s: north, east, down.
    Velocity([Noise; 3]),
    /// Pressure of the air in Pa.
    Barometer(Noise),
    /// Temperature of the air in K.
    Thermometer(Noise),
    /// Height above the origin in m.
    Altimeter(Noise),
    /// Speed of the air along its own x in m/s, as a pitot tube takes it.
    Airspeed(Noise),
    /// Distance along its own x in m.
    Range {
        /// The shortest and the longest distance in m.
        within: (f64, f64),
        /// The whole angle of the beam in rad: the nearest of several rays counts, as with a sonar.
        beam: f64,
        /// Its errors.
        noise: Noise,
    },
    /// Distances in m along rays that turn about its own z, and above and below that.
    Lidar {
        /// The columns; positive angles turn to starboard.
        columns: Fan,
        /// The same of the rows; positive looks up.
        rows: Fan,
        /// The shortest and the longest distance in m.
        within: (f64, f64),
        /// Its errors.
        noise: Noise,
    },
    /// The force with which things push the body in N: north, east, down.
    Contact,
    /// The level of all sounds in dB above 20 uPa.
    Microphone(Noise),
}

/// A source of sound: the level falls by 6 dB with every doubling of the distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// Where it is: north, east, down; on a body, from its centre of mass.
    pub place: Vector3<f64>,
    /// On which body, if on one.
    pub on: Option<String>,
    /// Its level in dB at 1 m.
    pub level: f64,
}
