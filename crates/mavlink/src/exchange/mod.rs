//! What a ground station wants from a vehicle: it asks, waits, asks again, and ends with an answer or without.
//!
//! These are state machines over messages. They know neither the time nor who carries the messages; the
//! [`Lane`] counts attempts and deadlines.

mod command;
mod lane;
mod parameter;
mod upload;

use serde::{Deserialize, Serialize};

use crate::stream::MavMessage;
pub(crate) use command::{Command, Order};
pub(crate) use lane::{Doing, Lane, Patience};
pub(crate) use parameter::{LONGEST_NAME, SetParameter};
pub(crate) use upload::{Item, Upload};

/// To whom messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Target {
    pub system: u8,
    pub component: u8,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Accepted,
    /// With the number of a `MAV_RESULT` or `MAV_MISSION_RESULT`.
    Denied(u8),
    TimedOut,
}

/// What a message means to an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It has nothing to do with it.
    Nothing,
    /// It goes on without an answer from here; there is more time.
    Wait,
    /// The next message is due at once.
    Next,
    /// The same message is due once more, at once.
    Again,
    /// That was it.
    End(End),
}

/// One thing that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Job {
    Command(Command),
    Upload(Upload),
    SetParameter(SetParameter),
}

impl Job {
    /// What to send, for the attempt of this number, from 0.
    fn message(&self, target: Target, attempt: u32) -> MavMessage {
        match self {
            Job::Command(job) => job.message(target, attempt),
            Job::Upload(job) => job.message(target),
            Job::SetParameter(job) => job.message(target),
        }
    }

    fn hear(&mut self, message: &MavMessage) -> Meaning {
        match self {
            Job::Command(job) => job.hear(message),
            Job::Upload(job) => job.hear(message),
            Job::SetParameter(job) => job.hear(message),
        }
    }
}
