//! Every kind of fault, on outputs, inputs and components.

mod systems;

use systems::{Ran, run_text};

/// A counter, a reader with a fault on its way, and one without.
fn with_fault(fault: &str) -> Ran {
    run_text(&format!(
        r#"
        duration = "9 ms"
        seed = 3
        [system.counter]
        type = "test.counter"
        [system.faulty]
        type = "test.sampler"
        in.u = "counter.count"
        [system.healthy]
        type = "test.sampler"
        in.u = "counter.count"
        [[fault]]
        name = "the fault"
        from = "3 ms"
        until = "6 ms"
        {fault}
        [[record]]
        signals = ["*"]
        "#
    ))
}

fn seen(ran: &Ran, channel: &str) -> Vec<f64> {
    ran.values(channel).into_iter().map(|(_, value)| value).collect()
}

const HEALTHY: [f64; 10] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];

#[test]
fn a_fault_on_an_input_hits_one_reader_only() {
    let ran = with_fault("signal = \"faulty.u\"\nbias = 100");
    assert_eq!(seen(&ran, "faulty.y"), [1.0, 2.0, 3.0, 104.0, 105.0, 106.0, 7.0, 8.0, 9.0, 10.0]);
    assert_eq!(seen(&ran, "healthy.y"), HEALTHY);
}

#[test]
fn a_fault_on_an_output_hits_all_readers() {
    let ran = with_fault("signal = \"counter.count\"\nscale = -2");
    let hit = [1.0, 2.0, 3.0, -8.0, -10.0, -12.0, 7.0, 8.0, 9.0, 10.0];
    assert_eq!(seen(&ran, "faulty.y"), hit);
    assert_eq!(seen(&ran, "healthy.y"), hit);
}

#[test]
fn a_stuck_signal_keeps_the_value_it_had() {
    let ran = with_fault("signal = \"faulty.u\"\nstuck = true");
    assert_eq!(seen(&ran, "faulty.y"), [1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 7.0, 8.0, 9.0, 10.0]);
}

#[test]
fn a_delayed_signal_comes_later() {
    let ran = with_fault("signal = \"faulty.u\"\ndelay = \"2 ms\"");
    // What was written at 3, 4 and 5 ms comes at 5, 6 and 7 ms; from 6 ms on nothing is delayed any more.
    let seen = seen(&ran, "faulty.y");
    assert_eq!(seen[..6], [1.0, 2.0, 3.0, 3.0, 3.0, 4.0]);
    assert_eq!(seen[8..], [9.0, 10.0]);
}

#[test]
fn dropped_values_leave_the_last_one() {
    let ran = with_fault("signal = \"faulty.u\"\ndrop = 1.0");
    assert_eq!(seen(&ran, "faulty.y"), [1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 7.0, 8.0, 9.0, 10.0]);
    let ran = with_fault("signal = \"faulty.u\"\ndrop = 0.0");
    assert_eq!(seen(&ran, "faulty.y"), HEALTHY);
}

#[test]
fn noise_is_the_same_in_every_run_and_only_where_it_belongs() {
    let (one, two) = (
        with_fault("signal = \"counter.count\"\nnoise = 0.5"),
        with_fault("signal = \"counter.count\"\nnoise = 0.5"),
    );
    let noisy = seen(&one, "faulty.y");
    assert_eq!(noisy, seen(&two, "faulty.y"));
    assert_eq!(noisy, seen(&one, "healthy.y"));
    assert_eq!(noisy[..3], HEALTHY[..3]);
    assert!((3..6).all(|k| noisy[k] != HEALTHY[k] && (noisy[k] - HEALTHY[k]).abs() < 3.0));
    assert_eq!(noisy[6..], HEALTHY[6..]);
}

