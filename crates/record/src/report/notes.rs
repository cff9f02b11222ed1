//! Names of bands and marks above a drawing. No two of them overlap, on a wide page nor on a phone.

use maud::{Markup, html};

use super::Plot;
use super::axis::Axis;
use super::sheet::Happenings;

/// Rows for names.
const ROWS: usize = 3;
/// About how much of the width of a drawing a letter takes: on a desktop or on paper, and on a phone.
const WIDE_LETTER: f64 = 0.0095;
const NARROW_LETTER: f64 = 0.027;

/// Where a name stands on pages of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    row: usize,
    /// It ends at its instant, because it would leave the page otherwise.
    ends_there: bool,
}

/// The names of what a plot points out. One that finds no room is left out: the line, the cursor and the
/// table of events have to do.
pub(super) fn notes(plot: &Plot, x: &Axis) -> Markup {
    let names = names(plot, x);
    let [wide, narrow] = [WIDE_LETTER, NARROW_LETTER].map(|letter| places(&names, letter));
    let rows = |places: &[Option<Place>]| {
        places.iter().flatten().map(|place| place.row + 1).max().unwrap_or(1)
    };
    html! {
        div class="notes" style=(format!("--wide-rows:{};--narrow-rows:{}", rows(&wide), rows(&narrow))) {
            @for ((name, wide), narrow) in names.iter().zip(&wide).zip(&narrow) {
                @if wide.or(*narrow).is_some() {
                    span class=(class(name.decides, *wide, *narrow)) style=(style(name.left, *wide, *narrow)) {
                        (name.label)
                    }
                }
            }
        }
    }
}

struct Name<'a> {
    /// How far along the axis.
    left: f64,
    label: &'a str,
    /// Whether it names the instant that decides.
    decides: bool,
}

/// In the order in which they may choose their places: what decides first.
fn names<'a>(plot: &'a Plot, x: &Axis) -> Vec<Name<'a>> {
    let Happenings { marks, bands } = Happenings::of(plot);
    let bands = bands.iter().filter(|band| band.until > x.min && band.from < x.max);
    let bands = bands.map(|band| (band.from.max(x.min), band.label.as_str()));
    let marks = marks.iter().map(|mark| (mark.time, mark.label.as_str()));
    let mut others: Vec<(f64, &str)> =
        bands.chain(marks).filter(|(time, label)| x.contains(*time) && !label.is_empty()).collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = plot.highlight.iter().filter(|mark| x.contains(mark.time));
    let first = first.map(|mark| (mark.time, mark.label.as_str(), true));
    let all = first.chain(others.into_iter().map(|(time, label)| (time, label, false)));
    all.map(|(time, label, decides)| Name { left: x.fraction(time), label, decides }).collect()
}

/// Where each name stands if a letter takes so much of the width; the lowest row that is free.
fn places(names: &[Name], letter: f64) -> Vec<Option<Place>> {
    let mut taken: [Vec<(f64, f64)>; ROWS] = Default::default();
    let place = |name: &Name| {
        let width = (name.label.chars().count() + 2) as f64 * letter;
        let ends_there = name.left + width > 1.0;
        let from = if ends_there { name.left - width } else { name.left };
        // A name that is wider than the page has no room at all.
        if from < 0.0 {
            return None;
        }
        let is_free = |row: &Vec<(f64, f64)>| {
            row.iter().all(|(start, end)| from >= *end || from + width <= *start)
        };
        let row = taken.iter().position(is_free)?;
        taken[row].push((from, from + width));
        Some(Place { row, ends_there })
    };
    names.iter().map(place).collect()
}

fn class(decides: bool, wide: Option<Place>, narrow: Option<Place>) -> String {
    let classes =
        [(decides, "decides"), (wide.is_none(), "not-wide"), (narrow.is_none(), "not-narrow")];
    let classes = classes.into_iter().filter(|(applies, _)| *applies).map(|(_, class)| class);
    classes.collect::<Vec<_>>().join(" ")
}

/// What is zero is not said: there are many names on a page.
fn style(left: f64, wide: Option<Place>, narrow: Option<Place>) -> String {
    let mut style = format!("left:{:.2}%", left * 100.0);
    for (page, place) in [("wide", wide), ("narrow", narrow)] {
        let Some(Place { row, ends_there }) = place else { continue };
        if row > 0 {
            style += &format!(";--{page}-row:{row}");
        }
        if ends_there {
            style += &format!(";--{page}-shift:-100%");
        }
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(names: &[(f64, &str)], letter: f64) -> Vec<Option<(usize, bool)>> {
        let names: Vec<Name> =
            names.iter().map(|&(left, label)| Name { left, label, decides: false }).collect();
        let places = places(&names, letter);
        places.into_iter().map(|place| place.map(|p| (p.row, p.ends_there))).collect()
    }

    #[test]
    fn names_of_close_instants_stand_in_rows_and_the_rest_is_left_out() {
        let close = [(0.50, "first"), (0.51, "second"), (0.52, "third"), (0.53, "fourth")];
        let rows = placed(&close, 0.01);
        assert_eq!(rows, [Some((0, false)), Some((1, false)), Some((2, false)), None]);
    }

    #[test]
    fn a_name_at_the_end_of_the_page_does_not_run_into_the_one_before() {
        let rows = placed(&[(0.90, "takes off"), (0.98, "lands")], 0.01);
        assert_eq!(rows, [Some((0, true)), Some((0, true))]);
        let rows = placed(&[(0.85, "takes off"), (0.95, "touches down")], 0.01);
        assert_eq!(rows, [Some((0, false)), Some((1, true))]);
    }

    #[test]
    fn a_name_that_is_wider_than_the_page_is_left_out() {
        assert_eq!(placed(&[(0.5, "a very long name of a fault")], 0.03), [None]);
    }
}
