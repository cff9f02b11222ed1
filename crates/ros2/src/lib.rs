//! ROS 2 on the wire: an experiment publishes topics to a ROS 2 system and subscribes its commands.
//!
//! ```text
//!   an experiment                                          a ROS 2 system
//!  ┌──────────────────────────────────┐   DDS (RTPS)   ┌─────────────────────┐
//!  │ view ──► ros2.publish-pose ──────┼── rt/pose ────►│ rviz2, a bag, nodes │
//!  │          ros2.clock ─────────────┼── rt/clock ───►│ use_sim_time        │
//!  │ controller ◄─ ros2.subscribe-twist ◄─ rt/cmd_vel ─┼─ a planner          │
//!  └──────────────────────────────────┘                └─────────────────────┘
//! ```
//!
//! | type | sends or hears |
//! |---|---|
//! | `ros2.clock` | `rosgraph_msgs/msg/Clock`: the simulated time |
//! | `ros2.publish-imu` | `sensor_msgs/msg/Imu` |
//! | `ros2.publish-pose` | `geometry_msgs/msg/PoseStamped` |
//! | `ros2.publish-transform` | `tf2_msgs/msg/TFMessage` |
//! | `ros2.publish-odometry` | `nav_msgs/msg/Odometry` |
//! | `ros2.publish-twist` | `geometry_msgs/msg/Twist` |
//! | `ros2.publish-vector3` | `geometry_msgs/msg/Vector3Stamped` |
//! | `ros2.publish-float64` | `std_msgs/msg/Float64` |
//! | `ros2.subscribe-twist` | `geometry_msgs/msg/Twist` |
//! | `ros2.subscribe-float64` | `std_msgs/msg/Float64` |
//!
//! Nothing of ROS needs to be installed: DDS is spoken by the crate `rustdds`, the names are those that
//! ROS 2 makes ([`names`]), the messages those of its interface files ([`message`]), the frames those of
//! REP 103 ([`rep103`]).
//!
//! A publisher changes nothing in a run: it has no outputs, never waits for a subscriber unless it is
//! asked to at its first step, and drops a message that the network does not take. What a
//! subscription brings in depends on the wall clock, so these types are foreign. A message enters at the
//! next tick of the component; record its outputs, and a replay of the recording gives the same run.

mod endpoint;
mod matching;
pub mod message;
pub mod names;
mod node;
mod publication;
mod publish;
mod quantity;
pub mod rep103;
mod subscribe;
mod subscription;
mod topic;

use ironbird_component::{Registry, RegistryError};

pub use endpoint::{Endpoint, EndpointError, Network, Qos, Reliability};
pub use matching::Peers;
pub use publication::Publication;
pub use subscription::Subscription;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    publish::register(registry)?;
    subscribe::register(registry)
}
