//! Integrals, derivatives, delays and transfer functions.

use ironbird_kernel::{Parameter, Rate};
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::{assert_close, at_each_step, rig, shown};

#[test]
fn an_integrator_adds_up_by_its_rule() {
    let input = at_each_step(&[1.0, 2.0, 4.0, 0.0]);
    let integral = |rule: &str| shown("block.integrator", &[("rule", text(rule))], &input);
    assert_close(&integral("backward"), &[0.0, 0.2, 0.6, 0.6]);
    assert_close(&integral("forward"), &[0.0, 0.1, 0.3, 0.7]);
    assert_close(&integral("trapezoid"), &[0.0, 0.15, 0.45, 0.65]);
}

#[test]
fn an_integrator_does_not_wind_up_at_a_limit() {
    let settings = [("highest", real(0.25)), ("lowest", real(-1.0)), ("initial", real(0.1))];
    let out = shown("block.integrator", &settings, &[(0.0, 1.0), (0.8, -1.0)]);
    assert_close(&out, &[0.1, 0.2, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.15, 0.05]);
}

#[test]
fn an_integrator_starts_again_when_it_is_reset() {
    let mut rig = rig();
    rig.script("one", &[(seconds(0.0), 1.0)]);
    rig.script("reset", &[(seconds(0.0), false), (seconds(0.3), true), (seconds(0.5), false)]);
    rig.add_at("integral", "block.integrator", Some(Rate::hz(10)), &[("initial", real(5.0))]);
    rig.link("one.out", "integral.in");
    rig.link("reset.out", "integral.reset");
    let out = rig.run(seconds(0.6), &["integral.out"]).numbers("integral.out");
    assert_close(&out, &[5.0, 5.1, 5.2, 5.0, 5.0, 5.1, 5.2]);
}

#[test]
fn a_derivative_is_a_slope_behind_its_lag() {
    let input = at_each_step(&[1.0, 2.0, 2.0, 2.0]);
    assert_close(&shown("block.derivative", &[], &input), &[0.0, 10.0, 0.0, 0.0]);
    let decay = libm::exp(-0.1 / 0.2);
    let first = 10.0 * (1.0 - decay);
    let soft = shown("block.derivative", &[("filter", real(0.2))], &input);
    assert_close(&soft, &[0.0, first, first * decay, first * decay * decay]);
}

#[test]
fn a_delay_shows_what_was() {
    let settings = [("steps", Parameter::Integer(2)), ("initial", real(9.0))];
    let out = shown("block.delay", &settings, &at_each_step(&[1.0, 2.0, 3.0, 4.0]));
    assert_eq!(out[..4], [9.0, 9.0, 1.0, 2.0]);
    let none =
        shown("block.delay", &[("steps", Parameter::Integer(0))], &at_each_step(&[1.0, 2.0]));
    assert_eq!(none[..2], [1.0, 2.0]);
}

#[test]
fn a_discrete_transfer_function_is_its_difference_equation() {
    // H = (2 z² + z) / (4 z² - 2 z + 1): y_k = (2 u_k + u_(k-1) + 2 y_(k-1) - y_(k-2)) / 4
    let settings = [("numerator", text("2, 1, 0")), ("denominator", text("4, -2, 1"))];
    let input = [1.0, -1.0, 3.0, 0.0, 0.5, 2.0];
    let out = shown("block.discrete-transfer-function", &settings, &at_each_step(&input));
    let (mut expected, mut before) = (Vec::new(), [0.0; 3]);
    for u in input {
        let [last_u, last_y, y_before] = before;
        let y = (2.0 * u + last_u + 2.0 * last_y - y_before) / 4.0;
        before = [u, y, last_y];
        expected.push(y);
    }
    assert_close(&out, &expected);
}

#[test]
fn a_discrete_gain_is_a_transfer_function_of_order_0() {
    let settings = [("numerator", text("3")), ("denominator", text("2"))];
    let out = shown("block.discrete-transfer-function", &settings, &at_each_step(&[1.0, 2.0]));
    assert_eq!(out[..2], [1.5, 3.0]);
}

/// The answer of a continuous block to a step of its sampled input, by a method.
fn answer(method: &str, numerator: &str, denominator: &str) -> ironbird_test_rig::Track {
    let mut rig = rig();
    rig.script("step", &[(seconds(0.0), 1.0)]);
    let mut settings = vec![
        ("numerator", text(numerator)),
        ("denominator", text(denominator)),
        ("solver.method", text(method)),
    ];
    if method.contains("qss") {
        settings.extend([("solver.absolute", real(1e-6)), ("solver.relative", real(1e-6))]);
    }
    rig.add("block", "block.transfer-function", &settings);
    rig.link("step.out", "block.in");
    rig.run(seconds(2.0), &["block.out"]).track("block.out")
}

