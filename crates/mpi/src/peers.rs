//! Who the other ranks are, and whether those on this machine still run. Of those on other machines a rank learns by
//! their signs of life, and from what started the job.

use std::fmt;
use std::fs;

use mpi::collective::CommunicatorCollectives;
use mpi::topology::Communicator;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// For what a rank says of itself.
const CARD: usize = 256;

/// What the ranks know of each other.
pub struct Peers {
    all: Vec<Peer>,
}

/// One rank.
pub struct Peer {
    number: usize,
    host: String,
    process: String,
    /// What tells of its end, if it runs beside this one.
    end: Option<OwnedFd>,
}

impl Peers {
    /// All ranks introduce themselves to each other.
    pub fn meet(world: &impl Communicator) -> Self {
        let own = card();
        let mut cards = vec![0_u8; CARD * world.size() as usize];
        world.all_gather_into(&own[..], &mut cards[..]);
        let all = cards.chunks_exact(CARD).enumerate();
        Peers { all: all.map(|(number, card)| Peer::read(number, card, &own)).collect() }
    }

    /// The first one that is known to have ended.
    pub fn first_ended(&self) -> Option<usize> {
        self.all.iter().position(Peer::has_ended)
    }

    /// Whether the end of each other one would be seen.
    pub fn are_all_here(&self) -> bool {
        self.all.iter().filter(|peer| peer.end.is_none()).count() == 1
    }

    /// The numbers of those that run beside this one.
    pub fn processes(&self) -> impl Iterator<Item = Option<u32>> {
        self.all.iter().map(|peer| peer.process.parse().ok().filter(|_| peer.end.is_some()))
    }

    /// One of them.
    pub fn get(&self, number: usize) -> &Peer {
        &self.all[number]
    }
}

/// The name of the machine, this process, and what tells whether another one can see it by its number.
fn card() -> [u8; CARD] {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let boot = read("/proc/sys/kernel/random/boot_id");
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let place = match boot.is_empty() {
        true => String::new(),
        false => format!("{boot} {}", space.display()),
    };
    // The name comes last: it may be cut.
    let text = format!("{}\n{place}\n{host}\n", std::process::id());
    let mut card = [0; CARD];
    let length = text.len().min(CARD);
    card[..length].copy_from_slice(&text.as_bytes()[..length]);
    card
}

impl Peer {
    fn read(number: usize, card: &[u8], own: &[u8]) -> Self {
        let text = String::from_utf8_lossy(card);
        let own = String::from_utf8_lossy(own);
        let field =
            |text: &str, at: usize| text.split(['\n', '\0']).nth(at).unwrap_or_default().to_owned();
        let process = field(&text, 0);
        let place = field(&text, 1);
        let id = process.parse().ok().and_then(Pid::from_raw);
        let beside = !place.is_empty() && place == field(&own, 1) && process != field(&own, 0);
        let end = id.filter(|_| beside).and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok());
        Peer { number, host: field(&text, 2), process, end }
    }

    /// Whether it is known to have ended.
    pub fn has_ended(&self) -> bool {
        let Some(end) = &self.end else { return false };
        let mut seen = [PollFd::new(end, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut seen, Some(&now)).is_ok_and(|count| count > 0)
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}, process {} on {}", self.number, self.process, self.host)
    }
}
