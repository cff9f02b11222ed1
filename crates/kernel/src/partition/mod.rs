//! Partitions over threads: each advances to strictly before the earliest instant at which
//! something could still arrive, as its peers promise.
//!
//! A promise is the source's next possible output plus the link's latency. Where every partition
//! waits only because the promises of others creep up by one latency after another, a common floor
//! is agreed on instead: once all have nothing to do before their own next event, and nothing is
//! under way, nothing can happen anywhere before the earliest of those events.

mod agreement;
mod peers;
mod threads;
mod worker;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration as Wall, Instant};

use ironbird_lane::{Waiter, Waker, lane, promise, spin_budget};

use crate::engine::{Engine, Fabric, Halt};
use crate::outcome::{Fault, WaitCounter};
use crate::path::compare_paths;
use crate::time::{Duration, Time};
pub(crate) use agreement::Halted;
use agreement::Shared;
pub(crate) use peers::{Bereft, Outlook, Peers, Prospect, least_latency};
use threads::{Incoming, Outgoing, Threads};
pub(crate) use worker::Worker;

/// Messages under way between two partitions before the sender keeps them.
const LANE_CAPACITY: usize = 1_024;
/// Instants between two looks at the outside world.
const INSTANTS_PER_LOOK: u32 = 1_024;
/// How often a busy partition promises, in the time that a message takes to its peers.
const PROMISES_PER_LATENCY: u64 = 4;

/// Lets another thread pause a run.
#[derive(Clone, Default)]
pub struct PauseHandle {
    requested: Arc<AtomicBool>,
    abandoned: Arc<AtomicBool>,
    wakers: Arc<Mutex<Vec<Waker>>>,
}

impl PauseHandle {
    /// Asks the run to pause at the next instant that no partition has passed.
    pub fn pause(&self) {
        self.requested.store(true, Ordering::SeqCst);
        for waker in lock(&self.wakers).iter() {
            waker.wake();
        }
    }

    /// As [`pause`](PauseHandle::pause), for good: a model that waits for something outside of the simulation may
    /// stop waiting and fail; see [`crate::Context::abandoned`].
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        self.pause();
    }

    pub(crate) fn abandoned(&self) -> &Arc<AtomicBool> {
        &self.abandoned
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    pub(crate) fn clear(&self) {
        self.requested.store(false, Ordering::SeqCst);
    }
}

/// How a stretch of a run ended.
pub(crate) enum Stretch {
    Reached,
    Paused(Time),
    /// Its time on the wall was over.
    Late(Time),
    Halted(Halt),
}

/// How far a stretch goes at most.
pub(crate) struct Limits<'a> {
    /// From this instant on: everything before it has happened.
    pub from: Time,
    /// To before this instant.
    pub end: Time,
    /// For so long on the wall, about.
    pub wall: Option<Wall>,
    /// Until another thread asks for a pause.
    pub pause: &'a PauseHandle,
    /// For tests: until the thread of a partition dies.
    pub killed: Option<(usize, Time)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it did not say why".into())
}

/// Runs the engines as far as `limits` let them, each on a thread of its own if there are several.
pub(crate) fn run_stretch(
    engines: &mut Vec<Engine>,
    fabric: &Fabric,
    limits: &Limits<'_>,
    waits: &mut Vec<WaitCounter>,
    synchronisations: &mut u64,
) -> Stretch {
    if let [engine] = engines.as_mut_slice() {
        return run_alone(engine, limits);
    }
    let count = engines.len();
    let waiters: Vec<Waiter> = (0..count).map(|_| Waiter::new(spin_budget(count))).collect();
    let shared = Shared::new(waiters.iter().map(Waiter::waker).collect(), limits);
    let mut workers = prepare(std::mem::take(engines), fabric, waiters, &shared);
    if let Some((partition, at)) = limits.killed {
        workers[partition].killed = at;
    }
    let finished: Vec<Worker<Threads<'_>>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            workers.into_iter().map(|worker| scope.spawn(move || worker.run())).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker catches panics")).collect()
    });
    lock(&limits.pause.wakers).clear();
    conclude(finished, &shared, engines, waits, synchronisations)
}

