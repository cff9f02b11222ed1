//! A chain of small periodic components: what is measured is what the engine adds to a loop.
//!
//! ```text
//!  setpoint s ─► lag[0] ──y0──► lag[1] ──y1──► … ──► lag[n-1] ──► kept at 10 Hz
//!
//!  y(k) += a (u(k) - y(k))     u(0) = s,  u(k) = y(k-1) of the same tick      1 kHz
//! ```
//!
//! Half-way through, a timed action changes the setpoint. With it constant from rest the last value
//! after tick t is s times the distribution function of the negative binomial law,
//!
//! ```text
//!  y(n-1) = s a^n sum over j = 0..t of binomial(j + n - 1, n - 1) (1 - a)^j
//! ```

use std::sync::{Mutex, PoisonError};

use ironbird_kernel::{
    Action, Batch, Duration, Graph, GraphError, Link, Model, Parameter, ParameterError, Periodic,
    Ports, Rate, Sampling, SignalIn, SignalOut, Sink, Step, Tap, Time,
};

/// A chain and how long it runs.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// How many components there are.
    pub length: usize,
    /// How many steps each of them makes.
    pub ticks: u64,
}

/// Steps of a component in a second.
pub const RATE: Rate = Rate::hz(1_000);
/// How often the last signal is kept, in a second.
pub const KEPT: Rate = Rate::hz(10);
/// Ticks from one kept value to the next.
pub const TICKS_PER_KEPT: u64 = 100;
/// The share a of the way to its input that a component goes in one step.
pub const GAIN: f64 = 0.05;
/// The setpoint at the start.
pub const SETPOINT: f64 = 1.0;
/// The setpoint after the timed action.
pub const CHANGED_SETPOINT: f64 = -0.5;

/// One step of a first-order lag.
#[inline]
pub fn lagged(value: f64, input: f64) -> f64 {
    value + GAIN * (input - value)
}

impl Chain {
    /// Steps of all components together: the work of a run.
    pub fn steps(&self) -> u64 {
        self.length as u64 * self.ticks
    }

    /// The first tick with the changed setpoint.
    pub fn changed_tick(&self) -> u64 {
        self.ticks / 2
    }

    /// What happens half-way, and when.
    pub fn change(&self) -> (Time, Action) {
        let value = Parameter::Real(CHANGED_SETPOINT);
        let action =
            Action::SetParameter { component: self.name(0), name: "setpoint".into(), value };
        (instant(self.changed_tick()), action)
    }

    /// The instant before which all steps lie.
    pub fn end(&self) -> Time {
        instant(self.ticks)
    }

    /// The components in a chain.
    pub fn graph(&self) -> Result<Graph, GraphError> {
        let mut graph = Graph::new();
        let root = graph.root();
        let first = Driven { setpoint: SETPOINT, ..Driven::default() };
        let mut last = graph.add_periodic(root, &self.name(0), first, RATE)?;
        for number in 1..self.length {
            let lag = graph.add_periodic(root, &self.name(number), Lag::default(), RATE)?;
            graph.link(last.port("y"), lag.port("u"), Link::direct())?;
            last = lag;
        }
        Ok(graph)
    }

    /// How the last signal is kept.
    pub fn tap(&self) -> Tap {
        let component = self.name(self.length - 1);
        Tap { component, port: "y".into(), sampling: Sampling::Every(KEPT), transient: false }
    }

    /// What is kept, by the recurrence above.
    pub fn kept(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.length];
        let mut kept = Vec::new();
        for tick in 0..self.ticks {
            let mut input = if tick < self.changed_tick() { SETPOINT } else { CHANGED_SETPOINT };
            for value in &mut values {
                *value = lagged(*value, input);
                input = *value;
            }
            if tick.is_multiple_of(TICKS_PER_KEPT) {
                kept.push(input);
            }
        }
        kept
    }

    fn name(&self, number: usize) -> String {
        format!("lag[{number}]")
    }
}

/// The instant of a tick.
fn instant(tick: u64) -> Time {
    Time::ZERO + Duration::from_ms(tick)
}

/// The first component, which goes after its setpoint.
#[derive(Default)]
struct Driven {
    y: SignalOut<f64>,
    setpoint: f64,
    value: f64,
}

impl Model for Driven {
    fn ports(&mut self, ports: &mut Ports) {
        self.y = ports.signal_out("y", 0.0);
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("setpoint", Parameter::Real(setpoint)) => self.setpoint = setpoint,
            ("setpoint", value) => {
                let expected = "a real number is due".into();
                return Err(ParameterError::Invalid { name: name.into(), value, expected });
            }
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
}

impl Periodic for Driven {
    fn step(&mut self, step: &mut Step<'_>) {
        self.value = lagged(self.value, self.setpoint);
        step.write(self.y, self.value);
    }
}

/// Every other component, which goes after the one before it.
#[derive(Default)]
struct Lag {
    u: SignalIn<f64>,
    y: SignalOut<f64>,
    value: f64,
}

impl Model for Lag {
    fn ports(&mut self, ports: &mut Ports) {
        self.u = ports.signal_in("u");
        self.y = ports.signal_out("y", 0.0);
    }
}

impl Periodic for Lag {
    fn step(&mut self, step: &mut Step<'_>) {
        self.value = lagged(self.value, *step.signal(self.u));
        step.write(self.y, self.value);
    }
}

/// Keeps what [`Chain::tap`] takes.
#[derive(Default)]
pub struct Kept(Mutex<Vec<f64>>);

impl Kept {
    /// What was kept so far.
    pub fn values(&self) -> Vec<f64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Sink for Kept {
    fn take(&self, _: usize, _: usize, batch: Batch, _: Time) {
        let (values, _) = batch.bytes.as_chunks();
        let values = values.iter().map(|&bytes| f64::from_le_bytes(bytes));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(values);
    }
}
