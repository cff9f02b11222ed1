//! The sea current where a vehicle is.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Step};

use super::question::{CurrentAnswer, SeaPoint};

/// The sea current where a vehicle is, and how it changes for the vehicle.
///
/// It asks the source of the sea current that is bound to it. The acceleration holds what the current
/// does at a fixed place and what the vehicle sees by moving: ∂c/∂t + (v·∇) c. Where the source does
/// not know the current, the run ends.
#[derive(Component)]
#[component(type = "sea-current.at", periodic, rate = "1 kHz")]
pub struct SeaCurrentAt {
    /// Which source is asked.
    #[query]
    source: QueryIn<SeaPoint, CurrentAnswer>,
    /// Place of the vehicle.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Velocity of the vehicle over ground.
    #[input(unit = "m/s", frame = "ned", default = [0.0; 3])]
    velocity: SignalIn<[f64; 3]>,
    /// Velocity of the water over ground.
    #[output(unit = "m/s", frame = "ned")]
    current: SignalOut<[f64; 3]>,
    /// How that velocity changes for the vehicle.
    #[output(unit = "m/s^2", frame = "ned")]
    current_acceleration: SignalOut<[f64; 3]>,
}

impl Periodic for SeaCurrentAt {
    fn step(&mut self, step: &mut Step<'_>) {
        let (position, velocity) = (*step.signal(self.position), *step.signal(self.velocity));
        let point = SeaPoint { position, velocity };
        match step.ask(self.source, &point) {
            Ok(sea) => {
                step.write(self.current, sea.velocity);
                step.write(self.current_acceleration, sea.acceleration);
            }
            Err(unknown) => step.fail(unknown.report("the sea current", &point, step.now())),
        }
    }
}
