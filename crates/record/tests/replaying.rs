//! Recordings as components: types of values, messages, checkpoints.

use std::path::Path;

use ironbird_component::{Instance, Place, Registry, Settings as Given};
use ironbird_kernel::{
    Duration, Graph, Options, Parameter, PortKind, Schema, Simulation, Time, Value, Wire,
};
use ironbird_record::{Channel, Kind, Recorder, RunInfo, RunResult, Settings, replay};

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Pose {
    position: [f64; 2],
    valid: bool,
}

fn bytes(value: &impl Value) -> Vec<u8> {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    wire.fixed().to_vec()
}

/// Records two samples of every channel, and an instant of an event with two messages.
fn record(path: &Path) {
    let of = |name: &str, schema: Schema| Channel::new(name, schema);
    let channels = [
        of("imu.rate", <[f64; 3]>::schema()).unit("rad/s"),
        of("imu.count", u32::schema()),
        Channel { frame: "ned".into(), ..of("drone.pose", Pose::schema()) },
        Channel { kind: Kind::Event, ..of("drone.beep", i16::schema()) },
        Channel { kind: Kind::Event, ..of("drone.bump", <()>::schema()) },
    ];
    let mut recorder =
        Recorder::create(path, &RunInfo::default(), &channels, Settings::default()).unwrap();
    for (time, x) in [(ms(0), 1.0), (ms(7), 2.5)] {
        recorder.value(0, time, &bytes(&[x, -x, 0.1 * x])).unwrap();
        recorder.value(1, time, &bytes(&(x as u32))).unwrap();
        recorder.value(2, time, &bytes(&Pose { position: [x, 9.0], valid: x > 2.0 })).unwrap();
    }
    for beep in [-3i16, 4] {
        recorder.value(3, ms(9), &bytes(&beep)).unwrap();
    }
    recorder.value(4, ms(9), &[]).unwrap();
    recorder.finish(&RunResult::default()).unwrap();
}

/// A component that plays the recording in `folder`.
fn player(folder: &Path, signals: &str) -> Result<Box<dyn Instance>, String> {
    let mut registry = Registry::empty();
    replay::register(&mut registry).unwrap();
    let text = |text: &str| Parameter::Text(text.into());
    let settings =
        Given::from([("file".into(), text("run.mcap")), ("signals".into(), text(signals))]);
    let found = registry.get("replay.recording").unwrap();
    found.instantiate(&settings, &Place { folder }).map_err(|error| error.to_string())
}

fn graph(folder: &Path) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    player(folder, "*").unwrap().add_to(&mut graph, root, "log", None).unwrap();
    graph
}

fn seen<T: Value>(simulation: &Simulation, port: &str) -> Vec<(Time, T)> {
    simulation.samples("log", port).unwrap()
}

#[test]
fn values_have_the_type_that_was_recorded_or_are_played_number_by_number() {
    let folder = tempfile::tempdir().unwrap();
    record(&folder.path().join("run.mcap"));
    let instance = player(folder.path(), "*").unwrap();
    let interface = instance.interface().clone();
    let port = |name: &str| {
        let port = interface.output(name).unwrap_or_else(|| panic!("there is no {name}"));
        (port.kind, port.value.name(), port.units.of("").to_string(), port.frame.clone())
    };
    use PortKind::{Event, Signal};
    let ned = Some(String::from("ned"));
    assert_eq!(port("rate"), (Signal, "[f64; 3]".into(), "rad/s".into(), None));
    assert_eq!(port("count"), (Signal, "u32".into(), String::new(), None));
    for name in ["pose-position-0", "pose-position-1", "pose-valid"] {
        assert_eq!(port(name), (Signal, "f64".into(), String::new(), ned.clone()));
    }
    assert_eq!(port("beep"), (Event, "i16".into(), String::new(), None));
    assert_eq!(port("bump").0, Event);
    assert_eq!(interface.ports.len(), 7);

    let mut simulation = Simulation::new(graph(folder.path()), Options::default()).unwrap();
    for port in &interface.ports {
        simulation.record("log", &port.name).unwrap();
    }
    simulation.run_until(ms(20)).unwrap();
    let at_7 = |x: f64| vec![(ms(7), x)];
    assert_eq!(seen::<[f64; 3]>(&simulation, "rate"), [(ms(7), [2.5, -2.5, 0.25])]);
    assert_eq!(seen::<u32>(&simulation, "count"), [(ms(7), 2)]);
    assert_eq!(seen::<f64>(&simulation, "pose-position-0"), at_7(2.5));
    assert_eq!(seen::<f64>(&simulation, "pose-valid"), at_7(1.0));
    assert_eq!(seen::<i16>(&simulation, "beep"), [(ms(9), -3), (ms(9), 4)]);
    assert_eq!(seen::<()>(&simulation, "bump"), [(ms(9), ())]);
}

#[test]
fn a_checkpoint_knows_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    record(&folder.path().join("run.mcap"));
    let mut simulation = Simulation::new(graph(folder.path()), Options::default()).unwrap();
    simulation.run_until(ms(8)).unwrap();
    let saved = simulation.checkpoint().unwrap();
    let mut restored =
        Simulation::restore(graph(folder.path()), Options::default(), &saved).unwrap();
    restored.record("log", "count").unwrap();
    restored.record("log", "beep").unwrap();
    restored.run_until(ms(20)).unwrap();
    assert_eq!(seen::<u32>(&restored, "count"), [], "it was played before");
    assert_eq!(seen::<i16>(&restored, "beep"), [(ms(9), -3), (ms(9), 4)]);
}

#[test]
fn a_whole_number_that_was_not_read_exactly_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let channels = [Channel::new("clock.ticks", u64::schema())];
    for (ticks, exact) in [(1u64 << 53, true), ((1 << 53) + 4, false)] {
        let settings = Settings::default();
        let mut recorder =
            Recorder::create(&path, &RunInfo::default(), &channels, settings).unwrap();
        recorder.value(0, ms(0), &bytes(&ticks)).unwrap();
        recorder.finish(&RunResult::default()).unwrap();
        let made = player(folder.path(), "clock.ticks");
        assert_eq!(made.is_ok(), exact);
        if let Err(error) = made {
            assert!(error.contains("too large to be exact"), "{error}");
        }
    }
}
