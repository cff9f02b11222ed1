//! Who calls a service hears how it ended.

use std::path::Path;

use ironbird_component::{Component, Place, Registry, Settings};
use ironbird_kernel::{
    Atomic, CallOut, Context, Duration, EventOut, Graph, Inputs, Link, Options, Outputs, Parameter,
    Request, Simulation, Time,
};
use ironbird_mavlink::{Answer, Verdict};
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, seconds};

use crate::vehicle::{self, whole};

/// Calls `arm` after 1.05 s, and shows the reply.
#[derive(Component)]
#[component(type = "test.pilot", event_driven)]
struct Pilot {
    #[requires]
    arm: CallOut<(), Answer>,
    #[output]
    answer: EventOut<Answer>,
    calls: u32,
    now: Time,
    heard: Vec<(u32, u8)>,
}

const VERDICTS: [Verdict; 4] =
    [Verdict::Accepted, Verdict::Denied, Verdict::TimedOut, Verdict::Refused];

impl Atomic for Pilot {
    fn time_advance(&self) -> Duration {
        match (self.heard.is_empty(), self.calls) {
            (false, _) => Duration::ZERO,
            (true, 0) => seconds(1.05).since(self.now),
            (true, _) => Duration::FOREVER,
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for (verdict, result) in self.heard.drain(..) {
            let verdict = VERDICTS[verdict as usize];
            out.send(self.answer, Answer { verdict, result });
        }
        if self.calls == 0 {
            out.send(self.arm.request, Request::new(7, ()));
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.calls = 1;
        self.now = context.now();
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for reply in inputs.events(self.arm.reply) {
            assert_eq!(reply.number, 7);
            let verdict = VERDICTS.iter().position(|known| *known == reply.content.verdict);
            self.heard.push((verdict.expect("a verdict") as u32, reply.content.result));
        }
        self.now = context.now();
    }
}

fn graph(vehicle: &[(&str, Parameter)]) -> Graph {
    let mut registry = Registry::with_builtin();
    ironbird_mavlink::register(&mut registry).expect("names of their own");
    vehicle::register(&mut registry).expect("names of their own");
    registry.register::<Pilot>().expect("a name of its own");
    let mut graph = Graph::new();
    let root = graph.root();
    let place = Place { folder: Path::new(".") };
    let mut add = |name: &str, kind: &str, settings: &[(&str, Parameter)]| {
        let settings: Settings =
            settings.iter().map(|(path, value)| ((*path).into(), value.clone())).collect();
        let made = registry.get(kind).expect("known").instantiate(&settings, &place);
        made.expect("it can be made").add_to(&mut graph, root, name, None).expect("it fits")
    };
    let station = add("station", "mavlink.ground-station", &[]);
    let vehicle = add("vehicle", "test.vehicle", vehicle);
    let pilot = add("pilot", "test.pilot", &[]);
    let direct = Link::direct;
    let (there, back) = (station.port("frames_out"), vehicle.port("frames_in"));
    graph.link(there, back, direct()).expect("they fit");
    let (there, back) = (vehicle.port("frames_out"), station.port("frames_in"));
    graph.link(there, back, direct()).expect("they fit");
    graph.bind_call(pilot.port("arm"), station.port("arm"), Duration::ZERO).expect("it fits");
    graph
}

fn answers(vehicle: &[(&str, Parameter)]) -> Vec<(Time, Answer)> {
    let mut simulation = Simulation::new(graph(vehicle), Options::default()).expect("it fits");
    simulation.record("pilot", "answer").expect("an output");
    simulation.run_until(seconds(20.0)).expect("it runs");
    simulation.samples("pilot", "answer").expect("it was recorded")
}

#[test]
fn the_reply_comes_with_the_answer_of_the_vehicle() {
    let accepted = Answer { verdict: Verdict::Accepted, result: 0 };
    assert_eq!(answers(&[]), [(seconds(1.05), accepted)]);
    assert_eq!(answers(&[("deaf", whole(3))]), [(seconds(3.05), accepted)]);
    let denied = Answer { verdict: Verdict::Denied, result: 2 };
    assert_eq!(answers(&[("result", whole(2))]), [(seconds(1.05), denied)]);
    let nothing = Answer { verdict: Verdict::TimedOut, result: 0 };
    assert_eq!(answers(&[("deaf", whole(100))]), [(seconds(6.05), nothing)]);
}

#[test]
fn an_order_that_is_saved_half_way_goes_on_with_the_same_bits() {
    let graph = || graph(&[("deaf", whole(3))]);
    assert_goes_on_after_a_checkpoint(graph, seconds(2.4), seconds(5.0));
}
