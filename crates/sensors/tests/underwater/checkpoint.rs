//! Sensors that were saved go on with the same bits.

use std::path::Path;

use ironbird_component::{Place, Registry, Settings, ValueType};
use ironbird_kernel::{
    Action, Graph, Link, Options, Parameter, PortKind, Simulation, Time, Value, Wire,
};
use ironbird_kinematics::{Attitude, Fix, ScalarSample, VectorSample};
use ironbird_test_rig::{real, seconds};

use crate::wired::three;

fn source<T: Value>(graph: &mut Graph, name: &str, value: &T) {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    let samples = [(Time::ZERO, wire.fixed().to_vec())];
    let root = graph.root();
    let of = ValueType::of::<T>();
    of.add_player(graph, root, name, PortKind::Signal, &samples).unwrap();
}

/// Every term of three axes in the group `group`.
fn all_terms(group: &str) -> Vec<(String, Parameter)> {
    let terms = ["bias_spread", "scale_spread", "drift", "noise", "noise_density", "random_walk"];
    let mut all: Vec<_> = terms.iter().flat_map(|t| three(&format!("{group}.{t}"), 0.1)).collect();
    all.extend(three(&format!("{group}.instability"), 0.2));
    all
}

fn system() -> Graph {
    let mut registry = Registry::with_builtin();
    ironbird_sensors::register(&mut registry).unwrap();
    let mut graph = Graph::new();
    source(&mut graph, "vector", &[6e6, 1e6, 2e6]);
    source(&mut graph, "number", &0.1);
    source(&mut graph, "attitude", &Attitude::from_euler(0.1, 0.2, 0.3));
    let mut dvl = all_terms("error");
    dvl.push(("dropout".into(), real(0.3)));
    let mut gps = three("position_error.instability", 2.0);
    gps.extend(three("velocity_error.noise", 0.1));
    gps.push(("time_to_fix".into(), real(4.0)));
    let one = |term: &str| vec![(format!("error.{term}"), real(0.1))];
    let components = [
        ("gyroscope", all_terms("error"), vec![("vector", "angular_velocity")]),
        ("accelerometer", all_terms("error"), vec![("vector", "specific_force")]),
        ("dvl", dvl, vec![("vector", "velocity")]),
        ("gps", gps, vec![("vector", "position"), ("vector", "velocity"), ("number", "depth")]),
        ("barometer", one("random_walk"), vec![("number", "depth")]),
        ("compass", one("instability"), vec![("attitude", "attitude")]),
    ];
    let (root, place) = (graph.root(), Place { folder: Path::new(".") });
    for (name, settings, links) in components {
        let settings: Settings = settings.into_iter().collect();
        let found = registry.get(&format!("sensor.{name}")).unwrap();
        let instance = found.instantiate(&settings, &place).unwrap();
        let sensor = instance.add_to(&mut graph, root, name, None).unwrap();
        for (from, input) in links {
            let from = graph.find(from).unwrap();
            graph.link(from.port("out"), sensor.port(input), Link::direct()).unwrap();
        }
    }
    graph
}

const OUTPUTS: [(&str, &str); 6] = [
    ("gyroscope", "reading"),
    ("accelerometer", "reading"),
    ("dvl", "reading"),
    ("gps", "fix"),
    ("barometer", "reading"),
    ("compass", "reading"),
];

/// Everything that was said from 3 s on, as text.
fn said(simulation: &Simulation) -> Vec<String> {
    fn texts<T: Value + std::fmt::Debug>(simulation: &Simulation, of: (&str, &str)) -> Vec<String> {
        let samples = simulation.samples::<T>(of.0, of.1).unwrap();
        let late = samples.into_iter().filter(|(time, _)| *time > seconds(3.05));
        late.map(|(time, value)| format!("{} {time} {value:?}", of.0)).collect()
    }
    let mut all = Vec::new();
    for of in &OUTPUTS[..3] {
        all.extend(texts::<VectorSample>(simulation, *of));
    }
    all.extend(texts::<Fix>(simulation, OUTPUTS[3]));
    for of in &OUTPUTS[4..] {
        all.extend(texts::<ScalarSample>(simulation, *of));
    }
    all
}

fn listen(simulation: &mut Simulation) {
    for (component, port) in OUTPUTS {
        simulation.record(component, port).unwrap();
    }
}

#[test]
fn a_saved_run_goes_on_as_if_it_had_not_been() {
    let begun = || {
        let mut simulation = Simulation::new(system(), Options::default()).unwrap();
        listen(&mut simulation);
        let (component, name) = ("gyroscope".into(), "error.bias[1]".into());
        let action = Action::SetParameter { component, name, value: real(7.0) };
        simulation.schedule(seconds(1.0), action).unwrap();
        simulation
    };
    let mut whole = begun();
    whole.run_until(seconds(10.0)).unwrap();
    let mut first = begun();
    first.run_until(seconds(3.05)).unwrap();
    let saved = first.checkpoint().unwrap();
    let mut second = Simulation::restore(system(), Options::default(), &saved).unwrap();
    listen(&mut second);
    second.run_until(seconds(10.0)).unwrap();
    let (expected, found) = (said(&whole), said(&second));
    assert!(expected.len() > 1500, "{}", expected.len());
    assert_eq!(found, expected);
}
