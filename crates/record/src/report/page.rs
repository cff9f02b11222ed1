//! The page around the drawings.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::plot::Role;
use super::sheet::Sheet;
use super::summary::summary;
use super::{Report, TextTable, WallTime, bars, histogram, map, plot, space};
use crate::event::Event;

const STYLE: &str = concat!(
    include_str!("style/page.css"),
    include_str!("style/summary.css"),
    include_str!("style/drawings.css"),
    include_str!("style/tables.css"),
    include_str!("style/narrow_and_print.css"),
);
/// One function, so that nothing of it but `ironbirdReport` is seen from outside.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/shared.js"),
    include_str!("script/axis.js"),
    include_str!("script/drawing.js"),
    include_str!("script/plots.js"),
    include_str!("script/camera.js"),
    include_str!("script/scene.js"),
    include_str!("script/space.js"),
    include_str!("script/page.js"),
    "})();\n",
);

/// The whole page.
pub(super) fn page(report: &Report) -> Markup {
    let sheet = Sheet::new(report);
    let parts = parts(report, &sheet);
    let shown = || parts.iter().filter(|part| part.contents.is_some());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) }
                style { (PreEscaped(STYLE)) }
            }
            body data-happened=(sheet.to_json()) {
                header {
                    h1 { (report.title) }
                    nav aria-label="Sections" {
                        @for part in shown() { a href=(format!("#{}", part.id)) { (part.title) } }
                    }
                }
                main {
                    (summary(report, &sheet))
                    @for part in shown() {
                        section id=(part.id) { h2 { (part.title) } @if let Some(contents) = &part.contents { (contents) } }
                    }
                }
                footer class="muted" { "Ironbird " (report.version) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// A section of the page; one without contents is left out.
struct Part {
    id: String,
    title: String,
    contents: Option<Markup>,
}

impl Part {
    fn new(id: &str, title: &str, is_there: bool, contents: impl FnOnce() -> Markup) -> Self {
        Part { id: id.into(), title: title.into(), contents: is_there.then(contents) }
    }
}

fn parts(report: &Report, sheet: &Sheet) -> Vec<Part> {
    let tables = report.tables.iter().enumerate().map(|(number, (title, rows))| {
        Part::new(&format!("table-{number}"), title, !rows.rows.is_empty(), || table(rows))
    });
    let others = [
        Part::new("paths", "Paths", report.space.is_some() || !report.maps.is_empty(), || {
            paths(report)
        }),
        Part::new("signals", "Signals", !report.plots.is_empty(), || {
            html! {
                @for plot in &report.plots { (plot::figure(plot, sheet, Role::Signals)) }
            }
        }),
        Part::new("distributions", "Distributions", !report.histograms.is_empty(), || {
            html! {
                @for histogram in &report.histograms { (histogram::figure(histogram)) }
            }
        }),
        Part::new("events", "Events", !report.events.is_empty(), || events(&report.events)),
        Part::new("wall-time", "Time on the wall", report.wall_time != WallTime::default(), || {
            wall_time(&report.wall_time, sheet)
        }),
        Part::new("timing", "Timing", !report.timing.rows.is_empty(), || table(&report.timing)),
        Part::new("placement", "Placement", !report.placement.is_empty(), || {
            html! {
                ul class="plain" { @for line in &report.placement { li { (line) } } }
            }
        }),
        Part::new("foreign", "Other tools", !report.foreign.is_empty(), || {
            html! {
                p class="muted" { "These components are executed by other tools. Their results may differ between machines." }
                ul class="plain" { @for name in &report.foreign { li { code { (name) } } } }
            }
        }),
        Part::new("experiment", "Experiment", !report.experiment.is_empty(), || {
            html! {
                details {
                    summary { "The experiment as it was run" }
                    pre tabindex="0" { code { (report.experiment) } }
                }
            }
        }),
    ];
    tables.chain(others).collect()
}

/// The trajectory, and maps that need no script; one is made of the trajectory if there is no other.
fn paths(report: &Report) -> Markup {
    let from_above = match report.maps.is_empty() {
        true => report.space.as_ref().map(super::Space::seen_from_above),
        false => None,
    };
    html! {
        @if let Some(space) = &report.space { (space::figure(space)) }
        @for map in report.maps.iter().chain(&from_above) { (map::figure(map)) }
    }
}

/// Of more events than somebody reads, so many are listed at the beginning and at the end.
const FIRST_EVENTS: usize = 800;
const LAST_EVENTS: usize = 200;

fn events(events: &[Event]) -> Markup {
    let (first, last) = match events.len() {
        few if few <= FIRST_EVENTS + LAST_EVENTS => (events, &events[few..]),
        many => (&events[..FIRST_EVENTS], &events[many - LAST_EVENTS..]),
    };
    let between = events.len() - first.len() - last.len();
    html! {
        div class="scroll long" tabindex="0" role="region" aria-label="Events" {
            table data-test="events" {
                thead {
                    tr {
                        th scope="col" class="number" { "time in s" } th scope="col" { "kind" }
                        th scope="col" { "name" } th scope="col" { "what happened" }
                    }
                }
                tbody {
                    @for event in first { (event_row(event)) }
                    @if between > 0 {
                        tr { td class="muted" colspan="4" { (between) " more are in the recording" } }
                    }
                    @for event in last { (event_row(event)) }
                }
            }
        }
    }
}

fn event_row(event: &Event) -> Markup {
    html! {
        tr {
            td class="number" { (ironbird_tables::decimal::seconds(event.time)) }
            td { (event.kind) } td { (event.name) } td { (event.text) }
        }
    }
}

fn wall_time(wall: &WallTime, sheet: &Sheet) -> Markup {
    html! {
        p class="muted" { "Measured while it ran: these figures differ from run to run, the results do not. What is left of a bar was spent between the stretches of the run." }
        @for bars in &wall.bars { (bars::figure(bars)) }
        @for plot in &wall.plots { (plot::figure(plot, sheet, Role::Signals)) }
        @for (title, rows) in &wall.tables { h3 { (title) } (table(rows)) }
    }
}

fn table(table: &TextTable) -> Markup {
    // Columns of numbers are set to the right.
    let is_number = |column: usize| {
        let starts = |row: &Vec<String>| row.get(column)?.chars().next();
        table.rows.iter().all(|row| starts(row).is_some_and(|c| c.is_ascii_digit() || c == '-'))
    };
    let classes: Vec<&str> = (0..table.columns.len())
        .map(|column| if is_number(column) { "number" } else { "" })
        .collect();
    html! {
        div class="scroll" {
            table {
                thead { tr { @for (head, class) in table.columns.iter().zip(&classes) { th scope="col" class=(class) { (head) } } } }
                tbody {
                    @for row in &table.rows {
                        tr { @for (cell, class) in row.iter().zip(&classes) { td class=(class) { (cell) } } }
                    }
                }
            }
        }
    }
}
