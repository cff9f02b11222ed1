use super::*;
use proptest::prelude::*;

fn three() -> Scheduler {
    let mut scheduler = Scheduler::default();
    for (name, priority) in [("low", 1), ("high", 9), ("high too", 9)] {
        scheduler.spawn(name.into(), priority);
    }
    scheduler
}

#[test]
fn the_highest_priority_runs_and_equals_take_turns() {
    let mut scheduler = three();
    assert_eq!(scheduler.pick(), Some(1));
    scheduler.yield_to_equals(1);
    assert_eq!(scheduler.pick(), Some(2));
    scheduler.finish(2);
    assert_eq!(scheduler.pick(), Some(1));
    scheduler.finish(1);
    assert_eq!(scheduler.pick(), Some(0));
    assert_eq!(scheduler.pick(), None);
}

#[test]
fn a_preempted_thread_stays_first_among_its_equals() {
    let mut scheduler = three();
    assert_eq!(scheduler.pick(), Some(1));
    scheduler.block(1, Wait::Sleep, Some(5));
    assert_eq!(scheduler.pick(), Some(2));
    scheduler.block(2, Wait::Sleep, Some(7));
    assert_eq!(scheduler.pick(), Some(0));
    let second_low = scheduler.spawn("low too".into(), 1);
    assert_eq!(scheduler.release(6), Some((5, Alarm::Thread(1))));
    assert_eq!(scheduler.release(6), None);
    assert!(scheduler.preempts(0));
    scheduler.preempt(0);
    assert_eq!(scheduler.pick(), Some(1));
    assert_eq!(scheduler.woken(1), Wake::TimedOut);
    scheduler.finish(1);
    assert_eq!(scheduler.pick(), Some(0));
    scheduler.finish(0);
    assert_eq!(scheduler.pick(), Some(second_low));
}

#[test]
fn waiters_are_served_by_priority_then_by_order_of_waiting() {
    let mut scheduler = Scheduler::default();
    for priority in [3, 5, 3, 5] {
        let id = scheduler.spawn(String::new(), priority);
        assert_eq!(scheduler.pick(), Some(id));
        scheduler.block(id, Wait::Mutex(64), None);
    }
    assert_eq!(scheduler.wake_first(Wait::Mutex(65)), None);
    let served: Vec<_> = std::iter::from_fn(|| scheduler.wake_first(Wait::Mutex(64))).collect();
    assert_eq!(served, [1, 3, 0, 2]);
}

#[test]
fn a_waiter_keeps_the_place_of_the_priority_with_which_it_came() {
    let mut scheduler = Scheduler::default();
    for priority in [3, 5] {
        let id = scheduler.spawn(String::new(), priority);
        assert_eq!(scheduler.pick(), Some(id));
        scheduler.block(id, Wait::Mutex(64), None);
    }
    scheduler.set_priority(0, 9);
    let served: Vec<_> = std::iter::from_fn(|| scheduler.wake_first(Wait::Mutex(64))).collect();
    assert_eq!(served, [1, 0]);
    assert_eq!((scheduler.pick(), scheduler.pick()), (Some(0), Some(1)), "but it runs first");
}

#[test]
fn who_is_ready_for_another_reason_can_be_woken_until_it_runs() {
    let mut scheduler = Scheduler::default();
    for why in [Wake::TimedOut, Wake::Interrupted] {
        let id = scheduler.spawn(String::new(), 1);
        assert_eq!(scheduler.pick(), Some(id));
        scheduler.block(id, Wait::Semaphore(64), Some(10));
        match why {
            Wake::TimedOut => assert!(scheduler.release(10).is_some()),
            _ => scheduler.wake(id, why),
        }
        assert_eq!(scheduler.woken(id), why);
        assert_eq!(scheduler.wake_first(Wait::Semaphore(64)), Some(id));
        assert_eq!(scheduler.wake_first(Wait::Semaphore(64)), None);
        assert_eq!(scheduler.pick(), Some(id));
        assert_eq!((scheduler.woken(id), scheduler.pick()), (Wake::Given, None));
        // The next time it runs before anybody wakes it.
        scheduler.block(id, Wait::Semaphore(64), Some(20));
        scheduler.wake(id, why);
        assert_eq!(scheduler.next_alarm(), None);
        assert_eq!(scheduler.pick(), Some(id));
        assert_eq!(scheduler.wake_first(Wait::Semaphore(64)), None);
        assert_eq!(scheduler.woken(id), why);
    }
}

