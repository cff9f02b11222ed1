//! A schedule: what runs when, how much of each ECU is needed, how long chains take, what is lost.

use std::io::{Result, Write};

use serde_json::{Value, json};

use super::json::Object;
use super::ranges::{RangeRow, bounds_json, ranges_text};
use super::rows::ScheduledRow;
use super::table::Table;
use crate::decimal::{number, shown};
use crate::guider::{Guider, NEVER};
use crate::job::Job;
use crate::latency::{Spread, latencies, path_of};
use crate::system::{EcuId, Kind, System, TaskId, Ticks};
use crate::timetable::Timetable;
use crate::utilisation::utilisation;
use crate::varying::{Bound, Ranges};

/// A schedule and what is told of it.
pub struct ScheduleReport<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// What the file describes.
    pub system: &'a System,
    /// Its schedule.
    pub timetable: &'a Timetable,
    /// The guider of that schedule.
    pub guider: &'a Guider,
    /// The hyper-period, unless it is too long.
    pub hyper_period: Option<Ticks>,
    /// How long jobs take: "worst", "best" or "drawn".
    pub times: &'a str,
    /// Where execution times vary: between which times each job starts and ends.
    pub ranges: Option<&'a Ranges>,
}

/// How long a transaction takes.
struct Response<'a> {
    transaction: &'a str,
    /// From its first task to its last, if the one depends on the other.
    path: Option<Vec<TaskId>>,
    spread: Option<Spread>,
}

/// A timer that did not keep up.
struct LateTimer {
    task: TaskId,
    /// Jobs that started when their next period had already begun.
    late: u64,
    /// Periods without a job.
    skipped: u64,
}

