//! The choice between all partitions of a system and one of them: the quicker way, as measured while it runs.
//!
//! The cost and the gain of a partition cannot be told from the system: they depend on the work between two messages, on
//! the cores, and on who else wants them. So one partition advances the system, for it can never be much slower than
//! itself, and now and then all of them try for some milliseconds. If they are quicker by a tenth they go on, and then
//! one partition tries now and then.
//!
//! With r₁ and rₙ, the simulated time per time on the wall of both ways (the last few stretches, the newest with the
//! greatest weight), a stretch of all partitions that lasted w and advanced by s has lost max(0, w - s / r₁). A trial is
//! made only if what it may lose keeps the sum of losses below a tenth of the time spent: its own length, two changes of
//! the way, and some times the delay with which a stretch has ended lately, since on a busy machine each thread has to wait
//! for a core so long. After a trial in vain twice as much time goes by until the next, up to some seconds.
//!
//! None of this changes a result: those are the same for every placement.

use std::time::Duration as Wall;

use crate::time::Duration;

/// Who advances a system whose models are [placed](crate::Placement::AtMost) in several partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// All partitions, always.
    #[default]
    Always,
    /// All partitions or a single one, whichever is measured to be quicker.
    WhereItPays,
    /// Now a single one, now all of them, for so long each. For tests.
    #[doc(hidden)]
    InTurns(Wall),
}

/// What sharing came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharingReport {
    /// How many partitions there could be.
    pub partitions: usize,
    /// Time on the wall in which one partition advanced the system, and in which all did.
    pub alone: Wall,
    /// See [`SharingReport::alone`].
    pub shared: Wall,
    /// How fast all of them were at last, in hundredths of the speed of one; none if they were never tried.
    pub percent: Option<u32>,
}

impl SharingReport {
    /// Whether all partitions advanced the system for most of the time.
    pub fn is_shared(&self) -> bool {
        self.shared > self.alone
    }
}

/// How long a trial lasts.
const TRIAL: Wall = Wall::from_millis(10);
/// How long a stretch lasts.
const STRETCH: Wall = Wall::from_millis(20);
/// How long one partition goes on at first: what is over sooner needs no help.
const FIRST: Wall = Wall::from_millis(400);
/// How long one partition goes on at last between two trials in vain.
const LAST: Wall = Wall::from_secs(5);
/// How long all go on before one tries, at first and at last.
const CHECK: [Wall; 2] = [Wall::from_millis(50), Wall::from_millis(500)];
/// All have to be this much quicker to begin.
const WORTH: f64 = 1.1;
/// Of the time spent, how much trials may lose.
const MAY_LOSE: f64 = 0.1;
/// How often a trial may have to wait for a core.
const WAITS: f64 = 3.0;
/// A delay counts so much less with each later stretch.
const FADING: f64 = 0.95;
/// The weight of a stretch falls by this factor with each later one.
const FORGETTING: f64 = 0.75;

/// Who advances the system in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Alone,
    Shared,
}

impl Way {
    fn other(self) -> Self {
        match self {
            Way::Alone => Way::Shared,
            Way::Shared => Way::Alone,
        }
    }
}

/// How fast a way is.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    wall: f64,
    simulated: f64,
}

impl Speed {
    fn add(&mut self, wall: f64, simulated: f64) {
        self.wall = FORGETTING * self.wall + wall;
        self.simulated = FORGETTING * self.simulated + simulated;
    }

    /// Simulated seconds per second.
    fn rate(&self) -> Option<f64> {
        (self.wall > 0.0 && self.simulated > 0.0).then(|| self.simulated / self.wall)
    }
}

/// Chooses who advances a system. All times are on the wall, in seconds.
#[derive(Debug)]
pub(crate) struct Chooser {
    sharing: Sharing,
    partitions: usize,
    /// Who advances it, but for trials.
    usual: Way,
    alone: Speed,
    shared: Speed,
    total_alone: f64,
    total_shared: f64,
    /// What stretches of all partitions have cost beyond those of one.
    lost: f64,
    /// What a change of the way costs.
    change: f64,
    /// How much longer than they should stretches have lasted lately.
    delay: f64,
    /// Since the last trial, and how long until the next.
    since: f64,
    until_next: f64,
    /// How long it was until this one, with one partition.
    patience: f64,
}

