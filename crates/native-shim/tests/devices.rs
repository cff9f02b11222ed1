//! Devices and sockets lead to the host, at the right times.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{
    Device, DeviceKind, Input, Output, Setup, Socket, SocketKind,
};
use rig::{MICROSECOND, MILLISECOND, Nothing, SECOND, WAYS, World, compile, run, setup, supported};

const SERIAL: u32 = 10;
const DATAGRAMS: u32 = 11;
const SERVER: u32 = 12;
const CLIENT: u32 = 13;

/// Answers chips at once, everything else after a while.
#[derive(Default)]
struct Bench {
    planned: Vec<(u64, Input)>,
    slices: Option<u64>,
    now: u64,
}

impl Bench {
    fn plan(&mut self, at: u64, input: Input) {
        self.planned.push((at, input));
        self.planned.sort_by_key(|(at, _)| *at);
    }
}

impl World for Bench {
    fn react(&mut self, now: u64, event: &Output) -> Vec<Input> {
        self.now = now;
        match event {
            &Output::BusRequest { transfer, bus, chip, clock, ref written, read } => {
                let reply = |acknowledged, read: Vec<u8>, duration| {
                    vec![Input::BusReply { transfer, acknowledged, read, ends: now + duration }]
                };
                match (bus, chip) {
                    (0, 4) => {
                        assert_eq!(
                            (clock, written.as_slice(), read),
                            (2_000_000, &[0x80, 1, 0, 0, 0][..], 0)
                        );
                        // 5 bytes at 2 MHz take 20 us.
                        reply(true, vec![0, 0, 0xa1, 0xa2, 0xa3], 20 * MICROSECOND)
                    }
                    (7, 0x68) => {
                        let bytes: Vec<u8> = (0..read as u8)
                            .map(|place| written.first().unwrap_or(&0x30) + place)
                            .collect();
                        reply(true, bytes, 100 * MICROSECOND)
                    }
                    (7, 0x55) => reply(false, Vec::new(), 30 * MICROSECOND),
                    other => panic!("a request to {other:?}"),
                }
            }
            Output::BytesOut { port: SERIAL, bytes } => {
                assert_eq!(bytes, b"ping");
                self.plan(
                    now + 2 * MILLISECOND,
                    Input::BytesIn { port: SERIAL, bytes: b"pong".to_vec() },
                );
                Vec::new()
            }
            Output::DatagramOut { port: DATAGRAMS, to_port: 6000, bytes } => {
                let bytes = bytes.iter().rev().copied().collect();
                self.plan(
                    now + MILLISECOND,
                    Input::DatagramIn { port: DATAGRAMS, from_port: 6000, bytes },
                );
                Vec::new()
            }
            Output::Listen { port: SERVER } => {
                self.plan(now + 4 * MILLISECOND, Input::Connected { port: SERVER });
                self.plan(
                    now + 5 * MILLISECOND,
                    Input::BytesIn { port: SERVER, bytes: b"question".to_vec() },
                );
                Vec::new()
            }
            Output::BytesOut { port: SERVER, bytes } => {
                assert_eq!(bytes, b"answer");
                self.plan(now + MILLISECOND, Input::Disconnected { port: SERVER });
                Vec::new()
            }
            Output::Connect { port: CLIENT } => {
                self.plan(now + MILLISECOND, Input::Connected { port: CLIENT });
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn next(&self) -> Option<u64> {
        let planned = self.planned.first().map(|(at, _)| *at);
        let slice = self.slices.map(|slice| (self.now / slice + 1) * slice);
        [planned, slice].into_iter().flatten().min()
    }

    fn happen(&mut self, now: u64) -> Vec<Input> {
        self.now = now;
        let due = self.planned.iter().take_while(|(at, _)| *at <= now).count();
        self.planned.drain(..due).map(|(_, input)| input).collect()
    }
}

fn device(path: &str, kind: DeviceKind) -> Device {
    Device { path: path.into(), kind }
}

fn wired(base: Setup) -> Setup {
    Setup {
        devices: vec![
            device("/dev/spidev0.1", DeviceKind::Spi { bus: 0, chip: 4 }),
            device("/dev/i2c-1", DeviceKind::I2c { bus: 7 }),
            device("/dev/ttyTEST", DeviceKind::Serial { port: SERIAL, baud: 9600 }),
        ],
        sockets: vec![
            Socket { port: DATAGRAMS, kind: SocketKind::Datagram { local: 5000, remote: 6000 } },
            Socket { port: SERVER, kind: SocketKind::Listen { local: 5760 } },
            Socket { port: CLIENT, kind: SocketKind::Connect { remote: 4560 } },
        ],
        ..base
    }
}

/// Derived from the waits in the program and the times in `Bench`; nothing else costs time.
const REFERENCE: &str = "\
0.000005 meanwhile
0.000020 spi a1 a2 a3
0.000120 i2c 75 76
0.000150 not acknowledged
0.000350 plain 30
0.000450 smbus 10 11
serial 4 pong
0.002450 serial
datagram olleh from 6000
0.006450 datagram time-out
0.008450 datagram poll
0.012450 accepted
stream 8 question
0.014450 closed
0.015450 connected
0.015450 getrandom";

#[test]
fn buses_ports_and_sockets_take_their_time() {
    if !supported() {
        return;
    }
    let program = compile("devices.c");
    let mut first = None;
    for (backend, wire) in WAYS {
        let outcome = run(&program, &[], &wired(setup(backend)), wire, &mut Bench::default());
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
        let (text, random) = outcome.printed.trim_end().split_at(REFERENCE.len());
        assert_eq!(text, REFERENCE, "{backend:?} {wire:?}");
        assert_eq!(random.split_whitespace().count(), 4, "{random}");
        let speed = outcome.events.iter().find(|(_, event)| matches!(event, Output::Speed { .. }));
        assert_eq!(
            speed.map(|(_, event)| event),
            Some(&Output::Speed { port: SERIAL, baud: 123_456 })
        );
        assert_eq!(outcome.counters().transfers, 6);
        let all = (outcome.printed, outcome.events);
        assert_eq!(first.get_or_insert_with(|| all.clone()), &all, "{backend:?} {wire:?}");
    }
}

#[test]
fn the_grants_of_the_host_do_not_change_the_run() {
    if !supported() {
        return;
    }
    let program = compile("devices.c");
    for (clock, call) in [(0, 0), (50_000, 500_000), (1_000_000, 5_000_000)] {
        let mut first = None;
        for slices in [None, Some(MILLISECOND), Some(7 * MICROSECOND), Some(333_333)] {
            let (backend, wire) = WAYS[0];
            let charged =
                Setup { clock_read_charge: clock, call_charge: call, ..wired(setup(backend)) };
            let mut bench = Bench { slices, ..Bench::default() };
            let outcome = run(&program, &[], &charged, wire, &mut bench);
            let all = (outcome.printed, outcome.events);
            assert_eq!(
                first.get_or_insert_with(|| all.clone()),
                &all,
                "slices of {slices:?}, charges {clock} {call}"
            );
        }
    }
}

#[test]
fn a_program_that_only_waits_for_input_says_so_and_can_be_stopped() {
    if !supported() {
        return;
    }
    let program = compile("devices.c");
    let (backend, wire) = WAYS[0];
    // Nobody answers the first transfer.
    let outcome = run(&program, &[], &wired(setup(backend)), wire, &mut Nothing);
    assert_eq!(outcome.exit_code(), None);
    assert!(outcome.now >= 5 * MICROSECOND && outcome.now <= 3600 * SECOND, "{}", outcome.now);
    assert!(matches!(outcome.events[1].1, Output::BusRequest { .. }), "{outcome:#?}");
}
