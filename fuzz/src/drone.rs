//! What a simulated computer, its ground station and their network read.

use std::net::Ipv4Addr;

use ironbird_document::Source;
use ironbird_host::cpu::{Devices, Processor, Trap};
use ironbird_host::elf::Firmware;
use ironbird_host::memory::Memory;
use ironbird_host::profile::Profile;
use ironbird_mavlink::{Plan, StreamParser};
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Endpoint, Heard, Host};

/// Cycles that a firmware runs for.
const CYCLES: u64 = 20_000;

/// A board without peripherals, whatever its firmware does.
struct Bare;

impl Devices for Bare {
    fn trapped(&mut self, _: &Trap) {}
}

/// Bytes as an ELF file; what can be loaded runs, and as a program in flash, whatever the bytes mean.
pub fn firmware(bytes: &[u8]) {
    let profile = Profile::built_in("cortex-m4f-168mhz").expect("it is built in");
    let memory = || Memory::new(64 << 10, 64 << 10, &profile);
    let mut flash = memory();
    if let Ok(firmware) = Firmware::parse(bytes)
        && firmware.load(&mut flash).is_ok()
    {
        run(flash, firmware.entry);
    }
    let mut flash = memory();
    let code = &bytes[..bytes.len().min(64 << 10)];
    flash.load_flash(Memory::FLASH, code).expect("it fits");
    run(flash, Memory::FLASH);
}

fn run(mut memory: Memory, entry: u32) {
    let mut processor = Processor::new(entry);
    while processor.cycle() < CYCLES && !processor.is_waiting() {
        let before = processor.cycle();
        processor.run(&mut memory, &mut Bare, CYCLES);
        assert!(processor.cycle() > before || processor.is_waiting(), "time goes on");
    }
}

/// Bytes as the profile of a processor; what is read can be used.
pub fn profile(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(profile) = Profile::read(&Source::built_in("profile", &text)) {
        let (flash, ram) = (profile.flash_bytes.min(1 << 20), profile.ram_bytes.min(1 << 20));
        run(Memory::new(flash, ram, &profile), Memory::FLASH);
    }
}

/// Bytes as a mission.
pub fn mission(bytes: &[u8]) {
    if let Err(error) = Plan::parse(&String::from_utf8_lossy(bytes)) {
        assert!(!error.to_string().is_empty());
    }
}

/// Bytes as a stream of MAVLink: in whatever pieces they come, the same messages are found; and as a frame of a
/// network: what a host takes for a datagram to it can be answered.
pub fn mavlink(bytes: &[u8]) {
    let (mut whole, mut pieces) = (StreamParser::default(), StreamParser::default());
    let mut found = whole.push(bytes);
    found.append(&mut whole.end());
    let mut again = Vec::new();
    for piece in bytes.chunks(7) {
        again.append(&mut pieces.push(piece));
    }
    again.append(&mut pieces.end());
    // Compared as text: a number that is none is not equal to itself.
    assert_eq!(format!("{found:?}"), format!("{again:?}"));
    assert_eq!(whole, pieces);
    let host = Host { mac: [2, 0, 0, 0, 0, 1], ip: Ipv4Addr::new(10, 0, 0, 1) };
    if let Heard::Datagram { from: Endpoint { mac, ip, port }, to_port, payload } =
        host.hear(&EthernetFrame::new(bytes))
    {
        let answer = host.datagram(to_port, Endpoint { mac, ip, port }, payload);
        let asker = Host { mac, ip };
        if let Some(answer) = answer {
            assert!(matches!(asker.hear(&answer), Heard::Datagram { .. }));
        }
    }
}
