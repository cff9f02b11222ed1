//! Events happen at their exact time, not at the next step.

mod systems;

use systems::run_text;

/// A 1 kHz counter, seen by an event-driven and by a periodic component, with a fault from `from`.
fn overridden(from: &str) -> systems::Ran {
    run_text(&format!(
        r#"
        duration = "10.002 s"
        [system.counter]
        type = "test.counter"
        [system.mirror]
        type = "test.mirror"
        in.u = "counter.count"
        [system.sampler]
        type = "test.sampler"
        in.u = "counter.count"
        [[fault]]
        name = "wrong"
        signal = "counter.count"
        override = -7
        from = "{from}"
        [[record]]
        signals = ["mirror.y", "sampler.y", "counter.count"]
        "#
    ))
}

#[test]
fn a_fault_between_two_steps_acts_at_once_on_event_driven_parts() {
    let ran = overridden("10.0005 s");
    let changes = ran.values("mirror.y");
    assert!(changes.contains(&(10_000_500.0, -7.0)), "{:?}", &changes[changes.len() - 4..]);
    assert_eq!(ran.at("mirror.y", 10_000_499.0), 10_001.0);
    // What is recorded of the faulty signal is what its readers see.
    assert_eq!(ran.at("counter.count", 10_000_499.0), 10_001.0);
    assert_eq!(ran.at("counter.count", 10_000_500.0), -7.0);
}

#[test]
fn a_fault_between_two_steps_is_seen_by_the_next_step() {
    let ran = overridden("10.0005 s");
    assert_eq!(ran.at("sampler.y", 10_000_000.0), 10_001.0);
    assert_eq!(ran.at("sampler.y", 10_000_999.0), 10_001.0);
    assert_eq!(ran.at("sampler.y", 10_001_000.0), -7.0);
}

#[test]
fn a_fault_at_the_instant_of_a_step_is_seen_by_that_step() {
    let ran = overridden("10.001 s");
    assert_eq!(ran.at("sampler.y", 10_000_000.0), 10_001.0);
    assert_eq!(ran.at("sampler.y", 10_001_000.0), -7.0);
    assert_eq!(ran.at("mirror.y", 10_000_999.0), 10_001.0);
    assert_eq!(ran.at("mirror.y", 10_001_000.0), -7.0);
}

#[test]
fn parameters_change_at_the_instant_and_the_last_instant_belongs_to_the_run() {
    let ran = run_text(
        r#"
        duration = "3 ms"
        [system.counter]
        type = "test.counter"
        [[at]]
        time = "2 ms"
        set = { counter.by = 100.0 }
        [[record]]
        signals = ["counter.*"]
        "#,
    );
    let counts = [(0.0, 1.0), (1000.0, 2.0), (2000.0, 102.0), (3000.0, 202.0)];
    assert_eq!(ran.values("counter.count"), counts);
    assert_eq!(ran.values("counter.tenth"), [(0.0, 1.0)]);
}

#[test]
fn a_condition_that_must_hold_for_a_time_fires_exactly_when_it_has() {
    let text = |reset: &str| {
        format!(
            r#"
            duration = "60 ms"
            [system.counter]
            type = "test.counter"
            [system.tank]
            type = "test.tank"
            [[when]]
            name = "high for long"
            condition = "counter.count > 10 for 20.5 ms"
            call = {{ service = "tank.fill", amount = "2 l" }}
            {reset}
            [[record]]
            signals = ["tank.contents"]
            "#
        )
    };
    // The count exceeds 10 at 10 ms.
    let ran = run_text(&text(""));
    assert_eq!(ran.values("tank.contents"), [(0.0, 0.0), (30_500.0, 2.0)]);
    let fired = ran.outcomes.events.iter().find(|event| event.kind == "trigger").unwrap();
    assert_eq!((fired.name.as_str(), fired.time.as_ps()), ("high for long", 30_500_000_000));
    // Interrupted at 20 ms, it holds again from 25 ms on.
    let interrupted = r#"
        [[fault]]
        name = "low for a while"
        signal = "counter.count"
        override = 0
        from = "20 ms"
        until = "25 ms"
    "#;
    let ran = run_text(&text(interrupted));
    assert_eq!(ran.values("tank.contents"), [(0.0, 0.0), (45_500.0, 2.0)]);
}

#[test]
fn a_condition_that_ends_when_its_time_is_over_does_not_fire() {
    let ran = run_text(
        r#"
        duration = "50 ms"
        [system.counter]
        type = "test.counter"
        [system.tank]
        type = "test.tank"
        [[when]]
        name = "never"
        condition = "(counter.count > 10 and counter.count < 30) for 19 ms"
        call = { service = "tank.fill", amount = "2 l" }
        [[record]]
        signals = ["tank.contents"]
        "#,
    );
    // True from 10 ms (11) up to before 29 ms (30): 19 ms are over when it has just become false.
    assert_eq!(ran.values("tank.contents"), [(0.0, 0.0)]);
    assert!(ran.outcomes.events.iter().all(|event| event.kind != "trigger"));
}

#[test]
fn a_condition_that_holds_from_the_start_is_seen_at_the_start() {
    let ran = run_text(
        r#"
        duration = "30 ms"
        [system.tank]
        type = "test.tank"
        [system.other]
        type = "test.tank"
        [[when]]
        name = "at once"
        condition = "tank.contents < 3 l"
        call = { service = "other.fill", amount = "1 l" }
        [[when]]
        name = "after a while"
        condition = "tank.contents < 3 l for 20 ms"
        call = { service = "other.fill", amount = "10 l" }
        [[record]]
        signals = ["other.contents"]
        "#,
    );
    // Nobody ever writes the contents of the first tank.
    assert_eq!(ran.values("other.contents"), [(0.0, 1.0), (20_000.0, 11.0)]);
}
