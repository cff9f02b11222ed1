//! A second simulator of the same semantics, written from the text of the design: slow, single
//! threaded, without queues or pools. At every step it looks at everything there is.

mod actions;
mod instant;

use std::collections::{BTreeMap, BTreeSet};

use ironbird_kernel::{Advance, Duration, Grid, Provider, RandomStream, Rate, Time};

use crate::random_graph::Plan;
use crate::random_graph::adapter::{default_value, disturbance, first_value};
use crate::random_graph::behaviour::{Arrived, AtomicState, Core, CpuState, Item, Note, PortType};
use crate::random_graph::plan::{KindPlan, PortAt, Way};
use crate::random_graph::runs::Samples;
use crate::random_graph::surroundings::{Disturbance, Field};

#[derive(Clone)]
enum State {
    Atomic(AtomicState),
    Periodic(Core),
    RunAhead(CpuState),
}

impl State {
    fn core(&mut self) -> &mut Core {
        match self {
            State::Atomic(state) => &mut state.core,
            State::Periodic(core) => core,
            State::RunAhead(state) => &mut state.core,
        }
    }
}

/// A model while it runs.
struct Node {
    state: State,
    /// Held values of signal outputs; nothing for event outputs.
    outputs: Vec<Option<Item>>,
    /// State and outputs at the start, for a reset.
    initial: Option<(State, Vec<Option<Item>>)>,
    stream: Option<RandomStream>,
    stopped: bool,
    /// Atomic: its last transition and its next internal one. While it is stopped: what had elapsed
    /// and what was left.
    last: Time,
    next: Time,
    elapsed: Duration,
    left: Duration,
    /// Periodic: the grid, the next tick on it, and the ticks before it was anchored.
    grid: Grid,
    tick: u64,
    ticks_before: u64,
    /// Run-ahead: everything before `clock` has been executed; `asleep` until an input arrives.
    clock: Time,
    asleep: bool,
    /// What has arrived and waits for the transition or step.
    bag: Vec<Delivery>,
    /// Waking signals written since the last transition.
    woken: BTreeSet<usize>,
}

/// A message in a bag, with what it is sorted by: source path, port, send time, cycle, index; then
/// the number of the link, where several join the same ports.
#[derive(Clone, Debug)]
struct Delivery {
    key: (usize, usize, Time, u64, usize, usize),
    port: usize,
    note: Note,
}

/// A value on its way over a link.
#[derive(Clone)]
struct Flying {
    arrival: Time,
    sent: Time,
    cycle: u64,
    index: usize,
    item: Item,
}

/// A link while it runs.
struct Road {
    way: Way,
    signal: bool,
    wakes: bool,
    interposers: Vec<(String, Disturbance, RandomStream)>,
    flying: Vec<Flying>,
    /// What a reader of the signal sees at the far end, and when that arrived and was sent, in which cycle.
    value: Option<Item>,
    order: (Time, Time, u64),
}

pub struct Oracle<'a> {
    plan: &'a Plan,
    nodes: Vec<Node>,
    roads: Vec<Road>,
    fields: Vec<Field>,
    /// Place of each model in path order.
    rank: Vec<usize>,
    /// Models in path order.
    by_path: Vec<usize>,
    /// Periodic models in static order.
    static_order: Vec<usize>,
    at_once: Vec<Vec<u64>>,
    script: usize,
    held: Vec<bool>,
    now: Time,
    cycle: u64,
    /// Signals written in this round.
    written: BTreeSet<PortAt>,
    trace: Samples,
}

/// Runs a system to its end and returns every value of every output.
pub fn trace(plan: &Plan) -> Samples {
    let mut oracle = Oracle::new(plan);
    oracle.initialize();
    oracle.run();
    oracle.trace
}

/// A path as it is compared: by name, then by index as a number.
fn path_key(path: &str) -> Vec<(String, Option<u64>)> {
    path.split('.')
        .map(|segment| match segment.strip_suffix(']').and_then(|s| s.rsplit_once('[')) {
            Some((name, index)) => (name.into(), Some(index.parse().unwrap())),
            None => (segment.into(), None),
        })
        .collect()
}

impl<'a> Oracle<'a> {
    fn new(plan: &'a Plan) -> Self {
        let mut by_path: Vec<usize> = (0..plan.models.len()).collect();
        by_path.sort_by_key(|&model| path_key(&plan.path(model)));
        let mut rank = vec![0; by_path.len()];
        by_path.iter().enumerate().for_each(|(place, &model)| rank[model] = place);
        let mut trace = Samples::new();
        for (number, model) in plan.models.iter().enumerate() {
            for port in 0..model.outputs.len() {
                trace.insert((plan.path(number), port), Vec::new());
            }
        }
        let mut oracle = Oracle {
            plan,
            nodes: (0..plan.models.len()).map(|model| node(plan, model)).collect(),
            roads: plan.ways().into_iter().map(|way| road(plan, way)).collect(),
            fields: plan.fields.iter().map(|&strength| Field { strength }).collect(),
            rank,
            by_path,
            static_order: Vec::new(),
            at_once: plan.least_latencies(),
            script: 0,
            held: vec![false; plan.monitors.len()],
            now: Time::ZERO,
            cycle: 0,
            written: BTreeSet::new(),
            trace,
        };
        oracle.static_order = oracle.order_periodic();
        oracle
    }

