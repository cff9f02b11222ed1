//! Threads of a computer with one processor and SCHED_FIFO, as data.
//!
//! Exactly one thread runs. The next one is the ready thread with the highest priority, among equals the one that has
//! been ready for longest. A thread that is preempted keeps its place at the head of its priority; one that wakes or
//! yields goes to the tail. The owner of a mutex may be lent the priority of those who wait for it.
//!
//! Who waits stands in a queue as those of Linux's futexes are (kernel/futex): by the priority that the thread had when it
//! began to wait, then by the order of waiting. A thread whose time is over, or that a signal has called, is ready, but
//! leaves the queue only when it runs. Until then it can still be given what it waits for.
//!
//! Deadlines of threads and timers lie in one queue and fall due in the order of time, then of being set.

mod condition;
mod inheritance;
mod locks;
mod rwlock;
mod sorted;

pub use condition::Condition;
pub use locks::{Barrier, Freed, Grant, Guard, Mutex, Once, Refusal, Semaphore, SpinLock};
pub use rwlock::{RwLock, RwProgress, RwQueue};

use sorted::Sorted;
use std::cmp::Reverse;

/// Index of a thread, in the order of creation. The first is the one that runs `main`.
pub type ThreadId = usize;

/// What a thread waits for. Objects are told apart by their address in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Only for its deadline.
    Sleep,
    /// A mutex.
    Mutex(u64),
    /// A condition variable; the group of its waiters.
    Condition(u64, u32),
    /// Those who are woken by a condition variable to have gone on.
    ConditionEnd(u64),
    /// A barrier.
    Barrier(u64),
    /// A read-write lock, in one of its queues.
    RwLock(u64, RwQueue),
    /// A semaphore.
    Semaphore(u64),
    /// A spin lock.
    Spin(u64),
    /// The end of an initialiser that runs once.
    Once(u64),
    /// The end of the initialiser of a function's static variable.
    Guard(u64),
    /// A word of memory to be woken by a futex call; the bits that are listened to.
    Futex(u64, u32),
    /// The end of a thread.
    Join(ThreadId),
    /// One of several files to be ready.
    Files,
    /// The answer to a bus transfer.
    Bus(u32),
    /// A signal.
    Signal,
    /// Bytes of a serial port to be sent, or another thread's write to it to end.
    Transmit(u32),
    /// The end of a process that the program has started; 0 for any of them.
    Child(u32),
}

/// Why a thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// It was woken, or got what it waited for: which of them, the object says.
    Given,
    /// Its deadline came.
    TimedOut,
    /// A signal is to be handled first.
    Interrupted,
}

/// What fell due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alarm {
    /// A thread's deadline; the thread is ready.
    Thread(ThreadId),
    /// A timer of the program.
    Timer(u32),
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Running,
    Ready { order: i64 },
    Blocked { alarm: Option<(u64, i64)> },
    Finished,
}

/// A thread's place in the queue for an object.
#[derive(Clone, Copy, Debug)]
struct Place {
    on: Wait,
    rank: u8,
    since: i64,
}

#[derive(Clone, Debug)]
struct Thread {
    name: String,
    /// What the program set.
    own_priority: u8,
    /// What counts: the own one, or a higher one that is lent.
    priority: u8,
    state: State,
    /// Where it waits: while it is blocked, and while it is ready for another reason than that its turn came.
    place: Option<Place>,
    wake: Wake,
}

/// All threads and everything that has a deadline.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    threads: Vec<Thread>,
    ready: Sorted<(Reverse<u8>, i64, ThreadId)>,
    /// Who waits, in the order of service.
    waiting: Sorted<(Reverse<u8>, i64, ThreadId)>,
    alarms: Sorted<(u64, i64, Alarm)>,
    /// Mutexes whose owners are lent the priorities of those who wait.
    loans: Vec<inheritance::Loan>,
    tail: i64,
    head: i64,
}

impl Scheduler {
    /// Adds a thread at the tail of its priority. Priority 0 is that of ordinary threads, 1 to 99 those of SCHED_FIFO.
    pub fn spawn(&mut self, name: String, priority: u8) -> ThreadId {
        let id = self.threads.len();
        let (state, place, wake) = (State::Finished, None, Wake::Given);
        self.threads.push(Thread { name, own_priority: priority, priority, state, place, wake });
        self.make_ready(id);
        id
    }

    fn next_order(&mut self) -> i64 {
        self.tail += 1;
        self.tail
    }

    fn make_ready(&mut self, id: ThreadId) {
        let order = self.next_order();
        self.make_ready_at(id, order);
    }

    fn make_ready_first(&mut self, id: ThreadId) {
        self.head -= 1;
        self.make_ready_at(id, self.head);
    }

