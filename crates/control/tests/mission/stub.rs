//! What stands for the rest of the world in these tests: a vehicle that follows legs, a source of events,
//! and a list of what was heard.

use std::path::PathBuf;

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_kernel::{
    Atomic, Context, Duration, EventOut, Inputs, Outputs, Periodic, SignalIn, SignalOut, Start,
    Step, Time,
};
use ironbird_kinematics::Leg;
use ironbird_solvers::Trajectory;

/// The types of this file and of the crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    ironbird_control::register(registry)?;
    registry.register::<Vehicle>()?;
    registry.register::<Clicker>()
}

/// A mission file that comes with the project.
pub fn mission(name: &str) -> String {
    let missions = "../../examples/fixed-wing/missions";
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), missions, name].iter().collect();
    path.to_string_lossy().into_owned()
}

/// A vehicle of constant speed and bounded rate of turn that aims at a point ahead on its leg.
#[derive(Component)]
#[component(type = "test.vehicle", periodic, rate = "50 Hz", start = Self::begin)]
pub struct Vehicle {
    /// Speed over ground.
    #[parameter(unit = "m/s", default = 17.0)]
    speed: f64,
    /// Tightest turn.
    #[parameter(unit = "m", default = 60.0)]
    radius: f64,
    /// Where it begins: north, east.
    #[parameter(unit = "m", default = [0.0, 0.0])]
    start: [f64; 2],
    /// The leg.
    #[input(unit = "from: m, to: m, speed: m/s", frame = "ned")]
    leg: SignalIn<Leg>,
    /// Position.
    #[output(unit = "m", frame = "ned", initial = [0.0; 3])]
    position: SignalOut<[f64; 3]>,
    /// Velocity.
    #[output(unit = "m/s", frame = "ned", initial = [0.0; 3])]
    velocity: SignalOut<[f64; 3]>,
    /// North, as a trajectory.
    #[output(unit = "m", initial = Trajectory::default())]
    north: SignalOut<Trajectory>,
    /// East, as a trajectory.
    #[output(unit = "m", initial = Trajectory::default())]
    east: SignalOut<Trajectory>,
    place: [f64; 2],
    course: f64,
    last: Time,
}

fn line(start: Time, from: f64, slope: f64) -> Trajectory {
    Trajectory { start, coefficients: [from, slope, 0.0, 0.0] }
}

impl Vehicle {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.place = self.start;
        self.last = start.now();
        let [north, east] = self.place;
        start.write(self.position, [north, east, -100.0]);
        start.write(self.north, line(start.now(), north, 0.0));
        start.write(self.east, line(start.now(), east, 0.0));
    }

    fn steer(&mut self, leg: &Leg, elapsed: f64) {
        let [north, east] = [leg.to[0] - leg.from[0], leg.to[1] - leg.from[1]];
        let length = libm::hypot(north, east);
        if !leg.valid || length == 0.0 {
            return;
        }
        let [cosine, sine] = [north / length, east / length];
        let (x, y) = (self.place[0] - leg.from[0], self.place[1] - leg.from[1]);
        let along = x * cosine + y * sine + 25.0;
        let aim = [leg.from[0] + along * cosine, leg.from[1] + along * sine];
        let wanted = libm::atan2(aim[1] - self.place[1], aim[0] - self.place[0]);
        let turn = libm::remainder(wanted - self.course, std::f64::consts::TAU);
        let most = elapsed * self.speed / self.radius;
        self.course += turn.clamp(-most, most);
    }
}

impl Periodic for Vehicle {
    fn step(&mut self, step: &mut Step<'_>) {
        let leg = *step.signal(self.leg);
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.last = step.now();
        let (sine, cosine) = libm::sincos(self.course);
        self.place[0] += elapsed * self.speed * cosine;
        self.place[1] += elapsed * self.speed * sine;
        self.steer(&leg, elapsed);
        let (sine, cosine) = libm::sincos(self.course);
        let velocity = [self.speed * cosine, self.speed * sine];
        let [north, east] = self.place;
        step.write(self.position, [north, east, -100.0]);
        step.write(self.velocity, [velocity[0], velocity[1], 0.0]);
        step.write(self.north, line(step.now(), north, velocity[0]));
        step.write(self.east, line(step.now(), east, velocity[1]));
    }
}

/// Sends an event at each of these times, in seconds with blanks between.
#[derive(Component)]
#[component(type = "test.clicker", event_driven, start = Self::begin)]
pub struct Clicker {
    /// The times.
    #[parameter(default = "")]
    times: String,
    /// How many were sent.
    #[output]
    click: EventOut<u32>,
    sent: u32,
    now: Time,
}

impl Clicker {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
    }

    fn next(&self) -> Option<Time> {
        let time = self.times.split_whitespace().nth(self.sent as usize)?;
        Some(ironbird_test_rig::seconds(time.parse().expect("a number")))
    }
}

impl Atomic for Clicker {
    fn time_advance(&self) -> Duration {
        self.next().map_or(Duration::FOREVER, |time| time.since(self.now))
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.click, self.sent + 1);
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.sent += 1;
        self.now = context.now();
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
