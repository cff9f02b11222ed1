//! The offline guider as an SVG image: a row for each task, a column for each instant at which jobs really
//! start. A predecessor has always started earlier, so all edges lead to the right.

use std::collections::BTreeMap;

use super::svg::{Image, hue, width_at, width_of};
use crate::decimal::shown;
use crate::guider::{Guider, NEVER};
use crate::system::{System, Task, TaskId, Ticks};
use crate::timetable::Timetable;

/// Jobs that are drawn at most.
const MOST_JOBS: usize = 2000;
const MARGIN: f64 = 16.0;
/// A box is as wide as the longest text in one, and not narrower than this.
const NARROWEST: f64 = 96.0;
const HEIGHT: f64 = 40.0;
/// On either side of a name: the marks R and W stand there.
const MARK: f64 = 15.0;
/// On either side of the times.
const PADDING: f64 = 6.0;
/// Letters of the name of a task in its boxes, at most.
const LONGEST_NAME: usize = 28;
/// Between boxes.
const SPACE: f64 = 44.0;
const ROW: f64 = 62.0;
/// Between ECUs.
const GAP: f64 = 18.0;

/// Why one job waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Its message releases it.
    Releases,
    /// Its result is read by it.
    IsRead,
    /// It is the job before of the same task, whose state it goes on with.
    SameTask,
}

/// The edges of a guider: from, to, why.
pub fn edges(
    timetable: &Timetable,
    guider: &Guider,
) -> impl Iterator<Item = (usize, usize, EdgeKind)> {
    guider.edges().map(|(from, to)| {
        let (before, job) = (&timetable.jobs[from], &timetable.jobs[to]);
        let kind = match () {
            () if job.trigger == Some(from as u32) => EdgeKind::Releases,
            () if before.task == job.task => EdgeKind::SameTask,
            () => EdgeKind::IsRead,
        };
        (from, to, kind)
    })
}

/// The text of the image.
pub fn guider_svg(name: &str, system: &System, timetable: &Timetable, guider: &Guider) -> String {
    let count = timetable.jobs.len().min(MOST_JOBS);
    let columns = columns(timetable, count);
    let labels: Vec<Label> =
        (0..count).map(|number| Label::new(system, timetable, guider, number)).collect();
    let box_width = labels.iter().map(Label::width).fold(NARROWEST, f64::max).ceil();
    let column_width = box_width + SPACE;
    let (rows, bottom) = rows(system);
    let left = MARGIN
        + (system.tasks.iter().map(|task| width_of(&task.name)))
            .chain(system.ecus.iter().map(|ecu| width_of(&ecu.name) + 4.0))
            .fold(40.0, f64::max)
        + 24.0;
    let corner = |number: usize| {
        let job = &timetable.jobs[number];
        (left + column_width * columns[number] as f64, rows[job.task])
    };
    let last = columns.iter().max().map_or(0, |last| last + 1);
    let title = format!("{name}: offline guider");
    let part = match count == timetable.jobs.len() {
        true => String::new(),
        false => format!("the first {count} jobs; "),
    };
    let unit = system.unit.symbol();
    let explained = format!(
        "{part}solid: releases; dashed: is read; dotted: same task; R not before its real start; W done by \
         its real finish; times in {unit}"
    );
    let width = (left + column_width * last as f64)
        .max(MARGIN + width_at(15.0, &title))
        .max(MARGIN + width_at(10.0, &explained))
        + MARGIN;
    let mut image = Image::new(&title, (width, bottom + MARGIN));
    image.text("title", (MARGIN, MARGIN + 14.0), &title);
    image.text("small", (MARGIN, MARGIN + 31.0), &explained);
    let mut heads: BTreeMap<usize, Ticks> = BTreeMap::new();
    for (column, job) in columns.iter().zip(&timetable.jobs) {
        heads.entry(*column).or_insert(job.start);
    }
    for (column, start) in heads {
        let x = left + column_width * column as f64 + box_width / 2.0;
        image.text("small middle", (x, MARGIN + 56.0), &format!("start {start}"));
    }
    for (ecu, described) in system.ecus.iter().enumerate() {
        let of_ecu = |task: &TaskId| system.tasks[*task].ecu == ecu;
        let tasks: Vec<TaskId> = (0..system.tasks.len()).filter(of_ecu).collect();
        if let Some(top) = tasks.iter().map(|task| rows[*task]).reduce(f64::min) {
            image.text("name", (MARGIN, top - 6.0), &described.name);
            let right = width - MARGIN;
            image.path("grid", &format!("M{MARGIN:.1} {:.1}H{right:.1}", top - 20.0));
        }
        for task in tasks {
            image.text(
                "",
                (MARGIN + 8.0, rows[task] + HEIGHT / 2.0 + 4.0),
                &system.tasks[task].name,
            );
        }
    }
    for (from, to, kind) in edges(timetable, guider).filter(|(_, to, _)| *to < count) {
        let (x, y) = corner(from);
        draw_edge((x + box_width, y), corner(to), kind, &mut image);
    }
    for (number, label) in labels.iter().enumerate() {
        let task = &system.tasks[timetable.jobs[number].task];
        draw_job(task, label, corner(number), box_width, &mut image);
    }
    image.finish()
}

