//! Says that the run has begun: so conditions are looked at once, even if nobody writes their signals.

use ironbird_kernel::{
    Atomic, Context, Duration, Inputs, LoadError, Model, Outputs, Ports, SaveError, SignalOut,
    StateReader, StateWriter,
};

/// The signal that is written in the first instant.
pub const BEGUN: &str = "begun";

/// Writes its signal once, in the first instant.
#[derive(Default)]
pub struct Beginning {
    begun: SignalOut<bool>,
    is_told: bool,
}

impl Model for Beginning {
    fn ports(&mut self, ports: &mut Ports) {
        self.begun = ports.signal_out(BEGUN, false);
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.is_told)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.is_told = state.get()?;
        Ok(())
    }
}

impl Atomic for Beginning {
    fn time_advance(&self) -> Duration {
        if self.is_told { Duration::FOREVER } else { Duration::ZERO }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.begun, true);
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.is_told = true;
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
