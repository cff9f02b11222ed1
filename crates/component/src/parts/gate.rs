//! Where values leave a simulation and enter it: between a system and what executes apart from it.

use std::sync::Arc;

use ironbird_kernel::{
    Agenda, Atomic, Context, Duration, Inputs, Model, Outputs, Periodic, Ports, SignalIn,
    SignalOut, Start, Step, Time, Value,
};

use crate::value_type::{decode, encode};

/// Takes what a signal is, encoded, at its step of this number and at this time.
pub type ExitGate = Arc<dyn Fn(u64, Time, Vec<u8>) + Send + Sync>;

/// Gives what a signal is to become, encoded, at its step of this number and at this time; or says why it
/// cannot.
pub type EntryGate = Arc<dyn Fn(u64, Time) -> Result<Vec<u8>, String> + Send + Sync>;

/// Hands the signal `in` over at every step.
pub(crate) struct Exit<T> {
    input: SignalIn<T>,
    gate: ExitGate,
}

impl<T: Value> Exit<T> {
    pub fn new(gate: ExitGate) -> Self {
        Exit { input: SignalIn::default(), gate }
    }
}

impl<T: Value> Model for Exit<T> {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in("in");
    }
}

impl<T: Value> Periodic for Exit<T> {
    fn step(&mut self, step: &mut Step<'_>) {
        (self.gate)(step.tick(), step.now(), encode(step.signal(self.input)));
    }
}

/// Shows at `out` what comes in, at the instants of an agenda: before anything steps that reads it.
pub(crate) struct Entry<T> {
    output: SignalOut<T>,
    first: T,
    gate: EntryGate,
    agenda: Arc<dyn Agenda>,
    next: u64,
    now: Time,
    refused: Option<String>,
}

impl<T: Value> Entry<T> {
    pub fn new(first: T, gate: EntryGate, agenda: Arc<dyn Agenda>) -> Self {
        let output = SignalOut::default();
        Entry { output, first, gate, agenda, next: 0, now: Time::ZERO, refused: None }
    }
}

impl<T: Value> Model for Entry<T> {
    fn ports(&mut self, ports: &mut Ports) {
        self.output = ports.signal_out("out", self.first.clone());
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
        self.next = self.agenda.first_tick_from(self.now);
    }
}

impl<T: Value> Atomic for Entry<T> {
    fn time_advance(&self) -> Duration {
        let next = self.agenda.tick(self.next);
        if next.is_never() { Duration::FOREVER } else { next.since(self.now) }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let given = (self.gate)(self.next, out.now());
        match given.and_then(|bytes| decode::<T>(&bytes).map_err(|error| error.to_string())) {
            Ok(value) => out.write(self.output, value),
            Err(reason) => self.refused = Some(reason),
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        if let Some(reason) = self.refused.take() {
            context.fail(reason);
        }
        (self.now, self.next) = (context.now(), self.next + 1);
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
