//! Small component types, and a way to run an experiment that is written in a test.

use std::path::Path;
use std::sync::Arc;

use ironbird_component::{Answers, Component, Registry};
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_kernel::*;
use ironbird_record::Recording;
use ironbird_runner::{How, Interrupt, Job, Outcomes, run};

/// Counts its steps, by as much as it is told.
#[derive(Component)]
#[component(type = "test.counter", periodic, rate = "1 kHz")]
pub struct Counter {
    /// How much a step counts.
    #[parameter(default = 1.0)]
    by: f64,
    /// The count.
    #[output(initial = 0.0)]
    count: SignalOut<f64>,
    /// Sent with every tenth count.
    #[output]
    tenth: EventOut<f64>,
    total: f64,
}

impl Periodic for Counter {
    fn step(&mut self, step: &mut Step<'_>) {
        self.total += self.by;
        step.write(self.count, self.total);
        if step.tick() % 10 == 0 {
            step.send(self.tenth, self.total);
        }
    }
}

/// Shows what it sees whenever that is written.
#[derive(Component)]
#[component(type = "test.mirror", event_driven)]
pub struct Mirror {
    /// What it sees.
    #[input(waking)]
    u: SignalIn<f64>,
    /// What it shows.
    #[output(initial = 0.0)]
    y: SignalOut<f64>,
    seen: f64,
    news: bool,
}

impl Atomic for Mirror {
    fn time_advance(&self) -> Duration {
        if self.news { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.y, self.seen);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.news = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.seen = *inputs.signal(self.u);
        self.news = true;
    }
}

/// Shows in every step what it sees then.
#[derive(Component)]
#[component(type = "test.sampler", periodic, rate = "1 kHz")]
pub struct Sampler {
    /// What it sees.
    #[input]
    u: SignalIn<f64>,
    /// What it shows.
    #[output(initial = 0.0)]
    y: SignalOut<f64>,
}

impl Periodic for Sampler {
    fn step(&mut self, step: &mut Step<'_>) {
        let seen = *step.signal(self.u);
        step.write(self.y, seen);
    }
}

/// Takes half of itself and adds what it sees; refuses numbers from `limit` on.
#[derive(Component)]
#[component(type = "test.mixer", periodic, rate = "1 kHz")]
pub struct Mixer {
    /// One thing it sees.
    #[input]
    u: SignalIn<f64>,
    /// Another thing it sees.
    #[input]
    v: SignalIn<f64>,
    /// Where it fails.
    #[parameter(default = 1e9)]
    limit: f64,
    /// What it has become.
    #[output(initial = 0.25)]
    y: SignalOut<f64>,
    sum: f64,
}

impl Periodic for Mixer {
    fn step(&mut self, step: &mut Step<'_>) {
        self.sum = 0.5 * self.sum + step.signal(self.u) - 0.25 * step.signal(self.v);
        if self.sum >= self.limit {
            step.fail("too much");
        }
        step.write(self.y, self.sum);
    }
}

/// Shows in every step what it sees then, and before the first what it sees at the start.
#[derive(Component)]
#[component(type = "test.mirroring", periodic, rate = "1 kHz", start = Self::begin)]
pub struct Mirroring {
    /// What it sees.
    #[input]
    u: SignalIn<f64>,
    /// What it shows.
    #[output(initial = 0.0)]
    y: SignalOut<f64>,
}

impl Mirroring {
    fn begin(&mut self, start: &mut Start<'_>) {
        let seen = *start.signal(self.u);
        start.write(self.y, seen);
    }
}

impl Periodic for Mirroring {
    fn step(&mut self, step: &mut Step<'_>) {
        let seen = *step.signal(self.u);
        step.write(self.y, seen);
    }
}

/// Shows the last message that it heard.
#[derive(Component)]
#[component(type = "test.messages", event_driven)]
pub struct Messages {
    /// What it hears.
    #[input]
    heard: EventIn<f64>,
    /// The last of it.
    #[output(initial = 0.0)]
    last: SignalOut<f64>,
    content: f64,
    news: bool,
}

