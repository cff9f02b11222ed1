//! The report begins with what matters: the requirement that failed, or came nearest to it.

mod systems;

use ironbird_record::report::{Limit, Mark, Report};
use ironbird_runner::report;
use systems::run_text;

/// A counter that is 1 at the start and counts every millisecond.
fn counting(recorded: &str, requirements: &[(&str, &str)]) -> Report {
    let mut text = format!(
        "duration = \"20 ms\"\n[system.counter]\ntype = \"test.counter\"\n\
         [[record]]\nsignals = [\"{recorded}\"]\n"
    );
    for (name, formula) in requirements {
        text += &format!("[[require]]\nname = \"{name}\"\nformula = \"{formula}\"\n");
    }
    report(&run_text(&text).recording, &[], None).unwrap()
}

fn mark(time: f64, label: &str) -> Option<Mark> {
    Some(Mark { time, label: label.into() })
}

#[test]
fn the_requirement_that_failed_is_drawn_with_its_limit_and_its_first_violation() {
    let report = counting(
        "counter.count",
        &[("near", "always counter.count < 22"), ("small", "always counter.count <= 12")],
    );
    let plot = report.key_plot.unwrap();
    assert_eq!(plot.title, "small: counter.count");
    assert_eq!(plot.highlight, mark(0.012, "first violated"));
    assert_eq!(plot.limits, [Limit { value: 12.0, label: "at most 12".into() }]);
    assert_eq!(plot.series[0].points[3], (0.003, 4.0));
    assert_eq!(report.relative_margins, [Some(1.0 / 22.0), Some(-0.75)]);
}

#[test]
fn if_all_hold_the_one_with_the_smallest_margin_beside_its_limit_is_drawn() {
    let report = counting(
        "counter.count",
        &[("far", "always counter.count < 100"), ("near", "always abs(counter.count - 10) <= 12")],
    );
    let plot = report.key_plot.unwrap();
    assert_eq!(plot.title, "near: abs(counter.count - 10)");
    assert_eq!(plot.highlight, mark(0.02, "smallest margin"));
    // What is compared is drawn, not the signal in it.
    assert_eq!(plot.series[0].points[0], (0.0, 9.0));
    assert_eq!(report.relative_margins, [Some(0.79), Some(1.0 / 12.0)]);
}

#[test]
fn only_the_span_of_time_that_a_requirement_is_about_decides() {
    let formula = "always[2 ms, 5 ms] (counter.count > 1 and 8 > counter.count)";
    let report = counting("counter.count", &[("early", formula)]);
    let plot = report.key_plot.unwrap();
    // Both are 2 away from their limits, at the start and at the end.
    assert_eq!(plot.highlight, mark(0.002, "smallest margin"));
    let limits: Vec<&str> = plot.limits.iter().map(|limit| limit.label.as_str()).collect();
    assert_eq!(limits, ["above 1", "below 8"]);
    let band = &plot.bands[0];
    assert_eq!((band.from, band.until, band.label.as_str()), (0.002, 0.005, "required here"));
}

#[test]
fn what_was_not_recorded_is_not_drawn() {
    let report = counting("counter.tenth", &[("small", "always counter.count <= 12")]);
    assert_eq!(report.key_plot, None);
    // The verdict itself says how large the margin is.
    assert_eq!(report.relative_margins, [Some(-0.75)]);
}

#[test]
fn the_same_recording_gives_the_same_page() {
    let page = || counting("counter.*", &[("small", "always counter.count <= 12")]).to_html();
    assert!(page() == page());
}
