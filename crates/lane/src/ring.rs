use crate::Waker;
use crate::sync::{Arc, AtomicBool, AtomicUsize, Ordering, Padded, UnsafeCell};
use std::mem::MaybeUninit;

/// Positions count items since the start and wrap around with `usize`; `position & mask` is the
/// slot. The items in flight are at `head..tail`, never more than there are slots.
struct Ring<T> {
    slots: Box<[UnsafeCell<MaybeUninit<T>>]>,
    /// The next position to pop; written by the receiver only.
    head: Padded<AtomicUsize>,
    /// The next position to push; written by the sender only.
    tail: Padded<AtomicUsize>,
    /// One end is gone. Each end is told by the other: what it set itself it never reads.
    closed: AtomicBool,
}

// SAFETY: a slot is accessed by the sender alone while its position is outside `head..tail`, and by
// the receiver alone while inside; the release stores and acquire loads of `head` and `tail` hand
// it over. Items thus only move from one thread to another, which `T: Send` allows.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    fn slot(&self, position: usize) -> &UnsafeCell<MaybeUninit<T>> {
        &self.slots[position & (self.slots.len() - 1)]
    }

    /// # Safety
    /// `position` is in `head..tail`, its item was not taken, and the caller owns the popping side.
    unsafe fn take(&self, position: usize) -> T {
        // SAFETY: the slot was written before `tail` went past it, and nobody else accesses it now.
        self.slot(position).with(|slot| unsafe { (*slot).assume_init_read() })
    }
}

impl<T> Drop for Ring<T> {
    fn drop(&mut self) {
        let tail = self.tail.0.load(Ordering::Relaxed);
        let mut head = self.head.0.load(Ordering::Relaxed);
        while head != tail {
            // SAFETY: both ends are gone, so this is the only access, and each item goes once.
            drop(unsafe { self.take(head) });
            head = head.wrapping_add(1);
        }
    }
}

/// A bounded queue from one thread to one other. Holds at least `capacity` items, rounded up to a
/// power of two. Pushing and popping never block, never allocate and end in a fixed number of steps.
///
/// ```
/// let (mut sender, mut receiver) = ironbird_lane::lane(2);
/// assert_eq!(sender.try_push("up"), Ok(()));
/// assert_eq!(sender.try_push("down"), Ok(()));
/// assert_eq!(sender.try_push("no room"), Err("no room"));
/// drop(sender);
///
/// assert!(receiver.is_closed());
/// assert_eq!(receiver.try_pop(), Some("up")); // what was sent before still arrives
/// assert_eq!(receiver.try_pop(), Some("down"));
/// assert_eq!(receiver.try_pop(), None);
/// ```
///
/// # Panics
/// If so many items do not fit into memory.
pub fn lane<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    lane_from(capacity, 0)
}

/// Starts counting at `start`, so that a test can reach the end of `usize`.
fn lane_from<T>(capacity: usize, start: usize) -> (Sender<T>, Receiver<T>) {
    let slots = capacity.checked_next_power_of_two().expect("a lane's capacity fits into memory");
    let ring = Arc::new(Ring {
        slots: (0..slots).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect(),
        head: Padded(AtomicUsize::new(start)),
        tail: Padded(AtomicUsize::new(start)),
        closed: AtomicBool::new(false),
    });
    (
        Sender { ring: ring.clone(), tail: start, seen_head: start, waker: None },
        Receiver { ring, head: start, seen_tail: start, owes_wake: false, waker: None },
    )
}

/// The end of a [`lane`] that pushes.
pub struct Sender<T> {
    ring: Arc<Ring<T>>,
    tail: usize,
    /// `head` when last looked at: reading it again costs a cache miss, so only when it matters.
    seen_head: usize,
    waker: Option<Waker>,
}

impl<T> Sender<T> {
    /// Lets this end wake the receiver's thread.
    #[must_use = "dropping an end closes it"]
    pub fn waking(mut self, waker: Waker) -> Self {
        self.waker = Some(waker);
        self
    }

    /// Pushes `item` and wakes the receiver, or gives it back if the lane is full.
    ///
    /// # Errors
    /// The item, if there is no room for it.
    #[inline]
    pub fn try_push(&mut self, item: T) -> Result<(), T> {
        let result = self.try_push_quietly(item);
        if result.is_ok() {
            wake(&self.waker);
        }
        result
    }

