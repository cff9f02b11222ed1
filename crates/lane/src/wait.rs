use crate::sync::{Arc, AtomicBool, Condvar, Mutex, Ordering, Padded, fence, spin_loop};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long a [`Waiter`] spins before it parks, where there is a core for every partition. Parking
/// and waking cost several microseconds, about 50 on a virtual machine, so a peer that answers sooner is
/// better awaited awake.
pub const DEFAULT_SPIN: Duration = Duration::from_micros(100);

/// How long to spin when `partitions` threads run at once: [`DEFAULT_SPIN`] where this process may
/// use that many cores, else not at all, since the awaited peer may need the very core we spin on.
pub fn spin_budget(partitions: usize) -> Duration {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= partitions { DEFAULT_SPIN } else { Duration::ZERO }
}

/// Looks between two readings of the clock while spinning.
const LOOKS_PER_CLOCK: u32 = 32;

/// An eventcount for one waiting thread.
///
/// The waiter writes `parked` and then reads the condition; a waker has written the condition and
/// then reads `parked`. Each could miss the other's write while it still sits in a store buffer, so
/// both put a `SeqCst` fence between their write and their read: whichever fence comes second in
/// the single order of all such fences, its thread sees what the other wrote.
struct Event {
    parked: Padded<AtomicBool>,
    /// Held to clear `parked` on behalf of the waiter, so that it cannot fall asleep in between.
    lock: Mutex<()>,
    woken: Condvar,
}

impl Event {
    #[inline]
    fn wake(&self) {
        fence(Ordering::SeqCst);
        if self.parked.0.load(Ordering::Relaxed) {
            self.wake_parked();
        }
    }

    #[cold]
    fn wake_parked(&self) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let was_parked = self.parked.0.swap(false, Ordering::Relaxed);
        drop(guard);
        if was_parked {
            self.woken.notify_one();
        }
    }
}

/// What a thread waits on: any of the promises and lanes that were given one of its [`Waker`]s.
///
/// ```
/// use ironbird_lane::{Waiter, promise, spin_budget};
///
/// let mut waiter = Waiter::new(spin_budget(2));
/// let (writer, reader) = promise();
/// let mut writer = writer.waking(waiter.waker());
///
/// std::thread::scope(|threads| {
///     threads.spawn(move || {
///         writer.raise(250);
///         writer.finish();
///     });
///     let promised = waiter.wait(None, || reader.get().ok().filter(|&until| until >= 250));
///     assert!(promised.is_some());
/// });
/// ```
pub struct Waiter {
    event: Arc<Event>,
    spin: Duration,
}

impl Waiter {
    /// A waiter that spins for `spin` before it parks; see [`spin_budget`].
    pub fn new(spin: Duration) -> Self {
        let event = Event {
            parked: Padded(AtomicBool::new(false)),
            lock: Mutex::new(()),
            woken: Condvar::new(),
        };
        Self { event: Arc::new(event), spin }
    }

    /// A handle that wakes this waiter, for whoever changes what it waits for.
    pub fn waker(&self) -> Waker {
        Waker { event: self.event.clone() }
    }

    /// Waits until `ready` returns something, or until `timeout` has passed and it still returns
    /// `None`. Spins first, then parks; `ready` is asked again after every wake-up.
    pub fn wait<T>(
        &mut self,
        timeout: Option<Duration>,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        if let Some(found) = ready() {
            return Some(found);
        }
        let mut start = None;
        if !self.spin.is_zero() {
            let budget = timeout.map_or(self.spin, |timeout| timeout.min(self.spin));
            // The clock is first read after some looks in vain: most waits are shorter than that.
            while start.is_none_or(|start: Instant| start.elapsed() < budget) {
                for _ in 0..LOOKS_PER_CLOCK {
                    spin_loop();
                    if let Some(found) = ready() {
                        return Some(found);
                    }
                }
                start.get_or_insert_with(Instant::now);
            }
        }
        let start = start.unwrap_or_else(Instant::now);
        loop {
            let ticket = self.prepare();
            if let Some(found) = ready() {
                return Some(found);
            }
            let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
            if left == Some(Duration::ZERO) {
                return None;
            }
            ticket.park(left);
        }
    }

    /// Announces that this thread is about to park. Whatever wakes it from now on is not lost: it
    /// either is visible to a look at the condition *after* this call, or ends [`Ticket::park`].
    ///
    /// [`wait`](Self::wait) does this for you; use the pair where the look is too long for a closure.
    #[must_use = "dropping the ticket gives up the intention to park"]
    pub fn prepare(&mut self) -> Ticket<'_> {
        self.event.parked.0.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        Ticket { event: &self.event }
    }
}

/// The intention to park, from [`Waiter::prepare`]. Drop it if there is no need to park any more.
pub struct Ticket<'waiter> {
    event: &'waiter Event,
}

impl Ticket<'_> {
    /// Parks until woken, or until `timeout` has passed. Returns whether it was woken; a wake-up
    /// may come from any waker and may be a late one, so look at the condition again.
    pub fn park(self, timeout: Option<Duration>) -> bool {
        let event = self.event;
        // A timeout beyond the range of the clock never passes.
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut guard = event.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while event.parked.0.load(Ordering::Relaxed) {
            guard = match deadline {
                None => event.woken.wait(guard).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    let waited = event.woken.wait_timeout(guard, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        true
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.event.parked.0.store(false, Ordering::Relaxed);
    }
}

/// Wakes a [`Waiter`] that is parked; costs a fence and a load when it is not.
#[derive(Clone)]
pub struct Waker {
    event: Arc<Event>,
}

impl Waker {
    /// Wakes the waiter if it is parked or about to. Everything this thread has stored before is
    /// then visible to it.
    ///
    /// Promises and lanes call this themselves once they were given a waker.
    #[inline]
    pub fn wake(&self) {
        self.event.wake();
    }
}
