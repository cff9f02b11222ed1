//! Scenarios: repetitions, bindings, calls, spawned components, shared parameters, requirements.

mod systems;

use ironbird_kernel::{Sharing, Time};
use ironbird_record::Status;
use ironbird_runner::{Ending, How};
use systems::{experiment, run_text, run_with};

/// Two dice that do not know each other, and one that comes and goes.
const DICE: &str = r#"
    duration = "1 s"
    seed = 5
    [template.pair.one]
    type = "test.dice"
    [template.pair.two]
    type = "test.dice"
    [system.first]
    type = "template.pair"
    [system.guest]
    type = "template.pair"
    enabled = false
    [system.listener]
    type = "test.sampler"
    rate = "50 Hz"
    in.u = { from = "first.one.number", latency = "3 ms" }
    [[record]]
    signals = ["*"]
"#;

#[test]
fn a_guest_leaves_the_numbers_of_all_others_as_they_were() {
    let alone = run_text(DICE);
    let visited = run_text(&format!(
        "{DICE}\n[[at]]\ntime = \"200 ms\"\nspawn = \"guest\"\n[[at]]\ntime = \"700 ms\"\nremove = \"guest\"\n"
    ));
    for channel in ["first.one.number", "first.two.number", "listener.y"] {
        assert_eq!(alone.values(channel), visited.values(channel), "{channel}");
    }
    let guest = visited.values("guest.one.number");
    assert_eq!(guest.first().map(|(us, _)| *us), Some(200_000.0));
    assert_eq!(guest.last().map(|(us, _)| *us), Some(690_000.0));
    assert_eq!(guest.len(), 50);
    assert!(alone.recording.channels.iter().all(|c| c.messages > 0 || c.name.starts_with("guest")));
}

#[test]
fn spawning_and_removing_gives_the_same_file_on_any_number_of_partitions() {
    let text = format!(
        "{DICE}\n[[at]]\ntime = \"200 ms\"\nspawn = \"guest\"\n[[at]]\ntime = \"700 ms\"\nremove = \"guest\"\n"
    );
    let experiment = experiment(&text);
    let sharing = Sharing::Always;
    let on =
        |partitions| run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0);
    let one = on(1);
    for partitions in [2, 3, 4, 8] {
        let several = on(partitions);
        assert!(several.outcomes.statistics.placement.partitions > 1);
        assert_eq!(one.outcomes.hash, several.outcomes.hash);
        assert!(one.file == several.file, "the files differ on {partitions} partitions");
    }
}

/// All that a scenario can do, beside components that are placed on threads.
const PLACED: &str = r#"
    duration = "1 s"
    seed = 5
    [system.near]
    type = "test.counter"
    placement = 3
    [system.far]
    type = "test.mirror"
    placement = 40
    in.u = { from = "near.count", latency = "1 ms" }
    [system.tank]
    type = "test.tank"
    placement = 40
    [system.guest]
    type = "test.dice"
    enabled = false
    placement = 7
    [[fault]]
    name = "too much"
    signal = "near.count"
    scale = 2.0
    from = "100 ms"
    until = "300 ms"
    [[fault]]
    name = "too little"
    signal = "far.y"
    bias = -3.0
    when = "far.y > 500 for 3 ms"
    [[at]]
    time = "50 ms"
    set."near.by" = 2.5
    [[at]]
    time = "60 ms"
    stop = "near"
    [[at]]
    time = "70 ms"
    start = "near"
    [[at]]
    time = "200 ms"
    spawn = "guest"
    [[at]]
    time = "250 ms"
    call = { service = "tank.fill", amount = "2 l" }
    [[at]]
    time = "700 ms"
    remove = "guest"
    [[when]]
    name = "enough"
    condition = "far.y > 40 for 5 ms"
    call = { service = "tank.fill", amount = "1 l" }
    [[scenario.all.end]]
    call = { service = "tank.fill", amount = "3 l" }
    [[require]]
    name = "little"
    formula = "always (near.count < 1000)"
    [[record]]
    signals = ["*"]
"#;

#[test]
fn a_scenario_goes_with_components_that_are_placed_by_number() {
    let placed = run_text(PLACED).outcomes;
    assert_eq!(placed.statistics.placement.partitions, 2, "the guest has gone");
    let lines = PLACED.lines().filter(|line| !line.contains("placement"));
    let free = run_text(&lines.collect::<Vec<_>>().join("\n")).outcomes;
    assert_eq!(free.statistics.placement.partitions, 1);
    assert_eq!(placed.hash, free.hash);
    assert_eq!((placed.verdicts, placed.events), (free.verdicts, free.events));
}

