//! Our frames and those of ROS (REP 103, "Axis Orientation"; REP 145 for inertial sensors).
//!
//! | | ours | ROS |
//! |---|---|---|
//! | world | north, east, down | x east, y north, z up (ENU) |
//! | body | forward, starboard, down | x forward, y left, z up (FLU) |
//!
//! ```text
//! world   (x, y, z)_ENU = (y, x, -z)_NED
//! body    (x, y, z)_FLU = (x, -y, -z)_FRD
//! ```
//!
//! Both are half turns: the first about (1, 1, 0)/√2, the second about x, with the quaternions
//! (0, √½, √½, 0) and (0, 1, 0, 0) in the order w, x, y, z. The attitude takes body to world, so
//!
//! ```text
//! q_ROS = (0, √½, √½, 0) q (0, 1, 0, 0) = -√½ (w + z, x + y, x - y, w - z)
//! ```
//!
//! and q and -q are the same rotation: the sign is chosen such that a body that heads north has w > 0.
//! Each of these maps is its own inverse.

use std::f64::consts::FRAC_1_SQRT_2;

use ironbird_kinematics::Attitude;

use crate::message::{Quaternion, Vector3};

/// A vector in north, east, down as ROS has it: east, north, up.
pub fn enu([north, east, down]: [f64; 3]) -> Vector3 {
    Vector3 { x: east, y: north, z: -down }
}

/// A vector of the body, forward, starboard, down, as ROS has it: forward, left, up.
pub fn flu([forward, starboard, down]: [f64; 3]) -> Vector3 {
    Vector3 { x: forward, y: -starboard, z: -down }
}

/// A vector of the body as ROS has it, as forward, starboard, down.
pub fn frd(flu: Vector3) -> [f64; 3] {
    [flu.x, -flu.y, -flu.z]
}

/// The rotation that takes vectors of the body of ROS (FLU) to its world (ENU).
pub fn orientation(Attitude { w, x, y, z }: Attitude) -> Quaternion {
    Quaternion {
        w: FRAC_1_SQRT_2 * (w + z),
        x: FRAC_1_SQRT_2 * (x + y),
        y: FRAC_1_SQRT_2 * (x - y),
        z: FRAC_1_SQRT_2 * (w - z),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn rotation(q: Quaternion) -> UnitQuaternion<f64> {
        UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(q.w, q.x, q.y, q.z))
    }

    fn vector(v: Vector3) -> nalgebra::Vector3<f64> {
        nalgebra::Vector3::new(v.x, v.y, v.z)
    }

    /// Yaw of ROS: counter-clockwise from east.
    fn yaw_in_ros(heading: f64) -> f64 {
        rotation(orientation(Attitude::from_euler(0.0, 0.0, heading))).euler_angles().2
    }

    #[test]
    fn east_is_no_turn_and_north_a_quarter_turn_to_the_left() {
        assert!(yaw_in_ros(FRAC_PI_2).abs() < 1e-15);
        assert!((yaw_in_ros(0.0) - FRAC_PI_2).abs() < 1e-15);
        assert!((yaw_in_ros(-FRAC_PI_2).abs() - PI).abs() < 1e-15);
    }

    #[test]
    fn a_raised_nose_is_a_negative_pitch_and_a_lowered_right_wing_a_positive_roll() {
        let east = Attitude::from_euler(0.2, 0.1, FRAC_PI_2);
        let (roll, pitch, _) = rotation(orientation(east)).euler_angles();
        assert!((roll - 0.2).abs() < 1e-15 && (pitch + 0.1).abs() < 1e-15);
    }

    #[test]
    fn at_rest_the_measured_acceleration_points_up() {
        assert_eq!(flu([0.0, 0.0, -9.81]).z, 9.81);
    }

    #[test]
    fn what_comes_back_is_what_went() {
        assert_eq!(frd(flu([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
    }

    proptest! {
        /// Turning a vector of the body and then renaming the axes of the world is renaming the axes of
        /// the body and then turning as ROS says.
        #[test]
        fn both_ways_round_the_square_agree(
            roll in -3.0..3.0, pitch in -1.5..1.5, yaw in -3.0..3.0,
            body in prop::array::uniform3(-10.0..10.0),
        ) {
            let attitude = Attitude::from_euler(roll, pitch, yaw);
            let ours = vector(enu(attitude.to_ned(body.into()).into()));
            let theirs = rotation(orientation(attitude)) * vector(flu(body));
            prop_assert!((ours - theirs).norm() < 1e-13);
        }
    }
}
