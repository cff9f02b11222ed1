//! Both sides of the physical interface over links.

use super::{Device, Host, Nature, PhysicalError, Physics, Reading, agree};
use crate::endpoint::{Endpoint, Sent};
use crate::error::{LinkError, Problem};
use crate::layout::Upper;
use crate::layout::physical::{Intro, ToHost, ToPhysics};
use crate::link::Link;
use crate::wait::{Need, Waiter};
use crate::{Protocol, SyncMode};

/// A link of the physical interface, with an introduction.
fn link(name: impl Into<String>, intro: Intro) -> Link {
    let mut link = Link::new(name, Protocol::PHYSICAL);
    link.intro = intro.encode().to_vec();
    // Readings without their time mean nothing.
    link.sync = SyncMode::Required;
    link
}

/// Whether the peer of an established link speaks of the same device.
///
/// # Errors
/// What differs.
pub fn agree_with_peer(endpoint: &Endpoint, here: Intro) -> Result<(), LinkError> {
    let there = Intro::decode(endpoint.peer_intro())
        .map_err(|error| endpoint.error(Problem::Intro(endpoint.peer(), error)))?;
    agree(here, there).map_err(|error| disagreement(endpoint, error))
}

/// What two sides cannot agree on, as a problem of their link.
#[cold]
pub fn disagreement(endpoint: &Endpoint, error: PhysicalError) -> LinkError {
    endpoint.error(Problem::Physical(endpoint.peer(), error))
}

/// Sends, and waits where there is no room.
fn send(
    endpoint: &mut Endpoint,
    waiter: &mut Waiter,
    now: u64,
    message: &impl Upper,
) -> Result<(), LinkError> {
    while endpoint.send_upper(now, message, &[])? == Sent::Full {
        waiter.wait(endpoint, Need::Room, [&*endpoint])?;
    }
    Ok(())
}

/// The next message that is due, and when it was.
fn take<U: Upper>(endpoint: &mut Endpoint, now: u64) -> Result<Option<(u64, U)>, LinkError> {
    let Some(message) = endpoint.receive(now)? else { return Ok(None) };
    Ok(Some((message.timestamp(), message.upper()?)))
}

/// Tells the peer the time where it is due, and waits until nothing earlier than the next time of `until` and the
/// peer's next message can come. The time to go to.
fn next_time(
    endpoint: &mut Endpoint,
    waiter: &mut Waiter,
    now: u64,
    until: u64,
) -> Result<u64, LinkError> {
    while endpoint.sync(now)? == Sent::Full {
        waiter.wait(endpoint, Need::Room, [&*endpoint])?;
    }
    while endpoint.horizon() <= now {
        waiter.wait(endpoint, Need::Message, [&*endpoint])?;
        // What is there moves the horizon; messages that are due stay until the caller takes them.
        if endpoint.peek(now)?.is_some() {
            return Ok(now);
        }
    }
    Ok(until.min(endpoint.horizon()).min(endpoint.next_sync()))
}

/// The physical simulation's end of a link.
#[derive(Debug)]
pub struct ServedLink {
    endpoint: Endpoint,
    physics: Physics,
    waiter: Waiter,
    now: u64,
}

impl ServedLink {
    /// What a link that serves a device is to be established with.
    pub fn link(name: impl Into<String>, device: &Device) -> Link {
        link(name, device.intro())
    }

    /// Over an established link; announces what there is.
    ///
    /// # Errors
    /// If the host expects another device, or the link fails.
    pub fn new(endpoint: Endpoint, physics: Physics, waiter: Waiter) -> Result<Self, LinkError> {
        agree_with_peer(&endpoint, physics.device().intro())?;
        let mut served = ServedLink { endpoint, physics, waiter, now: 0 };
        for message in served.physics.capabilities() {
            send(&mut served.endpoint, &mut served.waiter, 0, &message)?;
        }
        Ok(served)
    }

    /// The device, its configuration and what did not fit.
    pub fn physics(&mut self) -> &mut Physics {
        &mut self.physics
    }

