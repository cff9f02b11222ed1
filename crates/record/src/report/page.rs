//! The page around the drawings.

use ironbird_kernel::Duration;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Report, TextTable, WallTime, bars, histogram, map, plot};
use crate::event::Event;
use crate::verdict::{Status, Verdict};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("readout.js");

/// The whole page.
pub(super) fn page(report: &Report) -> Markup {
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
            body {
                header {
                    h1 { (report.title) }
                    p class="muted" { (outcome(report)) }
                }
                main {
                    (verdicts(&report.verdicts))
                    (facts(report))
                    @for (title, rows) in &report.tables {
                        (section(title, !rows.rows.is_empty(), table(rows)))
                    }
                    (section("Paths", !report.maps.is_empty(), html! {
                        @for map in &report.maps { (map::figure(map)) }
                    }))
                    (section("Signals", !report.plots.is_empty(), html! {
                        @for plot in &report.plots { (plot::figure(plot)) }
                    }))
                    (section("Distributions", !report.histograms.is_empty(), html! {
                        @for histogram in &report.histograms { (histogram::figure(histogram)) }
                    }))
                    (section("Events", !report.events.is_empty(), events(&report.events)))
                    (wall_time(&report.wall_time))
                    (section("Timing", !report.timing.rows.is_empty(), table(&report.timing)))
                    (section("Placement", !report.placement.is_empty(), html! {
                        ul class="plain" { @for line in &report.placement { li { (line) } } }
                    }))
                    (section("Components that other tools execute", !report.foreign.is_empty(), html! {
                        p class="muted" { "Their results may differ between machines." }
                        ul class="plain" { @for name in &report.foreign { li { code { (name) } } } }
                    }))
                    @if !report.experiment.is_empty() {
                        details {
                            summary { "The experiment as it was run" }
                            pre { code { (report.experiment) } }
                        }
                    }
                }
                footer class="muted" { "Ironbird " (report.version) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn section(title: &str, is_there: bool, contents: Markup) -> Markup {
    html! {
        @if is_there {
            section {
                h2 { (title) }
                (contents)
            }
        }
    }
}

/// How it ended, as a sentence.
fn outcome(report: &Report) -> String {
    let scenario = match report.scenario.as_str() {
        "" => String::new(),
        name => format!("Scenario {name}. "),
    };
    let mut letters = report.outcome.trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if first.is_empty() { "" } else { "." };
    format!("{scenario}{first}{}{stop}", letters.as_str())
}

fn verdicts(verdicts: &[Verdict]) -> Markup {
    let count = |status| verdicts.iter().filter(|verdict| verdict.status == status).count();
    let (failed, undecided) = (count(Status::Failed), count(Status::Undecided));
    let overall = match (failed, undecided) {
        (0, 0) => Status::Passed,
        (0, _) => Status::Undecided,
        _ => Status::Failed,
    };
    let says = match (verdicts.len(), overall) {
        (1, Status::Passed) => "The requirement holds".to_owned(),
        (all, Status::Passed) => format!("All {all} requirements hold"),
        (all, Status::Undecided) => format!("{undecided} of {all} requirements undecided"),
        (all, Status::Failed) => format!("{failed} of {all} requirements failed"),
    };
    html! {
        @if verdicts.is_empty() {
            p class="muted" { "The experiment has no requirements." }
        } @else {
            section class="verdicts" {
                h2 class=(overall.word()) { (lamp(overall)) (says) }
                ul {
                    @for verdict in verdicts { (row(verdict)) }
                }
            }
        }
    }
}

fn row(verdict: &Verdict) -> Markup {
    html! {
        li class=(verdict.status.word()) {
            (lamp(verdict.status))
            div {
                strong { (verdict.name) }
                code { (verdict.formula) }
                @match (verdict.status, verdict.first_violation.as_str()) {
                    (_, "") => {}
                    (Status::Failed, violation) => p { "First violated at " (violation) }
                    (_, why) => p { (why) }
                }
            }
            span class="margin" {
                (verdict.status.word())
                @if !verdict.margin.is_empty() { small { "margin " (verdict.margin) } }
            }
        }
    }
}

/// Shape and colour both say it.
fn lamp(status: Status) -> Markup {
    let sign = match status {
        Status::Passed => "M6 12.5 10.5 17 18 8",
        Status::Failed => "M7.5 7.5 16.5 16.5M16.5 7.5 7.5 16.5",
        Status::Undecided => "M6.5 12H17.5",
    };
    html! {
        svg class=(format!("lamp {}", status.word())) viewBox="0 0 24 24" role="img" aria-label=(status.word()) {
            circle cx="12" cy="12" r="12" {}
            path d=(sign) {}
        }
    }
}

fn facts(report: &Report) -> Markup {
    let wall = report.wall_seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    let speed_up = wall.map(|seconds| report.duration.as_secs_f64() / seconds);
    if !report.facts.is_empty() {
        return html! {
            dl class="facts" { @for (name, value) in &report.facts { (fact(name, value)) } }
        };
    }
    html! {
        dl class="facts" {
            (fact("Simulated", &simulated(report.duration)))
            @if let Some(seconds) = wall { (fact("Took", &format!("{} s", significant(seconds)))) }
            @if let Some(factor) = speed_up {
                (fact("Speed", &format!("{} × real time", significant(factor))))
            }
            (fact("Seed", &report.seed.to_string()))
            (fact("Repetition", &report.repetition.to_string()))
            @if !report.hash.is_empty() {
                div class="hash" { dt { "Output hash" } dd { code { (report.hash) } } }
            }
        }
    }
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// Seconds, and from ten minutes on hours and minutes beside them.
fn simulated(duration: Duration) -> String {
    let whole = duration.as_ps() / ironbird_kernel::time::PICOSECONDS_PER_SECOND;
    if whole < 600 {
        return duration.to_string();
    }
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    format!("{hours}:{minutes:02}:{seconds:02} h")
}

/// Three digits that count.
fn significant(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 0.01 => format!("{n:.2}"),
        n => format!("{n:.1e}"),
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
        div class="scroll" {
            table {
                thead { tr { th class="number" { "time in s" } th { "kind" } th { "name" } th { "what happened" } } }
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

fn wall_time(wall: &WallTime) -> Markup {
    section(
        "Time on the wall",
        *wall != WallTime::default(),
        html! {
            p class="muted" { "Measured while it ran: these figures differ from run to run, the results do not. What is left of a bar was spent between the stretches of the run." }
            @for bars in &wall.bars { (bars::figure(bars)) }
            @for plot in &wall.plots { (plot::figure(plot)) }
            @for (title, rows) in &wall.tables { h3 { (title) } (table(rows)) }
        },
    )
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
                thead { tr { @for (head, class) in table.columns.iter().zip(&classes) { th class=(class) { (head) } } } }
                tbody {
                    @for row in &table.rows {
                        tr { @for (cell, class) in row.iter().zip(&classes) { td class=(class) { (cell) } } }
                    }
                }
            }
        }
    }
}
