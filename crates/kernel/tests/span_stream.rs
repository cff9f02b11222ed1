//! What processes of a span stream and record: large messages, long runs, and what a fault takes back.

mod models;
mod span_memory;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use ironbird_kernel::{
    Batch, Duration, EventIn, EventOut, Graph, Link, Model, Options, Outcome, Payload, Periodic,
    Placement, Ports, Rate, Sampling, SignalOut, Simulation, Sink, Span, Step, Tap, Time,
};
use models::{Chatter, Ticks, ms, spread_over, without_hanging};
use span_memory::{Way, processes};

fn each<T: Send + 'static>(
    way: Way,
    count: usize,
    part: impl Fn(Span) -> T + Send + Sync + 'static,
) -> Vec<T> {
    without_hanging(move || processes(count, &way, part))
}

/// What was taken: when, by which tap, and the bytes.
type Taken = Vec<(Time, u32, Vec<u8>)>;

/// What was taken, and the partitions and instants up to which it was complete.
#[derive(Default)]
struct Kept(Mutex<(Taken, Vec<(usize, Time)>)>);

impl Sink for Kept {
    fn take(&self, partition: usize, _: usize, batch: Batch, until: Time) {
        let mut kept = self.0.lock().unwrap();
        kept.0.extend(batch.iter().map(|(time, tap, bytes)| (time, tap, bytes.to_vec())));
        kept.1.push((partition, until));
    }
}

/// Streams every write of these outputs.
fn observe(simulation: &mut Simulation, outputs: &[(&str, &str)]) -> Arc<Kept> {
    take(simulation, outputs, Sampling::EveryWrite)
}

fn take(simulation: &mut Simulation, outputs: &[(&str, &str)], sampling: Sampling) -> Arc<Kept> {
    let tap = |&(component, port): &(&str, &str)| Tap {
        component: component.into(),
        port: port.into(),
        sampling,
        transient: false,
    };
    let kept = Arc::new(Kept::default());
    simulation.observe(outputs.iter().map(tap).collect(), kept.clone()).unwrap();
    kept
}

/// What one run streams, by time and tap.
fn in_order(parts: &[Arc<Kept>]) -> Taken {
    let mut all: Vec<_> = parts.iter().flat_map(|kept| kept.0.lock().unwrap().0.clone()).collect();
    all.sort_by_key(|(time, tap, _)| (*time, *tap));
    all
}

/// Three that tick and two that chat, over links of 100 µs.
fn busy() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let link = || Link::direct().latency(Duration::from_us(100));
    let chatters = ["x", "y"].map(|name| graph.add(root, name, Chatter::default()).unwrap());
    for name in ["a", "b", "c"] {
        let ticks = graph.add_periodic(root, name, Ticks::default(), Rate::hz(20_000)).unwrap();
        graph.link(ticks.port("out"), chatters[0].port("in"), link()).unwrap();
    }
    let [x, y] = chatters;
    graph.link(x.port("out"), y.port("in"), link()).unwrap();
    graph.link(y.port("out"), x.port("in"), link()).unwrap();
    graph
}

const OUTPUTS: [(&str, &str); 5] =
    [("a", "count"), ("b", "out"), ("c", "count"), ("x", "state"), ("y", "out")];

