//! A run in single steps.

use super::{BuildError, Simulation};
use crate::outcome::Outcome;
use crate::partition::{Stretch, run_one_instant};
use crate::time::{Duration, Time};

impl Simulation {
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
            Stretch::Paused(at) | Stretch::Late(at) => {
                self.come_to(at);
                Ok(Outcome::Reached(at))
            }
            Stretch::Halted(halt) => Ok(self.end(halt)),
        }
    }

    /// Brings all models to one partition, or back to where they are placed.
    pub(super) fn run_alone(&mut self, alone: bool) -> Result<(), BuildError> {
        if self.alone != alone {
            self.alone = alone;
            if alone && self.engines.len() == 1 {
                return Ok(());
            }
            self.rebuild()?;
        }
        Ok(())
    }
}
