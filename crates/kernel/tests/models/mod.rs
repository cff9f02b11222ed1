//! Small models that several test files share, and how the tests run them.
#![allow(dead_code)]

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use ironbird_kernel::{
    Advance, Atomic, Context, Duration, EventIn, EventOut, Graph, Inputs, LoadError, Model,
    Options, Outputs, Parameter, ParameterError, Periodic, Placement, Ports, RandomIn, RunAhead,
    SaveError, SignalIn, SignalOut, Simulation, Start, StateReader, StateWriter, Step, Time,
};

/// The instant `n` milliseconds after the start.
pub fn ms(n: u64) -> Time {
    Time::ZERO + Duration::from_ms(n)
}

/// The instant `n` microseconds after the start.
pub fn us(n: u64) -> Time {
    Time::ZERO + Duration::from_us(n)
}

/// At most `partitions` threads, with a digest.
pub fn spread_over(partitions: usize) -> Options {
    Options { placement: Placement::AtMost(partitions), digest: true, ..Options::default() }
}

/// A system that has run to before `until`.
pub fn run(graph: Graph, options: Options, until: Time) -> Simulation {
    let mut simulation = Simulation::new(graph, options).unwrap();
    assert_eq!(simulation.run_until(until).unwrap(), ironbird_kernel::Outcome::Reached(until));
    simulation
}

/// Fails instead of hanging: `work` must end within 10 s. Says how long it took.
pub fn without_hanging<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = mpsc::channel();
    let started = std::time::Instant::now();
    std::thread::spawn(move || {
        let _ = done.send(work());
    });
    let result = wait.recv_timeout(std::time::Duration::from_secs(10));
    let result = result.expect("it neither ended within 10 s nor gave a result");
    println!("took {:?}", started.elapsed());
    result
}

/// What models saw, in the order in which they saw it.
pub struct Log<T>(Arc<Mutex<Vec<T>>>);

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Log(self.0.clone())
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log(Arc::default())
    }
}

impl<T: Clone> Log<T> {
    pub fn push(&self, entry: T) {
        self.0.lock().unwrap().push(entry);
    }

    pub fn entries(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }
}

/// Sends given values at given instants; those of one instant in the order given.
///
/// ```text
/// [sends] out (event f64) ►
/// ```
pub struct Sends {
    script: Vec<(Time, f64)>,
    next: usize,
    now: Time,
    out: EventOut<f64>,
}

impl Sends {
    pub fn new(script: impl IntoIterator<Item = (Time, f64)>) -> Self {
        let script = script.into_iter().collect();
        Sends { script, next: 0, now: Time::ZERO, out: EventOut::default() }
    }

    /// `value`, once.
    pub fn once(at: Time, value: f64) -> Self {
        Sends::new([(at, value)])
    }
}

impl Model for Sends {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.event_out("out");
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.next, self.now))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.next, self.now) = state.get()?;
        Ok(())
    }
}

impl Atomic for Sends {
    fn time_advance(&self) -> Duration {
        self.script.get(self.next).map_or(Duration::FOREVER, |(at, _)| at.since(self.now))
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        let now = out.now();
        let due = self.script[self.next..].iter().take_while(|(at, _)| *at <= now);
        for &(_, value) in due {
            out.send(self.out, value);
        }
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.now = context.now();
        self.next = self.script.partition_point(|(at, _)| *at <= self.now);
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// One bag: when it came, and what was in it.
pub type Bag = (Time, Vec<f64>);

/// Logs every bag that arrives.
///
/// ```text
/// ► in (event f64) [collects]
/// ```
#[derive(Default)]
pub struct Collects {
    input: EventIn<f64>,
    pub log: Log<Bag>,
}

impl Collects {
    pub fn into(log: &Log<Bag>) -> Self {
        Collects { log: log.clone(), ..Collects::default() }
    }
}

impl Model for Collects {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
    }
}

impl Atomic for Collects {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.log.push((context.now(), inputs.events(self.input).copied().collect()));
    }
}

/// Passes on at once, in the next cycle, what arrives.
///
/// ```text
/// ► in (event f64) [relays] out (event f64) ►
/// ```
#[derive(Default)]
pub struct Relays {
    input: EventIn<f64>,
    out: EventOut<f64>,
    held: Vec<f64>,
}

impl Model for Relays {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.out = ports.event_out("out");
    }
}

impl Atomic for Relays {
    fn time_advance(&self) -> Duration {
        if self.held.is_empty() { Duration::FOREVER } else { Duration::ZERO }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.held.iter().for_each(|&value| out.send(self.out, value));
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.held.clear();
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.held.extend(inputs.events(self.input));
    }
}

/// A periodic component that shows and sends the number of its tick.
///
/// ```text
/// [ticks] count (signal u64), out (event f64) ►
/// ```
#[derive(Default)]
pub struct Ticks {
    count: SignalOut<u64>,
    out: EventOut<f64>,
    pub log: Log<(Time, u64)>,
}

impl Ticks {
    pub fn into(log: &Log<(Time, u64)>) -> Self {
        Ticks { log: log.clone(), ..Ticks::default() }
    }
}

impl Model for Ticks {
    fn ports(&mut self, ports: &mut Ports) {
        self.count = ports.signal_out("count", 0);
        self.out = ports.event_out("out");
    }
    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }
    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl Periodic for Ticks {
    fn step(&mut self, step: &mut Step<'_>) {
        let tick = step.tick();
        self.log.push((step.now(), tick));
        step.write(self.count, tick);
        step.send(self.out, tick as f64);
    }
}

/// A periodic component that logs the signal it reads.
///
/// ```text
/// ► in (signal u64) [reads]
/// ```
#[derive(Default)]
pub struct Reads {
    input: SignalIn<u64>,
    pub log: Log<(Time, u64)>,
}

