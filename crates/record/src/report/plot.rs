//! Plots over time, in SVG. The drawing is stretched over its area, lines keep their thickness, and labels are
//! placed by percentages around it, so that they stay readable on a phone and on paper. Scripts draw it anew
//! from the embedded points when it is zoomed.

use std::fmt::Write;

use maud::{Markup, html};

use super::axis::{Axis, is_drawable, range, time_unit};
use super::decimate::decimate;
use super::embed;
use super::notes::notes;
use super::sheet::{Happenings, Sheet};
use super::{Drawing, Limit, Plot, Series};

/// The drawing counts from 0 to this in both directions.
pub(super) const SIZE: f64 = 1000.0;
/// How many colours there are; what comes later is dashed.
pub(super) const COLOURS: usize = 8;

/// What a plot is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It explains the verdict.
    Key,
    /// It shows signals.
    Signals,
}

impl Role {
    /// Its name for tests.
    const fn test(self) -> &'static str {
        match self {
            Role::Key => "key-plot",
            Role::Signals => "plot",
        }
    }

    /// How many times the range of its signals a plot reaches to show a limit. One that explains a verdict is about
    /// the limit.
    const fn reach(self) -> f64 {
        match self {
            Role::Key => 50.0,
            Role::Signals => 2.0,
        }
    }
}

/// A plot as a figure.
pub(super) fn figure(plot: &Plot, sheet: &Sheet, role: Role) -> Markup {
    let (start, end) = sheet.time_of(plot);
    let (unit, scale) = time_unit(end - start);
    let x = Axis::new(start, end, 8.0, scale);
    let numbers = || plot.series.iter().flat_map(|s| s.points.iter().map(|point| point.1));
    let (low, high) = range(numbers(), 0.0);
    // A limit far away would press the signal flat; it is named in the legend then.
    let reach = role.reach() * (high - low);
    let is_near = |limit: &&Limit| (low - reach..=high + reach).contains(&limit.value);
    let near: Vec<&Limit> = plot.limits.iter().filter(is_near).collect();
    let (low, high) = range(numbers().chain(near.iter().map(|limit| limit.value)), 0.06);
    let y = Axis::new(low, high, 5.0, 1.0);
    let decisive = plot.highlight.as_ref().filter(|mark| x.contains(mark.time));
    html! {
        figure class="plot" data-test=(role.test()) data-x0=(x.min) data-x1=(x.max) data-y0=(y.min) data-y1=(y.max)
            data-xs=(scale) data-xu=(unit) data-yu=(plot.unit) data-happened=(sheet.number_of(plot))
            data-own-time[plot.has_own_time] data-decides=[decisive.map(|mark| mark.time)]
            data-decides-label=[decisive.map(|mark| &mark.label)] {
            figcaption { (plot.title) }
            (legend(plot, &near))
            div class="frame" {
                div class="above" {
                    span class="y-unit" { (y.unit(&plot.unit)) }
                    (notes(plot, &x))
                }
                div class="canvas" {
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(spoken(plot)) {
                        g class="back" {
                            path class="band" d=(bands(plot, &x)) {}
                            (grid(&x, &y))
                            path class="mark" d=(marks(plot, &x)) {}
                            @if let Some(mark) = decisive {
                                path class="decisive" d=(format!("M{},0V1000", across(&x, mark.time))) {}
                            }
                        }
                        @for limit in &near {
                            line class="limit" x1="0" x2="1000" y1=(up(&y, limit.value)) y2=(up(&y, limit.value))
                                data-value=(limit.value) {}
                        }
                        @for (number, series) in plot.series.iter().enumerate().rev() {
                            path class=(class(number, series.drawing)) d=(path(series, sheet, &x, &y))
                                data-name=(series.name) data-drawing=(word(series.drawing))
                                data-points=(embedded(series, sheet, x.min)) {}
                        }
                    }
                    (tick_labels(&x, &y))
                }
                span class="x-unit" { "time in " (unit) }
            }
        }
    }
}

