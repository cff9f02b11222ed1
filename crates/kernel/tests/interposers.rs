//! Interposers sit on links: they drop, delay or change what passes, are set by actions at exact
//! instants, and draw random numbers keyed by the name of their link.

mod models;

use ironbird_kernel::{
    Action, AnyValue, Duration, Fault, Graph, Interposer, Link, Outcome, Parameter, ParameterError,
    Passage, PortKind, RandomStream, Rate, Scalar, Simulation, Time,
};
use models::{Bag, Collects, Log, Reads, Sends, Ticks, ms, run, spread_over, us};

/// Stuck at a value, adds an offset, drops or delays at random: all by parameters.
#[derive(Clone, Default)]
struct Faulty {
    stuck: Option<f64>,
    offset: f64,
    drop_probability: f64,
    delay: Duration,
    seen: Log<(Time, f64)>,
}

impl Interposer for Faulty {
    fn pass(&mut self, now: Time, value: &mut dyn AnyValue, random: &mut RandomStream) -> Passage {
        let x = value.leaf_at(0).unwrap().as_f64();
        self.seen.push((now, x));
        if random.chance(self.drop_probability) {
            return Passage::Drop;
        }
        let x = self.stuck.unwrap_or(x) + self.offset;
        value.set_leaf_at(0, Scalar::Float(x)).unwrap();
        if self.delay == Duration::ZERO { Passage::Deliver } else { Passage::Delay(self.delay) }
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("stuck", Parameter::Real(x)) => self.stuck = Some(x),
            ("stuck", Parameter::Bool(false)) => self.stuck = None,
            (name, value) => {
                let expected = "a number, or false".into();
                return Err(ParameterError::Invalid { name: name.into(), value, expected });
            }
        }
        Ok(())
    }
}

fn numbers(count: u64) -> Sends {
    Sends::new((1..=count).map(|n| (ms(n), n as f64)))
}

fn through(faulty: Faulty, partitions: usize) -> Vec<Bag> {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", numbers(6)).unwrap();
    let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
    let link = Link::direct().latency(Duration::from_us(10)).via("wire", faulty);
    graph.link(source.port("out"), sink.port("in"), link).unwrap();
    run(graph, spread_over(partitions), ms(20));
    log.entries()
}

#[test]
fn what_passes_may_be_changed_and_the_sender_does_not_notice() {
    let (changed, plain) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", numbers(2)).unwrap();
    let a = graph.add(root, "a", Collects::into(&changed)).unwrap();
    let b = graph.add(root, "b", Collects::into(&plain)).unwrap();
    let faulty = Faulty { offset: 0.5, ..Faulty::default() };
    graph.link(source.port("out"), a.port("in"), Link::direct().via("wire", faulty)).unwrap();
    graph.link(source.port("out"), b.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(5));
    assert_eq!(changed.entries(), [(ms(1), vec![1.5]), (ms(2), vec![2.5])]);
    assert_eq!(plain.entries(), [(ms(1), vec![1.0]), (ms(2), vec![2.0])]);
}

#[test]
fn what_is_dropped_never_arrives_and_what_is_delayed_arrives_later() {
    for partitions in [1, 2] {
        let all = Faulty { drop_probability: 1.0, ..Faulty::default() };
        assert_eq!(through(all, partitions), []);
        let slow = Faulty { delay: Duration::from_ms(7), ..Faulty::default() };
        let expected: Vec<Bag> = (1..=6).map(|n| (us(n * 1_000 + 7_010), vec![n as f64])).collect();
        assert_eq!(through(slow, partitions), expected, "{partitions} partitions");
    }
}

#[test]
fn a_signal_is_stuck_from_an_exact_instant_and_free_again_at_another() {
    for (partitions, latency) in [(1, 0), (1, 1), (2, 1)] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(100)).unwrap();
        let reads = graph.add_periodic(root, "reads", Reads::into(&log), Rate::hz(1_000)).unwrap();
        let link =
            Link::direct().latency(Duration::from_ps(latency)).via("wire", Faulty::default());
        graph.link(ticks.port("count"), reads.port("in"), link).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        let set =
            |value| Action::SetLinkParameter { link: "wire".into(), name: "stuck".into(), value };
        simulation.schedule(us(12_500), set(Parameter::Real(77.0))).unwrap();
        simulation.schedule(us(25_500), set(Parameter::Bool(false))).unwrap();
        simulation.run_until(ms(29)).unwrap();
        let seen: Vec<u64> = log.entries().into_iter().map(|(_, value)| value).collect();
        // Tick 1 at 10 ms and tick 2 at 20 ms; a value behind a latency is seen a step later.
        let late = latency as usize;
        let mut expected = vec![0; 10 + late];
        expected.extend(vec![1; 3 - late]);
        expected.extend([77; 13]);
        expected.extend([2; 3]);
        assert_eq!(seen, expected, "{partitions} partitions, {latency} ps");
    }
}

