//! A system that runs: built from a graph, advanced in stretches, saved, changed, observed.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::action::{Action, ScheduledAction};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::engine::{
    Assembly, Engine, Fabric, Halt, Parcels, Sample, Sites, Taps, assemble, combine,
};
use crate::error::GraphError;
use crate::event_queue::QueueRegime;
use crate::flatten::Flat;
use crate::graph::Graph;
use crate::influence::Influence;
use crate::outcome::{Fault, Outcome, Statistics};
use crate::partition::{PauseHandle, Stretch, run_one_instant, run_stretch};
use crate::placement::{Placed, Placement, PlacementReport, place};
use crate::port::PortKind;
use crate::random::Seed;
use crate::span::Member;
use crate::stream::{Sampling, Sink, Tap};
use crate::time::{Duration, Grid, Time};
use crate::value::{DecodeError, Schema, Value, WireReader};

/// How a system is run. None of this changes a result, except the seed.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all random numbers are derived from.
    pub seed: Seed,
    /// How models are spread over threads.
    pub placement: Placement,
    /// Periodic components of one grid step as a group.
    pub fused: bool,
    /// How the event queue works.
    pub queue: QueueRegime,
    /// Hash every output; see [`Simulation::digest`].
    pub digest: bool,
    /// Cycles after which an instant counts as endless.
    pub cycle_limit: u32,
    /// Keep the initial state of every component that can save itself, for [`Action::Reset`].
    pub resettable: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: Seed::default(),
            placement: Placement::AtMost(1),
            fused: true,
            queue: QueueRegime::Adaptive,
            digest: false,
            cycle_limit: 100_000,
            resettable: true,
        }
    }
}

/// Why a simulation could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The system is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A model failed before the first instant.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A change of the system itself: components and links come and go.
type Edit = Box<dyn FnOnce(&mut Graph) -> Result<(), GraphError> + Send>;

/// A system that runs.
pub struct Simulation {
    pub(crate) graph: Graph,
    pub(crate) options: Options,
    pub(crate) engines: Vec<Engine>,
    pub(crate) fabric: Fabric,
    report: PlacementReport,
    pub(crate) now: Time,
    /// In the order of time, then as they were scheduled.
    pub(crate) script: Vec<ScheduledAction>,
    /// A hash of all that was ever scheduled, to compare with other processes.
    pub(crate) scheduled: u64,
    pub(crate) planned: bool,
    edits: Vec<(Time, Edit)>,
    pub(crate) ended: Option<Outcome>,
    pub(crate) pause: PauseHandle,
    pub(crate) statistics: Statistics,
    /// Digests and samples of components that were removed.
    pub(crate) retired: Vec<(String, Vec<u64>)>,
    /// Ports whose values are kept: component and output, by path and name.
    recorded: BTreeMap<(String, String), (u32, u16)>,
    pub(crate) recorded_types: BTreeMap<(u32, u16), (Schema, TypeId)>,
    sampled: BTreeSet<(u32, u16)>,
    pub(crate) samples: BTreeMap<(u32, u16), Vec<Sample>>,
    pub(crate) taps: Vec<Tap>,
    sink: Option<Arc<dyn Sink>>,
    /// Taps of components whose first values have been taken.
    tapped: BTreeSet<(u32, u32)>,
    /// While single steps are made.
    alone: bool,
    killed: Option<(usize, Time)>,
    /// The other processes, if this one advances one partition only.
    pub(crate) span: Option<Box<Member>>,
}

impl Simulation {
    /// Checks the graph, places its models and initialises them.
    pub fn new(graph: Graph, options: Options) -> Result<Self, BuildError> {
        Simulation::build(graph, options, Time::ZERO, None, |_, _| Parcels::default())
    }