#[test]
fn repetitions_differ_and_each_comes_again() {
    let experiment = experiment(&format!("{DICE}\n[scenario.often]\nrepeat = 3\n"));
    assert_eq!(experiment.scenarios[0].repeat, 3);
    let hash = |repetition| run_with(&experiment, 0, How::default(), repetition).outcomes.hash;
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(0), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn a_scenario_chooses_who_answers_at_the_start_and_later() {
    let text = r#"
        duration = "3 ms"
        [system.model]
        type = "test.level"
        height = 1.0
        [system.file]
        type = "test.level"
        height = 100.0
        [system.asker]
        type = "test.asker"
        bind.level = "model"
        [scenario.plain]
        [scenario.other]
        bind = { asker.level = "file" }
        [scenario.later]
        [[scenario.later.at]]
        time = "2 ms"
        bind = { asker.level = "file" }
        [[record]]
        signals = ["asker.answer"]
    "#;
    let experiment = experiment(text);
    let answers = |scenario| -> Vec<f64> {
        let ran = run_with(&experiment, scenario, How::default(), 0);
        ran.values("asker.answer").into_iter().map(|(_, answer)| answer).collect()
    };
    assert_eq!(answers(0), [1.5, 1.5, 1.5, 1.5]);
    assert_eq!(answers(1), [100.5, 100.5, 100.5, 100.5]);
    assert_eq!(answers(2), [1.5, 1.5, 100.5, 100.5]);
}

#[test]
fn a_service_of_a_provider_sets_its_parameters_at_its_instant() {
    let ran = run_text(
        r#"
        duration = "3 ms"
        [system.level]
        type = "test.level"
        [system.asker]
        type = "test.asker"
        bind.level = "level"
        [[at]]
        time = "2 ms"
        call = { service = "level.set-level", height = 7.0, slope = 0.0 }
        [[record]]
        signals = ["asker.answer"]
        "#,
    );
    let answers: Vec<f64> = ran.values("asker.answer").into_iter().map(|(_, a)| a).collect();
    assert_eq!(answers, [0.5, 0.5, 7.0, 7.0]);
}

#[test]
fn a_scenario_binds_what_the_system_leaves_open() {
    let text = r#"
        duration = "1 ms"
        [system.low]
        type = "test.level"
        [system.high]
        type = "test.level"
        height = 100.0
        [system.asker]
        type = "test.asker"
        [system.ones]
        type = "test.counter"
        [system.tens]
        type = "test.counter"
        by = 10.0
        [system.reader]
        type = "test.sampler"
        [scenario.first]
        bind = { asker.level = "low", reader.u = "ones.count" }
        [[scenario.first.at]]
        time = "0 s"
        stop = ["high", "tens"]
        [scenario.second]
        bind = { asker.level = "high", reader.u = { from = "tens.count", value = "previous" } }
        [[record]]
        signals = ["asker.answer", "reader.y", "tens.count"]
    "#;
    let experiment = experiment(text);
    let last = |scenario, channel| {
        let ran = run_with(&experiment, scenario, How::default(), 0);
        ran.values(channel).last().map(|(_, value)| *value)
    };
    let ones = last(0, "reader.y").expect("it is recorded");
    assert!(ones > 0.0);
    assert_eq!(last(0, "asker.answer"), Some(0.5));
    assert_eq!(last(0, "tens.count"), Some(0.0), "it is stopped");
    assert_eq!(last(1, "asker.answer"), Some(100.5));
    // One step earlier, and ten times as much.
    assert_eq!(last(1, "reader.y"), Some(10.0 * (ones - 1.0)));
}

#[test]
fn the_delay_of_a_component_comes_on_top_of_the_latency_of_its_links() {
    let ran = run_text(
        r#"
        duration = "10 ms"
        [system.counter]
        type = "test.counter"
        delay = "3 ms"
        [system.direct]
        type = "test.sampler"
        in.u = "counter.count"
        [system.late]
        type = "test.sampler"
        in.u = { from = "counter.count", latency = "2 ms" }
        [[record]]
        signals = ["counter.count", "direct.y", "late.y"]
        "#,
    );
    let last = |channel| ran.values(channel).last().map(|(_, value)| *value);
    let count = last("counter.count").expect("it is recorded");
    assert_eq!(last("direct.y"), Some(count - 3.0));
    assert_eq!(last("late.y"), Some(count - 5.0));
}

#[test]
fn services_are_called_at_their_instant_and_at_the_end() {
    let ran = run_text(
        r#"
        duration = "5 ms"
        [system.tank]
        type = "test.tank"
        [[at]]
        time = "1.5 ms"
        call = { service = "tank.fill", amount = "500 ml" }
        [[at]]
        time = "3 ms"
        call = [{ service = "tank.fill", amount = "1 l" }, { service = "tank.fill", amount = "2 l" }]
        [scenario.only]
        [[scenario.only.end]]
        call = { service = "tank.fill", amount = "10 l" }
        [[record]]
        signals = ["tank.contents"]
        "#,
    );
    let litres = ran.values("tank.contents");
    assert_eq!(litres[..3], [(0.0, 0.0), (1_500.0, 0.5), (3_000.0, 3.5)]);
    assert_eq!(litres[3].1, 13.5);
    assert_eq!(ran.outcomes.at, Time::from_ps(5_000_000_000));
}

#[test]
fn a_shared_parameter_follows_at_once_or_one_instant_later() {
    let ran = run_text(
        r#"
        duration = "3 ms"
        [system.leader]
        type = "test.counter"
        by = 2.0
        [system.current]
        type = "test.counter"
        by = { from = "leader.by" }
        [system.previous]
        type = "test.counter"
        by = { from = "leader.by", value = "previous" }
        [[at]]
        time = "2 ms"
        set = { leader.by = 10.0 }
        [[record]]
        signals = ["*.count"]
        "#,
    );
    let counts = |name: &str| -> Vec<f64> {
        ran.values(&format!("{name}.count")).into_iter().map(|(_, count)| count).collect()
    };
    assert_eq!(counts("leader"), [2.0, 4.0, 14.0, 24.0]);
    assert_eq!(counts("current"), [2.0, 4.0, 14.0, 24.0]);
    assert_eq!(counts("previous"), [2.0, 4.0, 6.0, 16.0]);
}

#[test]
fn requirements_are_judged_and_may_end_the_run() {
    let text = |stop: bool| {
        format!(
            r#"
            duration = "20 ms"
            [system.counter]
            type = "test.counter"
            [[require]]
            name = "small"
            formula = "always counter.count <= 12"
            stop = {stop}
            [[require]]
            name = "grows"
            formula = "eventually[0, 10 ms] counter.count >= 10"
            [[require]]
            name = "far"
            formula = "eventually[0, 1 s] counter.count > 1000"
            "#
        )
    };
    let whole = run_text(&text(false)).outcomes;
    assert_eq!(whole.ending, Ending::Finished);
    let status: Vec<Status> = whole.verdicts.iter().map(|v| v.status).collect();
    assert_eq!(status, [Status::Failed, Status::Passed, Status::Undecided]);
    assert_eq!(whole.verdicts[0].margin, "-9");
    assert!(whole.verdicts[0].first_violation.starts_with("0.012 s: counter.count <= 12"));
    let stopped = run_text(&text(true)).outcomes;
    assert_eq!(stopped.ending, Ending::Violated("small".into()));
    assert_eq!(stopped.at, Time::from_ps(12_000_000_000));
}

#[test]
fn a_stop_condition_ends_the_run_at_its_instant_on_any_number_of_partitions() {
    let text = r#"
        duration = "1 s"
        [system.counter]
        type = "test.counter"
        [system.far]
        type = "test.sampler"
        in.u = { from = "counter.count", latency = "2 ms" }
        [[stop]]
        name = "enough"
        condition = "far.y >= 30"
        [[record]]
        signals = ["*"]
    "#;
    let experiment = experiment(text);
    let sharing = Sharing::Always;
    let on =
        |partitions| run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0);
    let one = on(1);
    assert_eq!(one.outcomes.ending, Ending::Stopped("enough".into()));
    // 30 is counted at 29 ms and arrives at 31 ms.
    assert_eq!(one.outcomes.at, Time::from_ps(31_000_000_000));
    assert_eq!(one.values("counter.count").last(), Some(&(31_000.0, 32.0)));
    let two = on(2);
    assert_eq!(two.outcomes.statistics.placement.partitions, 2);
    assert!(one.file == two.file);
}

