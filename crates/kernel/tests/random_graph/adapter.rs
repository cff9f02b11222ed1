//! The random system as a graph of the kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use ironbird_kernel::{
    Advance, Atomic, ComponentRef, Context, Duration, EventIn, EventOut, Graph, Inputs, Link,
    LoadError, Model, Outputs, Parameter, ParameterError, Periodic, PortKind, Ports, QueryIn,
    RandomIn, RandomStream, RunAhead, SaveError, Selection, SignalIn, SignalOut, Start,
    StateReader, StateWriter, Step, Time,
};

use super::acting::kernel_monitor;
use super::behaviour::{
    Arrived, AtomicState, Core, CpuState, Item, Note, PortType, Reading, Shown, mix, periodic_step,
    set_periodic_parameter,
};
use super::plan::{KindPlan, ModelPlan, Plan, Stretch};
use super::surroundings::{Disturbance, Field};

enum In {
    Note(EventIn<Note>),
    Real(SignalIn<f64>),
    Reading(SignalIn<Reading>),
}

enum Out {
    Note(EventOut<Note>),
    Real(SignalOut<f64>),
    Reading(SignalOut<Reading>),
}

/// Ports and other handles of one model.
struct Handles {
    plan: Arc<ModelPlan>,
    inputs: Vec<In>,
    outputs: Vec<Out>,
    random: Option<RandomIn>,
    query: Option<QueryIn<u64, f64>>,
}

/// The first value of a signal output.
pub fn first_value(plan: &ModelPlan, port: usize) -> Item {
    let salt = mix(plan.salt, port as u64);
    match plan.outputs[port] {
        PortType::Real => Item::Real(super::behaviour::real_of(salt)),
        _ => Item::Reading(Reading::first(salt)),
    }
}

/// What an unlinked signal input reads.
pub fn default_value(plan: &ModelPlan, port: usize) -> Item {
    let salt = mix(plan.salt, 1_000 + port as u64);
    match plan.inputs[port].of {
        PortType::Real => Item::Real(super::behaviour::real_of(salt)),
        _ => Item::Reading(Reading::first(salt)),
    }
}

impl Handles {
    fn new(plan: &Arc<ModelPlan>) -> Self {
        let plan = plan.clone();
        Handles { plan, inputs: vec![], outputs: vec![], random: None, query: None }
    }

    fn declare(&mut self, ports: &mut Ports) {
        for (number, input) in self.plan.inputs.iter().enumerate() {
            let name = format!("in{number}");
            self.inputs.push(match (input.of, input.unlinked, input.waking) {
                (PortType::Note, ..) => In::Note(ports.event_in(&name)),
                (_, true, _) => match default_value(&self.plan, number) {
                    Item::Real(value) => In::Real(ports.signal_in_or(&name, value)),
                    Item::Reading(value) => In::Reading(ports.signal_in_or(&name, value)),
                    Item::Note(_) => unreachable!("a signal holds no note"),
                },
                (PortType::Real, _, true) => In::Real(ports.waking_signal_in(&name)),
                (PortType::Real, _, false) => In::Real(ports.signal_in(&name)),
                (PortType::Reading, _, true) => In::Reading(ports.waking_signal_in(&name)),
                (PortType::Reading, _, false) => In::Reading(ports.signal_in(&name)),
            });
        }
        for (number, of) in self.plan.outputs.iter().enumerate() {
            let name = format!("out{number}");
            self.outputs.push(match of {
                PortType::Note => Out::Note(ports.event_out(&name)),
                _ => match first_value(&self.plan, number) {
                    Item::Real(value) => Out::Real(ports.signal_out(&name, value)),
                    Item::Reading(value) => Out::Reading(ports.signal_out(&name, value)),
                    Item::Note(_) => unreachable!("a signal holds no note"),
                },
            });
        }
        self.random = self.plan.draws.then(|| ports.random("numbers"));
        self.query = self.plan.asks.map(|_| ports.query("field"));
    }

    fn read(&self, inputs: &Inputs<'_>) -> Vec<Arrived> {
        let read = |port: &In| match port {
            In::Note(port) => Arrived::Notes(inputs.events(*port).cloned().collect()),
            In::Real(port) => Arrived::Real(*inputs.signal(*port), inputs.is_written(*port)),
            In::Reading(port) => {
                Arrived::Reading(inputs.signal(*port).clone(), inputs.is_written(*port))
            }
        };
        self.inputs.iter().map(read).collect()
    }

    fn write(&self, shown: Shown, out: &mut Outputs<'_>) {
        for (port, item) in shown {
            match (&self.outputs[port], item) {
                (Out::Note(port), Item::Note(note)) => out.send(*port, note),
                (Out::Real(port), Item::Real(value)) => out.write(*port, value),
                (Out::Reading(port), Item::Reading(value)) => out.write(*port, value),
                _ => unreachable!("a port carries its type"),
            }
        }
    }

