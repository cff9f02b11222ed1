//! A Gantt chart as an SVG image.
//!
//! ```text
//! ecu1 |    R‾‾‾‾‾W          a lane for each thread or core, a box for each stretch of a job,
//!      ↑    [T1.0 1]         an arrow for each release; R where a job reads, W where it writes
//! due  |  ▼ T1.2 1           deadlines in a strip of their own
//!      0    5    10 ms
//! ```

use super::axis::step;
use super::chart::{Bar, Chart};
use super::svg::{Image, hue, width_of};
use crate::decimal::shown;
use crate::system::Ticks;

/// Around everything.
const MARGIN: f64 = 16.0;
const LANE: f64 = 46.0;
const BAR: f64 = 22.0;
/// From the top of a lane to its boxes: room for arrows and marks.
const ABOVE: f64 = 16.0;
/// Between ECUs.
const GAP: f64 = 6.0;
/// A row of deadlines.
const ROW: f64 = 15.0;
const MOST_ROWS: usize = 8;
const NARROWEST: f64 = 760.0;
const WIDEST: f64 = 2400.0;

struct Frame {
    left: f64,
    top: f64,
    width: f64,
    until: f64,
    /// Top of each lane.
    lanes: Vec<f64>,
    bottom: f64,
}

impl Frame {
    fn x(&self, time: Ticks) -> f64 {
        self.left + self.width * (time as f64 / self.until).min(1.0)
    }
}

impl Chart {
    /// The text of the image.
    pub fn svg(&self) -> String {
        let labels = self.lanes.iter().map(|lane| width_of(&lane.name).max(width_of(&lane.note)));
        let left = MARGIN + labels.fold(62.0, f64::max) + 14.0;
        let width = self.width();
        let legend = self.legend_places(left + width);
        let top = MARGIN + 44.0 + legend.iter().map(|(_, y)| y + 20.0).fold(0.0, f64::max) + 16.0;
        let mut lanes = Vec::new();
        let mut y = top;
        for (number, lane) in self.lanes.iter().enumerate() {
            y += if lane.is_first && number > 0 { GAP } else { 0.0 };
            lanes.push(y);
            y += LANE;
        }
        let mut frame =
            Frame { left, top, width, until: self.until.max(1) as f64, lanes, bottom: y };
        let dues = self.place_dues(&frame);
        let rows = dues.iter().map(|(_, row)| row + 1).max().unwrap_or(0);
        let due_top = frame.bottom + GAP;
        if rows > 0 {
            frame.bottom = due_top + ROW * rows as f64 + 4.0;
        }
        let beyond = dues.iter().map(|(number, _)| {
            let due = &self.dues[*number];
            frame.x(due.at) + 7.0 + width_of(&due.label) - left - width
        });
        let end = beyond.fold(
            width_of(self.unit) + width_of(&shown(self.until, self.per_unit)) / 2.0 + 24.0,
            f64::max,
        );
        let size = (left + width + end + MARGIN, frame.bottom + 26.0 + MARGIN);
        let mut image = Image::new(&self.title, size);
        image.text("title", (MARGIN, MARGIN + 14.0), &self.title);
        image.text("small", (MARGIN, MARGIN + 31.0), &self.subtitle);
        for (number, (x, y)) in legend.iter().enumerate() {
            let y = MARGIN + 44.0 + y;
            image.begin(hue(number), &self.legend[number]);
            image.rect("job", (*x, y), (12.0, 12.0), 2.0);
            image.text("", (x + 17.0, y + 10.0), &self.legend[number]);
            image.end();
        }
        self.draw_lanes(&frame, &mut image);
        self.draw_axis(&frame, &mut image);
        self.draw_bars(&frame, &mut image);
        if rows > 0 {
            image.text("name", (MARGIN, due_top + 11.0), "deadlines");
        }
        for (number, row) in dues {
            let due = &self.dues[number];
            let (x, y) = (frame.x(due.at), due_top + ROW * row as f64);
            image.begin(hue(due.colour), &due.label);
            image.path("due", &format!("M{:.1} {:.1}h8l-4 7z", x - 4.0, y + 4.0));
            let class = if due.is_late { "late-text" } else { "" };
            image.text(class, (x + 7.0, y + 11.0), &due.label);
            image.end();
        }
        image.finish()
    }

    /// Wide enough that most boxes have room for their label, if that is not too wide.
    fn width(&self) -> f64 {
        let mut needed: Vec<f64> = (self.bars.iter())
            .map(|bar| (width_of(&bar.label) + 8.0) / ((bar.to - bar.from).max(1) as f64))
            .collect();
        needed.sort_by(f64::total_cmp);
        let most = needed.get(needed.len() * 3 / 4).copied().unwrap_or(0.0);
        (most * self.until as f64).clamp(NARROWEST, WIDEST)
    }

    /// Where the names of colours stand, in lines no longer than `right`.
    fn legend_places(&self, right: f64) -> Vec<(f64, f64)> {
        let (mut x, mut y) = (MARGIN, 0.0);
        let mut places = Vec::new();
        for name in &self.legend {
            let width = 30.0 + width_of(name);
            if x > MARGIN && x + width > right.min(1400.0) {
                (x, y) = (MARGIN, y + 18.0);
            }
            places.push((x, y));
            x += width;
        }
        places
    }

