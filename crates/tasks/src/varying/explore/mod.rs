//! Ranges of jobs on ECUs where two schedules do not bound all others: executors, and chains.
//!
//! A callback that ends earlier lets another go before a third, which then ends later than ever: there are
//! timing anomalies. So all orders are looked at in which events can happen, in the manner of schedule
//! abstraction (Nasri, Brandenburg, RTSS 2017). A state has a span for each event that is due instead of an
//! instant. The next instant is one at which a set of events X happens and no other:
//!
//! ```text
//! t in [ max of earliest(x), min of latest(x) ]  for x in X,   t < latest(y)  for all others y
//! ```
//!
//! For every such set with a possible t there is a next state. States that differ in spans alone and in which
//! as many events have happened are taken together, with the least spans that hold both. As every combination
//! of times within the spans counts as possible, no execution is left out; some that do not exist are let in,
//! so bounds may be wider than needed. The number of states is limited; beyond, there is no answer.

mod state;
mod step;

use std::collections::BTreeMap;

use self::state::{Event, State};
use super::span::Span;
use crate::scheduler::Plan;
use crate::system::{EcuId, System, TaskId, Ticks};

/// Release, start and finish of each job that was seen.
#[derive(Default)]
pub(super) struct Found {
    pub jobs: BTreeMap<(TaskId, u64), (Span, Span, Option<Span>)>,
    /// Jobs of each task that start in any execution, whatever the others do.
    pub at_least: BTreeMap<TaskId, u64>,
}

impl Found {
    fn starts(&mut self, job: (TaskId, u64), release: Span, at: Span) {
        let found = self.jobs.entry(job).or_insert((release, at, None));
        (found.0, found.1) = (found.0.hull(release), found.1.hull(at));
    }

    /// An execution has come to its end.
    fn closes(&mut self, state: &State) {
        for (task, own) in state.tasks.iter().enumerate() {
            let least = self.at_least.entry(task).or_insert(own.count);
            *least = own.count.min(*least);
        }
    }

    fn ends(&mut self, job: (TaskId, u64), at: Span) {
        if let Some(found) = self.jobs.get_mut(&job) {
            found.2 = Some(found.2.map_or(at, |finish| finish.hull(at)));
        }
    }
}

/// Explores a group of ECUs.
pub(super) struct Explorer<'a> {
    pub system: &'a System,
    pub plan: &'a Plan,
    pub horizon: Ticks,
    /// Arrivals of results from ECUs whose ranges are known, by link; up to an instant.
    pub feeds: BTreeMap<usize, Vec<Span>>,
    pub fed_until: Ticks,
}

/// Why a group was not explored to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GaveUp {
    /// There are more states than allowed.
    States,
    /// Jobs that start before the horizon go on for too long.
    Time,
}

impl Explorer<'_> {
    /// All that the jobs of a group can do, and how many states there were.
    pub fn run(&self, group: &[EcuId], most: usize) -> Result<(Found, usize), GaveUp> {
        let mut found = Found::default();
        let mut first = State::new(self.system, self.plan);
        for (task, described) in self.system.tasks.iter().enumerate() {
            if let Some(clock) = described.clock.filter(|_| group.contains(&described.ecu)) {
                first.push(Event::Clock { task }, Span::at(clock.offset));
            }
        }
        self.feeds.keys().for_each(|link| self.feed(&mut first, *link, 0, 0));
        let mut waiting = BTreeMap::from([((0, first.shape()), first)]);
        let mut count = 0;
        while let Some((_, state)) = waiting.pop_first() {
            let earliest = state.earliest().unwrap_or(Ticks::MAX);
            if earliest >= self.horizon && state.open.is_empty() {
                found.closes(&state);
                continue;
            }
            if earliest >= self.fed_until {
                return Err(GaveUp::Time);
            }
            for (events, at) in instants(&state.events) {
                for next in self.step(state.clone(), &events, at, &mut found) {
                    count += 1;
                    if count > most {
                        return Err(GaveUp::States);
                    }
                    let key = (next.happened, next.shape());
                    match waiting.entry(key) {
                        std::collections::btree_map::Entry::Vacant(place) => {
                            place.insert(next);
                        }
                        std::collections::btree_map::Entry::Occupied(mut place) => {
                            place.get_mut().merge(&next);
                        }
                    }
                }
            }
        }
        Ok((found, count))
    }

    /// The next result from an ECU whose ranges are known comes, not before the one in front of it.
    fn feed(&self, state: &mut State, link: usize, number: usize, not_before: Ticks) {
        if let Some(time) = self.feeds.get(&link).and_then(|feed| feed.get(number)) {
            let earliest = time.earliest.max(not_before);
            let time = Span { earliest, latest: time.latest.max(earliest) };
            state.push(Event::Feed { link, number }, time);
        }
    }
}

/// Sets of events that can happen at the next instant, and when that can be.
fn instants(events: &[(Event, Span)]) -> Vec<(Vec<Event>, Span)> {
    let Some(latest) = events.iter().map(|(_, time)| time.latest).min() else { return Vec::new() };
    let could: Vec<_> = events.iter().filter(|(_, time)| time.earliest <= latest).collect();
    let earliest = could.iter().map(|(_, time)| time.earliest).min().unwrap_or(latest);
    let mut found = Vec::new();
    let mut open = vec![(0, Vec::new(), Span { earliest, latest })];
    while let Some((next, chosen, at)) = open.pop() {
        let Some((event, time)) = could.get(next) else {
            if !chosen.is_empty() {
                found.push((chosen, at));
            }
            continue;
        };
        // Without it: it happens later.
        let without = at.latest.min(time.latest.saturating_sub(1));
        if time.latest > 0 && at.earliest <= without {
            open.push((next + 1, chosen.clone(), Span { latest: without, ..at }));
        }
        let earliest = at.earliest.max(time.earliest);
        let latest = at.latest.min(time.latest);
        if earliest <= latest {
            let mut with = chosen;
            with.push(*event);
            open.push((next + 1, with, Span { earliest, latest }));
        }
    }
    found
}