#[test]
fn calls_go_to_whom_they_are_bound_at_the_time() {
    let ran = run_text(
        r#"
        duration = "40 ms"
        [system.pump]
        type = "test.pump"
        bind.fill = "left.fill"
        [system.left]
        type = "test.tank"
        [system.right]
        type = "test.tank"
        [[at]]
        time = "15 ms"
        bind = { pump.fill = { to = "right.fill", latency = "2 ms" } }
        [[record]]
        signals = ["*.contents"]
        "#,
    );
    assert_eq!(ran.values("left.contents"), [(0.0, 1.0), (10_000.0, 2.0)]);
    let right = [(0.0, 0.0), (22_000.0, 1.0), (32_000.0, 2.0)];
    assert_eq!(ran.values("right.contents"), right);
}

#[test]
fn what_a_condition_starts_and_stops_is_started_and_stopped() {
    let ran = run_text(
        r#"
        duration = "9 ms"
        [system.counter]
        type = "test.counter"
        [system.other]
        type = "test.counter"
        [[when]]
        condition = "counter.count == 3"
        stop = "other"
        [[when]]
        condition = "counter.count == 6"
        start = "other"
        set = { other.by = 10.0 }
        [[record]]
        signals = ["other.count"]
        "#,
    );
    // 3 is counted at 2 ms and seen when that instant has settled: the other one has made its step by
    // then. 6 is counted at 5 ms, and in the new round of that instant a tick is due that it has not made.
    let expected = [
        (0.0, 1.0),
        (1_000.0, 2.0),
        (2_000.0, 3.0),
        (5_000.0, 13.0),
        (6_000.0, 23.0),
        (7_000.0, 33.0),
        (8_000.0, 43.0),
        (9_000.0, 53.0),
    ];
    assert_eq!(ran.values("other.count"), expected);
}

