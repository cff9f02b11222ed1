//! A point that flies level and turns as it is told, at once.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::STANDARD_GRAVITY;

/// ψ' = g tan(roll) / V in wind that is steady.
#[derive(Component)]
#[component(type = "test.point-mass", periodic, rate = "200 Hz", start = Self::begin)]
pub struct PointMass {
    #[parameter(default = 17.0)]
    airspeed: f64,
    #[parameter(default = 0.0)]
    north: f64,
    #[parameter(default = 0.0)]
    east: f64,
    #[parameter(default = 0.0)]
    initial_heading: f64,
    #[parameter(default = [0.0; 2])]
    wind: [f64; 2],
    #[input(unit = "rad", default = 0.0)]
    roll: SignalIn<f64>,
    #[output(unit = "m", frame = "ned", initial = [0.0; 3])]
    position: SignalOut<[f64; 3]>,
    #[output(unit = "m/s", frame = "ned", initial = [17.0, 0.0, 0.0])]
    velocity: SignalOut<[f64; 3]>,
    place: [f64; 2],
    heading: f64,
}

impl PointMass {
    fn begin(&mut self, _: &mut Start<'_>) {
        self.place = [self.north, self.east];
        self.heading = self.initial_heading;
    }

    fn over_ground(&self, heading: f64) -> [f64; 2] {
        let (sine, cosine) = libm::sincos(heading);
        [self.airspeed * cosine + self.wind[0], self.airspeed * sine + self.wind[1]]
    }
}

impl Periodic for PointMass {
    fn step(&mut self, step: &mut Step<'_>) {
        if step.tick() > 0 {
            let dt = 0.005;
            let turn = STANDARD_GRAVITY * libm::tan(*step.signal(self.roll)) / self.airspeed;
            // The middle of the step, which is exact to second order.
            let velocity = self.over_ground(self.heading + 0.5 * dt * turn);
            self.heading += dt * turn;
            self.place = [self.place[0] + dt * velocity[0], self.place[1] + dt * velocity[1]];
        }
        let [north, east] = self.over_ground(self.heading);
        step.write(self.position, [self.place[0], self.place[1], -50.0]);
        step.write(self.velocity, [north, east, 0.0]);
    }
}
