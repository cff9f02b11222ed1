//! A simulation: whether it keeps up, and what the simulation computer did when.

use std::io::{Result, Write};

use serde_json::json;

use super::json::Object;
use super::rows::SimulatedRow;
use super::table::Table;
use crate::decimal::shown;
use crate::guider::{Guider, NEVER};
use crate::job::{Job, Times};
use crate::simulation::{Done, Simulation, Verdict};
use crate::system::{System, Ticks};
use crate::timetable::Timetable;
use crate::varying::{Ranges, VaryingDone, VaryingError, VaryingSimulation};

/// A simulation and what is told of it.
pub struct SimulationReport<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// What the file describes.
    pub system: &'a System,
    /// How it is simulated.
    pub how: Simulation,
    /// The hyper-period.
    pub hyper_period: Ticks,
    /// How many hyper-periods are simulated.
    pub hyper_periods: u64,
    /// Parts of a unit in which times are counted.
    pub scale: u64,
}

/// A job that was simulated: as it is on its ECU, and as it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedJob {
    /// The job of its turn, in units.
    pub job: Job,
    /// When the simulation computer did it, in parts of a unit.
    pub done: Done,
    /// When it was done and its real times were known: later than its end, where execution times vary.
    pub known: Ticks,
}

/// What became of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationOutcome {
    /// The first job that was late.
    pub first_late: Option<SimulatedJob>,
    /// Jobs that were late.
    pub late: u64,
    /// Jobs that were done.
    pub jobs: u64,
    /// When the last one was done.
    pub end: Ticks,
}

/// Runs a guider in which every job takes the time of the timetable.
pub fn run_guider(
    how: Simulation,
    system: &System,
    timetable: &Timetable,
    guider: &Guider,
    mut observe: impl FnMut(&SimulatedJob),
) -> SimulationOutcome {
    let mut per_turn = vec![0; system.tasks.len()];
    for job in timetable.cycle.iter().flat_map(|cycle| &timetable.jobs[cycle.first..]) {
        per_turn[job.task] += 1;
    }
    // The job of the timetable as it was in a turn of the cycle.
    let of_turn = |done: &Done| {
        let mut job = timetable.jobs[done.node];
        if let (Some(cycle), true) = (timetable.cycle, done.turn > 0) {
            let shift = done.turn * cycle.length;
            job.instance += done.turn * per_turn[job.task];
            (job.release, job.start, job.finish) =
                (job.release + shift, job.start + shift, job.finish + shift);
        }
        SimulatedJob { job, done: *done, known: done.finish }
    };
    let verdict: Verdict = how.run(guider, |done| observe(&of_turn(done)));
    SimulationOutcome {
        first_late: verdict.first_late.as_ref().map(of_turn),
        late: verdict.late,
        jobs: verdict.jobs,
        end: verdict.end,
    }
}

/// Runs one execution of a system whose execution times vary: how long a job takes is known when it is done.
pub fn run_varying(
    how: VaryingSimulation,
    system: &System,
    ranges: &Ranges,
    scale: u64,
    times: impl Times,
    mut observe: impl FnMut(&SimulatedJob),
) -> std::result::Result<SimulationOutcome, VaryingError> {
    let told = |done: &VaryingDone| SimulatedJob {
        job: Job {
            task: done.task,
            instance: done.instance,
            release: done.release,
            start: done.real_start,
            finish: done.real_finish,
            execution: 0,
            trigger: None,
        },
        done: Done {
            node: 0,
            turn: 0,
            start: done.start,
            finish: done.finish,
            deadline: done.deadline,
            real_start: done.real_start * scale,
            real_finish: done.real_finish * scale,
            is_late: done.is_late,
        },
        known: done.known,
    };
    let verdict = how.run(system, ranges, times, |done| observe(&told(done)))?;
    Ok(SimulationOutcome {
        first_late: verdict.first_late.as_ref().map(told),
        late: verdict.late,
        jobs: verdict.jobs,
        end: verdict.end,
    })
}

impl SimulationReport<'_> {
    fn job_name(&self, job: &Job) -> String {
        format!("{} {}", self.system.tasks[job.task].name, job.instance + 1)
    }

    /// Writes it for people; of the jobs that are given no more than `most`.
    pub fn text(
        &self,
        outcome: &SimulationOutcome,
        done: &[SimulatedJob],
        most: usize,
        out: &mut impl Write,
    ) -> Result<()> {
        let (unit, scale) = (self.system.unit.symbol(), self.scale);
        let cores =
            if self.how.cores == 1 { "1 core".into() } else { format!("{} cores", self.how.cores) };
        let periods = match self.hyper_periods {
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
        let (jobs, end) = (outcome.jobs, shown(outcome.end, scale));
        match &outcome.first_late {
            None => writeln!(
                out,
                "simulatable: of {jobs} jobs none is late; the last is done at {end} {unit}"
            )?,
            Some(late) => {
                let task = &self.system.tasks[late.job.task];
                writeln!(out, "not simulatable: of {jobs} jobs {} late", is_or_are(outcome.late))?;
                writeln!(
                    out,
                    "first missed: {} on {} ends at {} {unit} on its ECU and at {} {unit} in the \
                     simulation",
                    self.job_name(&late.job),
                    self.system.ecus[task.ecu].name,
                    shown(late.done.real_finish, scale),
                    shown(late.known, scale),
                )?;
            }
        }
        if done.is_empty() {
            return Ok(());
        }
        let head = ["job", "ecu", "real start", "real finish", "start", "finish", "deadline", ""];
        let mut table = Table::new(2, &head);
        for SimulatedJob { job, done, .. } in done.iter().take(most) {
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
            let name = self.job_name(job);
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

    /// Writes it for programs, job by job: `run` simulates and tells each job that is done.
    pub fn json<E>(
        &self,
        out: impl Write,
        run: impl FnOnce(&mut dyn FnMut(&SimulatedJob)) -> std::result::Result<SimulationOutcome, E>,
    ) -> Result<std::result::Result<SimulationOutcome, E>> {
        let (system, scale) = (self.system, self.scale);
        let mut object = Object::new(out)?;
        object.entry("file", self.name)?;
        object.entry("unit", system.unit.symbol())?;
        object.entry("ticks_per_unit", scale)?;
        object.entry("policy", self.how.policy.name())?;
        object.entry("cores", self.how.cores)?;
        object.entry("hyper_period", self.hyper_period)?;
        object.entry("hyper_periods", self.hyper_periods)?;
        object.list("jobs")?;
        let mut written = Ok(());
        let outcome = run(&mut |job| {
            if written.is_ok() {
                written = object.item(SimulatedRow::of(system, scale, job));
            }
        });
        written?;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Ok(Err(error)),
        };
        object.end_list()?;
        object.entry("simulatable", outcome.first_late.is_none())?;
        object.entry("late", outcome.late)?;
        object.entry("done", json!({"jobs": outcome.jobs, "end_ticks": outcome.end}))?;
        let first = outcome.first_late.as_ref();
        object.entry("first_missed", first.map(|late| SimulatedRow::of(system, scale, late)))?;
        object.end()?;
        Ok(Ok(outcome))
    }
}

fn is_or_are(count: u64) -> String {
    if count == 1 { "1 is".into() } else { format!("{count} are") }
}
