//! A call is a message, its reply is one too and reaches only who called.

use ironbird_kernel::*;

/// Calls `double` once, after `start`, and tells what it hears.
#[derive(Default)]
struct Caller {
    double: CallOut<i64, i64>,
    heard: EventOut<i64>,
    start: Duration,
    question: i64,
    answer: Option<i64>,
    has_called: bool,
}

impl Model for Caller {
    fn ports(&mut self, ports: &mut Ports) {
        self.double = ports.call("double");
        self.heard = ports.event_out("heard");
    }
}

impl Atomic for Caller {
    fn time_advance(&self) -> Duration {
        match (self.has_called, self.answer) {
            (false, _) => self.start,
            (true, Some(_)) => Duration::ZERO,
            (true, None) => Duration::FOREVER,
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        match self.answer {
            Some(answer) => out.send(self.heard, answer),
            None => out.send(self.double.request, Request::new(7, self.question)),
        }
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.has_called = true;
        self.answer = None;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for reply in inputs.events(self.double.reply) {
            assert_eq!(reply.number, 7);
            self.answer = Some(reply.content);
        }
    }
}

/// Doubles what it is asked, at once.
#[derive(Default)]
struct Doubler {
    double: CallIn<i64, i64>,
    replies: Vec<Reply<i64>>,
}

impl Model for Doubler {
    fn ports(&mut self, ports: &mut Ports) {
        self.double = ports.service("double");
    }
}

impl Atomic for Doubler {
    fn time_advance(&self) -> Duration {
        if self.replies.is_empty() { Duration::FOREVER } else { Duration::ZERO }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        for reply in self.replies.drain(..) {
            out.send(self.double.reply, reply);
        }
    }
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.replies.extend(inputs.events(self.double.request).map(|r| r.reply(2 * r.content)));
    }
}

fn run(latency: Duration, partitions: usize) -> Vec<Vec<(Time, i64)>> {
    let mut graph = Graph::new();
    let root = graph.root();
    let doubler = graph.add(root, "doubler", Doubler::default()).unwrap();
    for (number, start) in [3, 3, 5].into_iter().enumerate() {
        let start = Duration::from_ms(start);
        let caller = Caller { question: 10 + number as i64, start, ..Caller::default() };
        let caller = graph.add(root, &format!("caller[{number}]"), caller).unwrap();
        graph.bind_call(caller.port("double"), doubler.port("double"), latency).unwrap();
    }
    let placement = Placement::AtMost(partitions);
    let mut simulation =
        Simulation::new(graph, Options { placement, ..Options::default() }).unwrap();
    for number in 0..3 {
        simulation.record(&format!("caller[{number}]"), "heard").unwrap();
    }
    let until = Time::ZERO + Duration::from_ms(20);
    assert_eq!(simulation.run_until(until).unwrap(), Outcome::Reached(until));
    let heard = |n| simulation.samples(&format!("caller[{n}]"), "heard").unwrap();
    (0..3).map(heard).collect()
}

fn at_ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}

#[test]
fn every_caller_hears_its_own_reply_in_the_same_instant() {
    let heard = run(Duration::ZERO, 1);
    assert_eq!(heard, [[(at_ms(3), 20)], [(at_ms(3), 22)], [(at_ms(5), 24)]]);
}

#[test]
fn a_latency_delays_request_and_reply_in_every_placement() {
    for partitions in 1..=4 {
        let heard = run(Duration::from_ms(1), partitions);
        assert_eq!(heard, [[(at_ms(5), 20)], [(at_ms(5), 22)], [(at_ms(7), 24)]]);
    }
}

#[test]
fn a_call_is_bound_only_to_a_service_of_its_types() {
    let mut graph = Graph::new();
    let root = graph.root();
    let caller = graph.add(root, "caller", Caller::default()).unwrap();
    let error =
        graph.bind_call(caller.port("double"), caller.port("double"), Duration::ZERO).unwrap_err();
    assert_eq!(error.to_string(), "\"caller\" has no input \"double\"");
}
