//! Where the time on the wall goes: who computes, who waits for whom, what goes over links.
//!
//! Nothing of this enters a result. It is off unless [`crate::Options::profile`] asks for it, and costs
//! about a hundredth of the time when it is on:
//!
//! - calls of models, messages and waits are counted, all of them;
//! - the clock is read in some instants only, around every call in them. An instant is chosen with
//!   probability 1/w, at distances that follow no rhythm, and what is measured counts w times (the
//!   Horvitz-Thompson estimator of a sum). w is such that this takes a sixth of a hundredth of
//!   the time: 1 where models work for microseconds, hundreds where they take nanoseconds. A
//!   call of more than a millisecond among instants that are much quicker counts once, until its model
//!   has made several: it is likelier that the operating system gave the core to somebody else.
//! - what happens over time is kept in a bounded number of moments: where there is no room, every second
//!   one goes, and those to come are twice as far apart.

mod choice;
mod over_time;
mod recorder;

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::simulation::Simulation;
use crate::time::Time;
pub(crate) use over_time::{MOMENTS, WAITS};
pub(crate) use recorder::{Names, Recorder};

/// How much is kept of where the time on the wall goes. None of it changes a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profiling {
    /// Nothing but sums of waiting.
    #[default]
    Off,
    /// Shares, calls, messages, and how they change.
    Shares,
    /// Also when each wait began and ended.
    Timeline,
}

/// What a component cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComponentCost {
    /// Path of the component.
    pub path: String,
    /// Transitions, steps and advances that it made.
    pub calls: u64,
    /// Wall time in nanoseconds that they took, with the delivery of what was written: an estimate.
    pub computing: u64,
    /// For whom outside of the simulation it waited meanwhile, and for how many nanoseconds, which are not among
    /// those of computing.
    pub waited: Option<(String, u64)>,
}

/// What went over a link. A signal that is read in place, at the instant of its writing, goes over none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkLoad {
    /// The output: path and port.
    pub from: String,
    /// The input: path and port.
    pub to: String,
    /// Messages, or values of a signal, that were sent.
    pub sent: u64,
}

/// How far a partition was at a moment. Sums are since the beginning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Nanoseconds since the partition began.
    pub wall: u64,
    /// Simulated time that it had reached.
    pub now: Time,
    /// Nanoseconds of computing.
    pub computing: u64,
    /// Nanoseconds of waiting, by awaited partition.
    pub waited: Vec<u64>,
}

/// A time in which a partition did not compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// From when, in nanoseconds since the partition began.
    pub from: u64,
    /// Until when.
    pub until: u64,
    /// For which partition it waited; `None` between two stretches of the run.
    pub awaited: Option<u32>,
}

/// What one partition did with its time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartProfile {
    /// When its first stretch began, in nanoseconds since 1970.
    pub began: u64,
    /// Nanoseconds from then to the end of its last stretch.
    pub wall: u64,
    /// Nanoseconds of computing: all in stretches that is not waiting.
    pub computing: u64,
    /// Nanoseconds of waiting, by awaited partition. For itself it waits where nothing can arrive.
    pub waited: Vec<u64>,
    /// Its components, in their order.
    pub components: Vec<ComponentCost>,
    /// Links from its components, in the order of their names.
    pub links: Vec<LinkLoad>,
    /// How it went, in the order of time.
    pub moments: Vec<Moment>,
    /// When it waited, in the order of time; see [`Profiling::Timeline`].
    pub waits: Vec<Wait>,
    /// Waits that are shorter, in nanoseconds, are not among these.
    pub shortest_wait: u64,
}

impl PartProfile {
    /// Whether it can be of a partition of a system with so many.
    pub(crate) fn is_plausible(&self, partitions: usize) -> bool {
        let fits = |waited: &Vec<u64>| waited.len() <= partitions;
        fits(&self.waited)
            && self.moments.len() <= MOMENTS
            && self.waits.len() <= WAITS
            && self.moments.iter().all(|moment| fits(&moment.waited))
            && self.waits.iter().all(|wait| wait.awaited.is_none_or(|a| (a as usize) < partitions))
    }
}

/// What a partition did, and for whom outside its models waited.
fn profile_of(engine: &Engine) -> Option<PartProfile> {
    let mut profile = engine.recorder.as_ref()?.profile();
    for (local, node) in (0..).zip(&engine.nodes) {
        let Some((awaited, waited)) = node.model.as_model().waited() else { continue };
        let path = engine.paths.path(local);
        if let Some(cost) = profile.components.iter_mut().find(|cost| cost.path == path) {
            cost.computing = cost.computing.saturating_sub(waited);
            cost.waited = Some((awaited, waited));
        }
    }
    Some(profile)
}

impl Simulation {
    /// Where the time on the wall went so far, by partition; nothing unless [`crate::Options::profile`]
    /// asks for it. Of other processes it is there after [`Simulation::dismiss`].
    pub fn profile(&self) -> Vec<PartProfile> {
        let engines = self.engines.iter().filter_map(profile_of);
        let kept = self.recorders.iter().flatten().map(|kept| kept.profile_at_rest(self.now));
        let here: Vec<PartProfile> = engines.chain(kept).collect();
        match &self.span {
            Some(span) if !here.is_empty() => span.profiles(here),
            _ => here,
        }
    }

    /// Lets recorders follow the engines that were built.
    pub(crate) fn attach_recorders(&mut self) {
        if self.options.profile == Profiling::Off {
            return;
        }
        let count = self.engines.len();
        self.recorders.resize_with(count.max(self.recorders.len()), || None);
        for number in 0..count {
            if !self.is_here(number) {
                continue;
            }
            let engine = &mut self.engines[number];
            let timeline = self.options.profile == Profiling::Timeline;
            let recorder = self.recorders[number].take();
            let mut recorder = recorder.unwrap_or_else(|| Box::new(Recorder::new(timeline)));
            recorder.attach(Names::of(engine, &self.graph), count);
            engine.recorder = Some(recorder);
        }
    }

    /// Takes recorders from engines that are about to go.
    pub(crate) fn detach_recorders(&mut self) {
        for (number, engine) in self.engines.iter_mut().enumerate() {
            if let Some(recorder) = engine.recorder.take() {
                self.recorders[number] = Some(recorder);
            }
        }
    }
}
