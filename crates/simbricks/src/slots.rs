//! The slots of a queue in a [`Pool`], and the check that an announced queue lies inside it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::atomics::AtomicU8;
use crate::layout::{FIELDS, Fields, HEADER, OWN_TYPE_AT, QueuePlace, TAIL_AT, TIMESTAMP_AT, Tail};
use crate::pool::{Pool, Region};
use crate::queue::Slots;

/// Why an announced queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// A slot cannot hold a header.
    #[error("its slots are {0} bytes long, less than the header of {HEADER}")]
    ShortSlots(u64),
    /// No slot at all.
    #[error("it has no slots")]
    NoSlots,
    /// The time stamps would not lie on multiples of eight.
    #[error("its offset {offset} and its slots of {elen} bytes are not both multiples of 8")]
    Unaligned {
        /// Where it begins.
        offset: u64,
        /// Bytes of a slot.
        elen: u64,
    },
    /// It ends behind the end of the file.
    #[error(
        "{nentries} slots of {elen} bytes at {offset} do not fit into a file of {length} bytes"
    )]
    Outside {
        /// Where it begins.
        offset: u64,
        /// Bytes of a slot.
        elen: u64,
        /// Number of slots.
        nentries: u64,
        /// Bytes of the file.
        length: usize,
    },
    /// It shares bytes with the other queue.
    #[error("it overlaps the other queue")]
    Overlap,
}

/// Checks one queue, and says which bytes it takes.
pub(crate) fn check(place: QueuePlace, length: usize) -> Result<(usize, usize), PlaceError> {
    let QueuePlace { offset, elen, nentries } = place;
    if elen < HEADER as u64 {
        return Err(PlaceError::ShortSlots(elen));
    }
    if nentries == 0 {
        return Err(PlaceError::NoSlots);
    }
    if !offset.is_multiple_of(8) || !elen.is_multiple_of(8) {
        return Err(PlaceError::Unaligned { offset, elen });
    }
    let end = elen.checked_mul(nentries).and_then(|size| size.checked_add(offset));
    match end {
        Some(end) if end <= length as u64 => Ok((offset as usize, end as usize)),
        _ => Err(PlaceError::Outside { offset, elen, nentries, length }),
    }
}

/// Checks both queues of a link, and says where the later one ends.
///
/// # Errors
/// Which queue is wrong (`0` the first, `1` the second), and why.
pub(crate) fn check_both(
    places: [QueuePlace; 2],
    length: usize,
) -> Result<usize, (usize, PlaceError)> {
    let first = check(places[0], length).map_err(|error| (0, error))?;
    let second = check(places[1], length).map_err(|error| (1, error))?;
    if first.0 < second.1 && second.0 < first.1 {
        return Err((1, PlaceError::Overlap));
    }
    Ok(first.1.max(second.1))
}

/// The slots of one queue.
#[derive(Debug)]
pub struct PoolSlots {
    region: Region,
    elen: usize,
    count: usize,
}

impl PoolSlots {
    /// The slots at `place`.
    ///
    /// # Errors
    /// If they do not lie inside the pool.
    pub fn new(pool: Arc<Pool>, place: QueuePlace) -> Result<Self, PlaceError> {
        let length = pool.length();
        let (start, end) = check(place, length)?;
        let QueuePlace { offset, elen, nentries } = place;
        let outside = PlaceError::Outside { offset, elen, nentries, length };
        let region = Region::new(pool, start, end).ok_or(outside)?;
        Ok(Self { region, elen: elen as usize, count: nentries as usize })
    }

    #[inline]
    fn start(&self, index: usize) -> usize {
        debug_assert!(index < self.count);
        index * self.elen
    }

    /// Bytes of payload that fit into a slot.
    pub fn capacity(&self) -> usize {
        self.elen - HEADER
    }

    /// The time stamp of a slot.
    #[inline]
    pub fn timestamp(&self, index: usize) -> u64 {
        u64::from_le(self.region.word(self.start(index) + TIMESTAMP_AT).load(Ordering::Relaxed))
    }

    /// Writes the time stamp of a slot.
    #[inline]
    pub fn set_timestamp(&self, index: usize, timestamp: u64) {
        let word = self.region.word(self.start(index) + TIMESTAMP_AT);
        word.store(timestamp.to_le(), Ordering::Relaxed);
    }

    /// The upper layer's fields of a slot.
    #[inline]
    pub fn fields(&self, index: usize) -> Fields {
        let mut fields = [0; FIELDS];
        self.region.copy_out(self.start(index), &mut fields);
        fields
    }

    /// Writes the upper layer's fields of a slot.
    #[inline]
    pub fn set_fields(&self, index: usize, fields: &Fields) {
        self.region.copy_in(self.start(index), fields);
    }

    /// What stands behind the time stamp of a slot.
    pub fn tail(&self, index: usize) -> Tail {
        let mut tail = Tail::default();
        self.region.copy_out(self.start(index) + TAIL_AT, &mut tail);
        tail
    }

    /// Writes what stands behind the time stamp of a slot.
    pub fn set_tail(&self, index: usize, tail: &Tail) {
        self.region.copy_in(self.start(index) + TAIL_AT, tail);
    }

    /// Copies the first bytes of a slot's payload; `false` if it is not that long.
    #[inline]
    pub fn payload(&self, index: usize, into: &mut [u8]) -> bool {
        let fits = into.len() <= self.capacity();
        if fits {
            self.region.copy_out(self.start(index) + HEADER, into);
        }
        fits
    }

    /// Writes the first bytes of a slot's payload; `false` if they do not fit.
    #[inline]
    pub fn set_payload(&self, index: usize, payload: &[u8]) -> bool {
        let fits = payload.len() <= self.capacity();
        if fits {
            self.region.copy_in(self.start(index) + HEADER, payload);
        }
        fits
    }
}

impl Slots for PoolSlots {
    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn own_type(&self, index: usize) -> &AtomicU8 {
        self.region.byte(self.start(index) + OWN_TYPE_AT)
    }
}
