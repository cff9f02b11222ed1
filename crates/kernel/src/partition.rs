//! Partitions over threads: each advances to strictly before the earliest instant at which
//! something could still arrive, as its peers promise.
//!
//! A promise is the source's next possible output plus the link's latency. Where every partition
//! waits only because the promises of others creep up by one latency after another, a common floor
//! is agreed on instead: once all have nothing to do before their own next event, and nothing is
//! under way, nothing can happen anywhere before the earliest of those events.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use ironbird_lane::{
    Closed, PromiseReader, PromiseWriter, Receiver, Sender, Waiter, Waker, lane, promise,
    spin_budget,
};

use crate::engine::{ChannelPlan, Engine, Fabric, Halt, PipeEnd, Place};
use crate::outcome::{Fault, WaitCounter};
use crate::path::compare_paths;
use crate::store::Stamp;
use crate::time::{Duration, Time};

/// Messages under way between two partitions before the sender keeps them.
const LANE_CAPACITY: usize = 1_024;
/// Instants between two looks at the outside world.
const INSTANTS_PER_LOOK: u32 = 1_024;
/// Rounds without an event of its own after which a partition says that it is idle.
const PATIENCE: u32 = 32;

/// What goes with a value to another partition.
struct Header {
    pipe: u32,
    arrival: Time,
    stamp: Stamp,
}

struct Incoming {
    from: usize,
    headers: Receiver<Header>,
    promise: PromiseReader,
    least_latency: Duration,
}

struct Outgoing {
    to: usize,
    headers: Sender<Header>,
    promise: Option<PromiseWriter>,
    plan: ChannelPlan,
    /// Arrival of the earliest message that found no room.
    kept: Time,
}

impl Outgoing {
    /// Whether it is worth trying again to send what was kept.
    fn has_room(&self) -> bool {
        !self.kept.is_never() && (!self.headers.is_full() || self.headers.is_closed())
    }
}

/// Lets another thread pause a run.
#[derive(Clone, Default)]
pub struct PauseHandle {
    requested: Arc<AtomicBool>,
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
    Halted(Halt),
}

/// What all partitions of a stretch share.
struct Shared {
    /// The stretch ends before this instant; a halt brings it forward.
    end: AtomicU64,
    /// Nothing happens anywhere before this instant.
    floor: AtomicU64,
    positions: Vec<AtomicU64>,
    /// Partitions that have nothing more to do in this stretch.
    finished: AtomicUsize,
    quiet: Mutex<Quiet>,
    halts: Mutex<Vec<Halted>>,
    meeting: Mutex<Meeting>,
    met: Condvar,
    wakers: Vec<Waker>,
    pause: PauseHandle,
}

/// Who is idle, and whether anything is under way.
struct Quiet {
    /// Next own event of each idle partition.
    idle: Vec<Option<Time>>,
    sent: Vec<u64>,
    received: Vec<u64>,
}

/// Partitions that stopped to agree on where to pause.
struct Meeting {
    positions: Vec<Option<Time>>,
    agreed: Option<Time>,
}

impl Shared {
    fn end(&self) -> Time {
        Time::from_ps(self.end.load(Ordering::SeqCst))
    }

    fn wake_all(&self) {
        for waker in &self.wakers {
            waker.wake();
        }
    }

    /// Brings the end forward to just after the halt.
    fn halt(&self, halted: Halted) {
        self.end.fetch_min((halted.at + Duration::EPSILON).as_ps(), Ordering::SeqCst);
        lock(&self.halts).push(halted);
        self.wake_all();
    }
}

impl Shared {
    /// A thread has died: there is nothing more to be had from this stretch.
    fn abort(&self) {
        self.end.store(0, Ordering::SeqCst);
        self.wake_all();
    }
}

/// What stopped an engine, and where in which instant.
struct Halted {
    at: Time,
    place: Place,
    component: String,
    halt: Halt,
}

