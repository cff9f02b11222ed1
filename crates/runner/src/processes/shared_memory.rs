//! What joins the processes of a run on one machine: a link of shared memory between any two of them.
//!
//! The same channel that reaches SimBricks' programs, without its time: the kernel's messages bear theirs themselves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ironbird_kernel::{Carrier, CarrierError, Trouble};
use ironbird_patience::Patience;
use ironbird_simbricks::{
    Buffer, Connecter, Endpoint, Link, LinkError, Listener, Pending, Place, Protocol, QueueSize,
    Sent, SyncMode, establish_while, wait_any,
};

use super::signs_of_life::SignsOfLife;

/// Of each queue.
const QUEUE: QueueSize = QueueSize { elen: 16 << 10, nentries: 64 };
/// Of the shared buffers each way, for messages that are longer than a slot. They take memory when they are used;
/// what is longer than half of them is cut by the kernel.
const BULK: usize = 32 << 20;
/// The type of messages of the kernel.
const MESSAGE: u8 = 0x40;
/// The types of signs of life: asked for, and given.
const ASKED: u8 = 0x41;
const GIVEN: u8 = 0x42;
/// A message of the kernel that is in a shared buffer.
const LENT: u8 = 0x43;

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
    /// them, with the reason. Patience is with the process that has started the others.
    ///
    /// # Errors
    /// If the others do not come while patience lasts, or waiting was ended.
    pub fn join(
        number: usize,
        count: usize,
        folder: &Path,
        mut patience: Patience,
        watch: &mut dyn FnMut() -> Option<String>,
    ) -> Result<Self, LinkError> {
        let others = (0..count).filter(|other| *other != number);
        let mut pending: Vec<Pending> = Vec::new();
        for other in others.clone() {
            let mut link =
                Link::new(format!("process {number} to process {other}"), Protocol::BASE);
            link.sync = SyncMode::Disabled;
            link.bulk = BULK;
            // The lower one listens.
            let socket = socket(folder, number.min(other), number.max(other));
            pending.push(match number < other {
                true => Listener::bind(link, socket, &Place::Memory, QUEUE)?.into(),
                false => Connecter::new(link, socket)?.into(),
            });
        }
        let mut established = establish_while(pending, &mut patience, watch)?.into_iter();
        let links = (0..count).map(|n| (n != number).then(|| established.next()).flatten());
        let links: Vec<Option<Endpoint>> = links.collect();
        let processes = links.iter().map(|link| link.as_ref()?.peer().process);
        let signs = SignsOfLife::new(processes, patience.limit());
        Ok(SharedMemory {
            number,
            links,
            full: vec![false; count],
            first: 0,
            signs,
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
            let fields = message.fields();
            drop(message);
            match kind {
                LENT => {
                    let buffer = fields.first_chunk().copied().unwrap_or_default();
                    link.take_lent(Buffer::decode(buffer), into).map_err(refused)?;
                    return Ok(true);
                }
                ASKED => drop(link.send(0, GIVEN, &[0; 48], &[])),
                GIVEN => {}
                other => return Err(nonsense(format!("a message of type {other:#04x}"))),
            }
        }
    }
}

impl Carrier for SharedMemory {
    fn longest(&self) -> usize {
        let links = self.links.iter().flatten();
        links.map(|link| link.capacity().max(link.longest_buffer())).min().unwrap_or(usize::MAX)
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
        let sent = if message.len() <= link.capacity() {
            fields[..4].copy_from_slice(&(message.len() as u32).to_le_bytes());
            link.send(0, MESSAGE, &fields, message)
        } else if !link.has_room() {
            Ok(Sent::Full)
        } else if let Some(buffer) = link.lend(message) {
            fields[..Buffer::SIZE].copy_from_slice(&buffer.encode());
            link.send(0, LENT, &fields, &[])
        } else {
            // The queue has room, the buffers have not: the peer rings when it gives one back.
            return Ok(false);
        };
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
        wait_any(there, full, timeout.min(self.signs.longest_wait()));
        self.look();
    }
}

impl std::fmt::Debug for SharedMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {}", self.number, self.links.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two processes, as far as their links go.
    fn pair(folder: &Path) -> (SharedMemory, SharedMemory) {
        let patience = || Patience::new(Duration::from_secs(60));
        std::thread::scope(|scope| {
            let other =
                scope.spawn(|| SharedMemory::join(1, 2, folder, patience(), &mut || None).unwrap());
            let one = SharedMemory::join(0, 2, folder, patience(), &mut || None).unwrap();
            (one, other.join().unwrap())
        })
    }

    #[test]
    fn messages_of_any_length_come_whole_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let (mut from, mut to) = pair(folder.path());
        assert_eq!(from.longest(), BULK / 2);
        let slot = (QUEUE.elen - 64) as usize;
        let lengths = [1, slot, slot + 1, 100_000, BULK / 2, 3, BULK / 2, BULK / 3, 5_000_000, 64];
        let contents = |number: usize, length: usize| -> Vec<u8> {
            (0..length).map(|at| (at / 7 + 13 * number) as u8).collect()
        };
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for (number, length) in lengths.into_iter().enumerate() {
                    let message = contents(number, length);
                    while !from.try_send(1, &message).unwrap() {
                        from.wait(Duration::from_millis(1));
                    }
                }
                // It stays until everything was taken.
                let mut last = Vec::new();
                while from.try_receive(&mut last).unwrap().is_none() {
                    from.wait(Duration::from_millis(10));
                }
            });
            let mut message = Vec::new();
            for (number, length) in lengths.into_iter().enumerate() {
                while to.try_receive(&mut message).unwrap().is_none() {
                    to.wait(Duration::from_millis(10));
                }
                assert!(message == contents(number, length), "message {number}");
            }
            assert!(to.try_send(0, &[1]).unwrap());
        });
    }

    #[test]
    fn a_buffer_that_was_not_lent_is_nonsense() {
        let folder = tempfile::tempdir().unwrap();
        let (mut from, mut to) = pair(folder.path());
        let mut fields = [0; 48];
        fields[..16].copy_from_slice(&Buffer { position: 64, length: u64::MAX }.encode());
        let link = from.links[1].as_mut().unwrap();
        assert_eq!(link.send(0, LENT, &fields, &[]).unwrap(), Sent::Done);
        let error = to.try_receive(&mut Vec::new()).unwrap_err();
        assert_eq!(error.process, 0);
        assert!(
            matches!(&error.trouble, Trouble::Nonsense(what) if what.contains("lent")),
            "{error}"
        );
    }
}
