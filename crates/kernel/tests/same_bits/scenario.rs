//! One fixed scenario with everything in it, heavy on floating-point arithmetic: a ring of vehicles,
//! each a composite of a body (periodic, rotations and air drag through `libm`), a noisy sensor behind
//! a faulty link, a pilot (event-driven) and a computer (run-ahead), in a wind field that all ask.
//!
//! ```text
//! quad[i]:  body ──pose──► sensor ──fix, 1 ms, fault──► computer ──command──► pilot ──thrust──► body
//!             └──pose, previous──► quad[i+1].body
//! ```

use std::f64::consts::PI;

use ironbird_kernel::{
    Action, Advance, AnyValue, Atomic, Context, Duration, EventIn, EventOut, Graph, GraphError,
    Grid, Inputs, Interposer, Link, LoadError, Model, Monitor, Options, Outputs, Parameter,
    ParameterError, Passage, Periodic, PortKind, Ports, Provider, QueryIn, RandomIn, RandomStream,
    Rate, Response, RunAhead, SaveError, Scalar, Seed, SignalIn, SignalOut, Simulation, Start,
    StateReader, StateWriter, Step, Time, Value, Watched,
};

/// Vehicles in the ring.
const VEHICLES: usize = 12;

/// How long the scenario lasts.
pub const END: Time = Time::from_ps(250_000_000_000);

#[derive(Clone, Debug, PartialEq, Value)]
struct Pose {
    position: [f64; 3],
    attitude: [f64; 4],
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Fix {
    position: [f64; 3],
    serial: u64,
}

/// Moves with its thrust, the wind and its neighbour's wake.
#[derive(Default)]
struct Body {
    thrust: SignalIn<f64>,
    neighbour: SignalIn<Pose>,
    wind: QueryIn<[f64; 3], f64>,
    gust: RandomIn,
    pose: SignalOut<Pose>,
    position: [f64; 3],
    velocity: [f64; 3],
    attitude: [f64; 4],
    mass: f64,
}

impl Model for Body {
    fn ports(&mut self, ports: &mut Ports) {
        self.thrust = ports.signal_in("thrust");
        self.neighbour = ports.signal_in("neighbour");
        self.wind = ports.query("wind");
        self.gust = ports.random("gust");
        let pose = Pose { position: self.position, attitude: self.attitude };
        self.pose = ports.signal_out("pose", pose);
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        self.velocity = std::array::from_fn(|_| start.random(self.gust).normal());
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("mass", Parameter::Real(mass)) if mass > 0.0 => self.mass = mass,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.position, self.velocity, self.attitude, self.mass))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.position, self.velocity, self.attitude, self.mass) = state.get()?;
        Ok(())
    }
}

impl Periodic for Body {
    fn step(&mut self, step: &mut Step<'_>) {
        let seconds = 1e-3;
        let thrust = *step.signal(self.thrust);
        let wake = step.signal(self.neighbour).position;
        let gust = 0.1 * step.random(self.gust).normal();
        let wind = step.ask(self.wind, &self.position) + gust;
        let [w, x, y, z] = self.attitude;
        let pitch = libm::asin((2.0 * (w * y - z * x)).clamp(-1.0, 1.0));
        let heading = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
        let force = [
            thrust * libm::cos(heading) * libm::cos(pitch) + wind,
            thrust * libm::sin(heading) - libm::tanh(self.position[1] - wake[1]),
            thrust * libm::sin(pitch) + libm::exp(-self.position[2] * self.position[2]) - 0.3,
        ];
        for (axis, force) in force.into_iter().enumerate() {
            let drag = 0.2 * self.velocity[axis] * libm::fabs(self.velocity[axis]);
            self.velocity[axis] += (force - drag) / self.mass * seconds;
            self.position[axis] += self.velocity[axis] * seconds;
        }
        // A rotation vector as a quaternion: (cos |r|/2, sin |r|/2 · r/|r|).
        let turn: [f64; 3] = std::array::from_fn(|axis| 3.0 * seconds * force[axis]);
        let angle = libm::sqrt(turn.iter().map(|r| r * r).sum::<f64>()) + 1e-12;
        let [c, s] = [libm::cos(angle / 2.0), libm::sin(angle / 2.0) / angle];
        let [p, q, r] = turn.map(|part| part * s);
        let turned = [
            w * c - x * p - y * q - z * r,
            w * p + x * c + y * r - z * q,
            w * q - x * r + y * c + z * p,
            w * r + x * q - y * p + z * c,
        ];
        let norm = libm::sqrt(turned.iter().map(|part| part * part).sum::<f64>());
        self.attitude = turned.map(|part| part / norm);
        let pose = Pose { position: self.position, attitude: self.attitude };
        step.write(self.pose, pose);
    }
}

