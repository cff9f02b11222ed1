//! Passes a signal on, as it is or converted.

use ironbird_kernel::{
    Atomic, Context, Duration, Inputs, LoadError, Model, Outputs, Ports, SaveError, SignalIn,
    SignalOut, Start, StateReader, StateWriter, Value,
};

use crate::value_type::{decode, encode};

/// Shows at `out` what `convert` makes of `in`, from the start on and in the instant in which `in`
/// is written.
pub(crate) struct Relay<T, F> {
    input: SignalIn<T>,
    output: SignalOut<T>,
    convert: F,
    shown: T,
    has_news: bool,
}

impl<T: Value, F: Fn(&T) -> T> Relay<T, F> {
    /// `placeholder` is a value that nobody sees.
    pub fn new(placeholder: T, convert: F) -> Self {
        Relay {
            input: SignalIn::default(),
            output: SignalOut::default(),
            convert,
            shown: placeholder,
            has_news: false,
        }
    }
}

impl<T: Value, F: Fn(&T) -> T + Send + 'static> Model for Relay<T, F> {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.waking_signal_in("in");
        self.output = ports.signal_out("out", self.shown.clone());
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.shown = (self.convert)(start.signal(self.input));
        start.write(self.output, self.shown.clone());
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.has_news, encode(&self.shown)))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (has_news, shown): (bool, Vec<u8>) = state.get()?;
        self.shown = decode(&shown).map_err(|error| LoadError::Failed(error.to_string()))?;
        self.has_news = has_news;
        Ok(())
    }
}

impl<T: Value, F: Fn(&T) -> T + Send + 'static> Atomic for Relay<T, F> {
    fn time_advance(&self) -> Duration {
        if self.has_news { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.output, self.shown.clone());
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.has_news = false;
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.shown = (self.convert)(inputs.signal(self.input));
        self.has_news = true;
    }
}