#[test]
fn a_waiter_that_is_moved_stands_behind_its_equals_and_waits_as_long_as_before() {
    let mut scheduler = Scheduler::default();
    for (on, deadline) in [(8, Some(100)), (16, None)] {
        let id = scheduler.spawn(String::new(), 1);
        assert_eq!(scheduler.pick(), Some(id));
        scheduler.block(id, Wait::Futex(on, 1), deadline);
    }
    scheduler.requeue(0, Wait::Futex(16, 1));
    assert_eq!(scheduler.waits_for(0), Some(Wait::Futex(16, 1)));
    assert_eq!(scheduler.next_alarm(), Some(100));
    assert_eq!(scheduler.wake_first(Wait::Futex(16, 1)), Some(1));
    assert_eq!(scheduler.release(100), Some((100, Alarm::Thread(0))));
}

#[test]
fn a_recursive_mutex_counts_and_a_checking_one_refuses() {
    let mut recursive = Mutex::of_kind(1);
    assert_eq!(recursive.lock(1), Ok(Grant::Acquired));
    assert_eq!(recursive.lock(1), Ok(Grant::Acquired));
    assert_eq!(recursive.lock(2), Ok(Grant::Busy));
    assert_eq!(recursive.unlock(2), Err(Refusal::NotOwner));
    assert_eq!(recursive.unlock(1), Ok(Freed::No));
    assert_eq!(recursive.unlock(1), Ok(Freed::Yes));
    let mut checking = Mutex::of_kind(2);
    assert_eq!(checking.unlock(1), Err(Refusal::NotOwner));
    assert_eq!(checking.lock(1), Ok(Grant::Acquired));
    assert_eq!(checking.lock(1), Err(Refusal::AlreadyOwned));
    assert_eq!(checking.try_lock(1), Ok(Grant::Busy));
    let mut normal = Mutex::of_kind(0);
    assert_eq!(normal.lock(1), Ok(Grant::Acquired));
    assert_eq!(normal.lock(1), Ok(Grant::Busy));
    assert_eq!(normal.unlock(7), Ok(Freed::Yes));
}

#[test]
fn a_mutex_that_somebody_wants_is_free_for_all_and_wakes_one_at_a_time() {
    let mut mutex = Mutex::of_kind(0);
    assert_eq!(mutex.lock(1), Ok(Grant::Acquired));
    assert_eq!(mutex.lock_or_want(2), Grant::Busy);
    assert_eq!(mutex.unlock(1), Ok(Freed::Wanted));
    assert_eq!(mutex.try_lock(1), Ok(Grant::Acquired));
    assert_eq!(mutex.unlock(1), Ok(Freed::Yes), "the one that was woken still comes");
    assert_eq!(mutex.lock_or_want(2), Grant::Acquired);
    assert_eq!(mutex.unlock(2), Ok(Freed::Wanted), "others may wait beside it");
}

/// The queues whose waiters look again.
fn woken(work: impl FnOnce(&mut dyn FnMut(RwQueue))) -> Vec<RwQueue> {
    let mut queues = Vec::new();
    work(&mut |queue| queues.push(queue));
    queues
}

#[test]
fn readers_share_and_a_writer_is_alone() {
    use RwProgress::{Acquired, Waits};
    let mut lock = RwLock::default();
    for reader in [1, 2] {
        assert_eq!(lock.read(reader, |_| panic!("nobody waits")), Ok(Acquired));
    }
    assert_eq!(lock.write(3), Ok(Waits(RwQueue::Phase)));
    assert_eq!(lock.write(4), Ok(Waits(RwQueue::Writers)));
    assert_eq!(lock.read(5, |_| panic!("nobody waits")), Ok(Acquired), "readers come first");
    for reader in [1, 2] {
        assert_eq!(woken(|wake| lock.unlock(reader, wake)), []);
    }
    assert_eq!(woken(|wake| lock.unlock(5, wake)), [RwQueue::Phase]);
    assert_eq!(lock.try_write(1), Grant::Busy, "the phase is handed on");
    assert_eq!(lock.go_on_writing(3, RwQueue::Phase), Acquired);
    assert_eq!(lock.write(3), Err(Refusal::AlreadyOwned));
    assert_eq!(lock.read(1, |_| ()), Ok(Waits(RwQueue::Phase)));
    assert_eq!(woken(|wake| lock.unlock(3, wake)), [RwQueue::Phase, RwQueue::Writers]);
    assert_eq!(lock.go_on_reading(RwQueue::Phase, |_| ()), Ok(Acquired));
    assert_eq!(lock.go_on_writing(4, RwQueue::Writers), Waits(RwQueue::Phase));
    assert_eq!(woken(|wake| lock.unlock(1, wake)), [RwQueue::Phase]);
    assert_eq!(lock.go_on_writing(4, RwQueue::Phase), Acquired);
    assert_eq!(woken(|wake| lock.unlock(4, wake)), [RwQueue::Writers], "others may queue up");
    assert_eq!(lock.try_write(1), Grant::Acquired);
}

