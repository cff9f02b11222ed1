//! Calls a service when a scenario says so.

use ironbird_kernel::{
    Atomic, CallOut, Context, Duration, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, Ports, Request, SaveError, StateReader, StateWriter, Value,
};

/// Calls through `call` with one argument, once for each time its parameter `fire` is set to true.
pub(crate) struct Caller<A, R> {
    call: CallOut<A, R>,
    argument: A,
    /// Calls that are still to be made.
    waiting: u64,
    /// Calls that were made.
    made: u64,
}

impl<A: Value, R: Value> Caller<A, R> {
    pub fn new(argument: A) -> Self {
        Caller { call: CallOut::default(), argument, waiting: 0, made: 0 }
    }
}

impl<A: Value, R: Value> Model for Caller<A, R> {
    fn ports(&mut self, ports: &mut Ports) {
        self.call = ports.call("call");
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("fire", Parameter::Bool(true)) => {
                self.waiting += 1;
                Ok(())
            }
            ("fire", value) => {
                let (name, expected) = (name.into(), "set it to true to make a call".into());
                Err(ParameterError::Invalid { name, value, expected })
            }
            _ => Err(ParameterError::Unknown { name: name.into() }),
        }
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.waiting, self.made))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.waiting, self.made) = state.get()?;
        Ok(())
    }
}

impl<A: Value, R: Value> Atomic for Caller<A, R> {
    fn time_advance(&self) -> Duration {
        if self.waiting > 0 { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for number in self.made..self.made + self.waiting {
            out.send(self.call.request, Request::new(number, self.argument.clone()));
        }
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.made += std::mem::take(&mut self.waiting);
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
