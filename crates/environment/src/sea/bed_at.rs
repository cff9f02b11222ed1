//! The sea bed where a vehicle is, and how far above it the vehicle is.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Earth, EarthParameters};
use nalgebra::Vector3;

use super::question::{BedAnswer, SeaPoint};

/// How deep the sea is where a vehicle is, and how high the vehicle is above the bed.
///
/// It asks the source of the sea bed that is bound to it. Where the source does not know the bed, the
/// run ends.
#[derive(Component)]
#[component(type = "sea-bed.at", periodic, rate = "1 kHz", changed = Self::prepare)]
pub struct SeaBedAt {
    /// Which source is asked.
    #[query]
    source: QueryIn<SeaPoint, BedAnswer>,
    #[group]
    earth: EarthParameters,
    /// Place of the vehicle.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Velocity of the vehicle over ground.
    #[input(unit = "m/s", frame = "ned", default = [0.0; 3])]
    velocity: SignalIn<[f64; 3]>,
    /// Depth of the sea bed below the surface.
    #[output(unit = "m")]
    depth: SignalOut<f64>,
    /// How much deeper the bed gets per metre northwards and eastwards.
    #[output(frame = "ned")]
    slope: SignalOut<[f64; 2]>,
    /// Height of the vehicle above the bed: the depth of the bed without that of the vehicle.
    #[output(unit = "m")]
    height: SignalOut<f64>,
    #[skip]
    surface: Earth,
}

impl SeaBedAt {
    fn prepare(&mut self) {
        self.surface = self.earth.earth();
    }
}

impl Periodic for SeaBedAt {
    fn step(&mut self, step: &mut Step<'_>) {
        let (position, velocity) = (*step.signal(self.position), *step.signal(self.velocity));
        let point = SeaPoint { position, velocity };
        match step.ask(self.source, &point) {
            Ok(bed) => {
                step.write(self.depth, bed.depth);
                step.write(self.slope, bed.slope);
                step.write(self.height, bed.depth - self.surface.depth(Vector3::from(position)));
            }
            Err(unknown) => step.fail(unknown.report("the sea bed", &point, step.now())),
        }
    }
}
