//! What a vehicle knows of itself when its navigation begins.
//!
//! ```text
//! position, velocity = truth + offset + deviation·n
//! roll, pitch = truth + offset + levelling·n,  heading = truth + offset + heading·n
//! ```
//!
//! The n are normal with deviation one, each drawn once, at the start.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, RandomIn, RandomStream, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Alignment, Attitude};
use serde::{Deserialize, Serialize};

/// The alignment before a mission: where the vehicle believes to be and how it believes to lie when its
/// navigation begins.
///
/// It says so at the start, from the truth of its first step, and never again. Without parameters it
/// is the truth.
#[derive(Component)]
#[component(type = "sensor.alignment", periodic, rate = "1 Hz", start = Self::begin)]
pub struct InitialAlignment {
    #[group]
    offset: Offsets,
    #[group]
    deviation: Deviations,
    /// Place: north, east, down.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Velocity over ground: north, east, down.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// What the vehicle believes.
    #[output(unit = "position: m, velocity: m/s, attitude: 1", frame = "ned")]
    alignment: SignalOut<Alignment>,
    #[random(name = "errors")]
    random: RandomIn,
    errors: Errors,
    is_done: bool,
}

/// Errors that are the same in every run.
#[derive(Clone, Debug, Parameters)]
pub struct Offsets {
    /// Of the place: north, east, down.
    #[parameter(unit = "m", default = [0.0; 3], fixed)]
    position: [f64; 3],
    /// Of the velocity: north, east, down.
    #[parameter(unit = "m/s", default = [0.0; 3], fixed)]
    velocity: [f64; 3],
    /// Of the roll.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    roll: f64,
    /// Of the pitch.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    pitch: f64,
    /// Of the heading.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    heading: f64,
}

/// Standard deviations of errors that are drawn.
#[derive(Clone, Debug, Parameters)]
pub struct Deviations {
    /// Of the place: north, east, down.
    #[parameter(unit = "m", default = [0.0; 3], min = 0, fixed)]
    position: [f64; 3],
    /// Of the velocity: north, east, down.
    #[parameter(unit = "m/s", default = [0.0; 3], min = 0, fixed)]
    velocity: [f64; 3],
    /// Of roll and of pitch.
    #[parameter(unit = "rad", default = 0.0, min = 0, fixed)]
    levelling: f64,
    /// Of the heading.
    #[parameter(unit = "rad", default = 0.0, min = 0, fixed)]
    heading: f64,
}

/// The errors of this run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Errors {
    position: [f64; 3],
    velocity: [f64; 3],
    /// Roll, pitch, heading.
    angles: [f64; 3],
}

/// Offsets and what is drawn about them.
fn drawn(offset: [f64; 3], deviation: [f64; 3], stream: &mut RandomStream) -> [f64; 3] {
    std::array::from_fn(|i| offset[i] + deviation[i] * stream.normal())
}

impl InitialAlignment {
    fn begin(&mut self, start: &mut Start<'_>) {
        let (offset, deviation) = (&self.offset, &self.deviation);
        let offsets = [offset.roll, offset.pitch, offset.heading];
        let deviations = [deviation.levelling, deviation.levelling, deviation.heading];
        let stream = start.random(self.random);
        self.errors = Errors {
            position: drawn(offset.position, deviation.position, stream),
            velocity: drawn(offset.velocity, deviation.velocity, stream),
            angles: drawn(offsets, deviations, stream),
        };
        self.is_done = false;
        let (position, velocity) = (start.signal(self.position), start.signal(self.velocity));
        let believed = self.errors.believed(*position, *velocity, *start.signal(self.attitude));
        start.write(self.alignment, believed);
    }
}

impl Errors {
    fn believed(&self, position: [f64; 3], velocity: [f64; 3], attitude: Attitude) -> Alignment {
        let sum = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + b[i]);
        let attitude = if self.angles == [0.0; 3] {
            attitude
        } else {
            let [roll, pitch, yaw] = sum(attitude.to_euler(), self.angles);
            Attitude::from_euler(roll, pitch, yaw)
        };
        Alignment {
            position: sum(position, self.position),
            velocity: sum(velocity, self.velocity),
            attitude,
        }
    }
}

impl Periodic for InitialAlignment {
    fn step(&mut self, step: &mut Step<'_>) {
        if self.is_done {
            return;
        }
        self.is_done = true;
        let (position, velocity) = (step.signal(self.position), step.signal(self.velocity));
        let believed = self.errors.believed(*position, *velocity, *step.signal(self.attitude));
        step.write(self.alignment, believed);
    }
}
