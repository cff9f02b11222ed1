//! The simulated time as ROS 2 wants it.

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::Step;

use super::publisher;
use crate::message::Clock;

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<PublishClock>()
}

publisher! {
    /// Publishes the simulated time as rosgraph_msgs/msg/Clock: nodes with the parameter `use_sim_time`
    /// live in it.
    ///
    /// Run with `--speed 1` where the other side has to keep up.
    PublishClock = "ros2.clock" sends Clock, topic[, default = "/clock".to_owned()] {}
}

impl PublishClock {
    fn message(&self, step: &Step<'_>) -> Clock {
        Clock { clock: step.now().into() }
    }
}
