//! Specific energies of flight: per mass, in m²/s².

use ironbird_kinematics::STANDARD_GRAVITY;

/// Potential and kinetic energy per mass, and their rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Energies {
    potential: f64,
    kinetic: f64,
    potential_rate: f64,
    kinetic_rate: f64,
}

impl Energies {
    /// From height and climb, airspeed and acceleration.
    pub fn of([height, climb]: [f64; 2], [airspeed, acceleration]: [f64; 2]) -> Self {
        Energies {
            potential: STANDARD_GRAVITY * height,
            kinetic: 0.5 * airspeed * airspeed,
            potential_rate: STANDARD_GRAVITY * climb,
            kinetic_rate: airspeed * acceleration,
        }
    }

    /// g h + V²/2
    pub fn total(&self) -> f64 {
        self.potential + self.kinetic
    }

    /// The rate of the total.
    pub fn total_rate(&self) -> f64 {
        self.potential_rate + self.kinetic_rate
    }

    /// The balance and its rate: (2 - w) times the potential energy less w times the kinetic.
    pub fn balance(&self, weight: f64) -> [f64; 2] {
        let height = 2.0 - weight;
        [
            height * self.potential - weight * self.kinetic,
            height * self.potential_rate - weight * self.kinetic_rate,
        ]
    }
}
