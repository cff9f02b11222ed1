//! Where the time on the wall went, for the report of a run.

use ironbird_record::report::{Bar, Bars, Drawing, Plot, Series, TextTable, WallTime};

use crate::outcomes::Outcomes;
use crate::profile::{Analysis, factor};

/// More series than this in one plot cannot be told apart.
const SERIES: usize = 7;
/// More links than this are not listed.
const LINKS: usize = 100;

/// What the report shows of a profile.
pub(crate) fn wall_time(outcomes: &Outcomes) -> Option<WallTime> {
    let analysis = Analysis::of(outcomes)?;
    let mut wall = WallTime::default();
    if analysis.parts.len() > 1 {
        wall.bars.push(waiting(&analysis));
    } else {
        wall.bars.push(computing(&analysis));
    }
    wall.plots.push(slowdown(&analysis));
    if (2..=SERIES).contains(&analysis.parts.len()) {
        wall.plots.push(over_time(&analysis));
    }
    wall.tables.push(("Components".into(), components(&analysis)));
    if !analysis.links.is_empty() {
        wall.tables.push(("Links".into(), links(&analysis, outcomes.at.as_secs_f64())));
    }
    Some(wall)
}

/// A bar for each thread or process: computes, waits for 0, waits for 1 …
fn waiting(analysis: &Analysis) -> Bars {
    let mut kinds = vec!["computes".to_owned()];
    let peers = analysis.parts.iter().enumerate();
    kinds.extend(peers.map(|(number, part)| format!("waits for {number}: {}", part.name)));
    let rows = analysis.parts.iter().enumerate().map(|(number, part)| {
        let mut waited = part.waited.clone();
        waited.sort_by_key(|(other, _)| *other);
        let waited =
            waited.into_iter().map(|(other, share)| (other + 1, share, format!("for {other}:")));
        let mut parts = vec![(0, part.computing, "computes".to_owned())];
        parts.extend(waited);
        Bar { name: format!("{number}: {}", part.name), parts }
    });
    Bars { title: "Who waits for whom".into(), kinds, rows: rows.collect() }
}

/// One thread waits for nobody: a bar of its components.
fn computing(analysis: &Analysis) -> Bars {
    let shown = &analysis.components[..analysis.components.len().min(SERIES)];
    let all = analysis.parts.first().map_or(0.0, |part| part.computing);
    let of_shown: f64 = shown.iter().map(|component| component.share).sum();
    let mut kinds = vec!["everything else".to_owned()];
    kinds.extend(shown.iter().map(|component| component.path.clone()));
    let part = |(number, share): (usize, f64)| (number + 1, share, String::new());
    let shares = shown.iter().map(|component| component.share).enumerate().map(part);
    let mut parts: Vec<_> = shares.collect();
    parts.push((0, (all - of_shown).max(0.0), String::new()));
    let name = "The share of the time in which each computes".into();
    Bars { title: "Who computes".into(), kinds, rows: vec![Bar { name, parts }] }
}

fn slowdown(analysis: &Analysis) -> Plot {
    let points = analysis.slowdown.clone();
    let ends = [points.first(), points.last()].into_iter().flatten();
    let mean = ends.map(|(time, _)| (*time, analysis.mean_slowdown)).collect();
    Plot {
        title: "Slowdown: seconds on the wall for each simulated second".into(),
        unit: "s/s".into(),
        series: vec![
            Series { name: "slowdown".into(), points, drawing: Drawing::Steps },
            Series { name: "mean of the run".into(), points: mean, drawing: Drawing::Line },
        ],
        ..Plot::default()
    }
}

fn over_time(analysis: &Analysis) -> Plot {
    let series = analysis.parts.iter().enumerate().map(|(number, part)| Series {
        name: format!("{number}: {}", part.name),
        points: part.over_time.iter().map(|(time, share)| (*time, 100.0 * share)).collect(),
        drawing: Drawing::Steps,
    });
    let title = "Share of the time in which each computes".into();
    Plot { title, unit: "%".into(), series: series.collect(), ..Plot::default() }
}

fn table(columns: &[&str], rows: Vec<Vec<String>>) -> TextTable {
    TextTable { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows }
}

fn components(analysis: &Analysis) -> TextTable {
    let row = |component: &crate::profile::ComponentShare| {
        vec![
            component.path.clone(),
            component.part.to_string(),
            component.calls.to_string(),
            format!("{:.1}", 1e3 * component.computing),
            format!("{:.1}", 100.0 * component.share),
            component
                .waited
                .as_ref()
                .map_or_else(String::new, |(who, share)| format!("{:.1} for {who}", 100.0 * share)),
            factor(component.speed_alone),
        ]
    };
    let columns = [
        "component",
        "runs in",
        "calls",
        "computes, ms",
        "share of the time, %",
        "waits, % of the time",
        "speed if alone",
    ];
    table(&columns, analysis.components.iter().map(row).collect())
}

fn links(analysis: &Analysis, simulated: f64) -> TextTable {
    let row = |link: &crate::profile::LinkRate| {
        vec![
            link.from.clone(),
            link.to.clone(),
            link.sent.to_string(),
            format!("{:.0}", link.per_second),
            format!("{:.1}", link.sent as f64 / simulated.max(1e-12)),
        ]
    };
    let columns = ["from", "to", "messages", "per second", "per simulated second"];
    let mut rows: Vec<_> = analysis.links.iter().take(LINKS).map(row).collect();
    if analysis.links.len() > LINKS {
        let more = format!("and {} more", analysis.links.len() - LINKS);
        rows.push(vec![more, String::new(), String::new(), String::new(), String::new()]);
    }
    table(&columns, rows)
}
