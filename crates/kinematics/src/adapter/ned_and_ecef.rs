//! Places and velocities between the local level frame and Earth-centred coordinates.
//!
//! ```text
//! p_ecef = p_origin + C p_ned,  v_ecef = C v_ned
//! ```
//!
//! The columns of C are north, east and down at the origin. Both frames are fixed to the Earth, so
//! that a velocity over ground in one is a velocity over ground in the other.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use crate::earth::Origin;
use crate::tangent_plane::TangentPlane;

/// Shows a place and a velocity that are given as north, east, down in Earth-centred, Earth-fixed
/// coordinates (WGS 84).
#[derive(Component)]
#[component(
    type = "adapter.ned-to-ecef", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct NedToEcef {
    #[group]
    origin: Origin,
    /// Place: north, east, down of the origin.
    #[input(name = "position", unit = "m", frame = "ned")]
    position_ned: SignalIn<[f64; 3]>,
    /// Velocity over ground; none where it is not linked.
    #[input(name = "velocity", unit = "m/s", frame = "ned", default = [0.0; 3])]
    velocity_ned: SignalIn<[f64; 3]>,
    /// Place, Earth-centred.
    #[output(name = "position", unit = "m", frame = "ecef")]
    position_ecef: SignalOut<[f64; 3]>,
    /// Velocity over ground, along the Earth-centred axes.
    #[output(name = "velocity", unit = "m/s", frame = "ecef")]
    velocity_ecef: SignalOut<[f64; 3]>,
    #[skip]
    plane: TangentPlane,
}

impl NedToEcef {
    fn prepare(&mut self) {
        self.plane = self.origin.plane();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let position = self.plane.to_ecef((*start.signal(self.position_ned)).into());
        let velocity = self.plane.direction_to_ecef((*start.signal(self.velocity_ned)).into());
        start.write(self.position_ecef, position.into());
        start.write(self.velocity_ecef, velocity.into());
    }
}

impl Periodic for NedToEcef {
    fn step(&mut self, step: &mut Step<'_>) {
        let position = self.plane.to_ecef((*step.signal(self.position_ned)).into());
        let velocity = self.plane.direction_to_ecef((*step.signal(self.velocity_ned)).into());
        step.write(self.position_ecef, position.into());
        step.write(self.velocity_ecef, velocity.into());
    }
}

/// Shows a place and a velocity that are given in Earth-centred, Earth-fixed coordinates (WGS 84) as
/// north, east, down.
#[derive(Component)]
#[component(
    type = "adapter.ecef-to-ned", periodic, rate = "1 kHz", adapter,
    start = Self::begin, changed = Self::prepare
)]
pub(crate) struct EcefToNed {
    #[group]
    origin: Origin,
    /// Place, Earth-centred.
    #[input(name = "position", unit = "m", frame = "ecef")]
    position_ecef: SignalIn<[f64; 3]>,
    /// Velocity over ground, along the Earth-centred axes; none where it is not linked.
    #[input(name = "velocity", unit = "m/s", frame = "ecef", default = [0.0; 3])]
    velocity_ecef: SignalIn<[f64; 3]>,
    /// Place: north, east, down of the origin.
    #[output(name = "position", unit = "m", frame = "ned")]
    position_ned: SignalOut<[f64; 3]>,
    /// Velocity over ground.
    #[output(name = "velocity", unit = "m/s", frame = "ned")]
    velocity_ned: SignalOut<[f64; 3]>,
    #[skip]
    plane: TangentPlane,
}

impl EcefToNed {
    fn prepare(&mut self) {
        self.plane = self.origin.plane();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let position = self.plane.from_ecef((*start.signal(self.position_ecef)).into());
        let velocity = self.plane.direction_from_ecef((*start.signal(self.velocity_ecef)).into());
        start.write(self.position_ned, position.into());
        start.write(self.velocity_ned, velocity.into());
    }
}

impl Periodic for EcefToNed {
    fn step(&mut self, step: &mut Step<'_>) {
        let position = self.plane.from_ecef((*step.signal(self.position_ecef)).into());
        let velocity = self.plane.direction_from_ecef((*step.signal(self.velocity_ecef)).into());
        step.write(self.position_ned, position.into());
        step.write(self.velocity_ned, velocity.into());
    }
}