impl ScheduleReport<'_> {
    /// Writes it for people; of each ECU no more than `most` jobs.
    pub fn text(&self, out: &mut impl Write, most: usize) -> Result<()> {
        let (system, unit) = (self.system, self.system.unit.symbol());
        let count = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            several => format!("{several} {what}s"),
        };
        writeln!(
            out,
            "{}: {}, {}, {}; times in {unit}",
            self.name,
            count(system.ecus.len(), "ECU"),
            count(system.tasks.len(), "task"),
            count(system.transactions.len(), "transaction"),
        )?;
        if let Some(length) = self.hyper_period {
            writeln!(out, "hyper-period {length} {unit}")?;
        }
        match self.timetable.cycle {
            Some(cycle) => writeln!(
                out,
                "the schedule repeats every {} {unit} from {} {unit} on",
                cycle.length, cycle.since
            )?,
            None => writeln!(out, "all jobs that start before {} {unit}", self.timetable.horizon)?,
        }
        if system.varies() {
            let which = match self.times {
                _ if self.ranges.is_some() => "earliest..latest of all executions",
                "drawn" => "every job takes a time that is drawn",
                "best" => "every job takes its best time",
                _ => "every job takes its worst time",
            };
            writeln!(out, "execution times vary; here {which}")?;
        }
        for load in utilisation(system) {
            let name = &system.ecus[load.ecu].name;
            let threads = if load.threads > 1 {
                format!(" of each of {} threads", load.threads)
            } else {
                String::new()
            };
            let above = match load.is_above_one() {
                true => ": ABOVE 1, more than it can do",
                false => "",
            };
            writeln!(out, "\n{name}: utilisation {:.3}{threads}{above}", load.as_f64())?;
            match self.ranges {
                Some(ranges) => ranges_text(self.system, ranges, load.ecu, out, most)?,
                None => self.jobs_of(load.ecu, out, most)?,
            }
            if let Some(Bound::NotBounded { reason }) =
                self.ranges.and_then(|ranges| ranges.ecus.get(load.ecu))
            {
                writeln!(out, "  no ranges: {reason}; with every job at its worst:")?;
                self.jobs_of(load.ecu, out, most)?;
            }
        }
        self.responses_text(out)?;
        self.losses_text(out)
    }

    fn jobs_of(&self, ecu: EcuId, out: &mut impl Write, most: usize) -> Result<()> {
        let mut table = Table::new(1, &["job", "release", "start", "finish", "deadline", ""]);
        let (timetable, scale) = (self.timetable, self.guider.scale);
        let of_ecu = |(_, job): &(usize, &Job)| self.system.tasks[job.task].ecu == ecu;
        let jobs = timetable.jobs.iter().enumerate().filter(of_ecu);
        let mut left_out = 0;
        for (at, (number, job)) in jobs.enumerate() {
            if at >= most {
                left_out += 1;
                continue;
            }
            let node = &self.guider.nodes[number];
            let task = &self.system.tasks[job.task];
            let deadline = match node.deadline {
                NEVER => "-".to_owned(),
                deadline => shown(deadline, scale),
            };
            let marks = [(task.reads_physical, "R"), (task.writes_physical, "W")];
            let marks: Vec<&str> =
                marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            let [release, start, finish] =
                [job.release, job.start, job.finish].map(|time| time.to_string());
            let name = format!("{} {}", task.name, job.instance + 1);
            table.row(vec![name, release, start, finish, deadline, marks.join(" ")]);
        }
        if !table.is_empty() {
            table.write(out)?;
        }
        if left_out > 0 {
            writeln!(out, "  and {left_out} more jobs (--jobs prints all)")?;
        }
        Ok(())
    }

    /// Response times of the transactions.
    fn responses(&self) -> Vec<Response<'_>> {
        let transactions = self.system.transactions.iter().enumerate();
        transactions
            .map(|(number, transaction)| {
                let path = path_of(self.system, number);
                let found = path.as_ref().map(|path| latencies(self.system, self.timetable, path));
                let times = found.iter().flatten().map(|latency| latency.response());
                let spread = Spread::of(times);
                Response { transaction: &transaction.name, path, spread }
            })
            .collect()
    }

    fn responses_text(&self, out: &mut impl Write) -> Result<()> {
        let name = match self.ranges {
            Some(_) => "response times, all at worst",
            None => "response times",
        };
        let head = [name, "instances", "least", "median", "greatest"];
        let mut table = Table::new(1, &head);
        for Response { transaction, path, spread } in self.responses() {
            let cells = match (path, spread) {
                (Some(_), Some(spread)) => [
                    spread.count.to_string(),
                    spread.least.to_string(),
                    shown(spread.twice_median, 2),
                    spread.greatest.to_string(),
                ],
                (Some(_), None) => ["0", "-", "-", "-"].map(str::to_owned),
                (None, _) => ["no path", "-", "-", "-"].map(str::to_owned),
            };
            table.row([vec![transaction.to_owned()], cells.to_vec()].concat());
        }
        writeln!(out)?;
        table.write(out)
    }

    fn losses_text(&self, out: &mut impl Write) -> Result<()> {
        let unit = self.system.unit.symbol();
        let lost = self.timetable.lost.iter().enumerate().filter(|(_, lost)| **lost > 0);
        for (task, lost) in lost {
            let task = &self.system.tasks[task];
            let (what, depth) = if *lost == 1 {
                ("message", task.queue_depth)
            } else {
                ("messages", task.queue_depth)
            };
            writeln!(out, "{}: {lost} {what} lost (queue depth {depth})", task.name)?;
        }
        for task in self.never_run() {
            match self.timetable.cycle {
                Some(_) => writeln!(out, "{task}: NEVER RUNS once the schedule repeats")?,
                None => writeln!(out, "{task}: does not run in this time")?,
            }
        }
        for late in self.late_timers() {
            let task = &self.system.tasks[late.task];
            let period = task.clock.map_or(0, |clock| clock.period);
            writeln!(
                out,
                "{}: started {} times after its next period of {period} {unit} had begun; {} \
                 periods without a job",
                task.name, late.late, late.skipped
            )?;
        }
        Ok(())
    }

    /// Tasks that never run again, once the schedule repeats.
    fn never_run(&self) -> Vec<&str> {
        let first = self.timetable.cycle.map_or(0, |cycle| cycle.first);
        let mut runs = vec![false; self.system.tasks.len()];
        for job in &self.timetable.jobs[first..] {
            runs[job.task] = true;
        }
        let tasks = self.system.tasks.iter().zip(runs);
        tasks.filter(|(_, runs)| !runs).map(|(task, _)| task.name.as_str()).collect()
    }

    /// Timers with a job that started when its next period had begun, or with periods that have none.
    fn late_timers(&self) -> Vec<LateTimer> {
        let mut found: Vec<LateTimer> = Vec::new();
        let count = self.system.tasks.len();
        let (mut late, mut skipped) = (vec![0; count], vec![0; count]);
        let mut before: Vec<Option<Ticks>> = vec![None; count];
        for job in &self.timetable.jobs {
            let task = &self.system.tasks[job.task];
            let Some(clock) = task.clock.filter(|_| task.kind == Kind::Timer) else { continue };
            late[job.task] += u64::from(job.start >= job.release + clock.period);
            if let Some(before) = before[job.task].replace(job.release) {
                skipped[job.task] += (job.release.saturating_sub(before) / clock.period).max(1) - 1;
            }
        }
        for task in 0..count {
            if late[task] > 0 || skipped[task] > 0 {
                found.push(LateTimer { task, late: late[task], skipped: skipped[task] });
            }
        }
        found
    }

    /// Writes it for programs.
    pub fn json(&self, out: impl Write) -> Result<()> {
        let (system, timetable, scale) = (self.system, self.timetable, self.guider.scale);
        let mut object = Object::new(out)?;
        object.entry("file", self.name)?;
        object.entry("unit", system.unit.symbol())?;
        object.entry("ticks_per_unit", scale)?;
        object.entry("times", self.times)?;
        object.entry("hyper_period", self.hyper_period)?;
        object.entry("horizon", timetable.horizon)?;
        let repeats =
            timetable.cycle.map(|cycle| json!({"from": cycle.since, "every": cycle.length}));
        object.entry("repeats", repeats)?;
        object.entry("ecus", self.ecus_json())?;
        object.entry("transactions", self.transactions_json())?;
        let lost = timetable.lost.iter().enumerate().filter(|(_, lost)| **lost > 0);
        let lost =
            lost.map(|(task, lost)| json!({"task": system.tasks[task].name, "messages": lost}));
        object.entry("lost", lost.collect::<Vec<Value>>())?;
        let late = self.late_timers().into_iter().map(|late| {
            let task = &system.tasks[late.task].name;
            json!({"task": task, "late": late.late, "skipped": late.skipped})
        });
        object.entry("late_timers", late.collect::<Vec<Value>>())?;
        object.entry("never_run", self.never_run())?;
        if let Some(ranges) = self.ranges {
            object.entry("bounds", bounds_json(system, ranges))?;
            object.list("ranges")?;
            for range in &ranges.jobs {
                object.item(RangeRow::of(system, range, scale))?;
            }
            object.end_list()?;
        }
        object.list("jobs")?;
        for number in 0..timetable.jobs.len() {
            object.item(ScheduledRow::of(system, timetable, self.guider, number))?;
        }
        object.end_list()?;
        object.end()
    }

    fn ecus_json(&self) -> Vec<Value> {
        let loads = utilisation(self.system).into_iter();
        loads
            .map(|load| {
                json!({
                    "name": self.system.ecus[load.ecu].name,
                    "threads": load.threads,
                    "utilisation": load.as_f64(),
                    "above_one": load.is_above_one(),
                })
            })
            .collect()
    }

    fn transactions_json(&self) -> Vec<Value> {
        let responses = self.responses().into_iter();
        responses
            .map(|Response { transaction, path, spread }| {
                let names = |path: Vec<TaskId>| -> Vec<&str> {
                    path.iter().map(|task| self.system.tasks[*task].name.as_str()).collect()
                };
                let response = spread.map(|spread| {
                    json!({
                        "instances": spread.count,
                        "least": spread.least,
                        "median": number(spread.twice_median, 2),
                        "greatest": spread.greatest,
                    })
                });
                json!({"name": transaction, "path": path.map(names), "response": response})
            })
            .collect()
    }
}
