//! Why an engine cannot go on: a fault, a stop, or an instant that does not end.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Engine, RouteKind};
use crate::context::Failure;
use crate::outcome::Fault;
use crate::time::{Duration, Time};

/// Why an engine cannot go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Halt {
    Fault(Fault),
    Stop { at: Time, monitor: String },
}

impl Halt {
    pub fn at(&self) -> Time {
        match self {
            Halt::Fault(fault) => fault.at(),
            Halt::Stop { at, .. } => *at,
        }
    }

    /// From here on nothing that was recorded counts: the instant of a stop does, that of a fault,
    /// which was not finished, does not.
    pub fn first_discarded(&self) -> Time {
        match self {
            Halt::Fault(fault) => fault.at(),
            Halt::Stop { at, .. } => *at + Duration::EPSILON,
        }
    }
}

/// A place in an instant that means the same in every placement: units that share a partition make
/// their cycles side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// 0 for everything that is due; then one for each time that run-ahead models show something.
    pub round: u32,
    pub phase: u8,
    /// Cycle of the phase.
    pub cycle: u32,
}

impl Place {
    pub const LAST: Place = Place { round: u32::MAX, phase: u8::MAX, cycle: u32::MAX };
}

impl Engine {
    /// Counts a cycle of this phase and refuses to count for ever: past the limit it takes down who
    /// is active for some more cycles, then gives up.
    #[inline]
    pub(super) fn begin_cycle(&mut self) -> Result<(), Halt> {
        self.cycle += 1;
        self.place.cycle += 1;
        if self.place.cycle <= self.cycle_limit { Ok(()) } else { self.suspect() }
    }

    #[cold]
    pub(super) fn suspect(&mut self) -> Result<(), Halt> {
        self.suspects.extend(self.imminent.iter().chain(&self.receivers));
        if self.place.cycle <= self.cycle_limit.saturating_add(64) {
            return Ok(());
        }
        Err(self.endless(self.cycle_limit.saturating_add(1)))
    }

    #[cold]
    pub(super) fn endless(&self, cycles: u32) -> Halt {
        // Of several units that do not end, the first by path.
        let mut unit: BTreeSet<u32> = self.suspects.first().copied().into_iter().collect();
        loop {
            let before = unit.len();
            for &node in &self.suspects {
                let slots = self.slots_of(node).flat_map(|slot| {
                    let slot = slot as usize;
                    &self.routes
                        [self.route_start[slot] as usize..self.route_start[slot + 1] as usize]
                });
                let targets: Vec<u32> = slots
                    .map(|route| match route.kind {
                        RouteKind::Bag => route.target,
                        RouteKind::Pipe => self.pipes[route.target as usize].target,
                    })
                    .filter(|target| self.suspects.contains(target))
                    .collect();
                if unit.contains(&node) || targets.iter().any(|target| unit.contains(target)) {
                    unit.insert(node);
                    unit.extend(targets);
                }
            }
            if unit.len() == before {
                break;
            }
        }
        let components = unit.iter().take(10).map(|&node| self.paths.path(node)).collect();
        Halt::Fault(Fault::EndlessInstant { at: self.now, cycles, components })
    }

    /// Who is being called, for messages.
    pub fn in_hand(&self) -> String {
        match self.looking {
            Some(monitor) => format!("monitor {}", self.observation.monitors[monitor].name),
            None => self.paths.path(self.current),
        }
    }

    /// Ends the run if the model that was just called said so.
    #[inline]
    pub(super) fn check_failure(&mut self) -> Result<(), Halt> {
        if self.surroundings.failure.is_none() { Ok(()) } else { self.failed() }
    }

    #[cold]
    pub(super) fn failed(&mut self) -> Result<(), Halt> {
        let Some(Failure { at, reason }) = self.surroundings.failure.take() else { return Ok(()) };
        let component = self.paths.path(self.current);
        Err(Halt::Fault(Fault::Failed { component, at: at.unwrap_or(self.now), reason }))
    }
}
