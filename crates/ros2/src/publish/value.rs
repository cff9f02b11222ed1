//! Numbers and vectors of any unit.

use ironbird_component::{Choice, Registry, RegistryError};
use ironbird_kernel::{SignalIn, Step};

use super::publisher;
use crate::message::{Float64, Header, Vector3Stamped};
use crate::quantity::Quantity;
use crate::rep103::{enu, flu};

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(Quantity::<PublishFloat64>::new()))?;
    registry.register_type(Box::new(Quantity::<PublishVector3>::new()))
}

publisher! {
    /// Publishes a number as std_msgs/msg/Float64.
    PublishFloat64 = "ros2.publish-float64" sends Float64, topic[] {
        /// Unit of the number, as in "m/s"; without it, a plain number. ROS does not see it.
        #[parameter(default = String::new(), fixed)]
        unit: String,
        /// The number.
        #[input]
        value: SignalIn<f64>,
    }
}

impl PublishFloat64 {
    fn message(&self, step: &Step<'_>) -> Float64 {
        Float64 { data: *step.signal(self.value) }
    }
}

/// What a vector counts along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
enum Axes {
    /// Forward, starboard, down; in ROS x forward, y left, z up.
    #[default]
    Body,
    /// North, east, down; in ROS x east, y north, z up.
    Ned,
}

publisher! {
    /// Publishes a vector as geometry_msgs/msg/Vector3Stamped, in the axes of ROS.
    PublishVector3 = "ros2.publish-vector3" sends Vector3Stamped, topic[] {
        /// The frame that the message names.
        #[parameter(fixed)]
        frame_id: String,
        /// Unit of the vector, as in "m/s"; without it, plain numbers. ROS does not see it.
        #[parameter(default = String::new(), fixed)]
        unit: String,
        /// The frame of the vector here.
        #[parameter(default = Axes::Body, fixed)]
        frame: Axes,
        /// The vector.
        #[input]
        value: SignalIn<[f64; 3]>,
    }
}

impl PublishVector3 {
    fn message(&self, step: &Step<'_>) -> Vector3Stamped {
        let value = *step.signal(self.value);
        let vector = match self.frame {
            Axes::Body => flu(value),
            Axes::Ned => enu(value),
        };
        let header = Header { stamp: step.now().into(), frame_id: self.frame_id.clone() };
        Vector3Stamped { header, vector }
    }
}
