//! A simulation as one process of several.

use serde::{Deserialize, Serialize};

use super::processes::Processes;
use super::{Member, Span};
use crate::context::Step;
use crate::engine::{Halt, Parcels, PipeEnd};
use crate::error::GraphError;
use crate::flatten::Flat;
use crate::graph::Graph;
use crate::model::{AnyModel, Model, Periodic};
use crate::outcome::{Fault, Outcome};
use crate::partition::{Stretch, Worker};
use crate::placement::Placed;
use crate::port::Ports;
use crate::profile::Profiling;
use crate::restore::fingerprint;
use crate::simulation::{BuildError, Options, Simulation};
use crate::time::Time;

/// What a process says of the next stretch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Wish {
    /// To before this instant.
    Until(Time),
    /// As far as process 0 says.
    AsTold,
    /// There is none; whether a profile is wanted.
    Dismissed { profiled: bool },
}

/// What is left here of a model of another process.
struct Elsewhere;

impl Model for Elsewhere {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Periodic for Elsewhere {
    fn step(&mut self, _: &mut Step<'_>) {}
}

impl Simulation {
    /// One process of several that run a system together; see [`Span`]. Returns when the models of all
    /// processes are initialised, and with the same error everywhere if one of them failed.
    pub fn new_in_span(graph: Graph, options: Options, span: Span) -> Result<Self, BuildError> {
        let Span { number, count, .. } = span;
        if number >= count {
            return Err(GraphError::NoSuchProcess { number, count }.into());
        }
        let member = Some(Box::new(Member::new(span)));
        let mut built =
            Simulation::build(graph, options, Time::ZERO, member, |_, _| Parcels::default())?;
        built.let_go_of_others();
        Ok(built)
    }

    /// Models of other processes are not needed here: what they hold is given back, such as memory, files
    /// and processes of user code.
    fn let_go_of_others(&mut self) {
        let here = self.span.as_ref().map(|span| span.number());
        let engines = self.engines.iter_mut().enumerate();
        for (_, engine) in engines.filter(|(number, _)| here.is_some_and(|here| here != *number)) {
            for node in &mut engine.nodes {
                node.model = AnyModel::Periodic(Box::new(Elsewhere));
            }
        }
    }

    /// Whether a partition is advanced by this process.
    pub(crate) fn is_here(&self, partition: usize) -> bool {
        self.span.as_ref().is_none_or(|span| span.number() == partition)
    }

    pub(crate) fn refuse_in_span(&self, what: &'static str) -> Result<(), GraphError> {
        if self.span.is_some() { Err(GraphError::NotInSpan { what }) } else { Ok(()) }
    }

    /// All processes of a span must have built the same system in the same way.
    pub(crate) fn compare_with_others(
        &mut self,
        flat: &Flat,
        placed: &Placed,
    ) -> Result<(), BuildError> {
        let Some(span) = &mut self.span else { return Ok(()) };
        let (partitions, processes) = (placed.report.partitions, span.count());
        if partitions > processes {
            return Err(GraphError::TooFewProcesses { partitions, processes }.into());
        }
        // What does not change a result may differ.
        let Options { seed, digest, cycle_limit, resettable, .. } = &self.options;
        let options = (seed, digest, cycle_limit, resettable, &placed.partition_of);
        let options = postcard::to_stdvec(&options).expect("plain data always serialises");
        let system = (fingerprint(&self.graph, flat), xxhash_rust::xxh3::xxh3_64(&options));
        let other = span.agree(&system, |all: Vec<(u64, u64)>| {
            Ok(all.iter().position(|other| *other != all[0]).map(|process| process as u64))
        });
        let what = "it has built another system, or was given other options".to_owned();
        match other {
            Ok(None) => Ok(()),
            Ok(Some(process)) => {
                Err(GraphError::ProcessesDiffer { process: process as usize, what }.into())
            }
            Err(lost) => Err(span.lose(lost, self.now).into()),
        }
    }

    /// As [`Simulation::run_until`], together with the other processes.
    pub(crate) fn run_in_span(&mut self, until: Time) -> Result<Outcome, BuildError> {
        if self.now >= until {
            return Ok(Outcome::Reached(self.now));
        }
        let outcome = self.stretch_in_span(Wish::Until(until))?;
        Ok(outcome.unwrap_or(Outcome::Reached(self.now)))
    }