    pub(crate) fn build(
        graph: Graph,
        options: Options,
        now: Time,
        span: Option<Box<Member>>,
        parcels: impl FnOnce(&mut Graph, &Flat) -> Parcels,
    ) -> Result<Self, BuildError> {
        let mut simulation = Simulation {
            graph,
            options,
            engines: Vec::new(),
            fabric: Fabric::default(),
            report: PlacementReport::default(),
            now,
            script: Vec::new(),
            scheduled: 0,
            planned: true,
            edits: Vec::new(),
            ended: None,
            pause: PauseHandle::default(),
            statistics: Statistics::default(),
            retired: Vec::new(),
            recorded: BTreeMap::new(),
            recorded_types: BTreeMap::new(),
            sampled: BTreeSet::new(),
            samples: BTreeMap::new(),
            taps: Vec::new(),
            sink: None,
            tapped: BTreeSet::new(),
            alone: false,
            killed: None,
            span,
        };
        let (flat, placed) = simulation.shape()?;
        simulation.compare_with_others(&flat, &placed)?;
        let parcels = parcels(&mut simulation.graph, &flat);
        simulation.assemble(&flat, &placed, parcels)?;
        Ok(simulation)
    }

    fn shape(&self) -> Result<(Flat, Placed), GraphError> {
        let flat = Flat::new(&self.graph)?;
        Influence::new(&self.graph, &flat)?.refuse_run_ahead_loops(&self.graph, &flat)?;
        let one = Placement::AtMost(1);
        let placement = if self.alone { &one } else { &self.options.placement };
        let placed = place(&self.graph, &flat, placement)?;
        Ok((flat, placed))
    }

    fn assemble(
        &mut self,
        flat: &Flat,
        placed: &Placed,
        parcels: Parcels,
    ) -> Result<(), BuildError> {
        self.graph.compact();
        let (engines, fabric, sites) = assemble(Assembly {
            graph: &mut self.graph,
            flat,
            placed,
            options: &self.options,
            sampled: &self.sampled,
            now: self.now,
            parcels,
            span: self.span.as_deref_mut(),
        })?;
        self.engines = engines;
        self.fabric = fabric;
        self.report = placed.report.clone();
        self.plan_taps(flat, &sites)?;
        self.plan_monitors(flat, &sites)?;
        self.plan_actions(flat, &sites)?;
        self.graph.forget_index();
        Ok(())
    }

    /// The paths of the components that a partition advances.
    pub fn components_of(&self, partition: usize) -> Vec<String> {
        let engine = self.engines.get(partition);
        let paths = |engine: &Engine| {
            let nodes = 0..engine.nodes.len() as u32;
            nodes.map(|node| engine.paths.path(node)).collect()
        };
        engine.map_or_else(Vec::new, paths)
    }

    /// The instant before which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The system's shape.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Lets something happen to the system at an instant that has not passed. Actions of one
    /// instant happen in the order in which they were scheduled. The component may be one that an
    /// edit adds before; where it is not there at the instant, nothing happens.
    pub fn schedule(&mut self, at: Time, action: Action) -> Result<(), GraphError> {
        if at < self.now {
            let path = action.target().into();
            return Err(GraphError::TooLate { path, at, now: self.now });
        }
        match self.check_action(&action) {
            Err(GraphError::NoSuchComponent { .. }) if self.is_edited_by(at) => {}
            checked => checked?,
        }
        if self.span.is_some() {
            let text = format!("{at:?} {action:?}");
            self.scheduled = xxh3_64_with_seed(text.as_bytes(), self.scheduled);
        }
        let place = self.script.partition_point(|other| other.at <= at);
        self.script.insert(place, ScheduledAction { at, action });
        self.planned = false;
        Ok(())
    }

    /// Whether the system may be another one at `at`.
    fn is_edited_by(&self, at: Time) -> bool {
        self.edits.first().is_some_and(|(edit, _)| *edit <= at)
    }

    /// Changes the system itself at an instant that has not passed, before anything else happens
    /// there. New components start then; links and components may be removed.
    pub fn edit_at(
        &mut self,
        at: Time,
        edit: impl FnOnce(&mut Graph) -> Result<(), GraphError> + Send + 'static,
    ) -> Result<(), GraphError> {
        self.refuse_in_span("a change of the system")?;
        if at < self.now {
            return Err(GraphError::TooLate { path: "the system".into(), at, now: self.now });
        }
        let place = self.edits.partition_point(|(other, _)| *other <= at);
        self.edits.insert(place, (at, Box::new(edit)));
        Ok(())
    }

