//! An end of a link with the patience to wait on it, and how it comes to be.
//!
//! A peer may make its links one after another, in any order, and wait on each. So the handshake of each link is made
//! on a thread of its own, which also says the first words: nobody who has come through one handshake waits in vain
//! for a message while another handshake is still open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ironbird_patience::Patience;
use ironbird_simbricks::layout::Upper;
use ironbird_simbricks::{
    Endpoint, Link, LinkError, Message, Need, QueueSize, Sent, Url, Waiter, establish_while,
    given_up,
};

use crate::parameters::socket;
use crate::traffic::Traffic;

/// Why a model cannot go on, in words.
#[derive(Debug)]
pub(crate) struct Trouble(pub String);

impl From<LinkError> for Trouble {
    fn from(error: LinkError) -> Self {
        Trouble(error.to_string())
    }
}

/// What is said first, at time zero.
pub(crate) type Greeting = Box<dyn FnOnce(&mut Line) -> Result<(), LinkError> + Send>;

/// An established link.
#[derive(Debug)]
pub(crate) struct Line {
    endpoint: Endpoint,
    waiter: Waiter,
    /// What passed, if somebody wants to see it.
    traffic: Option<Traffic>,
    /// How long it has waited in all.
    waited: Duration,
}

impl Line {
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends at `now`, and waits where there is no room.
    pub fn send(
        &mut self,
        now: u64,
        message: &impl Upper,
        payload: &[u8],
    ) -> Result<(), LinkError> {
        while self.endpoint.send_upper(now, message, payload)? == Sent::Full {
            self.wait(Need::Room)?;
        }
        if let Some(traffic) = &mut self.traffic {
            traffic.sent(message, payload);
        }
        Ok(())
    }

    /// How long it has waited for the peer in all.
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// What passed and was not shown yet.
    pub fn traffic(&mut self) -> Option<&mut Traffic> {
        self.traffic.as_mut().filter(|traffic| !traffic.is_empty())
    }

    /// Whether there is any of that.
    pub fn has_traffic(&self) -> bool {
        self.traffic.as_ref().is_some_and(|traffic| !traffic.is_empty())
    }

    /// Tells the peer the time, if it is due.
    pub fn sync(&mut self, now: u64) -> Result<(), LinkError> {
        while self.endpoint.sync(now)? == Sent::Full {
            self.wait(Need::Room)?;
        }
        // The thread may go to sleep on another link: no peer must have missed what it was sent.
        self.endpoint.ring_surely();
        Ok(())
    }

    /// What `read` makes of the next message that is due at `now`; nothing when no more can come. Waits until one of
    /// both is certain.
    pub fn next<T>(
        &mut self,
        now: u64,
        read: impl FnOnce(&Message<'_>) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        loop {
            // Asked twice, since a message that is returned lives as long as the borrow.
            if self.endpoint.peek(now)?.is_some() {
                let Some(message) = self.endpoint.receive(now)? else { continue };
                if let Some(traffic) = &mut self.traffic {
                    traffic.received(&message);
                }
                return read(&message).map(Some);
            }
            if self.endpoint.horizon() > now {
                return Ok(None);
            }
            self.wait(Need::Message)?;
        }
    }

    fn wait(&mut self, need: Need) -> Result<(), LinkError> {
        let started = Instant::now();
        let done = self.waiter.wait(&self.endpoint, need, [&self.endpoint]);
        self.waited += started.elapsed();
        done
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // A full queue belongs to a peer that does not listen any more.
        let _ = self.endpoint.terminate();
    }
}

/// A link to be made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub url: Url,
    pub link: Link,
    pub size: QueueSize,
    pub patience: Duration,
    /// Whether everything that passes is to be seen.
    pub is_traced: bool,
}

/// A handshake that goes on.
#[derive(Debug)]
pub(crate) struct Handshake {
    thread: Option<JoinHandle<Result<Line, LinkError>>>,
    /// The run has: nobody waits for it any more.
    has_ended: Arc<AtomicBool>,
}

impl Handshake {
    /// Listens, if that is our part, and goes on in the background, until `abandoned` becomes true.
    pub fn begin(
        plan: Plan,
        greeting: Greeting,
        abandoned: Arc<AtomicBool>,
    ) -> Result<Self, Trouble> {
        let Plan { url, link, size, patience, is_traced } = plan;
        let traffic = is_traced.then(|| Traffic::new(link.protocol));
        let (name, place) = (link.name.clone(), socket(&url).to_owned());
        let pending = url.open(link, size)?;
        let has_ended = Arc::new(AtomicBool::new(false));
        let watched = has_ended.clone();
        let shake = move || {
            let waiter = Waiter::new(Some(patience)).until_abandoned(abandoned.clone());
            let mut watch = || {
                if watched.load(Ordering::Relaxed) {
                    return Some("the run has ended".to_owned());
                }
                if abandoned.load(Ordering::Relaxed) {
                    return Some("the run was interrupted".to_owned());
                }
                given_up(&place)
            };
            let mut patience = Patience::new(patience);
            let mut made = establish_while([pending], &mut patience, &mut watch)?;
            let (endpoint, waited) = (made.remove(0), Duration::ZERO);
            let mut line = Line { endpoint, waiter, traffic, waited };
            greeting(&mut line)?;
            line.sync(0)?;
            Ok(line)
        };
        let thread = std::thread::Builder::new().name("handshake".into()).spawn(shake);
        let thread =
            thread.map_err(|error| Trouble(format!("link `{name}`: no thread for it: {error}")))?;
        Ok(Handshake { thread: Some(thread), has_ended })
    }

    /// Waits for its end.
    pub fn finish(mut self) -> Result<Line, Trouble> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(made)) => Ok(made?),
            _ => Err(Trouble("the thread of the handshake panicked".into())),
        }
    }
}

impl Drop for Handshake {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Relaxed);
        // So that a listener's files are gone when the run is.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