    /// Rows for the labels of deadlines, such that none overlap; what finds no room is left out.
    fn place_dues(&self, frame: &Frame) -> Vec<(usize, usize)> {
        let mut by_time: Vec<usize> = (0..self.dues.len()).collect();
        by_time.sort_by_key(|number| self.dues[*number].at);
        let mut ends = [f64::NEG_INFINITY; MOST_ROWS];
        let mut placed = Vec::new();
        for number in by_time {
            let x = frame.x(self.dues[number].at);
            if let Some(row) = ends.iter().position(|end| x - 6.0 > *end) {
                ends[row] = x + 7.0 + width_of(&self.dues[number].label);
                placed.push((number, row));
            }
        }
        placed
    }

    fn draw_lanes(&self, frame: &Frame, image: &mut Image) {
        for (number, lane) in self.lanes.iter().enumerate() {
            let y = frame.lanes[number];
            if number % 2 == 1 {
                image.rect("band", (frame.left, y), (frame.width, LANE), 0.0);
            }
            image.text("name", (MARGIN, y + ABOVE + 10.0), &lane.name);
            image.text("small", (MARGIN, y + ABOVE + 22.0), &lane.note);
        }
    }

    fn draw_axis(&self, frame: &Frame, image: &mut Image) {
        let widest = width_of(&shown(self.until, self.per_unit)) + 24.0;
        let step = step(self.until, self.per_unit, (frame.width / widest).max(2.0) as u64);
        let mut time = 0;
        while time <= self.until {
            let x = frame.x(time);
            image.path("grid", &format!("M{x:.1} {:.1}V{:.1}", frame.top, frame.bottom));
            image.text("small middle", (x, frame.bottom + 15.0), &shown(time, self.per_unit));
            let Some(next) = time.checked_add(step) else { break };
            time = next;
        }
        for y in &frame.lanes {
            let (y, right) = (y + ABOVE + BAR, frame.left + frame.width);
            image.path("base", &format!("M{:.1} {y:.1}H{right:.1}", frame.left));
        }
        let x = frame.left + frame.width + widest / 2.0;
        image.text("small", (x, frame.bottom + 15.0), self.unit);
        for (at, label) in &self.turns {
            let x = frame.x(*at);
            image.path("turn", &format!("M{x:.1} {:.1}V{:.1}", frame.top - 4.0, frame.bottom));
            let fits = x + width_of(label) < frame.left + frame.width + 40.0;
            let class = if fits { "small" } else { "small end" };
            image.text(class, (x, frame.top - 7.0), label);
        }
    }

    fn draw_bars(&self, frame: &Frame, image: &mut Image) {
        let mut before: Option<&Bar> = None;
        for (number, bar) in self.bars.iter().enumerate() {
            let y = frame.lanes[bar.lane] + ABOVE;
            let (from, to) = (frame.x(bar.from), frame.x(bar.to));
            image.begin(hue(bar.colour), &bar.hover);
            if let Some(before) = before.filter(|before| before.job == bar.job) {
                let (x, middle) = (frame.x(before.to), BAR / 2.0);
                let last = frame.lanes[before.lane] + ABOVE + middle;
                image.path("gap", &format!("M{x:.1} {last:.1}L{from:.1} {:.1}", y + middle));
            }
            let class = if bar.is_late { "job late" } else { "job" };
            image.rect(class, (from, y), ((to - from).max(0.8), BAR), 2.0);
            let has_room = width_of(&bar.label) <= to - from - 2.0;
            if has_room && self.is_longest(number) {
                image.text("middle", ((from + to) / 2.0, y + 15.0), &bar.label);
            }
            // Marks of boxes that are narrower than a letter would cover each other.
            let room = (to - from) / if bar.reads && bar.writes { 2.0 } else { 1.0 };
            if bar.reads && room > 9.0 {
                image.text("mark", (from + 5.0, y - 3.0), "R");
            }
            if bar.writes && room > 9.0 {
                image.text("mark end", (to - 4.0, y - 3.0), "W");
            }
            image.end();
            before = Some(bar);
        }
        for release in &self.releases {
            let (x, y) = (frame.x(release.at), frame.lanes[release.lane] + 3.0);
            image.begin(hue(release.colour), &format!("{} is released", release.label));
            let foot = frame.lanes[release.lane] + ABOVE;
            image.path("release", &format!("M{x:.1} {foot:.1}V{y:.1}m-3 5l3 -5l3 5z"));
            image.end();
        }
    }

    /// Whether no other stretch of its job is longer: the label stands in that one.
    fn is_longest(&self, number: usize) -> bool {
        let length = |bar: &Bar| bar.to - bar.from;
        let bar = &self.bars[number];
        let same = |other: &&Bar| other.job == bar.job;
        let before = self.bars[..number].iter().rev().take_while(same);
        let mut after = self.bars[number + 1..].iter().take_while(same);
        before.map(length).all(|other| other < length(bar))
            && after.all(|other| length(other) <= length(bar))
    }
}
