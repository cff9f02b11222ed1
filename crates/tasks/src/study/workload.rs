//! One workload of a study: its system, its real schedule, and which policies simulate it in time.

use super::generator::{Generator, Shape};
use super::ratios::{Ratios, Rounding, Vary};
use super::result::Point;
use super::{MOST_DRAWS, Study, StudyError};
use crate::fraction::Fraction;
use crate::guider::Guider;
use crate::simulation::Simulation;
use crate::system::{
    Clock, Computer, Ecu, Execution, Executor, Frame, Kind, Overrun, Rules, Scheduler, System,
    Task, Ticks, TimeUnit, Transaction,
};
use crate::times::Extreme;
use crate::timetable::Timetable;

/// A workload that was accepted, and how many were drawn until then.
struct Accepted {
    shape: Shape,
    system: System,
    timetable: Timetable,
    drawn: u64,
}

impl Study {
    /// Counts a workload at all points.
    pub(super) fn add_workload(&self, number: u64, points: &mut [Point]) -> Result<(), StudyError> {
        let mut accepted: Option<Accepted> = None;
        for point in points {
            let ratios = self.ratios.with(self.vary, point.ratio);
            // What is written and read changes nothing in the real schedule.
            let mut workload = match accepted.take().filter(|_| self.vary != Vary::Transaction) {
                Some(workload) => workload,
                None => self.accepted(number, ratios.transaction)?,
            };
            let rounding = self.generator.rounding();
            mark(&mut workload.system, &workload.shape, ratios, rounding);
            let guider = Guider::new(&workload.system, &workload.timetable)?;
            for (policy, simulatable) in self.policies.iter().zip(&mut point.simulatable) {
                let how = Simulation {
                    policy: *policy,
                    cores: self.cores,
                    turns: 1,
                    stops_when_late: true,
                };
                *simulatable += u64::from(how.run(&guider, |_| {}).is_simulatable());
            }
            point.accepted += 1;
            point.drawn += workload.drawn;
            point.jobs += workload.timetable.jobs.len() as u64;
            accepted = Some(workload);
        }
        Ok(())
    }

    /// The workload of a number at a value of the varied ratio, and its real schedule.
    pub fn workload(&self, number: u64, ratio: u32) -> Result<(System, Timetable), StudyError> {
        let ratios = self.ratios.with(self.vary, ratio);
        if let Some(beyond) = ratios.beyond_all() {
            return Err(StudyError::Ratio(beyond));
        }
        let mut workload = self.accepted(number, ratios.transaction)?;
        mark(&mut workload.system, &workload.shape, ratios, self.generator.rounding());
        Ok((workload.system, workload.timetable))
    }

    /// Draws until a workload is accepted.
    fn accepted(&self, number: u64, transaction: u32) -> Result<Accepted, StudyError> {
        for attempt in 0..MOST_DRAWS {
            let shape = self.generator.draw(self.seed, number, attempt, transaction);
            let system = system_of(&shape, self.speed);
            let horizon = self.horizon();
            let timetable = Timetable::until(&system, Extreme::worst(&system), horizon)?;
            if self.generator == Generator::AsWritten || is_feasible(&system, &timetable) {
                return Ok(Accepted { shape, system, timetable, drawn: attempt + 1 });
            }
        }
        Err(StudyError::NothingFeasible { transaction })
    }
}

/// Every job of instance k of a chain ends before instance k + 1 is released, and within the horizon.
fn is_feasible(system: &System, timetable: &Timetable) -> bool {
    let mut counts = vec![0; system.tasks.len()];
    let in_time = timetable.jobs.iter().all(|job| {
        counts[job.task] += 1;
        let chain = &system.transactions[system.tasks[job.task].transaction];
        let clock = system.tasks[chain.tasks[0]].clock;
        clock.is_some_and(|clock| job.finish <= (job.instance + 1) * clock.period)
            && job.finish <= timetable.horizon
    });
    // Nor is any job missing because it would start only after the horizon.
    in_time
        && system.transactions.iter().all(|chain| {
            let clock = system.tasks[chain.tasks[0]].clock;
            let due = clock.map_or(0, |clock| timetable.horizon / clock.period);
            chain.tasks.iter().all(|task| counts[*task] == due)
        })
}

/// The chains that write do it at the end of their last task, those that read at the start of their timer.
fn mark(system: &mut System, shape: &Shape, ratios: Ratios, rounding: Rounding) {
    for task in &mut system.tasks {
        (task.writes_physical, task.reads_physical) = (false, false);
    }
    let count = system.transactions.len();
    for chain in &shape.writers[..rounding.share(ratios.write, count)] {
        if let Some(last) = system.transactions[*chain].tasks.last() {
            system.tasks[*last].writes_physical = true;
        }
    }
    for chain in &shape.readers[..rounding.share(ratios.read, count)] {
        system.tasks[system.transactions[*chain].tasks[0]].reads_physical = true;
    }
}

/// Single-threaded executors by the thesis' rules; timers of all chains are registered before their
/// subscriptions. Every task takes a fifth of the period of its chain; messages arrive at once, and neither
/// they nor ticks are lost.
fn system_of(shape: &Shape, speed: Fraction) -> System {
    let executor = Executor {
        rules: Rules::Dashing,
        threads: 1,
        polls_on_wake: true,
        reentrant: Vec::new(),
        order_seed: 0,
    };
    let ecus = (0..shape.ecus).map(|number| Ecu {
        name: format!("ecu{}", number + 1),
        scheduler: Scheduler::Executor(executor.clone()),
        overrun: Overrun::Queue,
    });
    let mut system = System {
        unit: TimeUnit::Microsecond,
        ecus: ecus.collect(),
        tasks: Vec::new(),
        transactions: Vec::new(),
        buses: Vec::new(),
        computer: Computer { cores: 1, speed },
        longest_hyper_period: Ticks::MAX,
    };
    for (transaction, (period, places)) in shape.chains.iter().enumerate() {
        let first = system.tasks.len();
        for (position, ecu) in places.iter().enumerate() {
            let is_timer = position == 0;
            let id = system.tasks.len();
            let name = format!("T{}.{position}", transaction + 1);
            system.tasks.push(Task {
                group: name.clone(),
                name,
                transaction,
                position,
                ecu: *ecu,
                kind: if is_timer { Kind::Timer } else { Kind::Subscription },
                clock: is_timer.then_some(Clock { period: *period, offset: 0 }),
                after: if is_timer { Vec::new() } else { vec![id - 1] },
                samples: Vec::new(),
                execution: Execution::constant(period / 5),
                order: id as u64,
                queue_depth: usize::MAX,
                reads_physical: false,
                writes_physical: false,
                simulated: speed.inverse(),
                frame: Frame { identifier: id as u64, bytes: 8 },
            });
        }
        let tasks = (first..system.tasks.len()).collect();
        system.transactions.push(Transaction { name: format!("T{}", transaction + 1), tasks });
    }
    system
}
