//! Two simulators of a network, a wire between them, and what passed, as others read it.

use std::process::Command;

use crate::program::{Place, example};

/// Reads a capture with scapy: when, which way, who to whom, what.
const READ: &str = r#"
import sys
from scapy.all import ICMP, IP, Ether, PcapNgReader, Raw
for packet in PcapNgReader(sys.argv[1]):
    check, sum = packet[ICMP].chksum, packet[IP].chksum
    del packet[ICMP].chksum, packet[IP].chksum
    again = Ether(bytes(packet))
    assert (again[ICMP].chksum, again[IP].chksum) == (check, sum)
    print(round(packet.time * 1_000_000_000), packet[IP].src, packet[ICMP].type, packet[ICMP].seq, packet[Raw].load.decode())
"#;

#[test]
fn two_stations_talk_over_a_wire_and_what_passed_is_a_capture() {
    let python = std::env::var("IRONBIRD_PYTHON").unwrap_or_else(|_| "python3".into());
    let place = Place::new();
    let ping = example("network/ping.toml");
    let hash = place.hash(&[&ping]);
    let log = place.text("out/ping/ping.log");
    let answers: Vec<&str> = log.lines().collect();
    assert_eq!(answers.len(), 20, "{log}");
    assert!(answers.iter().all(|answer| answer.ends_with("after 44.0 us")), "{log}");
    // Nothing depends on how long the programs took.
    assert_eq!(place.hash(&[&ping]), hash);
    for sharing in ["always", "turns", "measured"] {
        let two = ["--partitions", "2", "--sharing", sharing];
        assert_eq!(place.hash(&[&[&*ping], &two[..]].concat()), hash);
    }
    assert_eq!(place.hash(&[&ping, "--processes", "2"]), hash);
    let exported = place.run(&["export", "out/ping/recording.mcap", "--out", "ping.pcapng"]);
    assert_eq!(exported.status, 0, "{}", exported.err);
    let read = Command::new(&python)
        .args(["-c", READ, "ping.pcapng"])
        .current_dir(place.path("."))
        .output();
    let read = read.unwrap();
    let text = String::from_utf8(read.stdout).unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 40, "{text}");
    // A request is at the wire 1 us after it was sent; the answer leaves the wire 43 us after it.
    assert_eq!(lines[0], "1000 10.0.0.1 8 1 ironbird");
    assert_eq!(lines[1], "43000 10.0.0.2 0 1 ironbird");
    assert_eq!(lines[38], "19001000 10.0.0.1 8 20 ironbird");
}

#[test]
fn a_recording_without_frames_is_no_capture() {
    let place = Place::new();
    place.run_json(&[&example("thermostat/thermostat.toml"), "--until", "1 min", "--out", "out"]);
    let refused = place.run(&["export", "out/recording.mcap", "--out", "none.pcapng"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("holds no Ethernet frames"), "{}", refused.err);
    assert!(!place.path("none.pcapng").exists());
}
