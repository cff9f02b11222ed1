//! What the plots of one page share: their span of time, how fine they are, and what happened meanwhile.

use serde::Serialize;

use super::axis::{is_drawable, range};
use super::{Band, Mark, Plot, Report};

/// What the plots of a page take up together, so that the whole stays below 5 MB, and what of that a plot needs for all
/// but its lines.
const BYTES: usize = 3_800_000;
const BYTES_OF_FRAME: usize = 8_000;
/// What a span of a line takes up: two points that are drawn, and two that are embedded to be zoomed into.
const BYTES_DRAWN: usize = 28;
const BYTES_EMBEDDED: usize = 22;
/// No line is finer than this.
const FINEST_DRAWN: usize = 500;
const FINEST_EMBEDDED: usize = 2_000;
/// No line becomes coarser than this.
const COARSEST: usize = 30;
/// More marks or bands than this are not drawn; the table of events has them.
const HAPPENINGS: usize = 200;

/// What the plots of one page share.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    /// The first and the last instant in seconds.
    pub time: (f64, f64),
    /// How many spans a drawn line is divided into.
    pub drawn_spans: usize,
    /// How many spans an embedded line is divided into.
    pub embedded_spans: usize,
    happenings: Vec<Happenings<'a>>,
}

/// What is pointed out. Most plots of a page point out the same, so it stands there once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Happenings<'a> {
    pub marks: &'a [Mark],
    pub bands: &'a [Band],
}

/// The same for the script.
#[derive(Serialize)]
struct Embedded<'a> {
    marks: Vec<(f64, &'a str)>,
    bands: Vec<(f64, Option<f64>, &'a str)>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        let plots = || report.key_plot.iter().chain(&report.plots).chain(&report.wall_time.plots);
        let common = plots().filter(|plot| !plot.has_own_time);
        let times = common.flat_map(times);
        let lines: usize = plots().map(|plot| plot.series.len()).sum();
        let left = BYTES.saturating_sub(plots().count() * BYTES_OF_FRAME);
        let of_line = left / lines.max(1);
        // Drawn lines get two fifths of it.
        let drawn = of_line * 2 / 5 / BYTES_DRAWN;
        let embedded = of_line * 3 / 5 / BYTES_EMBEDDED;
        let mut happenings: Vec<Happenings> = Vec::new();
        for plot in plots() {
            let happened = Happenings::of(plot);
            if !happenings.contains(&happened) {
                happenings.push(happened);
            }
        }
        Sheet {
            time: range(times, 0.0),
            drawn_spans: drawn.clamp(COARSEST, FINEST_DRAWN),
            embedded_spans: embedded.clamp(COARSEST, FINEST_EMBEDDED),
            happenings,
        }
    }

    /// The span of time that a plot shows.
    pub(super) fn time_of(&self, plot: &Plot) -> (f64, f64) {
        if plot.has_own_time { range(times(plot), 0.0) } else { self.time }
    }

    /// The number of what a plot points out.
    pub(super) fn number_of(&self, plot: &Plot) -> usize {
        let happened = Happenings::of(plot);
        self.happenings.iter().position(|known| *known == happened).unwrap_or(0)
    }

    /// All that is pointed out, as JSON.
    pub(super) fn to_json(&self) -> String {
        let embedded = self.happenings.iter().map(|happened| Embedded {
            marks: happened.marks.iter().map(|mark| (mark.time, mark.label.as_str())).collect(),
            bands: happened
                .bands
                .iter()
                .map(|band| (band.from, finite(band.until), band.label.as_str()))
                .collect(),
        });
        serde_json::to_string(&embedded.collect::<Vec<_>>()).unwrap_or_default()
    }
}

impl<'a> Happenings<'a> {
    pub(super) fn of(plot: &'a Plot) -> Self {
        let marks = &plot.marks[..plot.marks.len().min(HAPPENINGS)];
        let bands = &plot.bands[..plot.bands.len().min(HAPPENINGS)];
        Happenings { marks, bands }
    }

    /// How many of a plot are left out.
    pub(super) fn left_out(plot: &Plot) -> usize {
        plot.marks.len().saturating_sub(HAPPENINGS) + plot.bands.len().saturating_sub(HAPPENINGS)
    }
}

fn times(plot: &Plot) -> impl Iterator<Item = f64> {
    plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.0))
}

fn finite(number: f64) -> Option<f64> {
    is_drawable(number).then_some(number)
}
