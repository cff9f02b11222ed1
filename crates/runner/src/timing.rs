//! Components that are tasks of ECUs: they step when their jobs start, and what they give reaches others when
//! those jobs end.
//!
//! ```text
//! plant ──► controller ──[until the job ends]──► plant
//!           steps when a job starts
//! ```
//!
//! - The schedule does not depend on data, so it is known before the run: an agenda for the kernel.
//! - Between two tasks of which one releases the other a message is read by the job that it released, whatever
//!   has been sent since: the link carries it to the start of that job. A message that was lost in a queue on
//!   the way is lost here, too. Where one samples the other, a result goes to the first job that reads it: what
//!   a bus has not carried yet is not there yet.
//! - Components of one task run one after the other within its jobs: between them nothing is delayed.
//! - An event-driven component does not step: what it is sent waits for the next job to start.

use std::sync::Arc;

use ironbird_experiment::checked::{JobTimes, Timing};
use ironbird_kernel::{
    Agenda, AnyValue, Duration, Interposer, LoadError, Passage, RandomStream, SaveError, Seed,
    StateReader, StateWriter, Time,
};
use ironbird_tasks::{
    Cycle, Drawn, Extreme, Job, System, TaskId, Ticks, Timetable, TimetableError,
};

/// What waits for its real end takes memory: no job runs farther ahead than this.
const LONGEST_WINDOW: Duration = Duration::from_ms(1_000);

/// When the jobs of all tasks start and end, in picoseconds.
pub struct JobCalendar {
    tasks: Vec<Arc<TaskCalendar>>,
    /// For each pair of tasks of which the second is released by the first, or samples it.
    links: Vec<((TaskId, TaskId), Arc<Handover>)>,
    /// All jobs, some of them after those that are listed above.
    timetable: Timetable,
    /// How far ahead of the plant jobs may run that read nothing from it.
    window: Duration,
}

/// When the jobs of one task start and end.
#[derive(Debug)]
pub struct TaskCalendar {
    starts: Vec<u64>,
    ends: Vec<u64>,
    repeats: Option<Repeats>,
    /// From the start of a job to its end, at least.
    shortest: Duration,
}

impl Default for TaskCalendar {
    fn default() -> Self {
        let shortest = Duration::from_ps(u64::MAX);
        TaskCalendar { starts: Vec::new(), ends: Vec::new(), repeats: None, shortest }
    }
}

/// From job `first` on, with the instant `from`, all comes again after `length`.
#[derive(Clone, Copy, Debug)]
struct Repeats {
    first: usize,
    from: u64,
    length: u64,
}

/// When the first job starts that reads a result; none where no job does. By number of the sending job.
#[derive(Debug)]
struct Handover {
    starts: Vec<Option<u64>>,
    sender: Arc<TaskCalendar>,
}

impl JobCalendar {
    /// The schedule of a run that ends at `end`.
    pub fn new(timing: &Timing, seed: Seed, end: Time) -> Result<Self, TimetableError> {
        let system = &*timing.system;
        // A message on its way at the end has nobody to reach; one tick more covers the last instant.
        let horizon = end.as_ps() / system.unit.picoseconds() + 2;
        let until = |system: &System| match timing.times {
            JobTimes::Worst => Timetable::until(system, Extreme::worst(system), horizon),
            JobTimes::Best => Timetable::until(system, Extreme::best(system), horizon),
            JobTimes::Drawn => Timetable::until(system, Drawn::new(system, seed), horizon),
        };
        let cycle = match timing.times {
            JobTimes::Worst => match Timetable::of(system) {
                Ok(timetable) => {
                    let reach = longest_reach(&timetable);
                    timetable.cycle.map(|cycle| (cycle, reach))
                }
                // An overloaded system never settles: its beginning is all there is to know.
                Err(TimetableError::DoesNotSettle { .. } | TimetableError::HyperPeriod { .. }) => {
                    None
                }
                Err(error) => return Err(error),
            },
            JobTimes::Best | JobTimes::Drawn => None,
        };
        let (end, timetable) = match cycle {
            // So much more tells which jobs the messages of the first turn release.
            Some((Cycle { from, length, .. }, reach)) => {
                let times = Extreme::worst(system);
                (from + length, Timetable::until(system, times, from + 2 * length + reach)?)
            }
            None => (horizon, until(system)?),
        };
        Ok(JobCalendar::of(system, timetable, end, cycle.map(|(cycle, _)| cycle)))
    }

