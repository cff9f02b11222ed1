//! Signals over time, as SVG with labels in HTML.
//!
//! The drawing is stretched to whatever width the page has, lines keep their thickness, and labels are
//! placed by percentages around it, so that they stay readable on a phone and on paper.

use maud::{Markup, html};

use super::axis::{Axis, is_drawable, range, time_unit};
use super::decimate::decimate;
use super::{Drawing, Limit, Plot};

/// The drawing counts from 0 to this in both directions.
pub(super) const SIZE: f64 = 1000.0;
/// How many colours there are; what comes later is dashed.
pub(super) const COLOURS: usize = 7;

/// Rows for the names of bands and marks.
const NOTE_ROWS: usize = 3;
/// About how much of the width a letter takes.
const NOTE_LETTER: f64 = 0.01;

/// A plot as a figure.
pub(super) fn figure(plot: &Plot) -> Markup {
    let times = plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
    let (start, end) = range(times, 0.0);
    let (unit, scale) = time_unit(end - start);
    let x = Axis::new(start, end, 8.0, scale);
    let numbers = || plot.series.iter().flat_map(|s| s.points.iter().map(|point| point.1));
    let (low, high) = range(numbers(), 0.0);
    // A limit far away would press the signal flat; it is named in the legend then.
    let reach = 2.0 * (high - low);
    let is_near = |limit: &&Limit| (low - reach..=high + reach).contains(&limit.value);
    let near: Vec<&Limit> = plot.limits.iter().filter(is_near).collect();
    let (low, high) = range(numbers().chain(near.iter().map(|limit| limit.value)), 0.06);
    let y = Axis::new(low, high, 5.0, 1.0);
    html! {
        figure class="plot" data-x0=(x.min) data-x1=(x.max) data-y0=(y.min) data-y1=(y.max)
            data-xs=(scale) data-xu=(unit) data-yu=(plot.unit) {
            figcaption { (plot.title) }
            (legend(plot, &near))
            div class="frame" {
                span class="y-unit" { (y.unit(&plot.unit)) }
                (notes(plot, &x))
                div class="canvas" {
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(plot.title) {
                        (bands(plot, &x))
                        (grid(&x, &y))
                        @for mark in plot.marks.iter().filter(|mark| x.contains(mark.time)) {
                            line class="mark" x1=(across(&x, mark.time)) x2=(across(&x, mark.time)) y1="0" y2="1000" {}
                        }
                        @for limit in &near {
                            line class="limit" x1="0" x2="1000" y1=(up(&y, limit.value)) y2=(up(&y, limit.value)) {}
                        }
                        @for (number, series) in plot.series.iter().enumerate().rev() {
                            path class=(class(number, series.drawing)) d=(path(&series.points, series.drawing, &x, &y))
                                data-name=(series.name) data-steps[series.drawing == Drawing::Steps] {}
                        }
                    }
                    (tick_labels(&x, &y))
                    div class="cursor" hidden {}
                }
                span class="x-unit" { "time in " (unit) }
            }
        }
    }
}

fn legend(plot: &Plot, near: &[&Limit]) -> Markup {
    let far = plot.limits.iter().filter(|limit| !near.contains(limit));
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

/// Lines at the ticks of both axes.
pub(super) fn grid(x: &Axis, y: &Axis) -> Markup {
    html! {
        @for (place, _) in &x.ticks {
            line class="grid" x1=(across(x, *place)) x2=(across(x, *place)) y1="0" y2="1000" {}
        }
        @for (place, _) in &y.ticks {
            line class="grid" x1="0" x2="1000" y1=(up(y, *place)) y2=(up(y, *place)) {}
        }
    }
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

fn bands(plot: &Plot, x: &Axis) -> Markup {
    html! {
        @for (from, until, _) in visible_bands(plot, x) {
            rect class="band" x=(across(x, from)) y="0" width=(across(x, until) - across(x, from)) height="1000" {}
        }
    }
}

/// Names of bands and marks, above the drawing. A name that would run into the one before stands a row
/// higher; where there is no room, the line and the table of events have to do.
fn notes(plot: &Plot, x: &Axis) -> Markup {
    let bands = visible_bands(plot, x).map(|(from, _, label)| (from, label));
    let bands = bands.filter(|(_, label)| !label.is_empty());
    let marks = plot.marks.iter().filter(|mark| x.contains(mark.time));
    let mut notes: Vec<(f64, &str)> =
        bands.chain(marks.map(|mark| (mark.time, mark.label.as_str()))).collect();
    notes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut row_ends = [f64::NEG_INFINITY; NOTE_ROWS];
    let placed: Vec<_> = notes
        .into_iter()
        .filter_map(|(time, label)| {
            let left = x.fraction(time);
            let end = left + label.chars().count() as f64 * NOTE_LETTER;
            let row = row_ends.iter().position(|taken| *taken < left)?;
            row_ends[row] = end;
            Some((left, row, label))
        })
        .collect();
    let rows = row_ends.iter().filter(|end| end.is_finite()).count();
    html! {
        div class="notes" style=(format!("height:{:.1}em", rows.max(1) as f64 * 1.4)) {
            @for (left, row, label) in placed {
                // A name in the last fifth would leave the page; it ends at its place.
                span class=(if left > 0.8 { "before" } else { "" })
                    style=(format!("left:{:.3}%;bottom:{:.1}em", left * 100.0, row as f64 * 1.4)) { (label) }
            }
        }
    }
}

/// Bands cut to what the axis shows.
fn visible_bands<'a>(plot: &'a Plot, x: &'a Axis) -> impl Iterator<Item = (f64, f64, &'a str)> {
    plot.bands.iter().filter_map(|band| {
        let (from, until) = (band.from.max(x.min), band.until.min(x.max));
        (from < until).then_some((from, until, band.label.as_str()))
    })
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

fn path(points: &[(f64, f64)], drawing: Drawing, x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    let mut before: Option<(f64, f64)> = None;
    for (time, number) in decimate(points) {
        if !is_drawable(number) {
            before = None;
            continue;
        }
        let place = (across(x, time), up(y, number));
        match (drawing, before) {
            (Drawing::Points, _) => path.push_str(&format!("M{},{}h0", place.0, place.1)),
            (_, None) => path.push_str(&format!("M{},{}h0", place.0, place.1)),
            (Drawing::Line, Some(_)) => path.push_str(&format!("L{},{}", place.0, place.1)),
            (Drawing::Steps, Some((_, held))) => {
                path.push_str(&format!("L{},{held}L{},{}", place.0, place.0, place.1));
            }
        }
        before = Some(place);
    }
    path
}
