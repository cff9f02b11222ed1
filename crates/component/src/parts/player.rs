//! Plays recorded values back.

use ironbird_kernel::{
    Atomic, Context, Duration, EventOut, Inputs, LoadError, Model, Outputs, PortKind, Ports,
    SaveError, SignalOut, Start, StateReader, StateWriter, Time, Value,
};

use crate::value_type::PartError;

/// Shows samples at `out`, each at its time.
pub(crate) struct Player<T> {
    samples: Vec<(Time, T)>,
    output: Out<T>,
    /// Number of the first sample that was not shown.
    next: usize,
    /// When it last did something.
    since: Time,
}

enum Out<T> {
    Event(EventOut<T>),
    Signal(SignalOut<T>),
}

impl<T: Value> Player<T> {
    pub fn new(kind: PortKind, samples: Vec<(Time, T)>) -> Result<Self, PartError> {
        if samples.is_empty() && kind == PortKind::Signal {
            return Err(PartError::NoSamples);
        }
        if let Some(pair) = samples.windows(2).find(|pair| pair[1].0 < pair[0].0) {
            return Err(PartError::Unordered { later: pair[0].0, earlier: pair[1].0 });
        }
        let output = match kind {
            PortKind::Event => Out::Event(EventOut::default()),
            PortKind::Signal => Out::Signal(SignalOut::default()),
        };
        Ok(Player { samples, output, next: 0, since: Time::ZERO })
    }

    /// How many samples lie at or before `now`.
    fn until(&self, now: Time) -> usize {
        self.samples.partition_point(|(time, _)| *time <= now)
    }
}

impl<T: Value> Model for Player<T> {
    fn ports(&mut self, ports: &mut Ports) {
        match &mut self.output {
            Out::Event(port) => *port = ports.event_out("out"),
            Out::Signal(port) => *port = ports.signal_out("out", self.samples[0].1.clone()),
        }
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.since = start.now();
        match self.output {
            // An event at the very start is still to be sent.
            Out::Event(_) => {
                self.next = self.samples.partition_point(|(time, _)| *time < start.now());
            }
            Out::Signal(port) => {
                self.next = self.until(start.now());
                if let Some(last) = self.next.checked_sub(1) {
                    start.write(port, self.samples[last].1.clone());
                }
            }
        }
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.next as u64, self.since))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (next, since): (u64, Time) = state.get()?;
        let next = usize::try_from(next).ok().filter(|next| *next <= self.samples.len());
        self.next = next.ok_or(LoadError::Failed("it plays fewer samples".into()))?;
        self.since = since;
        Ok(())
    }
}

impl<T: Value> Atomic for Player<T> {
    fn time_advance(&self) -> Duration {
        self.samples.get(self.next).map_or(Duration::FOREVER, |(time, _)| time.since(self.since))
    }

    /// After a stop, messages that were due meanwhile are lost; a signal has its latest value.
    fn output(&mut self, out: &mut Outputs<'_>) {
        let now = out.now();
        let due = &self.samples[self.next..self.until(now).max(self.next)];
        match self.output {
            Out::Event(port) => {
                for (_, value) in due.iter().filter(|(time, _)| *time == now) {
                    out.send(port, value.clone());
                }
            }
            Out::Signal(port) => {
                if let Some((_, value)) = due.last() {
                    out.write(port, value.clone());
                }
            }
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.since = context.now();
        self.next = self.until(self.since).max(self.next);
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
