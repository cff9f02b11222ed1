//! Components that show the same thing in another frame.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};
use std::path::Path;

use ironbird_component::{Place, Registry, Settings, ValueType};
use ironbird_kernel::{
    Action, Graph, Link, Options, Outcome, PortKind, Simulation, Time, Value, Wire,
};
use ironbird_kinematics::{Attitude, Geodetic, ScalarSample, TangentPlane, VectorSample};
use ironbird_test_rig::{Rig, Run, Setting, real, seconds, text};
use nalgebra::Vector3;

const START: Time = Time::ZERO;

fn rig() -> Rig {
    Rig::of(&[ironbird_kinematics::register])
}

/// An adapter `adapter`, and sources of these values at its inputs.
fn adapter(type_name: &str, settings: &[Setting<'_>]) -> Rig {
    let mut rig = rig();
    rig.add("adapter", type_name, settings);
    rig
}

fn feed<T: Value>(rig: &mut Rig, input: &str, values: &[(Time, T)]) {
    let name = format!("source-of-{input}");
    rig.script(&name, values);
    rig.link(&format!("{name}.out"), &format!("adapter.{input}"));
}

/// What an output shows at last, 10 ms after the start.
fn shown<T: Value>(rig: Rig, output: &str) -> T {
    let output = format!("adapter.{output}");
    let run = rig.run(seconds(0.01), &[&output]);
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
    run.samples(&output).pop().expect("it shows something").1
}

fn assert_near(found: [f64; 3], expected: [f64; 3], limit: f64) {
    let error = (Vector3::from(found) - Vector3::from(expected)).norm();
    assert!(error <= limit, "{found:?} is not {expected:?}: off by {error:e}");
}

/// Why a run of 10 ms did not reach its end.
fn fault(rig: Rig) -> String {
    match rig.run(seconds(0.01), &[]).outcome {
        Outcome::Faulted(fault) => fault.to_string(),
        other => panic!("it went on: {other:?}"),
    }
}

#[test]
fn the_latest_sample_is_held_while_none_is_valid() {
    let sample = |value: f64, valid: bool| VectorSample { value: [value; 3], taken: START, valid };
    let ms = |ms: f64| seconds(1e-3 * ms);
    let mut latest = adapter("adapter.latest", &[("unit", text("rad/s"))]);
    let taken =
        [(START, sample(9.0, false)), (ms(2.0), sample(1.0, true)), (ms(4.0), sample(9.0, false))];
    feed(&mut latest, "in", &taken);
    let run = latest.run(ms(10.0), &["adapter.out"]);
    let shown: Vec<(Time, [f64; 3])> = run.samples("adapter.out");
    assert_eq!(shown.first(), Some(&(ms(2.0), [1.0; 3])));
    assert!(shown.iter().all(|(_, value)| *value == [1.0; 3]), "{shown:?}");
}

#[test]
fn the_latest_is_held_and_says_whether_it_is_valid_and_when_it_was_taken() {
    let ms = |ms: f64| seconds(1e-3 * ms);
    let (taken, none) = (ms(1.5), [0.0; 3]);
    let vector = |value, valid| VectorSample { value, taken, valid };
    let settings = [("unit", text("m")), ("frame", text("ned"))];
    let mut rig = adapter("adapter.latest", &settings);
    let samples = [
        (START, vector(none, false)),
        (ms(2.0), vector([1.0; 3], true)),
        (ms(4.0), vector(none, false)),
    ];
    feed(&mut rig, "in", &samples);
    check_latest(rig, [1.0; 3]);

    let number = |value, valid| ScalarSample { value, taken, valid };
    let mut rig = adapter("adapter.latest-number", &[("unit", text("m"))]);
    let samples =
        [(START, number(0.0, false)), (ms(2.0), number(1.0, true)), (ms(4.0), number(0.0, false))];
    feed(&mut rig, "in", &samples);
    check_latest(rig, 1.0);
}

/// What is held of a sensor that measures at 2 ms, 1.5 ms after the start, and nothing more from 4 ms on.
fn check_latest<T: Value + Copy + std::fmt::Debug + PartialEq>(rig: Rig, value: T) {
    let run = rig.run(seconds(0.008), &["adapter.out", "adapter.valid", "adapter.taken"]);
    let at = |ms: f64, held: Option<T>, valid: bool, taken: Option<f64>| {
        let time = seconds(1e-3 * ms);
        assert_eq!(last_by::<T>(&run, "adapter.out", time), held, "{ms} ms");
        assert_eq!(last_by::<bool>(&run, "adapter.valid", time), Some(valid), "{ms} ms");
        assert_eq!(last_by::<f64>(&run, "adapter.taken", time), taken, "{ms} ms");
    };
    // Before the first one nothing is written: what was said is there from the start.
    at(0.0, None, false, None);
    at(1.0, None, false, None);
    at(2.0, Some(value), true, Some(0.0015));
    at(3.0, Some(value), true, Some(0.0015));
    at(4.0, Some(value), false, Some(0.0015));
    at(7.0, Some(value), false, Some(0.0015));
}

/// What was written last by an instant.
fn last_by<T: Value + Copy>(run: &Run, output: &str, time: Time) -> Option<T> {
    let samples: Vec<(Time, T)> = run.samples(output);
    samples.iter().rfind(|(at, _)| *at <= time).map(|(_, value)| *value)
}

#[test]
fn a_vehicle_that_heads_east_sees_what_moves_east_ahead() {
    let east = Attitude::from_euler(0.0, 0.0, FRAC_PI_2);
    let unit = [("unit", text("m/s"))];
    let mut to_body = adapter("adapter.ned-to-body", &unit);
    feed(&mut to_body, "in", &[(START, [0.0, 2.0, 1.0])]);
    feed(&mut to_body, "attitude", &[(START, east)]);
    assert_near(shown(to_body, "out"), [2.0, 0.0, 1.0], 1e-15);

    let mut to_ned = adapter("adapter.body-to-ned", &unit);
    feed(&mut to_ned, "in", &[(START, [2.0, 0.0, 1.0])]);
    feed(&mut to_ned, "attitude", &[(START, east)]);
    assert_near(shown(to_ned, "out"), [0.0, 2.0, 1.0], 1e-15);
}

#[test]
fn an_attitude_that_is_no_rotation_ends_the_run() {
    let nothing = Attitude { w: 0.0, ..Attitude::default() };
    for type_name in ["adapter.ned-to-body", "adapter.body-to-ned"] {
        let mut rig = adapter(type_name, &[("unit", text("N"))]);
        feed(&mut rig, "in", &[(START, [1.0; 3])]);
        feed(&mut rig, "attitude", &[(START, nothing)]);
        let why = fault(rig);
        assert!(why.contains("its quaternion (0, 0, 0, 0) must have length 1"), "{why}");
    }
}

#[test]
fn a_sensor_turned_to_starboard_sees_what_moves_ahead_drift_to_port() {
    let settings = [("unit", text("m/s")), ("mounting.yaw", real(30.0))];
    let mut rig = adapter("adapter.body-to-sensor", &settings);
    feed(&mut rig, "in", &[(START, [2.0, 0.0, 0.0])]);
    let (sin, cos) = libm::sincos(FRAC_PI_6);
    assert_near(shown(rig, "out"), [2.0 * cos, -2.0 * sin, 0.0], 1e-15);
}

#[test]
fn roll_pitch_and_yaw_of_a_mounting_turn_it_as_they_turn_a_vehicle() {
    let angles = [10.0, -20.0, 130.0];
    let names = ["mounting.roll", "mounting.pitch", "mounting.yaw"];
    let mut settings = vec![("unit", text("rad/s"))];
    settings.extend(names.into_iter().zip(angles.map(real)));
    let mut rig = adapter("adapter.body-to-sensor", &settings);
    feed(&mut rig, "in", &[(START, [1.0, 2.0, 3.0])]);
    let [roll, pitch, yaw] = angles.map(f64::to_radians);
    let expected = Attitude::from_euler(roll, pitch, yaw).to_body(Vector3::new(1.0, 2.0, 3.0));
    assert_near(shown(rig, "out"), expected.into(), 1e-15);
}

#[test]
fn a_sensor_that_is_knocked_sees_otherwise_from_that_instant_on() {
    let mut rig = adapter("adapter.body-to-sensor", &[("unit", text("m/s"))]);
    feed(&mut rig, "in", &[(START, [1.0, 0.0, 0.0])]);
    rig.set(seconds(0.002), "adapter.mounting.yaw", real(90.0));
    let run = rig.run(seconds(0.003), &["adapter.out"]);
    let seen: Vec<(Time, [f64; 3])> = run.samples("adapter.out");
    for (time, seen) in seen {
        let expected = if time < seconds(0.002) { [1.0, 0.0, 0.0] } else { [0.0, -1.0, 0.0] };
        assert_near(seen, expected, 1e-15);
    }
}

#[test]
fn a_driver_turns_samples_back_and_passes_on_when_they_were_taken() {
    let taken = seconds(0.004);
    let sample = |value, valid| VectorSample { value, taken, valid };
    let settings = [("unit", text("m/s")), ("mounting.yaw", real(90.0))];
    let mut rig = adapter("adapter.sensor-to-body", &settings);
    let (valid, invalid) = (sample([0.0, -1.0, 5.0], true), sample([0.0; 3], false));
    feed(&mut rig, "in", &[(START, invalid), (seconds(0.005), valid)]);
    let run = rig.run(seconds(0.006), &["adapter.out"]);
    let seen: Vec<(Time, VectorSample)> = run.samples("adapter.out");
    for (time, seen) in seen {
        assert_eq!(seen.taken, taken);
        assert_eq!(seen.valid, time >= seconds(0.005));
        if seen.valid {
            assert_near(seen.value, [1.0, 0.0, 5.0], 1e-15);
        }
    }
}

#[test]
fn a_driver_turns_a_vector_as_it_turns_samples() {
    let angles = [10.0, -20.0, 130.0].map(real);
    let names = ["mounting.roll", "mounting.pitch", "mounting.yaw"];
    let mut settings = vec![("unit", text("rad/s"))];
    settings.extend(names.into_iter().zip(angles));
    let value = [1.0, 2.0, 3.0];
    let mut vector = adapter("adapter.sensor-vector-to-body", &settings);
    feed(&mut vector, "in", &[(START, value)]);
    let mut sample = adapter("adapter.sensor-to-body", &settings);
    feed(&mut sample, "in", &[(START, VectorSample { value, taken: START, valid: true })]);
    let turned: VectorSample = shown(sample, "out");
    assert_eq!(shown::<[f64; 3]>(vector, "out"), turned.value);
    assert_ne!(turned.value, value);
}

/// The origin of the tests: off Toulon.
const ORIGIN: [(&str, f64); 3] =
    [("origin.latitude", 43.0), ("origin.longitude", 6.0), ("origin.height", 50.0)];

fn origin() -> (Vec<Setting<'static>>, TangentPlane) {
    let settings = ORIGIN.map(|(name, value)| (name, real(value)));
    (settings.to_vec(), TangentPlane::at(Geodetic::from_degrees(43.0, 6.0, 50.0)))
}

#[test]
fn places_and_velocities_go_to_earth_centred_coordinates_and_back() {
    let (settings, plane) = origin();
    let (position, velocity) = ([1000.0, -2000.0, 30.0], [1.0, 2.0, -3.0]);
    let run = |type_name: &str, position: [f64; 3], velocity: [f64; 3]| -> ([f64; 3], [f64; 3]) {
        let mut rig = adapter(type_name, &settings);
        feed(&mut rig, "position", &[(START, position)]);
        feed(&mut rig, "velocity", &[(START, velocity)]);
        let run = rig.run(seconds(0.01), &["adapter.position", "adapter.velocity"]);
        let last = |output: &str| run.samples(output).pop().expect("a value").1;
        (last("adapter.position"), last("adapter.velocity"))
    };
    let (there, speed) = run("adapter.ned-to-ecef", position, velocity);
    assert_eq!(there, <[f64; 3]>::from(plane.to_ecef(position.into())));
    assert_near(speed, plane.direction_to_ecef(velocity.into()).into(), 0.0);
    let (back, speed) = run("adapter.ecef-to-ned", there, speed);
    assert_near(back, position, 2e-8);
    assert_near(speed, velocity, 1e-14);
}

#[test]
fn without_a_velocity_there_is_none() {
    for type_name in ["adapter.ned-to-ecef", "adapter.ecef-to-ned"] {
        let mut rig = adapter(type_name, &[]);
        feed(&mut rig, "position", &[(START, [7e6, 0.0, 0.0])]);
        assert_eq!(shown::<[f64; 3]>(rig, "velocity"), [0.0; 3]);
    }
}

/// What an adapter of places makes of a place.
fn turned<A: Value, B: Value>(type_name: &str, settings: &[Setting<'_>], place: A) -> B {
    let mut rig = adapter(type_name, settings);
    feed(&mut rig, "position", &[(START, place)]);
    shown(rig, "position")
}

#[test]
fn a_place_goes_round_all_three_kinds_of_coordinates() {
    let (settings, _) = origin();
    let ned = [-15_000.0, 20_000.0, 120.0];
    let place: Geodetic = turned("adapter.ned-to-geodetic", &settings, ned);
    // 25 km away the plane is 49 m above the ellipsoid that it touches.
    assert!((place.height - (50.0 - 120.0 + 49.0)).abs() < 0.2, "{place:?}");
    let ecef: [f64; 3] = turned("adapter.geodetic-to-ecef", &[], place);
    assert_near(turned("adapter.ned-to-ecef", &settings, ned), ecef, 2e-8);
    assert_near(turned("adapter.ecef-to-ned", &settings, ecef), ned, 2e-8);
    let same: Geodetic = turned("adapter.ecef-to-geodetic", &[], ecef);
    assert_near(turned("adapter.geodetic-to-ned", &settings, same), ned, 2e-8);
}

#[test]
fn a_latitude_beyond_the_pole_ends_the_run() {
    let place = Geodetic { latitude: 2.0, longitude: 0.5, height: 3.0 };
    for type_name in ["adapter.geodetic-to-ecef", "adapter.geodetic-to-ned"] {
        let mut rig = adapter(type_name, &[]);
        feed(&mut rig, "position", &[(START, place)]);
        let why = fault(rig);
        assert!(why.contains("latitude 2 rad, longitude 0.5 rad, height 3 m is no place"), "{why}");
    }
}

#[test]
fn wrong_settings_are_refused_in_words() {
    let refusal = |type_name: &str, settings: &[Setting<'_>]| rig().refusal(type_name, settings);
    let sensor = "adapter.body-to-sensor";
    assert_eq!(refusal(sensor, &[]), "parameter \"unit\": it must be given: a text");
    let unit = refusal(sensor, &[("unit", text("m/sec"))]);
    assert!(unit.starts_with("parameter \"unit\": "), "{unit}");
    let unit = ("unit", text("m/s"));
    assert_eq!(
        refusal(sensor, &[unit.clone(), ("mounting.jaw", real(1.0))]),
        "parameter \"mounting.jaw\": adapter.body-to-sensor has no such parameter; did you mean \
         \"mounting.yaw\"?"
    );
    assert_eq!(
        refusal(sensor, &[unit, ("mounting.yaw", real(400.0))]),
        "parameter \"mounting.yaw\": 400 deg is not allowed: it must be from -360 deg to 360 deg"
    );
    assert_eq!(
        refusal("adapter.ned-to-ecef", &[("origin.latitude", real(91.0))]),
        "parameter \"origin.latitude\": 91 deg is not allowed: it must be from -90 deg to 90 deg"
    );
}

#[test]
fn an_origin_does_not_move() {
    let mut rig = adapter("adapter.ned-to-geodetic", &[]);
    feed(&mut rig, "position", &[(START, [0.0; 3])]);
    rig.set(seconds(0.001), "adapter.origin.latitude", real(1.0));
    let why = fault(rig);
    assert!(why.contains("it cannot be changed while the system runs"), "{why}");
}

/// A system of one adapter.body-to-sensor that looks at a constant vector.
fn graph(registry: &Registry) -> Graph {
    let mut graph = Graph::new();
    let (root, place) = (graph.root(), Place { folder: Path::new(".") });
    let settings = Settings::from([("unit".into(), text("m/s"))]);
    let adapter = registry.get("adapter.body-to-sensor").expect("it is registered");
    let adapter = adapter.instantiate(&settings, &place).expect("it can be made");
    let adapter = adapter.add_to(&mut graph, root, "adapter", None).expect("it can be added");
    let mut wire = Wire::default();
    [1.0, 0.0, 0.0].encode(&mut wire);
    let values = [(START, wire.fixed().to_vec())];
    let source = ValueType::of::<[f64; 3]>();
    let source = source.add_player(&mut graph, root, "source", PortKind::Signal, &values);
    let source = source.expect("a source");
    graph.link(source.port("out"), adapter.port("in"), Link::direct()).expect("they fit");
    graph
}

#[test]
fn a_changed_mounting_is_there_after_a_checkpoint() {
    let mut registry = Registry::with_builtin();
    ironbird_kinematics::register(&mut registry).expect("names of their own");
    let mut first = Simulation::new(graph(&registry), Options::default()).expect("it fits");
    let (component, name) = ("adapter".into(), "mounting.pitch".into());
    let change = Action::SetParameter { component, name, value: real(90.0) };
    first.schedule(seconds(0.001), change).expect("a component");
    first.run_until(seconds(0.002)).expect("it runs");
    let saved = first.checkpoint().expect("it can be saved");
    let mut second =
        Simulation::restore(graph(&registry), Options::default(), &saved).expect("it fits");
    second.record("adapter", "out").expect("an output");
    second.run_until(seconds(0.004)).expect("it runs");
    let seen: Vec<(Time, [f64; 3])> = second.samples("adapter", "out").expect("recorded");
    // The front of the sensor looks up: what moves ahead moves to where its bottom is.
    assert_near(seen.last().expect("it goes on").1, [0.0, 0.0, 1.0], 1e-15);
}

#[test]
fn the_outputs_are_there_at_the_start() {
    let mut rig = adapter("adapter.body-to-sensor", &[("unit", text("m"))]);
    feed(&mut rig, "in", &[(START, [1.0, 2.0, 3.0])]);
    let run: Run = rig.run(START, &["adapter.out"]);
    assert_eq!(run.samples::<[f64; 3]>("adapter.out")[0], (START, [1.0, 2.0, 3.0]));
}
