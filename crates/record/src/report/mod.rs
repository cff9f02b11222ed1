//! The report of a run: one page of HTML that needs nothing else.
//!
//! A [`Report`] is plain data; [`Report::to_html`] makes the page: the verdict and the plot that matters
//! first, then the trajectory, plots, events, timing and the experiment itself. The page follows the
//! reader's light or dark setting, prints, fits a phone, loads nothing from anywhere, and is complete
//! without scripts. Scripts add what moves: the trajectory in space, zoom and a cursor in the plots.

mod axis;
mod bars;
mod decimate;
mod embed;
mod histogram;
mod map;
mod notes;
mod page;
mod plot;
mod sheet;
mod space;
mod summary;
mod thinned;

use ironbird_kernel::Duration;

use crate::event::Event;
use crate::verdict::Verdict;

pub use space::{Outline, OutlineKind, Space, SpacePose, SpaceTrack};
pub use thinned::{Strided, Thinned};

/// All that a report shows. Texts are shown as they are; nothing in them is markup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the page is called.
    pub title: String,
    /// The version of Ironbird.
    pub version: String,
    /// What became of the requirements.
    pub verdicts: Vec<Verdict>,
    /// The margins of the verdicts, each as a share of the limit that its requirement sets; missing ones
    /// are not known.
    pub relative_margins: Vec<Option<f64>>,
    /// The plot that explains the verdict.
    pub key_plot: Option<Plot>,
    /// How the run ended.
    pub outcome: String,
    /// The seed.
    pub seed: u64,
    /// The scenario, empty for the only one.
    pub scenario: String,
    /// The number of the repetition.
    pub repetition: u64,
    /// The output hash, empty if there is none.
    pub hash: String,
    /// How much simulated time passed.
    pub duration: Duration,
    /// How long that took, if that is to be shown.
    pub wall_seconds: Option<f64>,
    /// What ran where, line by line.
    pub placement: Vec<String>,
    /// Components whose bits cannot be promised across machines.
    pub foreign: Vec<String>,
    /// Signals over time.
    pub plots: Vec<Plot>,
    /// Where bodies moved.
    pub space: Option<Space>,
    /// Paths in a plane.
    pub maps: Vec<Map>,
    /// What happened.
    pub events: Vec<Event>,
    /// Where the time on the wall went, if that is to be shown.
    pub wall_time: WallTime,
    /// What was done, how often.
    pub timing: TextTable,
    /// What is to be known at a glance, instead of what is said of a run: names and values.
    pub facts: Vec<(String, String)>,
    /// Further tables with their titles.
    pub tables: Vec<(String, TextTable)>,
    /// How numbers are spread.
    pub histograms: Vec<Histogram>,
    /// The resolved experiment.
    pub experiment: String,
}

/// Signals of one unit over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The unit of its numbers, empty for none.
    pub unit: String,
    /// The signals.
    pub series: Vec<Series>,
    /// Instants to point out.
    pub marks: Vec<Mark>,
    /// Spans to point out, such as faults.
    pub bands: Vec<Band>,
    /// Numbers that must not be crossed.
    pub limits: Vec<Limit>,
    /// The instant that decides.
    pub highlight: Option<Mark>,
    /// Whether its time is not that of the other plots, so that it does not follow them.
    pub has_own_time: bool,
}

/// One signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Seconds and numbers, in the order of time. NaN leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// How the points are joined.
    pub drawing: Drawing,
}

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// By straight lines.
    #[default]
    Line,
    /// Each number holds until the next.
    Steps,
    /// Not at all.
    Points,
}

/// An instant to point out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// When, in seconds.
    pub time: f64,
    /// What happened.
    pub label: String,
}

/// A span to point out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// From when, in seconds.
    pub from: f64,
    /// Until when, in seconds; infinite for the end.
    pub until: f64,
    /// What was the case.
    pub label: String,
}

/// A number that must not be crossed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// The number.
    pub value: f64,
    /// What it is.
    pub label: String,
}

/// Paths in a plane, drawn with equal scales.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// What it shows.
    pub title: String,
    /// What goes to the right: `east`.
    pub x_label: String,
    /// What goes up: `north`.
    pub y_label: String,
    /// The unit of both.
    pub unit: String,
    /// The paths.
    pub tracks: Vec<Track>,
}

/// One path, or places that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// What the legend calls it.
    pub name: String,
    /// Where it led, in order. NaN leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are joined; else they are places.
    pub is_path: bool,
}

/// How numbers are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// What it shows.
    pub title: String,
    /// The unit of its numbers, empty for none.
    pub unit: String,
    /// From, until, and how many lie between.
    pub bars: Vec<(f64, f64, u64)>,
}

/// Where the time on the wall went. It differs from run to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallTime {
    /// Shares of the time.
    pub bars: Vec<Bars>,
    /// How they change.
    pub plots: Vec<Plot>,
    /// Tables with their titles.
    pub tables: Vec<(String, TextTable)>,
}

/// Shares of several wholes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What it shows.
    pub title: String,
    /// What parts there are; the first kind has a colour of its own.
    pub kinds: Vec<String>,
    /// The wholes.
    pub rows: Vec<Bar>,
}

/// One whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What stands above it.
    pub name: String,
    /// The number of the kind, the share from 0 to 1, and what stands in it where there is room.
    pub parts: Vec<(usize, f64, String)>,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Report {
    /// The page.
    pub fn to_html(&self) -> String {
        page::page(self).into_string()
    }
}