/// Measures the position with noise that grows with speed.
#[derive(Default)]
struct Sensor {
    pose: SignalIn<Pose>,
    noise: RandomIn,
    fix: EventOut<Fix>,
    serial: u64,
}

impl Model for Sensor {
    fn ports(&mut self, ports: &mut Ports) {
        self.pose = ports.signal_in("pose");
        self.noise = ports.random("noise");
        self.fix = ports.event_out("fix");
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.serial)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.serial = state.get()?;
        Ok(())
    }
}

impl Periodic for Sensor {
    fn step(&mut self, step: &mut Step<'_>) {
        let truth = step.signal(self.pose).position;
        let position = truth.map(|x| x + 0.01 * step.random(self.noise).normal() * libm::cbrt(x));
        self.serial += 1;
        let fix = Fix { position, serial: self.serial };
        step.send(self.fix, fix);
    }
}

/// Filters fixes, an instruction at a time, and commands at the end of each of its loops.
struct Computer {
    fixes: EventIn<Fix>,
    command: EventOut<f64>,
    clock: Grid,
    executed: u64,
    estimate: [f64; 3],
}

impl Model for Computer {
    fn ports(&mut self, ports: &mut Ports) {
        self.fixes = ports.event_in("fixes");
        self.command = ports.event_out("command");
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.executed, self.estimate))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.executed, self.estimate) = state.get()?;
        Ok(())
    }
}

impl RunAhead for Computer {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        self.executed = self.executed.max(self.clock.first_tick_from(context.now()));
        loop {
            let at = self.clock.tick(self.executed);
            if at >= until {
                return Advance::Reached;
            }
            self.executed += 1;
            let [x, y, z] = self.estimate;
            self.estimate = [x + 1e-4 * libm::sin(y), y - 1e-4 * libm::sin(z), z * (1.0 - 1e-5)];
            if self.executed.is_multiple_of(97) {
                return Advance::Output(at);
            }
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        let [x, y, z] = self.estimate;
        out.send(self.command, libm::log1p(libm::hypot(x, y)) - libm::sinh(0.1 * z));
    }
    fn input(&mut self, _: &mut Context<'_>, inputs: &Inputs<'_>) {
        for fix in inputs.events(self.fixes) {
            for (estimate, measured) in self.estimate.iter_mut().zip(fix.position) {
                *estimate += 0.3 * (measured - *estimate);
            }
        }
    }
}

/// Holds a command for a random time, then thrusts.
#[derive(Default)]
struct Pilot {
    commands: EventIn<f64>,
    thrust: SignalOut<f64>,
    reaction: RandomIn,
    demand: f64,
    left: Duration,
}

impl Model for Pilot {
    fn ports(&mut self, ports: &mut Ports) {
        self.commands = ports.event_in("commands");
        self.thrust = ports.signal_out("thrust", 1.0);
        self.reaction = ports.random("reaction");
        self.left = Duration::FOREVER;
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.demand, self.left))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.demand, self.left) = state.get()?;
        Ok(())
    }
}

impl Atomic for Pilot {
    fn time_advance(&self) -> Duration {
        self.left
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.thrust, 2.0 + libm::tanh(self.demand));
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.left = Duration::FOREVER;
    }
    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for command in inputs.events(self.commands) {
            self.demand = 0.5 * self.demand + libm::sin(PI * command);
        }
        let seconds = 1e-3 * context.random(self.reaction).exponential();
        self.left = Duration::from_secs_f64_ceil(seconds).unwrap_or(Duration::ZERO);
    }
}

/// Wind over a place, as everybody may ask.
#[derive(Clone)]
struct Wind {
    strength: f64,
}

impl Provider<[f64; 3], f64> for Wind {
    fn answer(&self, now: Time, at: &[f64; 3]) -> f64 {
        self.strength * libm::sin(at[0] + 40.0 * now.as_secs_f64()) * libm::pow(1.1, at[2])
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Real(strength) if name == "strength" => self.strength = strength,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.strength)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.strength = state.get()?;
        Ok(())
    }
}

/// Loses a tenth of all fixes, delays some, biases the rest.
#[derive(Clone)]
struct Multipath {
    bias: f64,
}

impl Interposer for Multipath {
    fn pass(&mut self, _: Time, value: &mut dyn AnyValue, random: &mut RandomStream) -> Passage {
        if random.chance(0.1) {
            return Passage::Drop;
        }
        if let Some(Scalar::Float(x)) = value.leaf_at(0) {
            let biased = Scalar::Float(x + self.bias * random.normal());
            value.set_leaf_at(0, biased).expect("a number takes a number");
        }
        if random.chance(0.3) { Passage::Delay(Duration::from_us(700)) } else { Passage::Deliver }
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Real(bias) if name == "bias" => self.bias = bias,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.bias)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.bias = state.get()?;
        Ok(())
    }
}

