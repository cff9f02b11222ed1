//! The physical interface: both sides, over links, and with a host in C.
#![cfg(not(loom))]

mod peers;

use std::process::{Command, Stdio};

use ironbird_simbricks::layout::physical::{Intro, Part, Reason, ToHost, ToPhysics};
use ironbird_simbricks::layout::{FIELDS, LayoutError, Upper};
use ironbird_simbricks::physical::{
    Actuator, ActuatorKind, Device, Host, Metric, Nature, PhysicalError, Physics, Sensor,
    ServedLink, UsedLink, Wish,
};
use ironbird_simbricks::{Listener, Place, Protocol, QueueSize, Waiter};
use peers::{LIMIT, compile, pair_of};

const US: u64 = 1_000_000;

fn device() -> Device {
    let share = ActuatorKind::Share;
    Device {
        number: 7,
        sensors: vec![Sensor::new(Metric::Acceleration, 0), Sensor::new(Metric::Altitude, 2)],
        actuators: vec![Actuator { kind: share, number: 1, factor: 1_000, range: (-1.0, 50.0) }],
    }
}

/// Accelerations tell the time in µs, altitudes what the actuator was told.
#[derive(Default)]
struct Clock {
    told: Vec<(u64, f64)>,
}

impl Nature for Clock {
    fn read(&mut self, sensor: usize, now: u64) -> [f64; 8] {
        let (time, told) = ((now / US) as f64, self.told.last().map_or(0.0, |told| told.1));
        match sensor {
            0 => [time, -time, 0.5, 9.0, 9.0, 9.0, 9.0, 9.0],
            _ => [told, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        }
    }

    fn write(&mut self, actuator: usize, values: [f64; 8], now: u64) {
        assert_eq!(actuator, 0);
        self.told.push((now, values[0]));
    }
}

fn wishes(push: Option<u32>) -> Vec<Wish> {
    let wish = |metric, number, push| Wish { metric, number, push, factor: None };
    vec![wish(Metric::Acceleration, 0, push), wish(Metric::Altitude, 2, None)]
}

#[test]
fn every_byte_is_where_the_listings_have_it() {
    let part = Part { request: 0x0102_0304_0506_0708, device: 9, kind: 10, number: 11 };
    let head = [8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0, 10, 0, 0, 0, 11, 0, 0, 0];
    let check = |fields: [u8; FIELDS], rest: &[u8]| {
        assert_eq!(fields[..20], head);
        assert_eq!(fields[20..20 + rest.len()], *rest);
        assert!(fields[20 + rest.len()..].iter().all(|byte| *byte == 0));
    };
    let capabilities = ToHost::SensorCapabilities {
        part,
        factor: 0x1000,
        highest_frequency: 500,
        push_available: true,
    };
    check(capabilities.encode(), &[0, 0x10, 0, 0, 0xf4, 1, 0, 0, 1]);
    let capabilities = ToHost::ActuatorCapabilities { part, least: -1, most: 2, factor: 3 };
    check(capabilities.encode(), &[255, 255, 255, 255, 2, 0, 0, 0, 3, 0, 0, 0]);
    let configuration =
        ToPhysics::SensorConfiguration { part, push: true, frequency: 258, factor: 5 };
    check(configuration.encode(), &[1, 0, 0, 0, 2, 1, 0, 0, 5, 0, 0, 0]);
    check(ToPhysics::SensorReadRequest { part }.encode(), &[]);
    let values = [1, -1, 3, 4, 5, 6, 7, -8];
    let read = ToHost::SensorRead { part, values };
    let bytes = values[..7].iter().flat_map(|value: &i32| value.to_le_bytes()).collect::<Vec<_>>();
    check(read.encode(), &bytes);
    // Value 8 stands behind the time stamp.
    assert_eq!(read.tail(), [0xf8, 255, 255, 255, 0, 0, 0]);
    assert_eq!(ToHost::decode(0x42, &read.encode(), &read.tail()), Ok(read));
    let write = ToPhysics::ActuatorWrite { part, values };
    check(write.encode(), &bytes);
    assert_eq!(ToPhysics::decode(0x62, &write.encode(), &write.tail()), Ok(write));
    let intro = Intro { device: 1, sensors: 2, actuators: 3 };
    assert_eq!(intro.encode(), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(Intro::decode(&intro.encode()), Ok(intro));
    assert!(Intro::decode(&[0; 4]).is_err());
    let mut bad = configuration.encode();
    bad[20] = 2;
    let found = ToPhysics::decode(0x60, &bad, &[0; 7]);
    assert!(matches!(found, Err(LayoutError::Value { found: 2, .. })));
}

/// What was read: when, from which sensor, the first value.
type Readings = Vec<(u64, usize, f64)>;
/// When the actuator was told what.
type Told = Vec<(u64, f64)>;

/// Both sides over a link in two threads; what the host read, and what the actuator was told.
fn fly(wishes: Vec<Wish>, until: u64) -> (Readings, Told) {
    let physics = Physics::new(device()).unwrap();
    let host = Host::new(7, wishes, 1);
    let here = ServedLink::link("world", physics.device());
    let there = UsedLink::link("board", &host);
    assert_eq!(here.protocol, Protocol::PHYSICAL);
    let (world, board) = pair_of(here, there, QueueSize { elen: 64, nentries: 4 });
    std::thread::scope(|threads| {
        let world = threads.spawn(move || {
            let mut world = ServedLink::new(world, physics, Waiter::new(Some(LIMIT))).unwrap();
            let mut clock = Clock::default();
            // The same whatever pieces it goes in.
            for end in [0, 3 * US, 3 * US + 1, until] {
                world.advance(end, &mut clock).unwrap();
            }
            assert!(world.physics().is_configured());
            assert!(world.physics().take_cut().is_empty());
            world.finish().unwrap();
            clock.told
        });
        let mut board = UsedLink::new(board, host, Waiter::new(Some(LIMIT))).unwrap();
        let mut readings = Vec::new();
        let mut now = 0;
        while now < until && !board.endpoint().has_ended() {
            now = (now + 10 * US).min(until);
            board
                .advance(now, |at, reading| readings.push((at, reading.sensor, reading.values[0])))
                .unwrap();
            if board.host().is_ready() && !board.endpoint().has_ended() {
                board.request(1).unwrap();
                board.write(0, &[(now / US) as f64]).unwrap();
            }
        }
        drop(board);
        (readings, world.join().unwrap())
    })
}

#[test]
fn readings_are_pushed_at_their_frequency_and_answered_when_asked_for() {
    let (readings, told) = fly(wishes(Some(10_000)), 400 * US);
    let pushed: Vec<_> = readings.iter().filter(|reading| reading.1 == 0).collect();
    // Every 100 µs; measured when sent, received 0.5 µs later.
    let times: Vec<_> = pushed.iter().map(|reading| (reading.0, reading.2)).collect();
    let expected = [100, 200, 300].map(|time| (time * US + US / 2, time as f64));
    assert_eq!(times, expected);
    let asked: Vec<_> = readings.iter().filter(|reading| reading.1 == 1).collect();
    // Asked at 10 µs, answered with what the actuator had been told before: a µs there and back.
    assert_eq!((asked[0].0, asked[0].2), (11 * US, 0.0));
    assert_eq!((asked[1].0, asked[1].2), (21 * US, 10.0));
    // What is above the range is brought to its end.
    assert_eq!(told[3], (40 * US + US / 2, 40.0));
    assert_eq!(told[6], (70 * US + US / 2, 50.0));
}

#[test]
fn it_is_the_same_every_time() {
    assert_eq!(fly(wishes(Some(9_999)), 300 * US), fly(wishes(Some(9_999)), 300 * US));
}

#[test]
fn what_cannot_be_is_refused() {
    let mut physics = Physics::new(device()).unwrap();
    let part = Part { request: 5, device: 7, kind: Metric::Acceleration.id(), number: 0 };
    let mut configure = |part, push, frequency| {
        let message = ToPhysics::SensorConfiguration { part, push, frequency, factor: 0 };
        physics.receive(0, message, &mut Clock::default())
    };
    let refused = |part, reason, limit| Ok(Some(ToHost::Refusal { part, reason, limit }));
    assert_eq!(configure(part, true, 10_001), refused(part, Reason::Frequency, 10_000));
    assert_eq!(configure(part, true, 0), refused(part, Reason::Frequency, 10_000));
    let other = Part { number: 1, ..part };
    assert_eq!(configure(other, true, 1), refused(other, Reason::NoSuchSensor, 0));
    let wrong = PhysicalError::WrongDevice { expected: 7, found: 8 };
    assert_eq!(configure(Part { device: 8, ..part }, true, 1), Err(wrong));
    assert_eq!(configure(part, true, 10_000), Ok(None));

    let mut quiet = device();
    quiet.sensors[0].push_available = false;
    let mut physics = Physics::new(quiet).unwrap();
    let message = ToPhysics::SensorConfiguration { part, push: true, frequency: 1, factor: 0 };
    let answer = physics.receive(0, message, &mut Clock::default());
    assert_eq!(answer, refused(part, Reason::NoPush, 0));
    // The host knows before it asks.
    let mut host = Host::new(7, wishes(Some(1)), 1);
    let error = host.receive(physics.capabilities()[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sensor 0 cannot be used as wished: it does not push its readings: ask for them"
    );
    let mut host = Host::new(7, wishes(Some(20_000)), 1);
    let error = host.receive(Physics::new(device()).unwrap().capabilities()[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sensor 0 cannot be used as wished: its frequency must be 1 to 10000 Hz"
    );
}

#[test]
fn sides_that_speak_of_different_devices_are_refused_with_both() {
    let physics = Physics::new(device()).unwrap();
    for (host, expected) in [
        (Host::new(8, wishes(None), 1), "speaks of device 8, this one of device 7"),
        (Host::new(7, wishes(None), 2), "counts 2 sensors and 2 actuators, this one 2 and 1"),
    ] {
        let here = ServedLink::link("world", physics.device());
        let there = UsedLink::link("board", &host);
        let (world, _board) = pair_of(here, there, QueueSize { elen: 64, nentries: 4 });
        let physics = Physics::new(device()).unwrap();
        let error = ServedLink::new(world, physics, Waiter::new(None)).unwrap_err().to_string();
        assert!(error.starts_with("link `world`: ") && error.contains(expected), "{error}");
    }
}

#[test]
fn values_that_do_not_fit_are_cut_and_told_once() {
    let mut sky = device();
    sky.sensors[0].factor = 1_000_000_000;
    let mut physics = Physics::new(sky).unwrap();
    let part = Part { request: 5, device: 7, kind: Metric::Acceleration.id(), number: 0 };
    let configuration =
        ToPhysics::SensorConfiguration { part, push: false, frequency: 0, factor: 0 };
    let request = ToPhysics::SensorReadRequest { part };
    let clock = &mut Clock::default();
    assert_eq!(physics.receive(0, request, clock), Err(PhysicalError::TooEarly { number: 0 }));
    physics.receive(0, configuration, clock).unwrap();
    let Ok(Some(ToHost::SensorRead { values, .. })) = physics.receive(5 * US, request, clock)
    else {
        panic!("a reading")
    };
    assert_eq!(values, [i32::MAX, i32::MIN, 500_000_000, 0, 0, 0, 0, 0]);
    assert_eq!(physics.take_cut(), [0]);
    assert!(physics.take_cut().is_empty());
    // The host asks for a smaller factor.
    let finer = ToPhysics::SensorConfiguration { part, push: false, frequency: 0, factor: 100 };
    physics.receive(6 * US, finer, clock).unwrap();
    let Ok(Some(ToHost::SensorRead { values, .. })) = physics.receive(7 * US, request, clock)
    else {
        panic!("a reading")
    };
    assert_eq!(values, [700, -700, 50, 0, 0, 0, 0, 0]);
    assert!(physics.take_cut().is_empty());
}

#[test]
fn devices_that_cannot_be_are_refused() {
    let broken = |change: fn(&mut Device)| {
        let mut device = device();
        change(&mut device);
        Physics::new(device).unwrap_err()
    };
    let twice = broken(|device| device.sensors.push(device.sensors[1]));
    assert_eq!(twice, PhysicalError::Twice { what: "sensor", number: 2, kind: 1 });
    let none = broken(|device| device.actuators[0].factor = 0);
    assert_eq!(none, PhysicalError::NoFactor { what: "actuator", number: 1 });
    let inside_out = broken(|device| device.actuators[0].range = (1.0, -1.0));
    assert_eq!(inside_out, PhysicalError::Range { number: 1, least: 1000, most: -1000 });
}

/// The host in C against a served link; what it printed, and what the actuator was told.
fn with_host_in_c(device_told: &str, frequency: &str) -> (String, Told, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("physical_host");
    compile("/tests/c/physical_host.c", &program);
    let physics = Physics::new(device()).unwrap();
    let mut link = ServedLink::link("world", physics.device());
    (link.latency, link.sync_interval) = (US, US);
    let socket = folder.path().join("socket");
    let size = QueueSize { elen: 64, nentries: 16 };
    let listener = Listener::bind(link, &socket, &Place::Memory, size).unwrap();
    let arguments = [device_told, "2", "1", frequency, "1000"];
    let host = Command::new(program).arg(&socket).args(arguments).stdout(Stdio::piped()).spawn();
    let host = host.unwrap();
    let mut clock = Clock::default();
    let served = listener.accept(LIMIT).and_then(|endpoint| {
        let mut world = ServedLink::new(endpoint, physics, Waiter::new(Some(LIMIT)))?;
        world.advance(2_000 * US, &mut clock)
    });
    let problem = served.err().map(|error| error.to_string());
    if problem.as_ref().is_some_and(|problem| problem.contains("speaks of device")) {
        let mut host = host;
        host.kill().unwrap();
        host.wait().unwrap();
        return (String::new(), clock.told, problem);
    }
    let output = host.wait_with_output().unwrap();
    assert!(output.status.success());
    (String::from_utf8(output.stdout).unwrap(), clock.told, problem)
}

#[test]
fn a_host_in_c_reads_and_writes_by_the_header_in_the_documentation() {
    let (output, told, problem) = with_host_in_c("7", "5000");
    assert_eq!(problem, None);
    let pushed: Vec<_> =
        output.lines().filter(|line| line.split(' ').nth(1) == Some("8")).collect();
    assert_eq!(
        pushed,
        [
            "201 8 0 200000000 -200000000 500000 0",
            "401 8 0 400000000 -400000000 500000 0",
            "601 8 0 600000000 -600000000 500000 0",
            "801 8 0 800000000 -800000000 500000 0",
        ]
    );
    let asked: Vec<_> = output.lines().filter(|line| line.split(' ').nth(1) == Some("1")).collect();
    // Asked every 100 µs; the altitude is what the actuator was told last, times 100.
    assert_eq!(asked.len(), 9);
    assert_eq!(asked[..3], ["102 1 2 0 0 0 0", "202 1 2 100 0 0 0", "302 1 2 300 0 0 0"]);
    assert_eq!(told.len(), 13);
    assert_eq!(told[0], (103 * US, 1.0));
}

#[test]
fn a_host_in_c_that_wishes_too_much_is_told_why() {
    let (output, _, problem) = with_host_in_c("7", "10001");
    assert_eq!(output, "refused 2 limit 10000\n");
    let problem = problem.unwrap();
    assert!(problem.contains("its frequency must be 1 to 10000 Hz"), "{problem}");
    let (_, _, problem) = with_host_in_c("3", "1");
    assert!(problem.unwrap().contains("speaks of device 3, this one of device 7"));
}
