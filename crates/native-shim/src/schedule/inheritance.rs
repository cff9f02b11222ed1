//! Priority inheritance: who waits for a mutex lends its priority to the owner.
//!
//! As Linux's rt-mutex (Documentation/locking/rt-mutex-design.rst):
//!
//! ```text
//!   effective(thread) = max(its own priority, effective(w) of every w that waits for a mutex that it owns)
//! ```
//!
//! so that it is lent along chains, and that of several mutexes the highest waiter counts. It is undone whenever a
//! waiter leaves: it got the mutex, its time is over, or a signal came. A mutex is known here only while somebody waits
//! for it; one that is free, or that nobody else wants, costs nothing.

use super::{Scheduler, ThreadId, Wait, Wake};

/// A mutex whose waiters lend their priority.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loan {
    mutex: u64,
    owner: ThreadId,
}

impl Scheduler {
    /// Who waits for a mutex lends its priority to its owner. To be said before a thread waits for such a mutex; it
    /// holds until nobody waits for it any more.
    pub fn lend(&mut self, mutex: u64, owner: ThreadId) {
        if self.owner_of(mutex).is_none() {
            self.loans.push(Loan { mutex, owner });
        }
    }

    /// A mutex goes to the waiter that is served first, which is ready. Who still waits lends to that one.
    pub fn pass_on(&mut self, mutex: u64) -> Option<ThreadId> {
        let next = self.first_waiter(|wait| wait == Wait::Mutex(mutex))?;
        let before = self
            .loans
            .iter_mut()
            .find(|loan| loan.mutex == mutex)
            .map(|loan| std::mem::replace(&mut loan.owner, next));
        self.wake(next, Wake::Given);
        if let Some(before) = before {
            self.settle(before);
        }
        Some(next)
    }

    /// A thread waits for something now, and lends.
    pub(super) fn begin_to_lend(&mut self, on: Wait) {
        if let Wait::Mutex(mutex) = on
            && let Some(owner) = self.owner_of(mutex)
        {
            self.settle(owner);
        }
    }

    /// A thread does not wait for something any more, and takes back what it lent.
    pub(super) fn end_to_lend(&mut self, on: Wait) {
        if let Wait::Mutex(mutex) = on
            && let Some(owner) = self.owner_of(mutex)
        {
            if self.first_waiter(|wait| wait == on).is_none() {
                self.loans.retain(|loan| loan.mutex != mutex);
            }
            self.settle(owner);
        }
    }

    /// Whether who waits for something lends its priority.
    pub(super) fn is_lent_for(&self, on: Wait) -> bool {
        matches!(on, Wait::Mutex(mutex) if self.owner_of(mutex).is_some())
    }

    fn owner_of(&self, mutex: u64) -> Option<ThreadId> {
        self.loans.iter().find(|loan| loan.mutex == mutex).map(|loan| loan.owner)
    }

    /// Gives a thread the priority that it has by now, then the one whose mutex it waits for, and so on along the chain
    /// while anything changes. Each is right after one step, so this ends even where threads wait for each other.
    pub(super) fn settle(&mut self, mut id: ThreadId) {
        loop {
            let priority = self.inherited(id, self.loans.len());
            if priority == self.threads[id].priority {
                return;
            }
            self.move_to(id, priority);
            let Some(Wait::Mutex(mutex)) = self.waits_for(id) else { return };
            let Some(owner) = self.owner_of(mutex) else { return };
            id = owner;
        }
    }

