//! What cannot be known of a system, because events lack in its trace.

use std::collections::BTreeSet;
use std::fmt;

use crate::ctf::Event;

/// Events that lack, and what is not known without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Any of these would do.
    pub missing: &'static [&'static str],
    /// What is not known.
    pub unknown: &'static str,
}

/// ``no `ros2:rcl_timer_init` in the trace: periods of timers are unknown``
impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no `{}` in the trace: {}", self.missing.join("` or `"), self.unknown)
    }
}

/// Any of some events, and what is not known without.
const NEEDS: [(&[&str], &str); 17] = [
    (&["ros2:callback_start"], "when callbacks ran is unknown"),
    (&["ros2:callback_end"], "how long callbacks ran is unknown"),
    (&["ros2:rcl_node_init"], "names of nodes are unknown"),
    (&["ros2:rcl_timer_init"], "periods of timers are unknown"),
    (&["ros2:rclcpp_timer_callback_added"], "which callbacks are those of timers is unknown"),
    (&["ros2:rclcpp_timer_link_node"], "nodes of timers are unknown"),
    (&["ros2:rcl_subscription_init"], "topics and nodes of subscriptions are unknown"),
    (&["ros2:rclcpp_subscription_init"], "topics and nodes of subscriptions are unknown"),
    (
        &["ros2:rclcpp_subscription_callback_added"],
        "which callbacks are those of subscriptions is unknown",
    ),
    (&["ros2:rclcpp_callback_register"], "names of the functions of callbacks are unknown"),
    (&["ros2:rcl_publisher_init"], "topics of publications are unknown"),
    (
        &["ros2:rclcpp_publish", "ros2:rcl_publish", "ros2:rclcpp_intra_publish"],
        "which callback publishes what is unknown, and with it all latencies of chains",
    ),
    (
        &["ros2_caret:dds_bind_addr_to_stamp", "ros2:rmw_publish", "ros2:rclcpp_intra_publish"],
        "messages have no source stamps: they are matched by their order",
    ),
    (
        &[
            "ros2:dispatch_subscription_callback",
            "ros2:rmw_take",
            "ros2:dispatch_intra_process_subscription_callback",
        ],
        "which message started a callback is unknown: they are matched by their order",
    ),
    (
        &["ros2_caret:on_data_available"],
        "when messages arrived is unknown: transport is taken from those that did not have to wait",
    ),
    (
        &["ros2_caret:add_callback_group", "ros2_caret:add_callback_group_static_executor"],
        "callback groups and executors are those of the architecture file",
    ),
    (&["vtid"], "threads are unknown: add the context `vtid` when tracing"),
];

/// Which events occur.
#[derive(Default)]
pub(super) struct Seen(BTreeSet<String>);

impl Seen {
    pub(super) fn event(&mut self, name: &str, event: &Event) {
        if !self.0.contains(name) {
            self.0.insert(name.to_owned());
        }
        if event.context.get("vtid").or(event.context.get("tid")).is_some()
            && !self.0.contains("vtid")
        {
            self.0.insert("vtid".to_owned());
        }
    }

    pub(super) fn gaps(&self) -> Vec<Gap> {
        let occurs =
            |full: &&str| self.0.contains(full.split_once(':').map_or(*full, |(_, name)| name));
        let lacking = NEEDS.iter().filter(|(names, _)| !names.iter().any(occurs));
        lacking.map(|(missing, unknown)| Gap { missing, unknown }).collect()
    }
}
