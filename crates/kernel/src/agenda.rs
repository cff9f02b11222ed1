//! Steps at instants of their own: a model that keeps no grid, because something else decides when it runs.

use std::fmt;
use std::sync::Arc;

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
