//! A simulation: whether it keeps up, and what the simulation computer did when.

use std::io::{Result, Write};

use serde_json::json;

use super::json::Object;
use super::rows::SimulatedRow;
use super::table::Table;
use crate::decimal::shown;
use crate::guider::{Guider, NEVER};
use crate::job::Job;
use crate::simulation::{Done, Simulation, Verdict};
use crate::system::{System, Ticks};
use crate::timetable::Timetable;

/// A simulation and what is told of it.
pub struct SimulationReport<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// What the file describes.
    pub system: &'a System,
    /// Its schedule.
    pub timetable: &'a Timetable,
    /// The guider of that schedule.
    pub guider: &'a Guider,
    /// How it is simulated.
    pub how: Simulation,
    /// The hyper-period.
    pub hyper_period: Ticks,
    /// Jobs of each task in one turn of the cycle.
    per_turn: Vec<u64>,
}

impl<'a> SimulationReport<'a> {
    /// Of this simulation.
    pub fn new(
        name: &'a str,
        (system, timetable, guider): (&'a System, &'a Timetable, &'a Guider),
        how: Simulation,
        hyper_period: Ticks,
    ) -> Self {
        let mut per_turn = vec![0; system.tasks.len()];
        for job in timetable.cycle.iter().flat_map(|cycle| &timetable.jobs[cycle.first..]) {
            per_turn[job.task] += 1;
        }
        SimulationReport { name, system, timetable, guider, how, hyper_period, per_turn }
    }

    /// How many hyper-periods are simulated.
    pub fn hyper_periods(&self) -> u64 {
        let later = self.timetable.cycle.map_or(0, |cycle| (self.how.turns - 1) * cycle.length);
        (self.timetable.horizon + later) / self.hyper_period.max(1)
    }

    /// The job of the timetable as it was in a turn of the cycle.
    pub fn job(&self, done: &Done) -> Job {
        let mut job = self.timetable.jobs[done.node];
        if let (Some(cycle), true) = (self.timetable.cycle, done.turn > 0) {
            let shift = done.turn * cycle.length;
            job.instance += done.turn * self.per_turn[job.task];
            (job.release, job.start, job.finish) =
                (job.release + shift, job.start + shift, job.finish + shift);
        }
        job
    }

    fn job_name(&self, job: &Job) -> String {
        format!("{} {}", self.system.tasks[job.task].name, job.instance + 1)
    }

    /// Writes it for people; of the jobs that are given no more than `most`.
    pub fn text(
        &self,
        verdict: &Verdict,
        done: &[Done],
        most: usize,
        out: &mut impl Write,
    ) -> Result<()> {
        let (unit, scale) = (self.system.unit.symbol(), self.guider.scale);
        let cores =
            if self.how.cores == 1 { "1 core".into() } else { format!("{} cores", self.how.cores) };
        let periods = match self.hyper_periods() {
            1 => "1 hyper-period".into(),
            several => format!("{several} hyper-periods"),
        };
        writeln!(
            out,
            "{}: policy {}, {cores}, {periods} of {} {unit}",
            self.name,
            self.how.policy.name(),
            self.hyper_period
        )?;
        let (jobs, end) = (verdict.jobs, shown(verdict.end, scale));
        match &verdict.first_late {
            None => writeln!(
                out,
                "simulatable: of {jobs} jobs none is late; the last is done at {end} {unit}"
            )?,
            Some(late) => {
                let job = self.job(late);
                let task = &self.system.tasks[job.task];
                writeln!(out, "not simulatable: of {jobs} jobs {} late", is_or_are(verdict.late))?;
                writeln!(
                    out,
                    "first missed: {} on {} ends at {} {unit} on its ECU and at {} {unit} in the \
                     simulation",
                    self.job_name(&job),
                    self.system.ecus[task.ecu].name,
                    shown(late.real_finish, scale),
                    shown(late.finish, scale),
                )?;
            }
        }
        if done.is_empty() {
            return Ok(());
        }
        let head = ["job", "ecu", "real start", "real finish", "start", "finish", "deadline", ""];
        let mut table = Table::new(2, &head);
        for done in done.iter().take(most) {
            let job = self.job(done);
            let task = &self.system.tasks[job.task];
            let deadline =
                if done.deadline == NEVER { "-".into() } else { shown(done.deadline, scale) };
            let marks =
                [(task.reads_physical, "R"), (task.writes_physical, "W"), (done.is_late, "late")];
            let marks: Vec<&str> =
                marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            let [real_start, real_finish, start, finish] =
                [done.real_start, done.real_finish, done.start, done.finish]
                    .map(|time| shown(time, scale));
            let ecu = self.system.ecus[task.ecu].name.clone();
            let name = self.job_name(&job);
            table.row(vec![
                name,
                ecu,
                real_start,
                real_finish,
                start,
                finish,
                deadline,
                marks.join(" "),
            ]);
        }
        writeln!(out)?;
        table.write(out)?;
        match done.len().saturating_sub(most) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more jobs (--jobs prints all)"),
        }
    }

    /// Runs the simulation and writes it for programs, job by job; `observe` sees each one that is done, too.
    pub fn json(&self, out: impl Write, mut observe: impl FnMut(&Done)) -> Result<Verdict> {
        let (system, scale) = (self.system, self.guider.scale);
        let mut object = Object::new(out)?;
        object.entry("file", self.name)?;
        object.entry("unit", system.unit.symbol())?;
        object.entry("ticks_per_unit", scale)?;
        object.entry("policy", self.how.policy.name())?;
        object.entry("cores", self.how.cores)?;
        object.entry("hyper_period", self.hyper_period)?;
        object.entry("hyper_periods", self.hyper_periods())?;
        object.list("jobs")?;
        let mut written = Ok(());
        let verdict = self.how.run(self.guider, |done| {
            observe(done);
            if written.is_ok() {
                let row = SimulatedRow::of(system, &self.job(done), scale, done);
                written = object.item(row);
            }
        });
        written?;
        object.end_list()?;
        object.entry("simulatable", verdict.is_simulatable())?;
        object.entry("late", verdict.late)?;
        let counted = json!({"jobs": verdict.jobs, "end_ticks": verdict.end});
        object.entry("done", counted)?;
        let first = verdict.first_late.as_ref();
        object.entry(
            "first_missed",
            first.map(|late| SimulatedRow::of(system, &self.job(late), scale, late)),
        )?;
        object.end()?;
        Ok(verdict)
    }
}

fn is_or_are(count: u64) -> String {
    if count == 1 { "1 is".into() } else { format!("{count} are") }
}