impl Atomic for Messages {
    fn time_advance(&self) -> Duration {
        if self.news { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.last, self.content);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.news = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        if let Some(content) = inputs.events(self.heard).last() {
            (self.content, self.news) = (*content, true);
        }
    }
}

/// Random numbers.
#[derive(Component)]
#[component(type = "test.dice", periodic, rate = "100 Hz")]
pub struct Dice {
    #[random]
    stream: RandomIn,
    /// The number.
    #[output(initial = 0.0)]
    number: SignalOut<f64>,
}

impl Periodic for Dice {
    fn step(&mut self, step: &mut Step<'_>) {
        let number = step.random(self.stream).uniform();
        step.write(self.number, number);
    }
}

/// A level that others ask for.
#[derive(Clone, Component)]
#[component(type = "test.level", provider, provides = fn(f64) -> f64)]
#[configures(name = "set-level", sets = "height, slope", doc = "Sets both.")]
pub struct Level {
    /// What it answers, beside what it is asked.
    #[parameter(default = 0.0)]
    height: f64,
    /// How much of what it is asked counts.
    #[parameter(default = 1.0)]
    slope: f64,
}

impl Answers<f64, f64> for Level {
    fn answer(&self, _: Time, argument: &f64) -> f64 {
        self.height + self.slope * argument
    }
}

/// Asks for a level in every step.
#[derive(Component)]
#[component(type = "test.asker", periodic, rate = "1 kHz")]
pub struct Asker {
    #[query]
    level: QueryIn<f64, f64>,
    /// The answer.
    #[output(initial = 0.0)]
    answer: SignalOut<f64>,
}

impl Periodic for Asker {
    fn step(&mut self, step: &mut Step<'_>) {
        let answer = step.ask(self.level, &0.5);
        step.write(self.answer, answer);
    }
}

/// What a tank is asked for.
#[derive(Clone, Debug, PartialEq, Value)]
pub struct Fill {
    /// How much is added.
    amount: f64,
}

/// A tank that is filled by calls.
#[derive(Component)]
#[component(type = "test.tank", event_driven)]
pub struct Tank {
    /// Adds to the contents.
    #[service(units = "amount: l")]
    fill: CallIn<Fill, bool>,
    /// What is in it.
    #[output(unit = "l", initial = 0.0)]
    contents: SignalOut<f64>,
    amount: f64,
    news: bool,
}

impl Atomic for Tank {
    fn time_advance(&self) -> Duration {
        if self.news { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.contents, self.amount);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.news = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for request in inputs.events(self.fill.request) {
            self.amount += request.content.amount;
            self.news = true;
        }
    }
}

/// Three quadrotors and a rover in one component: each port belongs to one of them.
#[derive(Component)]
#[component(type = "test.world", periodic, rate = "1 kHz")]
pub struct World {
    #[input(name = "quad[0].motors")]
    motors_0: SignalIn<f64>,
    #[input(name = "quad[1].motors")]
    motors_1: SignalIn<f64>,
    #[input(name = "quad[10].motors")]
    motors_10: SignalIn<f64>,
    #[input(name = "rover.motors", default = 0.5)]
    motors_rover: SignalIn<f64>,
    #[output(name = "quad[0].position", unit = "m", initial = [0.0; 3])]
    position_0: SignalOut<[f64; 3]>,
    #[output(name = "quad[1].position", unit = "m", initial = [0.0; 3])]
    position_1: SignalOut<[f64; 3]>,
    #[output(name = "quad[10].position", unit = "m", initial = [0.0; 3])]
    position_10: SignalOut<[f64; 3]>,
    #[output(name = "rover.position", unit = "m", initial = [0.0; 3])]
    position_rover: SignalOut<[f64; 3]>,
    heights: [f64; 4],
}

