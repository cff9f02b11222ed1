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
use crate::earth::{Earth, EarthParameters};

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

/// Place, velocity, acceleration, angular velocity and attitude at an instant.
struct Moving {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    acceleration: Vector3<f64>,
    turning: Vector3<f64>,
    attitude: Attitude,
}

impl Inertial {
    fn prepare(&mut self) {
        self.model = self.earth.earth();
        self.rotation = self.model.rotation();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let [force, turning] = self.felt(&Moving {
            position: (*start.signal(self.position)).into(),
            velocity: (*start.signal(self.velocity)).into(),
            acceleration: (*start.signal(self.acceleration)).into(),
            turning: (*start.signal(self.turning)).into(),
            attitude: *start.signal(self.attitude),
        });
        start.write(self.specific_force, force.into());
        start.write(self.angular_velocity, turning.into());
    }

    /// Specific force and angular velocity against the stars.
    fn felt(&self, moving: &Moving) -> [Vector3<f64>; 2] {
        let Moving { position, velocity, acceleration, turning, attitude } = *moving;
        if self.model == Earth::Flat {
            let gravity = self.model.gravity(position);
            return [attitude.to_body(acceleration - gravity), turning];
        }
        let coriolis = 2.0 * self.rotation.cross(&velocity);
        let force = acceleration + coriolis - self.model.gravity(position);
        [attitude.to_body(force), turning + attitude.to_body(self.rotation)]
    }
}

impl Periodic for Inertial {
    fn step(&mut self, step: &mut Step<'_>) {
        let attitude = *step.signal(self.attitude);
        if !attitude.is_rotation() {
            return step.fail(no_rotation(&attitude));
        }
        let [force, turning] = self.felt(&Moving {
            position: (*step.signal(self.position)).into(),
            velocity: (*step.signal(self.velocity)).into(),
            acceleration: (*step.signal(self.acceleration)).into(),
            turning: (*step.signal(self.turning)).into(),
            attitude,
        });
        step.write(self.specific_force, force.into());
        step.write(self.angular_velocity, turning.into());
    }
}