    fn make_ready_at(&mut self, id: ThreadId, order: i64) {
        self.threads[id].state = State::Ready { order };
        self.ready.insert((Reverse(self.threads[id].priority), order, id));
    }

    /// Takes the thread that is to run next off the queue; none if no thread is ready.
    pub fn pick(&mut self) -> Option<ThreadId> {
        let (_, _, id) = self.ready.pop_first()?;
        self.threads[id].state = State::Running;
        // What woke it was something else: it waits no more.
        self.leave_queue(id);
        Some(id)
    }

    /// Whether any thread is ready.
    pub fn anyone_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Whether a ready thread has a higher priority than `running`.
    pub fn preempts(&self, running: ThreadId) -> bool {
        self.ready
            .first()
            .is_some_and(|(priority, _, _)| priority.0 > self.threads[running].priority)
    }

    /// Puts the running thread back to the head of its priority.
    pub fn preempt(&mut self, running: ThreadId) {
        self.make_ready_first(running);
    }

    /// Puts the running thread to the tail of its priority.
    pub fn yield_to_equals(&mut self, running: ThreadId) {
        self.make_ready(running);
    }

    /// The running thread waits.
    pub fn block(&mut self, running: ThreadId, on: Wait, deadline: Option<u64>) {
        let since = self.next_order();
        let alarm = deadline.map(|time| (time, since));
        if let Some((time, order)) = alarm {
            self.alarms.insert((time, order, Alarm::Thread(running)));
        }
        self.threads[running].state = State::Blocked { alarm };
        // A priority that is lent counts only where it may be lent on.
        let thread = &self.threads[running];
        let rank = if self.is_lent_for(on) { thread.priority } else { thread.own_priority };
        self.enter_queue(running, Place { on, rank, since });
        self.begin_to_lend(on);
    }

    fn enter_queue(&mut self, id: ThreadId, place: Place) {
        self.threads[id].place = Some(place);
        self.waiting.insert((Reverse(place.rank), place.since, id));
    }

    /// Takes a thread off the queue in which it waits, and says for what.
    fn leave_queue(&mut self, id: ThreadId) -> Option<Wait> {
        let Place { on, rank, since } = self.threads[id].place.take()?;
        self.waiting.remove((Reverse(rank), since, id));
        Some(on)
    }

    /// A waiting thread becomes ready; one that is ready for another reason, but has not run since, is given what it
    /// waits for. All others are left alone.
    pub fn wake(&mut self, id: ThreadId, why: Wake) {
        let Some(Place { on, .. }) = self.threads[id].place else { return };
        // Who waits for a mutex with inheritance does not lend any more: it leaves at once.
        let is_served = why == Wake::Given || self.is_lent_for(on);
        if is_served {
            self.leave_queue(id);
        }
        match self.threads[id].state {
            State::Blocked { alarm } => {
                if let Some((time, order)) = alarm {
                    self.alarms.remove((time, order, Alarm::Thread(id)));
                }
                self.threads[id].wake = why;
                self.make_ready(id);
            }
            _ if is_served => self.threads[id].wake = why,
            _ => {}
        }
        if is_served {
            self.end_to_lend(on);
        }
    }

    /// A waiting thread waits for something else from now on, behind its equals there, and for as long as before.
    pub fn requeue(&mut self, id: ThreadId, on: Wait) {
        let Some(Place { rank, .. }) = self.threads[id].place else { return };
        self.leave_queue(id);
        let since = self.next_order();
        self.enter_queue(id, Place { on, rank, since });
    }

    /// Gives a thread that waits without a deadline one.
    pub fn set_deadline(&mut self, id: ThreadId, deadline: u64) {
        let Some(Place { since, .. }) = self.threads[id].place else { return };
        if let State::Blocked { alarm: alarm @ None } = &mut self.threads[id].state {
            *alarm = Some((deadline, since));
            self.alarms.insert((deadline, since, Alarm::Thread(id)));
        }
    }

    /// Who is served first of those who wait for something that `meant` accepts.
    pub fn first_waiter(&self, meant: impl Fn(Wait) -> bool) -> Option<ThreadId> {
        self.first_waiter_by_id(|_, wait| meant(wait))
    }

    /// As [`first_waiter`](Self::first_waiter), with a look at who waits.
    pub fn first_waiter_by_id(&self, meant: impl Fn(ThreadId, Wait) -> bool) -> Option<ThreadId> {
        let is_meant = |id: ThreadId| self.waits_for(id).is_some_and(|on| meant(id, on));
        self.waiting.iter().map(|(_, _, id)| *id).find(|&id| is_meant(id))
    }

