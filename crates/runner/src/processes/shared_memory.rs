//! What joins the processes of a run on one machine: a link of shared memory between any two of them.
//!
//! The same channel that reaches SimBricks' programs, without its time: the kernel's messages bear theirs themselves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ironbird_kernel::{Carrier, CarrierError, Trouble};
use ironbird_simbricks::{
    Connecter, Endpoint, Link, LinkError, Listener, Pending, Place, Protocol, QueueSize, Sent,
    SyncMode, establish_while, wait_any,
};

use super::signs_of_life::SignsOfLife;

/// Of each queue. Longer messages are cut by the kernel.
const QUEUE: QueueSize = QueueSize { elen: 16 << 10, nentries: 64 };
/// The type of messages of the kernel.
const MESSAGE: u8 = 0x40;
/// The types of signs of life: asked for, and given.
const ASKED: u8 = 0x41;
const GIVEN: u8 = 0x42;

/// This process's links to all others.
pub struct SharedMemory {
    number: usize,
    /// By process; none to itself, nor to one that is gone and was told of.
    links: Vec<Option<Endpoint>>,
    /// Those that had no room when something was to be sent.
    full: Vec<bool>,
    /// Who is asked first, so that none is forgotten.
    first: usize,
    signs: SignsOfLife,
    /// Who was seen to be gone, or to hang.
    lost: Vec<Option<Trouble>>,
}

fn socket(folder: &Path, low: usize, high: usize) -> PathBuf {
    folder.join(format!("{low}-{high}"))
}

impl SharedMemory {
    /// Joins process `number` of `count` to the others, whose sockets are in `folder`. `watch` may end the waiting for
    /// them, with the reason.
    ///
    /// # Errors
    /// If the others do not come while patience lasts, or waiting was ended.
    pub fn join(
        number: usize,
        count: usize,
        folder: &Path,
        patience: Duration,
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
        let mut established = establish_while(pending, patience, watch)?.into_iter();
        let links = (0..count).map(|n| (n != number).then(|| established.next()).flatten());
        Ok(SharedMemory {
            number,
            links: links.collect(),
            full: vec![false; count],
            first: 0,
            signs: SignsOfLife::new(count, patience),
            lost: vec![None; count],
        })
    }

    /// Looks whether the others are still there, and asks them for a sign of life now and then.
    fn look(&mut self) {
        let Some(ask) = self.signs.look() else { return };
        for (other, link) in self.links.iter_mut().enumerate() {
            let Some(link) = link else { continue };
            if let Err(error) = link.check() {
                let died = || Trouble::Died(error.into_problem().to_string());
                self.lost[other].get_or_insert_with(died);
            } else if let Some(silent) = self.signs.silent(other) {
                self.lost[other].get_or_insert(silent);
            } else if ask {
                // Without room it has enough to answer.
                let _ = link.send(0, ASKED, &[0; 48], &[]);
            }
        }
    }

    /// The next message of one link.
    fn take(&mut self, from: usize, into: &mut Vec<u8>) -> Result<bool, CarrierError> {
        let Some(link) = &mut self.links[from] else { return Ok(false) };
        let nonsense =
            |what: String| CarrierError { process: from, trouble: Trouble::Nonsense(what) };
        let capacity = link.capacity();
        loop {
            let refused = |error: LinkError| nonsense(error.into_problem().to_string());
            let Some(message) = link.receive(0).map_err(refused)? else { return Ok(false) };
            self.signs.hear(from);
            let kind = message.kind();
            if kind == MESSAGE {
                let fields = message.fields();
                let length = fields.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
                if length as usize > capacity {
                    return Err(nonsense(format!("a message of {length} bytes")));
                }
                into.resize(length as usize, 0);
                message.payload(into).map_err(refused)?;
                return Ok(true);
            }
            drop(message);
            match kind {
                ASKED => drop(link.send(0, GIVEN, &[0; 48], &[])),
                GIVEN => {}
                other => return Err(nonsense(format!("a message of type {other:#04x}"))),
            }
        }
    }
}

impl Carrier for SharedMemory {
    fn longest(&self) -> usize {
        let capacities = self.links.iter().flatten().map(Endpoint::capacity);
        capacities.min().unwrap_or(usize::MAX)
    }

    fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError> {
        let died = |why: String| CarrierError { process: to, trouble: Trouble::Died(why) };
        if let Some(trouble) = &self.lost[to] {
            return Err(CarrierError { process: to, trouble: trouble.clone() });
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
            if let Some(trouble) = &self.lost[from]
                && self.links[from].take().is_some()
            {
                return Err(CarrierError { process: from, trouble: trouble.clone() });
            }
        }
        Ok(None)
    }

    fn wait(&mut self, timeout: Duration) {
        let there = self.links.iter().flatten();
        let full = self.links.iter().zip(&self.full).filter(|(_, full)| **full);
        let full = full.filter_map(|(link, _)| link.as_ref());
        self.signs.begin_to_wait();
        wait_any(there, full, timeout.min(self.signs.longest_wait()));
        self.look();
    }
}

impl std::fmt::Debug for SharedMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {}", self.number, self.links.len())
    }
}