impl Chooser {
    pub fn new(sharing: Sharing) -> Self {
        let first = FIRST.as_secs_f64();
        Chooser {
            sharing,
            partitions: 1,
            usual: Way::Alone,
            alone: Speed::default(),
            shared: Speed::default(),
            total_alone: 0.0,
            total_shared: 0.0,
            lost: 0.0,
            change: 0.0,
            delay: 0.0,
            since: 0.0,
            until_next: first,
            patience: first,
        }
    }

    /// There can be so many partitions.
    pub fn spread_over(&mut self, partitions: usize) {
        self.partitions = partitions;
    }

    /// To put the system together took so long: a change of the way costs no more.
    pub fn assembled(&mut self, took: Wall) {
        self.change = took.as_secs_f64();
    }

    /// Who makes the next stretch, and how long it lasts at most.
    pub fn next(&self) -> (Way, Wall) {
        if let Sharing::InTurns(span) = self.sharing {
            return (self.usual, span);
        }
        let left = self.until_next - self.since;
        let spent = self.total_alone + self.total_shared;
        let may_cost = TRIAL.as_secs_f64() + 2.0 * self.change + WAITS * self.delay;
        let can_be_lost = self.lost + may_cost <= MAY_LOSE * spent;
        match left <= 0.0 && (can_be_lost || self.usual == Way::Shared) {
            true => (self.usual.other(), TRIAL),
            false => (self.usual, STRETCH.min(Wall::from_secs_f64(left.max(TRIAL.as_secs_f64())))),
        }
    }

    /// What a change of the way has cost.
    pub fn changed(&mut self, cost: Wall) {
        self.change = cost.as_secs_f64();
        self.lost += self.change;
    }

    /// What a stretch came to that was to last no longer than `limit`.
    pub fn learn(&mut self, way: Way, limit: Wall, wall: Wall, simulated: Duration) {
        let late = wall.saturating_sub(limit).as_secs_f64();
        self.delay = (FADING * self.delay).max(late);
        let (wall, simulated) = (wall.as_secs_f64(), simulated.as_secs_f64());
        match way {
            Way::Alone => {
                self.total_alone += wall;
                self.alone.add(wall, simulated);
            }
            Way::Shared => {
                self.total_shared += wall;
                self.shared.add(wall, simulated);
                let alone = self.alone.rate().map_or(wall, |rate| simulated / rate);
                self.lost += (wall - alone).max(0.0);
            }
        }
        if let Sharing::InTurns(_) = self.sharing {
            self.usual = self.usual.other();
            return;
        }
        self.since += wall;
        let Some(gain) = self.gain() else { return };
        let is_trial = way != self.usual;
        match self.usual {
            Way::Alone if is_trial && gain > WORTH => self.go_on(Way::Shared, CHECK[0]),
            Way::Alone if is_trial => {
                self.patience = (2.0 * self.patience).min(LAST.as_secs_f64());
                self.go_on(Way::Alone, Wall::from_secs_f64(self.patience));
            }
            Way::Shared if gain < 1.0 => {
                self.patience = (2.0 * self.patience).min(LAST.as_secs_f64());
                self.go_on(Way::Alone, Wall::from_secs_f64(self.patience));
            }
            Way::Shared if is_trial => {
                self.patience = FIRST.as_secs_f64();
                let longer = Wall::from_secs_f64(2.0 * self.until_next);
                self.go_on(Way::Shared, longer.min(CHECK[1]));
            }
            _ => {}
        }
    }

    fn go_on(&mut self, way: Way, until_next: Wall) {
        (self.usual, self.since, self.until_next) = (way, 0.0, until_next.as_secs_f64());
    }

    /// How many times as fast as one partition all are.
    fn gain(&self) -> Option<f64> {
        Some(self.shared.rate()? / self.alone.rate()?)
    }

