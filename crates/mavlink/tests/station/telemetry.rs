//! What a vehicle says is shown.

use ironbird_kernel::{Duration, Parameter, Time};
use ironbird_kinematics::Geodetic;
use ironbird_mavlink::StatusText;
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, real, seconds};

use crate::vehicle::{joined, whole};

fn last<T: ironbird_kernel::Value>(run: &ironbird_test_rig::Run, output: &str) -> T {
    run.samples(output).pop().expect("it is shown").1
}

#[test]
fn what_the_vehicle_says_is_shown_over_ethernet_and_serial() {
    for serial in [false, true] {
        let rig = joined(&[], &[("serial", Parameter::Bool(serial))]);
        let outputs = [
            "station.vehicle.position",
            "station.vehicle.roll",
            "station.vehicle.pitch",
            "station.vehicle.yaw",
            "station.vehicle.battery",
            "station.vehicle.voltage",
            "station.vehicle.loop_rate",
            "station.vehicle.landed",
            "station.vehicle.connected",
            "station.vehicle.link_loss",
        ];
        let run = rig.run(seconds(1.05), &outputs);
        let Geodetic { latitude, longitude, height } = last(&run, "station.vehicle.position");
        assert!((latitude.to_degrees() - 47.397742).abs() < 1e-12);
        assert!((longitude.to_degrees() - 8.545594).abs() < 1e-12);
        assert_eq!(height, 488.0);
        let number = |part: &str| last::<f64>(&run, &format!("station.vehicle.{part}"));
        assert_eq!([number("roll"), number("pitch"), number("yaw")], [0.25, -0.5, 1.5]);
        assert_eq!(
            [number("battery"), number("voltage"), number("loop_rate")],
            [0.87, 11.1, 400.0]
        );
        assert_eq!(number("link_loss"), 0.0);
        assert!(last::<bool>(&run, "station.vehicle.landed"));
        assert!(last::<bool>(&run, "station.vehicle.connected"));
    }
}

#[test]
fn a_battery_that_the_vehicle_does_not_know_is_not_shown_as_an_empty_one() {
    let outputs = ["station.vehicle.battery", "station.vehicle.voltage"];
    for fails in [0.0, 0.55, 1e9] {
        let silent_first = [("gauge_fails", real(fails)), ("silence", real(0.35))];
        let run = joined(&[], &silent_first).run(seconds(1.05), &outputs);
        for (output, known) in outputs.into_iter().zip([0.87, 11.1]) {
            let shown = run.samples::<f64>(output);
            assert!(shown[0].1.is_nan(), "before the vehicle says anything");
            assert!(shown.iter().all(|(_, value)| value.is_nan() || *value == known), "{shown:?}");
            let said = shown.iter().any(|(_, value)| *value == known);
            assert_eq!(said, fails > 0.0, "{fails} s: {shown:?}");
            assert_eq!(last::<f64>(&run, output).is_nan(), fails < 1.0, "{fails} s: {shown:?}");
        }
    }
}

#[test]
fn texts_come_with_their_severity() {
    let run = joined(&[], &[]).run(seconds(1.0), &["station.vehicle.status_text"]);
    let texts = run.samples::<StatusText>("station.vehicle.status_text");
    let [(time, StatusText { severity: 4, text })] = &texts[..] else { panic!("{texts:?}") };
    assert_eq!(&**text, b"no compass");
    assert_eq!(*time, seconds(0.2));
}

#[test]
fn a_heartbeat_goes_out_each_second_once_the_vehicle_is_heard() {
    let run = joined(&[], &[]).run(seconds(5.5), &["vehicle.heard"]);
    let beats = run.samples::<u32>("vehicle.heard").into_iter();
    let beats: Vec<Time> = beats.filter(|(_, id)| *id == 0).map(|(time, _)| time).collect();
    assert_eq!(beats, [1, 2, 3, 4, 5].map(|s| Time::ZERO + Duration::from_secs(s)));
}

#[test]
fn a_vehicle_that_falls_silent_is_missed() {
    let mut rig = joined(&[], &[]);
    rig.pause(seconds(2.05), seconds(20.0), "vehicle");
    let outputs = ["station.vehicle.heard", "station.vehicle.connected"];
    let run = rig.run(seconds(6.0), &outputs);
    let heard: f64 = last(&run, outputs[0]);
    assert!((heard - 4.0).abs() < 1e-9, "{heard}");
    let connected = run.samples::<bool>(outputs[1]);
    let lost = connected.iter().rfind(|(_, connected)| *connected).expect("it was there").0;
    assert_eq!(lost, seconds(5.0));
}

#[test]
fn lost_messages_are_counted_by_their_numbers() {
    let mut rig = joined(&[("vehicles", whole(2))], &[]);
    rig.add("link", "network.link", &[("loss", real(0.2)), ("queue.frames", whole(1000))]);
    rig.add("far", "test.vehicle", &[("system", whole(2))]);
    rig.link("far.frames_out", "link.a.send");
    rig.link("link.b.received", "station.frames_in");
    let outputs = ["station.vehicle[0].link_loss", "station.vehicle[1].link_loss"];
    let run = rig.run(seconds(100.0), &outputs);
    assert_eq!(last::<f64>(&run, outputs[0]), 0.0);
    // 5000 messages: a deviation of 0.0057.
    let loss: f64 = last(&run, outputs[1]);
    assert!((loss - 0.2).abs() < 0.025, "{loss}");
}

#[test]
fn a_saved_station_goes_on_with_the_same_bits() {
    for serial in [false, true] {
        let graph = || joined(&[], &[("serial", Parameter::Bool(serial))]).into_graph();
        assert_goes_on_after_a_checkpoint(graph, seconds(1.001_3), seconds(3.0));
    }
}

#[test]
fn addresses_that_are_none_are_refused() {
    let rig = joined(&[], &[]);
    let refused = |name: &str, text: &str| {
        rig.refusal("mavlink.ground-station", &[(name, Parameter::Text(text.into()))])
    };
    assert_eq!(
        refused("ip", "10.0.0.256"),
        "parameter \"ip\": \"10.0.0.256\" is no IPv4 address; expected one like 10.0.0.1"
    );
    assert_eq!(
        refused("mac", "03:00:00:00:00:01"),
        "parameter \"mac\": \"03:00:00:00:00:01\" is no Ethernet address of one; expected six bytes like \
         02:00:00:00:00:01, the first of them even"
    );
    let many = [("vehicles", whole(250)), ("first_system", whole(6))];
    assert_eq!(
        rig.refusal("mavlink.ground-station", &many),
        "parameter \"vehicles\": 250 vehicles would have the system numbers up to 255; 254 is the last"
    );
}
