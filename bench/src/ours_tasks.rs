//! Our side of the suite `tasks`: schedules of ECUs and their simulation, job by job, and whole studies.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::study::{Generator, Study, Vary};
use ironbird_tasks::{Extreme, Guider, Policy, Simulation, System, Timetable, parse};

use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::Side;

/// Periods of the tasks of one ECU in microseconds. Each takes 7 % of its period, which rate-monotonic
/// priorities can bear (Liu, Layland 1973: 71.8 % for ten tasks).
pub const PERIODS: [u64; 10] =
    [10_000, 20_000, 25_000, 40_000, 50_000, 100_000, 125_000, 200_000, 250_000, 500_000];

/// Execution time of a task in microseconds.
pub fn execution(period: u64) -> u64 {
    period * 7 / 100
}

/// A fifth of the tasks read, and another fifth write.
fn marks(number: usize) -> &'static str {
    match number % 5 {
        0 => "reads_physical = true\n",
        4 => "writes_physical = true\n",
        _ => "",
    }
}

fn read(text: String) -> System {
    let source = Arc::new(Source { name: "bench".into(), folder: PathBuf::new(), text });
    parse(&source).unwrap_or_else(|problems| panic!("{}", problems.render(false, 100)))
}

/// One ECU with fixed priorities.
pub fn one_ecu() -> System {
    let mut text =
        "sim_speed = 3.3\n[[ecu]]\nname = \"ecu\"\nexecutor = \"fixed-priority\"\n".to_owned();
    for (number, period) in PERIODS.into_iter().enumerate() {
        let (execution, marks) = (execution(period), marks(number));
        let _ = write!(
            text,
            "[[transaction]]\n[[transaction.task]]\necu = \"ecu\"\nperiod = {period}\n\
             execution = {execution}\n{marks}"
        );
    }
    read(text)
}

/// ECUs with a ROS 2 executor each and one chain for every second ECU: a timer there and three
/// subscriptions on those that follow.
pub fn chains(ecus: usize, cores: usize) -> System {
    let mut text = format!("sim_speed = 3.3\nsim_cores = {cores}\n");
    for number in 0..ecus {
        let _ = writeln!(text, "[[ecu]]\nname = \"ecu{number}\"");
    }
    for chain in 0..ecus / 2 {
        let period = [10_000, 20_000, 25_000, 50_000][chain % 4];
        text += "[[transaction]]\n";
        for place in 0..4 {
            let ecu = (2 * chain + 3 * place) % ecus;
            let _ = write!(text, "[[transaction.task]]\necu = \"ecu{ecu}\"\nexecution = 1000\n");
            match place {
                0 => {
                    let _ =
                        write!(text, "period = {period}\nreads_physical = {}\n", chain % 3 == 0);
                }
                3 => {
                    let _ = writeln!(text, "writes_physical = {}", chain % 3 == 1);
                }
                _ => {}
            }
        }
    }
    read(text)
}

/// Every job that starts before `horizon` is scheduled, put into a guider and simulated by policy Ours, `times`
/// times over, by the CPU time of the thread; says how many jobs that is.
pub fn jobs(build: impl Fn() -> System + 'static, horizon: u64, times: u64) -> Side {
    Box::new(move || {
        let system = build();
        by_thread_cpu_time(|| (0..times).map(|_| simulated(&system, horizon)).sum::<u64>())
    })
}

fn simulated(system: &System, horizon: u64) -> u64 {
    let timetable = Timetable::until(system, Extreme::worst(system), horizon).expect("few jobs");
    let guider = Guider::new(system, &timetable).expect("one speed");
    let cores = system.computer.cores;
    let how = Simulation { policy: Policy::Ours, cores, turns: 1, stops_when_late: false };
    let verdict = how.run(&guider, |_| {});
    assert_eq!(verdict.jobs, timetable.jobs.len() as u64);
    verdict.jobs
}

/// What a peer must find, too: jobs that end before `horizon`, and the sum of the times at which they do.
pub fn finished(system: &System, horizon: u64) -> (u64, u64) {
    let timetable = Timetable::until(system, Extreme::worst(system), horizon).expect("few jobs");
    let ends = timetable.jobs.iter().map(|job| job.finish).filter(|finish| *finish <= horizon);
    ends.fold((0, 0), |(count, sum), finish| (count + 1, sum + finish))
}

/// The study of the transaction ratio, the longest of the three, with 1000 workloads, 11 points and three
/// policies, by the clock on the wall. 0 threads are as many as there are cores.
pub fn study(threads: usize) -> Side {
    Box::new(move || {
        let study = Study { threads, ..Study::new(Vary::Transaction, Generator::AsPublished) };
        by_wall_time(|| {
            let result = study.run().expect("a result");
            result.points.iter().map(|point| point.accepted).sum()
        })
    })
}
