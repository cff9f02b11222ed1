//! What ROS 2 users have at hand.
pub mod ctf;
