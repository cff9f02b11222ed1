//! Models to put around a continuous block, and ways to run what comes of it.
#![allow(dead_code, reason = "each test file uses some of them")]

use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, Graph, Inputs, Link, LoadError, Model, Options, Outcome,
    Outputs, Periodic, Placement, Ports, Rate, SaveError, SignalIn, SignalOut, Simulation,
    StateReader, StateWriter, Step, Time,
};
use ironbird_solvers::{
    Block, Continuous, Direction, Edit, Method, Number, Point, Settings, Trajectory, Watched,
};
use serde::{Deserialize, Serialize};

/// The instant `s` seconds after the start.
pub fn at(s: f64) -> Time {
    Time::ZERO + Duration::from_secs_f64_ceil(s).expect("a time in a test is positive")
}

/// Every method, with steps that a room and a mass can live with.
pub fn every_method() -> impl Iterator<Item = Settings> {
    let settings = |method| Settings::new(method).tolerance(1e-3, 1e-3).step(Rate::hz(50));
    Method::ALL.into_iter().map(settings)
}

/// Runs to an instant and insists on getting there.
pub fn run(simulation: &mut Simulation, until: Time) {
    assert_eq!(simulation.run_until(until).unwrap(), Outcome::Reached(until));
}

pub fn spread(partitions: usize, fused: bool) -> Options {
    let placement = Placement::AtMost(partitions);
    Options { placement, fused, digest: true, ..Options::default() }
}

/// A room with a heater u0 and a wall to a place of temperature u1 (degrees, seconds):
///
/// ```text
/// x0' = 3 u0 - 0.3 (x0 - 10) + 0.2 (u1 - x0)      the air
/// x1' = 0.5 (x0 - x1)                             a thermometer in it
/// ```
///
/// It announces when the thermometer passes 21 degrees upwards (0) and 19 degrees downwards (1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Room;

impl Room {
    pub const AIR: usize = 0;
    pub const THERMOMETER: usize = 1;
    pub const HEATER: usize = 0;
    pub const BEHIND_WALL: usize = 1;

    pub fn model(settings: Settings) -> Continuous<Room> {
        let ports = Continuous::new(Room, settings).and_then(|room| {
            room.held_input("heater", Room::HEATER)?
                .input("behind_wall", Room::BEHIND_WALL)?
                .output("air", Room::AIR)
        });
        ports.unwrap().events("passed")
    }
}

impl Block for Room {
    fn states(&self) -> usize {
        2
    }
    fn inputs(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        15.0
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (air, thermometer) = (at.x(Room::AIR), at.x(Room::THERMOMETER));
        if state == Room::THERMOMETER {
            return (air - thermometer) * 0.5;
        }
        let wall = (at.u(Room::BEHIND_WALL) - air) * 0.2;
        at.u(Room::HEATER) * 3.0 - (air - 10.0) * 0.3 + wall
    }
    fn crossings(&self) -> usize {
        2
    }
    fn crossing<N: Number>(&self, crossing: usize, at: &impl Point<N>) -> N {
        at.x(Room::THERMOMETER) - if crossing == 0 { 21.0 } else { 19.0 }
    }
    fn watches(&self, crossing: usize) -> Watched {
        if crossing == 0 { Watched::Rising } else { Watched::Falling }
    }
    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        edit.announce();
    }
}

/// A place whose temperature follows what is behind its wall: x' = 0.2 (u - x) + 0.05 (5 - x).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Corridor;

impl Corridor {
    pub fn model(settings: Settings) -> Continuous<Corridor> {
        let corridor = Continuous::new(Corridor, settings);
        corridor.and_then(|c| c.input("behind_wall", 0)?.output("air", 0)).unwrap()
    }
}

impl Block for Corridor {
    fn states(&self) -> usize {
        1
    }
    fn inputs(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        5.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        (at.u(0) - at.x(0)) * 0.2 - (at.x(0) - 5.0) * 0.05
    }
}

/// An event-driven controller: it heats until it is told that it is too warm (0), then waits until
/// it is told that it is too cold (1). A relay takes 20 ms.
#[derive(Default)]
pub struct Thermostat {
    passed: EventIn<u32>,
    heater: SignalOut<f64>,
    heat: f64,
    due: Option<Duration>,
    switched: SignalOut<u32>,
    count: u32,
}

impl Model for Thermostat {
    fn ports(&mut self, ports: &mut Ports) {
        self.passed = ports.event_in("passed");
        self.heater = ports.signal_out("heater", 2.0);
        self.switched = ports.signal_out("switched", 0);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.heat, self.due, self.count))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.heat, self.due, self.count) = state.get()?;
        Ok(())
    }
}

impl Atomic for Thermostat {
    fn time_advance(&self) -> Duration {
        self.due.unwrap_or(Duration::FOREVER)
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.heater, self.heat);
        out.write(self.switched, self.count + 1);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.due = None;
        self.count += 1;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for event in inputs.events(self.passed) {
            self.heat = if *event == 0 { 0.0 } else { 2.0 };
            self.due = Some(Duration::from_ms(20));
        }
    }
}

/// A periodic reader: it evaluates a trajectory at its own instants.
#[derive(Default)]
pub struct Sampler {
    signal: SignalIn<Trajectory>,
    value: SignalOut<f64>,
}

impl Model for Sampler {
    fn ports(&mut self, ports: &mut Ports) {
        self.signal = ports.signal_in("signal");
        self.value = ports.signal_out("value", 0.0);
    }
    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }
    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl Periodic for Sampler {
    fn step(&mut self, step: &mut Step<'_>) {
        let value = step.signal(self.signal).at(step.now());
        step.write(self.value, value);
    }
}

/// Writes numbers at given instants.
pub struct Script {
    pub changes: Vec<(Time, f64)>,
    pub done: usize,
    pub signal: SignalOut<f64>,
    pub initial: f64,
    pub last: Time,
}

impl Script {
    pub fn new(initial: f64, changes: &[(Time, f64)]) -> Self {
        let changes = changes.to_vec();
        Script { changes, done: 0, signal: SignalOut::default(), initial, last: Time::ZERO }
    }
}

impl Model for Script {
    fn ports(&mut self, ports: &mut Ports) {
        self.signal = ports.signal_out("signal", self.initial);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.done, self.last))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.done, self.last) = state.get()?;
        Ok(())
    }
}

impl Atomic for Script {
    fn time_advance(&self) -> Duration {
        self.changes.get(self.done).map_or(Duration::FOREVER, |(t, _)| t.since(self.last))
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.signal, self.changes[self.done].1);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.done += 1;
        self.last = context.now();
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// Something else that goes on in the same system: for each rate a block and its sampled reader.
pub fn add_bystanders(graph: &mut Graph, rates: &[u64]) {
    let root = graph.root();
    for (k, rate) in rates.iter().enumerate() {
        let place = Corridor::model(Settings::new(Method::Dopri5).tolerance(1e-3, 1e-3));
        let place = graph.add_run_ahead(root, &format!("place[{k}]"), place).unwrap();
        let (name, sampler) = (format!("bystander[{k}]"), Sampler::default());
        let reader = graph.add_periodic(root, &name, sampler, Rate::hz(*rate)).unwrap();
        graph.link(place.port("air"), reader.port("signal"), Link::direct()).unwrap();
        // It hears of itself a little later.
        let echo = Link::direct().latency(Duration::from_ms(7));
        graph.link(place.port("air"), place.port("behind_wall"), echo).unwrap();
    }
}