    /// Pushes `item` without waking the receiver, unless the lane turns out to be full. For items
    /// the receiver cannot use yet: the promise that follows wakes it once for all of them.
    ///
    /// # Errors
    /// The item, if there is no room for it.
    #[inline]
    pub fn try_push_quietly(&mut self, item: T) -> Result<(), T> {
        let capacity = self.ring.slots.len();
        if self.tail.wrapping_sub(self.seen_head) == capacity {
            self.seen_head = self.ring.head.0.load(Ordering::Acquire);
            if self.tail.wrapping_sub(self.seen_head) == capacity {
                // Only the receiver can make room, and it may not know of these items yet.
                wake(&self.waker);
                return Err(item);
            }
        }
        // SAFETY: the slot is outside `head..tail`, so it is ours, and holds no item.
        self.ring.slot(self.tail).with_mut(|slot| unsafe { (*slot).write(item) });
        self.tail = self.tail.wrapping_add(1);
        self.ring.tail.0.store(self.tail, Ordering::Release);
        Ok(())
    }

    /// Whether a push would fail now. What to wait for after it did.
    pub fn is_full(&self) -> bool {
        // Relaxed: a push looks again, and cannot see an older value than this.
        let head = self.ring.head.0.load(Ordering::Relaxed);
        self.tail.wrapping_sub(head) == self.ring.slots.len()
    }

    /// Whether the receiver is gone. Pushed items are then dropped together with the lane.
    pub fn is_closed(&self) -> bool {
        self.ring.closed.load(Ordering::Acquire)
    }

    /// How many items the lane holds at most.
    pub fn capacity(&self) -> usize {
        self.ring.slots.len()
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.ring.closed.store(true, Ordering::Release);
        wake(&self.waker);
    }
}

/// The end of a [`lane`] that pops.
pub struct Receiver<T> {
    ring: Arc<Ring<T>>,
    head: usize,
    /// `tail` when last looked at.
    seen_tail: usize,
    /// Something was popped since the sender was last woken.
    owes_wake: bool,
    waker: Option<Waker>,
}

impl<T> Receiver<T> {
    /// Lets this end wake the sender's thread, which may wait for room.
    #[must_use = "dropping an end closes it"]
    pub fn waking(mut self, waker: Waker) -> Self {
        self.waker = Some(waker);
        self
    }

    /// Pops the oldest item. Drain until this returns `None`: that is when a sender that waits for
    /// room is woken, once for all the room made.
    #[inline]
    pub fn try_pop(&mut self) -> Option<T> {
        if self.head == self.seen_tail {
            self.seen_tail = self.ring.tail.0.load(Ordering::Acquire);
            if self.head == self.seen_tail {
                if std::mem::take(&mut self.owes_wake) {
                    wake(&self.waker);
                }
                return None;
            }
        }
        // SAFETY: `head` is before the sender's `tail`, and only this end takes.
        let item = unsafe { self.ring.take(self.head) };
        self.head = self.head.wrapping_add(1);
        self.ring.head.0.store(self.head, Ordering::Release);
        self.owes_wake = true;
        Some(item)
    }

    /// Whether there is nothing to pop now.
    pub fn is_empty(&self) -> bool {
        // Relaxed: a pop looks again, and cannot see an older value than this.
        self.head == self.seen_tail && self.head == self.ring.tail.0.load(Ordering::Relaxed)
    }

    /// Whether the sender is gone. What it pushed before can still be popped.
    pub fn is_closed(&self) -> bool {
        self.ring.closed.load(Ordering::Acquire)
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.ring.closed.store(true, Ordering::Release);
        wake(&self.waker);
    }
}

#[inline]
fn wake(waker: &Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn positions_may_wrap_around_usize() {
        let (mut sender, mut receiver) = lane_from(4, usize::MAX - 5);
        for first in (0..40).step_by(4) {
            for item in first..first + 4 {
                assert_eq!(sender.try_push(item), Ok(()));
            }
            assert!(sender.is_full());
            assert_eq!(sender.try_push(-1), Err(-1));
            for item in first..first + 4 {
                assert_eq!(receiver.try_pop(), Some(item));
            }
            assert!(receiver.is_empty());
        }
        sender.try_push(0).unwrap();
    }
}
