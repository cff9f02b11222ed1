//! Where a body is and how it moves.

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::{SignalIn, Step, Time};
use ironbird_kinematics::Attitude;

use super::publisher;
use crate::message::{
    Covariance6, Header, Odometry, Pose, PoseStamped, PoseWithCovariance, TfMessage,
    TransformStamped, Twist, TwistWithCovariance,
};
use crate::rep103::{enu, flu, orientation};

pub(super) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<PublishPose>()?;
    registry.register::<PublishTransform>()?;
    registry.register::<PublishOdometry>()?;
    registry.register::<PublishTwist>()
}

publisher! {
    /// Publishes place and attitude as geometry_msgs/msg/PoseStamped, in x east, y north, z up.
    PublishPose = "ros2.publish-pose" sends PoseStamped, topic[] {
        /// The frame of the world: x east, y north, z up from the origin of `ned`.
        #[parameter(default = "map".to_owned(), fixed)]
        frame_id: String,
        /// Place.
        #[input(unit = "m", frame = "ned")]
        position: SignalIn<[f64; 3]>,
        /// Attitude of the body.
        #[input(default = Attitude::default())]
        attitude: SignalIn<Attitude>,
    }
}

impl PublishPose {
    fn message(&self, step: &Step<'_>) -> PoseStamped {
        let pose = pose(*step.signal(self.position), *step.signal(self.attitude));
        PoseStamped { header: header(step.now(), &self.frame_id), pose }
    }
}

publisher! {
    /// Publishes place and attitude as a transform (tf2_msgs/msg/TFMessage), which rviz2 and tf2 need to
    /// show things in the frame of the body.
    PublishTransform = "ros2.publish-transform" sends TfMessage, topic[, default = "/tf".to_owned()] {
        /// The frame of the world: x east, y north, z up from the origin of `ned`.
        #[parameter(default = "map".to_owned(), fixed)]
        frame_id: String,
        /// The frame of the body: x forward, y left, z up.
        #[parameter(default = "base_link".to_owned(), fixed)]
        child_frame_id: String,
        /// Place.
        #[input(unit = "m", frame = "ned")]
        position: SignalIn<[f64; 3]>,
        /// Attitude of the body.
        #[input(default = Attitude::default())]
        attitude: SignalIn<Attitude>,
    }
}

impl PublishTransform {
    fn message(&self, step: &Step<'_>) -> TfMessage {
        let transform = TransformStamped {
            header: header(step.now(), &self.frame_id),
            child_frame_id: self.child_frame_id.clone(),
            transform: pose(*step.signal(self.position), *step.signal(self.attitude)),
        };
        TfMessage { transforms: vec![transform] }
    }
}

publisher! {
    /// Publishes place, attitude and their rates as nav_msgs/msg/Odometry: the pose in x east, y north,
    /// z up, the velocities in x forward, y left, z up.
    PublishOdometry = "ros2.publish-odometry" sends Odometry, topic[] {
        /// The frame of the world: x east, y north, z up from the origin of `ned`.
        #[parameter(default = "odom".to_owned(), fixed)]
        frame_id: String,
        /// The frame of the body: x forward, y left, z up.
        #[parameter(default = "base_link".to_owned(), fixed)]
        child_frame_id: String,
        /// Place.
        #[input(unit = "m", frame = "ned")]
        position: SignalIn<[f64; 3]>,
        /// Attitude of the body.
        #[input]
        attitude: SignalIn<Attitude>,
        /// Velocity over ground.
        #[input(unit = "m/s", frame = "ned")]
        velocity: SignalIn<[f64; 3]>,
        /// Angular velocity.
        #[input(unit = "rad/s", frame = "body")]
        angular_velocity: SignalIn<[f64; 3]>,
    }
}

impl PublishOdometry {
    fn message(&self, step: &Step<'_>) -> Odometry {
        let attitude = *step.signal(self.attitude);
        let pose = pose(*step.signal(self.position), attitude);
        let velocity = attitude.to_body((*step.signal(self.velocity)).into());
        let (linear, angular) = (flu(velocity.into()), flu(*step.signal(self.angular_velocity)));
        let covariance = Covariance6::default();
        Odometry {
            header: header(step.now(), &self.frame_id),
            child_frame_id: self.child_frame_id.clone(),
            pose: PoseWithCovariance { pose, covariance },
            twist: TwistWithCovariance { twist: Twist { linear, angular }, covariance },
        }
    }
}

publisher! {
    /// Publishes velocity and angular velocity of a body as geometry_msgs/msg/Twist, in x forward,
    /// y left, z up.
    PublishTwist = "ros2.publish-twist" sends Twist, topic[] {
        /// Velocity.
        #[input(unit = "m/s", frame = "body")]
        velocity: SignalIn<[f64; 3]>,
        /// Angular velocity.
        #[input(unit = "rad/s", frame = "body")]
        angular_velocity: SignalIn<[f64; 3]>,
    }
}

impl PublishTwist {
    fn message(&self, step: &Step<'_>) -> Twist {
        let linear = flu(*step.signal(self.velocity));
        Twist { linear, angular: flu(*step.signal(self.angular_velocity)) }
    }
}

fn header(now: Time, frame_id: &str) -> Header {
    Header { stamp: now.into(), frame_id: frame_id.to_owned() }
}

fn pose(position: [f64; 3], attitude: Attitude) -> Pose {
    Pose { position: enu(position), orientation: orientation(attitude) }
}