#[test]
fn what_cannot_be_taken_back_is_handed_over_while_the_run_goes_on() {
    const MEMBERS: [&str; 3] = ["p", "q", "r"];
    // Each hears another, so nobody is far ahead.
    let ring = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let members = MEMBERS.map(|name| graph.add(root, name, Chatter::default()).unwrap());
        for (n, from) in members.iter().enumerate() {
            let link = Link::direct().latency(Duration::from_us(200));
            graph.link(from.port("out"), members[(n + 1) % 3].port("in"), link).unwrap();
        }
        graph
    };
    let often = |simulation: &mut Simulation| {
        let outputs = MEMBERS.map(|name| (name, "state"));
        take(simulation, &outputs, Sampling::Every(Rate::hz(20_000)))
    };
    let mut single = Simulation::new(ring(), spread_over(1)).unwrap();
    let expected = often(&mut single);
    single.run_until(ms(1_000)).unwrap();
    let parts = each(Way::plain(), 3, move |span| {
        let mut simulation = Simulation::new_in_span(ring(), spread_over(3), span).unwrap();
        let kept = often(&mut simulation);
        simulation.run_until(ms(1_000)).unwrap();
        kept
    });
    // All of it comes to the first process, and nothing to the others.
    assert!(in_order(&parts[..1]) == in_order(&[expected]));
    assert!(in_order(&parts[1..]).is_empty());
    let told = parts[0].0.lock().unwrap().1.clone();
    let midway = |partition: &usize| {
        let told = told.iter().filter(|(from, _)| from == partition);
        told.filter(|(_, until)| (ms(1)..ms(1_000)).contains(until)).count() >= 2
    };
    assert!((0..parts.len()).all(|partition| midway(&partition)), "{told:?}");
}

#[test]
fn others_may_follow_the_first_wherever_it_goes() {
    let mut single = Simulation::new(busy(), spread_over(1)).unwrap();
    let expected = observe(&mut single, &OUTPUTS);
    single.run_until(ms(50)).unwrap();
    let parts = each(Way::plain(), 3, |span| {
        let first = span.number == 0;
        let mut simulation = Simulation::new_in_span(busy(), spread_over(3), span).unwrap();
        let kept = observe(&mut simulation, &OUTPUTS);
        if first {
            for until in [3, 4, 29, 50] {
                simulation.run_until(ms(until)).unwrap();
            }
            simulation.dismiss();
        } else {
            assert_eq!(simulation.follow().unwrap(), Outcome::Reached(ms(50)));
        }
        kept
    });
    assert!(in_order(&parts[..1]) == in_order(&[expected]));
}

/// Takes its time on the wall, and fails in the end.
struct Slow {
    steps: u32,
}

impl Model for Slow {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Periodic for Slow {
    fn step(&mut self, step: &mut Step<'_>) {
        std::thread::sleep(std::time::Duration::from_millis(2));
        self.steps += 1;
        if self.steps == 100 {
            step.fail("worn out");
        }
    }
}

#[test]
fn what_others_did_after_a_fault_is_never_handed_over() {
    let graph = || {
        let mut graph = busy();
        let root = graph.root();
        graph.add_periodic(root, "slow", Slow { steps: 0 }, Rate::hz(200)).unwrap();
        graph
    };
    let mut single = Simulation::new(graph(), spread_over(1)).unwrap();
    let expected = observe(&mut single, &OUTPUTS);
    let outcome = single.run_until(ms(2_000)).unwrap();
    assert!(matches!(outcome, Outcome::Faulted(_)));
    let parts = each(Way::plain(), 4, move |span| {
        let mut simulation = Simulation::new_in_span(graph(), spread_over(4), span).unwrap();
        let kept = observe(&mut simulation, &OUTPUTS);
        assert_eq!(simulation.run_until(ms(2_000)).unwrap(), outcome);
        kept
    });
    assert!(in_order(&parts) == in_order(&[expected]));
}

#[test]
fn recording_may_begin_between_two_runs() {
    let samples = |simulation: &mut Simulation| {
        simulation.run_until(ms(7)).unwrap();
        simulation.record("x", "state").unwrap();
        simulation.run_until(ms(20)).unwrap();
        simulation.record("y", "state").unwrap();
        simulation.run_until(ms(40)).unwrap();
        let of = |path| simulation.samples::<u64>(path, "state").unwrap();
        (of("x"), of("y"), simulation.digest())
    };
    let expected = samples(&mut Simulation::new(busy(), spread_over(1)).unwrap());
    assert!(expected.0.len() > expected.1.len() && expected.1.len() > 20);
    let found = each(Way::plain(), 3, move |span| {
        samples(&mut Simulation::new_in_span(busy(), spread_over(3), span).unwrap())
    });
    assert_eq!(found[0], expected);
}

/// Sends a large message every millisecond; each is different.
#[derive(Default)]
struct Camera {
    image: EventOut<Payload>,
    number: u8,
}

impl Model for Camera {
    fn ports(&mut self, ports: &mut Ports) {
        self.image = ports.event_out("image");
    }
}

impl Periodic for Camera {
    fn step(&mut self, step: &mut Step<'_>) {
        self.number += 1;
        let bytes: Vec<u8> = (0..20_000u32).map(|n| (n as u8).wrapping_mul(self.number)).collect();
        step.send(self.image, Payload::new(bytes));
    }
}

/// Adds up what it sees.
#[derive(Default)]
struct Eye {
    image: EventIn<Payload>,
    sum: SignalOut<u64>,
}

impl Model for Eye {
    fn ports(&mut self, ports: &mut Ports) {
        self.image = ports.event_in("image");
        self.sum = ports.signal_out("sum", 0);
    }
}

impl Periodic for Eye {
    fn step(&mut self, step: &mut Step<'_>) {
        let images = step.events(self.image);
        let sum = images.flat_map(|image| image.iter().map(|&byte| u64::from(byte))).sum();
        step.write(self.sum, sum);
    }
}

fn filmed() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let camera = graph.add_periodic(root, "camera", Camera::default(), Rate::hz(1_000)).unwrap();
    let eye = graph.add_periodic(root, "eye", Eye::default(), Rate::hz(100)).unwrap();
    let link = Link::direct().latency(Duration::from_us(100));
    graph.link(camera.port("image"), eye.port("image"), link).unwrap();
    graph
}

