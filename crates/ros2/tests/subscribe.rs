//! What Cyclone DDS publishes, heard by us.

mod peer;

use ironbird_kernel::{Duration, Options, Parameter, Rate, Simulation, Time};
use ironbird_test_rig::{Rig, Setting, real, text};
use peer::{Peer, domain, own, until};

/// A simulation with one subscription at 100 Hz, which listens to its outputs.
fn simulation(type_name: &str, outputs: &[&str], topic: &str, more: &[Setting<'_>]) -> Simulation {
    let mut rig = Rig::of(&[ironbird_ros2::register]);
    let mut settings = vec![
        ("topic", text(topic)),
        ("domain", Parameter::Integer(domain().into())),
        ("patience", real(60.0)),
    ];
    settings.extend_from_slice(more);
    rig.add_at("command", type_name, Some(Rate::hz(100)), &settings);
    let mut simulation = Simulation::new(rig.into_graph(), Options::default()).expect("it fits");
    for output in outputs {
        simulation.record("command", output).expect("an output");
    }
    simulation
}

fn run_a_tick(simulation: &mut Simulation) {
    let next = simulation.now() + Duration::from_ms(10);
    simulation.run_until(next).expect("it runs");
}

fn last<T: ironbird_kernel::Value>(simulation: &Simulation, output: &str) -> Option<T> {
    let samples: Vec<(Time, T)> =
        simulation.samples("command", output).expect("it was listened to");
    samples.into_iter().next_back().map(|(_, value)| value)
}

const WAITS: Setting<'_> = ("wait_for", Parameter::Integer(1));

#[test]
fn a_twist_is_held_in_our_axes_and_enters_at_a_tick() {
    let topic = own("cmd_vel");
    let mut peer = Peer::start("talk", &[format!("{topic}=Twist")]);
    let outputs = ["velocity", "angular_velocity", "received", "publishers"];
    let mut simulation = simulation("ros2.subscribe-twist", &outputs, &topic, &[WAITS]);
    run_a_tick(&mut simulation);
    peer.expect("matched");
    assert_eq!(last::<u64>(&simulation, "received"), None);

    peer.send("[1.5, 0.25, -0.125, 0.1, 0.2, 0.3]");
    until("the first command", || {
        run_a_tick(&mut simulation);
        (last(&simulation, "received") == Some(1u64)).then_some(())
    });
    assert_eq!(last(&simulation, "velocity"), Some([1.5, -0.25, 0.125]));
    assert_eq!(last(&simulation, "angular_velocity"), Some([0.1, -0.2, -0.3]));
    assert_eq!(last(&simulation, "publishers"), Some(1u32));
    let received: Vec<(Time, u64)> = simulation.samples("command", "received").unwrap();
    assert_eq!(received[0].0.as_ps() % 10_000_000_000, 0, "at a tick of 100 Hz");

    peer.send("[2, 0, 0, 0, 0, 0]");
    until("the second command", || {
        run_a_tick(&mut simulation);
        (last(&simulation, "received") == Some(2u64)).then_some(())
    });
    assert_eq!(last(&simulation, "velocity"), Some([2.0, 0.0, 0.0]));
}

#[test]
fn a_number_that_is_none_is_refused_and_the_last_one_held() {
    let topic = own("thrust");
    let mut peer = Peer::start("talk", &[format!("{topic}=Float64")]);
    let settings = [WAITS, ("unit", text("N"))];
    let mut simulation =
        simulation("ros2.subscribe-float64", &["value", "refused", "received"], &topic, &settings);
    run_a_tick(&mut simulation);
    peer.expect("matched");
    peer.send("[0.1]");
    peer.send("[NaN]");
    peer.send("[Infinity]");
    until("the refusals", || {
        run_a_tick(&mut simulation);
        (last(&simulation, "refused") == Some(2u32)).then_some(())
    });
    assert_eq!(last(&simulation, "value"), Some(0.1));
    assert_eq!(last(&simulation, "received"), Some(1u64));
}

#[test]
fn a_publisher_that_offers_less_than_is_asked_for_is_noticed() {
    let topic = own("best_effort");
    let _peer = Peer::start("talk", &["best-effort".to_owned(), format!("{topic}=Float64")]);
    let outputs = ["publishers", "incompatible"];
    let mut simulation = simulation("ros2.subscribe-float64", &outputs, &topic, &[]);
    until("a refusal", || {
        run_a_tick(&mut simulation);
        (last(&simulation, "incompatible") == Some(1u32)).then_some(())
    });
    assert_eq!(last(&simulation, "publishers"), Some(0u32));
}

#[test]
fn a_best_effort_subscription_hears_a_best_effort_publisher() {
    let topic = own("sensor_data");
    let mut peer = Peer::start("talk", &["best-effort".to_owned(), format!("{topic}=Float64")]);
    let settings = [WAITS, ("qos.reliability", text("best-effort"))];
    let mut simulation = simulation("ros2.subscribe-float64", &["value"], &topic, &settings);
    run_a_tick(&mut simulation);
    peer.expect("matched");
    until("a message", || {
        peer.send("[-2.5]");
        run_a_tick(&mut simulation);
        (last(&simulation, "value") == Some(-2.5)).then_some(())
    });
}

#[test]
fn a_publisher_of_another_type_is_noticed_and_not_heard() {
    let topic = own("of_another_type");
    // The first eight bytes of a twist would be a number.
    let _peer = Peer::start("talk", &[format!("{topic}=Twist")]);
    let outputs = ["value", "publishers", "incompatible"];
    let mut simulation = simulation("ros2.subscribe-float64", &outputs, &topic, &[]);
    until("a refusal", || {
        run_a_tick(&mut simulation);
        last::<u32>(&simulation, "incompatible").filter(|count| *count == 1)
    });
    assert_eq!(last(&simulation, "publishers"), Some(0u32));
    assert_eq!(last::<f64>(&simulation, "value"), None, "never written");
}

#[test]
fn what_is_shown_before_the_first_message_is_a_parameter() {
    let (silence, echo) = (own("silence"), own("echo"));
    let mut peer = Peer::start("listen", &[format!("{echo}=Float64")]);
    let mut rig = Rig::of(&[ironbird_ros2::register]);
    let domain = ("domain", Parameter::Integer(domain().into()));
    let initial = [("topic", text(&silence)), domain.clone(), ("initial", real(7.0))];
    rig.add("command", "ros2.subscribe-float64", &initial);
    let settings = [("topic", text(&echo)), domain, WAITS, ("patience", real(60.0))];
    rig.add("echo", "ros2.publish-float64", &settings);
    rig.link("command.value", "echo.value");
    let mut simulation = Simulation::new(rig.into_graph(), Options::default()).expect("it fits");
    run_a_tick(&mut simulation);
    peer.expect("matched");
    let heard = until("a message", || {
        run_a_tick(&mut simulation);
        peer.heard_by_now()
    });
    assert_eq!(heard, (echo, vec![7.0.into()]));
}
