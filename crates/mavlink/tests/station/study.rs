//! A ground station in an experiment file: scenarios call it, conditions and requirements read it.

use std::path::Path;
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_network::EthernetFrame;
use ironbird_record::export::write_pcapng;
use ironbird_record::{Recording, Status};
use ironbird_runner::{How, Interrupt, Job, run};

use crate::vehicle;

/// A drone behind a cable: it takes off, is at 20 m for 10 s, and is told to land.
const STUDY: &str = r#"
    ironbird = 1
    duration = "40 s"
    [system.drone]
    type = "test.vehicle"
    in.frames_in = "cable.b.received"
    [system.cable]
    type = "network.link"
    latency = "10 us"
    loss = 0.1
    in.a.send = "station.frames_out"
    in.b.send = "drone.frames_out"
    [system.station]
    type = "mavlink.ground-station"
    in.frames_in = "cable.a.received"
    [[at]]
    time = "1 s"
    call = ["station.set-mode.guided", "station.arm", { service = "station.take-off", altitude = "20 m" }]
    [[at]]
    time = "2 s"
    call = { service = "station.set-parameter", vehicle = 0, parameter = "GAIN", value = 4.5 }
    [[when]]
    condition = "station.vehicle.altitude > 20 m for 10 s"
    call = "station.land"
    [[require]]
    name = "it gets up"
    formula = "eventually station.vehicle.altitude > 60 m"
    [[require]]
    name = "it comes down"
    formula = "eventually[20 s, 40 s] station.vehicle.altitude < 1 m"
    [[require]]
    name = "nothing fails"
    formula = "always station.vehicle.failures == 0"
    [[require]]
    name = "it is heard"
    formula = "always station.vehicle.heard < 2 s"
    [[record]]
    signals = ["cable.a.received", "cable.b.received", "station.vehicle.altitude", "drone.gain"]
"#;

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    ironbird_network::register(&mut registry).expect("names of their own");
    ironbird_mavlink::register(&mut registry).expect("names of their own");
    vehicle::register(&mut registry).expect("names of their own");
    registry
}

fn checked(text: &str) -> Result<Experiment, String> {
    let root = load_text("study.toml", Path::new(""), text, &[]);
    let checked = root.and_then(|root| check(&root, &registry()));
    checked.map(|(experiment, _)| experiment).map_err(|problems| problems.render(false, 120))
}

fn run_study(text: &str) -> (Recording, Vec<(String, Status)>) {
    let experiment = checked(text).unwrap_or_else(|problems| panic!("{problems}"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.mcap");
    let how = How { recording: Some(path.clone()), ..How::default() };
    let (registry, experiment) = (registry(), Arc::new(experiment));
    let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
    let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
    let verdicts = outcomes.verdicts.iter().map(|v| (v.name.clone(), v.status)).collect();
    let file = std::fs::read(&path).expect("a file");
    (Recording::from_bytes(file).expect("a recording"), verdicts)
}

#[test]
fn a_scenario_flies_the_drone() {
    let (recording, verdicts) = run_study(STUDY);
    for (name, status) in verdicts {
        assert_eq!(status, Status::Passed, "{name}");
    }
    let gains = recording.samples("drone.gain").expect("it was recorded");
    assert_eq!(gains.last().expect("it was set").1, [4.5]);
}

#[test]
fn frames_on_the_cable_can_be_looked_at_with_wireshark() {
    let (recording, _) = run_study(STUDY);
    let mut file = Vec::new();
    let count = write_pcapng(&recording, &[], &mut file, "x.pcapng").expect("there are frames");
    // Heartbeats, orders and telemetry: five messages, ten times a second, of which nine in ten arrive.
    assert!((1_700..2_000).contains(&count), "{count}");
    let blocks = blocks(&file);
    let interfaces = blocks.iter().filter(|(kind, _)| *kind == 1).count();
    let packets: Vec<&[u8]> =
        blocks.iter().filter(|(kind, _)| *kind == 6).map(|(_, body)| *body).collect();
    assert_eq!((interfaces, packets.len() as u64), (2, count));
    // Each packet is a frame with a datagram to or from the port of the station.
    for packet in packets {
        let frame = EthernetFrame::new(packet[20..].to_vec());
        let udp = &frame.bytes[34..38];
        let ports = [u16::from_be_bytes([udp[0], udp[1]]), u16::from_be_bytes([udp[2], udp[3]])];
        assert!(ports.contains(&14_550), "{ports:?}");
    }
}

/// The blocks of a pcapng file: type and contents.
fn blocks(mut file: &[u8]) -> Vec<(u32, &[u8])> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"));
    let mut found = Vec::new();
    while !file.is_empty() {
        let (kind, length) = (word(file), word(&file[4..]) as usize);
        found.push((kind, &file[8..length - 4]));
        file = &file[length..];
    }
    found
}

#[test]
fn a_mode_that_is_none_is_pointed_at() {
    let text = STUDY.replace("set-mode.guided", "set-mode.giuded");
    let said = checked(&text).expect_err("it is wrong");
    assert!(said.contains("provides no service \"set-mode.giuded\""), "{said}");
    assert!(said.contains("station.set-mode.guided"), "{said}");
}

#[test]
fn one_vehicle_needs_no_number_and_several_do() {
    let several = STUDY.replace(
        "type = \"mavlink.ground-station\"",
        "type = \"mavlink.ground-station\"\nvehicles = 2",
    );
    let said = checked(&several).expect_err("it is wrong");
    assert!(said.contains("\"station.set-mode.guided\" needs vehicle"), "{said}");
    assert!(said.contains("did you mean \"station.vehicle[0].altitude\"?"), "{said}");
}
