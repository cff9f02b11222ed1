//! What can go wrong, and where.

use ironbird_kernel::{Duration, Time};

use crate::block::Function;

/// Why a solver cannot go on, or refuses what it was given.
///
/// An error of [`Solver::advance`](crate::Solver::advance) is final: the solver stands in the middle
/// of the event that failed, can still be asked about it, and answers every attempt to go on with
/// the same error. A refusal ([`Past`](Error::Past), [`Ahead`](Error::Ahead), `Unknown..` of an
/// argument) changes nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A method name that does not exist.
    #[error("there is no method `{name}`; choose one of {}", crate::Method::names())]
    UnknownMethod {
        /// What was asked for.
        name: String,
    },
    /// A setting outside its range.
    #[error("{setting} must be {expected}, not {value}")]
    BadSetting {
        /// Which setting.
        setting: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it was.
        value: f64,
    },
    /// A function of the block gave NaN or an infinity, or has such a derivative in time.
    #[error("{function} is not finite at {at}: {value}")]
    NotFinite {
        /// Which function.
        function: Function,
        /// What came out.
        value: f64,
        /// When.
        at: Time,
    },
    /// A state is NaN or infinite: it began so, was set so, or overflowed.
    #[error("state {state} is not finite at {at}: {value}")]
    StateNotFinite {
        /// Which state.
        state: usize,
        /// Its value.
        value: f64,
        /// When.
        at: Time,
    },
    /// An input was set to a trajectory with NaN or an infinity in it.
    #[error("input {input} is not finite at {at}")]
    InputNotFinite {
        /// Which input.
        input: usize,
        /// When.
        at: Time,
    },
    /// The step that the tolerance asks for is below the resolution of time.
    #[error(
        "at {at} the tolerance asks for a step below 1 ps; state {state} has the largest error. \
         The block may be stiff or discontinuous there"
    )]
    StepUnderflow {
        /// The state with the largest error.
        state: usize,
        /// When.
        at: Time,
    },
    /// A crossing function fires over and over while time stands still.
    #[error(
        "crossing {crossing} fired {times} times within {window} at {at}; \
         give it hysteresis, or a discrete state in which it rests"
    )]
    Chatter {
        /// Which crossing function.
        crossing: usize,
        /// How many events there were.
        times: u32,
        /// How close together they were.
        window: Duration,
        /// When.
        at: Time,
    },
    /// After its time event the block named an instant that is not later.
    #[error("after the time event at {at} the next one must be later, not at {next}")]
    TimeEventNotLater {
        /// The event that was handled.
        at: Time,
        /// What the block named next.
        next: Time,
    },
    /// A state that does not exist.
    #[error("there is no state {state}; the block has {states}")]
    UnknownState {
        /// What was asked for.
        state: usize,
        /// How many there are.
        states: usize,
    },
    /// An input that does not exist.
    #[error("there is no input {input}; the block has {inputs}")]
    UnknownInput {
        /// What was asked for.
        input: usize,
        /// How many there are.
        inputs: usize,
    },
    /// Two ports would set the same input.
    #[error("input {input} has two ports, `{first}` and `{second}`")]
    InputTaken {
        /// Which input.
        input: usize,
        /// The port that it has.
        first: String,
        /// The port that was to be added.
        second: String,
    },
    /// A crossing function that does not exist.
    #[error("there is no crossing {crossing}; the block has {crossings}")]
    UnknownCrossing {
        /// What was asked for.
        crossing: usize,
        /// How many there are.
        crossings: usize,
    },
    /// An input or a question about an instant that is already over.
    #[error("{asked} is over; the solver has advanced to {now}")]
    Past {
        /// The instant asked about.
        asked: Time,
        /// Where the solver is.
        now: Time,
    },
    /// An input or a question about an instant before which events are still due.
    #[error("{asked} is not reached yet: the next event is at {next}; advance first")]
    Ahead {
        /// The instant asked about.
        asked: Time,
        /// The first event that has to happen before.
        next: Time,
    },
    /// A saved state that belongs to another block, or is damaged.
    #[error("the saved state does not fit: {what} has {found} entries, not {expected}")]
    BadSave {
        /// Which part.
        what: &'static str,
        /// How many entries it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
}
