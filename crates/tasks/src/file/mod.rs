//! Systems from TOML files.
//!
//! ```toml
//! time_unit = "us"
//! sim_speed = 3.3
//!
//! [[ecu]]
//! name = "ecu1"
//! executor = "single-threaded"
//!
//! [[transaction]]
//! name = "T1"
//! [[transaction.task]]
//! ecu = "ecu1"
//! period = 10000
//! execution = 2000
//! reads_physical = true
//! ```

mod buses;
mod ecus;
mod numbers;
mod tasks;

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Place, Problem, Problems, Source, Table};

use crate::fraction::Fraction;
use crate::system::{Computer, System, TimeUnit};

/// The longest hyper-period that is computed unless a file says otherwise: 100 s.
pub(crate) const LONGEST_HYPER_PERIOD: u64 = 100_000_000_000_000;

/// Reads a file.
pub fn read(file: &Path) -> Result<System, Problems> {
    let source = Source::read(file).map_err(|problem| Problems(vec![problem]))?;
    parse(&source)
}

/// Reads a text.
pub fn parse(source: &Arc<Source>) -> Result<System, Problems> {
    let file = ironbird_document::parse(source).map_err(|problem| Problems(vec![problem]))?;
    let mut problems = Problems::default();
    let result = file.table().and_then(|table| system(table, &file.place, &mut problems));
    match result {
        Ok(system) if problems.0.is_empty() => Ok(system),
        Ok(_) => Err(problems),
        Err(problem) => {
            problems.push(problem);
            Err(problems)
        }
    }
}

fn system(table: &Table, place: &Place, problems: &mut Problems) -> Result<System, Problem> {
    let known =
        ["time_unit", "sim_speed", "sim_cores", "max_hyper_period", "ecu", "bus", "transaction"];
    table.only(&known, "a file of tasks")?;
    let unit = table.get("time_unit").map(|item| {
        numbers::one_of(
            item,
            "a unit of time",
            TimeUnit::ALL.map(|unit| (unit.symbol(), unit)).as_slice(),
        )
    });
    let unit = unit.transpose()?.unwrap_or(TimeUnit::Microsecond);
    let speed = table.get("sim_speed").map(numbers::fraction).transpose()?.unwrap_or(Fraction::ONE);
    let cores = table.get("sim_cores").map(|item| numbers::within(item, 1, 1024)).transpose()?;
    let longest = table.get("max_hyper_period").map(numbers::positive).transpose()?;
    let computer = Computer { cores: cores.unwrap_or(1) as usize, speed };
    let ecus = ecus::read(table.need("ecu", place)?, problems)?;
    let buses = match table.get("bus") {
        Some(item) => buses::read(item, &ecus, unit, problems)?,
        None => Vec::new(),
    };
    let mut system = System {
        unit,
        ecus,
        tasks: Vec::new(),
        transactions: Vec::new(),
        buses,
        computer,
        longest_hyper_period: longest.unwrap_or(LONGEST_HYPER_PERIOD / unit.picoseconds()),
    };
    tasks::read(table.need("transaction", place)?, &mut system, problems)?;
    Ok(system)
}
