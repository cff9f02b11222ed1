//! This rank's end of what joins all of them, for one run or one meeting.
//!
//! The kinds of messages are told apart by their tags. The last one to each rank says good-bye: who has received it
//! listens to its sender no more, and who leaves waits for that of each other. So nothing of one run reaches the next,
//! though all use the same way.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ironbird_kernel::{Carrier, CarrierError, Trouble};
use ironbird_runner::{Interrupt, SignsOfLife};

use crate::lookout::Calls;
use crate::pause::Pause;
use crate::peers::Peers;
use crate::requests::{Arrived, Receiving, Sending, Way};

/// Longer messages are cut by the kernel.
const LONGEST: usize = 64 << 10;
/// Messages to one rank that it has not begun to take.
const ROOM: usize = 64;
/// A message of the kernel.
const MESSAGE: c_int = 1;
/// Signs of life: asked for, and given.
const ASKED: c_int = 2;
const GIVEN: c_int = 3;
/// The last message.
const GOOD_BYE: c_int = 4;
/// How long to wait for another once the job was asked to end. What started it kills it soon: Open MPI after a second.
const HURRY: Duration = Duration::from_millis(500);

/// What lasts as long as the job.
pub struct Known {
    pub number: usize,
    pub count: usize,
    pub way: Way,
    pub peers: Peers,
    pub calls: Calls,
    /// Whether a rank is gone, or hangs.
    pub broken: AtomicBool,
}

/// What is between this rank and another.
#[derive(Default)]
struct Pair {
    sending: VecDeque<Sending>,
    /// It has come to this run.
    came: bool,
    /// It was asked for a sign of life, and has not answered yet.
    asked: bool,
    /// It has said good-bye.
    left: bool,
    lost: Option<Trouble>,
    /// The kernel knows that it has left, or is lost.
    told: bool,
}

/// This rank, joined to all others.
pub struct Rank {
    known: Arc<Known>,
    pairs: Vec<Pair>,
    receiving: Receiving,
    arrived: VecDeque<Arrived>,
    /// Buffers to be used again.
    spare: Vec<Vec<u8>>,
    signs: SignsOfLife,
    interrupt: Interrupt,
    /// It has said good-bye, and says nothing more.
    leaving: bool,
}