    /// Wakes the thread that is served first, and says which.
    pub fn wake_first(&mut self, on: Wait) -> Option<ThreadId> {
        let id = self.first_waiter(|wait| wait == on)?;
        self.wake(id, Wake::Given);
        Some(id)
    }

    /// Wakes everybody who waits for `on`, in the order of service.
    pub fn wake_all(&mut self, on: Wait) {
        while self.wake_first(on).is_some() {}
    }

    /// Why the thread went on after its last wait.
    pub fn woken(&self, id: ThreadId) -> Wake {
        self.threads[id].wake
    }

    /// What a thread waits for, if it does.
    pub fn waits_for(&self, id: ThreadId) -> Option<Wait> {
        self.threads[id].place.map(|place| place.on)
    }

    /// The running thread is over.
    pub fn finish(&mut self, running: ThreadId) {
        self.threads[running].state = State::Finished;
        self.wake_all(Wait::Join(running));
    }

    /// Whether a thread is over.
    pub fn is_finished(&self, id: ThreadId) -> bool {
        self.threads[id].state == State::Finished
    }

    /// Whether no thread is left.
    pub fn all_finished(&self) -> bool {
        self.threads.iter().all(|thread| thread.state == State::Finished)
    }

    /// Changes a thread's own priority.
    pub fn set_priority(&mut self, id: ThreadId, priority: u8) {
        self.threads[id].own_priority = priority;
        self.settle(id);
    }

    /// Another priority counts for a thread, as in Linux's `rt_mutex_setprio` and `sched_setscheduler`: a ready one that is raised goes to the
    /// tail of the new priority, one that is lowered to its head (ENQUEUE_HEAD). One that waits for a mutex with
    /// inheritance is served by the new priority, among equals by the order of waiting as before; elsewhere it keeps its
    /// place.
    fn move_to(&mut self, id: ThreadId, priority: u8) {
        let before = std::mem::replace(&mut self.threads[id].priority, priority);
        match self.threads[id].state {
            State::Ready { order } => {
                self.ready.remove((Reverse(before), order, id));
                if priority > before { self.make_ready(id) } else { self.make_ready_first(id) }
            }
            State::Blocked { .. } => {
                if let Some(place) =
                    self.threads[id].place.filter(|place| self.is_lent_for(place.on))
                {
                    self.leave_queue(id);
                    self.enter_queue(id, Place { rank: priority, ..place });
                }
            }
            State::Running | State::Finished => {}
        }
    }

    /// A thread's own priority, whatever it is lent.
    pub fn priority(&self, id: ThreadId) -> u8 {
        self.threads[id].own_priority
    }

    /// A thread's name.
    pub fn name(&self, id: ThreadId) -> &str {
        &self.threads[id].name
    }

    /// Renames a thread.
    pub fn set_name(&mut self, id: ThreadId, name: String) {
        self.threads[id].name = name;
    }

    /// How many threads there have been.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Sets a timer and returns what [`clear_timer`](Self::clear_timer) needs.
    pub fn set_timer(&mut self, timer: u32, time: u64) -> (u64, i64) {
        let order = self.next_order();
        self.alarms.insert((time, order, Alarm::Timer(timer)));
        (time, order)
    }

    /// Takes a timer back.
    pub fn clear_timer(&mut self, timer: u32, (time, order): (u64, i64)) {
        self.alarms.remove((time, order, Alarm::Timer(timer)));
    }

    /// When the next deadline is.
    pub fn next_alarm(&self) -> Option<u64> {
        self.alarms.first().map(|(time, _, _)| *time)
    }

    /// Takes the earliest deadline that is not after `now` off the queue. If it is a thread's, the thread is ready.
    pub fn release(&mut self, now: u64) -> Option<(u64, Alarm)> {
        let (time, _, alarm) = *self.alarms.first()?;
        if time > now {
            return None;
        }
        self.alarms.pop_first();
        if let Alarm::Thread(id) = alarm {
            if let State::Blocked { alarm } = &mut self.threads[id].state {
                *alarm = None;
            }
            self.wake(id, Wake::TimedOut);
        }
        Some((time, alarm))
    }

    /// Who waits for what, a line for each waiting thread. `describe` names the object and its holder.
    pub fn who_waits(&self, describe: impl Fn(Wait) -> String) -> String {
        let mut text = String::new();
        for thread in &self.threads {
            if let (State::Blocked { .. }, Some(Place { on, .. })) = (&thread.state, thread.place) {
                text.push_str(&format!(
                    "thread `{}` (priority {}) waits for {}\n",
                    thread.name,
                    thread.own_priority,
                    describe(on)
                ));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