    fn initialize(&self, core: &mut Core, start: &mut Start<'_>) {
        let read = |port: &In| match port {
            In::Note(_) => Arrived::Notes(Vec::new()),
            In::Real(port) => Arrived::Real(*start.signal(*port), false),
            In::Reading(port) => Arrived::Reading(start.signal(*port).clone(), false),
        };
        let inputs: Vec<Arrived> = self.inputs.iter().map(read).collect();
        let answer = self.query.map_or(0.0, |query| start.ask(query, &core.hash));
        let random = self.random.map(|stream| start.random(stream));
        for (port, item) in core.initialize(&inputs, &self.plan.outputs, answer, random) {
            match (&self.outputs[port], item) {
                (Out::Real(port), Item::Real(value)) => start.write(*port, value),
                (Out::Reading(port), Item::Reading(value)) => start.write(*port, value),
                _ => unreachable!("a port carries its type"),
            }
        }
    }

    fn ask(&self, context: &Context<'_>, core: &Core) -> f64 {
        self.query.map_or(0.0, |query| context.ask(query, &core.hash))
    }

    fn random<'a>(&self, context: &'a mut Context<'_>) -> Option<&'a mut RandomStream> {
        self.random.map(|stream| context.random(stream))
    }
}

macro_rules! model {
    ($name:ident, $state:ty, |$s:ident| $core:expr, |$t:ident, $p:ident, $v:ident| $set:expr) => {
        struct $name {
            handles: Handles,
            state: $state,
        }

        impl Model for $name {
            fn ports(&mut self, ports: &mut Ports) {
                self.handles.declare(ports);
            }
            fn initialize(&mut self, start: &mut Start<'_>) {
                let $s = &mut self.state;
                self.handles.initialize($core, start);
            }
            fn set_parameter(&mut self, $p: &str, value: Parameter) -> Result<(), ParameterError> {
                let ($t, $v) = (&mut self.state, &value);
                $set
            }
            fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
                state.put(&self.state)
            }
            fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
                self.state = state.get()?;
                Ok(())
            }
        }
    };
}

model!(RandomAtomic, AtomicState, |s| &mut s.core, |s, name, value| s.set_parameter(name, value));
model!(RandomPeriodic, Core, |s| s, |s, name, value| set_periodic_parameter(s, name, value));
model!(Cpu, CpuState, |s| &mut s.core, |s, name, value| s.set_parameter(name, value));

impl RandomAtomic {
    fn plan(&self) -> Arc<ModelPlan> {
        self.handles.plan.clone()
    }
}

impl Atomic for RandomAtomic {
    fn time_advance(&self) -> Duration {
        self.state.time_advance()
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.handles.write(self.state.output(&self.handles.plan.outputs), out);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        let plan = self.plan();
        let KindPlan::Atomic(constants) = &plan.kind else { return };
        let now = context.now();
        self.state.internal(constants, now, self.handles.random(context));
    }
    fn external(&mut self, context: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
        let plan = self.plan();
        let KindPlan::Atomic(constants) = &plan.kind else { return };
        let arrived = self.handles.read(inputs);
        let answer = self.handles.ask(context, &self.state.core);
        let random = self.handles.random(context);
        self.state.external(constants, elapsed, &arrived, answer, random);
    }
    fn confluent(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let plan = self.plan();
        let KindPlan::Atomic(constants) = &plan.kind else { return };
        if constants.external_first {
            self.external(context, Duration::ZERO, inputs);
            self.internal(context);
        } else {
            self.internal(context);
            self.external(context, Duration::ZERO, inputs);
        }
    }
}

impl Periodic for RandomPeriodic {
    fn step(&mut self, step: &mut Step<'_>) {
        let Handles { plan, query, random, .. } = &self.handles;
        let arrived = self.handles.read(&step.inputs());
        let answer = query.map_or(0.0, |query| step.ask(query, &self.state.hash));
        let tick = step.tick();
        let random = random.map(|stream| step.random(stream));
        let shown = periodic_step(&mut self.state, tick, &arrived, answer, random, &plan.outputs);
        self.handles.write(shown, &mut step.outputs());
    }
}

impl RunAhead for Cpu {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        let plan = self.handles.plan.clone();
        let KindPlan::RunAhead(constants) = &plan.kind else { return Advance::Idle };
        let now = context.now();
        self.state.advance(constants, now, until, self.handles.random(context))
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.handles.write(self.state.output(&self.handles.plan.outputs), out);
    }
    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let plan = self.handles.plan.clone();
        let KindPlan::RunAhead(constants) = &plan.kind else { return };
        let arrived = self.handles.read(inputs);
        let answer = self.handles.ask(context, &self.state.core);
        let now = context.now();
        let random = self.handles.random(context);
        self.state.input(constants, now, &arrived, answer, random);
    }
}

