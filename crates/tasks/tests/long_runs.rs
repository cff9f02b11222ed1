//! Runs over many hyper-periods, in which the guider is refilled job by job; and big systems.

#[path = "naive/draw.rs"]
mod draw;
#[path = "naive/peak_heap.rs"]
mod peak_heap;
#[path = "naive/simulation.rs"]
mod simulation;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use draw::Draw;
use ironbird_document::Source;
use ironbird_tasks::{
    Carrier, Extreme, Guider, Policy, Reading, Simulation, System, Timetable, Verdict, parse,
};
use peak_heap::peak_of;

/// ECUs in a ring with a chain of four tasks for every second one.
fn ring(ecus: usize, speed: &str) -> System {
    let mut text = format!("sim_speed = {speed}\n");
    for number in 0..ecus {
        let _ = writeln!(text, "[[ecu]]\nname = \"ecu{number}\"");
    }
    for chain in 0..ecus / 2 {
        let period = [10_000, 20_000, 25_000, 50_000][chain % 4];
        let _ = writeln!(text, "[[transaction]]");
        for place in 0..4 {
            let ecu = (2 * chain + 3 * place) % ecus;
            let rest = match place {
                0 => format!("period = {period}\nreads_physical = true"),
                3 => "writes_physical = true".into(),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "[[transaction.task]]\necu = \"ecu{ecu}\"\nexecution = 1000\n{rest}"
            );
        }
    }
    let source = Source { name: "ring".into(), folder: PathBuf::new(), text };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{}", problems.render(false, 100)))
}

fn policies() -> [Policy; 3] {
    [Policy::Ours, Policy::AllSync, Policy::TrueTime(Reading::Timers)]
}

#[test]
fn a_thousand_hyper_periods_need_no_more_memory_than_three_and_end_alike() {
    let system = ring(10, "3.3");
    let timetable = Timetable::of(&system).expect("a timetable");
    let guider = Guider::new(&system, &timetable).expect("one speed");
    let (first, length) = guider.cycle.expect("it repeats");
    let turn = (guider.nodes.len() - first) as u64;
    for policy in policies() {
        let run = |turns: u64| {
            let how = Simulation { policy, cores: 2, turns, stops_when_late: false };
            // Finishes in the last turn, counted from its beginning.
            let mut last: Vec<u64> = vec![0; guider.nodes.len()];
            peak_of(|| {
                let verdict = how.run(&guider, |done| {
                    if done.turn + 1 == turns {
                        last[done.node] = done.finish - done.turn * length;
                    }
                });
                assert_eq!(verdict.jobs, guider.nodes.len() as u64 + (turns - 1) * turn);
                assert!(verdict.is_simulatable(), "{}", policy.name());
                last
            })
        };
        let (short, of_three) = run(3);
        let (long, of_thousand) = run(1000);
        assert!(of_three > 0, "something is counted");
        assert_eq!(of_thousand, of_three, "{}", policy.name());
        assert_eq!(long[first..], short[first..], "{}", policy.name());
    }
}

/// The simulation over `turns` turns of the cycle is that of a timetable which has them all one by one.
fn check_against_unrolled(system: &System, timetable: &Timetable, turns: u64) {
    let guider = Guider::new(system, timetable).expect("one speed");
    let cycle = timetable.cycle.expect("it repeats");
    let turn = timetable.jobs.len() - cycle.first;
    let count = timetable.jobs.len() + (turns as usize - 1) * turn;
    // Deadlines of the last turns come from writes of some later ones.
    let horizon = cycle.from + cycle.length * (turns + 4);
    let unrolled = Timetable::until(system, Extreme::worst(system), horizon).expect("few jobs");
    let mut nodes = simulation::nodes(system, &unrolled, guider.scale);
    nodes.truncate(count);
    for policy in policies() {
        for cores in [1, 2] {
            let expected = simulation::simulate(&nodes, policy, cores);
            let mut seen = vec![(0, 0); count];
            let how = Simulation { policy, cores, turns, stops_when_late: false };
            how.run(&guider, |done| {
                let number = done.node + done.turn as usize * turn;
                let node = &nodes[number];
                let real = (done.real_start, done.real_finish, done.deadline);
                assert_eq!(real, (node.start, node.finish, node.deadline), "{number}");
                seen[number] = (done.start, done.finish);
            });
            assert_eq!(seen, expected, "{} on {cores} cores", policy.name());
        }
    }
}

