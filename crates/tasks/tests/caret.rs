//! A real ROS 2 system, traced and imported: the simulation takes as long along its chain as the system did.
//!
//! The trace is that of CARET's sample, in `../shared/data` beside the project or where `IRONBIRD_DATA` says.

use std::path::{Path, PathBuf};

use ironbird_kernel::Seed;
use ironbird_tasks::{Drawn, ImportError, Imported, Kind, Rules, Timetable, import, latencies};
use ironbird_traces::Distribution;
use ironbird_traces::caret::Architecture;
use ironbird_traces::ctf::Trace;
use ironbird_traces::measured::Measured;
use ironbird_traces::ros2::Observed;

const SECOND: u64 = 1_000_000_000;

/// One number that tells something of many.
type Figure = fn(&Distribution) -> Option<i64>;

fn measured() -> Option<Measured> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("traces/caret");
    if !folder.is_dir() {
        println!("skipped: there is no {}; IRONBIRD_DATA names the folder", folder.display());
        return None;
    }
    let trace = Trace::open(&folder.join("end_to_end_sample")).unwrap();
    let architecture = Architecture::read(&folder.join("architecture.yaml")).unwrap();
    Some(Measured::new(&architecture, &Observed::from_events(trace.events())))
}

fn simulated(imported: &Imported, seed: u64) -> Distribution {
    let seed = Seed { seed, repetition: 0 };
    let times = Drawn::new(&imported.system, seed);
    let timetable = Timetable::until(&imported.system, times, 60 * SECOND).unwrap();
    let found = latencies(&imported.system, &timetable, &imported.chains[0]);
    found.into_iter().map(|latency| (latency.finish - latency.start) as i64).collect()
}

#[test]
fn every_callback_becomes_a_task() {
    let Some(measured) = measured() else { return };
    let imported = import(&measured, Rules::Eloquent).unwrap();
    let system = &imported.system;
    assert_eq!((system.ecus.len(), system.tasks.len(), system.transactions.len()), (1, 8, 3));
    assert_eq!(imported.notes, Vec::<String>::new());
    let timers = system.tasks.iter().filter(|task| task.kind == Kind::Timer);
    assert!(timers.clone().all(|task| task.clock.unwrap().period == SECOND / 10));
    let offsets: Vec<u64> = timers.map(|task| task.clock.unwrap().offset / 1_000_000).collect();
    assert_eq!(offsets, [6, 3, 0], "drive, sensor, timer-driven, in milliseconds");
    let driven = system.task("/message_driven_node/callback_1").unwrap();
    assert_eq!(system.tasks[driven].after, [system.task("/drive_node/callback_0").unwrap()]);
    assert_eq!(
        system.tasks[driven].samples,
        [system.task("/message_driven_node/callback_0").unwrap()]
    );
    assert_eq!(imported.chains[0].len(), 7);
}

#[test]
fn the_latencies_of_the_chain_are_the_measured_ones_within_ten_percent() {
    let Some(measured) = measured() else { return };
    let imported = import(&measured, Rules::Eloquent).unwrap();
    let real = measured.path("target").unwrap().latency.clone();
    for seed in 1..=10 {
        let simulated = simulated(&imported, seed);
        println!("simulated: {simulated}\nmeasured:  {real}");
        assert!(simulated.count() > 500);
        let figures: [(&str, Figure); 4] = [
            ("min", Distribution::min),
            ("median", Distribution::median),
            ("mean", Distribution::mean),
            ("p95", |latencies| latencies.quantile(950)),
        ];
        for (name, figure) in figures {
            let (simulated, real) = (figure(&simulated).unwrap(), figure(&real).unwrap());
            assert!(
                (simulated - real).abs() * 10 <= real,
                "{name} with seed {seed}: {simulated} ns simulated, {real} ns measured"
            );
        }
    }
}

/// Everything that the sample has, without what `forget` takes away.
fn imported_without(forget: fn(&mut Measured)) -> Option<Result<Imported, ImportError>> {
    let mut measured = measured()?;
    forget(&mut measured);
    Some(import(&measured, Rules::Eloquent))
}

#[test]
fn a_system_without_timers_is_refused() {
    let forget = |measured: &mut Measured| {
        measured.callbacks.iter_mut().for_each(|callback| callback.releases = None);
    };
    let Some(result) = imported_without(forget) else { return };
    assert_eq!(result, Err(ImportError::NoTimer));
}

#[test]
fn callbacks_that_nothing_starts_are_left_out_and_told() {
    let forget = |measured: &mut Measured| measured.communications.clear();
    let Some(result) = imported_without(forget) else { return };
    let imported = result.unwrap();
    assert_eq!((imported.system.tasks.len(), imported.notes.len()), (3, 5));
    assert_eq!(
        imported.notes[0],
        "/actuator_dummy_node/callback_0 is left out: nothing in the trace starts it"
    );
    assert_eq!(imported.chains, [Vec::<usize>::new()]);
    assert!(imported.system.buses.is_empty());
}
