//! A signal that never changes.

use ironbird_kernel::{
    Atomic, Context, Duration, Inputs, LoadError, Model, Outputs, Ports, SaveError, StateReader,
    StateWriter, Value,
};

/// Shows one value at `out`, for ever.
pub(crate) struct Constant<T> {
    value: T,
}

impl<T: Value> Constant<T> {
    pub fn new(value: T) -> Self {
        Constant { value }
    }
}

impl<T: Value> Model for Constant<T> {
    fn ports(&mut self, ports: &mut Ports) {
        let _ = ports.signal_out("out", self.value.clone());
    }

    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }

    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl<T: Value> Atomic for Constant<T> {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}
