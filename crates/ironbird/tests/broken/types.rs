//! Component types with what the types of Ironbird lack: frames, lists, files, events, queries, calls.

use std::path::PathBuf;

use ironbird_component::*;
use ironbird_kernel::{
    Atomic, CallIn, CallOut, Context, Duration, EventIn, EventOut, Inputs, Outputs, Periodic,
    QueryIn, SignalIn, SignalOut, Start, Step, Time, Value,
};

/// Sails, and hails other boats.
#[derive(Component)]
#[component(type = "test.boat", periodic, start = Self::begin)]
struct Boat {
    /// Where it starts.
    #[parameter(unit = "m", default = [0.0; 3])]
    start: [f64; 3],
    /// How many crew it has.
    #[parameter(default = 1, min = 1, max = 5)]
    crew: u32,
    /// Whether it keeps quiet.
    #[parameter(default = false)]
    quiet: bool,
    /// What is written on it.
    #[parameter(default = "")]
    label: String,
    /// How deep the water is.
    #[query]
    depth: QueryIn<f64, f64>,
    #[output(unit = "m/s", frame = "body")]
    velocity: SignalOut<[f64; 3]>,
    #[output]
    hail: EventOut<u32>,
    #[output]
    afloat: SignalOut<bool>,
}

impl Boat {
    fn begin(&mut self, start: &mut Start<'_>) {
        if self.label == "wreck" {
            start.fail("it lies on the ground");
        }
    }
}

impl Periodic for Boat {
    fn step(&mut self, step: &mut Step<'_>) {
        let x = self.start[0] + f64::from(self.crew);
        let deep = step.ask(self.depth, &x) > 0.0;
        step.write(self.afloat, deep && !self.quiet && self.label.is_empty());
    }
}

/// The sea bed slopes.
#[derive(Clone, Component)]
#[component(type = "test.sea-bed", provider, provides = fn(f64) -> f64)]
#[configures(name = "tilt", sets = "slope")]
struct SeaBed {
    #[parameter(default = 1.0)]
    slope: f64,
}

/// Passes on what it gets.
#[derive(Component)]
#[component(type = "test.relay", periodic, rate = "1 Hz")]
struct Relay {
    #[input(default = 0.0)]
    u: SignalIn<f64>,
    #[output]
    y: SignalOut<f64>,
}

impl Periodic for Relay {
    fn step(&mut self, step: &mut Step<'_>) {
        let value = *step.signal(self.u);
        step.write(self.y, value);
    }
}

/// What a switch shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
enum Side {
    #[default]
    Left,
    Right,
}

/// Shows one of its inputs.
#[derive(Component)]
#[component(type = "test.switch", periodic, rate = "1 Hz", switch = "side")]
struct Switch {
    #[parameter(default = Side::Left)]
    side: Side,
    #[input(default = 0.0)]
    left: SignalIn<f64>,
    #[input(default = 0.0)]
    right: SignalIn<f64>,
    #[output]
    y: SignalOut<f64>,
}

impl Periodic for Switch {
    fn step(&mut self, step: &mut Step<'_>) {
        let chosen = if self.side == Side::Left { self.left } else { self.right };
        let value = *step.signal(chosen);
        step.write(self.y, value);
    }
}

impl Answers<f64, f64> for SeaBed {
    fn answer(&self, _: Time, x: &f64) -> f64 {
        self.slope * x
    }
}

/// Looks at boats from above.
#[derive(Component)]
#[component(type = "test.lookout", periodic, rate = "1 Hz")]
struct Lookout {
    /// Its chart.
    #[parameter]
    chart: PathBuf,
    #[input(unit = "m/s", frame = "world")]
    velocity: SignalIn<[f64; 3]>,
    #[input]
    hails: EventIn<u32>,
    #[output]
    seen: SignalOut<u32>,
}

impl Periodic for Lookout {
    fn step(&mut self, step: &mut Step<'_>) {
        let moving = step.signal(self.velocity)[0] != 0.0 && self.chart.exists();
        let hails = step.events(self.hails).count() as u32;
        step.write(self.seen, u32::from(moving) + hails);
    }
}

/// Turns a vector from the frame of the body to that of the world.
#[derive(Component)]
#[component(type = "test.body-to-world", periodic, rate = "1 kHz", adapter)]
struct BodyToWorld {
    #[input(unit = "m/s", frame = "body")]
    body: SignalIn<[f64; 3]>,
    #[output(unit = "m/s", frame = "world")]
    world: SignalOut<[f64; 3]>,
}

impl Periodic for BodyToWorld {
    fn step(&mut self, step: &mut Step<'_>) {
        let velocity = *step.signal(self.body);
        step.write(self.world, velocity);
    }
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Hoist {
    height: f64,
    carefully: bool,
}

/// Hoists what it is told.
#[derive(Component)]
#[component(type = "test.winch", event_driven)]
struct Winch {
    #[service(units = "height: m")]
    hoist: CallIn<Hoist, bool>,
    #[service]
    brake: CallIn<bool, bool>,
}

impl Atomic for Winch {
    fn time_advance(&self) -> Duration {
        let _ = (&self.hoist, &self.brake);
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// Lets a winch hoist.
#[derive(Component)]
#[component(type = "test.crane", event_driven)]
struct Crane {
    #[requires(units = "height: m")]
    lift: CallOut<Hoist, bool>,
}

impl Atomic for Crane {
    fn time_advance(&self) -> Duration {
        let _ = &self.lift;
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// All types of Ironbird and those above.
/// Two quadrotors and a rover in one component: each port belongs to one of them.
#[derive(Component)]
#[component(type = "test.world", periodic, rate = "1 Hz")]
struct World {
    #[input(name = "quad[0].set_point")]
    first: SignalIn<f64>,
    #[input(name = "quad[1].set_point")]
    second: SignalIn<f64>,
    #[input(name = "rover.motors", default = 0.0)]
    motors: SignalIn<f64>,
    #[output(name = "quad[0].position", unit = "m")]
    first_position: SignalOut<[f64; 3]>,
    #[output(name = "quad[1].position", unit = "m")]
    second_position: SignalOut<[f64; 3]>,
}

impl Periodic for World {
    fn step(&mut self, step: &mut Step<'_>) {
        let height = step.signal(self.first) + step.signal(self.motors);
        step.write(self.first_position, [0.0, 0.0, height]);
        let height = *step.signal(self.second);
        step.write(self.second_position, [0.0, 0.0, height]);
    }
}

pub fn registry() -> Result<Registry, RegistryError> {
    let mut registry = ironbird::registry()?;
    registry.register::<Boat>()?;
    registry.register::<Relay>()?;
    registry.register::<Switch>()?;
    registry.register::<SeaBed>()?;
    registry.register::<Lookout>()?;
    registry.register::<BodyToWorld>()?;
    registry.register::<Winch>()?;
    registry.register::<Crane>()?;
    registry.register::<World>()?;
    Ok(registry)
}
