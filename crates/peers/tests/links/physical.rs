//! Devices on both sides of a link.

use std::thread::JoinHandle;

use ironbird_kernel::{Outcome, Parameter, Time};
use ironbird_kinematics::{Attitude, Geodetic};
use ironbird_simbricks::physical::{
    Actuator, ActuatorKind, Device, Metric, Nature, Physics, Sensor, ServedLink,
};
use ironbird_simbricks::{LinkError, QueueSize, SyncMode, Url, Waiter, establish};
use ironbird_test_rig::{Rig, Run, text};

use crate::peer::{LIMIT, Sockets, on, rig};

const MS: u64 = 1_000_000_000;

fn ms(ms: u64) -> Time {
    Time::from_ps(ms * MS)
}

/// A device in a world on a thread: altitudes tell the time in ms, and everything else what the rotors were told.
#[derive(Default)]
struct Clock {
    told: Vec<(u64, usize, f64)>,
}

impl Nature for Clock {
    fn read(&mut self, sensor: usize, now: u64) -> [f64; 8] {
        let told = self.told.last().map_or(0.0, |told| told.2);
        match sensor {
            0 => [(now / MS) as f64, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            _ => [told, 2.0 * told, -told, 0.0, 0.0, 0.0, 0.0, 0.0],
        }
    }

    fn write(&mut self, actuator: usize, values: [f64; 8], now: u64) {
        self.told.push((now / 1_000_000, actuator, values[0]));
    }
}

fn device() -> Device {
    let rotor = |number| {
        let kind = ActuatorKind::RotorSpeed;
        Actuator { kind, number, factor: 1000, range: (0.0, 900.0) }
    };
    let altitude = Sensor { highest_frequency: 500, ..Sensor::new(Metric::Altitude, 0) };
    let rates = Sensor { push_available: false, ..Sensor::new(Metric::AngularVelocity, 0) };
    Device { number: 3, sensors: vec![altitude, rates], actuators: vec![rotor(0), rotor(1)] }
}

type Told = Vec<(u64, usize, f64)>;

/// The world's side, until a time.
fn world(url: &str, device: Device, until: Time) -> JoinHandle<Result<Told, LinkError>> {
    let url = Url { sync: SyncMode::Required, ..Url::parse(url).unwrap() };
    std::thread::spawn(move || {
        let size = QueueSize { elen: 64, nentries: 64 };
        let pending = url.open(ServedLink::link("world", &device), size)?;
        let endpoint = establish([pending], LIMIT)?.remove(0);
        let physics = Physics::new(device).unwrap();
        let mut served = ServedLink::new(endpoint, physics, Waiter::new(Some(LIMIT)))?;
        let mut clock = Clock::default();
        served.advance(until.as_ps(), &mut clock)?;
        served.finish()?;
        Ok(clock.told)
    })
}

const OPTIONS: &str = ":latency=100000:sync_interval=100000";
const SENSORS: &str = "altitude push 100 Hz, angular_velocity poll 50 Hz, pressure from altitude";

/// Our side, with two rotors that are told something at 15 and 40 ms.
fn board(link: &str, sensors: &str) -> Rig {
    let mut rig = rig();
    let more = [
        ("device", Parameter::Integer(3)),
        ("sensors", text(sensors)),
        ("actuators", text("rotor_speed x2 as motor")),
    ];
    rig.add("device", "simbricks.physical-device", &on(link, &more));
    for (motor, factor) in [("motor_1", 1.0), ("motor_2", 10.0)] {
        let values = [(ms(0), 0.0), (ms(15), 20.0 * factor), (ms(40), 99.0 * factor)];
        rig.script(&format!("to_{motor}"), &values);
        rig.link(&format!("to_{motor}.out"), &format!("device.{motor}"));
    }
    rig
}

fn completed(run: &Run) {
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
}

#[test]
fn a_device_shows_what_its_world_measures_and_tells_it_what_to_do() {
    let mut runs = Vec::new();
    for swapped in [false, true] {
        let sockets = Sockets::new();
        let [mut here, mut there] = sockets.link("device", OPTIONS);
        if swapped {
            std::mem::swap(&mut here, &mut there);
        }
        let world = world(&there, device(), ms(60));
        let outputs = ["altitude", "angular_velocity", "pressure", "ready", "saturated", "ended"]
            .map(|output| format!("device.{output}"));
        let run = board(&here, SENSORS).run(ms(100), &outputs.each_ref().map(String::as_str));
        completed(&run);
        let us = |time: Time| time.as_ps() / 1_000_000;
        let altitudes = run.samples::<f64>("device.altitude");
        let altitudes: Vec<_> = altitudes.into_iter().map(|(t, v)| (us(t), v)).collect();
        // Pushed at multiples of 10 ms once it is configured, and there a tenth of a ms later.
        let expected: Vec<_> = (1..=6).map(|k| (10_000 * k + 100, (10 * k) as f64)).collect();
        assert_eq!(altitudes, expected);
        let rates = run.samples::<[f64; 3]>("device.angular_velocity");
        let rates: Vec<_> = rates.into_iter().map(|(t, v)| (us(t), v)).collect();
        // Asked at multiples of 20 ms, answered there and back.
        // A question of the instant of a command goes before it; the third is answered after the end of the world.
        let expected = [200.0, 400.0, -200.0];
        assert_eq!(rates, [(20_200, expected), (40_200, expected)]);
        let pressure = run.samples::<f64>("device.pressure");
        assert_eq!(pressure.len(), 6);
        assert!((pressure[5].1 - 100_606.0).abs() < 1.0, "60 m: {}", pressure[5].1);
        let instants = |name: &str| {
            run.samples::<bool>(name).into_iter().map(|(t, _)| us(t)).collect::<Vec<_>>()
        };
        assert_eq!(instants("device.ready"), [20_200]);
        assert_eq!(instants("device.saturated"), [40_000], "990 rad/s are too many");
        assert_eq!(instants("device.ended").len(), 1);
        let told = world.join().unwrap().unwrap();
        let expected =
            [(15_100, 0, 20.0), (15_100, 1, 200.0), (40_100, 0, 99.0), (40_100, 1, 900.0)];
        let first: Vec<_> = told.iter().copied().filter(|told| told.0 > 300).collect();
        assert_eq!(first, expected);
        runs.push((altitudes, rates, told));
    }
    assert_eq!(runs[0], runs[1]);
}

/// Our world's side with a script for an altitude, against our device's side; the altitudes that come over.
fn both(manner: &str, factor: &str) -> (Vec<(u64, f64)>, Vec<bool>) {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("device", OPTIONS);
    let mut world = rig();
    let sensors = format!("altitude{factor}, orientation, position");
    let more = [("sensors", text(&sensors)), ("actuators", text("share as flap"))];
    world.add("served", "simbricks.physical-world", &on(&listen, &more));
    let altitudes: Vec<_> = (0..200).map(|k| (ms(k), 1000.0 * k as f64)).collect();
    world.script("height", &altitudes);
    world.script("turn", &[(ms(0), Attitude::from_euler(0.1, -0.2, 3.0))]);
    world.script("place", &[(ms(0), Geodetic::from_degrees(47.398, 8.546, 430.0))]);
    world.link("height.out", "served.altitude");
    world.link("turn.out", "served.orientation");
    world.link("place.out", "served.position");
    let mut board = rig();
    let sensors = format!("altitude {manner}, orientation push 10 Hz, position push 10 Hz");
    let more = [("sensors", text(&sensors)), ("actuators", text("share as flap"))];
    board.add("device", "simbricks.physical-device", &on(&connect, &more));
    board.script("flap", &[(ms(0), 0.0), (ms(50), 0.5)]);
    board.link("flap.out", "device.flap");
    std::thread::scope(|threads| {
        let world = threads.spawn(|| {
            let run = world.run(ms(150), &["served.flap", "served.saturated"]);
            completed(&run);
            let flap = run.samples::<f64>("served.flap");
            let told: Vec<_> = flap.into_iter().filter(|(_, value)| *value > 0.0).collect();
            assert_eq!(told, [(Time::from_ps(50 * MS + MS / 10), 0.5)]);
            run.samples::<bool>("served.saturated").into_iter().map(|(_, cut)| cut).collect()
        });
        let outputs = ["device.altitude", "device.orientation", "device.position"];
        let run = board.run(ms(150), &outputs);
        completed(&run);
        let turns = run.samples::<Attitude>("device.orientation");
        let [roll, pitch, yaw] = turns[0].1.to_euler();
        assert!((roll - 0.1).abs() + (pitch + 0.2).abs() + (yaw - 3.0).abs() < 1e-5);
        assert!(turns[0].1.is_rotation());
        let places = run.samples::<Geodetic>("device.position");
        assert!((places[0].1.latitude.to_degrees() - 47.398).abs() < 1e-6);
        assert_eq!(places[0].1.height, 430.0);
        let altitudes = run.samples::<f64>("device.altitude").into_iter();
        let altitudes = altitudes.map(|(t, v)| (t.as_ps() / 1_000_000, v)).collect();
        (altitudes, world.join().unwrap())
    })
}

#[test]
fn our_world_serves_our_device() {
    for manner in ["push 100 Hz", "poll 100 Hz"] {
        let (altitudes, saturated) = both(manner, "");
        // What is read at t is what holds at t.
        let (delay, way) = if manner.starts_with("push") { (100, 0) } else { (200, 100) };
        for (time, altitude) in &altitudes {
            let read = time - delay + way;
            assert_eq!(*altitude, 1000.0 * (read / 1000) as f64, "{manner}: read at {read} us");
        }
        assert!((14..=15).contains(&altitudes.len()), "{manner}: {}", altitudes.len());
        assert!(saturated.is_empty());
        assert_eq!((altitudes, saturated), both(manner, ""), "twice the same");
    }
}

#[test]
fn what_does_not_fit_is_cut_and_told() {
    let (altitudes, saturated) = both("push 100 Hz", " factor 1000000");
    assert_eq!(altitudes.last().unwrap().1, 2147.483647);
    assert_eq!(saturated, [true], "once");
}

/// How a run ends with a world that has another device.
fn disagreement(other: Device, sensors: &str) -> String {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("device", OPTIONS);
    let world = world(&listen, other, ms(60));
    let message = board(&connect, sensors).failure(ms(100));
    // It may have heard of it, or have seen the end of the link.
    let _ = world.join().unwrap();
    assert!(
        message.contains("\"device\" failed") && message.contains("link `device`"),
        "{message}"
    );
    message
}

#[test]
fn what_two_sides_cannot_agree_on_ends_the_run() {
    let measured = "altitude push 100 Hz, angular_velocity poll 50 Hz";
    let message = disagreement(Device { number: 4, ..device() }, measured);
    assert!(message.contains("speaks of device 4, this one of device 3"), "{message}");
    let message = disagreement(device(), "altitude push 100 Hz");
    assert!(message.contains("counts 2 sensors and 2 actuators, this one 1 and 2"), "{message}");
    let message = disagreement(device(), "altitude push 1 kHz, angular_velocity poll 50 Hz");
    assert!(message.contains("its frequency must be 1 to 500 Hz"), "{message}");
    let message = disagreement(device(), "altitude push 1 Hz, angular_velocity push 50 Hz");
    assert!(message.contains("it does not push its readings"), "{message}");
    let message = disagreement(device(), "altitude push 1 Hz, acceleration poll 50 Hz");
    assert!(message.contains("there is no sensor 0 of kind 0x7"), "{message}");
    let mut other = device();
    other.actuators[1].kind = ActuatorKind::Angle;
    let message = disagreement(other, measured);
    assert!(message.contains("has no actuator rotor_speed 1, which is \"motor_2\""), "{message}");
}

#[test]
fn several_devices_of_one_world_are_several_components() {
    let sockets = Sockets::new();
    let links = [0, 1, 2]
        .map(|k| sockets.link(&format!("device-{k}"), &format!(":latency={}000", 50 + 50 * k)));
    let mut world = rig();
    let mut board = rig();
    for (k, [listen, connect]) in links.iter().enumerate() {
        let number = ("device", Parameter::Integer(k as i64));
        let (served, used) = (format!("served_{k}"), format!("used_{k}"));
        let more = [number.clone(), ("sensors", text("altitude"))];
        world.add(&served, "simbricks.physical-world", &on(listen, &more));
        world.script(&format!("height_{k}"), &[(ms(0), k as f64), (ms(20), 10.0 * k as f64)]);
        world.link(&format!("height_{k}.out"), &format!("{served}.altitude"));
        let more = [number, ("sensors", text("altitude push 1 kHz"))];
        board.add(&used, "simbricks.physical-device", &on(connect, &more));
    }
    std::thread::scope(|threads| {
        let world = threads.spawn(|| completed(&world.run(ms(50), &[])));
        let outputs = ["used_0.altitude", "used_1.altitude", "used_2.altitude"];
        let run = board.run(ms(50), &outputs);
        completed(&run);
        for (k, output) in outputs.iter().enumerate() {
            let numbers = run.numbers(output);
            assert_eq!((numbers[0], *numbers.last().unwrap()), (k as f64, 10.0 * k as f64));
        }
        world.join().unwrap();
    });
}