#[test]
fn the_guider_that_repeats_is_the_guider_of_all_turns_one_by_one() {
    let mut numbers = draw::numbers("long runs", 0);
    // With a beginning of their own, with samples, with TDMA slots.
    let (mut checked, mut with_prefix, mut with_samples, mut with_slots) = (0, 0, 0, 0);
    while checked < 2000 {
        let system = draw::system(&mut numbers, Draw::LightLoad);
        let Ok(timetable) = Timetable::of(&system) else { continue };
        if timetable.jobs.len() > 200 {
            continue;
        }
        check_against_unrolled(&system, &timetable, 3);
        checked += 1;
        with_prefix += u64::from(timetable.cycle.is_some_and(|cycle| cycle.first > 0));
        with_samples += u64::from(!timetable.sampled.is_empty());
        let is_tdma = |bus: &ironbird_tasks::Bus| matches!(bus.carrier, Carrier::CanTdma { .. });
        with_slots += u64::from(system.buses.iter().any(is_tdma));
    }
    let each = [with_prefix, with_samples, with_slots];
    assert!(each.iter().all(|count| *count > 150), "{each:?}");
}

#[test]
fn a_hundred_ecus_are_simulated_on_eight_cores_and_not_on_one() {
    let system = ring(100, "10");
    let timetable = Timetable::of(&system).expect("a timetable");
    let guider = Guider::new(&system, &timetable).expect("one speed");
    let run = |policy, cores| {
        let mut spans = vec![(0, 0); guider.nodes.len()];
        let how = Simulation { policy, cores, turns: 1, stops_when_late: false };
        let verdict = how.run(&guider, |done| spans[done.node] = (done.start, done.finish));
        assert_eq!(verdict.jobs, timetable.jobs.len() as u64);
        for (before, after) in guider.edges() {
            assert!(spans[before].1 <= spans[after].0, "{before} before {after}");
        }
        (verdict.is_simulatable(), spans)
    };
    assert!(run(Policy::Ours, 8).0);
    assert!(!run(Policy::Ours, 1).0);
    // What is not interrupted keeps a core busy from start to finish.
    let (_, spans) = run(Policy::AllSync, 8);
    let busy = |at: u64| spans.iter().filter(|(start, end)| *start <= at && at < *end).count();
    assert_eq!(spans.iter().map(|(start, _)| busy(*start)).max(), Some(8));
}

/// A chain whose message is on its way for three and a half hyper-periods.
fn long_way(speed: &str) -> (Verdict, u64) {
    let text = format!(
        "time_unit = 'ms'\nsim_speed = {speed}\n[[ecu]]\nname = 'a'\n[[ecu]]\nname = 'b'\n\
         [[bus]]\nkind = 'constant'\necus = ['a', 'b']\nlatency = 35\n\
         [[transaction]]\n\
         task = [{{ ecu = 'a', period = 10, execution = 1 }}, \
                 {{ ecu = 'b', execution = 1, writes_physical = true }}]"
    );
    let source = Source { name: "long-way.toml".into(), folder: ".".into(), text };
    let system = parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{problems}"));
    let timetable = Timetable::of(&system).expect("a timetable");
    let guider = Guider::new(&system, &timetable).expect("a guider");
    let how = Simulation { policy: Policy::Ours, cores: 1, turns: 1000, stops_when_late: false };
    let mut readers = 0;
    let verdict = how.run(&guider, |done| readers += u64::from(guider.nodes[done.node].writes));
    (verdict, readers)
}

#[test]
fn a_message_may_be_on_its_way_for_several_turns() {
    let (verdict, readers) = long_way("2");
    assert!(verdict.is_simulatable());
    assert!(readers >= 999, "every turn has a job that reads: {readers}");
    // 10.5 ms of work in every 10 ms.
    let (verdict, readers) = long_way("0.19");
    assert!(!verdict.is_simulatable());
    assert!(readers >= 999, "{readers}");
}
