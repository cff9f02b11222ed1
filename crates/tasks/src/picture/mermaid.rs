//! The offline guider as a Mermaid flow chart.

use std::fmt::Write;

use super::guider_graph::{EdgeKind, edges};
use crate::decimal::shown;
use crate::guider::{Guider, NEVER};
use crate::system::System;
use crate::timetable::Timetable;

/// The text of the chart: jobs by ECU; solid arrows release, dotted ones are read, plain lines lead to the next
/// job of the task.
pub fn guider_mermaid(system: &System, timetable: &Timetable, guider: &Guider) -> String {
    let mut text = String::from("flowchart LR\n");
    for (ecu, described) in system.ecus.iter().enumerate() {
        let _ = writeln!(text, "    subgraph e{ecu}[\"{}\"]", escaped(&described.name));
        for (number, job) in timetable.jobs.iter().enumerate() {
            let task = &system.tasks[job.task];
            if task.ecu != ecu {
                continue;
            }
            let marks = [(task.reads_physical, " R"), (task.writes_physical, " W")];
            let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            let due = match guider.nodes[number].deadline {
                NEVER => "no deadline".to_owned(),
                deadline => format!("by {}", shown(deadline, guider.scale)),
            };
            let name = escaped(&task.name);
            let _ = writeln!(
                text,
                "        j{number}[\"{name} {}{marks}<br/>{} to {}, {due}\"]",
                job.instance + 1,
                job.start,
                job.finish
            );
        }
        text.push_str("    end\n");
    }
    for (from, to, kind) in edges(timetable, guider) {
        let arrow = match kind {
            EdgeKind::Releases => "-->",
            EdgeKind::IsRead => "-.->",
            EdgeKind::SameTask => "---",
        };
        let _ = writeln!(text, "    j{from} {arrow} j{to}");
    }
    text
}

/// Text within quotes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '&' => out.push_str("#amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
