//! What we publish, heard by Cyclone DDS.

mod peer;

use std::f64::consts::FRAC_1_SQRT_2;

use ironbird_kernel::{Duration, Options, Outcome, Parameter, Rate, Simulation, Time};
use ironbird_kinematics::Attitude;
use ironbird_ros2::message::Float64;
use ironbird_ros2::{Endpoint, Network, Publication, Qos, Reliability};
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text};
use peer::{LONGEST, Peer, domain, own, until};
use serde_json::{Value, json};

/// More ticks than a test needs.
const TICKS: u64 = 10_000;

fn rig() -> Rig {
    Rig::of(&[ironbird_ros2::register])
}

/// Adds a publisher at 10 Hz that waits for its subscriber.
fn add(rig: &mut Rig, name: &str, type_name: &str, topic: &str, more: &[Setting<'_>]) {
    let mut settings = vec![
        ("topic", text(topic)),
        ("domain", Parameter::Integer(domain().into())),
        ("wait_for", Parameter::Integer(1)),
        ("patience", real(60.0)),
    ];
    settings.extend_from_slice(more);
    rig.add_at(name, type_name, Some(Rate::hz(10)), &settings);
}

/// Whole seconds and nanoseconds of a tick at 10 Hz.
fn stamp(tick: u64) -> [Value; 2] {
    [json!(tick / 10), json!(tick % 10 * 100_000_000)]
}

#[test]
fn all_messages_arrive_with_the_values_and_axes_that_ros_expects() {
    // Heading east, climbing, with the right wing down.
    let attitude = Attitude { w: FRAC_1_SQRT_2, x: 0.0, y: 0.0, z: FRAC_1_SQRT_2 };
    let mut rig = rig();
    // North and a number tell each tick from the others.
    let ticks = 0..TICKS;
    let at = |tick: u64| Time::from_ps(tick * 100_000_000_000);
    let north = |tick: u64| (at(tick), [tick as f64, 2.0, -3.0]);
    rig.script("position", &ticks.clone().map(north).collect::<Vec<_>>());
    let number = |tick: u64| (at(tick), 0.25 * tick as f64);
    rig.script("amount", &ticks.map(number).collect::<Vec<_>>());
    rig.script("velocity_ned", &[(Time::ZERO, [0.0, 7.0, -0.5])]);
    rig.script("velocity_body", &[(Time::ZERO, [7.0, 0.25, -0.5])]);
    rig.script("turning", &[(Time::ZERO, [0.1, 0.2, 0.3])]);
    rig.script("force", &[(Time::ZERO, [0.5, 0.25, -9.8])]);
    rig.script("attitude", &[(Time::ZERO, attitude)]);

    let topics = ["imu", "pose", "tf", "odom", "twist", "vector", "number"].map(own);
    let [imu, pose, tf, odom, twist, vector, number] = topics.each_ref().map(String::as_str);
    add(&mut rig, "clock", "ros2.clock", "/clock", &[]);
    let deviation = ("angular_velocity_deviation", real(0.5));
    add(&mut rig, "imu", "ros2.publish-imu", imu, &[deviation]);
    add(&mut rig, "pose", "ros2.publish-pose", pose, &[]);
    add(&mut rig, "tf", "ros2.publish-transform", tf, &[]);
    add(&mut rig, "odom", "ros2.publish-odometry", odom, &[]);
    add(&mut rig, "twist", "ros2.publish-twist", twist, &[]);
    let frame = [("frame_id", text("map")), ("frame", text("ned")), ("unit", text("m/s"))];
    add(&mut rig, "vector", "ros2.publish-vector3", vector, &frame);
    add(&mut rig, "number", "ros2.publish-float64", number, &[("unit", text("bar"))]);
    for (from, to) in [
        ("turning", "imu.angular_velocity"),
        ("force", "imu.specific_force"),
        ("attitude", "imu.attitude"),
        ("position", "pose.position"),
        ("attitude", "pose.attitude"),
        ("position", "tf.position"),
        ("attitude", "tf.attitude"),
        ("position", "odom.position"),
        ("attitude", "odom.attitude"),
        ("velocity_ned", "odom.velocity"),
        ("turning", "odom.angular_velocity"),
        ("velocity_body", "twist.velocity"),
        ("turning", "twist.angular_velocity"),
        ("velocity_ned", "vector.value"),
        ("amount", "number.value"),
    ] {
        rig.link(&format!("{from}.out"), to);
    }

    let mut peer = Peer::start(
        "listen",
        &[
            "/clock=Clock".to_owned(),
            format!("{imu}=Imu"),
            format!("{pose}=PoseStamped"),
            format!("{tf}=TFMessage"),
            format!("{odom}=Odometry"),
            format!("{twist}=Twist"),
            format!("{vector}=Vector3Stamped"),
            format!("{number}=Float64"),
        ],
    );
    let mut simulation = Simulation::new(rig.into_graph(), Options::default()).expect("it fits");
    simulation.run_until(Time::ZERO + Duration::EPSILON).expect("it runs");
    peer.expect("matched");

    // A subscription counts from the first heartbeat that it hears (RTPS 2.5, section 8.4.12), so early
    // messages may be lost: both sides are in step when each topic was heard twice.
    let all = ["/clock", imu, pose, tf, odom, twist, vector, number];
    let (mut tick, mut counts) = (1, [0; 8]);
    until("a message on each topic", || {
        simulation.run_until(at(tick) + Duration::EPSILON).expect("it runs");
        tick += 1;
        while let Some((topic, _)) = peer.heard_by_now() {
            counts[all.iter().position(|other| *other == topic).expect("ours")] += 1;
        }
        counts.iter().all(|count| *count >= 2).then_some(())
    });
    // From now on nothing gets lost.
    let last = tick + 20;
    assert!(last < TICKS);
    let outcome = simulation.run_until(at(last) + Duration::EPSILON).expect("it runs");
    assert!(matches!(outcome, Outcome::Reached(_)), "{outcome:?}");

    let expected = |topic: &str, tick: u64| -> Vec<Value> {
        let [sec, nanosec] = stamp(tick);
        let header = |frame: &str| vec![sec.clone(), nanosec.clone(), json!(frame)];
        let place = [2.0, tick as f64, 3.0];
        // Heading east is no turn in ROS.
        let east = [0.0, 0.0, 0.0, FRAC_1_SQRT_2 * (FRAC_1_SQRT_2 + FRAC_1_SQRT_2)];
        let numbers = |parts: &[&[f64]]| parts.concat().into_iter().map(|x| json!(x));
        let rates = [0.1, -0.2, -0.3];
        let mut message;
        if topic == "/clock" {
            message = vec![sec.clone(), nanosec.clone()];
        } else if topic == imu {
            let (mut orientation, variance) = ([0.0; 13], 0.25);
            orientation[4] = -1.0; // there is none
            let covariance = [variance, 0.0, 0.0, 0.0, variance, 0.0, 0.0, 0.0, variance];
            let force = [0.5, -0.25, 9.8];
            message = header("base_link");
            message.extend(numbers(&[&orientation, &rates, &covariance, &force, &[0.0; 9]]));
        } else if topic == pose {
            message = header("map");
            message.extend(numbers(&[&place, &east]));
        } else if topic == tf {
            message = header("map");
            message.push(json!("base_link"));
            message.extend(numbers(&[&place, &east]));
        } else if topic == odom {
            message = header("odom");
            message.push(json!("base_link"));
            // Seven metres per second to the east are ahead.
            let turned = attitude.to_body([0.0, 7.0, -0.5].into());
            let ahead = [turned.x, -turned.y, -turned.z];
            assert!((ahead[0] - 7.0).abs() < 1e-14 && ahead[1].abs() < 1e-14);
            message.extend(numbers(&[&place, &east, &[0.0; 36], &ahead, &rates, &[0.0; 36]]));
        } else if topic == twist {
            message = numbers(&[&[7.0, -0.25, 0.5], &rates]).collect();
        } else if topic == vector {
            message = header("map");
            message.extend(numbers(&[&[7.0, 0.0, 0.5]]));
        } else {
            message = vec![json!(0.25 * tick as f64)];
        }
        message
    };
    // Messages of earlier ticks may still be under way; each topic ends with the last tick, in order.
    let mut heard = vec![Vec::new(); all.len()];
    let is_complete = |(topic, messages): (&&str, &Vec<Vec<Value>>)| {
        let ended = messages.last().is_some_and(|message| same(message, &expected(topic, last)));
        ended && messages.len() > 20
    };
    while !all.iter().zip(&heard).all(is_complete) {
        let (topic, message) = peer.heard();
        heard[all.iter().position(|other| *other == topic).expect("ours")].push(message);
    }
    for (topic, messages) in all.iter().zip(&heard) {
        for (message, tick) in messages.iter().rev().zip((tick..=last).rev()) {
            let wanted = expected(topic, tick);
            assert!(same(message, &wanted), "{topic}:\n{message:?}\n{wanted:?}");
        }
    }
}

/// Equal numbers and texts; 0 and -0 are the same, 1 and 1.0 too.
fn same(a: &[Value], b: &[Value]) -> bool {
    let equal = |(a, b): (&Value, &Value)| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

#[test]
fn nobody_listens_and_the_run_goes_on() {
    let mut rig = rig();
    let settings = [("domain", Parameter::Integer(domain().into()))];
    rig.add_at("clock", "ros2.clock", Some(Rate::hz(1000)), &settings);
    let run = rig.run(seconds(30.0), &[]);
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
}

#[test]
fn nobody_comes_and_the_start_says_so() {
    let mut rig = rig();
    let settings = [
        ("topic", text("/nobody")),
        ("domain", Parameter::Integer(domain().into())),
        ("wait_for", Parameter::Integer(2)),
        ("patience", real(0.01)),
    ];
    rig.add("clock", "ros2.clock", &settings);
    let why = rig.failure(seconds(1.0));
    let expected = format!("0 of 2 peers of /nobody were found in domain {} within 10ms", domain());
    assert!(why.contains(&expected), "{why}");
}

#[test]
fn a_loaded_publisher_opens_its_topic_again() {
    let graph = || {
        let mut rig = rig();
        let settings = [("domain", Parameter::Integer(domain().into()))];
        rig.add("clock", "ros2.clock", &settings);
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(0.5), seconds(1.0));
}

fn endpoint(topic: &str, reliability: Reliability, peers: u32) -> Endpoint {
    Endpoint {
        topic: own(topic),
        domain: domain(),
        network: Network::Loopback,
        qos: Qos { reliability, depth: 10 },
        peers,
        patience: LONGEST,
    }
}

#[test]
fn a_subscriber_that_has_stopped_holds_nobody_up() {
    let mut peer = Peer::start("listen", &[format!("{}=Float64", own("frozen"))]);
    let open = Publication::<Float64>::open(&endpoint("frozen", Reliability::Reliable, 1));
    let publication = open.expect("it is found");
    peer.expect("matched");
    peer.freeze();
    let taken = (0..20_000).filter(|k| publication.send(Float64 { data: f64::from(*k) })).count();
    assert!((1_000..20_000).contains(&taken), "{taken} messages were kept for it, others dropped");
}

#[test]
fn a_subscriber_that_asks_for_more_than_is_offered_is_noticed() {
    let _peer = Peer::start("listen", &[format!("{}=Float64", own("unreliable"))]);
    let open = Publication::<Float64>::open(&endpoint("unreliable", Reliability::BestEffort, 0));
    let mut publication = open.expect("it opens");
    let peers = until("a refusal", || Some(publication.peers()).filter(|p| p.incompatible > 0));
    assert_eq!(peers.matched, 0);
}