/// The whole system.
pub fn graph() -> Result<Graph, GraphError> {
    let mut graph = Graph::new();
    let wind = graph.provide(graph.root(), "wind", Wind { strength: 0.7 })?;
    let mut vehicles = Vec::new();
    for number in 0..VEHICLES {
        let quad = graph.composite(graph.root(), &format!("quad[{number}]"))?;
        let place = number as f64;
        let body = Body {
            position: [place, libm::sin(place), 1.0],
            attitude: [1.0, 0.0, 0.0, 0.0],
            mass: 1.0 + 0.1 * place,
            ..Body::default()
        };
        let body = graph.add_periodic(quad, "body", body, Rate::hz(1_000))?;
        let slow = Rate::new(1_000, 3).expect("a fine rate");
        let rate = if number % 2 == 0 { Rate::hz(3_000) } else { slow };
        let sensor = graph.add_periodic(quad, "sensor", Sensor::default(), rate)?;
        let clock = Grid::new(Time::ZERO, Rate::hz(168_000 + 7 * number as u64));
        let computer = Computer {
            fixes: EventIn::default(),
            command: EventOut::default(),
            clock,
            executed: 0,
            estimate: [0.0; 3],
        };
        let computer = graph.add_run_ahead(quad, "computer", computer)?;
        let pilot = graph.add(quad, "pilot", Pilot::default())?;
        graph.output::<Pose>(quad, "pose", PortKind::Signal)?;
        graph.link(body.port("pose"), quad.port("pose"), Link::direct())?;
        graph.link(body.port("pose"), sensor.port("pose"), Link::direct())?;
        let fault = Link::direct().latency(Duration::from_ms(1));
        let fault = fault.via(&format!("fault[{number}]"), Multipath { bias: 0.02 });
        graph.link(sensor.port("fix"), computer.port("fixes"), fault)?;
        let bus = Link::direct().latency(Duration::from_us(20));
        graph.link(computer.port("command"), pilot.port("commands"), bus)?;
        graph.link(pilot.port("thrust"), body.port("thrust"), Link::direct())?;
        graph.bind_query(body.port("wind"), wind)?;
        vehicles.push((quad, body));
    }
    for (number, &(_, body)) in vehicles.iter().enumerate() {
        let (ahead, _) = vehicles[(number + 1) % VEHICLES];
        graph.link(ahead.port("pose"), body.port("neighbour"), Link::direct().previous())?;
    }
    let watched = Watched { component: "quad[3].body".into(), port: "pose".into() };
    let sinks = |readings: &ironbird_kernel::Readings<'_>| {
        readings.signal::<Pose>(0).is_some_and(|pose| pose.position[2] < 0.999)
    };
    let component = "quad[3].sensor".into();
    let response = Response::Act(vec![Action::SetRate { component, rate: Rate::hz(700) }]);
    graph.monitor(Monitor::new("sinks", vec![watched], sinks, response))?;
    Ok(graph)
}

/// What happens, and when (in microseconds).
pub fn script() -> Vec<(Time, Action)> {
    let set = |component: &str, name: &str, value: f64| Action::SetParameter {
        component: component.into(),
        name: name.into(),
        value: Parameter::Real(value),
    };
    let bias = Action::SetLinkParameter {
        link: "fault[5]".into(),
        name: "bias".into(),
        value: Parameter::Real(0.5),
    };
    let us = |us| Time::ZERO + Duration::from_us(us);
    vec![
        (us(20_000), Action::Stop { component: "quad[2].sensor".into() }),
        (us(31_337), set("wind", "strength", 1.3)),
        (us(50_000), bias),
        (us(60_000), Action::Reset { component: "quad[10].body".into() }),
        (us(70_500), Action::Start { component: "quad[2].sensor".into() }),
        (us(80_000), set("quad[9].body", "mass", 2.5)),
        (us(90_000), Action::Stop { component: "quad[7]".into() }),
        (us(120_001), Action::Start { component: "quad[7]".into() }),
    ]
}

/// Runs the scenario under some options and gives its digest.
pub fn digest(options: Options) -> u64 {
    let seed = Seed { seed: 2026, repetition: 3 };
    let graph = graph().expect("the scenario is a sound system");
    let options = Options { seed, digest: true, ..options };
    let mut simulation = Simulation::new(graph, options).expect("every model starts");
    for (at, action) in script() {
        simulation.schedule(at, action).expect("the script fits the system");
    }
    simulation.run_until(END).expect("nobody edits the system");
    simulation.digest()
}
