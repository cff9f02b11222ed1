use crate::Waker;
use crate::sync::{Arc, AtomicBool, AtomicU64, Ordering, Padded};

/// One cache line: a reader that polls it costs the writer one transfer per raise.
struct Shared {
    value: AtomicU64,
    abandoned: AtomicBool,
}

/// A time that only rises, published by one thread and read by another: "nothing I have yet to send
/// arrives before this". It starts at 0.
///
/// What the writer did before [`raise(p)`](PromiseWriter::raise), pushes into lanes included, is
/// visible to a reader that [gets](PromiseReader::get) `p` or more. **So read the promise first and
/// drain the lanes after.** The other way round, a message may slip in between the two, and the
/// reader would advance past its arrival.
///
/// ```
/// use ironbird_lane::{lane, promise};
///
/// let (mut sender, mut receiver) = lane(64);
/// let (mut writer, reader) = promise();
///
/// sender.try_push((120, "arrives at 120")).unwrap();
/// writer.raise(200);
///
/// let until = reader.get().unwrap(); // first
/// let arrival = receiver.try_pop(); // then
/// assert_eq!((until, arrival), (200, Some((120, "arrives at 120"))));
/// ```
pub fn promise() -> (PromiseWriter, PromiseReader) {
    let shared = Shared { value: AtomicU64::new(0), abandoned: AtomicBool::new(false) };
    let shared = Arc::new(Padded(shared));
    let writer = PromiseWriter { shared: shared.clone(), last: 0, finished: false, waker: None };
    (writer, PromiseReader { shared })
}

/// The side of a [`promise`] that gives it.
///
/// Dropping it without [`finish`](Self::finish) tells the reader that this side died: a thread that
/// panics or returns early cannot leave its peers waiting.
pub struct PromiseWriter {
    shared: Arc<Padded<Shared>>,
    last: u64,
    finished: bool,
    waker: Option<Waker>,
}

impl PromiseWriter {
    /// Lets every change of this promise wake the reader's thread.
    #[must_use = "dropping an end closes it"]
    pub fn waking(mut self, waker: Waker) -> Self {
        self.waker = Some(waker);
        self
    }

    /// Raises the promise to `value`. What was promised stands: a value that is not higher changes
    /// nothing and wakes nobody.
    #[inline]
    pub fn raise(&mut self, value: u64) {
        if value > self.last {
            self.last = value;
            self.shared.0.value.store(value, Ordering::Release);
            self.wake();
        }
    }

    /// The highest value promised so far.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Ends orderly: nothing will ever be sent again, and the reader gets `u64::MAX` from now on.
    pub fn finish(mut self) {
        self.finished = true;
        self.raise(u64::MAX);
    }

    #[inline]
    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake();
        }
    }
}

impl Drop for PromiseWriter {
    fn drop(&mut self) {
        if !self.finished {
            self.shared.0.abandoned.store(true, Ordering::Release);
            self.wake();
        }
    }
}

/// The side of a [`promise`] that relies on it.
pub struct PromiseReader {
    shared: Arc<Padded<Shared>>,
}

impl PromiseReader {
    /// The latest promise that is visible here; [`u64::MAX`] once the writer has finished.
    ///
    /// # Errors
    /// [`Closed`] if the writer was dropped without finishing, whatever it had promised.
    #[inline]
    pub fn get(&self) -> Result<u64, Closed> {
        let value = self.shared.0.value.load(Ordering::Acquire);
        if self.shared.0.abandoned.load(Ordering::Acquire) { Err(Closed) } else { Ok(value) }
    }
}

/// The peer's end was dropped before it finished: its thread panicked or gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the other side ended without finishing its promise")
    }
}

impl std::error::Error for Closed {}
