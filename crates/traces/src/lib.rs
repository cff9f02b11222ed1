//! What ROS 2 users have at hand.
pub mod caret;
pub mod ctf;
mod distribution;
pub mod ros2;
pub use distribution::Distribution;