    /// Streams outputs to a sink from now on, and when monitors respond. Replaces what was streamed
    /// before.
    pub fn observe(&mut self, taps: Vec<Tap>, sink: Arc<dyn Sink>) -> Result<(), BuildError> {
        for tap in &taps {
            match self.graph.output_of(&tap.component, &tap.port) {
                Err(GraphError::NoSuchComponent { .. }) if tap.transient => {}
                Err(error) => return Err(error.into()),
                Ok((component, port)) => {
                    let spec = &self.graph.layout_of(component).outputs[usize::from(port)];
                    if spec.kind == PortKind::Event && tap.sampling != Sampling::EveryWrite {
                        let (path, port) = (tap.component.clone(), tap.port.clone());
                        return Err(GraphError::SampledEvent { path, port }.into());
                    }
                }
            }
        }
        (self.taps, self.sink) = (taps, Some(sink));
        self.tapped.clear();
        self.rebuild()
    }

    fn plan_taps(&mut self, flat: &Flat, sites: &Sites) -> Result<(), GraphError> {
        let Some(sink) = &self.sink else { return Ok(()) };
        let partitions = self.engines.len();
        let here = self.span.as_ref().map(|span| span.number());
        let known = self.taps.len() + self.graph.monitors.len();
        let sink = match &mut self.span {
            None => sink.clone(),
            Some(span) => span.sink(sink, partitions, known, self.now),
        };
        for (number, engine) in self.engines.iter_mut().enumerate() {
            if here.is_none_or(|here| here == number) {
                engine.taps = Taps::new(sink.clone(), number, partitions, self.now);
            }
        }
        for (number, tap) in self.taps.iter().enumerate() {
            let (component, port) = match self.graph.output_of(&tap.component, &tap.port) {
                Err(GraphError::NoSuchComponent { .. }) if tap.transient => continue,
                found => found?,
            };
            let (partition, local) = sites.nodes[flat.node_of[component as usize] as usize];
            if here.is_some_and(|here| here != partition as usize) {
                continue;
            }
            let (number, engine) = (number as u32, &mut self.engines[partition as usize]);
            match tap.sampling {
                Sampling::EveryWrite => {
                    let fresh = self.tapped.insert((number, component));
                    engine.tap_writes(number, local, port, fresh);
                }
                Sampling::Every(rate) => {
                    engine.tap_at_ticks(number, local, port, Grid::new(Time::ZERO, rate));
                }
            }
        }
        Ok(())
    }

    /// Keeps every value of an output from now on; see [`Simulation::samples`].
    pub fn record(&mut self, path: &str, port: &str) -> Result<(), BuildError> {
        let key = self.graph.output_of(path, port)?;
        let value = self.graph.layout_of(key.0).outputs[usize::from(key.1)].value;
        self.recorded.insert((path.into(), port.into()), key);
        self.recorded_types.insert(key, (value.schema(), value.id()));
        if self.sampled.insert(key) {
            self.rebuild()?;
        }
        Ok(())
    }

    /// The kept values of an output and when they were written.
    pub fn samples<T: Value>(&self, path: &str, port: &str) -> Result<Vec<(Time, T)>, SampleError> {
        let name = (path.to_owned(), port.to_owned());
        let Some(&key) = self.recorded.get(&name) else {
            // Nobody recorded it: because it is not there?
            self.graph.output_of(path, port)?;
            return Err(SampleError::NotRecorded { path: path.into(), port: port.into() });
        };
        let (schema, id) = &self.recorded_types[&key];
        if *id != TypeId::of::<T>() {
            let (recorded, asked) = (schema.to_string(), T::schema().to_string());
            return Err(SampleError::OtherType { recorded, asked });
        }
        let mut samples: Vec<&Sample> = self.samples.get(&key).into_iter().flatten().collect();
        samples.extend(self.engines.iter().flat_map(|engine| engine.samples_of(key)));
        let decode = |sample: &Sample| {
            let value = T::decode(&mut WireReader::flat(&sample.bytes)?)?;
            Ok((sample.time, value))
        };
        samples.into_iter().map(decode).collect()
    }

    /// Advances until everything before `until` has happened.
    pub fn run_until(&mut self, until: Time) -> Result<Outcome, BuildError> {
        if let Some(outcome) = &self.ended {
            return Ok(outcome.clone());
        }
        if self.span.is_some() {
            return self.run_in_span(until);
        }
        self.run_alone(false)?;
        while self.now < until {
            self.prepare_stretch()?;
            let edit = self.edits.first().map_or(Time::NEVER, |(at, _)| *at);
            let end = until.min(edit);
            let stretch = run_stretch(
                &mut self.engines,
                &self.fabric,
                end,
                &self.pause,
                &mut self.statistics.waits,
                &mut self.statistics.synchronisations,
                self.killed,
            );
            match stretch {
                Stretch::Reached => self.come_to(end),
                Stretch::Paused(at) => {
                    self.come_to(at);
                    self.pause.clear();
                    return Ok(Outcome::Paused(at));
                }
                Stretch::Halted(halt) => return Ok(self.end(halt)),
            }
        }
        Ok(Outcome::Reached(self.now))
    }

