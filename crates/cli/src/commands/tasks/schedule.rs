//! `ironbird tasks schedule`: when every job runs on its ECU.

use ironbird_kernel::Seed;
use ironbird_tasks::report::{FEW_ROWS, ScheduleReport};
use ironbird_tasks::{
    Drawn, Extreme, Guider, Ranges, System, Ticks, Timetable, TimetableError, hyper_period, picture,
};

use super::input::{Input, time};
use crate::commands::compare::write;
use crate::failure::Failure;
use crate::output::{Printer, complain};
use crate::task_arguments::{ScheduleArguments, TimesChoice};

/// Combinations that are looked at to bound the times of an ECU.
pub const MOST_STATES: usize = 100_000;

/// Prints the schedule.
pub fn schedule(arguments: &ScheduleArguments) -> Result<u8, Failure> {
    let input = Input::open(&arguments.file, None)?;
    let system = &input.system;
    let hyper_period = hyper_period(system);
    let choice = arguments.times.unwrap_or(TimesChoice::Worst);
    let horizon = match (&arguments.until, arguments.hyper_periods, choice) {
        (Some(text), ..) => Some(time("--until", text, system.unit)?),
        (None, Some(0), _) => return Err(Failure::input("--hyper-periods must be above zero")),
        (None, None, TimesChoice::Worst | TimesChoice::Best) => None,
        (None, count, _) => {
            let length = hyper_period.clone().map_err(|error| input.explain(error))?;
            Some(several(length, count.unwrap_or(1))?)
        }
    };
    let timetable =
        timetable(system, choice, arguments.seed, horizon).map_err(|error| input.explain(error))?;
    let guider = guider(system, &timetable)?;
    let times = match choice {
        TimesChoice::Worst => "worst",
        TimesChoice::Best => "best",
        TimesChoice::Drawn => "drawn",
    };
    let varies = system.varies() && arguments.times.is_none();
    let ranges = varies.then(|| Ranges::until(system, timetable.horizon, MOST_STATES));
    let report = ScheduleReport {
        name: &input.name,
        system,
        timetable: &timetable,
        guider: &guider,
        hyper_period: hyper_period.ok(),
        times,
        ranges: ranges.as_ref(),
    };
    if let Some(file) = &arguments.gantt {
        write(file, &picture::of_schedule(&report).svg())?;
    }
    let mut out = std::io::BufWriter::new(Printer::default());
    let printed = match arguments.json {
        true => report.json(&mut out),
        false => report.text(&mut out, if arguments.jobs { usize::MAX } else { FEW_ROWS }),
    };
    printed.map_err(|error| Failure::Run(format!("cannot print: {error}")))?;
    drop(out);
    if let (Some(file), false) = (&arguments.gantt, arguments.json) {
        complain(format_args!("{}\n", file.display()));
    }
    Ok(0)
}

/// So many hyper-periods.
pub fn several(length: Ticks, count: u64) -> Result<Ticks, Failure> {
    let most = 1u64 << 60;
    let all = length.checked_mul(count).filter(|all| *all < most);
    all.ok_or_else(|| Failure::input(format!("--hyper-periods: {count} of them are too long")))
}

fn timetable(
    system: &System,
    choice: TimesChoice,
    seed: u64,
    horizon: Option<Ticks>,
) -> Result<Timetable, TimetableError> {
    let extreme = match choice {
        TimesChoice::Best => Extreme::best(system),
        _ => Extreme::worst(system),
    };
    let Some(horizon) = horizon else { return Timetable::repeating(system, extreme) };
    Ok(match choice {
        TimesChoice::Drawn => {
            let seed = Seed { seed, repetition: 0 };
            Timetable::until(system, Drawn::new(system, seed), horizon)?
        }
        _ => Timetable::until(system, extreme, horizon)?,
    })
}

/// The guider of a timetable. What a simulation computer makes of it is of no interest here: where its speeds
/// have no common scale, deadlines are counted in whole units.
pub fn guider(system: &System, timetable: &Timetable) -> Result<Guider, Failure> {
    Guider::new(system, timetable).or_else(|_| {
        let mut equal = system.clone();
        for task in &mut equal.tasks {
            task.simulated = ironbird_tasks::Fraction::ONE;
        }
        Guider::new(&equal, timetable).map_err(|_| {
            Failure::input("jobs take too long to be counted with: use a larger `time_unit`")
        })
    })
}
