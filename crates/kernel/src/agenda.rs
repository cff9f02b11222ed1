//! Steps at instants of their own: a model that keeps no grid, because something else decides when it runs.

use std::fmt;
use std::sync::Arc;

use crate::error::GraphError;
use crate::graph::{ComponentRef, Graph};
use crate::time::Time;

/// When a periodic model steps: a function of the number of the step and nothing else, so that a run can be
/// taken up anywhere.
pub trait Agenda: fmt::Debug + Send + Sync {
    /// The instant of step `k`; later for a greater `k`, and never after the last one.
    fn tick(&self, k: u64) -> Time;

    /// The number of the first step at or after `t`.
    fn first_tick_from(&self, t: Time) -> u64;
}

/// An agenda as all that need it hold it.
pub(crate) type SharedAgenda = Arc<dyn Agenda>;

impl Graph {
    /// Lets a periodic component step at the instants of an agenda. Its rate is then what it is built with,
    /// and no longer decides when it steps; nor does an action that changes the rate.
    pub fn set_agenda(
        &mut self,
        component: ComponentRef,
        agenda: Arc<dyn Agenda>,
    ) -> Result<(), GraphError> {
        self.periodic_mut(component)?.agenda = Some(agenda);
        Ok(())
    }
}