    /// Sources before their readers, otherwise by path; a circle is opened at the component that has
    /// a priority (the generator gives one to at most one component of each circle).
    fn order_periodic(&self) -> Vec<usize> {
        let periodic = |m: usize| matches!(self.plan.models[m].kind, KindPlan::Periodic(_));
        let edges: BTreeSet<(usize, usize)> = self
            .roads
            .iter()
            .filter(|road| road.way.latency == Duration::ZERO)
            .map(|road| (road.way.from.0, road.way.to.0))
            .filter(|&(from, to)| from != to && periodic(from) && periodic(to))
            .collect();
        let mut order: Vec<usize> = Vec::new();
        loop {
            let mut left = self.by_path.iter().copied();
            let left: Vec<usize> =
                left.by_ref().filter(|m| periodic(*m) && !order.contains(m)).collect();
            let waits = |m: &usize| edges.iter().any(|(f, t)| t == m && !order.contains(f));
            let free = left.iter().find(|m| !waits(m));
            let opened = || left.iter().find(|m| self.plan.models[**m].priority.is_some());
            match free.or_else(opened) {
                Some(&next) => order.push(next),
                None => return order,
            }
        }
    }

    /// Sources of signals before their readers; by path otherwise. A circle begins with one that has readers.
    fn initialize(&mut self) {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        while done.len() < self.nodes.len() {
            let ready = |model: usize| {
                let mut sources = self.roads.iter().filter(|r| r.signal && r.way.to.0 == model);
                sources.all(|r| r.way.from.0 == model || done.contains(&r.way.from.0))
            };
            let left: Vec<usize> =
                self.by_path.iter().copied().filter(|m| !done.contains(m)).collect();
            let has_readers = |model: usize| {
                let mut roads = self.roads.iter().map(|road| (road.signal, &road.way));
                roads.any(|(signal, way)| signal && way.from.0 == model && way.to.0 != model)
            };
            let ready = left.iter().copied().find(|&m| ready(m));
            let circling = || left.iter().copied().find(|&m| has_readers(m));
            let next = ready.or_else(circling).unwrap_or(left[0]);
            self.initialize_one(next);
            done.insert(next);
        }
    }

    fn initialize_one(&mut self, model: usize) {
        let inputs = self.read(model, false);
        let answer = self.answer(model);
        let outputs = &self.plan.models[model].outputs;
        let node = &mut self.nodes[model];
        let stream = node.stream.as_mut();
        for (port, item) in node.state.core().initialize(&inputs, outputs, answer, stream) {
            node.outputs[port] = Some(item);
        }
        node.initial = Some((node.state.clone(), node.outputs.clone()));
        if let State::Atomic(state) = &node.state {
            node.next = Time::ZERO + state.time_advance();
        }
        for road in self.roads.iter_mut().filter(|road| road.way.from.0 == model) {
            road.value.clone_from(&node.outputs[road.way.from.1]);
        }
    }

    /// What a model sees at its inputs; its bag is emptied.
    fn read(&mut self, model: usize, now: bool) -> Vec<Arrived> {
        let mut bag = std::mem::take(&mut self.nodes[model].bag);
        bag.sort_by_key(|delivery| delivery.key);
        let woken = std::mem::take(&mut self.nodes[model].woken);
        let plan = &self.plan.models[model];
        let see = |(port, input): (usize, &crate::random_graph::plan::InputPlan)| {
            if input.of == PortType::Note {
                let notes = bag.iter().filter(|d| d.port == port).map(|d| d.note.clone());
                return Arrived::Notes(notes.collect());
            }
            let road = self.roads.iter().find(|road| road.way.to == (model, port));
            let value = match road {
                None => default_value(plan, port),
                Some(road) if road.way.latency == Duration::ZERO && road.interposers.is_empty() => {
                    let (from, out) = road.way.from;
                    self.nodes[from].outputs[out].clone().expect("a signal has a value")
                }
                Some(road) => road.value.clone().expect("a signal has a value"),
            };
            let written = now && woken.contains(&port);
            let value = if input.of == PortType::Real { value.level() } else { value };
            match value {
                Item::Real(value) => Arrived::Real(value, written),
                Item::Reading(reading) => Arrived::Reading(reading, written),
                Item::Note(_) => unreachable!("a signal holds no note"),
            }
        };
        plan.inputs.iter().enumerate().map(see).collect()
    }

    /// What the provider of a model's query says now.
    fn answer(&mut self, model: usize) -> f64 {
        let hash = self.nodes[model].state.core().hash;
        let asked = self.plan.models[model].asks;
        asked.map_or(0.0, |field| self.fields[field].answer(self.now, &hash))
    }

