//! Probes, constants and players made of a type that is known only at run time.

use std::path::Path;

use ironbird_component::*;
use ironbird_kernel::{
    Duration, Graph, Link, Options, Periodic, PortKind, Scalar, SignalIn, SignalOut, Simulation,
    Step, Time, Value,
};

#[derive(Clone, Debug, Default, PartialEq, Value)]
struct Pose {
    position: [f64; 2],
    valid: bool,
}

fn pose(x: f64) -> Vec<u8> {
    let of = ValueType::of::<Pose>();
    let leaves = [(0, Scalar::Float(x)), (2, Scalar::Bool(true))];
    of.set_leaves(&of.zero().unwrap(), &leaves).unwrap()
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}

fn shown(x: f64) -> Pose {
    Pose { position: [x, 0.0], valid: true }
}

/// player -> probe, inside a composite with an output
fn system(samples: &[(Time, Vec<u8>)]) -> Result<Graph, PartError> {
    let of = ValueType::of::<Pose>();
    let mut graph = Graph::new();
    let root = graph.root();
    let inner = graph.composite(root, "inner")?;
    let player = of.add_player(&mut graph, inner, "player", PortKind::Signal, samples)?;
    of.composite_port(&mut graph, inner, "pose", PortKind::Signal, false)?;
    graph.link(player.port("out"), inner.port("pose"), Link::direct())?;
    let probe = of.add_probe(&mut graph, root, "probe")?;
    graph.link(inner.port("pose"), probe.port("in"), Link::direct())?;
    Ok(graph)
}

#[test]
fn a_probe_shows_what_its_source_shows_from_the_start_and_at_once() {
    let samples = [(ms(0), pose(1.0)), (ms(5), pose(2.0)), (ms(7), pose(3.0))];
    let mut simulation = Simulation::new(system(&samples).unwrap(), Options::default()).unwrap();
    simulation.record("probe", "out").unwrap();
    simulation.run_until(ms(6)).unwrap();
    let seen: Vec<(Time, Pose)> = simulation.samples("probe", "out").unwrap();
    assert_eq!(seen, [(ms(5), shown(2.0))]);

    let saved = simulation.checkpoint().unwrap();
    let graph = system(&samples).unwrap();
    let mut restored = Simulation::restore(graph, Options::default(), &saved).unwrap();
    restored.record("probe", "out").unwrap();
    restored.run_until(ms(20)).unwrap();
    let seen: Vec<(Time, Pose)> = restored.samples("probe", "out").unwrap();
    assert_eq!(seen, [(ms(7), shown(3.0))]);
}

#[test]
fn messages_are_played_at_their_times_in_their_order() {
    let of = ValueType::of::<u32>();
    let bytes = |n: u32| n.to_le_bytes().to_vec();
    let samples = [(ms(0), bytes(1)), (ms(3), bytes(2)), (ms(3), bytes(3))];
    let mut graph = Graph::new();
    let root = graph.root();
    of.add_player(&mut graph, root, "player", PortKind::Event, &samples).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    simulation.record("player", "out").unwrap();
    simulation.run_until(ms(10)).unwrap();
    let seen: Vec<(Time, u32)> = simulation.samples("player", "out").unwrap();
    assert_eq!(seen, [(ms(0), 1), (ms(3), 2), (ms(3), 3)]);
}

/// Shows the x of a pose.
#[derive(Component)]
#[component(type = "test.reader", periodic, rate = "1 Hz")]
struct Reader {
    #[input]
    pose: SignalIn<Pose>,
    #[output]
    x: SignalOut<f64>,
}

impl Periodic for Reader {
    fn step(&mut self, step: &mut Step<'_>) {
        let x = step.signal(self.pose).position[0];
        step.write(self.x, x);
    }
}

#[test]
fn a_constant_has_its_value_from_the_start() {
    let mut graph = Graph::new();
    let root = graph.root();
    let place = Place { folder: Path::new(".") };
    let reader = Reader::make(&Settings::new(), &place).unwrap();
    let interface = Reader::description().interface.unwrap();
    let reader = reader.with_interface(interface).add_to(&mut graph, root, "reader", None).unwrap();
    let of = ValueType::of::<Pose>();
    let constant = of.add_constant(&mut graph, root, "constant", &pose(4.0)).unwrap();
    graph.link(constant.port("out"), reader.port("pose"), Link::direct()).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    simulation.record("reader", "x").unwrap();
    simulation.run_until(ms(1)).unwrap();
    let seen: Vec<(Time, f64)> = simulation.samples("reader", "x").unwrap();
    assert_eq!(seen, [(ms(0), 4.0)]);
    assert!(simulation.checkpoint().is_ok());
}

#[test]
fn a_value_is_read_and_changed_by_leaf() {
    let of = ValueType::of::<Pose>();
    assert_eq!(of.leaf(&pose(4.0), 0).unwrap(), Some(Scalar::Float(4.0)));
    assert_eq!(of.leaf(&pose(4.0), 3).unwrap(), None);
    let error = of.set_leaves(&pose(4.0), &[(2, Scalar::Float(0.5))]).unwrap_err();
    assert_eq!(error.to_string(), "number 2 of the Pose: 0.5 does not fit");
    let mut bytes = pose(4.0);
    bytes[16] = 7;
    let error = of.check(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "the value is no Pose: the bytes are not a valid bool");
}

#[test]
fn samples_out_of_order_are_refused() {
    let error = system(&[(ms(5), pose(1.0)), (ms(4), pose(2.0))]).err().unwrap();
    let text = "the samples must be in the order of time, but 0.005 s comes before 0.004 s";
    assert_eq!(error.to_string(), text);
    assert_eq!(system(&[]).err().unwrap(), PartError::NoSamples);
}
