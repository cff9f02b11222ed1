//! How ROS 2 names things on DDS.
//!
//! ```text
//! topic   /camera/imu           ->  rt/camera/imu
//! type    sensor_msgs/msg/Imu   ->  sensor_msgs::msg::dds_::Imu_
//! ```
//!
//! *Topic and Service name mapping to DDS*, design.ros2.org, sections "ROS 2 Topic and Service Name
//! Constraints" and "Mapping of ROS 2 Topic and Service Names to DDS Concepts".

/// The most bytes that a DDS topic name may have, less those that ROS 2 puts before it.
const LONGEST: usize = 247;

/// The name of a ROS 2 topic on DDS. A name without a leading slash is taken from the root, since there
/// is no node and no namespace.
pub fn dds_topic(topic: &str) -> Result<String, String> {
    let absolute = topic.strip_prefix('/').unwrap_or(topic);
    let refused = |why: &str| Err(format!("\"{topic}\" is no name of a ROS 2 topic: {why}"));
    if absolute.is_empty() {
        return refused("it is empty; write one as in \"/imu\"");
    }
    if absolute.len() > LONGEST {
        return refused("it is longer than 247 characters");
    }
    for token in absolute.split('/') {
        let Some(first) = token.chars().next() else {
            return refused("two slashes follow each other, or it ends with one");
        };
        if first.is_ascii_digit() {
            return refused("a part of it begins with a digit");
        }
        if let Some(other) = token.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
            return refused(&format!("it has '{other}'; letters, digits, '_' and '/' are allowed"));
        }
        if token.contains("__") {
            return refused("two underscores follow each other");
        }
    }
    Ok(format!("rt/{absolute}"))
}

/// The name of a ROS 2 message type on DDS; it must have three parts, as `sensor_msgs/msg/Imu` has.
pub fn dds_type(ros: &str) -> String {
    match ros.rsplit_once('/') {
        Some((namespace, name)) => format!("{}::dds_::{name}_", namespace.replace('/', "::")),
        None => ros.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_have_the_prefix_of_ros_topics() {
        assert_eq!(dds_topic("/clock").unwrap(), "rt/clock");
        assert_eq!(dds_topic("clock").unwrap(), "rt/clock");
        assert_eq!(dds_topic("/robot_1/imu/data").unwrap(), "rt/robot_1/imu/data");
    }

    #[test]
    fn types_are_in_the_namespace_dds_and_end_with_an_underscore() {
        assert_eq!(dds_type("sensor_msgs/msg/Imu"), "sensor_msgs::msg::dds_::Imu_");
        assert_eq!(dds_type("std_msgs/msg/Float64"), "std_msgs::msg::dds_::Float64_");
    }

    #[test]
    fn what_ros_does_not_allow_is_refused_with_the_reason() {
        let why = |topic: &str| dds_topic(topic).unwrap_err();
        assert!(why("").contains("empty") && why("/").contains("empty"));
        assert!(why("a//b").contains("two slashes") && why("a/").contains("ends with one"));
        assert!(why("/robot/2d").contains("digit"));
        assert!(why("~/imu").contains("'~'") && why("im u").contains("' '"));
        assert!(why("a__b").contains("underscores"));
        assert!(why(&"a".repeat(248)).contains("247"));
    }
}