#[test]
fn a_lag_rises_as_its_time_constant_says() {
    for method in ["qss2", "qss3", "liqss2", "rk4", "dopri5"] {
        let track = answer(method, "3", "0.5, 1");
        for t in [0.1, 0.5, 1.0, 2.0] {
            let expected = 3.0 * (1.0 - libm::exp(-t / 0.5));
            let error = (track.at(seconds(t)) - expected).abs();
            assert!(error < 1e-4, "{method} at {t} s: {error:e}");
        }
    }
}

#[test]
fn a_zero_of_the_numerator_counts() {
    // (s + 3) / ((s + 1) (s + 2)): the step answer is 3/2 - 2 exp(-t) + exp(-2 t)/2.
    let track = answer("dopri5", "1, 3", "1, 3, 2");
    for t in [0.1, 0.7, 2.0] {
        let expected = 1.5 - 2.0 * libm::exp(-t) + 0.5 * libm::exp(-2.0 * t);
        let error = (track.at(seconds(t)) - expected).abs();
        assert!(error < 1e-5, "at {t} s: {error:e}");
    }
}

#[test]
fn continuous_blocks_follow_one_another() {
    // 1/s behind 1/(s + 1): t - 1 + exp(-t).
    for method in ["qss2", "qss3", "rk4"] {
        let mut rig = rig();
        rig.script("step", &[(seconds(0.0), 1.0)]);
        let mut solver = vec![("solver.method", text(method))];
        if method != "rk4" {
            solver.extend([("solver.absolute", real(1e-6)), ("solver.relative", real(1e-6))]);
        }
        let mut lag = vec![("numerator", text("1")), ("denominator", text("1, 1"))];
        let mut integral = vec![("signal", text("continuous")), ("initial", real(4.0))];
        lag.extend(solver.clone());
        integral.extend(solver);
        rig.add("lag", "block.transfer-function", &lag);
        rig.add("integral", "block.continuous-integrator", &integral);
        rig.link("step.out", "lag.in");
        rig.link("lag.out", "integral.in");
        let track = rig.run(seconds(2.0), &["integral.out"]).track("integral.out");
        for t in [0.0, 0.5, 2.0] {
            let error = (track.at(seconds(t)) - (4.0 + t - 1.0 + libm::exp(-t))).abs();
            assert!(error < 1e-4, "{method} at {t} s: {error:e}");
        }
    }
}

#[test]
fn blocks_go_on_after_a_checkpoint() {
    let graph = || {
        let mut rig = rig();
        rig.add("wave", "block.sine", &[("frequency", real(1.3))]);
        rig.add("delay", "block.delay", &[("steps", Parameter::Integer(7))]);
        let ratio = [("numerator", text("0.1, 0.2")), ("denominator", text("1, -1.5, 0.7"))];
        rig.add("filter", "block.discrete-transfer-function", &ratio);
        rig.add("integral", "block.integrator", &[("highest", real(0.05))]);
        rig.add("slope", "block.derivative", &[("filter", real(0.1))]);
        rig.add("slow", "block.rate-limiter", &[("rising", real(1.0)), ("falling", real(2.0))]);
        rig.add("relay", "block.hysteresis", &[("on_at", real(0.2)), ("off_at", real(-0.2))]);
        rig.add("table", "block.lookup", &[("points", text("-1 2, 0 0, 1 3"))]);
        let lag = [("numerator", text("1")), ("denominator", text("0.2, 1"))];
        rig.add("lag", "block.transfer-function", &lag);
        for to in ["delay", "filter", "integral", "slope", "slow", "relay", "table"] {
            rig.link("wave.out", &format!("{to}.in"));
        }
        rig.link("delay.out", "lag.in");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(0.73), seconds(2.0));
}

#[test]
fn nonsense_is_refused() {
    let rig = rig();
    let refusal = |block: &str, numerator: &str, denominator: &str| {
        let settings = [("numerator", text(numerator)), ("denominator", text(denominator))];
        rig.refusal(block, &settings)
    };
    let z = "block.discrete-transfer-function";
    assert_eq!(
        refusal(z, "1, x", "1"),
        "\"numerator\": \"x\" is not a number: write numbers and commas, \"1, 0.5\""
    );
    assert_eq!(refusal(z, "1", "0, 0"), "\"denominator\" must have a number that is not 0");
    assert_eq!(
        refusal(z, "1, 0, 0", "1, 2"),
        "\"numerator\" is of order 2 and \"denominator\" of order 1: the numerator's must not be higher"
    );
    assert_eq!(
        refusal(z, "1", "1e-300, 1e300"),
        "the first number of \"denominator\" is too small: the others divided by it overflow"
    );
    assert_eq!(
        refusal("block.transfer-function", "1, 0", "1, 2"),
        "\"numerator\" and \"denominator\" are both of order 1: the numerator's must be lower; what \
         passes straight through is a block.gain beside it"
    );
    let refused = refusal("block.transfer-function", "1", "2");
    assert!(refused.contains("both of order 0"), "{refused}");
    let refused =
        rig.refusal("block.integrator", &[("initial", real(3.0)), ("highest", real(2.0))]);
    assert!(refused.starts_with("\"initial\" (3) must lie between"), "{refused}");
}