impl Reads {
    pub fn into(log: &Log<(Time, u64)>) -> Self {
        Reads { log: log.clone(), ..Reads::default() }
    }
}

impl Model for Reads {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in("in");
    }
}

impl Periodic for Reads {
    fn step(&mut self, step: &mut Step<'_>) {
        self.log.push((step.now(), *step.signal(self.input)));
    }
}

/// A periodic component that logs the events since its last step.
///
/// ```text
/// ► in (event f64) [polls]
/// ```
#[derive(Default)]
pub struct Polls {
    input: EventIn<f64>,
    pub log: Log<Bag>,
}

impl Polls {
    pub fn into(log: &Log<Bag>) -> Self {
        Polls { log: log.clone(), ..Polls::default() }
    }
}

impl Model for Polls {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
    }
}

impl Periodic for Polls {
    fn step(&mut self, step: &mut Step<'_>) {
        self.log.push((step.now(), step.events(self.input).copied().collect()));
    }
}

/// Mixes a number into a state so that the order of numbers shows.
pub fn mix(state: u64, value: f64) -> u64 {
    (state ^ value.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
}

/// Sends at random instants, and mixes all that it hears, in order, into what it says.
///
/// ```text
/// ► in (event f64) [chatter] out (event f64), state (signal u64) ►
/// ```
#[derive(Default)]
pub struct Chatter {
    input: EventIn<f64>,
    out: EventOut<f64>,
    shown: SignalOut<u64>,
    random: RandomIn,
    state: u64,
    wait: Duration,
    /// Every number drawn.
    pub drawn: Log<(Time, u64)>,
}

impl Chatter {
    pub fn logging(drawn: &Log<(Time, u64)>) -> Self {
        Chatter { drawn: drawn.clone(), ..Chatter::default() }
    }

    fn draw(bits: u64) -> Duration {
        Duration::from_us(100 + bits % 900)
    }
}

impl Model for Chatter {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.out = ports.event_out("out");
        self.shown = ports.signal_out("state", 0);
        self.random = ports.random("talk");
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        let bits = start.random(self.random).bits();
        self.drawn.push((start.now(), bits));
        self.wait = Chatter::draw(bits);
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("state", Parameter::Integer(state)) => self.state = state as u64,
            (_, value) => {
                let expected = "a whole number called \"state\"".into();
                return Err(ParameterError::Invalid { name: name.into(), value, expected });
            }
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.state, self.wait))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.state, self.wait) = state.get()?;
        Ok(())
    }
}

impl Atomic for Chatter {
    fn time_advance(&self) -> Duration {
        self.wait
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.out, (self.state >> 12) as f64);
        out.write(self.shown, self.state);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        let bits = context.random(self.random).bits();
        self.drawn.push((context.now(), bits));
        self.state = mix(self.state, bits as f64);
        self.wait = Chatter::draw(bits);
    }
    fn external(&mut self, _: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
        self.wait = Duration::from_ps(self.wait.as_ps() - elapsed.as_ps());
        for &value in inputs.events(self.input) {
            self.state = mix(self.state, value);
        }
    }
}

/// A processor: executes an instruction every microsecond, counts them, shows the count at given
/// instants, and jumps by what it receives.
///
/// ```text
/// ► in (event f64) [processor] out (event f64), count (signal u64) ►
/// ```
#[derive(Default)]
pub struct Processor {
    input: EventIn<f64>,
    out: EventOut<f64>,
    shown: SignalOut<u64>,
    /// Instants at which it shows something.
    shows: Vec<Time>,
    next_show: usize,
    /// Number of the next instruction; instruction k starts at k microseconds.
    program: u64,
    count: u64,
    rests: bool,
    /// Inputs with their instants, and the instructions executed before them.
    pub heard: Log<(Time, u64, Vec<f64>)>,
    /// Every `until`.
    pub untils: Log<Time>,
}

impl Processor {
    pub fn showing(shows: impl IntoIterator<Item = Time>) -> Self {
        Processor { shows: shows.into_iter().collect(), ..Processor::default() }
    }

    /// Goes idle behind its last show.
    pub fn resting(mut self) -> Self {
        self.rests = true;
        self
    }

    /// Executes everything that starts before `until`.
    fn execute(&mut self, until: Time) {
        let end = until.as_ps().div_ceil(1_000_000);
        while self.program < end {
            self.count = mix(self.count, self.program as f64);
            self.program += 1;
        }
    }
}

impl Model for Processor {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.out = ports.event_out("out");
        self.shown = ports.signal_out("count", 0);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.next_show, self.program, self.count))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.next_show, self.program, self.count) = state.get()?;
        Ok(())
    }
}

impl RunAhead for Processor {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        self.untils.push(until);
        // What it would have shown while it was stopped is not shown any more.
        while self.shows.get(self.next_show).is_some_and(|&show| show < context.now()) {
            self.next_show += 1;
        }
        match self.shows.get(self.next_show) {
            Some(&show) if show < until => {
                self.execute(show);
                Advance::Output(show)
            }
            None if self.rests => Advance::Idle,
            _ => {
                self.execute(until);
                Advance::Reached
            }
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.next_show += 1;
        out.send(self.out, (self.count >> 12) as f64);
        out.write(self.shown, self.count);
    }
    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        if self.rests {
            // While it rested, nothing was executed.
            self.program = self.program.max(context.now().as_ps().div_ceil(1_000_000));
        }
        let bag: Vec<f64> = inputs.events(self.input).copied().collect();
        self.heard.push((context.now(), self.program, bag.clone()));
        for value in bag {
            self.count = mix(self.count, value);
        }
    }
}
