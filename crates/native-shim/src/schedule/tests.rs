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
