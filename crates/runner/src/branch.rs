//! Branches: what several runs have in common is run once, stands still in memory, and each of them goes on from there.
//!
//! ```text
//! trunk ───────────────┬──► branch, recorded and judged from its beginning on
//!   run and seen once  ├──► branch
//!                      └──► branch
//! ```
//!
//! A branch gives the same bits as a whole run to which the same is done: what the trunk showed is shown to the
//! recording and the judges of each branch again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ironbird_kernel::{Batch, CheckpointError, Outcome, Sink, Snapshot, Time};

use crate::interrupt::Interrupt;
use crate::prepare::{Prepared, prepare};
use crate::processes::coming_and_going;
use crate::pulse::Pulse;
use crate::run::{Job, Progress, RunError};

/// How long the trunk runs between two looks at who wants to end it.
const STRETCH: ironbird_kernel::Duration = ironbird_kernel::Duration::from_ms(100);

/// Why runs cannot branch.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// Something in it cannot be copied.
    #[error("the run cannot branch: {0}")]
    Snapshot(#[from] CheckpointError),
    /// It is over before.
    #[error("the run ends at {at}, before it is to branch: {how}")]
    EndsBefore {
        /// When it ended.
        at: Time,
        /// How.
        how: String,
    },
    /// It starts programs.
    #[error("the run cannot branch: it starts \"{name}\", and programs cannot be copied with it")]
    StartsPrograms {
        /// The first of them.
        name: String,
    },
    /// Components come or go.
    #[error("{what} \"{component}\" at {at}: components cannot come and go in a run that branches")]
    ComesAndGoes {
        /// What is done.
        what: &'static str,
        /// To whom.
        component: String,
        /// When.
        at: Time,
    },
    /// There is nothing to share.
    #[error("runs branch after their first instant and before their end, at {end}")]
    NotInside {
        /// The end.
        end: Time,
    },
    /// A branch is to change what it shares with others.
    #[error(
        "what is done to a branch at {at} would change what it shares with the others, which is run to {branched}"
    )]
    DoneBefore {
        /// When it is to be done.
        at: Time,
        /// Where they part.
        branched: Time,
    },
}

/// One batch that a partition showed: which partition, of how many, and up to when.
#[derive(Clone, Debug)]
struct Seen {
    partition: usize,
    partitions: usize,
    batch: Batch,
    until: Time,
}

/// A run that stands still, and what was seen of it.
#[derive(Debug)]
pub struct Trunk {
    snapshot: Snapshot,
    seen: Vec<Seen>,
}

#[derive(Default)]
struct Keeps(Mutex<Vec<Seen>>);

impl Sink for Keeps {
    fn take(&self, partition: usize, partitions: usize, batch: Batch, until: Time) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(Seen { partition, partitions, batch, until });
    }
}

impl Trunk {
    /// Runs a job up to `at`, and lets it stand still there.
    pub fn grow(
        job: &Job<'_>,
        at: Time,
        interrupt: &Interrupt,
        report: &mut dyn FnMut(Progress),
    ) -> Result<Trunk, RunError> {
        if let Some((what, component, at)) =
            coming_and_going(&job.experiment.scenarios[job.scenario])
        {
            return Err(BranchError::ComesAndGoes { what, component, at }.into());
        }
        if let Some(program) = job.experiment.programs.list.first() {
            return Err(BranchError::StartsPrograms { name: program.name.clone() }.into());
        }
        let Prepared { mut simulation, taps, end, .. } = prepare(job, interrupt, None, None)?;
        if at == Time::ZERO || at >= end {
            return Err(BranchError::NotInside { end }.into());
        }
        let keeps = Arc::new(Keeps::default());
        simulation.observe(taps.taps, keeps.clone())?;
        let mut pulse = Pulse::new(&simulation);
        interrupt.watch(simulation.pause_handle());
        while simulation.now() < at {
            let outcome = simulation.run_until((simulation.now() + STRETCH).min(at))?;
            let now = simulation.now();
            let (speed, held_back_by) = pulse.look(Instant::now(), now, &simulation.waits());
            report(Progress { now, end: at, speed, held_back_by });
            let how = match outcome {
                Outcome::Reached(_) if !interrupt.is_requested() => continue,
                Outcome::Reached(_) | Outcome::Paused(_) => "it was interrupted".to_owned(),
                Outcome::Stopped { .. } => "a stop condition holds".to_owned(),
                Outcome::Faulted(fault) => fault.to_string(),
            };
            interrupt.let_go();
            return Err(BranchError::EndsBefore { at: now, how }.into());
        }
        interrupt.let_go();
        let snapshot = simulation.snapshot().map_err(BranchError::Snapshot)?;
        drop(simulation);
        let seen = std::mem::take(&mut *keeps.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Trunk { snapshot, seen })
    }

    /// Where branches begin: what happens at this instant is already theirs.
    pub fn time(&self) -> Time {
        self.snapshot.time()
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Shows a sink what was seen so far.
    pub(crate) fn show(&self, sink: &dyn Sink) {
        for Seen { partition, partitions, batch, until } in &self.seen {
            sink.take(*partition, *partitions, batch.clone(), *until);
        }
    }
}