/// Wall time after which a partition that is alone shows what it has seen, however little that is.
const HAND_OVER: Wall = Wall::from_millis(10);
/// A look at the outside world that took longer comes after fewer instants the next time.
const LONG_LOOK: Wall = Wall::from_millis(1);

fn run_alone(engine: &mut Engine, limits: &Limits<'_>) -> Stretch {
    let Limits { end, pause, .. } = *limits;
    let deadline = limits.wall.map(|wall| Instant::now() + wall);
    if let Some(recorder) = &mut engine.recorder {
        recorder.begin_stretch();
    }
    let stretch = guard(engine, |engine| {
        // Looks at the outside world about every millisecond. What was seen is handed over less often: on one
        // core each time costs two changes of threads.
        let mut instants = 1;
        let mut handed_over = Instant::now();
        loop {
            let started = Instant::now();
            if engine.run_some(Time::NEVER, end, Time::NEVER, instants)? {
                engine.catch_up_all(end)?;
                return Ok(Stretch::Reached);
            }
            if pause.is_requested() {
                return rest(engine, end).map(Stretch::Paused);
            }
            let looked = Instant::now();
            if deadline.is_some_and(|deadline| looked > deadline) {
                return rest(engine, end).map(Stretch::Late);
            }
            let settled = engine.settled();
            if engine.observation.wants_commit() {
                engine.observation.commit(settled);
            }
            if engine.taps.wants_hand_over() || handed_over.elapsed() > HAND_OVER {
                engine.hand_over(settled.min(end));
                handed_over = Instant::now();
            }
            if let Some(recorder) = &mut engine.recorder {
                recorder.came_to(engine.now, engine.counters.instants);
            }
            let slow = looked - started > LONG_LOOK;
            instants = if slow { (instants / 2).max(1) } else { (2 * instants).min(1 << 20) };
        }
    });
    if let Some(recorder) = &mut engine.recorder {
        recorder.end_stretch(engine.now, engine.counters.instants);
    }
    stretch
}

/// Brings an engine that runs alone to where it can rest, no later than `end`.
fn rest(engine: &mut Engine, end: Time) -> Result<Time, Halt> {
    let at = engine.resting_place().min(end);
    // What belongs to the same instant.
    while !engine.run_some(Time::NEVER, at, Time::NEVER, INSTANTS_PER_LOOK)? {}
    engine.catch_up_all(at)?;
    Ok(at)
}

/// Processes one instant before `end`: `Paused` just after it, `Reached` if there is none.
pub(crate) fn run_one_instant(engine: &mut Engine, end: Time) -> Stretch {
    guard(engine, |engine| {
        if engine.run_some(Time::NEVER, end, Time::NEVER, 1)? {
            engine.catch_up_all(end)?;
            return Ok(Stretch::Reached);
        }
        let after = engine.now + Duration::EPSILON;
        // What belongs to the same instant belongs to the same step.
        while !engine.run_some(Time::NEVER, after, Time::NEVER, INSTANTS_PER_LOOK)? {}
        engine.catch_up_all(after)?;
        Ok(Stretch::Paused(after))
    })
}

/// Turns faults and panics of an engine that runs alone into the end of its run.
fn guard(engine: &mut Engine, run: impl FnOnce(&mut Engine) -> Result<Stretch, Halt>) -> Stretch {
    let result = catch_unwind(AssertUnwindSafe(|| run(engine)));
    let halt = match result {
        Ok(Ok(stretch)) => return stretch,
        Ok(Err(halt)) => halt,
        Err(panic) => panicked(engine, panic.as_ref()),
    };
    engine.abandon();
    engine.discard_from(halt.first_discarded());
    Stretch::Halted(halt)
}

fn panicked(engine: &Engine, panic: &(dyn Any + Send)) -> Halt {
    let component = engine.in_hand();
    Halt::Fault(Fault::Panic { component, at: engine.now, message: panic_message(panic) })
}

