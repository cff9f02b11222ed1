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
fn a_woken_thread_has_no_deadline_left() {
    let mut scheduler = three();
    assert_eq!(scheduler.pick(), Some(1));
    scheduler.block(1, Wait::Condition(8), Some(100));
    assert_eq!(scheduler.next_alarm(), Some(100));
    scheduler.requeue(1, Wait::Mutex(16));
    assert_eq!(scheduler.next_alarm(), None);
    assert_eq!(scheduler.waits_for(1), Some(Wait::Mutex(16)));
}

#[test]
fn a_recursive_mutex_counts_and_a_checking_one_refuses() {
    let mut recursive = Mutex::of_kind(1);
    assert_eq!(recursive.lock(1), Ok(Grant::Acquired));
    assert_eq!(recursive.lock(1), Ok(Grant::Acquired));
    assert_eq!(recursive.lock(2), Ok(Grant::Busy));
    assert_eq!(recursive.unlock(2), Err(Refusal::NotOwner));
    assert_eq!(recursive.unlock(1), Ok(false));
    assert_eq!(recursive.unlock(1), Ok(true));
    let mut checking = Mutex::of_kind(2);
    assert_eq!(checking.unlock(1), Err(Refusal::NotOwner));
    assert_eq!(checking.lock(1), Ok(Grant::Acquired));
    assert_eq!(checking.lock(1), Err(Refusal::AlreadyOwned));
    assert_eq!(checking.try_lock(1), Ok(Grant::Busy));
    let mut normal = Mutex::of_kind(0);
    assert_eq!(normal.lock(1), Ok(Grant::Acquired));
    assert_eq!(normal.lock(1), Ok(Grant::Busy));
    assert_eq!(normal.unlock(7), Ok(true));
}

#[test]
fn readers_share_and_a_writer_is_alone() {
    let mut lock = RwLock::default();
    assert_eq!(lock.read(1, false), Ok(Grant::Acquired));
    assert_eq!(lock.read(2, true), Ok(Grant::Acquired));
    assert_eq!(lock.write(3), Ok(Grant::Busy));
    assert!(!lock.unlock());
    assert!(lock.unlock());
    assert_eq!(lock.write(3), Ok(Grant::Acquired));
    assert_eq!(lock.read(1, false), Ok(Grant::Busy));
    assert_eq!(lock.write(3), Err(Refusal::AlreadyOwned));
    assert!(lock.unlock());
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
fn a_requeued_waiter_lends_from_then_on() {
    let mut scheduler = Scheduler::default();
    let low = asleep(&mut scheduler, 1);
    let high = asleep(&mut scheduler, 9);
    scheduler.lend(64, low);
    scheduler.requeue(high, Wait::Mutex(64));
    assert_eq!(effective(&scheduler), [9, 9]);
    scheduler.requeue(high, Wait::Sleep);
    assert_eq!(effective(&scheduler), [1, 9]);
}

#[test]
fn who_wait_for_each_other_keep_nothing_of_a_third_who_gave_up() {
    let mut scheduler = Scheduler::default();
    let one = asleep(&mut scheduler, 1);
    let two = wanting(&mut scheduler, 2, 64, one, None);
    scheduler.lend(65, two);
    scheduler.requeue(one, Wait::Mutex(65));
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
    /// Who waits: thread, object, deadline; in the order of waiting.
    waiting: Vec<(usize, u64, Option<u64>)>,
    priority: Vec<u8>,
}

impl Plain {
    fn pick(&mut self) -> Option<usize> {
        let queue = self.ready.iter_mut().rev().find(|queue| !queue.is_empty())?;
        Some(queue.remove(0))
    }

    fn wake_first(&mut self, object: u64) -> Option<usize> {
        for priority in (0..4).rev() {
            let found = self
                .waiting
                .iter()
                .position(|(id, on, _)| *on == object && self.priority[*id] == priority);
            if let Some(place) = found {
                let (id, _, _) = self.waiting.remove(place);
                self.ready[usize::from(priority)].push(id);
                return Some(id);
            }
        }
        None
    }

    fn release(&mut self, now: u64) {
        while let Some(place) = (0..self.waiting.len())
            .filter(|&place| self.waiting[place].2.is_some_and(|deadline| deadline <= now))
            .min_by_key(|&place| self.waiting[place].2)
        {
            let (id, _, _) = self.waiting.remove(place);
            self.ready[usize::from(self.priority[id])].push(id);
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
                        plain.waiting.push((id, on, deadline));
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
                        for queue in &mut plain.ready {
                            if let Some(place) = queue.iter().position(|&id| id == thread) {
                                queue.remove(place);
                                plain.ready[usize::from(priority)].push(thread);
                                break;
                            }
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
