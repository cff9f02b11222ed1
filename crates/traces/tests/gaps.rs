//! Traces that lack events: what can be known is, and what cannot is told.

mod reference;

use ironbird_traces::caret::Architecture;
use ironbird_traces::ctf::{Event, Trace};
use ironbird_traces::measured::Measured;
use ironbird_traces::ros2::Observed;

fn without(names: &[&str]) -> Option<(Observed, Measured)> {
    let folder = reference::caret()?;
    let trace = Trace::open(&folder.join("end_to_end_sample")).unwrap();
    let kept = |event: &Event| !names.iter().any(|name| event.name.ends_with(name));
    let observed = Observed::from_events(trace.events().filter(kept));
    let architecture = Architecture::read(&folder.join("architecture.yaml")).unwrap();
    let measured = Measured::new(&architecture, &observed);
    Some((observed, measured))
}

fn assert_told(measured: &Measured, message: &str) {
    assert!(measured.warnings.iter().any(|told| told == message), "{:#?}", measured.warnings);
}

#[test]
fn without_creations_of_timers_periods_are_those_of_the_file() {
    let Some((_, measured)) = without(&[":rcl_timer_init"]) else { return };
    assert_told(&measured, "no `ros2:rcl_timer_init` in the trace: periods of timers are unknown");
    let sensor = measured.callback("/sensor_dummy_node/callback_0").unwrap();
    assert_eq!(sensor.releases.as_ref().unwrap().period_ns, 100_000_000);
    assert_eq!(measured.path("target").unwrap().flows.len(), 47);
}

#[test]
fn without_names_of_nodes_nothing_can_be_joined() {
    let Some((observed, measured)) = without(&[":rcl_node_init"]) else { return };
    assert_told(&measured, "no `ros2:rcl_node_init` in the trace: names of nodes are unknown");
    assert_told(
        &measured,
        "/drive_node/callback_0 is not in the trace: no callback of /drive_node with a timer of 100000000 ns",
    );
    assert_told(
        &measured,
        "no data went along all of the path \"target\": /actuator_dummy_node has no subscription to /topic4",
    );
    let ran = observed.callbacks.iter().filter(|callback| !callback.executions.is_empty());
    assert_eq!(ran.count(), 14, "execution times are there all the same");
}

#[test]
fn without_ends_there_are_no_execution_times() {
    let Some((_, measured)) = without(&[":callback_end"]) else { return };
    assert_told(
        &measured,
        "no `ros2:callback_end` in the trace: how long callbacks ran is unknown",
    );
    assert!(measured.callbacks.iter().all(|callback| callback.execution_times.is_empty()));
    assert!(measured.paths[0].flows.is_empty());
}

#[test]
fn without_stamps_messages_are_matched_by_their_order() {
    let Some((_, all)) = without(&[]) else { return };
    let Some((_, measured)) = without(&["dds_bind_addr_to_stamp"]) else { return };
    assert_told(
        &measured,
        "no `ros2_caret:dds_bind_addr_to_stamp` or `ros2:rmw_publish` or `ros2:rclcpp_intra_publish` \
         in the trace: messages have no source stamps: they are matched by their order",
    );
    let median = |measured: &Measured| measured.path("target").unwrap().latency.median().unwrap();
    assert!((median(&measured) - median(&all)).abs() < 1_000_000);
}

#[test]
fn without_publications_no_path_can_be_followed() {
    let Some((_, measured)) = without(&[":rclcpp_publish", ":rcl_publish"]) else { return };
    assert_told(
        &measured,
        "no `ros2:rclcpp_publish` or `ros2:rcl_publish` or `ros2:rclcpp_intra_publish` in the trace: \
         which callback publishes what is unknown, and with it all latencies of chains",
    );
    assert_told(
        &measured,
        "no data went along all of the path \"target\": messages cannot be followed from node to node",
    );
}