#[test]
fn a_signal_of_a_condition_is_for_those_who_came_before_it() {
    let mut condition = Condition::default();
    let [early, too] = [condition.arrive(), condition.arrive()];
    assert_eq!(early, too);
    assert!(!condition.goes_on(early));
    assert_eq!(condition.signal(), Some(early));
    let late = condition.arrive();
    assert_eq!(
        condition.signal(),
        Some(early),
        "though another may have come with a higher priority"
    );
    assert!(condition.goes_on(early) && condition.goes_on(early) && !condition.goes_on(late));
    assert_eq!(condition.signal(), Some(late));
    assert!(condition.goes_on(late));
    assert_eq!(condition.signal(), None);
    assert!(!condition.leave() && !condition.leave() && condition.leave());
}

#[test]
fn a_signal_for_a_thread_whose_time_is_over_is_for_the_others() {
    let mut condition = Condition::default();
    let group = condition.arrive();
    assert_eq!(condition.signal(), Some(group));
    let later = condition.arrive();
    assert!(condition.give_up(group), "it was the only one whom the signal could have meant");
    assert_eq!(condition.broadcast(), Some(later));
    assert!(condition.goes_on(later));
    let group = condition.arrive();
    assert!(!condition.give_up(group));
    assert_eq!(condition.signal(), None);
}

/// A new thread that has run, and sleeps.
fn asleep(scheduler: &mut Scheduler, priority: u8) -> ThreadId {
    let id = scheduler.spawn(String::new(), priority);
    assert_eq!(scheduler.pick(), Some(id));
    scheduler.block(id, Wait::Sleep, None);
    id
}

/// A new thread that has run, and waits for an inheriting mutex that `owner` has.
fn wanting(
    scheduler: &mut Scheduler,
    priority: u8,
    mutex: u64,
    owner: ThreadId,
    until: Option<u64>,
) -> ThreadId {
    let id = scheduler.spawn(String::new(), priority);
    assert_eq!(scheduler.pick(), Some(id));
    scheduler.lend(mutex, owner);
    scheduler.block(id, Wait::Mutex(mutex), until);
    id
}

fn effective(scheduler: &Scheduler) -> Vec<u8> {
    scheduler.threads.iter().map(|thread| thread.priority).collect()
}

#[test]
fn the_owner_of_an_inheriting_mutex_runs_as_its_highest_waiter() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let high = wanting(&mut scheduler, 9, 64, low, None);
    let mid = scheduler.spawn(String::new(), 5);
    scheduler.wake(low, Wake::TimedOut);
    assert_eq!(scheduler.pick(), Some(low));
    assert!(!scheduler.preempts(low));
    assert_eq!(scheduler.priority(low), 1, "its own priority is what it was");
    assert_eq!(scheduler.pass_on(64), Some(high));
    assert!(scheduler.preempts(low));
    scheduler.preempt(low);
    let order = [scheduler.pick(), scheduler.pick(), scheduler.pick()];
    assert_eq!(order, [Some(high), Some(mid), Some(low)]);
}

#[test]
fn a_mutex_that_does_not_inherit_lends_nothing_even_where_one_was_that_did() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let high = wanting(&mut scheduler, 9, 64, low, None);
    assert_eq!(scheduler.pass_on(64), Some(high));
    assert_eq!(scheduler.pick(), Some(high));
    scheduler.block(high, Wait::Mutex(64), None);
    assert_eq!(effective(&scheduler), [1, 9]);
}