/// What a screen reader says instead of the drawing: how far each signal goes, and where it ends.
fn spoken(plot: &Plot) -> String {
    let unit = if plot.unit.is_empty() { String::new() } else { format!(" {}", plot.unit) };
    let of = |series: &Series| {
        let drawable = || series.points.iter().map(|point| point.1).filter(|n| is_drawable(*n));
        let least = drawable().fold(f64::INFINITY, f64::min);
        let most = drawable().fold(f64::NEG_INFINITY, f64::max);
        match drawable().next_back() {
            Some(last) => format!(
                "{}: from {} to {}{unit}, at the end {}",
                series.name,
                short(least),
                short(most),
                short(last)
            ),
            None => format!("{}: nothing", series.name),
        }
    };
    plot.series.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// Four digits that count.
pub(super) fn short(number: f64) -> String {
    let digits = format!("{number:.3e}").parse::<f64>().unwrap_or(number);
    match digits != 0.0 && !(1e-4..1e7).contains(&digits.abs()) {
        true => format!("{digits:e}"),
        false => digits.to_string(),
    }
}

fn legend(plot: &Plot, near: &[&Limit]) -> Markup {
    let far = plot.limits.iter().filter(|limit| !near.contains(limit));
    let left_out = Happenings::left_out(plot);
    html! {
        ul class="legend" {
            @for (number, series) in plot.series.iter().enumerate() {
                li { (swatch(&colour(number), series.drawing == Drawing::Points)) (series.name) }
            }
            @for limit in near {
                li { (swatch("limit", false)) (limit.label) }
            }
            @for limit in far {
                li class="muted" { (limit.label) ": " (limit.value) " lies outside" }
            }
            @if left_out > 0 {
                li class="muted" { (left_out) " later events are not drawn" }
            }
        }
    }
}

/// A piece of a line, for a legend.
pub(super) fn swatch(class: &str, is_points: bool) -> Markup {
    let d = if is_points { "M2,5h0M12,5h0M22,5h0" } else { "M0,5H24" };
    html! {
        svg class="swatch" viewBox="0 0 24 10" aria-hidden="true" {
            path class=(if is_points { format!("{class} points") } else { class.to_owned() }) d=(d) {}
        }
    }
}

/// The class that gives a series its colour.
pub(super) fn colour(number: usize) -> String {
    let dashes = if number >= COLOURS { " dashed" } else { "" };
    format!("line c{}{dashes}", number % COLOURS)
}

/// The class that gives points that are not joined their colour.
pub(super) fn point_colour(number: usize) -> String {
    format!("line points c{}", number % COLOURS)
}

fn class(number: usize, drawing: Drawing) -> String {
    if drawing == Drawing::Points { point_colour(number) } else { colour(number) }
}

fn word(drawing: Drawing) -> &'static str {
    match drawing {
        Drawing::Line => "line",
        Drawing::Steps => "steps",
        Drawing::Points => "points",
    }
}

/// Lines at the ticks of both axes.
pub(super) fn grid(x: &Axis, y: &Axis) -> Markup {
    let upright = x.ticks.iter().map(|(place, _)| format!("M{},0V1000", across(x, *place)));
    let level = y.ticks.iter().map(|(place, _)| format!("M0,{}H1000", up(y, *place)));
    html! { path class="grid" d=(upright.chain(level).collect::<String>()) {} }
}

/// What stands at the ticks of both axes. On narrow pages every other tick along x is bare.
pub(super) fn tick_labels(x: &Axis, y: &Axis) -> Markup {
    html! {
        @for (number, (place, text)) in x.ticks.iter().enumerate() {
            span class=(if number % 2 == 0 { "tick-x" } else { "tick-x odd" })
                style=(format!("left:{:.3}%", x.fraction(*place) * 100.0)) { (text) }
        }
        @for (place, text) in &y.ticks {
            span class="tick-y" style=(format!("top:{:.3}%", (1.0 - y.fraction(*place)) * 100.0)) { (text) }
        }
    }
}

/// Bands cut to what the axis shows.
fn bands(plot: &Plot, x: &Axis) -> String {
    let bands = Happenings::of(plot).bands.iter();
    let cut = bands.map(|band| (band.from.max(x.min), band.until.min(x.max)));
    let cut = cut.filter(|(from, until)| from < until);
    cut.map(|(from, until)| format!("M{},0H{}V1000H{0}z", across(x, from), across(x, until)))
        .collect()
}

/// A line for each instant, but one only for those that fall on the same spot.
fn marks(plot: &Plot, x: &Axis) -> String {
    let shown = Happenings::of(plot).marks.iter().filter(|mark| x.contains(mark.time));
    let mut places: Vec<f64> = shown.map(|mark| across(x, mark.time)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.into_iter().map(|place| format!("M{place},0V1000")).collect()
}

/// Rounded to what can be seen.
fn rounded(place: f64) -> f64 {
    libm::round(place.clamp(-SIZE, 2.0 * SIZE) * 10.0) / 10.0
}

/// Where a number lies from the left.
pub(super) fn across(axis: &Axis, number: f64) -> f64 {
    rounded(axis.fraction(number) * SIZE)
}

/// Where a number lies from the top.
pub(super) fn up(axis: &Axis, number: f64) -> f64 {
    rounded((1.0 - axis.fraction(number)) * SIZE)
}

fn path(series: &Series, sheet: &Sheet, x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    let mut is_joined = false;
    for (time, number) in decimate(&series.points, sheet.drawn_spans) {
        if !is_drawable(number) {
            is_joined = false;
            continue;
        }
        let (right, down) = (across(x, time), up(y, number));
        // Writing to a text does not fail.
        let _ = match (series.drawing, is_joined) {
            (Drawing::Points, _) | (_, false) => write!(path, "M{right},{down}h0"),
            (Drawing::Line, true) => write!(path, "L{right},{down}"),
            (Drawing::Steps, true) => write!(path, "H{right}V{down}"),
        };
        is_joined = true;
    }
    path
}

/// The times since `start`, then the numbers.
fn embedded(series: &Series, sheet: &Sheet, start: f64) -> String {
    let points = decimate(&series.points, sheet.embedded_spans);
    let times = points.iter().map(|point| point.0 - start);
    embed::floats(times.chain(points.iter().map(|point| point.1)))
}
