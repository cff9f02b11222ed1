//! What partitions of a stretch agree on: where it ends, what halted it, where it pauses, and a floor
//! below which nothing happens anywhere.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use ironbird_lane::Waker;
use serde::{Deserialize, Serialize};

use super::{Limits, PauseHandle, lock};
use crate::engine::{Engine, Halt, Place};
use crate::time::{Duration, Time};

/// What all partitions of a stretch share.
pub(super) struct Shared {
    /// The stretch ends before this instant; a halt brings it forward.
    pub end: AtomicU64,
    /// Nothing happens anywhere before this instant.
    pub floor: AtomicU64,
    pub positions: Vec<AtomicU64>,
    /// Partitions that have nothing more to do in this stretch.
    pub finished: AtomicUsize,
    pub quiet: Mutex<Quiet>,
    pub halts: Mutex<Vec<Halted>>,
    pub meeting: Mutex<Meeting>,
    pub met: Condvar,
    pub wakers: Vec<Waker>,
    pub pause: PauseHandle,
    /// When the stretch is to end on the wall, and whether somebody has seen that it is over.
    pub deadline: Option<Instant>,
    late: AtomicBool,
}

/// Who is idle, and whether anything is under way.
pub(super) struct Quiet {
    /// Next own event of each idle partition.
    pub idle: Vec<Option<Time>>,
    pub sent: Vec<u64>,
    pub received: Vec<u64>,
}

/// Partitions that stopped to agree on where to pause.
pub(super) struct Meeting {
    pub positions: Vec<Option<Time>>,
    pub agreed: Option<Time>,
    /// Whether another thread asked for that, not the clock.
    pub is_asked_for: bool,
}

impl Shared {
    /// For as many partitions as there are wakers. Another thread may ask for a pause through `pause`.
    pub fn new(wakers: Vec<Waker>, limits: &Limits<'_>) -> Self {
        let Limits { from, end, wall, pause, .. } = *limits;
        let count = wakers.len();
        *lock(&pause.wakers) = wakers.clone();
        Shared {
            finished: AtomicUsize::new(0),
            end: AtomicU64::new(end.as_ps()),
            floor: AtomicU64::new(from.as_ps()),
            positions: (0..count).map(|_| AtomicU64::new(0)).collect(),
            quiet: Mutex::new(Quiet {
                idle: vec![None; count],
                sent: vec![0; count],
                received: vec![0; count],
            }),
            halts: Mutex::new(Vec::new()),
            meeting: Mutex::new(Meeting {
                positions: vec![None; count],
                agreed: None,
                is_asked_for: false,
            }),
            met: Condvar::new(),
            wakers,
            pause: pause.clone(),
            deadline: wall.map(|wall| Instant::now() + wall),
            late: AtomicBool::new(false),
        }
    }

    /// Somebody has looked at the clock.
    pub fn look_at(&self, clock: Instant) {
        let is_over = self.deadline.is_some_and(|deadline| clock > deadline);
        if is_over && !self.late.swap(true, Ordering::SeqCst) {
            self.wake_all();
        }
    }

    /// Whether the stretch has lasted long enough.
    pub fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }

    pub fn end(&self) -> Time {
        Time::from_ps(self.end.load(Ordering::SeqCst))
    }

    pub fn wake_all(&self) {
        for waker in &self.wakers {
            waker.wake();
        }
    }

    /// Brings the end forward to just after the halt.
    pub fn halt(&self, halted: Halted) {
        self.end.fetch_min((halted.at + Duration::EPSILON).as_ps(), Ordering::SeqCst);
        lock(&self.halts).push(halted);
        self.wake_all();
    }
}

impl Shared {
    /// A thread has died: there is nothing more to be had from this stretch.
    pub fn abort(&self) {
        self.end.store(0, Ordering::SeqCst);
        self.wake_all();
    }
}

/// What stopped an engine, and where in which instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Halted {
    pub at: Time,
    pub place: Place,
    pub component: String,
    pub halt: Halt,
}

impl Halted {
    pub fn here(engine: &Engine, halt: Halt) -> Self {
        let (component, place) = match &halt {
            Halt::Fault(_) => (engine.in_hand(), engine.place),
            // A fault of the same instant comes first.
            Halt::Stop { monitor, .. } => (monitor.clone(), Place::LAST),
        };
        Halted { at: halt.at(), place, component, halt }
    }
}

/// If all are idle and nothing is under way: nothing happens before the earliest next event.
pub(super) fn agree_on_floor(quiet: &mut Quiet, shared: &Shared) {
    let under_way = quiet.sent.iter().sum::<u64>() != quiet.received.iter().sum::<u64>();
    if under_way || quiet.idle.iter().any(Option::is_none) {
        return;
    }
    let next = quiet.idle.iter().flatten().min().copied().unwrap_or(Time::NEVER);
    if next.as_ps() > shared.floor.load(Ordering::Relaxed) {
        shared.floor.store(next.as_ps(), Ordering::Release);
        shared.wake_all();
    }
}
