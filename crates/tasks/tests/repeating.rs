//! A guider that repeats must say of every later turn what one says that was made of all of its jobs.

use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::{Extreme, Guider, Policy, Simulation, System, Timetable, parse};
use proptest::prelude::*;

fn system(text: &str) -> System {
    let source = Source { name: "test.toml".into(), folder: ".".into(), text: text.into() };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

/// Jobs as they are simulated: task, start, finish; and how many are late.
fn simulated(system: &System, timetable: &Timetable, turns: u64) -> Vec<(usize, u64, u64)> {
    let guider = Guider::new(system, timetable).expect("a guider");
    let how = Simulation { policy: Policy::AllSync, cores: 1, turns, stops_when_late: false };
    let mut done = Vec::new();
    how.run(&guider, |job| done.push((guider.nodes[job.node].task, job.start, job.finish)));
    done
}

fn agrees(system: &System) {
    let Ok(timetable) = Timetable::of(system) else { return };
    let cycle = timetable.cycle.expect("it repeats");
    let turns = 4;
    let all = cycle.from + turns * cycle.length;
    let flat = Timetable::until(system, Extreme::worst(system), all).expect("a timetable");
    assert_eq!(simulated(system, &timetable, turns), simulated(system, &flat, 1));
}

const STARVES: &str = "
    [[ecu]]\nname='e'\nexecutor='multi-threaded'\nthreads=2
    [[transaction]]\nname='A'\ntask=[{ecu='e',period=10,execution=3},{ecu='e',execution=2,group='g'}]
    [[transaction]]\nname='B'\ntask=[{ecu='e',period=5,execution=5,group='g',samples='A.1'}]";

#[test]
fn a_schedule_with_a_beginning_of_its_own_is_simulated_like_all_of_its_jobs() {
    agrees(&system(STARVES));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn repeating_guiders_are_those_of_all_jobs(
        chains in prop::collection::vec(
            (0usize..4, 0u64..12, prop::collection::vec((0usize..2, 1u64..4), 1..4), any::<bool>()), 1..5),
        executor in 0usize..3,
    ) {
        let executor = ["single-threaded", "eloquent", "fixed-priority"][executor];
        let mut text = format!(
            "[[ecu]]\nname='e0'\nexecutor='{executor}'\n[[ecu]]\nname='e1'\nexecutor='{executor}'\n\
             [[bus]]\nkind='constant'\necus=['e0','e1']\nlatency=3\n");
        for (number, (period, offset, tasks, samples)) in chains.iter().enumerate() {
            text += &format!("[[transaction]]\nname='T{number}'\n");
            for (position, (ecu, execution)) in tasks.iter().enumerate() {
                text += &format!("[[transaction.task]]\necu='e{ecu}'\nexecution={execution}\nqueue_depth=2\n");
                if position == 0 {
                    text += &format!("period={}\noffset={offset}\n", [5, 10, 12, 20][*period]);
                    if *samples && number > 0 {
                        text += &format!("samples='T{}.0'\n", number - 1);
                    }
                }
            }
        }
        agrees(&system(&text));
    }
}
