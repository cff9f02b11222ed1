//! What is refused before anything is sent.

use ironbird_component::Registry;
use ironbird_kernel::{Options, Parameter, Simulation, Time};
use ironbird_test_rig::{Rig, text};

fn rig() -> Rig {
    Rig::of(&[ironbird_ros2::register])
}

#[test]
fn wrong_parameters_are_refused_when_a_file_is_checked() {
    let refusal = |settings: &[(&str, Parameter)]| rig().refusal("ros2.clock", settings);
    let why = refusal(&[("topic", text("/my clock"))]);
    assert!(why.contains("\"/my clock\" is no name of a ROS 2 topic"), "{why}");
    let why = refusal(&[("network", text("wlan"))]);
    assert!(why.contains("\"wlan\" is no network"), "{why}");
    let why = refusal(&[("domain", Parameter::Integer(232))]);
    assert!(why.contains("domain") && why.contains("231"), "{why}");
    let why =
        rig().refusal("ros2.publish-float64", &[("topic", text("/x")), ("unit", text("mm/h/"))]);
    assert!(why.contains("unit"), "{why}");
    let why = rig().refusal("ros2.publish-pose", &[]);
    assert!(why.contains("topic"), "{why}");
}

#[test]
fn an_interface_that_is_not_there_ends_the_run_but_no_check() {
    let mut rig = rig();
    rig.add("clock", "ros2.clock", &[("network", text("192.0.2.1"))]);
    let graph = rig.into_graph();
    let made = Simulation::new(graph, Options::default());
    let outcome = made.expect("a check finds no fault").run_until(Time::from_ps(1));
    let why = format!("{:?}", outcome.expect("it runs"));
    assert!(why.contains("no interface with the address 192.0.2.1"), "{why}");
}

#[test]
fn only_what_brings_something_in_is_foreign() {
    let mut registry = Registry::empty();
    ironbird_ros2::register(&mut registry).unwrap();
    let mut count = 0;
    for found in registry.iter() {
        let description = found.description();
        let subscribes = description.name.starts_with("ros2.subscribe");
        assert_eq!(description.foreign, subscribes, "{}", description.name);
        count += 1;
    }
    assert_eq!(count, 10);
}