#[test]
fn a_message_may_be_larger_than_what_the_carrier_takes_at_once() {
    let mut single = Simulation::new(filmed(), spread_over(1)).unwrap();
    single.run_until(ms(35)).unwrap();
    let narrow = Way { room: 1, longest: 64, delay_us: 20, seed: 7, ..Way::plain() };
    let found = each(narrow, 2, |span| {
        let mut simulation = Simulation::new_in_span(filmed(), spread_over(2), span).unwrap();
        simulation.run_until(ms(35)).unwrap();
        simulation.digest()
    });
    assert_eq!(found[0], single.digest());
}

#[test]
fn values_of_a_round_and_the_promise_behind_them_are_one_message() {
    let both_ways = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let sides = ["a", "b"].map(|side| {
            let side = graph.composite(root, side).unwrap();
            let name = |n| format!("n[{n}]");
            let tick = |n| graph.add_periodic(side, &name(n), Ticks::default(), Rate::hz(1_000));
            let ticks: Vec<_> = (0..20).map(tick).map(Result::unwrap).collect();
            let mut chatter = |n| graph.add(side, &format!("c[{n}]"), Chatter::default()).unwrap();
            (ticks, (0..20).map(&mut chatter).collect::<Vec<_>>())
        });
        for (ticks, chatters) in [(&sides[0].0, &sides[1].1), (&sides[1].0, &sides[0].1)] {
            for (from, to) in ticks.iter().zip(chatters) {
                let link = Link::direct().latency(Duration::from_ms(1));
                graph.link(from.port("out"), to.port("in"), link).unwrap();
            }
        }
        graph
    };
    let way = Way::plain();
    let sent = way.sent.clone();
    each(way, 2, move |span| {
        let halves = [("a".to_owned(), 0), ("b".to_owned(), 1)].into_iter().collect();
        let options = Options { placement: Placement::Explicit(halves), ..Options::default() };
        let mut simulation = Simulation::new_in_span(both_ways(), options, span).unwrap();
        simulation.run_until(ms(1_000)).unwrap();
    });
    // 40 values a millisecond. Beside them there is little: who is where, who is idle.
    let sent = sent.load(Ordering::Relaxed);
    assert!(sent < 8_000, "{sent} messages");
    println!("{sent} messages for 40,000 values in 1,000 windows");
}
