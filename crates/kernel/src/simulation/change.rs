//! What happens to a system at given instants: actions of the scenario, and changes of the system itself.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{BuildError, Simulation};
use crate::action::{Action, ScheduledAction};
use crate::error::GraphError;
use crate::graph::Graph;
use crate::time::Time;

impl Simulation {
    /// Lets something happen to the system at an instant that has not passed. Actions of one
    /// instant happen in the order in which they were scheduled. The component may be one that an
    /// edit adds before; where it is not there at the instant, nothing happens.
    pub fn schedule(&mut self, at: Time, action: Action) -> Result<(), GraphError> {
        self.schedule_all(vec![(at, action)])
    }

    /// As [`Simulation::schedule`], for several actions, of which all happen or none.
    pub fn schedule_all(&mut self, actions: Vec<(Time, Action)>) -> Result<(), GraphError> {
        for (at, action) in &actions {
            if *at < self.now {
                let path = action.target().into();
                return Err(GraphError::TooLate { path, at: *at, now: self.now });
            }
            match self.check_action(action) {
                Err(GraphError::NoSuchComponent { .. }) if self.is_edited_by(*at) => {}
                checked => checked?,
            }
        }
        for (at, action) in actions {
            if self.span.is_some() {
                let text = format!("{at:?} {action:?}");
                self.scheduled = xxh3_64_with_seed(text.as_bytes(), self.scheduled);
            }
            let place = self.script.partition_point(|other| other.at <= at);
            self.script.insert(place, ScheduledAction { at, action });
        }
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

    pub(super) fn apply_edits(&mut self) -> Result<(), BuildError> {
        let mut edited = false;
        while self.edits.first().is_some_and(|(at, _)| *at <= self.now) {
            let (_, edit) = self.edits.remove(0);
            edit(&mut self.graph)?;
            edited = true;
        }
        if edited {
            self.review_turns()?;
            self.rebuild()?;
        }
        Ok(())
    }
}