    /// Advances by one instant: the next at which anything happens. Where nothing is left to happen,
    /// time stays where it is; where a run-ahead model shows nothing, it moves by a second. Steps are
    /// made on one thread; the answer is the same.
    pub fn step(&mut self) -> Result<Outcome, BuildError> {
        if let Some(outcome) = &self.ended {
            return Ok(outcome.clone());
        }
        self.refuse_in_span("single steps")?;
        self.run_alone(true)?;
        self.prepare_stretch()?;
        let edit = self.edits.first().map_or(Time::NEVER, |(at, _)| *at);
        let [engine] = self.engines.as_mut_slice() else {
            return Ok(Outcome::Reached(self.now));
        };
        if engine.floor().min(edit).is_never() {
            return Ok(Outcome::Reached(self.now));
        }
        // A processor that shows nothing is not run for ever.
        let end = match engine.next_time() {
            Time::NEVER => edit.min(self.now + Duration::from_secs(1)),
            known => edit.min(known + Duration::EPSILON),
        };
        match run_one_instant(engine, end) {
            Stretch::Reached if end == edit => {
                // The change of the system is what happens next.
                self.come_to(edit);
                self.prepare_stretch()?;
                let after = edit + Duration::EPSILON;
                let [engine] = self.engines.as_mut_slice() else { return self.run_until(after) };
                if let Stretch::Halted(halt) = run_one_instant(engine, after) {
                    return Ok(self.end(halt));
                }
                self.come_to(after);
                Ok(Outcome::Reached(after))
            }
            Stretch::Reached => {
                self.come_to(end);
                Ok(Outcome::Reached(end))
            }
            Stretch::Paused(at) => {
                self.come_to(at);
                Ok(Outcome::Reached(at))
            }
            Stretch::Halted(halt) => Ok(self.end(halt)),
        }
    }

    /// Brings all models to one partition, or back to where they are placed.
    fn run_alone(&mut self, alone: bool) -> Result<(), BuildError> {
        if self.alone != alone {
            self.alone = alone;
            if alone && self.engines.len() == 1 {
                return Ok(());
            }
            self.rebuild()?;
        }
        Ok(())
    }

    /// Applies edits that are due, and gives engines their actions.
    pub(crate) fn prepare_stretch(&mut self) -> Result<(), BuildError> {
        self.apply_edits()?;
        if !self.planned {
            let (flat, placed) = self.shape()?;
            let sites = self.sites(&flat, &placed);
            self.plan_actions(&flat, &sites)?;
        }
        Ok(())
    }

    /// Everything before `now` has happened, in all partitions.
    pub(crate) fn come_to(&mut self, now: Time) {
        self.now = now;
        self.engines.iter_mut().for_each(|engine| engine.hand_over(now));
    }

    pub(crate) fn end(&mut self, halt: Halt) -> Outcome {
        self.come_to(halt.first_discarded());
        self.now = halt.at();
        let outcome = match halt {
            Halt::Fault(fault) => Outcome::Faulted(fault),
            Halt::Stop { at, monitor } => Outcome::Stopped { at, monitor },
        };
        self.ended = Some(outcome.clone());
        outcome
    }

    /// What a signal output shows now, as bytes: the fixed part, then payloads. Nothing where there is no such
    /// signal in this process.
    pub fn signal(&self, path: &str, port: &str) -> Option<Vec<u8>> {
        let component = self.graph.get(path)?;
        let model = self.graph.model(component)?;
        let outputs = &self.graph.layouts[model.layout as usize].outputs;
        let signals = outputs.iter().filter(|spec| spec.kind == crate::port::PortKind::Signal);
        let place = signals.map(|spec| &*spec.name).position(|name| name == port)?;
        let engines = self.engines.iter().enumerate().filter(|(number, _)| self.is_here(*number));
        engines.map(|(_, engine)| engine).find_map(|engine| {
            let mut nodes = 0..engine.nodes.len() as u32;
            let node = nodes.find(|node| engine.paths.path(*node) == path)?;
            // In a checkpoint the length of the fixed part stands in front.
            engine.export(node).outputs.get(place)?.get(8..).map(<[u8]>::to_vec)
        })
    }

