//! Exchanges of one kind with one vehicle: one after the other.

use std::collections::VecDeque;

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use super::{End, Job, Meaning, Target};
use crate::stream::MavMessage;

/// A job, where it stands, and what belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Exchange<T> {
    job: Job,
    about: T,
    /// How often the present message was sent.
    attempts: u32,
    /// When it is sent again, or given up. None: it is to be sent at once.
    deadline: Option<Time>,
}

/// Jobs that wait for each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lane<T> {
    waiting: VecDeque<Exchange<T>>,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Lane { waiting: VecDeque::new() }
    }
}

/// What a lane does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Doing<T> {
    /// Nothing before this time.
    Waits(Time),
    Sends(Box<MavMessage>),
    Ended(T, End),
}

/// How patient one is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub timeout: Duration,
    pub attempts: u32,
}

impl<T> Lane<T> {
    pub fn add(&mut self, job: Job, about: T) {
        self.waiting.push_back(Exchange { job, about, attempts: 0, deadline: None });
    }

    /// What is to be done now. To be asked until it waits.
    pub fn go_on(&mut self, now: Time, target: Target, patience: Patience) -> Doing<T> {
        let Some(first) = self.waiting.front_mut() else { return Doing::Waits(Time::NEVER) };
        match first.deadline {
            Some(deadline) if now < deadline => Doing::Waits(deadline),
            _ if first.attempts >= patience.attempts => self.end(End::TimedOut),
            _ => {
                let message = first.job.message(target, first.attempts);
                first.attempts += 1;
                first.deadline = Some(now + patience.timeout);
                Doing::Sends(Box::new(message))
            }
        }
    }

    /// The vehicle has said something.
    pub fn hear(
        &mut self,
        now: Time,
        message: &MavMessage,
        patience: Patience,
    ) -> Option<(T, End)> {
        let first = self.waiting.front_mut().filter(|first| first.attempts > 0)?;
        match first.job.hear(message) {
            Meaning::Nothing => None,
            Meaning::Wait => {
                first.deadline = Some(now + patience.timeout);
                first.attempts = 1;
                None
            }
            Meaning::Next => {
                (first.attempts, first.deadline) = (0, None);
                None
            }
            Meaning::Again => {
                first.deadline = None;
                None
            }
            Meaning::End(end) => match self.end(end) {
                Doing::Ended(about, end) => Some((about, end)),
                _ => None,
            },
        }
    }

    fn end(&mut self, end: End) -> Doing<T> {
        match self.waiting.pop_front() {
            Some(exchange) => Doing::Ended(exchange.about, end),
            None => Doing::Waits(Time::NEVER),
        }
    }
}
