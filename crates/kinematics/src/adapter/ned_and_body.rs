//! Vectors between the local level frame and the body, by the attitude q.
//!
//! ```text
//! v_ned = q v_body q*,  v_body = q* v_ned q
//! ```

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::no_rotation;
use crate::attitude::Attitude;

/// Turns a vector from north, east, down to the body: what the vehicle sees ahead, to starboard and
/// below.
///
/// It is for velocities, accelerations, forces and other directions, at the time of its step. It does
/// not move the origin: a place becomes the vector from the origin of `ned` to it.
#[derive(Component)]
#[component(type = "adapter.ned-to-body", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct NedToBody {
    /// Unit of the vector, as in "m/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    /// The vector in north, east, down.
    #[input(name = "in", frame = "ned")]
    input: SignalIn<[f64; 3]>,
    /// Attitude of the body.
    #[input]
    attitude: SignalIn<Attitude>,
    /// The vector in the body.
    #[output(name = "out", frame = "body")]
    output: SignalOut<[f64; 3]>,
}

impl NedToBody {
    fn begin(&mut self, start: &mut Start<'_>) {
        let turned = start.signal(self.attitude).to_body((*start.signal(self.input)).into());
        start.write(self.output, turned.into());
    }
}

impl Periodic for NedToBody {
    fn step(&mut self, step: &mut Step<'_>) {
        let attitude = *step.signal(self.attitude);
        if !attitude.is_rotation() {
            return step.fail(no_rotation(&attitude));
        }
        let turned = attitude.to_body((*step.signal(self.input)).into());
        step.write(self.output, turned.into());
    }
}

/// Turns a vector from the body to north, east, down.
///
/// It is for velocities, accelerations, forces and other directions, at the time of its step. It does
/// not move the origin: a place in the body becomes the vector from the vehicle to it.
#[derive(Component)]
#[component(type = "adapter.body-to-ned", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct BodyToNed {
    /// Unit of the vector, as in "m/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    /// The vector in the body.
    #[input(name = "in", frame = "body")]
    input: SignalIn<[f64; 3]>,
    /// Attitude of the body.
    #[input]
    attitude: SignalIn<Attitude>,
    /// The vector in north, east, down.
    #[output(name = "out", frame = "ned")]
    output: SignalOut<[f64; 3]>,
}

impl BodyToNed {
    fn begin(&mut self, start: &mut Start<'_>) {
        let turned = start.signal(self.attitude).to_ned((*start.signal(self.input)).into());
        start.write(self.output, turned.into());
    }
}

impl Periodic for BodyToNed {
    fn step(&mut self, step: &mut Step<'_>) {
        let attitude = *step.signal(self.attitude);
        if !attitude.is_rotation() {
            return step.fail(no_rotation(&attitude));
        }
        let turned = attitude.to_ned((*step.signal(self.input)).into());
        step.write(self.output, turned.into());
    }
}