    /// Of the jobs of a timetable those that start before `end`; with a cycle, they come again.
    fn of(system: &System, timetable: Timetable, end: Ticks, cycle: Option<Cycle>) -> Self {
        let unit = system.unit.picoseconds();
        let mut tasks: Vec<TaskCalendar> =
            system.tasks.iter().map(|_| TaskCalendar::default()).collect();
        // Which job of its task each job is.
        let mut places = Vec::with_capacity(timetable.jobs.len());
        for job in timetable.jobs.iter().take_while(|job| job.start < end) {
            let task = &mut tasks[job.task];
            if let Some(cycle) = cycle.filter(|cycle| job.start >= cycle.from) {
                let (first, from, length) =
                    (task.starts.len(), cycle.from * unit, cycle.length * unit);
                task.repeats.get_or_insert(Repeats { first, from, length });
            }
            places.push(task.starts.len());
            task.starts.push(job.start * unit);
            task.ends.push(job.finish * unit);
            let span = Duration::from_ps((job.finish - job.start) * unit);
            task.shortest = task.shortest.min(span);
        }
        let tasks: Vec<Arc<TaskCalendar>> = tasks.into_iter().map(Arc::new).collect();
        let mut links: Vec<((TaskId, TaskId), Handover)> = Vec::new();
        for (to, task) in system.tasks.iter().enumerate() {
            // A task may be released by one that it also samples.
            let sampled = task.samples.iter().filter(|from| !task.after.contains(from));
            for from in task.after.iter().chain(sampled) {
                let sender = tasks[*from].clone();
                let starts = vec![None; sender.starts.len()];
                links.push(((*from, to), Handover { starts, sender }));
            }
        }
        let mut hand_over = |producer: usize, reader: &Job| {
            let pair = (timetable.jobs[producer].task, reader.task);
            let handover = links.iter_mut().find(|(other, _)| *other == pair);
            if let (Some((_, handover)), Some(place)) = (handover, places.get(producer)) {
                handover.starts[*place].get_or_insert(reader.start * unit);
            }
        };
        for job in &timetable.jobs {
            if let Some(trigger) = job.trigger {
                hand_over(trigger as usize, job);
            }
        }
        for (reader, producer) in &timetable.sampled {
            let reader = &timetable.jobs[*reader as usize];
            let task = &system.tasks[reader.task];
            if !task.after.contains(&timetable.jobs[*producer as usize].task) {
                hand_over(*producer as usize, reader);
            }
        }
        let links = links.into_iter().map(|(pair, handover)| (pair, Arc::new(handover))).collect();
        let window = cycle.map_or(LONGEST_WINDOW, |cycle| Duration::from_ps(cycle.length * unit));
        JobCalendar { tasks, links, timetable, window: window.min(LONGEST_WINDOW) }
    }

    /// When the jobs of a task start and end.
    pub fn task(&self, task: TaskId) -> Arc<TaskCalendar> {
        self.tasks[task].clone()
    }

    /// All jobs.
    pub fn timetable(&self) -> &Timetable {
        &self.timetable
    }

    /// How far ahead of the plant jobs may run that read nothing from it: a turn of the cycle.
    pub fn window(&self) -> Duration {
        self.window
    }

    /// What carries the message of one task to the job of another that it releases.
    pub fn handover(&self, from: TaskId, to: TaskId) -> Option<ToTheJob> {
        let (_, handover) = self.links.iter().find(|(pair, _)| *pair == (from, to))?;
        Some(ToTheJob { handover: handover.clone(), is_sent_at_the_end: false })
    }
}

/// The longest time from the start of a job to the start of one that reads its result.
fn longest_reach(timetable: &Timetable) -> Ticks {
    let released = timetable.jobs.iter().filter_map(|job| Some((job, job.trigger?)));
    let sampled = timetable.sampled.iter();
    let sampled = sampled.map(|(reader, read)| (&timetable.jobs[*reader as usize], *read));
    let spans = released
        .chain(sampled)
        .map(|(reader, read)| reader.start - timetable.jobs[read as usize].start);
    spans.max().unwrap_or(0)
}

impl TaskCalendar {
    fn start(&self, k: u64) -> Option<u64> {
        self.at(&self.starts, k)
    }

    fn end(&self, k: u64) -> Option<u64> {
        self.at(&self.ends, k)
    }

    /// Which job of the list job `k` repeats, and how much later it is.
    pub fn fold(&self, k: u64) -> Option<(usize, u64)> {
        let count = self.starts.len();
        match (usize::try_from(k).ok().filter(|k| *k < count), self.repeats) {
            (Some(k), _) => Some((k, 0)),
            (None, Some(Repeats { first, length, .. })) if first < count => {
                let (into, turn) = (k - first as u64, (count - first) as u64);
                Some((first + (into % turn) as usize, (into / turn).checked_mul(length)?))
            }
            _ => None,
        }
    }

    fn at(&self, times: &[u64], k: u64) -> Option<u64> {
        let (place, shift) = self.fold(k)?;
        times[place].checked_add(shift)
    }

    /// When job `k` starts.
    pub fn start_of(&self, k: u64) -> Option<Time> {
        self.start(k).map(Time::from_ps)
    }