    fn run(&mut self) {
        loop {
            let known = self.next_known();
            let shows = (0..self.nodes.len()).filter_map(|model| self.would_show(model, known));
            let next = shows.min().unwrap_or(known).min(known);
            if next >= self.plan.end {
                return;
            }
            self.execute_before(next);
            (self.now, self.cycle) = (next, 0);
            self.instant();
        }
    }

    /// The next instant at which anything is known to happen; the end at the latest.
    fn next_known(&self) -> Time {
        let mut times: BTreeMap<Time, ()> = BTreeMap::from([(self.plan.end, ())]);
        for node in self.nodes.iter().filter(|node| !node.stopped) {
            match &node.state {
                State::Atomic(_) => times.insert(node.next, ()),
                State::Periodic(_) => times.insert(node.grid.tick(node.tick), ()),
                State::RunAhead(_) => None,
            };
        }
        let flying = self.roads.iter().flat_map(|road| &road.flying);
        times.extend(flying.map(|flying| (flying.arrival, ())));
        times.extend(self.plan.script.get(self.script).map(|(at, _)| (*at, ())));
        times.into_keys().next().unwrap_or(self.plan.end)
    }

    fn is_running(&self, model: usize) -> bool {
        let node = &self.nodes[model];
        matches!(node.state, State::RunAhead(_)) && !node.stopped && !node.asleep
    }

    /// When a run-ahead model would show something before `until`, found on a copy of it.
    fn would_show(&self, model: usize, until: Time) -> Option<Time> {
        let node = &self.nodes[model];
        let KindPlan::RunAhead(plan) = &self.plan.models[model].kind else { return None };
        let State::RunAhead(state) = &node.state else { return None };
        let (mut copy, mut stream) = (state.clone(), node.stream.clone());
        if !self.is_running(model) || node.clock >= until {
            return None;
        }
        match copy.advance(plan, node.clock, until, stream.as_mut()) {
            Advance::Output(at) => Some(at),
            Advance::Reached | Advance::Idle => None,
        }
    }

    /// Lets every run-ahead model execute what starts before `until`; none shows anything.
    fn execute_before(&mut self, until: Time) {
        for model in 0..self.nodes.len() {
            if self.is_running(model) && self.nodes[model].clock < until {
                let shown = self.execute(model, until);
                assert_eq!(shown, None, "it shows nothing before {until}");
            }
        }
    }

    fn execute(&mut self, model: usize, until: Time) -> Option<Time> {
        let KindPlan::RunAhead(plan) = &self.plan.models[model].kind else { return None };
        let node = &mut self.nodes[model];
        let State::RunAhead(state) = &mut node.state else { return None };
        match state.advance(plan, node.clock, until, node.stream.as_mut()) {
            Advance::Reached => node.clock = until,
            Advance::Idle => (node.clock, node.asleep) = (until, true),
            Advance::Output(at) => {
                node.clock = at;
                return Some(at);
            }
        }
        None
    }
}

fn node(plan: &Plan, model: usize) -> Node {
    let of = &plan.models[model];
    let (state, rate) = match &of.kind {
        KindPlan::Atomic(constants) => {
            (State::Atomic(AtomicState::new(constants, of.salt)), Rate::hz(1))
        }
        KindPlan::Periodic(rate) => (State::Periodic(Core::new(of.salt)), *rate),
        KindPlan::RunAhead(constants) => {
            (State::RunAhead(CpuState::new(constants, of.salt)), Rate::hz(1))
        }
    };
    let first =
        |(port, kind): (usize, &PortType)| (*kind != PortType::Note).then(|| first_value(of, port));
    Node {
        state,
        outputs: of.outputs.iter().enumerate().map(first).collect(),
        initial: None,
        stream: of.draws.then(|| RandomStream::new(plan.seed, &plan.path(model), "numbers")),
        stopped: false,
        last: Time::ZERO,
        next: Time::NEVER,
        elapsed: Duration::ZERO,
        left: Duration::ZERO,
        grid: Grid::new(Time::ZERO, rate),
        tick: 0,
        ticks_before: 0,
        clock: Time::ZERO,
        asleep: false,
        bag: Vec::new(),
        woken: BTreeSet::new(),
    }
}

fn road(plan: &Plan, way: Way) -> Road {
    let reader = &plan.models[way.to.0];
    let input = reader.inputs[way.to.1];
    let signal = input.of != PortType::Note;
    let wakes = match reader.kind {
        KindPlan::Periodic(_) => false,
        KindPlan::RunAhead(_) => true,
        KindPlan::Atomic(_) => input.waking,
    };
    let interposer = |(name, (drop_percent, delays)): &(String, (u64, Vec<u64>))| {
        let stream = RandomStream::new(plan.seed, name, "link");
        (name.clone(), disturbance(*drop_percent, delays), stream)
    };
    let interposers = way.passed.iter().map(interposer).collect();
    let (from, port) = way.from;
    let value = signal.then(|| first_value(&plan.models[from], port));
    let order = (Time::ZERO, Time::ZERO, 0);
    Road { way, signal, wakes, interposers, flying: Vec::new(), value, order }
}