#[test]
fn priority_is_lent_along_a_chain_until_its_end_gives_up() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let link = wanting(&mut scheduler, 3, 64, low, None);
    wanting(&mut scheduler, 9, 65, link, Some(10));
    assert_eq!(effective(&scheduler), [9, 9, 9]);
    assert!(scheduler.release(10).is_some());
    assert_eq!(effective(&scheduler), [3, 3, 9]);
    scheduler.wake(link, Wake::Interrupted);
    assert_eq!(effective(&scheduler), [1, 3, 9]);
}

#[test]
fn the_highest_of_several_mutexes_counts() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let four = wanting(&mut scheduler, 4, 64, low, None);
    let nine = wanting(&mut scheduler, 9, 65, low, None);
    let two = wanting(&mut scheduler, 2, 65, low, None);
    assert_eq!(effective(&scheduler), [9, 4, 9, 2]);
    assert_eq!(scheduler.pass_on(65), Some(nine));
    assert_eq!(effective(&scheduler), [4, 4, 9, 2]);
    assert_eq!(scheduler.pass_on(64), Some(four));
    assert_eq!(effective(&scheduler), [1, 4, 9, 2]);
    // Who still waits lends to the new owner.
    scheduler.set_priority(two, 20);
    assert_eq!(effective(&scheduler), [1, 4, 20, 20]);
}

#[test]
fn priorities_that_are_set_meanwhile_are_lent_and_kept() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let waiter = wanting(&mut scheduler, 9, 64, low, Some(10));
    scheduler.set_priority(low, 5);
    assert_eq!((scheduler.priority(low), effective(&scheduler)), (5, vec![9, 9]));
    scheduler.set_priority(waiter, 7);
    assert_eq!(effective(&scheduler), [7, 7]);
    scheduler.set_priority(waiter, 3);
    assert_eq!(effective(&scheduler), [5, 3]);
    scheduler.set_priority(low, 2);
    assert_eq!(effective(&scheduler), [3, 3]);
    assert!(scheduler.release(10).is_some());
    assert_eq!(effective(&scheduler), [2, 3]);
}

#[test]
fn a_thread_is_raised_to_the_tail_and_lowered_to_the_head() {
    let mut scheduler = Scheduler::default();
    let equal_to_high = asleep(&mut scheduler, 9);
    let low = asleep(&mut scheduler, 1);
    let equal_to_low = scheduler.spawn(String::new(), 1);
    scheduler.wake(low, Wake::Given);
    let high = scheduler.spawn(String::new(), 9);
    assert_eq!(scheduler.pick(), Some(high));
    scheduler.wake(equal_to_high, Wake::Given);
    scheduler.lend(64, low);
    scheduler.block(high, Wait::Mutex(64), Some(10));
    assert_eq!(scheduler.pick(), Some(equal_to_high), "it was there before");
    assert!(scheduler.release(10).is_some());
    scheduler.block(equal_to_high, Wait::Sleep, None);
    let order = [scheduler.pick(), scheduler.pick(), scheduler.pick()];
    assert_eq!(order, [Some(high), Some(low), Some(equal_to_low)]);
}

#[test]
fn who_wait_for_each_other_keep_nothing_of_a_third_who_gave_up() {
    let mut scheduler = Scheduler::default();
    let one = asleep(&mut scheduler, 1);
    let two = wanting(&mut scheduler, 2, 64, one, None);
    scheduler.wake(one, Wake::Given);
    assert_eq!(scheduler.pick(), Some(one));
    scheduler.lend(65, two);
    scheduler.block(one, Wait::Mutex(65), None);
    wanting(&mut scheduler, 9, 64, one, Some(10));
    assert_eq!(effective(&scheduler), [9, 9, 9]);
    assert!(scheduler.release(10).is_some());
    assert_eq!(effective(&scheduler), [2, 2, 9]);
}

/// The same rules written a second time, as slowly and plainly as possible: lists that are searched.
#[derive(Default)]
struct Plain {
    /// Ready threads of each priority, head first.
    ready: [Vec<usize>; 4],
    /// Who waits, in the order of waiting.
    waiting: Vec<Waiter>,
    priority: Vec<u8>,
}

struct Waiter {
    id: usize,
    object: u64,
    deadline: Option<u64>,
    /// The priority with which it came.
    rank: u8,
    /// Its time is over; it has not run since.
    is_ready: bool,
}

impl Plain {
    fn pick(&mut self) -> Option<usize> {
        let queue = self.ready.iter_mut().rev().find(|queue| !queue.is_empty())?;
        let id = queue.remove(0);
        self.waiting.retain(|waiter| waiter.id != id);
        Some(id)
    }