#[test]
fn a_broken_component_stands_still_and_resumes_on_its_grid() {
    let ran = with_fault("component = \"counter\"");
    // No steps at 3, 4 and 5 ms.
    assert_eq!(seen(&ran, "counter.count"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(seen(&ran, "healthy.y"), [1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
}

#[test]
fn a_fault_by_condition_acts_while_it_holds() {
    let ran = run_text(
        r#"
        duration = "9 ms"
        [system.counter]
        type = "test.counter"
        [system.faulty]
        type = "test.sampler"
        in.u = "counter.count"
        [[fault]]
        name = "in the middle"
        signal = "faulty.u"
        override = 0
        when = "counter.count >= 4 and counter.count < 7"
        [[record]]
        signals = ["faulty.y"]
        "#,
    );
    // The condition is seen when the instant has settled, so the step after it is the first that is hit.
    assert_eq!(seen(&ran, "faulty.y"), [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 8.0, 9.0, 10.0]);
    let faults: Vec<(u64, &str)> = ran
        .outcomes
        .events
        .iter()
        .filter(|e| e.kind == "fault")
        .map(|e| (e.time.as_ps() / 1_000_000_000, e.text.as_str()))
        .collect();
    assert_eq!(faults, [(3, "begins"), (6, "ends")]);
}

#[test]
fn two_faults_on_one_signal_act_one_after_the_other() {
    let ran = run_text(
        r#"
        duration = "4 ms"
        [system.counter]
        type = "test.counter"
        [system.reader]
        type = "test.sampler"
        in.u = "counter.count"
        [[fault]]
        name = "first"
        signal = "counter.count"
        bias = 10
        from = "2 ms"
        [[fault]]
        name = "second"
        signal = "counter.count"
        scale = 2
        from = "2 ms"
        [[record]]
        signals = ["reader.y"]
        "#,
    );
    assert_eq!(seen(&ran, "reader.y"), [1.0, 2.0, 26.0, 28.0, 30.0]);
}

#[test]
fn messages_can_be_lost_and_come_late() {
    let messages = |fault: &str| {
        let ran = run_text(&format!(
            r#"
            duration = "30 ms"
            [system.counter]
            type = "test.counter"
            [system.tenths]
            type = "test.messages"
            in.heard = "counter.tenth"
            [[fault]]
            name = "radio"
            signal = "tenths.heard"
            from = "5 ms"
            until = "15 ms"
            {fault}
            [[record]]
            signals = ["tenths.last"]
            "#
        ));
        ran.values("tenths.last")
    };
    let all = [(0.0, 1.0), (10_000.0, 11.0), (20_000.0, 21.0), (30_000.0, 31.0)];
    assert_eq!(messages("drop = 0.0"), all);
    assert_eq!(messages("drop = 1.0"), [all[0], all[2], all[3]]);
    assert_eq!(messages("delay = \"3 ms\""), [all[0], (13_000.0, 11.0), all[2], all[3]]);
}

#[test]
fn faults_of_a_component_that_overlap_or_meet_keep_it_still_until_the_last_ends() {
    let ran = run_text(
        r#"
        duration = "9 ms"
        [system.counter]
        type = "test.counter"
        [[fault]]
        name = "third"
        component = "counter"
        from = "4 ms"
        until = "6 ms"
        [[fault]]
        name = "first"
        component = "counter"
        from = "1 ms"
        until = "3 ms"
        [[fault]]
        name = "second"
        component = "counter"
        from = "2 ms"
        until = "4 ms"
        [[record]]
        signals = ["counter.count"]
        "#,
    );
    let times: Vec<f64> = ran.values("counter.count").into_iter().map(|(us, _)| us).collect();
    assert_eq!(times, [0.0, 6_000.0, 7_000.0, 8_000.0, 9_000.0]);
}

#[test]
fn the_noise_of_a_fault_does_not_depend_on_other_faults() {
    let noisy = |other: &str| {
        let ran = run_text(&format!(
            r#"
            duration = "9 ms"
            [system.counter]
            type = "test.counter"
            [system.reader]
            type = "test.sampler"
            in.u = "counter.count"
            [[fault]]
            name = "noise"
            signal = "counter.count"
            noise = 1.0
            {other}
            [[record]]
            signals = ["reader.y"]
            "#
        ));
        seen(&ran, "reader.y")
    };
    let bias = "[[fault]]\nname = \"b\"\nsignal = \"counter.count\"\nbias = 100\nfrom = \"2.5 ms\"\nuntil = \"4.5 ms\"";
    let (alone, biased) = (noisy(""), noisy(bias));
    assert_eq!(alone[..3], biased[..3]);
    assert!((3..5).all(|k| (biased[k] - alone[k] - 100.0).abs() < 1e-12));
    assert_eq!(alone[5..], biased[5..]);
}

/// A ramp of 1 per second, sampled, with a fault on the ramp itself.
fn ramp_with(fault: &str) -> Vec<f64> {
    let ran = run_text(&format!(
        r#"
        duration = "5 s"
        [system.ramp]
        type = "test.ramp"
        [system.sampler]
        type = "adapter.sample"
        rate = "1 Hz"
        in.in = "ramp.level"
        {fault}
        [[record]]
        signals = ["sampler.out"]
        "#
    ));
    seen(&ran, "sampler.out")
}

#[test]
fn faults_on_a_continuous_signal_hit_its_value_at_every_instant() {
    let fault = |what: &str| {
        ramp_with(&format!(
            "[[fault]]\nname = \"f\"\nsignal = \"ramp.level\"\n{what}\nfrom = \"1.5 s\"\nuntil = \"3.5 s\""
        ))
    };
    let close = |a: Vec<f64>, b: [f64; 6]| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
    };
    close(ramp_with(""), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    close(fault("stuck = true"), [0.0, 1.0, 1.5, 1.5, 4.0, 5.0]);
    close(fault("override = 9.0"), [0.0, 1.0, 9.0, 9.0, 4.0, 5.0]);
    close(fault("bias = 10"), [0.0, 1.0, 12.0, 13.0, 4.0, 5.0]);
    close(fault("scale = 2"), [0.0, 1.0, 4.0, 6.0, 4.0, 5.0]);
}

#[test]
fn a_continuous_component_that_is_stopped_holds_its_outputs() {
    let seen = ramp_with(
        "[[at]]\ntime = \"1.5 s\"\nstop = \"ramp\"\n[[at]]\ntime = \"3.5 s\"\nstart = \"ramp\"",
    );
    // It stands at 1.5 for two seconds and goes on from there.
    let expected = [0.0, 1.0, 1.5, 1.5, 2.0, 3.0];
    assert!(seen.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{seen:?}");
}
