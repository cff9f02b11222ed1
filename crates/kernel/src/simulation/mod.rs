//! A system that runs: built from a graph, advanced in stretches, saved, changed, observed.

mod change;
mod look;
mod observe;
mod port_values;
mod step;
mod turns;

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use crate::action::ScheduledAction;
use crate::checkpoint::{Checkpoint, CheckpointError, Snapshot, StateWriter};
use crate::engine::{Assembly, Engine, Fabric, Halt, Parcels, Sample, assemble, combine};
use crate::error::GraphError;
use crate::event_queue::QueueRegime;
use crate::flatten::Flat;
use crate::graph::Graph;
use crate::influence::Influence;
use crate::outcome::{Fault, Outcome, Statistics, WaitCounter};
use crate::partition::{Limits, PauseHandle, Stretch, run_stretch};
use crate::placement::{Placed, Placement, PlacementReport, place};
use crate::profile::{Profiling, Recorder};
use crate::random::Seed;
use crate::sharing::{Chooser, Sharing};
use crate::span::Member;
use crate::stream::{Sink, Tap};
use crate::time::Time;
use crate::value::Schema;

pub use look::Look;
pub use observe::SampleError;
pub use port_values::PortValues;

/// How a system is run. None of this changes a result, except the seed.
#[derive(Clone, Debug)]
pub struct Options {
    /// What all random numbers are derived from.
    pub seed: Seed,
    /// How models are spread over threads.
    pub placement: Placement,
    /// Whether these threads always advance the system, or only where that pays.
    pub sharing: Sharing,
    /// Periodic components of one grid step as a group.
    pub fused: bool,
    /// How the event queue works.
    pub queue: QueueRegime,
    /// Hash every output; see [`Simulation::digest`].
    pub digest: bool,
    /// Cycles after which an instant counts as endless.
    pub cycle_limit: u32,
    /// Keep the initial state of every component that can save itself, for [`crate::Action::Reset`].
    pub resettable: bool,
    /// What is kept of where the time on the wall goes; see [`Simulation::profile`].
    pub profile: Profiling,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: Seed::default(),
            placement: Placement::AtMost(1),
            sharing: Sharing::default(),
            fused: true,
            queue: QueueRegime::Adaptive,
            digest: false,
            cycle_limit: 100_000,
            resettable: true,
            profile: Profiling::Off,
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
    /// How often the system was put together.
    assembly: u64,
    /// One partition advances the system: while single steps are made, or where several do not pay.
    alone: bool,
    /// Chooses that, if it is to be measured, and what placement came to without it.
    chooser: Option<(Chooser, PlacementReport)>,
    killed: Option<(usize, Time)>,
    /// Profiles of partitions that have no engine at present.
    pub(crate) recorders: Vec<Option<Box<Recorder>>>,
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
            assembly: 0,
            alone: false,
            chooser: None,
            killed: None,
            recorders: Vec::new(),
            span,
        };
        simulation.review_turns()?;
        let (flat, placed) = simulation.shape()?;
        simulation.compare_with_others(&flat, &placed)?;
        let parcels = parcels(&mut simulation.graph, &flat);
        let begun = Instant::now();
        simulation.assemble(&flat, &placed, parcels)?;
        if let Some((chooser, _)) = &mut simulation.chooser {
            chooser.assembled(begun.elapsed());
        }
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
        self.assembly += 1;
        for engine in &mut self.engines {
            engine.surroundings.abandoned = self.pause.abandoned().clone();
        }
        self.fabric = fabric;
        self.report = placed.report.clone();
        self.plan_taps(flat, &sites)?;
        self.plan_monitors(flat, &sites)?;
        self.plan_actions(flat, &sites)?;
        self.attach_recorders();
        self.graph.forget_index();
        Ok(())
    }

    /// The paths of the components that a partition advances.
    pub fn components_of(&self, partition: usize) -> Vec<String> {
        if self.chooser.is_some() {
            return self.placed_in(partition);
        }
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

    /// Advances until everything before `until` has happened.
    pub fn run_until(&mut self, until: Time) -> Result<Outcome, BuildError> {
        if let Some(outcome) = &self.ended {
            return Ok(outcome.clone());
        }
        if self.span.is_some() {
            return self.run_in_span(until);
        }
        while self.now < until {
            self.prepare_stretch()?;
            let turn = self.next_turn()?;
            let edit = self.edits.first().map_or(Time::NEVER, |(at, _)| *at);
            let end = until.min(edit);
            let (begun, from) = (Instant::now(), self.now);
            let stretch = run_stretch(
                &mut self.engines,
                &self.fabric,
                &Limits {
                    from,
                    end,
                    wall: turn.map(|(_, wall)| wall),
                    pause: &self.pause,
                    killed: self.killed,
                },
                &mut self.statistics.waits,
                &mut self.statistics.synchronisations,
            );
            if let (Some((chooser, _)), Some((way, limit))) = (&mut self.chooser, turn) {
                let to = match &stretch {
                    Stretch::Paused(at) | Stretch::Late(at) => *at,
                    Stretch::Reached | Stretch::Halted(_) => end,
                };
                chooser.learn(way, limit, begun.elapsed(), to.since(from));
            }
            match stretch {
                Stretch::Reached => self.come_to(end),
                Stretch::Late(at) => self.come_to(at),
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
        (statistics.placement, statistics.sharing) = self.placement();
        for engine in &self.engines {
            add_counters(&mut statistics, engine);
        }
        if let Some(span) = &self.span {
            span.add_costs_of_others(&mut statistics);
        }
        statistics
    }

    /// Who has waited for whom so far.
    pub fn waits(&self) -> Vec<WaitCounter> {
        let mut statistics =
            Statistics { waits: self.statistics.waits.clone(), ..Statistics::default() };
        if let Some(span) = &self.span {
            span.add_costs_of_others(&mut statistics);
        }
        statistics.waits
    }

    /// Saves the run. Names the components that cannot save themselves.
    pub fn checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        self.refuse_in_span("a checkpoint")?;
        crate::restore::save(self, StateWriter::default)
    }

    /// Keeps the run as it stands in memory, with models that no file could hold. Names those that cannot be kept
    /// either.
    pub fn snapshot(&self) -> Result<Snapshot, CheckpointError> {
        self.refuse_in_span("a snapshot")?;
        crate::restore::save(self, StateWriter::for_memory).map(Snapshot)
    }

    /// Goes on from a snapshot with a graph of the same shape, under any placement; others may go on from it too.
    pub fn from_snapshot(
        graph: Graph,
        options: Options,
        snapshot: &Snapshot,
    ) -> Result<Self, CheckpointError> {
        crate::restore::restore(graph, options, &snapshot.0)
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

    /// Builds engines anew around the running models.
    fn rebuild(&mut self) -> Result<(), BuildError> {
        let (flat, placed) = self.shape()?;
        let mut parcels = Parcels::default();
        self.statistics = {
            let mut statistics = std::mem::take(&mut self.statistics);
            self.engines.iter().for_each(|engine| add_counters(&mut statistics, engine));
            statistics
        };
        self.detach_recorders();
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
