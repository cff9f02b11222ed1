//! The timer behind `for` in a condition.

use ironbird_kernel::{
    Atomic, Context, Duration, Inputs, LoadError, Model, Outputs, Parameter, ParameterError, Ports,
    SaveError, SignalOut, StateReader, StateWriter,
};

/// The parameter that says whether the condition of a timer holds.
pub const RUNNING: &str = "running";
/// The signal that says whether it has held for long enough.
pub const FULFILLED: &str = "fulfilled";

/// Becomes fulfilled when it has run for its duration without interruption.
pub struct Timer {
    duration: Duration,
    fulfilled: SignalOut<bool>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum State {
    Idle,
    /// Was told to run, and makes a transition at once: time counts from there.
    Starting,
    Running,
    /// Has run out, and said so.
    Fulfilled,
    /// Was interrupted after it had said so, and must take it back.
    Interrupted,
}

impl Timer {
    /// A timer that does not run yet.
    pub fn new(duration: Duration) -> Self {
        Timer { duration, fulfilled: SignalOut::default(), state: State::Idle }
    }
}

impl Model for Timer {
    fn ports(&mut self, ports: &mut Ports) {
        self.fulfilled = ports.signal_out(FULFILLED, false);
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.state = match (name, &value, self.state) {
            (RUNNING, Parameter::Bool(true), State::Idle) => State::Starting,
            (RUNNING, Parameter::Bool(false), State::Starting | State::Running) => State::Idle,
            (RUNNING, Parameter::Bool(true), State::Interrupted) => State::Fulfilled,
            (RUNNING, Parameter::Bool(false), State::Fulfilled) => State::Interrupted,
            (RUNNING, Parameter::Bool(_), state) => state,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        };
        Ok(())
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.state = state.get()?;
        Ok(())
    }
}

impl Atomic for Timer {
    fn time_advance(&self) -> Duration {
        match self.state {
            State::Idle | State::Fulfilled => Duration::FOREVER,
            State::Running => self.duration,
            State::Starting | State::Interrupted => Duration::ZERO,
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.fulfilled, self.state == State::Running);
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.state = match self.state {
            State::Starting => State::Running,
            State::Running => State::Fulfilled,
            _ => State::Idle,
        };
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
