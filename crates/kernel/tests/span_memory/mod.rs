//! Processes of a span played by threads: a carrier in memory with little room, in which messages take
//! their time, and which breaks when a test wants it to.
#![allow(dead_code)] // Each test that includes this uses a part of it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ironbird_kernel::{Carrier, CarrierError, RandomStream, Span, Trouble};

/// What the way between processes is like.
#[derive(Clone, Debug)]
pub struct Way {
    /// Messages under way from one process to another before there is no room.
    pub room: usize,
    /// Bytes of the longest message.
    pub longest: usize,
    /// A message takes up to so many microseconds.
    pub delay_us: u64,
    pub seed: u64,
    /// This process breaks at its so manieth message: as if it had been killed.
    pub breaks: Option<(usize, u64)>,
    /// The so manieth message of this process is not what it was to send, and then it breaks.
    pub spoils: Option<(usize, u64)>,
    /// Messages that all processes have sent.
    pub sent: Arc<AtomicU64>,
}

impl Way {
    pub fn plain() -> Self {
        Way {
            room: 64,
            longest: usize::MAX,
            delay_us: 0,
            seed: 0,
            breaks: None,
            spoils: None,
            sent: Arc::default(),
        }
    }
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<(Instant, Vec<u8>)>,
    closed: bool,
    reported: bool,
}

struct Network {
    /// By sender, then receiver.
    queues: Mutex<Vec<Vec<Queue>>>,
    changed: Condvar,
    way: Way,
}

impl Network {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Queue>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One process's end.
pub struct Memory {
    number: usize,
    network: Arc<Network>,
    random: RandomStream,
    sent: u64,
    broken: bool,
}

/// The places of as many processes.
pub fn span(count: usize, way: &Way) -> Vec<Span> {
    let queue = |_| Queue::default();
    let queues = (0..count).map(|_| (0..count).map(queue).collect()).collect();
    let network = Network { queues: Mutex::new(queues), changed: Condvar::new(), way: way.clone() };
    let network = Arc::new(network);
    (0..count)
        .map(|number| {
            let random = RandomStream::from_key(way.seed ^ number as u64);
            let network = network.clone();
            let carrier = Memory { number, network, random, sent: 0, broken: false };
            Span { number, count, carrier: Box::new(carrier) }
        })
        .collect()
}

impl Memory {
    fn gone(process: usize) -> CarrierError {
        CarrierError { process, trouble: Trouble::Died("its thread has ended".into()) }
    }

    /// Nobody gets anything from this process any more, nor does it.
    fn close(&mut self) {
        let mut queues = self.network.lock();
        queues[self.number].iter_mut().for_each(|queue| queue.closed = true);
        drop(queues);
        self.network.changed.notify_all();
    }
}

impl Carrier for Memory {
    fn longest(&self) -> usize {
        self.network.way.longest
    }

    fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError> {
        assert!(message.len() <= self.longest() && to != self.number);
        if self.broken {
            return Err(Memory::gone(self.number));
        }
        let network = self.network.clone();
        let Way { room, delay_us, breaks, spoils, .. } = network.way;
        if breaks == Some((self.number, self.sent)) {
            self.broken = true;
            self.close();
            return Err(Memory::gone(self.number));
        }
        let mut queues = network.lock();
        if queues[to][self.number].closed {
            return Err(Memory::gone(to));
        }
        let queue = &mut queues[self.number][to];
        if queue.messages.len() >= room {
            return Ok(false);
        }
        let mut message = message.to_vec();
        let spoilt = spoils == Some((self.number, self.sent));
        if spoilt {
            if self.random.below(2) == 0 {
                message.resize(1 + self.random.below(60) as usize, 0);
                message.iter_mut().for_each(|byte| *byte = self.random.below(256) as u8);
                message[0] %= 5;
            } else {
                let place = self.random.below(message.len() as u64) as usize;
                message[place] ^= 1 << self.random.below(8);
            }
        }
        self.sent += 1;
        network.way.sent.fetch_add(1, Ordering::Relaxed);
        let delay = Duration::from_micros(self.random.below(delay_us + 1));
        queue.messages.push_back((Instant::now() + delay, message));
        drop(queues);
        network.changed.notify_all();
        if spoilt {
            self.broken = true;
            self.close();
            return Err(Memory::gone(self.number));
        }
        Ok(true)
    }

    fn try_receive(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError> {
        if self.broken {
            return Err(Memory::gone(self.number));
        }
        let mut queues = self.network.lock();
        for from in 0..queues.len() {
            let queue = &mut queues[from][self.number];
            if queue.messages.front().is_some_and(|(at, _)| *at <= Instant::now()) {
                *message = queue.messages.pop_front().map(|(_, bytes)| bytes).unwrap_or_default();
                drop(queues);
                self.network.changed.notify_all();
                return Ok(Some(from));
            }
            let through = queue.messages.is_empty() && queue.closed && from != self.number;
            if through && !std::mem::replace(&mut queue.reported, true) {
                return Err(Memory::gone(from));
            }
        }
        Ok(None)
    }

    fn wait(&mut self, timeout: Duration) {
        if self.broken {
            return;
        }
        let queues = self.network.lock();
        let waiting = queues.iter().filter_map(|to| to[self.number].messages.front());
        let next = waiting.map(|(at, _)| at.saturating_duration_since(Instant::now())).min();
        let timeout = next.map_or(timeout, |next| next.min(timeout));
        drop(self.network.changed.wait_timeout(queues, timeout));
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.close();
    }
}

/// Lets every process do its part on a thread of its own; what each came to.
pub fn processes<T: Send>(count: usize, way: &Way, part: impl Fn(Span) -> T + Sync) -> Vec<T> {
    let part = &part;
    std::thread::scope(|scope| {
        let spans = span(count, way).into_iter();
        let threads: Vec<_> = spans.map(|span| scope.spawn(move || part(span))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}
