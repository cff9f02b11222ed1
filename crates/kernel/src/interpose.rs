//! Interposers: what sits on a link and changes, delays or drops what passes. Faults and timing
//! models are interposers; a link without one does not pay for the possibility.

use crate::action::{Parameter, ParameterError};
use crate::checkpoint::{LoadError, SaveError, StateReader, StateWriter};
use crate::random::RandomStream;
use crate::time::{Duration, Time};
use crate::value::AnyValue;

/// What becomes of a value on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It goes on, as it is now.
    Deliver,
    /// It is lost.
    Drop,
    /// It goes on after this much more than the link's latency.
    Delay(Duration),
}

/// Sits on a link. It sees every message of an event link and every write of a signal link, in the
/// order sent, and lives with the source.
pub trait Interposer: Send + 'static {
    /// Looks at a value, may change it, and decides its fate. `random` belongs to the link's name.
    fn pass(&mut self, now: Time, value: &mut dyn AnyValue, random: &mut RandomStream) -> Passage;

    /// A copy in the same state: one for each reader behind a link that fans out.
    fn replicate(&self) -> Box<dyn Interposer>;

    /// Changes a parameter (a fault's severity, say); a signal passes again with it at once.
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let _ = value;
        Err(ParameterError::Unknown { name: name.into() })
    }

    /// Writes parameters and state to a checkpoint.
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let _ = state;
        Err(SaveError::Unsupported)
    }

    /// Reads what `save` wrote.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let _ = state;
        Err(LoadError::Unsupported)
    }
}

/// An interposer on its link.
pub(crate) struct Interposed {
    /// Name of the link it sits on.
    pub link: String,
    pub interposer: Box<dyn Interposer>,
    pub random: RandomStream,
    /// The interposer of the next stretch, where a link passes several composites.
    pub next: Option<Box<Interposed>>,
}

impl Interposed {
    pub fn pass(&mut self, now: Time, value: &mut dyn AnyValue) -> Passage {
        let mut total = match self.interposer.pass(now, value, &mut self.random) {
            Passage::Drop => return Passage::Drop,
            Passage::Deliver => Duration::ZERO,
            Passage::Delay(delay) => delay,
        };
        if let Some(next) = &mut self.next {
            match next.pass(now, value) {
                Passage::Drop => return Passage::Drop,
                Passage::Deliver => {}
                Passage::Delay(delay) => total = total + delay,
            }
        }
        if total == Duration::ZERO { Passage::Deliver } else { Passage::Delay(total) }
    }

    /// The interposer of the stretch with this name.
    pub fn on_link(&mut self, link: &str) -> Option<&mut Interposed> {
        if self.link == link {
            return Some(self);
        }
        self.next.as_mut().and_then(|next| next.on_link(link))
    }
}
