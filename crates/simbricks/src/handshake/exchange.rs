//! The exchange of introductions, and what follows from them.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg, sockopt,
};

use crate::bell::{self, BELL, PoolWords};
use crate::bulk::Bulk;
use crate::endpoint::{Endpoint, Parts};
use crate::error::{LinkError, Peer, Problem};
use crate::layout::{ConnecterIntro, ListenerIntro, Protocol, QueuePlace};
use crate::link::Link;
use crate::pool::{OwnName, Pool};
use crate::slots::{PoolSlots, check_both};

/// The most that SimBricks' own programs receive.
const LONGEST_INTRO: usize = 2048;
/// Room for more descriptors than the one there should be, so that they are noticed and closed.
const DESCRIPTORS: usize = 8;

/// What a side has brought along.
#[derive(Debug)]
pub(super) enum Role {
    Listener {
        pool: Arc<Pool>,
        places: [QueuePlace; 2],
        words: Option<PoolWords>,
        bulk: Option<Bulk>,
        name: OwnName,
    },
    Connecter,
}

/// Connected and introduced; the other side's introduction is still to come.
#[derive(Debug)]
pub(super) struct Introduced {
    link: Link,
    socket: OwnedFd,
    role: Role,
    peer: Peer,
}

impl Introduced {
    pub(super) fn new(link: Link, socket: OwnedFd, role: Role) -> Self {
        let process = sockopt::socket_peercred(&socket).ok();
        let process = process.and_then(|peer| u32::try_from(peer.pid.as_raw_pid()).ok());
        Self { link, socket, role, peer: Peer { process } }
    }

    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub(super) fn late(self, waited: Duration) -> LinkError {
        Problem::NoIntro { peer: self.peer, waited }.on(&self.link.name)
    }

    /// Receives the other side's introduction if it is there.
    pub(super) fn try_receive(self) -> Result<Result<Endpoint, Self>, LinkError> {
        let mut buffer = [0; LONGEST_INTRO];
        let received = match receive(&self.socket, &mut buffer) {
            Ok(received) => received,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Err(self)),
            // A peer that closes without having read what it was sent resets the connection.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                return Err(Problem::ClosedInHandshake(self.peer).on(&self.link.name));
            }
            Err(error) => return Err(Problem::Socket(error).on(&self.link.name)),
        };
        let name = self.link.name.clone();
        self.conclude(received, &buffer).map(Ok).map_err(|problem| problem.on(&name))
    }

    fn conclude(self, received: Received, buffer: &[u8]) -> Result<Endpoint, Problem> {
        let peer = self.peer;
        let bytes = &buffer[..received.bytes];
        if bytes.is_empty() {
            return Err(Problem::ClosedInHandshake(peer));
        }
        if bytes.len() == LONGEST_INTRO {
            return Err(Problem::LongIntro(peer, LONGEST_INTRO));
        }
        let intro_error = |error| Problem::Intro(peer, error);
        let (pool, [c2l, l2c], words, bulk, name, flags, upper);
        let is_listener = matches!(self.role, Role::Listener { .. });
        match self.role {
            Role::Listener {
                pool: own,
                places,
                words: own_words,
                bulk: own_bulk,
                name: own_name,
            } => {
                let intro = ConnecterIntro::decode(bytes).map_err(intro_error)?;
                check_protocol(peer, intro.protocol, self.link.protocol)?;
                (pool, [c2l, l2c], words, name) = (own, places, own_words, Some(own_name));
                (bulk, flags, upper) = (own_bulk, intro.flags, intro.upper);
            }
            Role::Connecter => {
                let intro = ListenerIntro::decode(bytes).map_err(intro_error)?;
                check_protocol(peer, intro.protocol, self.link.protocol)?;
                let (mapped, end) = map(peer, received, &intro)?;
                let at = bell::start(end);
                words = at.and_then(|at| PoolWords::connecter(mapped.clone(), at));
                let at = at.filter(|_| words.is_some()).and_then(|at| at.checked_add(BELL));
                bulk = at.and_then(|at| Bulk::connecter(mapped.clone(), at));
                (pool, [c2l, l2c], name) = (mapped, [intro.c2l, intro.l2c], None);
                (flags, upper) = (intro.flags, intro.upper);
            }
        }
        let here = self.link.sync;
        let is_synchronised =
            here.negotiate(flags).map_err(|there| Problem::Sync { peer, here, there })?;
        let (outgoing, incoming) = if is_listener { (l2c, c2l) } else { (c2l, l2c) };
        let slots = |place| PoolSlots::new(pool.clone(), place).map_err(Problem::QueueSize);
        Ok(Endpoint::new(Parts {
            outgoing: slots(outgoing)?,
            incoming: slots(incoming)?,
            link: self.link,
            is_synchronised,
            peer,
            peer_intro: upper,
            socket: self.socket,
            pool,
            words,
            bulk,
            name,
        }))
    }
}

fn check_protocol(peer: Peer, there: Protocol, here: Protocol) -> Result<(), Problem> {
    if there == here { Ok(()) } else { Err(Problem::Protocol(peer, there, here)) }
}

/// Maps the file of a listener, and checks that it holds what was announced.
fn map(
    peer: Peer,
    received: Received,
    intro: &ListenerIntro,
) -> Result<(Arc<Pool>, usize), Problem> {
    if received.has_more_files {
        return Err(Problem::SeveralDescriptors(peer));
    }
    let file = received.file.ok_or(Problem::NoDescriptor(peer))?;
    let pool = Pool::adopt(file).map_err(|error| Problem::Mapping(peer, error))?;
    let end = check_both([intro.c2l, intro.l2c], pool.length()).map_err(|(index, error)| {
        let direction = ["towards it", "towards this side"][index];
        Problem::Queue(peer, direction, error)
    })?;
    Ok((Arc::new(pool), end))
}

/// Sends an introduction, all of it at once.
pub(super) fn send(socket: &OwnedFd, bytes: &[u8], file: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let files = file.as_slice();
    if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::Error::other("no room for a descriptor"));
    }
    loop {
        match sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL) {
            Ok(sent) if sent == bytes.len() => return Ok(()),
            Ok(_) => return Err(io::Error::other("the introduction could not be sent at once")),
            Err(Errno::INTR) => {}
            // It closed at once: what it sent before, if anything, says more.
            Err(Errno::PIPE) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// What one read returned.
struct Received {
    bytes: usize,
    file: Option<OwnedFd>,
    has_more_files: bool,
}

fn receive(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<Received> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let message = loop {
        match recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, flags) {
            Err(Errno::INTR) => {}
            other => break other?,
        }
    };
    let mut files = control.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => files.collect::<Vec<_>>(),
        _ => Vec::new(),
    });
    let file = files.next();
    let has_more_files = files.count() > 0 || message.flags.contains(ReturnFlags::CTRUNC);
    Ok(Received { bytes: message.bytes, file, has_more_files })
}