/// The column of each job: one for each instant of starts, and another where a task starts twice at once.
fn columns(timetable: &Timetable, count: usize) -> Vec<usize> {
    let mut columns = Vec::with_capacity(count);
    let mut taken: Vec<TaskId> = Vec::new();
    let mut column = 0;
    for (number, job) in timetable.jobs[..count].iter().enumerate() {
        let is_later = number > 0 && timetable.jobs[number - 1].start != job.start;
        if is_later || taken.contains(&job.task) {
            column += 1;
            taken.clear();
        }
        taken.push(job.task);
        columns.push(column);
    }
    columns
}

/// The top of each task's row, ECU by ECU, and where the last one ends.
fn rows(system: &System) -> (Vec<f64>, f64) {
    let mut rows = vec![0.0; system.tasks.len()];
    let mut y = MARGIN + 66.0;
    for ecu in 0..system.ecus.len() {
        y += GAP;
        for task in (0..system.tasks.len()).filter(|task| system.tasks[*task].ecu == ecu) {
            rows[task] = y;
            y += ROW;
        }
    }
    (rows, y)
}

/// From the right side of one box, given by its upper end, to the left side of another.
fn draw_edge(from: (f64, f64), to: (f64, f64), kind: EdgeKind, image: &mut Image) {
    let class = match kind {
        EdgeKind::Releases => "link",
        EdgeKind::IsRead => "link read",
        EdgeKind::SameTask => "link same",
    };
    let (x, y) = (from.0, from.1 + HEIGHT / 2.0);
    let (end_x, end_y) = (to.0, to.1 + HEIGHT / 2.0);
    let bend = ((end_x - x) / 2.0).clamp(12.0, 60.0);
    image.path(
        class,
        &format!(
            "M{x:.1} {y:.1}C{:.1} {y:.1} {:.1} {end_y:.1} {end_x:.1} {end_y:.1}",
            x + bend,
            end_x - bend
        ),
    );
    if kind != EdgeKind::SameTask {
        image.path("tip", &format!("M{end_x:.1} {end_y:.1}l-7 -3.5v7z"));
    }
}

/// What is written into the box of a job.
struct Label {
    /// Task and instance.
    name: String,
    times: String,
    /// All of it, for those who point at the box.
    whole: String,
}

impl Label {
    fn new(system: &System, timetable: &Timetable, guider: &Guider, number: usize) -> Self {
        let (job, node) = (&timetable.jobs[number], &guider.nodes[number]);
        let task = &system.tasks[job.task].name;
        let instance = job.instance + 1;
        let deadline = match node.deadline {
            NEVER => "no deadline".to_owned(),
            deadline => format!("by {}", shown(deadline, guider.scale)),
        };
        let times = format!("{} to {}, {deadline}", job.start, job.finish);
        Label {
            name: format!("{} {instance}", shortened(task, LONGEST_NAME)),
            whole: format!("{task} {instance}: really {times}"),
            times,
        }
    }

    /// How wide a box must be to hold it.
    fn width(&self) -> f64 {
        let name = width_of(&self.name) + 2.0 * MARK;
        name.max(width_at(10.0, &self.times) + 2.0 * PADDING)
    }
}

fn draw_job(task: &Task, label: &Label, (x, y): (f64, f64), width: f64, image: &mut Image) {
    image.begin(hue(task.transaction), &label.whole);
    image.rect("job", (x, y), (width, HEIGHT), 5.0);
    let middle = x + width / 2.0;
    image.text("middle", (middle, y + 16.0), &label.name);
    image.text("small middle", (middle, y + 31.0), &label.times);
    if task.reads_physical {
        image.text("mark", (x + 4.0, y + 11.0), "R");
    }
    if task.writes_physical {
        image.text("mark end", (x + width - 4.0, y + 11.0), "W");
    }
    image.end();
}

/// A name of no more than `most` letters: those in the middle are left out, because names that are alike differ
/// at their ends.
fn shortened(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let (front, back) = (most / 2, letters.len() - (most - 1 - most / 2));
    letters[..front].iter().chain(&['…']).chain(&letters[back..]).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_names_are_shortened_in_their_middle() {
        assert_eq!(shortened("sensor_watchdog", 15), "sensor_watchdog");
        assert_eq!(shortened("/perception/lidar_0/callback_12", 11), "/perc…ck_12");
        assert_eq!(shortened("übergrößenträger", 6), "übe…er");
    }
}
