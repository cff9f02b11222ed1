//! Files of tasks and times as the user gives them.

use ironbird_tasks::{Fraction, System, TaskFile, Ticks, TimeUnit, TimetableError};
use ironbird_units::{Quantity, Unit};

use crate::failure::Failure;
use crate::task_arguments::FileArguments;

/// A file of tasks and what it describes.
pub struct Input {
    /// Its name as the user typed it.
    pub name: String,
    pub file: TaskFile,
    pub system: System,
}

impl Input {
    /// Reads the file.
    pub fn open(arguments: &FileArguments, speed: Option<Fraction>) -> Result<Self, Failure> {
        let file = TaskFile::open(&arguments.file)?;
        let mut system = file.system(speed)?;
        if let Some(text) = &arguments.max_hyper_period {
            system.longest_hyper_period = time("--max-hyper-period", text, system.unit)?;
        }
        Ok(Input { name: arguments.file.display().to_string(), file, system })
    }

    /// An error of the schedule, with its place in the file.
    pub fn explain(&self, error: impl Into<TimetableError>) -> Failure {
        Failure::Input(self.file.explain(&error.into()).into())
    }
}

/// The longest time that may be given: 10^15 units, as in files.
const LONGEST: u64 = 1_000_000_000_000_000;

/// A time from 1 on, as a quantity or as a number in the unit of the file.
pub fn time(option: &str, text: &str, unit: TimeUnit) -> Result<Ticks, Failure> {
    let refuse = |why: String| Failure::input(format!("{option}: {why}"));
    let ticks = match text.trim().parse::<u64>() {
        Ok(number) => number,
        Err(_) => {
            let symbol: Unit = unit
                .symbol()
                .parse()
                .map_err(|error: ironbird_units::UnitError| refuse(error.to_string()))?;
            let quantity = text.parse::<Quantity>().and_then(|quantity| quantity.to(&symbol));
            let number = quantity.map_err(|error| refuse(error.to_string()))?;
            if number.fract() != 0.0 || !(0.0..=LONGEST as f64).contains(&number) {
                let symbol = unit.symbol();
                return Err(refuse(format!(
                    "{text} is no whole number of {symbol} up to {LONGEST}"
                )));
            }
            number as u64
        }
    };
    match ticks {
        0 => Err(refuse("must be above zero".into())),
        ticks if ticks > LONGEST => Err(refuse(format!("must be at most {LONGEST}"))),
        ticks => Ok(ticks),
    }
}
