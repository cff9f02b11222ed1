//! `ironbird tasks simulate`: whether a computer can simulate a system in time.

use ironbird_tasks::report::{FEW_ROWS, SimulationReport};
use ironbird_tasks::{
    Done, Fraction, Guider, MOST_JOBS, NotAFraction, Policy, Reading, Simulation, Ticks, Timetable,
    hyper_period, picture,
};

use super::input::Input;
use super::schedule::several;
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{Printer, complain};
use crate::task_arguments::{PolicyChoice, ReadingChoice, SimulateArguments};

/// Jobs that are simulated at most: some minutes.
const MOST_SIMULATED: u64 = 1_000_000_000;

/// Simulates; the status says whether that is possible in time.
pub fn simulate(arguments: &SimulateArguments) -> Result<u8, Failure> {
    let speed = arguments.speed.as_deref().map(str::parse::<Fraction>).transpose();
    let speed = speed.map_err(|error: NotAFraction| Failure::input(format!("--speed: {error}")))?;
    let input = Input::open(&arguments.file, speed)?;
    let system = &input.system;
    let timetable = Timetable::of(system).map_err(|error| input.explain(error))?;
    let guider = Guider::new(system, &timetable)
        .map_err(|error| Failure::input(format!("{}: {error}", input.name)))?;
    let length = hyper_period(system).map_err(|error| input.explain(error))?;
    let how = Simulation {
        policy: policy(arguments.policy, arguments.truetime),
        cores: arguments.cores.map_or(system.computer.cores, |cores| cores as usize),
        turns: turns(arguments.hyper_periods, length, &timetable, &guider)?,
        stops_when_late: false,
    };
    let parts = (system, &timetable, &guider);
    let report = SimulationReport::new(&input.name, parts, how, length);
    let is_shown = arguments.jobs || how.turns == 1;
    let mut kept: Vec<Done> = Vec::new();
    // A chart shows some thousand jobs; a table those that are asked for.
    let most = match (arguments.json, is_shown, &arguments.gantt) {
        (false, true, _) => MOST_JOBS,
        (_, _, Some(_)) => FEW_ROWS * 5,
        _ => 0,
    };
    let keep = |done: &Done| {
        if kept.len() < most {
            kept.push(*done);
        }
    };
    let mut out = std::io::BufWriter::new(Printer::default());
    let failed = |error: std::io::Error| Failure::Run(format!("cannot print: {error}"));
    let verdict = match arguments.json {
        true => report.json(&mut out, keep).map_err(failed)?,
        false => {
            let verdict = how.run(&guider, keep);
            let rows = if arguments.jobs { usize::MAX } else { FEW_ROWS };
            let shown = if is_shown { kept.as_slice() } else { &[] };
            report.text(&verdict, shown, rows, &mut out).map_err(failed)?;
            verdict
        }
    };
    drop(out);
    if let Some(file) = &arguments.gantt {
        write(file, &picture::of_simulation(&report, &kept).svg())?;
        if !arguments.json {
            complain(format_args!("{}\n", file.display()));
        }
    }
    Ok(u8::from(!verdict.is_simulatable()))
}

/// A policy as it is typed.
pub fn policy(policy: PolicyChoice, reading: ReadingChoice) -> Policy {
    match (policy, reading) {
        (PolicyChoice::Ours, _) => Policy::Ours,
        (PolicyChoice::Allsync, _) => Policy::AllSync,
        (PolicyChoice::Truetime, ReadingChoice::Published) => Policy::TrueTime(Reading::Published),
        (PolicyChoice::Truetime, ReadingChoice::Interaction) => {
            Policy::TrueTime(Reading::Interaction)
        }
        (PolicyChoice::Truetime, ReadingChoice::Timers) => Policy::TrueTime(Reading::Timers),
    }
}

/// Turns of the cycle that make up so many hyper-periods.
fn turns(
    count: u64,
    length: Ticks,
    timetable: &Timetable,
    guider: &Guider,
) -> Result<u64, Failure> {
    if count == 0 {
        return Err(Failure::input("--hyper-periods must be above zero"));
    }
    let until = several(length, count)?;
    let Some(cycle) = timetable.cycle else { return Ok(1) };
    let turns = until.saturating_sub(cycle.from).div_ceil(cycle.length.max(1)).max(1);
    let jobs = turns.saturating_mul(timetable.jobs.len() as u64);
    let latest = until.checked_mul(guider.scale).and_then(|time| time.checked_mul(1 << 10));
    if jobs > MOST_SIMULATED || latest.is_none() {
        let message = format!(
            "--hyper-periods: {count} of them have {jobs} jobs, more than {MOST_SIMULATED}, or last too long"
        );
        return Err(Failure::input(message));
    }
    Ok(turns)
}
