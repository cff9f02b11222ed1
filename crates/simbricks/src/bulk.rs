//! Large contents (images, point clouds) in shared buffers: a message of 64 bytes says where they are.
//!
//! Behind the doorbell of a pool that one of ours made:
//!
//! | bytes | what |
//! |---|---|
//! | 0..16 | `ironbird bulk 1`, zero |
//! | 16..24 | C, the bytes of the buffers each way, u64, a multiple of 64 |
//! | 64..72 | how far the connecter has given back what the listener lent, u64 |
//! | 128..136 | how far the listener has given back what the connecter lent, u64 |
//! | 192..192+C | the buffers of the listener |
//! | 192+C..192+2C | the buffers of the connecter |
//!
//! The buffers of a side are a ring. Positions in it count on and on; the byte at position p is p modulo C. A buffer
//! begins at a multiple of 64 and is never cut in two: where it does not fit before the end of the ring, it begins at
//! the next multiple of C. So that one always fits into an empty ring, none is longer than half of it. A message refers
//! to a buffer by position and length, [`Buffer`]; buffers are given back in the order in which they were lent.
//!
//! The message is sent after the contents are there, and time is that of the message: nothing else changes. A peer
//! that refers to what it has not lent is refused.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::pool::{Pool, Region};

const MAGIC: [u8; 16] = *b"ironbird bulk 1\0";
const CAPACITY: usize = 16;
const GIVEN_BACK_BY_CONNECTER: usize = 64;
const GIVEN_BACK_BY_LISTENER: usize = 128;
const HEADER: usize = 192;
const ALIGN: u64 = 64;

/// Where large contents are, as a message says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Position of the first byte.
    pub position: u64,
    /// How many bytes.
    pub length: u64,
}

impl Buffer {
    /// Bytes of a reference in a message.
    pub const SIZE: usize = 16;

    /// As it stands in a message: position, then length.
    pub fn encode(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.position.to_le_bytes());
        bytes[8..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    /// From a message.
    pub fn decode(bytes: [u8; Self::SIZE]) -> Self {
        let [position, length] = [0, 8].map(|at| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        });
        Buffer { position, length }
    }
}

/// Bytes that buffers of `capacity` each way take in a pool; nothing for none.
pub(crate) fn size(capacity: usize) -> Option<usize> {
    if capacity == 0 {
        return Some(0);
    }
    rounded(capacity)?.checked_mul(2)?.checked_add(HEADER)
}

fn rounded(capacity: usize) -> Option<usize> {
    capacity.checked_next_multiple_of(ALIGN as usize)
}

/// The buffers of both sides, seen from one.
#[derive(Debug)]
pub struct Bulk {
    region: Region,
    capacity: u64,
    is_listener: bool,
    /// Up to here this side has lent.
    lent: u64,
    /// Up to here this side has given back.
    returned: u64,
}

/// A peer refers to a buffer that it has not lent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} bytes at {} are none that it has lent", .0.length, .0.position)]
pub struct NotLent(pub Buffer);

impl Bulk {
    /// Of the listener, in a pool that is [`size`] longer than `at`.
    pub(crate) fn listener(pool: Arc<Pool>, at: usize, capacity: usize) -> Option<Self> {
        let capacity = rounded(capacity).filter(|capacity| *capacity > 0)?;
        let region = Region::new(pool, at, at.checked_add(size(capacity)?)?)?;
        region.word(CAPACITY).store((capacity as u64).to_le(), Ordering::Relaxed);
        region.copy_in(0, &MAGIC);
        Some(Self { region, capacity: capacity as u64, is_listener: true, lent: 0, returned: 0 })
    }

    /// Of the connecter, if the listener's pool has buffers.
    pub(crate) fn connecter(pool: Arc<Pool>, at: usize) -> Option<Self> {
        let head = Region::new(pool.clone(), at, at.checked_add(HEADER)?)?;
        let mut magic = [0; MAGIC.len()];
        head.copy_out(0, &mut magic);
        let capacity = u64::from_le(head.word(CAPACITY).load(Ordering::Relaxed));
        if magic != MAGIC || capacity == 0 || !capacity.is_multiple_of(ALIGN) {
            return None;
        }
        let length = size(usize::try_from(capacity).ok()?)?;
        let region = Region::new(pool, at, at.checked_add(length)?)?;
        Some(Self { region, capacity, is_listener: false, lent: 0, returned: 0 })
    }

    /// Bytes of the longest buffer.
    pub fn longest(&self) -> usize {
        (self.capacity / 2) as usize
    }

    /// Where the ring of a side begins in the region.
    fn ring(&self, of_listener: bool) -> usize {
        if of_listener { HEADER } else { HEADER + self.capacity as usize }
    }

    /// Puts contents into a buffer; `None` if there is no room now, or never would be.
    pub fn lend(&mut self, contents: &[u8]) -> Option<Buffer> {
        let length = contents.len() as u64;
        if length > self.capacity / 2 {
            return None;
        }
        let given_back = match self.is_listener {
            true => GIVEN_BACK_BY_CONNECTER,
            false => GIVEN_BACK_BY_LISTENER,
        };
        let given_back = u64::from_le(self.region.word(given_back).load(Ordering::Acquire));
        let mut position = self.lent;
        if position % self.capacity + length > self.capacity {
            position = position.next_multiple_of(self.capacity);
        }
        let end = position.checked_add(length)?.checked_next_multiple_of(ALIGN)?;
        // What a peer claims beyond what was lent gives no more room than there is.
        if end - given_back.min(self.lent) > self.capacity {
            return None;
        }
        let at = self.ring(self.is_listener) + (position % self.capacity) as usize;
        self.region.copy_in(at, contents);
        self.lent = end;
        Some(Buffer { position, length })
    }

