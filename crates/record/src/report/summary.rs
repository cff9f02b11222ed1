//! What is seen first: the verdict, each requirement with its margin, the plot that matters, and the facts.

use ironbird_kernel::Duration;
use maud::{Markup, html};

use super::Report;
use super::plot::{self, Role};
use super::sheet::Sheet;
use crate::verdict::{Status, Verdict};

/// The summary of a report.
pub(super) fn summary(report: &Report, sheet: &Sheet) -> Markup {
    html! {
        section id="summary" class="summary" data-test="summary" {
            (verdict(report))
            @if !report.verdicts.is_empty() { (requirements(report)) }
        }
        @if let Some(key) = &report.key_plot {
            section class="key" aria-label="The plot that matters" { (plot::figure(key, sheet, Role::Key)) }
        }
        (facts(report))
    }
}

/// The word on the whole run.
fn verdict(report: &Report) -> Markup {
    let verdicts = &report.verdicts;
    if verdicts.is_empty() {
        return html! {
            div class="verdict" data-test="verdict" data-status="none" {
                div {
                    p class="says" { "The experiment has no requirements." }
                    p { (outcome(report)) }
                }
            }
        };
    }
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
        div class=(format!("verdict {}", overall.word())) data-test="verdict" data-status=(overall.word()) {
            (lamp(overall))
            div {
                h2 class="says" { (says) }
                p { (outcome(report)) }
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

fn requirements(report: &Report) -> Markup {
    html! {
        table class="requirements" data-test="requirements" {
            thead { tr { th scope="col" { "Requirement" } th scope="col" { "Verdict" } th scope="col" { "Margin" } } }
            tbody {
                @for (number, verdict) in report.verdicts.iter().enumerate() {
                    (row(verdict, report.relative_margins.get(number).copied().flatten()))
                }
            }
        }
    }
}

fn row(verdict: &Verdict, relative: Option<f64>) -> Markup {
    let status = verdict.status.word();
    html! {
        tr class=(status) data-test="requirement" data-status=(status) {
            th scope="row" {
                strong { (verdict.name) }
                @if verdict.formula != verdict.name { code { (verdict.formula) } }
                @match (verdict.status, verdict.first_violation.as_str()) {
                    (_, "") => {}
                    (Status::Failed, violation) => p class="violation" { "First violated at " (violation) }
                    (_, why) => p class="violation" { (why) }
                }
            }
            td class="status" { (lamp(verdict.status)) (status) }
            td class="margin" {
                @if !verdict.margin.is_empty() { span class="figure" { (verdict.margin) } }
                @if let Some(share) = relative.filter(|share| share.is_finite()) { (bar(share)) }
                @if verdict.margin.is_empty() && relative.is_none() { span class="muted" { "–" } }
            }
        }
    }
}

/// The margin as a share of the limit: to the right of the middle it holds, to the left it does not.
fn bar(share: f64) -> Markup {
    let width = share.abs().min(1.0) * 50.0;
    let left = if share < 0.0 { 50.0 - width } else { 50.0 };
    let percent = 100.0 * share;
    let percent = match percent.abs() {
        much if much >= 9.95 => format!("{percent:.0} %"),
        _ => format!("{percent:.1} %"),
    };
    let percent = percent.replace('-', "−");
    html! {
        span class="bar-of-margin" aria-hidden="true" {
            i style=(format!("left:{left:.2}%;width:{width:.2}%")) {}
        }
        small class="muted" { (percent) " of the limit" }
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
        svg class=(format!("lamp {}", status.word())) viewBox="0 0 24 24" aria-hidden="true" {
            @match status {
                Status::Failed => rect width="24" height="24" rx="5" {},
                _ => circle cx="12" cy="12" r="12" {},
            }
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