    /// The number of the first job that ends at `t` or later.
    fn first_ending_from(&self, t: u64) -> u64 {
        // Jobs of a task end in their order: those that start from `t` on end later, and few before do.
        let mut k = self.first_from(t);
        while k > 0 && self.end(k - 1).is_some_and(|end| end >= t) {
            k -= 1;
        }
        k
    }

    /// The number of the first job that starts at `t` or later.
    fn first_from(&self, t: u64) -> u64 {
        let among = |t: u64| self.starts.partition_point(|start| *start < t) as u64;
        match self.repeats {
            Some(Repeats { first, from, length }) if t >= from + length => {
                let turns = (t - from) / length;
                among(t - turns * length) + turns * (self.starts.len() - first) as u64
            }
            _ => among(t),
        }
    }

    /// The shortest time from the start of a job to its end.
    pub fn shortest(&self) -> Duration {
        // A task without jobs gives nothing.
        if self.starts.is_empty() { Duration::EPSILON } else { self.shortest }
    }
}

impl Agenda for TaskCalendar {
    fn tick(&self, k: u64) -> Time {
        self.start(k).map_or(Time::NEVER, Time::from_ps)
    }

    fn first_tick_from(&self, t: Time) -> u64 {
        self.first_from(t.as_ps())
    }
}

/// An agenda of the ends of jobs.
#[derive(Debug)]
pub struct Ends(pub Arc<TaskCalendar>);

impl Agenda for Ends {
    fn tick(&self, k: u64) -> Time {
        self.0.end(k).map_or(Time::NEVER, Time::from_ps)
    }

    fn first_tick_from(&self, t: Time) -> u64 {
        self.0.first_ending_from(t.as_ps())
    }
}

impl Handover {
    fn start_for(&self, k: u64) -> Option<u64> {
        let (place, shift) = self.sender.fold(k)?;
        self.starts[place].map(|start| start + shift)
    }
}

/// Saves nothing: all of it follows from the experiment.
macro_rules! without_state {
    () => {
        fn replicate(&self) -> Box<dyn Interposer> {
            Box::new(self.clone())
        }
        fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
            Ok(())
        }
        fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
            Ok(())
        }
    };
}

fn delay(from: u64, to: u64) -> Passage {
    if to > from { Passage::Delay(Duration::from_ps(to - from)) } else { Passage::Deliver }
}

/// What a component gives when a job starts reaches others when it ends: after the link's own latency, which
/// is that of the shortest job.
#[derive(Clone, Debug)]
pub struct UntilTheEnd(pub Arc<TaskCalendar>);

impl Interposer for UntilTheEnd {
    fn pass(&mut self, now: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let calendar = &*self.0;
        match calendar.end(calendar.first_from(now.as_ps())) {
            Some(end) => delay(now.as_ps() + calendar.shortest().as_ps(), end),
            None => Passage::Drop,
        }
    }

    without_state!();
}

/// What a job has sent goes on to the start of the job that it releases.
#[derive(Clone, Debug)]
pub struct ToTheJob {
    handover: Arc<Handover>,
    /// It comes to the link when the job ends; otherwise when it starts.
    is_sent_at_the_end: bool,
}

impl ToTheJob {
    /// For a link to which messages come when jobs end.
    pub fn sent_at_the_end(mut self) -> Self {
        self.is_sent_at_the_end = true;
        self
    }

    /// How many messages, from that of job `next` on, have been read or lost once a job starts at `start`.
    pub fn read_by(&self, start: Time, next: u64) -> usize {
        let (handover, start) = (&self.handover, start.as_ps());
        let sent = (next..).take_while(|k| handover.sender.end(*k).is_some_and(|end| end <= start));
        let is_read = |k: &u64| handover.start_for(*k).is_some_and(|read| read <= start);
        sent.filter(is_read).last().map_or(0, |k| (k - next) as usize + 1)
    }
}

impl Interposer for ToTheJob {
    fn pass(&mut self, now: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let sender = &self.handover.sender;
        let job = match self.is_sent_at_the_end {
            true => sender.first_ending_from(now.as_ps()),
            false => sender.first_from(now.as_ps()),
        };
        match (sender.end(job), self.handover.start_for(job)) {
            (Some(end), Some(start)) => delay(end, start),
            _ => Passage::Drop,
        }
    }

    without_state!();
}

/// What an event-driven component is sent waits for a job to start.
#[derive(Clone, Debug)]
pub struct UntilTheStart(pub Arc<TaskCalendar>);

impl Interposer for UntilTheStart {
    fn pass(&mut self, now: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let calendar = &*self.0;
        match calendar.start(calendar.first_from(now.as_ps())) {
            Some(start) => delay(now.as_ps(), start),
            None => Passage::Drop,
        }
    }

    without_state!();
}
