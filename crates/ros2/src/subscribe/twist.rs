//! A velocity command.

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::{SignalOut, Step};

use super::subscriber;
use crate::message::Twist;
use crate::rep103::frd;

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<SubscribeTwist>()
}

subscriber! {
    /// Hears geometry_msgs/msg/Twist, as `/cmd_vel` has it, and holds the last one, turned from x forward,
    /// y left, z up to forward, starboard, down. Zero until the first.
    SubscribeTwist = "ros2.subscribe-twist" hears Twist, [] {
        /// Velocity.
        #[output(unit = "m/s", frame = "body", initial = [0.0; 3])]
        velocity: SignalOut<[f64; 3]>,
        /// Angular velocity.
        #[output(unit = "rad/s", frame = "body", initial = [0.0; 3])]
        angular_velocity: SignalOut<[f64; 3]>,
    }
}

impl SubscribeTwist {
    fn usable(message: &Twist) -> bool {
        message.linear.is_finite() && message.angular.is_finite()
    }

    fn hear(&self, step: &mut Step<'_>, message: &Twist) {
        step.write(self.velocity, frd(message.linear));
        step.write(self.angular_velocity, frd(message.angular));
    }
}
