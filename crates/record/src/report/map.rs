//! Paths in a plane, with equal scales and a scale bar.

use maud::{Markup, html};

use super::Map;
use super::axis::{Axis, is_drawable, range, round_step};
use super::plot::{COLOURS, across, colour, grid, point_colour, swatch, tick_labels, up};

/// The drawing is at most this many times as high as it is wide, and at least a third as high.
const HIGHEST: f64 = 0.62;
const LOWEST: f64 = 0.33;
/// Points that a map has at most, and that a path of it has at most and at least.
const POINTS: usize = 30_000;
const FINEST: usize = 2_000;
const COARSEST: usize = 100;

/// A map as a figure.
pub(super) fn figure(map: &Map) -> Markup {
    let points = || map.tracks.iter().flat_map(|track| track.points.iter());
    let (mut left, mut right) = range(points().map(|point| point.0), 0.06);
    let (mut bottom, mut top) = range(points().map(|point| point.1), 0.06);
    // Equal scales: the shorter side is widened until the drawing has a good shape.
    let (width, height) = (right - left, top - bottom);
    if height > width * HIGHEST {
        (left, right) = widened(left, right, height / HIGHEST);
    } else if height < width * LOWEST {
        (bottom, top) = widened(bottom, top, width * LOWEST);
    }
    let shape = (top - bottom) / (right - left);
    let x = Axis::new(left, right, 6.0, 1.0);
    let y = Axis::new(bottom, top, (6.0 * shape).max(4.0), 1.0);
    let bar = round_step((right - left) / 8.0);
    let bar_text = Axis::new(0.0, bar, 1.0, 1.0);
    let bar_label = bar_text.ticks.last().map_or("", |(_, text)| text.as_str());
    let most = (POINTS / map.tracks.len().max(1)).clamp(COARSEST, FINEST);
    // Places stand out on the paths that lead there.
    let (paths, places): (Vec<_>, Vec<_>) =
        map.tracks.iter().enumerate().partition(|(_, track)| track.is_path);
    html! {
        figure class="map" {
            figcaption { (map.title) }
            ul class="legend" {
                @for (number, track) in map.tracks.iter().enumerate() {
                    li { (swatch(&colour(number), !track.is_path)) (track.name) }
                }
                @if !paths.is_empty() {
                    li class="muted" { "○ start, ● end" }
                }
            }
            div class="frame" {
                span class="y-unit" { (label(&map.y_label, &y.unit(&map.unit))) }
                div class="canvas" style=(format!("aspect-ratio:{:.4};height:auto", 1.0 / shape)) {
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(map.title) {
                        (grid(&x, &y))
                        @for (number, track) in paths.iter().rev() {
                            path class=(colour(*number)) d=(path(&track.points, most, &x, &y)) {}
                        }
                        @for (number, track) in places.iter().rev() {
                            path class=(point_colour(*number)) d=(dots(&track.points, most, &x, &y)) {}
                        }
                    }
                    @for (number, track) in paths.iter().rev() {
                        (ends(*number, &track.points, &x, &y))
                    }
                    (tick_labels(&x, &y))
                    span class="scale-bar" style=(format!("width:{:.3}%", bar / (right - left) * 100.0)) {
                        (bar_label) " " (bar_text.unit(&map.unit))
                    }
                }
                span class="x-unit" { (label(&map.x_label, &x.unit(&map.unit))) }
            }
        }
    }
}

fn widened(low: f64, high: f64, span: f64) -> (f64, f64) {
    let middle = low / 2.0 + high / 2.0;
    (middle - span / 2.0, middle + span / 2.0)
}

fn label(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} in {unit}") }
}

fn is_place(point: &&(f64, f64)) -> bool {
    is_drawable(point.0) && is_drawable(point.1)
}

/// Marks where a path starts and where it ends.
fn ends(number: usize, points: &[(f64, f64)], x: &Axis, y: &Axis) -> Markup {
    let mut places = points.iter().filter(is_place);
    let first = places.next();
    let last = places.next_back();
    let marked = [("start", first), ("end", last)];
    html! {
        @for (end, point) in marked {
            @if let Some((east, north)) = point {
                span class=(format!("{end} c{}", number % COLOURS)) style=(format!(
                    "left:{:.3}%;top:{:.3}%", x.fraction(*east) * 100.0, (1.0 - y.fraction(*north)) * 100.0)) {}
            }
        }
    }
}

/// A dot at each place, or at some of very many.
fn dots(points: &[(f64, f64)], most: usize, x: &Axis, y: &Axis) -> String {
    let keep_every = points.len().div_ceil(most).max(1);
    let kept = points.iter().filter(is_place).step_by(keep_every);
    kept.map(|point| format!("M{},{}h0", across(x, point.0), up(y, point.1))).collect()
}

/// Points that lie on the same spot of the drawing are drawn once.
fn path(points: &[(f64, f64)], most: usize, x: &Axis, y: &Axis) -> String {
    let keep_every = points.len().div_ceil(most).max(1);
    let mut path = String::new();
    let mut before = None;
    for (number, point) in points.iter().enumerate() {
        let is_end = number + 1 == points.len();
        if !is_place(&point) {
            before = None;
            continue;
        }
        if before.is_some() && !is_end && number % keep_every != 0 {
            continue;
        }
        let place = (across(x, point.0), up(y, point.1));
        if before == Some(place) {
            continue;
        }
        let verb = if before.is_none() { 'M' } else { 'L' };
        path.push_str(&format!("{verb}{},{}", place.0, place.1));
        before = Some(place);
    }
    path
}
