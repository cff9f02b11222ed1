//! What a person reads of a vehicle, one number at a time.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::Attitude;

/// Instruments: place, motion and heading of a vehicle as single numbers, as a person or a model of one reads them.
///
/// The speed forward is that over ground along the heading.
#[derive(Component)]
#[component(type = "person.instruments", periodic, rate = "50 Hz")]
pub struct Instruments {
    /// Where the vehicle is.
    #[input(unit = "m", frame = "ned", default = [0.0; 3])]
    position: SignalIn<[f64; 3]>,
    /// How fast it is.
    #[input(unit = "m/s", frame = "ned", default = [0.0; 3])]
    velocity: SignalIn<[f64; 3]>,
    /// How it is turned.
    #[input(default = Attitude::default())]
    attitude: SignalIn<Attitude>,
    /// Place to the north.
    #[output(unit = "m", initial = 0.0)]
    north: SignalOut<f64>,
    /// Place to the east.
    #[output(unit = "m", initial = 0.0)]
    east: SignalOut<f64>,
    /// Height above the origin.
    #[output(unit = "m", initial = 0.0)]
    height: SignalOut<f64>,
    /// Heading, from north to east.
    #[output(unit = "rad", initial = 0.0)]
    heading: SignalOut<f64>,
    /// Speed forward.
    #[output(unit = "m/s", initial = 0.0)]
    speed: SignalOut<f64>,
    /// Speed upwards.
    #[output(unit = "m/s", initial = 0.0)]
    climb: SignalOut<f64>,
}

impl Periodic for Instruments {
    fn step(&mut self, step: &mut Step<'_>) {
        let [north, east, down] = *step.signal(self.position);
        let [to_north, to_east, downwards] = *step.signal(self.velocity);
        let [_, _, heading] = step.signal(self.attitude).to_euler();
        let (sine, cosine) = libm::sincos(heading);
        step.write(self.north, north);
        step.write(self.east, east);
        step.write(self.height, -down);
        step.write(self.heading, heading);
        step.write(self.speed, to_north * cosine + to_east * sine);
        step.write(self.climb, -downwards);
    }
}