/// Workers with lanes and promises between them.
fn prepare<'a>(
    engines: Vec<Engine>,
    fabric: &Fabric,
    waiters: Vec<Waiter>,
    shared: &'a Shared,
) -> Vec<Worker<Threads<'a>>> {
    let count = engines.len();
    let spin = spin_budget(count);
    let threads = |(number, (engine, waiter))| {
        let peers = Threads {
            number,
            shared,
            waiter,
            spin,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            sent: 0,
            received: 0,
            registered: None,
            met: false,
        };
        Worker::new(number, count, engine, peers)
    };
    let mut workers: Vec<_> = engines.into_iter().zip(waiters).enumerate().map(threads).collect();
    let wakers = &shared.wakers;
    for (&(from, to), plan) in &fabric.channels {
        let (from, to) = (from as usize, to as usize);
        let (headers_out, headers_in) = lane(LANE_CAPACITY);
        let (writer, reader) = promise();
        for &(near, far) in &plan.stores {
            // A value leaves its lane after its header, so there is always room for values.
            let store = workers[from].engine.values.stores.get_mut(near);
            let (values_out, values_in) = store.new_lane(2 * LANE_CAPACITY);
            store.attach_sender(to, values_out);
            workers[to].engine.values.stores.get_mut(far).attach_receiver(from, values_in);
        }
        let least_latency = least_latency(plan);
        workers[from].peers.outgoing.push(Outgoing {
            to,
            headers: headers_out.waking(wakers[to].clone()),
            promise: Some(writer.waking(wakers[to].clone())),
            plan: plan.clone(),
            least_latency,
            kept: Time::NEVER,
            sent: false,
        });
        workers[to].peers.incoming.push(Incoming {
            from,
            headers: headers_in.waking(wakers[from].clone()),
            promise: reader,
            least_latency,
        });
    }
    workers
}

/// Puts the engines back and finds out what ended the stretch.
fn conclude(
    mut workers: Vec<Worker<Threads<'_>>>,
    shared: &Shared,
    engines: &mut Vec<Engine>,
    waits: &mut Vec<WaitCounter>,
    synchronisations: &mut u64,
) -> Stretch {
    // What is still under way belongs to the next stretch.
    loop {
        let moved = |Worker { engine, peers, .. }: &mut Worker<Threads<'_>>| {
            peers.flush(engine) + peers.drain(engine)
        };
        let moved: usize = workers.iter_mut().map(moved).sum();
        if moved == 0 {
            break;
        }
    }
    let mut paused = None;
    let mut dead = Vec::new();
    for mut worker in workers {
        if worker.died {
            let (at, component) =
                (worker.engine.now, worker.engine.paths.path(worker.engine.current));
            let fault = Fault::PartitionDied { partition: worker.number, at, component };
            dead.push(Halted::here(&worker.engine, Halt::Fault(fault)));
        }
        worker.add_costs(waits, synchronisations);
        paused = paused.or(worker.paused);
        worker.engine.values.stores.detach_lanes();
        engines.push(worker.engine);
    }
    let mut halts = std::mem::take(&mut *lock(&shared.halts));
    halts.extend(dead);
    match first_of(halts) {
        Some(first) => {
            for engine in engines.iter_mut() {
                engine.abandon();
                engine.discard_from(first.halt.first_discarded());
            }
            Stretch::Halted(first.halt)
        }
        None => match paused {
            None => Stretch::Reached,
            Some(at) if lock(&shared.meeting).is_asked_for => Stretch::Paused(at),
            Some(at) => Stretch::Late(at),
        },
    }
}

/// The halt that ends a run: the earliest; of several at one instant, the first in it, then by path.
pub(crate) fn first_of(halts: Vec<Halted>) -> Option<Halted> {
    halts.into_iter().min_by(|a, b| {
        (a.at, a.place)
            .cmp(&(b.at, b.place))
            .then_with(|| compare_paths(&a.component, &b.component))
    })
}