    fn wake_first(&mut self, object: u64) -> Option<usize> {
        for rank in (0..4).rev() {
            let is_next = |waiter: &Waiter| waiter.object == object && waiter.rank == rank;
            if let Some(place) = self.waiting.iter().position(is_next) {
                let Waiter { id, is_ready, .. } = self.waiting.remove(place);
                if !is_ready {
                    self.ready[usize::from(self.priority[id])].push(id);
                }
                return Some(id);
            }
        }
        None
    }

    fn release(&mut self, now: u64) {
        while let Some(place) = (0..self.waiting.len())
            .filter(|&place| self.waiting[place].deadline.is_some_and(|deadline| deadline <= now))
            .min_by_key(|&place| self.waiting[place].deadline)
        {
            let waiter = &mut self.waiting[place];
            (waiter.deadline, waiter.is_ready) = (None, true);
            self.ready[usize::from(self.priority[waiter.id])].push(waiter.id);
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Spawn(u8),
    Block(u64, Option<u64>),
    WakeFirst(u64),
    WakeAll(u64),
    Pass(u64),
    Promote(usize, u8),
    Yield,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u8..4).prop_map(Step::Spawn),
        (0u64..3, prop::option::of(0u64..20)).prop_map(|(on, after)| Step::Block(on, after)),
        (0u64..3).prop_map(Step::WakeFirst),
        (0u64..3).prop_map(Step::WakeAll),
        (1u64..10).prop_map(Step::Pass),
        (0usize..8, 0u8..4).prop_map(|(thread, priority)| Step::Promote(thread, priority)),
        Just(Step::Yield),
    ]
}

proptest! {
    #[test]
    fn threads_run_in_the_order_of_the_plain_rules(steps in prop::collection::vec(step(), 0..200)) {
        let mut scheduler = Scheduler::default();
        let mut plain = Plain::default();
        let mut now = 0;
        let mut running: Option<usize> = None;
        for step in steps {
            match step {
                Step::Spawn(priority) => {
                    let id = scheduler.spawn(String::new(), priority);
                    plain.priority.push(priority);
                    plain.ready[usize::from(priority)].push(id);
                }
                Step::Block(on, after) => {
                    if let Some(id) = running.take() {
                        let deadline = after.map(|after| now + after);
                        scheduler.block(id, Wait::Semaphore(on), deadline);
                        let rank = plain.priority[id];
                        plain.waiting.push(Waiter { id, object: on, deadline, rank, is_ready: false });
                    }
                }
                Step::WakeFirst(on) => {
                    prop_assert_eq!(scheduler.wake_first(Wait::Semaphore(on)), plain.wake_first(on));
                }
                Step::WakeAll(on) => {
                    scheduler.wake_all(Wait::Semaphore(on));
                    while plain.wake_first(on).is_some() {}
                }
                Step::Pass(time) => {
                    now += time;
                    while scheduler.release(now).is_some() {}
                    plain.release(now);
                }
                Step::Promote(thread, priority) => {
                    if thread < plain.priority.len() {
                        scheduler.set_priority(thread, priority);
                        let before = plain.priority[thread];
                        let queue = &mut plain.ready[usize::from(before)];
                        let place = queue.iter().position(|&id| id == thread);
                        if let Some(place) = place.filter(|_| before != priority) {
                            queue.remove(place);
                            let queue = &mut plain.ready[usize::from(priority)];
                            queue.insert(if priority > before { queue.len() } else { 0 }, thread);
                        }
                        plain.priority[thread] = priority;
                    }
                }
                Step::Yield => {
                    if let Some(id) = running.take() {
                        scheduler.yield_to_equals(id);
                        plain.ready[usize::from(plain.priority[id])].push(id);
                    }
                }
            }
            if let Some(id) = running {
                let higher = plain.ready[usize::from(plain.priority[id]) + 1..].iter().any(|queue| !queue.is_empty());
                prop_assert_eq!(scheduler.preempts(id), higher);
                if higher {
                    scheduler.preempt(id);
                    plain.ready[usize::from(plain.priority[id])].insert(0, id);
                    running = None;
                }
            }
            if running.is_none() {
                running = scheduler.pick();
                prop_assert_eq!(running, plain.pick());
            }
        }
    }
}
