//! Several winds at once.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

/// Adds up to four winds: a steady one, turbulence, gusts.
///
/// Inputs that are not linked are 0 m/s.
#[derive(Component)]
#[component(type = "wind.sum", periodic, rate = "50 Hz")]
pub struct WindSum {
    /// The first wind, to the north.
    #[input(unit = "m/s", default = 0.0)]
    north_1: SignalIn<f64>,
    /// To the east.
    #[input(unit = "m/s", default = 0.0)]
    east_1: SignalIn<f64>,
    /// Down.
    #[input(unit = "m/s", default = 0.0)]
    down_1: SignalIn<f64>,
    /// The second wind, to the north.
    #[input(unit = "m/s", default = 0.0)]
    north_2: SignalIn<f64>,
    /// To the east.
    #[input(unit = "m/s", default = 0.0)]
    east_2: SignalIn<f64>,
    /// Down.
    #[input(unit = "m/s", default = 0.0)]
    down_2: SignalIn<f64>,
    /// The third wind, to the north.
    #[input(unit = "m/s", default = 0.0)]
    north_3: SignalIn<f64>,
    /// To the east.
    #[input(unit = "m/s", default = 0.0)]
    east_3: SignalIn<f64>,
    /// Down.
    #[input(unit = "m/s", default = 0.0)]
    down_3: SignalIn<f64>,
    /// The fourth wind, to the north.
    #[input(unit = "m/s", default = 0.0)]
    north_4: SignalIn<f64>,
    /// To the east.
    #[input(unit = "m/s", default = 0.0)]
    east_4: SignalIn<f64>,
    /// Down.
    #[input(unit = "m/s", default = 0.0)]
    down_4: SignalIn<f64>,
    /// All winds together, to the north.
    #[output(unit = "m/s", initial = 0.0)]
    north: SignalOut<f64>,
    /// To the east.
    #[output(unit = "m/s", initial = 0.0)]
    east: SignalOut<f64>,
    /// Down.
    #[output(unit = "m/s", initial = 0.0)]
    down: SignalOut<f64>,
}

impl Periodic for WindSum {
    fn step(&mut self, step: &mut Step<'_>) {
        let sum = |winds: [SignalIn<f64>; 4]| winds.map(|wind| *step.signal(wind)).iter().sum();
        let north = sum([self.north_1, self.north_2, self.north_3, self.north_4]);
        let east = sum([self.east_1, self.east_2, self.east_3, self.east_4]);
        let down = sum([self.down_1, self.down_2, self.down_3, self.down_4]);
        step.write(self.north, north);
        step.write(self.east, east);
        step.write(self.down, down);
    }
}