#[test]
fn a_refused_link_parameter_names_the_link() {
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", numbers(2)).unwrap();
    let sink = graph.add(root, "sink", Collects::default()).unwrap();
    let link = Link::direct().via("wire", Faulty::default());
    graph.link(source.port("out"), sink.port("in"), link).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let (link, name) = ("wire".into(), "colour".into());
    let action = Action::SetLinkParameter { link, name, value: Parameter::Integer(3) };
    simulation.schedule(ms(1), action).unwrap();
    let outcome = simulation.run_until(ms(5)).unwrap();
    let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
    assert!(matches!(fault, Fault::RefusedParameter { .. }));
    let text = "\"wire\" refused a change at 0.001 s: parameter \"colour\" cannot be 3: a number, or false";
    assert_eq!(fault.to_string(), text);
}

#[test]
fn an_interposer_on_the_input_of_a_composite_works_for_every_reader_inside() {
    let (a, b) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", numbers(200)).unwrap();
    let group = graph.composite(root, "group").unwrap();
    graph.input::<f64>(group, "in", PortKind::Event).unwrap();
    let faulty = Faulty { drop_probability: 0.5, ..Faulty::default() };
    graph.link(source.port("out"), group.port("in"), Link::direct().via("wire", faulty)).unwrap();
    for (name, log) in [("a", &a), ("b", &b)] {
        let sink = graph.add(group, name, Collects::into(log)).unwrap();
        graph.link(group.port("in"), sink.port("in"), Link::direct()).unwrap();
    }
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let (link, name) = ("wire".into(), "stuck".into());
    let action = Action::SetLinkParameter { link, name, value: Parameter::Real(-1.0) };
    simulation.schedule(us(100_500), action).unwrap();
    simulation.run_until(ms(201)).unwrap();
    // One fault, so the same values are lost for both.
    assert_eq!(a.entries(), b.entries());
    let values: Vec<f64> = a.entries().into_iter().flat_map(|(_, bag)| bag).collect();
    assert!((60..140).contains(&values.len()), "{}", values.len());
    let stuck = values.iter().filter(|&&x| x == -1.0).count();
    assert!((25..75).contains(&stuck), "{stuck}");
}

#[test]
fn interposers_of_several_stretches_act_one_after_the_other() {
    // + 1 outside, stuck at 5 in between, + 0.25 inside: the last two decide.
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", numbers(1)).unwrap();
    let outer = graph.composite(root, "outer").unwrap();
    let inner = graph.composite(outer, "inner").unwrap();
    for composite in [outer, inner] {
        graph.input::<f64>(composite, "in", PortKind::Event).unwrap();
    }
    let sink = graph.add(inner, "sink", Collects::into(&log)).unwrap();
    let ms_1 = Duration::from_ms(1);
    let adds = |offset| Faulty { offset, delay: ms_1, ..Faulty::default() };
    let stuck = Faulty { stuck: Some(5.0), ..Faulty::default() };
    let first = Link::direct().via("first", adds(1.0));
    graph.link(source.port("out"), outer.port("in"), first).unwrap();
    let second = Link::direct().latency(ms_1).via("second", stuck);
    graph.link(outer.port("in"), inner.port("in"), second).unwrap();
    let third = Link::direct().latency(ms_1).via("third", adds(0.25));
    graph.link(inner.port("in"), sink.port("in"), third).unwrap();
    run(graph, spread_over(2), ms(10));
    assert_eq!(log.entries(), [(ms(5), vec![5.25])]);
}

#[test]
fn random_numbers_are_keyed_by_the_name_of_the_link_alone() {
    // Which of 200 messages are lost, with the link called `name`, beside `others` other links.
    let lost = |name: &str, others: usize, partitions: usize| {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let source = graph.add(root, "source", numbers(200)).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let via = |name: &str| {
            let faulty = Faulty { drop_probability: 0.5, ..Faulty::default() };
            Link::direct().latency(Duration::from_us(1)).via(name, faulty)
        };
        for other in 0..others {
            let sink = graph.add(root, &format!("a[{other}]"), Collects::default()).unwrap();
            graph.link(source.port("out"), sink.port("in"), via(&format!("o{other}"))).unwrap();
        }
        graph.link(source.port("out"), sink.port("in"), via(name)).unwrap();
        run(graph, spread_over(partitions), ms(300));
        log.entries()
    };
    let alone = lost("wire", 0, 1);
    assert_eq!(lost("wire", 3, 1), alone);
    assert_eq!(lost("wire", 3, 4), alone);
    assert_ne!(lost("other", 0, 1), alone);
}

#[test]
fn a_signal_whose_write_is_dropped_keeps_its_old_value() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let reads = graph.add_periodic(root, "u", Reads::into(&log), Rate::hz(1_000)).unwrap();
    let faulty = Faulty { drop_probability: 1.0, ..Faulty::default() };
    graph.link(ticks.port("count"), reads.port("in"), Link::direct().via("wire", faulty)).unwrap();
    run(graph, spread_over(1), ms(4));
    assert!(log.entries().iter().all(|&(_, value)| value == 0));
}

#[test]
fn an_interposer_sees_every_write_in_the_order_sent() {
    let faulty = Faulty::default();
    let seen = faulty.seen.clone();
    through(faulty, 2);
    let expected: Vec<_> = (1..=6).map(|n| (ms(n), n as f64)).collect();
    assert_eq!(seen.entries(), expected);
}
