//! Bandwidths of the loops, from the lag of the motors.
//!
//! ```text
//! rates     k_ω = 1 / (2 τ)        with the motor's lag: s (τ s + 1) + k_ω, damped by 1 / (2 √(k_ω τ)) = 0.71
//! attitude  k_θ = k_ω / 2.5        each loop around it is 2.5 times slower than the one inside, which damps
//! velocity  k_v = k_θ / 2.5        the pair by √2.5 / 2 = 0.79
//! position  k_p = k_v / 2.5
//! integrals k_v / 5, k_ω / 10
//! ```
//!
//! Moments are the wanted angular acceleration times the inertia, so that these are the same for small and for large
//! vehicles with the same motors: nothing is tuned.

use ironbird_plant::multirotor::MultirotorParts;

/// Each loop is this many times slower than the one inside.
const SLOWER: f64 = 2.5;

/// Bandwidths and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Of the loop of rates, in 1/s.
    pub rates: f64,
    /// Of its integral, in 1/s.
    pub rates_integral: f64,
    /// Of the loop of attitude, in 1/s.
    pub attitude: f64,
    /// Of the loop of velocity, in 1/s.
    pub velocity: f64,
    /// Of its integral, in 1/s.
    pub velocity_integral: f64,
    /// Of the loop of position, in 1/s.
    pub position: f64,
    /// Most tilt that a wanted acceleration leads to, as its tangent.
    pub tilt: f64,
    /// Highest horizontal and vertical speed that a wanted position leads to, in m/s.
    pub speed: [f64; 2],
    /// Highest wanted rates about the level axes and about the vertical, in rad/s.
    pub turning: [f64; 2],
}

impl Gains {
    /// Those that the motors of a vehicle allow.
    pub fn of(parts: &MultirotorParts) -> Self {
        let lag =
            |sum: f64, rotor: &ironbird_plant::multirotor::Rotor| sum + rotor.rise + rotor.fall;
        let count = parts.rotors.len().max(1) as f64;
        let lag = parts.rotors.iter().fold(0.0, lag) / (2.0 * count);
        // Motors without lag would allow more than a loop of some hundred Hz can do.
        let rates = (0.5 / lag).min(40.0);
        let attitude = rates / SLOWER;
        let velocity = attitude / SLOWER;
        Gains {
            rates,
            rates_integral: rates / 10.0,
            attitude,
            velocity,
            velocity_integral: velocity / 5.0,
            position: velocity / SLOWER,
            tilt: 1.0,
            speed: [8.0, 3.0],
            turning: [6.0, 2.0],
        }
    }
}
