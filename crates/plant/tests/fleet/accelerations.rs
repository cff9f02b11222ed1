//! How a vehicle accelerates.

use ironbird_plant::vehicle::Surroundings;
use nalgebra::Vector3;

use super::integrate::Flight;

/// Acceleration (north, east, down) and angular acceleration (body).
pub fn accelerations(
    flight: &Flight<'_>,
    commands: &[f64],
    around: &Surroundings,
) -> (Vector3<f64>, Vector3<f64>) {
    let rate = flight.rate(&flight.motion, &flight.own, commands, around);
    (rate.acceleration, rate.angular)
}