    /// The link.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Up to where it has answered, in picoseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Answers and pushes what is due up to `until`, that instant included.
    ///
    /// # Errors
    /// If the link fails, or the host asks for what there is not.
    pub fn advance(&mut self, until: u64, nature: &mut dyn Nature) -> Result<(), LinkError> {
        loop {
            let now = self.now;
            while let Some((_, message)) = take::<ToPhysics>(&mut self.endpoint, now)? {
                let answer = self.physics.receive(now, message, nature);
                let answer = answer.map_err(|error| disagreement(&self.endpoint, error))?;
                let Some(answer) = answer else { continue };
                send(&mut self.endpoint, &mut self.waiter, now, &answer)?;
                if let ToHost::Refusal { part, reason, limit } = answer {
                    let error = PhysicalError::Refused { number: part.number, reason, limit };
                    return Err(disagreement(&self.endpoint, error));
                }
            }
            let mut due = Vec::new();
            self.physics.push(now, nature, |message| due.push(message));
            for message in due {
                send(&mut self.endpoint, &mut self.waiter, now, &message)?;
            }
            if self.endpoint.has_ended() {
                self.now = until;
                return Ok(());
            }
            let end = until.min(self.physics.next_push().max(now));
            let next = next_time(&mut self.endpoint, &mut self.waiter, now, end)?;
            if now >= until && self.endpoint.horizon() > until {
                return Ok(());
            }
            self.now = next.min(until).max(now);
        }
    }

    /// Tells the host that there is nothing more to come.
    ///
    /// # Errors
    /// If the link fails.
    pub fn finish(mut self) -> Result<(), LinkError> {
        finish(&mut self.endpoint, &mut self.waiter)
    }
}

/// The host's end of a link.
#[derive(Debug)]
pub struct UsedLink {
    endpoint: Endpoint,
    host: Host,
    waiter: Waiter,
    now: u64,
}

impl UsedLink {
    /// What a link that uses a device is to be established with.
    pub fn link(name: impl Into<String>, host: &Host) -> Link {
        link(name, host.intro())
    }

    /// Over an established link.
    ///
    /// # Errors
    /// If the physical simulation has another device.
    pub fn new(endpoint: Endpoint, host: Host, waiter: Waiter) -> Result<Self, LinkError> {
        agree_with_peer(&endpoint, host.intro())?;
        Ok(UsedLink { endpoint, host, waiter, now: 0 })
    }

    /// What is known of the device.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The link.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Up to where it has listened, in picoseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Goes on to `until`, that instant included, and hands over readings with the times at which they came.
    ///
    /// # Errors
    /// If the link fails, or the device cannot do what is wished.
    pub fn advance(
        &mut self,
        until: u64,
        mut taken: impl FnMut(u64, Reading),
    ) -> Result<(), LinkError> {
        loop {
            let now = self.now;
            while let Some((at, message)) = take::<ToHost>(&mut self.endpoint, now)? {
                let found = self.host.receive(message);
                let (answer, reading) =
                    found.map_err(|error| disagreement(&self.endpoint, error))?;
                if let Some(answer) = answer {
                    send(&mut self.endpoint, &mut self.waiter, now, &answer)?;
                }
                if let Some(reading) = reading {
                    taken(at, reading);
                }
            }
            if self.endpoint.has_ended() {
                self.now = until;
                return Ok(());
            }
            let next = next_time(&mut self.endpoint, &mut self.waiter, now, until)?;
            if now >= until && self.endpoint.horizon() > until {
                return Ok(());
            }
            self.now = next.min(until).max(now);
        }
    }

    /// Asks for a reading of a sensor, by its place among the wishes; the request's number.
    ///
    /// # Errors
    /// If there is no such sensor, or the link fails.
    pub fn request(&mut self, sensor: usize) -> Result<u64, LinkError> {
        let asked = self.host.request(sensor);
        let (number, message) = asked.map_err(|error| disagreement(&self.endpoint, error))?;
        send(&mut self.endpoint, &mut self.waiter, self.now, &message)?;
        Ok(number)
    }

    /// Tells an actuator something, by its place in [`Host::actuators`]; whether a value was beyond its range.
    ///
    /// # Errors
    /// If there is no such actuator, or the link fails.
    pub fn write(&mut self, actuator: usize, values: &[f64]) -> Result<bool, LinkError> {
        let told = self.host.write(actuator, values);
        let (message, is_cut) = told.map_err(|error| disagreement(&self.endpoint, error))?;
        send(&mut self.endpoint, &mut self.waiter, self.now, &message)?;
        Ok(is_cut)
    }

    /// Tells the physical simulation that there is nothing more to come.
    ///
    /// # Errors
    /// If the link fails.
    pub fn finish(mut self) -> Result<(), LinkError> {
        finish(&mut self.endpoint, &mut self.waiter)
    }
}

fn finish(endpoint: &mut Endpoint, waiter: &mut Waiter) -> Result<(), LinkError> {
    while endpoint.terminate() == Sent::Full {
        waiter.wait(endpoint, Need::Room, [&*endpoint])?;
    }
    Ok(())
}
