//! The offline guider as JSON: its nodes, and which must be done before which.

use std::io::{Result, Write};

use serde::Serialize;

use super::json::Object;
use super::rows::ScheduledRow;
use crate::guider::Guider;
use crate::picture::{EdgeKind, edges};
use crate::system::System;
use crate::timetable::Timetable;

/// An edge: places in the list of jobs.
#[derive(Serialize)]
struct EdgeRow {
    from: usize,
    to: usize,
    because: &'static str,
}

/// Writes a guider for programs.
pub fn guider_json(
    name: &str,
    (system, timetable, guider): (&System, &Timetable, &Guider),
    out: impl Write,
) -> Result<()> {
    let mut object = Object::new(out)?;
    object.entry("file", name)?;
    object.entry("unit", system.unit.symbol())?;
    object.entry("ticks_per_unit", guider.scale)?;
    object.list("jobs")?;
    for number in 0..timetable.jobs.len() {
        object.item(ScheduledRow::of(system, timetable, guider, number))?;
    }
    object.end_list()?;
    object.list("edges")?;
    for (from, to, kind) in edges(timetable, guider) {
        let because = match kind {
            EdgeKind::Releases => "releases",
            EdgeKind::IsRead => "is read",
            EdgeKind::SameTask => "same task",
        };
        object.item(EdgeRow { from, to, because })?;
    }
    object.end_list()?;
    object.end()
}
