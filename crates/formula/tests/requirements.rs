//! Requirements over event-driven signals, as a user meets them.

mod vehicle;

use ironbird_formula::{Evaluator, Formula, Status, Verdict};
use ironbird_kernel::{Duration, Time};
use vehicle::{ID, Vehicle};

fn ms(milliseconds: u64) -> Time {
    Time::ZERO + Duration::from_ms(milliseconds)
}

fn evaluator(text: &str) -> Evaluator {
    let checked = Formula::parse(text).and_then(|formula| formula.check(&Vehicle));
    Evaluator::new(checked.unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// The altitude changes at these milliseconds; the run ends regularly.
fn with_altitude(text: &str, samples: &[(u64, f64)], end: u64) -> Verdict {
    fed(text, samples).finish(ms(end)).unwrap()
}

fn fed(text: &str, samples: &[(u64, f64)]) -> Evaluator {
    let mut evaluator = evaluator(text);
    for (time, altitude) in samples {
        evaluator.push(ms(*time), ID::ALTITUDE, &[*altitude]).unwrap();
    }
    evaluator
}

#[test]
fn a_requirement_over_the_run_names_its_first_violation() {
    let samples = [(0, 20.0), (300, 12.0), (400, 9.5), (500, 30.0), (600, 8.0)];
    let verdict = with_altitude("always drone.altitude > 10 m", &samples, 1000);
    assert_eq!(verdict.status, Status::Fail);
    assert_eq!((verdict.margin, verdict.margin_unit.as_str()), (-2.0, "m"));
    let violation = verdict.first_violation.unwrap();
    assert_eq!(violation.time, ms(400));
    assert_eq!(violation.text, "drone.altitude > 10 m");
    assert_eq!((violation.value, violation.unit.as_str()), (Some(9.5), "m"));
}

#[test]
fn a_margin_of_zero_passes_only_where_equality_is_allowed() {
    let samples = [(0, 20.0), (300, 10.0)];
    let verdict = with_altitude("always drone.altitude >= 10 m", &samples, 500);
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 0.0));
    let verdict = with_altitude("always drone.altitude > 10 m", &samples, 500);
    assert_eq!((verdict.status, verdict.margin), (Status::Fail, 0.0));
    assert_eq!(verdict.first_violation.unwrap().time, ms(300));
}

#[test]
fn a_window_contains_its_ends() {
    let samples = [(0, 0.0), (2000, 20.0)];
    let pass = with_altitude("eventually[0, 2 s] drone.altitude > 10 m", &samples, 3000);
    assert_eq!((pass.status, pass.margin), (Status::Pass, 10.0));
    let fail =
        with_altitude("eventually[0, 1.999999999999 s] drone.altitude > 10 m", &samples, 3000);
    assert_eq!((fail.status, fail.margin), (Status::Fail, -10.0));
    assert_eq!(fail.first_violation.unwrap().time, Time::from_ps(1_999_999_999_999));
}

#[test]
fn a_response_that_may_still_come_is_inconclusive() {
    let text = "always (drone.altitude > 10 m implies eventually[0, 2 s] drone.altitude < 5 m)";
    let answered = [(0, 0.0), (1000, 20.0), (2500, 1.0)];
    assert_eq!(with_altitude(text, &answered, 9000).status, Status::Pass);
    let pending = [(0, 0.0), (8000, 20.0)];
    let verdict = with_altitude(text, &pending, 9000);
    assert_eq!(verdict.status, Status::Inconclusive);
    assert!(verdict.bounds.0 < 0.0 && verdict.bounds.1 > 0.0);
    let late = [(0, 0.0), (1000, 20.0), (3500, 1.0)];
    let verdict = with_altitude(text, &late, 9000);
    assert_eq!(verdict.status, Status::Fail);
    // At 1 s the request, at 3 s the end of the wait.
    assert_eq!(verdict.first_violation.unwrap().time, ms(3000));
}

#[test]
fn an_aborted_run_decides_only_what_cannot_change_any_more() {
    let good = [(0, 20.0)];
    let bad = [(0, 20.0), (300, 5.0)];
    let early = |text: &str, samples| fed(text, samples).finish_early(ms(500)).unwrap();
    let always = "always drone.altitude > 10 m";
    let verdict = early(always, &good);
    assert_eq!((verdict.status, verdict.margin), (Status::Inconclusive, 10.0));
    assert_eq!(early(always, &bad).status, Status::Fail);
    assert_eq!(early("eventually drone.altitude > 10 m", &good).status, Status::Pass);
    assert_eq!(early("eventually drone.altitude > 30 m", &good).status, Status::Inconclusive);
    assert_eq!(early("always[0, 400 ms] drone.altitude > 10 m", &good).status, Status::Pass);
    let until = "drone.altitude > 10 m until drone.altitude > 30 m";
    assert_eq!(early(until, &good).status, Status::Inconclusive);
    assert_eq!(early(until, &bad).status, Status::Fail);
    assert_eq!(with_altitude(until, &good, 500).status, Status::Fail);
}

#[test]
fn until_needs_its_left_side_only_before_the_right_one() {
    let text = "drone.altitude < 10 m until drone.altitude >= 10 m";
    let verdict = with_altitude(text, &[(0, 1.0), (500, 12.0)], 900);
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 2.0));
}

