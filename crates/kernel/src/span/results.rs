//! What a run leaves behind in each process, brought together at process 0.

use serde::{Deserialize, Serialize};

use super::Member;
use super::post::Lost;
use crate::engine::Sample;
use crate::outcome::{Fault, Statistics, WaitCounter};
use crate::profile::PartProfile;
use crate::simulation::Simulation;
use crate::time::Time;

/// What the run has cost a process so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Costs {
    instants: u64,
    internal: u64,
    external: u64,
    steps: u64,
    advances: u64,
    synchronisations: u64,
    /// Awaited process, times, nanoseconds.
    waits: Vec<(u64, u64, u64)>,
}

/// New values of an output, which is named by its component and port.
type News = ((u32, u16), Vec<(Time, Vec<u8>)>);

/// What a process has that process 0 has not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Results {
    costs: Costs,
    /// Digest of each observed output of its partition.
    digests: Vec<u64>,
    /// What recorded outputs have shown since.
    samples: Vec<News>,
}

impl Member {
    /// The profiles of all processes whose profile is known, given that of this one.
    pub fn profiles(&self, here: Vec<PartProfile>) -> Vec<PartProfile> {
        let others = self.profiles.iter().skip(1).cloned();
        if self.profiles.is_empty() { here } else { here.into_iter().chain(others).collect() }
    }

    pub fn add_costs_of_others(&self, statistics: &mut Statistics) {
        // What another process says may be anything.
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        for (waiting, costs) in self.costs.iter().enumerate() {
            add(&mut statistics.instants, costs.instants);
            add(&mut statistics.internal, costs.internal);
            add(&mut statistics.external, costs.external);
            add(&mut statistics.steps, costs.steps);
            add(&mut statistics.advances, costs.advances);
            add(&mut statistics.synchronisations, costs.synchronisations);
            let wait = |&(awaited, waits, nanoseconds): &(u64, u64, u64)| WaitCounter {
                waiting,
                awaited: awaited as usize,
                waits,
                nanoseconds,
            };
            statistics.waits.extend(costs.waits.iter().map(wait));
        }
    }
}

impl Simulation {
    /// Brings digests, samples and statistics to process 0.
    pub(super) fn gather(&mut self) -> Result<(), Fault> {
        let results = self.results();
        let Some(span) = &mut self.span else { return Ok(()) };
        let mut all = Vec::new();
        let gathered = span.agree(&results, |said: Vec<Results>| {
            all = said;
            Ok(())
        });
        gathered.map_err(|lost| span.lose(lost, self.now))?;
        for (from, results) in all.into_iter().enumerate().skip(1) {
            if let Err(lost) = self.take_results(from, results)
                && let Some(span) = &mut self.span
            {
                return Err(span.lose(lost, self.now));
            }
        }
        Ok(())
    }

    /// Brings profiles to process 0, at the very end. What cannot be had is left out: the run is over.
    pub(super) fn gather_profiles(&mut self) {
        let own = match self.is_here(0) {
            true => PartProfile::default(),
            false => self.profile().pop().unwrap_or_default(),
        };
        let Some(span) = &mut self.span else { return };
        let mut all = Vec::new();
        let count = span.count();
        let gathered = span.agree(&own, |said: Vec<PartProfile>| {
            let known = |part: PartProfile| {
                if part.is_plausible(count) { part } else { PartProfile::default() }
            };
            all = said.into_iter().map(known).collect();
            Ok(())
        });
        if gathered.is_ok() {
            span.profiles = all;
        }
    }

    /// What this process has that process 0 has not.
    fn results(&mut self) -> Results {
        let Some(number) = self.span.as_ref().map(|span| span.number()) else {
            return Results::default();
        };
        if number == 0 {
            return Results::default();
        }
        let statistics = self.statistics();
        let wait = |w: &WaitCounter| (w.awaited as u64, w.waits, w.nanoseconds);
        let costs = Costs {
            instants: statistics.instants,
            internal: statistics.internal,
            external: statistics.external,
            steps: statistics.steps,
            advances: statistics.advances,
            synchronisations: statistics.synchronisations,
            waits: statistics.waits.iter().map(wait).collect(),
        };
        let engine = &self.engines[number];
        let digests = engine.observation.ports.iter().map(|port| port.digest).collect();
        let mut samples = Vec::new();
        for &output in self.recorded_types.keys() {
            let kept = self.samples.get(&output).into_iter().flatten();
            let all = kept.chain(engine.samples_of(output));
            let Some(span) = &mut self.span else { break };
            let shown = span.shown.entry(output).or_default();
            let new = all.skip(*shown).map(|sample| (sample.time, sample.bytes.clone()));
            let new: Vec<_> = new.collect();
            *shown += new.len();
            if !new.is_empty() {
                samples.push((output, new));
            }
        }
        Results { costs, digests, samples }
    }

    fn take_results(&mut self, from: usize, results: Results) -> Result<(), Lost> {
        let Results { costs, digests, samples } = results;
        let ports = &mut self.engines[from].observation.ports;
        let known = samples.iter().all(|(output, _)| self.recorded_types.contains_key(output));
        if ports.len() != digests.len() || !known {
            return Err(Lost::nonsense(from, "it has recorded something else"));
        }
        for (port, digest) in ports.iter_mut().zip(digests) {
            port.digest = digest;
        }
        for (output, new) in samples {
            let sample = |(time, bytes)| Sample { time, bytes };
            self.keep_samples(output, new.into_iter().map(sample).collect());
        }
        if let Some(span) = &mut self.span {
            span.costs[from] = costs;
        }
        Ok(())
    }
}