impl Halted {
    fn here(engine: &Engine, halt: Halt) -> Self {
        let (component, place) = match &halt {
            Halt::Fault(_) => (engine.in_hand(), engine.place),
            // A fault of the same instant comes first.
            Halt::Stop { monitor, .. } => (monitor.clone(), Place::LAST),
        };
        Halted { at: halt.at(), place, component, halt }
    }
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

/// Runs the engines to before `end`, each on a thread of its own if there are several.
pub(crate) fn run_stretch(
    engines: &mut Vec<Engine>,
    fabric: &Fabric,
    end: Time,
    pause: &PauseHandle,
    waits: &mut Vec<WaitCounter>,
    synchronisations: &mut u64,
    killed: Option<(usize, Time)>,
) -> Stretch {
    if let [engine] = engines.as_mut_slice() {
        return run_alone(engine, end, pause);
    }
    let (mut workers, shared) = prepare(std::mem::take(engines), fabric, end, pause);
    if let Some((partition, at)) = killed {
        workers[partition].killed = at;
    }
    let shared = &shared;
    let finished: Vec<Worker> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            workers.into_iter().map(|worker| scope.spawn(move || worker.run(shared))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker catches panics")).collect()
    });
    lock(&pause.wakers).clear();
    conclude(finished, shared, engines, waits, synchronisations)
}

fn run_alone(engine: &mut Engine, end: Time, pause: &PauseHandle) -> Stretch {
    guard(engine, |engine| {
        // Looks at the outside world about every millisecond.
        let mut instants = 1;
        loop {
            let started = Instant::now();
            if engine.run_some(Time::NEVER, end, instants)? {
                engine.catch_up_all(end)?;
                return Ok(Stretch::Reached);
            }
            if pause.is_requested() {
                let at = engine.floor().min(end);
                engine.catch_up_all(at)?;
                return Ok(Stretch::Paused(at));
            }
            if engine.observation.wants_commit() {
                let settled = engine.settled();
                engine.observation.commit(settled);
            }
            let slow = started.elapsed() > std::time::Duration::from_millis(1);
            instants = if slow { (instants / 2).max(1) } else { (2 * instants).min(1 << 20) };
        }
    })
}