impl Rank {
    pub fn join(known: Arc<Known>, patience: Duration, interrupt: Interrupt) -> Self {
        let (number, count) = (known.number, known.count);
        let mut receiving = Receiving::new(known.way, count);
        for other in (0..count).filter(|other| *other != number) {
            receiving.listen(other, LONGEST);
        }
        Rank {
            pairs: (0..count).map(|_| Pair::default()).collect(),
            receiving,
            arrived: VecDeque::new(),
            spare: Vec::new(),
            signs: SignsOfLife::new(known.peers.processes(), patience),
            interrupt,
            leaving: false,
            known,
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let number = self.known.number;
        (0..self.known.count).filter(move |other| *other != number)
    }

    fn send(&mut self, to: usize, kind: c_int, message: &[u8]) {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(message);
        let Known { calls, way, .. } = &*self.known;
        let sending = calls.make(|| Sending::start(*way, to, kind, buffer));
        self.pairs[to].sending.push_back(sending);
    }

    /// Listens for the next message of a rank.
    fn listen(&mut self, from: usize) {
        self.known.calls.make(|| self.receiving.listen(from, LONGEST));
    }

    /// Looks what has arrived.
    fn poll(&mut self) {
        self.known.calls.make(|| self.receiving.poll(&mut self.arrived));
    }

    /// Frees the buffers of what has gone to a rank.
    fn reap(&mut self, to: usize) {
        while let Some(first) = self.pairs[to].sending.pop_front() {
            match self.known.calls.make(|| first.finish()) {
                Ok(buffer) => self.spare.push(buffer),
                Err(first) => {
                    self.pairs[to].sending.push_front(first);
                    return;
                }
            }
        }
    }

    /// Takes what has arrived: the next message of the kernel, if there is one, and who sent it.
    fn take(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError> {
        while let Some(arrived) = self.arrived.pop_front() {
            let Arrived { from, kind, .. } = arrived;
            self.signs.hear(from);
            self.pairs[from].came = true;
            match kind {
                MESSAGE => {
                    message.clear();
                    message.extend_from_slice(self.receiving.message(&arrived));
                    self.listen(from);
                    return Ok(Some(from));
                }
                GOOD_BYE => {
                    self.pairs[from].left = true;
                    continue;
                }
                ASKED => self.send(from, GIVEN, &[]),
                GIVEN => self.pairs[from].asked = false,
                other => {
                    let what = format!("a message of kind {other}");
                    return Err(CarrierError { process: from, trouble: Trouble::Nonsense(what) });
                }
            }
            self.listen(from);
        }
        Ok(None)
    }

    /// Looks whether the others are still there, and asks them for a sign of life now and then.
    fn look(&mut self) {
        if self.interrupt.is_requested() {
            self.signs.hurry(HURRY, "after the job was asked to end");
        }
        let Some(ask) = self.signs.look() else { return };
        for other in self.others() {
            let pair = &self.pairs[other];
            if pair.left || pair.lost.is_some() {
                continue;
            }
            let peer = self.known.peers.get(other);
            // The first one may be busy with what it writes, but not gone.
            let awaited = other > 0 || pair.came;
            let lost = match peer.has_ended() {
                true => Some(Trouble::Died(format!("{peer}, has ended"))),
                false => self.signs.silent(other).filter(|_| awaited).map(|silent| match silent {
                    Trouble::Hangs(what) => Trouble::Hangs(format!("{what}; it is {peer}")),
                    other => other,
                }),
            };
            if lost.is_some() {
                self.known.broken.store(true, Ordering::Relaxed);
                self.pairs[other].lost = lost;
            } else if ask && !pair.asked && !self.leaving {
                self.pairs[other].asked = true;
                self.send(other, ASKED, &[]);
            }
        }
    }

    /// Says good-bye, and waits until all others have, so that nothing is under way any more; unless one is lost.
    fn leave(&mut self) {
        for other in self.others() {
            self.send(other, GOOD_BYE, &[]);
        }
        self.leaving = true;
        let mut pause = Pause::default();
        loop {
            self.poll();
            while let Some(arrived) = self.arrived.pop_front() {
                let from = arrived.from;
                self.signs.hear(from);
                self.pairs[from].came = true;
                // Who asks for a sign of life sees the good-bye.
                match arrived.kind {
                    GOOD_BYE => self.pairs[from].left = true,
                    _ => self.listen(from),
                }
            }
            self.others().for_each(|other| self.reap(other));
            let open = |pair: &Pair| !pair.left || !pair.sending.is_empty();
            let done = !self.others().any(|other| open(&self.pairs[other]));
            if done || self.known.broken.load(Ordering::Relaxed) {
                return;
            }
            pause.make(self.signs.longest_wait());
            self.look();
        }
    }
}

impl Carrier for Rank {
    fn longest(&self) -> usize {
        LONGEST
    }

    fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError> {
        let Pair { left, lost, .. } = &self.pairs[to];
        let ended = || Trouble::Died("it has ended its part of the run".into());
        if let Some(trouble) = lost.clone().or_else(|| left.then(ended)) {
            return Err(CarrierError { process: to, trouble });
        }
        self.reap(to);
        if self.pairs[to].sending.len() >= ROOM {
            return Ok(false);
        }
        self.send(to, MESSAGE, message);
        Ok(true)
    }

    fn try_receive(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError> {
        if self.arrived.is_empty() {
            self.poll();
        }
        if let Some(from) = self.take(message)? {
            return Ok(Some(from));
        }
        for process in self.others() {
            let Pair { left, lost, told, .. } = &mut self.pairs[process];
            if (*left || lost.is_some()) && !*told {
                *told = true;
                let ended = || Trouble::Died("it has ended its part of the run".into());
                let trouble = lost.clone().unwrap_or_else(ended);
                return Err(CarrierError { process, trouble });
            }
        }
        Ok(None)
    }

    fn wait(&mut self, timeout: Duration) {
        let (begin, timeout) = (Instant::now(), timeout.min(self.signs.longest_wait()));
        let mut pause = Pause::default();
        while self.arrived.is_empty() {
            let left = timeout.saturating_sub(begin.elapsed());
            if left.is_zero() {
                break;
            }
            pause.make(left);
            self.poll();
        }
        self.look();
    }
}

impl Drop for Rank {
    fn drop(&mut self) {
        if !self.known.broken.load(Ordering::Relaxed) {
            self.leave();
        }
    }
}
