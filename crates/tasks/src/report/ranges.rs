//! Ranges of jobs whose execution times vary.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::rows::Name;
use super::table::Table;
use crate::system::{EcuId, System, Ticks};
use crate::varying::{Bound, JobRange, Ranges, Span};

/// Writes the jobs of an ECU with the ranges of their times, no more than `most`.
pub fn ranges_text(
    system: &System,
    ranges: &Ranges,
    ecu: EcuId,
    out: &mut impl Write,
    most: usize,
) -> Result<()> {
    let mut jobs: Vec<&JobRange> =
        ranges.jobs.iter().filter(|job| system.tasks[job.task].ecu == ecu).collect();
    jobs.sort_by_key(|job| (job.start, job.task, job.instance));
    let mut table = Table::new(1, &["job", "release", "start", "finish", ""]);
    for job in jobs.iter().take(most) {
        let task = &system.tasks[job.task];
        let marks = [(task.reads_physical, "R"), (task.writes_physical, "W")];
        let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
        let [release, start, finish] = [job.release, job.start, job.finish].map(shown);
        let name = format!("{} {}", task.name, job.instance + 1);
        table.row(vec![name, release, start, finish, marks.join(" ")]);
    }
    if !table.is_empty() {
        table.write(out)?;
    }
    match jobs.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more jobs (--jobs prints all)"),
    }
}

fn shown(span: Span) -> String {
    match span.known() {
        Some(time) => time.to_string(),
        None => format!("{}..{}", span.earliest, span.latest),
    }
}

/// How the ranges of each ECU were found.
pub fn bounds_json(system: &System, ranges: &Ranges) -> Vec<Value> {
    let bounds = system.ecus.iter().zip(&ranges.ecus);
    bounds
        .map(|(ecu, bound)| {
            let (how, reason) = match bound {
                Bound::TwoSchedules => ("two schedules", None),
                Bound::Explored { .. } => ("explored", None),
                Bound::NotBounded { reason } => ("not bounded", Some(reason)),
            };
            json!({"ecu": ecu.name, "by": how, "reason": reason})
        })
        .collect()
}

/// The range of a job: earliest and latest.
#[derive(Serialize)]
pub struct RangeRow<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    release_ticks: [Ticks; 2],
    start_ticks: [Ticks; 2],
    finish_ticks: [Ticks; 2],
}

impl<'a> RangeRow<'a> {
    pub fn of(system: &'a System, range: &JobRange, scale: u64) -> Self {
        let ticks = |span: Span| [span.earliest * scale, span.latest * scale];
        RangeRow {
            name: Name::of(system, range.task, range.instance),
            release_ticks: ticks(range.release),
            start_ticks: ticks(range.start),
            finish_ticks: ticks(range.finish),
        }
    }
}
