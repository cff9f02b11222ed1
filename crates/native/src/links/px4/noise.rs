//! How far sensors are off the truth. PX4 takes a magnetometer or barometer that never changes for a broken one.

use ironbird_component::Parameters;
use ironbird_kernel::RandomStream;
use ironbird_kinematics::{Geodetic, TangentPlane};

/// Standard deviations of white noise, by reading.
#[derive(Clone, Copy, Debug, Parameters)]
pub struct Noise {
    /// Accelerometer.
    #[parameter(unit = "m/s^2", default = 0.05, min = 0)]
    pub accelerometer: f64,
    /// Gyroscope.
    #[parameter(unit = "rad/s", default = 0.003, min = 0)]
    pub gyroscope: f64,
    /// Magnetometer.
    #[parameter(unit = "T", default = 1e-7, min = 0)]
    pub magnetometer: f64,
    /// Barometer.
    #[parameter(unit = "Pa", default = 1.0, min = 0)]
    pub barometer: f64,
    /// Pitot tube.
    #[parameter(unit = "Pa", default = 1.0, min = 0)]
    pub pitot: f64,
    /// Satellite receiver, north and east.
    #[parameter(unit = "m", default = 0.1, min = 0)]
    pub gps_horizontal: f64,
    /// Satellite receiver, height.
    #[parameter(unit = "m", default = 0.2, min = 0)]
    pub gps_vertical: f64,
    /// Satellite receiver, velocity.
    #[parameter(unit = "m/s", default = 0.03, min = 0)]
    pub gps_velocity: f64,
    /// What the satellite receiver says of its accuracy to the side.
    #[parameter(unit = "m", default = 0.3, min = 0, max = 655)]
    pub gps_eph: f64,
    /// What it says of its accuracy in height.
    #[parameter(unit = "m", default = 0.4, min = 0, max = 655)]
    pub gps_epv: f64,
}

/// A reading.
pub fn noisy(truth: f64, deviation: f64, random: &mut RandomStream) -> f64 {
    truth + deviation * random.normal()
}

/// A reading of three axes.
pub fn noisy_vector(truth: [f64; 3], deviation: f64, random: &mut RandomStream) -> [f64; 3] {
    truth.map(|part| noisy(part, deviation, random))
}

/// A place, seen by a receiver with these deviations to the side and in height.
pub fn displaced(place: Geodetic, [side, height]: [f64; 2], random: &mut RandomStream) -> Geodetic {
    let [north, east, down] = [side, side, height].map(|deviation| deviation * random.normal());
    let ned = nalgebra::Vector3::new(north, east, down);
    TangentPlane::at(place).to_geodetic(ned)
}
