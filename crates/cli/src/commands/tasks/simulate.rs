//! `ironbird tasks simulate`: whether a computer can simulate a system in time.

use ironbird_kernel::Seed;
use ironbird_tasks::report::{
    FEW_ROWS, SimulatedJob, SimulationOutcome, SimulationReport, run_guider, run_varying,
};
use ironbird_tasks::{
    Drawn, Extreme, Fraction, Guider, MOST_JOBS, NotAFraction, Policy, Ranges, Reading, Simulation,
    Ticks, Timetable, VaryingSimulation, hyper_period, picture,
};

use super::input::Input;
use super::schedule::{MOST_STATES, several};
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{Printer, complain};
use crate::task_arguments::{PolicyChoice, ReadingChoice, SimulateArguments, TimesChoice};

/// Jobs that are simulated at most: some minutes.
const MOST_SIMULATED: u64 = 1_000_000_000;

/// Jobs of a system with varying times that are simulated at most: each one looks at all others of a hyper-period.
const MOST_VARYING: u64 = 100_000;

/// Simulates; the status says whether that is possible in time.
pub fn simulate(arguments: &SimulateArguments) -> Result<u8, Failure> {
    let speed = arguments.speed.as_deref().map(str::parse::<Fraction>).transpose();
    let speed = speed.map_err(|error: NotAFraction| Failure::input(format!("--speed: {error}")))?;
    let input = Input::open(&arguments.file, speed)?;
    let system = &input.system;
    let timetable = Timetable::of(system).map_err(|error| input.explain(error))?;
    let refused = |error: String| Failure::input(format!("{}: {error}", input.name));
    let guider = Guider::new(system, &timetable).map_err(|error| refused(error.to_string()))?;
    let length = hyper_period(system).map_err(|error| input.explain(error))?;
    let turns = turns(arguments.hyper_periods, length, &timetable, &guider)?;
    let how = Simulation {
        policy: policy(arguments.policy, arguments.truetime),
        cores: arguments.cores.map_or(system.computer.cores, |cores| cores as usize),
        turns,
        stops_when_late: false,
    };
    let later = timetable.cycle.map_or(0, |cycle| (turns - 1) * cycle.length);
    let horizon = timetable.horizon + later;
    let report = SimulationReport {
        name: &input.name,
        system,
        how,
        hyper_period: length,
        hyper_periods: horizon / length.max(1),
        scale: guider.scale,
    };
    if !system.varies() {
        let run = |observe: &mut dyn FnMut(&SimulatedJob)| {
            Ok::<_, Failure>(run_guider(how, system, &timetable, &guider, observe))
        };
        return show(arguments, &report, run);
    }
    check_varying(arguments, turns.saturating_mul(timetable.jobs.len() as u64))?;
    let ranges = Ranges::until(system, horizon, MOST_STATES);
    let (policy, cores) = (how.policy, how.cores);
    let how =
        VaryingSimulation { policy, cores, horizon, ahead: Some(length), stops_when_late: false };
    show(arguments, &report, |observe| {
        let seed = Seed { seed: arguments.seed, repetition: 0 };
        let scale = guider.scale;
        let outcome = match arguments.times {
            TimesChoice::Worst => {
                run_varying(how, system, &ranges, scale, Extreme::worst(system), observe)
            }
            TimesChoice::Best => {
                run_varying(how, system, &ranges, scale, Extreme::best(system), observe)
            }
            TimesChoice::Drawn => {
                run_varying(how, system, &ranges, scale, Drawn::new(system, seed), observe)
            }
        };
        outcome.map_err(|error| refused(error.to_string()))
    })
}

/// What cannot be done where execution times vary.
fn check_varying(arguments: &SimulateArguments, jobs: u64) -> Result<(), Failure> {
    let message = match () {
        () if arguments.policy == PolicyChoice::Truetime => {
            "where execution times vary, the policies are `ours` and `allsync`".to_owned()
        }
        () if arguments.gantt.is_some() => {
            "--gantt: no chart is drawn of a simulation in which execution times vary".to_owned()
        }
        () if jobs > MOST_VARYING => format!(
            "--hyper-periods: they have {jobs} jobs; where execution times vary, {MOST_VARYING} are \
             simulated at most"
        ),
        () => return Ok(()),
    };
    Err(Failure::input(message))
}

/// Runs the simulation and shows it as it was asked for.
fn show(
    arguments: &SimulateArguments,
    report: &SimulationReport,
    run: impl FnOnce(&mut dyn FnMut(&SimulatedJob)) -> Result<SimulationOutcome, Failure>,
) -> Result<u8, Failure> {
    let is_shown = arguments.jobs || report.how.turns == 1;
    let mut kept: Vec<SimulatedJob> = Vec::new();
    // A chart shows some thousand jobs; a table those that are asked for.
    let most = match (arguments.json, is_shown, &arguments.gantt) {
        (false, true, _) => MOST_JOBS,
        (_, _, Some(_)) => FEW_ROWS * 5,
        _ => 0,
    };
    let mut keep = |job: &SimulatedJob| {
        if kept.len() < most {
            kept.push(*job);
        }
    };
    let mut out = std::io::BufWriter::new(Printer::default());
    let failed = |error: std::io::Error| Failure::Run(format!("cannot print: {error}"));
    let outcome = match arguments.json {
        true => {
            let both = |tell: &mut dyn FnMut(&SimulatedJob)| {
                run(&mut |job| {
                    keep(job);
                    tell(job);
                })
            };
            report.json(&mut out, both).map_err(failed)??
        }
        false => {
            let outcome = run(&mut keep)?;
            let rows = if arguments.jobs { usize::MAX } else { FEW_ROWS };
            let shown = if is_shown { kept.as_slice() } else { &[] };
            report.text(&outcome, shown, rows, &mut out).map_err(failed)?;
            outcome
        }
    };
    drop(out);
    if let Some(file) = &arguments.gantt {
        write(file, &picture::of_simulation(report, &kept).svg())?;
        if !arguments.json {
            complain(format_args!("{}\n", file.display()));
        }
    }
    Ok(u8::from(outcome.first_late.is_some()))
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