impl Periodic for World {
    fn step(&mut self, step: &mut Step<'_>) {
        let ports = [
            (self.motors_0, self.position_0),
            (self.motors_1, self.position_1),
            (self.motors_10, self.position_10),
            (self.motors_rover, self.position_rover),
        ];
        for (height, (motors, position)) in self.heights.iter_mut().zip(ports) {
            *height += step.signal(motors);
            step.write(position, [0.0, -1.0, *height]);
        }
    }
}

/// Measures how often it has stepped, in three directions; every third measurement is none. It may be a task.
#[derive(Component)]
#[component(type = "test.sounder", periodic, rate = "1 kHz", start = Self::begin)]
pub struct Sounder {
    /// How much a step adds.
    #[input(default = 1.0)]
    u: SignalIn<f64>,
    /// What it has measured.
    #[output(frame = "ned")]
    echo: SignalOut<VectorSample>,
    total: f64,
}

impl Sounder {
    fn begin(&mut self, start: &mut Start<'_>) {
        let value = [0.5, 0.25, 0.125];
        start.write(self.echo, VectorSample { value, ..VectorSample::default() });
    }
}

impl Periodic for Sounder {
    fn step(&mut self, step: &mut Step<'_>) {
        self.total += step.signal(self.u);
        let x = self.total;
        let valid = step.tick() % 3 != 2;
        let value = if valid { [x, -0.5 * x, 0.25 * x] } else { [0.0; 3] };
        step.write(self.echo, VectorSample { value, taken: step.now(), valid });
    }
}

/// The length of a vector.
#[derive(Component)]
#[component(type = "test.length", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub struct Length {
    /// What it is multiplied by.
    #[parameter(default = 1.0)]
    scale: f64,
    /// The vector.
    #[input(name = "in")]
    vector: SignalIn<[f64; 3]>,
    /// Its length.
    #[output(name = "out")]
    length: SignalOut<f64>,
    /// How often it was measured.
    #[output]
    count: SignalOut<f64>,
    steps: f64,
}

impl Length {
    fn of(&self, vector: &[f64; 3]) -> f64 {
        self.scale * vector.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        let length = self.of(start.signal(self.vector));
        start.write(self.length, length);
    }
}

impl Periodic for Length {
    fn step(&mut self, step: &mut Step<'_>) {
        self.steps += 1.0;
        let length = self.of(step.signal(self.vector));
        step.write(self.length, length);
        step.write(self.count, self.steps);
    }
}

pub fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<Sounder>().unwrap();
    registry.register::<Length>().unwrap();
    registry.register::<Counter>().unwrap();
    registry.register::<Mirror>().unwrap();
    registry.register::<Sampler>().unwrap();
    registry.register::<Messages>().unwrap();
    registry.register::<Dice>().unwrap();
    registry.register::<Mixer>().unwrap();
    registry.register::<Mirroring>().unwrap();
    registry.register::<Level>().unwrap();
    registry.register::<Asker>().unwrap();
    registry.register::<Tank>().unwrap();
    registry.register::<Pump>().unwrap();
    registry.register::<Ramp>().unwrap();
    registry.register::<Light>().unwrap();
    registry.register::<Rover>().unwrap();
    registry.register::<World>().unwrap();
    registry
}

pub fn experiment(text: &str) -> Arc<Experiment> {
    let text = format!("ironbird = 1\n{text}");
    let root = load_text("test.toml", Path::new(""), &text, &[]);
    let checked = root.and_then(|root| check(&root, &registry()));
    match checked {
        Ok((experiment, _)) => Arc::new(experiment),
        Err(problems) => panic!("{}", problems.render(false, 100)),
    }
}

/// A run and what it recorded.
#[allow(dead_code, reason = "not every test looks at everything")]
pub struct Ran {
    pub outcomes: Outcomes,
    pub recording: Recording,
    pub file: Vec<u8>,
}