#[test]
fn a_spawned_component_can_be_set_and_follow_from_its_start_on() {
    let ran = run_text(
        r#"
        duration = "5 ms"
        [system.leader]
        type = "test.counter"
        [system.late]
        type = "test.counter"
        by = { from = "leader.by" }
        enabled = false
        [[at]]
        time = "2 ms"
        spawn = "late"
        [[at]]
        time = "3 ms"
        set = { leader.by = 10.0 }
        [[record]]
        signals = ["late.count"]
        "#,
    );
    assert_eq!(
        ran.values("late.count"),
        [(2_000.0, 1.0), (3_000.0, 11.0), (4_000.0, 21.0), (5_000.0, 31.0)]
    );
}

#[test]
fn a_condition_chooses_who_answers() {
    let text = r#"
        duration = "9 ms"
        [system.counter]
        type = "test.counter"
        [system.model]
        type = "test.level"
        height = 1.0
        [system.file]
        type = "test.level"
        height = 100.0
        [system.asker]
        type = "test.asker"
        bind.level = "model"
        [system.pump]
        type = "test.pump"
        rate = "10 kHz"
        bind.fill = "left.fill"
        [system.left]
        type = "test.tank"
        [system.right]
        type = "test.tank"
        [system.far]
        type = "test.sampler"
        in.u = { from = "counter.count", latency = "1 ms" }
        [[when]]
        condition = "counter.count == 4"
        bind = { asker.level = "file", pump.fill = "right.fill" }
        [[when]]
        condition = "counter.count == 7"
        bind = { asker.level = "model", pump.fill = "left.fill" }
        [[at]]
        time = "8.5 ms"
        bind = { asker.level = "file" }
        [[record]]
        signals = ["*"]
    "#;
    let experiment = experiment(text);
    let sharing = Sharing::Always;
    let on =
        |partitions| run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0);
    let ran = on(1);
    // 4 is counted at 3 ms, 7 at 6 ms; both are seen when the instant has settled.
    let answers: Vec<f64> = ran.values("asker.answer").into_iter().map(|(_, a)| a).collect();
    assert_eq!(answers, [1.5, 1.5, 1.5, 1.5, 100.5, 100.5, 100.5, 1.5, 1.5, 100.5]);
    // Calls at every whole millisecond: 0 to 3 and 7 to 9 go to the left, 4 to 6 to the right.
    assert_eq!(ran.at("left.contents", 1e9), 7.0);
    assert_eq!(ran.at("right.contents", 1e9), 3.0);
    let several = on(3);
    assert!(several.outcomes.statistics.placement.partitions > 1);
    assert!(ran.file == several.file);
}