    /// A handle with which another thread can pause the run.
    pub fn pause_handle(&self) -> PauseHandle {
        self.pause.clone()
    }

    /// A hash of every output of every component with its times: the same for every placement.
    /// Needs [`Options::digest`].
    pub fn digest(&self) -> u64 {
        let mut all = self.retired.clone();
        for engine in &self.engines {
            for node in 0..engine.nodes.len() as u32 {
                let state = engine.export(node);
                all.push((engine.paths.path(node), state.digests));
            }
        }
        all.sort_by(|a, b| crate::path::compare_paths(&a.0, &b.0));
        combine(all.iter().flat_map(|(_, digests)| digests.iter().copied()))
    }

    /// What the run has cost so far.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.placement = self.report.clone();
        for engine in &self.engines {
            add_counters(&mut statistics, engine);
        }
        if let Some(span) = &self.span {
            span.add_costs_of_others(&mut statistics);
        }
        statistics
    }

    /// Saves the run. Names the components that cannot save themselves.
    pub fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        self.refuse_in_span("a checkpoint")?;
        crate::restore::save(self)
    }

    /// Goes on from a checkpoint with a graph of the same shape, under any placement.
    pub fn restore(
        graph: Graph,
        options: Options,
        checkpoint: &Checkpoint,
    ) -> Result<Self, CheckpointError> {
        crate::restore::restore(graph, options, checkpoint)
    }

    /// For tests of what happens when a thread vanishes: partition `partition` dies without a word
    /// at `at`.
    #[doc(hidden)]
    pub fn let_partition_die(&mut self, partition: usize, at: Time) {
        self.killed = Some((partition, at));
    }

    fn apply_edits(&mut self) -> Result<(), BuildError> {
        let mut edited = false;
        while self.edits.first().is_some_and(|(at, _)| *at <= self.now) {
            let (_, edit) = self.edits.remove(0);
            edit(&mut self.graph)?;
            edited = true;
        }
        if edited {
            self.rebuild()?;
        }
        Ok(())
    }

    /// Builds engines anew around the running models.
    fn rebuild(&mut self) -> Result<(), BuildError> {
        let (flat, placed) = self.shape()?;
        let mut parcels = Parcels::default();
        self.statistics = {
            let mut statistics = std::mem::take(&mut self.statistics);
            self.engines.iter().for_each(|engine| add_counters(&mut statistics, engine));
            statistics
        };
        let old = std::mem::take(&mut self.engines);
        let pending: BTreeSet<u32> = old.iter().flat_map(|engine| engine.taps.pending()).collect();
        self.tapped.retain(|(tap, _)| !pending.contains(tap));
        crate::restore::dissolve(self, old, &mut parcels);
        self.assemble(&flat, &placed, parcels)
    }

    pub(crate) fn retire(&mut self, path: String, digests: Vec<u64>) {
        if !digests.is_empty() {
            self.retired.push((path, digests));
        }
    }

    pub(crate) fn keep_samples(&mut self, key: (u32, u16), samples: Vec<Sample>) {
        self.samples.entry(key).or_default().extend(samples);
    }
}

pub(crate) fn add_counters(statistics: &mut Statistics, engine: &Engine) {
    statistics.instants += engine.counters.instants;
    statistics.internal += engine.counters.internal;
    statistics.external += engine.counters.external;
    statistics.steps += engine.counters.steps;
    statistics.advances += engine.counters.advances;
}

/// Why recorded values cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// There is no such port.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Nobody asked to record it.
    #[error("\"{path}.{port}\" was not recorded")]
    NotRecorded {
        /// Path of the component.
        path: String,
        /// Name of the output.
        port: String,
    },
    /// It holds values of another type.
    #[error("the recorded values are of type {recorded}, not {asked}")]
    OtherType {
        /// The type of the port.
        recorded: String,
        /// The type that was asked for.
        asked: String,
    },
    /// The kept bytes are not a value.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}