    /// A thread's effective priority, from the own priorities of all who wait for it through at most `links` mutexes.
    /// No chain has more links than there are mutexes; a ring has, and adds nothing after the first round.
    fn inherited(&self, id: ThreadId, links: usize) -> u8 {
        let own = self.threads[id].own_priority;
        let Some(links) = links.checked_sub(1) else { return own };
        let owned = self.loans.iter().filter(|loan| loan.owner == id);
        let waits_for = |id: ThreadId, mutex: u64| self.waits_for(id) == Some(Wait::Mutex(mutex));
        owned
            .flat_map(|loan| {
                let waiting = self.waiting.iter().map(|(_, _, id)| *id);
                waiting.filter(move |&waiter| waits_for(waiter, loan.mutex))
            })
            .map(|waiter| self.inherited(waiter, links))
            .fold(own, u8::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Lock(usize, Option<u64>),
        Unlock(usize),
        Interrupt(ThreadId),
        SetPriority(ThreadId, u8),
        Pass(u64),
        Yield,
    }

    const THREADS: usize = 6;
    const MUTEXES: usize = 4;

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..MUTEXES, prop::option::of(1u64..20)).prop_map(|(at, span)| Step::Lock(at, span)),
            3 => (0..MUTEXES).prop_map(Step::Unlock),
            1 => (0..THREADS).prop_map(Step::Interrupt),
            2 => (0..THREADS, 0u8..9).prop_map(|(id, priority)| Step::SetPriority(id, priority)),
            2 => (1u64..10).prop_map(Step::Pass),
            1 => Just(Step::Yield),
        ]
    }

    /// The definition above, word for word: nobody has more than the own priority, until no waiter has more than the
    /// owner.
    fn defined(scheduler: &Scheduler, owners: &[Option<ThreadId>]) -> Vec<u8> {
        let mut priorities: Vec<u8> = (0..THREADS).map(|id| scheduler.priority(id)).collect();
        for _ in 0..THREADS {
            for waiter in 0..THREADS {
                if let Some(Wait::Mutex(at)) = scheduler.waits_for(waiter)
                    && let Some(owner) = owners[at as usize]
                {
                    priorities[owner] = priorities[owner].max(priorities[waiter]);
                }
            }
        }
        priorities
    }

    proptest! {
        #[test]
        fn every_thread_has_the_priority_of_the_definition(steps in prop::collection::vec(step(), 0..200)) {
            let mut scheduler = Scheduler::default();
            for id in 0..THREADS {
                scheduler.spawn(String::new(), id as u8);
            }
            let mut owners = [None; MUTEXES];
            let (mut now, mut running) = (0, scheduler.pick());
            for step in steps {
                match (step, running) {
                    (Step::Lock(at, span), Some(me)) => match owners[at] {
                        None => owners[at] = Some(me),
                        Some(owner) => {
                            scheduler.lend(at as u64, owner);
                            scheduler.block(me, Wait::Mutex(at as u64), span.map(|span| now + span));
                            running = None;
                        }
                    },
                    // Whoever owns it: mutexes are used as signals, too.
                    (Step::Unlock(at), _) => owners[at] = scheduler.pass_on(at as u64),
                    (Step::Interrupt(id), _) => scheduler.wake(id, Wake::Interrupted),
                    (Step::SetPriority(id, priority), _) => scheduler.set_priority(id, priority),
                    (Step::Pass(span), _) => {
                        now += span;
                        while scheduler.release(now).is_some() {}
                    }
                    (Step::Yield, Some(me)) => {
                        scheduler.yield_to_equals(me);
                        running = None;
                    }
                    (Step::Lock(..) | Step::Yield, None) => {}
                }
                let effective: Vec<u8> =
                    scheduler.threads.iter().map(|thread| thread.priority).collect();
                prop_assert_eq!(&effective, &defined(&scheduler, &owners));
                if let Some(me) = running.filter(|&me| scheduler.preempts(me)) {
                    scheduler.preempt(me);
                    running = None;
                }
                running = running.or_else(|| scheduler.pick());
                let others = (0..THREADS).filter(|&id| scheduler.waits_for(id).is_none());
                let highest = others.map(|id| effective[id]).max();
                prop_assert_eq!(running.map(|me| effective[me]), highest);
                let waited_for = (0..THREADS).any(|id| scheduler.waits_for(id).is_some());
                prop_assert!(waited_for || scheduler.loans.is_empty());
            }
        }
    }
}