    /// Runs as far as process 0 runs, as often as it does, until it dismisses the others; how the last
    /// stretch ended.
    pub fn follow(&mut self) -> Result<Outcome, BuildError> {
        let mut last = Outcome::Reached(self.now);
        while let Some(outcome) = self.stretch_in_span(Wish::AsTold)? {
            last = outcome;
            if matches!(last, Outcome::Faulted(Fault::ProcessLost { .. })) {
                break;
            }
        }
        Ok(last)
    }

    /// At process 0: lets those that follow go. Nothing where there are no others.
    pub fn dismiss(&mut self) {
        let lost = matches!(self.ended, Some(Outcome::Faulted(Fault::ProcessLost { .. })));
        if self.span.is_some() && !lost {
            // Who is gone needs not be told.
            let profiled = self.options.profile != Profiling::Off;
            let _ = self.stretch_in_span(Wish::Dismissed { profiled });
        }
    }

    /// One stretch, if process 0 wishes one.
    fn stretch_in_span(&mut self, wish: Wish) -> Result<Option<Outcome>, BuildError> {
        let prepared = self.prepare_stretch();
        let Some(span) = &mut self.span else { return Ok(None) };
        let ready = (wish, self.scheduled, prepared.is_ok());
        let told = span.agree(&ready, |all: Vec<(Wish, u64, bool)>| {
            let (wish, scheduled, _) = all[0];
            let refused = all.iter().position(|(.., prepared)| !prepared);
            let fits = |other: Wish| other == Wish::AsTold || other == wish;
            let mut others = all.iter();
            let other = || others.position(|other| !fits(other.0) || other.1 != scheduled);
            Ok((wish, refused.or_else(other).map(|process| process as u64)))
        });
        prepared?;
        let until = match told {
            Ok((Wish::Until(until), None)) => until,
            Ok((wish, None)) => {
                if wish == (Wish::Dismissed { profiled: true }) {
                    self.gather_profiles();
                }
                return Ok(None);
            }
            Ok((_, Some(process))) => {
                let process = process as usize;
                let what =
                    "it cannot go on, or not to the same instant with the same actions".into();
                return Err(GraphError::ProcessesDiffer { process, what }.into());
            }
            Err(lost) => {
                let fault = span.lose(lost, self.now);
                return Ok(Some(self.end(Halt::Fault(fault))));
            }
        };
        let outcome = match self.run_here(until) {
            Stretch::Reached => {
                self.come_to(until);
                Outcome::Reached(until)
            }
            Stretch::Paused(at) | Stretch::Late(at) => {
                self.come_to(at);
                self.pause.clear();
                Outcome::Paused(at)
            }
            Stretch::Halted(halt) => self.end(halt),
        };
        if matches!(outcome, Outcome::Faulted(Fault::ProcessLost { .. })) {
            return Ok(Some(outcome));
        }
        match self.gather() {
            Ok(()) => Ok(Some(outcome)),
            Err(fault) => {
                // What happened has happened; but not all of it is known here.
                let outcome = Outcome::Faulted(fault);
                self.ended = Some(outcome.clone());
                Ok(Some(outcome))
            }
        }
    }

    /// Runs the partition of this process to before `end`.
    fn run_here(&mut self, end: Time) -> Stretch {
        let Some(span) = &mut self.span else { return Stretch::Reached };
        let (number, count) = (span.number(), span.count());
        let mut sources = vec![usize::MAX; self.engines[number].pipes.len()];
        for (from, engine) in self.engines.iter().enumerate() {
            for pipe in &engine.pipes {
                if let PipeEnd::Remote { channel, pipe } = pipe.end
                    && usize::from(channel) == number
                {
                    sources[pipe as usize] = from;
                }
            }
        }
        let engine = self.engines.remove(number);
        let peers =
            Processes::new(&mut span.post, sources, &self.fabric, self.now, end, &self.pause);
        let worker = Worker::new(number, count, engine, peers).run();
        let statistics = &mut self.statistics;
        worker.add_costs(&mut statistics.waits, &mut statistics.synchronisations);
        let Worker { mut engine, peers, paused, .. } = worker;
        let halt = match peers.verdict() {
            Ok(None) => None,
            Ok(Some(halted)) => Some(halted.halt),
            Err(fault) => Some(Halt::Fault(fault)),
        };
        if let Some(halt) = &halt {
            engine.abandon();
            engine.discard_from(halt.first_discarded());
        }
        self.engines.insert(number, engine);
        match (halt, paused) {
            (Some(halt), _) => Stretch::Halted(halt),
            (None, Some(at)) => Stretch::Paused(at),
            (None, None) => Stretch::Reached,
        }
    }
}
