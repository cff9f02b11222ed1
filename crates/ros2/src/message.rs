//! Messages of ROS 2, field by field as their `.msg` files have them (common_interfaces, rcl_interfaces
//! and geometry2 of ROS 2).
//!
//! On the wire they are plain CDR: each number aligned to its size, a string with its length and a
//! terminating zero, a fixed array without a length. `cdr-encoding` writes that from serde's view of a
//! struct, so the order of the fields below is the wire format.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// A message type of ROS 2.
pub trait Message: Serialize + for<'de> Deserialize<'de> + Send + 'static {
    /// Its name, as `ros2 interface show` wants it.
    const TYPE: &'static str;
}

macro_rules! message {
    ($($(#[$doc:meta])* $name:ident $(= $type:literal)? { $($field:ident: $of:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[allow(missing_docs)]
        pub struct $name { $(pub $field: $of),* }
        $(impl Message for $name {
            const TYPE: &'static str = $type;
        })?
    )*};
}

message! {
    /// `builtin_interfaces/msg/Time`.
    #[derive(Copy)]
    Stamp { sec: i32, nanosec: u32 }

    /// `std_msgs/msg/Header`.
    Header { stamp: Stamp, frame_id: String }

    /// `geometry_msgs/msg/Vector3`; `geometry_msgs/msg/Point` is the same.
    #[derive(Copy)]
    Vector3 { x: f64, y: f64, z: f64 }

    /// `geometry_msgs/msg/Quaternion`.
    #[derive(Copy)]
    Quaternion { x: f64, y: f64, z: f64, w: f64 }

    /// `geometry_msgs/msg/Pose`; `geometry_msgs/msg/Transform` is the same.
    #[derive(Copy)]
    Pose { position: Vector3, orientation: Quaternion }

    /// The simulated time.
    Clock = "rosgraph_msgs/msg/Clock" { clock: Stamp }

    /// What inertial sensors say.
    Imu = "sensor_msgs/msg/Imu" {
        header: Header,
        orientation: Quaternion,
        orientation_covariance: Covariance3,
        angular_velocity: Vector3,
        angular_velocity_covariance: Covariance3,
        linear_acceleration: Vector3,
        linear_acceleration_covariance: Covariance3,
    }

    /// Where a body is, and how it is turned.
    PoseStamped = "geometry_msgs/msg/PoseStamped" { header: Header, pose: Pose }

    /// Velocity and angular velocity.
    #[derive(Copy)]
    Twist = "geometry_msgs/msg/Twist" { linear: Vector3, angular: Vector3 }

    /// A vector in a frame.
    Vector3Stamped = "geometry_msgs/msg/Vector3Stamped" { header: Header, vector: Vector3 }

    /// A number.
    #[derive(Copy)]
    Float64 = "std_msgs/msg/Float64" { data: f64 }

    /// `geometry_msgs/msg/PoseWithCovariance`.
    PoseWithCovariance { pose: Pose, covariance: Covariance6 }

    /// `geometry_msgs/msg/TwistWithCovariance`.
    TwistWithCovariance { twist: Twist, covariance: Covariance6 }

    /// Where a body is and how it moves.
    Odometry = "nav_msgs/msg/Odometry" {
        header: Header,
        child_frame_id: String,
        pose: PoseWithCovariance,
        twist: TwistWithCovariance,
    }

    /// `geometry_msgs/msg/TransformStamped`.
    TransformStamped { header: Header, child_frame_id: String, transform: Pose }

    /// Where frames are.
    TfMessage = "tf2_msgs/msg/TFMessage" { transforms: Vec<TransformStamped> }
}

/// `float64[9]`, row by row; all zero means unknown.
pub type Covariance3 = [[f64; 3]; 3];
/// `float64[36]`, row by row: x, y, z, and the rotations about them; all zero means unknown.
pub type Covariance6 = [[f64; 6]; 6];

impl From<Time> for Stamp {
    /// Rounded down to nanoseconds.
    fn from(time: Time) -> Self {
        let nanoseconds = time.as_ps() / 1_000;
        // All of u64 in ps is 213 days.
        Stamp {
            sec: (nanoseconds / 1_000_000_000) as i32,
            nanosec: (nanoseconds % 1_000_000_000) as u32,
        }
    }
}

impl Vector3 {
    /// Whether all its components are numbers.
    pub fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picoseconds_below_a_nanosecond_are_cut_off() {
        assert_eq!(Stamp::from(Time::from_ps(999)), Stamp { sec: 0, nanosec: 0 });
        let late = Time::from_ps(12_345_678_901_234_567);
        assert_eq!(Stamp::from(late), Stamp { sec: 12_345, nanosec: 678_901_234 });
        let last = Stamp::from(Time::from_ps(u64::MAX));
        assert_eq!(last, Stamp { sec: 18_446_744, nanosec: 73_709_551 });
    }
}
