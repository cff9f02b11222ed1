//! Frames survive the way there and back; other bytes are refused with a reason.

use ironbird_native_shim::protocol::{
    Backend, Children, Counters, DecodeError, Device, DeviceKind, Hello, Input, Networks, Output,
    Reason, Resume, Setup, Socket, SocketKind, SpinRule, ToHost, ToProgram, Unsteady, VERSION,
    Yield, memory,
};
use proptest::prelude::*;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..40)
}

fn text() -> impl Strategy<Value = String> {
    "[a-zäß/0-9 \\n]{0,20}"
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        (any::<u32>(), any::<bool>(), bytes(), any::<u64>()).prop_map(
            |(transfer, acknowledged, read, ends)| {
                Input::BusReply { transfer, acknowledged, read, ends }
            }
        ),
        (any::<u32>(), bytes()).prop_map(|(port, bytes)| Input::BytesIn { port, bytes }),
        (any::<u32>(), any::<u16>(), bytes())
            .prop_map(|(port, from_port, bytes)| Input::DatagramIn { port, from_port, bytes }),
        any::<u32>().prop_map(|port| Input::Connected { port }),
        any::<u32>().prop_map(|port| Input::Disconnected { port }),
        any::<u8>().prop_map(|number| Input::Signal { number }),
        (text(), text(), text()).prop_map(|(transport, folder, output)| Input::Snapshot {
            transport,
            folder,
            output
        }),
        Just(Input::AskCounters),
        Just(Input::Stop),
    ]
}

fn output() -> impl Strategy<Value = Output> {
    prop_oneof![
        (any::<u32>(), any::<u32>(), any::<u8>(), any::<u32>(), bytes(), any::<u32>()).prop_map(
            |(transfer, bus, chip, clock, written, read)| Output::BusRequest {
                transfer,
                bus,
                chip,
                clock,
                written,
                read
            }
        ),
        (any::<u32>(), bytes()).prop_map(|(port, bytes)| Output::BytesOut { port, bytes }),
        (any::<u32>(), any::<u16>(), bytes())
            .prop_map(|(port, to_port, bytes)| Output::DatagramOut { port, to_port, bytes }),
        any::<u32>().prop_map(|port| Output::Connect { port }),
        any::<u32>().prop_map(|port| Output::Listen { port }),
        any::<u32>().prop_map(|port| Output::Closed { port }),
        any::<u32>().prop_map(|device| Output::Opened { device }),
        text().prop_map(|path| Output::WroteOutside { path }),
        any::<(u32, u32)>().prop_map(|(port, baud)| Output::Speed { port, baud }),
        any::<u32>().prop_map(|pid| Output::Forked { pid }),
        any::<i32>().prop_map(|code| Output::Exited { code }),
        (any::<u8>(), text(), any::<u64>(), text()).prop_map(
            |(signal, thread, address, symbol)| Output::Crashed { signal, thread, address, symbol }
        ),
        (text(), text(), text(), text()).prop_map(|(what, place, thread, advice)| Output::Leaked {
            what,
            place,
            thread,
            advice
        }),
        text().prop_map(|text| Output::Deadlock { text }),
        any::<[u64; 5]>().prop_map(|[clock_reads, calls, switches, advances, transfers]| {
            Output::Counters(Counters { clock_reads, calls, switches, advances, transfers })
        }),
    ]
}

fn setup() -> impl Strategy<Value = Setup> {
    let device = (
        text(),
        prop_oneof![
            any::<(u32, u8)>().prop_map(|(bus, chip)| DeviceKind::Spi { bus, chip }),
            any::<u32>().prop_map(|bus| DeviceKind::I2c { bus }),
            any::<(u32, u32)>().prop_map(|(port, baud)| DeviceKind::Serial { port, baud }),
            Just(DeviceKind::Random),
            Just(DeviceKind::Refused),
        ],
    )
        .prop_map(|(path, kind)| Device { path, kind });
    let socket = (
        any::<u32>(),
        prop_oneof![
            any::<(u16, u16)>().prop_map(|(local, remote)| SocketKind::Datagram { local, remote }),
            any::<u16>().prop_map(|local| SocketKind::Listen { local }),
            any::<u16>().prop_map(|remote| SocketKind::Connect { remote }),
        ],
    )
        .prop_map(|(port, kind)| Socket { port, kind });
    (
        (
            any::<bool>(),
            any::<[u64; 7]>(),
            prop::option::of(any::<(u32, u64)>()),
            (any::<(bool, bool)>(), prop::option::of(any::<u64>())),
            text(),
        ),
        prop::collection::vec(device, 0..5),
        prop::collection::vec(socket, 0..5),
    )
        .prop_map(
            |(
                (threads, numbers, spin, ((silent, leak_net), patience), folder),
                devices,
                sockets,
            )| Setup {
                backend: if threads { Backend::KernelThreads } else { Backend::Coroutines },
                clock_read_charge: numbers[0],
                call_charge: numbers[1],
                realtime_epoch_ns: numbers[2],
                monotonic_start: numbers[3],
                seed: numbers[4],
                timer_slack: numbers[5],
                begun_ns: numbers[6],
                spin: spin.map(|(reads, at_most)| SpinRule { reads, at_most }),
                networks: if silent { Networks::Silent } else { Networks::Refuse },
                leak_net,
                children: patience
                    .map_or(Children::Refused, |patience_ms| Children::Helpers { patience_ms }),
                folder,
                devices,
                sockets,
            },
        )
}

