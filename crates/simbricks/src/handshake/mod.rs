//! How two sides find each other: a Unix socket, over which both introduce themselves at once.
//!
//! The listener binds the socket and makes the shared file; the connecter connects. Then each side sends
//! its introduction with one `sendmsg`, the listener's with the descriptor of the file, and receives the
//! other's with one `recvmsg`: peers take what the first read returns for the whole. The socket is not
//! used any more, but stays open, so that the end of the other process is noticed.
//!
//! A process with several links must not wait for them one after the other, since its peers may wait in
//! another order: [`establish`] takes them all.

mod connecter;
mod exchange;
mod listener;

use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;

use ironbird_patience::Patience;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::time::Timespec;

pub use connecter::Connecter;
pub use listener::{Listener, listens_at};

use crate::endpoint::Endpoint;
use crate::error::{LinkError, Problem};
use exchange::Introduced;

/// A link that is not established yet.
#[derive(Debug)]
pub enum Pending {
    /// This side listens.
    Listener(Listener),
    /// This side connects.
    Connecter(Connecter),
}

impl From<Listener> for Pending {
    fn from(listener: Listener) -> Self {
        Self::Listener(listener)
    }
}

impl From<Connecter> for Pending {
    fn from(connecter: Connecter) -> Self {
        Self::Connecter(connecter)
    }
}

enum Stage {
    Pending(Pending),
    Introduced(Introduced),
    Established(Endpoint),
}

impl Stage {
    /// Goes on as far as possible without waiting.
    fn advance(self) -> Result<Self, LinkError> {
        let introduced = match self {
            Self::Pending(Pending::Listener(listener)) => match listener.try_accept()? {
                Ok(introduced) => introduced,
                Err(listener) => return Ok(Self::Pending(listener.into())),
            },
            Self::Pending(Pending::Connecter(connecter)) => match connecter.try_connect()? {
                Ok(introduced) => introduced,
                Err(connecter) => return Ok(Self::Pending(connecter.into())),
            },
            Self::Introduced(introduced) => introduced,
            Self::Established(_) => return Ok(self),
        };
        match introduced.try_receive()? {
            Ok(endpoint) => Ok(Self::Established(endpoint)),
            Err(introduced) => Ok(Self::Introduced(introduced)),
        }
    }

    /// What becomes readable when this can go on; nothing says when a listener appears.
    fn waits_on(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Pending(Pending::Listener(listener)) => Some(listener.socket()),
            Self::Introduced(introduced) => Some(introduced.socket()),
            Self::Pending(Pending::Connecter(_)) | Self::Established(_) => None,
        }
    }

    fn late(self, waited: Duration) -> Option<LinkError> {
        match self {
            Self::Pending(Pending::Listener(listener)) => Some(listener.late(waited)),
            Self::Pending(Pending::Connecter(connecter)) => Some(connecter.late(waited)),
            Self::Introduced(introduced) => Some(introduced.late(waited)),
            Self::Established(_) => None,
        }
    }
}

/// A file beside the socket of a link that says why nobody will come to it any more: whoever starts both sides
/// leaves it there when one of them is lost.
pub const GONE: &str = ".gone";

/// Why nobody will come to a socket any more, if somebody has said so.
pub fn given_up(socket: &Path) -> Option<String> {
    std::fs::read_to_string(socket.parent()?.join(GONE)).ok()
}

/// How often a listener that is not there yet is looked for: first at once, then less often.
const FIRST_RETRY: Duration = Duration::from_millis(1);
const LAST_RETRY: Duration = Duration::from_millis(10);

/// Establishes several links, in whatever order their peers are ready, within `limit`. The endpoints
/// come back in the order of `links`.
///
/// # Errors
/// If a peer does not come in time, or is not one that the link can be established with.
pub fn establish(
    links: impl IntoIterator<Item = Pending>,
    limit: Duration,
) -> Result<Vec<Endpoint>, LinkError> {
    establish_while(links, &mut Patience::new(limit), &mut || None)
}

/// The same while `patience` lasts; `watch` is asked now and then, and ends the waiting with a reason, such as the end
/// of a peer's process.
///
/// # Errors
/// As [`establish`], and with the reason.
pub fn establish_while(
    links: impl IntoIterator<Item = Pending>,
    patience: &mut Patience,
    watch: &mut dyn FnMut() -> Option<String>,
) -> Result<Vec<Endpoint>, LinkError> {
    let limit = patience.limit();
    let mut stages: Vec<Stage> = links.into_iter().map(Stage::Pending).collect();
    let mut retry = FIRST_RETRY;
    loop {
        stages = stages.into_iter().map(Stage::advance).collect::<Result<_, _>>()?;
        if stages.iter().all(|stage| matches!(stage, Stage::Established(_))) {
            let endpoints = stages.into_iter().filter_map(|stage| match stage {
                Stage::Established(endpoint) => Some(endpoint),
                _ => None,
            });
            return Ok(endpoints.collect());
        }
        if let Some(reason) = watch() {
            let mut waiting = stages.into_iter().filter_map(|stage| stage.late(limit));
            let link = waiting.next().map_or(String::new(), |error| error.link().to_owned());
            return Err(Problem::GivenUp(reason).on(&link));
        }
        if patience.is_over() {
            let mut late = stages.into_iter().filter_map(|stage| stage.late(limit));
            return late.next().map_or(Ok(Vec::new()), Err);
        }
        let wait = patience.nap().min(retry);
        retry = LAST_RETRY.min(retry * 2);
        let fds: Vec<_> = stages.iter().filter_map(Stage::waits_on).collect();
        let mut fds: Vec<_> =
            fds.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
        let wait = Timespec::try_from(wait).ok();
        match poll(&mut fds, wait.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                let mut late = stages.into_iter().filter_map(|stage| stage.late(limit));
                let link = late.next().map_or(String::new(), |error| error.link().to_owned());
                return Err(Problem::Socket(error.into()).on(&link));
            }
        }
    }
}

/// The only endpoint of one link.
fn establish_one(link: Pending, name: String, limit: Duration) -> Result<Endpoint, LinkError> {
    let endpoint = establish([link], limit)?.pop();
    endpoint.ok_or_else(|| Problem::Socket(std::io::ErrorKind::TimedOut.into()).on(&name))
}
