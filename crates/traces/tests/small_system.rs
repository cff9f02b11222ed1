//! A system of two nodes in one process, event by event: what is measured of it can be counted by hand.

use std::sync::Arc;

use ironbird_document::Source;
use ironbird_traces::caret::Architecture;
use ironbird_traces::ctf::read_babeltrace_text;
use ironbird_traces::measured::Measured;
use ironbird_traces::ros2::Observed;

const ARCHITECTURE: &str = "
named_paths:
- path_name: p
  node_chain:
  - {node_name: /a, publish_topic_name: /t, subscribe_topic_name: UNDEFINED}
  - {node_name: /b, publish_topic_name: UNDEFINED, subscribe_topic_name: /t}
executors:
- {executor_type: single_threaded_executor, executor_name: e, callback_group_names: [/a/g, /b/g]}
nodes:
- node_name: /a
  callback_groups:
  - {callback_group_type: mutually_exclusive, callback_group_name: /a/g, callback_names: [/a/c]}
  callbacks:
  - {callback_name: /a/c, callback_type: timer_callback, period_ns: 1000}
  publishes:
  - {topic_name: /t, callback_names: [UNDEFINED]}
- node_name: /b
  callback_groups:
  - {callback_group_type: mutually_exclusive, callback_group_name: /b/g, callback_names: [/b/c]}
  callbacks:
  - {callback_name: /b/c, callback_type: subscription_callback, topic_name: /t, symbol: second}
";

/// Two subscriptions of one node to one topic: only the names of their functions differ.
const CREATION: [(&str, &str); 14] = [
    ("ros2:rcl_node_init", "node_handle = 1, node_name = \"a\", namespace = \"/\""),
    ("ros2:rcl_publisher_init", "publisher_handle = 4, node_handle = 1, topic_name = \"/t\""),
    ("ros2:rcl_timer_init", "timer_handle = 2, period = 1000"),
    ("ros2:rclcpp_timer_callback_added", "timer_handle = 2, callback = 3"),
    ("ros2:rclcpp_timer_link_node", "timer_handle = 2, node_handle = 1"),
    ("ros2:rcl_node_init", "node_handle = 11, node_name = \"b\", namespace = \"/\""),
    (
        "ros2:rcl_subscription_init",
        "subscription_handle = 12, node_handle = 11, topic_name = \"/t\"",
    ),
    ("ros2:rclcpp_subscription_init", "subscription_handle = 12, subscription = 13"),
    ("ros2:rclcpp_subscription_callback_added", "subscription = 13, callback = 14"),
    ("ros2:rclcpp_callback_register", "callback = 14, symbol = \"first\""),
    (
        "ros2:rcl_subscription_init",
        "subscription_handle = 22, node_handle = 11, topic_name = \"/t\"",
    ),
    ("ros2:rclcpp_subscription_init", "subscription_handle = 22, subscription = 23"),
    ("ros2:rclcpp_subscription_callback_added", "subscription = 23, callback = 24"),
    ("ros2:rclcpp_callback_register", "callback = 24, symbol = \"second\""),
];

fn measure(running: &[(i64, &str, &str)]) -> Measured {
    let created = CREATION.iter().map(|(name, fields)| (100, *name, *fields));
    let lines = created.chain(running.iter().copied()).map(|(time, name, fields)| {
        format!("[0.{time:09}] (+?) h {name}: {{ cpu_id = 0 }}, {{ vpid = 1, vtid = 2 }}, {{ {fields} }}\n")
    });
    let events = read_babeltrace_text(&lines.collect::<String>()).unwrap();
    let (name, text) = ("a.yaml".into(), ARCHITECTURE.to_owned());
    let source = Source { name, folder: ".".into(), text };
    let architecture = Architecture::parse(&Arc::new(source)).unwrap();
    Measured::new(&architecture, &Observed::from_events(events))
}

#[test]
fn a_message_over_dds_is_split_into_transport_and_waiting() {
    let measured = measure(&[
        (1100, "ros2:callback_start", "callback = 3"),
        (1150, "ros2:rclcpp_publish", "publisher_handle = 4, message = 7"),
        (1151, "ros2:rcl_publish", "publisher_handle = 4, message = 7"),
        (1152, "ros2_caret:dds_write", "message = 7"),
        (1153, "ros2_caret:dds_bind_addr_to_stamp", "addr = 7, source_stamp = 99"),
        (1170, "ros2_caret:on_data_available", "source_stamp = 99"),
        (1200, "ros2:callback_end", "callback = 3"),
        (
            1209,
            "ros2:dispatch_subscription_callback",
            "message = 8, callback = 24, source_stamp = 99",
        ),
        (1210, "ros2:callback_start", "callback = 24"),
        (1300, "ros2:callback_end", "callback = 24"),
    ]);
    let sent = &measured.communications[0];
    assert_eq!((sent.topic.as_str(), sent.from, sent.to), ("/t", 0, 1));
    assert_eq!(sent.latency.samples(), [60]);
    assert_eq!((sent.transport.samples(), sent.waiting.samples()), (&[20][..], &[40][..]));
    let path = measured.path("p").unwrap();
    assert_eq!((path.latency.samples(), path.message_latency.samples()), (&[200][..], &[60][..]));
    assert_eq!(measured.callbacks[0].publish_delays.samples(), [50]);
    let releases = measured.callbacks[0].releases.as_ref().unwrap();
    assert_eq!((releases.first_ns, releases.period_ns), (1100, 1000));
    assert_eq!(measured.executors[0].threads, 1);
}

#[test]
fn a_message_within_the_process_is_followed_by_its_address_through_copies() {
    let measured = measure(&[
        (1100, "ros2:callback_start", "callback = 3"),
        (1150, "ros2:rclcpp_intra_publish", "publisher_handle = 4, message = 7"),
        (1160, "ros2:message_construct", "original_message = 7, constructed_message = 8"),
        (1200, "ros2:callback_end", "callback = 3"),
        (2100, "ros2:callback_start", "callback = 3"),
        (2150, "ros2:rclcpp_intra_publish", "publisher_handle = 4, message = 9"),
        (2200, "ros2:callback_end", "callback = 3"),
        (2209, "ros2:dispatch_intra_process_subscription_callback", "message = 8, callback = 24"),
        (2210, "ros2:callback_start", "callback = 24"),
        (2300, "ros2:callback_end", "callback = 24"),
        (2309, "ros2:dispatch_intra_process_subscription_callback", "message = 9, callback = 24"),
        (2310, "ros2:callback_start", "callback = 24"),
        (2400, "ros2:callback_end", "callback = 24"),
    ]);
    let path = measured.path("p").unwrap();
    assert_eq!(path.latency.samples(), [300, 1200]);
}

#[test]
fn an_end_that_is_lost_leaves_its_execution_without_a_time() {
    let measured = measure(&[
        (1100, "ros2:callback_start", "callback = 3"),
        (2100, "ros2:callback_start", "callback = 3"),
        (2130, "ros2:callback_end", "callback = 3"),
        (2140, "ros2:callback_end", "callback = 99"),
    ]);
    assert_eq!(measured.callbacks[0].execution_times.samples(), [30]);
    let told = "no data went along all of the path \"p\": /b got no message on /t";
    assert!(measured.warnings.iter().any(|warning| warning == told), "{:#?}", measured.warnings);
}
