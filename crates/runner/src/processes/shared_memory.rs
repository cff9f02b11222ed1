//! What joins the processes of a run on one machine: a link of shared memory between any two of them.
//!
//! The same channel that reaches SimBricks' programs, without its time: the kernel's messages bear theirs themselves.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ironbird_kernel::{Carrier, CarrierError, Trouble};
use ironbird_simbricks::{
    Connecter, Endpoint, Link, LinkError, Listener, Pending, Place, Protocol, QueueSize, Sent,
    SyncMode, establish_while, wait_any,
};

/// Of each queue. Longer messages are cut by the kernel.
const QUEUE: QueueSize = QueueSize { elen: 16 << 10, nentries: 64 };
/// The type of all messages.
const MESSAGE: u8 = 0x40;
/// Between two looks whether the others are still there.
const LOOK: Duration = Duration::from_millis(10);

/// This process's links to all others.
pub struct SharedMemory {
    number: usize,
    /// By process; none to itself, nor to one that is gone and was told of.
    links: Vec<Option<Endpoint>>,
    /// Those that had no room when something was to be sent.
    full: Vec<bool>,
    /// Who is asked first, so that none is forgotten.
    first: usize,
    looked: Instant,
    /// Who was seen to be gone, and why.
    gone: Vec<Option<String>>,
}

fn socket(folder: &Path, low: usize, high: usize) -> PathBuf {
    folder.join(format!("{low}-{high}"))
}

impl SharedMemory {
    /// Joins process `number` of `count` to the others, whose sockets are in `folder`. `watch` may end the waiting for
    /// them, with the reason.
    ///
    /// # Errors
    /// If the others do not come within `limit`, or waiting was ended.
    pub fn join(
        number: usize,
        count: usize,
        folder: &Path,
        limit: Duration,
        watch: &mut dyn FnMut() -> Option<String>,
    ) -> Result<Self, LinkError> {
        let others = (0..count).filter(|other| *other != number);
        let mut pending: Vec<Pending> = Vec::new();
        for other in others.clone() {
            let mut link =
                Link::new(format!("process {number} to process {other}"), Protocol::BASE);
            link.sync = SyncMode::Disabled;
            // The lower one listens.
            let socket = socket(folder, number.min(other), number.max(other));
            pending.push(match number < other {
                true => Listener::bind(link, socket, &Place::Memory, QUEUE)?.into(),
                false => Connecter::new(link, socket)?.into(),
            });
        }
        let mut established = establish_while(pending, limit, watch)?.into_iter();
        let links = (0..count).map(|n| (n != number).then(|| established.next()).flatten());
        Ok(SharedMemory {
            number,
            links: links.collect(),
            full: vec![false; count],
            first: 0,
            looked: Instant::now(),
            gone: vec![None; count],
        })
    }

    /// Looks whether the others are still there.
    fn look(&mut self) {
        self.looked = Instant::now();
        for (link, gone) in self.links.iter().zip(&mut self.gone) {
            if let Some(Err(error)) = link.as_ref().map(Endpoint::check) {
                gone.get_or_insert_with(|| error.into_problem().to_string());
            }
        }
    }

    /// The next message of one link.
    fn take(&mut self, from: usize, into: &mut Vec<u8>) -> Result<bool, CarrierError> {
        let Some(link) = &mut self.links[from] else { return Ok(false) };
        let nonsense = |error: LinkError| {
            let trouble = Trouble::Nonsense(error.into_problem().to_string());
            CarrierError { process: from, trouble }
        };
        let capacity = link.capacity();
        let Some(message) = link.receive(0).map_err(nonsense)? else { return Ok(false) };
        let fields = message.fields();
        let length = fields.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)) as usize;
        if message.kind() != MESSAGE || length > capacity {
            let trouble = Trouble::Nonsense(format!("a message of {length} bytes"));
            return Err(CarrierError { process: from, trouble });
        }
        into.resize(length, 0);
        message.payload(into).map_err(|error| {
            let trouble = Trouble::Nonsense(error.into_problem().to_string());
            CarrierError { process: from, trouble }
        })?;
        Ok(true)
    }
}

impl Carrier for SharedMemory {
    fn longest(&self) -> usize {
        let capacities = self.links.iter().flatten().map(Endpoint::capacity);
        capacities.min().unwrap_or(usize::MAX)
    }

    fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError> {
        let died = |why: String| CarrierError { process: to, trouble: Trouble::Died(why) };
        if let Some(why) = &self.gone[to] {
            return Err(died(why.clone()));
        }
        let Some(link) = &mut self.links[to] else {
            return Err(died("it ended before".into()));
        };
        let mut fields = [0; 48];
        fields[..4].copy_from_slice(&(message.len() as u32).to_le_bytes());
        let sent = link.send(0, MESSAGE, &fields, message);
        match sent.map_err(|error| died(error.into_problem().to_string()))? {
            Sent::Done => {
                self.full[to] = false;
                Ok(true)
            }
            Sent::Full => {
                self.full[to] = true;
                Ok(false)
            }
            Sent::Ended => Err(died("it ended".into())),
        }
    }

    fn try_receive(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError> {
        let count = self.links.len();
        for turn in 0..count {
            let from = (self.first + turn) % count;
            if self.take(from, message)? {
                self.first = from + 1;
                return Ok(Some(from));
            }
            // All that it sent has been received.
            if let Some(why) = &self.gone[from]
                && self.links[from].take().is_some()
            {
                return Err(CarrierError { process: from, trouble: Trouble::Died(why.clone()) });
            }
        }
        Ok(None)
    }

    fn wait(&mut self, timeout: Duration) {
        let there = self.links.iter().flatten();
        let full = self.links.iter().zip(&self.full).filter(|(_, full)| **full);
        let full = full.filter_map(|(link, _)| link.as_ref());
        wait_any(there, full, timeout.min(LOOK));
        if self.looked.elapsed() > LOOK {
            self.look();
        }
    }
}

impl std::fmt::Debug for SharedMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {}", self.number, self.links.len())
    }
}
