//! Inertial sensors.
//!
//! REP 145: the acceleration is the specific force, so at rest +9.8 m/s² along z (up); a part that is not
//! there has -1 as the first element of its covariance; a covariance of zeros is unknown.

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::{SignalIn, Step};
use ironbird_kinematics::Attitude;

use super::publisher;
use crate::message::{Covariance3, Header, Imu, Quaternion};
use crate::rep103::{flu, orientation};

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<PublishImu>()
}

publisher! {
    /// Publishes what inertial sensors say as sensor_msgs/msg/Imu, in x forward, y left, z up.
    PublishImu = "ros2.publish-imu" sends Imu, topic[] {
        /// The frame of the body: x forward, y left, z up.
        #[parameter(default = "base_link".to_owned(), fixed)]
        frame_id: String,
        /// Whether the attitude is sent, too. An inertial sensor alone does not know it.
        #[parameter(default = false, fixed)]
        with_attitude: bool,
        /// Standard deviation of the angular velocity that the message states; 0 for unknown.
        #[parameter(unit = "rad/s", default = 0.0, min = 0)]
        angular_velocity_deviation: f64,
        /// Standard deviation of the specific force that the message states; 0 for unknown.
        #[parameter(unit = "m/s^2", default = 0.0, min = 0)]
        specific_force_deviation: f64,
        /// Angular velocity.
        #[input(unit = "rad/s", frame = "body")]
        angular_velocity: SignalIn<[f64; 3]>,
        /// Specific force: what an accelerometer measures.
        #[input(unit = "m/s^2", frame = "body")]
        specific_force: SignalIn<[f64; 3]>,
        /// Attitude of the body, for `with_attitude`.
        #[input(default = Attitude::default())]
        attitude: SignalIn<Attitude>,
    }
}

impl PublishImu {
    fn message(&self, step: &Step<'_>) -> Imu {
        let (orientation, known) = if self.with_attitude {
            (orientation(*step.signal(self.attitude)), 0.0)
        } else {
            (Quaternion::default(), -1.0)
        };
        let mut orientation_covariance = Covariance3::default();
        orientation_covariance[0][0] = known;
        Imu {
            header: Header { stamp: step.now().into(), frame_id: self.frame_id.clone() },
            orientation,
            orientation_covariance,
            angular_velocity: flu(*step.signal(self.angular_velocity)),
            angular_velocity_covariance: covariance(self.angular_velocity_deviation),
            linear_acceleration: flu(*step.signal(self.specific_force)),
            linear_acceleration_covariance: covariance(self.specific_force_deviation),
        }
    }
}

/// Of three independent components with the same standard deviation.
fn covariance(deviation: f64) -> Covariance3 {
    let variance = deviation * deviation;
    [[variance, 0.0, 0.0], [0.0, variance, 0.0], [0.0, 0.0, variance]]
}
