//! The figure of a space. Scripts draw it; what they draw is embedded, and told in numbers for those who do
//! not see it.

use maud::{Markup, html};

use super::super::embed;
use super::super::plot::{COLOURS, colour, short, swatch};
use super::thin::thin;
use super::{Outline, OutlineKind, Space, SpacePose, SpaceTrack};

/// Poses that a page has at most, 37 bytes each, and that a track has.
const POSES: usize = 16_000;
const FINEST: usize = 3_000;
const COARSEST: usize = 20;

/// A space as a figure.
pub(in crate::report) fn figure(space: &Space) -> Markup {
    let most = (POSES / space.tracks.len().max(1)).clamp(COARSEST, FINEST);
    html! {
        figure class="space" data-test="space" data-ground=[space.ground] data-sea=[space.sea]
            data-ground-lines=(lines(space, OutlineKind::Ground)) data-fixed-lines=(lines(space, OutlineKind::Fixed))
            data-plan-lines=(lines(space, OutlineKind::Plan)) {
            figcaption { "Trajectory" }
            ul class="legend" data-test="tracks" {
                @for (number, track) in space.tracks.iter().enumerate() {
                    li data-track=(track.name) data-colour=(number % COLOURS) data-dashed[number >= COLOURS]
                        data-poses=(embedded(&thin(&track.poses, most))) {
                        (swatch(&colour(number), false)) (track.name)
                    }
                }
            }
            details data-test="tracks-in-numbers" {
                summary { "Tracks in numbers" }
                div class="scroll" { (in_numbers(space)) }
            }
        }
    }
}

/// Time, north, east, down, and x, y, z of the attitude with w ≥ 0, pose after pose.
fn embedded(poses: &[SpacePose]) -> String {
    embed::floats(poses.iter().flat_map(|pose| {
        let [north, east, down] = pose.position;
        let [w, x, y, z] = pose.attitude.unwrap_or([f64::NAN; 4]);
        let length = libm::copysign(libm::sqrt(w * w + x * x + y * y + z * z), w);
        [pose.time, north, east, down, x / length, y / length, z / length]
    }))
}

/// Lines of one kind; a point that is no number ends each.
fn lines(space: &Space, kind: OutlineKind) -> String {
    let of_kind = space.outlines.iter().filter(|outline| outline.kind == kind);
    let gap = [[f64::NAN; 3]];
    let points = of_kind.flat_map(|Outline { points, .. }| points.iter().chain(&gap));
    embed::floats(points.flatten().copied())
}

fn in_numbers(space: &Space) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "body" } th scope="col" { "start (north, east, up)" } th scope="col" { "end" }
                    th scope="col" class="number" { "north in m" } th scope="col" class="number" { "east in m" }
                    th scope="col" class="number" { "up in m" } th scope="col" class="number" { "length in m" }
                }
            }
            tbody { @for track in &space.tracks { (row(track)) } }
        }
    }
}

fn row(track: &SpaceTrack) -> Markup {
    let up = |pose: &SpacePose| [pose.position[0], pose.position[1], -pose.position[2]];
    let places: Vec<[f64; 3]> = track
        .poses
        .iter()
        .map(up)
        .filter(|place| place.iter().all(|part| part.is_finite()))
        .collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return html! { tr { th scope="row" { (track.name) } td colspan="6" { "nothing" } } };
    };
    let along = |axis: usize| places.iter().map(move |place| place[axis]);
    let reach = |axis: usize| {
        let (least, most) = (
            along(axis).fold(f64::INFINITY, f64::min),
            along(axis).fold(f64::NEG_INFINITY, f64::max),
        );
        format!("{} … {}", metres(least), metres(most))
    };
    let step = |pair: &[[f64; 3]]| {
        let squares =
            (0..3).map(|axis| (pair[1][axis] - pair[0][axis]) * (pair[1][axis] - pair[0][axis]));
        libm::sqrt(squares.sum())
    };
    let length: f64 = places.windows(2).map(step).sum();
    html! {
        tr {
            th scope="row" { (track.name) }
            td { (place(first)) } td { (place(last)) }
            td class="number" { (reach(0)) } td class="number" { (reach(1)) } td class="number" { (reach(2)) }
            td class="number" { (metres(length)) }
        }
    }
}

fn place(place: &[f64; 3]) -> String {
    place.map(metres).join(", ")
}

/// To the centimetre, as long as that fits.
fn metres(number: f64) -> String {
    let rounded = libm::round(number * 100.0) / 100.0;
    match rounded.abs() < 1e6 {
        // No minus before zero.
        true => (rounded + 0.0).to_string().replace('-', "−"),
        false => short(number),
    }
}