fn to_program() -> impl Strategy<Value = ToProgram> {
    prop_oneof![
        setup().prop_map(ToProgram::Setup),
        (any::<u64>(), any::<u64>(), prop::collection::vec(input(), 0..8))
            .prop_map(|(now, until, events)| ToProgram::Resume(Resume { now, until, events })),
    ]
}

fn to_host() -> impl Strategy<Value = ToHost> {
    let reason = prop_oneof![
        Just(Reason::Reached),
        Just(Reason::Idle),
        Just(Reason::Output),
        Just(Reason::Ended)
    ];
    prop_oneof![
        any::<(u32, bool, bool, [bool; 3])>().prop_map(
            |(pid, threads, fsgsbase, [addresses, random, stack])| ToHost::Hello(Hello {
                pid,
                backend: if threads { Backend::KernelThreads } else { Backend::Coroutines },
                fsgsbase,
                unsteady: Unsteady { addresses, random, stack },
            })
        ),
        (any::<(u64, u64, bool)>(), reason, prop::collection::vec(output(), 0..8)).prop_map(
            |((now, next_wake, listens), reason, events)| ToHost::Yield(Yield {
                now,
                reason,
                next_wake,
                listens,
                events
            })
        ),
    ]
}

proptest! {
    #[test]
    fn a_frame_to_the_program_comes_back_as_it_was(frame in to_program(), cut in any::<prop::sample::Index>()) {
        let mut encoded = Vec::new();
        frame.encode(&mut encoded);
        prop_assert_eq!(ToProgram::decode(&encoded), Ok(frame));
        prop_assert!(ToProgram::decode(&encoded[..cut.index(encoded.len())]).is_err());
        encoded.push(0);
        prop_assert_eq!(ToProgram::decode(&encoded), Err(DecodeError::Long { extra: 1 }));
    }

    #[test]
    fn a_frame_to_the_host_comes_back_as_it_was(frame in to_host(), cut in any::<prop::sample::Index>()) {
        let mut encoded = Vec::new();
        frame.encode(&mut encoded);
        prop_assert_eq!(ToHost::decode(&encoded), Ok(frame));
        prop_assert!(ToHost::decode(&encoded[..cut.index(encoded.len())]).is_err());
    }

    #[test]
    fn any_bytes_are_a_frame_or_an_error(mut junk in prop::collection::vec(any::<u8>(), 0..200), kind in 0u8..3) {
        if let [version, found, ..] = junk.as_mut_slice() {
            *version = VERSION;
            *found = kind;
        }
        let mut again = Vec::new();
        if let Ok(frame) = ToProgram::decode(&junk) {
            frame.encode(&mut again);
            prop_assert_eq!(&again, &junk);
        }
        again.clear();
        if let Ok(frame) = ToHost::decode(&junk) {
            frame.encode(&mut again);
            prop_assert_eq!(&again, &junk);
        }
    }
}

#[test]
fn another_version_is_refused_by_its_number() {
    let refused = ToHost::decode(&[VERSION + 1, 0]).unwrap_err();
    assert_eq!(refused, DecodeError::Version { found: VERSION + 1 });
    assert!(refused.to_string().contains("different builds"), "{refused}");
}

#[test]
fn a_count_that_promises_too_much_sets_no_memory_aside() {
    let mut frame = vec![VERSION, 1];
    frame.extend_from_slice(&[0; 16]);
    frame.extend_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(ToProgram::decode(&frame), Err(DecodeError::Short { field: "events" }));
}

#[test]
fn the_header_in_shared_memory_has_its_places() {
    assert_eq!(&memory::MAGIC.to_le_bytes(), b"IBSHIM01");
    let words = [
        (memory::VERSION_AT, 8),
        (memory::TURN, 12),
        (memory::TO_PROGRAM_LENGTH, 16),
        (memory::TO_HOST_LENGTH, 20),
        (memory::PID, 24),
        (memory::HOST_SLEEPS, 28),
        (memory::PROGRAM_SLEEPS, 32),
        (memory::CALLS, 40),
        (memory::THREAD_NAME, 64),
        (memory::TO_PROGRAM, 4096),
        (memory::TO_HOST, 4096 + (1 << 20)),
        (memory::LENGTH, 4096 + (2 << 20)),
    ];
    for (found, expected) in words {
        assert_eq!(found, expected);
    }
}