/// Processes one instant before `end`: `Paused` just after it, `Reached` if there is none.
pub(crate) fn run_one_instant(engine: &mut Engine, end: Time) -> Stretch {
    guard(engine, |engine| {
        if engine.run_some(Time::NEVER, end, 1)? {
            engine.catch_up_all(end)?;
            return Ok(Stretch::Reached);
        }
        let after = engine.now + Duration::EPSILON;
        // What belongs to the same instant belongs to the same step.
        while !engine.run_some(Time::NEVER, after, INSTANTS_PER_LOOK)? {}
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
    engine.observation.discard_from(halt.first_discarded());
    Stretch::Halted(halt)
}

fn panicked(engine: &Engine, panic: &(dyn Any + Send)) -> Halt {
    let component = engine.in_hand();
    Halt::Fault(Fault::Panic { component, at: engine.now, message: panic_message(panic) })
}

/// One partition on its thread.
struct Worker {
    number: usize,
    engine: Engine,
    waiter: Waiter,
    /// How long it is worth spinning before sleeping.
    spin: std::time::Duration,
    incoming: Vec<Incoming>,
    outgoing: Vec<Outgoing>,
    sent: u64,
    received: u64,
    /// What it said of its next event when it said that it is idle.
    registered: Option<Time>,
    empty_rounds: u32,
    /// (times, nanoseconds) by awaited partition.
    waits: Vec<(u64, u64)>,
    synchronisations: u64,
    paused: Option<Time>,
    /// When a test lets this thread die, and whether it did.
    killed: Time,
    died: bool,
}

fn prepare(
    engines: Vec<Engine>,
    fabric: &Fabric,
    end: Time,
    pause: &PauseHandle,
) -> (Vec<Worker>, Shared) {
    let count = engines.len();
    let spin = spin_budget(count);
    let mut workers: Vec<Worker> = engines
        .into_iter()
        .enumerate()
        .map(|(number, engine)| Worker {
            number,
            engine,
            waiter: Waiter::new(spin),
            spin,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            sent: 0,
            received: 0,
            registered: None,
            empty_rounds: 0,
            waits: vec![(0, 0); count],
            synchronisations: 0,
            paused: None,
            killed: Time::NEVER,
            died: false,
        })
        .collect();
    let wakers: Vec<Waker> = workers.iter().map(|worker| worker.waiter.waker()).collect();
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
        workers[from].outgoing.push(Outgoing {
            to,
            headers: headers_out.waking(wakers[to].clone()),
            promise: Some(writer.waking(wakers[to].clone())),
            plan: plan.clone(),
            kept: Time::NEVER,
        });
        let latencies = plan.from_tickers.values().chain(&plan.from_others);
        workers[to].incoming.push(Incoming {
            from,
            headers: headers_in.waking(wakers[from].clone()),
            promise: reader,
            least_latency: latencies.copied().min().unwrap_or(Duration::ZERO),
        });
    }
    *lock(&pause.wakers) = wakers.clone();
    let shared = Shared {
        finished: AtomicUsize::new(0),
        end: AtomicU64::new(end.as_ps()),
        floor: AtomicU64::new(0),
        positions: (0..count).map(|_| AtomicU64::new(0)).collect(),
        quiet: Mutex::new(Quiet {
            idle: vec![None; count],
            sent: vec![0; count],
            received: vec![0; count],
        }),
        halts: Mutex::new(Vec::new()),
        meeting: Mutex::new(Meeting { positions: vec![None; count], agreed: None }),
        met: Condvar::new(),
        wakers,
        pause: pause.clone(),
    };
    (workers, shared)
}

/// Puts the engines back and finds out what ended the stretch.
fn conclude(
    mut workers: Vec<Worker>,
    shared: &Shared,
    engines: &mut Vec<Engine>,
    waits: &mut Vec<WaitCounter>,
    synchronisations: &mut u64,
) -> Stretch {
    // What is still under way belongs to the next stretch.
    loop {
        let moved: usize = workers.iter_mut().map(|w| w.flush() + w.drain()).sum();
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
        *synchronisations += worker.synchronisations;
        for (awaited, &(times, nanoseconds)) in worker.waits.iter().enumerate() {
            if times > 0 {
                let waiting = worker.number;
                add_wait(waits, WaitCounter { waiting, awaited, waits: times, nanoseconds });
            }
        }
        paused = paused.or(worker.paused);
        worker.engine.values.stores.detach_lanes();
        engines.push(worker.engine);
    }
    let mut halts = std::mem::take(&mut *lock(&shared.halts));
    halts.extend(dead);
    // The earliest ends the run; of several at one instant, the first in it, then by path.
    halts.sort_by(|a, b| {
        (a.at, a.place)
            .cmp(&(b.at, b.place))
            .then_with(|| compare_paths(&a.component, &b.component))
    });
    match halts.into_iter().next() {
        Some(first) => {
            for engine in engines.iter_mut() {
                engine.abandon();
                engine.observation.discard_from(first.halt.first_discarded());
            }
            Stretch::Halted(first.halt)
        }
        None => paused.map_or(Stretch::Reached, Stretch::Paused),
    }
}

fn add_wait(waits: &mut Vec<WaitCounter>, wait: WaitCounter) {
    let same = |w: &&mut WaitCounter| (w.waiting, w.awaited) == (wait.waiting, wait.awaited);
    match waits.iter_mut().find(same) {
        Some(sum) => {
            sum.waits += wait.waits;
            sum.nanoseconds += wait.nanoseconds;
        }
        None => waits.push(wait),
    }
}

/// How a worker's loop ended.
enum Ended {
    Done,
    /// A peer has died; who, is found out when all threads are back.
    Bereft,
    Killed,
}

impl Worker {
    fn run(mut self, shared: &Shared) -> Self {
        let result = catch_unwind(AssertUnwindSafe(|| self.advance(shared)));
        let halt = match result {
            Ok(Ok(Ended::Done)) => None,
            Ok(Ok(Ended::Bereft)) => {
                shared.abort();
                None
            }
            Ok(Ok(Ended::Killed)) => {
                // As if the thread had vanished: its ends break off without a word.
                self.died = true;
                self.incoming.clear();
                self.outgoing.clear();
                self.engine.values.stores.detach_lanes();
                shared.abort();
                self.finish(shared);
                return self;
            }
            Ok(Err(halt)) => Some(halt),
            Err(panic) => Some(panicked(&self.engine, panic.as_ref())),
        };
        if let Some(halt) = halt {
            shared.halt(Halted::here(&self.engine, halt));
            self.send_all(shared);
        }
        for out in &mut self.outgoing {
            if let Some(promise) = out.promise.take() {
                promise.finish();
            }
        }
        self.finish(shared);
        self.drain_until_all_finished(shared);
        self
    }

    /// This partition is through: nobody waits for it any more.
    fn finish(&mut self, shared: &Shared) {
        lock(&shared.meeting).positions[self.number] = Some(shared.end());
        shared.met.notify_all();
        self.registered = None;
        self.register(Time::NEVER, shared);
        shared.positions[self.number].store(u64::MAX, Ordering::Release);
        if shared.finished.fetch_add(1, Ordering::SeqCst) + 1 == shared.wakers.len() {
            shared.wake_all();
        }
    }

    /// Others may still send what arrives after the end: it must not fill their lanes, nor look as
    /// if it were under way.
    fn drain_until_all_finished(&mut self, shared: &Shared) {
        let all = shared.wakers.len();
        while shared.finished.load(Ordering::SeqCst) < all {
            if self.drain() > 0 {
                self.registered = None;
                self.register(Time::NEVER, shared);
            }
            let incoming = &self.incoming;
            self.waiter.wait(None, || {
                let finished = shared.finished.load(Ordering::SeqCst) == all;
                (finished || incoming.iter().any(|i| !i.headers.is_empty())).then_some(())
            });
        }
    }

    fn advance(&mut self, shared: &Shared) -> Result<Ended, Halt> {
        loop {
            self.synchronisations += 1;
            let Ok((bound, awaited)) = self.bound(shared) else { return Ok(Ended::Bereft) };
            if self.incoming.iter().any(|incoming| !incoming.headers.is_empty()) {
                self.deregister(shared);
                self.drain();
            }
            let end = shared.end();
            let limit = bound.min(end);
            let before = self.engine.counters.instants;
            let floor = self.engine.floor();
            if floor < limit || self.engine.may_run_ahead(end) {
                // Running ahead shows nothing before the floor that others may know of.
                if floor < limit {
                    self.deregister(shared);
                }
                let end = end.min(self.killed + Duration::EPSILON);
                let complete = self.engine.run_some(bound, end, INSTANTS_PER_LOOK)?;
                if self.engine.floor() > self.killed {
                    return Ok(Ended::Killed);
                }
                if self.send(shared).is_err() {
                    return Ok(Ended::Bereft);
                }
                self.promise(bound);
                if !complete {
                    self.commit(bound, shared);
                    continue;
                }
            } else {
                if self.send(shared).is_err() {
                    return Ok(Ended::Bereft);
                }
                self.promise(bound);
            }
            let floor = self.engine.floor();
            if floor.min(bound) >= shared.end() && self.engine.outgoing.is_empty() {
                self.engine.catch_up_all(shared.end())?;
                return Ok(Ended::Done);
            }
            if shared.pause.is_requested() {
                self.meet(floor.min(bound), shared);
                continue;
            }
            self.commit(bound, shared);
            self.empty_rounds =
                if self.engine.counters.instants == before { self.empty_rounds + 1 } else { 0 };
            if self.empty_rounds > PATIENCE && self.engine.outgoing.is_empty() {
                self.register(floor, shared);
            }
            self.wait(bound, awaited, shared);
        }
    }

    /// The earliest instant at which something could still arrive, and from whom.
    fn bound(&self, shared: &Shared) -> Result<(Time, usize), Closed> {
        let floor = Time::from_ps(shared.floor.load(Ordering::Acquire));
        let mut bound = (Time::NEVER, self.number);
        for incoming in &self.incoming {
            let promised = incoming.promise.get()?;
            let promised = Time::from_ps(promised).max(floor + incoming.least_latency);
            if promised < bound.0 {
                bound = (promised, incoming.from);
            }
        }
        Ok(bound)
    }

    /// Takes what has come in; how many.
    fn drain(&mut self) -> usize {
        let mut count = 0;
        for incoming in &mut self.incoming {
            while let Some(header) = incoming.headers.try_pop() {
                self.engine.receive(header.pipe, incoming.from, header.arrival, header.stamp);
                count += 1;
            }
        }
        self.received += count as u64;
        count
    }

    /// Flushes; wakes those whose lanes are full, and notices those that have died.
    fn send(&mut self, shared: &Shared) -> Result<(), Closed> {
        self.flush();
        for out in self.outgoing.iter().filter(|out| !out.kept.is_never()) {
            if out.headers.is_closed() {
                return Err(Closed);
            }
            shared.wakers[out.to].wake();
        }
        Ok(())
    }

    /// Others need what was sent before a halt to get as far as the halt themselves.
    fn send_all(&mut self, shared: &Shared) {
        while self.send(shared).is_ok() && !self.engine.outgoing.is_empty() {
            self.drain();
            let (incoming, outgoing) = (&self.incoming, &self.outgoing);
            self.waiter.wait(None, || {
                let arrived = incoming.iter().any(|i| !i.headers.is_empty());
                (arrived || outgoing.iter().any(Outgoing::has_room)).then_some(())
            });
        }
    }

    /// Sends what has to go to other partitions, as far as there is room; how many.
    fn flush(&mut self) -> usize {
        if self.engine.outgoing.is_empty() {
            return 0;
        }
        self.outgoing.iter_mut().for_each(|out| out.kept = Time::NEVER);
        let mut count = 0;
        let mut waiting = std::mem::take(&mut self.engine.outgoing);
        waiting.retain(|&number| {
            let pipe = &self.engine.pipes[number as usize];
            let PipeEnd::Remote { channel, pipe: far } = pipe.end else { return false };
            let channel = channel as usize;
            let Some(out) = self.outgoing.iter_mut().find(|out| out.to == channel) else {
                return false;
            };
            let store = self.engine.values.stores.get_mut(pipe.store);
            while !out.headers.is_full()
                && let Some(Ok((arrival, stamp))) = store.transmit(pipe.typed, channel)
            {
                let _ = out.headers.try_push(Header { pipe: far, arrival, stamp });
                count += 1;
            }
            out.kept = out.kept.min(store.next_arrival(pipe.typed));
            !store.next_arrival(pipe.typed).is_never()
        });
        self.engine.outgoing = waiting;
        self.sent += count as u64;
        count
    }

    /// Tells each receiver what it can rely on.
    fn promise(&mut self, bound: Time) {
        let own = self.engine.floor();
        let floor = own.min(bound);
        let acted = self.engine.next_unforeseen(floor);
        for out in &mut self.outgoing {
            let mut earliest = out.plan.from_others.map_or(Time::NEVER, |latency| own + latency);
            if let Some(latency) = out.plan.through {
                earliest = earliest.min(bound + latency);
            }
            for (&ticker, &latency) in &out.plan.from_tickers {
                let tick = self.engine.calendar.next_tick(ticker as usize).min(acted).max(floor);
                earliest = earliest.min(tick + latency);
            }
            if let Some(promise) = &mut out.promise {
                promise.raise(earliest.min(out.kept).as_ps());
            }
        }
    }

    /// Says what this partition will not take back: nothing arrives here before `bound`.
    fn commit(&mut self, bound: Time, shared: &Shared) {
        let position = self.engine.settled().min(bound).as_ps();
        shared.positions[self.number].store(position, Ordering::Relaxed);
        if self.engine.observation.wants_commit() {
            let all = shared.positions.iter().map(|p| p.load(Ordering::Acquire)).min();
            // One that has halted has brought the end forward before it left.
            self.engine.observation.commit(Time::from_ps(all.unwrap_or(0)).min(shared.end()));
        }
    }

    fn wait(&mut self, bound: Time, awaited: usize, shared: &Shared) {
        let started = Instant::now();
        // Whoever is about to sleep says that it is idle first.
        if !self.wait_for_change(bound, Some(self.spin), shared) {
            if self.engine.outgoing.is_empty() {
                let floor = self.engine.floor();
                self.register(floor, shared);
            }
            self.wait_for_change(bound, None, shared);
        }
        let (times, nanoseconds) = &mut self.waits[awaited];
        *times += 1;
        *nanoseconds += started.elapsed().as_nanos() as u64;
    }

    /// Waits until anything changed that lets this partition go on; whether it did in time.
    fn wait_for_change(
        &mut self,
        bound: Time,
        timeout: Option<std::time::Duration>,
        shared: &Shared,
    ) -> bool {
        let (end, floor) = (shared.end(), shared.floor.load(Ordering::Acquire));
        let (incoming, outgoing) = (&self.incoming, &self.outgoing);
        let stuck = !self.engine.outgoing.is_empty();
        let changed = self.waiter.wait(timeout, || {
            let promises = incoming.iter().map(|i| i.promise.get().map_or(0, |p| p));
            let changed = promises.min().is_some_and(|least| Time::from_ps(least) > bound)
                || incoming.iter().any(|i| !i.headers.is_empty() || i.promise.get().is_err())
                || (stuck && outgoing.iter().any(Outgoing::has_room))
                || shared.floor.load(Ordering::Acquire) != floor
                || shared.end() != end
                || shared.pause.is_requested();
            changed.then_some(())
        });
        changed.is_some()
    }

    /// Says that nothing happens here before `next`, unless something arrives.
    fn register(&mut self, next: Time, shared: &Shared) {
        if self.registered == Some(next) {
            return;
        }
        let mut quiet = lock(&shared.quiet);
        quiet.idle[self.number] = Some(next);
        quiet.sent[self.number] = self.sent;
        quiet.received[self.number] = self.received;
        self.registered = Some(next);
        agree_on_floor(&mut quiet, shared);
    }

    fn deregister(&mut self, shared: &Shared) {
        if self.registered.take().is_some() {
            lock(&shared.quiet).idle[self.number] = None;
        }
        self.empty_rounds = 0;
    }

    /// Waits until all have stopped, and agrees on the latest position as the place to pause.
    fn meet(&mut self, position: Time, shared: &Shared) {
        let mut meeting = lock(&shared.meeting);
        meeting.positions[self.number] = Some(position);
        shared.met.notify_all();
        while meeting.agreed.is_none() {
            if meeting.positions.iter().all(Option::is_some) {
                let agreed = meeting.positions.iter().flatten().max().copied();
                let agreed = agreed.unwrap_or(Time::NEVER).min(shared.end());
                meeting.agreed = Some(agreed);
                shared.end.fetch_min(agreed.as_ps(), Ordering::SeqCst);
                shared.pause.clear();
                shared.met.notify_all();
                shared.wake_all();
                break;
            }
            meeting = shared.met.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
        self.paused = meeting.agreed;
    }
}

/// If all are idle and nothing is under way: nothing happens before the earliest next event.
fn agree_on_floor(quiet: &mut Quiet, shared: &Shared) {
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