#[test]
fn for_is_interrupted_by_the_shortest_lapse() {
    let text = "eventually (drone.altitude > 10 m for 1 s)";
    let steady = [(0, 0.0), (100, 12.0)];
    assert_eq!(with_altitude(text, &steady, 1100).status, Status::Pass);
    assert_eq!(with_altitude(text, &steady, 1099).status, Status::Fail);
    let lapse = [(0, 0.0), (100, 12.0), (900, 5.0), (901, 12.0)];
    assert_eq!(with_altitude(text, &lapse, 1900).status, Status::Fail);
    assert_eq!(with_altitude(text, &lapse, 1901).status, Status::Pass);
    let verdict = with_altitude("always (drone.altitude > 10 m for 1 s)", &[(0, 12.0)], 500);
    let violation = verdict.first_violation.unwrap();
    assert_eq!((violation.time, violation.value), (ms(0), None));
    assert_eq!(violation.text, "(drone.altitude > 10 m for 1 s)");
}

#[test]
fn time_changes_between_samples() {
    let text = "always (time < 2 s or drone.altitude > 10 m)";
    let verdict = with_altitude(text, &[(0, 5.0), (2500, 12.0)], 5000);
    assert_eq!(verdict.status, Status::Fail);
    assert_eq!(verdict.first_violation.unwrap().time, ms(2000));
    let verdict = with_altitude(text, &[(0, 5.0), (2000, 12.0)], 5000);
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 2.0));
    // A formula without signals is about the run itself.
    let verdict = evaluator("eventually time >= 3 s").finish(ms(3000)).unwrap();
    assert_eq!(verdict.status, Status::Pass);
    let verdict = evaluator("eventually time > 3 s").finish(ms(3000)).unwrap();
    assert_eq!(verdict.status, Status::Fail);
}

#[test]
fn only_the_seconds_that_a_requirement_is_about_count() {
    // Too low before and after, 4 m above the limit in between.
    let samples = [(0, 3.0), (2000, 14.0), (3000, 20.0), (4000, 1.0)];
    for text in [
        "always ((time >= 2 s and time < 4 s) implies drone.altitude > 10 m)",
        "always (time < 2 s or (time >= 4 s or drone.altitude > 10 m))",
        "always not (time >= 2 s and (time < 4 s and drone.altitude <= 10 m))",
    ] {
        let verdict = with_altitude(text, &samples, 5000);
        assert_eq!((verdict.status, verdict.margin), (Status::Pass, 4.0), "{text}");
        let sunk = [(0, 20.0), (2500, 7.0), (3500, 20.0)];
        let verdict = with_altitude(text, &sunk, 5000);
        assert_eq!((verdict.status, verdict.margin), (Status::Fail, -3.0), "{text}");
        let violation = verdict.first_violation.unwrap();
        assert_eq!((violation.time, violation.value), (ms(2500), Some(7.0)), "{text}");
    }
    let text = "eventually (time > 1 s and time < 3 s and drone.altitude > 10 m)";
    assert_eq!(with_altitude(text, &samples, 5000).margin, 4.0);
    assert_eq!(with_altitude(text, &[(0, 20.0), (900, 8.0), (3100, 20.0)], 5000).margin, -2.0);
}

#[test]
fn values_of_one_instant_count_together() {
    let mut evaluator = evaluator("always drone.altitude > drone.altitude-limit * 1 m");
    evaluator.push(ms(0), ID::ALTITUDE, &[5.0]).unwrap();
    evaluator.push(ms(0), ID::LIMIT, &[1.0]).unwrap();
    evaluator.push(ms(10), ID::LIMIT, &[8.0]).unwrap();
    assert!(evaluator.is_violated(), "for the moment");
    evaluator.push(ms(10), ID::ALTITUDE, &[9.0]).unwrap();
    assert!(!evaluator.is_violated());
    let verdict = evaluator.finish(ms(20)).unwrap();
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 1.0));
}

#[test]
fn formulas_over_several_kinds_of_quantities_say_so() {
    let verdict = with_altitude("always (drone.altitude > 1 m and 2 s > 1 s)", &[(0, 5.0)], 10);
    assert_eq!(verdict.margin_unit, "mixed units");
    let verdict = with_altitude("drone.altitude > 1 m", &[(0, 5.0)], 10);
    assert_eq!(
        (verdict.status, verdict.margin, verdict.margin_unit.as_str()),
        (Status::Pass, 4.0, "m")
    );
}

#[test]
fn long_traces_and_wide_windows_take_linear_time() {
    // A quadratic evaluation would make 10^11 comparisons of these.
    let samples: Vec<(u64, f64)> = (0..300_000).map(|i| (i, ((i * 7919) % 1009) as f64)).collect();
    let text = "always[0, 100 s] (drone.altitude < 2000 m until[20 s, 90 s] \
                eventually[0, 99 s] (drone.altitude >= 1008 m for 0 s))";
    let verdict = with_altitude(text, &samples, 300_000);
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 0.0));
}

#[test]
fn bounds_at_the_limit_of_time_do_not_overflow() {
    let text = "always[0, 18446744073709551615 ps] drone.altitude > 1 m";
    let mut evaluator = evaluator(text);
    evaluator.push(Time::ZERO, ID::ALTITUDE, &[5.0]).unwrap();
    evaluator.push(Time::from_ps(u64::MAX - 1), ID::ALTITUDE, &[3.0]).unwrap();
    let verdict = evaluator.finish(Time::NEVER).unwrap();
    assert_eq!((verdict.status, verdict.margin), (Status::Pass, 2.0));
}