    /// Takes the contents of a buffer that the peer has lent, and gives it back.
    ///
    /// # Errors
    /// If the peer cannot have lent it.
    pub fn take(&mut self, buffer: Buffer, into: &mut Vec<u8>) -> Result<(), NotLent> {
        let Buffer { position, length } = buffer;
        let is_whole = length <= self.capacity / 2
            && position.is_multiple_of(ALIGN)
            && position % self.capacity + length <= self.capacity;
        let end = position.checked_add(length).and_then(|end| end.checked_next_multiple_of(ALIGN));
        let end = end.filter(|end| {
            is_whole && position >= self.returned && end - self.returned <= self.capacity
        });
        let end = end.ok_or(NotLent(buffer))?;
        into.resize(length as usize, 0);
        let at = self.ring(!self.is_listener) + (position % self.capacity) as usize;
        self.region.copy_out(at, into);
        self.returned = end;
        let given_back = match self.is_listener {
            true => GIVEN_BACK_BY_LISTENER,
            false => GIVEN_BACK_BY_CONNECTER,
        };
        self.region.word(given_back).store(end.to_le(), Ordering::Release);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::pool::Place;

    /// Both sides of buffers of `capacity` bytes.
    fn pair(capacity: usize) -> (Bulk, Bulk) {
        let pool = Pool::create(&Place::Memory, 256 + size(capacity).unwrap(), 256).unwrap();
        let pool = Arc::new(pool);
        let listener = Bulk::listener(pool.clone(), 256, capacity).unwrap();
        (listener, Bulk::connecter(pool, 256).unwrap())
    }

    #[test]
    fn a_pool_without_buffers_has_none() {
        let pool = Arc::new(Pool::create(&Place::Memory, 4096, 4096).unwrap());
        assert!(Bulk::connecter(pool.clone(), 0).is_none());
        assert!(Bulk::connecter(pool.clone(), 4000).is_none());
        assert!(Bulk::listener(pool, 256, 4096).is_none());
    }

    #[test]
    fn buffers_that_a_peer_announces_beyond_the_pool_are_none() {
        let pool = Arc::new(Pool::create(&Place::Memory, 4096, 4096).unwrap());
        Bulk::listener(pool.clone(), 0, 1024).unwrap();
        let region = Region::new(pool.clone(), 0, HEADER).unwrap();
        for capacity in [0, 65, 4096, u64::MAX - 63, u64::MAX] {
            region.word(CAPACITY).store(capacity.to_le(), Ordering::Relaxed);
            assert!(Bulk::connecter(pool.clone(), 0).is_none(), "{capacity}");
        }
    }

    #[test]
    fn a_reference_is_read_back() {
        let buffer = Buffer { position: 0x0102_0304_0506_0708, length: 77 };
        assert_eq!(Buffer::decode(buffer.encode()), buffer);
        assert_eq!(buffer.encode()[..2], [8, 7]);
    }

    proptest! {
        /// Contents come as they were put in, in order, both ways, whatever their lengths; there is always room
        /// once everything was given back.
        #[test]
        fn contents_come_as_they_were(
            lengths in prop::collection::vec(0_usize..=512, 1..200),
            ahead in 1_usize..8,
        ) {
            let (mut a, mut b) = pair(1024);
            for is_turned in [false, true] {
                let (from, to) = if is_turned { (&mut b, &mut a) } else { (&mut a, &mut b) };
                let mut way = VecDeque::new();
                let mut taken = Vec::new();
                for (number, length) in lengths.iter().enumerate() {
                    let contents: Vec<u8> = (0..*length).map(|i| (i * 31 + number) as u8).collect();
                    let mut lent = None;
                    while lent.is_none() || way.len() > ahead {
                        if lent.is_none() {
                            lent = from.lend(&contents);
                            prop_assert!(lent.is_some() || !way.is_empty(), "no room in an empty ring");
                            way.extend(lent.map(|buffer| (buffer, contents.clone())));
                        }
                        if (lent.is_none() || way.len() > ahead)
                            && let Some((buffer, expected)) = way.pop_front()
                        {
                            to.take(buffer, &mut taken).unwrap();
                            prop_assert_eq!(&taken, &expected);
                        }
                    }
                }
                for (buffer, expected) in way {
                    to.take(buffer, &mut taken).unwrap();
                    prop_assert_eq!(&taken, &expected);
                }
            }
        }

        /// Whatever a peer refers to, nothing outside of its ring is read.
        #[test]
        fn any_reference_is_taken_or_refused(
            references in prop::collection::vec((any::<u64>(), 0_u64..2000), 1..50),
            small in prop::collection::vec((0_u64..4096, 0_u64..600), 1..50),
        ) {
            let (mut a, _b) = pair(1024);
            let mut taken = Vec::new();
            for (position, length) in references.into_iter().chain(small) {
                if a.take(Buffer { position, length }, &mut taken).is_ok() {
                    prop_assert!(length <= 512 && taken.len() as u64 == length);
                }
            }
        }
    }
}
