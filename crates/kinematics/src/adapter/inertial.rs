//! What an inertial sensor that is fixed in a vehicle feels.
//!
//! The local level frame n is fixed to the Earth: it turns against the stars with the Earth's rotation
//! Ω, which is constant in it. So for a vehicle at R from the Earth's centre, with the velocity v and
//! the acceleration a in n,
//!
//! ```text
//! acceleration against the stars   a + 2 Ω×v + Ω×(Ω×R)
//! specific force                   f_n = a + 2 Ω×v + Ω×(Ω×R) - gravitation = a + 2 Ω×v - g
//! in the body                      f_b = C_nᵇ f_n,  ω_b = ω_nb + C_nᵇ Ω
//! ```
//!
//! as gravity g is gravitation less Ω×(Ω×R). There is no transport rate, which a level frame that
//! travels with the vehicle would have (P. D. Groves, *Principles of GNSS, Inertial, and Multisensor
//! Integrated Navigation Systems*, 2nd edition, section 5.4).

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use nalgebra::Vector3;

use super::no_rotation;
use crate::attitude::Attitude;
use crate::earth::{Earth, EarthParameters, STANDARD_GRAVITY};

/// What an inertial sensor feels that is fixed to the vehicle, at the place whose motion is given:
/// the specific force, and the angular velocity against the stars.
///
/// On the flat Earth that is the acceleration less gravity, and the angular velocity as it is; on
/// WGS 84 the Coriolis acceleration and the rotation of the Earth come in. A vehicle at rest feels a
/// specific force of 1 g upwards.
#[derive(Component)]
#[component(
    type = "adapter.inertial", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct Inertial {
    #[group]
    earth: EarthParameters,
    /// Acceleration over ground.
    #[input(unit = "m/s^2", frame = "ned")]
    acceleration: SignalIn<[f64; 3]>,
    /// Velocity over ground.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// Place.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Attitude of the body.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Angular velocity against north, east, down.
    #[input(name = "angular_velocity", unit = "rad/s", frame = "body")]
    turning: SignalIn<[f64; 3]>,
    /// Specific force: what an accelerometer measures.
    #[output(unit = "m/s^2", frame = "body")]
    specific_force: SignalOut<[f64; 3]>,
    /// Angular velocity against the stars: what a gyroscope measures.
    #[output(unit = "rad/s", frame = "body")]
    angular_velocity: SignalOut<[f64; 3]>,
    #[skip]
    model: Earth,
    /// Rotation of the local level frame in itself: the same everywhere.
    #[skip]
    rotation: Vector3<f64>,
}

impl Inertial {
    fn prepare(&mut self) {
        self.model = self.earth.earth();
        self.rotation = self.model.rotation();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let attitude = *start.signal(self.attitude);
        let mut force = Vector3::from(*start.signal(self.acceleration));
        let mut turning = Vector3::from(*start.signal(self.turning));
        match self.model {
            Earth::Flat => force.z -= STANDARD_GRAVITY,
            Earth::Wgs84(_) => {
                let position = (*start.signal(self.position)).into();
                force += self.of_the_earth(position, (*start.signal(self.velocity)).into());
                turning += attitude.to_body(self.rotation);
            }
        }
        start.write(self.specific_force, attitude.to_body(force).into());
        start.write(self.angular_velocity, turning.into());
    }

    /// What the Earth adds to the acceleration: 2 Ω×v - g.
    fn of_the_earth(&self, position: Vector3<f64>, velocity: Vector3<f64>) -> Vector3<f64> {
        2.0 * self.rotation.cross(&velocity) - self.model.gravity(position)
    }
}

impl Periodic for Inertial {
    fn step(&mut self, step: &mut Step<'_>) {
        let attitude = *step.signal(self.attitude);
        if !attitude.is_rotation() {
            return step.fail(no_rotation(&attitude));
        }
        let mut force = Vector3::from(*step.signal(self.acceleration));
        let mut turning = Vector3::from(*step.signal(self.turning));
        match self.model {
            // Where the vehicle is and how fast does not matter on a flat Earth.
            Earth::Flat => force.z -= STANDARD_GRAVITY,
            Earth::Wgs84(_) => {
                let position = (*step.signal(self.position)).into();
                force += self.of_the_earth(position, (*step.signal(self.velocity)).into());
                turning += attitude.to_body(self.rotation);
            }
        }
        step.write(self.specific_force, attitude.to_body(force).into());
        step.write(self.angular_velocity, turning.into());
    }
}
