//! The sea bed where a vehicle is, and how far above it the vehicle is.

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Earth, EarthParameters};
use nalgebra::Vector3;

use super::question::{BedAnswer, SeaPoint};

/// What happens where a vehicle goes aground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
pub enum Aground {
    /// The run ends.
    Fail,
    /// Nothing.
    Ignore,
}

/// How deep the sea is where a vehicle is, and how high the vehicle is above the bed.
///
/// It asks the source of the sea bed that is bound to it. Where the source does not know the bed, and where
/// the vehicle goes aground, the run ends.
#[derive(Component)]
#[component(type = "sea-bed.at", periodic, rate = "1 kHz", changed = Self::prepare)]
pub struct SeaBedAt {
    /// Which source is asked.
    #[query]
    source: QueryIn<SeaPoint, BedAnswer>,
    /// What happens where the vehicle is below the bed: `fail` ends the run, `ignore` does not.
    #[parameter(default = Aground::Fail)]
    aground: Aground,
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
                let height = bed.depth - self.surface.depth(Vector3::from(position));
                step.write(self.height, height);
                if height < 0.0 && self.aground == Aground::Fail {
                    step.fail(aground(bed.depth, -height, position));
                }
            }
            Err(unknown) => step.fail(unknown.report("the sea bed", &point, step.now())),
        }
    }
}

#[cold]
fn aground(bed: f64, below: f64, [north, east, _]: [f64; 3]) -> String {
    format!(
        "the vehicle is aground: at north {north:.1} m, east {east:.1} m it is {below:.3} m below the bed, which is \
         {bed:.1} m deep; change the mission or the bed, or set aground = \"ignore\""
    )
}