/// Builds the kernel's graph.
pub fn build(plan: &Plan) -> Graph {
    let mut graph = Graph::new();
    let mut composites = vec![graph.root()];
    for (parent, name) in &plan.composites[1..] {
        composites.push(graph.composite(composites[*parent], name).unwrap());
    }
    let mut fields = Vec::new();
    for (number, &strength) in plan.fields.iter().enumerate() {
        let name = format!("field[{number}]");
        fields.push(graph.provide(graph.root(), &name, Field { strength }).unwrap());
    }
    let mut models = Vec::new();
    for model in &plan.models {
        let (parent, shared) = (composites[model.parent], Arc::new(model.clone()));
        let handles = Handles::new(&shared);
        let added = match &model.kind {
            KindPlan::Atomic(constants) => {
                let state = AtomicState::new(constants, model.salt);
                graph.add(parent, &model.name, RandomAtomic { handles, state })
            }
            KindPlan::Periodic(rate) => {
                let state = Core::new(model.salt);
                graph.add_periodic(parent, &model.name, RandomPeriodic { handles, state }, *rate)
            }
            KindPlan::RunAhead(constants) => {
                let state = CpuState::new(constants, model.salt);
                graph.add_run_ahead(parent, &model.name, Cpu { handles, state })
            }
        };
        let added = added.unwrap();
        if let Some(priority) = model.priority {
            graph.set_priority(added, priority).unwrap();
        }
        if let Some(field) = model.asks {
            graph.bind_query(added.port("field"), fields[field]).unwrap();
        }
        models.push(added);
    }
    link_all(plan, &mut graph, &composites, &models);
    for monitor in &plan.monitors {
        graph.monitor(kernel_monitor(plan, monitor)).unwrap();
    }
    graph
}

fn kernel_link(name: &str, stretch: &Stretch) -> Link {
    let mut link = Link::direct().latency(stretch.latency);
    if stretch.previous {
        link = link.previous();
    }
    match &stretch.disturbance {
        Some((drop_percent, delays)) => link.via(name, disturbance(*drop_percent, delays)),
        None => link,
    }
}

pub fn disturbance(drop_percent: u64, delays: &[u64]) -> Disturbance {
    Disturbance { drop_percent, delays: delays.to_vec(), severity: 1, seen: 0 }
}

fn link_all(plan: &Plan, graph: &mut Graph, composites: &[ComponentRef], models: &[ComponentRef]) {
    // Ports of composites that were made: by (whether an entry, number).
    let mut made: BTreeMap<(bool, usize), (ComponentRef, String)> = BTreeMap::new();
    for (number, link) in plan.links.iter().enumerate() {
        let mut at = (models[link.from.0], format!("out{}", link.from.1));
        let stages = [(link.exit, false, &plan.exits), (link.entry, true, &plan.entries)];
        for (used, is_entry, list) in stages {
            let Some(used) = used else { continue };
            if let Some(port) = made.get(&(is_entry, used)) {
                at = port.clone();
                continue;
            }
            let composite = composites[list[used].composite];
            let word = if is_entry { "entry" } else { "exit" };
            let port = format!("{word}{used}");
            let of = plan.models[link.from.0].outputs[link.from.1];
            composite_port(graph, composite, &port, of, is_entry);
            let carried = kernel_link(&format!("{word} {used}"), &list[used].stretch);
            graph.link(at.0.port(&at.1), composite.port(&port), carried).unwrap();
            made.insert((is_entry, used), (composite, port.clone()));
            at = (composite, port);
        }
        let input = format!("in{}", link.to.1);
        let mut carried = kernel_link(&format!("link {number}"), &link.stretch);
        if plan.selects(link) {
            let level = Selection::from_leaf::<f64>(Reading::LEVEL);
            carried = carried.select(level.expect("a number can be zero"));
        }
        graph.link(at.0.port(&at.1), models[link.to.0].port(&input), carried).unwrap();
    }
}

fn composite_port(g: &mut Graph, composite: ComponentRef, name: &str, of: PortType, input: bool) {
    let made = match (of, input) {
        (PortType::Note, true) => g.input::<Note>(composite, name, PortKind::Event),
        (PortType::Note, false) => g.output::<Note>(composite, name, PortKind::Event),
        (PortType::Real, true) => g.input::<f64>(composite, name, PortKind::Signal),
        (PortType::Real, false) => g.output::<f64>(composite, name, PortKind::Signal),
        (PortType::Reading, true) => g.input::<Reading>(composite, name, PortKind::Signal),
        (PortType::Reading, false) => g.output::<Reading>(composite, name, PortKind::Signal),
    };
    made.unwrap();
}
