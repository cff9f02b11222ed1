//! A run that people watch, and change, while it goes on.
//!
//! The runner knows nobody who watches: it shows an [`Audience`] how things are between two stretches, and does what it
//! asks for. What is asked for and can be seen by the system is a command of the experiment, done at an instant, and
//! recorded with it; done again at the same instants it gives the same bits. Pausing, stepping and pacing change nothing
//! that the system can see, and are not recorded.

mod changeable;
mod control;
mod several;
mod wishes;

use std::fmt;
use std::sync::Arc;
use std::time::Duration as Wall;

use ironbird_component::Registry;
use ironbird_experiment::Experiment;
use ironbird_kernel::{Duration, Simulation, Time};
use ironbird_record::{Channel, Event, Observer, ScenePart};

pub use changeable::{Changeable, changeable};
pub(crate) use control::{Control, Sources, Turn, Wanted};
pub use several::Several;
pub use wishes::Wishes;

/// Somebody who watches a run.
pub trait Audience: Send + Sync {
    /// The run is about to begin.
    fn begins(&self, opening: &Opening<'_>);

    /// How things are. Called from the thread of the run, about thirty times a second, and at once when something was
    /// asked for.
    fn sees(&self, sight: &Sight<'_>);

    /// Who sees every tapped value, on the recording thread.
    fn observer(&self) -> Box<dyn Observer>;

    /// What is asked for. Waits for it, for `patience` at most.
    fn asks(&self, patience: Wall) -> Vec<Request>;

    /// The run is over.
    fn ends(&self, closing: &Closing<'_>);
}

/// The audience of a run, if it has one.
#[derive(Clone, Default)]
pub struct Seats(pub Option<Arc<dyn Audience>>);

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "watched" } else { "nobody watches" })
    }
}

/// A run that is about to begin.
pub struct Opening<'a> {
    /// Of what.
    pub experiment: &'a Arc<Experiment>,
    /// Number of the scenario.
    pub scenario: usize,
    /// Number of the repetition.
    pub repetition: u64,
    /// The component types.
    pub registry: &'a Registry,
    /// When it ends at the latest.
    pub end: Time,
    /// Simulated seconds per second of wall time, at most.
    pub speed: Option<f64>,
    /// What can be drawn.
    pub scene: &'a [ScenePart],
    /// What is recorded.
    pub channels: &'a [Channel],
    /// Number of the channel of each tap that is recorded.
    pub channel_of: &'a [Option<usize>],
    /// What is known beforehand to happen.
    pub planned: &'a [Event],
}

/// How things are.
pub struct Sight<'a> {
    /// The system; look at it with [`Simulation::look`].
    pub simulation: &'a Simulation,
    /// Simulated time: everything before it has happened.
    pub now: Time,
    /// Simulated seconds per second of wall time, in the last second.
    pub speed: f64,
    /// Whether it waits.
    pub paused: bool,
    /// Simulated seconds per second of wall time, at most.
    pub pace: Option<f64>,
    /// What became of each requirement so far.
    pub lamps: &'a [Lamp],
    /// Whether each fault acts.
    pub faults: &'a [bool],
    /// What has happened since the last sight: commands, triggers, faults, states.
    pub news: &'a [Event],
}

/// What became of a requirement so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Whether it is violated for good.
    pub violated: bool,
    /// How much is left to its bound, in SI units; none where that is not known before the end.
    pub margin: Option<f64>,
}

/// A run that is over.
pub struct Closing<'a> {
    /// How it ended.
    pub text: &'a str,
    /// What became of its requirements.
    pub verdicts: &'a [ironbird_record::Verdict],
}

/// What somebody asks for.
pub struct Request {
    /// What.
    pub wish: Wish,
    /// Whom to tell that it was done, or why it was not.
    pub answer: Box<dyn FnOnce(Result<(), String>) + Send>,
}

/// What can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// To wait.
    Pause,
    /// To go on.
    Go,
    /// To go on for so long, or to the next instant at which anything happens, and to wait then.
    Step(Option<Duration>),
    /// To be so fast at most, in simulated seconds per second.
    Speed(Option<f64>),
    /// A command of the experiment, as text: see [`ironbird_experiment::commands`].
    Command(String),
}

/// What a fault does, in words.
pub fn fault_text(experiment: &Experiment, fault: &ironbird_experiment::checked::Fault) -> String {
    crate::events::broken(experiment, fault)
}
