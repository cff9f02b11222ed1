//! A number.

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::{SignalOut, Start, Step};

use super::subscriber;
use crate::message::Float64;
use crate::quantity::Quantity;

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(Quantity::<SubscribeFloat64>::new()))
}

subscriber! {
    /// Hears std_msgs/msg/Float64 and holds the last number; `initial` until the first.
    SubscribeFloat64 = "ros2.subscribe-float64" hears Float64, [start = Self::show_initial] {
        /// Unit of the number, as in "rad"; without it, a plain number.
        #[parameter(default = String::new(), fixed)]
        unit: String,
        /// What is shown before the first message, in that unit.
        #[parameter(default = 0.0, fixed)]
        initial: f64,
        /// The number.
        #[output]
        value: SignalOut<f64>,
    }
}

impl SubscribeFloat64 {
    fn show_initial(&mut self, start: &mut Start<'_>) {
        start.write(self.value, self.initial);
    }

    fn usable(message: &Float64) -> bool {
        message.data.is_finite()
    }

    fn hear(&self, step: &mut Step<'_>, message: &Float64) {
        step.write(self.value, message.data);
    }
}
