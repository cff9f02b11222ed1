//! The side that listens.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, connect, listen,
    socket_with,
};

use super::exchange::{Introduced, Role};
use super::{establish_one, exchange};
use crate::bell::{BELL, PoolWords, start};
use crate::bulk::{self, Bulk};
use crate::endpoint::Endpoint;
use crate::error::{LinkError, Problem};
use crate::layout::{ListenerIntro, QueuePlace};
use crate::link::{Link, QueueSize};
use crate::pool::{OwnName, Place, Pool};

/// A bound socket that nobody connected to yet. The socket's file is there as soon as this is: a sign
/// to others that they may connect. It is removed with the link.
#[derive(Debug)]
pub struct Listener {
    link: Link,
    path: PathBuf,
    socket: OwnedFd,
    name: OwnName,
    pool: Arc<Pool>,
    places: [QueuePlace; 2],
    words: Option<PoolWords>,
    bulk: Option<Bulk>,
    replaced_stale: bool,
}

impl Listener {
    /// Makes the shared file and listens at `path`. The file of a socket at which nobody listens any
    /// more is replaced.
    ///
    /// # Errors
    /// If the link's times make no sense, somebody listens there, or a file cannot be made.
    pub fn bind(
        link: Link,
        path: impl AsRef<Path>,
        place: &Place,
        size: QueueSize,
    ) -> Result<Self, LinkError> {
        link.check()?;
        let path = path.as_ref();
        let name = link.name.clone();
        let problem = |problem: Problem| problem.on(&name);
        let (places, end) = size.places().map_err(|error| problem(Problem::QueueSize(error)))?;
        let make_pool = |error| {
            let place = match place {
                Place::Memory => "in memory".to_owned(),
                Place::Path(path) => format!("at {path:?}"),
            };
            problem(Problem::MakePool { place, error })
        };
        let length = |bell: usize| bell.checked_add(BELL)?.checked_add(bulk::size(link.bulk)?);
        let bell = start(end).and_then(|bell| Some((bell, length(bell)?)));
        let (bell, length) = bell.ok_or_else(|| make_pool(io::ErrorKind::OutOfMemory.into()))?;
        let address = address(path).map_err(problem)?;
        let (socket, replaced_stale) = bind_replacing_stale(path, &address).map_err(problem)?;
        let bound = OwnName::of(path).and_then(|name| {
            listen(&socket, 5)?;
            Ok(name)
        });
        let socket_name =
            bound.map_err(|error| problem(Problem::Bind { path: path.to_owned(), error }))?;
        let pool = Arc::new(Pool::create(place, length, bell + BELL).map_err(make_pool)?);
        let words = PoolWords::listener(pool.clone(), bell);
        let bulk = Bulk::listener(pool.clone(), bell + BELL, link.bulk);
        let (path, name) = (path.to_owned(), socket_name);
        Ok(Self { link, path, socket, name, pool, places, words, bulk, replaced_stale })
    }

    /// Whether the file of a socket at which nobody listened any more was replaced.
    pub fn replaced_stale(&self) -> bool {
        self.replaced_stale
    }

    /// Waits for the peer, no longer than `limit`. A process with several links uses
    /// [`establish`](super::establish) instead.
    ///
    /// # Errors
    /// If nobody comes in time, or the link cannot be established with who comes.
    pub fn accept(self, limit: Duration) -> Result<Endpoint, LinkError> {
        let name = self.link.name.clone();
        establish_one(self.into(), name, limit)
    }

    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub(super) fn late(self, waited: Duration) -> LinkError {
        Problem::NobodyConnected { path: self.path, waited }.on(&self.link.name)
    }

    /// Accepts the first who connects, if somebody did, and sends the introduction.
    pub(super) fn try_accept(self) -> Result<Result<Introduced, Self>, LinkError> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let connection = match accept_with(&self.socket, flags) {
            Ok(connection) => connection,
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => return Ok(Err(self)),
            Err(error) => return Err(Problem::Socket(error.into()).on(&self.link.name)),
        };
        let [c2l, l2c] = self.places;
        let intro = ListenerIntro {
            flags: self.link.sync.flags(),
            l2c,
            c2l,
            protocol: self.link.protocol,
            upper: self.link.intro.clone(),
        };
        exchange::send(&connection, &intro.encode(), Some(self.pool.file()))
            .map_err(|error| Problem::Socket(error).on(&self.link.name))?;
        let (pool, words, bulk, name) = (self.pool, self.words, self.bulk, self.name);
        let role = Role::Listener { pool, places: self.places, words, bulk, name };
        // The listening socket is closed here: a link has two ends.
        Ok(Ok(Introduced::new(self.link, connection, role)))
    }
}

/// The address of a path.
pub(super) fn address(path: &Path) -> Result<SocketAddrUnix, Problem> {
    let error = |error: io::Error| Problem::SocketPath { path: path.to_owned(), error };
    SocketAddrUnix::new(path).map_err(|errno| {
        error(match errno {
            Errno::NAMETOOLONG => io::Error::other("it is longer than the 107 bytes allowed"),
            other => other.into(),
        })
    })
}

/// A socket that neither blocks nor is inherited.
pub(super) fn new_socket() -> io::Result<OwnedFd> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?)
}

/// The bound socket, and whether a stale file had to go first.
fn bind_replacing_stale(path: &Path, address: &SocketAddrUnix) -> Result<(OwnedFd, bool), Problem> {
    let failed = |error: io::Error| Problem::Bind { path: path.to_owned(), error };
    let socket = new_socket().map_err(failed)?;
    match bind(&socket, address) {
        Ok(()) => return Ok((socket, false)),
        Err(Errno::ADDRINUSE) => {}
        Err(error) => return Err(failed(error.into())),
    }
    let found = std::fs::symlink_metadata(path).map_err(failed)?;
    if !found.file_type().is_socket() {
        return Err(Problem::NotASocket { path: path.to_owned() });
    }
    // A SimBricks listener accepts once: to connect just to see would take its only peer's place.
    // So that is only done where the system's list of sockets does not say already.
    let probe = new_socket().map_err(failed)?;
    if listens_at(path) || connect(&probe, address) != Err(Errno::CONNREFUSED) {
        return Err(Problem::InUse { path: path.to_owned() });
    }
    std::fs::remove_file(path).map_err(failed)?;
    bind(&socket, address).map_err(|error| failed(error.into()))?;
    Ok((socket, true))
}

/// Whether somebody listens at a socket of this very path, as far as the system tells: to ask does not disturb the
/// listener, as connecting would. `/proc/net/unix` has a line per socket: address, references, protocol, flags (bit
/// 16: listens), type, state, inode, path.
pub fn listens_at(path: &Path) -> bool {
    let Ok(sockets) = std::fs::read("/proc/net/unix") else { return false };
    let sockets = String::from_utf8_lossy(&sockets);
    sockets.lines().skip(1).any(|line| {
        let mut words = line.split_ascii_whitespace();
        let flags = words.nth(3).and_then(|flags| u32::from_str_radix(flags, 16).ok());
        flags.is_some_and(|flags| flags & 0x1_0000 != 0)
            && words.nth(3).is_some_and(|bound| Path::new(bound) == path)
    })
}