#[allow(dead_code, reason = "not every test looks at everything")]
impl Ran {
    /// Times in microseconds, and values.
    pub fn values(&self, channel: &str) -> Vec<(f64, f64)> {
        let samples = self.recording.samples(channel).unwrap();
        samples.iter().map(|(time, numbers)| (time.as_ps() as f64 / 1e6, numbers[0])).collect()
    }

    /// The last value at or before a time in microseconds.
    pub fn at(&self, channel: &str, us: f64) -> f64 {
        self.values(channel).into_iter().take_while(|(time, _)| *time <= us).last().unwrap().1
    }
}

pub fn run_with(experiment: &Arc<Experiment>, scenario: usize, how: How, repetition: u64) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let how = How { recording: Some(path.clone()), ..how };
    let registry = registry();
    let job =
        Job { experiment: experiment.clone(), registry: &registry, scenario, repetition, how };
    let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).unwrap();
    let file = std::fs::read(&path).unwrap();
    let recording = Recording::from_bytes(file.clone()).unwrap();
    Ran { outcomes, recording, file }
}

#[allow(dead_code, reason = "not every test needs it")]
pub fn run_text(text: &str) -> Ran {
    run_with(&experiment(text), 0, How::default(), 0)
}

/// Fills a tank by one litre in every tenth step.
#[derive(Component)]
#[component(type = "test.pump", periodic, rate = "1 kHz")]
pub struct Pump {
    #[requires]
    fill: CallOut<Fill, bool>,
    calls: u64,
}

impl Periodic for Pump {
    fn step(&mut self, step: &mut Step<'_>) {
        if step.tick() % 10 == 0 {
            self.calls += 1;
            step.send(self.fill.request, Request::new(self.calls, Fill { amount: 1.0 }));
        }
    }
}

/// A level that rises by one per second.
#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(type = "test.ramp", continuous)]
pub struct Ramp {
    /// The level.
    #[output(state = 0)]
    level: ironbird_component::Shown,
}

impl ironbird_solvers::Block for Ramp {
    fn states(&self) -> usize {
        1
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: ironbird_solvers::Number>(
        &self,
        _: usize,
        _: &impl ironbird_solvers::Point<N>,
    ) -> N {
        N::constant(1.0)
    }
}

/// A state that a light has entered.
#[derive(Clone, Debug, Value)]
pub struct Entered {
    number: u32,
    name: Payload,
}

/// Goes through three states in each of its first four steps, and is off then.
#[derive(Component)]
#[component(type = "test.light", periodic, rate = "1 Hz")]
pub struct Light {
    /// Its states.
    #[output]
    entered: EventOut<Entered>,
    steps: u32,
}

impl Periodic for Light {
    fn step(&mut self, step: &mut Step<'_>) {
        let states: &[&str] = match self.steps {
            0..4 => &["red", "amber", "green"],
            4 => &["off"],
            _ => &[],
        };
        for (number, name) in (0..).zip(states) {
            step.send(self.entered, Entered { number, name: Payload::new(name.as_bytes()) });
        }
        self.steps += 1;
    }
}

/// A place to go to.
#[derive(Clone, Debug, Value)]
pub struct Cell {
    height: f64,
    north: f64,
    east: f64,
}

/// Goes from place to place.
#[derive(Component)]
#[component(type = "test.rover", periodic, rate = "1 Hz")]
pub struct Rover {
    /// Where it is.
    #[output(unit = "m", frame = "ned", initial = [0.0; 3])]
    position: SignalOut<[f64; 3]>,
    /// Where it goes to.
    #[output(unit = "north: m, east: m, height: m")]
    go: EventOut<Cell>,
}

impl Periodic for Rover {
    fn step(&mut self, step: &mut Step<'_>) {
        let tick = step.tick() as f64;
        step.write(self.position, [tick, 2.0 * tick, 0.0]);
        step.send(self.go, Cell { height: 5.0, north: 10.0 * tick, east: 20.0 * tick });
    }
}
