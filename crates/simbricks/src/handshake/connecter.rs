//! The side that connects.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{SocketAddrUnix, connect};

use super::exchange::{Introduced, Role};
use super::listener::{address, new_socket};
use super::{establish_one, exchange};
use crate::endpoint::Endpoint;
use crate::error::{LinkError, Problem};
use crate::layout::ConnecterIntro;
use crate::link::Link;

/// A link whose listener may not be there yet.
#[derive(Debug)]
pub struct Connecter {
    link: Link,
    path: PathBuf,
    address: SocketAddrUnix,
    /// Why the last attempt failed.
    refusal: Errno,
}

impl Connecter {
    /// Prepares to connect to the socket at `path`.
    ///
    /// # Errors
    /// If the link's times make no sense, or the path cannot be that of a socket.
    pub fn new(link: Link, path: impl AsRef<Path>) -> Result<Self, LinkError> {
        link.check()?;
        let path = path.as_ref().to_owned();
        let address = address(&path).map_err(|problem| problem.on(&link.name))?;
        Ok(Self { link, path, address, refusal: Errno::NOENT })
    }

    /// Waits until somebody listens, connects, and waits for the introduction, all within `limit`. A
    /// process with several links uses [`establish`](super::establish) instead.
    ///
    /// # Errors
    /// If nobody listens in time, or the link cannot be established with who does.
    pub fn connect(self, limit: Duration) -> Result<Endpoint, LinkError> {
        let name = self.link.name.clone();
        establish_one(self.into(), name, limit)
    }

    pub(super) fn late(self, waited: Duration) -> LinkError {
        let error = self.refusal.into();
        Problem::NobodyListens { path: self.path, waited, error }.on(&self.link.name)
    }

    /// Connects if somebody listens, and sends the introduction.
    pub(super) fn try_connect(mut self) -> Result<Result<Introduced, Self>, LinkError> {
        let socket = new_socket().map_err(|error| Problem::Socket(error).on(&self.link.name))?;
        match connect(&socket, &self.address) {
            Ok(()) => {}
            // Not there yet; bound but not listening yet, or left behind; too many at once.
            Err(refusal @ (Errno::NOENT | Errno::CONNREFUSED | Errno::AGAIN | Errno::INTR)) => {
                self.refusal = refusal;
                return Ok(Err(self));
            }
            Err(error) => {
                let problem = Problem::Connect { path: self.path, error: error.into() };
                return Err(problem.on(&self.link.name));
            }
        }
        let intro = ConnecterIntro {
            flags: self.link.sync.flags(),
            protocol: self.link.protocol,
            upper: self.link.intro.clone(),
        };
        exchange::send(&socket, &intro.encode(), None)
            .map_err(|error| Problem::Socket(error).on(&self.link.name))?;
        Ok(Ok(Introduced::new(self.link, socket, Role::Connecter)))
    }
}
