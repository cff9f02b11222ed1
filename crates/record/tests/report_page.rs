//! The page of a report says everything, needs nothing from elsewhere, and shows texts as texts.

use ironbird_kernel::{Duration, Time};
use ironbird_record::report::{
    Band, Bar, Bars, Drawing, Histogram, Limit, Map, Mark, Plot, Report, Series, Space, SpacePose,
    SpaceTrack, TextTable, Track, WallTime,
};
use ironbird_record::{Event, Status, Verdict};
use proptest::prelude::*;

/// A report in which every text is `text` and every point comes from `points`.
fn report(text: &str, points: &[(f64, f64)]) -> Report {
    let s = || text.to_owned();
    let drawings = [Drawing::Line, Drawing::Steps, Drawing::Points];
    let series = drawings.map(|drawing| Series { name: s(), points: points.to_vec(), drawing });
    let plot = Plot {
        title: s(),
        unit: s(),
        series: series.to_vec(),
        marks: points.iter().take(3).map(|p| Mark { time: p.0, label: s() }).collect(),
        bands: points.iter().take(3).map(|p| Band { from: p.0, until: p.1, label: s() }).collect(),
        limits: points.iter().take(3).map(|p| Limit { value: p.1, label: s() }).collect(),
        highlight: points.first().map(|p| Mark { time: p.0, label: s() }),
        has_own_time: false,
    };
    let track = Track { name: s(), points: points.to_vec(), is_path: true };
    let places = Track { is_path: false, ..track.clone() };
    let pose = |p: &(f64, f64)| SpacePose { time: p.0, position: [p.0, p.1, 0.0], attitude: None };
    let space = Space {
        tracks: vec![SpaceTrack { name: s(), poses: points.iter().map(pose).collect() }],
        ..Space::default()
    };
    Report {
        title: s(),
        version: s(),
        verdicts: vec![Verdict {
            name: s(),
            formula: format!("always {text}"),
            status: Status::Failed,
            margin: s(),
            first_violation: s(),
        }],
        relative_margins: vec![points.first().map(|p| p.1)],
        key_plot: Some(plot.clone()),
        space: Some(space),
        outcome: s(),
        seed: 7,
        scenario: s(),
        repetition: 3,
        hash: s(),
        duration: Duration::from_secs(3_725),
        wall_seconds: points.first().map(|p| p.1),
        placement: vec![s()],
        foreign: vec![s()],
        plots: vec![plot.clone()],
        wall_time: WallTime {
            bars: vec![Bars {
                title: s(),
                kinds: vec![s(), s()],
                rows: vec![Bar {
                    name: s(),
                    parts: points
                        .iter()
                        .take(3)
                        .map(|p| (2, p.0, s()))
                        .chain([(1, 0.5, s())])
                        .collect(),
                }],
            }],
            plots: vec![plot],
            tables: vec![(s(), TextTable { columns: vec![s()], rows: vec![vec![s()]] })],
        },
        maps: vec![Map {
            title: s(),
            x_label: s(),
            y_label: s(),
            unit: s(),
            tracks: vec![track, places],
        }],
        events: vec![Event {
            time: Time::from_ps(1_500_000_000_000),
            kind: s(),
            name: s(),
            text: s(),
        }],
        timing: TextTable { columns: vec![s()], rows: vec![vec![s()]] },
        facts: Vec::new(),
        tables: vec![(s(), TextTable { columns: vec![s()], rows: vec![vec![s()]] })],
        histograms: vec![Histogram {
            title: s(),
            unit: s(),
            bars: points.iter().take(5).map(|p| (p.0, p.1, 3)).collect(),
        }],
        experiment: s(),
    }
}

#[test]
fn whatever_a_user_wrote_is_shown_and_never_executed() {
    let page = report("<script>alert('&\"')</script>", &[(0.0, 1.0), (1.0, 2.0)]).to_html();
    assert!(!page.contains("<script>alert"));
    assert_eq!(page.matches("<script").count(), 1);
    // Title, heading, verdict, facts, legend, axes, marks, tables, experiment and more.
    assert!(page.matches("&lt;script&gt;alert('&amp;&quot;')&lt;/script&gt;").count() > 30);
}