    pub fn report(&self) -> SharingReport {
        SharingReport {
            partitions: self.partitions,
            alone: Wall::from_secs_f64(self.total_alone),
            shared: Wall::from_secs_f64(self.total_shared),
            percent: self.gain().map(|gain| (100.0 * gain).round().min(1e9) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system: simulated seconds per second of both ways, which may change as it goes on, and what a change of the
    /// way costs. All partitions begin a stretch with a delay.
    struct System<F: Fn(f64) -> [f64; 2]> {
        rates: F,
        change: Wall,
        delay: Wall,
    }

    impl<F: Fn(f64) -> [f64; 2]> System<F> {
        fn with<G: Fn(f64) -> [f64; 2]>(self, rates: G) -> System<G> {
            System { rates, change: self.change, delay: self.delay }
        }

        /// Seconds on the wall until `end` simulated seconds.
        fn run(&self, end: f64) -> (f64, SharingReport) {
            let mut chooser = Chooser::new(Sharing::WhereItPays);
            chooser.assembled(self.change);
            let (mut now, mut wall, mut before) = (0.0, 0.0, Way::Alone);
            while now < end {
                let (way, limit) = chooser.next();
                if way != before {
                    chooser.changed(self.change);
                    wall += self.change.as_secs_f64();
                    before = way;
                }
                let [alone, shared] = (self.rates)(now);
                let (rate, delay) = match way {
                    Way::Alone => (alone, Wall::ZERO),
                    Way::Shared => (shared, self.delay),
                };
                let simulated = (rate * limit.as_secs_f64()).min(end - now);
                let took = Wall::from_secs_f64(simulated / rate) + delay;
                chooser.learn(way, limit, took, Duration::from_ps((simulated * 1e12) as u64));
                now += simulated;
                wall += took.as_secs_f64();
            }
            (wall, chooser.report())
        }
    }

    fn steady(alone: f64, shared: f64) -> System<impl Fn(f64) -> [f64; 2]> {
        let (change, delay) = (Wall::from_micros(200), Wall::from_micros(500));
        System { rates: move |_| [alone, shared], change, delay }
    }

    #[test]
    fn what_does_not_pay_costs_little_however_long_a_run_is() {
        for seconds in [0.05, 0.3, 0.41, 0.5, 1.0, 3.0, 30.0] {
            for shared in [1e-3, 0.1, 0.5, 0.99, 1.05] {
                let (wall, report) = steady(1.0, shared).run(seconds);
                assert!(wall <= 1.1 * seconds, "{seconds} s with {shared}: {wall} s");
                assert!(!report.is_shared());
            }
        }
    }

    #[test]
    fn it_costs_little_with_large_systems_and_late_threads_too() {
        let (change, delay) = (Wall::from_millis(40), Wall::from_millis(60));
        for seconds in [0.05, 0.5, 1.0, 3.0, 30.0] {
            let (wall, _) = System { rates: |_| [1.0, 0.01], change, delay }.run(seconds);
            assert!(wall <= 1.2 * seconds, "{seconds} s: {wall} s");
        }
    }

    #[test]
    fn where_threads_wait_for_a_core_a_trial_is_put_off() {
        let mut chooser = Chooser::new(Sharing::WhereItPays);
        let (mut wall, mut first) = (0.0, None);
        while first.is_none() {
            let (way, limit) = chooser.next();
            // Now and then somebody else has the core for 80 ms.
            let others = if ((wall * 10.0) as u64).is_multiple_of(2) { 80 } else { 0 };
            let took = limit + Wall::from_millis(others);
            first = (way == Way::Shared).then_some(wall);
            chooser.learn(way, limit, took, Duration::from_ps(1_000_000_000));
            wall += took.as_secs_f64();
        }
        assert!(first.is_some_and(|first| (1.5..10.0).contains(&first)), "{first:?}");
    }

    #[test]
    fn what_pays_is_used() {
        let (wall, report) = steady(1.0, 1.8).run(60.0);
        assert!(report.is_shared() && report.percent.is_some_and(|percent| percent > 160));
        assert!(wall < 60.0 / 1.6, "{wall} s");
    }

    #[test]
    fn a_system_that_changes_is_tried_again() {
        // In the middle it does not pay; in the end it does.
        let rates = |now: f64| [1.0, if (20.0..40.0).contains(&now) { 0.05 } else { 1.8 }];
        let (wall, report) = steady(1.0, 1.0).with(rates).run(120.0);
        let best = 20.0 / 1.8 + 20.0 + 80.0 / 1.8;
        assert!(wall < 1.3 * best, "{wall} s, at best {best} s");
        assert!(report.is_shared());
    }

    #[test]
    fn one_that_becomes_quicker_alone_is_noticed() {
        let rates = |now: f64| if now < 20.0 { [1.0, 1.8] } else { [10.0, 1.8] };
        let (wall, _) = steady(1.0, 1.0).with(rates).run(220.0);
        let best = 20.0 / 1.8 + 20.0;
        assert!(wall < 1.2 * best, "{wall} s, at best {best} s");
    }
}
