//! How long jobs take on the simulation computer, where the file says it in whole numbers.

use std::fmt::Write;
use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::{Extreme, Guider, System, Timetable, parse};

/// Execution times of which no two have a common divisor: only their product, of 100 bits, divides by all.
const PRIMES: [u64; 6] = [99_991, 99_989, 99_971, 99_961, 99_929, 99_923];
/// What the longest job of each takes on the simulation computer.
const SIMULATED: [u64; 6] = [10_007, 20_011, 30_011, 40_009, 50_021, 99_991];

/// One task for each time. The jobs of the first may take half as long, rounded down.
fn system(best: u64) -> System {
    let mut text = String::from("time_unit = \"us\"\n[[ecu]]\nname = \"ecu\"\n");
    text += "executor = \"single-threaded\"\nrules = \"dashing\"\n";
    for (number, (worst, simulated)) in PRIMES.into_iter().zip(SIMULATED).enumerate() {
        let best = if number == 0 { best } else { worst };
        let _ = write!(
            text,
            "[[transaction]]\nname = \"T{number}\"\n[[transaction.task]]\necu = \"ecu\"\nperiod = 1_000_000\n\
             execution = {{ best = {best}, worst = {worst} }}\nsim_execution = {simulated}\n"
        );
    }
    let source = Source { name: "primes.toml".into(), folder: ".".into(), text };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// What the first job of each task costs.
fn costs(system: &System, times: Extreme) -> Vec<u64> {
    let timetable = Timetable::until(system, times, 1_000_000).expect("a schedule");
    let guider = Guider::new(system, &timetable).expect("whole numbers are exact");
    assert_eq!(guider.scale, 1, "a tick is small enough");
    let first = |task| guider.nodes.iter().find(|node| node.task == task);
    (0..PRIMES.len()).map(|task| first(task).expect("it runs").cost).collect()
}

#[test]
fn whole_times_on_the_simulation_computer_are_kept_exactly() {
    let constant = system(PRIMES[0]);
    assert_eq!(costs(&constant, Extreme::worst(&constant)), SIMULATED);
}

#[test]
fn a_shorter_job_takes_its_share_rounded_up_to_a_tick() {
    let varying = system(49_995);
    assert_eq!(costs(&varying, Extreme::worst(&varying)), SIMULATED);
    // 49 995 / 99 991 of 10 007 is 5003.45…
    let best = costs(&varying, Extreme::best(&varying));
    assert_eq!((best[0], &best[1..]), (5_004, &SIMULATED[1..]));
}