#[test]
fn the_page_loads_nothing() {
    let page = report("text", &[(0.0, 1.0), (1.0, 2.0)]).to_html();
    for reference in ["http:", "https:", "src=", "url(", "@import", "fetch("] {
        assert!(!page.contains(reference), "{reference}");
    }
    // Links lead to sections of the page itself.
    assert_eq!(page.matches("href=").count(), page.matches("href=\"#").count());
}

#[test]
fn the_facts_of_the_run_are_on_the_page() {
    let page = report("x", &[(0.0, 10.0), (1.0, 2.0)]).to_html();
    for fact in [
        "1:02:05 h",
        "10.0 s",
        "372 × real time",
        "1 of 1 requirements failed",
        "<td class=\"number\">1.5</td>",
    ] {
        assert!(page.contains(fact), "{fact}");
    }
}

#[test]
fn the_verdict_comes_first_then_the_plot_that_matters_and_then_all_else() {
    let page = report("x", &[(0.0, 10.0), (1.0, 2.0)]).to_html();
    let parts = ["verdict", "requirements", "key-plot", "space", "plot", "events"];
    let places = parts.map(|test| page.find(&format!("data-test=\"{test}\"")).expect(test));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn a_margin_is_a_bar_on_its_side_of_the_limit() {
    let verdict = |status| Verdict {
        name: "low".into(),
        formula: "always x < 4 m".into(),
        status,
        margin: "1 m".into(),
        first_violation: String::new(),
    };
    let verdicts = [Status::Passed, Status::Failed, Status::Passed].map(verdict).to_vec();
    let relative_margins = vec![Some(0.25), Some(-0.5)];
    let page = Report { verdicts, relative_margins, ..Report::default() }.to_html();
    assert!(page.contains("left:50.00%;width:12.50%") && page.contains("25 % of the limit"));
    assert!(page.contains("left:25.00%;width:25.00%") && page.contains("−50 % of the limit"));
    assert_eq!(page.matches(" of the limit").count(), 2, "the third is not known");
}

#[test]
fn a_formula_that_is_the_name_too_is_said_once() {
    let page = |name: &str| {
        let formula = "rms of roll <= 1 deg".to_owned();
        let verdict = Verdict {
            name: name.to_owned(),
            formula,
            status: Status::Passed,
            margin: String::new(),
            first_violation: String::new(),
        };
        Report { verdicts: vec![verdict], ..Report::default() }.to_html()
    };
    let said = |page: String| page.matches("rms of roll &lt;= 1 deg").count();
    assert_eq!(said(page("roll")), said(page("rms of roll <= 1 deg")));
}

#[test]
fn a_trajectory_is_told_in_numbers_and_drawn_from_above_without_scripts() {
    let place = |time, position| SpacePose { time, position, attitude: None };
    let poses = vec![place(0.0, [0.0, 0.0, -2.0]), place(9.0, [3.0, 4.0, -2.0])];
    let space =
        Space { tracks: vec![SpaceTrack { name: "rover".into(), poses }], ..Space::default() };
    let page = |maps| Report { space: Some(space.clone()), maps, ..Report::default() }.to_html();
    let alone = page(Vec::new());
    for piece in ["<td>0, 0, 2</td>", "<td>3, 4, 2</td>", "0 … 3", "0 … 4", "2 … 2", ">5</td>"]
    {
        assert!(alone.contains(piece), "{piece}");
    }
    assert!(alone.contains("Seen from above"));
    // A map that shows more takes its place.
    let beside = page(vec![Map { title: "believed".into(), ..Map::default() }]);
    assert!(!beside.contains("Seen from above"));
}

#[test]
fn plots_share_their_time_unless_one_has_its_own() {
    let plot = |until, has_own_time| {
        let series = vec![Series { points: vec![(0.0, 1.0), (until, 2.0)], ..Series::default() }];
        Plot { series, has_own_time, ..Plot::default() }
    };
    let plots = vec![plot(10.0, false), plot(20.0, false), plot(3.0, true)];
    let page = Report { plots, ..Report::default() }.to_html();
    assert_eq!(page.matches("data-x1=\"20\"").count(), 2);
    assert_eq!(page.matches("data-x1=\"3\"").count(), 1);
}

#[test]
fn what_happened_stands_in_the_page_once_for_all_plots() {
    let marks = vec![Mark { time: 1.0, label: "the engine stops".into() }];
    let plot = Plot { marks, ..Plot::default() };
    let drawn = |plots: usize| {
        let page = Report { plots: vec![plot.clone(); plots], ..Report::default() }.to_html();
        page.matches("the engine stops&quot;").count()
    };
    assert_eq!((drawn(1), drawn(30)), (1, 1));
}

#[test]
fn shares_are_as_wide_as_they_are_large_and_named_where_there_is_room() {
    let part = |kind, share| (kind, share, "text".to_owned());
    let bars = Bars {
        title: "Who waits".into(),
        kinds: vec!["computes".into(), "waits for 1".into(), "waits for 2".into()],
        rows: vec![Bar { name: "0: a".into(), parts: vec![part(0, 0.25), part(1, 0.1)] }],
    };
    let wall_time = WallTime { bars: vec![bars], ..WallTime::default() };
    let page = Report { wall_time, ..Report::default() }.to_html();
    for piece in ["Time on the wall", "width:25.000%", "text 25 %", ">10 %<", "waits for 1: 10 %"] {
        assert!(page.contains(piece), "{piece}");
    }
    assert!(!page.contains("waits for 2"), "what nobody does is not in the legend");
    assert!(!Report::default().to_html().contains("Time on the wall"));
}

#[test]
fn a_long_signal_keeps_its_peak_and_the_page_stays_small() {
    let mut points: Vec<(f64, f64)> = (0..500_000).map(|k| (f64::from(k) * 1e-3, 0.0)).collect();
    points[333_333].1 = 100.0;
    let plot = Plot { series: vec![Series { points, ..Series::default() }], ..Plot::default() };
    let page = Report { plots: vec![plot], ..Report::default() }.to_html();
    assert!(page.len() < 150_000, "{}", page.len());
    // The peak is 6 % below the upper end, where the axis leaves room.
    assert!(page.contains("666.7,53.6"), "the peak is drawn");
}

#[test]
fn places_on_a_map_are_dots_above_the_paths() {
    let points = vec![(0.0, 0.0), (10.0, 10.0)];
    let places = Track { name: "cells".into(), points: points.clone(), is_path: false };
    let path = Track { name: "flown".into(), points, is_path: true };
    let map = |tracks| Map { tracks, ..Map::default() };
    let page = |tracks| Report { maps: vec![map(tracks)], ..Report::default() }.to_html();
    let both = page(vec![places.clone(), path]);
    let at = |class: &str| both.rfind(class).unwrap_or_else(|| panic!("no {class}"));
    assert!(at("path class=\"line points c0\"") > at("path class=\"line c1\""));
    assert_eq!(both.matches("class=\"start c1\"").count(), 1);
    // Places alone have neither start nor end.
    let alone = page(vec![places]);
    assert!(!alone.contains("class=\"start") && !alone.contains("○ start"));
}

#[test]
fn of_very_many_events_the_first_and_the_last_are_listed() {
    let event = |second: u64| Event {
        time: Time::ZERO + Duration::from_secs(second),
        kind: "state".into(),
        name: "machine".into(),
        text: format!("s{second}"),
    };
    let listed = |count: u64| {
        let events = (0..count).map(event).collect();
        Report { events, ..Report::default() }.to_html()
    };
    let all = listed(1_000);
    assert_eq!(all.matches("<td>machine</td>").count(), 1_000);
    assert!(!all.contains("more are in the recording"));
    let some = listed(5_000);
    assert_eq!(some.matches("<td>machine</td>").count(), 1_000);
    assert!(some.contains("4000 more are in the recording"));
    assert!(some.contains("<td>s0</td>") && some.contains("<td>s4999</td>"));
}

#[test]
fn an_empty_report_is_a_page() {
    let page = Report::default().to_html();
    assert!(page.contains("The experiment has no requirements."));
    assert!(page.ends_with("</html>"));
}

proptest! {
    #[test]
    fn any_numbers_can_be_drawn(
        points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..40),
        copies in 1..60usize,
    ) {
        let points = points.repeat(copies);
        let page = report("x", &points).to_html();
        for word in ["NaN,", ",NaN", "inf,", ",inf", "NaN%", "inf%"] {
            prop_assert!(!page.contains(word), "{}", word);
        }
    }
}

#[test]
fn facts_of_something_else_take_the_place_of_those_of_a_run() {
    let mut other = report("x", &[(0.0, 1.0)]);
    other.facts = vec![("Windows".into(), "<292>".into())];
    let page = other.to_html();
    assert!(page.contains("Windows") && page.contains("&lt;292&gt;"));
    assert!(!page.contains("Repetition"));
}
