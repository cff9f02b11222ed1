//! Plays recorded values back.

use ironbird_kernel::{
    Atomic, Context, Duration, EventOut, Inputs, LoadError, Model, Outputs, PortKind, Ports,
    SaveError, SignalOut, Start, StateReader, StateWriter, Time, Value,
};

use crate::value_type::{PartError, ValueType};

/// A model that shows recorded values at its outputs, each at exactly its time.
///
/// Before its first sample a signal has the value of that sample, after the last it keeps it.
#[derive(Default)]
pub struct Player {
    tracks: Vec<Box<dyn Track>>,
    /// When it last did something.
    since: Time,
}

impl Player {
    /// A player without outputs.
    pub fn new() -> Self {
        Player::default()
    }

    /// Gives it the output `port` with these values, which must be in the order of time.
    pub fn track(
        mut self,
        port: &str,
        value: ValueType,
        kind: PortKind,
        samples: &[(Time, Vec<u8>)],
    ) -> Result<Self, PartError> {
        self.tracks.push(value.track(port, kind, samples)?);
        Ok(self)
    }
}

impl Model for Player {
    fn ports(&mut self, ports: &mut Ports) {
        self.tracks.iter_mut().for_each(|track| track.declare(ports));
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.since = start.now();
        self.tracks.iter_mut().for_each(|track| track.begin(start));
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let next: Vec<u64> = self.tracks.iter().map(|track| track.next() as u64).collect();
        state.put(&(next, self.since))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (next, since): (Vec<u64>, Time) = state.get()?;
        if next.len() != self.tracks.len() {
            return Err(LoadError::Failed("it has another number of outputs".into()));
        }
        for (track, next) in self.tracks.iter_mut().zip(next) {
            if !usize::try_from(next).is_ok_and(|next| track.go_to(next)) {
                return Err(LoadError::Failed("it plays fewer samples".into()));
            }
        }
        self.since = since;
        Ok(())
    }
}

impl Atomic for Player {
    fn time_advance(&self) -> Duration {
        let due = self.tracks.iter().filter_map(|track| track.due()).min();
        due.map_or(Duration::FOREVER, |due| due.since(self.since))
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        self.tracks.iter().for_each(|track| track.show(out));
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.since = context.now();
        self.tracks.iter_mut().for_each(|track| track.pass(context.now()));
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// One output of a player.
pub(crate) trait Track: Send {
    /// Declares the output.
    fn declare(&mut self, ports: &mut Ports);
    /// Takes up its place at the start.
    fn begin(&mut self, start: &mut Start<'_>);
    /// When it next shows something.
    fn due(&self) -> Option<Time>;
    /// Shows what is due.
    fn show(&self, out: &mut Outputs<'_>);
    /// All that is due at `now` was shown.
    fn pass(&mut self, now: Time);
    /// Number of the first sample that was not shown.
    fn next(&self) -> usize;
    /// Puts it before sample `next`, if it has so many.
    fn go_to(&mut self, next: usize) -> bool;
}

/// A [`Track`] of values of one type.
pub(crate) struct TypedTrack<T> {
    port: String,
    output: Out<T>,
    samples: Vec<(Time, T)>,
    next: usize,
}

enum Out<T> {
    Event(EventOut<T>),
    Signal(SignalOut<T>),
}

impl<T: Value> TypedTrack<T> {
    pub fn new(port: &str, kind: PortKind, samples: Vec<(Time, T)>) -> Result<Self, PartError> {
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
        Ok(TypedTrack { port: port.into(), output, samples, next: 0 })
    }

    /// How many samples lie at or before `now`.
    fn until(&self, now: Time) -> usize {
        self.next + self.samples[self.next..].partition_point(|(time, _)| *time <= now)
    }
}

impl<T: Value> Track for TypedTrack<T> {
    fn declare(&mut self, ports: &mut Ports) {
        match &mut self.output {
            Out::Event(port) => *port = ports.event_out(&self.port),
            Out::Signal(port) => *port = ports.signal_out(&self.port, self.samples[0].1.clone()),
        }
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.next = 0;
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

    fn due(&self) -> Option<Time> {
        self.samples.get(self.next).map(|(time, _)| *time)
    }

    /// After a stop, messages that were due meanwhile are lost; a signal has its latest value.
    fn show(&self, out: &mut Outputs<'_>) {
        let now = out.now();
        if self.due().is_none_or(|due| due > now) {
            return;
        }
        let due = &self.samples[self.next..self.until(now)];
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

    fn pass(&mut self, now: Time) {
        if self.due().is_some_and(|due| due <= now) {
            self.next = self.until(now);
        }
    }

    fn next(&self) -> usize {
        self.next
    }

    fn go_to(&mut self, next: usize) -> bool {
        let known = next <= self.samples.len();
        if known {
            self.next = next;
        }
        known
    }
}
